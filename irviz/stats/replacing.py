"""How many judgments of one judge can another's replace before the order of the systems changes?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.judges import judged_grades, levels_of, with_judge
from irviz.collection.model import Collection
from irviz.collection.ragged import Padded
from irviz.errors import IrvizError, choose, is_number, whole_number
from irviz.measures.language.base import Measure
from irviz.portable import total
from irviz.stats.correlation import defined_mean, paired_tau
from irviz.stats.incompleteness import kept_count
from irviz.stats.judges import judged_topics
from irviz.stats.resampling import generator
from irviz.stats.results import FrozenArrays, shares_of, tidy
from irviz.stats.scores import listing, score
from irviz.stats.similarity import overall
from irviz.stats.words import Summary, Unit
from irviz.workers import Listener, Workers, check_workers, listener, run

Floats = NDArray[np.float64]


# -- A new judge made from several judges, or from another judge's grades on another scale ---------


def _majority(grades: Floats) -> Floats:
    """The grade that most of the judges gave; of several such the lowest."""
    scale = np.unique(grades[~np.isnan(grades)])
    votes = (grades[..., None] == scale).sum(axis=2)
    return scale[np.argmax(votes, axis=-1)]  # the first of equals is the lowest


def _mean(grades: Floats) -> Floats:
    graded = ~np.isnan(grades)
    return total(np.where(graded, grades, 0.0), axis=2) / np.maximum(graded.sum(axis=2), 1)


MERGING_RULES: dict[str, Callable[[Floats], Floats]] = {
    "majority": _majority,
    "mean": _mean,
    "lowest": lambda grades: np.where(np.isnan(grades), np.inf, grades).min(axis=2),
    "highest": lambda grades: np.where(np.isnan(grades), -np.inf, grades).max(axis=2),
}  #: every way to merge judges, in the order of a menu


def merge_judges(c: Collection, how: str, name: str | None = None) -> Collection:
    """The collection with a judge made of all others by one of `MERGING_RULES`; the majority is the lowest of ties."""
    choose("way to merge judges", how, tuple(MERGING_RULES))
    if len(c.judges) < 2:
        raise IrvizError("Merging takes two or more different judges.")
    grades = judged_grades(c)
    graded = ~np.isnan(grades).all(axis=2)
    merged_grades = np.where(graded, MERGING_RULES[how](grades), np.nan)
    return with_judge(c, name or f"{how} of {', '.join(c.judges)}", merged_grades)


def map_grades(c: Collection, judge: str, thresholds: Sequence[float], name: str | None = None) -> Collection:
    """The collection with a judge mapped from another: a grade from the n-th threshold on is n, a lower one 0."""
    rising = tuple(thresholds)
    if not rising or not all(is_number(n) and np.isfinite(n) for n in rising):
        raise IrvizError(f"`thresholds` must be one or more numbers; got {thresholds!r}.")
    if any(a >= b for a, b in zip(rising, rising[1:], strict=False)):
        raise IrvizError(f"`thresholds` must be in ascending order; got {list(rising)}.")
    old = judged_grades(c)[:, :, c.judges.index(choose("judge", judge, c.judges))]
    new = np.where(np.isnan(old), np.nan, np.searchsorted(rising, np.nan_to_num(old), side="right"))
    steps = ", ".join(f"{limit:g}" for limit in rising)
    return with_judge(c, name or f"{judge} from {steps}", new)


# --------------------------------------------------------------------------------------------------

_SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
REPLACED_UNITS = {
    "documents": "the same share of every topic's judged documents",
    "topics": "a share of the topics, each as a whole",
}  #: units of replacement, in the order of the menu


@dataclass(frozen=True, eq=False)
class Replacement(FrozenArrays):
    """Rankings of the systems when some judgments are another judge's.

    Attributes
    ----------
    measures, topics : tuple of str
    shares : tuple of float
    first, second : str
        The judge to be replaced, and the one that replaces.
    tau : measures × shares; the mean of `repeats` where defined
    repeats : measures × shares × repeats; Kendall's τ_b with the ranking under the first judge alone
        NaN if one of the two rankings ties all systems.
    flipped : measures × shares × repeats; pairs of systems in the opposite order
    pairs : pairs of systems
    left : shares; judgments of the first judge that are still used
    """

    measures: tuple[str, ...]
    topics: tuple[str, ...]
    shares: tuple[float, ...]
    first: str
    second: str
    tau: Floats
    repeats: Floats
    flipped: NDArray[np.int64]
    pairs: int
    left: NDArray[np.int64]
    unit: str
    seed: int

    def needed(self, measure: str, tau: float = 0.9) -> int | None:
        """Judgments of the first judge still used at the largest share before τ first falls below `tau`.

        None if τ is lower or undefined already at the smallest share.
        """
        choose("measure", measure, self.measures)
        ascending = np.argsort(self.shares, kind="stable")
        high = self.tau[self.measures.index(measure)][ascending] >= tau
        stays = int(np.cumprod(high).sum())
        return int(self.left[ascending[stays - 1]]) if stays else None

    def falls(self, measure: str, tau: float = 0.9) -> tuple[float, float] | None:
        """The smallest share tried at which τ is below `tau` or undefined, and τ there; None if there is none."""
        choose("measure", measure, self.measures)
        values = self.tau[self.measures.index(measure)]
        low = [(share, float(value)) for share, value in zip(self.shares, values, strict=True) if not value >= tau]
        return min(low) if low else None

    def frame(self) -> pd.DataFrame:
        """Tidy: measure, share, repeat (from 1), tau, flipped, left."""
        axes = {"measure": self.measures, "share": self.shares, "repeat": range(1, self.repeats.shape[2] + 1)}
        return tidy(axes, tau=self.repeats, flipped=self.flipped, left=self.left[:, None])


def replaced(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    first: str,
    second: str,
    *,
    shares: Sequence[float] = _SHARES,
    repeats: int = 10,
    seed: int = 0,
    unit: Unit = "documents",
    summary: Summary = "mean",
    progress: Listener = None,
    workers: Workers = None,
) -> Replacement:
    """Rank the systems with a growing share of one judge's judgments replaced by another's.

    Parameters
    ----------
    c : Collection
        Loaded with ``judges=True``.
    measures : expressions or measures
    first, second : str
        Judges; on the topics that both judged, every document that either judged can be replaced.
    shares : numbers in [0, 1]
        Shares of the documents of every topic, or of the topics, judged as by `second` (a grade, or unjudged).
    repeats : int
        Independent draws; each depends on `seed` and its own number only, and within one
        a larger share contains the smaller ones.
    unit : {"documents", "topics"}
    summary
        How topics are averaged, as in :func:`irviz.summarise`.
    progress : callable, or True for a bar, optional
    workers : see :func:`irviz.workers.run`

    Returns
    -------
    Replacement

    Notes
    -----
    Grades are mixed unchanged.  If the two judges use different scales, map one scale to the
    other first (:func:`~irviz.stats.replacing.map_grades`).
    """
    progress = listener(progress)
    choose("unit", unit, tuple(REPLACED_UNITS))
    whole_number("repeats", repeats)
    whole_number("seed", seed, least=0)
    chosen, wanted = shares_of("shares", shares, "judgments", zero=True), listing(measures)
    mixed, grades = _two_judges(c, first, second)
    if len(c.systems) < 2:
        raise IrvizError("Replacing judgments compares rankings of systems; there is only one. Load two or more.")
    pieces = [
        (b, s, is_replaced)
        for b in range(repeats)
        for s, is_replaced in zip(chosen, _replacement_masks(grades, chosen, unit, seed, b), strict=True)
    ]
    nothing = np.zeros(grades.shape[:2], dtype=bool)
    start = score(_mix_judgments(mixed, grades, nothing), wanted, workers=check_workers(workers))
    reference = overall(start, summary)
    work = partial(_compare_rankings, mixed, grades, wanted, reference, summary)
    results = run(work, pieces, workers, progress, lambda p: f"{p[1]:.0%} replaced, repeat {p[0] + 1} of {repeats}")
    cube = np.moveaxis(np.reshape(results, (repeats, len(chosen), 2, -1)), 0, -1)
    tau, flips = (np.ascontiguousarray(cube[:, i].swapaxes(0, 1)) for i in (0, 1))  # measures × shares × repeats
    flipped = flips.astype(np.int64)
    judged = ~np.isnan(grades[:, :, 0])
    left = np.array([(judged & ~is_replaced).sum() for _, _, is_replaced in pieces[: len(chosen)]])
    count = len(c.systems) * (len(c.systems) - 1) // 2
    return Replacement(
        start.measures, mixed.topics, chosen, first, second, defined_mean(tau)[0], tau, flipped, count, left, unit, seed
    )


def _two_judges(c: Collection, first: str, second: str) -> tuple[Collection, Floats]:
    """The lists on the topics that both judged, and the two judges' grades: topics × documents × 2."""
    for name in (first, second):
        c.by_judge(name)  # refuses what is not a judge
    if first == second:
        raise IrvizError(f"`{first}` cannot replace itself. Name two judges.")
    assert c.jury is not None
    places = [c.judges.index(first), c.judges.index(second)]
    judged = judged_topics(c.jury)[places]
    both = np.flatnonzero(judged.all(axis=0))
    if not len(both):
        sizes = judged.sum(axis=1).tolist()
        raise IrvizError(
            f"{first} and {second} judged no topic in common, of {sizes[0]:,} and {sizes[1]:,}. Choose other judges."
        )
    return c.jury.subset(topics=[c.jury.topics[t] for t in both]), judged_grades(c)[both][:, :, places]


