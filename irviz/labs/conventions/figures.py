"""The lab's figures: a run as boxes that a convention moves, what every rank adds, ties that shuffle, two numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, padded_range, rows
from irviz.figures.motion import moving
from irviz.figures.theme import AREA, BLUE, GREEN, GREY, PURPLE, VERMILION, Trace, bar, plotly_escape, scatter, short
from irviz.labs.conventions.listing import UNKNOWN, TieGroups, in_printed_order, missing, names, ordered
from irviz.labs.conventions.model import Conventions
from irviz.labs.conventions.run import (
    ap_of,
    both,
    bounds_of,
    drawn_run,
    hits,
    mean_score,
    measure_name,
    of_ties,
    of_topic,
    one_at_a_time,
    rule_scores,
    tool,
)
from irviz.labs.documents import hatched, shades
from irviz.labs.lab import HIGHEST
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Values = Mapping[str, Any]
Floats = NDArray[np.float64]


def judged_list(groups: TieGroups, names: Sequence[str], top: int, after_click: Sequence[str]) -> go.Figure:
    """One square per document in the order of the file; −1 is unjudged; tied documents share a bar.

    Parameters
    ----------
    groups : grades, one inner list for every score
    names : of the documents, in the same order
    after_click : by document, what a click on it means
    """
    grades = [grade for group in groups for grade in group]
    fill, ink = shades([max(0, grade) for grade in grades], top)
    fill = ["#FFFFFF" if grade < 0 else colour for grade, colour in zip(grades, fill, strict=True)]
    squares = scatter(
        x=np.arange(1, len(grades) + 1),
        y=np.zeros(len(grades)),
        mode="markers+text",
        showlegend=False,
        text=["?" if grade < 0 else str(grade) for grade in grades],
        textfont={"size": 13, "color": ink},
        marker={
            "symbol": "square",
            "size": 28 if len(grades) <= 10 else 21,
            "color": fill,
            "line": {"color": [GREY if grade < 0 else "#00588A" for grade in grades], "width": 1.4},
        },
        customdata=[[text, name] for text, name in zip(after_click, names, strict=True)],
        hovertemplate="document %{customdata[1]}: %{text}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    ties, words = brackets(groups)
    x = {
        "tickvals": list(range(1, len(grades) + 1)),
        "ticktext": list(names),
        "range": [0.4, len(grades) + 0.6],
        "showgrid": False,
        "title": {"text": "documents, in the order of the file"},
    }
    y = {"visible": False, "range": [-0.85, 1.35]}
    return chart([squares], 140, x, y, ties, clickmode="event+select", annotations=words)


def step_bars(names: Sequence[str], scores: Floats, axis: str) -> go.Figure:
    """From the first score to the last, with one bar per step between; the first and last names are the two ends."""
    rows = np.arange(len(names))
    traces = [
        bar(
            x=np.round(scores[[0, -1]], 5),
            y=rows[[0, -1]],
            orientation="h",
            width=0.6,
            showlegend=False,
            marker={"color": BLUE},
            text=[f"{score:.4f}" for score in scores[[0, -1]]],
            textposition="outside",
            hovertemplate="%{x:.4f}<extra></extra>",
            cliponaxis=False,
        )
    ]
    change = np.diff(scores[:-1])  # the last step only says who prints the last number
    for up, colour, pattern in ((True, GREEN, "/"), (False, VERMILION, "\\")):
        chosen = [i for i, step in enumerate(change) if (step >= 0) == up]
        if not chosen:
            continue
        traces.append(
            bar(
                x=[round(float(change[i]), 5) for i in chosen],
                base=[round(float(scores[i]), 5) for i in chosen],
                y=[rows[i + 1] for i in chosen],
                orientation="h",
                width=0.6,
                showlegend=False,
                cliponaxis=False,
                marker={"color": colour, "pattern": hatched(pattern)},
                text=[f"{change[i]:+.4f}".replace("-", "−") for i in chosen],
                textposition="outside",
                hovertemplate="%{text}<extra></extra>",
            )
        )
    words = [_two_lines(short(name, 46)) for name in names]
    low, high = padded_range(scores)
    y = {"tickvals": rows, "ticktext": words, "range": [len(names) - 0.4, -0.6], "showgrid": False}
    room = 0.25 * (high - low)  # for the numbers beside the bars
    x = {"title": {"text": plotly_escape(axis)}, "range": [low - room, high + 1.6 * room], "nticks": 6}
    return chart(traces, 110 + 44 * len(names), x, y)


def _two_lines(text: str) -> str:
    """A name, broken after its colon.

    >>> _two_lines("Tie rule: order of the lines in the file")
    'Tie rule:<br>order of the lines in the file'
    """
    return "<br>".join(plotly_escape(part) for part in text.replace(": ", ":\n", 1).split("\n"))


def tie_range(
    lowest: float, expected: float, highest: float, rules: Sequence[tuple[str, float]], axis: str
) -> go.Figure:
    """A line from the lowest to the highest score of all orders of tied documents, and the score by each rule."""
    line = scatter(
        x=np.round([lowest, highest], 5),
        y=[0, 0],
        mode="lines+markers",
        showlegend=False,
        hoverinfo="skip",
        line={"color": GREY, "width": 6},
        marker={"symbol": "line-ns-open", "size": 18, "color": GREY, "line": {"width": 3}},
    )
    middle = scatter(
        x=[round(expected, 5)],
        y=[0],
        mode="markers",
        name="expected",
        marker={"symbol": "diamond", "size": 13, "color": PURPLE},
        hovertemplate="expected: %{x:.4f}<extra></extra>",
    )
    traces = [line, middle]
    for n, (name, value) in enumerate(rules):
        traces.append(
            scatter(
                x=[round(value, 5)],
                y=[0.5 + 0.45 * n],
                mode="markers+text",
                text=[plotly_escape(name)],
                showlegend=False,
                textposition="middle right" if value < (lowest + highest) / 2 + 1e-12 else "middle left",
                marker={"symbol": "triangle-down", "size": 11, "color": BLUE},
                hovertemplate="%{text}: %{x:.4f}<extra></extra>",
            )
        )
    width = highest - lowest if highest - lowest > 1e-3 else 0.1
    ends = [lowest - 0.3 * width, highest + 0.3 * width]
    x = {"title": {"text": plotly_escape(axis)}, "range": ends, "tickformat": ".3f"}
    return chart(traces, 230, x, {"visible": False, "range": [-0.5, 0.6 + 0.45 * max(1, len(rules))]})


# -- the run as boxes, which conventions move --------------------------------------------------------


def boxes(documents: Sequence[tuple[str, int]], x: Iterable[float], y: Iterable[float]) -> Trace:
    """One square per document, with its name and grade; −1 is unjudged."""
    fill, ink = shades([max(0, grade) for _, grade in documents], HIGHEST)
    return scatter(
        x=list(x),
        y=list(y),
        mode="markers+text",
        showlegend=False,
        cliponaxis=False,
        text=[f"{name}:{'?' if grade < 0 else grade}" for name, grade in documents],
        textfont={"size": 11, "color": ink},
        hoverinfo="skip",
        marker={
            "symbol": "square",
            "size": 29,
            "color": ["#FFFFFF" if grade < 0 else colour for (_, grade), colour in zip(documents, fill, strict=True)],
            "line": {"color": GREY, "width": 1.3},
        },
    )


def layout(values: Values, conventions: Conventions) -> list[tuple[str, int, float, float]]:
    """Every document with its place: in the run, not retrieved, in a topic that the run lacks, or not counted.

    Returns
    -------
    list of name, grade, x and row
        Rows: 0 the run; 1 relevant and not retrieved; 2 … topics that the run lacks; the last, what does not count.
        Always in the same sequence, so that two layouts can be compared document by document.
    """
    groups, lost = values["list"], values["lost"]
    named, last = names(groups), 2 + values["lost"]
    grades = [grade for group in groups for grade in group]
    level = int(conventions.rel)
    places: dict[str, tuple[float, float]] = {}
    aside = 0

    def put_aside(name: str) -> None:
        nonlocal aside
        aside += 1
        places[name] = (aside, last)

    rank = 0
    for i in ordered(groups, conventions.ties):
        if grades[i] == UNKNOWN and conventions.unjudged == "removed":
            put_aside(named[i])
        else:
            rank += 1
            places[named[i]] = (rank, 0)
    lacking = missing(groups, values["missed"])
    for n, (name, grade) in enumerate(lacking, start=1):
        if conventions.base == "retrieved" or grade < level:
            put_aside(name)
        else:
            places[name] = (n, 1)
    relevant = [*((name, grade) for name, grade in zip(named, grades, strict=True) if grade > 0), *lacking]
    found = [(name, grade, *places[name]) for name, grade in [*zip(named, grades, strict=True), *lacking]]
    for t in range(lost):
        for n, (name, grade) in enumerate(relevant, start=1):
            if conventions.missing == "skip":
                aside += 1
                found.append((name, grade, float(aside), float(last)))
            else:
                found.append((name, grade, float(n), float(2 + t)))
    return found


def run_boxes(values: Values, first: Conventions, second: Conventions | None = None) -> go.Figure:
    """The run by one convention; frames move it from the first to the second."""
    start = layout(values, first)
    end = start if second is None else layout(values, second)
    last = 2 + values["lost"]
    before, after = (np.array([place[2:] for place in places], dtype=np.float64) for places in (start, end))
    documents = [(name, grade) for name, grade, _, _ in start]
    aside = bool((after[:, 1] == last).any() or (before[:, 1] == last).any())
    labels = ["topic 1: the run", "not retrieved", *(f"topic {n + 2}: no lines" for n in range(values["lost"]))]
    labels += ["does not count"] if aside else []
    longest = max(8.0, float(after[:, 0].max()), float(before[:, 0].max()))
    x = {
        "title": {"text": "rank (first row)"},
        "tickvals": list(range(1, int(longest) + 1)),
        "showgrid": False,
        "range": [0.3, longest + 0.7],
        "zeroline": False,
    }
    y = {
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "showgrid": False,
        "range": [len(labels) - 0.4, -0.6],
        "zeroline": False,
    }
    drawn = chart([boxes(documents, after[:, 0], after[:, 1])], 80 + 50 * len(labels), x, y)
    if second is None:
        return drawn
    even = np.linspace(0, 1, 36)
    times = [0.0] * 12 + (even**2 * (3 - 2 * even)).tolist()  # boxes start and end slowly
    paths = [np.round((1 - t) * before + t * after, 3) for t in times]
    frames = [[{"x": path[:, 0], "y": path[:, 1]}] for path in paths]
    name = measure_name(values["kind"], values["k"])
    said = [f"{tool(values, 'first')}: {name} {number(mean_score(values, first), 4)}"] * (len(times) - 1)
    said.append(f"{tool(values, 'second')}: {name} {number(mean_score(values, second), 4)}")
    return moving(drawn, frames, [0], said)


def run_words(values: Values) -> str:
    """The documents of the run, for a reader who does not see them."""
    answer, lacks = in_printed_order(values["list"]), missing(values["list"], values["missed"])
    told = ", ".join(f"{name} {'unjudged' if grade < 0 else grade}" for name, grade in answer)
    lacking = ", ".join(f"{name} {grade}" for name, grade in lacks)
    without = f"; topics without lines of the run: {values['lost']}" if values["lost"] else ""
    return f"Topic 1 in trec_eval's order: {told}; relevant and not retrieved: {lacking or 'none'}{without}."


def run(values: Values) -> Drawing:
    """All topics and all relevant documents, as the first tool sees them."""
    drawn = run_boxes(values, both(values)[0])
    return Drawing(drawn, f"All relevant documents, as {tool(values, 'first')} sees them", run_words(values))


def switched(values: Values) -> Drawing:
    """The run as the second tool sees it; the boxes that a convention moves come from where the first has them."""
    first, second = both(values)
    name = measure_name(values["kind"], values["k"])
    told = [
        f"{tool(values, side)}: mean {name} {number(mean_score(values, conventions), 4)}"
        for side, conventions in (("first", first), ("second", second))
    ]
    return Drawing(run_boxes(values, first, second), told[1], f"{run_words(values)} {'; '.join(told)}.")


# -- AP by hand, ties, the quiz ----------------------------------------------------------------------


def adds(values: Values) -> Drawing:
    """The list above what every rank adds: frames walk down the list while the sum climbs."""
    documents, found = in_printed_order(values["list"]), of_topic(values)
    relevant, depth = found["relevant"], len(documents)
    ranks = hits(documents)
    total = np.zeros(depth + 1)
    for n, rank in enumerate(ranks, start=1):
        total[rank:] += n / rank / max(1, relevant)
    edges = (np.arange(1, depth + 1)[:, None] + [-0.5, 0.5]).ravel()
    climbed = np.repeat(total[1:], 2)
    seen = np.concatenate([np.zeros(6), np.repeat(np.arange(1, depth + 1), 8)])
    frames: list[list[Trace]] = [
        [
            {"x": [int(rank) or 1], "y": [1]},
            {"y": np.round(np.where(np.arange(2 * depth) // 2 < rank, climbed, total[int(rank)]), 5)},
        ]
        for rank in seen
    ]
    frames[-1] = [{"x": [depth], "y": [1]}, {"y": np.round(climbed, 5)}]
    said = ["before rank 1"] * 6
    for rank in np.repeat(np.arange(1, depth + 1), 8).tolist():
        if rank in ranks:
            n = ranks.index(rank) + 1
            said.append(f"rank {rank}: precision {n}/{rank}, sum / {relevant} = {number(float(total[rank]), 4)}")
        else:
            said.append(f"rank {rank}: not relevant, nothing is added")
    marker = scatter(
        x=[depth], y=[1], mode="markers", marker={"symbol": "triangle-down", "size": 14, "color": VERMILION},
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip
    line = scatter(
        x=edges, y=np.round(climbed, 5), mode="lines", fill="tozeroy", fillcolor=AREA, line={"color": BLUE, "width": 2},
        showlegend=False, hoverinfo="skip",
    )  # fmt: skip
    words = scatter(
        x=ranks,
        y=[float(total[rank]) for rank in ranks],
        mode="text",
        text=[f"+ {n}/{rank}" for n, rank in enumerate(ranks, start=1)],
        textposition="top center",
        showlegend=False,
        hoverinfo="skip",
    )
    top = float(total[-1]) or 1.0
    drawn = rows(
        [[boxes(documents, range(1, depth + 1), [0] * depth), marker], [line, words]],
        (0.3, 0.7),
        320,
        {"title": {"text": "rank"}, "dtick": 1, "range": [0.4, max(8, depth) + 0.6], "showgrid": False},
        [
            {"visible": False, "range": [-0.8, 1.6]},
            {"title": {"text": f"sum / {relevant}"}, "range": [0, 1.3 * top]},
        ],
    )
    alt = f"AP climbs at every relevant document, at ranks {', '.join(map(str, ranks))}: ({found['sum']}) / {relevant}."
    return Drawing(moving(drawn, frames, [1, 2], said), f"AP climbs to {number(found['AP'], 4)}", alt)


def brackets(groups: TieGroups) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes and words around documents of the same score."""
    shapes, words, place = [], [], 1
    for group in groups:
        if len(group) > 1:
            ends = {"x0": place - 0.47, "x1": place + len(group) - 0.53, "y0": -0.75, "y1": 0.75}
            look = {"layer": "below", "line": {"width": 0}, "fillcolor": "rgba(213,94,0,0.20)"}
            shapes.append({"type": "rect", **ends, **look})
            middle = place + (len(group) - 1) / 2
            words.append({"x": middle, "y": 0.78, "yanchor": "bottom", "showarrow": False, "text": "same score"})
        place += len(group)
    return shapes, words


