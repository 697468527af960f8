"""The start page, for who comes without a link; see :mod:`irviz.ui.start`."""

from irviz.ui.start import show_start

show_start()
