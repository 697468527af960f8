"""Equal steps: system means and significance decisions before and after the values of measures are set apart evenly.

A measure is compared with :class:`irviz.measures.interval.Interval` of it, which keeps the order of lists on every
topic and replaces their distances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, probability, whole_number
from irviz.measures import measure
from irviz.measures.interval import LISTS, Interval, equal_steps_of, step_ratio, values_of, with_one_normaliser
from irviz.measures.judged_lists import Topics
from irviz.measures.language.base import Measure
from irviz.multiverse.dimensions import FAMILIES
from irviz.multiverse.settings import numbered_scores
from irviz.portable import mean
from irviz.stats.correlation import min_ranks, paired_tau, tie_tolerance
from irviz.stats.paired import PAIRED_TESTS, Differences, holm
from irviz.stats.results import FrozenArrays, tidy
from irviz.stats.scores import Scores, check_collection, listing, score
from irviz.stats.significance import discriminative_power
from irviz.stats.words import Family, Lists, Paired
from irviz.workers import Listener, Workers, batches, listener

Floats = NDArray[np.float64]
_CELLS = 1 << 20  #: differences that are tested together
_STEPS = ((0, 1), (0, 2), (2, 1))  #: sides that are compared: the whole change, the normaliser's, that of the spacing
_WORDS = ("kept", "lost", "gained", "reversed")


def attainable(expression: str | Measure, *, grades: int | Sequence[float] = 2) -> Floats:
    """The distinct values that a measure can take on lists as long as its cutoff, in order.

    Parameters
    ----------
    expression : expression or measure with a cutoff
    grades : int or list of numbers
        How many grades there are, counting 0 (2 is binary), or the grades themselves.

    Returns
    -------
    float64
        On a topic with as many judged documents of every grade as the list is long; the normaliser of another
        topic multiplies all values.

    Raises
    ------
    IrvizError
        For a measure without a cutoff or of several aspects, and for more than 2^20 lists.

    Examples
    --------
    >>> attainable("RR@4").round(3).tolist()
    [0.0, 0.25, 0.333, 0.5, 1.0]
    >>> len(attainable("AP@5"))
    31
    """
    return values_of(equal_steps_of(measure(expression)).base, _grades(grades))


def _grades(grades: int | Sequence[float]) -> tuple[float, ...]:
    if isinstance(grades, int) and not isinstance(grades, bool) and 2 <= grades <= 1 << 10:
        return tuple(map(float, range(grades)))
    rising = tuple(grades) if isinstance(grades, list | tuple) else ()
    rises = len(rising) > 1 and rising[0] == 0 and all(a < b < np.inf for a, b in zip(rising, rising[1:], strict=False))
    if not rises or len(rising) > 1 << 10:
        raise IrvizError(f"`grades` must be a number from 2 to 1,024, or rise from 0 as in [0, 1, 2]; got {grades!r}.")
    return tuple(map(float, rising))


@dataclass(frozen=True, eq=False)
class EqualSteps(FrozenArrays):
    """Measures and the same with equal steps, on the same lists.

    Attributes
    ----------
    measures, mapped : tuple of str
        Every measure, and its `Interval`.
    systems : tuple of str
    fewest, most : tuple of int, by measure
        Distinct values on a topic; they differ between topics with ``attainable='topic'`` only.
    step_ratio : by measure
        The largest step between neighbouring values over the smallest, among all lists; NaN for a single value.
    normalised : bool, by measure
        Topics divide by numbers of their own, such as their recall base.
    means : 3 × measures × systems
        Before; after; and before with one normaliser for all topics.
    taus : 3 × measures
        Kendall's τ_b of the orders of systems before and after; before and with one normaliser; and of the latter
        and after.
    p_values : 3 × measures × pairs
    directions : int8, 3 × measures × pairs
        1 where the first system of a pair is significantly better, −1 where the second is, 0 where neither.
    alpha, test, family : as requested
    """

    measures: tuple[str, ...]
    mapped: tuple[str, ...]
    systems: tuple[str, ...]
    fewest: tuple[int, ...]
    most: tuple[int, ...]
    step_ratio: Floats
    normalised: NDArray[np.bool_]
    means: Floats
    taus: Floats
    p_values: Floats
    directions: NDArray[np.int8]
    alpha: float
    test: str
    family: str

    @property
    def tau(self) -> Floats:
        """By measure, Kendall's τ_b of the orders of systems before and after."""
        return self.taus[0]

    def decisions(self, step: int = 0) -> dict[str, NDArray[np.int64]]:
        """By measure, pairs significant before and after the same way, only before, only after, and both ways.

        `step` is 0 for the whole change, 1 for one normaliser in place of each topic's own, 2 for equal steps
        after that.
        """
        decided = _decision(*(self.directions[side] for side in _STEPS[step]))
        return {word: (decided == word).sum(axis=1) for word in _WORDS}

    def frame(self) -> pd.DataFrame:
        """One row per measure: how many values, how unequal their steps, and what equal steps change.

        Columns: measure, values (the most on a topic), step_ratio, tau, pairs, significant_before,
        significant_after, changed (pairs whose decision differs, reversed ones included), changed_share (of those
        significant before or after; NaN where none is), reversed.
        """
        decided = self.decisions()
        changed, share = _count_changes(decided)
        return tidy(
            {"measure": self.measures},
            values=np.array(self.most),
            step_ratio=self.step_ratio,
            tau=self.tau,
            pairs=np.array(self.pairs),
            significant_before=(self.directions[0] != 0).sum(axis=1),
            significant_after=(self.directions[1] != 0).sum(axis=1),
            changed=changed,
            changed_share=share,
            reversed=decided["reversed"],
        )

    @property
    def pairs(self) -> int:
        """The number of pairs of systems."""
        return self.directions.shape[2]

    def normaliser_frame(self) -> pd.DataFrame:
        """Three rows for each measure that divides by a number of the topic: the whole change and its two parts.

        Columns: measure, change ("equal steps", "one normaliser for all topics", "equal steps after that"), tau,
        changed, changed_share.
        """
        names = ("equal steps", "one normaliser for all topics", "equal steps after that")
        parts = [_count_changes(self.decisions(step)) for step in range(3)]
        changed, share = (np.stack(some, axis=1) for some in zip(*parts, strict=True))
        axes = {"measure": self.measures, "change": names}
        rows = tidy(axes, tau=self.taus.T, changed=changed, changed_share=share)
        return rows[np.repeat(self.normalised, len(names))].reset_index(drop=True)

    def pair_frame(self, measure: str) -> pd.DataFrame:
        """One row per pair of systems under one measure: first, second, differences, p-values, decision."""
        m = self.measures.index(measure)
        first, second = np.triu_indices(len(self.systems), k=1)
        names = np.array(self.systems, dtype=object)
        return pd.DataFrame(
            {
                "first": names[first],
                "second": names[second],
                "difference before": self.means[0, m, first] - self.means[0, m, second],
                "difference after": self.means[1, m, first] - self.means[1, m, second],
                "p before": self.p_values[0, m],
                "p after": self.p_values[1, m],
                "decision": _decision(self.directions[0, m], self.directions[1, m]),
            }
        )


