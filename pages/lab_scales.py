"""The lab on measurement scales; what it shows is :mod:`irviz.labs.scales.panel`."""

from irviz.ui.lab import show_lab

show_lab("lab_scales")
