"""Single lists: what each rank adds to a score; and two lists compared without a measure.

Two lists are compared by their overlap and by dominance.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, number_of, probability
from irviz.measures import measure
from irviz.measures.arithmetic import Array, log2_of_ranks
from irviz.measures.judged_lists import Topics
from irviz.measures.language.base import Measure
from irviz.measures.overlap import Compatibility
from irviz.portable import log, total
from irviz.stats.results import FrozenArrays
from irviz.stats.scores import Scores, check_collection, score
from irviz.workers import Progress, batches

# -- One score taken apart ---------------------------------------------------------------------------


def contributions(c: Collection, expression: str | Measure, topic: str | int, system: str | int) -> pd.DataFrame:
    """Decompose one score: what each rank of the list adds.

    Parameters
    ----------
    c : Collection
    expression : expression or measure
    topic, system : str or int

    Returns
    -------
    DataFrame
        One row per rank: ``rank``, ``gain``, ``weight``, ``adds`` (gain × weight) and ``total``, the
        sum of `adds` down to there.  nDCG also has ``dcg`` and ``ideal_dcg``, both summed down
        to there: `total` is `dcg` over the `ideal_dcg` of the whole ideal list.  ``attrs`` has
        the ``score`` itself, and for nDCG ``dcg`` and ``ideal_dcg`` of the whole lists.

    Raises
    ------
    IrvizError
        For MM, a harmonic mean, and for C/W/L/A with A=ERR unless C=ERR, which counts the rank where the user stops,
        not the document there.

    Notes
    -----
    The sum of `adds` is the score up to rounding, since the order of summation differs.  The gain of a C/W/L/A measure
    with A=max or A=PE is the document's own; its weight is `adds` over that gain.  CAM's gain is the mean of the gains
    on the aspects.
    """
    one, topic, system = measure(expression), str(topic), str(system)
    for what, given, known in (("topic", topic, c.topics), ("system", system, c.systems)):
        choose(what, given, known)
    seen = Topics(c.subset(systems=[system]).in_one_order(), [c.topics.index(topic)])
    gain, weight = one.parts_of(seen)
    length = int(seen.ranked_lists.lists.lengths[0])
    gain, weight = (np.pad(part[:length], (0, max(0, length - len(part)))).astype(float) for part in (gain, weight))
    adds = gain * weight
    frame = pd.DataFrame(
        {"rank": np.arange(1, length + 1), "gain": gain, "weight": weight, "adds": adds, "total": np.cumsum(adds)}
    )
    ideal = one.ideal_gains(seen.aspect(one.aspect))
    if ideal is not None:
        frame = _with_ideal(frame, ideal)
    frame.attrs["score"] = float(one.score(seen)[0])
    return frame


def _with_ideal(frame: pd.DataFrame, ideal: Array) -> pd.DataFrame:
    """DCG and the ideal list's, down to each rank and in whole."""
    own = (frame.gain / _discounts(len(frame))).to_numpy()
    best = np.pad(ideal, (0, max(0, len(frame) - len(ideal)))) / _discounts(max(len(ideal), len(frame)))
    frame = frame.assign(dcg=np.cumsum(own), ideal_dcg=np.cumsum(best)[: len(frame)])
    frame.attrs |= {"dcg": float(total(own)), "ideal_dcg": float(total(best))}
    return frame


def _discounts(depth: int) -> Array:
    """log2(i + 1) for i = 1 … depth."""
    return log2_of_ranks(np.empty(0), 2, depth + 1)


# -- Rank-biased overlap: of two lists, and of every list of a collection with an ideal one --------


