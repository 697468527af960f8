"""Settings: what decides how large a difference is; and the comparisons made in each.

A setting is a column of scores, a set of topics and what is done about topics that a run
lacks.  Averages and tests are arrays over settings, so worlds that differ in these only
share everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.multiverse.claims import Claim
from irviz.multiverse.columns import Column, ColumnKey
from irviz.multiverse.outcomes import TOO_FEW, Asked, Group, Outcomes, outcomes
from irviz.multiverse.resampling import draws
from irviz.multiverse.weighing import Weighed, weighed
from irviz.multiverse.worlds import Worlds
from irviz.workers import Progress, Workers, run

Floats = NDArray[np.float64]
_PIECE = 16  #: columns times pairs in a piece of work, about
FEWEST_TOPICS = 2  #: topics that a test needs


class Setting(NamedTuple):
    """A column, and the topics looked at."""

    key: ColumnKey
    topics: str
    missing: str


@dataclass(frozen=True, eq=False)
class SettingsBatch:
    """Settings with the same rule for topics a run lacks, and what is known of each.

    Attributes
    ----------
    raw, standardised : by setting, topics × systems of the claim
    common : by setting, topics × pairs
        Which topics count for which comparison.
    """

    raw: list[Floats]
    standardised: list[Floats]
    common: list[NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class ComparedSystems:
    """The systems of a claim: their places in the collection, and the comparisons among them."""

    places: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    named: NDArray[np.intp]

    @classmethod
    def of(cls, claim: Claim, names: Sequence[str]) -> ComparedSystems:
        places, pairs = np.unique(np.array(claim.pairs), return_inverse=True)
        pairs = pairs.reshape(-1, 2)
        named = np.searchsorted(places, [list(names).index(name) for name in claim.names])
        return cls(places, pairs[:, 0], pairs[:, 1], named)


def topic_mask(column: Column, topics: str, worlds: Worlds) -> NDArray[np.bool_]:
    """The topics of a column that a world uses."""
    if topics == "random_half":
        return worlds.random_half(column.topics)
    if topics == "without_hardest_tenth":
        return column.easier
    return np.ones(len(column.topics), dtype=bool)


def compare(
    settings: Sequence[Setting],
    columns: dict[ColumnKey, Column],
    worlds: Worlds,
    claim: Claim,
    systems: ComparedSystems,
    asked: Asked,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Weighed:
    """The claim in every setting: arrays whose last axis is `settings`."""
    step = max(1, _PIECE // len(claim.pairs))
    pieces = [_piece(settings[i : i + step], columns, worlds, systems, asked) for i in range(0, len(settings), step)]
    work = partial(_compare, systems=systems, asked=asked, spare=claim.spare)
    parts = run(work, pieces, workers, progress, lambda piece: "Compared the systems")
    return Weighed._make(np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True))


def _piece(
    settings: Sequence[Setting],
    columns: dict[ColumnKey, Column],
    worlds: Worlds,
    systems: ComparedSystems,
    asked: Asked,
) -> SettingsBatch:
    found: tuple[list, list, list] = ([], [], [])
    standardise = any(average.standardised for average in asked.averages)
    for setting in settings:
        column = columns[setting.key]
        common = np.repeat(topic_mask(column, setting.topics, worlds)[:, None], len(systems.first), axis=1)
        if setting.missing == "left_out":
            answered = column.answered[:, systems.places]
            common = common & answered[:, systems.first] & answered[:, systems.second]
        raw = column.values[:, systems.places]
        found[0].append(raw)
        found[1].append(column.standardised[:, systems.places] if standardise else raw)
        found[2].append(common)
    return SettingsBatch(*found)


def _compare(piece: SettingsBatch, systems: ComparedSystems, asked: Asked, spare: int) -> Weighed:
    together = _nothing(len(asked.averages), len(asked.tests), len(piece.raw), len(systems.first))
    for pairs, members in _groups(piece):
        places = [k for k, _ in members]
        group = Group(
            np.stack([piece.raw[k][rows] for k, rows in members]),
            np.stack([piece.standardised[k][rows] for k, rows in members]),
            systems.first[pairs],
            systems.second[pairs],
            systems.named,
        )
        found = outcomes(group, asked, draws(group.topics, asked.trials, asked.seed))
        for name in Outcomes._fields[:-1]:
            whole, part = getattr(together, name), getattr(found, name)
            whole[..., np.array(places)[:, None], pairs] = part
        together.undefined[:, places] = np.maximum(together.undefined[:, places], found.undefined)
    for k, common in enumerate(piece.common):
        if (common.sum(axis=0) < FEWEST_TOPICS).any():
            together.undefined[:, k] = TOO_FEW
    return weighed(together, spare)


def _nothing(averages: int, tests: int, settings: int, pairs: int) -> Outcomes:
    """Outcomes to be filled in."""
    plain = [np.full((averages, settings, pairs), np.nan) for _ in range(2)]
    by_test = [np.full((averages, tests, settings, pairs), np.nan) for _ in range(3)]
    signs = np.zeros((averages, tests, settings, pairs), dtype=np.int8)
    return Outcomes._make([*plain, *by_test, signs, np.zeros((averages, settings), dtype=np.int8)])


def _groups(piece: SettingsBatch) -> Iterator[tuple[NDArray[np.intp], list[tuple[int, NDArray[np.intp]]]]]:
    """Pairs that are compared on the same topics, with the settings (and their topics) that have as many."""
    found: dict[tuple[int, bytes], tuple[NDArray[np.intp], list[tuple[int, NDArray[np.intp]]]]] = {}
    for k, common in enumerate(piece.common):
        for pairs, rows in _patterns(common):
            if len(rows) >= FEWEST_TOPICS:
                found.setdefault((len(rows), pairs.tobytes()), (pairs, []))[1].append((k, rows))
    yield from found.values()


def _patterns(common: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Pairs with the same topics, and those topics."""
    if (common == common[:, :1]).all():
        yield np.arange(common.shape[1]), np.flatnonzero(common[:, 0])
        return
    patterns, which = np.unique(common, axis=1, return_inverse=True)
    for i in range(patterns.shape[1]):
        yield np.flatnonzero(which.ravel() == i), np.flatnonzero(patterns[:, i])
