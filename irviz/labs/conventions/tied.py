"""Lowest, expected and highest score over all orders of tied documents.

A tie rule picks one order.  The lowest score puts the worst documents of every tie first,
the highest the best: none of these measures falls when a better document moves up.  The
expected score over all orders, equally likely, has a closed form
(McSherry & Najork 2008; for ERR see below).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection, counts_as_judged
from irviz.collection.ragged import Lists
from irviz.errors import IrvizError
from irviz.labs.conventions.model import (
    Conventions,
    Scorer,
    base_factor,
    condensed_collection,
    expression_under,
    outcome_under,
    precision_divisor,
)
from irviz.measures import measure
from irviz.measures.arithmetic import log2_of_ranks
from irviz.measures.cascade import ERR
from irviz.measures.cumulated_gain import NDCG
from irviz.measures.judged_lists import Topics
from irviz.portable import total
from irviz.stats.results import FrozenArrays
from irviz.stats.scores import score

Floats = NDArray[np.float64]
GroupArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TieBounds(FrozenArrays):
    """topics × systems, under the same conventions except for the tie rule."""

    lowest: Floats
    expectation: Floats
    highest: Floats

    @property
    def open(self) -> NDArray[np.bool_]:
        """True where the order of tied documents matters."""
        return self.highest - self.lowest > 1e-12


def tie_bounds(
    collection: Collection, groups: GroupArray, kind: str, cutoff: int, conventions: Conventions, scorer: Scorer = score
) -> TieBounds:
    """Scores over all orders of tied documents.

    Parameters
    ----------
    collection : Collection
        Compiled with ``ties="trec_eval"``.
    groups : topics × systems × ranks
        Of :func:`irviz.collection.load.tie_groups`; ranks with equal numbers tie.
    kind, cutoff, conventions : as for :func:`~irviz.labs.conventions.model.outcome_under`

    Returns
    -------
    TieBounds
    """
    if refusal := ties_refused(kind, cutoff, conventions):
        raise IrvizError(refusal)
    if groups.shape != collection.ranking.shape:
        raise IrvizError(f"The groups of ties are {groups.shape}, but the rankings {collection.ranking.shape}.")
    worth = levels(collection)
    low, high = (
        outcome_under(reorder_ties(collection, groups, sign * worth), kind, cutoff, conventions, scorer).values
        for sign in (1, -1)
    )
    now = outcome_under(collection, kind, cutoff, conventions, scorer).values
    return TieBounds(
        np.minimum(low, now), expected_scores(collection, groups, kind, cutoff, conventions), np.maximum(high, now)
    )


def ties_refused(kind: str, k: int, conventions: Conventions) -> str:
    """Why what ties leave open is not computed for these conventions; empty if it is."""
    if kind != "AP@k" or conventions.base != "retrieved":
        return ""
    return (
        f"What ties leave open is not computed for the first tool's AP@{k}: it divides by the number of relevant "
        f"documents among the first {k}, which depends on the order of tied documents, too. Choose a first tool that "
        "divides by all relevant documents, or AP of the whole list."
    )


def levels(collection: Collection) -> NDArray[np.int16]:
    """topics × systems × ranks: grade level on the first aspect; 0 for documents without gain, −1 past the end."""
    out = np.zeros(collection.ranking.shape, dtype=np.int16)
    for t, ranking in enumerate(collection.ranking[:]):
        row_levels = (
            np.maximum(collection.labels[t, :, 0], 0)[np.maximum(ranking, 0)] if collection.labels.shape[1] else 0
        )
        out[t] = np.where(ranking >= 0, row_levels, 0)
    return np.where(collection.ranking == BEYOND, np.int16(-1), out)


def reorder_ties(collection: Collection, groups: GroupArray, key: NDArray[np.integer]) -> Collection:
    """The same lists with every tie in ascending order of `key`."""
    ranking = collection.ranking[:]
    past = ranking == BEYOND
    order = np.lexsort((key, np.where(past, np.iinfo(np.int32).max, groups)), axis=2)
    return replace(collection, ranking=Lists.of(np.take_along_axis(ranking, order, axis=2)))


def expected_scores(
    collection: Collection, groups: GroupArray, kind: str, cutoff: int, conventions: Conventions
) -> Floats:
    """The mean over all orders of tied documents, topics × systems."""
    if conventions.unjudged == "removed":
        groups = _kept_groups(collection, groups)
        collection = condensed_collection(collection)
        conventions = replace(conventions, unjudged="nonrelevant")
    worth = levels(collection)
    first, size = _spans(groups, collection.ranking == BEYOND)
    if kind in ("AP", "AP@k"):
        return _expected_ap(collection, worth, first, size, kind, cutoff, conventions)
    if kind == "ERR@k":
        return expected_err(_stops(collection, worth, cutoff, conventions), first, size, cutoff)
    table, denominator = _linear(collection, worth, kind, cutoff, conventions)
    gains = _group_means(table, first, size)
    depth = min(cutoff, gains.shape[2])
    divisor = np.ones(depth) if kind == "P@k" else log2_of_ranks(gains, 2, depth + 1)
    return total(gains[:, :, :depth] / divisor) * denominator


def _kept_groups(collection: Collection, groups: GroupArray) -> GroupArray:
    """The groups of the documents that :func:`condensed_collection` keeps, moved up as it moves them."""
    lists = zip(collection.ranking[:], collection.labels[:], strict=True)
    judged = np.stack([counts_as_judged(ranking, labels) for ranking, labels in lists])
    order = np.argsort(~judged, axis=2, kind="stable")
    mask = np.take_along_axis(judged, order, axis=2)
    return np.where(mask, np.take_along_axis(groups, order, axis=2), np.int32(BEYOND)).astype(np.int32)


def _spans(groups: GroupArray, past: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For every rank: the first rank (from 0) of its tie, and how many documents tie there."""
    ranks = np.broadcast_to(np.arange(groups.shape[2]), groups.shape)
    starts = np.ones(groups.shape, dtype=bool)
    starts[:, :, 1:] = (groups[:, :, 1:] != groups[:, :, :-1]) | past[:, :, 1:]
    first = np.maximum.accumulate(np.where(starts, ranks, 0), axis=2)
    ends = np.ones(groups.shape, dtype=bool)
    ends[:, :, :-1] = starts[:, :, 1:]
    last = np.minimum.accumulate(np.where(ends, ranks, groups.shape[2])[:, :, ::-1], axis=2)[:, :, ::-1]
    return first, last - first + 1


