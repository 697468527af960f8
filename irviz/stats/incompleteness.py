"""Missing judgments: how much a score depends on them, and how robust the ranking of the systems is.

Drop judgments at random, score again, and correlate the ranking of the systems with
the one under the full pool (Ferrante et al. 2019, section 5.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, UNJUDGED
from irviz.collection.model import Collection
from irviz.collection.ragged import spans
from irviz.errors import IrvizError, choose, whole_number
from irviz.measures import measure
from irviz.measures.judged_lists import Topics
from irviz.measures.language.base import Measure
from irviz.stats.correlation import defined_mean, paired_tau, shared_ranks
from irviz.stats.resampling import generator
from irviz.stats.results import ByMeasure, part, shares_of, tidy
from irviz.stats.scores import (
    Scores,
    blocks,
    check_collection,
    in_blocks,
    listing,
    score,
    score_pools,
    scoring_seconds,
)
from irviz.stats.similarity import overall
from irviz.stats.words import ReductionName, Summary
from irviz.workers import Listener, Workers, batches, listener

# -- Smaller pools: which judgments a collection keeps when fewer documents are judged -------------
#
# A document outside the pool has no label on any aspect. Levels are those of the first aspect; a negative grade, or
# none there, is not relevant.

LEAST_NOT_RELEVANT = 10

Keep = NDArray[np.bool_]


def stratified_sample(collection: Collection, rates: Sequence[float], draw: np.random.Generator) -> Keep:
    """rates × topics × judged documents to keep (Buckley & Voorhees 2004, as in Ferrante et al. 2019, section 5.4).

    Of D documents of a level, the first max(1, ⌊rate · D⌋) in random order, but at least ten (or all) of the not
    relevant.
    """
    levels = pool_levels(collection)
    topic, document = np.nonzero(levels >= 0)
    for start, stop in _topics_of_several(np.bincount(topic, minlength=len(levels)))[1]:
        draw.shuffle(document[start:stop])
    level = levels[topic, document]
    order = np.lexsort((level, topic))  # stable: the documents of a stratum one after another, in their random order
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (np.diff(topic[order]) != 0) | (np.diff(level[order]) != 0)
    starts = np.flatnonzero(begins)
    sizes = np.diff(starts, append=len(order))
    number = np.arange(len(order)) - np.repeat(starts, sizes)
    least = np.where(level[order][starts] == 0, LEAST_NOT_RELEVANT, 1)
    keep = np.zeros((len(rates),) + levels.shape, dtype=bool)
    for r, rate in enumerate(rates):
        keep[r, topic[order], document[order]] = number < np.repeat(np.maximum(least, kept_count(rate, sizes)), sizes)
    return keep


def uniform_sample(collection: Collection, rates: Sequence[float], draw: np.random.Generator) -> Keep:
    """rates × topics × judged documents to keep (Yilmaz & Aslam 2006, as in Ferrante et al. 2019, section 5.4).

    Of D documents, max(1, ⌊rate · D⌋); a sample without a relevant one is drawn again, if there are any.
    """
    levels = pool_levels(collection)
    relevant = levels > 0
    topic, document = np.nonzero(levels >= 0)
    counts = np.bincount(topic, minlength=len(levels))
    starts = np.cumsum(counts) - counts
    sizes = np.stack([np.maximum(1, kept_count(rate, counts)) for rate in rates])
    least = sizes.min(axis=0).tolist()
    has_relevant = np.count_nonzero(relevant, axis=1) > 0
    shuffled = document.copy()
    again: list[tuple[int, int, NDArray[np.intp]]] = []
    for t, (start, stop) in zip(*_topics_of_several(counts), strict=True):
        documents, first = document[start:stop], shuffled[start:stop]
        draw.shuffle(first)
        if has_relevant[t] and not relevant[t, first[: least[t]]].any():
            for r, size in enumerate(sizes[:, t].tolist()):
                sample = first[:size]
                while not relevant[t, sample].any():
                    sample = draw.permutation(documents)[:size]
                again.append((r, t, sample))
    keep = np.zeros((len(rates),) + levels.shape, dtype=bool)
    number = np.arange(len(topic)) - starts[topic]
    for r, size in enumerate(sizes):
        keep[r, topic, shuffled] = number < size[topic]
    for r, t, sample in again:
        keep[r, t] = False
        keep[r, t, sample] = True
    return keep


def _topics_of_several(counts: NDArray[np.intp]) -> tuple[list[int], list[tuple[int, int]]]:
    """Topics with several documents (others have only one order), and where their documents begin and end."""
    topics, ends = np.flatnonzero(counts > 1), np.cumsum(counts)
    return topics.tolist(), np.stack([ends - counts, ends], axis=1)[topics].tolist()


def reduce_pool(collection: Collection, keep: Keep) -> Collection:
    """The collection with only the judgments that `keep` (topics × judged documents) marks."""
    labels = collection.labels
    kept = keep.ravel()[spans(np.arange(len(keep)) * keep.shape[1], labels.counts)]
    return collection.with_labels(replace(labels, values=np.where(kept[:, None], labels.values, np.int16(ABSENT))))


def pool_levels(collection: Collection) -> NDArray[np.int16]:
    """topics × judged documents: level on the first aspect, 0 for not relevant; −1 for no document."""
    labels = collection.labels
    levels = np.where((labels.values != ABSENT).any(axis=1), np.maximum(labels.values[:, 0], 0), np.int16(-1))
    return replace(labels, values=levels, nothing=-1).whole()


def kept_count(rate: float, documents: NDArray[np.intp] | int) -> NDArray[np.intp]:
    """⌊rate · documents⌋, without the rounding error of a product that should be whole.

    >>> int(kept_count(0.7, 90)), 0.7 * 90
    (63, 62.99999999999999)
    """
    return np.asarray(rate * documents + 1e-9).astype(np.intp)


REDUCTIONS: dict[str, tuple[str, Callable[[Collection, Sequence[float], np.random.Generator], Keep]]] = {
    "stratified": ("the same share of every grade level", stratified_sample),
    "uniform": ("a share of all judged documents", uniform_sample),
}  #: every way to reduce a pool, in the order of the menu: label and function


def kept_judgments(collection: Collection, method: str, rates: Sequence[float], seed: int, repeat: int) -> Keep:
    """rates × topics × judged documents to keep in one repeat; depends only on the seed and the repeat's number."""
    return REDUCTIONS[method][1](collection, rates, generator((seed, repeat)))


