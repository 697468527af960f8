"""Lab: how a user walks down a list."""
