"""The labs as files, opened from a disk in a browser without a network: every figure is drawn, and moves as plotly
would move it."""

from __future__ import annotations

import pytest

from irviz.cli.main import main
from irviz.menu import LABS
from tests.panels import SCREENS, STEPPED

pytestmark = pytest.mark.browser
MOST = 1_000_000  #: bytes of a lab's page beside plotly.js
#: the figures of as many questions and answers are all drawn; there are some with frames, each with its control
MOVING = """{
  const figures = [...document.querySelectorAll("figure")];
  const moving = figures.filter((one) => one.querySelector(".js-plotly-plot")?._transitionData?._frames?.length);
  return figures.length === 2 * many && figures.every((one) => one.querySelector(".js-plotly-plot .main-svg")) &&
    moving.length > 0 && moving.every((one) => Number(one.querySelector(".irviz-motion input")?.value ?? -1) >= 0); }"""

#: moves every figure to the frame in the middle: in the picture ("input"), then by plotly, too ("change")
MOVE = """(kind) => Promise.all([...document.querySelectorAll('figure:has(.irviz-motion)')].map((one) => {
  const slider = one.querySelector('input'), plot = one.querySelector('.js-plotly-plot');
  const told = kind === 'change' && new Promise((done) => plot.on('plotly_animated', () => done()));
  slider.value = Math.floor(Number(slider.max) / 2);
  slider.dispatchEvent(new Event(kind, { bubbles: true }));
  return told; })).then(() => {})"""
#: of all moving figures the places of points and texts, and the box around the lines of each trace
DRAWN = """() => [...document.querySelectorAll('figure:has(.irviz-motion) .scatterlayer .trace')].map((one) => [
  ...[...one.querySelectorAll('.point')].map((point) => point.getAttribute('transform').match(/-?[\\d.]+/g)),
  ...[...one.querySelectorAll('.textpoint text')].map((text) => [text.getAttribute('x'), text.getAttribute('y')]),
  ...[...one.querySelectorAll('path.js-line, path.js-fill')].map((line) => line.getBBox())
    .filter((box) => box.width + box.height).map((box) => [box.x, box.y, box.x + box.width, box.y + box.height])
    .reduce((all, box) => [box.map((at, i) => (i < 2 ? Math.min : Math.max)(at, all[0]?.[i] ?? at))], [])
  ].flat().map(Number))"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("labs")
    assert main(["render", "--labs", str(found)]) == 0
    return found


def test_pages_are_small_and_name_no_address_outside(folder):
    for lab in LABS:
        text = (folder / f"{lab.name}.html").read_text(encoding="utf-8")
        assert len(text.encode()) < MOST and "http" not in text.replace("http-equiv", "").replace("Http", "")


def test_labs_move_without_a_network(file_page, folder):
    screen = {"width": 1024, "height": 768}
    with file_page(viewport=screen, reduced_motion="reduce", offline=True) as page:
        for lab in STEPPED:
            page.goto((folder / f"{lab.name}.html").as_uri())
            for summary in page.locator("summary").all():
                summary.click()
            page.wait_for_function(f"many => {MOVING}", arg=len(lab.steps), timeout=60_000)
            ended = page.evaluate(DRAWN)
            page.evaluate(MOVE, "input")
            painted = page.evaluate(DRAWN)
            assert painted != ended
            page.evaluate(MOVE, "change")
            for mine, plotlys in zip(painted, page.evaluate(DRAWN), strict=True):
                assert mine == pytest.approx(plotlys, abs=1), "what plotly draws of the same frame"
        assert page.errors == []


def test_a_lab_on_one_screen_is_whole_without_a_network(file_page, folder):
    """The number that carries the idea is turned by keys to the first goal; the sentence and the goal follow."""
    with file_page(viewport={"width": 1024, "height": 768}, reduced_motion="reduce", offline=True) as page:
        for lab in SCREENS:
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
