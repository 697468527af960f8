"""Rank-biased overlap: of two lists, and of every list of a collection with an ideal one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError, probability
from irviz.measures.overlap import Compatibility
from irviz.portable import log, total
from irviz.stats.scores import Scores, check_collection, score


class Overlap(NamedTuple):
    """The rank-biased overlap of two lists, in [0, 1].

    Attributes
    ----------
    value : extrapolated from what the lists show
    low, high : the least and the most that it can be, whatever follows below
    """

    value: float
    low: float
    high: float


def rbo(a: Sequence[object], b: Sequence[object], *, p: float = 0.9) -> Overlap:
    r"""Rank-biased overlap of two lists of documents, or of two orders of systems (Webber, Moffat & Zobel 2010).

    .. math::

        \mathrm{RBO} = (1 - p) \sum_{d \ge 1} p^{d-1} \, |A_{1..d} \cap B_{1..d}| / d

    Parameters
    ----------
    a, b : sequences without repetition, best first; they may end at different ranks
    p : float in (0, 1), default 0.9
        Persistence; the first 1/(1 − p) ranks have most of the weight.

    Returns
    -------
    Overlap
        ``value`` is the authors' RBO_EXT for lists of uneven length, ``low`` their RBO_MIN, ``high`` that and RBO_RES.

    Raises
    ------
    IrvizError
        Where a list is empty or holds something twice.

    Examples
    --------
    >>> rbo("abc", "abc", p=0.5).value, round(rbo("abc", "bac", p=0.5).value, 6)
    (1.0, 0.5)
    """
    probability("p", p, usual=0.9)
    for name, one in (("a", a), ("b", b)):
        if not len(one) or len(set(one)) < len(one):
            raise IrvizError(f"`{name}` must be a list that is not empty and holds nothing twice.")
    short, long = sorted((list(a), list(b)), key=len)
    some, many = len(short), len(long)
    place = {one: i for i, one in enumerate(short)}
    meets = [max(i, place[one]) for i, one in enumerate(long) if one in place]
    met = np.cumsum(np.bincount(meets, minlength=many)).astype(np.float64)  # by rank, what both hold down to it
    ranks = np.arange(1, some + many + 1)
    weights = np.cumprod(np.append(1.0, np.full(some + many - 1, p)))  # p^(d − 1)
    shared, both, seen = met[-1], met[some - 1], weights[:many] / ranks[:many]
    below = -log(1 - p) / p - float(total(seen))  # Σ p^(d − 1)/d beyond the longer list
    guessed = met + both * np.maximum(ranks[:many] - some, 0) / some
    value = (1 - p) * float(total(seen * guessed)) + weights[many - 1] * p * ((shared - both) / many + both / some)
    unseen = np.maximum(ranks - some, 0) + np.maximum(ranks - many, 0)  # below their ends all may be matched
    most = np.minimum(np.pad(met, (0, some), mode="edge") + unseen, ranks)
    high = (1 - p) * float(total(weights * most / ranks)) + weights[-1] * p
    low = (1 - p) * (float(total(seen * met)) + shared * below)
    return Overlap(*(float(min(max(one, 0.0), 1.0)) for one in (value, low, high)))


def compatibility(c: Collection, *, p: float = 0.95, normalise: bool = True, aspect: str | None = None) -> Scores:
    """The measure ``Compat`` as a function: the overlap of every list with an ideal one (Clarke et al. 2021).

    Parameters
    ----------
    c : Collection
        For an ideal of preferred documents, load a qrels file of them: :func:`irviz.load_collection`.
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
    """
    check_collection(c)
    return score(c, [Compatibility(p=p, normalise=normalise, aspect=aspect)])
