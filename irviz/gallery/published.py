"""The numbers that the five papers print, read from ``data/published``.

Texts stay as printed, so that a number carries its decimals: a recomputed one is equal
if it rounds to the printed one.  What is known about each file is in its README.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from irviz.errors import choose
from irviz.places import DATA

FOLDER = DATA / "published"


def tables() -> tuple[str, ...]:
    """Names of all published tables."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.csv")))


def published(name: str) -> pd.DataFrame:
    """One published table; every cell is the printed text, "" where there is none.

    >>> published("aggregation_examples")["AM"].tolist()
    ['0.280', '0.260', '0.260', '0.220']
    """
    return _read(choose("published table", name, tables())).copy()


@cache
def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)


def with_our_spelling(rows: pd.DataFrame) -> pd.DataFrame:
    """nDCG as irviz writes it everywhere; the tables of paper 002 print NDCG."""
    return rows.replace({"base": {"NDCG": "nDCG"}})


def as_number(text: str) -> float:
    """A printed number; NaN where nothing is printed."""
    return float(text) if text else np.nan


def step(text: str) -> float:
    """One unit in the last printed place: the most by which two numbers with the same print can differ.

    >>> step("0.280"), step("51")
    (0.001, 1.0)
    """
    return 10.0 ** -len(text.partition(".")[2])


def as_printed(text: str, value: float) -> bool:
    """Whether `value` rounds to the printed number.

    >>> as_printed("0.280", 0.2804), as_printed("0.280", 0.2806)
    (True, False)
    """
    return bool(abs(value - as_number(text)) <= step(text) / 2 + 1e-9)
