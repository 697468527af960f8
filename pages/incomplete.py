"""The incomplete judgments page; what it shows is :mod:`irviz.explore.incomplete`."""

from irviz.ui.page import show_page

show_page("incomplete")
