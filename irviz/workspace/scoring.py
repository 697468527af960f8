"""Scores of a collection, each measure computed once for all who ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from irviz.collection.model import Collection
from irviz.scores import Scores, score
from irviz.workspace.memo import MEMO

Progress = Callable[[float, str], object]


def scored(collection: Collection, measures: Sequence[str], progress: Progress | None = None) -> Scores:
    """As :func:`irviz.scores.score`, computing only what is not kept, and that together.

    A `progress` that draws a first answer is told ``before_first``: the answer needs these scores as well.
    """
    mark = collection.fingerprint
    with MEMO.turn(("scores", mark)):
        kept = {name: found[0] for name in measures if (found := MEMO.find(("scores", mark, name))) is not None}
        missing = [name for name in measures if name not in kept]
        if missing:
            fresh = score(collection, missing, getattr(progress, "before_first", progress))
            for name in missing:
                kept[name] = fresh.select([name])
                MEMO.keep(("scores", mark, name), kept[name])
    return stacked([kept[name] for name in measures])


def stacked(parts: Sequence[Scores]) -> Scores:
    """Cubes over the same topics and systems as one, measure after measure."""
    if len(parts) == 1:
        return parts[0]
    exact = {name: values for part in parts for name, values in part.exact.items()}
    names = tuple(name for part in parts for name in part.measures)
    return Scores(np.concatenate([part.values for part in parts]), names, parts[0].topics, parts[0].systems, exact)
