"""Selected systems stand out on every page that shows systems, without colour."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from irviz.menu import PAGES
from irviz.workspace.context import Dataset
from tests.panels import context_of, drawing_of, opened_once, panel_of

SYSTEM = "lumen-ltr-desc"
BOLD = f"▸ <b>{SYSTEM}</b>"
FOLDED = ("conclusion",)  #: its figures of systems are in folds, and tried there
HIGHLIGHTING = [page.name for page in PAGES if "highlights" in page.uses]


def stands_out(name: str, **texts: str) -> bool:
    """True if the system's name is bold, or a line's, in some figure of the page."""
    opened = Dataset("adhoc", "Ad hoc", opened_once("adhoc"))
    panel = panel_of(context_of(opened, **texts), name, **({"trials": "100"} if name == "discriminative" else {}))
    figures = [drawing.figure for row in panel.drawings for drawing in row.values()]
    return any(named(one) for one in figures)


@pytest.mark.parametrize(
    ("name", "fold"),
    [
        ("conclusion", "Pairs ordered the same way by every combination"),
        ("judges", "Systems that a judge favours"),
    ],
)
def test_it_stands_out_in_every_figure_of_a_fold(name: str, fold: str):
    opened = Dataset("adhoc", "Ad hoc", opened_once("adhoc"))
    drawings = panel_of(context_of(opened, highlight=SYSTEM), name).folds[fold]().drawings
    assert all(named(drawing.figure) for row in drawings for drawing in row.values())


def named(drawn: go.Figure) -> bool:
    """True if the highlighted system has a bold name at a row or a mark, or a line of its own."""
    lines = {(trace.name or "").removeprefix("A: ") for trace in drawn.data}
    notes = {note.text for note in drawn.layout.annotations}
    texts = [text for trace in drawn.data if trace.type == "scatter" and trace.text is not None for text in trace.text]
    return SYSTEM in lines | notes or BOLD in [*lines, *texts, *(drawn.layout.yaxis.ticktext or ())]


@pytest.mark.parametrize("name", [name for name in HIGHLIGHTING if name not in FOLDED])
def test_a_highlighted_system_has_a_bold_name_or_a_line_of_its_own(name):
    assert not stands_out(name) and stands_out(name, highlight=SYSTEM)


@pytest.mark.parametrize("show", ["ranking", "box", "heatmap", "ecdf"])
def test_on_scores_it_does_in_every_figure(show):
    opened = Dataset("adhoc", "Ad hoc", opened_once("adhoc"))
    drawn = drawing_of(panel_of(context_of(opened, highlight=SYSTEM), "scores", show=show), show).figure
    bold = [text for text in drawn.layout.yaxis.ticktext or () if "<b>" in text]
    assert bold == [f"▸ <b>{SYSTEM}</b>"] or [trace.name for trace in drawn.data[1:]] == [SYSTEM]


# What a page cannot show is refused by name, and no sentence says nan.
