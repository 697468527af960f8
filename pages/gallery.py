"""The paper gallery; what it shows is :mod:`irviz.gallery.page`."""

from irviz.ui.page import show_page

show_page("gallery")
