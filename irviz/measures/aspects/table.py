"""The equivalence classes of label tuples as a readable table.

Each row is a tuple of labels with its point, its distance from the best, its class and
the class's weight: what TOMA does to documents, before any run is scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.aspects.classes import (
    CLASSES,
    DISTANCE,
    EMBEDDING,
    WEIGHTS,
    Space,
    class_numbers,
    class_weights,
    judged_rows,
    nothing_observed,
)
from irviz.measures.judged import Array

MOST_TUPLES = 100_000  # nobody reads a longer table


def equivalence_classes(
    source: Collection | Mapping[str, Sequence[float]] | Sequence[int],
    distance: str = "euclidean",
    embedding: Sequence[Sequence[float]] | None = None,
    classes: str = "product",
    weights: str | Sequence[float] = "classes",
    binary: bool = False,
) -> pd.DataFrame:
    """The distance order of label tuples as a table, best tuples first (Maistro et al. 2021, eq. (2) to (4)).

    Parameters
    ----------
    source : Collection, mapping of aspect to grades, or list of numbers of grade levels
        Where the aspects and their grades come from.
    distance : "euclidean", "manhattan" or "chebyshev"
    embedding : list of lists of numbers, optional
        For every aspect one number per grade level; by default levels are one unit apart.
    classes : "product", "dependent" or "observed"
        Which tuples there are, see :class:`~irviz.measures.aspects.classes.Space`; "observed" needs a collection.
    weights : "classes", "half" or list of numbers
        The weight of each class, worst first.
    binary : bool
        Treat all grades above zero as one, on every aspect; the table then shows them as 1.

    Returns
    -------
    DataFrame
        Indexed by label tuple (one level per aspect: the grades).  Columns: ``embedded
        <aspect>`` (the coordinates), ``distance`` from the best tuple, ``class`` (0 is the
        worst), ``weight``, and for a collection ``documents``, how many judged documents
        count as the tuple.
    """
    aspects, grades = _aspects(source)
    if binary:
        grades = [(0.0, 1.0)[: len(levels)] for levels in grades]
    space = Space.of(
        grades,
        DISTANCE.check(distance, "the classes", "distance"),
        EMBEDDING.check(embedding, "the classes", "embedding"),
        CLASSES.check(classes, "the classes", "classes"),
        binary,
    )
    seen = space.tuples(judged_rows(source.labels)) if isinstance(source, Collection) else None
    rows = _rows(space, seen)
    whole = space.distances(rows)
    number = class_numbers(whole, np.unique(whole))
    weighing = WEIGHTS.check(weights, "the classes", "weights") or "classes"
    worth = class_weights(weighing, int(number.max()) + 1, bool(rows.any()))
    order = np.lexsort([*(-rows[:, ::-1].T), -number])
    columns = {
        f"embedded {name}": np.array(xs)[rows[:, a]]
        for a, (name, xs) in enumerate(zip(aspects, space.points, strict=True))
    }
    columns |= {"distance": space.length(whole), "class": number, "weight": np.array(worth)[number]}
    if seen is not None:
        columns["documents"] = _documents(rows, seen)
    labels = [np.array(levels)[rows[:, a]] for a, levels in enumerate(grades)]
    return pd.DataFrame(columns, index=pd.MultiIndex.from_arrays(labels, names=aspects)).iloc[order]


def _documents(rows: Array, seen: Array) -> Array:
    """How many of the tuples `seen` equal each row."""
    found, counts = np.unique(seen, axis=0, return_counts=True)
    documents = dict(zip(map(tuple, found.tolist()), counts.tolist(), strict=True))
    return np.array([documents.get(tuple(row), 0) for row in rows.tolist()])


def _aspects(source: Any) -> tuple[list[str], list[Sequence[float]]]:
    if isinstance(source, Collection):
        return list(source.aspects), list(source.grades)
    if isinstance(source, Mapping):
        return list(source), list(source.values())
    return [f"aspect{i}" for i in range(1, len(source) + 1)], [range(count) for count in source]


def _rows(space: Space, seen: Array | None) -> Array:
    """All tuples there are, one per row."""
    if space.classes == "observed":
        if seen is None:
            raise nothing_observed()
        return np.unique(seen, axis=0)
    if prod(space.counts) > MOST_TUPLES:
        raise IrvizError(
            f"There are {prod(space.counts):,} label tuples; a table holds at most {MOST_TUPLES:,}. "
            f"Take classes='observed'."
        )
    rows = np.array(list(product(*(range(count) for count in space.counts))))
    return np.unique(space.tuples(rows), axis=0)
