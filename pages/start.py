"""The start page, for who comes without a link; see :mod:`irviz.ui.front.start`."""

from irviz.ui.front.start import show_start

show_start()
