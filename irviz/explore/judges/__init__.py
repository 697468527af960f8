"""The page judges: several sets of judgments on the same runs."""