def _sum_before(values: Floats, ranks: NDArray[np.intp]) -> Floats:
    """Σ of the values at ranks below `ranks` (from 0)."""
    summed = np.concatenate([np.zeros((*values.shape[:2], 1)), np.cumsum(values, axis=2)], axis=2)
    return np.take_along_axis(summed, ranks, axis=2)


def _group_means(values: Floats, first: NDArray[np.intp], size: NDArray[np.intp]) -> Floats:
    """At every rank the mean of the values of its tie."""
    return (_sum_before(values, first + size) - _sum_before(values, first)) / size


def _relevant(collection: Collection, conventions: Conventions) -> Floats:
    """By grade level: 1 where it is relevant."""
    grades = np.array(collection.grades[0], dtype=np.float64)
    return ((grades >= float(conventions.rel)) & (grades > 0)).astype(np.float64)


def _values_of_levels(table: Floats, levels: NDArray[np.integer]) -> Floats:
    """Look a table up by grade level; 0 past the end of a list, or without a judgment."""
    return np.where(levels >= 0, table[np.maximum(levels, 0)], 0.0)


def _linear(
    collection: Collection, worth: NDArray[np.int16], kind: str, cutoff: int, conventions: Conventions
) -> tuple[Floats, Floats]:
    """The weight of each rank in P@k or DCG@k, and the factor of the sum."""
    if kind == "P@k":
        hit = _values_of_levels(_relevant(collection, conventions), worth)
        return hit, 1 / precision_divisor(collection, cutoff, conventions)
    one = measure(expression_under(kind, cutoff, conventions))
    assert isinstance(one, NDCG)
    lists = [Topics(collection, [t]).aspect(None) for t in range(len(collection.topics))]
    ideal = np.stack([one.ideal_dcg(each) for each in lists])
    scaled = base_factor(collection, kind, cutoff, conventions)  # below 1 where the ideal list is another
    inverse = np.divide(scaled, ideal, out=np.zeros_like(ideal), where=ideal > 0)
    return _values_of_levels(np.array(one.table(lists[0]), dtype=np.float64), worth), inverse


