"""Search for the best order: exchange two documents wherever that raises the score, until it does nowhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.aspects.terms import Additive, Order, Precisions, Task
from irviz.workers import batches

Floats = NDArray[np.float64]
LEAST = 1e-12  #: a rise that is more than rounding
_BYTES_AT_A_TIME = 1 << 24  #: bytes of candidate lists scored at a time


def improved(task: Task, form: Additive | Precisions | None, start: Order) -> Order:
    """An order, reached from `start`, that no exchange of two documents improves."""
    order = start
    while True:
        rises = _rises_by_scoring(task, order) if form is None else _rises(task, form, order)
        better = _better(task, form, order, rises)
        if better is None:
            return order
        order = better


def _rises(task: Task, form: Additive | Precisions, order: Order) -> Floats:
    """ranks × ranks: what exchanging rank i with rank j > i adds to the measure, 0 elsewhere."""
    x, u, v = form.sides(order)
    scores = form.values(order)
    parts = (x[:, None, :] - x[:, :, None]) * (u[:, :, None] - v[:, None, :])
    return np.triu(task.mean(scores[:, None, None] + parts) - task.mean(scores[:, None])[0], 1)


def _rises_by_scoring(task: Task, order: Order) -> Floats:
    """The same for any measure: every exchange is scored as a list, some at a time."""
    seen = min(task.base.depth_seen(len(order)) or len(order), len(order))
    pairs = _different(task.kinds[order], seen)
    now = task.scores([order])[0]
    rises = np.zeros((len(order), len(order)))
    for part in batches(len(pairs), 8 * task.width, _BYTES_AT_A_TIME):
        i, j = pairs[part].T
        candidates = np.tile(order, (len(i), 1))
        rows = np.arange(len(i))
        candidates[rows, i], candidates[rows, j] = order[j], order[i]
        rises[i, j] = task.scores(candidates) - now
    return rises


def _better(task: Task, form: Additive | Precisions | None, order: Order, rises: Floats) -> Order | None:
    """The order after the best exchanges that do not meet, if together they raise the score, or after the best one."""
    best = rises.argmax(axis=1)
    gain = rises[np.arange(len(order)), best]
    if not gain.max(initial=0.0) > LEAST:
        return None
    free, pairs = np.ones(len(order), dtype=bool), []
    for i in np.argsort(-gain, kind="stable"):
        if gain[i] > LEAST and free[i : best[i] + 1].all():
            free[i : best[i] + 1] = False
            pairs.append((i, best[i]))
    before = _score(task, form, order)
    for chosen in (pairs, pairs[:1]):
        tried = order.copy()
        for i, j in chosen:
            tried[[i, j]] = tried[[j, i]]
        if _score(task, form, tried) > before:
            return tried
    return None


def _score(task: Task, form: Additive | Precisions | None, order: Order) -> float:
    return float(task.scores([order])[0] if form is None else task.mean(form.values(order)[:, None])[0])


def _different(kinds: NDArray[np.intp], seen: int) -> NDArray[np.intp]:
    """Pairs of ranks i < j, i seen, whose documents differ; of those below the seen ranks, one of each kind will do."""
    below = seen + np.unique(kinds[seen:], return_index=True)[1]
    last = np.concatenate([np.arange(seen), below])
    i, j = (part.ravel() for part in np.meshgrid(np.arange(seen), last, indexing="ij"))
    kept = (i < j) & (kinds[i] != kinds[j])
    return np.stack([i[kept], j[kept]], axis=1)
