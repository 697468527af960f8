"""A second judge of a simulated collection: a machine that mostly agrees with the people, with a bias of its own.

It judges the same documents, except a few.  It raises and lowers grades by one.  It raises most
often the grades of documents at the first ranks of one family of systems, a large family below
the median: a judge that favours the documents that its own kind retrieves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from irviz.collection.simulate.model import SimulatedSystems, SimulatedTopic

LEFT_OUT, LOWERED, RAISED, FAVOURED = 30, 300, 250, 350  #: of a thousand documents
FIRST_RANKS = 15  #: of the favoured family's lists


def machine_grades(rng: Generator, topic: SimulatedTopic, systems: SimulatedSystems, levels: int) -> NDArray[np.int64]:
    """The machine's grade of every document on the first aspect; −1 where it judged none.

    Parameters
    ----------
    levels : int
        Number of grades; the machine uses the same as the people.
    """
    size = len(topic.documents)
    left_out, moved = rng.integers(0, 1000, size), rng.integers(0, 1000, size)
    liked = np.zeros(size, dtype=bool)
    for system in np.flatnonzero(systems.family == favoured_family(systems)):
        liked[topic.ranking[system][:FIRST_RANKS]] = True
    raised = moved < np.where(liked, FAVOURED, RAISED)
    lowered = ~raised & (moved >= 1000 - LOWERED)
    grades = np.clip(topic.grades[:, 0] + raised - lowered, 0, levels - 1)
    return np.where(topic.judged & (left_out >= LEFT_OUT), grades, -1)


def favoured_family(systems: SimulatedSystems) -> int:
    """The largest family among those that are worse than the median system, so that favour shows."""
    sizes = np.bincount(systems.family)
    quality = np.bincount(systems.family, weights=systems.quality) / sizes
    return int(np.argmax(np.where(quality < np.median(systems.quality), sizes, 0)))


def machine_lines(topic: SimulatedTopic, grades: NDArray[np.int64]) -> Iterator[str]:
    """``topic 0 document grade`` of the documents that the machine judged, by document."""
    for i in np.flatnonzero(grades >= 0).tolist():
        yield f"{topic.name} 0 {topic.documents[i]} {grades[i]}\n"
