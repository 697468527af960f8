"""Gain and weight by rank, for every kind of measure that is a sum of gain times weight over ranks.

The weight may depend on what stands above (AP, ERR, Bpref), on the whole pool (recall) or on
how the user reads (C/W/L/A).  A harmonic mean of several scores is no such sum.
"""

from __future__ import annotations

from functools import singledispatch
from math import comb
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError, unknown
from irviz.measures import measure
from irviz.measures.aggregation import MaximumRelevance, PeakEnd, WeightedGains
from irviz.measures.arithmetic import Array, log2_of_ranks, powers_like
from irviz.measures.aspect_means import CAM
from irviz.measures.average_precision import AP, RR, Bpref, RPrecision
from irviz.measures.browsing import ERRModel
from irviz.measures.cascade import ERR, RBP
from irviz.measures.cumulated_gain import DCG, NDCG
from irviz.measures.cwla import CWLA, INST
from irviz.measures.graded_ap import EGAP, GAP, XGAP, FoundDocuments, GradedAP
from irviz.measures.judged import BinaryTopic, Judged, Topic, padded
from irviz.measures.language.base import Measure
from irviz.measures.sets import FMeasure, GeneralisedPrecision, GeneralisedRecall, Precision, Recall
from irviz.measures.toma import TOMA
from irviz.measures.total_orders import RBTO, SBTO
from irviz.portable import total

Floats = NDArray[np.float64]


class Parts(NamedTuple):
    """Of one run, by rank: what a document is worth, and how much of that the score takes."""

    gain: Floats
    weight: Floats


def ideal_gains(one: NDCG, judged: Judged) -> Floats:
    """The gains of the ideal list."""
    return judged.ideal(one.table(judged), min(one.cutoff or len(judged.labels), len(judged.labels)))


def discounts(depth: int) -> Floats:
    """log2(i + 1) for i = 1 … depth."""
    return log2_of_ranks(np.empty(0), 2, depth + 1)


@singledispatch
def parts(one: Measure, judged: Judged) -> Parts:
    """Gain and weight at every rank of the only run of `judged`, as far as it is looked at.

    Registered for every kind of measure that is a sum over ranks; others are refused.
    """
    raise IrvizError(
        f"{one} is not known as a sum of what each rank adds, so it cannot be taken apart. "
        f"If it is made of several measures, look at those one by one."
    )


def as_parts(gain: Array, adds: Array) -> Parts:
    """A weight for what is added: 0 where there is no gain."""
    return Parts(gain, np.divide(adds, gain, out=np.zeros(len(gain)), where=gain > 0))


def _share(weight: Array, whole: float) -> Array:
    """weight / whole; 0 where nothing is relevant."""
    return weight / whole if whole > 0 else np.zeros_like(weight)


# -- sets ------------------------------------------------------------------------------------


@parts.register(Precision)
@parts.register(Recall)
@parts.register(FMeasure)
def _(one: Precision | Recall | FMeasure, judged: Judged) -> Parts:
    gain = judged.head(one.cutoff).relevant(one.rel)[0]
    length, relevant = float(one.length(judged)), float(judged.pool_gain(judged.binary(one.rel)))
    each = np.ones(len(gain))
    if isinstance(one, Precision):
        return Parts(gain, each / length)
    if isinstance(one, Recall):
        return Parts(gain, _share(each, relevant))
    return Parts(gain, 2 * each / (length + relevant))


@parts.register(GeneralisedPrecision)
@parts.register(GeneralisedRecall)
def _(one: GeneralisedPrecision | GeneralisedRecall, judged: Judged) -> Parts:
    table = judged.gain_shares(one.gains)
    gain = judged.head(one.cutoff).gains(table)[0]
    each = np.ones(len(gain))
    if isinstance(one, GeneralisedPrecision):
        return Parts(gain, each / float(one.cutoff or judged.depth))
    return Parts(gain, _share(each, float(judged.pool_gain(table))))


# -- binary, along the ranking ---------------------------------------------------------------


@parts.register
def _(one: AP, judged: Judged) -> Parts:
    top, table = judged.head(one.cutoff), judged.binary(one.rel)
    precision = top.cumulated_gains(table)[0] / top.ranks()
    return Parts(top.gains(table)[0], _share(precision, float(judged.pool_gain(table))))


