"""Two aspects as a plane or as three, one per distance; orders of a few documents under several measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import counted
from irviz.figures.axes import chart, line_at
from irviz.figures.motion import moving
from irviz.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    MARKERS,
    SEQUENTIAL,
    VERMILION,
    Trace,
    plotly_escape,
    scatter,
)
from irviz.labs.aspects.model import (
    ASPECTS,
    DISTANCES,
    FAKE,
    LABEL_NAMES,
    PAPERS,
    by_distance,
    classes_table,
    documents,
    drawn_documents,
    edges,
    embedding,
    iso_lines,
    labels_text,
    moved_document,
    order_names,
    order_scores,
    pair_words,
)
from irviz.labs.charts import extended
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]
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


# -- figures by name ------------------------------------------------------------------------------------


def the_documents(values: Values) -> Drawing:
    """The documents by their labels."""
    labels = documents(values)
    return Drawing(documents_only(labels, LABEL_NAMES), "The documents", f"By their labels: {labels_text(labels)}.")


def regions(values: Values) -> Drawing:
    """The documents, and the region of labels that everybody finds better than the first one, or worse."""
    labels = documents(values)
    drawn = documents_only(labels, LABEL_NAMES)
    x, y = labels[0]
    boxes = (
        (x - 0.12, len(LABEL_NAMES[0]) - 0.5, y - 0.12, len(LABEL_NAMES[1]) - 0.3, GREEN, "better for everybody"),
        (-0.5, x + 0.12, -0.5, y + 0.12, GREY, "worse for everybody"),
    )
    shapes = [
        {
            "type": "rect",
            "x0": x0,
            "x1": x1,
            "y0": y0,
            "y1": y1,
            "fillcolor": colour,
            "opacity": 0.2,
            "line": {"width": 0},
            "layer": "below",
        }
        for x0, x1, y0, y1, colour, _ in boxes
    ]
    notes = [
        {"x": (x0 + x1) / 2, "y": y0 + 0.22, "text": words, "showarrow": False, "font": {"size": 12}}
        for x0, x1, y0, _, _, words in boxes
    ]
    whole = extended(drawn, shapes=shapes, annotations=notes)
    inside = all(a <= b for a, b in zip(labels[0], labels[1], strict=True))
    inside |= all(a >= b for a, b in zip(labels[0], labels[1], strict=True))
    words = "d2 is in one of them" if inside else "d2 is in neither of them"
    return Drawing(whole, "What everybody finds better or worse than d1", f"{labels_text(labels)}; {words}.")


def planes(values: Values) -> Drawing:
    """Three planes side by side, one per distance; the lines of equal distance grow from the best document."""
    labels = documents(values)
    return _planes(values, labels, [f"d{i}" for i in range(1, len(labels) + 1)], "The order by three distances")


def fake_planes(values: Values) -> Drawing:
    """The same with fake news marked."""
    labels = [FAKE, *(pair for pair in documents(values) if pair != FAKE)]
    names = ["fake", *("" for _ in labels[1:])]
    return _planes(values, labels[:1], names[:1], "Fake news by three distances: class 0 is the worst", True)


def _planes(
    values: Values, labels: Sequence[tuple[int, int]], names: Sequence[str], title: str, numbered: bool = False
) -> Drawing:
    """Planes with all pairs of labels, `numbered` by their classes; the best is on the upper right."""
    places = embedding(values)
    traces: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    best = np.array([axis[-1] for axis in places])
    reach = np.where(best > 0, best, 1.0)
    moved: list[int] = []
    final: list[dict[str, Any]] = []
    said = []
    for n, (kind, words) in enumerate(DISTANCES.items()):
        axis = "" if n == 0 else str(n + 1)
        table = classes_table(values, kind)
        points = table[["embedded relevance", "embedded correctness"]].to_numpy()
        classes = table["class"].to_numpy()
        where = {(int(a), int(b)): i for i, (a, b) in enumerate(table.index)}
        own = {"xaxis": f"x{axis}"}
        lines = _joined([np.stack(line, axis=1) for line in iso_lines(values, table, kind)], VERMILION, "dot", words)
        moved.append(len(traces))
        final.append({"x": np.array(lines["x"]), "y": np.array(lines["y"])})
        ink = ["#FFFFFF" if c < 0.55 * max(1, classes.max()) else "#1B1F24" for c in classes]
        traces.append({**lines, **own, "showlegend": False})
        traces.append(
            scatter(
                x=np.round(points[:, 0], 4),
                y=np.round(points[:, 1], 4),
                mode="markers+text",
                text=[str(c) if numbered else "" for c in classes],
                textfont={"size": 11, "color": ink},
                hovertext=[pair_words((int(a), int(b))) for a, b in table.index],
                hovertemplate="%{hovertext}<extra></extra>",
                marker={
                    "size": 19,
                    "color": classes,
                    "colorscale": SEQUENTIAL,
                    "cmin": 0,
                    "cmax": int(max(1, classes.max())),
                    "line": {"color": "white", "width": 1},
                },
                showlegend=False,
                **own,
            )
        )
        traces.append(
            scatter(
                x=[points[where[pair]][0] for pair in labels],
                y=[points[where[pair]][1] for pair in labels],
                mode="markers+text",
                text=[f"<b>{name}</b>" for name in names],
                textposition="top center",
                textfont={"size": 13, "color": VERMILION},
                marker={"symbol": "circle-open", "size": 27, "color": VERMILION, "line": {"width": 2.5}},
                hoverinfo="skip",
                showlegend=False,
                **own,
            )
        )
        order = ", ".join(" = ".join(group) for group in by_distance(values, kind))
        numbers = ", ".join(f"{name} class {classes[where[pair]]}" for name, pair in zip(names, labels, strict=True))
        said.append(f"{words}: {numbers if numbered else order}")
        axes[f"xaxis{axis}"] = {
            "domain": [n * 0.345, n * 0.345 + 0.31],
            "range": [-0.18 * reach[0], 1.18 * reach[0]],
            "title": {"text": words, "font": {"size": 13}},
            "tickvals": list(places[0]),
            "ticktext": [f"{x:g}" for x in places[0]],
            "showgrid": False,
            "zeroline": False,
            "anchor": "y",
        }
    y = {
        "title": {"text": "correctness"},
        "range": [-0.16 * reach[1], 1.3 * reach[1]],
        "tickvals": list(places[1]),
        "ticktext": [f"{x:g}" for x in places[1]],
        "showgrid": False,
        "zeroline": False,
    }
    first = axes.pop("xaxis")
    drawn = chart(traces, 330, first, y, **axes)
    frames = [  # the lines grow from the best document
        [
            {"x": np.round(best[0] + t * (one["x"] - best[0]), 3), "y": np.round(best[1] + t * (one["y"] - best[1]), 3)}
            for one in final
        ]
        for t in np.linspace(0.02, 1, 45)
    ]
    return Drawing(moving(drawn, frames, moved), title, f"{'; '.join(said)}.")


def the_plane(values: Values) -> Drawing:
    """The plane of the chosen distance with documents that can be dragged."""
    return _one_plane(values, documents(values))


def _one_plane(values: Values, labels: Sequence[tuple[int, int]]) -> Drawing:
    table = classes_table(values)
    tuples = [(int(a), int(b)) for a, b in table.index]
    points = table[["embedded relevance", "embedded correctness"]].to_numpy()
    numbers = table["class"].to_numpy()
    place = {pair: i for i, pair in enumerate(tuples)}
    chosen = min(int(values["doc"]) - 1, len(labels))
    clicks = [moved_document(values, chosen, pair) for pair in tuples]
    drawn = plane(
        points,
        numbers,
        [pair_words(pair) for pair in tuples],
        edges(tuples),
        iso_lines(values, table),
        [(place[pair], f"d{i + 1}") for i, pair in enumerate(labels)],
        clicks,
        ASPECTS,
        embedding(values),
        LABEL_NAMES,
        [[moved_document(values, n, pair) for pair in tuples] for n in range(len(labels))],
    )
    where = "; ".join(f"d{i + 1} is {pair_words(pair)}: class {numbers[place[pair]]}" for i, pair in enumerate(labels))
    classes = counted(int(numbers.max()) + 1, "class", "classes")
    alt = f"{len(tuples)} points in {classes}; the number is the class, 0 the worst. {where}."
    does = "add" if chosen == len(labels) else "move"
    hint = f"drag a document, or click a point to {does} d{chosen + 1} there"
    return Drawing(drawn, "All pairs of labels, and their class", alt, ASPECTS, hint)


def all_orders(values: Values) -> Drawing:
    """The scores of every order of the documents."""
    labels = documents(values)
    names, found = order_names(len(labels)), order_scores(values, labels)
    drawn = orders(names, list(found), np.stack(list(found.values())))
    parts = [f"{name} {_span(float(row.min()), float(row.max()))}" for name, row in found.items()]
    rows = "One row" if len(names) == 1 else f"One row for each of {len(names)} orders"
    return Drawing(drawn, "Every order of the documents", f"{rows}: {'; '.join(parts)}.")


def _span(low: float, high: float) -> str:
    """From the lowest to the highest score."""
    ends = (number(low, 4), number(high, 4))
    return f"always {ends[0]}" if ends[0] == ends[1] else f"from {ends[0]} to {ends[1]}"


def quiz_documents(values: Values) -> Drawing:
    """The documents of a question of the quiz."""
    _, labels = drawn_documents(int(values["seed"]))
    return Drawing(documents_only(labels, LABEL_NAMES), "The documents", f"By their labels: {labels_text(labels)}.")


def quiz_plane(values: Values) -> Drawing:
    """The plane of the distance of a question."""
    kind, labels = drawn_documents(int(values["seed"]))
    found = _one_plane(
        {
            **PAPERS,
            "distance": kind,
            "doc": "1",
            "relevance": tuple(pair[0] for pair in labels),
            "correctness": tuple(pair[1] for pair in labels),
        },
        list(labels),
    )
    return Drawing(found.figure.update_layout(height=380), found.title, found.alt)


FIGURES = {
    "documents": the_documents,
    "regions": regions,
    "planes": planes,
    "fake": fake_planes,
    "plane": the_plane,
    "orders": all_orders,
    "quiz": quiz_documents,
    "quiz-plane": quiz_plane,
}
