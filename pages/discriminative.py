"""The discriminative power page; what it shows is :mod:`irviz.explore.discriminative.panel`."""

from irviz.ui.page import show_page

show_page("discriminative")
