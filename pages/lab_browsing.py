"""The lab on browsing models; what it shows is :mod:`irviz.labs.browsing.panel`."""

from irviz.ui.lab import show_lab

show_lab("lab_browsing")
