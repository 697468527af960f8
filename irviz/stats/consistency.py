"""Does a measure rank the systems the same way on other topics?

Rank the systems on each of two disjoint topic sets and correlate; repeat (Ravana & Moffat 2009, section 4; Chen & Sakai
2023, Algorithm 1).  All measures and summaries see the same random splits, so their coefficients are paired.

The splits are of one topic set, so differences between measures hold for these topics.  A bootstrap of the topics
(:func:`topics_resampled`) shows how far they could differ on new topics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from irviz.errors import IrvizError, choose, whole_number
from irviz.portable import total
from irviz.stats.aggregate import SUMMARIES, complete
from irviz.stats.correlation import COEFFICIENTS, defined_mean
from irviz.stats.resampling import FEWEST_TOPICS, generator, random_halves
from irviz.stats.results import ByMeasure, Draws, FrozenArrays, stages, tidy
from irviz.stats.scores import Scores, check_scores
from irviz.stats.similarity import overall_of_subsets
from irviz.stats.topic_effects import topic_hardness
from irviz.stats.tukey import randomised_tukey
from irviz.stats.words import Coefficient, SplitName, Summary
from irviz.workers import Listener, Progress, Workers, batches, listener, run

Floats = NDArray[np.float64]


# -- Ways to split a topic set into two: at random, hard against easy, middle against rest ---------
#
# A split is a row of booleans over the topics: True for the first half.

Members = NDArray[np.bool_]


def _random(values: Floats, trials: int, seed: int) -> list[Members]:
    """The same random halves for every measure."""
    _enough(values.shape[1], 2)
    return [random_halves(values.shape[1], trials, seed)] * len(values)


def hard_half(values: Floats) -> Members:
    """1 × topics: the ⌊t/2⌋ hardest topics of topics × systems, by surprise (Ravana & Moffat 2009, section 5.4)."""
    _enough(len(values), 2)
    return _half_by_hardness(values, 0)


def middle_half(values: Floats) -> Members:
    """1 × topics: the ⌊t/2⌋ topics that follow the ⌊t/4⌋ hardest."""
    _enough(len(values), 3)
    return _half_by_hardness(values, len(values) // 4)


def _half_by_hardness(values: Floats, first: int) -> Members:
    """1 × topics: ⌊t/2⌋ topics from the `first` on, hardest first; equally hard ones in their given order."""
    members = np.zeros((1, len(values)), dtype=bool)
    members[0, np.argsort(-topic_hardness(values), kind="stable")[first : first + len(values) // 2]] = True
    return members


def _enough(topics: int, least: int) -> None:
    if topics < least:
        raise IrvizError(f"A split needs at least {least} topics; there are {topics}. Choose more topics.")


@dataclass(frozen=True)
class Split:
    """A way to cut a topic set in two."""

    label: str  #: for menus
    draws: bool  #: whether it is random; otherwise there is one trial
    #: scores (measures × topics × systems), trials, seed → trials × topics for every measure
    halves: Callable[[Floats, int, int], list[Members]]


SPLITS = {
    "random": Split(
        "a random half against the rest",
        True,
        _random,
    ),
    "hard_easy": Split(
        "the hardest half against the easiest", False, lambda values, trials, seed: list(map(hard_half, values))
    ),
    "middle_rest": Split(
        "the middle half against the hardest and easiest quarters",
        False,
        lambda values, trials, seed: list(map(middle_half, values)),
    ),
}  #: every split, in the order of the menu; random halves are the same for all measures, others are each measure's own


# --------------------------------------------------------------------------------------------------

TrialSlice = tuple[slice, slice, str, float | None]  #: for some measures, some trials and a summary
TUKEY_TRIALS = 2000  #: shuffles of the test across measures, as Chen & Sakai 2023 use
SPLITS_AT_ONCE, _COLUMNS = 500, 512  #: splits, and measures times systems, averaged in one piece
_RESAMPLES, _SPLITS_EACH = 100, 10  #: of the topics, and random splits of each, for the intervals


@dataclass(frozen=True, eq=False)
class HalfCorrelations(ByMeasure):
    """Measures × trials: coefficients between halves of the topics; `same_as` is the first trial with the same ones."""

    by_measure: ClassVar[tuple[str, ...]] = ("trials",)
    measures: tuple[str, ...]
    trials: Floats
    same_as: NDArray[np.intp]
    split: str
    summary: str
    eps: float | None
    coefficient: str
    seed: int
    topics: int


@dataclass(frozen=True, eq=False)
class TopicResamples(ByMeasure):
    """Measures × resamples × splits coefficients between two halves of `topics` topics drawn with replacement."""

    by_measure: ClassVar[tuple[str, ...]] = ("values",)
    measures: tuple[str, ...]
    values: Floats
    topics: int

    def margins(self) -> tuple[Floats, Floats]:
        r"""Half the width of the 95% interval of each measure's mean, and of each difference of two means.

        .. math:: t_{n-1} \sqrt{s^2_{resamples} - \overline{s^2_{splits}} / m}

        with m splits per resample; their variance is subtracted.  NaN below five topics, and where fewer than half of
        the resamples have a coefficient.
        """
        return self._margin(self.values), np.stack([self._margin(row - self.values) for row in self.values])

    def _margin(self, values: Floats) -> Floats:
        mean, count = defined_mean(values)
        off = np.where(np.isfinite(values), values - mean[..., None], 0.0)
        inside = np.where(count > 1, total(off * off) / np.maximum(count - 1, 1) / np.maximum(count, 1), 0.0)
        centre, known = defined_mean(mean)
        away = np.where(count > 0, mean - centre[..., None], 0.0)
        spread = total(away * away) / np.maximum(known - 1, 1) - total(inside) / np.maximum(known, 1)
        half = stdtrit(max(self.topics - 1, 1), 0.975) * np.sqrt(np.maximum(spread, 0.0))
        return np.where((known >= values.shape[-2] / 2) & (self.topics >= FEWEST_TOPICS), half, np.nan)


@dataclass(frozen=True, eq=False)
class Consistency(FrozenArrays):
    """How well two halves of the topics agree, by measure.

    Attributes
    ----------
    measures : tuple of str
    trials : measures × trials, in [−1, 1]
        NaN where all systems tie on one of the halves.
    mean : by measure, over the trials where defined (NaN if nowhere)
    p_values : measures × measures
        Randomised Tukey HSD on the different splits that are defined for all measures (NaN for measures defined
        nowhere); 1 on the diagonal, and everywhere if there is one split.  It separates measures on these topics, not
        on new ones.
    defined : by measure; the number of trials where defined
    splits : int
        Number of different splits among the trials: two topics have one, six have ten.
    low, high : by measure
        95% interval of the mean over resampled topics; NaN below five topics.
    lead_low, lead_high : measures × measures
        The same of the row's mean minus the column's.
    topics : int
        Number of topics split: those with scores of every system.
    """

    measures: tuple[str, ...]
    trials: Floats
    mean: Floats
    p_values: Floats
    defined: NDArray[np.int64]
    splits: int
    low: Floats
    high: Floats
    lead_low: Floats
    lead_high: Floats
    split: str
    summary: str
    eps: float | None
    coefficient: str
    seed: int
    topics: int

    def beats(self, alpha: float = 0.05) -> NDArray[np.int64]:
        """By measure, the number of others with a significantly lower mean at `alpha`."""
        return (self.won(alpha) > 0).sum(axis=1)

    def won(self, alpha: float = 0.05) -> NDArray[np.int8]:
        """measures × measures: 1 where the row's mean is significantly higher than the column's, −1 where lower, else
        0."""
        higher = self.mean[:, None] > self.mean[None, :]
        return np.where(self.p_values < alpha, higher.astype(np.int8) - higher.T, 0).astype(np.int8)

    def frame(self, alpha: float = 0.05) -> pd.DataFrame:
        """One row per measure, most consistent first: measure, mean, low, high, trials (where defined), beats."""
        columns = {"mean": self.mean, "low": self.low, "high": self.high, "trials": self.defined}
        rows = tidy({"measure": self.measures}, **columns, beats=self.beats(alpha))
        return rows.sort_values("mean", ascending=False, kind="stable", ignore_index=True)


@dataclass(frozen=True, eq=False)
class EpsilonSweep(ByMeasure):
    """Consistency as a function of ε, on one set of splits."""

    by_measure: ClassVar[tuple[str, ...]] = ("mean", "reference")
    measures: tuple[str, ...]
    eps: Floats  #: by column, as given
    mean: Floats  #: measures × eps; the mean coefficient over the splits (NaN where undefined on all)
    reference: Floats  #: by measure; the same for the arithmetic mean, which ε → ∞ approaches
    summary: str
    coefficient: str

    def frame(self) -> pd.DataFrame:
        """Tidy: measure, eps, mean, reference."""
        return tidy({"measure": self.measures, "eps": self.eps}, mean=self.mean, reference=self.reference[:, None])


def consistency(
    s: Scores,
    *,
    trials: int = 1000,
    split: SplitName = "random",
    summary: Summary = "mean",
    eps: float | None = None,
    coefficient: Coefficient = "tau",
    seed: int = 0,
    progress: Listener = None,
    workers: Workers = None,
) -> Consistency:
    """Correlate the system rankings of two disjoint topic sets (Chen & Sakai 2023, Algorithm 1).

    Parameters
    ----------
    s : Scores
    trials : int
        Random splits; the other kinds always have one trial.
    split : {"random", "hard_easy", "middle_rest"}
        How the topics are split: ⌊t/2⌋ random ones against the rest; the ⌊t/2⌋ hardest against the rest; or the
        ⌊t/2⌋ in the middle against the ⌊t/4⌋ hardest and the easiest.  Every measure
        judges hardness by its own "surprise" (:func:`irviz.hardness`).
    summary, eps
        How each half is averaged, as in :func:`irviz.summarise`.
    coefficient : {"tau", "tau_ap", "pearson", "spearman"}
        How the two rankings are compared.  With ``tau_ap`` the first-named half is the reference.
    seed : int
    progress : callable, or True for a bar, optional
    workers : see :func:`irviz.workers.run`

    Returns
    -------
    Consistency

    Notes
    -----
    Needs two systems and two topics (three for ``middle_rest``).  Topics on which a system has no score under a
    measure are left out.  The test across measures
    is :func:`~irviz.stats.tukey.randomised_tukey` with different splits in the place of
    topics, 2,000 shuffles.  The intervals are of :func:`topics_resampled`.
    """
    progress = listener(progress)
    first, then, last = stages(progress, 3)
    halves = halves_correlated(s, trials, split, summary, eps, coefficient, seed, first, workers)
    resampled = topics_resampled(s, split, summary, eps, coefficient, seed, then, workers)
    return across_measures(halves, last, workers, resampled)


def halves_correlated(
    s: Scores,
    trials: int = 1000,
    split: str = "random",
    summary: str = "mean",
    eps: float | None = None,
    coefficient: str = "tau",
    seed: int = 0,
    progress: Progress | None = None,
    workers: Workers = None,
) -> HalfCorrelations:
    """The coefficients of :func:`consistency`; one measure's do not depend on the others."""
    s = _checked(s, trials, split, coefficient, seed)
    members = SPLITS[split].halves(s.values, trials, seed)
    trial_values = _correlate_splits(s, members, (summary, eps), coefficient, "splits", progress, workers)
    halves = np.packbits(members[0] ^ members[0][:, :1], axis=1)  # whichever of them comes first
    _, first, which = np.unique(halves.view(f"V{halves.shape[1]}"), return_index=True, return_inverse=True)
    same_as = first[which.ravel()]
    return HalfCorrelations(s.measures, trial_values, same_as, split, summary, eps, coefficient, seed, len(s.topics))


