"""Two aspects as a plane, or as one per distance; orders of a few documents under several measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.errors import number_of
from irviz.figures.axes import axis, chart, line_at
from irviz.figures.motion import following, moving
from irviz.figures.squares import ink_on
from irviz.figures.theme import GREEN, GREY, MARKERS, PALETTE, SEQUENTIAL, VERMILION, Trace, scatter
from irviz.figures.unchecked import layout_of, traces_of
from irviz.labs.aspects import model
from irviz.labs.aspects.model import Floats
from irviz.labs.charts import SKY, blend, extend, silent
from irviz.labs.documents import DRAG_A_DOCUMENT
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

MEASURES = ("CAM", "MM", "TOMA")  #: in every figure each has its colour and marker
Pairs = Sequence[tuple[int, int]]
BARE = {"showgrid": False, "zeroline": False}
RING = {"symbol": "circle-open", "line": {"width": 2.5}}  #: around a document


def documents_only(labels: Pairs, **look: Any) -> go.Figure:
    """The documents by their labels, before they are ordered; equal ones are side by side."""
    before = [labels[:n].count(pair) for n, pair in enumerate(labels)]
    trace = silent(
        [pair[0] + 0.28 * n for pair, n in zip(labels, before, strict=True)],
        [pair[1] for pair in labels],
        "markers+text",
        text=[f"<b>d{n}</b>" for n in range(1, len(labels) + 1)],
        textposition="top center",
        textfont={"size": 14},
        marker={"size": 16, "color": GREY},
        **look,
    )
    across, up = model.LABEL_NAMES
    x = {"tickvals": list(range(len(across))), "ticktext": [f"{word}<br>relevant" for word in across]}
    y = {"tickvals": list(range(len(up))), "ticktext": list(up)}
    x |= {"range": [-0.5, len(across) - 0.5], "zeroline": False}
    y |= {"range": [-0.5, len(up) - 0.3], "zeroline": False}
    return chart([trace], 280, x, y)


def orders(names: Sequence[str], scores: Mapping[str, Floats]) -> go.Figure:
    """One row per order of the documents, one marker per measure or aspect; a line at 1.  scores: name → by order."""
    rows, looks = np.arange(len(names)), dict(zip(MEASURES, zip(MARKERS, PALETTE, strict=False), strict=False))
    looks |= dict(zip(model.ASPECTS, (("triangle-right-open", GREY), ("triangle-left-open", GREY)), strict=True))
    traces = [
        scatter(
            x=np.round(row, 5),
            y=rows,
            mode="markers",
            name=measure,
            marker={"symbol": looks[measure][0], "size": 11, "color": looks[measure][1]},
            showlegend=True,
            hovertemplate="%{x:.4f}<extra>%{fullData.name}</extra>",
        )
        for measure, row in scores.items()
    ]
    height = max(300, 110 + (26 if len(names) <= 8 else 15) * len(names))
    y = {"tickvals": rows, "ticktext": list(names), "range": [len(names) - 0.4, -0.6]}
    return chart(traces, height, axis("score", [-0.03, 1.03], dtick=0.2), y, [line_at(x=1, dash="dash")])


def _equally_far(values: Values, table: pd.DataFrame, kind: str, name: str) -> Trace:
    """Lines through the labels at the same distance from the best, as one trace."""
    gap = np.full((1, 2), np.nan)
    lines = [part for line in model.iso_lines(values, table, kind) for part in (np.stack(line, axis=1), gap)]
    x, y = np.round(np.concatenate(lines or [gap]), 2).T
    look = {"line": {"color": VERMILION, "width": 1.3, "dash": "dot"}, "opacity": 0.8, "hoverinfo": "skip"}
    return scatter(x=x, y=y, mode="lines", name=name, **look)


def _tuples(table: pd.DataFrame, show_classes: bool, size: int, **look: Any) -> Trace:
    """All pairs of labels where they are embedded: alike or, with `show_classes`, numbered and coloured by class."""
    points, classes = points_of(table), table["class"].to_numpy()
    top = int(max(1, classes.max()))
    colours = {"color": classes if show_classes else SKY, "colorscale": SEQUENTIAL, "cmin": 0, "cmax": top}
    return scatter(
        x=np.round(points[:, 0], 4),
        y=np.round(points[:, 1], 4),
        mode="markers+text" if show_classes else "markers",
        text=[str(c) if show_classes else "" for c in classes],
        textfont={"size": 12, "color": [ink_on(c / top, SEQUENTIAL) for c in classes.tolist()]},
        hovertext=[model.pair_words((int(a), int(b))) for a, b in table.index],
        hovertemplate=f"%{{hovertext}}{'<br>class %{text}' if show_classes else ''}<extra></extra>",
        marker={"size": size, **colours, "line": {"color": GREY, "width": 1}},
        showlegend=False,
        **look,
    )


def points_of(table: pd.DataFrame) -> Floats:
    """Coordinates of the pairs of labels: pairs × 2."""
    return np.stack([table[f"embedded {aspect}"].to_numpy() for aspect in model.ASPECTS], axis=1)


# -- figures by name ------------------------------------------------------------------------------------


def the_documents(values: Values) -> Drawing:
    """The documents by their labels."""
    labels = model.documents(values)
    return Drawing(documents_only(labels), "The documents", f"By their labels: {model.labels_text(labels)}.")


def regions(values: Values) -> Drawing:
    """The areas better and worse than the first document for everybody, and the line of documents as good as it."""
    labels, w = model.documents(values), values["p"]
    (x, y), other = labels[:2]
    right, top = len(model.LABEL_NAMES[0]) - 0.5, len(model.LABEL_NAMES[1]) - 0.3
    look = {"type": "rect", "opacity": 0.2, "line": {"width": 0}, "layer": "below"}
    shapes: list[dict[str, Any]] = [
        {**look, "x0": x, "x1": right, "y0": y, "y1": top, "fillcolor": GREEN},
        {**look, "x0": -0.5, "x1": x, "y0": -0.5, "y1": y, "fillcolor": GREY},
    ]
    words = {"better": ((x + right) / 2, top - 0.13), "worse": ((x - 0.5) / 2, -0.3)}  # above or below all documents
    notes = [
        {"x": min(2.6, max(0.4, at)), "y": height, "text": f"{word} for everybody", "showarrow": False}  # none is cut
        for word, (at, height) in words.items()
    ]
    ends = {"x": [x - 5 * (1 - w), x + 5 * (1 - w)], "y": [y + 5 * w, y - 5 * w]}
    line = silent(**ends, mode="lines", line={"color": VERMILION, "dash": "dash", "width": 2})
    if (x, y) == other:  # and in no region
        beside = {"x": x + (0.6 if x < 3 else -0.5), "y": y + 0.15}
        shapes, notes = [], [{**beside, "text": "equally good", "showarrow": False}]
    fig = extend(_draggable_documents(values, labels), [line], shapes=shapes, annotations=notes)
    title = f"As good as d1 with a weight of {w:.0%} for relevance: the dashed line"
    alt = f"{model.labels_text(labels)}. {model.of_pair(values)['verdict']}."
    return Drawing(fig, title, alt, model.ASPECTS, DRAG_A_DOCUMENT)


def _draggable_documents(values: Values, labels: Pairs) -> go.Figure:
    """The documents by their labels; they can be dragged to others."""
    free = [(a, b) for a in range(4) for b in range(3) if a or not b or not values["dependent"]]
    goals = [
        [{"x": a, "y": b, "given": list(model.moved_document(values, n, (a, b)))} for a, b in free]
        for n in range(len(labels))
    ]
    return documents_only(labels, meta={"drag": goals})


def planes(values: Values) -> Drawing:
    """The plane of the straight line; the lines of equal distance grow from the best document."""
    labels = model.documents(values)
    names = [f"d{i}" for i in range(1, len(labels) + 1)]
    return _planes(values, labels, names, "The dotted lines grow from the best document", ["euclidean"])


def fake_planes(values: Values) -> Drawing:
    """Three planes side by side, one per distance, with fake news marked."""
    return _planes(values, [model.FAKE], ["fake"], "Classes by three distances; class 0 is last", list(model.DISTANCES))


def _planes(values: Values, labels: Pairs, names: Sequence[str], title: str, kinds: Sequence[str]) -> Drawing:
    """A plane of all pairs of labels for each distance; of several, numbered by classes; the best is upper right."""
    numbered = len(kinds) > 1
    places = model.embedding(values)
    best = np.array([line[-1] for line in places])
    reach = np.where(best > 0, best, 1.0)
    ends = np.stack([[-0.18, -0.16], [1.18, 1.3]]) * reach
    traces, clauses = _plane_traces(values, labels, names, kinds, ends)
    axes: dict[str, Any] = {}
    for n in range(len(kinds)):
        lower = ["", "<br>", "", "<br><br>"] if numbered else [""] * 4  # beside each other words need more room
        words = [f"{x:g}<br>{more}{word}" for x, more, word in zip(places[0], lower, model.LABEL_NAMES[0], strict=True)]
        across = {"tickvals": list(places[0]), "ticktext": words, "tickangle": 0, "tickfont": {"size": 11}, **BARE}
        domain = {"domain": [n * 0.345, n * 0.345 + 0.31] if numbered else [0, 1], "anchor": "y"}
        axes[f"xaxis{n + 1 if n else ''}"] = axis("relevance", ends[:, 0].tolist(), **domain, **across)
    room = {"tickvals": [0], "ticktext": ["\xa0" * 16]}  # for the labels, which are dragged
    up = axis("", ends[:, 1].tolist(), domain=[0, 0.76 if numbered else 0.9], **room, **BARE)
    goals: list[list[dict[str, Any]]] = traces[-1]["meta"]["drag"]
    outcomes: list[list[Trace]] = []
    moved = [("x", "y"), ("y", "text", "marker") if numbered else ("y",), ("y",), ("text",)] * len(kinds)
    for goal in (spot for handle in goals for spot in handle):
        place = dict(zip(("scale", "c1", "c2"), goal["given"], strict=True))
        then, _ = _plane_traces({**values, **place}, labels, names, kinds, ends)
        both = zip(then, [*moved, ("y", "text")], strict=True)
        outcomes.append([{key: trace[key] for key in keys} for trace, keys in both])
    fig, of = chart(traces, 340, axes.pop("xaxis"), up, **axes), range(len(outcomes))
    fig = following(fig, dict(enumerate(outcomes)), of, list(range(len(traces))))
    hint = "drag a triangle to move a label of correctness"
    animated = _growing(fig, best, list(range(0, 4 * len(kinds), 4)))
    return Drawing(animated, title, f"{'; '.join(clauses)}.", ("scale", "c1", "c2"), hint)


def _growing(fig: go.Figure, best: Floats, traces: Sequence[int]) -> go.Figure:
    """The figure, in which frames let the lines of equal distance, its `traces`, grow from the best document."""
    lines = [(np.array(traces_of(fig)[n]["x"]), np.array(traces_of(fig)[n]["y"])) for n in traces]
    parts = np.linspace(0.02, 1, 13)
    frames = [[{"x": blend(best[0], x, t), "y": blend(best[1], y, t)} for x, y in lines] for t in parts]
    captions = [f"lines of equal distance from the best, {t:.0%} of their way" for t in parts[:-1]]
    return moving(fig, frames, traces, [*captions, "lines of equal distance from the best"])


def _plane_traces(
    values: Values, labels: Pairs, names: Sequence[str], kinds: Sequence[str], ends: Floats
) -> tuple[list[Trace], list[str]]:
    """Lines, labels, rings and heading of every plane, then the handles; and the orders or classes in words."""
    traces: list[Trace] = []
    clauses, numbered = [], len(kinds) > 1
    for n, kind in enumerate(kinds):
        words = model.DISTANCES[kind]
        plane_axis = {"xaxis": f"x{n + 1 if n else ''}"}
        table = model.classes_table(values, kind).sort_index()  # a dragged label does not change their order
        at = [list(table.index).index(pair) for pair in labels]
        points = points_of(table)
        x, y = np.stack([*points[at], points.max(axis=0)], axis=1)
        ring = {**RING, "size": 27, "color": [*[VERMILION] * len(at), "rgba(0,0,0,0)"]}
        below = ["bottom" if any(b > y and a == x for a, b in labels) else "top" for x, y in labels]
        named: dict[str, Any] = {"text": [*(f"<b>{name}</b>" for name in names), "<b>★ best</b>"]}
        named["textposition"] = [f"{side} center" for side in (*below, "top")]
        look = {"marker": ring, **named, "textfont": {"size": 13}, "cliponaxis": False}
        rings = silent(x, y, "markers+text", **look, **plane_axis)
        lines = {**_equally_far(values, table, kind, words), "showlegend": False, **plane_axis}
        classes = table["class"].to_numpy()[at]
        order = ", ".join(f"class {n}" for n in classes)
        heading_text = f"<b>{words}</b><br>{model.RULES[kind]}<br><b>{order}</b>"
        if not numbered:
            order = model.order_text(model.by_distance(values, kind))
            heading_text = f"nearest first: <b>{order}</b>"
        clauses.append(f"{words}: {order}")
        over = {"text": [heading_text], "textposition": "top center", "cliponaxis": False}
        heading = silent([ends[:, 0].mean()], [ends[1, 1]], "text", **over, **plane_axis)
        traces += [lines, _tuples(table, numbered, 19, **plane_axis), rings, heading]
    return [*traces, _handles(model.embedding(values)[1], ends)], clauses


def _handles(places: Sequence[float], ends: Floats) -> Trace:
    """The labels of correctness beside the axis; all but the lowest have a triangle, to be dragged along it."""
    (lowest, middle, top), x, high = places, float(ends[0, 0]), ends[1, 1]
    texts, at = ["", "", ""], 2  # labels that are near each other are listed at the upper one
    for n, word in reversed([*enumerate(model.LABEL_NAMES[1])]):
        at = n if places[at] - places[n] > 0.09 * float(np.ptp(ends[:, 1])) else at
        texts[at] += f"{'<br>' if texts[at] else ''}{word.removesuffix(' correct')} {places[n]:g} "
    stops = np.arange(0, model.STEEPEST + 0.25, 0.25).tolist()
    goals = [
        [{"x": x, "y": at, "given": ["own", at, top - at]} for at in stops if 0 <= top - at <= model.STEEPEST],
        [{"x": x, "y": middle + by, "given": ["own", middle, by]} for by in stops if middle + by <= high],
    ]
    return silent(
        [x] * 3,
        [middle, top, lowest],
        "markers+text",
        text=[texts[1], texts[2], texts[0]],
        textposition="middle left",
        cliponaxis=False,
        marker={"symbol": "triangle-right", "size": [13, 13, 0], "color": VERMILION},
        meta={"drag": goals},
    )


def the_plane(values: Values, far: bool = False) -> Drawing:
    """The plane of the chosen distance: classes, or how `far` the documents are from the best; they can be dragged."""
    labels, table = model.documents(values), model.classes_table(values)
    tuples = [(int(a), int(b)) for a, b in table.index]
    points = points_of(table)
    best = points.max(axis=0)
    reach = np.where(best > 0, best, 1.0)
    away = [number(float(table["distance"][pair]), 2) for pair in labels]
    names = [f"d{n}: {distance}" if far else f"d{n}" for n, distance in enumerate(away, start=1)]
    traces = [
        _equally_far(values, table, values["distance"], "equal distance from the best"),
        _tuples(table, not far, 24),
    ]
    for n, ((x, y), pair) in enumerate(zip(points_of(table.loc[list(labels)]), labels, strict=True)):
        goals = [
            {"x": round(float(a), 4), "y": round(float(b), 4), "given": list(model.moved_document(values, n, to))}
            for (a, b), to in zip(points, tuples, strict=True)
        ]
        above = "<br>" * labels[:n].count(pair)  # the name of a second document there is further up
        look = {**RING, "size": 34, "color": VERMILION}
        name = {"text": [f"<b>{names[n]}</b>{above}"], "textfont": {"size": 14}}
        ring = silent([x], [y], "markers+text", marker=look, textposition="top center", meta={"drag": [goals]}, **name)
        traces.append(ring)
    ends = ([-0.14 * reach[0], 1.16 * reach[0]], [-0.14 * reach[1], 1.28 * reach[1]])
    across, up = (
        axis(aspect, end, tickvals=list(at), ticktext=[word.removesuffix(" correct") for word in words], **BARE)
        for aspect, end, at, words in zip(model.ASPECTS, ends, model.embedding(values), model.LABEL_NAMES, strict=True)
    )
    fig = chart(traces, 400, across, up)
    if far:
        where = "; ".join(f"d{n} is {distance} from the best document" for n, distance in enumerate(away, start=1))
        return Drawing(fig, "How far the documents are from the best", f"{where}.", model.ASPECTS, DRAG_A_DOCUMENT)
    numbers = table["class"]
    where = "; ".join(
        f"d{n} is {model.pair_words(label)}: class {numbers[label]}" for n, label in enumerate(labels, start=1)
    )
    classes = number_of(int(numbers.max()) + 1, "class", "classes")
    alt = f"{len(tuples)} points in {classes}; the number is the class, 0 the worst. {where}."
    return Drawing(fig, "All pairs of labels, and their class", alt, model.ASPECTS, DRAG_A_DOCUMENT)


def nearest(values: Values) -> Drawing:
    """The documents with their distances; the lines of equal distance grow from the best document."""
    drawing = the_plane(values, far=True)
    best = np.array([line[-1] for line in model.embedding(values)])
    return replace(drawing, figure=_growing(drawing.figure, best, [0]))


def all_orders(values: Values) -> Drawing:
    """The scores of every order of the documents."""
    labels = model.documents(values)
    names, scores = model.order_names(len(labels)), model.order_scores(values, labels)
    parts = [f"{name} {_span(float(row.min()), float(row.max()))}" for name, row in scores.items()]
    rows = "One row" if len(names) == 1 else f"One row for each of {len(names)} orders"
    return Drawing(orders(names, scores), "Every order of the documents", f"{rows}: {'; '.join(parts)}.")


def orders_below(measure: str, values: Values) -> Drawing:
    """Every order's score by one measure, moved by frames from that on relevance, below documents to be dragged."""
    labels = model.documents(values)
    names, both = model.order_names(len(labels)), model.scores_on_aspects(values, labels)
    score = model.order_scores(values, labels)[measure]
    top, below = _draggable_documents(values, labels), orders(names, {**both, measure: score})
    traces = [{**trace, "xaxis": "x2", "yaxis": "y2"} for trace in traces_of(below)]
    axes = {
        "xaxis": {**layout_of(top)["xaxis"], "side": "top"},
        "yaxis": {**layout_of(top)["yaxis"], "domain": [0.57, 1], "range": [-0.5, 3.5]},
        "xaxis2": {**layout_of(below)["xaxis"], "anchor": "y2"},
        "yaxis2": {**layout_of(below)["yaxis"], "anchor": "x2", "domain": [0, 0.49]},
    }
    lines = [{**line, "xref": "x2", "yref": "y2 domain"} for line in layout_of(below)["shapes"]]
    fig = chart([*traces_of(top), *traces], 390, axes.pop("xaxis"), axes.pop("yaxis"), lines, **axes)
    parts = np.linspace(0, 1, 40)
    how = model.mean_words(values, measure)
    captions = ["the score on relevance", *[f"to the {how} of both"] * 38, f"{measure}: the {how} of both"]
    animated = moving(
        fig, [[{"x": blend(both["relevance"], score, t)}] for t in parts], [len(traces_of(fig)) - 1], captions
    )
    alt = f"One row for each of {len(names)} orders: {measure} {_span(float(score.min()), float(score.max()))}."
    return Drawing(animated, "The documents, and the scores of all their orders", alt, model.ASPECTS, DRAG_A_DOCUMENT)


def _span(low: float, high: float) -> str:
    """From the lowest to the highest score."""
    ends = (number(low, 4), number(high, 4))
    return f"always {ends[0]}" if ends[0] == ends[1] else f"from {ends[0]} to {ends[1]}"


FIGURES: dict[str, Callable[[Values], Drawing]] = {
    "documents": the_documents,
    "regions": regions,
    "planes": planes,
    "fake": fake_planes,
    "nearest": nearest,
    "orders": partial(orders_below, "CAM"),
    "harmonic": partial(orders_below, "MM"),
}
