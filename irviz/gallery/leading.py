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


def together(names: list[str], most: int = 4) -> str:
    """Names as a subject or an object; of more than `most`, one and how many others.

    >>> together(["CAM", "MM"]), together(list("abcdef"))
    ('CAM and MM', 'a and 5 others')
    """
    return listed(names, joiner="and") if len(names) <= most else f"{names[0]} and {len(names) - 1} others"


def falling(values: Mapping[str, float], digits: int) -> str:
    """All names from the highest number to the lowest; equal ones are joined by "="; without a number last.

    >>> falling({"MD": 0.5, "AM": 0.71, "GM": 0.71, "HM": float("nan")}, 2)
    'AM = GM (0.71), MD (0.50), HM (undefined)'
    >>> falling({"AM": float("nan"), "MD": float("nan")}, 2)
    'undefined for all, because all systems tie'
    """
    parts: list[str] = []
    rest = dict(values)
    if not np.isfinite(list(rest.values())).any():
        return "undefined for all, because all systems tie"
    while top := highest(rest):
        parts.append(f"{' = '.join(top)} ({spelled(rest[top[0]], digits)})")
        rest = {name: value for name, value in rest.items() if name not in top}
    return ", ".join([*parts, *(f"{name} (undefined)" for name in rest)])


def spelled(value: float, digits: int) -> str:
    """A number as a sentence says it, with a word for NaN; no number is −0.

    >>> spelled(0.5, 2), spelled(-0.5, 2), spelled(-0.001, 2), spelled(float("nan"), 2)
    ('0.50', '−0.50', '0.00', 'undefined')
    """
    if not np.isfinite(value):
        return "undefined"
    text = f"{value:.{digits}f}"
    return text.replace("-", "−" if float(text) else "")
