"""Loading, saving and keeping data."""
