"""The lab's figures: a run as boxes that a convention moves, what every rank adds, ties that shuffle, two numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.axes import axis, chart, rows
from irviz.figures.motion import moving
from irviz.figures.theme import AREA, BLUE, FAINT, GREY, Trace, bar, plotly_escape, short
from irviz.labs.charts import SKY, blend, pointer, silent
from irviz.labs.conventions.listing import (
    UNKNOWN,
    TieGroups,
    clicks,
    in_printed_order,
    missing,
    names,
    order_by_rule,
    retie_texts,
)
from irviz.labs.conventions.model import Conventions, Floats
from irviz.labs.conventions.run import (
    ap_of,
    both,
    hits,
    mean_score,
    measure_name,
    of_ties,
    of_topic,
    one_at_a_time,
    score_name,
    tool,
)
from irviz.labs.documents import hatch, squares
from irviz.labs.lab import HIGHEST, has_fixed_grades
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Documents = Sequence[tuple[str, int]]
QUIET = {"hovertemplate": None, "hoverinfo": "none", "cliponaxis": False}  #: without a label, but to be clicked
BARE = {"showgrid": False, "zeroline": False}


def step_bars(names: Sequence[str], scores: Floats, title: str) -> go.Figure:
    """From the first score to the last, with one bar per step between; the first and last names are the two ends."""
    change = np.diff(scores[:-1])  # the last step only says who prints the last number
    steps = (f"{step:+.4f}".replace("-", "−") for step in change)
    texts = [f"\xa0{text}" for text in (f"{scores[0]:.4f}", *steps, f"{scores[-1]:.4f}")]
    bars = bar(
        x=np.round([scores[0], *change, scores[-1]], 5),
        base=np.round([0, *scores[:-2], 0], 5).tolist(),
        y=np.arange(len(names)),
        marker={
            "color": [BLUE, *[SKY] * len(change), BLUE],
            "pattern": hatch(["", *("/" if step >= 0 else "\\" for step in change), ""]),
        },
        hovertext=texts,
        hovertemplate="%{hovertext}<extra></extra>",
        orientation="h",
        width=0.6,
        showlegend=False,
    )
    ends = np.maximum(scores, [0, *scores[:-1]]).round(5)
    beside = silent(ends, bars["y"], "text", text=texts, textposition="middle right", cliponaxis=False)
    words = [plotly_escape(short(name, 46)).replace(": ", ":<br>", 1) for name in names]
    y = {"tickvals": np.arange(len(names)), "ticktext": words, "range": [len(names) - 0.4, -0.6], "showgrid": False}
    x = axis(plotly_escape(title), [0, 1.3 * float(scores.max() or 1)], nticks=6)  # the numbers are beside the bars
    return chart([bars, beside], 110 + 44 * len(names), x, y)


# -- the run as boxes, which conventions move --------------------------------------------------------


def boxes(documents: Documents, x: Iterable[float], y: Iterable[float], size: int = 30, missed_count: int = 0) -> Trace:
    """One square per document, with its name and a tick if it is relevant, or its grade where grades differ.

    The last `missed_count` of them are in no list and drawn as outlines.
    """
    grades = [grade for _, grade in documents]
    signs = "–✓" if max(grades) < 2 else "0123"
    texts = [f"{name} {'?' if grade < 0 else signs[grade]}" for name, grade in documents]
    trace = squares(list(x), list(y), grades, HIGHEST, size, text=texts, **QUIET)
    inside = len(documents) - missed_count
    fill = [*trace["marker"]["color"][:inside], *["#FFFFFF"] * missed_count]
    ink = [*trace["textfont"]["color"][:inside], *["#1B1F24"] * missed_count]
    font = {"color": ink, "size": 11 if size < 36 else 14}
    return {**trace, "marker": {**trace["marker"], "color": fill}, "textfont": font}


def layout(values: Values, conventions: Conventions) -> list[tuple[str, int, float, float]]:
    """Every document with its place: in the run, missed, in a topic that the run lacks, or not counted.

    Returns
    -------
    list of name, grade, x and row
        Rows: 0 the run; 1 relevant and missed; 2 and 3, 4 and 5 … the same of topics that the run lacks; the
        last, what does not count.
        Always in the same sequence, so that two layouts can be compared document by document.
    """
    groups, lost = values["list"], values["lost"]
    listed = list(zip(names(groups), (grade for group in groups for grade in group), strict=True))
    lacking = missing(groups, values["missed"])
    place_of: dict[str, tuple[float, float]] = {}
    counted = [
        listed[i]
        for i in order_by_rule(groups, conventions.ties)
        if listed[i][1] != UNKNOWN or conventions.unjudged != "removed"
    ]
    place_of |= {name: (rank, 0) for rank, (name, _) in enumerate(counted, start=1)}
    if conventions.base != "retrieved":
        wanted = [(n, name) for n, (name, grade) in enumerate(lacking, start=1) if grade >= int(conventions.rel)]
        place_of |= {name: (n, 1) for n, name in wanted}
    relevant = [*(document for document in listed if document[1] > 0), *lacking]
    elsewhere = conventions.missing != "skip"
    places = [(name, grade, place_of.get(name)) for name, grade in [*listed, *lacking]]
    for t in range(lost):  # these topics have documents of their own: p, q …
        for n, (_, grade) in enumerate(relevant, start=1):
            letter = ascii_lowercase[(14 + t * len(relevant) + n) % 26]
            places.append((letter, grade, (n, 3 + 2 * t) if elsewhere else None))
    aside = iter(range(1, len(places) + 1))
    return [(name, grade, *(place or (next(aside), 2 + 2 * lost))) for name, grade, place in places]


def run_boxes(values: Values, first: Conventions, second: Conventions | None = None) -> go.Figure:
    """The run by one convention, between ranks what has none; frames move it from the first to the second."""
    start = layout(values, first)
    end = start if second is None else layout(values, second)
    before, after = (np.array([(x + 0.5 * (row > 0), row) for *_, x, row in places]) for places in (start, end))
    listed = len(names(values["list"]))
    labels = ["topic 1: the list" if values["lost"] else "the list", "missed"]
    for n in range(values["lost"]):
        labels += [f"topic {n + 2}: no list", "missed"]
    uncounted = (before[:, 1] == len(labels)) | (after[:, 1] == len(labels))
    if uncounted.any():
        in_first_topic = (
            values["lost"] != 1 or uncounted[: listed + len(missing(values["list"], values["missed"]))].any()
        )
        labels.append("does not count" if in_first_topic else "topic 2: relevant,<br>left out")
    filled = [n for n in range(len(labels)) if n % 2 == 0 or n in before[:, 1] or n in after[:, 1]]
    labels = [labels[n] for n in filled]  # without rows of no missed documents
    for places in (before, after):
        places[:, 1] = np.searchsorted(filled, places[:, 1])
    longest = max(5.0, float(after[:, 0].max()), float(before[:, 0].max()))
    size = 36 if longest <= 5 else 30
    x = axis("rank", [0.3, longest + 0.7], tickvals=list(range(1, listed + 1)), side="top", **BARE)
    y = {"tickvals": list(range(len(labels))), "ticktext": labels, "range": [len(labels) - 0.4, -0.6], **BARE}
    documents = [(name, grade) for name, grade, _, _ in start]
    ends = {"y0": len(labels) - 1.46, "y1": len(labels) - 0.54, "layer": "below", "line": {"width": 0}}
    grey = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "fillcolor": FAINT, **ends}
    traces = [boxes(documents, after[:, 0], after[:, 1], size, len(documents) - listed)]
    if second:
        meant: list[list[str | None]] = [[text] for text in clicks(values["list"]).values()]
        meant += [[None]] * (len(documents) - len(meant))
        vacated = before[(before != after).any(axis=1)]  # what has moved leaves a trace in its place
        marker = {"symbol": "square-open", "size": size, "color": GREY}
        traces = [{**traces[0], "customdata": meant}]
        traces += [silent(vacated[:, 0], vacated[:, 1], "markers", marker=marker, opacity=0.6)]
    fig = chart(traces, 80 + (size + 12) * len(labels), x, y, [grey] if uncounted.any() else [])
    if second is None:
        return fig
    even = np.linspace(0, 1, 36)
    times = [0.0] * 12 + (even**2 * (3 - 2 * even)).tolist()  # boxes start and end slowly
    paths = [blend(before, after, t, 3) for t in times]
    frames = [[{"x": path[:, 0], "y": path[:, 1]}] for path in paths]
    words = printed_scores(values)
    return moving(fig, frames, [0], [words[0] if t == 0 else words[1] if t == 1 else "on the way" for t in times])


def run_words(values: Values) -> str:
    """The documents of the run, for a reader who does not see them."""
    answer, lacks = in_printed_order(values["list"]), missing(values["list"], values["missed"])
    documents = ", ".join(f"{name} {'unjudged' if grade < 0 else grade}" for name, grade in answer)
    lacking = ", ".join(f"{name} {grade}" for name, grade in lacks)
    without = f"; topics for which the run has no list: {values['lost']}" if values["lost"] else ""
    return f"Topic 1 in trec_eval's order: {documents}; relevant and not retrieved: {lacking or 'none'}{without}."


def run(values: Values) -> Drawing:
    """All topics and all relevant documents, as the first tool sees them."""
    fig = run_boxes(values, both(values)[0])
    return Drawing(fig, f"The documents, as {tool(values, 'first')} counts them", run_words(values))


def switched_run(values: Values) -> Drawing:
    """The run as the second tool sees it; the boxes that a convention moves come from where the first has them."""
    title = "The same documents, counted the other way"
    alt = f"{run_words(values)} {'; '.join(printed_scores(values))}."
    click = "click a document: relevant, not, or unjudged"
    return Drawing(run_boxes(values, *both(values)), title, alt, ("list",), click)


def printed_scores(values: Values) -> list[str]:
    """The score that each of the two tools prints."""
    sides = zip(("first", "second"), both(values), strict=True)
    return [
        f"{tool(values, side)}: {score_name(values)} {number(mean_score(values, conventions), 4)}"
        for side, conventions in sides
    ]


# -- AP by hand, ties --------------------------------------------------------------------------------


def adds(values: Values) -> Drawing:
    """The list above what every rank adds: frames walk down the list while the sum climbs."""
    documents, topic = in_printed_order(values["list"]), of_topic(values)
    lacking = missing(values["list"], values["missed"])
    relevant, depth, ranks = topic["relevant"], len(documents), hits(documents)
    size = 36 if depth <= 5 else 30
    total = np.zeros(depth + 1)
    for n, rank in enumerate(ranks, start=1):
        total[rank:] += n / rank / max(1, relevant)
    top = 1.3 * (float(total[-1]) or 1.0)
    heights = total[ranks] - 0.02 * top  # of words below the line
    edges = (np.arange(1, depth + 1)[:, None] + [-0.5, 0.5]).ravel()
    climbed = np.repeat(total[1:], 2)
    ranks_read = [0] * 6 + np.repeat(np.arange(1, depth + 1), 8).tolist()
    frames: list[list[Trace]] = [
        [
            {"x": [rank or 1], "y": [1]},
            {
                "x": np.minimum(edges, rank + 0.5),
                "y": np.round(np.where(np.arange(2 * depth) // 2 < rank, climbed, total[rank]), 5),
            },
            {"y": np.where(np.array(ranks) <= rank, heights, -9.0)},
        ]
        for rank in ranks_read
    ]
    captions = ["before rank 1", *(f"rank {rank}: not relevant, nothing is added" for rank in range(1, depth + 1))]
    for n, rank in enumerate(ranks, start=1):
        captions[rank] = f"rank {rank}: precision {n}/{rank}, sum / {relevant} = {number(float(total[rank]), 4)}"
    line = silent(
        edges, np.round(climbed, 5), "lines", fill="tozeroy", fillcolor=AREA, line={"color": BLUE, "width": 2}
    )
    added = [f"+ {n}/{rank} ÷ {relevant}" for n, rank in enumerate(ranks, start=1)]
    words = silent(ranks, heights, "text", text=added, textposition="bottom center")
    places = [*range(1, depth + 1), *after_the_end(documents, lacking)]
    note = ["missed: nothing is added"] if lacking else []
    aside = silent(places[-1:] * len(note), [-1.5] * len(note), "text", text=note, textposition="middle left")
    row = boxes([*documents, *lacking], places, [0] * len(places), size, len(lacking))
    fig = rows(
        [[row, pointer(depth, 1), aside], [line, words]],
        (0.4, 0.6),
        320,
        axis("rank", [0.4, max(5, *places) + 0.6], tickvals=list(range(1, depth + 1)), showgrid=False),
        [{"visible": False, "range": [-2.5, 1.6]}, axis(f"sum / {relevant}", [0, top], showgrid=False)],
    )
    alt = f"AP climbs at every relevant document, at ranks {', '.join(map(str, ranks))}: ({topic['sum']}) / {relevant}."
    animated = moving(fig, frames, [1, 3, 4], [captions[rank] for rank in ranks_read])
    return Drawing(animated, "What every rank adds to AP", alt)


def brackets(groups: TieGroups, low: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes, down to `low`, and words around documents of the same score."""
    shapes, words, place = [], [], 1
    for group in groups:
        if len(group) > 1:
            ends = {"x0": place - 0.47, "x1": place + len(group) - 0.53, "y0": low, "y1": 0.75}
            look = {"layer": "below", "line": {"width": 0}, "fillcolor": "rgba(213,94,0,0.20)"}
            shapes.append({"type": "rect", **ends, **look})
            words.append(_annotation_above(place + (len(group) - 1) / 2, "same score"))
        place += len(group)
    return shapes, words


