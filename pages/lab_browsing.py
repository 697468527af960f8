"""The lab on browsing models; what it shows is :mod:`irviz.views.panels.lab_browsing`."""

from irviz.ui.lab import show_lab

show_lab("lab_browsing")
