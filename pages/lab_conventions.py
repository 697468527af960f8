"""The lab on conventions; what it shows is :mod:`irviz.views.panels.lab_conventions`."""

from irviz.ui.lab import show_lab

show_lab("lab_conventions")
