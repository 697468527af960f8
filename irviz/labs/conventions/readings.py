"""What goals of this lab can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.conventions.ties import ties_refused, toy_bounds
from irviz.labs.conventions.tools import both, mean_score
from irviz.labs.goals import Reading


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """Both numbers, how many conventions differ, and what ties leave open."""
    first, second = both(values)
    one, other = mean_score(values, first), mean_score(values, second)
    found: dict[str, Reading] = {
        "first number": one,
        "second number": other,
        "difference": other - one,
        "conventions that differ": len(first.differing(second, values["kind"])),
        "topics without an answer": values["lost"],
    }
    if not ties_refused(values["kind"], values["k"], first):
        ends = toy_bounds(values, first)
        low, middle, high = (float(x[0, 0]) for x in (ends.lowest, ends.expected, ends.highest))
        found |= {"lowest": low, "expected": middle, "highest": high, "left open by ties": high - low}
    return found
