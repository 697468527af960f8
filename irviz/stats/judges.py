"""Would another judge change the conclusion?  The same runs under several sets of judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.judges import judged_grades
from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, join_words, probability, unknown, whole_number
from irviz.measures.language.base import Measure
from irviz.portable import mean, subset_totals
from irviz.stats.agreement import cohen_kappa, confusion, grade_codes, krippendorff_alpha
from irviz.stats.correlation import kendall_tau, mean_ranks
from irviz.stats.resampling import generator
from irviz.stats.results import FrozenArrays, better_first, tidy
from irviz.stats.scores import Scores, listing, score
from irviz.stats.significance import METHODS, Significance, discriminative_power
from irviz.stats.similarity import among, by_topic, first_places, overall
from irviz.stats.words import Summary, Test
from irviz.workers import Workers, check_workers

Floats = NDArray[np.float64]


# -- Pairs of systems on which two judges disagree -------------------------------------------------

FLIPS_COLUMNS = tuple(
    """
    measure first second better worse difference_first difference_second p_first p_second significant_first
    significant_second change
""".split()
)
CHANGES = ("turns", "gains", "loses")
_NOISE = 1e-12  #: means that differ by less than this share of the largest are equal


def _changed_pairs(measure: str, judges: tuple[str, str], one: Significance, two: Significance) -> pd.DataFrame:
    before, after = _differences(one.centres), _differences(two.centres)
    first, second = better_first(np.where(before != 0, before, after))
    before, after = before[first, second], after[first, second]
    p_one, p_two = one.p_values[first, second], two.p_values[first, second]
    sure_one, sure_two = p_one < one.alpha, p_two < two.alpha
    turns = (before > 0) & (after < 0)
    change = np.select([turns, ~sure_one & sure_two, sure_one & ~sure_two], CHANGES, default="")
    names = np.array(one.systems, dtype=object)
    values = (before, after, p_one, p_two, sure_one, sure_two, change)
    named = dict(zip(FLIPS_COLUMNS, (measure, *judges, names[first], names[second], *values), strict=True))
    frame = pd.DataFrame(named, index=range(len(first)))
    changed = frame[change != ""]
    order = np.lexsort((changed.p_first, changed.p_second, [CHANGES.index(one) for one in changed.change]))
    return changed.iloc[order]


def _differences(centres: Floats) -> Floats:
    """systems × systems: differences of centres, 0 where they differ by rounding only."""
    differences = np.subtract.outer(centres, centres)
    return np.where(np.abs(differences) <= _NOISE * np.abs(centres).max(initial=0.0), 0.0, differences)


# -- Systems that a judge favours: how many ranks they gain against another judge, and on which topics

EXCHANGES, ALPHA = 1000, 0.05
ALL_EXCHANGES = 10  #: most topics with all 2ⁿ exchanges
DRIVING = 3  #: topics named for a system
COLUMNS = ("measure", "judge", "reference", "system", "shift", "chance", "p_adjusted", "topics")
FAMILY_COLUMNS = ("measure", "judge", "reference", "family", "systems", "shift", "chance", "p_adjusted")


def favoured_frame(
    reference: str, pairs: Mapping[str, tuple[Scores, Scores]], measures: Sequence[str], seed: int
) -> pd.DataFrame:
    """One row per measure, judge and system: the ranks it gains against `reference`, largest first.

    ``chance`` and ``p_adjusted`` are those of `exchange_test` over the systems of a measure and judge; ``topics``, up
    to three, are those where the score minus the mean of all systems moves most in that direction.
    """
    parts = [
        _shifts(name, reference, judge, before, after, m, seed)
        for m, name in enumerate(measures)
        for judge, (before, after) in pairs.items()
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))


def exchange_test(gained: Floats) -> tuple[Floats, Floats]:
    """By system: the shift exceeded with p < .05, uncorrected; and p, corrected for all systems.

    `gained` is exchanges × systems, the observed one first, random if no system is favoured; p is at least 2/2ⁿ. The
    corrected p is the single-step maxT (Westfall & Young 1993), in units of the root mean square over the rows.

    >>> exchange_test(np.array([[4.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [-4.0, 0.0]]))[1].tolist()
    [0.5, 1.0]
    """
    sizes = np.abs(2 * gained)  # whole numbers, so that sums are exact
    units = np.square(sizes) / np.maximum(np.square(sizes).sum(axis=0), 1.0)
    chance = np.sort(sizes, axis=0)[-int(np.ceil(ALPHA * len(sizes)))] / 2
    return chance, (units.max(axis=1)[:, None] >= units[0]).mean(axis=0)


def _shifts(
    measure: str, reference: str, judge: str, reference_scores: Scores, judge_scores: Scores, m: int, seed: int
) -> pd.DataFrame:
    gained = rank_gains(reference_scores, judge_scores, m, seed)
    shift = gained[0]
    topics = _driving_topics(reference_scores.values[m], judge_scores.values[m], shift, reference_scores.topics)
    columns = (measure, judge, reference, reference_scores.systems, shift, *exchange_test(gained), topics)
    frame = pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    return frame.iloc[np.lexsort((np.arange(len(shift)), -shift, -np.abs(shift)))]


def rank_gains(reference_scores: Scores, judge_scores: Scores, m: int, seed: int) -> Floats:
    """exchanges × systems: ranks gained, in halves: first as observed, then with the judges exchanged on some
    topics."""
    scores = np.concatenate([reference_scores.values[m], judge_scores.values[m]])
    exchanged = exchanges(len(reference_scores.topics), seed)
    totals = subset_totals(np.concatenate([1 - exchanged, exchanged], axis=1), scores, rest=True)
    ranks = mean_ranks(-totals)
    return ranks[: len(exchanged)] - ranks[len(exchanged) :]


def exchanges(topics: int, seed: int) -> NDArray[np.integer]:
    """exchanges × topics: 1 where two judges are exchanged, none in the first row; all 2ⁿ for few topics, else
    1,001."""
    if topics <= ALL_EXCHANGES:
        return np.arange(1 << topics)[:, None] >> np.arange(topics) & 1
    exchanged = generator(seed).integers(0, 2, (1 + EXCHANGES, topics), np.int8)
    exchanged[0] = 0
    return exchanged


def _driving_topics(one: Floats, two: Floats, shift: Floats, topics: Sequence[str]) -> list[tuple[str, ...]]:
    """By system, the topics where scores moved most in the direction of its shift."""
    lift = (two - mean(two, axis=1, keepdims=True)) - (one - mean(one, axis=1, keepdims=True))
    towards = lift * np.sign(shift)
    order = np.argsort(-towards, axis=0, kind="stable")[:DRIVING]
    return [tuple(topics[t] for t in order[:, s].tolist() if towards[t, s] > 0) for s in range(len(shift))]


# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Judges(FrozenArrays):
    """Systems and grades under every judge.

    Every pair of judges is compared on its own common topics (`common`), and on the documents of these
    topics; a pair without a common topic has NaN.

    Attributes
    ----------
    measures, judges, systems : tuple of str
    topics : tuple of str
        Topics that two or more judges judged.
    judged : judges × topics
        True where the judge judged the topic.
    tau : measures × judges × judges
        Kendall's τ_b between the rankings of the systems; NaN where one ties them all.
    tau_ap : measures × judges × judges
        AP correlation; the row is the reference.
    top : int or None
        If given, `tau` and `tau_ap` compare only the systems that the row's judge ranks in the first `top`, ties
        included.
    tau_by_topic : measures × topics × judges × judges
    ranks : measures × judges × judges × systems
        ``ranks[:, a, b]``: ranks under judge a on the topics common with b, from 1, the best; tied systems
        share the mean of their ranks.
    raw_agreement : judges × judges
        Share of the documents judged by both that have the same grade from both.
    kappa, kappa_linear, kappa_quadratic : judges × judges
        Cohen's κ of the grades as numbers, plain and weighted by their distance or its square.
    raw_binary, kappa_binary : judges × judges
        Raw agreement and Cohen's κ of "relevant or not" on any scales: relevant are grades above each judge's `lowest`.
    lowest : judges
        The highest grade that counts as not relevant in `kappa_binary`: 0, or the judge's lowest grade if all of
        several are above 0 (a scale of 1–4).
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
    sizes : judges
        Topics that the judge judged.
    scores : mapping of judge to Scores
        On the judge's own grades.
    level : float
        `alpha` of the test behind `flips`.
    """

    measures: tuple[str, ...]
    judges: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    judged: NDArray[np.bool_]
    tau: Floats
    tau_ap: Floats
    tau_by_topic: Floats
    ranks: Floats
    raw_agreement: Floats
    kappa: Floats
    kappa_linear: Floats
    kappa_quadratic: Floats
    raw_binary: Floats
    kappa_binary: Floats
    lowest: Floats
    alpha: float
    alphas: Floats
    kappa_by_topic: Floats
    alpha_by_topic: Floats
    counts: NDArray[np.int64]
    scale: Floats
    sizes: NDArray[np.int64]
    scores: dict[str, Scores]
    method: Test
    level: float
    trials: int
    seed: int
    top: int | None = None

    @property
    def gap(self) -> Floats:
        """judges × judges: `raw_agreement` minus `kappa`."""
        return self.raw_agreement - self.kappa

    def common(self, first: str, second: str) -> tuple[str, ...]:
        """The topics that both judges judged."""
        both = self.judged[self._judge(first)] & self.judged[self._judge(second)]
        return tuple(topic for topic, there in zip(self.topics, both.tolist(), strict=True) if there)

    def grades_differ(self, first: str, second: str) -> bool:
        """True if the two judges gave different sets of grades; equal grades may then differ in meaning."""
        counts = self.confusion(first, second)
        by = [set(counts.index[counts.sum(axis=1) > 0]), set(counts.columns[counts.sum(axis=0) > 0])]
        return by[0] - {"unjudged"} != by[1] - {"unjudged"}

    def confusion(self, first: str, second: str, topic: str | None = None) -> pd.DataFrame:
        """Documents by the grade of one judge (rows) and of another (columns), on common topics or on one of them."""
        a, b, common = self._judge(first), self._judge(second), self.common(first, second)
        if topic is not None and topic not in common:
            raise unknown("topic that both judges judged", topic, common)
        chosen = common if topic is None else (topic,)
        counts = self.counts[[self.topics.index(name) for name in chosen]].sum(axis=0)
        names = [f"{grade:g}" for grade in self.scale] + ["unjudged"]
        return pd.DataFrame(
            counts[a, b], pd.Index(names, name=first), pd.Index(names, name=second if second != first else None)
        )

    @cached_property
    def _testable(self) -> list[tuple[str, str]]:
        """Pairs of judges with at least two common topics, as significance needs."""
        return [pair for pair in combinations(self.judges, 2) if len(self.common(*pair)) > 1]

    @cached_property
    def flips(self) -> pd.DataFrame:
        """One row for every pair of systems that changes from one judge to another.

        `better` has the higher mean under the first judge (under the second if they tie under the first).  `change` is
        ``"turns"`` where the second judge puts the other system ahead, else ``"gains"`` or ``"loses"`` significance.
        """
        if not self._testable:
            raise IrvizError("A significance test needs at least two topics, and no two judges have two in common.")
        tested = {}
        for name, topics in {(name, self.common(*pair)) for pair in self._testable for name in pair}:
            scores = self.scores[name].select(topics=topics)
            power = discriminative_power(scores, self.method, trials=self.trials, alpha=self.level, seed=self.seed)
            tested[name, topics] = power.results
        parts = [
            _changed_pairs(measure, pair, *(tested[name, self.common(*pair)][m] for name in pair))
            for m, measure in enumerate(self.measures)
            for pair in self._testable
        ]
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def flip_counts(self) -> pd.DataFrame:
        """How many pairs turn, gain or lose significance, by measure and pair of judges with two common topics."""
        names = ["measure", "first", "second"]
        index = pd.MultiIndex.from_tuples([(m, *pair) for m in self.measures for pair in self._testable], names=names)
        counts = self.flips.groupby([*names, "change"], sort=False).size().unstack(fill_value=0)
        return counts.reindex(index=index, columns=list(CHANGES), fill_value=0).rename_axis(columns=None)

    @cached_property
    def favoured(self) -> pd.DataFrame:
        """How many ranks each system gains under each judge against the first; see `favoured_frame`."""
        first, *others = self.judges
        pairs = {}
        for other in others:
            if topics := self.common(first, other):
                pairs[other] = (self.scores[first].select(topics=topics), self.scores[other].select(topics=topics))
        return favoured_frame(first, pairs, self.measures, self.seed)

    def by_family(
        self, measure: str, families: Mapping[str, Sequence[str]], reference: str | None = None
    ) -> pd.DataFrame:
        """How many ranks families of systems gain under each judge against `reference`, by default the first judge.

        Parameters
        ----------
        measure : one of `measures`
        families : mapping of a name to its systems
            A family without a system has no row.

        Returns
        -------
        DataFrame
            One row per judge with common topics and family, largest gain first within a judge.  ``systems``: how
            many; ``shift``: mean over the family's systems of the ranks they gain among all systems, positive where
            the judge favours the family; ``chance``, ``p_adjusted``: as in `favoured`, corrected for all families of
            the judge together.
        """
        known = {name: place for place, name in enumerate(self.systems)}
        if missing := [name for names in families.values() for name in names if name not in known]:
            raise unknown("system", missing[0], self.systems)
        members = {family: [known[name] for name in names] for family, names in families.items() if names}
        sizes = np.array([len(places) for places in members.values()])
        first, m, parts = reference or self.judges[0], self._measure(measure), []
        self._judge(first)
        for judge in self.judges:
            topics = self.common(first, judge)
            if judge == first or not topics:
                continue
            before, after = (self.scores[name].select(topics=topics) for name in (first, judge))
            gained = rank_gains(before, after, m, self.seed)
            totals = np.stack([gained[:, places].sum(axis=1) for places in members.values()], axis=1)
            shift, (chance, p) = totals[0] / sizes, exchange_test(totals)
            values = (measure, judge, first, list(members), sizes, shift, chance / sizes, p)
            columns = dict(zip(FAMILY_COLUMNS, values, strict=True))
            parts.append(pd.DataFrame(columns).iloc[np.argsort(-shift, kind="stable")])
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(FAMILY_COLUMNS))

    def turned(self, measure: str, first: str, second: str) -> int:
        """How many pairs of systems the second judge orders oppositely to the first, ties not counted."""
        ranks, a, b = self.ranks[self._measure(measure)], self._judge(first), self._judge(second)
        gaps_first, gaps_second = (np.subtract.outer(ranking, ranking) for ranking in (ranks[a, b], ranks[b, a]))
        return int((gaps_first * gaps_second < 0).sum()) // 2

    def rank_changes(self, measure: str, first: str, second: str) -> pd.DataFrame:
        """By system: its rank under both judges and how many it gains under the second, largest change first."""
        ranks, a, b = self.ranks[self._measure(measure)], self._judge(first), self._judge(second)
        rank_first, rank_second = ranks[a, b], ranks[b, a]
        frame = pd.DataFrame(
            {"system": self.systems, "first": rank_first, "second": rank_second, "gain": rank_first - rank_second}
        )
        order = np.lexsort((rank_first, -np.abs(rank_first - rank_second)))
        return frame.iloc[order].reset_index(drop=True)

    def frame(self) -> pd.DataFrame:
        """One row per measure and pair of judges: common topics, τ, τ_AP (the first is the reference) and agreement."""
        both = self.judged.astype(np.int64) @ self.judged.T.astype(np.int64)
        frame = tidy(
            {"measure": self.measures, "first": self.judges, "second": self.judges},
            topics=both,
            tau=self.tau,
            tau_ap=self.tau_ap,
            raw_agreement=self.raw_agreement,
            kappa=self.kappa,
            gap=self.gap,
            kappa_quadratic=self.kappa_quadratic,
            kappa_binary=self.kappa_binary,
            alpha=self.alphas,
        )
        return frame[frame["first"] != frame["second"]].reset_index(drop=True)

    def _measure(self, name: str) -> int:
        return self.measures.index(choose("measure", name, self.measures))

    def _judge(self, name: str) -> int:
        return self.judges.index(choose("judge", name, self.judges))


def judges(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    seed: int = 0,
    summary: Summary = "mean",
    method: Test = "randomised_tukey",
    alpha: float = 0.05,
    trials: int = 2000,
    workers: Workers = None,
    top: int | None = None,
) -> Judges:
    """Compare the judges of a collection: the systems' rankings and the grades themselves.

    Parameters
    ----------
    c : Collection
        Loaded with ``judges=True``.
    measures : expressions or measures
        Each judge's scores are on that judge's own grades.
    seed : int
        For `flips` (if `method` draws at random) and `favoured`.
    summary : one of :data:`irviz.stats.aggregate.SUMMARIES`
        How topics are averaged for rankings.
    method, alpha, trials
        The test behind `flips`, as in :func:`irviz.significance`.
    workers : see :func:`irviz.workers.run`
    top : int, at least 2, optional
        τ and τ_AP are among the systems that the first judge of a pair ranks in the first `top`, ties included.

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
        raise IrvizError("Judges are compared by their rankings of systems; there is only one. Load two or more.")
    whole_number("seed", seed, least=0)
    if top is not None:
        whole_number("top", top, least=2)
    choose("significance test", method, tuple(METHODS))
    probability("alpha", alpha, usual=0.05)
    judged = judged_topics(c.jury)
    several: NDArray[np.bool_] = np.sum(judged, axis=0) > 1
    if not several.any():
        raise IrvizError(
            f"No two of {join_words(c.judges, joiner='and')} judged a common topic. Load judges of the same topics."
        )
    wanted, scores = listing(measures), {}
    for place, name in enumerate(c.judges):
        topics_of_judge = [c.jury.topics[t] for t in np.flatnonzero(judged[place] & several).tolist()]
        if topics_of_judge:
            scores[name] = score(
                c.by_judge(name).subset(topics=topics_of_judge), wanted, workers=check_workers(workers)
            )
    common = np.flatnonzero(several)
    topics, there = tuple(c.jury.topics[row] for row in common.tolist()), judged[:, common]
    scale, codes = grade_codes(judged_grades(c)[common])
    counts = _counts(codes, len(scale))
    graded = counts[..., :-1, :-1]  # only documents of common topics
    everything = graded.sum(axis=0)
    flat = codes.reshape(-1, codes.shape[2])
    places = range(len(c.judges))
    lowest = np.array([_not_relevant(c.jury, place) for place in places])
    relevance = _binary(everything, scale > lowest[:, None])
    first = next(iter(scores.values()))
    return Judges(
        first.measures,
        c.judges,
        first.systems,
        topics,
        there,
        *_rankings(c.judges, topics, there, scores, summary, top),
        _square(everything, _same_share),
        _square(everything, cohen_kappa),
        _square(everything, lambda pair: cohen_kappa(pair, "linear", scale)),
        _square(everything, lambda pair: cohen_kappa(pair, "quadratic", scale)),
        _square(relevance, _same_share),
        _square(relevance, cohen_kappa),
        lowest,
        krippendorff_alpha(flat, len(scale)),
        np.array([[krippendorff_alpha(flat[:, [a, b]], len(scale)) for b in places] for a in places]),
        np.stack([_square(topic_counts, cohen_kappa) for topic_counts in graded]),
        np.array([krippendorff_alpha(topic_codes, len(scale)) for topic_codes in codes]),
        counts,
        scale,
        judged.sum(axis=1),
        scores,
        method,
        alpha,
        trials,
        seed,
        top,
    )


def judged_topics(jury: Collection) -> NDArray[np.bool_]:
    """judges × topics: whether the judge judged a document of the topic."""
    judged: NDArray[np.bool_] = np.any(jury.labels != ABSENT, axis=1)
    return judged.T


def _rankings(
    judges: Sequence[str],
    topics: Sequence[str],
    is_judged: NDArray[np.bool_],
    scores: Mapping[str, Scores],
    summary: str,
    top: int | None,
) -> tuple[Floats, Floats, Floats, Floats]:
    """τ, τ_AP, τ by topic and ranks of :class:`Judges`, pair by pair."""
    first_scores = next(iter(scores.values()))
    square = (len(judges), len(judges))
    tau = np.full((len(first_scores.measures), *square), np.nan)
    tau_of_ap, by_topics = tau.copy(), np.full((len(first_scores.measures), len(topics), *square), np.nan)
    ranks = np.full((*tau.shape, len(first_scores.systems)), np.nan)
    for a, b in combinations_with_replacement(range(len(judges)), 2):
        both = np.flatnonzero(is_judged[a] & is_judged[b])
        if not len(both):
            continue
        selected = [scores[judges[place]].select(topics=[topics[t] for t in both.tolist()]) for place in (a, b)]
        pair = np.stack([overall(own, summary) for own in selected], axis=1)  # measures × 2 × systems
        by_pair = kendall_tau(np.stack([by_topic(own) for own in selected], axis=2))  # topics × measures × 2 × 2
        kept = [None if top is None else first_places(rows, top) for rows in pair]
        for values, name in ((tau, "tau"), (tau_of_ap, "tau_ap")):
            matrix = np.stack([among(name, *one) for one in zip(pair, kept, strict=True)])
            values[:, a, b], values[:, b, a] = matrix[:, 0, 1], matrix[:, 1, 0]
        by_topics[:, both, a, b] = by_topics[:, both, b, a] = by_pair[:, :, 0, 1].T
        ranks[:, a, b], ranks[:, b, a] = (mean_ranks(-pair[:, side]) for side in (0, 1))
    return tau, tau_of_ap, by_topics, ranks


def _not_relevant(jury: Collection, place: int) -> float:
    """The highest grade that is not relevant: 0, or the judge's lowest grade if all of several are above 0."""
    levels = jury.labels[:, :, place]
    used = np.unique(levels[levels != ABSENT])
    return jury.grades[place][int(used[0])] if len(used) > 1 and used[0] > 0 else 0.0


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


def _same_share(counts: NDArray[np.int64]) -> float:
    """The share of documents on the diagonal of a confusion matrix."""
    return float(counts.trace() / counts.sum()) if counts.any() else np.nan


def _binary(counts: NDArray[np.int64], relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
    """judges × judges × 2 × 2: confusions of "not relevant" and "relevant", from judges × grades booleans."""
    sides = np.stack([~relevant, relevant], axis=1).astype(np.int64)  # judges × 2 × grades
    return np.einsum("abgh,axg,byh->abxy", counts, sides, sides)
