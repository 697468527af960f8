"""The user models page; what it shows is :mod:`irviz.views.panels.cwla`."""

from irviz.ui.page import show_page

show_page("cwla")
