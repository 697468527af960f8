"""The measures of Ravana and Moffat 2009 on what is loaded, and on the bundled collections beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from irviz.collection.catalogue import bundled, open_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.scores import Scores
from irviz.summary import standardised_scores
from irviz.workspace.averages import LOW, low_shares
from irviz.workspace.context import Context
from irviz.workspace.scoring import stacked

PAPER_METRICS = {"AP": "AP", "P@10": "P@10", "nDCG": "nDCG", "RBP0.95": "RBP(p=0.95,rel=1)"}


def metric_scores(context: Context, names: Sequence[str] = tuple(PAPER_METRICS)) -> Scores:
    """Scores under the paper's names, with standardised AP (SP) last; of imported scores, those that are there."""
    imported = context.opened.imported
    had = [name for name in names if imported is None or PAPER_METRICS[name] in imported.measures]
    if "AP" not in had:
        raise IrvizError(
            "It needs scores by AP, and the imported scores do not include it. Load a matrix called AP as well."
        )
    return with_standardised(context.scores([PAPER_METRICS[name] for name in had]), had)


def with_standardised(scores: Scores, names: Sequence[str]) -> Scores:
    """`scores` under other names, and standardised AP as SP."""
    named = Scores(scores.values, tuple(names), scores.topics, scores.systems)
    standard = standardised_scores(named.select(["AP"]))
    return stacked([named, Scores(standard.values, ("SP",), scores.topics, scores.systems)])


def loaded_and_bundled(context: Context, names: Sequence[str] = tuple(PAPER_METRICS)) -> dict[str, Scores]:
    """What is loaded first, then the bundled collections that are not."""
    found = {context.opened.title: metric_scores(context, names)}
    for entry in bundled():
        if entry.name != context.opened.key:
            collection = _opened(entry.name)
            scores = context.scored(collection, tuple(PAPER_METRICS[name] for name in names))
            found[entry.title] = with_standardised(scores, names)
    return found


@lru_cache(maxsize=4)
def _opened(name: str) -> Collection:
    return open_collection(name)


def low_share(scores: Scores) -> np.ndarray:
    """By measure, the share of low scores."""
    return low_shares(scores, LOW)[1]
