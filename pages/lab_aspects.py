"""The lab on several aspects; what it shows is :mod:`irviz.labs.aspects.panel`."""

from irviz.ui.lab import show_lab

show_lab("lab_aspects")