def _annotation_above(x: float, text: str) -> dict[str, Any]:
    return {"x": x, "y": 0.78, "yanchor": "bottom", "showarrow": False, "text": text}


def signs(groups: TieGroups) -> Trace:
    """Between two documents = if they are tied, and > if the left one has a higher score; a click changes it."""
    texts = [plotly_escape(sign) for group in groups for sign in "=" * (len(group) - 1) + ">"][:-1]
    look = {"text": texts, "customdata": [[text] for text in retie_texts(groups)], **QUIET}
    return squares(np.arange(len(texts)) + 1.5, [-0.78] * len(texts), [UNKNOWN] * len(texts), 1, 20, **look)


def _bracketed_list(values: Values, height: int, traces: Sequence[Trace] = (), **more: Any) -> go.Figure:
    """The list with its ties in brackets and what it missed after its end, and further traces, such as signs."""
    listed, lacking = in_printed_order(values["list"]), missing(values["list"], values["missed"])
    low = -1.15 if traces else -0.75
    shapes, words = brackets(values["list"], low)
    if lacking:
        words.append(_annotation_above(len(listed) + 1.3 + (len(lacking) - 1) / 2, "missed"))
    ranks, aside = list(range(1, len(listed) + 1)), after_the_end(listed, lacking)
    end = max(8, *ranks, *aside) + 0.6
    x = axis("rank", [0.4, end], tickvals=ranks, showgrid=False, anchor="y")
    y = {"visible": False, "range": [low - 0.1, 1.4], "domain": [0.62 if "yaxis2" in more else 0, 1]}
    meant = {} if has_fixed_grades(values) else clicks(values["list"])
    documents = [*listed, *lacking]
    row = boxes(documents, [*ranks, *aside], [0] * len(documents), 28, len(lacking))
    row["customdata"] = [[meant.get(name)] for name, _ in documents]
    return chart([row, *traces], height, x, y, shapes, annotations=words, **more)


