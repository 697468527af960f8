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

Floats = NDArray[np.float64]
Groups: TypeAlias = Source | Mapping[str, str] | pd.Series  #: a file, or topic → group


def units_of(groups: Groups, topics: Sequence[str]) -> NDArray[np.intp]:
    """By topic, the number of its group, from 0 in order of appearance; a topic without a group is one by itself."""
    known = groups_of(read_groups(groups), topics)
    numbers: dict[tuple[bool, str], int] = {}
    keys = [(topic in known, known.get(topic, topic)) for topic in topics]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def group_totals(values: Floats, units: NDArray[np.intp]) -> Floats:
    """… × topics × columns added up within the groups: … × groups × columns, exact and rounded once."""
    members = units == np.arange(units.max() + 1)[:, None]
    return subset_totals(members.astype(np.float64), values)
