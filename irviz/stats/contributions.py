"""One score of one list taken apart: what each rank adds."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, is_number
from irviz.measures import measure
from irviz.measures.arithmetic import Array, log2_of_ranks
from irviz.measures.judged import Topics
from irviz.measures.language.base import Measure
from irviz.measures.sets import retrieved
from irviz.portable import total
from irviz.stats.scores import check_collection


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
        For MM, a harmonic mean, and for C/W/L/A with A=ERR unless C=ERR: there the rank
        where the user stops counts, not the document there.

    Notes
    -----
    The sum of `adds` is the score to within rounding, some units in its last place: the
    score is added up in another order, and divided once.  The gain of a C/W/L/A measure with
    A=max or A=PE is the document's own; its weight is what it adds over that.  CAM's gain is
    the mean of the gains on the aspects.
    """
    one, topic, system = measure(expression), str(topic), str(system)
    for what, given, known in (("topic", topic, c.topics), ("system", system, c.systems)):
        choose(what, given, known)
    seen = Topics(c.subset(systems=[system]), [c.topics.index(topic)])
    gain, weight = one.parts_of(seen)
    length = int((seen.ranking[0] >= -1).sum())
    gain, weight = (np.pad(part[:length], (0, max(0, length - len(part)))).astype(float) for part in (gain, weight))
    adds = gain * weight
    frame = pd.DataFrame(
        {"rank": np.arange(1, length + 1), "gain": gain, "weight": weight, "adds": adds, "total": np.cumsum(adds)}
    )
    score = float(one.score(seen)[0])
    ideal = one.ideal_gains(seen.aspect(one.aspect))
    if ideal is not None:
        frame = _with_ideal(frame, ideal)
    frame.attrs["score"] = score
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


def counts(c: Collection, *, rel: float = 1, aspect: str | None = None) -> pd.DataFrame:
    """Numbers of documents behind the scores, as trec_eval's num_ret, num_rel and num_rel_ret.

    Parameters
    ----------
    c : Collection
    rel : float, default 1
        The smallest grade that counts as relevant.
    aspect : str, optional
        By default the first.

    Returns
    -------
    DataFrame
        One row per topic and system: ``topic``, ``system``, ``num_ret``, ``num_rel``, ``num_rel_ret``.
    """
    check_collection(c)
    if not is_number(rel) or rel <= 0:
        raise IrvizError(f"`rel` must be a number above 0; got {rel!r}.")
    judged = Topics(c, slice(None)).aspect(aspect)
    names = pd.MultiIndex.from_product([c.topics, c.systems], names=["topic", "system"]).to_frame(index=False)
    base = judged.pool_gain(judged.binary(rel)).astype(np.int64)
    return names.assign(num_ret=retrieved(judged), num_rel=base, num_rel_ret=judged.hits(rel).counts)
