"""One number per system from its scores on the topics: the kinds of mean.

Ravana & Moffat 2009 ask when the arithmetic mean is appropriate, and propose ε-adjusted means.
Every mean transforms the scores, averages, and transforms back.  Sums over topics are exact and rounded once
(:mod:`irviz.portable`), so neither the order of the topics nor other systems change a bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose, is_number
from irviz.portable import exact_totals, exp, log, subset_totals
from irviz.stats.medians import medians, ranked_lists, smallest_type
from irviz.stats.scores import Scores
from irviz.stats.words import FloatSeries, Summary

# -- What counts as a score matrix: topics × systems, named, finite numbers or NaN where one is missing
#
# Averages leave missing scores out; comparisons of systems topic by topic use the topics that all systems have.


ScoreMatrix: TypeAlias = "pd.DataFrame | Scores | NDArray[np.float64]"  #: one measure: topics × systems


def matrix_of(matrix: ScoreMatrix) -> Scores:
    """Scores with one measure, called "", from topics × systems or Scores, checked; a bare array is numbered."""
    exact = {}
    if isinstance(matrix, Scores):
        if len(matrix.measures) != 1:
            raise IrvizError(
                f"Expected scores of one measure; got {len(matrix.measures)} measures. "
                f"Take one, such as s[{(*matrix.measures, 'AP')[0]!r}]."
            )
        name = matrix.measures[0]
        exact = {"": matrix.exact[name]} if name in matrix.exact else {}
        matrix = matrix[name]
    frame = matrix if isinstance(matrix, pd.DataFrame) else _numbered_frame(matrix)
    if frame.index.name == "system" or frame.columns.name == "topic":
        raise IrvizError(
            "The rows of a score matrix must be topics and its columns systems; here they are swapped. Use `.T`."
        )
    if 0 in frame.shape:
        raise IrvizError(f"The score matrix is empty: {frame.shape[0]} topics × {frame.shape[1]} systems.")
    topics, systems = (tuple(str(name) for name in axis) for axis in (frame.index, frame.columns))
    try:
        values = np.ascontiguousarray(frame.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError) as error:
        raise IrvizError(f"The score matrix must contain only numbers ({error}).") from error
    cube = Scores(values[None], ("",), topics, systems, exact)
    finite(cube, missing=True)
    return cube


def complete(scores: Scores) -> Scores:
    """The scores on the topics that every system has under every measure; infinite ones are refused."""
    finite(scores, missing=True)
    return scores.common()


def finite(scores: Scores, missing: bool = False) -> None:
    """Refuse infinite scores, and NaN unless scores may be `missing`."""
    holes = np.argwhere(np.isinf(scores.values) if missing else ~np.isfinite(scores.values))
    if len(holes):
        m, t, s = holes[0]
        by = f" by {scores.measures[m]}" if scores.measures[m] else ""
        raise IrvizError(
            f"The score of system {scores.systems[s]} on topic {scores.topics[t]}{by} is {scores.values[m, t, s]}, "
            f"one of {int((holes[:, 0] == m).sum())} missing or infinite scores. "
            "Correct it, or leave out the topic or system."
        )


def _numbered_frame(matrix: NDArray[np.float64]) -> pd.DataFrame:
    values = np.asarray(matrix)
    if values.ndim != 2:
        raise IrvizError(f"A score matrix has two axes, topics × systems; got {values.ndim}.")
    return pd.DataFrame(values, index=np.arange(1, values.shape[0] + 1), columns=np.arange(1, values.shape[1] + 1))


# --------------------------------------------------------------------------------------------------

Floats = NDArray[np.float64]
LEAST = 1e-300  #: smaller scores count as 0: their reciprocals can overflow


@dataclass(frozen=True)
class Mean:
    r"""A generalised mean :math:`g^{-1}(\frac1t\sum_i g(x_i))` with ε; `slope` is the derivative of `inverse`."""

    label: str
    forward: Callable[[Floats, float], Floats]
    inverse: Callable[[Floats, float], Floats]
    eps: float | None = None
    positive: bool = False  # needs x + ε > 0, or its limit as that sum goes to zero
    slope: Callable[[Floats], Floats] = np.ones_like


MEANS = {
    "mean": Mean("arithmetic mean", lambda x, e: x, lambda m, e: m),
    "geometric": Mean("geometric mean", lambda x, e: log(x + e), lambda m, e: exp(m) - e, 0.01, True, exp),
    "harmonic": Mean(
        "harmonic mean",
        lambda x, e: -1.0 / (x + e),
        lambda m, e: -1.0 / np.minimum(m, -LEAST) - e,
        0.01,
        True,
        lambda m: 1.0 / np.square(m),
    ),
    "geometric_threshold": Mean(
        "geometric mean, trec_eval's threshold",
        lambda x, e: log(np.maximum(x, e)),
        lambda m, e: exp(m),
        1e-5,
        True,
        exp,
    ),
}
SUMMARIES = {"mean": MEANS["mean"].label, "median": "median"} | {name: mean.label for name, mean in MEANS.items()}
#: every summary, in the order of the menu


def summarise(matrix: ScoreMatrix, summary: Summary = "mean", *, eps: float | None = None) -> FloatSeries:
    r"""One number per system, over its topics (Ravana & Moffat 2009, section 2).

    .. math::

        \epsilon GM = \exp\Big(\frac1t\sum_i \log(x_i+\epsilon)\Big) - \epsilon, \qquad
        \epsilon HM = \frac{t}{\sum_i 1/(x_i+\epsilon)} - \epsilon, \qquad
        \epsilon GM_{trec\_eval} = \exp\Big(\frac1t\sum_i \log\max(x_i,\epsilon)\Big)

    Parameters
    ----------
    matrix : DataFrame, topics × systems, or Scores of one measure
    summary : {"mean", "median", "geometric", "harmonic", "geometric_threshold"}
    eps : float ≥ 0, optional
        0.01 for ``geometric`` and ``harmonic``, 1e-5 for ``geometric_threshold``.
        0 gives the plain means; the mean and the median ignore it.

    Returns
    -------
    Series by system, in the unit of the scores, over the topics where it has a score; NaN if there are none.

    Notes
    -----
    With ``eps=0`` a system that scores zero on a topic has geometric *and* harmonic mean
    0, the limit as ε goes to zero; the paper calls the latter undefined and prints a dash.

    Examples
    --------
    >>> scores = pd.DataFrame({"S1": [0.1, 0.1, 0.3, 0.8, 0.1], "S2": [0.0, 0.4, 0.2, 0.4, 0.3]})
    >>> summarise(scores, "geometric").round(3).to_dict()
    {'S1': 0.192, 'S2': 0.151}
    """
    checked = matrix_of(matrix)
    index = pd.Index(checked.systems, name="system")
    return pd.Series(aggregate(checked.values[0], summary, eps), index=index, name=summary)


def aggregate(values: Floats, how: str = "mean", eps: float | None = None) -> Floats:
    """The summary over topics of … × topics × systems, without missing scores; see :func:`summarise`."""
    choose("summary", how, tuple(SUMMARIES))
    if np.isnan(values).any():
        lists = np.moveaxis(values, -2, -1)
        there = [row[~np.isnan(row)] for row in lists.reshape(-1, lists.shape[-1])]
        averages = [aggregate(row[:, None], how, eps)[0] if row.size else np.nan for row in there]
        return np.array(averages).reshape(lists.shape[:-1])
    if how == "median":
        epsilon_of(how, eps)
        return np.median(values, axis=-2)
    found = _means(values, partial(exact_totals, divisor=values.shape[-2]), how, eps)
    if how == "geometric_threshold":  # can lie above all scores
        return found
    return np.clip(found, values.min(axis=-2), values.max(axis=-2))  # rounding does not leave the range of the scores


def aggregate_subsets(
    values: Floats,
    members: NDArray[np.integer] | NDArray[np.bool_],
    how: str = "mean",
    eps: float | None = None,
    rest: bool = False,
) -> Floats:
    """The summary of … × topics × systems over subsets of topics: … × subsets × systems.

    `members` (subsets × topics) says how often each topic counts; no subset is empty. With `rest`, complements follow.
    """
    choose("summary", how, tuple(SUMMARIES))
    subsets = np.concatenate([members, ~members]) if rest else members
    if how != "median":
        over = subsets.sum(axis=1)[:, None]
        return _means(values, partial(subset_totals, members, divisor=over, rest=rest), how, eps)
    epsilon_of(how, eps)
    flat = np.moveaxis(values, -2, 0).reshape(values.shape[-2], -1)
    counts = subsets.astype(smallest_type(int(subsets.max(initial=0))))
    medians_of = medians(ranked_lists(flat), counts, subsets.sum(axis=1, dtype=np.intp))
    return np.moveaxis(medians_of.reshape(len(subsets), *values.shape[:-2], values.shape[-1]), 0, -2)


def epsilon_of(how: str, eps: float | None) -> float:
    """The ε of a summary: `eps`, or the default for None; 0 for a summary without ε."""
    default = None if how == "median" else MEANS[how].eps
    if eps is None:
        return default or 0.0
    number = is_number(eps)
    if not number or not (np.isfinite(eps) and eps >= 0) or (how == "geometric_threshold" and eps == 0):
        need = "a number above 0" if how == "geometric_threshold" else "a number of at least 0"
        raise IrvizError(f"`eps` of the {SUMMARIES[how]} must be {need}; got {f'{eps:g}' if number else repr(eps)}.")
    return 0.0 if default is None else float(eps)


def _means(values: Floats, average: Callable[[Floats], Floats], how: str, eps: float | None) -> Floats:
    """Generalised means; `average` takes the arithmetic mean over the topics."""
    mean, e = MEANS[how], epsilon_of(how, eps)
    if mean.positive and values.size and values.min() < 0:
        raise IrvizError(
            f"The {mean.label} needs scores of at least 0; found {values.min():g}. Use the mean or the median."
        )
    if not mean.positive or e >= LEAST:
        return mean.inverse(average(mean.forward(values, e)), e)
    zero = values < LEAST  # the limit as ε goes to 0: one zero makes the mean zero
    means = mean.inverse(average(mean.forward(np.where(zero, 1.0, values), e)), e)
    return np.where(average(zero.astype(np.float64)) > 0, 0.0, means)
