"""Four systems on five topics: dots to drag, means, six averages, ε, standardised topics, halves of the topics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import listed, verb
from irviz.figures.axes import chart, line_at, padded_range
from irviz.figures.densities import decimal
from irviz.figures.motion import moving
from irviz.figures.theme import AREA, DASHES, GREY, MARKERS, PALETTE, VERMILION, Trace, plotly_escape, scatter, short
from irviz.labs.aggregation.model import (
    AM,
    EPS,
    GRID,
    ROW_CONTROLS,
    SHARES,
    SYSTEMS,
    TOPICS,
    drawn_scores,
    handovers,
    quoted_systems,
    repeated_rankings,
    six_means,
    table_of,
    top_topic,
    winners,
)
from irviz.labs.charts import extended
from irviz.labs.deals import deal_drawing, split_dots
from irviz.stats.aggregate import aggregate
from irviz.stats.intervals import smoothed
from irviz.stats.topic_effects import standardise
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]
STOPS = np.round(np.linspace(0, 1, 21), 2)  #: the scores that a click can give


def score_dots(
    scores: Floats,
    systems: Sequence[str],
    topics: Sequence[str],
    chosen: int | None = None,
    movable: bool = False,
) -> go.Figure:
    """One column per topic, one dot per system.

    Dragging a dot, or a click, means a new row of scores for its system, and nothing for the others.

    Parameters
    ----------
    scores : topics × systems
    chosen : position of the system whose dots a click moves; faint points show where to
    movable : whether dots can be dragged
    """
    traces = [] if chosen is None else [_targets(scores, chosen)]
    aside = (np.arange(len(systems)) - (len(systems) - 1) / 2) * 0.09
    for s, name in enumerate(systems):
        x = np.arange(len(topics)) + aside[s]
        goals = [[_goal(scores, s, t, stop, float(at)) for stop in STOPS] for t, at in enumerate(x)]
        traces.append(
            scatter(
                x=x,
                y=np.round(scores[:, s], 4),
                mode="markers",
                name=plotly_escape(name),
                hovertemplate="%{y:.3f}<extra>%{fullData.name}</extra>",
                marker={"symbol": MARKERS[s], "size": 12 if s == chosen else 10, "color": PALETTE[s]},
                meta={"drag": goals} if movable else None,
            )
        )
    x_axis = {"tickvals": list(range(len(topics))), "ticktext": list(topics), "range": [-0.5, len(topics) - 0.5]}
    y_axis = {"title": {"text": "score on the topic"}, "range": [-0.05, 1.05]}
    return chart(traces, 330, x_axis, y_axis, clickmode="event+select")


def _targets(scores: Floats, chosen: int) -> Trace:
    """Faint points that show where a click moves the dots of a system."""
    goals = [_goal(scores, chosen, t, stop, t) for t in range(len(scores)) for stop in STOPS]
    return scatter(
        x=[goal["x"] for goal in goals],
        y=[goal["y"] for goal in goals],
        mode="markers",
        showlegend=False,
        marker={"size": 9, "color": PALETTE[chosen], "opacity": 0.14, "symbol": "line-ew-open"},
        customdata=[goal["given"] for goal in goals],
        hovertemplate="%{y:.2f}<extra></extra>",
        selected={"marker": {"opacity": 0.14}},
        unselected={"marker": {"opacity": 0.14}},
    )


def _goal(scores: Floats, s: int, t: int, stop: float, x: float) -> dict[str, Any]:
    """A place for the dot of a system on a topic, and the rows of scores that this means."""
    row = [*scores[:t, s], stop, *scores[t + 1 :, s]]
    given = [",".join(f"{score:g}" for score in row) if n == s else None for n in range(scores.shape[1])]
    return {"x": round(x, 3), "y": float(stop), "given": given}


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


# -- figures by name ------------------------------------------------------------------------------------


def _scores_words(scores: Floats) -> str:
    rows = (f"{name} {', '.join(number(x) for x in scores[:, s])}" for s, name in enumerate(SYSTEMS))
    return f"Scores by topic: {'; '.join(rows)}."


def dots(values: Values) -> Drawing:
    """The scores."""
    scores = table_of(values)
    return Drawing(score_dots(scores, SYSTEMS, TOPICS), "Four systems on five topics", _scores_words(scores))


def movable_dots(values: Values) -> Drawing:
    """The scores as dots to drag; a click moves those of one system."""
    scores, chosen = table_of(values), ROW_CONTROLS.index(values["who"])
    hint = f"drag a dot, or click in a column to move {SYSTEMS[chosen]} there"
    drawn = score_dots(scores, SYSTEMS, TOPICS, chosen, movable=True)
    return Drawing(drawn, "The scores of the topics", _scores_words(scores), ROW_CONTROLS, hint)


def medals(values: Values) -> Drawing:
    """The scores as dots to drag, and above them who wins by each of six averages."""
    scores = table_of(values)
    drawn = score_dots(scores, SYSTEMS, TOPICS, movable=True)
    means = six_means(scores, 10.0 ** values["log"])
    won = [winners(row) for row in means.values()]
    names = [", ".join(SYSTEMS[i] for i in first) for first in won]
    row = scatter(
        x=np.linspace(-0.2, len(TOPICS) - 0.8, len(won)).round(3),
        y=[0] * len(won),
        mode="markers+text",
        text=[f"<b>{name}</b>: {who}" for name, who in zip(means, names, strict=True)],
        textposition="top center",
        marker={
            "size": 15,
            "symbol": [MARKERS[first[0]] for first in won],
            "color": [PALETTE[first[0]] for first in won],
            "line": {"color": "#E69F00", "width": 3},
        },
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
        yaxis="y2",
    )
    axes = {
        "yaxis": {**drawn._layout["yaxis"], "domain": [0, 0.8]},
        "yaxis2": {"visible": False, "range": [-0.6, 1.2], "domain": [0.84, 1], "anchor": "x"},
    }
    whole = extended(drawn, [row], **axes)
    told = ", ".join(f"{name} {who}" for name, who in zip(means, names, strict=True))
    words = f"Winners: {told}. {_scores_words(scores)}"
    return Drawing(whole, "The winner by each of six averages", words, ROW_CONTROLS, "drag a dot")


def gathered(values: Values) -> Drawing:
    """The scores of every system gather at their mean."""
    return _gathered(table_of(values), None)


def gathered_without(values: Values) -> Drawing:
    """The means move when the winner's best topic is left out."""
    scores = table_of(values)
    return _gathered(scores, top_topic(scores))


