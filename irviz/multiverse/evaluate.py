"""Every world's numbers, looked up in the settings that the worlds share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.multiverse.claims import Claim
from irviz.multiverse.columns import Column, ColumnKey, columns, part
from irviz.multiverse.dimensions import DIMENSIONS, average
from irviz.multiverse.exclusions import sensible
from irviz.multiverse.families import tukey
from irviz.multiverse.influence import Contrast
from irviz.multiverse.outcomes import UNDEFINED, Asked
from irviz.multiverse.settings import ComparedSystems, Setting, compare, topic_mask
from irviz.multiverse.weighing import Weighed, claim_p, holm
from irviz.multiverse.worlds import Worlds
from irviz.stats.scores import Scores
from irviz.workers import Progress, Workers

OF_SETTING = (*ColumnKey._fields, "topics", "missing")
_SCORED, _COMPARED = 0.5, 0.9  #: shares of the work that are done, for the progress bar


@dataclass(frozen=True, eq=False)
class Plan:
    """Which settings the worlds need, and where each world finds its own.

    Attributes
    ----------
    settings : list of Setting
    own : by world, its setting
    mates : Holm worlds × measures
        The settings that differ in the measure only; −1 where there is none.
    """

    worlds: Worlds
    settings: list[Setting]
    own: NDArray[np.intp]
    mates: NDArray[np.intp]

    @classmethod
    def of(cls, c: Collection | Scores, w: Worlds, mates: bool = True) -> Plan:
        places = [list(DIMENSIONS).index(name) for name in OF_SETTING]
        shape = [len(w.options[name]) for name in OF_SETTING]
        own = np.ravel_multi_index(tuple(w.codes[:, places].T.astype(np.intp)), shape)
        found = _mates(c, w, places, shape) if mates else np.empty((0, shape[0]), dtype=np.intp)
        needed = np.unique(np.concatenate([own, found[found >= 0]]))
        options = [w.options[name] for name in OF_SETTING]
        settings = [_setting(*(some[i] for some, i in zip(options, row, strict=True))) for row in _rows(needed, shape)]
        return cls(w, settings, np.searchsorted(needed, own), np.where(found < 0, -1, np.searchsorted(needed, found)))

    def takes(self, dimension: str, option: str) -> NDArray[np.bool_]:
        """By world, whether it takes an option."""
        known = self.worlds.options[dimension]
        return self.worlds.code(dimension) == (known.index(option) if option in known else -1)

    @cached_property
    def keys(self) -> list[ColumnKey]:
        return list(dict.fromkeys(setting.key for setting in self.settings))


def _rows(flat: NDArray[np.intp], shape: list[int]) -> list[list[int]]:
    return np.stack(np.unravel_index(flat, shape), axis=1).tolist()


def _setting(measure: str, judge: str, unjudged: str, depth: int, ties: str, topics: str, missing: str) -> Setting:
    return Setting(ColumnKey(measure, judge, unjudged, depth, ties), topics, missing)


def _mates(c: Collection | Scores, w: Worlds, places: list[int], shape: list[int]) -> NDArray[np.intp]:
    """Of every Holm world, the worlds with another measure and otherwise the same choices, as numbers of settings."""
    rows = np.flatnonzero([w.options["family"][code] == "holm" for code in w.code("family")])
    many = shape[0]
    if not len(rows):
        return np.empty((0, many), dtype=np.intp)
    codes = np.repeat(w.codes[rows], many, axis=0)
    codes[:, places[0]] = np.tile(np.arange(many), len(rows))
    flat = np.ravel_multi_index(tuple(codes[:, places].T.astype(np.intp)), shape)
    return np.where(sensible(c, w.options, codes, w.collections)[0], flat, -1).reshape(len(rows), many)


@dataclass(frozen=True, eq=False)
class Evaluated:
    """By world; `undefined` counts in :data:`~irviz.multiverse.outcomes.UNDEFINED`."""

    plan: Plan
    columns: dict[ColumnKey, Column]
    systems: ComparedSystems
    found: Weighed
    undefined: NDArray[np.int8]


def evaluate(
    c: Collection | Scores,
    claim: Claim,
    w: Worlds,
    alpha: float,
    trials: int,
    seed: int,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Evaluated:
    """The claim in every world: difference, interval, p and verdict."""
    plan = Plan.of(c, w)
    known = columns(c, plan.keys, w.collections, workers, part(progress, 0, _SCORED))
    used = [np.unique(w.code(name)) for name in ("average", "test")]
    averages, tests = (
        tuple(w.options[name][i] for i in some) for name, some in zip(("average", "test"), used, strict=True)
    )
    asked = Asked(tuple(map(average, averages)), tests, alpha, trials, seed)
    systems = ComparedSystems.of(claim, c.systems)
    compared = compare(plan.settings, known, w, claim, systems, asked, workers, part(progress, _SCORED, _COMPARED))
    a, t = (np.searchsorted(some, w.code(name)) for name, some in zip(("average", "test"), used, strict=True))
    found = _looked_up(compared, a, t, plan)
    _all_systems(plan, known, a, claim, asked, found, workers, part(progress, _COMPARED, 1))
    return Evaluated(plan, known, systems, found, compared.undefined[a, plan.own])


def _looked_up(compared: Weighed, a: NDArray[np.intp], t: NDArray[np.intp], plan: Plan) -> Weighed:
    """By world; p corrected by Holm's procedure where the world says so."""
    plain = [numbers[a, plan.own] for numbers in compared[:-4]]
    low, high, p, toward = (numbers[a, t, plan.own] for numbers in compared[-4:])
    rows = np.flatnonzero(plan.takes("family", "holm"))
    if len(rows):
        across = compared.p[a[rows, None], t[rows, None], plan.mates]
        there = (plan.mates >= 0) & (compared.undefined[a[rows, None], plan.mates] == 0)
        own = plan.worlds.code("measure")[rows]
        p[rows] = holm(np.where(there, across, np.nan))[np.arange(len(rows)), own]
    return Weighed._make([*plain, low, high, p, toward])


