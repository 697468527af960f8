"""The page aggregation."""
