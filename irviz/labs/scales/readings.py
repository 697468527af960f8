"""What goals of this lab can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from irviz.labs.goals import Reading
from irviz.labs.scales.panel import chosen_measure, enumerated, fitting_depth
from irviz.measures.cascade import RBP


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The scale type of the measure, at this length and one document shorter, and its steps."""
    one = chosen_measure(values)
    depth = fitting_depth(one, values["grades"], values["depth"])
    found = enumerated(str(one), values["grades"], depth)
    shorter = enumerated(str(one), values["grades"], depth - 1) if depth > 1 else found
    step = np.diff(found.values)
    persistence: dict[str, Reading] = {"p": float(one.p)} if isinstance(one, RBP) else {}
    return {
        "measure": one.symbol,
        **persistence,
        "grades": len(found.grades),
        "documents": depth,
        "scale": found.kind,
        "scale with one document less": shorter.kind,
        "scale at every length": found.theory.kind,
        "steps that do not rise": int((found.steps.sign <= 0).sum()),
        "different steps": len(np.unique(np.round(step, 9))),
    }
