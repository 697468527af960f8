"""Which topics and systems a page looks at: filters that the papers use, for every page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from irviz.analysis.subsets import above_first_quartile, by_hardness, few_highly_relevant, level_counts
from irviz.collection.model import Collection
from irviz.links.control import Choice
from irviz.scores import Scores
from irviz.summary import aggregate
from irviz.workspace.memo import remembered

ALL = "all"
QUARTERS = {"easiest": 1, "hardest": 4}
_FEW = "few"  #: followed by the level that is rare
BEST = "best"
_TOP = "top"  #: followed by how many of the best
TOPS = (2, 5, 10, 20)
_FEWEST = 2  #: topics below which a filter is not offered

LazyScores = Callable[[], Any]  # the topics × systems scores that hardness and quality go by


def _topic_options(opened: Any) -> dict[str, Any]:
    options = [(ALL, "all topics")]
    if len(opened.topics) >= 4 * _FEWEST:
        options += [("hardest", "the hardest quarter"), ("easiest", "the easiest quarter")]
    if opened.collection is not None:
        options += remembered(_few_options, opened.collection, unseen={})
    return {"options": tuple(options)}


def _few_options(collection: Collection) -> list[tuple[str, str]]:
    """One option for every level above relevant that is rare on at least a few topics."""
    grades = collection.grades[0]
    options = []
    for level in list(level_counts(collection))[1:]:
        topics = few_highly_relevant(collection, level)
        if len(topics) >= _FEWEST:
            options.append((f"{_FEW}{level}", f"few documents of grade {grades[level]:g} ({len(topics)} topics)"))
    return options


WHICH_TOPICS = Choice(
    name="which",
    label="Which topics",
    help="The hardest quarter contains the topics with the most surprising best score, by (max − mean)/sd of AP or of "
    "the first measure of imported scores (Ravana & Moffat 2009, eq. 2). Few documents of a grade: topics with at "
    "least ten times as many documents of the lowest relevant grade (Ferrante et al. 2014, section 6).",
    options=((ALL, "all topics"),),
    default=ALL,
    from_context=_topic_options,
    shown_if=lambda values: not values["topics"],
)


def _system_options(opened: Any) -> dict[str, Any]:
    count = len(opened.systems)
    options = [(ALL, "all systems")]
    if count >= 4:
        options.append((BEST, "without the lower quarter"))
    options += [(f"{_TOP}{k}", f"the best {k}") for k in TOPS if 2 * k <= count]
    return {"options": tuple(options)}


WHICH_SYSTEMS = Choice(
    name="systems",
    label="Which systems",
    help="Best by mean AP, or by the first measure of imported scores. The lower quarter can be left out, so that poor "
    "runs do not decide a comparison (Ferrante et al. 2014, section 6).",
    options=((ALL, "all systems"),),
    default=ALL,
    from_context=_system_options,
    shown_if=lambda values: not values["only"],
)


def kept_topics(which: str, whole: Collection | Scores, matrix: LazyScores) -> tuple[str, ...]:
    """The topics that the filter keeps."""
    if which in QUARTERS:
        return by_hardness(matrix(), QUARTERS[which])
    if which.startswith(_FEW) and isinstance(whole, Collection):
        return few_highly_relevant(whole, int(which.removeprefix(_FEW)))
    return whole.topics


def kept_systems(which: str, whole: Collection | Scores, matrix: LazyScores) -> tuple[str, ...]:
    """The systems that the filter keeps."""
    if which == BEST:
        return above_first_quartile(matrix())
    return best(matrix(), int(which.removeprefix(_TOP))) if which.startswith(_TOP) else whole.systems


def best(matrix: pd.DataFrame, k: int) -> tuple[str, ...]:
    """The `k` systems of the highest mean, in the order of the collection; of ties, the first ones."""
    means = aggregate(matrix.to_numpy(), "mean")
    kept = sorted(np.argsort(-means, kind="stable")[:k].tolist())
    return tuple(matrix.columns[i] for i in kept)
