"""Smaller pools: which judgments a collection keeps when fewer documents are judged.

The pool is one of documents: a document that leaves it loses its label on every aspect.
Levels are those of the first aspect; a negative grade, or none there, is not relevant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import ABSENT, Collection

LEAST_NOT_RELEVANT = 10

Keep = NDArray[np.bool_]


def stratified(collection: Collection, rates: Sequence[float], generator: np.random.Generator) -> Keep:
    """rates × topics × judged documents to keep (Buckley & Voorhees 2004, as in Ferrante et al. 2019, section 5.4).

    In each topic the documents of a level are put in random order, and the first
    max(1, ⌊rate · D⌋) are kept: at least one of every level there is, and at least ten
    (or all) of the not relevant.  A smaller pool is part of every larger one.
    """
    levels = pool_levels(collection)
    topic, document = np.nonzero(levels >= 0)
    ends = np.cumsum(np.bincount(topic, minlength=len(levels)))[:-1]
    document = np.concatenate([generator.permutation(one) for one in np.split(document, ends)])
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


def uniform(collection: Collection, rates: Sequence[float], generator: np.random.Generator) -> Keep:
    """rates × topics × judged documents to keep (Yilmaz & Aslam 2006, as in Ferrante et al. 2019, section 5.4).

    max(1, ⌊rate · D⌋) documents of a topic, whatever their level.  A sample without a
    relevant document is drawn again, where the topic has any; only samples drawn again
    may fall outside the next larger pool.
    """
    levels = pool_levels(collection)
    keep = np.zeros((len(rates),) + levels.shape, dtype=bool)
    counts = (levels >= 0).sum(axis=1)
    sizes = np.stack([kept_count(rate, counts) for rate in rates], axis=1).tolist()
    for t, topic in enumerate(levels):
        documents = np.flatnonzero(topic >= 0)
        relevant = (topic > 0).any()
        first = generator.permutation(documents)
        for r, size in enumerate(sizes[t]):
            sample = first[: max(1, size)]
            while relevant and not (topic[sample] > 0).any():
                sample = generator.permutation(documents)[: len(sample)]
            keep[r, t, sample] = True
    return keep


def reduced(collection: Collection, keep: Keep) -> Collection:
    """The collection with only the judgments that `keep` (topics × judged documents) marks."""
    every = np.repeat(keep, collection.labels.shape[2], axis=1).reshape(collection.labels.shape)
    return collection.with_labels(np.where(every, collection.labels, np.int16(ABSENT)))


def pool_levels(collection: Collection) -> NDArray[np.int16]:
    """topics × judged documents: level on the first aspect, 0 for not relevant; −1 where there is no document."""
    judged = np.zeros(collection.labels.shape[:2], dtype=bool)
    for aspect in range(collection.labels.shape[2]):  # few: along so short an axis NumPy is slow
        judged |= collection.labels[:, :, aspect] != ABSENT
    return np.where(judged, np.maximum(collection.labels[:, :, 0], 0), -1).astype(np.int16)


def kept_count(rate: float, documents: NDArray[np.intp] | int) -> NDArray[np.intp]:
    """⌊rate · documents⌋, not one less where the product is whole but for rounding.

    >>> int(kept_count(0.7, 90)), 0.7 * 90
    (63, 62.99999999999999)
    """
    return np.asarray(rate * documents + 1e-9).astype(np.intp)


@dataclass(frozen=True)
class Reduction:
    """A way to reduce a pool.

    Attributes
    ----------
    label : what it keeps, in words
    keep : collection, rates, generator → rates × topics × judged documents
    """

    label: str
    keep: Callable[[Collection, Sequence[float], np.random.Generator], Keep]


REDUCTIONS = {
    "stratified": Reduction("the same share of every grade level", stratified),
    "uniform": Reduction("a share of all judged documents", uniform),
}  #: every way to reduce a pool, in the order of a menu


class Draw(Protocol):
    """What :func:`kept_judgments` is, or something that remembers what it returned."""

    def __call__(self, collection: Collection, method: str, rates: Sequence[float], seed: int, repeat: int) -> Keep: ...


def kept_judgments(collection: Collection, method: str, rates: Sequence[float], seed: int, repeat: int) -> Keep:
    """rates × topics × judged documents to keep in one repeat, which depends on the seed and its own number only."""
    generator = np.random.Generator(np.random.PCG64((seed, repeat)))
    return REDUCTIONS[method].keep(collection, rates, generator)
