"""One score of one list, rank by rank."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.additive.parts import Parts, as_parts, discounts, ideal_gains, parts
from irviz.collection.model import Collection
from irviz.errors import unknown
from irviz.measures import Measure, measure
from irviz.measures.aspects.means import CAM
from irviz.measures.aspects.toma import TOMA
from irviz.measures.cumulated_gain import NDCG
from irviz.measures.judged import BinaryTopic, Judged, Topic, padded
from irviz.portable import total


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
