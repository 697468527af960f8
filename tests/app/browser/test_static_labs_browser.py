"""The labs as files, opened from a disk in a browser without a network: numbers, documents and guesses move."""

from __future__ import annotations

import pytest

from irviz.cli.main import main
from irviz.menu import LABS, page_named
from irviz.publish.site import offline
from tests.app.browser.rest import drag

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
        assert len(text.encode()) < MOST and "http" not in text.replace("http-equiv", "").replace("Http", "")


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
            assert said.items() <= offline(lab).now_said(values).items()
        assert page.errors == []


def test_documents_and_guesses_are_dragged_without_a_network(file_page, folder):
    lab = page_named("lab_graded_ap")
    first = {control.name: control.default for control in lab.controls}
    with file_page(viewport={"width": 1024, "height": 768}, reduced_motion="reduce", offline=True) as page:
        page.goto((folder / f"{lab.name}.html").as_uri())
        page.wait_for_function("() => document.querySelector('.js-plotly-plot')?._transitionData?._frames.length")
        for (trace, point, *place), changed in (
            ((-2, 3, 1, 0), {"grades": (2, 1, 1, 0)}),
            ((-1, 0, 9.5, 0.2), {"guess": 0.2, "top": 20}),
            ((-2, 0, 4, 0), {"grades": (1, 0, 2, 1)}),
        ):
            page.locator(".js-plotly-plot").click(position={"x": 5, "y": 5})  # every drag begins at the first list
            drag(page, 0, trace, point, *place)
            assert page.locator('[data-said="gap"]').inner_text() == lab.said({**first, **changed})["gap"]
        guess = page.evaluate("() => document.querySelector('.js-plotly-plot')._fullData.at(-1).y[0]")
        assert guess == 0.2, "it stays"
        page.locator('.irviz-number[data-name="users"]').press("End")
        assert page.locator('[data-said="gap"]').inner_text() == lab.said({**first, "users": 10})["gap"]
        assert page.errors == []


def test_phrases_are_turned_together_without_a_network(file_page, folder):
    with file_page(viewport={"width": 1024, "height": 768}, offline=True) as page:
        page.goto((folder / "lab_conventions.html").as_uri())
        page.wait_for_function("() => document.querySelector('.js-plotly-plot')?._transitionData?._frames.length")
        for name in ("base", "order", "unjudged"):
            page.locator(f'.irviz-number[data-name="{name}"]').click()
        assert page.locator('[data-said="ap"]').inner_text() == "0.7556"
        assert page.locator(".irviz-goal").first.get_attribute("data-met") == "1"
        page.locator(".textpoint text", has_text="0.7556").wait_for()
        assert page.errors == []
