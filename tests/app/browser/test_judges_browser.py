"""From one judge to another in a real browser, with nothing but the bundled collections."""

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


def test_would_another_judge_change_my_conclusion(page, server):
    """The page opens on the collection that has two judges; it says who agrees, and which pairs turn."""
    page.goto(f"{server.url}/judges")
    c = irviz.open_collection("adhoc")
    found = irviz.judges(c, ["AP"])
    a, b = (found.judges.index(name) for name in ("people", "machine"))
    said = page.get_by_text(f"rank {len(c.systems)} systems with τ = {found.tau[0, a, b]:.3f}")
    said.first.wait_for()
    idle(page)
    page.get_by_text("What if judgments were replaced", exact=True).click()
    replaced = irviz.replaced(c, ["AP"], "people", "machine", repeats=5, seed=0)
    page.get_by_text(f"{replaced.needed('AP'):,} of the {int(replaced.left[0]):,} judgments").wait_for()
    page.get_by_text("Pairs of systems that change order, gain or lose significance", exact=True).click()
    turned = int(found.flip_counts["turns"].sum())
    counts = page.get_by_text("pairs of systems change their order from")
    counts.wait_for()
    measures = int(counts.inner_text().split()[1])
    if measures == 1:
        assert f"{turned:,} of" in counts.inner_text()
    page.get_by_role("button", name="Open Ad hoc search").click()  # where the measure can be chosen
    idle(page)
    page.get_by_role("combobox", name="Measure", exact=True).focus()
    page.keyboard.type("nDCG@10")
    page.keyboard.press("Enter")
    by_ndcg = irviz.judges(c, ["nDCG@10"]).tau[0, a, b]
    page.get_by_text(f"By nDCG@10, people and machine rank {len(c.systems)} systems with τ = {by_ndcg:.3f}").wait_for()


def test_grades_are_mapped_by_sliders_that_stop_at_the_grades(page, server):
    page.goto(f"{server.url}/judges?collection=adhoc")
    idle(page)
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
    slider.press("Home")
    page.wait_for_url(lambda url: "from=" not in url)
