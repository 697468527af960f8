"""The page user_models."""
