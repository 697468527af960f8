"""Ranks and how alike they are; :mod:`irviz.analysis.ranking.coefficients` lists the ways to say so."""
