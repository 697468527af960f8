"""The similarity page; what it shows is :mod:`irviz.explore.similarity.panel`."""

from irviz.ui.page import show_page

show_page("similarity")
