"""A conclusion as tables that the command line prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from irviz.collection.model import Collection
from irviz.conclusions.choices.dimensions import DIMENSIONS
from irviz.conclusions.choices.worlds import worlds
from irviz.conclusions.multiverse import Conclusion, conclusion
from irviz.conclusions.telling.grids import grid
from irviz.errors import choose
from irviz.scores import Scores
from irviz.workers import Progress, Workers


def _summary(r: Conclusion) -> pd.DataFrame:
    rows = {
        "worlds": len(r),
        "holds": r.holds,
        "holds_significantly": r.holds_significantly,
        "reversed": r.reversed,
        "reversed_significantly": r.reversed_significantly,
        **{f"left out: {reason}": count for reason, count in r.left_out.items()},
    }
    return pd.DataFrame({"what": list(rows), "value": pd.Series(list(rows.values()), dtype=object)})


def _joint(r: Conclusion) -> pd.DataFrame:
    found = r.joint
    return pd.DataFrame(columns=["statistic", "observed", "expected", "p"]) if found is None else found.reset_index()


TABLES: dict[str, Callable[[Conclusion], pd.DataFrame]] = {
    "worlds": lambda r: r.frame(),
    "summary": _summary,
    "joint": _joint,
    "attribution": lambda r: r.attribution.reset_index(),
    "flips": lambda r: r.flips(),
    "topics": lambda r: r.topics.reset_index(),
    "grid": lambda r: grid(r).signs().rename_axis("measure").reset_index(),
}  #: what can be printed of a conclusion


def conclusion_table(
    c: Collection | Scores,
    claim: str,
    part: str = "worlds",
    *,
    choices: Mapping[str, Any] | None = None,
    alpha: float = 0.05,
    trials: int = 10_000,
    seed: int = 0,
    workers: Workers = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """A conclusion as one table.

    Parameters
    ----------
    c : Collection or Scores
    claim : str
        As in :func:`irviz.conclusion`; so are `alpha`, `trials`, `seed`, `workers` and `progress`.
    part : {"worlds", "summary", "joint", "attribution", "flips", "topics", "grid"}
        One row per world; the shares; the joint test of all worlds; what decides; what flips it; what topics
        add; measures × averages.
    choices : mapping of dimension to options, optional
        As the arguments of :func:`irviz.worlds`.
    """
    printed = TABLES[choose("part of a conclusion", part, tuple(TABLES))]
    given = dict(choices or {})
    for name in given:
        choose("choice", name, tuple(DIMENSIONS))
    w = worlds(c, seed=seed, **given)
    return printed(conclusion(c, claim, w, alpha, trials, seed, workers, progress))
