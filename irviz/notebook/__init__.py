"""irviz in a notebook: a page's panel in a cell, and the dashboard on data that are at hand."""

from __future__ import annotations

from irviz.notebook.dashboard import open_dashboard
from irviz.notebook.drawn import show

__all__ = ["open_dashboard", "show"]
