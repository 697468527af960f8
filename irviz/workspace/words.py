"""Numbers, counts and comparisons in words: one document, two documents; τ where there is one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def counted(count: int, one: str, several: str = "") -> str:
    """A number of things; the plural of `one` has an s, if it is not given.

    >>> counted(1, "pair"), counted(1200, "pair"), counted(2, "class", "classes")
    ('1 pair', '1,200 pairs', '2 classes')
    """
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def verb(count: int, one: str, several: str) -> str:
    """The verb after a number of things.

    >>> verb(1, "is", "are"), verb(0, "is", "are")
    ('is', 'are')
    """
    return one if count == 1 else several


def ranked_alike(tau: float, systems: int, digits: int = 2) -> str:
    """What two measures make of a number of systems.

    >>> ranked_alike(0.875, 12)
    'order the 12 systems with τ = 0.88'
    >>> ranked_alike(float("nan"), 1)
    'have one system to order, so there is no τ'
    """
    if np.isfinite(tau):
        return f"order the {counted(systems, 'system')} with τ = {number(tau, digits)}"
    if systems == 1:
        return "have one system to order, so there is no τ"
    return f"have no τ: by one of them all {systems} systems are equal"


def extremes(values: Sequence[float] | NDArray[np.float64], tolerance: float = 1e-9) -> list[int]:
    """Where the highest value is, wherever it is reached but for rounding.

    >>> extremes([0.1, 0.3, 0.1 + 0.2])
    [1, 2]
    """
    found = np.asarray(values, dtype=np.float64)
    return [int(i) for i in np.flatnonzero(found >= found.max() - tolerance)]


def number(value: float, digits: int = 3) -> str:
    """A number as a sentence says it; −0 is 0.

    >>> number(0.12345), number(-0.00001), number(2.0)
    ('0.123', '0', '2')
    """
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if np.isfinite(value) else "undefined"
    return "0" if text in ("-0", "") else text.replace("-", "−")


def moved(before: float, after: float) -> str:
    """What happened to a number, in words.

    >>> moved(0.2, 0.25), moved(0.2, 0.2)
    ('rises from 0.2 to 0.25', 'stays at 0.2')
    """
    if number(before) == number(after):
        return f"stays at {number(before)}"
    return f"{'rises' if after > before else 'falls'} from {number(before)} to {number(after)}"
