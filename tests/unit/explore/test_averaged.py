"""A page says whether the sidebar's average over topics makes a difference to it, and that is so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from irviz.collection.catalogue import open_collection
from irviz.errors import IrvizError
from irviz.explore.aggregation import five_tasks
from irviz.menu import PAGES, page_named
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Choice, Control, Flag
from irviz.workspace.data import bundled_scores
from irviz.workspace.panel import Panel
from tests.degenerate import MATRICES, collection
from tests.panels import context_of, opened_once, panel_of

FEW = {"trials": "100", "repeats": "1", "models": "RBP"}  #: less than usual to draw, where there is something to draw


def shown(panel: Panel) -> list[str]:
    """Everything that a page shows at first."""
    drawings = [one for row in panel.drawings for one in row.values()]
    tables = [table.frame.to_csv() for table in panel.tables.values()]
    return [panel.sentence, *tables, *(text for one in drawings for text in (one.title, one.alt, one.figure.to_json()))]


@pytest.mark.parametrize("page", [page for page in PAGES if not page.lab], ids=lambda page: page.name)
def test_the_average_makes_a_difference_where_a_page_says_so_and_nowhere_else(page):
    whole = opened_once("adhoc")
    small = whole.subset(whole.topics[:15], depth=20)  # which would leave judges out
    collection = {"judges": whole, "users": opened_once("tiangong")}.get(page.name, small)
    opened = Dataset("small", "Small", collection)
    texts = {control.name: FEW[control.name] for control in page.controls if control.name in FEW}
    texts |= {"part": "exact"} if page.name == "findings" else {}
    mean, median = (
        shown(panel_of(context_of(opened, summary=summary, measures="AP,P@5,nDCG@10"), page.name, **texts))
        for summary in ("mean", "median")
    )
    assert (mean != median) == ("average" in page.uses)


# Where nothing can be chosen from what is open, a page shows no controls; and nothing that it hides would matter.


SCORES = Dataset("scores", "Scores", imported_scores=MATRICES["matrices"]())
ONE_JUDGE = Dataset("one", "One judge", collection())
CONTEXTS = {opened.title: context_of(opened) for opened in (SCORES, ONE_JUDGE)}
NAMES = [one.name for one in PAGES if not one.lab]


def others(control: Control) -> Iterator[str]:
    """Texts of the control that are not its default."""
    if isinstance(control, Choice):
        yield from (value for value, _ in control.options if value != control.default)
    if isinstance(control, Flag):
        yield control.format(not control.default)


@cache
def given(context: Context, name: str, **texts: str) -> list[str]:
    """Everything that the page shows at first, or why it refuses."""
    try:
        return shown(panel_of(context, name, **texts))
    except IrvizError as refusal:
        return [str(refusal)]


@pytest.mark.parametrize("opened", [SCORES, ONE_JUDGE], ids=lambda opened: opened.title)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_offered_changes_nothing(name, opened):
    one = page_named(name)
    if one.offers_choices(opened):
        return
    context = CONTEXTS[opened.title]
    usual = given(context, name)
    for control in (control.fit(context) for control in one.controls):
        assert all(given(context, name, **{control.name: text}) == usual for text in others(control))
    moved = context_of(opened, highlight=opened.systems[0], measures="P@10")
    assert given(moved, name) == usual


@pytest.mark.parametrize("name", NAMES)
def test_a_page_that_needs_lists_offers_nothing_beside_scores_and_everything_beside_lists(name):
    refused = given(CONTEXTS["Scores"], name)[0].startswith("Only scores are loaded")
    assert not (refused and page_named(name).offers_choices(SCORES))
    asks_for_more = {"judges", "users"} & page_named(name).uses
    assert page_named(name).offers_choices(Dataset("dl2021", "DL", open_collection("dl2021"))) != bool(asks_for_more)
    assert page_named(name).offers_choices(Dataset("adhoc", "Ad hoc", open_collection("adhoc"))) or name == "users"


def test_years_are_tasks_and_a_year_without_a_system_is_no_zero():
    table = five_tasks("AP", "mean").tables["Tasks"].frame.set_index("system")
    means = {year: bundled_scores(f"trec-dl/{year}")["AP"].mean() for year in range(2019, 2024)}
    there = {system: [mean[system] for mean in means.values() if system in mean] for system in table.index}
    assert {len(scores) for scores in there.values()} == {2, 3}
    for system, scores in there.items():
        assert table.score[system] == pytest.approx(sum(scores) / len(scores))
        assert table.present[system] == len(scores) / 4  # of 2019 no system came again
