"""What goals of this lab can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.goals import Reading
from irviz.labs.graded_ap.panel import graded_scores, growing_scores, listed_grades, shares


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The scores of the ranking and of the growing list, and for whom."""
    g, grades = shares(values), listed_grades(values)
    scores, grown = graded_scores(grades, g), growing_scores(values["n"], g)
    return {
        **scores,
        **{f"growing {name}": value for name, value in grown.items()},
        **{f"g{k}": share for k, share in enumerate(g, start=1)},
        "documents": len(grades),
        "relevant documents": sum(grade > 0 for grade in grades),
        "highest grade at rank": grades.index(max(grades)) + 1,
    }
