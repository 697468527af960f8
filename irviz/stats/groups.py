"""Topics that belong together, such as the turns of a conversation: whole groups are drawn or exchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.sources import Source
from irviz.collection.topics import groups_of, read_groups
from irviz.portable import subset_totals
from irviz.stats.resampling import resampling_weights

Floats = NDArray[np.float64]
Groups: TypeAlias = Source | Mapping[str, str] | pd.Series  #: a file, or topic → group


def units_of(groups: Groups, topics: Sequence[str]) -> NDArray[np.intp]:
    """By topic, the number of its group, from 0 in order of appearance; a topic without a group is its own group."""
    known = groups_of(read_groups(groups), topics)
    numbers: dict[tuple[bool, str], int] = {}
    keys = [(topic in known, known.get(topic, topic)) for topic in topics]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def renumbered(units: NDArray[np.intp] | None, topics: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """The groups of some topics, numbered from 0 in the same order."""
    return None if units is None else np.unique(units[topics], return_inverse=True)[1]


def drawn(topics: Sequence[str], groups: Groups | None, trials: int, seed: int, fewest: int = 0) -> tuple[Floats, int]:
    """trials × topics: how often each was drawn, in whole groups if given; and the number of topics or groups."""
    units = np.arange(len(topics)) if groups is None else units_of(groups, topics)
    many = int(units.max()) + 1
    return resampling_weights(many, trials if many >= fewest else 0, seed)[:, units], many


def independent(units: NDArray[np.intp] | None, topics: NDArray[np.intp]) -> int:
    """The number of groups of the topics at these places; without groups, the number of topics."""
    return len(topics if units is None else np.unique(units[topics]))


def shares_of_mean(values: Floats, units: NDArray[np.intp] | None) -> Floats:
    """Topics × columns as groups × columns with the same means: sums over groups times groups/topics."""
    if units is None:
        return values
    totals = group_totals(values, units)
    return totals * (len(totals) / len(values))


def group_totals(values: Floats, units: NDArray[np.intp]) -> Floats:
    """… × topics × columns added up within the groups: … × groups × columns, exact and rounded once."""
    members = units == np.arange(units.max() + 1)[:, None]
    return subset_totals(members.astype(np.float64), values)
