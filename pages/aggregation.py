"""The aggregation page; what it shows is :mod:`irviz.explore.aggregation.panel`."""

from irviz.ui.page import show_page

show_page("aggregation")
