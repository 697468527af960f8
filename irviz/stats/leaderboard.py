"""Leaderboards: systems ranked over topics or tasks by averages, places or wins; scores may be missing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose, join_words, whole_number
from irviz.portable import exp, subset_totals, total
from irviz.stats.aggregate import ScoreMatrix, aggregate_subsets, matrix_of
from irviz.stats.correlation import SAME, shared_ranks
from irviz.stats.groups import Groups, drawn
from irviz.stats.resampling import FEWEST_TOPICS
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import standardise
from irviz.stats.words import Leaderboard
from irviz.workers import batches

Floats = NDArray[np.float64]
_OUTSIDE = 0.025  #: share of the resampled ranks below the interval, and above it
_BATCH_BYTES = 1 << 26  #: bytes of wins by pair in one batch
_PRIOR = 1e-3  #: wins of every system over every other, added in resamples without most likely strengths
_STEPS, _LONGEST, _STILL = 200, 2.0, 1e-11  #: of Newton's method: how many, how long, how short the last
_SMALL, _LEAST = 1e-24, 1e-300  #: squares that end conjugate gradients, and the least divisor
_DECIMALS = 10  #: of strengths: what further steps would change


def leaderboard(
    s: ScoreMatrix,
    method: Leaderboard = "mean",
    *,
    trials: int = 2000,
    seed: int = 0,
    groups: Groups | None = None,
) -> pd.DataFrame:
    r"""Scores and ranks of systems over topics or tasks.

    Parameters
    ----------
    s : DataFrame, topics × systems, or Scores of one measure
        Rows may be tasks.  A missing score is left out, and is never a 0.
    method : str
        From topics, or tasks, to a rank per system.
        ``"mean"``, ``"median"``, ``"geometric"`` : over the rows on which a system has a score, as
        :func:`irviz.summarise`.
        ``"standardised"`` : mean of :func:`irviz.standardise`.
        ``"wins"`` : share of comparisons, with each other system on each shared row, that a system wins; a tie is no
        win. ``"borda"`` : mean over rows of (systems behind + half of those tied)/(present systems − 1).
        ``"bradley_terry"`` : maximum-likelihood strengths under :math:`P(i\ \text{beats}\ j) = 1/(1 + e^{s_j - s_i})`,
        with mean 0; a tie is half a win of each (Bradley & Terry 1952).
    trials, seed : int
        Resamples of the rows, for the intervals.
    groups : path, (name, bytes), mapping or Series of row to group, optional
        Rows that belong together; whole groups are drawn.

    Returns
    -------
    DataFrame by system, best first
        ``score``; ``rank`` from 1, equal scores sharing the best; ``low`` and ``high``, limits of the middle 95 % of
        ranks over resampled rows; ``present``, the share of rows with a score.  A system that cannot be compared has no
        score and no rank.

    Raises
    ------
    IrvizError
        If some systems never lose to the others or tie with them: their Bradley-Terry strength is unbounded.  In
        resamples such systems are put first.

    Notes
    -----
    There are no intervals below five rows, or groups.  In each resample a system without a score has no rank.
    """
    choose("leaderboard", method, tuple(LEADERBOARDS))
    whole_number("trials", trials)
    whole_number("seed", seed, least=0)
    cube = matrix_of(s)
    values, labelled = cube.values[0], s if isinstance(s, Scores) else cube
    resampled, _ = drawn(labelled.topics, groups, trials, seed, FEWEST_TOPICS)
    weights = np.concatenate([np.ones((1, len(values))), resampled])
    order = labelled.order(labelled.measures[0])
    if method == "bradley_terry":
        _check_bounded(order, cube.systems)
    scores = LEADERBOARDS[method](values, order, weights)
    ranks = _ranks(scores)
    ordered = np.sort(np.concatenate([ranks[1:], np.full_like(ranks[:1], np.nan)]), axis=0)  # the last are NaN
    known = (~np.isnan(ordered)).sum(axis=0)
    cut = (known * _OUTSIDE).astype(np.intp)
    limits = (np.take_along_axis(ordered, place[None], axis=0)[0] for place in (cut, known - 1 - cut))
    columns = dict(zip(("rank", "low", "high"), (ranks[0], *limits), strict=True))
    frame = pd.DataFrame({"score": scores[0]}, index=pd.Index(cube.systems, name="system"))
    for name, column in columns.items():
        frame[name] = pd.array(np.where(np.isnan(ranks[0]), np.nan, column), dtype="Int64")
    frame["present"] = (~np.isnan(values)).mean(axis=0)
    return frame.sort_values("rank", kind="stable")


def without_one(s: Scores, method: Leaderboard) -> pd.DataFrame:
    """A row per row, or system, left out: pairs of others that change places (``turns``), and their ``first``."""
    values, order, rule = s.values[0], s.order(s.measures[0]), LEADERBOARDS[method]
    topics, systems = values.shape
    before = _ranks(rule(values, order, np.ones((1, topics))))[0]
    ranks = [*_ranks(rule(values, order, 1.0 - np.eye(topics)))] if topics > 1 else []
    for i in range(systems):
        others = np.arange(systems) != i
        after = np.full(systems, np.nan)
        after[others] = _ranks(rule(values[:, others], order[:, others], np.ones((1, topics))))[0]
        ranks.append(after)
    rows = [("row", name) for name in s.topics if topics > 1] + [("system", name) for name in s.systems]
    frame = pd.DataFrame(rows, columns=["without", "name"])
    way = np.sign(before[:, None] - before)
    frame["turns"] = [int((np.sign(after[:, None] - after) * way < 0).sum()) // 2 for after in ranks]
    frame["first"] = [", ".join(s.systems[i] for i in np.flatnonzero(after == 1)) for after in ranks]
    return frame


def _ranks(scores: Floats) -> Floats:
    """Ranks from 1 along the last axis, the best rank for ties; NaN without a score."""
    there = ~np.isnan(scores)
    size = np.where(there, np.abs(scores), 0.0).max(axis=-1, keepdims=True)
    ranks = shared_ranks(np.where(there, scores, -2 * size), SAME * size[..., 0])
    return np.where(there, ranks, np.nan)


# -- Rules: of scores and numbers in their order, topics × systems; and weights, trials × topics -------------


def _average(how: str, values: Floats, order: Floats, weights: Floats) -> Floats:
    """trials × systems: the summary of each system's scores; NaN where it has none."""
    found = np.full((len(weights), values.shape[1]), np.nan)
    for i, column in enumerate(values.T):
        own = ~np.isnan(column)
        counts = weights[:, own].astype(np.intp)
        some = counts.any(axis=1)
        if some.any():
            found[some, i] = aggregate_subsets(column[own, None], counts[some], how)[:, 0]
    return found


