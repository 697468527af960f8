"""Ravana and Moffat 2009: score aggregation."""
