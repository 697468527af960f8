"""The aggregation page; what it shows is :mod:`irviz.views.panels.aggregation`."""

from irviz.ui.page import show_page

show_page("aggregation")
