"""Lab: average precision with grades."""
