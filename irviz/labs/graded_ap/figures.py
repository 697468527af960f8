"""GAP, xGAP and eGAP: for ten users, along the distribution g, in its triangle, and on a list that grows on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import number_of, verb
from irviz.figures.axes import axis, chart, line_at, padded_range
from irviz.figures.motion import following, moving
from irviz.figures.theme import BLUE, GREEN, GREY, SEQUENTIAL, VERMILION, Trace, plotly_escape, scatter
from irviz.figures.unchecked import traces_of
from irviz.labs.charts import SKY, below_lists, blend, levels, pillars, silent
from irviz.labs.documents import document_row, moves, run_rows
from irviz.labs.graded_ap import model
from irviz.labs.lab import edits
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import change_words, number

Floats = NDArray[np.float64]
_BAR = {"color": SKY, "simplify": False}  #: plotly leaves out lines that are shorter than wide otherwise
MOST_PUSHED = 30  #: documents of a list that is drawn whole while others push it down
State = tuple[tuple[int, ...], tuple[float, ...], int | None]  #: a list, shares of users, and ranks seen, if not all
#: colour, dash and marker of each measure, everywhere in the lab
_STYLE = {
    "GAP": (BLUE, "solid", "circle"),
    "xGAP": (VERMILION, "dash", "square"),
    "eGAP": (GREEN, "dot", "diamond"),
    "AP": (GREY, "dashdot", "x"),
}


def growing_list(lengths: Floats, curves: Mapping[str, Floats], limits: Mapping[str, float], now: int) -> go.Figure:
    """Scores against the number of grade-1 documents on top, and the limits they approach."""
    goals = [
        silent(
            [lengths[0], lengths[-1]],
            [limit, limit],
            "lines",
            line={"color": _STYLE[name][0], "width": 1, "dash": "longdash"},
            opacity=0.8,
        )
        for name, limit in limits.items()
    ]
    ends = [-0.05, np.log10(float(lengths[-1])) + 0.05]
    x = axis("documents of grade 1 on top", ends, type="log", tickvals=[1, 10, 100, 1000])
    y = axis("score (long dashes: limits)", [-0.03, 1.05])
    return chart([*_lines(lengths, curves), *goals], 330, x, y, [line_at(x=now)] if now else [])


def _lines(x: Floats, curves: Mapping[str, Floats]) -> list[Trace]:
    """A line per measure."""
    return [
        scatter(
            x=np.round(x, 4),
            y=np.round(y, 4),
            mode="lines+markers",
            name=name,
            line={"color": _STYLE[name][0], "dash": _STYLE[name][1], "width": 2.4},
            marker={"symbol": _STYLE[name][2], "size": 6},
            hovertemplate="%{y:.3f}",
        )
        for name, y in curves.items()
    ]


def simplex(points: Floats, values: Floats, now: Sequence[float], name: str) -> go.Figure:
    """The triangle of all g over three grades, coloured by a score; a ring at the values of the sliders.

    Parameters
    ----------
    points : points × 3, each summing to 1
    values : by point
    """
    x, y = _flat(points)
    title = {"text": plotly_escape(name), "side": "right"}
    colours = {"colorscale": SEQUENTIAL, "cmin": 0, "cmax": 1, "colorbar": {"title": title, "thickness": 12}}
    dots = scatter(
        x=x,
        y=y,
        mode="markers",
        customdata=np.round(points, 4).tolist(),  # what a click carries must be plain rows
        showlegend=False,
        marker={"size": 15, "color": np.round(values, 4), **colours},
        text=[f"{value:.3f}" for value in values],
        hovertemplate="g = (%{customdata[0]}, %{customdata[1]}, %{customdata[2]}): %{text}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    here = _flat(np.array([now], dtype=np.float64))
    look = {"size": 22, "symbol": "circle-open", "color": VERMILION, "line": {"width": 3}}
    ring = silent(*here, mode="markers", marker=look)
    places = (("all g₁", 0.0, 0.0), ("all g₂", 1.0, 0.0), ("all g₃", 0.5, float(np.sqrt(3) / 2)))
    corners = [{"x": x, "y": y, "text": text, "showarrow": False, "yshift": 14 if y else -14} for text, x, y in places]
    across = {"visible": False, "range": [-0.12, 1.12]}
    up = {"visible": False, "range": [-0.16, 1.02], "scaleanchor": "x"}
    return chart([dots, ring], 330, across, up, clickmode="event+select", annotations=corners)


def _flat(points: Floats) -> tuple[Floats, Floats]:
    """The place of g in the plane: g_1 bottom left, g_2 bottom right, g_3 on top."""
    return np.round(points[:, 1] + points[:, 2] / 2, 5), np.round(np.sqrt(3) / 2 * points[:, 2], 5)


# -- figures by name ------------------------------------------------------------------------------------


def over_users(values: Values) -> Drawing:
    """The scores over g: a curve for two grades, a triangle for three."""
    grades, g = model.whole_list(values), model.shares(values)
    if len(g) == 3:
        return _triangle(values["show"], grades, g)
    scores = [model.graded_scores(grades, (x, round(1 - x, 6))) for x in model.SHARES_OF_USERS]
    curves = {name: np.array([row[name] for row in scores]) for name in (*model.GRADED_APS, "AP")}
    x = axis("g₁: users content with grade 1", [-0.02, 1.02])
    y = axis("score of the ranking", padded_range(np.concatenate([*curves.values(), [1.0]])))
    fig = chart(_lines(model.SHARES_OF_USERS, curves), 330, x, y, [line_at(x=g[0])])
    ends = "; ".join(f"{name} {change_words(y[0], y[-1])}" for name, y in curves.items())
    return Drawing(fig, "The same ranking for other users", f"Scores while g₁ grows from 0 to 1: {ends}.")


def _triangle(name: str, grades: tuple[int, ...], g: tuple[float, ...]) -> Drawing:
    points = np.array([(a, b, 10 - a - b) for a in range(11) for b in range(11 - a)]) / 10
    values = np.array([model.graded_scores(grades, tuple(point))[name] for point in points])
    ends = [f"({', '.join(number(float(x)) for x in points[i])})" for i in (values.argmax(), values.argmin())]
    alt = (
        f"{name} for every g in steps of 0.1: highest, {number(values.max())}, at g = {ends[0]}; "
        f"lowest, {number(values.min())}, at g = {ends[1]}."
    )
    fig = simplex(points, values, g, name)
    return Drawing(fig, f"{name} for all users", alt, ("g1", "g2", "g3"), "click to choose g")


def growing(values: Values) -> Drawing:
    """Scores under more and more documents of grade 1; frames draw the lines from left to right."""
    g, grades, top = model.shares(values), model.listed_grades(values), int(values["top"])
    lengths = sorted({*model.LENGTHS, max(1, top)})
    scores = [model.growing_scores(length, g, grades) for length in lengths]
    curves = {name: np.array([row[name] for row in scores]) for name in model.GRADED_APS}
    goals = {name: goal for name, goal in model.limits(g, grades).items() if g[0] > 0}
    x = np.array(lengths, dtype=np.float64)
    places = np.arange(len(lengths))
    reached = [np.minimum(places, last) for last in places]  # further points wait where the line ends
    frames = [[{"x": x[points], "y": np.round(y[points], 4)} for y in curves.values()] for points in reached]
    captions = [f"{length:,} on top: {_three((1,) * length + grades, g)}" for length in lengths]
    last = "; ".join(f"{name} reaches {number(curve[-1])}" for name, curve in curves.items())
    fig = below_lists(growing_list(x, curves, goals, top), {_row_name(top, grades): grades}, len(g), top)
    return Drawing(
        moving(fig, frames, list(range(len(curves))), captions),
        f"More and more documents of grade 1 on top{f'; dotted: {top:,} of them' if top else ''}",
        f"Scores against the number of documents of grade 1 on top of the ranking, 1 to 1,000: {last}.",
    )


def views(values: Values) -> Drawing:
    """The list as each kind of user sees it, with a tick for what they want."""
    grades, g = model.whole_list(values), model.shares(values)
    kinds = [(k, n) for k, n in enumerate(model.users(g), start=1) if n]
    rows = [grades, *(tuple(grade if grade >= k else 0 for grade in grades) for k, _ in kinds)]
    signs = [[str(grade) for grade in grades], *(["✓" if grade else "–" for grade in row] for row in rows[1:])]
    wanted = [(n, " or ".join(map(str, range(k, len(g) + 1)))) for k, n in kinds]
    words = ["grades", *(f"{number_of(n, 'user')} {verb(n, 'wants', 'want')}\ngrade {of}" for n, of in wanted)]
    rows_text = "; ".join(f"{name}: {', '.join(run)}" for name, run in zip(words, signs, strict=True)).replace(
        "\n", " "
    )
    return Drawing(run_rows(rows, words, len(g), signs), "One list, and what each of ten users wants", f"{rows_text}.")


def end(values: Values) -> Drawing:
    """The list below the documents on top, which are too many to draw."""
    grades, top = model.listed_grades(values), int(values["top"])
    above = f"{number_of(top, 'document')} of grade 1 above it" if top else "nothing above it"
    x = axis("rank", [top + 0.4, top + len(grades) + 0.6], dtick=1, showgrid=False)
    row = document_row(grades, int(values["c"]), offset=top)
    fig = chart([row], 110, x, {"visible": False, "range": [-0.6, 0.6]})
    return Drawing(fig, f"The end of the list, with {above}", f"Grades {', '.join(map(str, grades))}; {above}.")


def _bars(
    values: Values, states: Sequence[State], names: Sequence[str], captions: Any, title: str, tops: Sequence[int] = ()
) -> Drawing:
    """The AP of ten users as bars below the list or its end, and some measures (or the mean of what is seen) as lines.

    Frames lead from the first state to the last.  The axis says what users want where all states have the same shares.
    `tops` are how many documents are on top in each state: they push the list down, if there is room for all of it.
    """
    grades, aps = model.whole_list(values), [_by_user(*state) for state in states]
    scores = [
        [model.graded_scores(documents, g)[name] for name in names] if depth is None else [float(np.mean(by_user))]
        for (documents, g, depth), by_user in zip(states, aps, strict=True)
    ]
    same = len({g for _, g, _ in states}) == 1
    pushes = bool(tops) and len(grades) <= MOST_PUSHED
    above = 0 if pushes else max(0, len(grades) - max(10, len(values["grades"])))
    ends = [0.5, model.USERS + 0.5]
    bars = silent(**pillars(aps[-1]), mode="lines", line={**_BAR, "width": 22})
    wanted = _kinds(states[0][1]) if same else {"tickvals": list(range(1, model.USERS + 1))}
    x = axis("ten users", ends, showgrid=False, **wanted)
    now = dict(zip(names, scores[-1], strict=True))
    lines = levels(ends, now, [_STYLE[name][:2] for name in names])
    score = [f"{names[0]} {number(row[0])}" for row in scores]
    below = {"textposition": "bottom left", "cliponaxis": False}
    label = silent([ends[1]], [scores[-1][0] - 0.02], "text", text=score[-1:], **below)
    traces = [bars, *lines, *([label] if pushes else [])]
    fig = chart(traces, 330, x, axis("average precision of the user", [0, 1.05]))
    fig, words = _below_list(values, fig, above)
    if not tops:
        fig = _following(values, fig, states[-1][1], names)
    scores_text = ", ".join(f"{name} {number(score)}" for name, score in now.items())
    alt = f"The AP of each of {model.USERS} users: {', '.join(map(number, aps[-1]))}; {scores_text}."
    frames: list[list[Trace]] = []
    places = np.linspace(0, len(aps) - 1, max(40, len(aps)) if len(aps) > 1 else 0).tolist()
    for place in places:
        n = min(int(place), len(aps) - 2)
        by_user, lines = (blend(of[n], of[n + 1], place - n, 5) for of in (aps, scores))
        frames.append([pillars(by_user), *({"y": [float(score)] * 2} for score in lines)])
        if pushes:
            far = tops[-1] - float(blend(tops[n], tops[n + 1], place - n))  # documents that are still to come
            pushed_to = {"x": np.round(np.arange(1, len(grades) + 1) - far, 3)}
            frames[-1] += [{"y": [float(lines[0]) - 0.02], "text": [score[round(place)]]}, pushed_to]
    moved = range(len(frames[0]) if frames else 0)
    fig = moving(fig, frames, list(moved), [captions[round(place)] for place in places])
    return Drawing(fig, title, alt, ("grades",), words)


def _below_list(values: Values, fig: go.Figure, offset: int = 0) -> tuple[go.Figure, str]:
    """The figure below the list, of which `offset` documents are not drawn, and what can be done with the others."""
    grades, top, listed = model.whole_list(values), int(values["top"]), model.listed_grades(values)
    clicks, words = edits(values, listed, int(values["c"]))
    goals = [*[[]] * top, *moves(listed, range(top + 1, len(grades) + 1))][offset:]
    row = {_row_name(offset, grades[offset:]): grades[offset:]}
    look = {"customdata": [*[[None]] * top, *([text] for text in clicks)][offset:], "meta": {"drag": goals}}
    return below_lists(fig, row, max(2, *grades), offset, **look), words


def _following(values: Values, fig: go.Figure, g: tuple[float, ...], names: Sequence[str]) -> go.Figure:
    """The figure whose bars and lines follow a document that is dragged."""
    texts = [goal["given"][0] for to in traces_of(fig)[-1]["meta"]["drag"] for goal in to]
    lists = [(1,) * int(values["top"]) + tuple(map(int, text.split(","))) for text in texts]
    scores = {grades: [model.graded_scores(grades, g)[name] for name in names] for grades in set(lists)}
    outcomes = {
        grades: [pillars(_by_user(grades, g)), *({"y": [score] * 2} for score in row)] for grades, row in scores.items()
    }
    return following(fig, outcomes, lists, range(1 + len(names)))


def _kinds(g: tuple[float, ...]) -> dict[str, Any]:
    """Ticks below the users of each kind, with what they want."""
    of, c = model.users(g), len(g)
    ends = np.cumsum([0, *of])
    kinds = [(k, int(ends[k - 1]) + 1, int(ends[k])) for k in range(1, c + 1) if of[k - 1]]
    wants = ["content with<br>grade 1", *(f"want grade {k}<br>or better" for k in range(2, c)), f"want<br>grade {c}"]
    words = [f"{'user' if a == b else 'users'} {a if a == b else f'{a}–{b}'}:<br>{wants[k - 1]}" for k, a, b in kinds]
    return {"tickvals": [(a + b) / 2 for _, a, b in kinds], "ticktext": words, "tickangle": 0}


def _row_name(offset: int, grades: Sequence[int]) -> str:
    return f"the last {len(grades)} ranks" if offset else "the list"


def _by_user(grades: tuple[int, ...], g: tuple[float, ...], depth: int | None = None) -> list[float]:
    """AP of each of the ten users as far as they have seen the list; those content with grade 1 come first."""
    return [
        ap for ap, many in zip(model.own_ap(grades, len(g), depth), model.users(g), strict=True) for _ in range(many)
    ]


def user_aps(values: Values) -> Drawing:
    """The list, whose documents can be clicked, and below it every user's AP and three ways to average."""
    state = model.whole_list(values), model.shares(values), None
    return _bars(values, [state], tuple(model.GRADED_APS), (), "The list, and every user's AP")


