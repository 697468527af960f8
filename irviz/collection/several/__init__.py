"""Several files of judgments: aspects of one thing, or judges of it; and what one of the judges sees."""
