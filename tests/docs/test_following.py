"""What a number passes from a run to a heatmap, and a moved slider to its figure, are the files that are listed."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import irviz
from irviz.links.view import settle
from irviz.menu import page_named
from irviz.workspace.context import SIDEBAR_CONTROLS, Context
from irviz.workspace.resolve import opened_collection
from tests.app.driving import assert_sound, open_page

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MOST, MOST_MOVED = 30, 35  #: files a reader can follow
QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 c 1\n"
RUN = "1 Q0 {0} 1 3 x\n1 Q0 {1} 2 2 x\n2 Q0 {1} 1 3 x\n2 Q0 {0} 2 2 x\n"
RUNS = [(name, RUN.format(*documents).encode()) for name, documents in (("x", "ab"), ("y", "ba"), ("z", "ca"))]


def listed(heading: str) -> list[tuple[str, str]]:
    """The files and functions of the table under a heading."""
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(irviz/[\w/]+\.py)` \| `([\w.]+)` \|", part, re.MULTILINE)


def others(heading: str) -> int:
    """How many more files are said to run a function: "some 40 other files"."""
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return int(re.findall(r"[Ss]ome (\d+) other\s+files", part)[0])


def assert_counted(heading: str, passed: list[tuple[str, str]]) -> None:
    """The number of other files is true, rounded to fives."""
    found = {file for file, _ in passed} - {file for file, _ in listed(heading)}
    assert abs(len(found) - others(heading)) <= 3, f"{len(found)} other files run a function"


@contextmanager
def watched(event: str) -> Iterator[list[tuple[str, str]]]:
    """Every function of irviz that is called, or returns, while the block runs."""
    passed: list[tuple[str, str]] = []

    def seen(frame: FrameType, happened: str, _: object) -> None:
        if happened == event and frame.f_code.co_filename.startswith(str(ROOT / "irviz")):
            file = Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()
            passed.append((file, frame.f_code.co_qualname))

    before = sys.getprofile()
    threading.setprofile(seen)  # type: ignore[arg-type]
    sys.setprofile(seen)
    try:
        yield passed
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]


def test_a_number_passes_the_files_that_are_listed_in_their_order():
    named = listed("Following a number")
    with watched("return") as passed:
        similarity = page_named("similarity")
        opened = opened_collection(irviz.load_collection(("q", QRELS), RUNS))
        context = Context.of(opened, settle(SIDEBAR_CONTROLS, {"measures": "AP,RR"}, opened)[0])
        similarity.panel(context, settle(similarity.controls, {}, context)[0])
    assert [one for one in named if one not in passed] == []
    assert [one for one in dict.fromkeys(passed) if one in named] == named
    assert 10 < len({file for file, _ in named}) <= MOST
    assert_counted("Following a number", passed)


def test_a_moved_slider_passes_the_files_that_are_listed_in_their_order():
    named = listed("Following a slider")
    at = open_page("scores", measure="RBP(p=0.8)")
    with watched("call") as passed:
        at.slider(key="adjust.3.RBP.p").set_value(0.37).run()
    assert_sound(at)
    rest = iter(passed)
    assert [one for one in named if one not in rest] == []  # each is called after the one before
    assert 20 < len({file for file, _ in named}) <= MOST_MOVED
    assert_counted("Following a slider", passed)
