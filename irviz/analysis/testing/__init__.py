"""The significance tests themselves, and what they share; :mod:`irviz.analysis.significance` lists them."""
