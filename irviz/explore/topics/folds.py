"""What is folded below the lists, computed only when it is opened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.explore.topics.lists import RankedList
from irviz.explore.topics.ranked import recall_precision
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.words import counted, number

Floats = NDArray[np.float64]


def precision_at_hits(side: RankedList, relevant: int, rel: float) -> tuple[Floats, Floats]:
    """Recall and precision at every relevant document of a list; `relevant` is how many there are."""
    found = np.flatnonzero((side.grades >= rel) & (side.grades > 0))
    count = np.arange(1, len(found) + 1, dtype=np.float64)
    return count / max(1, relevant), count / (found + 1)


def recall_and_precision(sides: Sequence[RankedList], pool: Floats, rel: float, topic: str) -> Panel:
    """The curves of the two lists, documents of at least the grade `rel` being relevant."""
    relevant = int(((pool >= rel) & (pool > 0)).sum())
    if not relevant:
        return Panel(f"No judged document of topic `{topic}` is relevant, so there is no recall.")
    curves = [(side.name, *precision_at_hits(side, relevant, rel)) for side in sides]
    found = [f"`{name}` finds {len(recall):,}" for name, recall, _ in curves]
    sentence = (
        f"Of {counted(relevant, 'relevant document')} (grade {number(rel, 6)} or higher) "
        f"{' and '.join(found)} down to the ranking depth."
    )
    frames = [
        pd.DataFrame({"system": name, "recall": recall, "precision": precision}) for name, recall, precision in curves
    ]
    return Panel(
        sentence,
        (
            {
                "curve": Drawing(
                    recall_precision(curves),
                    f"Recall and precision on topic {topic}",
                    f"One falling line per system, with one marker per relevant document. {sentence}",
                )
            },
        ),
        {"Recall and precision": Table(pd.concat(frames, ignore_index=True), "One row per relevant document found.")},
        notes=("The line is interpolated precision: the highest at this recall or beyond.",),
    )
