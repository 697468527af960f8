"""The top documents of a measure's best runs (Maistro et al. 2021, sections 4.3.3 and 4.3.4).

A measure may give the highest score to a run whose first documents are worthless on every aspect.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.language.base import Measure
from irviz.portable import total
from irviz.stats.results import FrozenArrays
from irviz.stats.scores import score

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BestRuns(FrozenArrays):
    """The documents at each rank of the run that scores highest on its topic under a measure.

    Attributes
    ----------
    measures : tuple of str
    documents : measures × ranks; how many documents are there, over all topics
    zeros : measures × ranks; how many of them are at level 0 on all aspects
    label_sums : measures × ranks; the sum of their levels over documents and aspects
        Where several runs of a topic tie for the best, each counts by its share.
    """

    measures: tuple[str, ...]
    documents: Floats
    zeros: Floats
    label_sums: Floats

    def quality(self, step: int = 25) -> pd.DataFrame:
        """Table 6: ranks ("1-25"), measure, and the mean sum of a document's levels (0 where no run is that long)."""
        starts = np.arange(0, self.documents.shape[1], step)
        sums, documents = (np.add.reduceat(x, starts, axis=1) for x in (self.label_sums, self.documents))
        names = np.array([f"{a + 1}-{min(a + step, self.documents.shape[1])}" for a in starts], dtype=object)
        return pd.DataFrame(
            {
                "ranks": np.repeat(names, len(self.measures)),
                "measure": np.tile(np.array(self.measures, dtype=object), len(names)),
                "mean_label_sum": (sums / np.maximum(documents, 1)).T.ravel(),
            }
        )


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
    documents, zeros, label_sums = (_shared_out(share, x) for x in counted)
    return BestRuns(s.measures, documents, zeros, label_sums)


def _shared_out(share: Floats, found: NDArray[Any]) -> Floats:
    """measures × ranks: what is found at each rank, by the share of the run and summed over topics."""
    by_run = found.reshape(-1, found.shape[2]).astype(np.float64)
    return np.stack([total(part.reshape(-1, 1) * by_run, axis=0) for part in share])


def _label_sums(c: Collection) -> NDArray[np.int64]:
    """topics × judged documents (at least one column): the sum of the levels over the aspects."""
    sums = np.maximum(c.labels, 0).sum(axis=2, dtype=np.int64)
    return sums if sums.shape[1] else np.zeros((len(sums), 1), dtype=np.int64)
