"""The page discriminative."""
