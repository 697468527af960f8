"""The discriminative power page; what it shows is :mod:`irviz.views.panels.discriminative`."""

from irviz.ui.page import show_page

show_page("discriminative")
