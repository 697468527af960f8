"""Systems that the sidebar highlights stand out on every page that shows systems, without colour."""

from __future__ import annotations

import pytest

from irviz.collection.catalogue import open_collection
from irviz.menu import PAGES
from irviz.workspace.context import Opened
from tests.panels import context_of, panel_of

SYSTEM = "lumen-ltr-desc"
HIGHLIGHTING = [page.name for page in PAGES if page.highlights]


def stands_out(name: str, **texts: str) -> bool:
    """Whether the system's name is bold, or a line's, in some figure of the page."""
    opened = Opened("adhoc", "Ad hoc", open_collection("adhoc"))
    panel = panel_of(context_of(opened, **texts), name, **({"trials": "100"} if name == "discriminative" else {}))
    figures = [drawing.figure for row in panel.drawings for drawing in row.values()]
    bold = [text for one in figures for text in one.layout.yaxis.ticktext or () if text == f"▸ <b>{SYSTEM}</b>"]
    return bool(bold) or any(trace.name == SYSTEM for one in figures for trace in one.data)


@pytest.mark.parametrize("name", HIGHLIGHTING)
def test_a_highlighted_system_has_a_bold_name_or_a_line_of_its_own(name):
    assert not stands_out(name) and stands_out(name, highlight=SYSTEM)


@pytest.mark.parametrize("show", ["ranking", "box", "heatmap", "ecdf", "density"])
def test_on_scores_it_does_in_every_figure(show):
    opened = Opened("adhoc", "Ad hoc", open_collection("adhoc"))
    drawn = panel_of(context_of(opened, highlight=SYSTEM), "scores", show=show).drawing(show).figure
    bold = [text for text in drawn.layout.yaxis.ticktext or () if "<b>" in text]
    assert bold == [f"▸ <b>{SYSTEM}</b>"] or [trace.name for trace in drawn.data[1:]] == [SYSTEM]


def test_the_pages_that_show_systems_are_those():
    assert HIGHLIGHTING == ["scores", "similarity", "collection", "discriminative", "aggregation"]
