"""The course page; see :mod:`irviz.ui.classroom.course`."""

from irviz.ui.classroom.course import show_course

show_course()
