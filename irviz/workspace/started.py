"""What this server was started with: data that everybody who reaches it sees first, kept in memory only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from irviz.workspace.context import Opened
from irviz.workspace.resolve import COLLECTION

STARTED: dict[str, Opened] = {}  #: key → data; filled before the server answers, and never changed after


def start_with(opened: Iterable[Opened]) -> None:
    """Data that every session of this process has."""
    STARTED.update((one.key, one) for one in opened)


def first_look(texts: Mapping[str, str]) -> dict[str, str]:
    """What the address means: where it says nothing at all, the data that the server was started with."""
    if texts or not STARTED:
        return dict(texts)
    return {COLLECTION.name: next(iter(STARTED))}
