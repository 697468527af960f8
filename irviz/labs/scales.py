"""Lab: measurement scales.  All lists of a few documents in their order, and whether a measure climbs it evenly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from irviz.errors import number_of
from irviz.figures.axes import axis, padded_range, rows
from irviz.figures.theme import BLUE, FAINT, GREEN, GREY, PURPLE, VERMILION, Trace, heatmap, scatter
from irviz.labs.charts import bars, silent
from irviz.labs.documents import shades
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import whole
from irviz.labs.screen import Handle, Mark, Screen
from irviz.stats.scales import ScaleType, scale_type
from irviz.workspace.control import Choice, Number, plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number
from irviz.workspace.view import View

MEASURES = {"RBP": "rank-biased precision (RBP)", "ERR": "expected reciprocal rank (ERR)", "P": "precision"}
MEANINGS = {
    "RBP": ("each\u00a0rank\u00a0", " times the rank above"),
    "ERR": ("a rank less if those above are better", ""),
    "P": ("every rank the same", ""),
}
NOW = "Now {measure}, {grades} grades: steps of {smallest step:.3f} to {largest step:.3f}."
STOPS = tuple(n / 30 for n in range(6, 29))  #: of p: in even steps, 1/3, 1/2 and 0.8 among them
ANSWERS = {"A": 0.3, "equal": 0.6, "B": 0.9}  #: of the guess, by their places from worst to best


@lru_cache(maxsize=256)
def _scale(expression: str, grades: int, depth: int) -> ScaleType:
    return scale_type(expression, grades=grades, depth=depth)


def chosen_scale(values: Values) -> ScaleType:
    """The measure over all lists in their order, with as many documents as are drawn."""
    grades, name = values["grades"], values["measure"]
    expression = f"RBP(p={plain(values['p'])})" if name == "RBP" else name
    return _scale(expression, grades, values["length"])


def falls(scale: ScaleType) -> int:
    """How many steps fall."""
    return int((scale.steps.sign < 0).sum())


def readings(values: Values) -> dict[str, Reading]:
    """The scale type of the measure and its steps."""
    scale = chosen_scale(values)
    _, a, b = neighbours(scale)
    return {
        "measure": values["measure"],
        "p": values["p"],
        "grades": len(scale.grades),
        "documents": scale.depth,
        "scale": scale.kind,
        "steps": len(scale.steps.sign),
        "smallest step": float(np.diff(scale.values).min()),
        "largest step": float(np.diff(scale.values).max()),
        "mean of A": a,
        "mean of B": b,
        "steps that fall": falls(scale),
        "heights of steps": len(np.unique(np.round(np.diff(scale.values), 9))),
    }


def neighbours(scale: ScaleType) -> tuple[int, float, float]:
    """The place of the list with the highest grade at rank 1 alone; the mean score of its neighbours; its score."""
    at = scale.runs.index((len(scale.grades) - 1,) + (0,) * (scale.depth - 1))
    return at, float(scale.values[at - 1] + scale.values[at + 1]) / 2, float(scale.values[at])


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    scale = chosen_scale(values)
    means, after = MEANINGS[values["measure"]]
    by = "the number with grade 2 decides first"
    if scale.order == "rank":
        by = "a better top rank beats all ranks below"
    elif len(scale.grades) == 2:
        by = "the number of relevant ones decides"
    return {
        "lists": f"{len(scale.runs)} {'lists' if scale.order == 'rank' else 'sets'}",
        "by": by,
        "means": means,
        "after": after,
    }


def figure(values: Values) -> Drawing:
    """The measure over all lists, falls in orange; the height of every step; the lists themselves."""
    scale = chosen_scale(values)
    rho, heights = scale.rho.astype(float), np.round(scale.values, 5)
    step, sign = np.diff(heights), scale.steps.sign
    falling = [(x, height) for n in range(len(step)) for x, height in _corner(rho, heights, n, sign[n] < 0)]
    few = len(scale.runs) <= 40
    marks = "□■" if len(scale.grades) == 2 else "012"
    names = ["".join(marks[grade] for grade in run) for run in scale.runs]
    upper = [
        silent(
            [rho[0], rho[-1]],
            heights[[0, -1]].tolist(),
            "lines+text",
            line={"color": GREY, "dash": "dash"},
            text=["", "equal steps" if heights[-1] < 0.75 else ""],
            textposition="top left",
        ),
        scatter(
            x=rho.tolist(),
            y=heights.tolist(),
            mode="lines",
            line={"color": BLUE, "width": 2.5, "shape": "hv", "simplify": False},
            text=names,
            hovertemplate="%{text}: %{y:.4f}<extra></extra>",
            showlegend=False,
        ),
        silent(
            [x for x, _ in falling],
            [y for _, y in falling],
            "lines",
            line={"color": VERMILION, "width": 5 if few else 2, "simplify": False},
        ),
        silent(
            rho[1:].tolist(),
            np.where(sign < 0, heights[1:], -9).tolist(),
            "markers",
            marker={"symbol": "triangle-down", "size": 10 if few else 5, "color": VERMILION},
        ),
        *_means(scale, bool(values["pair"])),
    ]
    middle = [
        silent(**bars(rho[:-1] + 0.1, rho[1:] - 0.1, np.where(which, step, 0)), fillcolor=colour)
        for which, colour in ((sign >= 0, BLUE), (sign < 0, VERMILION))
    ]
    hidden = {"visible": False, "range": [scale.depth + 1.4, 0.4]}
    ys = [
        axis(values["measure"], [-0.05, 1.8], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1]),
        axis("step to the<br>next list", _room(values, step)),
        hidden,
    ]
    ends = [rho[0] - 0.7, rho[-1] + 0.7]
    each = "list, rank 1 on top" if scale.order == "rank" else "set"
    key = "blue: relevant" if len(scale.grades) == 2 else "weak blue: grade 1, strong blue: grade 2"
    x = axis(f"each column is a {each}<br>{key}", ends, showticklabels=False, ticks="", showgrid=False, zeroline=False)
    fig = rows([upper, middle, _columns(scale)], [0.6, 0.2, 0.2], 540, x, ys, gap=0.04)
    alt = f"{scale.measure} of {number_of(len(names), 'list')}, worst first: {', '.join(map(number, heights[:40]))}."
    return Drawing(fig, "", alt)


def mark_place(values: Values) -> tuple[float, float]:
    """On the left, or at the guess."""
    return ANSWERS.get(values["guess"], 0.07) * (len(chosen_scale(values).runs) - 1), 1.23


def _room(values: Values, step: Any) -> list[float]:
    """The ends of the axis of steps; of RBP for every p at which its handle stops."""
    if values["measure"] != "RBP":
        return padded_range(step, 0.08)
    ends = (np.diff(chosen_scale({**values, "p": p}).values) for p in (*STOPS, values["p"]))
    return padded_range(np.concatenate(list(ends)), 0.08)


def _corner(rho: Any, heights: Any, n: int, falls: bool) -> list[tuple[float | None, float | None]]:
    """The upright part of a step that falls; a step that does not has as many points in one place."""
    after = heights[n + 1] if falls else None
    return [(rho[n + 1], heights[n] if falls else None), (rho[n + 1], after), (rho[n + 1], None)]


def headline(scale: ScaleType) -> str:
    """How many steps fall; where none does, whether all are equal."""
    if fall := falls(scale):
        return f"{fall} of {len(scale.runs) - 1} steps fall"
    return "all steps equal" if scale.kind == "interval" else "unequal steps"


def _means(scale: ScaleType, is_shown: bool) -> list[Trace]:
    """The headline; what can be guessed; if shown, the lists of systems A and B, and the mean score of either."""
    at, a, b = neighbours(scale)
    places, colours = [at - 1, at + 1, at], [GREEN, GREEN, PURPLE]
    x = [float(scale.rho[n]) if is_shown else None for n in places]
    y = [float(scale.values[n].round(5)) for n in places]
    look = {
        "text": list("AAB"),
        "textposition": ["middle left", "middle right", "bottom center"],
        "textfont": {"size": 15, "color": colours},
        "marker": {"size": 12 if len(scale.runs) <= 20 else 7, "color": colours, "opacity": 1.0},
    }
    left, right = float(scale.rho[0]), float(scale.rho[-1])
    words = [f"A: {a:.3f}", "=" if abs(a - b) < 1e-9 else "≠", f"B: {b:.3f}"] if is_shown else list(ANSWERS)
    inks = {"size": 15, "color": [GREEN, GREY, PURPLE]}
    return [
        silent(x[:2], y[:2], "lines", line={"color": GREEN, "width": 2}),
        silent(x, y, "markers+text", **look),
        silent([share * right for share in ANSWERS.values()], [1.06] * 3, "text", text=words, textfont=inks),
        silent([left], [1.65], "text", text=[headline(scale)], textposition="middle right", textfont={"size": 30}),
    ]


def _columns(scale: ScaleType) -> list[Trace]:
    """Every list as a column of cells, rank 1 on top; below it a mark at that of system B."""
    top = len(scale.grades) - 1
    cells = np.transpose(scale.runs).tolist()
    fills = [FAINT, *shades(range(1, top + 1), top)[0]]
    flat = [((grade + side) / len(fills), fill) for grade, fill in enumerate(fills) for side in (0, 1)]
    scales = {"colorscale": flat, "zmin": -0.5, "zmax": top + 0.5, "showscale": False}
    gaps = {"xgap": int(len(scale.runs) <= 40), "ygap": 3, "hoverinfo": "skip"}
    mark = {"text": ["▲"], "textfont": {"size": 14, "color": PURPLE}}
    return [
        heatmap(x=scale.rho.tolist(), y=list(range(1, scale.depth + 1)), z=cells, **scales, **gaps),
        silent([float(scale.rho[neighbours(scale)[0]])], [scale.depth + 0.9], "text", **mark),
    ]


def data(values: Values) -> tuple[str, View]:
    """What equal steps change about comparisons of systems."""
    return "What equal steps change on real data", View.from_texts("equal_steps", collection="dl2021", measures="RR@10")


LAB = Screen(
    name="lab_scales",
    title="The straight line",
    question="Does a score rise in equal steps from the worst list to the best?",
    controls=(
        Choice(name="measure", label="Measure", default="RBP", options=tuple(MEASURES.items())),
        Number(name="p", label="p: probability of reading on", default=0.8, low=0.2, high=0.95),
        whole("length", "Documents in a list", 4, (2, 5), "All lists of this length are drawn."),
        whole("grades", "Number of grades, including 0", 2, (2, 3), "2 is relevant or not."),
        Choice(name="pair", label="Means of systems A and B", default="", options=(("", "not shown"), ("AB", "shown"))),
        Choice(name="guess", label="Guess", default="", options=(("", "?"), *((name, name) for name in ANSWERS))),
    ),
    text="Here are all {=lists} of {length} documents, {grades}, from worst (left) to best (right): {=by}. A step "
    "leads from one list to the next. {measure} counts {=means}{p}{=after}.",
    guess="On two topics, B has the list ▲ twice, A the lists beside it. Whose mean is higher? Drag the violet mark.",
    answer=lambda values: (
        "A is a step worse on one topic, a step better on the other. With equal steps their means are equal."
    ),
    mark=Mark(stops=tuple(ANSWERS), place=mark_place, answers={"pair": "AB"}),
    handles={
        "p": Handle(
            label="p, the probability of reading on",
            stops=lambda values: sorted({*STOPS, values["p"]}) if values["measure"] == "RBP" else [values["p"]],
            words=lambda p: f"{p:.3f}",
            live=True,
        ),
        "length": Handle(label="Documents in a list", stops=lambda _: (2, 3, 4, 5)),
        "grades": Handle(
            label="Grades, including 0",
            stops=lambda _: (2, 3),
            words=lambda grades: "relevant or not" if grades == 2 else "of grades 0 to 2",
        ),
    },
    choices={"measure": MEASURES},
    offline={"pair": ("", "AB")},
    readings=readings,
    said=said,
    figure=figure,
    goals=(
        Challenge(
            title="Make all steps of RBP equal.",
            goal=Goal.read("measure = RBP; heights of steps = 1"),
            now=NOW,
            why="At {p:.3f}, each is {largest step:.3f} high.",
            hint="Let each rank count half of the rank above.",
            solution={"p": "0.5"},
        ),
        Challenge(
            title="Choose ERR; make a step fall.",
            goal=Goal.read("measure = ERR; steps that fall >= 1"),
            now="Now {measure}: {steps that fall} of {steps} fall.",
            why="{steps that fall} of {steps} fall with {documents} documents and {grades} grades.",
            hint="It rises at every step of lists of four documents, relevant or not: add a document or a grade.",
            solution={"measure": "ERR", "length": "5"},
        ),
        Challenge(
            title="Make RBP's steps equal for grades 0 to 2.",
            goal=Goal.read("measure = RBP; grades = 3; heights of steps = 1"),
            now=NOW,
            why="With three grades the number is {p:.3f}, with two it is 0.500.",
            hint="Choose grades 0 to 2. Then the number is below 0.500.",
            solution={"grades": "3", "p": plain(1 / 3)},
        ),
    ),
    data=data,
    source="Ferrante et al. 2019, section 3.3, Theorem 1 and section 4.3; Ferrante, Ferro & Maistro 2015",
    notes=(
        "A measure that rises at every step of an order is on an ordinal scale for this order; if all steps are equal, "
        "on an interval scale. A mean over topics treats equal differences of scores as equal.",
        "Somebody who reads only rank 1 prefers ■□□□, somebody who reads all ranks □■■■. The order by the first rank "
        "where two lists differ takes the first side; the order by the number of relevant documents the other one, and "
        "under it precision is the straight line.",
        "°C and °F: both are interval scales, and a geometric mean of temperatures depends on where 0 is.",
    ),
)
