"""Columns of the score cube: one measure, with one way to read the lists.

Worlds that share a column share its scores.  Computed columns are kept as long as their
collection is, up to `KEPT_BYTES` each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection, condensed
from irviz.measures import measure
from irviz.measures.language.base import Measure
from irviz.multiverse.exclusions import of_aspect, through_judge
from irviz.stats.aggregate import finite
from irviz.stats.scores import Scores, score
from irviz.stats.topic_effects import standardised_scores, topic_hardness
from irviz.workers import Progress, Workers

Floats = NDArray[np.float64]
KEPT_BYTES = 1 << 27


class ListReading(NamedTuple):
    """How lists are read: how many ranks, and whether condensed by the judgments on an aspect (None: on any)."""

    depth: int
    condensed: bool = False
    aspect: int | None = None

    def read(self, ranking: NDArray[np.int32], labels: NDArray[np.int16]) -> NDArray[np.int32]:
        """topics × systems × ranks, so read; as many ranks as `depth`."""
        top = ranking[:, :, : self.depth]
        return condensed(top, labels, self.aspect) if self.condensed else top


class ColumnKey(NamedTuple):
    """Which column: the choices of the world that decide about scores."""

    measure: str
    judge: str
    unjudged: str
    depth: int
    ties: str


@dataclass(frozen=True, eq=False)
class Column:
    """topics × systems scores of one measure, and which runs answer which topics."""

    values: Floats
    topics: tuple[str, ...]
    answered: NDArray[np.bool_]

    @cached_property
    def standardised(self) -> Floats:
        """:func:`irviz.standardise` over all systems."""
        cube = Scores(self.values[None], ("",), self.topics, tuple(map(str, range(self.values.shape[1]))))
        return standardised_scores(cube).values[0]

    @cached_property
    def easier(self) -> NDArray[np.bool_]:
        """Topics that are not among the hardest tenth (one at least), by surprise."""
        order = np.argsort(-topic_hardness(self.values), kind="stable")
        kept = np.ones(len(self.topics), dtype=bool)
        kept[order[: max(1, len(order) // 10)]] = False
        return kept


_KEPT: WeakKeyDictionary[Collection, dict[tuple[str, ListReading], Floats]] = WeakKeyDictionary()


def columns(
    c: Collection | Scores,
    keys: Iterable[ColumnKey],
    collections: Mapping[str, Collection],
    workers: Workers = None,
    progress: Progress | None = None,
) -> dict[ColumnKey, Column]:
    """The columns asked for; `collections` holds the same runs under other tie rules."""
    if isinstance(c, Scores):
        everything = np.ones(c.values.shape[1:], dtype=bool)
        finite(c)
        return {key: Column(c.matrix(key.measure), c.topics, everything) for key in keys}
    readings: dict[tuple[str, str, ListReading], dict[ColumnKey, Measure]] = {}
    for key in keys:
        one, reading = _reading(c, key)
        readings.setdefault((key.ties, key.judge if c.judges else "", reading), {})[key] = one
    found: dict[ColumnKey, Column] = {}
    for done, ((ties, judge, reading), wanted) in enumerate(readings.items()):
        source = through_judge(collections.get(ties, c), judge)
        values = _scored(
            source,
            set(wanted.values()),
            reading,
            workers,
            part(progress, done / len(readings), (done + 1) / len(readings)),
        )
        answered = source.ranking[:, :, 0] != BEYOND
        found |= {key: Column(values[str(one)], source.topics, answered) for key, one in wanted.items()}
    return found


def _reading(c: Collection, key: ColumnKey) -> tuple[Measure, ListReading]:
    """The measure with its aspect, and how it reads the lists."""
    one = of_aspect(measure(key.measure), c, key.judge)
    if key.unjudged != "condensed":
        return one, ListReading(key.depth)
    return one, ListReading(key.depth, True, None if one.several_aspects else c.aspect_index(one.aspect))


def _scored(
    c: Collection, wanted: set[Measure], reading: ListReading, workers: Workers, progress: Progress | None
) -> dict[str, Floats]:
    """By the measures' labels, topics × systems; computed where it is not kept."""
    kept = _KEPT.setdefault(c, {})
    found = {str(one): kept[str(one), reading] for one in wanted if (str(one), reading) in kept}
    missing = sorted(str(one) for one in wanted if str(one) not in found)
    if missing:
        cube = score(c, missing, progress, workers, lists=reading.read)
        finite(cube)
        for name in missing:
            found[name] = kept[name, reading] = cube.matrix(name).copy()
        while sum(values.nbytes for values in list(kept.values())) > KEPT_BYTES and len(kept) > 1:
            kept.pop(next(iter(kept)), None)
    return found


def part(progress: Progress | None, start: float, end: float) -> Progress | None:
    """A listener for the part of the work between two shares of it."""
    return None if progress is None else lambda share, text: progress(start + share * (end - start), text)
