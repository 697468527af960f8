"""One user on one ranking: C, W, L, A by rank, the score, and how one grade more would change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irviz.labs.lab import HIGHEST, judged_lists
from irviz.measures.cwla import CWLA
from irviz.portable import total

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Walked:
    """One user on one ranking: all by rank, as far as the user may go.

    Attributes
    ----------
    name : str
    continuation, weight, last, amount : by rank
    beyond : float
        The share of users who stop at the last rank only because the list ends.
    amount_beyond : float
        What these users carry away.
    """

    name: str
    continuation: Floats
    weight: Floats
    last: Floats
    amount: Floats
    beyond: float
    amount_beyond: float

    @property
    def score(self) -> float:
        """Σ L(i) A(i)."""
        rest = self.beyond * (self.amount_beyond - self.amount[-1])
        return float(total(self.last * self.amount) + rest)


def walk(one: CWLA, grades: Sequence[int]) -> Walked:
    """C, W, L and A by rank, down to where this user may go; A is divided by V+ if it is a rate."""
    judged = judged_lists([grades], HIGHEST)
    steps, reading = one.walk(judged), one.reading(judged)
    amount = np.broadcast_to(one.A.amount(steps), steps.gains.shape)[0]
    rest = amount[-1] if one.A.unfinished is None else one.A.unfinished
    items = float(one.expected_items(judged)[0]) if one.A.per_item else 1.0
    share = 1 / items if items > 0 else 0.0
    return Walked(
        f"{one.C} · {one.A}",
        one.C.continuation(steps.gains)[0],
        reading.weight[0],
        reading.last[0],
        amount * share,
        float(reading.unfinished[0]),
        float(rest * share),
    )


def score_of(one: CWLA, grades: Sequence[int]) -> float:
    """The measure itself on this ranking."""
    return float(one.evaluate(judged_lists([grades], HIGHEST))[0])


def one_grade_more(one: CWLA, grades: Sequence[int]) -> NDArray[np.float64]:
    """By rank: how the score changes with one grade more there; 0 where there is no higher grade."""
    now = score_of(one, grades)
    higher = [(*grades[:i], min(HIGHEST, grade + 1), *grades[i + 1 :]) for i, grade in enumerate(grades)]
    return np.array([score_of(one, changed) - now for changed in higher])