def _gathered(scores: Floats, out: int | None) -> Drawing:
    """One column per system: its scores, and a diamond at their mean; frames move what makes the mean."""
    count = len(SYSTEMS)
    kept = [t for t in range(len(TOPICS)) if t != out]
    mean = scores[kept].mean(axis=0)
    columns = np.arange(count)
    aside = (np.arange(len(TOPICS)) - 2) * 0.06
    places = (columns[None, :] + aside[:, None]).ravel()
    faint = scatter(
        x=places.round(3),
        y=scores.ravel().round(4),
        mode="markers",
        marker={
            "size": 9,
            "color": GREY,
            "symbol": ["x" if t == out else "circle" for t in range(len(TOPICS)) for _ in columns],
        },
        text=[topic for topic in TOPICS for _ in columns],
        hovertemplate="%{text}: %{y:.3f}<extra></extra>",
        showlegend=False,
    )
    if out is None:
        start = np.stack([places, scores.ravel()])
        end = np.stack([np.tile(columns, len(TOPICS)), np.tile(mean, len(TOPICS))])
    else:
        start, end = np.stack([columns, scores.mean(axis=0)]), np.stack([columns, mean])
    colours = [PALETTE[s] for s in columns] * (end.shape[1] // count)
    moved = scatter(
        x=end[0].round(3),
        y=end[1].round(4),
        mode="markers",
        marker={"size": 15, "symbol": "diamond", "color": colours, "opacity": 0.85},
        hoverinfo="skip",
        showlegend=False,
    )
    labels = scatter(
        x=columns + 0.16,
        y=mean.round(4),
        mode="text",
        text=[f"<b>{number(float(x))}</b>" for x in mean],
        textposition="middle right",
        hoverinfo="skip",
        showlegend=False,
    )
    x = {"tickvals": columns, "ticktext": list(SYSTEMS), "range": [-0.5, count - 0.3]}
    y = {"title": {"text": "score on a topic"}, "range": [-0.05, 1.05]}
    way = np.linspace(0, 1, 50) ** 2
    frames = [
        [
            {"x": ((1 - t) * start[0] + t * end[0]).round(3), "y": ((1 - t) * start[1] + t * end[1]).round(4)},
            {"y": mean.round(4) if n == len(way) - 1 else np.full(count, -2.0)},  # below what is seen
        ]
        for n, t in enumerate(way)
    ]
    left = f" without {TOPICS[out]}" if out is not None else ""
    told = ", ".join(f"{name} {number(float(m))}" for name, m in zip(SYSTEMS, mean, strict=True))
    return Drawing(
        moving(chart([faint, moved, labels], 330, x, y), frames, [1, 2]),
        f"The arithmetic mean of every system{left}",
        f"Arithmetic means{left}: {told}.",
    )


def means(values: Values) -> Drawing:
    """Every system by every average."""
    return _means(table_of(values), 10.0 ** values["log"])


def _means(scores: Floats, eps: float) -> Drawing:
    found = six_means(scores, eps)
    won = {name: winners(row) for name, row in found.items()}
    drawn = by_mean(list(found), SYSTEMS, np.stack(list(found.values())), list(won.values()))
    told = "; ".join(
        f"{name}: {quoted_systems(won[name])} with {number(float(row.max()))}" for name, row in found.items()
    )
    words = f"Four systems under six averages; the winners: {told}."
    return Drawing(drawn, "Which system wins by which average: the ring marks the winner", words)


def over_eps(values: Values) -> Drawing:
    """An ε-adjusted mean over ε; frames move a dot per system from the smallest ε to the chosen one."""
    scores, how, eps = table_of(values), values["along"], 10.0 ** values["log"]
    curve = np.stack([aggregate(scores, how, float(e)) for e in GRID])
    curve = np.where(np.abs(curve) < 1e-12, 0.0, curve)  # ε − ε is 0
    drawn = along_eps(GRID, SYSTEMS, curve, aggregate(scores, "mean"), eps)
    ways = 10.0 ** np.linspace(-6, np.log10(eps), 60) if eps > 1e-6 else np.full(60, eps)
    ways[-1] = eps
    heights = [aggregate(scores, how, float(at)).round(5) for at in ways]
    here = scatter(
        x=[eps] * len(SYSTEMS),
        y=heights[-1],
        mode="markers",
        marker={"size": 13, "color": [PALETTE[s] for s in range(len(SYSTEMS))]},
        hoverinfo="skip",
        showlegend=False,
    )
    whole = extended(drawn, [here])
    frames = [[{"x": [float(at)] * len(SYSTEMS), "y": y}] for at, y in zip(ways, heights, strict=True)]
    said = [
        f"ε = {at:.2g}: {', '.join(SYSTEMS[i] for i in winners(y))} first" for at, y in zip(ways, heights, strict=True)
    ]
    words = handover_words(scores, how)
    return Drawing(moving(whole, frames, [len(drawn._data)], said), f"The ε-{how} mean from small to large ε", words)


def handover_words(scores: Floats, how: str) -> str:
    """Which system is first with which ε."""
    changes = handovers(scores, how)
    text = f"With the smallest ε the ε-{how} mean puts {quoted_systems(changes[0][1])} first"
    if len(changes) == 1:
        return f"{text}, and so it does for every ε up to 100."
    later = [f"{quoted_systems(first)} from ε ≈ {eps:.3g}" for eps, first in changes[1:]]
    best = quoted_systems(winners(scores.mean(axis=0)))
    return f"{text}; then {', '.join(later)}. The arithmetic mean puts {best} first."


def standardised(values: Values) -> Drawing:
    """Every topic before and after standardising."""
    scores = table_of(values)
    standard = standardise(frame_of(scores)).to_numpy()
    grid = np.linspace(0, 1, 61)
    curves = np.stack([np.stack([smoothed(row, grid) for row in both]) for both in (scores, standard)])
    drawn = standardised_rows(TOPICS, scores, standard, SYSTEMS, curves)
    return Drawing(drawn, "Every topic before and after standardising", spread_words(scores, standard))


def frame_of(scores: Floats) -> pd.DataFrame:
    """The scores with the names of topics and systems."""
    return pd.DataFrame(scores, index=list(TOPICS), columns=list(SYSTEMS))


def spread_words(raw: Floats, standard: Floats) -> str:
    """How far the topics spread the systems, before and after standardising."""
    wide, even = raw.std(axis=1, ddof=1), standard.std(axis=1, ddof=1)
    telling = wide > 1e-12
    if not telling.any():
        return "On every topic all systems score the same, so standardising has nothing to spread."
    alike = [TOPICS[i] for i in np.flatnonzero(~telling)]
    a, b = int(wide.argmax()), int(np.where(telling, wide, np.inf).argmin())
    kept = even[telling]
    if a == b or wide[a] - wide[b] < 1e-9:
        text = f"As they are, the topics spread the systems alike (standard deviation {number(wide[a])})"
    else:
        text = (
            f"As they are, {TOPICS[a]} spreads the systems most (standard deviation {number(wide[a])}) and {TOPICS[b]} "
            f"least ({number(wide[b])})"
        )
    after = (
        f"the spread is {number(kept.min())}"
        if kept.max() - kept.min() < 5e-4
        else f"the spreads lie between {number(kept.min())} and {number(kept.max())}"
    )
    if not alike:
        return f"{text}; standardised, {after}, so every topic counts alike."
    none = f"{listed(alike, joiner='and')} {verb(len(alike), 'does', 'do')} not separate the systems"
    return f"{text}; standardised, {after}. {none}, before or after."


def split(values: Values) -> Drawing:
    """Systems by their ranks on two halves of the topics, by the arithmetic mean."""
    at = int(np.abs(SHARES - values["hard"]).argmin())
    return deal_drawing(repeated_rankings().dealt[AM][at], int(values["deal"]), AM)


def splits(values: Values) -> Drawing:
    """τ between the halves by both means, split after split."""
    at = int(np.abs(SHARES - values["hard"]).argmin())
    return split_dots({name: every[at].tau for name, every in repeated_rankings().dealt.items()})


def quiz_dots(values: Values) -> Drawing:
    """The scores of a question of the quiz."""
    _, scores = drawn_scores(int(values["seed"]))
    return Drawing(score_dots(scores, SYSTEMS, TOPICS), "Four systems on five topics", _scores_words(scores))


def quiz_means(values: Values) -> Drawing:
    """Every system of a question by every average."""
    return _means(drawn_scores(int(values["seed"]))[1], EPS)


FIGURES = {
    "dots": dots,
    "scores": movable_dots,
    "medals": medals,
    "gathered": gathered,
    "without": gathered_without,
    "means": means,
    "eps": over_eps,
    "standard": standardised,
    "split": split,
    "splits": splits,
    "quiz": quiz_dots,
    "quiz-means": quiz_means,
}
