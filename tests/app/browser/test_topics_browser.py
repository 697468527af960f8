"""From a score to the documents in a real browser, with nothing but the bundled collection."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import irviz
from tests.app.browser.rest import idle

pytestmark = pytest.mark.browser


@pytest.fixture
def page(person) -> Iterator:
    with person(1280, 900) as page:
        yield page


def test_what_did_my_system_retrieve_there(page, server):
    """A topic is clicked, then the first documents of the two lists are read off the figure."""
    c = irviz.open_collection("dl2021")
    a, b = "NLE_P_v1", "pash_f3"
    page.goto(f"{server.url}/topics?a={a}&b={b}&measures=AP&measure=AP")
    page.wait_for_selector(".js-plotly-plot .main-svg .trace", state="attached")
    idle(page)
    topic = page.evaluate(
        "() => document.querySelector('.js-plotly-plot').data.find(t => t.customdata).customdata[2][0]"
    )
    marks = page.locator(".js-plotly-plot").first.locator(".scatterlayer .trace").nth(2).locator(".point")
    marks.nth(2).click(force=True)
    page.wait_for_function("topic => location.search.includes('topic=' + topic)", arg=topic)
    idle(page)
    scores = irviz.score(c, ["AP"])["AP"].loc[topic]
    low, high = sorted((scores[a], scores[b]))
    said = page.get_by_text(f"scores {high - low:.3f} ").first
    said.wait_for()
    assert topic in said.inner_text() and f"({low:.3f} against {high:.3f})" in said.inner_text()
    squares = (
        "() => [...document.querySelectorAll('.js-plotly-plot')]"
        ".map(plot => plot.data.filter(trace => trace.mode === 'markers+text'))"
    )
    first, second, _ = next(found for found in page.evaluate(squares) if found)
    for system, trace in ((a, first), (b, second)):
        grades = c.list(topic, system).iloc[:20, -1]
        assert trace["text"] == ["?" if grade != grade else f"{grade:g}" for grade in grades]
