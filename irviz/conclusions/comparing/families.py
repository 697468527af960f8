"""What p-values are corrected for: the measures (Holm), or all pairs of loaded systems (Tukey)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.discrimination import discriminative_power
from irviz.analysis.testing.methods import Draws
from irviz.analysis.testing.tukey import null_ranges
from irviz.conclusions.choices.worlds import Worlds
from irviz.conclusions.comparing.columns import Column, ColumnKey, part
from irviz.conclusions.comparing.settings import Setting, topic_mask
from irviz.scores import Scores
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
    found: dict[tuple[Setting, bool], tuple[Floats, Floats]] = {}
    cubes = _cubes(wanted, columns, worlds)
    for done, (members, cube) in enumerate(cubes):
        heard = part(progress, done / len(cubes), (done + 1) / len(cubes))
        results = discriminative_power(
            cube, "randomised_tukey", trials, seed=seed, progress=heard, workers=workers
        ).results
        found |= {one: (result.p_values, result.centres) for one, result in zip(members, results, strict=True)}
    return found


def tukey_ranges(
    wanted: Sequence[tuple[Setting, bool]],
    columns: Mapping[ColumnKey, Column],
    worlds: Worlds,
    trials: int,
    seed: int,
    workers: Workers = None,
) -> dict[tuple[Setting, bool], Floats]:
    """By setting, the sorted ranges of all systems' means in the shuffles of :func:`tukey`."""
    found: dict[tuple[Setting, bool], Floats] = {}
    for members, cube in _cubes(wanted, columns, worlds):
        ranges = np.sort(null_ranges(cube.values, Draws(trials, seed, workers)), axis=1) / cube.values.shape[1]
        found |= dict(zip(members, ranges, strict=True))
    return found


def _cubes(
    wanted: Sequence[tuple[Setting, bool]], columns: Mapping[ColumnKey, Column], worlds: Worlds
) -> list[tuple[list[tuple[Setting, bool]], Scores]]:
    """Settings with the same topics, and their scores."""
    masks = {one: topic_mask(columns[one[0].key], one[0].topics, worlds) for one in wanted}
    groups: dict[bytes, list[tuple[Setting, bool]]] = {}
    for one in wanted:
        groups.setdefault(masks[one].tobytes(), []).append(one)
    return [
        (members, _cube([_values(columns[one[0].key], one[1])[masks[one]] for one in members]))
        for members in groups.values()
    ]


def _cube(matrices: list[Floats]) -> Scores:
    """Matrices of the same topics and systems, numbered."""
    values = np.stack(matrices)
    measures, topics, systems = (tuple(map(str, range(n))) for n in values.shape)
    return Scores(values, measures, topics, systems)


def _values(column: Column, standardised: bool) -> Floats:
    return column.standardised if standardised else column.values
