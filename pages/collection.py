"""The collection page: load, look at and save a collection; see :mod:`irviz.explore.collection`."""

from irviz.ui.loading import is_loading, show_aspects, show_grouping, show_loading, show_saving
from irviz.ui.page import show_page


def show_data() -> bool:
    """The ways in, and the order of aspects and the groups of topics of what is open; false while other files wait."""
    if show_loading():
        return False
    show_aspects()
    show_grouping()
    return True


show_page(draw_above=show_data)
if not is_loading():
    show_saving()
