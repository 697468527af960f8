"""Links as strangers make them, and every page on data of which little can be said."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from functools import cache
from typing import Any

from irviz.collection.load import load_collection
from irviz.menu import PAGES
from irviz.publish.draw import ViewContent, draw
from irviz.publish.provenance import plain_data
from irviz.publish.report import report
from irviz.workspace.cache import MEMO
from irviz.workspace.context import SIDEBAR_CONTROLS, Dataset
from irviz.workspace.control import Control
from irviz.workspace.data import library, opened_collection, opened_scores
from irviz.workspace.panel import Panel
from irviz.workspace.view import View
from tests.fuzz.degenerate import collection, cube
from tests.fuzz.engine import target
from tests.fuzz.words import NUMBERS, ODD, expression, text_changed

QUICK = {"trials": ("10", "11"), "repeats": ("1", "2")}  #: what would only take longer
TEXTS = (
    *NUMBERS,
    *(sign for sign in ODD if sign.isprintable()),
    *("", "a,b", "\\", "%", "1,2", "401", "topic", "-", "yes", "no", "0", "1", "x" * 3_000),
)


@target
def broken_views(r: random.Random) -> None:
    """A view that is read is written as what reads as the same view."""
    view = View(r.choice(PAGES).name, tuple((key, r.choice(TEXTS)) for key in r.sample(_keys(), 2)))
    url = view.to_url() if _is_text(view) else "/scores?v=8&collection=adhoc&show=box"
    read, _ = View.read_url(text_changed(url, r) if r.random() < 0.7 else url)
    assert View.read_url(read.to_url())[0] == read


@cache
def _keys() -> list[str]:
    return sorted(
        {control.name for page in PAGES for control in page.controls} | {one.name for one in SIDEBAR_CONTROLS}
    )


def _is_text(view: View) -> bool:
    return not re.search("[\ud800-\udfff]", "".join(text for _, text in view.items))


def text_for(control: Control, opened: Dataset, r: random.Random) -> str:
    """A text for a control: one of its options, or what anybody may type."""
    if control.name in QUICK:
        return r.choice(QUICK[control.name])
    offered = getattr(control, "options", ()) or () if r.random() < 0.8 else ()
    options = [str(one[0] if isinstance(one, tuple) else one) for one in offered]
    if "measure" in control.name and r.random() < 0.5:
        return ",".join(expression(r) for _ in range(r.randint(1, 3)))
    return r.choice(options or (*TEXTS, *opened.systems, *opened.topics))


@target
def pages(r: random.Random) -> None:
    """A page, or a lab under any link: sentences without nan, figures and numbers that can be written."""
    MEMO.clear()
    opened = opened_scores(cube(r)) if r.random() < 0.3 else opened_collection(collection(r, r.choice((1, 1, 3))))
    page = r.choice(PAGES)
    texts: dict[str, str] = {"collection": opened.key}
    for control in r.sample((*page.controls, *SIDEBAR_CONTROLS), r.randint(0, 4)):
        texts[control.name] = text_for(control, opened, r)
    texts |= {name: r.choice(quick) for name, quick in QUICK.items() if any(one.name == name for one in page.controls)}
    check(draw(View.from_texts(page.name, **texts), library([opened])), r)


@target
def findings_without_relevance(r: random.Random) -> None:
    """A row of findings on qrels in which nothing is relevant."""
    opened = all_zero()
    shown = draw(View.from_texts("findings", collection=opened.key), library([opened]))
    check(replace(shown, panel=r.choice(list(shown.panel.folds.values()))()), r)


@cache
def all_zero() -> Dataset:
    qrels = b"".join(b"%d 0 d%d 0\n" % (topic, doc) for topic in range(4) for doc in range(5))
    lines = "".join(f"{t} Q0 d{{}} {i} {9 - i} x\n" for t in range(4) for i in range(3))
    runs = [(f"s{n}", lines.format(*((n + i) % 6 for i in range(12))).encode()) for n in range(4)]
    return opened_collection(load_collection(("q", qrels), runs, name="zero"))


def check(one: ViewContent, r: random.Random) -> None:
    """Everything in a view can be read, drawn, written and reported."""
    panel: Any = one.panel
    assert isinstance(panel, Panel)
    for text in (panel.sentence, *panel.notes, *(fact.text for fact in panel.facts)):
        assert not re.search(r"\bnan\b|\binf\b", str(text)), text
    for row in panel.drawings:
        for drawing in row.values():
            drawing.figure.to_json()
            assert not re.search(r"\bnan\b", f"{drawing.title} {drawing.alt}"), f"{drawing.title} {drawing.alt}"
    json.dumps(plain_data([one]), allow_nan=False).encode()
    if r.random() < 0.05:
        report([one]).encode()
