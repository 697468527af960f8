"""What goals of this lab can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.goals import Reading
from irviz.labs.graded_ap.panel import graded_scores, shares, whole_list


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The scores of the whole list, for whom, and what it holds."""
    g, grades = shares(values), whole_list(values)
    scores = graded_scores(grades, g)
    return {
        **scores,
        "GAP minus eGAP": scores["GAP"] - scores["eGAP"],
        **{f"g{k}": share for k, share in enumerate(g, start=1)},
        "documents": len(grades),
        "relevant documents": sum(grade > 0 for grade in grades),
        "highest grade at rank": grades.index(max(grades)) + 1,
    }
