"""Which of several aspects the numbers of a page are of, in its sentence and its titles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from irviz.measures import measure
from irviz.measures.aspects.means import CAM, MM
from irviz.measures.aspects.toma import TOMA
from irviz.workspace.context import Context
from irviz.workspace.panel import Panel


def naming_aspect(
    context: Context, values: Mapping[str, Any], panel: Panel, looked_at: Sequence[str] = (), measured: bool = True
) -> Panel:
    """The panel with the aspect named, where the collection has several and a measure looks at one of them.

    Parameters
    ----------
    looked_at : aspects that the page takes for a measure that names none; the first one where it chooses none.
        A page that takes several says itself where it looks at which.
    measured : whether the page is about the measures that are chosen; otherwise its own name no aspect
    """
    collection = context.opened.collection
    if collection is None or len(collection.aspects) < 2 or len(looked_at) > 1:
        return panel
    names = (values["measure"],) if "measure" in values else context.measures
    of_first = [_is_of_first(name) for name in names] if measured else [True]
    if not any(of_first):
        return panel
    aspect = looked_at[0] if looked_at else collection.aspects[0]
    if not all(of_first):
        return replace(panel, sentence=f"{panel.sentence} Measures that name no aspect look at {aspect}.")
    rows = tuple(
        {key: replace(one, title=_of(one.title, aspect)) for key, one in row.items()} for row in panel.drawings
    )
    return replace(panel, sentence=f"{panel.sentence} The aspect is {aspect}.", drawings=rows)


def _of(title: str, aspect: str) -> str:
    """The title with the aspect, before its full stop; as it is where it names the aspect by itself.

    >>> _of("`x` moves most.", "relevance"), _of("Documents by relevance grade", "relevance")
    ('`x` moves most (relevance).', 'Documents by relevance grade')
    >>> _of("Which beats which (α = 0.05)", "relevance")
    'Which beats which (α = 0.05, relevance)'
    """
    if re.search(rf"\b{re.escape(aspect)}\b", title):
        return title
    if re.search(r" \([^()]+\)$", title):
        return f"{title[:-1]}, {aspect})"
    stop = "." if title.endswith(".") else ""
    return f"{title.removesuffix('.')} ({aspect}){stop}"


def _is_of_first(name: str) -> bool:
    """Whether a measure looks at the first aspect alone."""
    one = measure(name)
    return one.aspect is None and not isinstance(one, CAM | MM | TOMA)
