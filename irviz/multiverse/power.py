"""How many topics are needed: the smallest difference that these topics can show, and the topics a difference needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import count

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import nctdtr, ndtri, stdtrit

from irviz.errors import IrvizError, probability
from irviz.stats.aggregate import complete, matrix_of
from irviz.stats.paired import Differences, in_deviations, least_p
from irviz.stats.results import FrozenArrays, better_first
from irviz.stats.scores import Scores

Floats = NDArray[np.float64]
POWER = 0.8  #: what is usual
_DECIMALS = 10  #: decimals of an effect size; a library's last bits differ beyond
MANY_TOPICS = 1e6  #: beyond, t is normal


@dataclass(frozen=True, eq=False)
class Power(FrozenArrays):
    """The differences that this many topics can show between each pair of systems, by the paired t test.

    Attributes
    ----------
    measures : tuple of str; ("",) for one matrix
    systems : tuple of str
    topics : int
    difference : measures × systems × systems
        Mean of the row minus mean of the column.
    deviation : measures × systems × systems
        Sample standard deviation of the per-topic differences.
    effect : float
        The smallest difference, in such deviations, that this many topics show with the given power.
    needed : measures × systems × systems
        Topics that the observed difference needs; infinite if there is no difference.
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    topics: int
    difference: Floats
    deviation: Floats
    effect: float
    needed: Floats
    alpha: float
    power: float

    @property
    def smallest(self) -> Floats:
        """measures × systems × systems: the smallest difference of means that these topics show."""
        return self.effect * self.deviation

    @property
    def enough(self) -> float:
        """Share of the pairs, over all measures, whose observed difference needs no more topics than there are."""
        i, j = np.triu_indices(len(self.systems), k=1)
        return float((self.needed[:, i, j] <= self.topics).mean())

    def frame(self) -> pd.DataFrame:
        """One row per pair and measure: measure, first (better), second, difference, deviation, smallest, topics."""
        pairs = [better_first(difference) for difference in self.difference]
        i, j = (np.concatenate(places) for places in zip(*pairs, strict=True))
        m = np.repeat(np.arange(len(pairs)), len(i) // len(pairs))
        names = np.array(self.systems, dtype=object)
        return pd.DataFrame(
            {
                "measure": np.array(self.measures, dtype=object)[m],
                "first": names[i],
                "second": names[j],
                "difference": self.difference[m, i, j],
                "deviation": self.deviation[m, i, j],
                "smallest": self.smallest[m, i, j],
                "topics": self.needed[m, i, j],
            }
        )


def power(matrix: pd.DataFrame | Scores, *, alpha: float = 0.05, power: float = POWER) -> Power:
    r"""Topic set size design by the paired t test (Sakai 2016), from the variance that was observed.

    The power of a two-sided paired t test of *n* topics for a difference of δ standard deviations is

    .. math:: P(|T| \ge t_{n-1,\alpha}), \qquad T \sim t'_{n-1}(\delta \sqrt n)

    Parameters
    ----------
    matrix : DataFrame, topics × systems; or Scores, for several measures at once
    alpha : float in (0, 1)
    power : float in (0, 1)
        The probability that a test shows the difference.

    Returns
    -------
    Power
        By pair the smallest difference that this many topics show with that power, and the
        number of topics that the observed difference needs (at least 2).

    Notes
    -----
    The deviation is that of these systems on these topics, all that every system has a score on.  Where it is 0, the
    test's p is :math:`2/2^n` for *n* topics: a difference is shown by the first number of topics that
    puts it below `alpha` (6 at .05).  Where the difference is 0, no number of topics is
    enough (infinity).  Observed power is not computed: it says no more than the p-value (Hoenig &
    Heisey 2001).
    """
    probability("alpha", alpha, usual=0.05)
    probability("power", power, usual=0.8)
    if power <= alpha:
        raise IrvizError(f"`power` must be above `alpha`; got {power:g} and {alpha:g}. Usual are 0.8 and 0.05.")
    s = matrix if isinstance(matrix, Scores) else matrix_of(matrix)
    s = complete(s)
    values, systems = s.values, s.systems
    n = values.shape[1]
    if n < 2 or len(systems) < 2:
        raise IrvizError(f"Power needs two systems and two topics; there are {len(systems)} and {n}.")
    difference, deviation = _pairs(values)
    needed = topics_needed(in_deviations(np.abs(difference), deviation), alpha, power)
    return Power(s.measures, systems, n, difference, deviation, smallest_effect(n, alpha, power), needed, alpha, power)


FEW_TOPICS = 25  #: topics below which a page says what so few cost


def few_topics(topics: int, alpha: float = 0.05) -> tuple[str, ...]:
    """A note on the cost of few topics; none from 25 on.

    >>> few_topics(25), len(few_topics(5))
    ((), 1)
    """
    if topics >= FEW_TOPICS:
        return ()
    if topics < 2:
        return ("Only one topic: nothing can be tested.",)
    least = smallest_effect(topics, alpha, POWER)
    return (
        f"Topics: {topics}. Smallest difference shown (paired t test, power {POWER}): {least:.1f} SD of differences.",
    )


def _pairs(values: Floats) -> tuple[Floats, Floats]:
    """Mean and deviation of the differences, measures × systems × systems."""
    measures, _, systems = values.shape
    i, j = np.triu_indices(systems, k=1)
    by_pair = np.zeros((2, measures, systems, systems))
    for m, matrix in enumerate(values):
        d = Differences.from_scores(matrix[:, i], matrix[:, j])
        by_pair[0, m, i, j], by_pair[0, m, j, i] = d.mean, -d.mean
        by_pair[1, m, i, j] = by_pair[1, m, j, i] = d.deviation
    return by_pair[0], by_pair[1]


def t_power(effect: Floats, n: Floats | int, alpha: float) -> Floats:
    """Power of the two-sided paired t test of `n` topics for differences of `effect` standard deviations.

    >>> print(f"{t_power(np.array(0.5), 34, 0.05):.3f}")
    0.808
    """
    degrees = np.asarray(n, dtype=np.float64) - 1
    t, shift = stdtrit(degrees, 1 - alpha / 2), np.minimum(effect * np.sqrt(n), 1e3)
    near = shift < 6  # beyond, the test points the wrong way with probability below 1e-9, which SciPy gives as NaN
    return 1.0 - nctdtr(degrees, shift, t) + np.where(near, nctdtr(degrees, np.where(near, shift, 0.0), -t), 0.0)


@lru_cache(maxsize=512)
def smallest_effect(n: int, alpha: float, power: float) -> float:
    """The effect size that `n` topics show with this power, to ten decimals.

    >>> smallest_effect(50, 0.05, 0.8)
    0.4041830021
    """
    low, high = 0.0, 1.0
    while t_power(np.array(high), n, alpha) < power:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        points = np.linspace(low, high, 33)
        enough = int(np.argmax(t_power(points, n, alpha) >= power))
        low, high = float(points[enough - 1]), float(points[enough])
    return round(high, _DECIMALS)


def topics_needed(effects: Floats, alpha: float, power: float) -> Floats:
    """The smallest number of topics, at least 2, that shows each effect size; infinity for 0.

    An infinite effect is a difference that is the same on all topics.

    >>> topics_needed(np.array([0.5, 0.2, 0.0, np.inf]), 0.05, 0.8).tolist()
    [34.0, 199.0, inf, 6.0]
    """
    known, place = np.unique(np.round(effects, _DECIMALS), return_inverse=True)
    needed = np.full(known.shape, np.inf)
    positive = known > 0
    needed[positive] = _search_topics(np.minimum(known[positive], 1e3), alpha, power)
    needed[np.isinf(known)] = next(n for n in count(2) if least_p(n) < alpha)
    return needed[place].reshape(effects.shape)


def _search_topics(effect: Floats, alpha: float, power: float) -> Floats:
    """By bisection, around what a normal test would need."""
    z = ndtri(1 - alpha / 2)
    normal = np.ceil(np.square((z + ndtri(power)) / effect))
    low = np.maximum(1.0, np.floor(normal / 2))  # not enough; 1 never is
    low[t_power(effect, np.maximum(low, 2), alpha) >= power] = 1.0
    high = normal + np.ceil(z * z) + 2
    short = t_power(effect, high, alpha) < power
    while short.any():
        high[short] *= 2
        short = t_power(effect, high, alpha) < power
    far = normal > MANY_TOPICS
    low[far] = high[far] = normal[far] + np.ceil(z * z / 2)
    while (open_ := high - low > 1).any():
        middle = np.where(open_, np.floor((low + high) / 2), high)
        enough = t_power(effect, middle, alpha) >= power
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high
