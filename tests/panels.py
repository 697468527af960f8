"""Opening pages and labs in tests: a context as the sidebar makes it, and what a page shows in it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from irviz.links.control import Control
from irviz.links.view import View, settle
from irviz.menu import page
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Opened
from irviz.workspace.panel import Lab, Panel, told


def context_of(opened: Opened, **texts: str) -> Context:
    """What the sidebar chooses under these texts."""
    values, complaints = settle(SIDEBAR_CONTROLS, texts, opened)
    assert complaints == []
    return Context.of(opened, values)


def panel_of(context: Context | None, name: str, **texts: str) -> Panel:
    """What the page `name` shows under these texts."""
    return told(drawn(context, name, **texts))


def lab(name: str, context: Context | None = None, **texts: str) -> Lab:
    """The same for a lab."""
    found = drawn(context, name, **texts)
    assert isinstance(found, Lab)
    return found


def drawn(context: Context | None, name: str, **texts: str) -> Panel | Lab:
    """What the function of the page `name` returns; all of a lab, where no step is asked for."""
    one = page(name)
    texts = {"step": "free", **texts} if one.lab else texts
    values, complaints = settle(one.controls_for(texts), texts, context)
    assert complaints == []
    return one.panel(context, values)


def texts_of(controls: Iterable[Control], values: Mapping[str, Any], context: Any) -> dict[str, str]:
    """What a link says of these values: the texts of those that are not their control's default."""
    fitted = [control.fit(context) for control in controls if control.name in values]
    return {one.name: one.format(values[one.name]) for one in fitted if values[one.name] != one.default}


def from_command(line: str) -> View:
    """The view that a ``render`` command draws."""
    words = shlex.split(line)
    return View.from_url(words[words.index("render") + 1])
