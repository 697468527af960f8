"""A reviewer's question, answered in a browser: does one system beat another only by nDCG@10?"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import irviz
from irviz.workspace.view import SCHEMA
from tests.app.browser.rest import idle
from tests.app.browser.test_browser import visit

pytestmark = pytest.mark.browser
MEASURES = ["AP", "nDCG@10", "P@10"]
A, B = "NLE_P_v1", "pash_f3"
SENTENCE = '[class*="st-key-sentence"]'
TITLE = "Would my conclusion change?"


class Clicks:
    """A visitor who counts what they press."""

    def __init__(self, page) -> None:
        self.page, self.count = page, 0

    def choose(self, label: str, name: str) -> None:
        """Open a menu, type, take the match: two presses."""
        self.page.get_by_role("combobox", name=label, exact=True).click()
        self.page.keyboard.type(name)
        self.page.get_by_role("option", name=name, exact=True).click()
        self.count += 2
        idle(self.page)

    def press(self, place) -> None:
        place.click()
        self.count += 1
        idle(self.page)


@pytest.fixture(scope="module")
def page(person):
    with person(1440, 900, known=True) as page:
        yield page


def test_a_reviewers_question_takes_five_clicks(page, server):
    visit(page, f"{server.url}/conclusion?v={SCHEMA}&collection=dl2021&trials=100&measures={','.join(MEASURES)}")
    reader = Clicks(page)
    reader.choose("A", A)
    reader.choose("B", B)
    said = whole_answer(page, A, B)
    cells = "trace => trace.text?.length > 1 && [...trace.text].every(text => '+=−'.includes(text[0]))"
    shown = page.evaluate(
        "() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot => plot.data)"
        f".find({cells}).text.join(' ')"
    )
    reader.press(page.get_by_text("What flips the verdict"))
    assert reader.count <= 5
    c = irviz.open_collection("dl2021")
    r = irviz.conclusion(c, f"{A} > {B}", irviz.worlds(c, measure=MEASURES, family=["pair"]), trials=100)
    assert said.split() == f"{r.headline}.".replace("`", "").split()
    grid = {row: cells for row, *cells in signs(r)}
    assert shown.split() == [cell for row in grid.values() for cell in row]


def test_a_lost_connection_is_said(page, start_server):
    other = start_server()
    visit(page, f"{other.url}/scores?measures=AP")
    said = "getComputedStyle(document.querySelector('[data-testid=stApp]'), '::after')"
    assert page.evaluate(f"() => {said}.content") == "none"
    other.process.terminate()
    page.wait_for_function(f"() => {said}.content.includes('is lost') && {said}.visibility === 'visible'")


def test_a_world_opens_on_scores_and_back_and_the_menu_lead_to_the_same_question(page, server):
    """The topics of a world are lent to Scores; they do not stay when a person goes back."""
    asked = "collection=adhoc&a=cobalt-bm25-qe&b=cobalt-bm25-noprior&trials=100&measures=AP,RR&world=3"
    visit(page, f"{server.url}/conclusion?{asked}")
    assert page.get_by_text("Page not found").count() == 0
    for role, name in (("button", f"Back to {TITLE}"), ("link", "Conclusion")):
        before = whole_answer(page, "cobalt-bm25-qe", "cobalt-bm25-noprior")
        page.get_by_role("button", name="Open these settings on Scores").click()
        page.get_by_role("heading", name="Scores", exact=True).wait_for()
        idle(page)
        page.get_by_role(role, name=name).click()
        page.get_by_role("heading", name=TITLE).wait_for()
        idle(page)
        expect(page.locator(SENTENCE).first).to_have_text(before, use_inner_text=True, timeout=60_000)
        assert "b=cobalt-bm25-noprior" in page.url and "world=3" in page.url and "topics=" not in page.url


def whole_answer(page, *systems: str) -> str:
    """The headline about these systems, once it is there."""
    sentence = page.locator(SENTENCE).first
    for words in systems:
        expect(sentence).to_contain_text(words, timeout=60_000)
    idle(page)
    return sentence.inner_text()


def signs(r):
    """Measure, then + − = with a star for each average, all else as in the first world.

    The first world's t test is one of means; other averages are shown with the bootstrap.
    """
    frame = r.frame()
    frame = frame[frame.test == frame.average.isin(["mean", "standardised"]).map({True: "t", False: "bootstrap"})]
    rest = ["ties", "unjudged", "missing", "judge", "topics", "depth", "family"]
    here = frame[(frame[rest] == frame.iloc[0][rest]).all(axis=1)]
    for measure, rows in here.groupby("measure", sort=False):
        marks = {"holds": "+", "tie": "=", "reversed": "−"}
        yield measure, *(marks[v] + "*" * int(s) for v, s in zip(rows["verdict"], rows["significant"], strict=True))
