"""Sweep one parameter of a measure: its properties at every value, on the same random draws.

A good measure separates systems (Sakai 2006) and ranks them alike on other topics (Ravana & Moffat 2009) and with fewer
judgments (Buckley & Voorhees 2004); Kendall's τ compares it with other measures (Ferrante et al. 2019, section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.collection.people import Preferences, Satisfaction
from irviz.errors import IrvizError, is_number, whole_number
from irviz.measures import measure
from irviz.measures.language.base import SLOT, Measure
from irviz.measures.language.parameters import value_text
from irviz.stats.consistency import HalfCorrelations, TopicResamples, halves_correlated, topics_resampled
from irviz.stats.correlation import defined_mean, kendall_tau, mean_margin
from irviz.stats.groups import Groups
from irviz.stats.incompleteness import PoolReduction, pool_reduction
from irviz.stats.resampling import resampling_weights
from irviz.stats.results import FrozenArrays, stages
from irviz.stats.scores import Scores, check_collection, listing, score
from irviz.stats.significance import DiscriminativePower, discriminative_power
from irviz.stats.similarity import overall
from irviz.stats.users import preferences, satisfaction
from irviz.stats.words import ReductionName, Summary, Test
from irviz.workers import Listener, Workers, listener

Floats = NDArray[np.float64]
USUAL = ("AP", "nDCG@10", "P@10", "RBP(p=0.8)", "ERR@20", "Bpref")  #: measures to compare with by default
RATE = 0.1  #: share of the pool that agreement is reported for
SPLITS = 1000
MOST_VALUES = 200
_NORMAL = 1.959963984540054  #: the 97.5% quantile of the normal distribution
_RESAMPLES = 200  #: of the shuffles of a test
PROPERTIES = {
    "significant": "share of significant pairs",
    "consistency": "τ of two halves of the topics",
    "agreement": "τ with {:.0%} of the pool",  # the share that is kept
    "tau": "τ with other measures",
    "users": "agreement with users",
}  #: the properties, by their names in the table
USERS = "users"  #: the property of collections with users only


@dataclass(frozen=True, eq=False)
class Sweep(FrozenArrays):
    """Four properties of a measure for every value of a parameter; a fifth where users were asked.

    Attributes
    ----------
    measures : expressions, one per value
    values : what was put into the expression
    significant : by value, in [0, 1]; share of the pairs of systems with p < α
        At least 95% of other draws of the test give a share within the band: the shares with p below α ± 1.96 √2
        standard errors of a p of α.
    consistency : by value, in [−1, 1]; mean τ between the rankings by two random halves of the topics
        The band is the 95% interval over resampled topics; NaN below five topics.
    agreement : by value, in [−1, 1]; mean τ between the rankings under the full pool and under a part of it
        The band holds the middle 90% of the repeats.
    tau : by value, in [−1, 1]; mean τ of the rankings with those of `others`; NaN if there are none
        The band goes from the lowest to the highest.
    users : by value; agreement with the collection's users, or None
        Spearman's ρ with their satisfaction, or the share of their preferences between systems that the scores agree
        with; the band is the 95% interval over topics.
    low, high : property → by value; the ends of the bands
    margins : property → values × values; half the width of the 95% interval of the difference of two values
        Over the draws shared by all values: the shuffles of the test, resampled topics for the consistency, the repeats
        for the reduced pool.  NaN for properties without draws.
    others : measures that `tau` compares with; none of them is among `measures`
    rate, kept : the share of the pool to keep for `agreement`, and the share kept: more if topics have few
    """

    measures: tuple[str, ...]
    values: tuple[float | str, ...]
    significant: Floats
    consistency: Floats
    agreement: Floats
    tau: Floats
    low: Mapping[str, Floats]
    high: Mapping[str, Floats]
    others: tuple[str, ...]
    rate: float
    kept: float
    users: Floats | None = None
    margins: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties that there are."""
        return tuple(name for name in PROPERTIES if getattr(self, name) is not None)

    def word(self, name: str) -> str:
        """The words for a property."""
        return PROPERTIES[name].format(self.kept)

    def frame(self) -> pd.DataFrame:
        """One row per value: value, measure, and the properties, each with the ends of its band."""
        columns: dict[str, object] = {"value": list(self.values), "measure": list(self.measures)}
        for name in self.properties:
            columns[name] = getattr(self, name)
            columns[f"{name}_low"], columns[f"{name}_high"] = self.low[name], self.high[name]
        return pd.DataFrame(columns)

    def against(self, value: float | str) -> pd.DataFrame:
        """One row per value: value, measure, and its properties minus those at `value`, with intervals."""
        if value not in self.values:
            raise IrvizError(f"`{value}` is not among the values of the sweep: {', '.join(map(str, self.values))}.")
        place = self.values.index(value)
        columns: dict[str, object] = {"value": list(self.values), "measure": list(self.measures)}
        for name in self.properties:
            row = getattr(self, name)
            columns[name] = row - row[place]
            columns[f"{name}_low"] = row - row[place] - self.margins[name][:, place]
            columns[f"{name}_high"] = row - row[place] + self.margins[name][:, place]
        return pd.DataFrame(columns)


