"""How similarly do two measures rank the systems?

Overall: average over topics first, then correlate.  Topic by topic: correlate on each topic, then average, which avoids
mixing topics with different normalisations (Ferrante et al. 2019, section 5.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from irviz.errors import IrvizError, choose, probability, unknown, whole_number
from irviz.portable import exp, log
from irviz.stats.aggregate import aggregate, aggregate_subsets, finite
from irviz.stats.correlation import (
    COEFFICIENTS,
    defined_mean,
    mean_margin,
    min_ranks,
    paired_tau,
    pairs_of_known,
    shared_ranks,
    tie_tolerance,
)
from irviz.stats.results import FrozenArrays, tidy
from irviz.stats.scores import Scores, check_scores, dense_ranks
from irviz.stats.words import Coefficient, FloatSeries, SimilarityLevel, Summary

Floats = NDArray[np.float64]


# -- The overall order of the systems: a cube of scores, averaged over topics ----------------------
#
# For every analysis that ranks systems: means equal up to rounding tie, and total orders are compared by exact sums,
# which a double cannot hold.


def overall(scores: Scores, summary: str = "mean", eps: float | None = None, coefficient: str = "tau") -> Floats:
    """measures × systems for `coefficient`: ranks with exact ties, or summaries; NaN where there is no score."""
    if np.isnan(scores.values).any():
        rows = aggregate(scores.values, summary, eps)
        for row in rows if COEFFICIENTS[coefficient].by_order else ():
            there = ~np.isnan(row)
            row[there] = min_ranks(row[there], tie_tolerance(row[there])) if there.any() else []
        return rows
    everything = np.ones((1, len(scores.topics)), dtype=bool)
    return overall_of_subsets(scores, slice(None), everything, summary, eps, coefficient)[:, 0].astype(np.float64)


def overall_of_subsets(
    scores: Scores,
    measures: slice,
    members: NDArray[np.bool_] | NDArray[np.integer],
    summary: str = "mean",
    eps: float | None = None,
    coefficient: str = "tau",
    rest: bool = False,
) -> NDArray[Any]:
    """measures × subsets × systems for `coefficient`: min-ranks or summaries; see :func:`.aggregate_subsets`."""
    values = aggregate_subsets(scores.values[measures], members, summary, eps, rest)
    if not COEFFICIENTS[coefficient].by_order:
        return values
    ranks = min_ranks(values, tie_tolerance(values))
    for m, name in enumerate(scores.measures[measures]):
        if summary == "mean" and name in scores.exact:
            subsets = np.concatenate([members, ~members]) if rest else members
            exact = scores.exact[name]
            sums = [exact[np.repeat(np.arange(len(chosen)), chosen)].sum(axis=0) for chosen in subsets]
            ranks[m] = min_ranks(np.array([dense_ranks(totals) for totals in sums]))
    return ranks


def by_topic(scores: Scores, coefficient: str = "tau") -> Floats:
    """topics × measures × systems: the scores, or numbers in their exact order."""
    by_order = COEFFICIENTS[coefficient].by_order
    cube = np.stack([scores.order(m) for m in scores.measures]) if by_order else scores.values
    return np.ascontiguousarray(np.swapaxes(cube, 0, 1))


# -- Agreement among the systems in the first places of one ranking --------------


def first_places(rows: Floats, top: int) -> NDArray[np.bool_]:
    """rows × systems: True where a row ranks the system in its first `top`, ties included."""
    kept = ~np.isnan(rows)
    for row, there in zip(rows, kept, strict=True):
        if there.any():
            there[there] = shared_ranks(row[there], tie_tolerance(row[there])) <= top
    return kept


def among(coefficient: str, values: Floats, kept: NDArray[np.bool_] | None) -> Floats:
    """… × rows × rows of values … × rows × systems: row i with every other, on the systems `kept` of row i, or on
    all."""
    if kept is None:
        return pairs_of_known(COEFFICIENTS[coefficient], values)
    result = np.full((*values.shape[:-1], len(kept)), np.nan)
    for i, own in enumerate(kept):
        if own.any():
            result[..., i, :] = pairs_of_known(COEFFICIENTS[coefficient], values[..., own])[..., i, :]
    return result


def top_agreement(a: FloatSeries, b: FloatSeries) -> pd.DataFrame:
    """Kendall's τ_b of two rankings among the systems that the first has in its first k, for every k.

    Parameters
    ----------
    a, b : Series by system
        Such as two measures' or judges' means; higher is better.

    Returns
    -------
    DataFrame
        One row per k from 2 on: ``k``, ``systems`` (with those that tie with the k-th) and ``tau``, NaN where one
        ranking ties them all.
    """
    for one in (a, b):
        if not isinstance(one, pd.Series) or one.dtype.kind not in "iuf" or one.index.has_duplicates:
            raise IrvizError("Two rankings are compared, each a Series with one number for every system.")
    for one, other in ((a, b), (b, a)):
        if missing := [name for name in one.index if name not in other.index]:
            raise unknown("system in both rankings", str(missing[0]), list(map(str, other.index)))
    pair = np.stack([a.to_numpy(np.float64), b.reindex(a.index).to_numpy(np.float64)])
    if not np.isfinite(pair).all():
        raise IrvizError("Every system has a finite number in each ranking. Leave out the others.")
    ranks = min_ranks(pair, tie_tolerance(pair)).astype(np.float64)
    kept = [(k, first_places(ranks[:1], k)[0]) for k in range(2, len(a) + 1)]
    rows = [(k, int(first.sum()), float(paired_tau(*ranks[:, None, first])[0])) for k, first in kept]
    return pd.DataFrame(rows, columns=["k", "systems", "tau"])


# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Similarity(FrozenArrays):
    """Correlations between all measures of a cube.

    Attributes
    ----------
    measures, topics : tuple of str
    values, low, high : measures × measures, in [−1, 1]
        Coefficients with their confidence interval.  Under ``tau_ap`` the row is the
        reference ranking and the column the one judged.
    per_topic : topics × measures × measures, or None
        By topic only; NaN where a measure scores all systems of that topic the same.
    topics_defined : measures × measures
        The number of topics behind a coefficient: overall, all or none; by topic, those where it is defined.
    systems_compared : measures × measures
        The number of systems with a score under both; with `top`, of those in the row's first places.
    constant : tuple of str
        Measures under which all compared systems tie everywhere: their coefficients are NaN.
    """

    measures: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    low: Floats
    high: Floats
    per_topic: Floats | None
    topics_defined: NDArray[np.int64]
    systems_compared: NDArray[np.int64]
    by: str
    coefficient: str
    summary: str
    confidence: float
    constant: tuple[str, ...]
    top: int | None = None

    @property
    def sometimes_constant(self) -> tuple[str, ...]:
        """By topic, the measures that score all systems the same on some topic."""
        defined = np.diagonal(self.topics_defined)
        return tuple(m for m, n in zip(self.measures, defined, strict=True) if n < len(self.topics))

    def frame(self) -> pd.DataFrame:
        """One row per pair of measures (both orders): reference, measure, value, low, high, topics."""
        columns = {"value": self.values, "low": self.low, "high": self.high, "topics": self.topics_defined}
        return tidy({"reference": self.measures, "measure": self.measures}, **columns)

    def matrix(self) -> pd.DataFrame:
        """The coefficients as a labelled square, references down the side."""
        return pd.DataFrame(self.values, index=list(self.measures), columns=list(self.measures))


def similarity(
    s: Scores,
    *,
    by: SimilarityLevel = "overall",
    coefficient: Coefficient = "tau",
    summary: Summary = "mean",
    confidence: float = 0.95,
    eps: float | None = None,
    top: int | None = None,
) -> Similarity:
    r"""Correlate the system rankings of all measures, overall or topic by topic.

    τ_b as in Ferrante et al. 2019, eq. (7), with the interval of Fieller, Hartley & Pearson (1957) for *n* systems,

    .. math:: \tanh\Big(\operatorname{atanh}\tau \pm z\sqrt{0.437 / (n-4)}\Big)

    as Chen & Sakai 2023, Figure 1, print it.

    Parameters
    ----------
    s : Scores
    by : {"overall", "topic"}
        Average over topics first, or topic by topic.
    coefficient : {"tau", "tau_ap", "pearson", "spearman"}
        How two rankings are compared.
    summary : one of :data:`irviz.stats.aggregate.SUMMARIES`
        How topics are averaged overall; `eps` as in :func:`irviz.summarise`.
    confidence : float in (0, 1), default 0.95
    top : int, at least 2, optional
        Compares only the systems that the row's measure ranks overall in the first `top`, ties at the end included.

    Returns
    -------
    Similarity

    Notes
    -----
    *Ties.* Scores and means that differ only by rounding tie.  Measures with scores beyond a double are ordered by
    their exact scores and sums.

    *Intervals.* Pearson's and Spearman's coefficients have Fisher's interval with variances
    1/(n − 3) and 1.06/(n − 3).  At ±1, where the formula gives a point, there is none (NaN), as in Chen & Sakai 2023,
    Figure 1.  It is NaN for AP correlation, for which none is published, and if n is too small (n ≤ 4 for τ, otherwise
    n ≤ 3).  By topic it is Student's interval for the mean over topics, cut at ±1; NaN below two topics.

    *Undefined.* A measure that scores all systems the same has no order: overall, its coefficients are NaN and
    `topics_defined` is 0; by topic, such topics are left out of the mean, and `topics_defined` counts the others.

    *Missing scores.* Averages are over the topics that a system has.  Two measures are compared on the systems with a
    score under both (by topic: on that topic); with fewer than two the coefficient is NaN.
    """
    check_scores(s)
    finite(s, missing=True)
    choose("way to correlate", by, ("overall", "topic"))
    choose("coefficient", coefficient, tuple(COEFFICIENTS))
    if len(s.systems) < 2:
        raise IrvizError("Similarity compares rankings of systems; there is only one system. Load at least two.")
    probability("confidence", confidence, usual=0.95)
    if top is not None:
        whole_number("top", top, least=2)
    there = [~np.isnan(matrix).all(axis=0) for matrix in s.values]
    kept = None if top is None else first_places(overall(s, summary, eps, coefficient), top)
    compared = np.array([[int((one & other).sum()) for other in there] for one in (there if kept is None else kept)])
    if by == "topic":
        per_topic = among(coefficient, by_topic(s, coefficient), kept)
        by_cell = np.moveaxis(per_topic, 0, -1)
        (values, count), half = defined_mean(by_cell), mean_margin(by_cell, confidence)
        low, high = np.maximum(values - half, -1.0), np.minimum(values + half, 1.0)
    else:
        per_topic = None
        values = among(coefficient, overall(s, summary, eps, coefficient), kept)
        low, high = np.full(values.shape, np.nan), np.full(values.shape, np.nan)
        for many in np.unique(compared):
            cells = compared == many
            low[cells], high[cells] = correlation_interval(values[cells], int(many), coefficient, confidence)
        count = np.where(np.isfinite(values), len(s.topics), 0)
    constant = tuple(m for m, n in zip(s.measures, np.diagonal(count), strict=True) if n == 0)
    return Similarity(
        s.measures,
        s.topics,
        values,
        low,
        high,
        per_topic,
        count,
        compared,
        by,
        coefficient,
        summary,
        confidence,
        constant,
        top,
    )


def correlation_interval(
    values: Floats, systems: int, coefficient: str = "tau", confidence: float = 0.95
) -> tuple[Floats, Floats]:
    """Confidence interval of coefficients over `systems` systems; see :func:`similarity`.

    >>> low, high = correlation_interval(np.array([0.784]), 39)
    >>> print(f"{low[0]:.3f} {high[0]:.3f}")
    0.684 0.855
    """
    spread, less = COEFFICIENTS[coefficient].fisher or (np.nan, systems)
    if systems <= less:
        return np.full(values.shape, np.nan), np.full(values.shape, np.nan)
    half = ndtri((1 + confidence) / 2) * np.sqrt(spread / (systems - less))
    known = np.abs(values) < 1  # at ±1 atanh is infinite; NaN stays NaN
    inside = np.where(known, values, 0.0)
    centre = log((1 + inside) / (1 - inside)) / 2
    return np.where(known, _tanh(centre - half), np.nan), np.where(known, _tanh(centre + half), np.nan)


def _tanh(x: Floats) -> Floats:
    return 1 - 2 / (exp(2 * x) + 1)
