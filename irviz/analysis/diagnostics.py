"""What a multi-aspect measure rewards: its upper bounds, and what its best runs show on top.

After Maistro et al. 2021: CAM and MM cannot always reach 1 (section 4.2), and a measure
may call a run the best although its first documents are worth nothing on any aspect
(sections 4.3.3 and 4.3.4).  Everything here takes any measure.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.frozen import FrozenArrays
from irviz.collection.model import ABSENT, BEYOND, Collection
from irviz.errors import IrvizError
from irviz.measures.base import Measure
from irviz.scores import Scores, score

Floats = NDArray[np.float64]
MOST_ASPECTS = 6  #: 720 orders of preference


@dataclass(frozen=True, eq=False)
class UpperBounds(FrozenArrays):
    """Scores of the ideal rankings.

    Attributes
    ----------
    scores : Scores
        measures × topics × strategies; a strategy takes the place of a system.
    """

    scores: Scores

    @property
    def best(self) -> pd.DataFrame:
        """topics × measures: the highest score any strategy reaches."""
        index = pd.Index(self.scores.topics, name="topic")
        return pd.DataFrame(self.scores.values.max(axis=2).T, index=index, columns=list(self.scores.measures))

    def frame(self, low: float = 0.9) -> pd.DataFrame:
        """One row per measure: lowest, mean and highest bound, share of topics at 1 and of those below `low`."""
        best = self.best.to_numpy()
        return pd.DataFrame(
            {
                "measure": list(self.scores.measures),
                "lowest": best.min(axis=0),
                "mean": best.mean(axis=0),
                "highest": best.max(axis=0),
                "reaches_one": (best >= 1 - 1e-9).mean(axis=0),
                "below": (best < low).mean(axis=0),
            }
        )


@dataclass(frozen=True, eq=False)
class BestRuns(FrozenArrays):
    """What stands at each rank of the run that a measure calls the best of its topic.

    Attributes
    ----------
    measures : tuple of str
    documents : measures × ranks; how many documents stand there, over all topics
    zeros : measures × ranks; how many of them are at level 0 on all aspects
    label_sums : measures × ranks; the sum of their levels over documents and aspects
        Where several runs of a topic tie for the best, each counts by its share.
    """

    measures: tuple[str, ...]
    documents: Floats
    zeros: Floats
    label_sums: Floats

    def zero_aspect(self, ranks: int = 5) -> pd.DataFrame:
        """Table 5: rank (in the last rows all, "1-5"), measure, count, and percent of all documents at these ranks."""
        count = self.zeros[:, :ranks]
        whole = np.maximum(self.documents[:, :ranks].sum(axis=1, keepdims=True), 1)
        both = np.concatenate([count, count.sum(axis=1, keepdims=True)], axis=1)
        places = [*range(1, count.shape[1] + 1), f"1-{count.shape[1]}"]
        return self._tidy(places, "rank", {"count": both, "percent": 100 * both / whole})

    def quality(self, step: int = 25) -> pd.DataFrame:
        """Table 6: ranks ("1-25"), measure, and the mean sum of a document's levels (0 where no run is that long)."""
        starts = np.arange(0, self.documents.shape[1], step)
        sums, documents = (np.add.reduceat(x, starts, axis=1) for x in (self.label_sums, self.documents))
        names = [f"{a + 1}-{min(a + step, self.documents.shape[1])}" for a in starts]
        return self._tidy(names, "ranks", {"mean_label_sum": sums / np.maximum(documents, 1)})

    def _tidy(self, places: list, name: str, columns: dict[str, Floats]) -> pd.DataFrame:
        repeated = {name: np.repeat(np.array(places, dtype=object), len(self.measures))}
        repeated["measure"] = np.tile(np.array(self.measures, dtype=object), len(places))
        return pd.DataFrame(repeated | {key: value.T.ravel() for key, value in columns.items()})


def upper_bounds(c: Collection, measures: Iterable[str | Measure]) -> UpperBounds:
    """The scores of :func:`ideal_rankings`: how near 1 a measure can come on each topic."""
    return UpperBounds(score(ideal_rankings(c), list(measures)))


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


def best_runs(c: Collection, measures: Iterable[str | Measure], ranks: int = 100) -> BestRuns:
    """Look at the first `ranks` documents of each topic's best run, by each measure (Maistro et al. 2021, 4.3.3-4).

    Parameters
    ----------
    measures : expressions or measures
        With the cutoff of interest: the paper uses @5 for zero-aspect documents and @100
        for the quality of documents.

    Returns
    -------
    BestRuns

    Notes
    -----
    Labels are the grade levels, one unit apart.  Unjudged documents are at level 0 on all
    aspects; ranks beyond the end of a run hold no document.
    """
    if ranks < 1:
        raise IrvizError(f"`ranks` must be at least 1; got {ranks}.")
    s = score(c, list(measures))
    top = s.values >= s.values.max(axis=2, keepdims=True) - 1e-12
    share = top / top.sum(axis=2, keepdims=True)  # measures × topics × systems
    head = c.ranking[:, :, :ranks]
    sums = _label_sums(c)
    found = np.take_along_axis(sums, np.maximum(head, 0).reshape(len(head), -1), axis=1).reshape(head.shape)
    found = np.where(head >= 0, found, 0)
    there = head != BEYOND
    counted = [there, there & (found == 0), found]
    documents, zeros, label_sums = (np.einsum("mts,tsr->mr", share, x.astype(np.float64)) for x in counted)
    return BestRuns(s.measures, documents, zeros, label_sums)


def _label_sums(c: Collection) -> NDArray[np.int64]:
    """topics × judged documents (at least one column): the sum of the levels over the aspects."""
    sums = np.maximum(c.labels, 0).sum(axis=2, dtype=np.int64)
    return sums if sums.shape[1] else np.zeros((len(sums), 1), dtype=np.int64)


def _best_first(keys: NDArray[np.int64], judged: NDArray[np.bool_]) -> NDArray[np.int32]:
    """topics × documents: the judged ones by falling keys (topics × documents × keys, first key first), then BEYOND."""
    falling = [-keys[:, :, k] for k in range(keys.shape[2] - 1, -1, -1)]
    order = np.lexsort([*falling, ~judged], axis=1)  # the last key counts most
    counts = judged.sum(axis=1, keepdims=True)
    return np.where(np.arange(judged.shape[1]) < counts, order, BEYOND).astype(np.int32)
