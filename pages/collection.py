"""The collection page: load, look at and save a collection; see :mod:`irviz.explore.collection.panel`."""

from irviz.ui.data.loading import show_loading
from irviz.ui.data.saving import show_saving
from irviz.ui.page import show_page

show_page(before=show_loading)
show_saving()
