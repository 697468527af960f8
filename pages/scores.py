"""The scores page; what it shows is :mod:`irviz.explore.scores.panel`."""

from irviz.ui.page import show_page

show_page("scores")
