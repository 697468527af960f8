"""Maistro et al. 2021: several aspects of relevance."""
