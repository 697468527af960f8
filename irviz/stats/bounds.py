"""How high can a measure get on a topic, however its judged documents are ranked?

After Maistro et al. 2021, section 4.2 and Figure 2: CAM and MM cannot always reach 1, since
the best order for one aspect need not be the best for another.  The paper's ideal rankings put all judged documents
best first in several ways; they show what can be reached, not what cannot.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, BEYOND, UNJUDGED
from irviz.collection.model import Collection
from irviz.collection.ragged import Lists
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.judged_lists import Topics
from irviz.measures.language.base import Component, Measure
from irviz.portable import mean, total
from irviz.stats.results import FrozenArrays, tidy
from irviz.stats.scores import Scores, score
from irviz.workers import Progress, batches, run

Floats = NDArray[np.float64]


# -- Search for the best order: exchange two documents while that raises the score

LEAST = 1e-12  #: a larger rise is not rounding
_BYTES_AT_A_TIME = 1 << 24  #: bytes of candidate lists scored at a time


def improve(task: Task, form: Additive | Precisions | None, start: Order) -> Order:
    """A local maximum: an order reached from `start` that no exchange of two documents improves."""
    order = start
    while True:
        rises = _rises_by_scoring(task, order) if form is None else _rises(task, form, order)
        better = _better_order(task, form, order, rises)
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
    """The same for any measure: every exchange is scored as a list."""
    depth = min(task.base.depth_seen(len(order)) or len(order), len(order))
    pairs = _exchanges(task.kinds[order], depth)
    now = task.scores([order])[0]
    rises = np.zeros((len(order), len(order)))
    for part in batches(len(pairs), 8 * task.width, _BYTES_AT_A_TIME):
        i, j = pairs[part].T
        candidates = np.tile(order, (len(i), 1))
        rows = np.arange(len(i))
        candidates[rows, i], candidates[rows, j] = order[j], order[i]
        rises[i, j] = task.scores(candidates) - now
    return rises


def _better_order(task: Task, form: Additive | Precisions | None, order: Order, rises: Floats) -> Order | None:
    """The order after the best separate exchanges if together they raise the score, else after the best one."""
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


def _exchanges(kinds: NDArray[np.intp], depth: int) -> NDArray[np.intp]:
    """Pairs of ranks i < j, i seen, with different documents; below the seen ranks only one document of each kind."""
    below = depth + np.unique(kinds[depth:], return_index=True)[1]
    last = np.concatenate([np.arange(depth), below])
    i, j = (part.ravel() for part in np.meshgrid(np.arange(depth), last, indexing="ij"))
    different = (i < j) & (kinds[i] != kinds[j])
    return np.stack([i[different], j[different]], axis=1)


# -- The highest weighted sum of average precisions, over all orders of the documents --------------
#
# A document adds the same for any order of the relevant documents above it.  Dynamic programming over the counts of
# each kind of document (relevant to which aspects): the best placement follows from the best ones with one fewer.

STATES = 1 << 18  #: most states that are searched


def states(form: Precisions, parts: NDArray[np.intp], documents: Order) -> int:
    """How many different counts there are."""
    return int(np.prod([len(members) + 1.0 for members in _kinds(form, parts, documents)[1]]))


def highest_precisions(form: Precisions, weights: Floats, parts: NDArray[np.intp], documents: Order) -> ScoreBound:
    """The highest sum over `parts`, and an order that reaches it.

    A document relevant to all parts is best placed first, one relevant to none last: no exchange with another would
    lower any precision.
    """
    first, kinds = _kinds(form, parts, documents)
    worth = np.array([form.worth[parts, members[0]] for members in kinds]).reshape(len(kinds), len(parts))
    share = weights[parts] / form.bases[parts]
    shared = float(total(share)) * int((form.inverse[: len(first)] > 0).sum())
    counts = np.indices([len(members) + 1 for members in kinds]).reshape(len(kinds), states(form, parts, documents))
    placed = counts.sum(axis=0)
    strides = np.array([int(np.prod([len(later) + 1 for later in kinds[k + 1 :]])) for k in range(len(kinds))], int)
    inverse = np.append(form.inverse, 0.0)[np.minimum(len(first) + placed - 1, len(form.inverse))]
    adds = inverse * (share[:, None] * (len(first) + worth.T @ counts))  # parts × states, if the last one is relevant
    best, last = np.full(len(placed), -np.inf), np.zeros(len(placed), dtype=np.int8)
    best[0] = shared
    for rank in np.split(np.argsort(placed, kind="stable"), np.flatnonzero(np.diff(np.sort(placed))) + 1)[1:]:
        for k in range(len(kinds)):
            able = rank[counts[k, rank] > 0]
            value = best[able - strides[k]]
            for a in np.flatnonzero(worth[k]):
                value = value + adds[a, able]
            better = value > best[able]
            best[able[better]], last[able[better]] = value[better], k
    state, chosen = len(last) - 1, []  # from all placed to none: which kind came last?
    while state:
        k = last[state]
        chosen.append(kinds[k][counts[k, state] - 1])
        state -= strides[k]
    head = np.concatenate([first, np.array(chosen[::-1], dtype=np.intp)])
    return float(best[-1]), np.concatenate([head, np.setdiff1d(documents, head)])


def _kinds(form: Precisions, parts: NDArray[np.intp], documents: Order) -> tuple[Order, list[Order]]:
    """The documents relevant to all parts, and those relevant to some of them, by kind."""
    relevant = form.worth[np.ix_(parts, documents)] > 0
    number = (relevant * (1 << np.arange(len(parts)))[:, None]).sum(axis=0)
    full = (1 << len(parts)) - 1
    return documents[number == full], [documents[number == n] for n in np.unique(number) if 0 < n < full]


# -- How high a weighted sum of parts can get, whatever the order: exactly, or from above ----------
#
# Additive parts are an assignment problem; if all parts weigh the ranks alike, sorting by the weighted worth solves
# it (the rearrangement inequality).  Average precisions are solved if their states are few, else bounded pair by pair,
#
# .. math:: \max \sum_a q_a \mu_a \le \frac{1}{k-1} \sum_{a<b} \max (q_a \mu_a + q_b \mu_b).
#
# A harmonic mean *f* is concave and homogeneous, so :math:`f(x) \le \nabla f(y) \cdot x` for every *y*: a limit of
# that weighted sum is a limit of *f* (Maistro et al. 2021, eq. (6)).

PLANES = 24  #: supporting planes tried for a harmonic mean


def score_bound(task: Task, form: Additive | Precisions | None, documents: Order, part_scores: Floats) -> ScoreBound:
    """The lowest known limit of the measure; `part_scores` are the parts' scores of a good order of `documents`."""
    shares = np.array([part.share for part in task.parts])
    if form is None or not task.measure.kind_of_mean:
        tops = np.array([_top(task, part) for part in task.parts])
        return float(task.mean(tops[:, None])[0]), None
    if task.measure.kind_of_mean != "harmonic":
        return highest_sum(form, shares, documents)
    if not (part_scores > 0).all():
        nothing = (form.worth.max(axis=1) <= 0).any()
        return (0.0, documents) if nothing else highest_sum(form, shares, documents)
    return _harmonic_bound(form, shares, part_scores, documents)


