"""The user models page; what it shows is :mod:`irviz.explore.user_models.panel`."""

from irviz.ui.page import show_page

show_page("cwla")
