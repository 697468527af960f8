"""The page Findings: squares are the answers of the API, stored or computed, and a click opens what computes them."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from irviz.gallery import CLAIMS
from irviz.gallery.findings import Result, findings, stored_findings
from irviz.gallery.findings_page import CANNOT, CLEARLY, CLEARLY_NOT, EXACT, FEW, NOT, SEEN, SIGNS, state_of
from irviz.menu import SECTIONS, page_named
from irviz.ui.navigation import TOOL_PAGES
from irviz.workspace.data import context_of as context_of_link
from irviz.workspace.data import library, opened_bundled
from irviz.workspace.view import View
from tests.panels import context_of, drawing_of, panel_of

KEYS = ("x", "customdata", "text")  #: of the signs


@pytest.fixture(scope="module")
def context():
    return context_of(opened_bundled("dl2020", "trec_eval"))


def test_states_say_how_clearly():
    effects = ((0.2, 0.1, 0.3), (0.2, -0.1, 0.5), (None, None, None), (-0.2, -0.5, 0.1), (-0.2, -0.3, -0.1))
    found = [state_of(Result(1, effect is None or effect > 0, effect, *ends, "")) for effect, *ends in effects]
    assert found == [CLEARLY, SEEN, CLEARLY, NOT, CLEARLY_NOT]
    assert state_of(Result(1, True, 0.2, None, None, "")) == SEEN, "without an interval nothing is clear"
    assert state_of(None) == state_of(Result(1, None, None, None, None, "")) == CANNOT


def test_squares_are_the_answers_the_readers_first_then_a_named_column_for_each_other_collection(context):
    drawn = drawing_of(panel_of(context, "findings"), "squares").figure
    mine, my_signs, others, signs = drawn.data
    numbers = [int(data[0]) for data in my_signs.customdata]
    known = {one.title: one for one in stored_findings()}
    own = known.pop(context.dataset.title)
    states = [state_of(one) for one in own.results]
    assert sorted(numbers) == list(range(1, len(CLAIMS) + 1))
    assert mine.z[:, 0].tolist() == sorted(states, reverse=True) == [states[n - 1] for n in numbers]
    *names, rest = drawn.layout.xaxis2.ticktext
    for name, column in zip(names, others.z.T, strict=False):
        one = known.pop(next(title for title in known if title.startswith(name.removesuffix(" …"))))
        asked = [state_of(one.get(n)) for n in numbers]
        np.testing.assert_array_equal(column, [np.nan if state == CANNOT else state for state in asked])
    few = [[state_of(one.get(n)) for n in numbers] for one in known.values()]
    assert rest == "others" and all(0 < np.count_nonzero(one) <= FEW for one in few)
    for row, state in enumerate(others.z[:, -1]):
        assert state in [one[row] for one in few] if np.isfinite(state) else not any(one[row] for one in few)
    drawn_at = {(x, int(data[0]), sign) for x, data, sign in zip(*(signs[k] for k in KEYS), strict=True)}
    assert drawn_at == {(x, numbers[y], SIGNS[int(others.z[y][x])]) for y, x in np.argwhere(np.isfinite(others.z))}


def test_a_click_opens_the_view_that_computes_a_square(context):
    drawing = drawing_of(panel_of(context, "findings"), "squares")
    squares = {(row[0], row[1]): row[-1] for at in (1, 3) for row in drawing.figure.data[at].customdata}
    assert drawing.leads
    own = View.from_url(squares["29", context.dataset.title])
    assert own.page == "gallery" and own.values["means"] == "table3" and own.values["collection"] == "dl2020"
    other = View.from_url(squares["32", "TREC 2021 Deep Learning, passages"])
    assert other.page == "equal_steps" and other.values["collection"] == "dl2021"
    assert squares["29", "TREC-8 ad hoc"] == "", "nothing here that could compute it"
    for address in filter(None, squares.values()):
        opened, complaints = context_of_link(View.from_url(address).values, library())
        assert not complaints and opened.dataset.key


def test_other_data_and_seeds_are_computed(context, monkeypatch):
    fewer = context_of(context.dataset, only=",".join(context.systems[:30]))
    frame = panel_of(fewer, "findings", part="exact").tables["All findings on these data"].frame.set_index("number")
    data = context.dataset.imported_scores.select(systems=fewer.systems)
    assert frame["numbers"].tolist() == [one.numbers for one in findings(data, numbers=EXACT).results]
    monkeypatch.setattr("irviz.gallery.findings_page.TRIALS", 100)
    again = panel_of(context, "findings", seed="7").tables["All findings on these data"].frame.set_index("number")
    assert again["numbers"].tolist() == [
        one.numbers for one in findings(context.dataset.imported_scores, seed=7, trials=100).results
    ]


def test_a_first_answer_asks_what_has_no_draws_and_is_the_same_for_every_seed(context):
    fewer = context_of(context.dataset, only=",".join(context.systems[:30]))
    one, other = (
        panel_of(fewer, "findings", part="exact", seed=seed).tables["All findings on these data"].frame
        for seed in ("0", "7")
    )
    assert tuple(one["number"]) == EXACT
    pd.testing.assert_frame_equal(one, other)


def test_a_first_answer_states_no_count_that_the_whole_one_changes(context):
    fewer = context_of(context.dataset, only=",".join(context.systems[:30]))
    first, whole = (panel_of(fewer, "findings", part=part) for part in ("first", "exact"))
    assert not first.facts and sum(fact.value for fact in whole.facts) == len(EXACT)
    counts = [
        {note.text for note in drawing_of(panel, "squares").figure.layout.annotations if " of " in note.text}
        for panel in (first, whole)
    ]
    told = [sorted(re.findall(r"\(\d+.of.\d+\)", " ".join(texts))) for texts in counts]
    assert told[0] == told[1] and told[0]


def test_the_ways_open_the_gallery_on_these_data(context):
    panel = panel_of(context, "findings", number="29")
    for _, view in panel.ways:
        assert view.page == "gallery"
        opened, complaints = context_of_link(view.values, library())
        assert not complaints and opened.dataset.key == "dl2020"
    assert panel.ways[0][1].values["means"] == "table3"


def test_the_gallery_stands_in_the_menu_for_teaching():
    assert SECTIONS["Teaching"] == (page_named("gallery"),) and "Teaching" in TOOL_PAGES
