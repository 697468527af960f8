"""Do measures agree with people's satisfaction and preferences?

A measure's scores are correlated with users' satisfaction over topics, or over (topic, system) pairs if people judged
several systems.  Topics are bootstrapped: a sample is a row of weights, how often each topic was drawn, and all
measures share the samples.  Rank correlations of weighted items are computed in whole numbers, so every processor gives
the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.model import Collection
from irviz.collection.people import Preferences, Satisfaction, load_preferences, load_satisfaction
from irviz.errors import IrvizError, choose, join_words, probability, unknown, whole_number
from irviz.portable import mean, subset_totals
from irviz.stats.correlation import SAME, merge_ties, snap_to_one, varies
from irviz.stats.groups import Groups, drawn
from irviz.stats.resampling import FEWEST_TOPICS
from irviz.stats.results import FrozenArrays, tidy
from irviz.stats.scores import Scores, check_scores
from irviz.stats.words import OfSatisfaction
from irviz.workers import batches, run

Floats = NDArray[np.float64]
LEAST_ITEMS = 3
_NARROW = 1 << 15  #: most items for sums in 32 bits: n items and ranks up to 2n
_CELLS = 1 << 18  #: weights in one piece, to fit the processor's cache


@dataclass(frozen=True, eq=False)
class SatisfactionAgreement(FrozenArrays):
    """How far each measure agrees with users' satisfaction.

    Attributes
    ----------
    values, low, high : Series by measure, in [−1, 1]
        The coefficient and its percentile bootstrap interval over topics; NaN under a constant measure.
        There is no interval (NaN) below five topics, nor where resampling changes nothing, as at ±1.
    p_values : DataFrame, measures × measures
        Two-sided paired bootstrap over topics: have two measures the same coefficient?  The diagonal is NaN.
    samples : trials × measures
        The coefficients of the bootstrap samples, NaN if one of the two rows is constant.
    items, topics : int
        Answers that were used, and the topics they are from.
    unused : int
        Answers about topics or systems without scores.
    """

    values: pd.Series[float]
    low: pd.Series[float]
    high: pd.Series[float]
    p_values: pd.DataFrame
    samples: Floats
    items: int
    topics: int
    unused: int
    coefficient: str
    confidence: float

    def frame(self) -> pd.DataFrame:
        """One row per measure: measure, value, low, high."""
        return tidy({"measure": self.values.index}, value=self.values, low=self.low, high=self.high)

    def best(self, alpha: float = 0.05) -> tuple[list[str], list[str]]:
        """The measures with the highest coefficient, and those not significantly different from any of them (p ≥
        `alpha`)."""
        known = self.values.dropna()
        if known.empty:
            return [], []
        top = list(known.index[known >= known.max() - SAME])
        beside = [m for m in known.index if m not in top and not (self.p_values.loc[m, top] < alpha).any()]
        return top, beside


def satisfaction(
    s: Scores,
    u: Satisfaction | pd.DataFrame,
    *,
    coefficient: OfSatisfaction = "spearman",
    trials: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    groups: Groups | None = None,
    workers: Any = None,
) -> SatisfactionAgreement:
    r"""Correlate every measure with users' satisfaction (Zhang et al. 2020).

    Parameters
    ----------
    s : Scores
        Of one system: correlated over topics.  Of several: over the (topic, system) pairs of `u`.
    u : Satisfaction, or a DataFrame with its columns
    coefficient : {"spearman", "pearson", "tau"}
        Between scores and satisfaction.
    trials : int, default 2000
        Bootstrap samples of topics, the same for all measures.
    seed : int
    confidence : float in (0, 1), default 0.95
    groups : path, (name, bytes), mapping or Series of topic to group, optional
        Topics that belong together; whole groups are drawn, and n below is their number.
    workers : see :func:`irviz.workers.run`

    Returns
    -------
    SatisfactionAgreement

    Raises
    ------
    IrvizError
        Where fewer than three answers have scores, or answers name no system and `s` has several.

    Notes
    -----
    The p-value of two measures is twice the smaller tail, (count + 1)/(B + 1), of the bootstrap distribution of the
    difference of their coefficients at 0; it is at least 2/2ⁿ for n topics.  A sample in which one of the two is
    undefined is left out of both.  Scores tie as in :meth:`.Scores.order`.
    """
    check_scores(s)
    choose("coefficient", coefficient, tuple(WEIGHTED_COEFFICIENTS))
    whole_number("trials", trials)
    probability("confidence", confidence, usual=0.95)
    answers = load_satisfaction(u)
    places, used = _places(s, answers)
    answered = answers.values[used]
    items = len(answered)
    if coefficient == "pearson":
        rows, answered = [_unit(merge_ties(values[places])) for values in s.values], _unit(answered)
    else:
        rows = [s.order(m)[places] for m in s.measures]
    topics, of_topic = np.unique(places[0], return_inverse=True)
    weights, many = drawn([s.topics[i] for i in topics], groups, trials, seed)
    alike, one_of, group = np.unique(
        np.stack([*rows, answered], axis=1), axis=0, return_index=True, return_inverse=True
    )
    order = np.argsort(group.ravel(), kind="stable")
    starts = np.searchsorted(group.ravel()[order], np.arange(len(one_of)))
    work = partial(_sample_coefficients, coefficient, list(alike.T[:-1]), alike[:, -1], of_topic[order], starts)
    values = work(np.ones((1, len(topics))))[0]
    samples = np.concatenate(run(work, [weights[some] for some in batches(trials, items, _CELLS)], workers=workers))
    names = list(s.measures)
    by_measure, low, high = _columns(names, values, *percentile_interval(samples, values, confidence, many))
    p_values = pd.DataFrame(paired_p_values(samples, many), index=names, columns=names)
    counts = (items, len(topics), len(answers) - items)
    return SatisfactionAgreement(by_measure, low, high, p_values, samples, *counts, coefficient, confidence)


def _columns(names: Sequence[str], *columns: NDArray[Any]) -> list[pd.Series]:
    return [pd.Series(column, index=list(names)) for column in columns]


def _places(s: Scores, answers: Satisfaction) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], NDArray[np.bool_]]:
    """Topic and system of every answer that has scores, and which answers have."""
    if answers.systems is None and len(s.systems) > 1:
        raise IrvizError(
            f"The answers name no system, but {len(s.systems)} systems have scores. Give the file a column `system`, "
            "or scores of the one system that people saw."
        )
    topic = {name: i for i, name in enumerate(s.topics)}
    system = {name: i for i, name in enumerate(s.systems)}
    whose = [s.systems[0]] * len(answers) if answers.systems is None else answers.systems
    used = np.array([t in topic and w in system for t, w in zip(answers.topics, whose, strict=True)], dtype=np.bool_)
    if used.sum() < LEAST_ITEMS:
        raise IrvizError(
            f"Answers about topics and systems with scores: {used.sum():,} of {len(answers):,}; at least {LEAST_ITEMS} "
            f"are needed. Topics of answers: {join_words(answers.topics[:3])}; of scores: {join_words(s.topics[:3])}."
        )
    places = [(topic[t], system[w]) for t, w, use in zip(answers.topics, whose, used, strict=True) if use]
    first, second = np.array(places, dtype=np.intp).T
    return (first, second), used


def _sample_coefficients(
    coefficient: str,
    rows: list[Floats],
    answer_values: Floats,
    of_topic: NDArray[np.intp],
    starts: NDArray[np.intp],
    topics: Floats,
) -> Floats:
    """samples × measures, given how often each topic was drawn; equal answers are items of `of_topic` from `starts`."""
    counts = np.add.reduceat(topics.astype(np.int64)[:, of_topic], starts, axis=1)
    return WEIGHTED_COEFFICIENTS[coefficient](rows, answer_values, counts)


def percentile_interval(samples: Floats, values: Floats, confidence: float, topics: int) -> tuple[Floats, Floats]:
    """Percentile bootstrap interval by column; NaN if undefined, without variation, or below five topics."""
    known = np.isfinite(values) & np.isfinite(samples).any(axis=0) & (topics >= FEWEST_TOPICS)
    limits = np.full((2, len(values)), np.nan)
    limits[:, known] = np.nanquantile(samples[:, known], [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    low, high = np.where(varies(limits.T), limits, np.nan)
    return low, high


def paired_p_values(samples: Floats, topics: int) -> Floats:
    """measures × measures, two-sided: how often the difference of two columns has the other sign; at least 2/2ⁿ."""
    count = samples.shape[1]
    p = np.full((count, count), np.nan)
    for i in range(count):
        for j in range(i):
            difference = samples[:, i] - samples[:, j]
            difference = difference[np.isfinite(difference)]
            if len(difference):
                tail = min((difference <= SAME).sum(), (difference >= -SAME).sum())
                p[i, j] = p[j, i] = min(1.0, max(2 * (tail + 1) / (len(difference) + 1), 2.0 ** (1 - topics)))
    return p


# -- correlations of weighted items ---------------------------------------------------------------
#
# samples × rows: each row with `y`; item i counts `weights[sample, i]` times.


def weighted_spearman(rows: Sequence[Floats], y: Floats, weights: NDArray[np.int64]) -> Floats:
    """Spearman's ρ: Pearson's r of the mean ranks, in whole numbers.

    >>> weighted_spearman([np.array([1.0, 2, 3])], np.array([1.0, 3, 2]), np.array([[1, 1, 1], [2, 0, 1]])).round(6)
    array([[0.5],
           [1. ]])
    """
    narrow = np.int32 if weights.shape[1] < _NARROW else np.int64
    counts = weights.astype(narrow, copy=False)
    everyone = counts.sum(axis=1, dtype=np.int64)[:, None]
    b, bb, group = _centred_ranks(y, counts, everyone)
    weighted = (counts * b.astype(narrow)[:, group]).astype(narrow, copy=False)
    rho = np.empty((len(weights), len(rows)))
    for m, row in enumerate(rows):
        order, ends, _ = _groups(row)
        below = np.cumsum(np.take(counts, order, axis=1), axis=1, dtype=narrow)[:, ends].astype(np.float64)
        sums = np.cumsum(np.take(weighted, order, axis=1), axis=1, dtype=narrow)[:, ends].astype(np.float64)
        sizes = np.diff(below, axis=1, prepend=0)
        # by parts: the sums end at 0, as do those of centred ranks a; Σ sizes·a² is (n³ − Σ sizes³)/3
        product = -(np.einsum("sg,sg->s", sums, sizes) + np.einsum("sg,sg->s", sums[:, :-1], sizes[:, 1:]))
        rho[:, m] = _quotient(product, (everyone[:, 0] ** 3 - np.einsum("sg,sg,sg->s", sizes, sizes, sizes)) / 3, bb)
    return rho


def _groups(x: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The items in ascending order, the last place of each group of equal ones, and the group of every item."""
    _, group = np.unique(x, return_inverse=True)
    order = np.argsort(group, kind="stable")
    return order, np.flatnonzero(np.diff(group[order], append=-1)), group