def _decision(direction_before: NDArray[np.int8], direction_after: NDArray[np.int8]) -> NDArray[np.str_]:
    """By pair, one of `_WORDS`, or "not significant" on both sides."""
    kinds = [
        (direction_before == direction_after) & (direction_before != 0),
        (direction_before != 0) & (direction_after == 0),
        (direction_before == 0) & (direction_after != 0),
    ]
    return np.select([*kinds, direction_before * direction_after < 0], _WORDS, "not significant")


def _count_changes(decisions: dict[str, NDArray[np.int64]]) -> tuple[NDArray[np.int64], Floats]:
    """Pairs whose decision differs, and their share of those significant before or after."""
    changed = decisions["lost"] + decisions["gained"] + decisions["reversed"]
    either = changed + decisions["kept"]
    return changed, np.divide(changed, either, out=np.full(len(either), np.nan), where=either > 0)


def equal_steps(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    alpha: float = 0.05,
    test: Paired = "t",
    family: Family = "pair",
    attainable: Lists = "any",
    trials: int = 2000,
    seed: int = 0,
    progress: Listener = None,
    workers: Workers = None,
) -> EqualSteps:
    """Compare measures with the same measures on equal steps: system means, and all significance decisions.

    Parameters
    ----------
    c : Collection
        Scores will not do: the lists are needed.
    measures : expressions or measures
        Of one aspect, with a cutoff; an `Interval` is compared with its base.
    alpha : float in (0, 1)
        A pair is significant if p < alpha.
    test : {"t", "wilcoxon", "sign"}
        The paired test of per-topic differences.
    family : {"pair", "holm", "all_systems"}
        What p-values are corrected for: nothing; the number of measures (Holm 1979); all pairs of systems, by
        randomised Tukey HSD in place of `test`.
    attainable : {"any", "topic"}
        Lists whose values count, of measures that are given without `Interval`.
        See :class:`irviz.measures.interval.Interval`.
    trials, seed : int
        Of the randomised Tukey HSD.
    progress : callable, or True for a bar, optional
    workers : see :func:`irviz.workers.run`

    Returns
    -------
    EqualSteps

    Notes
    -----
    The sign test decides the same before and after, because the order of lists on a topic stays.
    """
    progress = listener(progress)
    if isinstance(c, Scores):
        raise IrvizError(
            "Equal steps need the lists: give a collection, as irviz.load_collection makes it, not scores."
        )
    check_collection(c)
    probability("alpha", alpha, usual=0.05)
    choose("test", test, tuple(PAIRED_TESTS))
    choose("family", family, tuple(FAMILIES))
    choose("kind of lists", attainable, tuple(LISTS))
    whole_number("trials", trials)
    for what, names in (("systems", c.systems), ("topics", c.topics)):
        if len(names) < 2:
            raise IrvizError(f"Decisions need at least two {what}; there is only {names[0]}.")
    after = _intervals(measures, attainable)
    before = [replace(interval.base, aspect=interval.aspect) for interval in after]
    anywhere = [replace(interval, attainable="any") for interval in after]
    scores = score(c, [*before, *after, *anywhere], progress=progress, workers=workers)
    grades = [tuple(c.grades[c.aspect_index(interval.aspect)]) for interval in after]
    fixed = [
        with_one_normaliser(scores.matrix(interval), interval.base, scale)
        for interval, scale in zip(anywhere, grades, strict=True)
    ]
    values = np.stack([[scores.matrix(metric) for metric in metrics] for metrics in (before, after)] + [fixed])
    means = mean(values, axis=2)
    ranks = min_ranks(means, tie_tolerance(means))
    p, direction = _test_pairs(values, test, family, trials, seed, workers)
    topics = Topics(c, slice(0, len(c.topics)), c.ranking[:, 0])
    counts = [list(map(int, interval.counts(interval.lists_of(topics)))) for interval in after]
    return EqualSteps(
        tuple(map(str, before)),
        tuple(map(str, after)),
        c.systems,
        tuple(min(numbers) for numbers in counts),
        tuple(max(numbers) for numbers in counts),
        np.array([step_ratio(interval.base, scale) for interval, scale in zip(after, grades, strict=True)]),
        np.array([own_normalisers(plain, even) for plain, even in zip(values[0], values[2], strict=True)]),
        means,
        np.stack([paired_tau(ranks[side], ranks[other]) for side, other in _STEPS]),
        p,
        np.where(p < alpha, direction, 0).astype(np.int8),
        alpha,
        test,
        family,
    )


