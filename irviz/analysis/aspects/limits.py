"""How high a weighted sum of parts can get, whatever the order: exactly, or from above.

Additive parts are an assignment of documents to ranks; where all parts weigh the ranks
alike, sorting by the weighted worth solves it (the rearrangement inequality).  Average
precisions are solved where their states are few (:mod:`irviz.analysis.aspects.precisions`),
and else bounded pair by pair,

.. math:: \\max \\sum_a q_a \\mu_a \\le \\frac{1}{k-1} \\sum_{a<b} \\max (q_a \\mu_a + q_b \\mu_b).

A harmonic mean *f* is concave and homogeneous, so :math:`f(x) \\le \\nabla f(y) \\cdot x` for
every *y*: any limit of a weighted sum is one of its own (Maistro et al. 2021, eq. (6)).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from irviz.analysis.aspects.precisions import STATES, highest_precisions, states
from irviz.analysis.aspects.terms import Additive, Order, Precisions, ScoreBound, Task
from irviz.measures.language.base import Term
from irviz.portable import total

Floats = NDArray[np.float64]
PLANES = 24  #: supporting planes tried for a harmonic mean


def score_bound(task: Task, form: Additive | Precisions | None, documents: Order, reached: Floats) -> ScoreBound:
    """The lowest limit known for the measure; `reached` are the parts' scores of some good order of `documents`."""
    shares = np.array([part.share for part in task.parts])
    if form is None or not task.measure.kind_of_mean:
        tops = np.array([_top(task, part) for part in task.parts])
        return ScoreBound(float(task.mean(tops[:, None])[0]), None)
    if task.measure.kind_of_mean != "harmonic":
        return highest_sum(form, shares, documents)
    if not (reached > 0).all():
        nothing = (form.worth.max(axis=1) <= 0).any()
        return ScoreBound(0.0, documents) if nothing else highest_sum(form, shares, documents)
    return _harmonic(form, shares, reached, documents)


def _top(task: Task, part: Term) -> float:
    """The highest score of one part: what its definition allows, or its one score where all documents are alike."""
    column = task.collection.labels[task.topic][task.documents, task.collection.aspect_index(part.measure.aspect)]
    alike = len(np.unique(column)) == 1 and part.measure != task.measure
    return float(task.scores([task.documents], part.measure)[0]) if alike else part.top


def highest_sum(form: Additive | Precisions, weights: Floats, documents: Order) -> ScoreBound:
    """Of the sum of the parts with these weights."""
    if isinstance(form, Additive):
        return _assigned(form, weights, documents)
    parts = np.flatnonzero((form.bases > 0) & (weights > 0))
    if states(form, parts, documents) <= STATES:
        return highest_precisions(form, weights, parts, documents)
    pairs = [highest_precisions(form, weights, np.array(pair), documents).value for pair in combinations(parts, 2)]
    return ScoreBound(float(total(np.array(pairs))) / (len(parts) - 1), None)


def _assigned(form: Additive, weights: Floats, documents: Order) -> ScoreBound:
    worth = weights[:, None] * form.worth[:, documents]
    scale = form.weights.max(axis=0)
    if all(np.allclose(own, scale, rtol=1e-12, atol=0) or not own.any() for own in form.weights):
        order = documents[np.argsort(-total(worth, axis=0), kind="stable")]
    else:
        gain = total(form.weights[:, : len(documents), None] * worth[:, None, :], axis=0)  # ranks × documents
        order = documents[linear_sum_assignment(gain, maximize=True)[1]]
    return ScoreBound(float(total(weights * form.values(order))), order)


def _harmonic(form: Additive | Precisions, shares: Floats, reached: Floats, documents: Order) -> ScoreBound:
    """The lowest of several supporting planes, each where the last one's best order and `reached` lead."""
    point, lowest, found = reached, np.inf, None
    for step in range(PLANES):
        mean = 1 / total(shares / point)
        plane = highest_sum(form, shares * mean**2 / point**2, documents)
        lowest = min(lowest, plane.value)
        if plane.order is None:
            break
        here = form.values(plane.order)
        if (here > 0).all() and 1 / total(shares / here) >= lowest * (1 - 1e-12):
            found = plane.order
            break
        point = point + (here - point) * 2 / (step + 3)
    return ScoreBound(min(lowest, highest_sum(form, shares, documents).value), found)
