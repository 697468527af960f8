"""The lab on aggregation; what it shows is :mod:`irviz.labs.aggregation.panel`."""

from irviz.ui.lab import show_lab

show_lab("lab_aggregation")
