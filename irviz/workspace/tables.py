"""Small things that several pages' tables need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd


def square_table(names: Sequence[str], values: np.ndarray, about: str = "measure") -> pd.DataFrame:
    """names × names as a table whose first column says what the row is.

    >>> square_table(["AP", "RR"], np.eye(2)).to_csv(index=False).split()
    ['measure,AP,RR', 'AP,1.0,0.0', 'RR,0.0,1.0']
    """
    return named_rows(pd.DataFrame(values, columns=list(names)), about, names)


def named_rows(frame: pd.DataFrame, about: str, names: Sequence[str]) -> pd.DataFrame:
    """`frame` with `names` as its first column, called `about` unless another column is called so."""
    taken = set(frame.columns)
    while about in taken:
        about += " "
    frame.insert(0, about, list(names))
    return frame
