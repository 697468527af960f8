"""The course page; see :mod:`irviz.ui.classroom.task`."""

from irviz.ui.classroom.task import show_course

show_course()
