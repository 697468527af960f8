"""Would another judge change the conclusion?  The same runs under several sets of judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.judges import judged_grades
from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, counted, listed, probability, unknown, whole_number
from irviz.measures.language.base import Measure
from irviz.portable import mean, subset_totals
from irviz.stats.agreement import cohen_kappa, confusion, grade_codes, krippendorff_alpha
from irviz.stats.bootstrap import resampling_weights
from irviz.stats.correlation import kendall_tau, mean_ranks, tau_ap
from irviz.stats.results import FrozenArrays
from irviz.stats.scores import Scores, listing, score, scoring_seconds
from irviz.stats.significance import METHODS, Significance, discriminative_power
from irviz.stats.similarity import by_topic, overall
from irviz.workers import Workers, check_workers, takes

Floats = NDArray[np.float64]


# -- Pairs of systems on which two judges disagree -------------------------------------------------

COLUMNS = tuple(
    """
    measure first second better worse difference_first difference_second p_first p_second significant_first
    significant_second change
""".split()
)
CHANGES = ("turns", "gains", "loses")
_NOISE = 1e-12  #: of the largest centre: means that differ by less are equal


def tested(
    scores: Mapping[str, Scores], method: str, trials: int, alpha: float, seed: int
) -> dict[str, tuple[Significance, ...]]:
    """By judge, one test per measure; the same shuffles serve all judges."""
    return {judge: discriminative_power(one, method, trials, alpha, seed).results for judge, one in scores.items()}


def flips_frame(tests: Mapping[str, Sequence[Significance]], measures: Sequence[str]) -> pd.DataFrame:
    """One row for every pair of systems that changes from one judge to another.

    Returns
    -------
    DataFrame
        `better` has the higher mean under the first judge (under the second where the first
        ties them).  `change` is ``"turns"`` where the second judge puts the other system
        ahead, else ``"gains"`` or ``"loses"`` significance.
    """
    parts = [
        _changed(name, (first, second), tests[first][m], tests[second][m])
        for m, name in enumerate(measures)
        for first, second in combinations(tests, 2)
    ]
    return pd.concat(parts, ignore_index=True)


def flip_counts(flips: pd.DataFrame, judges: Sequence[str], measures: Sequence[str]) -> pd.DataFrame:
    """By measure and pair of judges: how many pairs of systems turn, gain and lose significance."""
    index = pd.MultiIndex.from_tuples(
        [(measure, *pair) for measure in measures for pair in combinations(judges, 2)],
        names=["measure", "first", "second"],
    )
    counts = flips.groupby(["measure", "first", "second", "change"], sort=False).size().unstack(fill_value=0)
    return counts.reindex(index=index, columns=list(CHANGES), fill_value=0).rename_axis(columns=None)


def _changed(measure: str, judges: tuple[str, str], one: Significance, two: Significance) -> pd.DataFrame:
    first, second = np.triu_indices(len(one.systems), k=1)
    before, after = _differences(one.centres, first, second), _differences(two.centres, first, second)
    ahead = np.where(before != 0, before, after)
    first, second = np.where(ahead < 0, second, first), np.where(ahead < 0, first, second)
    before, after = np.where(ahead < 0, -before, before), np.where(ahead < 0, -after, after)
    p_one, p_two = one.p_values[first, second], two.p_values[first, second]
    sure_one, sure_two = p_one < one.alpha, p_two < two.alpha
    turns = (before > 0) & (after < 0)
    change = np.select([turns, ~sure_one & sure_two, sure_one & ~sure_two], CHANGES, default="")
    names = np.array(one.systems, dtype=object)
    values = (
        measure,
        *judges,
        names[first],
        names[second],
        before,
        after,
        p_one,
        p_two,
        sure_one,
        sure_two,
        change,
    )
    frame = pd.DataFrame(dict(zip(COLUMNS, values, strict=True)), index=range(len(first)))
    kept = frame[change != ""]
    order = np.lexsort((kept.p_first, kept.p_second, [CHANGES.index(one) for one in kept.change]))
    return kept.iloc[order]


def _differences(centres: NDArray[np.float64], first: NDArray, second: NDArray) -> NDArray[np.float64]:
    """Differences of centres, 0 where there is nothing but rounding between them."""
    found = centres[first] - centres[second]
    return np.where(np.abs(found) <= _NOISE * np.abs(centres).max(initial=0.0), 0.0, found)


# -- Systems that a judge favours: how many ranks they gain against another judge, and on which topics

RESAMPLES, CONFIDENCE = 1000, 0.95
DRIVING = 3  #: topics named for a system


def favoured_frame(scores: Mapping[str, Scores], measures: Sequence[str], seed: int) -> pd.DataFrame:
    """One row per measure, judge and system: the ranks it gains under that judge against the first judge.

    Returns
    -------
    DataFrame
        ``shift``: the system's rank by mean score under the first judge minus that under
        `judge`, positive where `judge` favours it; ``low`` and ``high``: its 95% percentile
        interval over topics drawn with replacement (the same draws for all); ``topics``: up
        to three on which the system's score, minus the mean score of all systems, changes
        most in the direction of the shift.  Largest shifts first within a measure and judge.
    """
    reference, *others = scores
    weights = resampling_weights(len(scores[reference].topics), RESAMPLES, seed)
    parts = [
        _shifts(name, reference, judge, scores[reference], scores[judge], m, weights)
        for m, name in enumerate(measures)
        for judge in others
    ]
    return pd.concat(parts, ignore_index=True)


def _shifts(
    measure: str, reference: str, judge: str, before: Scores, after: Scores, m: int, weights: Floats
) -> pd.DataFrame:
    one, two = before.values[m], after.values[m]
    everything = np.ones((1, len(one)))
    shift = (_ranks(everything, one) - _ranks(everything, two))[0]
    drawn = _ranks(weights, one) - _ranks(weights, two)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, tail, axis=0, method="lower"), np.quantile(drawn, 1 - tail, axis=0, method="higher")
    frame = pd.DataFrame(
        {
            "measure": measure,
            "judge": judge,
            "reference": reference,
            "system": before.systems,
            "shift": shift,
            "low": np.minimum(low, shift),
            "high": np.maximum(high, shift),
            "topics": _driving(one, two, shift, before.topics),
        }
    )
    return frame.iloc[np.lexsort((np.arange(len(shift)), -shift, -np.abs(shift)))]


def _ranks(weights: Floats, scores: Floats) -> Floats:
    """weights × systems: ranks from 1, the best, by the (exact) sums over drawn topics."""
    return mean_ranks(-subset_totals(weights, scores))


def _driving(one: Floats, two: Floats, shift: Floats, topics: Sequence[str]) -> list[tuple[str, ...]]:
    """By system, the topics whose scores moved most in the direction of its shift."""
    lift = (two - mean(two, axis=1, keepdims=True)) - (one - mean(one, axis=1, keepdims=True))
    towards = lift * np.sign(shift)
    order = np.argsort(-towards, axis=0, kind="stable")[:DRIVING]
    return [tuple(topics[t] for t in order[:, s].tolist() if towards[t, s] > 0) for s in range(len(shift))]


# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Judges(FrozenArrays):
    """Systems and grades under every judge.

    Everything about systems is computed on `topics`, the topics that every judge judged; everything
    about grades on the documents of these topics.

    Attributes
    ----------
    measures, judges, systems, topics : tuple of str
    tau : measures × judges × judges
        Kendall's τ_b between the rankings of the systems; NaN where one ties them all.
    tau_ap : measures × judges × judges
        AP correlation; the row is the reference.
    tau_by_topic : measures × topics × judges × judges
    ranks : measures × judges × systems
        From 1, the best; tied systems share the mean of their ranks.
    kappa, kappa_linear, kappa_quadratic : judges × judges
        Cohen's κ of the grades as numbers, plain and weighted by their distance or its square.
    kappa_binary : judges × judges
        Cohen's κ of grades above zero against the others, whatever scales judges use.
    alpha : float
        Krippendorff's α of all judges, ordinal.
    alphas : judges × judges
        The same for each pair of judges.
    kappa_by_topic : topics × judges × judges
    alpha_by_topic : topics
    counts : topics × judges × judges × (grades + 1) × (grades + 1)
        Documents by the grades that two judges gave them; the last is "unjudged".  See `confusion`.
    scale : grades
        All grades that any judge gave, ascending.
    left_out : mapping of judge to topics
        Topics that this judge judged and some other did not: they are not compared.
    """

    measures: tuple[str, ...]
    judges: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    tau: Floats
    tau_ap: Floats
    tau_by_topic: Floats
    ranks: Floats
    kappa: Floats
    kappa_linear: Floats
    kappa_quadratic: Floats
    kappa_binary: Floats
    alpha: float
    alphas: Floats
    kappa_by_topic: Floats
    alpha_by_topic: Floats
    counts: NDArray[np.int64]
    scale: Floats
    left_out: dict[str, tuple[str, ...]]
    scores: dict[str, Scores]
    method: str
    level: float
    trials: int
    seed: int

    @property
    def sentence(self) -> str:
        """The judges that are compared, and the topics."""
        topics = counted(len(self.topics), "topic")
        both = f"{listed(self.judges, joiner='and')} are compared on the {topics} that all judged"
        gone = [f"{counted(len(some), 'topic')} of {judge}" for judge, some in self.left_out.items() if some]
        return f"{both}; left out: {listed(gone, joiner='and')}." if gone else f"{both}: all there are."

    def confusion(self, first: str, second: str, topic: str | None = None) -> pd.DataFrame:
        """Documents by the grade of one judge (rows) and of another (columns), overall or for a topic."""
        a, b = self._judge(first), self._judge(second)
        if topic is not None and topic not in self.topics:
            raise unknown("topic that all judges judged", topic, self.topics)
        counts = self.counts.sum(axis=0) if topic is None else self.counts[self.topics.index(topic)]
        names = [f"{grade:g}" for grade in self.scale] + ["unjudged"]
        return pd.DataFrame(
            counts[a, b], pd.Index(names, name=first), pd.Index(names, name=second if second != first else None)
        )

    @cached_property
    def flips(self) -> pd.DataFrame:
        """Pairs of systems whose difference gains or loses significance or changes sign; see `flips_frame`."""
        tests = tested(self.scores, self.method, self.trials, self.level, self.seed)
        return flips_frame(tests, self.measures)

    @cached_property
    def flip_counts(self) -> pd.DataFrame:
        """By measure and pair of judges: how many pairs of systems turn, gain and lose significance."""
        return flip_counts(self.flips, self.judges, self.measures)

    @cached_property
    def favoured(self) -> pd.DataFrame:
        """How many ranks each system gains under each judge against the first; see `favoured_frame`."""
        return favoured_frame(self.scores, self.measures, self.seed)

    def rank_changes(self, measure: str, first: str, second: str) -> pd.DataFrame:
        """By system: its rank under both judges and how many it gains under the second, largest change first."""
        if measure not in self.measures:
            raise unknown("measure", measure, self.measures)
        rows = self.ranks[self.measures.index(measure)]
        one, two = rows[self._judge(first)], rows[self._judge(second)]
        frame = pd.DataFrame({"system": self.systems, "first": one, "second": two, "gain": one - two})
        order = np.lexsort((one, -np.abs(one - two)))
        return frame.iloc[order].reset_index(drop=True)

    def frame(self) -> pd.DataFrame:
        """One row per measure and a pair of judges: τ, τ_AP (the first is the reference), κ and α."""
        m, a, b = np.nonzero(np.broadcast_to(~np.eye(len(self.judges), dtype=bool), self.tau.shape))
        judges, measures = (np.array(names, dtype=object) for names in (self.judges, self.measures))
        square = {"kappa": self.kappa, "kappa_quadratic": self.kappa_quadratic, "alpha": self.alphas}
        columns = {"measure": measures[m], "first": judges[a], "second": judges[b], "tau": self.tau[m, a, b]}
        columns |= {"tau_ap": self.tau_ap[m, a, b]} | {name: values[a, b] for name, values in square.items()}
        return pd.DataFrame(columns)

    def _judge(self, name: str) -> int:
        if name not in self.judges:
            raise unknown("judge", name, self.judges)
        return self.judges.index(name)


@takes(lambda c, measures, **_: 3 * len(c.judges) * scoring_seconds(c, measures))
def judges(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    seed: int = 0,
    summary: str = "mean",
    method: str = "randomised_tukey",
    alpha: float = 0.05,
    trials: int = 2000,
    workers: Workers = None,
) -> Judges:
    """Compare the judges of a collection: the systems' rankings and the grades themselves.

    Parameters
    ----------
    c : Collection
        Loaded with ``judges=True``.
    measures : expressions or measures
        Each judge's scores are on that judge's own grades.
    seed : int
        For `flips` (if `method` draws at random) and for the intervals in `favoured`; both are computed when they are
        first used.
    summary : one of :data:`irviz.stats.aggregate.SUMMARIES`
        How topics are averaged for rankings.
    method, alpha, trials
        The test behind `flips`, as in :func:`irviz.significance`.
    workers : a number, or the name of a joblib backend, optional
        See :func:`irviz.workers.run`; the result does not depend on it.

    Returns
    -------
    Judges
    """
    if len(c.judges) < 2 or c.jury is None:
        raise IrvizError(
            "This collection has one set of judgments. Load several with "
            "load_collection({'people': file, 'machine': file}, runs, judges=True)."
        )
    if len(c.systems) < 2:
        raise IrvizError("Judges are compared by their rankings of systems; there is only one. Load at least two.")
    whole_number("seed", seed, least=0)
    choose("significance test", method, tuple(METHODS))
    probability("alpha", alpha, usual=0.05)
    seen = {name: c.by_judge(name) for name in c.judges}
    shared = shared_topics(c)
    wanted = listing(measures)
    scores = {
        name: score(one.subset(topics=shared), wanted, workers=check_workers(workers)) for name, one in seen.items()
    }
    own = {name: tuple(t for t in one.topics if t not in set(shared)) for name, one in seen.items()}
    return _compared(c, shared, scores, own, summary, (method, alpha, trials, seed))


def shared_topics(c: Collection, judges: Sequence[str] | None = None) -> tuple[str, ...]:
    """The topics that all of some judges judged; refused where there is none."""
    assert c.jury is not None
    names = c.judges if judges is None else tuple(judges)
    places = [c.judges.index(name) for name in names]
    judged = (c.jury.labels[:, :, places] != ABSENT).any(axis=1).all(axis=1)
    if not judged.any():
        raise IrvizError(f"No topic was judged by all of {listed(names, joiner='and')}. Leave a judge out.")
    return tuple(topic for topic, shared in zip(c.jury.topics, judged.tolist(), strict=True) if shared)


def _compared(
    c: Collection,
    shared: tuple[str, ...],
    scores: dict[str, Scores],
    left_out: dict[str, tuple[str, ...]],
    summary: str,
    test: tuple[str, float, int, int],
) -> Judges:
    ordered = np.stack([overall(one, summary) for one in scores.values()], axis=1)  # measures × judges × systems
    topical = np.stack([by_topic(one) for one in scores.values()], axis=2)  # topics × measures × judges × systems
    rows = [c.jury.topics.index(topic) for topic in shared] if c.jury is not None else []
    scale, codes = grade_codes(judged_grades(c)[rows])
    counts = _counts(codes, len(scale))
    judged = counts[..., :-1, :-1]
    everything = judged.sum(axis=0)
    flat = codes.reshape(-1, codes.shape[2])
    first = next(iter(scores.values()))
    method, alpha, trials, seed = test
    return Judges(
        first.measures,
        c.judges,
        first.systems,
        shared,
        kendall_tau(ordered),
        tau_ap(ordered),
        np.swapaxes(kendall_tau(topical), 0, 1),
        mean_ranks(-ordered),
        _square(everything, cohen_kappa),
        _square(everything, lambda pair: cohen_kappa(pair, "linear", scale)),
        _square(everything, lambda pair: cohen_kappa(pair, "quadratic", scale)),
        _square(everything, lambda pair: cohen_kappa(_binary(pair))),
        krippendorff_alpha(flat, scale),
        _pairs_of_judges(flat, scale),
        np.stack([_square(one, cohen_kappa) for one in judged]),
        np.array([krippendorff_alpha(one, scale) for one in codes]),
        counts,
        scale,
        left_out,
        scores,
        method,
        alpha,
        trials,
        seed,
    )


def _counts(codes: NDArray[np.int64], grades: int) -> NDArray[np.int64]:
    """topics × judges × judges × (grades + 1) × (grades + 1)."""
    topics, _, judges = codes.shape
    out = np.empty((topics, judges, judges, grades + 1, grades + 1), dtype=np.int64)
    for t, a, b in np.ndindex(topics, judges, judges):
        out[t, a, b] = confusion(codes[t, :, a], codes[t, :, b], grades)
    return out


def _square(counts: NDArray[np.int64], coefficient: Callable[[NDArray[np.int64]], float]) -> Floats:
    """judges × judges of a coefficient of confusion matrices."""
    return np.array([[coefficient(pair) for pair in row] for row in counts])


def _binary(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The confusion of grades above zero with the others."""
    if len(counts) < 2:
        return counts
    return np.add.reduceat(np.add.reduceat(counts, [0, 1], axis=0), [0, 1], axis=1)


def _pairs_of_judges(codes: NDArray[np.int64], scale: Floats) -> Floats:
    judges = range(codes.shape[1])
    return np.array([[krippendorff_alpha(codes[:, [a, b]], scale) for b in judges] for a in judges])
