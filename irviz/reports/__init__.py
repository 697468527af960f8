"""Views as reports, code and plain data."""
