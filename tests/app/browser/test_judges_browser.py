"""From one judge to another in a real browser, with nothing but the bundled collections."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import irviz
from tests.app.browser.rest import follow, idle

pytestmark = pytest.mark.browser


@pytest.fixture
def page(person) -> Iterator:
    with person(1280, 900, known=True) as page:
        yield page


def test_would_another_judge_change_my_conclusion(page, server):
    """It says who agrees, which pairs turn, and what the machine saves."""
    page.goto(f"{server.url}/judges?collection=adhoc")
    c = irviz.open_collection("adhoc")
    found = irviz.judges(c, ["AP"])
    a, b = (found.judges.index(name) for name in ("people", "machine"))
    page.get_by_text(f"τ {found.tau[0, a, b]:.3f} of {len(c.systems)} systems").first.wait_for()
    idle(page)
    page.get_by_text("What if judgments were replaced", exact=True).click()
    replaced = irviz.replaced(c, ["AP"], "people", "machine", repeats=5, seed=0)
    page.get_by_text(f"{replaced.needed('AP'):,} of {int(replaced.left[0]):,}").wait_for()
    page.get_by_text("Pairs of systems that change order, gain or lose significance", exact=True).click()
    page.get_by_text("pairs that change their order", exact=True).wait_for()
    page.get_by_role("slider", name="Topics that people judge").press("ArrowRight")
    page.wait_for_url("**judged=11")
    idle(page)
    page.get_by_role("combobox", name="Measure", exact=True).focus()
    page.keyboard.type("nDCG@10")
    page.keyboard.press("Enter")
    by_ndcg = irviz.judges(c, ["nDCG@10"]).tau[0, a, b]
    page.get_by_text(f"τ {by_ndcg:.3f} of {len(c.systems)} systems by nDCG@10").wait_for()


def test_grades_are_mapped_by_sliders_that_stop_at_the_grades(page, server):
    """They are among the choices that are folded away, which stay unfolded while one of them moves."""
    follow(page, f"{server.url}/judges?collection=adhoc")
    page.get_by_text("More choices").click()
    slider = page.get_by_role("slider", name="Count as relevant from grade")
    slider.wait_for()
    idle(page)
    assert slider.get_attribute("aria-valuetext") == "as they are"
    slider.press("ArrowRight")
    page.wait_for_url("**from=0")
    page.get_by_text("machine, mapped: 1 from 0").first.wait_for(timeout=120_000)
    idle(page)
    slider.press("ArrowRight")
    page.wait_for_url("**from=1")
    idle(page)
    page.get_by_text("1 changed").wait_for()
    slider.press("Home")
    page.wait_for_url(lambda url: "from=" not in url)


# From a score to the documents in a real browser, with nothing but the bundled collection.


def test_what_did_my_system_retrieve_there(page, server):
    """A topic is clicked, then the first documents of the two lists are read off the figure."""
    c = irviz.open_collection("dl2021")
    a, b = "NLE_P_v1", "pash_f3"
    follow(page, f"{server.url}/topics?collection=dl2021&a={a}&b={b}&measures=AP&measure=AP")
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
