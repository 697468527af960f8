"""The consistency page; what it shows is :mod:`irviz.views.panels.consistency`."""

from irviz.ui.page import show_page

show_page("consistency")