class Overlap(NamedTuple):
    """The rank-biased overlap of two lists, in [0, 1].

    Attributes
    ----------
    value : extrapolated from the lists
    low, high : the limits over everything that can follow below
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
        If a list is empty, holds something twice, or holds a set or a list (ties are not supported).

    Examples
    --------
    >>> rbo("abc", "abc", p=0.5).value, round(rbo("abc", "bac", p=0.5).value, 6)
    (1.0, 0.5)
    """
    probability("p", p, usual=0.9)
    for name, documents in (("a", a), ("b", b)):
        if any(isinstance(document, Set) or not isinstance(document, Hashable) for document in documents):
            raise IrvizError(f"`{name}` holds a group of documents. Give every document its own rank.")
        if not len(documents) or len(set(documents)) < len(documents):
            raise IrvizError(f"`{name}` must be a list that is not empty and holds nothing twice.")
    short, long = sorted((list(a), list(b)), key=len)
    short_size, long_size = len(short), len(long)
    place = {document: i for i, document in enumerate(short)}
    meets = [max(i, place[document]) for i, document in enumerate(long) if document in place]
    met = np.cumsum(np.bincount(meets, minlength=long_size)).astype(np.float64)  # by rank, the overlap down to it
    ranks = np.arange(1, short_size + long_size + 1)
    weights = np.cumprod(np.append(1.0, np.full(short_size + long_size - 1, p)))  # p^(d − 1)
    shared, both, terms = met[-1], met[short_size - 1], weights[:long_size] / ranks[:long_size]
    below = -log(1 - p) / p - float(total(terms))  # Σ p^(d − 1)/d beyond the longer list
    guessed = met + both * np.maximum(ranks[:long_size] - short_size, 0) / short_size
    value = (1 - p) * float(total(terms * guessed)) + weights[long_size - 1] * p * (
        (shared - both) / long_size + both / short_size
    )
    unseen = np.maximum(ranks - short_size, 0) + np.maximum(ranks - long_size, 0)  # beyond both ends all may match
    most = np.minimum(np.pad(met, (0, short_size), mode="edge") + unseen, ranks)
    high = (1 - p) * float(total(weights * most / ranks)) + weights[-1] * p
    low = (1 - p) * (float(total(terms * met)) + shared * below)
    return Overlap(*(float(min(max(bound, 0.0), 1.0)) for bound in (value, low, high)))


def compatibility(c: Collection, *, p: float = 0.95, normalise: bool = True, aspect: str | None = None) -> Scores:
    """The measure ``Compat`` as a function: the overlap of every list with an ideal one (Clarke et al. 2021).

    Parameters
    ----------
    c : Collection
        For an ideal of preferred documents, load a qrels file of them: :func:`irviz.load_collection`.
    p : float in (0, 1), default 0.95
        Persistence: smaller values look at fewer ranks.
    normalise : bool, default True
        Divides by the overlap of the ideal with itself, so the best list scores 1.
    aspect : str, optional
        The aspect whose grades make the ideal; by default the first.

    Returns
    -------
    Scores
        One measure, such as ``Compat(p=0.95)``, in [0, 1]; 0 where a topic has no document with a grade above 0.
    """
    check_collection(c)
    return score(c, [Compatibility(p=p, normalise=normalise, aspect=aspect)])


# -- Dominance: one list holds at least as much as another at every rank ---------------------------
#
# A list dominates another on a topic if, down to every rank and for every grade, it has at least as many documents of
# that grade or better.  Every measure that rewards replacing a document by a better one and swapping a better document
# upwards (Ferrante, Ferro & Maistro 2015) then scores it at least as high.

Counts = NDArray[np.int32]  #: lists × levels above the lowest × ranks: documents of that level or better so far
VERDICTS = ("first", "second", "equal", "undecided")
_CELLS = 1 << 24  #: comparisons made together


