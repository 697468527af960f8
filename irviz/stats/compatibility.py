"""Compatibility: how near does a list come to an ideal order of the documents that people prefer?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection
from irviz.errors import IrvizError, probability
from irviz.portable import total
from irviz.stats.scores import Scores

Floats = NDArray[np.float64]
USUAL_P = 0.95  #: of Clarke, Vtyurina & Smucker 2021


def compatibility(c: Collection, p: float = USUAL_P, normalise: bool = True, aspect: str | None = None) -> Scores:
    r"""The largest rank-biased overlap of every list with an ideal one (Clarke, Vtyurina & Smucker 2021).

    The ideal order has the documents of the highest grade first, and below them those of lower grades above 0;
    among documents of one grade it is the order of the list itself, which makes the overlap largest.  For an ideal
    of preferred documents, load a qrels file of them: :func:`irviz.load_collection`.

    .. math::

        \mathrm{RBO} = \frac{\sum_{i=1}^{D} p^{i-1} \, |I_{1..i} \cap R_{1..i}| / i}{\sum_{i=1}^{D} p^{i-1}}

    Parameters
    ----------
    c : Collection
    p : float in (0, 1), default 0.95
        Persistence: smaller values look at fewer ranks.
    normalise : bool, default True
        Divides by the overlap of the ideal with itself, so that the best possible list scores 1.
    aspect : str, optional
        The aspect whose grades make the ideal; by default the first.

    Returns
    -------
    Scores
        One measure, such as ``Compat(p=0.95)``, in [0, 1]; 0 where a topic has no document with a grade above 0.

    Notes
    -----
    D is the length of the list or of the ideal, whichever is longer, as in the authors' program.  Equal run scores
    are in the order of the collection's tie rule.
    """
    if not isinstance(c, Collection):
        raise IrvizError(f"Compatibility is computed from a collection; got {type(c).__name__}.")
    probability("p", p, usual=USUAL_P)
    place = c.aspect_index(aspect)
    values = np.stack([_of_topic(c.ranking[t], c.labels[t, :, place], p, normalise) for t in range(len(c.topics))])
    said = [
        f"p={p:g}",
        *([] if normalise else ["normalise=False"]),
        *([] if aspect is None else [f"aspect={aspect!r}"]),
    ]
    return Scores(values[None], (f"Compat({','.join(said)})",), c.topics, c.systems)


def _of_topic(ranking: NDArray[np.int32], labels: NDArray[np.int16], p: float, normalise: bool) -> Floats:
    """By system.

    Parameters
    ----------
    ranking : systems × ranks
    labels : of the judged documents, on one aspect
    """
    relevant = int((labels > 0).sum())
    if not relevant:
        return np.zeros(len(ranking))
    levels = np.where(ranking >= 0, labels[np.maximum(ranking, 0)], 0)
    lengths = (ranking > BEYOND).sum(axis=1)
    deepest = int(max(ranking.shape[1], relevant))
    met = np.full(levels.shape, -1)  # the rank, from 0, at which both lists have the document
    for level in np.unique(labels[labels > 0]).tolist():
        here = levels == level
        ideal = int((labels > level).sum()) + np.cumsum(here, axis=1) - 1
        met = np.where(here, np.maximum(np.arange(levels.shape[1]), ideal), met)
    systems = np.repeat(np.arange(len(ranking)), levels.shape[1]).reshape(levels.shape)
    known = met >= 0
    added = np.bincount((systems * deepest + met)[known], minlength=len(ranking) * deepest)
    overlap = np.cumsum(added.reshape(len(ranking), deepest), axis=1)
    ranks = np.arange(1, deepest + 1)
    weights = np.cumprod(np.append(1.0, np.full(deepest - 1, p)))
    seen = np.where(ranks <= np.maximum(lengths, relevant)[:, None], weights, 0.0)
    best = np.minimum(ranks, relevant) / ranks if normalise else np.ones(deepest)
    return total(seen * (overlap / ranks)) / total(seen * best)
