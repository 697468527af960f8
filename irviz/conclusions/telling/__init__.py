"""A conclusion in words, for a paper, and as tables for figures."""
