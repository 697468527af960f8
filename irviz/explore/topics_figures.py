"""Figures of two lists: their documents side by side, what each rank adds, recall and precision."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.explore.score_difference import RankedList
from irviz.figures.axes import (
    BAND,
    axis,
    fitting_ticks,
    padded_range,
    rank_ticks,
    round_values,
    rows,
    signed_bars,
    standing_out,
)
from irviz.figures.theme import (
    BLUE,
    CHOICE_MARK,
    FEW_TOPICS,
    GREEN,
    GREY,
    PALETTE,
    SHADES,
    STEADY,
    VERMILION,
    Floats,
    Trace,
    bar,
    escape_names,
    figure,
    labels,
    pieces,
    plotly_escape,
    scatter,
    short,
    shorten_names,
)

# -- Topics sorted by what is asked, and one topic: its judgments, and all systems' scores ---------

_NAMED_TOPICS = 5  #: topics, the first, that are named below an axis
#: of highlighted systems; A has the circle and B the diamond
SYMBOLS = ("square", "triangle-up", "cross", "x", "triangle-down", "star", "pentagon", "hexagram")


def dumbbells(
    topics: Sequence[str],
    ours: Floats,
    theirs: Floats,
    names: tuple[str, str, str],
    axis: str,
    chosen_topic: int | None,
    other: tuple[str, float] | None = None,
) -> go.Figure:
    """By topic, the score of A and the one it is compared with, joined by a line; one mark where they are equal.

    `names` are of the two and of the mark for both; `other` is one more system and its score on the chosen topic.
    """
    across = escape_names(topics)
    joins = scatter(
        x=pieces(across, across),
        y=pieces(round_values(ours), round_values(theirs)),
        mode="lines",
        line={"color": GREY, "width": 1.4},
        hoverinfo="skip",
        showlegend=False,
    )
    same = ours == theirs
    differ, equal = ([topics[i] for i in np.flatnonzero(mask).tolist()] for mask in (~same, same))
    dots = [_dots(differ, theirs[~same], names[1]), _dots(differ, ours[~same], names[0])]
    dots += [_dots(equal, ours[same], names[2], "square")] if equal else []
    if other is not None and chosen_topic is not None:
        dots.append(_dots(topics[chosen_topic : chosen_topic + 1], np.array([other[1]]), other[0]))
    for dot in dots:  # on a phone, those of neighbours do not cover one another
        dot["marker"]["size"] = min(9, max(4, 250 // len(topics)))
    return _sorted_figure([joins, *dots], topics, axis, padded_range(np.append(ours, theirs), 0.06), chosen_topic)


def _dots(topics: Sequence[str], values: Floats, name: str, symbol: str = "square-open") -> Trace:
    """Scores by topic; A and B look as they do in the figure of all systems."""
    symbol, colour = {"A: ": ("circle", BLUE), "B: ": ("diamond", VERMILION)}.get(name[:3], (symbol, GREEN))
    return scatter(
        x=escape_names(topics),
        y=round_values(values),
        mode="markers",
        name=plotly_escape(name),
        cliponaxis=False,
        marker={"symbol": symbol, "size": 9, "color": colour, "line": {"width": 1, "color": colour}},
        customdata=[[topic] for topic in topics],
        hovertemplate="topic %{x}: %{y:.4f}<extra>" + plotly_escape(name) + "</extra>",
        **STEADY,
    )


def topic_bars(topics: Sequence[str], values: Floats, axis: str, chosen_topic: int | None) -> go.Figure:
    """One bar per topic; those below zero are hatched."""
    clicked, hover = [[topic] for topic in topics], "topic %{x}: %{y:.4f}<extra></extra>"
    bars = signed_bars(topics, values, customdata=clicked, hovertemplate=hover, **STEADY)
    return _sorted_figure([bars], topics, axis, padded_range(np.append(values, 0.0), 0.06), chosen_topic)


def value_bars(values: Floats, axis: str, chosen_value: float) -> go.Figure:
    """How many topics have about which value; a line at that of the selected topic."""
    known = values[np.isfinite(values)]
    counts, edges = np.histogram(known, bins=40)
    bars = bar(
        x=round_values((edges[:-1] + edges[1:]) / 2),
        y=counts,
        width=round_values(np.diff(edges), 6),
        marker={"color": BLUE, "line": {"width": 0}},
        customdata=[[f"{a:.3f}", f"{b:.3f}"] for a, b in pairwise(edges.tolist())],
        hovertemplate="%{customdata[0]} to %{customdata[1]}: %{y:,} topics<extra></extra>",
    )
    fig, room = figure([bars], 320, bargap=0.02), 0.02 * float(edges[-1] - edges[0])
    ends = edges[[0, -1]]
    if np.isfinite(chosen_value):
        fig.add_vline(x=chosen_value, line={"color": VERMILION, "width": 2, "dash": "solid"})
        ends = np.append(ends, chosen_value)
    fig.update_xaxes(title_text=plotly_escape(axis), range=[float(ends.min()) - room, float(ends.max()) + room])
    fig.update_yaxes(title_text="topics", range=[0, 1.06 * max(1, int(counts.max()))])
    return fig


def _sorted_figure(
    traces: list, topics: Sequence[str], axis: str, ends: list[float], chosen_topic: int | None
) -> go.Figure:
    """Topics across, those that matter most first; the selected one is on a grey band."""
    fig = figure(traces, 320, bargap=0.15)
    worst = ", ".join(labels(topics, 14)[:_NAMED_TOPICS])  # on a phone, an axis has room for every third name
    first = f":<br>{worst}, …" if len(topics) > FEW_TOPICS else ""
    fig.update_xaxes(
        title_text=f"topics, those that matter most first{first}",
        range=[-0.6, len(topics) - 0.4],
        showgrid=False,
        tickangle=-90 if len(topics) > FEW_TOPICS else 0,  # as many names as fit
        **fitting_ticks(topics, 14),
    )
    fig.update_yaxes(title_text=plotly_escape(axis), range=ends)
    if chosen_topic is not None:
        look = {"name": CHOICE_MARK, "fillcolor": GREY, "opacity": 0.25, "line": {"width": 0}}
        fig.add_vrect(x0=chosen_topic - 0.5, x1=chosen_topic + 0.5, **look)
    return fig


def system_dots(
    systems: Sequence[str], values: Floats, pair: Sequence[str], axis: str, highlights: Sequence[str] = ()
) -> go.Figure:
    """All systems on one topic, best first; A, B and highlighted systems stand out."""
    more = [name for name in highlights if name in systems and name not in pair]
    rest = [i for i, name in enumerate(systems) if name not in (*pair, *more)]
    groups = [(rest, "the others", ("circle-open", GREY, 7))]
    for letter, symbol, colour, name in zip("AB", ("circle", "diamond"), (BLUE, VERMILION), pair, strict=False):
        groups.append(([systems.index(name)], f"{letter}: {plotly_escape(name)}", (symbol, colour, 12)))
    for n, name in enumerate(more):
        look = (SYMBOLS[n % len(SYMBOLS)], PALETTE[(n + 2) % len(PALETTE)], 12)
        groups.append(([systems.index(name)], standing_out(plotly_escape(name)), look))
    traces = [
        scatter(
            x=[i + 1 for i in here],
            y=round_values(values[here]),
            mode="markers",
            name=name,
            marker={"symbol": symbol, "color": colour, "size": size},
            customdata=escape_names(systems[i] for i in here),
            hovertemplate="%{customdata}: %{y:.4f}<extra></extra>",
        )
        for here, name, (symbol, colour, size) in groups
        if here
    ]
    fig = figure(traces, 280 + 20 * len(more))  # on a phone every name takes a line
    for name in more:
        at = systems.index(name) + 1
        fig.add_vrect(x0=at - 0.5, x1=at + 0.5, fillcolor=BAND, layer="below", line={"width": 0})
    fig.update_xaxes(title_text="systems, best on this topic first", range=[0, len(systems) + 1], showgrid=False)
    fig.update_xaxes(**rank_ticks(len(systems)))
    fig.update_yaxes(title_text=plotly_escape(axis), range=padded_range(values, 0.08))
    return fig


# --------------------------------------------------------------------------------------------------

_BELOW_ZERO_COLOURS = ("#F0C3A0", "#1B1F24")
_UNJUDGED_COLOURS = ("#FFFFFF", "#1B1F24")
_NAMES_START = 0.44  #: share of the width where the names beside B begin; a phone needs the rest for them
_SQUARE = 19  #: pixels of a document
_BRACKET = (10, 13)  #: pixels from the middle of a document to the ends and to the back of a bracket beside it
#: of A, of B and of the ideal list; where A and B are equal, the broader line is seen between the dashes
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": BLUE, "dash": "solid", "width": 4},
    {"color": VERMILION, "dash": "dash", "width": 2},
    {"color": GREY, "dash": "dot", "width": 2},
)
_LOG_RANKS = 100  #: from here on, ranks that add something stand on a logarithmic axis
_NEEDLES = 150  #: pixels of all needles together, where every rank adds something


# -- lists side by side ----------------------------------------------------------------------


def side_by_side(sides: Sequence[RankedList], ideal: RankedList, ranks: int, top: float) -> go.Figure:
    """One or two lists and, set apart, the ideal one, rank by rank; lines join the same document in the two lists."""
    both = len(sides) == 2
    traces: list[Trace] = _joins(sides[0], sides[1], ranks) if both else []
    brackets: list[dict[str, object]] = []
    for k, side in enumerate(sides):
        brackets += _brackets(side, k, ranks, k == 0)
        traces.append(_documents(side, k, ranks, top, sides[1 - k] if both else None))
    traces.append(_documents(ideal, 0.0, ranks, top, None) | {"xaxis": "x2"})
    if both:
        traces.append(scatter(x=[None], y=[None], yaxis="y2", hoverinfo="skip", showlegend=False))
    height = 70 + 24 * ranks
    fig = figure(traces, height, shapes=brackets, dragmode=False, showlegend=False)
    called = shorten_names([side.name for side in sides], 10)
    names = [f"{letter}: {name}" for letter, name in zip("AB", called, strict=False)]
    span, end = ([-0.16, 1.16], _NAMES_START) if both else ([-1.0, 1.0], 0.5)
    fig.update_layout(
        xaxis=_list_axis(names, span, (0.0, end)),
        xaxis2=_list_axis(["ideal"], [-1.0, 1.0], (0.92, 1.0) if both else (0.5, 1.0)),
        yaxis=_rank_axis(sides[0], ranks, 8 if both else 14, "" if both else "documents"),
    )
    if both:
        inside = {"overlaying": "y", "side": "right", "automargin": False}
        fig.update_layout(margin_r=12, yaxis2=_rank_axis(sides[1], ranks, 8, "") | inside)
    return fig


def _list_axis(names: Sequence[str], span: Sequence[float], domain: tuple[float, float]) -> dict[str, object]:
    """The lists' names, above their columns."""
    return {
        "side": "top",
        "range": span,
        "domain": domain,
        "tickvals": list(range(len(names))),
        "ticktext": escape_names(names),
        "tickangle": 0,
        "showgrid": False,
        "zeroline": False,
    }