def _centred_ranks(x: Floats, counts: NDArray[Any], everyone: NDArray[np.int64]) -> tuple[Any, Floats, Any]:
    """samples × groups: twice the mean rank, less its mean; the weighted sum of its squares; the group of each item."""
    order, ends, group = _groups(x)
    below = np.cumsum(np.take(counts, order, axis=1), axis=1, dtype=np.int64)[:, ends]
    sizes = np.diff(below, axis=1, prepend=0)
    centred = 2 * below - sizes - everyone
    return centred, (sizes * centred**2).sum(axis=1).astype(np.float64), group


def weighted_tau(rows: Sequence[Floats], y: Floats, weights: NDArray[np.int64]) -> Floats:
    """Kendall's τ_b; copies of an item tie.

    >>> weighted_tau([np.array([1.0, 2, 3])], np.array([1.0, 3, 2]), np.array([[1, 1, 1]])).round(6)
    array([[0.333333]])
    """
    return np.stack([_tau(row, y, weights) for row in rows], axis=1)


def _tau(x: Floats, y: Floats, weights: NDArray[np.int64]) -> Floats:
    if len(np.unique(x)) < len(np.unique(y)):
        x, y = y, x
    _, group = np.unique(x, return_inverse=True)
    _, level = np.unique(y, return_inverse=True)
    groups, levels = group.max() + 1, level.max() + 1
    cell = level * groups + group
    order = np.argsort(cell, kind="stable")
    ends = np.searchsorted(cell[order], np.arange(levels * groups), side="right")
    everyone = int(weights.sum(axis=1).max(initial=0))
    narrow = np.int32 if everyone < _NARROW else np.int64  # counts of pairs, at most everyone²
    below = np.zeros((len(weights), len(x) + 1), dtype=narrow)
    np.cumsum(np.take(weights, order, axis=1), axis=1, out=below[:, 1:], dtype=narrow)
    counts = np.diff(np.take(below, ends, axis=1), axis=1, prepend=narrow(0)).reshape(-1, levels, groups)
    doubled = np.zeros(len(weights))
    lower = np.zeros((len(weights), groups), dtype=narrow)  # of smaller x, and of the levels so far less those above
    before = np.cumsum(counts, axis=2, dtype=narrow) - counts
    higher = before.sum(axis=1, dtype=narrow)
    for k in range(levels):
        higher -= before[:, k]
        doubled += 2.0 * np.einsum("sg,sg->s", counts[:, k], lower - higher)
        lower += before[:, k]
    return _quotient(doubled, _pairs_across(counts.sum(axis=1)), _pairs_across(counts.sum(axis=2)))


