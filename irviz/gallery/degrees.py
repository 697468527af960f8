"""The loaded collection with as many degrees of relevance as a paper's.

Papers fix their weights, gains and g for two, three or four degrees.  A collection
with more of them has its highest ones merged; one with fewer cannot be used.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.scores import Scores
from irviz.workspace.context import Context

_WORDS = {2: "binary", 3: "three degrees", 4: "four degrees"}


def with_degrees(collection: Collection, degrees: int) -> Collection:
    """`collection` on its first aspect, where all levels from `degrees` − 1 on are one level; grades are 0, 1, 2, …"""
    levels = len(collection.grades[0])
    if levels < degrees:
        raise IrvizError(
            f"It needs judgments of {degrees} degrees, and {collection.name} has {levels} "
            f"({', '.join(f'{grade:g}' for grade in collection.grades[0])}). Load a collection with more grades."
        )
    labels = np.minimum(collection.labels[:, :, :1], degrees - 1).astype(np.int16)
    grades = (tuple(float(level) for level in range(degrees)),)
    return replace(collection, aspects=collection.aspects[:1], grades=grades, labels=labels)


def scores_of(context: Context, collection: Collection, measures: list[str]) -> Scores:
    """Scores of a changed collection, remembered as the context remembers others."""
    return context.scored(collection, tuple(measures))


def merged_note(collection: Collection, degrees: int) -> tuple[str, ...]:
    """What was done to the grades, if anything."""
    levels = len(collection.grades[0])
    if levels == degrees:
        return ()
    if degrees == 2:
        return ("Binary: every grade above 0 counts as relevant.",)
    return (f"{_WORDS[degrees].capitalize()}, as in the paper: grade {degrees - 1} and those above it count as one.",)