def _top(task: Task, part: Component) -> float:
    """The highest score of one part: what its definition allows, or its one score where all documents are alike."""
    column = task.collection.labels[task.topic][task.documents, task.collection.aspect_index(part.measure.aspect)]
    alike = len(np.unique(column)) == 1 and part.measure != task.measure
    return float(task.scores([task.documents], part.measure)[0]) if alike else part.top


def highest_sum(form: Additive | Precisions, weights: Floats, documents: Order) -> ScoreBound:
    """Upper bound of the sum of the parts with these weights."""
    if isinstance(form, Additive):
        return _assignment_bound(form, weights, documents)
    parts = np.flatnonzero((form.bases > 0) & (weights > 0))
    if states(form, parts, documents) <= STATES:
        return highest_precisions(form, weights, parts, documents)
    pairs = [highest_precisions(form, weights, np.array(pair), documents)[0] for pair in combinations(parts, 2)]
    return float(total(np.array(pairs))) / (len(parts) - 1), None


def _assignment_bound(form: Additive, weights: Floats, documents: Order) -> ScoreBound:
    worth = weights[:, None] * form.worth[:, documents]
    scale = form.weights.max(axis=0)
    if all(np.allclose(row, scale, rtol=1e-12, atol=0) or not row.any() for row in form.weights):
        order = documents[np.argsort(-total(worth, axis=0), kind="stable")]
    else:
        from scipy.optimize import linear_sum_assignment  # as long to import as a small collection takes to open

        gain = total(form.weights[:, : len(documents), None] * worth[:, None, :], axis=0)  # ranks × documents
        order = documents[linear_sum_assignment(gain, maximize=True)[1]]
    return float(total(weights * form.values(order))), order


