"""The collection page: load, look at and save a collection; see :mod:`irviz.views.panels.collection`."""

from irviz.ui.loading import show_loading
from irviz.ui.page import show_page
from irviz.ui.saving import show_saving

show_page("collection", before=show_loading)
show_saving()
