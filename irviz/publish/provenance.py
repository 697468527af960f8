"""The origin of a view's numbers, in words and as plain data: data, settings, versions."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from irviz.places import VERSION
from irviz.publish.draw import ViewContent
from irviz.publish.export import to_json
from irviz.workspace.context import SIDEBAR_CONTROLS
from irviz.workspace.control import Control
from irviz.workspace.data import scopes
from irviz.workspace.view import settle

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "plotly")


def plain_data(view_contents: Sequence[ViewContent]) -> list[dict[str, Any]]:
    """The views' content as plain data, at full precision: for ``--format json``."""
    return [
        {
            "link": content.view.to_url(),
            "page": content.page.name,
            "title": content.page.title,
            "collection": origin(content),
            "settings": settings(content),
            "sentence": content.panel.sentence,
            "facts": [fact.data() for fact in content.panel.all_facts],
            "tables": {name: json.loads(to_json(table.frame)) for name, table in content.panel.tables.items()},
            "notes": list(content.panel.notes),
            "since": content.panel.since,
            "complaints": [str(complaint) for complaint in content.complaints],
            "versions": versions(),
        }
        for content in view_contents
    ]


def settings(one: ViewContent) -> dict[str, str]:
    """Everything that was chosen, defaults included, by the words of its control."""
    shared, _, _ = scopes(one.page, one.view.values)
    values, _ = settle(SIDEBAR_CONTROLS, shared, one.context.dataset)
    values |= {"measures": one.context.measures}
    controls = [control.fit(one.context.dataset) for control in SIDEBAR_CONTROLS]
    chosen = {one.label: in_words(one, values[one.name]) for one in controls if one.matters(values)}
    for what, selected, available in (
        ("topics", one.context.topics, one.context.dataset.topics),
        ("systems", one.context.systems, one.context.dataset.systems),
    ):
        chosen[f"Number of {what}"] = f"{len(selected)} of {len(available)}"
    for control in one.page.controls:
        if control.matters(one.values):
            chosen[control.label] = in_words(control.fit(one.context), one.values[control.name])
    return chosen


@cache
def versions() -> dict[str, str]:
    """Versions of the software that computed the numbers."""
    software = {"irviz": VERSION, "Python": platform.python_version()}
    return software | {name: version(name) for name in PACKAGES}


def origin(one: ViewContent) -> dict[str, Any]:
    """Which data, so that somebody else can tell whether theirs are the same."""
    opened = one.context.dataset
    size = {"systems": len(opened.systems), "topics of the data": len(opened.topics)}
    if opened.collection is None:
        return {"data": opened.title, "key": opened.key, **size}
    collection = opened.collection
    rule = {"ties": collection.ties, "aspects": ", ".join(collection.aspects)}
    return {"data": opened.title, "key": opened.key, "fingerprint": collection.fingerprint, **size, **rule}


def in_words(control: Control, value: Any) -> str:
    """The value of a control that is fitted to its context, as a person reads it."""
    return "default" if value is None else control.words(value)