def _harmonic_bound(form: Additive | Precisions, shares: Floats, part_scores: Floats, documents: Order) -> ScoreBound:
    """The lowest of several supporting planes: at `part_scores`, then at the best order under the last plane."""
    point, lowest, best = part_scores, np.inf, None
    for step in range(PLANES):
        mean = 1 / total(shares / point)
        limit, order = highest_sum(form, shares * mean**2 / point**2, documents)
        lowest = min(lowest, limit)
        if order is None:
            break
        here = form.values(order)
        if (here > 0).all() and 1 / total(shares / here) >= lowest * (1 - 1e-12):
            best = order
            break
        point = point + (here - point) * 2 / (step + 3)
    return min(lowest, highest_sum(form, shares, documents)[0]), best


# -- One topic under one measure: the weights of ranks and the worth of documents, by aspect
#
# Both are read off the measure's scores of lists with a single document.

Order = NDArray[np.intp]  #: documents of the topic, first rank first
ScoreBound = tuple[float, Order | None]  #: an upper limit of all orders; and an order that reaches it, if known


@dataclass(frozen=True, eq=False)
class Task:
    """The problem of the order of a topic's judged documents with the highest score, with a part per aspect."""

    collection: Collection
    topic: int
    measure: Measure

    @property
    def width(self) -> int:
        """Ranks of a list: the number of judged documents of the collection's largest topic."""
        return int(self.collection.labels.width)

    def scores(self, orders: Sequence[Order] | NDArray[np.intp], part: Measure | None = None) -> Floats:
        """One number per order (all of one length), by the measure or a part of it; nothing follows in the list."""
        lists = np.array(orders, dtype=np.int32)
        rows = np.full((len(lists), self.width), BEYOND, dtype=np.int32)
        rows[:, : lists.shape[1]] = lists
        return self.list_scores(rows, part)

    def list_scores(self, rows: NDArray[np.int32], part: Measure | None = None) -> Floats:
        """One number per list, as the topic's runs are scored."""
        topic = Topics(self.collection, [self.topic], rows)
        if part is None:
            return np.asarray(self.measure.score(topic), dtype=np.float64)
        return np.asarray(part.score(self.measure.seen_by_terms(topic)), dtype=np.float64)

    @property
    def documents(self) -> Order:
        return np.flatnonzero((self.collection.labels[self.topic] != ABSENT).any(axis=1))

    @property
    def kinds(self) -> NDArray[np.intp]:
        """By document: the number of its label tuple."""
        return np.unique(self.collection.labels[self.topic], axis=0, return_inverse=True)[1].ravel()

    @property
    def base(self) -> Measure:
        """The measure of one list of gains that the measure is made of."""
        return self.measure.single

    @property
    def parts(self) -> list[Component]:
        """The scores that the measure is the mean of."""
        return self.measure.terms(self.collection)

    def mean(self, scores: Floats) -> Floats:
        """The measure from the scores of its parts (parts × …)."""
        flat = scores.reshape(len(scores), -1)
        return self.measure.mean([part.share for part in self.parts], flat).reshape(scores.shape[1:])


@dataclass(frozen=True, eq=False)
class Additive:
    """Parts of the form Σ over ranks of weight(rank) × worth(document); weights do not rise."""

    weights: Floats  #: parts × ranks
    worth: Floats  #: parts × documents of the topic

    def sides(self, order: Order) -> tuple[Floats, Floats, Floats]:
        """parts × ranks: x, u and v, such that exchanging ranks i < j adds (x_j − x_i)(u_i − v_j)."""
        weights = self.weights[:, : len(order)]
        return self.worth[:, order], weights, weights

    def values(self, order: Order) -> Floats:
        """The parts' scores."""
        return total(self.worth[:, order] * self.weights[:, : len(order)])


