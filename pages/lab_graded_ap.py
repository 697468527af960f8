"""The lab on graded average precision; what it shows is :mod:`irviz.views.panels.lab_graded_ap`."""

from irviz.ui.lab import show_lab

show_lab("lab_graded_ap")
