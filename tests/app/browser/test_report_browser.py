"""The tables of papers on a collection: a real browser draws every figure of a report of all of them.

A report shows all that its views show, and is one page: nothing but their data differs from what is walked.
"""

from __future__ import annotations

import pytest

from irviz.collection.catalogue import open_collection
from irviz.gallery.paper import ITEMS
from irviz.publish.draw import draw
from irviz.publish.report import report
from irviz.workspace.data import library
from irviz.workspace.view import View
from tests.app.browser.test_walk_browser import LABELLED, MARKS

pytestmark = pytest.mark.browser
SEVERAL = "multiaspect"  #: has several aspects, without which one paper refuses


def items() -> list[View]:
    """The row of every table that irviz recomputes, on some of the topics."""
    few = ",".join(open_collection(SEVERAL).topics[:12])
    return [
        View.from_texts("findings", collection=SEVERAL, topics=few, row=name)
        for name, item in ITEMS.items()
        if item.csv
    ]


WHOLE = "() => [...document.querySelectorAll('.figure')].every(one => one.querySelector('.main-svg'))"
#: of every view: what was not got, and its figures, drawn or not, with their words
SEEN = """() => [...document.querySelectorAll('section')].map(view => ({
  complaints: [...view.querySelectorAll('.complaint')].map(one => one.innerText),
  figures: [...view.querySelectorAll('.figure')].map(one => ({
    drawn: one.querySelectorAll('MARKS').length, words: one.getAttribute('aria-label') || '',
  })),
}))""".replace("MARKS", MARKS)


def test_a_report_of_all_items_draws_every_figure(file_page, tmp_path):
    views = items()
    shown = [draw(view, library()) for view in views]
    file = tmp_path / "report.html"
    file.write_text(report(shown))
    with file_page() as page:
        page.goto(file.as_uri())
        page.wait_for_function(WHOLE)
        seen = page.evaluate(SEEN)
        assert page.errors == []
    assert len(seen) == len(views) > 15
    for view, one in zip(views, seen, strict=True):
        assert one["complaints"] == [], view
        assert one["figures"] and all(it["drawn"] and len(it["words"]) > LABELLED for it in one["figures"]), view
