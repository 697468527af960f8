"""The collection page: load, look at and save a collection; see :mod:`irviz.explore.collection.panel`."""

from irviz.ui.data.aspects import show_aspects
from irviz.ui.data.loading import show_loading
from irviz.ui.data.saving import show_saving
from irviz.ui.page import show_page


def show_data() -> None:
    """The ways in, and the order of the aspects of what is open."""
    show_loading()
    show_aspects()


show_page(before=show_data)
show_saving()