def _stops(collection: Collection, worth: NDArray[np.int16], cutoff: int, conventions: Conventions) -> Floats:
    """The probability that the document at every rank satisfies the user, by ERR."""
    err = measure(expression_under("ERR@k", cutoff, conventions))
    assert isinstance(err, ERR)
    return _values_of_levels(np.array(err.table(Topics(collection, [0]).aspect(None)), dtype=np.float64), worth)


def _expected_ap(
    collection: Collection,
    worth: NDArray[np.int16],
    first: NDArray[np.intp],
    size: NDArray[np.intp],
    kind: str,
    cutoff: int,
    conventions: Conventions,
) -> Floats:
    """E[r_n (1/n) Σ_{m ≤ n} r_m] summed over n, over the chosen base."""
    relevant = _relevant(collection, conventions)
    hit = _values_of_levels(relevant, worth)
    inside = _sum_before(hit, first + size) - _sum_before(hit, first)
    rank = np.arange(hit.shape[2])
    place = rank - first  # documents of the tie above this one
    others = np.divide((inside - 1) * place, size - 1, out=np.zeros_like(inside), where=size > 1)
    per_rank = inside / size * (_sum_before(hit, first) + 1 + others) / (rank + 1)
    depth = hit.shape[2] if kind == "AP" else min(cutoff, hit.shape[2])
    judged = _values_of_levels(relevant, collection.labels[:, :, 0]).sum(axis=1)[:, None]
    every = per_rank[:, :, :depth].sum(axis=2) / np.maximum(judged, 1.0)
    return every * base_factor(collection, kind, cutoff, conventions)


# -- ERR: a cascade needs products, because sums of gains do not suffice ---------------------------
#
# A user reaches the t-th of m tied documents with the probability of passing t − 1 of them, averaged over all sets
# of t − 1: a mean of products, for which there is a recursion of averages, so that nothing overflows even if many
# documents tie.


def expected_err(stops: Floats, first: NDArray[np.intp], size: NDArray[np.intp], cutoff: int) -> Floats:
    """The mean of ERR over all orders of tied documents, topics × systems.

    Parameters
    ----------
    stops : topics × systems × ranks
        The probability that the document at a rank satisfies the user; 0 past the end of a list.
    first, size : the same shape
        For every rank, the first rank (from 0) of its tie, and how many documents tie there.
    cutoff : ranks that count
    """
    depth = min(cutoff, stops.shape[2])
    means = np.zeros(stops.shape[:2])
    for place in np.ndindex(*means.shape):
        means[place] = _one(stops[place], first[place], size[place], depth)
    return means


def _one(stops: Floats, first: NDArray[np.intp], size: NDArray[np.intp], depth: int) -> float:
    """One list: Σ over ties of the probability of reaching them, times that of stopping at each of their ranks."""
    score, reached = 0.0, 1.0
    for start in np.unique(first[:depth]):
        tied = int(size[start])
        pass_ = mean_products(1 - stops[start : start + tied], tied if start + tied <= depth else depth - int(start))
        ranks = np.arange(start + 1, start + len(pass_))
        score += reached * float(((pass_[:-1] - pass_[1:]) / ranks).sum())
        reached *= float(pass_[-1])
    return score


def mean_products(values: Floats, most: int) -> Floats:
    """For t = 0 … `most`: the mean, over all sets of t of the values, of their product.

    >>> mean_products(np.array([0.5, 0.25]), 2)
    array([1.   , 0.375, 0.125])
    """
    means = np.zeros(most + 1)
    means[0] = 1.0
    for n, value in enumerate(values, start=1):
        t = np.arange(1, min(n, most) + 1)
        means[t] = ((n - t) * means[t] + t * value * means[t - 1]) / n
    return means
