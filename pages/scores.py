"""The scores page; what it shows is :mod:`irviz.views.panels.scores`."""

from irviz.ui.page import show_page

show_page("scores")
