"""Ways to cut a topic set in two: at random, hard against easy, middle against rest.

A split is a row of booleans over the topics: True for the first half, whose ranking is
compared with that of the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.summary.hardness import topic_hardness

SPLITS = {
    "random": "a random half against the rest",
    "hard_easy": "the hardest half against the easiest",
    "middle_rest": "the middling half against the hardest and easiest quarters",
}  #: every split, with the words for it, in the order of a menu


def random_halves(topics: int, trials: int, seed: int) -> NDArray[np.bool_]:
    """trials × topics: ⌊t/2⌋ topics drawn without replacement in each row (Chen & Sakai 2023, Algorithm 1)."""
    _enough(topics, 2)
    generator = np.random.Generator(np.random.PCG64(seed))
    order = np.tile(np.arange(topics), (trials, 1))
    generator.permuted(order, axis=1, out=order)
    return order < topics // 2


def hard_half(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """1 × topics: the ⌊t/2⌋ hardest topics of topics × systems, by surprise (Ravana & Moffat 2009, section 5.4)."""
    _enough(len(values), 2)
    members = np.zeros((1, len(values)), dtype=bool)
    members[0, _hardest_first(values)[: len(values) // 2]] = True
    return members


def middle_half(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """1 × topics: all but the ⌊t/4⌋ hardest and as many of the easiest as leave ⌊t/2⌋ topics in the middle."""
    topics = len(values)
    _enough(topics, 3)
    members = np.zeros((1, topics), dtype=bool)
    first = topics // 4
    members[0, _hardest_first(values)[first : first + topics // 2]] = True
    return members


def _hardest_first(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Topics by falling hardness; equally hard ones in their given order."""
    return np.argsort(-topic_hardness(values, "surprise"), kind="stable")


def _enough(topics: int, least: int) -> None:
    if topics < least:
        raise IrvizError(f"A split needs at least {least} topics; there are {topics}. Choose more topics.")
