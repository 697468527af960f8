"""Ranks and their correlations; :mod:`irviz.analysis.ranking.coefficients` lists the coefficients."""
