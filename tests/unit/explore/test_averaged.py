"""A page says whether the sidebar's average over topics makes a difference to it, and that is so."""

from __future__ import annotations

import pytest

from irviz.menu import PAGES
from irviz.workspace.context import Dataset
from irviz.workspace.panel import Panel
from tests.panels import context_of, opened_once, panel_of

FEW = {"trials": "100"}  #: less than usual to draw, where there is something to draw


def shown(panel: Panel) -> list[str]:
    """Everything that a page shows at first."""
    drawings = [one for row in panel.drawings for one in row.values()]
    tables = [table.frame.to_csv() for table in panel.tables.values()]
    return [panel.sentence, *tables, *(text for one in drawings for text in (one.title, one.alt, one.figure.to_json()))]


@pytest.mark.parametrize("page", [page for page in PAGES if not page.lab], ids=lambda page: page.name)
def test_the_average_makes_a_difference_where_a_page_says_so_and_nowhere_else(page):
    whole = opened_once("adhoc")
    small = whole.subset(whole.topics[:15], depth=20)  # which would leave judges out
    collection = whole if page.name == "judges" else small
    opened = Dataset("small", "Small", collection)
    texts = {control.name: FEW[control.name] for control in page.controls if control.name in FEW}
    texts |= {"part": "exact"} if page.name == "findings" else {}
    mean, median = (
        shown(panel_of(context_of(opened, summary=summary, measures="AP,P@5,nDCG@10"), page.name, **texts))
        for summary in ("mean", "median")
    )
    assert (mean != median) == ("average" in page.uses)
