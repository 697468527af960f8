"""The page scores."""
