"""What goals of this lab can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.aspects.model import classes_table, documents, incomparable, order_scores
from irviz.labs.goals import Reading


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The class of every document (0 is the worst), that of fake news, and the highest scores that can be reached."""
    labels, table = documents(values), classes_table(values)
    of = {(int(a), int(b)): int(n) for (a, b), n in table["class"].items()}
    scores = order_scores(values, labels)
    return {
        **{f"class of d{i}": of[pair] for i, pair in enumerate(labels, start=1)},
        "classes": max(of.values()) + 1,
        "class of fake news": of[3, 0],  # highly relevant, not correct
        "fake news minus marginal and partial": of[3, 0] - of[1, 1],
        "disputed pairs": len(incomparable(labels)),
        **{f"highest {name}": float(row.max()) for name, row in scores.items()},
    }
