"""Small collections at the edges of what can be loaded: one system, one topic, ties everywhere, nothing found.

Made from frames, without files; each is a few documents, so that every page can be drawn on each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from irviz.collection.frames import collection_from_frames
from irviz.collection.model import Collection
from irviz.stats.scores import Scores

DOCUMENTS = 12
GRADES = (2, 1, 0, 1, 0, 0)  #: of the judged documents of a topic, the others are unjudged


def collection(
    systems: int = 4,
    topics: int = 5,
    grades: Sequence[int] = GRADES,
    *,
    alike: bool = False,
    judged: str = "d",
    second: Sequence[int] | None = None,
    name: str = "small",
) -> Collection:
    """A collection of permuted lists; `alike` gives all systems one list, `judged` is the name of judged documents."""
    rng = np.random.default_rng(systems * 100 + topics)
    numbers = [str(number) for number in range(1, topics + 1)]
    rows = [(topic, f"{judged}{i}", grade) for topic in numbers for i, grade in enumerate(grades)]
    qrels = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    if second is not None:
        qrels["credibility"] = list(second) * topics
    runs = {f"s{i + 1}": _run(numbers, np.random.default_rng(1) if alike else rng) for i in range(systems)}
    return collection_from_frames(qrels, runs, name=name)


def _run(topics: list[str], rng: np.random.Generator) -> pd.DataFrame:
    parts = [
        pd.DataFrame(
            {
                "query_id": topic,
                "doc_id": [f"d{i}" for i in rng.permutation(DOCUMENTS)],
                "score": np.arange(DOCUMENTS, 0, -1.0),
            }
        )
        for topic in topics
    ]
    return pd.concat(parts, ignore_index=True)


def matrices(systems: int = 4, topics: int = 5, same: bool = False, first: int = 1) -> Scores:
    """Imported scores of AP and P@10; `same` makes all equal, `first` systems share first place."""
    values = np.round(np.random.default_rng(7).random((2, topics, systems)), 2)
    if same:
        values[:] = 0.5
    if first > 1:
        values[:, :, :first] = values.max(axis=2, keepdims=True)
    names = tuple(f"s{i + 1}" for i in range(systems))
    return Scores(values, ("AP", "P@10"), tuple(str(i + 1) for i in range(topics)), names)


COLLECTIONS: dict[str, Callable[[], Collection]] = {
    "one system": lambda: collection(1),
    "two systems": lambda: collection(2),
    "one topic": lambda: collection(4, 1),
    "one of each": lambda: collection(1, 1),
    "all ties": lambda: collection(4, 5, alike=True),
    "two alike": lambda: collection(2, 4, alike=True),
    "nothing judged": lambda: collection(3, 4, judged="x"),
    "nothing relevant": lambda: collection(3, 4, (0, 0, 0)),
    "one grade": lambda: collection(4, 5, (1, 1, 0, 1)),
    "two aspects": lambda: collection(4, 5, second=(0, 3, 1, 0, 2, 0)),
    "129 systems": lambda: collection(129, 4),
}
MATRICES: dict[str, Callable[[], Scores]] = {
    "matrices": matrices,
    "one column": lambda: matrices(1),
    "two share first place": lambda: matrices(first=2),
    "one row": lambda: matrices(4, 1),
    "equal scores": lambda: matrices(same=True),
}
