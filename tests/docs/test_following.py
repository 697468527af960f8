"""The files that a number passes, from a line of a run to a cell of a heatmap, are those that the documents name."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from types import FrameType

import irviz
from irviz.links.view import settle
from irviz.menu import page
from irviz.workspace.context import SIDEBAR_CONTROLS, Context
from irviz.workspace.resolve import opened_collection

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^\| `(irviz/[\w/]+\.py)` \| `([\w.]+)` \|", PAGE, re.MULTILINE)
MOST = 30  #: files a reader can follow
QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 c 1\n"
RUN = "1 Q0 {0} 1 3 x\n1 Q0 {1} 2 2 x\n2 Q0 {1} 1 3 x\n2 Q0 {0} 2 2 x\n"
RUNS = [(name, RUN.format(*documents).encode()) for name, documents in (("x", "ab"), ("y", "ba"), ("z", "ca"))]


def journey() -> list[tuple[str, str]]:
    """Every function of irviz between the files and the page, in the order in which they first returned."""
    left: dict[tuple[str, str], None] = {}

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "return" and frame.f_code.co_filename.startswith(str(ROOT / "irviz")):
            file = Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()
            left.setdefault((file, frame.f_code.co_qualname))

    before = sys.getprofile()
    threading.setprofile(seen)  # type: ignore[arg-type]
    sys.setprofile(seen)
    try:
        similarity = page("similarity")
        opened = opened_collection(irviz.load_collection(("q", QRELS), RUNS))
        context = Context.of(opened, settle(SIDEBAR_CONTROLS, {"measures": "AP,RR"}, opened)[0])
        similarity.panel(context, settle(similarity.controls, {}, context)[0])
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]
    return list(left)


def test_a_number_passes_the_files_that_are_listed_in_their_order():
    passed = journey()
    assert [one for one in LISTED if one not in passed] == []
    assert [one for one in passed if one in LISTED] == LISTED
    assert 10 < len({file for file, _ in LISTED}) <= MOST
