"""Opening pages and labs in tests: a context as the sidebar makes it, and what a page shows in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from irviz.collection.catalogue import open_collection
from irviz.menu import page_named
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.control import Control
from irviz.workspace.facts import Fact
from irviz.workspace.glossary import heading
from irviz.workspace.job import Job
from irviz.workspace.panel import Drawing, Panel
from irviz.workspace.view import View, settle

opened_once = cache(open_collection)  #: a bundled collection, which nothing changes, for all tests of a process


def context_of(opened: Dataset, holes: bool = False, **texts: str) -> Context:
    """The choices of the sidebar under these texts, with topics that lack scores or without."""
    values, complaints = settle(SIDEBAR_CONTROLS, texts, opened)
    assert complaints == []
    return Context.from_values(opened, values, holes)


def selecting(context: Context, *systems: str) -> Context:
    """The context with these systems selected; the first two are A and B."""
    return replace(context, highlight=systems)


def panel_of(context: Context | None, name: str, **texts: str) -> Panel:
    """The content of the page `name` under these texts."""
    return drawn(context, name, **texts)


def facts_of(panel: Panel) -> dict[str, Fact]:
    """The facts of a panel by their labels."""
    return {fact.label: fact for fact in panel.all_facts}


def drawing_of(panel: Panel, name: str) -> Drawing:
    """One figure of a panel."""
    (found,) = (row[name] for row in panel.drawings if name in row)
    return found


def drawn(context: Context | None, name: str, **texts: str) -> Panel:
    """The result of the page `name`'s function."""
    one = page_named(name)
    values, complaints = settle(one.controls_for(texts), texts, context)
    assert complaints == []
    return one.panel(context, values)


def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views are read from now on and their panels left out: what a link says and cannot say is known without them."""

    def nothing(context: object, values: object) -> Panel:
        return Panel("Not drawn.")

    monkeypatch.setattr("irviz.publish.draw.page_named", lambda name: replace(page_named(name), panel=nothing))


def texts_of(controls: Iterable[Control], values: Mapping[str, Any], context: Any) -> dict[str, str]:
    """The texts of a link: of the values that are not their control's default."""
    fitted = [control.fit(context) for control in controls if control.name in values]
    return {one.name: one.format(values[one.name]) for one in fitted if values[one.name] != one.default}


def from_command(line: str) -> View:
    """The view that a ``render`` command draws."""
    words = shlex.split(line)
    return View.from_url(words[words.index("render") + 1])


def check_headings(panel: Panel, where: str) -> None:
    """Every column of every table has a heading of its own."""
    for name, table in panel.tables.items():
        own = [column for column in table.frame.columns if column not in table.names]
        words = [heading(column, table).words for column in own]
        assert len(set(words)) == len(words), f"{where}, {name}: two columns are called alike: {words}"


def numbers_in(text: str) -> list[float]:
    """The numbers of a sentence in their order: 50% is 0.5; what is code, or a name such as d1, is none.

    >>> numbers_in("By `P@5`, d1 has 1,200 of −3.5 and 50%.")
    [1200.0, -3.5, 0.5]
    """
    prose = re.sub(r"`[^`]*`", "", text)
    found = re.findall(r"(?<![\w.−-])([−-]?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?)(%?)", prose)
    plain = [(float(number.replace("−", "-").replace(",", "")), share) for number, share in found]
    return [value / 100 if share else value for value, share in plain]


class Listener(Job):
    """A job that hands on what it is told: share done and words."""

    def __init__(self, listen: Callable[[float, str], object]) -> None:
        super().__init__()
        self._listen = listen

    def __call__(self, share: float, text: str) -> None:
        self._listen(share, text)
