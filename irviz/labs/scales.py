"""Lab: measurement scales.  All lists of a few documents in their order, and whether a measure climbs it evenly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from irviz.errors import number_of
from irviz.figures.axes import axis, padded_range, rows
from irviz.figures.theme import BLUE, GREEN, GREY, VERMILION, scatter
from irviz.labs.charts import silent
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
    "RBP": ("each rank ", " times as much as the one above"),
    "ERR": ("a rank less, the better the documents above it are", ""),
    "P": ("every rank the same", ""),
}
STOPS = tuple(n / 30 for n in range(6, 29))  #: of p: in even steps, 1/3, 1/2 and 0.8 among them
MOST_COLUMNS = 40  #: lists that are drawn as columns
PAIR = ("■□□□", "□■■■")


@lru_cache(maxsize=256)
def _scale(expression: str, grades: int, depth: int) -> ScaleType:
    return scale_type(expression, grades=grades, depth=depth)


def chosen_scale(values: Values) -> ScaleType:
    """The measure over all lists in their order, with as many documents as are drawn."""
    grades, name = values["grades"], values["measure"]
    expression = f"RBP(p={plain(values['p'])})" if name == "RBP" else name
    return _scale(expression, grades, values["depth"])


def falls(scale: ScaleType) -> int:
    """How many steps fall."""
    return int((scale.steps.sign < 0).sum())


def readings(values: Values) -> dict[str, Reading]:
    """The scale type of the measure and its steps."""
    scale = chosen_scale(values)
    return {
        "measure": values["measure"],
        "p": values["p"],
        "grades": len(scale.grades),
        "documents": scale.depth,
        "scale": scale.kind,
        "steps that fall": falls(scale),
        "heights of steps": len(np.unique(np.round(np.diff(scale.values), 9))),
    }


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    scale = chosen_scale(values)
    means, after = MEANINGS[values["measure"]]
    by_rank = scale.order == "rank"
    return {
        "lists": f"{len(scale.runs)} {'lists' if by_rank else 'sets'}",
        "by": "rank 1 decides first, then rank 2, and so on"
        if by_rank
        else "the number of the highest grade decides first",
        "now": headline(scale),
        "means": means,
        "after": after,
    }


def figure(values: Values) -> Drawing:
    """The measure over all lists, falls in orange; the height of every step; the lists themselves."""
    scale = chosen_scale(values)
    rho, heights = scale.rho.astype(float), np.round(scale.values, 5)
    step, sign = np.diff(heights), scale.steps.sign
    falling = [(x, height) for n in range(len(step)) for x, height in _corner(rho, heights, n, sign[n] < 0)]
    marks = "□■" if len(scale.grades) == 2 else "012"
    names = ["".join(marks[grade] for grade in run) for run in scale.runs]
    top = max(1.0, float(heights.max()))
    width = max(1.0, 260 / len(rho))
    upper = [
        silent([rho[0], rho[-1]], heights[[0, -1]].tolist(), "lines", line={"color": GREY, "dash": "dash"}),
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
            line={"color": VERMILION, "width": 5, "simplify": False},
        ),
        silent(
            [rho[0]], [top * 0.9], "text", text=[headline(scale)], textposition="middle right", textfont={"size": 30}
        ),
        _guessed(scale, names, values["guess"]),
    ]
    middle = [
        silent(
            [x for at in rho[:-1] + 0.5 for x in (at, at, None)],
            [y for height, of in zip(step, which, strict=True) for y in (0, height if of else 0, None)],
            "lines",
            line={"color": colour, "width": width, "simplify": False},
        )
        for which, colour in ((sign >= 0, BLUE), (sign < 0, VERMILION))
    ]
    parts, shares = [upper, middle], [0.5, 0.3]
    ys = [axis(values["measure"], [-0.05, top * 1.06]), axis("step", _room(values, step))]
    if len(names) <= MOST_COLUMNS:
        parts.append([_columns(scale)])
        shares.append(0.2)
        ys.append({"visible": False, "range": [scale.depth + 0.6, 0.4]})
    ends = [rho[0] - 0.7, rho[-1] + 0.7]
    columns = ", a column each, rank 1 on top" if len(parts) > 2 and scale.order == "rank" else ""
    x = axis(f"← worst … best →{columns}", ends, showticklabels=False, showgrid=False)
    fig = rows(parts, shares, 540, x, ys, gap=0.04)
    alt = f"{scale.measure} of {number_of(len(names), 'list')}, worst first: {', '.join(map(number, heights[:40]))}."
    return Drawing(fig, "", alt)


def mark_place(values: Values) -> tuple[float | None, float | None]:
    """Between both lists of the guess, or at the guess; nowhere where they are not drawn."""
    if (values["depth"], values["grades"]) != (4, 2) or values["measure"] == "P":
        return None, None
    return dict(zip(("", *PAIR), (7.5, 8.0, 7.0), strict=True))[values["guess"]], 0.65


def _room(values: Values, step: Any) -> list[float]:
    """The ends of the axis of steps; of RBP for every p at which its handle stops."""
    if values["measure"] != "RBP":
        return padded_range(step, 0.08)
    ends = (np.diff(chosen_scale({**values, "p": p}).values) for p in (STOPS[0], STOPS[-1], values["p"]))
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


def _guessed(scale: ScaleType, names: list[str], guess: str) -> dict[str, Any]:
    """Both lists of the guess at their places in the order, with the chosen one marked; none before a guess."""
    places = [names.index(name) if name in names else 0 for name in PAIR]
    shown = bool(guess) and all(name in names for name in PAIR)
    text = [name if shown else "\u00a0" for name in PAIR]
    x, y = ([float(of[place]) for place in places] for of in (scale.rho, np.round(scale.values, 5)))
    marker = {"size": 13, "color": GREEN, "opacity": 1.0}
    look = {"text": text, "textposition": ["bottom right", "top left"], "textfont": {"size": 15}, "marker": marker}
    return silent(x, y if shown else [-9.0, -9.0], "markers+text", **look)


def _columns(scale: ScaleType) -> dict[str, Any]:
    """Every list as a column of squares, rank 1 on top."""
    top = len(scale.grades) - 1
    cells = [
        (float(x), rank, grade)
        for x, run in zip(scale.rho, scale.runs, strict=True)
        for rank, grade in enumerate(run, 1)
    ]
    x, y, grades = (list(of) for of in zip(*cells, strict=True))
    marker = {"symbol": "square", "size": max(5, min(14, 300 // len(scale.runs))), "color": shades(grades, top)[0]}
    return silent(x, y, "markers", marker={**marker, "line": {"color": GREY, "width": 1}})


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
        whole("depth", "Documents in a list", 4, (2, 5), "All lists of this length are drawn."),
        whole("grades", "Number of grades, including 0", 2, (2, 3), "2 is relevant or not."),
        Choice(name="guess", label="Guess", default="", options=(("", "?"), *((name, name) for name in PAIR))),
    ),
    text="All {=lists} of {depth} documents, {grades}, worst first: {=by}. {measure} counts {=means}{p}{=after}: "
    "<b>{=now}</b>. A mean of scores takes all steps as equal, as on the dashed line.",
    guess="Which list is better? Drag the violet diamond left (ranks 2, 3, 4 relevant) or right (rank 1 alone).",
    answer=lambda values: (
        "Neither is wrong: this order puts ■□□□ higher, one by the number of relevant documents □■■■."
    ),
    mark=Mark(stops=PAIR, place=mark_place),
    handles={
        "p": Handle(
            label="p, the probability of reading on",
            stops=lambda values: sorted({*STOPS, values["p"]}) if values["measure"] == "RBP" else [values["p"]],
            words=lambda p: f"{p:.3f}",
            live=True,
        ),
        "depth": Handle(label="Documents in a list", stops=lambda _: (2, 3, 4, 5)),
        "grades": Handle(
            label="Grades, including 0",
            stops=lambda _: (2, 3),
            words=lambda grades: "relevant (■) or not" if grades == 2 else "of grades 0 to 2",
        ),
    },
    choices={"measure": MEASURES},
    offline={"guess": ("", *PAIR)},
    readings=readings,
    said=said,
    figure=figure,
    goals=(
        Challenge(
            title="Make all steps equal.",
            goal=Goal.read("measure = RBP; heights of steps = 1"),
            why="Each rank counts {p:.3f} times the one above.",
            hint="Make the number smaller until nothing is orange, and further.",
            solution={"p": "0.5"},
        ),
        Challenge(
            title="Choose ERR; add documents until a step falls.",
            goal=Goal.read("measure = ERR; steps that fall >= 1"),
            why="Steps that fall: {steps that fall}.",
            hint="It rises at every step of lists of four documents.",
            solution={"measure": "ERR", "depth": "5"},
        ),
        Challenge(
            title="Make all steps of RBP equal for grades 0 to 2.",
            goal=Goal.read("measure = RBP; grades = 3; heights of steps = 1"),
            why="Each rank counts {p:.3f} times the one above.",
            hint="With two grades it was 0.500; with three it is lower.",
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
