"""The lab on conventions; what it shows is :mod:`irviz.labs.conventions.panel`."""

from irviz.ui.lab import show_lab

show_lab("lab_conventions")
