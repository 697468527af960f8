"""Pairs of systems on which two judges disagree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.discrimination import discriminative_power
from irviz.analysis.significance import Significance
from irviz.scores import Scores

COLUMNS = tuple(
    """
    measure first second better worse difference_first difference_second p_first p_second significant_first
    significant_second change
""".split()
)
CHANGES = ("turns", "gains", "loses")
_NOISE = 1e-12  #: of the largest centre: means that differ by less are equal


Judge = tuple[Significance, ...]  #: one test per measure


def tested(scores: Scores, method: str, trials: int, alpha: float, seed: int) -> Judge:
    """One test per measure; the same shuffles serve all judges of the same topics."""
    return discriminative_power(scores, method, trials, alpha, seed).results


def flips_frame(pairs: Sequence[tuple[tuple[str, str], tuple[Judge, Judge]]], measures: Sequence[str]) -> pd.DataFrame:
    """One row for every pair of systems that changes from one judge to another.

    Parameters
    ----------
    pairs : sequence of (two judges, their tests on the topics that both judged)

    Returns
    -------
    DataFrame
        `better` has the higher mean under the first judge (under the second where the first
        ties them).  `change` is ``"turns"`` where the second judge puts the other system
        ahead, else ``"gains"`` or ``"loses"`` significance.
    """
    parts = [
        _changed(name, judges, first[m], second[m])
        for m, name in enumerate(measures)
        for judges, (first, second) in pairs
    ]
    return pd.concat(parts, ignore_index=True)


def flip_counts(flips: pd.DataFrame, pairs: Sequence[tuple[str, str]], measures: Sequence[str]) -> pd.DataFrame:
    """By measure and pair of judges: how many pairs of systems turn, gain and lose significance."""
    index = pd.MultiIndex.from_tuples(
        [(measure, *pair) for measure in measures for pair in pairs],
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