def _standardised(values: Floats, order: Floats, weights: Floats) -> Floats:
    return _average("mean", standardise(values).to_numpy(), order, weights)


def _beats(order: Floats) -> Floats:
    """topics × systems × systems: 1 if the row's system is ahead of the column's, ½ for a tie, else 0."""
    ahead, ties = order[:, :, None] > order[:, None, :], order[:, :, None] == order[:, None, :]
    return np.where(np.eye(order.shape[1], dtype=bool), 0.0, ahead + ties / 2)


def _others(order: Floats) -> Floats:
    """topics × systems: the number of others that a system is compared with."""
    there = ~np.isnan(order)
    return np.where(there, there.sum(axis=1, keepdims=True) - 1.0, 0.0)


def _borda(values: Floats, order: Floats, weights: Floats) -> Floats:
    others = _others(order)
    points = np.where(others > 0, _beats(order).sum(axis=2) / np.maximum(others, 1), np.nan)
    return _average("mean", points, order, weights)


def _wins(values: Floats, order: Floats, weights: Floats) -> Floats:
    won = (order[:, :, None] > order[:, None, :]).sum(axis=2, dtype=np.float64)
    all_won, compared = (subset_totals(weights, counts) for counts in (won, _others(order)))
    return np.where(compared > 0, all_won / np.maximum(compared, 1), np.nan)