@parts.register
def _(one: RR, judged: Judged) -> Parts:
    top = judged.head(one.cutoff)
    gain = top.relevant(one.rel)[0]
    first = np.cumsum(gain) <= 1
    return Parts(gain, np.where(first & (gain > 0), 1 / top.ranks(), 0.0))


@parts.register
def _(one: RPrecision, judged: Judged) -> Parts:
    gain, base = judged.relevant(one.rel)[0], one.recall_base(judged)
    return Parts(gain, _share((np.arange(len(gain)) < base).astype(np.float64), float(base)))


@parts.register
def _(one: Bpref, judged: Judged) -> Parts:
    gain = judged.relevant(one.rel)[0]
    base = one.recall_base(judged)
    bound = min(base, int(judged.pool().sum()) - base)
    above = np.minimum(np.cumsum(judged.judged_nonrelevant(one.rel)[0]), base)
    return Parts(gain, _share(1 - above / max(1, bound) * (bound > 0), base))


# -- graded, along the ranking ---------------------------------------------------------------


@parts.register
def _(one: NDCG, judged: Judged) -> Parts:
    top, best = judged.head(one.cutoff), ideal_gains(one, judged)
    ideal = float(total(best / discounts(len(best))))
    return Parts(top.gains(one.table(judged))[0], _share(1 / discounts(top.depth), ideal))


@parts.register
def _(one: DCG, judged: Judged) -> Parts:
    top = judged.head(one.cutoff)
    return Parts(top.gains(one.table(judged))[0], 1 / one.divisors(judged, top.depth))


@parts.register
def _(one: RBP, judged: Judged) -> Parts:
    top, p = judged.head(one.cutoff), float(one.p)
    return Parts(top.gains(one.table(judged))[0], (1 - p) * powers_like(judged.numbers([]), p, top.depth))


@parts.register
def _(one: ERR, judged: Judged) -> Parts:
    top = judged.head(one.cutoff)
    stop = top.gains(one.table(judged))[0]
    reached = np.concatenate([[1.0], np.cumprod(1 - stop)[:-1]])
    return Parts(stop, reached / top.ranks())


@parts.register(GAP)
@parts.register(XGAP)
@parts.register(EGAP)
def _(one: GradedAP, judged: Judged) -> Parts:
    g, top = one.thresholds(judged), judged.head(one.cutoff)
    levels = top.levels()[0]
    gain = np.cumsum(g)[levels]  # how likely it is that a user finds the document relevant
    if one.nobody(judged, g):
        return Parts(gain, np.zeros(len(gain)))
    found, bases = FoundDocuments(top), one.recall_bases(judged)
    adds = np.zeros(len(gain))
    adds[levels > 0] = _graded(one, judged, g, bases, found)
    return as_parts(gain, adds)


def _graded(one: GradedAP, judged: Judged, g: list[float], bases: list[int], found: FoundDocuments) -> Array:
    """What each document above level 0 adds."""
    users = range(1, len(g))
    if isinstance(one, EGAP):
        return total(np.stack([g[k] * found.precision(k) / bases[k] for k in users if bases[k]]), axis=0)
    shared = total(np.stack([g[k] * found.precision(k) for k in users]), axis=0)
    if isinstance(one, XGAP):
        return np.array(one.selection(judged, g))[found.level] * shared
    return shared / total(np.array([g[k] * bases[k] for k in users]))


# -- total orders ----------------------------------------------------------------------------


@parts.register
def _(one: RBTO, judged: Judged) -> Parts:
    window, digits, top = one.window(judged)[0], one.digits(judged), one.maximum(judged) or 1
    gain = np.array(digits, dtype=np.float64)[window]
    base, n = max(2, len(judged.grades)), len(window)
    return Parts(gain, np.array([base ** (n - i) / top for i in range(1, n + 1)]))


@parts.register
def _(one: SBTO, judged: Judged) -> Parts:
    window, top = one.window(judged)[0], one.maximum(judged) or 1
    order = np.argsort(-window, kind="stable")  # eq. (2) takes documents of the best grades first
    adds = np.zeros(len(window))
    n = len(window)
    adds[order] = [comb(int(level) + n - j, n - j + 1) / top for j, level in enumerate(window[order], start=1)]
    return as_parts(window.astype(np.float64), adds)


# -- users -----------------------------------------------------------------------------------