@dataclass(frozen=True, eq=False)
class Dominance(FrozenArrays):
    """Dominance between the lists of two systems, topic by topic.

    Attributes
    ----------
    first, second : str
    topics : tuple of str
    verdicts : tuple of str, one per topic
        "first" or "second" dominates; "equal": the same grade at every rank; "undecided".
    first_behind, second_behind : int, one per topic
        The first rank at which that list holds fewer documents of some grade or better; 0 if there is none.
    """

    first: str
    second: str
    topics: tuple[str, ...]
    verdicts: tuple[str, ...]
    first_behind: NDArray[np.int64]
    second_behind: NDArray[np.int64]

    def _summary(self) -> str:
        ahead, behind = self.count("first"), self.count("second")
        return f"{self.first} on {ahead} of {number_of(len(self.topics), 'topic')}, {self.second} on {behind}"

    def count(self, verdict: str) -> int:
        """The number of topics with this verdict."""
        return self.verdicts.count(verdict)

    def frame(self) -> pd.DataFrame:
        """One row per topic: topic, verdict, first_behind, second_behind."""
        columns = {"verdict": self.verdicts, "first_behind": self.first_behind, "second_behind": self.second_behind}
        return pd.DataFrame({"topic": self.topics, **columns})


def dominance(c: Collection, first: str, second: str, *, aspect: str | None = None) -> Dominance:
    """Compare two systems' lists topic by topic without any measure.

    Parameters
    ----------
    c : Collection
    first, second : str
        Names of systems.
    aspect : str, optional
        The aspect whose grades count; default the first.

    Returns
    -------
    Dominance

    Notes
    -----
    Unjudged documents, grades below zero and ranks past the end of a list count as grade 0.
    """
    check_collection(c)
    for name in (first, second):
        choose("system", name, c.systems)
    if first == second:
        raise IrvizError(f"A list is compared with another one; got {first} twice.")
    pair = [c.systems.index(first), c.systems.index(second)]
    down_to = (_documents_so_far(c, t, pair, aspect) for t in range(len(c.topics)))
    behind_first, behind_second = np.array(list(map(_first_behind, down_to)), dtype=np.int64).reshape(-1, 2).T
    verdicts = tuple(
        VERDICTS[2 if not a and not b else 0 if not a else 1 if not b else 3]
        for a, b in zip(behind_first.tolist(), behind_second.tolist(), strict=True)
    )
    return Dominance(first, second, c.topics, verdicts, behind_first, behind_second)


def dominated_shares(c: Collection, aspect: str | None = None, progress: Progress | None = None) -> NDArray[np.float64]:
    """systems × systems: the share of topics on which the row's list dominates the column's and differs from it."""
    check_collection(c)
    systems = range(len(c.systems))
    won = np.zeros((len(c.systems), len(c.systems)))
    for t in range(len(c.topics)):
        so_far = _documents_so_far(c, t, systems, aspect)
        flat = so_far.reshape(len(so_far), -1)
        deciding = flat[:, (flat != flat[:1]).any(axis=0)]  # places where all lists agree are left out
        ahead = np.ones((len(deciding), len(deciding)), dtype=np.bool_)
        for some in batches(len(deciding), deciding.size, _CELLS):
            ahead[some] = (deciding[some, None] >= deciding[None]).all(axis=2)
        won += ahead & ~ahead.T
        if progress is not None:
            progress((t + 1) / len(c.topics), f"Compared the lists of topic {c.topics[t]}")
    return won / max(1, len(c.topics))


def _documents_so_far(c: Collection, topic: int, systems: Sequence[int], aspect: str | None) -> Counts:
    """Documents of each level or better among the first documents of some lists."""
    place = c.aspect_index(aspect)
    labels = np.maximum(c.labels[topic, :, place], 0)
    ranking = c.ranking[topic][np.array(systems)]
    ranking = ranking[:, : max(1, int((ranking != BEYOND).sum(axis=1).max(initial=0)))]
    level = np.where(ranking >= 0, labels[np.maximum(ranking, 0)] if len(labels) else 0, 0)
    above = np.arange(1, max(2, int(labels.max(initial=0)) + 1))
    return np.cumsum(level[:, None, :] >= above[None, :, None], axis=2, dtype=np.int32)


def _first_behind(counts: Counts) -> tuple[int, int]:
    """For two lists, the first rank (from 1) where each is behind the other; 0 if there is none."""
    less = (counts[0] < counts[1]).any(axis=0), (counts[1] < counts[0]).any(axis=0)
    return tuple(int(behind.argmax()) + 1 if behind.any() else 0 for behind in less)  # type: ignore[return-value]
