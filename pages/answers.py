"""The answers of a class; see :mod:`irviz.ui.classroom.answers`."""

from irviz.ui.classroom.answers import show_answers

show_answers()
