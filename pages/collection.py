"""The collection page: load, look at and save a collection; see :mod:`irviz.explore.collection`."""

from irviz.ui.loading import show_aspects, show_loading, show_saving
from irviz.ui.page import show_page


def show_data() -> None:
    """The ways in, and the order of the aspects of what is open."""
    show_loading()
    show_aspects()


show_page(draw_above=show_data)
show_saving()