def _pairs_across(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Twice the number of pairs from different groups, of groups of these sizes."""
    wide = sizes.astype(np.int64)
    return wide.sum(axis=1) ** 2 - np.einsum("sg,sg->s", wide, wide)


def _untied_pairs(x: Floats, weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Twice the number of pairs of different values."""
    order, ends, _ = _groups(x)
    return _pairs_across(np.diff(np.cumsum(np.take(weights, order, axis=1), axis=1)[:, ends], axis=1, prepend=0))


def weighted_pearson(rows: Sequence[Floats], y: Floats, weights: NDArray[np.int64]) -> Floats:
    """Pearson's r of rows and `y` as `_unit` makes them."""
    count = weights.sum(axis=1).astype(np.float64)
    columns = [y, y * y, *(column for row in rows for column in (row, row * row, row * y))]
    sums = subset_totals(weights, np.stack(columns, axis=1))
    total_y, spread = sums[:, 0], np.maximum(sums[:, 1] - sums[:, 0] * sums[:, 0] / count, 0.0)
    varied = _untied_pairs(y, weights) > 0
    r = np.empty((len(weights), len(rows)))
    for m, row in enumerate(rows):
        total, squares, products = (sums[:, 2 + 3 * m + i] for i in range(3))
        row_spread = np.maximum(squares - total * total / count, 0.0)
        quotient = _quotient(products - total * total_y / count, row_spread, spread)
        r[:, m] = np.where(varied & (_untied_pairs(row, weights) > 0), quotient, np.nan)
    return r


def _unit(row: Floats) -> Floats:
    """A row centred and scaled to ±1, so that no square overflows or underflows."""
    scale = np.abs(row).max(initial=0.0)
    scaled = row / scale if scale > 0 else row
    return scaled - mean(scaled)


def _quotient(product: NDArray[Any], first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """product / √(first · second) within [−1, 1]; NaN where one of the two is 0."""
    norm = np.sqrt(first.astype(np.float64)) * np.sqrt(second.astype(np.float64))
    return np.where(norm > 0, snap_to_one(np.clip(product / np.where(norm > 0, norm, 1.0), -1.0, 1.0)), np.nan)


WEIGHTED_COEFFICIENTS = {"spearman": weighted_spearman, "pearson": weighted_pearson, "tau": weighted_tau}


# -- preferences ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PreferenceAgreement(FrozenArrays):
    """How often a measure prefers the system that people preferred.

    Attributes
    ----------
    values, low, high : Series by measure, in [0, 1]
        Share of preferences with the same sign as the difference of the scores, where a tie of scores counts half; and
        its percentile bootstrap interval over topics, NaN at 0 and 1 and below five topics.
    ties : Series by measure
        The number of preferences between systems with equal scores.
    preferences, topics, neither, unused : int
        Numbers of preferences used, of their topics, of preferences for neither system, and of those without scores.
    """

    values: pd.Series[float]
    low: pd.Series[float]
    high: pd.Series[float]
    ties: pd.Series[int]
    preferences: int
    topics: int
    neither: int
    unused: int
    confidence: float

    def frame(self) -> pd.DataFrame:
        """One row per measure: measure, value, low, high, ties."""
        return tidy({"measure": self.values.index}, value=self.values, low=self.low, high=self.high, ties=self.ties)


@dataclass(frozen=True, eq=False)
class GradePreferences(FrozenArrays):
    """Preferences between documents compared with the grades of each aspect or judge.

    Attributes
    ----------
    names : tuple of str
        The aspects, or the judges.
    counts : names × 4
        Numbers of preferences that agree with the grades, that disagree, between documents of one grade, and with an
        unjudged document.
    neither : int
        Preferences for neither document, not in `counts`.
    by : str
        "aspect" or "judge": what `names` are.
    """

    names: tuple[str, ...]
    counts: NDArray[np.int64]
    neither: int
    by: str

    def frame(self) -> pd.DataFrame:
        """One row per aspect or judge: its name, agree, disagree, same_grade, unjudged."""
        frame = pd.DataFrame(self.counts, columns=["agree", "disagree", "same_grade", "unjudged"])
        frame.insert(0, self.by, list(self.names))
        return frame


def preferences(
    s: Scores | Collection,
    p: Preferences | pd.DataFrame,
    *,
    trials: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    groups: Groups | None = None,
) -> PreferenceAgreement | GradePreferences:
    """Compare preferences between systems with scores, or preferences between documents with grades.

    Parameters
    ----------
    s : Scores, for preferences between systems (Sakai & Zeng 2020), or a Collection, for
        preferences between documents; its identifiers must have been kept (``documents=``).
    p : Preferences, or a DataFrame with its columns
    trials, seed : int
        Bootstrap samples of topics, for systems only.
    confidence : float in (0, 1), default 0.95
    groups
        As of :func:`satisfaction`.

    Returns
    -------
    PreferenceAgreement or GradePreferences
    """
    answers = load_preferences(p)
    if isinstance(s, Collection):
        return _grade_preferences(s, answers)
    check_scores(s)
    whole_number("trials", trials)
    probability("confidence", confidence, usual=0.95)
    return _system_preferences(s, answers, trials, seed, confidence, groups)


def _system_preferences(
    s: Scores, p: Preferences, trials: int, seed: int, confidence: float, groups: Groups | None
) -> PreferenceAgreement:
    topic = {name: i for i, name in enumerate(s.topics)}
    system = {name: i for i, name in enumerate(s.systems)}
    scored = [
        (topic[t], system[a], system[b], sign)
        for t, a, b, sign in zip(p.topics, p.a, p.b, p.sign.tolist(), strict=True)
        if t in topic and a in system and b in system
    ]
    decided = np.array([preference for preference in scored if preference[3]], dtype=np.int64).reshape(-1, 4)
    if not len(decided):
        raise IrvizError(
            f"None of {len(p):,} preferences is between two systems with scores. Named: {join_words(p.a[:3])}; known: "
            f"{join_words(s.systems)}. For preferences between documents, give the collection instead of its scores."
        )
    t, a, b, sign = decided.T
    signs = np.array([np.sign(order[t, a] - order[t, b]) for order in map(s.order, s.measures)])
    halves = (1 + signs * sign).astype(np.int64)  # 2 where they agree, 1 where scores tie, 0
    topics, of_topic = np.unique(t, return_inverse=True)
    by_topic = np.stack([np.bincount(of_topic, weights=row, minlength=len(topics)) for row in halves])
    sizes = np.bincount(of_topic, minlength=len(topics))
    weights, many = drawn([s.topics[i] for i in topics], groups, trials, seed)
    samples = (weights @ by_topic.T) / (2 * (weights @ sizes))[:, None]  # whole numbers: exact in any order
    values = by_topic.sum(axis=1) / (2 * len(decided))
    interval = percentile_interval(samples, values, confidence, many)
    by_measure, low, high, ties = _columns(s.measures, values, *interval, (signs == 0).sum(axis=1))
    counts = (len(decided), len(topics), len(scored) - len(decided), len(p) - len(scored))
    return PreferenceAgreement(by_measure, low, high, ties, *counts, confidence)


def _grade_preferences(c: Collection, p: Preferences) -> GradePreferences:
    jury = c if c.jury is None else c.jury
    if jury.documents is None:
        raise IrvizError("Preferences between documents need identifiers. Load the files with documents='judged'.")
    place = {name: i for i, name in enumerate(jury.topics)}
    missing = sorted(set(p.topics) - set(place))
    if len(missing) == len(set(p.topics)):
        raise unknown("topic", missing[0], jury.topics)
    levels: dict[int, dict[str | None, NDArray[np.int16]]] = {}
    counts = np.zeros((len(jury.aspects), 4), dtype=np.int64)
    for topic, a, b, sign in zip(p.topics, p.a, p.b, p.sign.tolist(), strict=True):
        if not sign:
            continue
        t = place.get(topic)
        if t is not None and t not in levels:
            named = jury.documents.names(jury.documents.pool[t])
            levels[t] = {name: jury.labels[t, i] for i, name in enumerate(named) if name is not None}
        known = levels.get(t, {}) if t is not None else {}
        absent = np.full(len(jury.aspects), ABSENT, dtype=np.int16)
        first, second = known.get(a, absent), known.get(b, absent)
        unjudged = (first == ABSENT) | (second == ABSENT)
        order = np.sign(np.maximum(first, 0).astype(np.int64) - np.maximum(second, 0)) * sign
        for column, which in enumerate((order > 0, order < 0, order == 0)):
            counts[:, column] += which & ~unjudged
        counts[:, 3] += unjudged
    return GradePreferences(jury.aspects, counts, int((p.sign == 0).sum()), "judge" if c.judges else "aspect")


# -- satisfaction by score ------------------------------------------------------------------------


def satisfaction_by_score(
    s: Scores,
    u: Satisfaction | pd.DataFrame,
    parts: int = 10,
    trials: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    groups: Groups | None = None,
) -> pd.DataFrame:
    """Mean satisfaction by score: in each tenth of a measure's range of scores.

    One row per measure and part of its range, all of equal width; a score on an edge belongs to the upper part.
    Columns: measure, part (from 1), from, to, answers, satisfaction, low, high.  The mean is NaN if a part has no
    answer; its percentile bootstrap interval over topics also if all answers are equal or about one topic, or there are
    fewer than five topics in all.  Other parameters as of :func:`satisfaction`.
    """
    check_scores(s)
    whole_number("parts", parts)
    whole_number("trials", trials)
    probability("confidence", confidence, usual=0.95)
    answers = load_satisfaction(u)
    places, used = _places(s, answers)
    answered = answers.values[used]
    topics, of_topic = np.unique(places[0], return_inverse=True)
    resampled, many = drawn([s.topics[i] for i in topics], groups, trials, seed)
    weights = np.concatenate([np.ones((1, len(topics))), resampled])
    rows = []
    for name, values in zip(s.measures, s.values, strict=True):
        scores = values[places]
        low, high = float(scores.min()), float(scores.max())
        edges = [low + (high - low) * i / parts for i in range(parts)] + [high]
        at_least = np.array(edges) - SAME * max(abs(low), abs(high))
        part = np.clip(np.searchsorted(at_least, scores, side="right") - 1, 0, parts - 1)
        counts, sums = np.zeros((2, len(topics), parts))
        np.add.at(counts, (of_topic, part), 1)
        np.add.at(sums, (of_topic, part), answered)
        answers_of = subset_totals(weights, counts)
        means = subset_totals(weights, sums) / np.where(answers_of > 0, answers_of, np.nan)
        ends = percentile_interval(means[1:], means[0], confidence, many)
        for i in range(parts):
            row = (name, i + 1, edges[i], edges[i + 1], int(answers_of[0, i]), means[0, i], ends[0][i], ends[1][i])
            rows.append(row)
    columns = ["measure", "part", "from", "to", "answers", "satisfaction", "low", "high"]
    return pd.DataFrame(rows, columns=columns)
