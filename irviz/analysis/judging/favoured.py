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
