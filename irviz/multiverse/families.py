"""What p-values are corrected for: the measures (Holm), or all pairs of loaded systems (Tukey)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from irviz.multiverse.columns import Column, ColumnKey, part
from irviz.multiverse.settings import Setting, topic_mask
from irviz.multiverse.worlds import Worlds
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.workers import Progress, Workers

Floats = NDArray[np.float64]


def tukey(
    wanted: Sequence[tuple[Setting, bool]],
    columns: Mapping[ColumnKey, Column],
    worlds: Worlds,
    trials: int,
    seed: int,
    workers: Workers = None,
    progress: Progress | None = None,
) -> dict[tuple[Setting, bool], tuple[Floats, Floats]]:
    """Randomised Tukey HSD of all loaded systems, as :func:`irviz.significance`: systems × systems p-values, and means.

    `wanted` are settings, each with whether its scores are standardised.  Settings with the
    same topics share the shuffles.
    """
    groups: dict[bytes, list[tuple[Setting, bool]]] = {}
    masks = {one: topic_mask(columns[one[0].key], one[0].topics, worlds) for one in wanted}
    for one in wanted:
        groups.setdefault(masks[one].tobytes(), []).append(one)
    found: dict[tuple[Setting, bool], tuple[Floats, Floats]] = {}
    for done, members in enumerate(groups.values()):
        cube = _cube(
            [_values(columns[setting.key], standard)[masks[setting, standard]] for setting, standard in members]
        )
        heard = part(progress, done / len(groups), (done + 1) / len(groups))
        results = discriminative_power(
            cube, "randomised_tukey", trials, seed=seed, progress=heard, workers=workers
        ).results
        found |= {one: (result.p_values, result.centres) for one, result in zip(members, results, strict=True)}
    return found


def _cube(matrices: list[Floats]) -> Scores:
    """Matrices of the same topics and systems, numbered."""
    values = np.stack(matrices)
    measures, topics, systems = (tuple(map(str, range(n))) for n in values.shape)
    return Scores(values, measures, topics, systems)


def _values(column: Column, standardised: bool) -> Floats:
    return column.standardised if standardised else column.values
