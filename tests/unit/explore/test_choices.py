"""Where nothing can be chosen from what is open, a page shows no controls; and nothing that it hides would matter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviz.collection.catalogue import open_collection
from irviz.errors import IrvizError
from irviz.menu import PAGES, page_named
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Choice, Control, Flag
from tests.degenerate import MATRICES, collection
from tests.panels import context_of, panel_of
from tests.unit.explore.test_averaged import shown

SCORES = Dataset("scores", "Scores", imported=MATRICES["matrices"]())
ONE_JUDGE = Dataset("one", "One judge", collection())
NAMES = [one.name for one in PAGES if not one.lab and one.name != "gallery"]


def others(control: Control) -> Iterator[str]:
    """Texts of the control that are not its default."""
    if isinstance(control, Choice):
        yield from (value for value, _ in control.options if value != control.default)
    if isinstance(control, Flag):
        yield control.format(not control.default)


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
    context = context_of(opened)
    usual = given(context, name)
    for control in (control.fit(context) for control in one.controls):
        assert all(given(context, name, **{control.name: text}) == usual for text in others(control))
    moved = context_of(opened, highlight=opened.systems[0], measures="P@10")
    assert given(moved, name) == usual


@pytest.mark.parametrize("name", NAMES)
def test_a_page_that_needs_lists_offers_nothing_beside_scores_and_everything_beside_lists(name):
    refused = given(context_of(SCORES), name)[0].startswith("Only scores are loaded")
    assert not (refused and page_named(name).offers_choices(SCORES))
    assert page_named(name).offers_choices(Dataset("dl2021", "DL", open_collection("dl2021"))) or name == "judges"
    assert page_named(name).offers_choices(Dataset("adhoc", "Ad hoc", open_collection("adhoc")))
