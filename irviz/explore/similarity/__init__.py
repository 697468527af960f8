"""The page similarity."""
