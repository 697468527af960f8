"""A table as a file: CSV, LaTeX and JSON, with every digit the format should have."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from irviz.display import tex, tex_table
from irviz.errors import rounded

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def to_csv(frame: pd.DataFrame) -> bytes:
    """Comma-separated values at full precision, in UTF-8; see :func:`inert`."""
    return inert(frame).to_csv(index=False, lineterminator="\n").encode()


def inert(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with an apostrophe before every text, headings included, that a spreadsheet would compute.

    >>> inert(pd.DataFrame({"=a": ["-b", "c"], "n": [-1, 2]})).to_dict("list")
    {"'=a": ["'-b", 'c'], 'n': [-1, 2]}
    """
    texts = [i for i in range(frame.shape[1]) if not pd.api.types.is_numeric_dtype(frame.iloc[:, i])]
    columns = {i: frame.iloc[:, i].map(_inert) if i in texts else frame.iloc[:, i] for i in range(frame.shape[1])}
    written = pd.DataFrame(columns)
    written.columns = [_inert(name) for name in frame.columns]
    return written


def _inert(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    return (f"'{cell}" if cell.startswith(_FORMULA) else cell).replace("\r", " ")


def to_json(frame: pd.DataFrame) -> bytes:
    """A list of one object a row, at full precision; what is undefined is null."""
    rows = [
        {str(name): _json_value(value) for name, value in zip(frame.columns, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]
    return json.dumps(rows, ensure_ascii=False, indent=0).encode()


def to_latex(frame: pd.DataFrame, digits: int | Sequence[int] = 4, caption: str = "", label: str = "") -> bytes:
    r"""A ``table``, of many rows a ``longtable``, with booktabs rules; `digits` are of all columns or of each.

    >>> print(to_latex(pd.DataFrame({"system": ["a_b"], "P@10": [0.25]}), 2, "Means", "tab:means").decode())
    % needs \usepackage{booktabs}
    \begin{table}
    \caption{Means}
    \label{tab:means}
    \begin{tabular}{lr}
    \toprule
    system & P@10 \\
    \midrule
    a\_b & 0.25 \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    alignment = "".join("r" if pd.api.types.is_numeric_dtype(kind) else "l" for kind in frame.dtypes)
    places = [digits] * frame.shape[1] if isinstance(digits, int) else digits
    rows = (list(map(_latex_cell, row, places)) for row in frame.itertuples(index=False, name=None))
    heads = [tex(str(name)) for name in frame.columns]
    lines = ["% needs \\usepackage{booktabs}", *tex_table(tex(caption), heads, rows, label, alignment)]
    return "\n".join(lines).encode()


FORMATS: dict[str, tuple[Callable[[pd.DataFrame], bytes], str, str]] = {
    "CSV": (to_csv, "csv", "text/csv"),
    "LaTeX": (to_latex, "tex", "application/x-tex"),
    "JSON": (to_json, "json", "application/json"),
}  #: label → writer, file suffix, media type


def _latex_cell(cell: object, digits: int) -> str:
    if isinstance(cell, float | np.floating):
        return "--" if not np.isfinite(cell) else rounded(float(cell), digits).replace("-", "$-$")
    return "" if cell is None or cell is pd.NA else tex(str(cell))


def _json_value(value: object) -> object:
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    if value is pd.NA:
        return None
    return value.item() if isinstance(value, np.generic) else value
