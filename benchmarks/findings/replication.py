"""The printed numbers of a collection that two of the papers used, computed again on that very collection."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.findings.data import DRAWS, TREC8, Data
from irviz.gallery import paper
from irviz.gallery.item import EQUAL, comparison_table, published
from irviz.gallery.sources import recognised

TABLES = (("scales", "table1"), ("scales", "table2"), ("scales", "table3"), ("scales", "table4"), ("means", "table3"))
ABSENT = (
    "The folder given to the program does not contain `trec8-adhoc.irviz`, so the numbers that the papers print for "
    "TREC-8 were not recomputed."
)


def section(data: Data) -> str:
    """All cells printed for TREC-8 with the recomputed numbers and their differences, or why there are none."""
    title = "## The papers' own collection: TREC-8 ad hoc"
    if data.own is None:
        return f"{title}\n\n{ABSENT}"
    parts = [_table(data, key, item) for key, item in TABLES]
    return "\n\n".join([title, _head(data, pd.concat([frame for frame, _ in parts])), *(text for _, text in parts)])


def _head(data: Data, frame: pd.DataFrame) -> str:
    fixed = frame[~frame["drawn"]]
    tau, share = (fixed[fixed["pairs"].isna() == kind] for kind in (True, False))
    scales = fixed[fixed["paper"] == "scales"]
    return (
        f"`{TREC8}` is T08 of Ferrante et al. 2019 and TREC8 of Ravana & Moffat 2009: topics 401 to 450, 129 systems, "
        "4,728 relevant documents. "
        f"Of the {len(scales)} cells that the first paper prints for it, {int((scales['mark'] == EQUAL).sum())} are "
        f"reproduced to the printed digit; the others differ by at most {_largest(tau[tau['paper'] == 'scales']):.4f} "
        "in τ "
        f"and by at most {int(share['pairs'].abs().max())} of 8,256 pairs of systems. Nothing in these cells is drawn "
        "at random. "
        "The τ of RBP(½) with RBTO stays below 1 because its sums are doubles, which tie lists that differ only below "
        "rank 53. Of the second paper's cells, those of random halves are drawn at random (10,000 splits there, "
        f"{DRAWS.trials:,} here): *within chance* is a difference no larger than 99% of such differences."
    )


def _largest(frame: pd.DataFrame) -> float:
    return float(frame["difference"].abs().max())


def _table(data: Data, key: str, name: str) -> tuple[pd.DataFrame, str]:
    one = paper(key)
    item = one.item(name)
    assert data.own is not None
    known = recognised(data.own, one.collections)
    assert known is not None and known.whole, "the file is not TREC-8 as submitted"
    found, printed = data.repeated(key, name), item.printed
    assert printed is not None
    shown = printed()
    frame = comparison_table(shown, found, (known.name,))
    frame = frame[frame["collection"] == known.name].reset_index(drop=True)
    frame["drawn"] = [found.tolerance.get(tuple(row), 0.0) > 0 for row in frame[list(shown.keys)].to_numpy()]
    frame["pairs"] = _pairs(frame, name) if "test" in frame else np.nan
    frame["paper"] = key
    rows = [f"### {one.cite}, {item.name}: {item.title.lower()} ({shown.unit})", ""]
    rows += ["| cell | printed | recomputed | difference | |", "| --- | --- | --- | --- | --- |"]
    digits = 2 if "test" in frame else 4 if key == "scales" else 3
    for _, row in frame.iterrows():
        cell = " ".join(part for part in (row[k] for k in shown.keys if k != "relevance") if part)
        rows.append(
            f"| {cell} | {row['published']:.{digits}f} | {row['recomputed']:.{digits + 1}f} | "
            f"{_difference(row['difference'], digits + 1, row['pairs'])} | {row['mark']} |"
        )
    return frame, "\n".join(rows)


def _difference(value: float, digits: int, pairs: float) -> str:
    """A signed difference; in pairs of systems, too, where it is one of shares of pairs.

    >>> _difference(-0.012, 3, -1), _difference(0.00002, 4, np.nan)
    ('−0.012 (−1 pair)', '0')
    """
    text = f"{value:+.{digits}f}".replace("-", "−")
    if float(f"{value:.{digits}f}") == 0:
        text = "0"
    if np.isnan(pairs) or not pairs:
        return text
    return f"{text} ({f'{pairs:+.0f}'.replace('-', '−')} {'pair' if abs(pairs) == 1 else 'pairs'})"


def _pairs(frame: pd.DataFrame, name: str) -> list[float]:
    """By how many pairs of systems the recomputed share differs from the printed count."""
    rows = published("scales_significance")
    rows = rows[(rows["table"] == name[-1]) & (rows["collection"] == "T08")]
    total = 129 * 128 / 2
    return [
        round(value / 100 * total) - int(count) for value, count in zip(frame["recomputed"], rows["count"], strict=True)
    ]