def _rank_axis(side: RankedList, ranks: int, letters: int, title: str) -> dict[str, object]:
    """Rank and document of one list; a name has at most `letters` letters."""
    names = [None if i >= len(side.documents) else side.documents[i] for i in range(ranks)]
    text = [
        str(i + 1) + ("" if name is None else f"  {plotly_escape(short(name, letters, 4))}")
        for i, name in enumerate(names)
    ]
    return {
        "range": [ranks + 0.6, 0.4],
        "title": {"text": title if any(name is not None for name in names) else "rank"},
        "tickvals": list(range(1, ranks + 1)),
        "ticktext": text,
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        "tickfont": {"size": 11},
    }


def _documents(side: RankedList, place: float, ranks: int, top: float, other: RankedList | None) -> Trace:
    """One square per judged document with its grade, a circle with a question mark for one that was not judged."""
    grades = side.grades[:ranks]
    looks = [look(grade, top) for grade in grades.tolist()]
    return scatter(
        x=[place] * len(grades),
        y=list(range(1, len(grades) + 1)),
        mode="markers+text",
        cliponaxis=False,
        marker={
            "symbol": ["square" if judged else "circle" for judged in np.isfinite(grades)],
            "size": _SQUARE,
            "color": [fill for fill, _ in looks],
            "line": {"color": BLUE, "width": 1},
        },
        text=[grade_sign(grade) for grade in grades.tolist()],
        textfont={"size": 11, "color": [ink for _, ink in looks]},
        hovertext=_hover(side, other, len(grades)),
        hovertemplate="%{hovertext}<extra></extra>",
    )