@dataclass(frozen=True, eq=False)
class Precisions:
    """Parts that are average precisions."""

    worth: Floats  #: parts × documents of the topic, 1 where relevant
    bases: NDArray[np.int64]  #: by part, the number of relevant documents (0 if there is none)
    inverse: Floats  #: by rank, one over the rank; 0 below the cutoff

    def sides(self, order: Order) -> tuple[Floats, Floats, Floats]:
        """parts × ranks: x, u and v, such that exchanging ranks i < j adds (x_j − x_i)(u_i − v_j).

        With C relevant documents down to a rank and H the sum of their 1/rank, a document that moves up from j to i
        adds (C_i + 1)/i, loses C_j/j, and adds 1/rank for each relevant document in between.
        """
        x, inverse = self.worth[:, order], self.inverse[: len(order)]
        relevant, lifted = np.cumsum(x, axis=1), np.cumsum(x * inverse, axis=1)
        up, down = (relevant - x + 1) * inverse - lifted, relevant * inverse - (lifted - x * inverse)
        scale = np.maximum(self.bases, 1)[:, None]
        return x, up / scale, down / scale

    def values(self, order: Order) -> Floats:
        """The parts' scores."""
        x = self.worth[:, order]
        return total(x * np.cumsum(x, axis=1) * self.inverse[: len(order)]) / np.maximum(self.bases, 1)


def take_apart(task: Task) -> Additive | Precisions | None:
    """The parts in a form that can be maximised; None for measures without one."""
    if not (task.base.additive or task.base.precisions) or not len(task.documents):
        return None
    worth = np.stack([_worth(task, part.measure) for part in task.parts])
    if not task.base.precisions:
        return Additive(np.stack([_weights(task, *pair) for pair in zip(task.parts, worth, strict=True)]), worth)
    ranks = np.arange(1, task.width + 1)
    inverse = np.where(ranks <= (task.base.cutoff or len(ranks)), 1 / ranks, 0.0)
    bases = np.array([round(1 / row.max()) if row.max() > 0 else 0 for row in worth])
    return Precisions((worth > 0).astype(np.float64), bases, inverse)


def _worth(task: Task, part: Measure) -> Floats:
    """By document of the topic: the score of a list with it alone."""
    kinds = task.kinds
    first = np.unique(kinds, return_index=True)[1]
    return task.scores([np.array([d]) for d in first], part)[kinds]


def _weights(task: Task, part: Component, worth: Floats) -> Floats:
    """By rank: the worth of a document there, as a share of its worth at rank 1."""
    best, width = int(np.argmax(worth)), len(worth)
    if not worth[best] > 0:
        return np.zeros(width)
    rows = np.full((width, width), UNJUDGED, dtype=np.int32)
    np.fill_diagonal(rows, best)
    counted = part.measure  # with empty ranks above, which a condensed list lacks
    for path in counted.paths():
        if path.endswith("judged_only"):
            counted = counted.with_value(path, False)
    return task.list_scores(rows, counted) / worth[best]


# --------------------------------------------------------------------------------------------------

STARTS = 3  #: orders from which exchanges are tried
MOST_ASPECTS = 6  #: 720 orders of preference
SAME_SCORE = 1e-9  #: a score this near the limit reaches it


@dataclass(frozen=True, eq=False)
class UpperBounds(FrozenArrays):
    """How high each measure can get on each topic."""

    scores: Scores  #: measures × topics × strategies: the ideal rankings, with strategies as systems
    highest: Floats  #: measures × topics; the highest score of any order that was found
    limit: Floats  #: measures × topics; proven: no order of the judged documents scores higher
    exact: NDArray[np.bool_]  #: measures × topics; whether the two are equal, so that the maximum is known

    @property
    def best(self) -> pd.DataFrame:
        """topics × measures: the highest score found; the maximum where `exact`."""
        index = pd.Index(self.scores.topics, name="topic")
        return pd.DataFrame(self.highest.T, index=index, columns=list(self.scores.measures))

    def frame(self, low: float = 0.9) -> pd.DataFrame:
        """One row per measure.

        lowest, mean and highest score found; reaches_one: share of topics on which 1 is reached; below: share on
        which no order reaches `low`; exact: share on which the maximum is known.
        """
        return tidy(
            {"measure": self.scores.measures},
            lowest=self.highest.min(axis=1),
            mean=mean(self.highest),
            highest=self.highest.max(axis=1),
            reaches_one=(self.highest >= 1 - SAME_SCORE).mean(axis=1),
            below=(self.limit < low).mean(axis=1),
            exact=self.exact.mean(axis=1),
        )