def tied(values: Values) -> Drawing:
    """The list with its ties in brackets."""
    documents = in_printed_order(values["list"])
    shapes, words = brackets(values["list"])
    x = {"title": {"text": "rank"}, "dtick": 1, "range": [0.4, max(8, len(documents)) + 0.6], "showgrid": False}
    squares = boxes(documents, range(1, len(documents) + 1), [0] * len(documents))
    y = {"visible": False, "range": [-0.9, 1.4]}
    drawn = chart([squares], 150, x, y, shapes, annotations=words)
    return Drawing(drawn, "The list; in brackets, documents with the same score", run_words(values))


def ties(values: Values) -> Drawing:
    """Tied documents shuffle; below, AP of every order between the lowest and the highest."""
    groups, found = values["list"], of_ties(values)
    printed = in_printed_order(groups)
    relevant = len(hits(printed)) + len(missing(groups, values["missed"]))
    seeds = [0, *range(1, 12)]
    orders = [in_printed_order(groups, seed) for seed in seeds]
    orders += [_sorted_ties(groups, best) for best in (False, True)] + [printed]
    place = [[[name for name, _ in order].index(name) + 1 for name, _ in printed] for order in orders]
    scores = [ap_of(order, relevant) for order in orders]
    frames: list[list[Trace]] = []
    said: list[str] = []
    for i in range(len(orders) - 1):
        before, after = (np.array(place[j], dtype=np.float64) for j in (i, i + 1))
        for t in (*np.linspace(0, 1, 8), 1.0, 1.0, 1.0, 1.0):
            arc = 0.5 * np.sin(np.pi * t) * np.sign(after - before)
            frames.append(
                [
                    {"x": np.round((1 - t) * before + t * after, 3), "y": np.round(arc, 3)},
                    {"x": [round((1 - t) * scores[i] + t * scores[i + 1], 4)], "y": [0.45]},
                ]
            )
            said.append(f"this order: AP {number(scores[i + 1], 4)}")
    low, high = found["low"], found["high"]
    room = 0.25 * max(high - low, 0.05)
    squares = boxes(printed, range(1, len(printed) + 1), [0] * len(printed))
    now = scatter(
        x=[scores[-1]], y=[0.45], mode="markers", marker={"symbol": "triangle-down", "size": 14, "color": VERMILION},
        showlegend=False, hovertemplate="AP %{x:.4f}<extra></extra>", xaxis="x2", yaxis="y2",
    )  # fmt: skip
    line = scatter(
        x=[low, found["middle"], high], y=[0, 0, 0], mode="lines+markers+text", textposition="bottom center",
        text=[f"lowest {number(low, 4)}", f"mean {number(found['middle'], 4)}", f"highest {number(high, 4)}"],
        line={"color": GREY, "width": 5}, marker={"symbol": "line-ns-open", "size": 16, "line": {"width": 3}},
        showlegend=False, hoverinfo="skip", xaxis="x2", yaxis="y2", cliponaxis=False,
    )  # fmt: skip
    shapes, words = brackets(groups)
    drawn = chart(
        [squares, now, line],
        300,
        {"dtick": 1, "range": [0.4, max(8, len(printed)) + 0.6], "showgrid": False, "title": {"text": "rank"}},
        {"visible": False, "range": [-0.9, 1.4], "domain": [0.62, 1]},
        shapes,
        annotations=words,
        xaxis2={"range": [low - room, high + room], "anchor": "y2", "title": {"text": "AP of the list"}, "nticks": 5},
        yaxis2={"visible": False, "range": [-1, 1], "domain": [0, 0.32]},
    )
    drawn.update_layout(xaxis_anchor="y")
    alt = f"Over all orders of tied documents AP lies between {number(low, 4)} and {number(high, 4)}."
    return Drawing(moving(drawn, frames, [0, 1], said), "Every order of the tied documents has its own AP", alt)