def sweep(
    c: Collection,
    expression: str,
    values: Iterable[float | str],
    *,
    others: Iterable[str] = USUAL,
    method: Test = "randomised_tukey",
    trials: int = 2000,
    alpha: float = 0.05,
    splits: int = SPLITS,
    reduction: ReductionName = "stratified",
    rate: float = RATE,
    repeats: int = 5,
    summary: Summary = "mean",
    eps: float | None = None,
    seed: int = 0,
    progress: Listener = None,
    workers: Workers = None,
) -> Sweep:
    """Properties of a measure for every value of a parameter, all on the same random draws.

    Parameters
    ----------
    c : Collection
        With at least two systems and two topics.
    expression : str
        A measure with ``{}`` in the place of the value, such as ``"RBP(p={})"``, ``"nDCG@{}"`` or
        ``"CWLA(C=RBP(p={}),A=ERG)"``; ``"{}"`` alone takes whole measures as values.
    values : numbers or texts
        The values of the parameter, at most 200, each making another measure.  A list is a text: ``"GAP(g={})"`` with
        ``"[0.2,0.3,0.5]"``.
    others : expressions or measures
        Measures to compare rankings with.  The sweep's own measures are left out for all values.
    method, alpha
        The test of every pair of systems, as in :func:`irviz.significance`.
    trials : int
        Its shuffles or resamples.
    splits : int
        Random splits of the topics, as the trials of :func:`irviz.consistency`.
    reduction : {"stratified", "uniform"}
        How the kept judgments are sampled, as in :func:`irviz.pool_reduction`.
    rate : float in (0, 1]
        Share of the pool that is kept.
    repeats : int
        How often judgments are sampled, independently.
    summary, eps
        How topics are averaged, as in :func:`irviz.summarise`.
    seed : int
    progress : callable, or True for a bar, optional
    workers : see :func:`irviz.workers.run`

    Returns
    -------
    Sweep

    Notes
    -----
    All values share the shuffles, splits and reduced pools, so their differences have no noise between draws.  The
    draws depend on `seed` only, so a value has the same numbers in any sweep.
    """
    progress = listener(progress)
    check_collection(c)
    whole_number("splits", splits)
    whole_number("repeats", repeats)
    names, parameter_values = parse_sweep(expression, values)
    compared = others_of(names, listing(others))
    steps = stages(progress, 4)
    scores = score(c, [*names, *compared], progress=steps[0], workers=workers)
    cube = scores.select(names)
    average = (summary, eps)
    power = discriminative_power(
        cube, method, trials=trials, alpha=alpha, seed=seed, progress=steps[1], workers=workers
    )
    halves = halves_correlated(cube, splits, "random", *average, seed=seed, progress=steps[2], workers=workers)
    resampled = topics_resampled(cube, "random", *average, seed=seed, workers=workers)
    pools = pool_reduction(
        c,
        names,
        rates=(rate,),
        method=reduction,
        repeats=repeats,
        seed=seed,
        summary=summary,
        eps=eps,
        progress=steps[3],
        workers=workers,
        _full=lambda _, __: cube,
    )
    users = agreement_with_users(c, cube, seed)
    return sweep_from_analyses(
        parameter_values, power, halves, resampled, pools, overall(scores, summary, eps), compared, rate, users
    )


def heard_users(c: Collection) -> Satisfaction | Preferences | None:
    """Answers of users about systems of the collection: satisfaction, or else preferences, or None."""
    satisfied = None if c.satisfaction is None else c.satisfaction.about(c.topics, c.systems)
    if satisfied is not None and (satisfied.systems is not None or len(c.systems) == 1) and len(satisfied) > 2:
        return satisfied
    preferred = None if c.preferences is None else c.preferences.about(c.topics)
    between = None if preferred is None else preferred.between(c.systems)
    return between if between is not None and np.any(between.sign) else None


def agreement_with_users(
    c: Collection, s: Scores, seed: int = 0, groups: Groups | None = None
) -> tuple[Floats, Floats, Floats] | None:
    """By measure, agreement with :func:`heard_users` and the ends of its interval; None without users."""
    answers = heard_users(c)
    if answers is None:
        return None
    compare: Any = satisfaction if isinstance(answers, Satisfaction) else preferences
    agreement = compare(s, answers, seed=seed, groups=groups)
    return tuple(part.to_numpy() for part in (agreement.values, agreement.low, agreement.high))


def parse_sweep(expression: str, values: Iterable[float | str]) -> tuple[tuple[str, ...], tuple[float | str, ...]]:
    """The measures of an expression with a slot filled by these values, and the values.

    >>> parse_sweep("RBP(p={})", (0.5, 0.8))[0]
    ('RBP(p=0.5)', 'RBP(p=0.8)')
    """
    if not isinstance(expression, str) or expression.count(SLOT) != 1:
        raise IrvizError(
            f"The expression of a sweep must have {SLOT} once in place of the value, as in RBP(p={SLOT}); "
            f"got `{expression}`."
        )
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise IrvizError(f"`values` must be a list, such as [0.5, 0.8, 0.95]; got {values!r}.")
    checked = tuple(_plain(value) for value in values)
    if not 1 <= len(checked) <= MOST_VALUES:
        raise IrvizError(f"A sweep takes from 1 to {MOST_VALUES} values; got {len(checked)}.")
    names = []
    for value in checked:
        name = str(measure(expression.replace(SLOT, value if isinstance(value, str) else value_text(value))))
        if name in names:
            raise IrvizError(f"Two of the values mean the same measure, `{name}`. Give each value once.")
        names.append(name)
    return tuple(names), checked


