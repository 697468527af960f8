"""The paper gallery; what it shows is :mod:`irviz.views.panels.gallery`."""

from irviz.ui.page import show_page

show_page("gallery")
