"""The grades of all judges of a collection, and one judge more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from irviz.collection.beside.listing import all_grades
from irviz.collection.model import Collection
from irviz.collection.several.seen import levels_of
from irviz.errors import IrvizError


def judged_grades(c: Collection) -> NDArray[np.float64]:
    """topics × judged documents × judges (or aspects): the grades of the jury; NaN where there is none."""
    whole = c if c.jury is None else c.jury
    below = None if whole.documents is None else whole.documents.below
    return np.stack(
        [
            all_grades(whole.labels[:, :, a], grades, None if below is None else below[:, :, a])
            for a, grades in enumerate(whole.grades)
        ],
        axis=2,
    )


def with_judge(c: Collection, name: str, grades: NDArray[np.float64]) -> Collection:
    """The same with one more judge, looked at through the same judge as before.

    Parameters
    ----------
    c : Collection
        With judges, or with one aspect, which is then the first judge's.
    grades : float64, topics × judged documents of the jury
        NaN where this judge has judged nothing.
    """
    jury = c.attached() if c.jury is None else c.jury
    if name in jury.aspects:
        raise IrvizError(f"There is a judge `{name}` already. Choose another name.")
    if np.isnan(grades).all():
        raise IrvizError(f"`{name}` has judged nothing. Give grades for some of the documents.")
    levels, labels = levels_of(grades)
    larger = replace(
        jury,
        aspects=(*jury.aspects, name),
        grades=(*jury.grades, levels),
        labels=np.concatenate([jury.labels, labels[:, :, None]], axis=2),
    )
    documents = None if jury.documents is None else jury.documents.with_aspect(grades, len(jury.aspects))
    seen = larger.attached(documents).seen_by(c.judge or jury.aspects[0])
    return seen.attached(topic_texts=c.topic_texts)
