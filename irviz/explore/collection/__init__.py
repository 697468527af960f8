"""The page collection."""
