"""The lab on several aspects; what it shows is :mod:`irviz.views.panels.lab_aspects`."""

from irviz.ui.lab import show_lab

show_lab("lab_aspects")
