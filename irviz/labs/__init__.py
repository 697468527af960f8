"""One file per lab; :mod:`~irviz.labs.screen` says what a lab is, and what several share stands beside them."""