def _bradley_terry(values: Floats, order: Floats, weights: Floats) -> Floats:
    beats = _beats(order)
    topics, n, _ = beats.shape
    strengths = []
    for batch in batches(len(weights), 8 * n * n, _BATCH_BYTES):
        wins = subset_totals(weights[batch], beats.reshape(topics, n * n)).reshape(-1, n, n)
        alone = (wins + wins.swapaxes(1, 2)).sum(axis=2) == 0
        wins[~_reaches(wins > 0).all(axis=(1, 2))] += _PRIOR * (1 - np.eye(n))
        strengths.append(np.where(alone, np.nan, most_likely_strengths(wins)))
    return np.concatenate(strengths)


def _check_bounded(order: Floats, systems: tuple[str, ...]) -> None:
    """Refuse scores under which some systems never lose to the others."""
    reaches = _reaches(_beats(order).max(axis=0) > 0)
    if reaches.all():
        return
    above = np.flatnonzero(reaches[:, np.argmin(reaches.sum(axis=0))])
    raise IrvizError(
        f"No other system wins against {join_words([systems[i] for i in above], joiner='and')} or ties "
        "with them, so their strengths are unbounded. Leave them out, or choose another method, such as borda."
    )


def _reaches(beats: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """… × systems × systems: whether a chain of wins leads from the row's system to the column's."""
    reaches = beats | np.eye(beats.shape[-1], dtype=bool)
    for _ in range(max(beats.shape[-1] - 1, 1).bit_length()):
        if reaches.all():
            break
        reaches = np.matmul(reaches.astype(np.float32), reaches.astype(np.float32)) > 0
    return reaches


def most_likely_strengths(wins: Floats) -> Floats:
    """… × systems: strengths with mean 0 from … × systems × systems wins, by Newton's method, to ten decimals."""
    n, games = wins.shape[-1], wins + wins.swapaxes(-1, -2)
    strengths = np.zeros(wins.shape[:-1])
    for _ in range(_STEPS):
        sizes = exp(strengths)
        share = sizes[..., :, None] / (sizes[..., :, None] + sizes[..., None, :])
        slope = total(wins - games * share)
        bend = games * share * share.swapaxes(-1, -2)
        step = _newton_step(bend, slope)
        longest = np.abs(step).max(axis=-1, keepdims=True)
        strengths = strengths + step * _LONGEST / np.maximum(longest, _LONGEST)
        if (longest < _STILL).all():
            break
    return np.round(strengths - total(strengths)[..., None] / n, _DECIMALS) + 0.0


def _newton_step(bend: Floats, slope: Floats) -> Floats:
    """The step d with Σ_j bend_ij (d_i − d_j) = slope_i, by conjugate gradients, without threads."""
    weight = total(bend)
    left = slope - total(slope)[..., None] / slope.shape[-1]  # 0 up to rounding
    step, course = np.zeros_like(slope), left / weight
    size = first = total(left * course)[..., None]
    for _ in range(3 * slope.shape[-1]):
        goes_on = size > _SMALL * first
        if not goes_on.any():
            break
        change = weight * course - total(bend * course[..., None, :])
        length = np.where(goes_on, size / np.maximum(total(course * change)[..., None], _LEAST), 0.0)
        step, left = step + length * course, left - length * change
        before, size = size, total(left * left / weight)[..., None]
        course = left / weight + course * (size / np.maximum(before, _LEAST))
    return step


LEADERBOARDS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "mean": partial(_average, "mean"),
    "median": partial(_average, "median"),
    "geometric": partial(_average, "geometric"),
    "standardised": _standardised,
    "wins": _wins,
    "borda": _borda,
    "bradley_terry": _bradley_terry,
}  #: every rule, in the order of a menu