def topics_resampled(
    s: Scores,
    split: str = "random",
    summary: str = "mean",
    eps: float | None = None,
    coefficient: str = "tau",
    seed: int = 0,
    progress: Progress | None = None,
    workers: Workers = None,
) -> TopicResamples:
    """The coefficients of :func:`consistency` on topics drawn with replacement, 100 times (Efron & Tibshirani 1993).

    Copies of a topic stay in one half; each resample has ten random splits, or its own of another kind.
    """
    s = _checked(s, 1, split, coefficient, seed)
    members = _resampled_halves(s.values, split, seed)
    trial_values = _correlate_splits(s, members, (summary, eps), coefficient, "resampled splits", progress, workers)
    return TopicResamples(s.measures, trial_values.reshape(len(s.measures), _RESAMPLES, -1), len(s.topics))


def _resampled_halves(values: Floats, split: str, seed: int) -> list[NDArray[np.unsignedinteger]]:
    """By measure, splits × 2 × topics: how often each topic is in each half; random splits are the same for all."""
    measures, topics, _ = values.shape
    draw = generator(seed, 2)
    same = SPLITS[split].draws
    each, kinds = (_SPLITS_EACH, 1) if same else (1, measures)
    halves = np.zeros((kinds, _RESAMPLES, each, 2, topics), dtype=np.min_scalar_type(topics))
    for b in range(_RESAMPLES):
        sample = draw.integers(0, topics, size=(topics,))
        counts = np.bincount(sample, minlength=topics).astype(halves.dtype)
        if same:
            order = draw.permuted(np.tile(np.flatnonzero(counts), (each, 1)), axis=1)
            rows = np.arange(each)[:, None]
            halves[:, b, rows, 0, order[:, : order.shape[1] // 2]] = 1
            halves[:, b, :, 0] *= counts
        else:
            sample.sort()
            for m, half in enumerate(SPLITS[split].halves(values[:, sample], 1, seed)):
                halves[m, b, 0, 0] = np.bincount(sample[half[0]], minlength=topics)
        halves[:, b, :, 1] = counts - halves[:, b, :, 0]
    by_kind = list(halves.reshape(kinds, _RESAMPLES * each, 2, topics))
    return by_kind * measures if same else by_kind


def across_measures(
    correlations: HalfCorrelations,
    progress: Progress | None = None,
    workers: Workers = None,
    resamples: TopicResamples | None = None,
) -> Consistency:
    """The coefficients with their means, the test across measures and, given `resamples`, intervals."""
    different = np.unique(correlations.same_as)
    p_values = separate_measures(correlations.trials[:, different], correlations.seed, progress, workers)
    mean, defined = defined_mean(correlations.trials)
    lead = mean[:, None] - mean
    none = np.full_like(mean, np.nan), np.full_like(lead, np.nan)
    margin, between = none if resamples is None else resamples.margins()
    return Consistency(
        measures=correlations.measures,
        trials=correlations.trials,
        mean=mean,
        p_values=p_values,
        defined=defined,
        splits=len(different),
        low=np.maximum(mean - margin, -1.0),
        high=np.minimum(mean + margin, 1.0),
        lead_low=lead - between,
        lead_high=lead + between,
        split=correlations.split,
        summary=correlations.summary,
        eps=correlations.eps,
        coefficient=correlations.coefficient,
        seed=correlations.seed,
        topics=correlations.topics,
    )


def epsilon_sweep(
    s: Scores,
    eps_values: Floats | list[float],
    summary: str = "geometric",
    trials: int = 1000,
    coefficient: str = "tau",
    seed: int = 0,
    progress: Progress | None = None,
    workers: Workers = None,
) -> EpsilonSweep:
    """Mean :func:`consistency` by ε, on the same random splits (Ravana & Moffat 2009, Figures 1 and 3)."""
    s = _checked(s, trials, "random", coefficient, seed)
    if summary in ("mean", "median"):
        raise IrvizError(f"The {SUMMARIES[summary]} does not depend on ε. Sweep the geometric or harmonic mean.")
    eps = np.asarray(eps_values, dtype=np.float64)
    if eps.ndim != 1 or not len(eps):
        raise IrvizError("`eps_values` must be a list of at least one number, such as [0.0001, 0.01, 1].")
    members = _random(s.values, trials, seed)
    ways: list[tuple[str, float | None]] = [("mean", None), *((summary, float(value)) for value in eps)]
    pieces: list[TrialSlice] = [(block, slice(None), *way) for way in ways for block in _measure_batches(s, members)]
    work = partial(_coefficients, s, members, coefficient)
    parts = run(work, pieces, workers, progress, lambda p: "arithmetic mean" if p[3] is None else f"ε = {p[3]:g}")
    mean = defined_mean(np.concatenate(parts))[0].reshape(len(ways), -1).T
    return EpsilonSweep(s.measures, eps, mean[:, 1:], mean[:, 0], summary, coefficient)


def separate_measures(trials: Floats, seed: int, progress: Progress | None = None, workers: Workers = None) -> Floats:
    """Randomised Tukey HSD across measures × trials, on the trials defined for every measure that is defined
    somewhere."""
    p = np.full((len(trials), len(trials)), np.nan)
    defined = np.isfinite(trials).any(axis=1)
    rows = trials[defined][:, np.isfinite(trials[defined]).all(axis=0)].T
    inside = np.ones((defined.sum(), defined.sum()))
    if rows.shape[0] > 1 and rows.shape[1] > 1:
        draws = Draws(TUKEY_TRIALS, (seed, 1), workers, progress)  # not the splits' stream
        inside = randomised_tukey(np.ascontiguousarray(rows)[None], draws)[0].p_values
    p[np.ix_(defined, defined)] = inside
    return p


def _correlate_splits(
    s: Scores,
    members: Sequence[NDArray[Any]],
    average: tuple[str, float | None],
    coefficient: str,
    what: str,
    progress: Progress | None,
    workers: Workers,
) -> Floats:
    """measures × splits: the coefficients."""
    split_batches = list(batches(len(members[0]), 1, SPLITS_AT_ONCE))
    pieces: list[TrialSlice] = [
        (block, batch, *average) for block in _measure_batches(s, members) for batch in split_batches
    ]
    work, many = partial(_coefficients, s, members, coefficient), f"of {len(members[0]):,} {what}"
    parts = run(work, pieces, workers, progress, lambda p: f"{s.measures[p[0].stop - 1]}, {p[1].stop:,} {many}")
    step = len(split_batches)
    return np.concatenate([np.concatenate(parts[i : i + step], axis=1) for i in range(0, len(parts), step)])


def _measure_batches(s: Scores, members: Sequence[NDArray[Any]]) -> list[slice]:
    """Batches of measures averaged together: several if all have the same splits, else one."""
    alike = all(splits is members[0] for splits in members)
    return list(batches(len(s.measures), len(s.systems) if alike else _COLUMNS, _COLUMNS))


def _coefficients(s: Scores, members: Sequence[NDArray[Any]], coefficient: str, piece: TrialSlice) -> Floats:
    """measures × splits: the coefficient of two halves, given how often each topic counts; NaN where one is empty."""
    measures, batch, summary, eps = piece
    halves = members[measures.start][batch]
    rest = halves.ndim == 2
    full = np.any(halves, axis=1) & ~np.all(halves, axis=1) if rest else np.all(np.any(halves, axis=2), axis=1)
    coefficients = np.full((measures.stop - measures.start, len(halves)), np.nan)
    if full.any():
        subsets = halves[full] if rest else np.concatenate(list(halves[full].swapaxes(0, 1)))
        both = overall_of_subsets(s, measures, subsets, summary, eps, coefficient, rest)
        many = int(full.sum())
        coefficients[:, full] = COEFFICIENTS[coefficient].row_by_row(both[:, :many], both[:, many:])
    return coefficients


def _checked(s: Scores, trials: int, split: str, coefficient: str, seed: int) -> Scores:
    """The scores on the topics that every system has."""
    check_scores(s)
    choose("split", split, tuple(SPLITS))
    choose("coefficient", coefficient, tuple(COEFFICIENTS))
    whole_number("trials", trials)
    whole_number("seed", seed, least=0)
    if len(s.systems) < 2:
        raise IrvizError("Consistency compares rankings of systems; there is only one system. Load at least two.")
    return complete(s)
