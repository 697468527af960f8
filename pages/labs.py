"""The page that shows all labs; see :mod:`irviz.ui.start`."""

from irviz.ui.start import show_learn

show_learn()
