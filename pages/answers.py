"""The answers of a class; see :mod:`irviz.ui.exercise`."""

from irviz.ui.exercise import show_answers

show_answers()
