"""Which average, drawn: four systems under six averages, along ε, and topics before and after standardising."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, line_at, padded_range
from irviz.figures.densities import decimal
from irviz.figures.direct import PLOT, sides_of
from irviz.figures.theme import AREA, DASHES, MARKERS, PALETTE, VERMILION, Trace, plotly_escape, scatter, short

Floats = NDArray[np.float64]


def by_mean(
    means: Sequence[str], systems: Sequence[str], values: Floats, winners: Sequence[Sequence[int]]
) -> go.Figure:
    """One column per average, one marker per system; the winner of a column has a ring and its name.

    Parameters
    ----------
    values : means × systems
    winners : for every average the systems that share the highest value
    """
    traces = []
    for s, name in enumerate(systems):
        traces.append(
            scatter(
                x=list(means),
                y=np.round(values[:, s], 5),
                mode="markers+lines",
                name=plotly_escape(name),
                line={"color": PALETTE[s], "width": 0.8, "dash": "dot"},
                marker={"symbol": MARKERS[s], "size": 11, "color": PALETTE[s]},
                hovertemplate="%{x}: %{y:.3f}<extra>%{fullData.name}</extra>",
            )
        )
    best = values.max(axis=1)
    traces.append(
        scatter(
            x=list(means),
            y=np.round(best, 5),
            mode="markers+text",
            hoverinfo="skip",
            showlegend=False,
            text=[", ".join(plotly_escape(short(systems[i], 8)) for i in several) for several in winners],
            textposition="top center",
            textfont={"size": 13},
            marker={"symbol": "circle-open", "size": 21, "color": VERMILION, "line": {"width": 2}},
        )
    )
    low, high = padded_range(values, 0.08)
    y = {"title": {"text": "score of a system"}, "range": [low, high + 0.06 * (high - low)]}
    return chart(traces, 350, {"type": "category", "range": [-0.5, len(means) - 0.5]}, y)


def along_eps(eps: Floats, systems: Sequence[str], values: Floats, reference: Floats, now: float) -> go.Figure:
    """One line per system over ε; a triangle at the right end at its arithmetic mean.  values: ε × systems."""
    traces = []
    for s, name in enumerate(systems):
        traces.append(
            scatter(
                x=eps,
                y=np.round(values[:, s], 5),
                mode="lines",
                name=plotly_escape(name),
                line={"color": PALETTE[s], "dash": DASHES[s], "width": 2.4},
                hovertemplate="%{y:.3f}",
            )
        )
    ends = scatter(
        x=[eps[-1]] * len(systems),
        y=np.round(reference, 5),
        mode="markers",
        name="arithmetic mean",
        cliponaxis=False,
        marker={"symbol": "triangle-left-open", "size": 11, "color": [PALETTE[s] for s in range(len(systems))]},
        hoverinfo="skip",
    )
    first, last = round(np.log10(eps[0])), round(np.log10(eps[-1]))
    x = {
        "type": "log",
        "title": {"text": "ε (logarithmic)"},
        "range": [first - 0.1, last + 0.15],
        **_powers(eps),
    }
    y = {"title": {"text": "score of a system"}, "range": padded_range(np.concatenate([values.ravel(), reference]))}
    return chart([*traces, ends], 350, x, y, [line_at(x=now)])


def _powers(eps: Floats) -> dict[str, list]:
    """Every second power of ten as a tick."""
    powers = range(round(np.log10(eps[0])), round(np.log10(eps[-1])) + 1, 2)
    return {"tickvals": [10.0**power for power in powers], "ticktext": [decimal(10.0**power) for power in powers]}


def standardised_rows(
    topics: Sequence[str], raw: Floats, standard: Floats, systems: Sequence[str], curves: Floats
) -> go.Figure:
    """One row per topic: its scores with a smoothed density, on the left as they are, on the right standardised.

    Parameters
    ----------
    raw, standard : topics × systems
    curves : 2 × topics × points; densities over [0, 1], before and after
    """
    traces = []
    for column, values in enumerate((raw, standard)):
        axis = "x" if column == 0 else "x2"
        traces.append(_ridges(curves[column], axis))
        shown = systems if len(systems) <= len(MARKERS) else ()
        traces += [_dots(name, n, values[:, n], axis) for n, name in enumerate(shown)]
    names = [plotly_escape(short(name, 12)) for name in topics]
    x = {"range": [-0.03, 1.03], "tickvals": [0, 0.5, 1]}
    y = {
        "tickvals": list(range(len(topics))),
        "ticktext": names,
        "range": [-0.4, len(topics) - 0.05],
        "showgrid": False,
        "title": {"text": "topic"},
    }
    left = {**x, "domain": [0, 0.48], "title": {"text": "scores as they are"}}
    right = {**x, "domain": [0.52, 1], "title": {"text": "standardised"}, "anchor": "y"}
    return chart(traces, max(300, 60 + 46 * len(topics)), left, y, xaxis2=right)


def _dots(system: str, n: int, values: Floats, axis: str) -> Trace:
    """One system's score on every topic; named once, on the left."""
    return scatter(
        x=np.round(values, 4),
        y=np.arange(len(values)),
        mode="markers",
        legendgroup=system,
        name=plotly_escape(system),
        showlegend=axis == "x",
        xaxis=axis,
        marker={"symbol": MARKERS[n], "size": 9, "color": PALETTE[n]},
        hovertemplate="%{x:.3f}<extra>%{fullData.name}</extra>",
    )