def _sorted_ties(groups: TieGroups, best: bool) -> list[tuple[str, int]]:
    """The list with the best or the worst document of every tie first."""
    named, at, found = names(groups), 0, []
    for group in groups:
        part = [(named[at + i], grade) for i, grade in enumerate(group)]
        found += sorted(part, key=lambda one: one[1] > 0, reverse=best)
        at += len(group)
    return found


def topic(values: Values) -> Drawing:
    """The run of one topic, and what it lacks."""
    return replace(run(values), title="The run's list, and the relevant documents that it lacks")


def step_drawing(values: Values) -> Drawing:
    """From the first number to the second, one convention at a time."""
    path = one_at_a_time(values, *both(values))
    axis = f"mean {measure_name(values['kind'], values['k'])} over topics"
    drawn = step_bars([name for name, _ in path], np.array([value for _, value in path]), axis)
    told = "; ".join(f"{name} {number(value, 4)}" for name, value in path)
    return Drawing(drawn, "From the first number to the second, one convention at a time", f"{told}.")


def ties_drawing(values: Values, conventions: Conventions) -> Drawing:
    """Lowest, expected and highest score of the answered topic over all orders of tied documents."""
    low, middle, high = bounds_of(values, conventions)
    title = f"{measure_name(values['kind'], values['k'])} of the answered topic"
    drawn = tie_range(low, middle, high, rule_scores(values, conventions), title)
    told = f"lowest {number(low, 4)}, expected {number(middle, 4)}, highest {number(high, 4)}"
    return Drawing(drawn, "What ties leave open: lowest, expected and highest", f"{title}: {told}.")


def quiz(values: Values) -> Drawing:
    """The run of a question of the quiz."""
    return run(drawn_run(int(values["seed"])))


def quiz_switched(values: Values) -> Drawing:
    """The same run by the other tool."""
    return switched(drawn_run(int(values["seed"])))


FIGURES = {
    "topic": topic,
    "adds": adds,
    "run": run,
    "switched": switched,
    "tied": tied,
    "ties": ties,
    "quiz": quiz,
    "quiz-switched": quiz_switched,
}
