"""The consistency page; what it shows is :mod:`irviz.explore.consistency`."""

from irviz.ui.page import show_page

show_page("consistency")
