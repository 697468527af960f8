"""The lab on graded average precision; what it shows is :mod:`irviz.labs.graded_ap.panel`."""

from irviz.ui.lab import show_lab

show_lab("lab_graded_ap")