def upper_bounds(c: Collection, measures: Iterable[str | Measure], progress: Progress | None = None) -> UpperBounds:
    """The highest score of each measure on each topic, over all orders of the judged documents.

    For CAM of an additive measure (a sum of rank weights times gains: precision, nDCG, RBP …) sorting gives the
    maximum; for CAM of AP over two aspects, dynamic programming.  Everything else is searched: starting from the best
    of the ideal rankings, two documents are exchanged while that raises the score.  If the score found equals the
    limit that no order can exceed, the maximum is known.
    """
    ideal = ideal_rankings(c)
    scores = score(ideal, list(measures))
    wanted = [measure(name) for name in scores.measures]
    pieces = [(m, t) for m in range(len(wanted)) for t in range(len(c.topics))]
    work = partial(_highest, c, ideal, wanted)
    bounds = run(work, pieces, None, progress, lambda piece: f"{wanted[piece[0]]}, topic {c.topics[piece[1]]}")
    pairs = np.array(bounds).reshape(len(wanted), len(c.topics), 2)
    reached = np.maximum(pairs[:, :, 0], scores.values.max(axis=2))
    exact = pairs[:, :, 1] <= reached + SAME_SCORE
    return UpperBounds(scores, reached, np.where(exact, reached, pairs[:, :, 1]), exact)


def _highest(c: Collection, ideal: Collection, measures: list[Measure], piece: tuple[int, int]) -> tuple[float, float]:
    """The highest score found, and the limit."""
    task = Task(c, piece[1], measures[piece[0]])
    form = take_apart(task)
    documents = task.documents
    if form is not None:  # documents worth nothing to any part are left out
        documents = documents[form.worth[:, documents].any(axis=0)]
    if not len(documents):
        return 0.0, 0.0
    orders = _starts(task, ideal, form, documents)
    values = task.scores(orders)
    best, first = float(values.max()), orders[int(values.argmax())]
    if len(np.unique(task.kinds[documents])) == 1:
        return best, best
    reached = np.array([task.scores([first], part.measure)[0] for part in task.parts])
    limit, order = score_bound(task, form, documents, reached)
    if order is not None:
        best = max(best, float(task.scores([order])[0]))
    for i in np.argsort(-values, kind="stable")[:STARTS]:
        if best < limit - SAME_SCORE:
            best = max(best, float(task.scores([improve(task, form, orders[i])])[0]))
    return best, limit


def _starts(task: Task, ideal: Collection, form: Additive | Precisions | None, documents: Order) -> list[Order]:
    """The different ideal rankings of the topic, TOMA's order, and the order by weighted worth."""
    ranked = ideal.ranking[task.topic]
    orders = [row[np.isin(row, documents)].astype(np.intp) for row in ranked]
    levels = task.measure.document_levels(Topics(task.collection, [task.topic]))
    if levels is not None:
        orders.append(_descending(documents, levels[0]))
    elif form is not None:
        shares = np.array([part.share for part in task.parts])
        orders.append(_descending(documents, total(shares[:, None] * form.worth, axis=0)))
    return list({tuple(task.kinds[order]): order for order in orders}.values())


def _descending(documents: Order, worth: NDArray[Any]) -> Order:
    """The documents, the highest first."""
    return documents[np.argsort(-worth[documents].astype(np.float64), kind="stable")]


