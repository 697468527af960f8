"""Several files of judgments: aspects, or judges of one aspect; and the collection of one judge."""