def look(grade: float, top: float) -> tuple[str, str]:
    """Fill and ink of a document of some grade, NaN for one that was not judged."""
    if not np.isfinite(grade):
        return _UNJUDGED_COLOURS
    if grade < 0:
        return _BELOW_ZERO_COLOURS
    return SHADES[0 if grade == 0 else max(1, min(3, int(np.ceil(3 * grade / top))))]


def grade_sign(grade: float) -> str:
    """The label of a document: its grade, or a question mark."""
    return f"{grade:g}".replace("-", "−") if np.isfinite(grade) else "?"


def _hover(side: RankedList, other: RankedList | None, ranks: int) -> list[str]:
    """By rank the document, its grade, the score of the run, and its rank in the other list."""
    there = {key: str(i + 1) for i, key in enumerate(other.keys)} | {None: "unknown"} if other else {}
    rows = zip(side.keys[:ranks], side.documents[:ranks], side.grades[:ranks], side.scores[:ranks], strict=True)
    return [
        f"rank {rank}: {plotly_escape(name or 'no identifier')}<br>grade {grade_sign(grade)}"
        + (f"<br>score of the run {score:g}" if np.isfinite(score) else "")
        + (f"<br>rank of {plotly_escape(other.name)}: {there.get(key, 'none')}" if other else "")
        for rank, (key, name, grade, score) in enumerate(rows, start=1)
    ]


