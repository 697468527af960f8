"""How large a difference to believe: by collection, from which difference on few are reversed on other topics."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.errors import percent
from irviz.figures.axes import line_at, padded_range, row_names, standing_out
from irviz.figures.densities import name_rows
from irviz.figures.theme import (
    BLUE,
    GREY,
    escape_names,
    figure,
    note,
    plotly_escape,
    row_height,
    scatter,
    short,
    whiskers,
)
from irviz.stats.topic_effects import BINS, FEW_PAIRS, RATES, WIDTH, Swaps

DOT, LINE = 0.1, (0.2, 0.05)  #: shares of differences that turn, of the dot and the two ends of the line of a row
_ABOVE_PLOT = {"yref": "paper", "yanchor": "bottom"}
_LETTERS = 26  #: of one of the two lines that a collection's title may take


def stored_swaps(measure: str, topics: int) -> dict[str, Swaps]:
    """By title of a bundled real collection, how often differences of means over so many topics are reversed.

    Empty for measures and numbers of topics that are not stored; 200 trials with seed 0.
    """
    rates = pd.read_csv(RATES).query("measure == @measure and topics == @topics")
    found = {}
    for title, part in rates.groupby("collection", sort=False):
        pairs, turned = np.zeros(BINS, dtype=np.int64), np.zeros(BINS)
        places = np.round(part["low"] / WIDTH).astype(int)
        pairs[places], turned[places] = part["pairs"], part["turned"]
        found[str(title)] = Swaps(WIDTH * np.arange(BINS, dtype=np.float64), pairs, turned, topics, 200, 0)
    return found


def believable_differences(swaps_by_title: Mapping[str, Swaps], own: str, difference: float, axis: str) -> go.Figure:
    """A row per collection, smallest first: the least difference from which on at most `DOT` are reversed.

    Its line goes from `LINE[0]` to `LINE[1]`; one without a dot is last.  Beside each row stands the share that is
    reversed at the reader's own difference, which a line marks.

    Parameters
    ----------
    swaps_by_title : by title of a collection
    own : title of the reader's collection, which stands out
    difference : of means, of the reader's pair
    axis : what is on the x axis
    """
    last = WIDTH * (BINS - 1)
    edges = {
        title: [_least(rates, share) for share in (LINE[0], DOT, LINE[1])] for title, rates in swaps_by_title.items()
    }
    titles = sorted(edges, key=lambda title: (np.isnan(edges[title][1]), edges[title][1]))  # stable
    low, middle, high = np.array([edges[title] for title in titles]).T
    high = np.where(np.isnan(high), last, high)
    is_own = np.array([title == own for title in titles])
    said = [f"below {WIDTH:g}" if edge == 0 else f"{edge:.3f}" if np.isfinite(edge) else "none" for edge in middle]
    dots = scatter(
        x=np.round(middle, 5),
        y=np.arange(len(titles)),
        mode="markers",
        marker={"color": np.where(is_own, BLUE, GREY).tolist(), "size": np.where(is_own, 13, 9).tolist(), "opacity": 1},
        error_x=whiskers(middle, low, high, color=GREY, thickness=2, width=0),
        customdata=[plotly_escape(f"{title}: {text}") for title, text in zip(titles, said, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    fig = figure([dots], row_height(len(titles), least=260, each=32))
    shares = [swaps_by_title[title].rate_at(difference)[0] for title in titles]
    name_rows(fig, [(row, percent(share) if np.isfinite(share) else "few") for row, share in enumerate(shares)])
    heading = f"reversed<br>at {difference:.3f}"
    fig.add_annotation(**note(heading, 1, 1, xref="paper", **_ABOVE_PLOT, xanchor="left", xshift=8, align="left"))
    fig.update_layout(margin={"t": 36, "r": max(fig.layout.margin.r, 68)})
    row_names(fig, titles, np.flatnonzero(is_own).tolist())
    lines = []
    for title in titles:
        size = f", {swaps_by_title[title].topics:,}"
        text = "<br>".join(escape_names(wrap(short(title, 2 * _LETTERS - 3 * len(size)) + size, _LETTERS)))
        lines.append(standing_out(text) if title == own else text)
    if difference <= last:
        fig.add_shape(**line_at(x=difference))
        fig.add_annotation(**note("your pair", difference, 1, **_ABOVE_PLOT, xanchor="right"))
    reach = padded_range(np.concatenate([low, middle, high]))[1]
    end = round(max(reach, min(difference, last) + WIDTH), 3)
    fig.update_xaxes(title_text=plotly_escape(axis), range=[-0.07 * end, end])  # a dot at 0 is whole
    return fig.update_yaxes(ticktext=lines, title_text="")


def _least(one: Swaps, share: float) -> float:
    """The least edge of a bin from which on at most `share` of the differences turn; NaN if there is none."""
    known = one.pairs >= FEW_PAIRS
    above = np.flatnonzero(known & (one.rate > share))
    after = int(above[-1]) + 1 if above.size else 0
    return float(one.low[after]) if known[after:].any() else np.nan
