"""The page Findings: rows are the answers of the API, stored or asked, and unfold to printed and recomputed numbers."""

from __future__ import annotations

import pytest

from irviz.gallery import CLAIMS
from irviz.gallery.findings import ALL, Result, findings, stored_findings
from irviz.gallery.page import CANNOT, CLEARLY, CLEARLY_NOT, NOT, OTHERS, SEEN, SIGNS, UNASKED, state_of
from irviz.gallery.paper import ITEMS
from irviz.menu import SECTIONS, page_named
from irviz.workspace.data import context_of as context_of_link
from irviz.workspace.data import library, opened_bundled
from irviz.workspace.view import View, settle
from tests.panels import context_of, panel_of


@pytest.fixture(scope="module")
def context():
    return context_of(opened_bundled("dl2020"))


@pytest.fixture
def fewer(context, monkeypatch):
    """Data that are not stored, on which little is drawn."""
    monkeypatch.setattr("irviz.gallery.page.TRIALS", 10)
    return context_of(context.dataset, only=",".join(context.systems[:12]))


def row(panel, number: int):
    return list(panel.folds.values())[number - 1]()


def test_states_say_how_clearly():
    effects = ((0.2, 0.1, 0.3), (0.2, -0.1, 0.5), (None, None, None), (-0.2, -0.5, 0.1), (-0.2, -0.3, -0.1))
    found = [state_of(Result(1, effect is None or effect > 0, effect, *ends, "")) for effect, *ends in effects]
    assert found == [CLEARLY, SEEN, CLEARLY, NOT, CLEARLY_NOT]
    assert state_of(Result(1, True, 0.2, None, None, "")) == SEEN, "without an interval nothing is clear"
    assert (state_of(None), state_of(Result(1, None, None, None, None, ""))) == (UNASKED, CANNOT)


def test_a_row_has_the_stored_answer_and_on_how_many_collections_it_is_seen(context):
    panel = panel_of(context, "findings")
    own = next(one for one in stored_findings() if one.name == "dl2020")
    headings = list(panel.folds)
    assert len(headings) == len(CLAIMS) + len(OTHERS) + 1
    for n, heading in zip(ALL, headings, strict=False):
        seen = [one.get(n).seen for one in stored_findings() if one.get(n) and one.get(n).seen is not None]
        assert heading.split()[:2] == [SIGNS[state_of(own.get(n))], f"{n}."]
        assert f"{sum(seen)} of {len(seen)} " in heading
    counts = {fact.label: fact.value for fact in panel.facts}
    assert sum(counts.values()) == len(own.results) and panel.unfolded == -1


def test_what_is_not_stored_is_asked_by_the_row_or_all_together(fewer, monkeypatch):
    monkeypatch.setattr("irviz.gallery.findings.RESAMPLES", 5)
    panel = panel_of(fewer, "findings")
    assert not panel.facts and all(heading.startswith(SIGNS[UNASKED]) for heading in list(panel.folds)[: len(CLAIMS)])
    data = fewer.dataset.imported_scores.select(systems=fewer.systems)
    expected = findings(data, trials=10)
    (effect,) = [fact for fact in row(panel, 31).facts if fact.label == "effect"]
    assert (effect.value, effect.low, effect.high) == expected.get(31)[2:5]
    whole = panel_of(fewer, "findings", asked="1")
    frame = whole.tables["All findings on these data"].frame
    assert frame["numbers"].tolist() == [one.numbers for one in expected.results]


def test_a_row_unfolds_to_printed_numbers_beside_recomputed_ones(fewer):
    part = row(panel_of(fewer, "findings"), 29)
    frame = part.tables["Table 3 of Ravana & Moffat 2009"].frame
    assert len(frame) == len(ITEMS["means.table3"].printed) and frame["recomputed"].notna().sum() > 0
    assert part.drawings and "Finding 29 everywhere" in part.tables


def test_a_table_that_cannot_be_recomputed_keeps_its_printed_numbers(fewer):
    part = row(panel_of(fewer, "findings"), 1)
    assert not part.drawings and "recomputed" not in part.tables["Table 1 of Ferrante et al. 2019"].frame


@pytest.mark.parametrize("name", ["5", *ITEMS])
def test_a_link_unfolds_the_row_of_a_finding_or_a_table(context, name):
    panel = panel_of(context, "findings", row=name)
    heading = list(panel.folds)[panel.unfolded]
    if name in OTHERS:
        assert ITEMS[name].title in heading
    else:
        number = int(heading.split()[1].rstrip("."))
        assert name == str(number) or name in CLAIMS[number].items


def test_the_views_of_the_api_unfold_their_row(context):
    for address in findings(context.dataset.imported_scores, numbers=[5, 31], trials=10).frame()["view"]:
        view = View.from_url(address)
        opened, complaints = context_of_link(view.values, library(), page_named(view.page))
        values, more = settle(page_named(view.page).controls, view.values, opened)
        assert not complaints and not more and values["row"] in ("5", "31") and opened.dataset.key == "dl2020"


def test_the_last_row_is_how_large_a_difference_to_believe(context):
    part = list(panel_of(context, "findings").folds.values())[-1]()
    frame = part.tables["Differences"].frame
    assert context.dataset.title in set(frame["collection"]) and len(set(frame["collection"])) > 3
    assert set(frame["topics"]) == {25} and part.drawings


def test_one_page_holds_papers_and_findings():
    assert page_named("findings") in SECTIONS["Experiments"]
