"""The labs as files, opened from a disk in a browser without a network: every figure is drawn and moves."""

from __future__ import annotations

import pytest

from irviz.cli.main import main
from irviz.menu import LABS

pytestmark = pytest.mark.browser
MOST = 1_000_000  #: bytes of a lab's page beside plotly.js
#: the figures of as many questions and answers are all drawn; there are some with frames, each with its control
MOVING = """{
  const figures = [...document.querySelectorAll("figure")];
  const moving = figures.filter((one) => one.querySelector(".js-plotly-plot")?._transitionData?._frames?.length);
  return figures.length === 2 * many && figures.every((one) => one.querySelector(".js-plotly-plot .main-svg")) &&
    moving.length > 0 && moving.every((one) => Number(one.querySelector(".irviz-motion input")?.value ?? -1) >= 0); }"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("labs")
    assert main(["render", "--labs", str(found)]) == 0
    return found


def test_pages_are_small_and_name_no_address_outside(folder):
    for lab in LABS:
        text = (folder / f"{lab.name}.html").read_text(encoding="utf-8")
        assert len(text.encode()) < MOST and "http" not in text.replace("http-equiv", "").replace("Http", "")
        assert text.count("<details>") == len(lab.steps)


def test_labs_move_without_a_network(person, folder):
    with person(1024, 768) as page:
        page.context.set_offline(True)  # of a context that other tests use, too
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        try:
            for lab in LABS:
                page.goto((folder / f"{lab.name}.html").as_uri())
                for summary in page.locator("summary").all():
                    summary.click()
                page.wait_for_function(f"many => {MOVING}", arg=len(lab.steps), timeout=60_000)
        finally:
            page.context.set_offline(False)
        assert wrong == []