def ideal_rankings(c: Collection) -> Collection:
    """A collection with ways to rank all judged documents best first as systems (Maistro et al. 2021, section 4.2).

    One for every order of preference among the aspects (by the level on the first, ties by the second, and so on), and
    three more: by the sum of the levels, the sum of their squares, and the highest level.  Documents still tied keep
    the collection's order.
    """
    if len(c.aspects) > MOST_ASPECTS:
        raise IrvizError(
            f"Ideal rankings try every order of the aspects, which is too many for {len(c.aspects)} aspects. "
            f"Load at most {MOST_ASPECTS}."
        )
    levels = np.maximum(c.labels[:], 0).astype(np.int64)
    judged = (c.labels[:] != ABSENT).any(axis=2)
    keys = {}
    for order in itertools.permutations(range(len(c.aspects))):
        keys[" > ".join(c.aspects[a] for a in order)] = levels[:, :, list(order)]
    for name, key in (("sum", levels.sum(axis=2)), ("sum of squares", (levels**2).sum(axis=2))):
        keys[name] = key[:, :, None]
    keys["highest"] = levels.max(axis=2)[:, :, None]
    ranking = np.stack([_best_first(key, judged) for key in keys.values()], axis=1)
    return replace(c, name=f"{c.name}, ideal rankings", systems=tuple(keys), ranking=Lists.of(ranking), findings=())


def _best_first(keys: NDArray[np.int64], is_judged: NDArray[np.bool_]) -> NDArray[np.int32]:
    """topics × documents: the judged ones by falling keys (topics × documents × keys, first key first), then BEYOND."""
    falling = [-keys[:, :, k] for k in range(keys.shape[2] - 1, -1, -1)]
    order = np.lexsort([*falling, ~is_judged], axis=1)  # the last key counts most
    counts = is_judged.sum(axis=1, keepdims=True)
    return np.where(np.arange(is_judged.shape[1]) < counts, order, BEYOND).astype(np.int32)


# -- The top documents of a measure's best runs (Maistro et al. 2021, sections 4.3.3 and 4.3.4) ----
#
# A measure may give the highest score to a run whose first documents are worthless on every aspect.


@dataclass(frozen=True, eq=False)
class BestRuns(FrozenArrays):
    """The documents at each rank of the run that scores highest on its topic under a measure."""

    measures: tuple[str, ...]
    documents: Floats  #: measures × ranks; how many documents are there, over all topics
    zeros: Floats  #: measures × ranks; how many of them are at level 0 on all aspects
    #: measures × ranks; the sum of their levels over documents and aspects; if n runs of a topic tie for the best, each
    #: counts 1/n
    label_sums: Floats

    def quality(self, step: int = 25) -> pd.DataFrame:
        """Table 6: ranks ("1-25"), measure, and the mean sum of a document's levels (0 where no run is that long)."""
        starts = np.arange(0, self.documents.shape[1], step)
        sums, documents = (np.add.reduceat(x, starts, axis=1) for x in (self.label_sums, self.documents))
        names = [f"{a + 1}-{min(a + step, self.documents.shape[1])}" for a in starts]
        return tidy({"ranks": names, "measure": self.measures}, mean_label_sum=(sums / np.maximum(documents, 1)).T)


def best_runs(c: Collection, measures: Iterable[str | Measure], ranks: int = 100) -> BestRuns:
    """The first `ranks` documents of each topic's best run by each measure, with labels as levels, 0 if unjudged."""
    if ranks < 1:
        raise IrvizError(f"`ranks` must be at least 1; got {ranks}.")
    s = score(c, list(measures))
    top = s.values >= s.values.max(axis=2, keepdims=True) - 1e-12
    share = top / top.sum(axis=2, keepdims=True)  # measures × topics × systems
    head = c.ranking[:, :, :ranks]
    by_document = np.maximum(c.labels[:], 0).sum(axis=2, dtype=np.int64)
    by_document = np.pad(by_document, ((0, 0), (0, 1)))  # and 0 for no document
    sums = np.take_along_axis(by_document, np.where(head >= 0, head, -1).reshape(len(head), -1), axis=1)
    sums, there = sums.reshape(head.shape), head != BEYOND
    at_ranks = []
    for count in (there, there & (sums == 0), sums):  # of each run; summed over topics by share
        by_run = count.reshape(-1, head.shape[2]).astype(np.float64)
        at_ranks.append(np.stack([total(part.reshape(-1, 1) * by_run, axis=0) for part in share]))
    documents, zeros, label_sums = at_ranks
    return BestRuns(s.measures, documents, zeros, label_sums)
