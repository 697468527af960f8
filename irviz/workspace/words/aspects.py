"""Which of several aspects the numbers of a page are of, in its sentence and its titles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from irviz.measures import measure
from irviz.measures.aspects.means import CAM, MM
from irviz.measures.aspects.toma import TOMA
from irviz.workspace.context import Context
from irviz.workspace.panel import Panel


def naming_aspect(context: Context, values: Mapping[str, Any], panel: Panel) -> Panel:
    """The panel with the aspect named, where the collection has several and a measure looks at the first one."""
    collection = context.opened.collection
    if collection is None or len(collection.aspects) < 2:
        return panel
    names = (values["measure"],) if "measure" in values else context.measures
    of_first = [_is_of_first(name) for name in names]
    if not any(of_first):
        return panel
    aspect = collection.aspects[0]
    if not all(of_first):
        return replace(panel, sentence=f"{panel.sentence} Measures that name no aspect look at {aspect}.")
    rows = tuple(
        {key: replace(one, title=f"{one.title} ({aspect})") for key, one in row.items()} for row in panel.drawings
    )
    return replace(panel, sentence=f"{panel.sentence} The aspect is {aspect}.", drawings=rows)


def _is_of_first(name: str) -> bool:
    """Whether a measure looks at the first aspect alone."""
    one = measure(name)
    return one.aspect is None and not isinstance(one, CAM | MM | TOMA)