@parts.register
def _(one: CWLA, judged: Judged) -> Parts:
    walk, reading = one.walk(judged), one.reading(judged)
    gain = walk.gains[0]
    last, survival = (np.broadcast_to(part, walk.gains.shape)[0] for part in (reading.last, reading.survival))
    if isinstance(one.A, WeightedGains):
        weight = np.array(list(one.A.weights_upwards(last)))[::-1]
        if one.A.per_item:
            items = float(np.broadcast_to(one.expected_items(judged), (1,))[0])
            weight = _share(weight, items)
        return Parts(gain, weight)
    rise = np.diff(walk.peak[0], prepend=0.0)  # a peak is the sum of its rises
    if isinstance(one.A, MaximumRelevance):
        return as_parts(gain, survival * rise)
    if isinstance(one.A, PeakEnd):
        return as_parts(gain, one.A.beta * survival * rise + (1 - one.A.beta) * last * gain)
    if isinstance(one.C, ERRModel):
        return as_parts(gain, _satisfied(gain) / walk.ranks)
    raise IrvizError(
        f"{one} counts the rank where the user stops, not the document there, so no document adds anything. "
        f"Take another aggregation, or C=ERR."
    )


def _satisfied(gain: Floats) -> Floats:
    """By rank, the probability that C=ERR's user stops there satisfied, not because the list ends."""
    return gain * np.concatenate([[1.0], np.cumprod(1 - gain)[:-1]])


@parts.register
def _(one: INST, judged: Judged) -> Parts:
    return parts(one.spelled_out(), judged)


# -- One score of one list, rank by rank -----------------------------------------------------------


def contributions(c: Collection, name: str | Measure, topic: str, system: str) -> pd.DataFrame:
    """What each rank of one list adds to one score.

    Parameters
    ----------
    c : Collection
    name : expression or measure
    topic, system : str

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
        For MM, a harmonic mean, and for C/W/L/A with A=ERR unless C=ERR: there the rank
        where the user stops counts, not the document there.

    Notes
    -----
    The sum of `adds` is the score to within rounding, some units in its last place: the
    score is added up in another order, and divided once.  The gain of a C/W/L/A measure with
    A=max or A=PE is the document's own; its weight is what it adds over that.  CAM's gain is
    the mean of the gains on the aspects.
    """
    one = name if isinstance(name, Measure) else measure(name)
    for what, given, known in (("topic", topic, c.topics), ("system", system, c.systems)):
        if given not in known:
            raise unknown(what, given, known)
    seen = Topic(c.subset(systems=[system]), c.topics.index(topic))
    gain, weight = _of_topic(one, seen)
    length = int((seen.ranking[0] >= -1).sum())
    gain, weight = (np.asarray(padded(part, length), dtype=np.float64) for part in (gain, weight))
    adds = gain * weight
    frame = pd.DataFrame(
        {"rank": np.arange(1, length + 1), "gain": gain, "weight": weight, "adds": adds, "total": np.cumsum(adds)}
    )
    score = float(one.score(seen)[0])
    if isinstance(one, NDCG):
        frame = _with_ideal(frame, one, seen.aspect(one.aspect))
    frame.attrs["score"] = score
    return frame


def _with_ideal(frame: pd.DataFrame, one: NDCG, judged: Judged) -> pd.DataFrame:
    """DCG and the ideal list's, down to each rank and in whole."""
    own = (frame.gain / discounts(len(frame))).to_numpy()
    best = np.pad(ideal_gains(one, judged), (0, len(frame)))[: max(len(frame), len(judged.labels))]
    best = best / discounts(len(best))
    frame = frame.assign(dcg=np.cumsum(own), ideal_dcg=np.cumsum(best)[: len(frame)])
    frame.attrs |= {"dcg": float(total(own)), "ideal_dcg": float(total(best))}
    return frame


def _of_topic(one: Measure, topic: Topic) -> Parts:
    """The parts of a measure that may score several aspects."""
    if isinstance(one, TOMA):
        return parts(one.base, one.judged(topic))
    if not isinstance(one, CAM):
        return parts(one, topic.aspect(one.aspect))
    seen = BinaryTopic(topic) if one.binary else topic
    shares = np.array(one.shares(topic.aspects))
    found = [_of_topic(base, seen) for base in one.bases(topic.aspects)]
    shares = shares / total(shares)
    gain = total(np.stack([share * part.gain for share, part in zip(shares, found, strict=True)]), axis=0)
    adds = [share * part.gain * part.weight for share, part in zip(shares, found, strict=True)]
    return as_parts(gain, total(np.stack(adds), axis=0))
