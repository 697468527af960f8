"""How large a difference to believe: by collection, from which difference on few are reversed on other topics."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.errors import percent
from irviz.figures.axes import line_at, padded_range
from irviz.figures.densities import name_rows
from irviz.figures.ranking import ranking
from irviz.figures.theme import note
from irviz.stats.topic_effects import BINS, FEW_PAIRS, RATES, WIDTH, Swaps

DOT, LINE = 0.1, (0.2, 0.05)  #: shares of differences that turn, of the dot and the two ends of the line of a row
_ABOVE_PLOT = {"yref": "paper", "yanchor": "bottom"}


def stored_swaps(measure: str, topics: int) -> dict[str, Swaps]:
    """By bundled collection, how often differences of means over so many topics are reversed; empty if not stored."""
    rates = pd.read_csv(RATES).query("measure == @measure and topics == @topics")
    found = {}
    for title, part in rates.groupby("collection", sort=False):
        pairs, turned = np.zeros(BINS, dtype=np.int64), np.zeros(BINS)
        places = np.round(part["low"] / WIDTH).astype(int)
        pairs[places], turned[places] = part["pairs"], part["turned"]
        found[str(title)] = Swaps(WIDTH * np.arange(BINS, dtype=np.float64), pairs, turned, topics, 200, 0)
    return found


def believable_differences(swaps_by_title: Mapping[str, Swaps], own: str, difference: float, axis: str) -> go.Figure:
    """By collection, the least difference from which on at most `DOT` are reversed; those without one last.

    Lines go from `LINE[0]` to `LINE[1]`. The share reversed at `difference`, which a line marks, stands beside each
    row; `own` is the reader's collection.
    """
    edges = {
        title: [_least(rates, share) for share in (LINE[0], DOT, LINE[1])] for title, rates in swaps_by_title.items()
    }
    titles = sorted(edges, key=lambda title: (np.isnan(edges[title][1]), edges[title][1]))  # stable
    low, middle, high = np.array([edges[title] for title in titles]).T
    high = np.where(np.isnan(high), last := WIDTH * (BINS - 1), high)
    fig = ranking(titles, middle, low, high, axis, np.arange(1, len(titles) + 1), [titles.index(own)])
    shares = [swaps_by_title[title].rate_at(difference)[0] for title in titles]
    name_rows(fig, [(row, percent(share) if np.isfinite(share) else "few") for row, share in enumerate(shares)])
    heading = f"reversed<br>at {difference:.3f}"
    fig.add_annotation(**note(heading, 1, 1, xref="paper", **_ABOVE_PLOT, xanchor="left", xshift=8, align="left"))
    if difference <= last:
        fig.add_shape(**line_at(x=difference))
        fig.add_annotation(**note("your pair", difference, 1, **_ABOVE_PLOT, xanchor="right"))
    reach = padded_range(np.concatenate([low, middle, high]))[1]
    fig.update_layout(margin={"t": 36, "r": max(fig.layout.margin.r, 68)})
    return fig.update_xaxes(side="bottom", range=[-0.07 * reach, max(reach, min(difference, last) + WIDTH)])


def _least(one: Swaps, share: float) -> float:
    """The least edge of a bin from which on at most `share` of the differences turn; NaN if there is none."""
    known = one.pairs >= FEW_PAIRS
    above = np.flatnonzero(known & (one.rate > share))
    after = int(above[-1]) + 1 if above.size else 0
    return float(one.low[after]) if known[after:].any() else np.nan