def _replacement_masks(
    grades: Floats, shares: Sequence[float], unit: str, seed: int, repeat: int
) -> list[NDArray[np.bool_]]:
    """By share, topics × documents: whether a judgment is the second judge's."""
    draw = generator((seed, repeat))
    either = np.isfinite(grades[:, :, 0]) | np.isfinite(grades[:, :, 1])
    place = np.full(either.shape, np.iinfo(np.int64).max)
    if unit == "topics":
        place[:] = draw.permutation(len(either))[:, None]
        return [(place < kept_count(share, len(either))) & either for share in shares]
    for t, documents in enumerate(either):
        place[t, documents] = draw.permutation(int(documents.sum()))
    most = either.sum(axis=1)
    return [place < np.array([kept_count(share, int(n)) for n in most])[:, None] for share in shares]


def _mix_judgments(jury: Collection, grades: Floats, is_replaced: NDArray[np.bool_]) -> Collection:
    """The collection with the first judge's judgments, or the second's, on the levels of both."""
    levels, labels = levels_of(grades)
    chosen = np.where(is_replaced, labels[:, :, 1], labels[:, :, 0])[:, :, None]
    return replace(jury, aspects=("relevance",), grades=(levels,), labels=Padded.of(chosen, ABSENT))


def _compare_rankings(
    jury: Collection,
    grades: Floats,
    measures: list[str | Measure],
    reference: Floats,
    summary: str,
    piece: tuple[int, float, NDArray[np.bool_]],
) -> Floats:
    """2 × measures: τ_b with the reference, and the pairs of systems in the opposite order."""
    order = overall(score(_mix_judgments(jury, grades, piece[2]), measures, workers=1), summary)
    first, second = np.triu_indices(order.shape[-1], k=1)
    before, after = (np.sign(ranks[:, first] - ranks[:, second]) for ranks in (reference, order))
    return np.stack([paired_tau(reference, order), (before * after < 0).sum(axis=-1).astype(np.float64)])
