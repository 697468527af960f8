"""Selected systems stand out on every page that shows systems, without colour."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from irviz.errors import IrvizError
from irviz.menu import PAGES
from irviz.publish.draw import draw
from irviz.workspace.context import Dataset
from irviz.workspace.control import join_names
from irviz.workspace.data import library
from irviz.workspace.view import View
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
    texts = [
        text for trace in drawn.data if trace.type == "scatter" and trace.mode == "markers+text" for text in trace.text
    ]
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


@pytest.mark.parametrize(("name", "figure"), [("collection", "judged"), ("scores", "ranking")])
def test_of_many_systems_a_figure_has_the_ends_and_all_where_that_is_asked(name, figure):
    opened = Dataset("dl2021", "DL", opened_once("dl2021"))
    texts = {"collection": "dl2021", "measures": "AP", "highlight": join_names([opened.systems[30]])}
    few, every = (
        draw(View.from_texts(name, **texts, **more), library([opened])).panel for more in ({}, {"every": "1"})
    )
    rows, every_row = (list(drawing_of(panel, figure).figure.layout.yaxis.ticktext) for panel in (few, every))
    assert len(every_row) == len(opened.systems) > 40 > len(rows)
    gone = sum(int(text.split()[1]) for text in rows if text.startswith("⋮"))
    assert len([text for text in rows if not text.startswith("⋮")]) + gone == len(opened.systems)
    assert few.notes == every.notes
    assert len(few.tables["Systems"].frame) == len(opened.systems)
    assert sum("<b>" in text for text in rows) == 1


# What a page cannot show is refused by name, and no sentence says nan.


def test_a_target_below_one_half_is_refused_on_user_models():
    adhoc = Dataset("adhoc", "adhoc", opened_once("adhoc"))
    with pytest.raises(IrvizError) as refused:
        draw(View.from_texts("cwla", collection="adhoc", T="0.3"), library([adhoc]))
    assert str(refused.value) == (
        "`T` of INST must be at least 0.5; got 0.3. With a smaller T, a user who hopes for less would read further."
    )
