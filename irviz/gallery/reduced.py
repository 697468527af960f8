"""Curves of a measure's ranking under reduced pools, for the papers that draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from irviz.analysis.incompleteness import RATES, PoolReduction, pool_reduction
from irviz.collection.model import Collection
from irviz.figures.pools import pool_curves
from irviz.gallery.item import RandomTrials
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.words import falling


def reduction(
    context: Context, collection: Collection, measures: Mapping[str, str], method: str, draws: RandomTrials
) -> PoolReduction:
    """Self-τ of `measures` (expressions by the names a figure uses) at the papers' rates."""
    return pool_reduction(
        collection, list(measures.values()), RATES, method, draws.repeats, draws.seed, progress=context.progress
    )


def curves(found: PoolReduction, names: Sequence[str], title: str) -> Drawing:
    """The curves under the names of the paper."""
    drawn = pool_curves(list(names), found.kept, found.tau, *found.band())
    last = dict(zip(names, found.tau[:, -1], strict=True))
    words = falling(last, 2)
    alt = f"One curve per measure as judgments are removed. τ with {found.rates[-1]:.0%} kept: {words}."
    return Drawing(drawn, title, alt)


def tau_table(parts: Mapping[str, tuple[PoolReduction, Sequence[str]]]) -> Table:
    """All curves as numbers: one row per figure and measure, one column per share of the pool."""
    frames = []
    for title, (found, names) in parts.items():
        frame = pd.DataFrame(np.asarray(found.tau), columns=[f"{rate:.0%}" for rate in found.rates])
        frame.insert(0, "measure", list(names))
        frame.insert(0, "figure", title)
        frames.append(frame)
    return Table(
        pd.concat(frames, ignore_index=True),
        "One row per figure and measure: τ with the ranking under the full pool, at each share of it.",
    )