def own_normalisers(scores: Floats, fixed: Floats) -> bool:
    """True where the two, topics × systems, differ by another factor on one topic than on another."""
    known = (scores > 0) & (fixed > 0)
    ratio = scores[known] / fixed[known]
    return bool(len(ratio)) and float(ratio.max()) > float(ratio.min()) * (1 + 1e-9)


def _intervals(measures: Iterable[str | Measure] | str | Measure, kind: str) -> list[Interval]:
    parsed = [measure(expression) for expression in listing(measures)]
    intervals = [equal_steps_of(metric, kind) for metric in parsed]
    if not intervals:
        raise IrvizError("No measure is given. Name at least one with a cutoff, such as 'RR@10'.")
    different = {(interval.base, interval.aspect): interval for interval in intervals}
    if len(different) < len(set(intervals)):
        raise IrvizError("A measure is given with two kinds of lists. Compare one after the other.")
    return list(different.values())


def _test_pairs(
    values: Floats, test: str, family: str, trials: int, seed: int, workers: Workers
) -> tuple[Floats, NDArray[np.int8]]:
    """p-values and directions, sides × measures × pairs, of scores sides × measures × topics × systems."""
    first, second = np.triu_indices(values.shape[3], k=1)
    if family == "all_systems":
        cube = numbered_scores(values.reshape(-1, *values.shape[2:]))
        results = discriminative_power(cube, trials=trials, seed=seed, workers=workers).results
        p = np.stack([result.p_values[first, second] for result in results])
        ahead = np.stack([np.sign(result.centres[first] - result.centres[second]) for result in results])
        shape = (*values.shape[:2], len(first))
        return p.reshape(shape), ahead.reshape(shape).astype(np.int8)
    run: Callable[[Differences], tuple[Floats, NDArray[np.int8]]] = PAIRED_TESTS[test]
    p = np.empty((*values.shape[:2], len(first)))
    direction = np.empty(p.shape, dtype=np.int8)
    for side, m in np.ndindex(*values.shape[:2]):
        for some in batches(len(first), values.shape[2], _CELLS):
            d = Differences.from_scores(*(values[side, m][:, systems[some]] for systems in (first, second)))
            p[side, m, some], direction[side, m, some] = run(d)
    return (np.moveaxis(holm(np.moveaxis(p, 1, 2)), 2, 1) if family == "holm" else p), direction
