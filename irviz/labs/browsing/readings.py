"""What goals of this lab can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from irviz.labs.browsing.model import one_grade_more, score_of, walk
from irviz.labs.browsing.panel import documents_read, made_measure
from irviz.labs.goals import Reading


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """What the first user gets and how they read; the same for the second, if there is one."""
    found: dict[str, Reading] = {}
    for n, of in (("", ""), ("2", " of the second user")):
        if not values[f"c{n}"]:
            continue
        one = made_measure(values, n)
        w, effect = walk(one, values["grades"]), one_grade_more(one, values["grades"])
        found |= {
            f"score{of}": score_of(one, values["grades"]),
            f"documents read{of}": documents_read(w),
            f"stop at rank 1{of}": float(w.last[0]),
            f"rank that counts most{of}": int(np.argmax(effect)) + 1,
            f"smallest effect of a grade more{of}": float(effect.min()),
        }
    if values["c2"]:
        first, second = made_measure(values), made_measure(values, "2")
        found["first minus second"] = float(found["score"]) - float(found["score of the second user"])
        found["same reading"] = "yes" if first.C == second.C else "no"
    else:
        found |= {"first minus second": 0.0, "same reading": "no"}
    return found
