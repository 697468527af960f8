"""What goals of this lab can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.aggregation.model import six_means, winners
from irviz.labs.aggregation.panel import SYSTEMS, table_of
from irviz.labs.goals import Reading
from irviz.workspace.averages import LOW


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The winner by each mean, how often each system wins alone, and how many scores are low."""
    scores, eps = table_of(values), 10.0 ** values["log"]
    won = {name: [SYSTEMS[i] for i in winners(row)] for name, row in six_means(scores, eps).items()}
    return {
        **{f"winner by {name}": " and ".join(first) for name, first in won.items()},
        **{f"means won by {system}": sum(first == [system] for first in won.values()) for system in SYSTEMS},
        "different outcomes": len({tuple(first) for first in won.values()}),
        "share of low scores": float((scores < LOW).mean()),
        "zeros": int((scores == 0).sum()),
        "ε": eps,
    }