def _joins(a: RankedList, b: RankedList, ranks: int) -> list[Trace]:
    """Lines between the same documents: judged ones with gain thick, all others thin."""
    there = {key: i + 1 for i, key in enumerate(b.keys[:ranks]) if key is not None}
    pairs = [(i + 1, there[key], a.grades[i]) for i, key in enumerate(a.keys[:ranks]) if key in there]
    traces = []
    for relevant, width, colour in ((False, 0.8, GREY), (True, 2.0, BLUE)):
        rank_pairs = [(left, right) for left, right, grade in pairs if (grade > 0) == relevant]
        traces.append(
            scatter(
                x=pieces(*np.tile([[0.05], [0.95]], len(rank_pairs))).tolist() or [None],
                y=pieces([left for left, _ in rank_pairs], [right for _, right in rank_pairs]).tolist() or [None],
                mode="lines",
                line={"color": colour, "width": width},
                hoverinfo="skip",
            )
        )
    return traces


def _brackets(side: RankedList, place: int, ranks: int, left: bool) -> list[dict[str, object]]:
    """A bracket beside documents that the run scored the same: far enough away, in pixels, that no square hides it."""
    near, far = (-_BRACKET[0], -_BRACKET[1]) if left else _BRACKET
    return [
        {
            "type": "path",
            "path": f"M {near},{first - 0.3} L {far},{first - 0.3} L {far},{last + 0.3} L {near},{last + 0.3}",
            "xsizemode": "pixel",
            "xanchor": place,
            "line": {"color": VERMILION, "width": 1.6},
        }
        for first, last in tied_groups(side.tied_with_next[: max(0, ranks - 1)])
    ]


