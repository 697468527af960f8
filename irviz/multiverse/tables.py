"""A conclusion as tables that the command line prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Any

import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, counted, listed
from irviz.multiverse.dimensions import DIMENSIONS
from irviz.multiverse.grids import grid
from irviz.multiverse.verdicts import Conclusion, conclusion
from irviz.multiverse.words import sentence
from irviz.multiverse.worlds import worlds
from irviz.stats.scores import Scores
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
    options: dict[str, Any] = {"alpha": alpha, "trials": trials, "workers": workers, "progress": progress}
    return printed(concluded(c, claim, choices=choices, seed=seed, **options))


def concluded(
    c: Collection | Scores,
    claim: str,
    *,
    choices: Mapping[str, Any] | None = None,
    seed: int = 0,
    **options: Any,
) -> Conclusion:
    """A conclusion in the worlds of some choices; arguments as of :func:`conclusion_table`."""
    given = dict(choices or {})
    for name in given:
        choose("choice", name, tuple(DIMENSIONS))
    return conclusion(c, claim, worlds(c, seed=seed, **given), seed=seed, **options)


_SHARES = ("holds", "holds_significantly", "reversed", "reversed_significantly")
_SIGNS: dict[str, Callable[[float, float], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt}
_CONDITION = re.compile(r"\s*(\w+)\s*(>=|<=|>|<)\s*(\d*\.?\d+)\s*(%?)\s*")


@dataclass(frozen=True)
class Condition:
    """What must be true of a conclusion, such as ``holds >= 0.8``."""

    text: str
    share: str
    sign: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Condition:
        """A condition as it is written: a share of the worlds, a sign, and a number from 0 to 1 or a percentage."""
        found = _CONDITION.fullmatch(text)
        if found is None:
            raise IrvizError(f"A condition is written like `holds >= 0.8`, of {listed(_SHARES)}; got `{text[:200]}`.")
        share, sign, number, percent = found.groups()
        bound = float(number) / (100 if percent else 1)
        if bound > 1:
            raise IrvizError(f"`{text.strip()}`: a share of worlds is at most 1, or 100%.")
        return cls(text.strip(), choose("share of worlds", share, _SHARES), sign, bound)

    def unmet(self, r: Conclusion) -> str:
        """A sentence if it is not true of a conclusion, else nothing."""
        found = float(getattr(r, self.share))
        if _SIGNS[self.sign](found, self.bound):
            return ""
        return f"Not `{self.text}`: {self.share} is {found:.4g} over {counted(len(r), 'world')}. {sentence(r)}"
