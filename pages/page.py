"""The script of every page; one that is more than its panel has a script of its own name beside it."""

from irviz.ui.page import show_page

show_page()
