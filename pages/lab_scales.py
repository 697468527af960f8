"""The lab on measurement scales; what it shows is :mod:`irviz.views.panels.lab_scales`."""

from irviz.ui.lab import show_lab

show_lab("lab_scales")
