"""Smoothed densities: over one another, or one per row.

Rows show how a statistic spreads over repeated draws, measure by measure. They are named at the side and their means
written beside them, so that thirty measures read as well as three, and without colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from irviz.figures.axes import row_names, ticks
from irviz.figures.direct import below_axis, line_style, name_ends
from irviz.figures.theme import (
    BLUE,
    GREY,
    Floats,
    Trace,
    bar,
    figure,
    labels,
    note,
    pieces,
    plotly_escape,
    row_height,
    scatter,
)
from irviz.stats.intervals import kernel_density

_ROW_POINTS = 121  #: of a density
_FEW = 12  #: distinct numbers of a row, such as τ of five systems, up to which each has a bar


def ridges(
    names: Sequence[str],
    samples: Sequence[Floats],
    side_texts: Sequence[str],
    axis: str,
    limits: tuple[Floats, Floats] | None = None,
    captions: tuple[str, str] | None = None,
) -> go.Figure:
    """How the sample of each row spreads, with a dot at its mean and its side text; the first row on top.

    `limits` are low and high ends of an interval by row, NaN for none; densities end at 1. `captions` explain
    the spread, above the first row, and the dot, below the last. NaN in samples are left out.
    """
    known = [sample[np.isfinite(sample)] for sample in samples]
    tall = len(names) <= 14
    side_texts = side_texts if tall else [words.replace("\n", " ") for words in side_texts]
    bars = [] if limits is None else [_bars(*limits)]
    ends = np.empty((2, 0)) if limits is None else np.stack(limits)
    low, high = _ends([np.append(sample, ends[:, row : row + 1]) for row, sample in enumerate(known)])
    height = row_height(len(names), least=260, each=36 if tall else 24)
    fig = figure([*_hills(known, low, high), *bars, _means(names, known, low)], height, showlegend=False)
    name_rows(
        fig, [(row - 0.2, "<br>".join(map(plotly_escape, words.split("\n")))) for row, words in enumerate(side_texts)]
    )
    rows = [row for row, sample in enumerate(known) if len(sample) and sample.mean() >= low]
    for row in (row for row, sample in enumerate(known) if len(sample) and row not in rows):
        fig.add_annotation(**note("beyond the axis", low, row, 11, xanchor="left", xshift=8))
    if captions and rows and len(np.unique(known[rows[0]])) <= _FEW:
        captions = f"share of {captions[0]}", captions[1]
    if captions and rows:
        for row, text, above in ((rows[0], captions[0], True), (rows[-1], captions[1], False)):
            mean = float(known[row].mean())
            side = "right" if mean > high - 0.2 * (high - low) else "center"  # words stand right of the figure
            at = {"y": row - 0.95 if above else row + 0.12, "yanchor": "bottom" if above else "top", "xanchor": side}
            fig.add_annotation(**note(text, mean, **at))
    fig.update_xaxes(title_text=plotly_escape(axis), range=[low, high])
    room = 0.5 if captions else 0.0
    fig.update_yaxes(range=[len(names) - 0.7 + room, -1.05 - room], **ticks(names, len(names)), showgrid=True)
    return fig


def name_rows(fig: go.Figure, words: Sequence[tuple[float, str]]) -> None:
    """Words right of a figure, each at its place on the upright axis; `<br>` parts lines, names in them are escaped."""
    look = {"xref": "paper", "xanchor": "left", "xshift": 8, "yref": "y", "align": "left"}
    notes = [note(text, 1, place, **look) for place, text in words]
    wide = max((len(unescape(line)) for _, text in words for line in text.split("<br>")), default=0)
    fig.update_layout(margin={"r": int(16 + 6.4 * wide)}, annotations=notes)


def _ends(rows: Sequence[Floats]) -> tuple[float, float]:
    """The axis: the numbers of all rows but few that are far lower, with a little room below the largest possible."""
    known = [row[np.isfinite(row)] for row in rows]
    known = [row for row in known if row.size]
    if not known:
        return -1.0, 1.0
    high = max(float(row.max()) for row in known)
    lows = np.array([float(row.min()) for row in known])
    low = max(float(lows.min()), readable_bottom(lows, high))
    room = 0.05 * (high - low) or 0.05
    return low - room, min(1.0, high + room) + (0.25 * room if any(len(np.unique(row)) <= _FEW for row in known) else 0)


def _hills(samples: Sequence[Floats], low: float, high: float) -> list[Trace]:
    """Densities on one scale; the highest reaches the row above, and outliers are cut there.

    A sample of few distinct numbers has a bar for each; one of a single number, or below the axis, has none.
    """
    there = [sample if sample.size and sample.mean() >= low else sample[:0] for sample in samples]
    tallies = [np.unique(sample.round(9), return_counts=True) for sample in there]
    few = [row for row, (values, _) in enumerate(tallies) if 1 < len(values) <= _FEW]
    many = [row for row, (values, _) in enumerate(tallies) if len(values) > _FEW]
    grids = {row: np.linspace(min(low, float(samples[row].min())), high, _ROW_POINTS) for row in many}
    curves = {row: kernel_density(samples[row], grid) for row, grid in grids.items()}
    top = readable_top(np.array([curve.max() for curve in curves.values()]))
    hills = [
        scatter(
            x=np.round(grids[row], 4),
            y=np.round(row - 0.95 * np.minimum(curve / top, 1.0), 3),
            mode="lines",
            line={"color": GREY, "width": 1},
            fill="toself",
            fillcolor="rgba(122,127,133,0.25)",
            hoverinfo="skip",
        )
        for row, curve in curves.items()
    ]
    if few:
        x, counts = (np.concatenate([tallies[row][part] for row in few]) for part in (0, 1))
        base = np.repeat(few, [len(tallies[row][0]) for row in few])
        tips = base - 0.7 * counts / np.array([len(sample) for sample in samples])[base]
        places = {"x": pieces(x, x), "y": pieces(base, tips)}
        hills.append(scatter(**places, mode="lines", line={"color": GREY, "width": 9}, hoverinfo="skip", opacity=0.6))
    return hills


def _bars(low: Floats, high: Floats) -> Trace:
    """A line for each row, from its low to its high end."""
    rows = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
    places = {"x": pieces(low[rows].round(4), high[rows].round(4)), "y": pieces(rows, rows)}
    return scatter(**places, mode="lines", line={"color": BLUE, "width": 2.5}, hoverinfo="skip")


def _means(names: Sequence[str], samples: Sequence[Floats], low: float) -> Trace:
    """A dot at the mean of each row, or an arrow where the axis begins above it."""
    rows = [row for row, sample in enumerate(samples) if len(sample)]
    known = [samples[row] for row in rows]
    limits = [np.quantile(sample, [0.05, 0.95]) for sample in known]
    means = [round(float(sample.mean()), 4) for sample in known]
    return scatter(
        x=[max(mean, low) for mean in means],
        y=rows,
        mode="markers",
        cliponaxis=False,
        marker={"size": 9, "color": BLUE, "symbol": ["circle" if low <= mean else "triangle-left" for mean in means]},
        customdata=[
            [plotly_escape(names[row]), len(sample), *np.round(ends, 4).tolist(), mean]
            for row, sample, ends, mean in zip(rows, known, limits, means, strict=True)
        ],
        hovertemplate="%{customdata[0]}<br>mean %{customdata[4]:.4f} of %{customdata[1]}<br>nine in ten "
        "from %{customdata[2]:.3f} to %{customdata[3]:.3f}<extra></extra>",
    )


def readable_top(peaks: Floats) -> float:
    """The end of the axis of curves: the highest peak that is at most four times the median one.

    >>> readable_top(np.array([2.0, 3.0, 2.5, 90.0])), readable_top(np.array([90.0]))
    (3.0, 90.0)
    """
    peaks = peaks[peaks > 0]
    return float(peaks[peaks <= 4 * np.median(peaks)].max()) if peaks.size else 1.0


def readable_bottom(lows: Floats, high: float) -> float:
    """The lower end of an axis that ends at `high`: the lowest of the lows that does not flatten most others.

    >>> float(readable_bottom(np.array([0.9, 0.8, 0.85, -0.6]), 1.0))
    0.8
    """
    return high - readable_top(high - lows)


def step_shares(names: Sequence[str], samples: Sequence[Floats], axis: str, low: float, high: float) -> go.Figure:
    """The share of each sample in every twentieth of [low, high], as steps: equal scores stay together."""
    ends = np.linspace(low, high, 21)
    traces = [
        scatter(
            x=np.round(ends, 4),
            y=np.round(np.append(share := np.histogram(sample, ends)[0] / np.size(sample), share[-1]), 4),
            mode="lines",
            line={**line_style(i)["line"], "shape": "hv"},
            name=text,
            hovertemplate="from %{x:.2f}: %{y:.1%}<extra>%{fullData.name}</extra>",
        )
        for i, (sample, text) in enumerate(zip(samples, labels(names, 40), strict=True))
    ]
    fig = figure(traces, 300, legend={"itemwidth": 40})
    fig.update_xaxes(title_text=plotly_escape(axis), range=[low, high])
    return fig.update_yaxes(title_text="share of scores", tickformat=".0%", rangemode="tozero")


# -- Consistency against ε: from a mean that depends on the smallest scores to the arithmetic mean -

_HEIGHT = 420


def epsilon_curves(
    names: Sequence[str], eps: Floats, mean: Floats, reference: Floats, chosen_eps: float, unit: str
) -> go.Figure:
    """Mean coefficient of two topic halves against ε (Ravana & Moffat 2009, Figures 1 and 3).

    `mean` is curves × eps; `reference`, by curve, is that of the arithmetic mean: an open circle at the right.
    `chosen_eps` is marked by a line.
    """
    end, traces = 4 * eps[-1], []
    for i, text in enumerate(labels(names, 34)):
        style, y = line_style(i), np.round(mean[i], 4)
        marker = {**style["marker"], "symbol": "circle-open", "line": {"width": 2}}
        hover = "ε = %{x:.2g}: %{y:.4f}<extra>%{fullData.name}</extra>"
        limit = {"x": [end], "y": np.round(reference[[i]], 4), "mode": "markers", "marker": marker, "name": text}
        traces.append(scatter(x=eps, y=y, mode="lines", line=style["line"], name=text, hovertemplate=hover))
        traces.append(scatter(**limit, hovertemplate="arithmetic mean: %{y:.4f}<extra>%{fullData.name}</extra>"))
    fig = figure(traces, _HEIGHT, showlegend=False)
    curves = np.column_stack([mean, reference])
    finite = curves[np.isfinite(curves)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    low = max(low, readable_bottom(np.nanmin(curves[np.isfinite(curves).any(axis=1)], axis=1, initial=high), high))
    room = max(0.02, 0.06 * (high - low))
    top = min(high + room, max(high, 1.0) + 0.1 * room)  # no coefficient is above 1
    fig.add_vline(x=chosen_eps, line={"color": GREY, "width": 1, "dash": "dot"})
    at_the_foot = {"yref": "paper", "yanchor": "bottom"}
    fig.add_annotation(**note("chosen", np.log10(chosen_eps), 0, 11, xanchor="left", **at_the_foot))
    first, last = np.log10([eps[0], end])
    visible = np.any(curves >= low - room, axis=1)
    name_ends(fig, names, np.where(visible[:, None], curves, np.nan), low - room, top, _HEIGHT)
    short_names, title = labels(names), "ε (∞: the arithmetic mean)"
    under = [np.flatnonzero(row < low - room) for row in mean]
    entering = [i for i, places in enumerate(under) if visible[i] and len(places)]
    for n, i in enumerate(entering):  # curves that come from below the figure
        said, side = (
            f"{short_names[i]} {below_axis(np.nanmin(curves[i]))}",
            "right" if under[i][-1] > len(eps) / 4 else "left",
        )
        place = {"xanchor": side, "yshift": 14 * n, **at_the_foot}
        fig.add_annotation(**note(said, np.log10(eps[under[i][-1]]), 0, 11, **place))
    hidden = np.flatnonzero(np.isfinite(curves[:, -1]) & ~visible).tolist()
    if unseen := [f"{names[i]} {below_axis(curves[i, -1])}" for i in hidden]:
        title = "<br>".join([title, *map(plotly_escape, wrap(f"below the figure: {', '.join(unseen)}", 44))])
    decades = 10.0 ** np.arange(np.ceil(first), np.log10(eps[-1]) - 0.5, 2)
    fig.update_xaxes(
        type="log",
        range=[first - 0.15, last + 0.35],
        tickvals=[*decades, end],
        ticktext=[*(decimal(value) for value in decades), "∞"],
        title_text=title,
    )
    fig.update_yaxes(title_text=f"mean {unit} of two topic halves", range=[low - room, top])
    return fig


def decimal(power: float) -> str:
    """A power of ten as a tick.

    >>> decimal(1e-6), decimal(0.01), decimal(100.0)
    ('10⁻⁶', '0.01', '100')
    """
    if power >= 0.001:
        return f"{power:g}"
    return "10⁻" + str(-round(np.log10(power))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


#: colour of a bar and of the number in it: dark for zero and pale for low, so that they differ in lightness
_ZERO, _LOW = ("#B84F00", "#FFFFFF"), ("#9CCBEB", "#1B1F24")


def low_score_bars(names: Sequence[str], zero: Floats, low: Floats, limit: float) -> go.Figure:
    """Shares of scores by measure: zero; above zero but below `limit` (Ravana & Moffat 2009, Table 2)."""
    rows = np.arange(len(names))
    parts = (("zero", zero, _ZERO), (f"above zero, below {limit:g}", low - zero, _LOW))
    bars = [
        bar(
            x=np.round(share, 4),
            y=rows,
            orientation="h",
            name=name,
            texttemplate="%{x:.0%}",
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            hovertemplate="%{x:.1%} %{fullData.name}<extra></extra>",
            marker={"color": colour, "line": {"width": 0}},
            insidetextfont={"color": ink},
        )
        for name, share, (colour, ink) in parts
    ]
    fig = figure(bars, row_height(len(names), least=240, each=26), barmode="stack")
    fig.update_layout(uniformtext={"minsize": 10, "mode": "hide"}, legend={"traceorder": "normal"})
    fig.update_xaxes(title_text="share of all scores", tickformat=".0%", range=[0, 1.03 * (low.max(initial=0) or 1)])
    return row_names(fig, names)
