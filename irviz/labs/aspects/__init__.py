"""Lab: several aspects in one measure."""