def after_the_end(documents: Documents, lacking: Documents) -> list[float]:
    """The places of the missed documents, beside the list's last rank."""
    return [len(documents) + 1.3 + n for n in range(len(lacking))]


def tied_list(values: Values, show_signs: bool = False) -> Drawing:
    """The list with its ties in brackets, and with signs where it is clicked."""
    fig = _bracketed_list(values, 170, [signs(values["list"])] if show_signs else [])
    title = "Orange: the same score; ?: nobody judged it"
    return Drawing(fig, title, run_words(values), ("list",), _words(values))


def _words(values: Values) -> str:
    """The words for a click."""
    return f"click {'' if has_fixed_grades(values) else 'a document, or '}a sign > or ="


def ties(values: Values) -> Drawing:
    """Tied documents shuffle; below, AP of every order between the lowest and the highest."""
    groups, readings = values["list"], of_ties(values)
    printed = in_printed_order(groups)
    lacking = missing(groups, values["missed"])
    relevant, aside = len(hits(printed)) + len(lacking), after_the_end(printed, lacking)
    orders = [in_printed_order(groups, seed) for seed in range(12)]
    orders += [_sorted_ties(groups, best) for best in (False, True)] + [printed]
    place = [[*([name for name, _ in order].index(name) + 1 for name, _ in printed), *aside] for order in orders]
    scores = [ap_of(order, relevant) for order in orders]
    frames: list[list[Trace]] = []
    captions: list[str] = []
    for i in range(len(orders) - 1):
        before, after = np.array(place[i]), np.array(place[i + 1])
        for t in (*np.linspace(0, 1, 8), 1.0, 1.0, 1.0, 1.0):
            arc = 0.5 * np.sin(np.pi * t) * np.sign(after - before)
            boxes_now = {"x": blend(before, after, t, 3), "y": np.round(arc, 3)}
            frames.append([boxes_now, {"x": [float(blend(scores[i], scores[i + 1], t))], "y": [1.15]}])
            captions.append(f"this order: AP {number(scores[i + 1], 4)}" if t == 1 else "tied documents change places")
    ends = {"lowest": readings["low"], "mean": readings["middle"], "highest": readings["high"]}
    below = {"xaxis": "x2", "yaxis": "y2"}
    ends_text = ", ".join(f"{name} {number(value, 4)}" for name, value in ends.items())
    words = silent([min(0.84, max(0.16, readings["middle"]))], [-0.75], "text", text=[ends_text], **below)
    line = silent(
        list(ends.values()),
        [0, 0, 0],
        "lines+markers",
        line={"color": GREY, "width": 5},
        marker={"symbol": "line-ns-open", "size": 10, "line": {"width": 3}},
        cliponaxis=False,
        **below,
    )
    now = pointer(scores[-1], 1.15, hoverinfo=None, hovertemplate="AP %{x:.4f}<extra></extra>", **below)
    across = axis("AP of the list", [-0.08, 1.08], anchor="y2", dtick=0.2, showgrid=False, zeroline=False)
    up = {"visible": False, "range": [-1, 1.4], "domain": [0, 0.36]}
    by = sorted([(readings["by trec_eval"], "trec_eval"), (readings["by file"], "cwl_eval")])
    tools = silent(
        [score for score, _ in by],
        [0, 0],
        "markers+text",
        text=[name for _, name in by],
        textposition=["top left", "top right"],
        marker={"symbol": "circle", "size": 10, "color": BLUE},
        cliponaxis=False,
        **below,
    )
    fig = _bracketed_list(values, 300, [now, line, words, tools, signs(groups)], xaxis2=across, yaxis2=up)
    alt = f"AP of all orders of tied documents: {ends_text}."
    title = "Every order of the tied documents has its own AP"
    return Drawing(moving(fig, frames, [0, 1], captions), title, alt, ("list",), _words(values))


def _sorted_ties(groups: TieGroups, best: bool) -> list[tuple[str, int]]:
    """The list with the best or the worst document of every tie first."""
    named, at, documents = names(groups), 0, []
    for group in groups:
        part = [(named[at + i], grade) for i, grade in enumerate(group)]
        documents += sorted(part, key=lambda document: document[1] > 0, reverse=best)
        at += len(group)
    return documents


def topic(values: Values) -> Drawing:
    """The run of one topic, and what it lacks."""
    return replace(run(values), title="The list, and the relevant documents that it lacks")


def step_drawing(values: Values) -> Drawing:
    """From the first number to the second, one convention at a time."""
    path = one_at_a_time(values, *both(values))
    title = f"mean {measure_name(values['kind'], values['k'])} over topics"
    fig = step_bars([name for name, _ in path], np.array([value for _, value in path]), title)
    path_text = "; ".join(f"{name} {number(value, 4)}" for name, value in path)
    return Drawing(fig, "From the first number to the second, one convention at a time", f"{path_text}.")


FIGURES = {"topic": topic, "adds": adds, "run": run, "switched": switched_run, "tied": tied_list, "tie_range": ties}
