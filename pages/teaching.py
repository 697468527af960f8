"""The course page; see :mod:`irviz.ui.exercise`."""

from irviz.ui.exercise import show_course

show_course()