# --------------------------------------------------------------------------------------------------

POOLS_AT_ONCE = 32  #: pools that are scored together
PIECE_SECONDS = 0.3  #: seconds that a block of topics may take under these pools, since work stops between blocks
RATES = (0.9, 0.7, 0.5, 0.3, 0.1, 0.05)


@dataclass(frozen=True, eq=False)
class PoolReduction(ByMeasure):
    """Self-correlation of measures under reduced pools.

    Attributes
    ----------
    measures : tuple of str
    rates : tuple of float
    repeats : measures × rates × repeats; Kendall's τ_b with the ranking under the full pool
        NaN if one of the two rankings ties all systems.
    tau : measures × rates; the mean of `repeats` where defined
    ranks : measures × rates × systems; the mean rank of a system over the repeats, 1 for the best
    judged : rates × repeats; judged documents left, of all topics
    full : judged documents of the full pool
    """

    by_measure: ClassVar[tuple[str, ...]] = ("repeats", "tau", "ranks")
    measures: tuple[str, ...]
    rates: tuple[float, ...]
    repeats: NDArray[np.float64]
    tau: NDArray[np.float64]
    ranks: NDArray[np.float64]
    judged: NDArray[np.int64]
    full: int
    method: str
    summary: str
    seed: int

    @property
    def kept(self) -> NDArray[np.float64]:
        """By rate, the mean share of the judgments kept, which can exceed the rate."""
        return self.judged.mean(axis=1) / max(self.full, 1)

    def frame(self) -> pd.DataFrame:
        """Tidy: measure, rate (asked for), repeat (from 1), tau, judged."""
        axes = {"measure": self.measures, "rate": self.rates, "repeat": range(1, self.repeats.shape[2] + 1)}
        return tidy(axes, tau=self.repeats, judged=self.judged)

    def band(self, share: float = 0.9) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Limits of the middle `share` of the repeats, low and high, each measures × rates; NaN where none is
        defined."""
        tails = np.array([(1 - share) / 2, (1 + share) / 2])
        limits = np.full((2,) + self.tau.shape, np.nan)
        known = np.isfinite(self.tau)
        limits[:, known] = np.nanquantile(self.repeats[known], tails, axis=1)
        return limits[0], limits[1]


def pool_reduction(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    rates: Sequence[float] = RATES,
    method: ReductionName = "stratified",
    repeats: int = 1,
    seed: int = 0,
    summary: Summary = "mean",
    progress: Listener = None,
    eps: float | None = None,
    workers: Workers = None,
    _draw: Callable[..., Keep] | None = None,  # kept_judgments, or what remembers its results
    _full: Callable[[Collection, list[str | Measure]], Scores] | None = None,  # score, or what remembers its results
) -> PoolReduction:
    """Self-τ of every measure at every rate (Ferrante et al. 2019, section 5.4, Figures 1 and 2).

    Parameters
    ----------
    c : Collection
    measures : expressions or measures
    rates : sequence of float in (0, 1]
        Shares of the pool that are kept.
    method : {"stratified", "uniform"}
        How the kept judgments are sampled.  See :func:`~irviz.stats.incompleteness.stratified_sample` and
        :func:`~irviz.stats.incompleteness.uniform_sample`.
    repeats : int
        Independent reductions, drawn with `seed`.  More repeats do not change the first ones.
    summary, eps
        How topics are averaged, as in :func:`irviz.summarise`.
    progress : callable, or True for a bar, optional
    workers : see :func:`irviz.workers.run`

    Returns
    -------
    PoolReduction

    Notes
    -----
    A document outside the reduced pool is unjudged on every aspect; gains are those of the full collection.
    """
    progress = listener(progress)
    choose("pool reduction", method, tuple(REDUCTIONS))
    whole_number("repeats", repeats)
    whole_number("seed", seed, least=0)
    wanted, shares = listing(measures), shares_of("rates", rates, "pool")
    check_collection(c)
    if len(c.systems) < 2:
        raise IrvizError("Pool reduction compares rankings of systems; there is only one system. Load at least two.")
    full = score(c, wanted, workers=workers) if _full is None else _full(c, wanted)
    reference = overall(full, summary, eps)
    judged = np.empty((len(shares), repeats), dtype=np.int64)
    parts, places = [], []
    a_block = scoring_seconds(c, wanted) / len(blocks(c, map(measure, wanted)))
    for batch in batches(repeats, len(shares), min(POOLS_AT_ONCE, int(PIECE_SECONDS / a_block))):
        pools = np.stack(
            [(_draw or kept_judgments)(c, method, shares, seed, b) for b in range(batch.start, batch.stop)]
        )
        judged[:, batch] = pools.sum(axis=(2, 3)).T
        which = f"Repeats {batch.start + 1} to {batch.stop}" if len(pools) > 1 else f"Repeat {batch.stop}"
        heard = part(progress, batch.start / repeats, batch.stop / repeats, f"{which} of {repeats}, ")
        cubes = score_pools(c, [reduce_pool(c, keep) for by_rate in pools for keep in by_rate], full, heard, workers)
        ranked = np.stack([overall(scores, summary, eps) for scores in cubes], axis=1)
        correlations = paired_tau(np.broadcast_to(reference[:, None], ranked.shape), ranked)
        parts.append(np.swapaxes(correlations.reshape(-1, len(pools), len(shares)), 1, 2))
        places.append(shared_ranks(ranked).reshape(len(correlations), len(pools), len(shares), -1))
    tau = np.concatenate(parts, axis=2)
    ranks = np.concatenate(places, axis=1).mean(axis=1)
    total = int((pool_levels(c) >= 0).sum())
    return PoolReduction(full.measures, shares, tau, defined_mean(tau)[0], ranks, judged, total, method, summary, seed)


# -- Residuals: how much higher a score could be if everything were judged ---------------------------

MOST_ADDED = 1 << 20  #: documents of the pools in one piece, with a pool for each list


def residual(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    progress: Listener = None,
) -> Scores:
    r"""How much higher each score could be if all unjudged documents had the best grade.

    .. math:: \max\{0,\; M(\text{unjudged at the best grade}) - M\}

    Parameters
    ----------
    c : Collection
    measures : expressions or measures
    progress : callable, or True for a bar, optional
        Called with the share done (0 to 1) and a sentence, after each block of topics.

    Returns
    -------
    Scores
        float64, measures × topics × systems, in the units of the measure, at least 0;
        0 where every document of the list is judged.

    Notes
    -----
    A document is unjudged if it has no judgment on any aspect, or on the one scored; the best grade is the highest in
    the collection, on every aspect.  Only documents in the list count.  (cwl_eval fills them with the maximum gain, so
    its residuals of short lists are larger.)

    The unjudged documents of this list, and of no other, join the recall base and the ideal list, so that recall stays
    within 1.  If that costs more than the documents add, as for a perfect list with an unjudged document at its end,
    the residual is 0.  Ties are in one order: trec_eval's, if the collection counts all orders.
    """
    progress = listener(progress)
    c = c.in_one_order()
    before = score(c, measures)
    wanted = [measure(name) for name in before.measures]
    values = np.zeros_like(before.values)
    _, systems, depth = c.ranking.shape
    for block in in_blocks(c, MOST_ADDED // (systems * (depth + c.labels.shape[1]))):
        doubtful, best = _best_case(c, block.topics)
        for m, metric in enumerate(wanted if doubtful.any() else []):
            part = values[m, block.topics]
            part[doubtful] = np.maximum(metric.score(best) - before.values[m, block.topics][doubtful], 0.0)
        if progress is not None:
            progress(block.topics.stop / len(c.topics), f"Residuals of {block.name}")
    return Scores(values, before.measures, before.topics, before.systems)


def _best_case(collection: Collection, which: slice) -> tuple[NDArray[np.bool_], Topics]:
    """topics × systems: lists with unjudged documents; these lists as topics, with those at the best grade."""
    ranking, labels = collection.ranking[which], collection.labels[which]
    unsure = np.concatenate([(labels == ABSENT).any(axis=2), np.tile([False, True], (len(labels), 1))], axis=1)
    open_ = np.take_along_axis(unsure, ranking.reshape(len(ranking), -1), axis=1).reshape(ranking.shape)
    doubtful: NDArray[np.bool_] = np.any(open_, axis=2)
    lists = ranking[doubtful]
    topic, judged = np.nonzero(doubtful)[0], labels.shape[1]
    new = lists == UNJUDGED
    added = int(new.sum(axis=1).max(initial=0))
    best = np.array([len(grades) - 1 for grades in collection.grades], dtype=labels.dtype)
    pools = np.full((len(lists), judged + added, len(best)), ABSENT, dtype=labels.dtype)
    pools[:, :judged] = labels[topic]
    run, rank = np.nonzero(lists >= 0)
    known = pools[run, lists[run, rank]]
    pools[run, lists[run, rank]] = np.where(known == ABSENT, best, known)
    place = judged + np.cumsum(new, axis=1) - 1
    pools[np.nonzero(new)[0], place[new]] = best
    return doubtful, Topics(collection, slice(0), np.where(new, place, lists).astype(np.int32), labels=pools)
