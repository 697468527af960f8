"""How high can a measure get on a topic, however its judged documents are ranked?

After Maistro et al. 2021, section 4.2 and Figure 2: CAM and MM cannot always reach 1, since
the best order for one aspect need not be the best for another.  The paper looks at ideal
rankings, which put all judged documents best first in several ways; a few of them say what can be
reached, but not what cannot.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.aspects.exchanges import improved
from irviz.analysis.aspects.limits import score_bound
from irviz.analysis.aspects.terms import Additive, Order, Precisions, Task, taken_apart
from irviz.analysis.frozen import FrozenArrays
from irviz.collection.model import ABSENT, BEYOND, Collection
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.judged import Topic
from irviz.measures.language.base import Measure
from irviz.portable import mean, total
from irviz.scores import Scores, score
from irviz.workers import Progress, Workers, run, takes

Floats = NDArray[np.float64]
STARTS = 3  #: orders from which exchanges are tried
MOST_ASPECTS = 6  #: 720 orders of preference
SAME_SCORE = 1e-9  #: a limit this near what was found is reached but for rounding


@dataclass(frozen=True, eq=False)
class UpperBounds(FrozenArrays):
    """How high each measure can get on each topic.

    Attributes
    ----------
    scores : Scores
        measures × topics × strategies: the ideal rankings; a strategy takes the place of a system.
    found : measures × topics; the highest score of any order that was found
    limit : measures × topics; proven: no order of the judged documents scores higher
    exact : measures × topics; whether the one is the other: the maximum is known
    """

    scores: Scores
    found: Floats
    limit: Floats
    exact: NDArray[np.bool_]

    @property
    def best(self) -> pd.DataFrame:
        """topics × measures: the highest score found; the maximum where `exact`."""
        index = pd.Index(self.scores.topics, name="topic")
        return pd.DataFrame(self.found.T, index=index, columns=list(self.scores.measures))

    def frame(self, low: float = 0.9) -> pd.DataFrame:
        """One row per measure.

        lowest, mean and highest score found; reaches_one: share of topics on which 1 is reached; below: share on
        which no order reaches `low`; exact: share on which the maximum is known.
        """
        return pd.DataFrame(
            {
                "measure": list(self.scores.measures),
                "lowest": self.found.min(axis=1),
                "mean": mean(self.found),
                "highest": self.found.max(axis=1),
                "reaches_one": (self.found >= 1 - SAME_SCORE).mean(axis=1),
                "below": (self.limit < low).mean(axis=1),
                "exact": self.exact.mean(axis=1),
            }
        )


@takes(lambda c, measures, **_: 0.02 * len(c.topics) * len(list(measures)))
def upper_bounds(
    c: Collection,
    measures: Iterable[str | Measure],
    progress: Progress | None = None,
    workers: Workers = None,
) -> UpperBounds:
    """The highest score of each measure on each topic, over all orders of the judged documents.

    Parameters
    ----------
    c : Collection
    measures : expressions or measures
    workers : a number, or the name of a joblib backend, optional
        The workers that search; see :func:`irviz.workers.run`.

    Returns
    -------
    UpperBounds

    Notes
    -----
    CAM of an additive measure (a sum of rank weights and gains: precision, nDCG, RBP …) has
    its maximum by sorting, and so has CAM of AP over two aspects by a count of the documents
    above.  Everything else is searched: from the best of the ideal rankings, two documents
    are exchanged wherever that raises the score, until no exchange does.  With the score found
    comes a limit that no order can exceed (:mod:`irviz.analysis.aspects.limits`); if
    they are equal, the maximum is known.
    """
    ideal = ideal_rankings(c)
    scores = score(ideal, list(measures))
    wanted = [measure(name) for name in scores.measures]
    pieces = [(m, t) for m in range(len(wanted)) for t in range(len(c.topics))]
    found = run(
        partial(_highest, c, ideal, wanted),
        pieces,
        workers,
        progress,
        lambda piece: f"{scores.measures[piece[0]]}, topic {c.topics[piece[1]]}",
    )
    pairs = np.array(found).reshape(len(wanted), len(c.topics), 2)
    reached = np.maximum(pairs[:, :, 0], scores.values.max(axis=2))
    exact = pairs[:, :, 1] <= reached + SAME_SCORE
    return UpperBounds(scores, reached, np.where(exact, reached, pairs[:, :, 1]), exact)


def _highest(c: Collection, ideal: Collection, measures: list[Measure], piece: tuple[int, int]) -> tuple[float, float]:
    """The highest score found, and the limit."""
    task = Task(c, piece[1], measures[piece[0]])
    form = taken_apart(task)
    documents = task.documents
    if form is not None:  # what is worth nothing to any part may as well be left out
        documents = documents[form.worth[:, documents].any(axis=0)]
    if not len(documents):
        return 0.0, 0.0
    orders = _starts(task, ideal, form, documents)
    values = task.scores(orders)
    best, first = float(values.max()), orders[int(values.argmax())]
    if len(np.unique(task.kinds[documents])) == 1:
        return best, best
    reached = np.array([task.scores([first], part.measure)[0] for part in task.parts])
    most = score_bound(task, form, documents, reached)
    if most.order is not None:
        best = max(best, float(task.scores([most.order])[0]))
    for i in np.argsort(-values, kind="stable")[:STARTS]:
        if best < most.value - SAME_SCORE:
            best = max(best, float(task.scores([improved(task, form, orders[i])])[0]))
    return best, most.value


def _starts(task: Task, ideal: Collection, form: Additive | Precisions | None, documents: Order) -> list[Order]:
    """The ideal rankings of the topic, different ones only; TOMA's own order; the order of the weighted worth."""
    ranked = ideal.ranking[task.topic]
    orders = [row[np.isin(row, documents)].astype(np.intp) for row in ranked]
    levels = task.measure.document_levels(Topic(task.collection, task.topic))
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
