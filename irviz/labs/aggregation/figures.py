"""Four systems on five topics: dots to drag, means, six averages, ε, halves of the topics."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.axes import axis, chart, line_at, padded_range
from irviz.figures.densities import decimal
from irviz.figures.motion import following, moving
from irviz.figures.theme import MARKERS, PALETTE, Trace, scatter
from irviz.figures.unchecked import layout_of, traces_of
from irviz.labs.aggregation import model
from irviz.labs.aggregation.model import Floats
from irviz.labs.charts import blend, curve, extend, silent
from irviz.stats.aggregate import aggregate
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import extremes, number, written_out

COLOURS = PALETTE[: len(model.SYSTEMS)]
STOPS = np.round(np.linspace(0, 1, 21), 2)  #: the scores that a click can give


def score_dots(scores: Floats, movable: bool = False) -> go.Figure:
    """One column per topic, one dot per system, which can be dragged if `movable`; scores: topics × systems."""
    traces = []
    columns = np.arange(len(model.TOPICS))
    for s, name in enumerate(model.SYSTEMS):
        x = columns + (s - (len(model.SYSTEMS) - 1) / 2) * 0.09
        goals = [_goals(scores, s, t, float(at)) for t, at in enumerate(x)]
        traces.append(
            scatter(
                x=x,
                y=np.round(scores[:, s], 4),
                mode="markers",
                name=name,
                hovertemplate="%{y:.3f}<extra>%{fullData.name}</extra>",
                marker={"symbol": MARKERS[s], "size": 11, "color": PALETTE[s]},
                meta={"drag": goals} if movable else None,
            )
        )
    x_axis = {"tickvals": columns, "ticktext": list(model.TOPICS), "range": [-0.5, len(model.TOPICS) - 0.5]}
    return chart(traces, 330, x_axis, axis("score on the topic", [-0.05, 1.05]), clickmode="event+select")


def _goals(scores: Floats, s: int, t: int, x: float) -> list[dict[str, Any]]:
    """The places for the dot of a system on a topic, and the rows of scores that each means."""
    above, below = ([f"{score:g}" for score in part] for part in (scores[:t, s], scores[t + 1 :, s]))
    rows = [",".join([*above, f"{stop:g}", *below]) for stop in STOPS]
    texts = [[row if n == s else None for n in range(scores.shape[1])] for row in rows]
    return [{"x": round(x, 3), "y": float(stop), "given": text} for stop, text in zip(STOPS, texts, strict=True)]


def along_eps(eps: Floats, values: Floats, reference: Floats, now: float) -> go.Figure:
    """One line per system over ε; a triangle at the right end at its arithmetic mean.  values: ε × systems."""
    look = {"mode": "lines", "hovertemplate": "%{y:.3f}"}
    lines = [curve(name, eps, values[:, s], s, **look) for s, name in enumerate(model.SYSTEMS)]
    ends = scatter(
        x=[3 * eps[-1]] * len(model.SYSTEMS),
        y=np.round(reference, 5),
        mode="markers",
        name="arithmetic mean",
        cliponaxis=False,
        marker={"symbol": "triangle-left-open", "size": 11, "color": list(COLOURS)},
        hoverinfo="skip",
    )
    first, last = round(np.log10(eps[0])), round(np.log10(eps[-1]))
    powers = [10.0**power for power in range(first, last + 1, 2)]
    places = [first - 0.2, last + 1.6]  # there is room for a prediction
    x = axis("ε (logarithmic)", places, type="log", tickvals=powers, ticktext=[decimal(power) for power in powers])
    y = axis("score of a system", padded_range(np.concatenate([values.ravel(), reference])))
    return chart([*lines, ends], 350, x, y, [line_at(x=now)])


# -- figures by name ------------------------------------------------------------------------------------


def _scores_words(scores: Floats) -> str:
    rows = (f"{name} {', '.join(number(x) for x in scores[:, s])}" for s, name in enumerate(model.SYSTEMS))
    return f"Scores by topic: {'; '.join(rows)}."


def dots(values: Values) -> Drawing:
    """The scores."""
    scores = model.table_of(values)
    return Drawing(score_dots(scores), "Four systems on five topics", _scores_words(scores))


def medals(values: Values) -> Drawing:
    """The scores as dots to drag, and above them who wins by each of six averages, while a dot is dragged, too."""
    scores, eps = model.table_of(values), 10.0 ** values["log"]
    dots_fig = score_dots(scores, movable=True)
    means = model.six_means(scores, eps)
    won = [extremes(row) for row in means.values()]
    placement = {"xaxis": "x2", "yaxis": "y2", "cliponaxis": False, "textfont": {"size": 11}}
    row = silent(mode="markers+text", textposition="top center", **_medals(list(means), won), **placement)
    best = [_first_and_next(mean, first) for mean, first in zip(means.values(), won, strict=True)]
    values_below = silent(list(range(len(won))), [-1.15] * len(won), "text", text=best, **placement)
    axes = {
        "yaxis": {**layout_of(dots_fig)["yaxis"], "domain": [0, 0.7]},
        "xaxis2": {"visible": False, "range": [-0.5, len(won) - 0.5], "anchor": "y2"},
        "yaxis2": {"visible": False, "range": [-1.5, 1.2], "domain": [0.76, 1], "anchor": "x2"},
    }
    unknown = {"text": [""] * len(won)}  # the values, while a dot is held
    leads = _won(traces_of(dots_fig), scores, eps)
    distinct = {str(winners): winners for winners in leads}
    outcomes = {name: [_medals(list(means), winners), unknown] for name, winners in distinct.items()}
    count = len(traces_of(dots_fig))
    dots_fig = extend(dots_fig, [row, values_below], **axes)
    fig = following(dots_fig, outcomes, list(map(str, leads)), [count, count + 1])
    wins = ", ".join(f"{name} {_names(who)}" for name, who in zip(means, won, strict=True))
    alt, title = f"Winners: {wins}. {_scores_words(scores)}", "The winner by each of six averages, and who is next"
    return Drawing(fig, title, alt, model.ROW_CONTROLS, "drag a dot")


def _first_and_next(mean: Floats, won: Sequence[int]) -> str:
    """The highest mean, and below it the next one with its systems."""
    rest = np.delete(mean, won)
    behind = [s for s in range(len(mean)) if rest.size and s not in won and rest.max() - mean[s] < 1e-9]
    return f"{number(float(mean.max()))}<br>{f'{_names(behind)} {number(float(rest.max()))}' if behind else ''}"


def _names(systems: Sequence[int]) -> str:
    return ", ".join(model.SYSTEMS[i] for i in systems)


def _medals(means: Sequence[str], won: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Places, texts and markers of the medals: for each average one of every winner, side by side."""
    each = [(n, k, s) for n, first in enumerate(won) for k, s in enumerate(first)]
    marker = {
        "size": 15,
        "symbol": [MARKERS[s] for *_, s in each],
        "color": [PALETTE[s] for *_, s in each],
        "line": {"color": "#E69F00", "width": 3},
    }
    x = [round(n + (k - (len(won[n]) - 1) / 2) * 0.24, 2) for n, k, _ in each]
    words = [f"<b>{means[n]}</b>: {_names(won[n])}" if k == (len(won[n]) - 1) // 2 else "" for n, k, _ in each]
    return {"x": x, "y": [0] * len(x), "text": words, "marker": marker}


def _won(dots: Sequence[Trace], scores: Floats, eps: float) -> list[list[list[int]]]:
    """The winners by each average at every place to which a dot can be dragged."""
    goals = [(s, t, goal) for s, dot in enumerate(dots) for t, to in enumerate(dot["meta"]["drag"]) for goal in to]
    rows = np.array([[*scores[:t, s], goal["y"], *scores[t + 1 :, s]] for s, t, goal in goals])
    now, then = model.six_means(scores, eps), model.six_means(rows.T, eps)
    masks = [np.arange(len(model.SYSTEMS)) == s for s, *_ in goals]
    return [[extremes(np.where(at, then[name][n], now[name])) for name in now] for n, at in enumerate(masks)]


def gathering_scores(values: Values, drop_topic: bool = False) -> Drawing:
    """The scores of every system gather at their mean; with `drop_topic` the means lose the winner's best topic."""
    scores = model.table_of(values)
    top = model.top_topic(scores, values["out"])
    out, named = top if drop_topic else None, np.repeat(model.TOPICS, len(model.SYSTEMS))
    count, columns = len(model.SYSTEMS), np.arange(len(model.SYSTEMS))
    mean = np.delete(scores, [] if out is None else out, axis=0).mean(axis=0)
    places = (columns[None, :] + (np.arange(len(model.TOPICS))[:, None] - 2) * 0.06).ravel()
    goals = [_goals(scores, n % count, n // count, float(x)) for n, x in enumerate(places)]
    label = -1 if top is None else top * count + int(scores[top].argmax())  # the topic is named at its highest dot
    clicks = np.where(np.arange(5) == out, "none", model.TOPICS)  # of the topic that is left out: it is back
    faint = scatter(
        meta=None if drop_topic else {"drag": goals},
        x=places.round(3),
        y=scores.ravel().round(4),
        mode="markers+text",
        marker={
            "size": 9,
            "color": list(COLOURS) * len(model.TOPICS),
            "opacity": 0.55,
            "symbol": np.repeat(np.where(np.arange(5) == out, "x", "circle"), count),
        },
        text=np.where(np.arange(scores.size) == label, named, ""),
        textposition="top center",
        hovertext=named,
        customdata=np.repeat(clicks, count)[:, None].tolist(),
        hovertemplate="%{hovertext}: %{y:.3f}<extra></extra>",
        showlegend=False,
        unselected={"marker": {"opacity": 0.55}},  # a click fades nothing
    )
    if out is None:
        start, end = np.stack([places, scores.ravel()]), np.tile([columns, mean], len(model.TOPICS))
    else:
        start, end = np.stack([columns, scores.mean(axis=0)]), np.stack([columns, mean])
    colours = list(COLOURS) * (end.shape[1] // count)
    look = {"size": 26, "symbol": "line-ew", "line": {"color": colours, "width": 3}}  # which hides no dot
    moved = silent(end[0].round(3), end[1].round(4), "markers", marker=look, unselected={"marker": {"opacity": 1}})
    words = [f"<b>{number(float(x))}</b>" for x in mean]
    labels = silent(columns + 0.27, mean.round(4), "text", text=words, textposition="middle right")
    x = {"tickvals": columns, "ticktext": list(model.SYSTEMS), "range": [-0.5, count - 0.3]}
    frames = [[dict(zip("xy", blend(start, end, t), strict=True))] for t in np.linspace(0, 1, 50) ** 2]
    fig = chart([faint, moved, labels], 330, x, axis("score on a topic", [-0.05, 1.05]))
    if not drop_topic:
        means = _means(scores)
        fig = following(fig, dict(enumerate(means)), range(len(means)), [1, 2])
    suffix = f" without {model.TOPICS[out]}" if out is not None else ""
    means_text = ", ".join(f"{name} {number(float(m))}" for name, m in zip(model.SYSTEMS, mean, strict=True))
    captions = [f"to the means{suffix}"] * (len(frames) - 1)
    animated, picks = moving(fig, frames, [1], [*captions, "the means"]), ("out",) if drop_topic else model.ROW_CONTROLS
    hint = "click a dot to leave out its topic, or to put it back" if drop_topic else "drag a dot"
    return Drawing(
        animated, f"The arithmetic mean of every system{suffix}", f"Means{suffix}: {means_text}.", picks, hint
    )


def _means(scores: Floats) -> list[list[Trace]]:
    """The means at every place to which a dot can be dragged, and their labels."""
    traces: list[list[Trace]] = []
    for (t, s), stop in product(np.ndindex(*scores.shape), STOPS):
        mean = scores.mean(axis=0)
        mean[s] += (stop - scores[t, s]) / len(scores)
        at = mean.round(4).tolist()
        traces.append([{"y": at * len(scores)}, {"y": at, "text": [f"<b>{number(x)}</b>" for x in mean.tolist()]}])
    return traces


def over_eps(values: Values) -> Drawing:
    """An ε-adjusted mean over ε; frames move a dot per system from the smallest ε to the largest."""
    scores, how, eps = model.table_of(values), values["along"], 10.0 ** values["log"]
    over = np.stack([aggregate(scores, how, float(e)) for e in model.GRID])
    over = np.where(np.abs(over) < 1e-12, 0.0, over)  # ε − ε is 0
    fig = along_eps(model.GRID, over, aggregate(scores, "mean"), eps)
    ways, heights = model.GRID.tolist(), list(over.round(5))
    here = silent([ways[-1]] * len(model.SYSTEMS), heights[-1], "markers", marker={"size": 13, "color": list(COLOURS)})
    frames = [[{"x": [at] * len(model.SYSTEMS), "y": y}] for at, y in zip(ways, heights, strict=True)]
    captions = [f"ε = {written_out(at)}: {_names(extremes(y))} first" for at, y in zip(ways, heights, strict=True)]
    animated = moving(extend(fig, [here]), frames, [len(traces_of(fig))], captions)
    return Drawing(animated, f"The ε-{how} mean for every ε; dashed: the chosen ε", handover_words(scores, how))


def handover_words(scores: Floats, how: str) -> str:
    """Which system is first with which ε."""
    changes = model.handovers(scores, how)
    text = f"With the smallest ε the ε-{how} mean puts {model.quoted_systems(changes[0][1])} first"
    if len(changes) == 1:
        return f"{text}, and so it does for every ε up to 100."
    later = [f"{model.quoted_systems(first)} from ε ≈ {eps:.3g}" for eps, first in changes[1:]]
    best = model.quoted_systems(extremes(scores.mean(axis=0)))
    return f"{text}; then {', '.join(later)}. The arithmetic mean puts {best} first."


FIGURES = {
    "dots": dots,
    "medals": medals,
    "gathered": gathering_scores,
    "without": lambda values: gathering_scores(values, drop_topic=True),
    "eps": over_eps,
}
