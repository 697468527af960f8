"""Two aspects as a plane, orders of a few documents under several measures, bounds and ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, line_at
from irviz.figures.ranking import other_systems
from irviz.figures.theme import (
    BLUE,
    DASHES,
    GREEN,
    GREY,
    MARKERS,
    SEQUENTIAL,
    VERMILION,
    Trace,
    figure,
    plotly_escape,
    quantile_boxes,
    scatter,
    short,
)

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]
_COLOURS = (BLUE, VERMILION, GREEN)


def plane(
    points: Floats,
    classes: NDArray[np.integer],
    names: Sequence[str],
    edges: Sequence[tuple[int, int]],
    lines: Sequence[tuple[Floats, Floats]],
    documents: Sequence[tuple[int, str]],
    after_click: Sequence[Sequence[str]],
    axes: tuple[str, str],
    steps: tuple[Sequence[float], Sequence[float]],
    labels: tuple[Sequence[str], Sequence[str]],
    after_drag: Sequence[Sequence[Sequence[str]]],
) -> go.Figure:
    """Label tuples where they are embedded, joined to their neighbours, with lines of equal distance from the best.

    Parameters
    ----------
    points : tuples × 2
    classes : by tuple; 0 is the worst
    names : by tuple, for the hover text
    edges : pairs of tuples that are neighbours in the lattice of labels
    lines : curves (x, y) through all points at the same distance
    documents : (tuple, name) of every document of the example
    after_click : by tuple, what a click on it means
    axes : what the two directions mean
    steps, labels : where the labels of each direction are, and their names
    after_drag : by document and tuple, what dragging the document there means
    """
    best = points.max(axis=0)
    reach = np.where(best > 0, best, 1.0)
    traces = [_joined([points[[a, b]] for a, b in edges], GREY, "solid", "label lattice")]
    traces.append(_joined([np.stack(line, axis=1) for line in lines], VERMILION, "dot", "equal distance from the best"))
    ink = ["#FFFFFF" if number < 0.55 * max(1, classes.max()) else "#1B1F24" for number in classes]
    traces.append(
        scatter(
            x=np.round(points[:, 0], 4),
            y=np.round(points[:, 1], 4),
            mode="markers+text",
            showlegend=False,
            text=[str(number) for number in classes],
            textfont={"size": 12, "color": ink},
            customdata=[[*texts, plotly_escape(name)] for texts, name in zip(after_click, names, strict=True)],
            marker={
                "size": 24,
                "color": classes,
                "colorscale": SEQUENTIAL,
                "cmin": 0,
                "cmax": int(max(1, classes.max())),
                "line": {"color": "white", "width": 1},
            },
            hovertemplate=f"%{{customdata[{len(after_click[0])}]}}<br>class %{{text}}<extra></extra>",
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    )
    traces += [
        _document(points[place], name, [at for at, _ in documents[:n]].count(place), _goals(points, after_drag[n]))
        for n, (place, name) in enumerate(documents)
    ]
    x = {"title": {"text": plotly_escape(axes[0])}, "range": [-0.14 * reach[0], 1.16 * reach[0]], "showgrid": False}
    y = {"title": {"text": plotly_escape(axes[1])}, "range": [-0.14 * reach[1], 1.28 * reach[1]], "showgrid": False}
    for axis, places, words in zip((x, y), steps, labels, strict=True):
        axis |= {
            "tickvals": list(places),
            "ticktext": [word.removesuffix(" correct") for word in words],
            "zeroline": False,
        }
    return chart(traces, 430, x, y, clickmode="event+select")


def documents_only(labels: Sequence[tuple[int, int]], words: tuple[Sequence[str], Sequence[str]]) -> go.Figure:
    """The documents by their labels, before they are ordered; equal ones are side by side."""
    before = [labels[:n].count(pair) for n, pair in enumerate(labels)]
    trace = scatter(
        x=[pair[0] + 0.18 * n for pair, n in zip(labels, before, strict=True)],
        y=[pair[1] for pair in labels],
        mode="markers+text",
        text=[f"<b>d{n}</b>" for n in range(1, len(labels) + 1)],
        textposition="top center",
        textfont={"size": 14, "color": VERMILION},
        marker={"size": 16, "color": BLUE},
        showlegend=False,
        hoverinfo="skip",
    )
    x = {
        "tickvals": list(range(len(words[0]))),
        "ticktext": [f"{word}<br>relevant" for word in words[0]],
        "range": [-0.5, len(words[0]) - 0.5],
        "zeroline": False,
    }
    y = {
        "tickvals": list(range(len(words[1]))),
        "ticktext": list(words[1]),
        "range": [-0.5, len(words[1]) - 0.3],
        "zeroline": False,
    }
    return chart([trace], 280, x, y)


def orders(names: Sequence[str], measures: Sequence[str], scores: Floats) -> go.Figure:
    """One row per order of the documents, one marker per measure; a line at 1.  scores: measures × orders."""
    rows = np.arange(len(names))
    traces = [
        scatter(
            x=np.round(scores[m], 5),
            y=rows,
            mode="markers",
            name=plotly_escape(measure),
            marker={"symbol": MARKERS[m], "size": 11, "color": _COLOURS[m % 3]},
            hovertemplate="%{x:.4f}<extra>%{fullData.name}</extra>",
        )
        for m, measure in enumerate(measures)
    ]
    height = max(300, 110 + (26 if len(names) <= 8 else 15) * len(names))
    y = {"tickvals": rows, "ticktext": [plotly_escape(name) for name in names], "range": [len(names) - 0.4, -0.6]}
    x = {"title": {"text": "score"}, "range": [-0.04, 1.06]}
    return chart(traces, height, x, y, [line_at(x=1, dash="dash")])


def highest_boxes(measures: Sequence[str], best: Floats) -> go.Figure:
    """One box per measure: the highest score of any order of the documents, over topics.  best: topics × measures."""
    boxes = quantile_boxes(np.quantile(best, [0, 0.25, 0.5, 0.75, 1], axis=0), showlegend=False)
    dots = scatter(
        x=np.round(best.T.ravel(), 4),
        y=np.repeat(np.arange(len(measures)), len(best)) + 0.0,
        mode="markers",
        marker={"size": 5, "color": VERMILION, "opacity": 0.5},
        showlegend=False,
        hovertemplate="%{x:.4f}<extra></extra>",
    )
    drawn = figure([boxes, dots], 110 + 60 * len(measures), hovermode="closest")
    drawn.add_vline(x=1, line={"color": GREY, "dash": "dash", "width": 1.5})
    drawn.update_xaxes(
        title_text="highest score of any order on a topic", range=[min(0.0, float(best.min())) - 0.02, 1.04]
    )
    names = [plotly_escape(short(name, 18)) for name in measures]
    drawn.update_yaxes(tickvals=list(range(len(measures))), ticktext=names, range=[len(measures) - 0.4, -0.6])
    return drawn


def rank_lines(systems: Sequence[str], measures: Sequence[str], ranks: Ranks, marked: Sequence[int]) -> go.Figure:
    """One column per measure, one line per system; the `marked` are highlighted.  ranks: measures × systems."""
    others = [s for s in range(len(systems)) if s not in set(marked)]
    columns = np.arange(len(measures), dtype=np.float64)
    traces = other_systems(((columns, ranks[:, s]) for s in others), {"width": 0.7})
    for n, s in enumerate(marked):
        traces.append(
            scatter(
                x=columns,
                y=ranks[:, s],
                mode="lines+markers",
                name=plotly_escape(short(systems[s], 24)),
                line={"color": _COLOURS[n % 3], "dash": DASHES[n % len(DASHES)], "width": 2.4},
                marker={"symbol": MARKERS[n % len(MARKERS)], "size": 8},
                hovertemplate="rank %{y:g}<extra>%{fullData.name}</extra>",
            )
        )
    drawn = figure(traces, 420, hovermode="closest")
    drawn.update_xaxes(
        tickvals=columns,
        ticktext=[plotly_escape(short(name, 18)) for name in measures],
        range=[-0.2, len(measures) - 0.8],
    )
    drawn.update_yaxes(title_text="rank (1 is best)", range=[len(systems) + 0.6, 0.4])
    return drawn


def _joined(pieces: Sequence[Floats], colour: str, dash: str, name: str) -> Trace:
    """Many pieces of line as one trace."""
    gap = np.full((1, 2), np.nan)
    both = np.concatenate([part for piece in pieces for part in (piece, gap)]) if pieces else gap
    return scatter(
        x=np.round(both[:, 0], 3),
        y=np.round(both[:, 1], 3),
        mode="lines",
        name=name,
        hoverinfo="skip",
        line={"color": colour, "width": 1.3, "dash": dash},
        opacity=0.8,
    )


def _goals(points: Floats, given: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Where a document can be dragged to, and what that means."""
    places = np.round(points, 4).tolist()
    return [{"x": x, "y": y, "given": list(texts)} for (x, y), texts in zip(places, given, strict=True)]


def _document(point: Floats, name: str, before: int, goals: list[dict[str, Any]]) -> Trace:
    """A ring around the tuple of a document, with its name above; the name of a second document there is further up."""
    return scatter(
        x=[point[0]],
        y=[point[1]],
        mode="markers+text",
        text=[f"<b>{plotly_escape(name)}</b>" + "<br>" * before],
        textposition="top center",
        hoverinfo="skip",
        showlegend=False,
        textfont={"size": 14, "color": VERMILION},
        meta={"drag": [goals]},
        marker={"symbol": "circle-open", "size": 34, "color": VERMILION, "line": {"width": 2.5}},
    )
