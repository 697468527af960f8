"""Two systems to compare: the controls that choose them, and who they are where nobody chose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from irviz.summary import aggregate
from irviz.workspace.context import Context


def two_best(context: Context) -> tuple[str, str]:
    """The best system in play by the mean of AP, or of the first imported measure, and the best one below it."""
    means = aggregate(context.judging()[list(context.systems)].to_numpy(), "mean")
    order = np.argsort(-means, kind="stable")
    below = order[means[order] < means[order[0]]]
    second = below[0] if len(below) else order[min(1, len(order) - 1)]
    return context.systems[order[0]], context.systems[second]


def one_of_pair(position: int) -> Callable[[Context], dict[str, Any]]:
    """What a choice of the first (0) or second (1) system offers: all in play, by default the best two."""

    def fields(context: Context) -> dict[str, Any]:
        return {"options": tuple((name, name) for name in context.systems), "default": two_best(context)[position]}

    return fields
