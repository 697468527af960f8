"""The significance tests and their common types; :mod:`irviz.analysis.significance` lists them."""
