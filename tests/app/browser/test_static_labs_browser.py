"""The labs as files, opened from a disk in a browser without a network: numbers, documents and guesses move."""

from __future__ import annotations

import pytest

from irviz.cli.main import main
from irviz.labs import browsing
from irviz.menu import LABS, page_named
from tests.app.browser.rest import PLACES, drag

pytestmark = pytest.mark.browser
MOST = 1_000_000  #: bytes of a lab's page beside plotly.js


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("labs")
    assert main(["render", "--labs", str(found)]) == 0
    return found


def test_pages_are_small_and_name_no_address_outside(folder):
    for lab in LABS:
        text = (folder / f"{lab.name}.html").read_text(encoding="utf-8")
        assert len(text.encode()) < MOST and "http:" not in text and "https:" not in text


def test_a_lab_on_one_screen_is_whole_without_a_network(file_page, folder):
    """The number that carries the idea is turned by keys to the first goal; the sentence and the goal follow."""
    with file_page(viewport={"width": 1024, "height": 768}, reduced_motion="reduce", offline=True) as page:
        for lab in LABS:
            page.goto((folder / f"{lab.name}.html").as_uri())
            page.wait_for_function("() => document.querySelector('.js-plotly-plot')?._transitionData?._frames.length")
            name = next(name for name, handle in lab.handles.items() if handle.live)
            page.locator(f'.irviz-number[data-name="{name}"]').press("End")
            stop = lab.handles[name].stops({control.name: control.default for control in lab.controls})[-1]
            values = {**{control.name: control.default for control in lab.controls}, name: stop}
            said = page.evaluate(
                "() => Object.fromEntries([...document.querySelectorAll('[data-said]')].map((one) => "
                "[one.dataset.said, one.textContent]))"
            )
            assert said.items() <= lab.now_said(values).items()
        assert page.errors == []


@pytest.fixture
def opened(file_page, folder):
    """Open a lab from the disk; the page and the names of the goals that are met."""
    with file_page(viewport={"width": 1024, "height": 768}, reduced_motion="reduce", offline=True) as page:

        def open_lab(name):
            page.goto((folder / f"{name}.html").as_uri())
            page.wait_for_function("() => document.querySelector('.js-plotly-plot')?._transitionData?._frames.length")
            return page

        yield open_lab
        assert page.errors == []


def met(page):
    return page.evaluate("() => [...document.querySelectorAll('.irviz-goal')].map((one) => one.dataset.met)")


def test_documents_and_guesses_are_dragged_without_a_network(opened):
    lab, page = page_named("lab_graded_ap"), opened("lab_graded_ap")
    now = {control.name: control.default for control in lab.controls}

    def shown():
        page.locator(".textpoint text", has_text=f"{lab.readings(now)['GAP']:.3f}").first.wait_for()

    for point, to, grades in ((3, 1, (2, 1, 1, 0)), (3, 2, (2, 0, 1, 1))):
        drag(page, 0, -2, point, to, 0)
        now["grades"] = grades
        shown()
    for now["users"] in (2, 3, 4):
        page.locator('.irviz-number[data-name="users"]').press("ArrowRight")
        shown()
    assert met(page) == ["1", "0", "0"]
    page.locator('.irviz-number[data-name="users"]').press("Home")
    now["users"] = 0
    drag(page, 0, -1, 0, 0.85, 0.2)
    now["top"] = 20
    shown()
    page.locator('.irviz-number[data-name="users"]').press("End")
    now["users"] = 10
    shown()
    assert met(page) == ["0", "0", "1"]
    guess = page.evaluate("() => document.querySelector('.js-plotly-plot')._fullData.at(-1).y[0]")
    assert guess == 0.2 and "0.2" in page.locator('[data-said="guess"]').inner_text(), "it stays"


def test_choices_are_made_without_a_network(opened):
    page = opened("lab_scales")
    page.locator("select").select_option("ERR")
    plus = page.locator('[data-name="length"]').bounding_box()
    page.mouse.click(plus["x"] + plus["width"] - 12, plus["y"] + 12)
    assert met(page) == ["0", "1", "0"]
    page = opened("lab_browsing")
    page.locator('select[data-name="reads"]').select_option("ERR")
    score = browsing.walk(browsing.FIRST, "ERR", 80, "max").score
    page.locator(".textpoint text", has_text=f"{score:.3f}").wait_for()
    x, y = page.evaluate(PLACES, [0, -2, 1, 0, 0])[0]
    page.mouse.click(x, y)
    assert met(page) == ["0", "0", "1"]
    page.locator('select[data-name="reads"]').select_option("RBP")
    page.mouse.click(*page.evaluate(PLACES, [0, -1, 0, 1.05, 0.51])[0])
    for key in ("ArrowUp", "PageUp", "Enter"):
        page.keyboard.press(key)
    mark = "() => ['x', 'y'].map((one) => document.querySelector('.js-plotly-plot')._fullData.at(-1)[one][0])"
    answer = page.locator('[data-said="guess"]')
    assert page.evaluate(mark) == [1.05, 0.62] and "0.62. No: " in answer.inner_text()
    page.locator('[data-name="stay"]').press("ArrowLeft")
    page.wait_for_function(f"() => ({mark})()[0] === null")
    page.locator('select[data-name="reads"]').select_option("P")
    assert page.evaluate(mark)[0] is None and "0.62. No: " in answer.inner_text(), "it was about 40 of 100"


def test_phrases_are_turned_together_without_a_network(opened):
    page = opened("lab_conventions")
    for name in ("base", "order", "unjudged"):
        page.locator(f'.irviz-number[data-name="{name}"]').click()
    assert met(page)[2] == "1"
    page.locator(".textpoint text", has_text="0.7556").first.wait_for()
    page.evaluate("() => [1, 2, 3].forEach((n) => irvizAnimate(document.querySelector('.figure'), [`${n}`], {}))")
    page.wait_for_function("() => document.querySelector('.figure')._transitionData._frameQueue.length === 0")