def _ridges(curves: Floats, axis: str) -> Trace:
    """The densities of all topics as one trace, each standing on its topic.  curves: topics × points over [0, 1]."""
    grid = np.linspace(0, 1, curves.shape[-1])
    gap = np.array([np.nan])
    x: list[Floats] = []
    y: list[Floats] = []
    for t, curve in enumerate(curves):
        height = 0.72 * curve / (float(curve.max()) or 1.0)
        x += [grid, grid[::-1], gap]
        y += [t + height, np.full(len(grid), float(t)), gap]
    return scatter(
        x=np.concatenate(x).round(4),
        y=np.concatenate(y).round(4),
        hoverinfo="skip",
        showlegend=False,
        line={"width": 0},
        fill="toself",
        fillcolor=AREA,
        mode="lines",
        xaxis=axis,
    )


def low_scores(names: Sequence[str], share: Floats, gain: Floats, mean: str) -> go.Figure:
    """One dot per measure: the share of low scores against what the ε-adjusted `mean` adds to consistency."""
    known = gain[np.isfinite(gain)]
    reach = max(0.02, float(np.abs(known).max()) if len(known) else 0.0) * 1.3
    across, said = (-0.05, 1.05), [short(name, 16) for name in names]
    ends = zip((share, gain), (across, (-reach, reach)), PLOT, strict=True)
    pixels = np.stack([(values - low) / (high - low) * size for values, (low, high), size in ends], axis=1)
    trace = scatter(
        x=np.round(share, 4),
        y=np.round(gain, 4),
        mode="markers+text",
        showlegend=False,
        cliponaxis=False,
        text=[plotly_escape(name) for name in said],
        textposition=sides_of(pixels, said),
        textfont={"size": 11},
        marker={
            "size": 10,
            "symbol": [MARKERS[n % len(MARKERS)] for n in range(len(names))],
            "color": [PALETTE[n % len(PALETTE)] for n in range(len(names))],
        },
        hovertemplate="%{text}<br>%{x:.1%} of the scores are below 0.1<br>difference of τ: %{y:+.3f}<extra></extra>",
    )
    x = {"title": {"text": "share of scores below 0.1"}, "tickformat": ".0%", "range": list(across)}
    y = {"title": {"text": f"τ of {mean} minus τ of AM"}, "range": [-reach, reach]}
    return chart([trace], 380, x, y, [line_at(y=0, dash="dash")])
