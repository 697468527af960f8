"""Scores of a collection, each measure computed once for all who ask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.limits import limit
from irviz.measures import measure
from irviz.scores import Scores, score
from irviz.workers import Progress, seconds_of
from irviz.workspace.memo import MEMO, WHILE_WAITING


def scored(collection: Collection, measures: Sequence[str], progress: Progress | None = None) -> Scores:
    """As :func:`irviz.scores.score`, computing only what is neither kept nor being computed, and that together.

    A `progress` that lets a first answer be given is told ``before_first``: the answer needs these scores as well.
    """
    check_memory(collection, measures)
    mark, told = collection.fingerprint, getattr(progress, "before_first", progress)
    expect = getattr(progress, "expect", None)
    found: dict[str, Scores] = {}
    while True:
        found |= {name: kept[0] for name in measures if (kept := MEMO.find(("scores", mark, name))) is not None}
        missing = [name for name in dict.fromkeys(measures) if name not in found]
        if not missing:
            return stacked([found[name] for name in measures])
        with MEMO.claimed([("scores", mark, name) for name in missing]) as mine:
            names = [key[2] for key in mine]  # type: ignore[index]
            if names and expect is not None:
                expect(seconds_of(score, (collection, names), {}), first=False)
            found |= _computed(collection, names, told)
        if not mine:
            WHILE_WAITING.get()()


def _computed(collection: Collection, missing: list[str], progress: Progress | None) -> dict[str, Scores]:
    """The scores of these measures, kept for the next request."""
    found: dict[str, Scores] = {}
    for group in _groups(missing):
        fresh = score(collection, group, _part(progress, len(found), len(group), len(missing)))
        for name in group:
            found[name] = fresh.select([name])
            MEMO.keep(("scores", collection.fingerprint, name), found[name])
    return found


def _groups(names: list[str]) -> list[list[str]]:
    """Measures that are computed together, as they share work; total orders share none, and are long."""
    alone = [name for name in names if measure(name).exact_bits(2, 1)]
    together = [name for name in names if name not in alone]
    return [*([together] if together else []), *([name] for name in alone)]


def _part(progress: Progress | None, done: int, now: int, all_: int) -> Progress | None:
    return None if progress is None else lambda share, text: progress((done + share * now) / all_, text)


def check_memory(collection: Collection, measures: Sequence[str]) -> None:
    """Refuse scores that would take more memory than one request may."""
    counts = 16 * len(collection.systems) * max(map(len, collection.grades))  # of levels found, topic by topic
    needed = sum(bytes_of(collection, name) for name in measures) + counts
    most = limit("IRVIZ_REQUEST_MB") << 20
    if needed > most:
        largest = max(measures, key=lambda name: bytes_of(collection, name))
        raise IrvizError(
            f"The scores of these measures take about {needed >> 20:,} MB, and one request may take {most >> 20:,} MB. "
            f"Choose fewer measures, or smaller cutoffs; `{largest}` takes most."
        )


def bytes_of(collection: Collection, name: str) -> int:
    """About how many bytes the scores of one measure take: a total order's are whole numbers of many digits."""
    cells, one = len(collection.topics) * len(collection.systems), measure(name)
    bits = one.exact_bits(max(map(len, collection.grades)), collection.depth)
    return cells * (48 + bits // 7) if bits else 8 * cells


def stacked(parts: Sequence[Scores]) -> Scores:
    """Cubes over the same topics and systems as one, measure after measure."""
    if len(parts) == 1:
        return parts[0]
    exact = {name: values for part in parts for name, values in part.exact.items()}
    names = tuple(name for part in parts for name in part.measures)
    return Scores(np.concatenate([part.values for part in parts]), names, parts[0].topics, parts[0].systems, exact)
