"""Ways to split a topic set into two: at random, hard against easy, middle against rest.

A split is a row of booleans over the topics: True for the first half, whose ranking is
compared with that of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.summary.hardness import topic_hardness

Floats = NDArray[np.float64]
Members = NDArray[np.bool_]


def random_halves(topics: int, trials: int, seed: int) -> Members:
    """trials × topics: ⌊t/2⌋ topics drawn without replacement in each row (Chen & Sakai 2023, Algorithm 1)."""
    _enough(topics, 2)
    generator = np.random.Generator(np.random.PCG64(seed))
    order = np.tile(np.arange(topics), (trials, 1))
    generator.permuted(order, axis=1, out=order)
    return order < topics // 2


def hard_half(values: Floats) -> Members:
    """1 × topics: the ⌊t/2⌋ hardest topics of topics × systems, by surprise (Ravana & Moffat 2009, section 5.4)."""
    _enough(len(values), 2)
    members = np.zeros((1, len(values)), dtype=bool)
    members[0, _hardest_first(values)[: len(values) // 2]] = True
    return members


def middle_half(values: Floats) -> Members:
    """1 × topics: all but the ⌊t/4⌋ hardest and as many of the easiest as leave ⌊t/2⌋ topics in the middle."""
    topics = len(values)
    _enough(topics, 3)
    members = np.zeros((1, topics), dtype=bool)
    first = topics // 4
    members[0, _hardest_first(values)[first : first + topics // 2]] = True
    return members


def _hardest_first(values: Floats) -> NDArray[np.intp]:
    """Topics, hardest first; equally hard ones in their given order."""
    return np.argsort(-topic_hardness(values, "surprise"), kind="stable")


def _own(half: Callable[[Floats], Members]) -> Callable[[Floats, int, int], list[Members]]:
    """One trial of every measure's own half."""
    return lambda values, trials, seed: [half(matrix) for matrix in values]


def _enough(topics: int, least: int) -> None:
    if topics < least:
        raise IrvizError(f"A split needs at least {least} topics; there are {topics}. Choose more topics.")


@dataclass(frozen=True)
class Split:
    """A way to cut a topic set in two.

    Attributes
    ----------
    label : what it is, in words
    draws : whether it draws at random; if not, there is one trial
    halves : scores (measures × topics × systems), trials, seed → trials × topics for every measure
    """

    label: str
    draws: bool
    halves: Callable[[Floats, int, int], list[Members]]

    def trials(self, asked: int) -> int:
        """How many trials there are where `trials` are asked for."""
        return asked if self.draws else 1


def _random(values: Floats, trials: int, seed: int) -> list[Members]:
    """The same random halves for all measures."""
    return [random_halves(values.shape[1], trials, seed)] * len(values)


SPLITS = {
    "random": Split("a random half against the rest", True, _random),
    "hard_easy": Split("the hardest half against the easiest", False, _own(hard_half)),
    "middle_rest": Split("the middle half against the hardest and easiest quarters", False, _own(middle_half)),
}  #: every split, in the order of a menu
