"""Ideal rankings: ways to put all judged documents in order, best first (Maistro et al. 2021, section 4.2)."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import ABSENT, BEYOND, Collection
from irviz.errors import IrvizError

MOST_ASPECTS = 6  #: 720 orders of preference


def ideal_rankings(c: Collection) -> Collection:
    """A collection whose systems are ways to rank all judged documents best first (Maistro et al. 2021, section 4.2).

    One for every order of preference among the aspects (by the level on the first, ties
    by the second, and so on), and three more: by the sum of the levels, by the sum of
    their squares, and by the highest level.  Documents that remain tied stay in the
    collection's order.
    """
    if len(c.aspects) > MOST_ASPECTS:
        raise IrvizError(
            f"Ideal rankings try every order of the aspects; {len(c.aspects)} aspects have too many. "
            f"Load at most {MOST_ASPECTS}."
        )
    levels = np.maximum(c.labels, 0).astype(np.int64)
    judged = (c.labels != ABSENT).any(axis=2)
    keys = {}
    for order in itertools.permutations(range(len(c.aspects))):
        keys[" > ".join(c.aspects[a] for a in order)] = levels[:, :, list(order)]
    for name, key in (("sum", levels.sum(axis=2)), ("sum of squares", (levels**2).sum(axis=2))):
        keys[name] = key[:, :, None]
    keys["highest"] = levels.max(axis=2)[:, :, None]
    ranking = np.stack([_best_first(key, judged) for key in keys.values()], axis=1)
    return replace(c, name=f"{c.name}, ideal rankings", systems=tuple(keys), ranking=ranking, findings=())


def _best_first(keys: NDArray[np.int64], judged: NDArray[np.bool_]) -> NDArray[np.int32]:
    """topics × documents: the judged ones by falling keys (topics × documents × keys, first key first), then BEYOND."""
    falling = [-keys[:, :, k] for k in range(keys.shape[2] - 1, -1, -1)]
    order = np.lexsort([*falling, ~judged], axis=1)  # the last key counts most
    counts = judged.sum(axis=1, keepdims=True)
    return np.where(np.arange(judged.shape[1]) < counts, order, BEYOND).astype(np.int32)
