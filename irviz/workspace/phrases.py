"""Numbers as text, and the names of the highest and the lowest."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

import numpy as np

from irviz.errors import rounded

Name = TypeVar("Name", bound=Hashable)
ALIKE = 0.9  #: Kendall's τ from which on two rankings are usually taken for equivalent (Voorhees, SIGIR 2001)
TOLERANCE = 1e-9  #: numbers nearer than that are one number, rounded


def number(value: float, digits: int = 3) -> str:
    """A number as a sentence says it; −0 is 0.

    >>> number(0.12345), number(-0.00001), number(2.0)
    ('0.123', '0', '2')
    """
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if np.isfinite(value) else "undefined"
    return "0" if text in ("-0", "") else text.replace("-", "−")


def written_out(value: float) -> str:
    """A positive number of two digits without a power of ten, as a sentence names an ε.

    >>> written_out(1e-6), written_out(0.0316), written_out(100.0)
    ('0.000001', '0.032', '100')
    """
    return np.format_float_positional(float(f"{value:.1e}"), trim="-")


def highest(values: Mapping[Name, float]) -> list[Name]:
    """The names whose number is the highest; NaN is not a number.

    >>> highest({"AP": 0.3, "RR": 0.1 + 0.2, "P": 0.1, "R": float("nan")})
    ['AP', 'RR']
    """
    known = {name: value for name, value in values.items() if np.isfinite(value)}
    top = max(known.values(), default=np.nan)
    return [name for name, value in known.items() if value >= top - TOLERANCE]


def lowest(values: Mapping[Name, float]) -> list[Name]:
    """The names whose number is the lowest; NaN is not a number."""
    return highest({name: -value for name, value in values.items()})


def spell(value: float, digits: int) -> str:
    """A number as a sentence says it, with a word for NaN; no number is −0.

    >>> spell(0.5, 2), spell(-0.5, 2), spell(-0.001, 2), spell(float("nan"), 2)
    ('0.50', '−0.50', '0.00', 'undefined')
    """
    if not np.isfinite(value):
        return "undefined"
    text = rounded(value, digits)
    return text.replace("-", "−" if float(text) else "")