def _all_systems(
    plan: Plan,
    known: dict[ColumnKey, Column],
    a: NDArray[np.intp],
    claim: Claim,
    asked: Asked,
    found: Weighed,
    workers: Workers,
    progress: Progress | None,
) -> None:
    """Put in the p of the worlds whose family is all loaded systems."""
    rows = np.flatnonzero(plan.takes("family", "all_systems"))
    wanted = [(plan.settings[plan.own[i]], asked.averages[a[i]].standardised) for i in rows]
    if not wanted:
        return
    first, second = np.array(claim.pairs).T
    p_values = tukey(list(dict.fromkeys(wanted)), known, plan.worlds, asked.trials, asked.seed, workers, progress)
    for i, one in zip(rows, wanted, strict=True):
        p, centres = p_values[one]
        direction = np.sign(centres[first] - centres[second]).astype(np.int8)
        verdict = found.verdict[i : i + 1]
        p_claim, toward = claim_p(p[None, first, second], direction[None], verdict, claim.spare, corrected=True)
        found.p[i], found.toward[i] = p_claim[0], toward[0]


def first_comparison(
    known: Evaluated, claim: Claim, names: Sequence[str], world: int, pair: int, alpha: float, trials: int, seed: int
) -> Contrast:
    """The two systems that decide in one world, on its topics."""
    w = known.plan.worlds
    setting = known.plan.settings[known.plan.own[world]]
    column = known.columns[setting.key]
    a, b = claim.pairs[pair]
    rows = topic_mask(column, setting.topics, w)
    if setting.missing == "left_out":
        rows = rows & column.answered[:, a] & column.answered[:, b]
    own = average(w.options["average"][w.code("average")[world]])
    values = (column.standardised if own.standardised else column.values)[rows]
    topics = tuple(topic for topic, there in zip(column.topics, rows, strict=True) if there)
    test = w.options["test"][w.code("test")[world]]
    pairs = (names[a], names[b])
    return Contrast(pairs, topics, values[:, a], values[:, b], own, test, alpha, trials, seed)


def left_out(undefined: NDArray[np.int8]) -> dict[str, int]:
    """How many worlds cannot be decided, by reason."""
    return {
        reason: int((undefined == code).sum())
        for code, reason in enumerate(UNDEFINED)
        if code and (undefined == code).any()
    }
