"""Every page with a query log of 10,000 topics: its first figure, all of its answer, and a move of one control.

In a browser that was never here, on a server that has opened the collection once, as a share; a page with one bar
chart is visited in turn.  *Incomplete judgments* draws nothing here: topics have too few judgments to remove some.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import queries
from benchmarks.parts.browser import BARE, Move, choose, draw_again, first_figure_of, mark, slide, take
from benchmarks.serving import PAUSE, STILL, browser, first_figure, page_of, server
from benchmarks.timing import Row, limit
from irviz.workspace.context import data_key
from irviz.workspace.store import Store
from irviz.workspace.view import View

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIRST, WHOLE, MOVE = 3.0, 15.0, 0.6  #: seconds
MOVES = 4  #: of a control, to and fro


def rows() -> Iterator[Row]:
    """Three bars a page."""
    data = queries.collection()
    key = data_key(data)
    with tempfile.TemporaryDirectory() as home, server(Path(home)) as url, browser() as opened:
        kept = Store(Path(home)).share(View.from_texts("scores", collection=key), title="A query log", data=data)
        with page_of(opened) as page:
            first_figure(page, f"{url}/scores?collection={key}&s={kept.id}")
        with server(Path(home), BARE) as bare:
            for name, (more, move) in _moves(data.systems, data.topics).items():
                least = first_figure_of(opened, bare)
                yield from _page(opened, name, f"{url}/{name}?collection={key}&s={kept.id}{more}", move, least)


def _moves(systems: tuple[str, ...], topics: tuple[str, ...]) -> dict[str, tuple[str, Move]]:
    """Of every page the rest of its link, and a control that is moved."""
    measures, coefficients = choose("Measure", "nDCG", "AP"), choose("Coefficient", "Spearman's ρ", "Kendall's τ")
    return {
        "conclusion": ("", take("A is best", "A is ahead of B")),
        "what_if": ("&measure=RBP(p=0.8)", slide("p · persistence")),
        "scores": ("", measures),
        "similarity": ("", coefficients),
        "collection": ("", mark("Include documents that are not relevant")),
        "topics": ("", choose("Topic", topics[7], topics[-7])),
        "cwla": ("", take("Average scores", "Similarity of aggregations")),
        "users": ("", choose("Parameter", "T of INST", "β of PE, read as RBP")),
        "consistency": ("", draw_again()),
        "discriminative": ("", draw_again()),
        "equal_steps": ("", measures),
        "aggregation": ("", measures),
        "findings": ("", draw_again()),
        "across": ("", draw_again()),
    }


def _page(opened: Browser, name: str, link: str, move: Move, least: float) -> Iterator[Row]:
    with page_of(opened) as page:
        start = time.perf_counter()
        taken = first_figure(page, link)
        yield limit(f"{name}: first figure", taken, FIRST, "s").beside(taken, "one bar chart", least)
        page.wait_for_function(STILL, polling="raf", timeout=240_000)
        yield limit(f"{name}: all of its answer", time.perf_counter() - start - PAUSE, WHOLE, "s")
        moves = sorted(move(page, turn % 2 == 0) for turn in range(MOVES))
        yield limit(f"{name}: a move, first changed figure", moves[MOVES // 2], MOVE, "s")