def tied_groups(tied_with_next: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last rank of every group of equal scores, given which ranks have the same score as the next.

    >>> tied_groups(np.array([True, True, False, False, True]))
    [(1, 3), (5, 6)]
    """
    edges = np.diff(np.concatenate([[0], tied_with_next.astype(np.int8), [0]]))
    pairs = zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True)
    return [(int(first) + 1, int(end) + 1) for first, end in pairs]


# -- what each rank adds -----------------------------------------------------------------------


def rank_by_rank(sides: Sequence[RankedList], label: str) -> go.Figure:
    """Running totals; below them, a needle for what each rank adds: A's stand on zero, B's hang from it."""
    last = max([1, *(rank for side in sides for rank in _adding(side))])
    log = last >= _LOG_RANKS
    start, end = (0.8, 1.1 * last) if log else (0.0, last + 1.0)
    wide = float(np.clip(_NEEDLES / last, 1.5, 8))
    totals, needles = [], []
    for letter, side, style in zip("AB", sides, LOOKS, strict=False):
        name, places = f"{letter}: {plotly_escape(side.name)}", _adding(side)
        adds, upto = (_part_values(side, column)[[rank - 1 for rank in places]] for column in ("adds", "total"))
        line = scatter(
            x=[start, *places, end],
            y=[0.0, *round_values(upto, 6).tolist(), round(float(upto[-1]) if len(upto) else 0.0, 6)],
            mode="lines",
            name=name,
            line=style | {"shape": "hv"},
            hovertemplate="down to rank %{x}: %{y:.4f}<extra>" + name + "</extra>",
        )
        needle = scatter(
            x=pieces(places, places),
            y=pieces(np.zeros(len(adds)), round_values(adds, 6)),
            mode="lines",
            name=name,
            line={"color": style["color"], "width": wide},
            showlegend=False,
            hovertemplate="rank %{x} adds %{y:.5f}<extra>" + name + "</extra>",
        )
        totals.append(line)
        needles.append([needle])
    low, high = min(float(_part_values(side, "adds").min(initial=0)) for side in sides), _ends(sides, "adds")[1]
    ups = [
        axis(plotly_escape(label), _ends(sides, "total")),
        axis("A adds", [low, high], nticks=5),
        axis("B adds", [high, low or 1e-3 * high], nticks=5),  # its 0 is A's
    ]
    across = {"title": {"text": "rank (log scale)" if log else "rank"}, **rank_ticks(last, log), "zeroline": False}
    across |= {"type": "log", "range": np.log10([start, end]).tolist()} if log else {"range": [start, end]}
    shares = (0.5, *[0.25] * len(needles))
    return rows(
        [totals, *needles], shares, 320 + 60 * len(needles), across, ups[: 1 + len(needles)], gap=0.0, dragmode=False
    )


def _part_values(side: RankedList, column: str) -> Floats:
    return np.empty(0) if side.parts is None else side.parts[column].to_numpy()


def _adding(side: RankedList) -> list[int]:
    """The ranks that add something."""
    return (np.flatnonzero(_part_values(side, "adds")) + 1).tolist()


def _ends(sides: Sequence[RankedList], column: str) -> list[float]:
    return padded_range(np.concatenate([_part_values(side, column) for side in sides]), 0.06)


def dcg_curves(sides: Sequence[RankedList], ideal: RankedList, ranks: int) -> go.Figure:
    """Discounted cumulated gain of each list, and of the ideal one, down to every rank."""
    traces = []
    for side, style in zip((*sides, ideal), (*LOOKS[: len(sides)], LOOKS[2]), strict=True):
        curve = _part_values(side, "dcg")[:ranks]
        name = "ideal" if side is ideal else plotly_escape(side.name)
        traces.append(
            scatter(
                x=list(range(1, len(curve) + 1)),
                y=round_values(curve, 6),
                mode="lines",
                name=name,
                line={**style},
                hovertemplate="rank %{x}: %{y:.4f}<extra>" + name + "</extra>",
            )
        )
    fig = figure(traces, 380, dragmode=False)
    fig.update_xaxes(title_text="rank", range=[0.5, ranks + 0.5])
    fig.update_yaxes(title_text="DCG, not normalised", range=_ends((*sides, ideal), "dcg"))
    return fig


# -- recall and precision ---------------------------------------------------------------------


def recall_precision(curves: Sequence[tuple[str, Floats, Floats]]) -> go.Figure:
    """For each list one marker per relevant document, and above it the interpolated curve."""
    traces: list[Trace] = []
    marks = (("circle-open", 10), ("diamond", 6))  # where both are, one is seen within the other
    for (name, recall, precision), style, (symbol, size) in zip(curves, LOOKS, marks, strict=False):
        label = plotly_escape(name)
        best = np.maximum.accumulate(precision[::-1])[::-1]
        traces.append(
            scatter(
                x=[0.0, *round_values(recall, 6).tolist()],
                y=[*round_values(best[:1], 6).tolist(), *round_values(best, 6).tolist()],
                mode="lines",
                name=label,
                line=style | {"shape": "vh"},
                hoverinfo="skip",
            )
        )
        traces.append(
            scatter(
                x=round_values(recall, 6),
                y=round_values(precision, 6),
                mode="markers",
                name=f"{label}, at every relevant document",
                marker={"color": style["color"], "symbol": symbol, "size": size, "opacity": 0.6},
                hovertemplate="recall %{x:.3f}, precision %{y:.3f}<extra>" + label + "</extra>",
            )
        )
    fig = figure(traces, 360, dragmode=False)
    fig.update_xaxes(title_text="recall", range=[-0.02, 1.02])
    fig.update_yaxes(title_text="precision", range=[-0.02, 1.05])
    return fig
