"""Systems that a judge favours: how many ranks they gain against another judge, and on which topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.ranking.ranks import mean_ranks
from irviz.analysis.testing.bootstrap import resampling_weights
from irviz.portable import mean, subset_totals
from irviz.scores import Scores

Floats = NDArray[np.float64]
RESAMPLES, CONFIDENCE = 1000, 0.95
DRIVING = 3  #: topics named for a system
COLUMNS = ("measure", "judge", "reference", "system", "shift", "low", "high", "p_adjusted", "topics")


def favoured_frame(
    reference: str, pairs: Mapping[str, tuple[Scores, Scores]], measures: Sequence[str], seed: int
) -> pd.DataFrame:
    """One row per measure, judge and system: the ranks it gains under that judge against the first judge.

    Parameters
    ----------
    pairs : mapping of judge to two Scores
        Under `reference` and under that judge, on the topics that both judged.

    Returns
    -------
    DataFrame
        ``shift``: the system's rank by mean score under the first judge minus that under
        `judge`, positive where `judge` favours it; ``low`` and ``high``: its 95% percentile
        interval over topics drawn with replacement (the same draws for all of the same topics);
        ``p_adjusted``: in (0, 1], corrected for all systems of the measure and judge together, see
        `adjusted`; ``topics``: up to three on which the system's score, minus the mean score of all
        systems, changes most in the direction of the shift.  Largest shifts first within a measure and judge.
    """
    weights: dict[int, Floats] = {}
    parts = []
    for m, name in enumerate(measures):
        for judge, (before, after) in pairs.items():
            topics = len(before.topics)
            if topics not in weights:
                weights[topics] = resampling_weights(topics, RESAMPLES, seed)
            parts.append(_shifts(name, reference, judge, before, after, m, weights[topics]))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))


def adjusted(shift: Floats, drawn: Floats) -> Floats:
    """p-values of shifts, corrected for testing all systems together.

    The single-step maxT procedure (Westfall and Young 1993, algorithm 2.5) on bootstrap draws: the share of draws
    in which some system is at least as far from its own shift as this system has moved, both in units of the
    system's standard deviation over the draws; (count + 1)/(draws + 1).

    Parameters
    ----------
    shift : systems
        Multiples of a half, as differences of ranks are.
    drawn : draws × systems

    Returns
    -------
    systems, in (0, 1]; 1 where a system does not move

    Examples
    --------
    >>> adjusted(np.array([4.0, 0.0]), np.array([[3.0, 0.0], [4.0, 0.0], [5.0, 0.0]])).tolist()
    [0.25, 1.0]
    """
    count, halves = len(drawn), 2 * drawn
    total, squares = halves.sum(axis=0), (halves * halves).sum(axis=0)  # exact: whole numbers
    spread = np.sqrt(count * squares - total * total)
    moved = spread > 0
    largest = (count * np.abs(halves - 2 * shift)[:, moved] / spread[moved]).max(axis=1, initial=0.0)
    own = np.where(shift != 0, np.inf, 0.0)
    own[moved] = count * np.abs(2 * shift[moved]) / spread[moved]
    return ((largest[:, None] >= own).sum(axis=0) + 1.0) / (count + 1)


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
            "p_adjusted": adjusted(shift, drawn),
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
