"""Who has the highest or the lowest number: every name that shares it, none where nothing is known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviz.errors import listed

TIED = 1e-9  #: numbers nearer than that are one number, rounded


def highest(values: Mapping[str, float]) -> list[str]:
    """The names whose number is the highest; NaN is no number.

    >>> highest({"AP": 0.3, "RR": 0.1 + 0.2, "P": 0.1, "R": float("nan")})
    ['AP', 'RR']
    """
    known = {name: value for name, value in values.items() if np.isfinite(value)}
    top = max(known.values(), default=np.nan)
    return [name for name, value in known.items() if value >= top - TIED]


def lowest(values: Mapping[str, float]) -> list[str]:
    """The names whose number is the lowest; NaN is no number."""
    return highest({name: -value for name, value in values.items()})


def together(names: list[str]) -> str:
    """Names as a subject: "CAM", "CAM and MM", "all five", where nothing is left out.

    >>> together(["CAM", "MM"])
    'CAM and MM'
    """
    return listed(names, most=8, joiner="and")


def falling(values: Mapping[str, float], digits: int) -> str:
    """All names from the highest number to the lowest; equal ones are joined by "="; without a number last.

    >>> falling({"MD": 0.5, "AM": 0.71, "GM": 0.71, "HM": float("nan")}, 2)
    'AM = GM (0.71), MD (0.50), HM (undefined)'
    """
    parts: list[str] = []
    rest = dict(values)
    while top := highest(rest):
        parts.append(f"{' = '.join(top)} ({rest[top[0]]:.{digits}f})")
        rest = {name: value for name, value in rest.items() if name not in top}
    return ", ".join([*parts, *(f"{name} (undefined)" for name in rest)])


def spelled(value: float, digits: int) -> str:
    """A number as a sentence says it, with a word for NaN.

    >>> spelled(0.5, 2), spelled(float("nan"), 2)
    ('0.50', 'undefined')
    """
    return f"{value:.{digits}f}" if np.isfinite(value) else "undefined"
