"""Tables of other tools as pandas frames: polars, pyarrow, pytrec_eval's dictionaries, ranx."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import pandas as pd

from irviz.errors import IrvizError

ForeignTable: TypeAlias = Any  #: whatever :func:`framed` takes


def framed(where: str, given: ForeignTable) -> pd.DataFrame:
    """A table as a pandas frame; one without rows is refused.

    >>> framed("bm25", {"1": {"a": 2.5, "b": 1.0}})
      query_id doc_id  score
    0        1      a    2.5
    1        1      b    1.0
    """
    frame = _as_frame(given)
    if frame is None:
        raise IrvizError(f"{where}: expected a DataFrame, found {type(given).__name__}.")
    if not len(frame):
        raise IrvizError(f"{where}: the frame is empty.")
    return frame


def _as_frame(given: ForeignTable) -> pd.DataFrame | None:
    if isinstance(given, pd.DataFrame):
        return given
    if callable(getattr(given, "to_pandas", None)):  # polars and pyarrow
        return given.to_pandas()
    if not isinstance(given, Mapping) and callable(getattr(given, "to_dict", None)):  # ranx
        given = given.to_dict()
    if isinstance(given, Mapping) and all(isinstance(row, Mapping) for row in given.values()):
        rows = [(topic, doc, number) for topic, one in given.items() for doc, number in one.items()]
        return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    return None