def _plain(value: object) -> float | str:
    """A value as a Python number or text."""
    if isinstance(value, str):
        return value
    if not is_number(value):
        raise IrvizError(f"The values of a sweep are numbers or texts; got {value!r}.")
    number = float(value)  # type: ignore[arg-type]
    return int(number) if number.is_integer() else number


def others_of(names: Iterable[str], others: Iterable[str | Measure]) -> tuple[str, ...]:
    """The measures of `others` that a sweep over `names` compares with."""
    swept_names = set(names)
    return tuple(name for name in dict.fromkeys(str(measure(other)) for other in others) if name not in swept_names)


def sweep_from_analyses(
    values: tuple[float | str, ...],
    power: DiscriminativePower,
    halves: HalfCorrelations,
    resamples: TopicResamples,
    pools: PoolReduction,
    orders: Floats,
    others: tuple[str, ...],
    rate: float,
    users: tuple[Floats, Floats, Floats] | None = None,
) -> Sweep:
    """The sweep of these analyses; `orders` (measures, then `others`, × systems) are :func:`~.similarity.overall`'s."""
    share, share_low, share_high = shares(power)
    mean = defined_mean(halves.trials)[0]
    margin, between = resamples.margins()
    place = pools.rates.index(rate)
    pool_low, pool_high = pools.band()
    rows = kendall_tau(orders)[: len(power.measures), len(power.measures) :]
    bands = {
        "significant": (share_low, share_high),
        "consistency": (np.maximum(mean - margin, -1.0), np.minimum(mean + margin, 1.0)),
        "agreement": (pool_low[:, place], pool_high[:, place]),
        "tau": (np.fmin.reduce(rows, axis=1, initial=np.nan), np.fmax.reduce(rows, axis=1, initial=np.nan)),
    }
    by_users = None
    if users is not None:
        by_users, bands[USERS] = users[0], users[1:]
    low, high = ({name: band[end] for name, band in bands.items()} for end in (0, 1))
    unknown = np.full((len(share), len(share)), np.nan)
    margins = {
        "significant": share_margins(power, pools.seed),
        "consistency": between,
        "agreement": np.stack([mean_margin(pools.repeats[:, place] - row) for row in pools.repeats[:, place]]),
        "tau": unknown,
        **({} if users is None else {USERS: unknown}),
    }
    agreement, tau, kept = pools.tau[:, place], defined_mean(rows)[0], float(pools.kept[place])
    return Sweep(power.measures, values, share, mean, agreement, tau, low, high, others, rate, kept, by_users, margins)


def share_margins(power: DiscriminativePower, seed: int = 0) -> Floats:
    """measures × measures: half the width of the 95% interval of the difference of two shares of separated pairs.

    The shuffles are resampled, the same for all measures; 95% of the differences lie within it of the observed one.
    For a test with separate draws for each pair, the sum of the two bands of :func:`shares`.
    """
    first = power.results[0]
    if any(test.ranges is None for test in power.results):
        share, low, high = shares(power)
        return np.maximum(share - low, high - share)[:, None] + np.maximum(share - low, high - share)
    weights = resampling_weights(first.trials, _RESAMPLES, (seed, 3))
    counts = np.empty((len(power.measures), _RESAMPLES))
    for m, (result, p_values) in enumerate(zip(power.results, power.p_values, strict=True)):
        order = np.argsort(-np.asarray(result.ranges), kind="stable")
        p_resampled = (np.cumsum(weights[:, order], axis=1) + 1) / (first.trials + 1)  # of a range, largest first
        reached = (p_resampled < result.alpha).sum(axis=1)
        above = np.sort(np.rint(p_values * (first.trials + 1)).astype(np.int64) - 1)  # ranges above each pair's
        counts[m] = np.searchsorted(above, reached, side="right") * (1 / (first.trials + 1) < result.alpha)
    off = counts - (power.p_values < first.alpha).sum(axis=1)[:, None]
    sizes = np.stack([np.abs(off - row) for row in off])
    return np.quantile(sizes, 0.95, axis=-1, method="higher") / first.pairs


def shares(power: DiscriminativePower) -> tuple[Floats, Floats, Floats]:
    """By measure: the share of pairs that is separated, and the ends of its band (see :class:`Sweep`)."""
    alpha, trials = power.results[0].alpha, power.results[0].trials
    margin = _NORMAL * np.sqrt(2 * alpha * (1 - alpha) / trials) if trials else 0.0  # both draws vary
    pairs = power.p_values.shape[1]
    share, low, high = ((power.p_values < end).sum(axis=1) / pairs for end in (alpha, alpha - margin, alpha + margin))
    return share, low, high
