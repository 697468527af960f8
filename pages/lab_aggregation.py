"""The lab on aggregation; what it shows is :mod:`irviz.views.panels.lab_aggregation`."""

from irviz.ui.lab import show_lab

show_lab("lab_aggregation")