def average(values: Values) -> Drawing:
    """Every user's AP, and their mean; frames walk down the list."""
    grades, g = model.whole_list(values), model.shares(values)
    states = [(grades, g, depth) for depth in range(len(grades) + 1)]
    means = [number(float(np.mean(_by_user(*state)))) for state in states]
    captions = ["before rank 1", *(f"after rank {n}: mean {mean}" for n, mean in enumerate(means[1:], start=1))]
    return _bars(values, states, ("eGAP",), captions, "Every user's AP, and the mean of the ten")


def one_pot(values: Values) -> Drawing:
    """The precisions of every user, in the place of the user; frames put all of them side by side into one pot."""
    state = model.whole_list(values), model.shares(values)
    precisions, scores = model.user_precisions(*state), model.graded_scores(*state)
    heights = [precision for of_user in precisions for precision in of_user]
    start = [
        (u + (n + 0.5) / len(of_user)) / model.USERS
        for u, of_user in enumerate(precisions)
        for n in range(len(of_user))
    ]
    end = (np.arange(len(heights)) + 0.5) / len(heights)
    ways = [0.0] * 10 + np.linspace(0, 1, 40).tolist()
    first_count = len(precisions[0])
    frames: list[list[Trace]] = [
        [
            pillars(heights[:first_count], blend(start, end, t)[:first_count]),
            pillars(heights[first_count:], blend(start, end, t)[first_count:]),
            {"y": np.repeat(blend(scores["eGAP"], scores["GAP"], t), 2)},
        ]
        for t in ways
    ]
    bars = [
        silent(**place, mode="lines", line={**_BAR, "width": max(2, 400 // max(40, len(heights))), "color": colour})
        for place, colour in zip(frames[-1], (VERMILION, SKY), strict=False)
    ]
    names = ("GAP", "eGAP")
    lines = levels([0, 1], {name: scores[name] for name in names}, [_STYLE[name][:2] for name in names])
    x = axis("all precisions; orange: those of user 1", [0, 1], showticklabels=False, showgrid=False)
    fig, words = _below_list(values, chart([*bars, *lines], 330, x, axis("precision", [0, 1.05])))
    captions = ["ten users, each counts the same"] * 10 + ["into one pot"] * 39
    captions.append(f"{len(heights)} precisions, each counts the same: GAP {number(scores['GAP'])}")
    alt = f"The {len(heights)} precisions of ten users: {', '.join(map(number, heights))}; their mean is GAP."
    title, fig = "From ten users who count the same into one pot: GAP", moving(fig, frames, [0, 1, 2], captions)
    return Drawing(fig, title, alt, ("grades",), words)


def pushed_list(values: Values) -> Drawing:
    """Documents of grade 1 push the list down: nine users sink, and GAP does not."""
    g, grades, top = model.shares(values), model.listed_grades(values), int(values["top"])
    tops = sorted({round(n) for n in np.linspace(0, top, min(top, 20) + 1)}) or [0]
    states = [((1,) * n + grades, g, None) for n in tops]
    captions = [f"{n} on top: GAP {number(model.growing_scores(n, g, grades)['GAP'])}" for n in tops]
    title = "Documents of grade 1 come on top of the list: every user's AP"
    return _bars(values, states, ("GAP", "eGAP"), captions, title, tops)


def changing_users(values: Values) -> Drawing:
    """Users who change their minds, one after the other, and the three measures."""
    shares = [(n / model.USERS, round(1 - n / model.USERS, 6)) for n in range(1, model.USERS + 1)]
    states = [(model.whole_list(values), g, None) for g in shares]
    captions = [
        f"{n} of {model.USERS} content with grade 1: {_three(*state[:2])}" for n, state in enumerate(states, start=1)
    ]
    return _bars(values, states, tuple(model.GRADED_APS), captions, "Every user's AP, and three ways to average")


def _three(grades: tuple[int, ...], g: tuple[float, ...]) -> str:
    scores = model.graded_scores(grades, g)
    return ", ".join(f"{name}\xa0{number(scores[name])}" for name in model.GRADED_APS)


FIGURES = {
    "g": over_users,
    "growing": growing,
    "views": views,
    "end": end,
    "average": average,
    "one-pot": one_pot,
    "pushed": pushed_list,
    "agreed": changing_users,
}
