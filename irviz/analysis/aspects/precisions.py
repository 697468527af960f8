"""The highest weighted sum of average precisions, over all orders of the documents.

What a document adds depends on how many relevant documents are above it, not on their
order.  So the best way to place a number of documents of each kind (relevant to which aspects)
follows from the best ways to place one fewer: dynamic programming over the counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.aspects.terms import Order, Precisions, ScoreBound
from irviz.portable import total

Floats = NDArray[np.float64]
STATES = 1 << 18  #: counts of documents of each kind that are tried at most


def states(form: Precisions, parts: NDArray[np.intp], documents: Order) -> int:
    """How many different counts there are."""
    return int(np.prod([len(members) + 1.0 for members in _kinds(form, parts, documents)[1]]))


def highest_precisions(form: Precisions, weights: Floats, parts: NDArray[np.intp], documents: Order) -> ScoreBound:
    """The highest sum over `parts`, and an order that reaches it.

    A document relevant to all parts is best placed first, one relevant to none last: no
    exchange with another would lower any precision.
    """
    first, kinds = _kinds(form, parts, documents)
    worth = np.array([form.worth[parts, members[0]] for members in kinds]).reshape(len(kinds), len(parts))
    share = weights[parts] / form.bases[parts]
    head = float(total(share)) * int((form.inverse[: len(first)] > 0).sum())
    counts = np.indices([len(members) + 1 for members in kinds]).reshape(len(kinds), states(form, parts, documents))
    placed = counts.sum(axis=0)
    strides = np.array([int(np.prod([len(later) + 1 for later in kinds[k + 1 :]])) for k in range(len(kinds))], int)
    inverse = np.append(form.inverse, 0.0)[np.minimum(len(first) + placed - 1, len(form.inverse))]
    adds = inverse * (share[:, None] * (len(first) + worth.T @ counts))  # parts × states, if the last one is relevant
    best, last = np.full(len(placed), -np.inf), np.zeros(len(placed), dtype=np.int8)
    best[0] = head
    for rank in np.split(np.argsort(placed, kind="stable"), np.flatnonzero(np.diff(np.sort(placed))) + 1)[1:]:
        for k in range(len(kinds)):
            able = rank[counts[k, rank] > 0]
            value = best[able - strides[k]]
            for a in np.flatnonzero(worth[k]):
                value = value + adds[a, able]
            better = value > best[able]
            best[able[better]], last[able[better]] = value[better], k
    return ScoreBound(float(best[-1]), _walked_back(first, kinds, counts, strides, last, documents))


def _kinds(form: Precisions, parts: NDArray[np.intp], documents: Order) -> tuple[Order, list[Order]]:
    """The documents relevant to all parts, and those relevant to some of them, by kind."""
    relevant = form.worth[np.ix_(parts, documents)] > 0
    number = (relevant * (1 << np.arange(len(parts)))[:, None]).sum(axis=0)
    full = (1 << len(parts)) - 1
    return documents[number == full], [documents[number == n] for n in np.unique(number) if 0 < n < full]


def _walked_back(
    first: Order,
    kinds: list[Order],
    counts: NDArray[np.intp],
    strides: NDArray[np.intp],
    last: NDArray[np.int8],
    documents: Order,
) -> Order:
    """From all placed to none: which kind came last?"""
    state, chosen = len(last) - 1, []
    while state:
        k = last[state]
        chosen.append(kinds[k][counts[k, state] - 1])
        state -= strides[k]
    head = np.concatenate([first, np.array(chosen[::-1], dtype=np.intp)])
    return np.concatenate([head, np.setdiff1d(documents, head)])
