"""The order of all systems that no world disputes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError, probability
from irviz.multiverse.compare import TOO_FEW, reasons, why_undefined
from irviz.multiverse.dimensions import CERTAINTY_ONLY, DIMENSIONS, Average, average, usable
from irviz.multiverse.settings import FEWEST_TOPICS, Settings
from irviz.multiverse.worlds import Worlds
from irviz.multiverse.worlds import worlds as usual_worlds
from irviz.portable import exact_totals, total
from irviz.stats.aggregate import aggregate
from irviz.stats.groups import Groups, independent, renumbered, shares_of_mean, units_of
from irviz.stats.paired import critical, least_p
from irviz.stats.results import FrozenArrays, better_first, part
from irviz.stats.scores import Scores
from irviz.workers import Listener, Workers, batches, listener, run

Floats = NDArray[np.float64]
PAIRS = 1 << 14  #: pairs whose differences are held at a time


@dataclass(frozen=True, eq=False)
class UndisputedOrder(FrozenArrays):
    """All pairs of systems in all worlds.

    Attributes
    ----------
    systems : tuple of str
    share : systems × systems, in [0, 1]
        Share of the worlds in which the row is ahead of the column.
    significant : systems × systems, in [0, 1]
        Share in which it is ahead, and the paired t test of the world's scores has p < alpha, each pair by itself.
    decisive : systems × systems, whole numbers
        The dimension that explains most of the sign of the difference; −1 if no world disputes the pair, or
        no dimension by itself explains anything.
    explained : systems × systems, in [0, 1]
        How much of the variance of the sign that dimension explains by itself.
    ranks : 3 × systems
        Best, median and worst rank over the worlds; tied systems share the better one.
    """

    systems: tuple[str, ...]
    share: Floats
    significant: Floats
    decisive: NDArray[np.int8]
    explained: Floats
    ranks: Floats
    worlds: Worlds = field(repr=False)
    alpha: float

    @cached_property
    def above(self) -> NDArray[np.bool_]:
        """systems × systems: the row is ahead in every world."""
        return self.share == 1

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The Hasse diagram: (ahead, behind) of every undisputed pair with no third system between."""
        between = self.above.astype(np.float64) @ self.above  # counts: exact in any order
        return tuple((self.systems[i], self.systems[j]) for i, j in np.argwhere(self.above & (between == 0)).tolist())

    @cached_property
    def levels(self) -> NDArray[np.int64]:
        """By system, the length of the longest undisputed chain above it: its height in the diagram."""
        level = np.zeros(len(self.systems), dtype=np.int64)
        for _ in range(len(level)):
            below = np.where(self.above, level[:, None] + 1, 0).max(axis=0, initial=0)
            if (below == level).all():
                break
            level = below
        return level

    @property
    def undisputed(self) -> int:
        """Number of pairs of which one is ahead in every world."""
        return int(self.above.sum())

    @property
    def tied(self) -> int:
        """Number of pairs that tie in every world."""
        return int((self.share + self.share.T == 0)[np.triu_indices(len(self.systems), k=1)].sum())

    @property
    def pairs(self) -> int:
        """Number of pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2

    @cached_property
    def disputed(self) -> pd.DataFrame:
        """One row per disputed pair, the most disputed first; a pair that ties in every world is not disputed.

        Columns: ``first``, ``second`` (the first is ahead at least as often), ``ahead``, ``tie``, ``behind`` (shares of
        the worlds), ``decided_by`` (a dimension, None where none explains anything by itself), ``explained``.
        """
        i, j = better_first(self.share - self.share.T)
        keep = ~self.above[i, j] & (self.share[i, j] > 0)
        i, j = i[keep], j[keep]
        names, dimensions = np.array(self.systems, dtype=object), np.array([*DIMENSIONS, None], dtype=object)
        ahead, behind = self.share[i, j], self.share[j, i]
        frame = pd.DataFrame(
            {
                "first": names[i],
                "second": names[j],
                "ahead": ahead,
                "tie": np.maximum(0.0, 1 - ahead - behind),
                "behind": behind,
                "decided_by": dimensions[self.decisive[i, j]],
                "explained": self.explained[i, j],
            }
        )
        return frame.iloc[np.argsort(ahead - behind, kind="stable")].reset_index(drop=True)

    def frame(self) -> pd.DataFrame:
        """The shares as a labelled square."""
        return pd.DataFrame(self.share, index=list(self.systems), columns=list(self.systems))


def undisputed(
    c: Collection | Scores,
    worlds: Worlds | None = None,
    *,
    alpha: float = 0.05,
    groups: Groups | None = None,
    workers: Workers = None,
    progress: Listener = None,
) -> UndisputedOrder:
    r"""The order of the systems that no world disputes, and the choices that decide the other pairs.

    Ferrante, Ferro & Maistro 2015 define a partial order of runs that every measure should respect.
    This is the same for systems: *a* is above *b* if it is ahead in every world.

    Parameters
    ----------
    c : Collection or Scores
    worlds : Worlds, optional
        See :func:`irviz.worlds`, which gives the default.  Tests and families change no order.
    alpha : float in (0, 1)
        Of the paired t tests.
    groups, workers, progress
        As in :func:`irviz.conclusion`.

    Returns
    -------
    UndisputedOrder

    Notes
    -----
    Under ``missing="left_out"`` each pair is compared on the topics that both answer.
    The choice that decides a pair explains the largest share of the variance of the sign
    (1, 0 or −1) over the settings, each dimension by itself.
    """
    progress = listener(progress)
    probability("alpha", alpha, usual=0.05)
    c = usable(c)
    if len(c.systems) < 2:
        raise IrvizError(f"{c.systems[0]} is the only system, so there is nothing to compare it with. Load another.")
    w = usual_worlds(c) if worlds is None else worlds
    s = Settings.from_worlds(c, w, False, workers, part(progress, 0, 0.5))
    averages = tuple(average(str(name)) for name in w.options["average"])
    pieces = [(s.column(k).values, s.column(k).standardised_values, s.counts(k)) for k in range(len(s))]
    units = None if groups is None else units_of(groups, s.column(0).topics)
    work = partial(_signs, averages=averages, alpha=alpha, units=units)
    compared = run(work, pieces, workers, part(progress, 0.5, 1), lambda piece: "Compared all pairs")
    signs, out = (np.stack(arrays) for arrays in zip(*compared, strict=True))
    return _order_from_signs(c.systems, s, signs, out, alpha)


def _signs(
    piece: tuple[Floats, Floats, NDArray[np.bool_]],
    averages: tuple[Average, ...],
    alpha: float,
    units: NDArray[np.intp] | None,
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """averages × pairs in one setting: 2 significantly ahead, 1 ahead, 0 tie, −1 and −2 behind; by average, the reason.

    `piece` has (topics × systems) scores, standardised ones, and which topics count; reasons are places in `REASONS`.
    """
    views, systems = piece[:2], piece[0].shape[1]
    place = np.zeros((systems, systems), dtype=np.intp)
    first, second = np.triu_indices(systems, k=1)
    place[first, second] = np.arange(len(first))
    signs = np.zeros((len(averages), len(first)), dtype=np.int8)
    out = np.zeros(len(averages), dtype=np.int8)
    for rows, i, j in _blocks(piece[2]):
        if independent(units, rows) < FEWEST_TOPICS:
            out[:] = TOO_FEW
            continue
        where = place[i, j]
        direction = {
            view: _significant_direction(shares_of_mean(views[view][rows], renumbered(units, rows)), i, j, alpha)
            for view in {one.standardised for one in averages}
        }
        for a, one in enumerate(averages):
            values = views[one.standardised][rows]
            out[a] = max(out[a], why_undefined(values[None], one, np.empty(0, dtype=np.intp))[0])
            if not out[a]:
                sign = _sign(values, one, i, j)
                signs[a, where] = np.where(direction[one.standardised] == sign, 2 * sign, sign)
    return signs, out


def _blocks(counts: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]]:
    """Topics, and the pairs (i < j) of systems that are compared on them."""
    patterns, which = np.unique(counts, axis=1, return_inverse=True)
    members = [np.flatnonzero(which.ravel() == p) for p in range(patterns.shape[1])]
    for p, ours in enumerate(members):
        for q in range(p, len(members)):
            i, j = (grid.ravel() for grid in np.meshgrid(ours, members[q], indexing="ij"))
            i, j = np.minimum(i, j), np.maximum(i, j)
            keep = i < j if p != q else np.triu(np.ones((len(ours), len(ours)), dtype=bool), k=1).ravel()
            if keep.any():
                yield np.flatnonzero(patterns[:, p] & patterns[:, q]), i[keep], j[keep]


def _noise(values: Floats, i: NDArray[np.intp], j: NDArray[np.intp]) -> Floats:
    scale = np.abs(values).max(axis=0)
    return 4 * len(values) * np.finfo(np.float64).eps * np.maximum(scale[i], scale[j])


def _sign(values: Floats, one: Average, i: NDArray[np.intp], j: NDArray[np.intp]) -> NDArray[np.int8]:
    averages = aggregate(values, one.how, one.eps)
    difference = averages[i] - averages[j]
    slack = _noise(values, i, j) * (1 if one.how in ("mean", "median") else 16)
    return np.where(np.abs(difference) <= slack, 0, np.sign(difference)).astype(np.int8)


def _significant_direction(values: Floats, i: NDArray[np.intp], j: NDArray[np.intp], alpha: float) -> NDArray[np.int8]:
    """The direction of the paired t test where p < alpha, else 0."""
    n = len(values)
    means = exact_totals(values) / n
    difference, noise = means[i] - means[j], _noise(values, i, j)
    centred = np.ascontiguousarray((values - means).T)
    squares = np.concatenate([_squares(centred, i[s], j[s], noise[s]) for s in batches(len(i), 1, PAIRS)])
    error = np.sqrt(squares / (n - 1) / n)
    sure = (np.abs(difference) > noise) & (np.abs(difference) > critical(n - 1, alpha) * error)
    sure &= (error > 0) | (least_p(n) < alpha)
    return np.where(sure, np.sign(difference), 0).astype(np.int8)


def _squares(centred_scores: Floats, i: NDArray[np.intp], j: NDArray[np.intp], noise: Floats) -> Floats:
    """Sum over topics of the squared differences of pairs of systems × topics."""
    off = centred_scores[i] - centred_scores[j]
    off[np.abs(off) <= noise[:, None]] = 0.0
    return total(np.square(off, out=off), axis=1)


def _order_from_signs(
    systems: tuple[str, ...], s: Settings, signs: NDArray[np.int8], out: NDArray[np.int8], alpha: float
) -> UndisputedOrder:
    """From settings × averages × pairs to the shares of the worlds."""
    codes = s.worlds.code("average").astype(np.intp)
    undecided = out[s.own, codes]
    rows = np.flatnonzero(undecided == 0)
    if not len(rows):
        raise IrvizError(
            f"The systems can be compared under no combination of choices: {'; '.join(reasons(undecided))}."
        )
    decided = s.worlds.keep(rows, reasons(undecided))
    combined, first, weight = np.unique(
        s.own[rows] * signs.shape[1] + codes[rows], return_index=True, return_counts=True
    )
    distinct_signs = signs.reshape(-1, signs.shape[-1])[combined]
    square = np.zeros((4, len(systems), len(systems)))
    upper = np.triu_indices(len(systems), k=1)
    for number, matches in enumerate((distinct_signs > 0, distinct_signs < 0, distinct_signs > 1, distinct_signs < -1)):
        square[number][upper] = (matches * weight[:, None]).sum(axis=0)
    share, significant = (square[2 * k] + square[2 * k + 1].T for k in range(2))
    decisive, explained = np.full(share.shape, -1, dtype=np.int8), np.zeros(share.shape)
    by_pair, most = _deciding_dimension(decided.codes[first], np.sign(distinct_signs))
    for matrix, pair_values in ((decisive, by_pair), (explained, most)):
        matrix[upper] = matrix.T[upper] = pair_values
    shares = share / len(rows), significant / len(rows)
    return UndisputedOrder(
        systems, *shares, decisive, explained, _ranks(distinct_signs, weight, len(systems)), decided, alpha
    )


def _ranks(signs: NDArray[np.int8], weight: NDArray[np.intp], systems: int) -> Floats:
    """Best, median and worst rank by system, from settings × pairs and the number of worlds of each setting."""
    first, second = np.triu_indices(systems, k=1)
    ranks = np.ones((len(signs), systems))
    for i in range(systems):
        ranks[:, i] += (signs[:, first == i] < 0).sum(axis=1) + (signs[:, second == i] > 0).sum(axis=1)
    middle = np.median(np.repeat(ranks, weight, axis=0), axis=0)
    return np.stack([ranks.min(axis=0), middle, ranks.max(axis=0)])


def _deciding_dimension(codes: NDArray[np.int16], signs: NDArray[np.int8]) -> tuple[NDArray[np.int8], Floats]:
    """By pair, the dimension that explains most of the variance of settings × pairs signs by itself, and how much."""
    n = len(signs)
    sums = signs.sum(axis=0, dtype=np.int64)
    variance = n * np.square(signs, dtype=np.int64).sum(axis=0) - sums * sums  # n² times the variance
    best, most = np.full(signs.shape[1], -1, dtype=np.int8), np.zeros(signs.shape[1])
    for place, name in enumerate(DIMENSIONS):
        if name in CERTAINTY_ONLY or np.ptp(codes[:, place]) == 0:
            continue
        between = -(sums * sums).astype(np.float64)
        for option in np.unique(codes[:, place]):
            inside = codes[:, place] == option
            between += np.square(signs[inside].sum(axis=0, dtype=np.int64)) * (n / int(inside.sum()))
        share = np.where(variance > 0, between / np.maximum(variance, 1), 0.0)
        better = share > most + 1e-12
        best[better], most[better] = place, share[better]
    return best, np.minimum(most, 1.0)
