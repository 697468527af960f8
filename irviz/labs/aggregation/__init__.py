"""Lab: from topics to one number."""
