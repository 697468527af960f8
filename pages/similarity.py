"""The similarity page; what it shows is :mod:`irviz.views.panels.similarity`."""

from irviz.ui.page import show_page

show_page("similarity")
