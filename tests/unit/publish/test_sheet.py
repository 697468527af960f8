"""Sheets and keys: two files, nothing fetched, nothing but text from a teacher; nothing of the key on the sheet."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
import segno
import zxingcpp

from irviz.errors import IrvizError
from irviz.menu import LABS, page_named
from irviz.publish.draw import draw
from irviz.publish.exercise import MOST_CODED, answer_key, code_of, exercise_view, only_here, sheet
from irviz.workspace.data import library
from irviz.workspace.task import Exercise
from irviz.workspace.view import View

PAGE = page_named("lab_graded_ap")
TASK = Exercise(
    title="Fool </h1><script>alert(1)</script>",
    text="One.\n<img src=x>",
    ask="How large?",
    goal="GAP > 0.9; eGAP < 0.2",
    lock=("c",),
    hint="Many & more.",
)


@pytest.fixture(scope="module")
def opener():
    return library()


def made(opener, page: str = "lab_graded_ap", task: Exercise = TASK, **more: str) -> str:
    view = exercise_view(page_named(page), View(page), task)
    return sheet(draw(view, opener), task, f"https://ir.example{view.to_url()}", **more)


def test_a_sheet_holds_the_question_the_figure_the_link_and_the_key(opener):
    first = made(opener)
    key = answer_key(draw(exercise_view(PAGE, View(PAGE.name), TASK), opener), TASK, solution="Fifteen of grade 1.")
    assert "Fool &lt;/h1&gt;&lt;script&gt;alert(1)" in first and "&lt;img src=x&gt;" in first
    assert not any(markup in page for page in (first, key) for markup in ("<script>alert", "<img src=x"))
    assert "GAP &gt; 0.9; eGAP &lt; 0.2" in first and "Stays as it is: Grades above zero." in first
    assert first.count('<div class="line"></div>') >= 5
    for word in (
        "Fifteen of grade 1.",
        "Many &amp; more.",
        "GAP above 0.9: now 0.346; eGAP below 0.2: now 0.255",
    ):
        assert word in key and word not in re.sub(r"<svg.*?</svg>", "", first, flags=re.DOTALL).replace(
            re.search(r"https://ir\.example[^<]*", first)[0], ""
        )
    assert "Set to: Grades above zero two; g₁: share content with grade 1 0.1;" in first, "the controls of the question"
    assert "start-data" not in made(opener, task=replace(TASK, gate=True)), "its figure may contain the answer"


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:8501", "0.0.0.0:80", "ir.localhost"])
def test_an_address_of_this_computer_alone_is_said_with_what_opens_it_to_a_room(opener, host):
    assert "irviz app --address 0.0.0.0" in only_here(f"http://{host}/lab_scales?v=8")
    view = exercise_view(PAGE, View(PAGE.name), TASK)
    assert "irviz app --address 0.0.0.0" in sheet(draw(view, opener), TASK, f"http://{host}{view.to_url()}")
    for other in ("ir.example", "192.168.1.7:8501", "[fe80::1]", "my-laptop"):
        assert only_here(f"http://{other}/lab_scales?v=8") == ""
    assert "irviz app" not in made(opener)


def test_nothing_is_fetched_and_only_its_own_scripts_run(opener):
    page = made(opener)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not re.findall(r'(?:src|href)="(?!data:)[^"#]', page.partition("<script>")[0])


def test_the_code_is_that_of_the_link(opener):
    page = made(opener)
    link = unescape(re.search(r"https://ir\.example[^<]*", page)[0])
    code = segno.make(link, error="l" if len(link.encode()) > 300 else "m", micro=False, boost_error=False)
    assert code.svg_inline(border=2, omitsize=True, title="The link as a QR code") in page
    assert code_of("http://a").error == "M"


def test_the_figure_is_the_pages_and_stands_still(opener):
    page = made(opener)
    data = json.loads(re.search(r'id="start-data">(.*?)</script>', page, re.DOTALL)[1])
    assert data["layout"]["width"] == 640 and data["layout"]["height"] <= 380 and data["data"]
    assert "staticPlot: true" in page


@pytest.mark.parametrize("length", [20, 300, 301, 900, MOST_CODED])
def test_a_reader_of_codes_reads_the_link(length):
    link = f"https://ir.example{exercise_view(page_named('lab_scales'), View('lab_scales'), TASK).to_url()}".ljust(
        length, "%"
    )[: max(length, 20)]
    rows = code_of(link).matrix_iter(scale=4, border=4)
    picture = np.array([[0 if dark else 255 for dark in row] for row in rows], dtype=np.uint8)
    assert [one.text for one in zxingcpp.read_barcodes(picture)] == [link]


@pytest.mark.parametrize("page", LABS, ids=lambda page: page.name)
def test_every_lab_can_be_printed(page, opener):
    assert "start-data" in made(opener, page.name, Exercise(title="T"))


@pytest.mark.parametrize(("paper", "size"), [("A4", "size: A4"), ("letter", "size: letter")])
def test_paper(opener, paper, size):
    assert size in made(opener, paper=paper)


def test_what_cannot_be_printed_is_refused(opener):
    with pytest.raises(IrvizError) as caught:
        made(opener, paper="A3")
    assert str(caught.value) == "There is no paper size `A3`. Known: A4 or letter."
    with pytest.raises(IrvizError) as caught:
        code_of("x" * (MOST_CODED + 1))
    assert str(caught.value) == (
        "The link has 2,301 bytes, and a printed QR code that can be scanned holds at most 2,300. "
        "Shorten the text, or keep the view on the server and hand out its short link."
    )
    assert code_of("x" * MOST_CODED).version <= 40
