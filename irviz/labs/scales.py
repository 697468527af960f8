"""Lab: measurement scales.  All lists of a few documents in their order; whether a measure goes up at every step."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from irviz.errors import number_of
from irviz.figures.axes import axis, rows
from irviz.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, Trace, scatter
from irviz.labs.charts import bars, silent
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
    "RBP": ("each rank counts ", " of the rank above"),
    "ERR": ("a rank counts less if relevant documents stand above", ""),
    "P": ("every rank counts the same", ""),
}
STOPS = tuple(sorted([1 / 3, *(n / 20 for n in range(4, 20))]))  #: of p
PLACES = {"A": 0.22, "B": 0.72}  #: of their names above the stairs, as shares of the width; between them no guess
INKS, BESIDE = [GREEN, PURPLE], ["middle left", "middle right"]  #: of lists A and B, and of their names
EMPTY, MIDDLE = "rgba(128,138,148,0.14)", "rgba(0,114,178,0.5)"  #: of grade 0, and of 1 of three grades
FEW = 40  #: lists; more are too thin for marks on each
SEEN = 0.08  #: the lowest arrow of a step down, and its lowest bar, as shares of the heights of their charts


@lru_cache(maxsize=256)
def _scale(expression: str, grades: int, depth: int) -> ScaleType:
    return scale_type(expression, grades=grades, depth=depth)


def chosen_scale(values: Values) -> ScaleType:
    """The measure over all lists in their order, with as many documents as are drawn."""
    grades, name = values["grades"], values["measure"]
    expression = f"RBP(p={plain(values['p'])})" if name == "RBP" else name
    return _scale(expression, grades, values["length"])


def falls(scale: ScaleType) -> int:
    """How many steps go down."""
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
        "lists": len(scale.runs),
        "steps": len(scale.steps.sign),
        "smallest step": float(np.diff(scale.values).min()),
        "largest step": float(np.diff(scale.values).max()),
        "steps that fall": falls(scale),
        "heights of steps": len(np.unique(np.round(np.diff(scale.values), 9))),
    }


def pair(scale: ScaleType) -> tuple[int, int]:
    """The places of list B, with grade 1 at rank 1 alone, and before it of list A, with the most below rank 1."""
    at = scale.runs.index((1,) + (0,) * (scale.depth - 1))
    return at - 1, at


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    scale = chosen_scale(values)
    means, after = MEANINGS[values["measure"]]
    return {"kind": "list" if scale.order == "rank" else "set", "means": means, "after": after}


def answer(values: Values) -> str:
    """The better one of lists A and B by the order, and by the measure."""
    scale = chosen_scale(values)
    if scale.order == "set":
        return "Precision sees no ranks: A and B are not in this figure."
    at, after = pair(scale)
    a, b = (f"{scale.values[n]:.3f}" for n in (at, after))
    says = {1: f"B, too: {a} < {b}. This step goes up", 0: f"neither: {a} = {b}. This step is level"}
    step = says.get(int(scale.steps.sign[at]), f"A: {a} > {b}. So this step goes down")
    name = f"RBP at {values['p']:.2f}" if values["measure"] == "RBP" else values["measure"]
    return f"The order says B: its rank 1 is relevant. {name} says {step}."


def names(scale: ScaleType) -> list[str]:
    """Every list as a text, first rank first."""
    marks = "□■" if len(scale.grades) == 2 else "012"
    return ["".join(marks[grade] for grade in run) for run in scale.runs]


def figure(values: Values) -> Drawing:
    """The measure over all lists as stairs, the height of every step, and the lists; each as high as there is room."""
    scale = chosen_scale(values)
    count, is_list = len(scale.runs), scale.order == "rank"
    bare = {"showticklabels": False, "ticks": "", "zeroline": False, "showgrid": False}
    named = {"score": [-0.06, 1.57], "step": [-0.3, 1.3], "rank" if is_list else "set": [scale.depth + 1.4, 0.4]}
    ys = [  # with room for the numbers on the left of stairs and steps, which change with the frame
        {**bare, "title": {"text": name, "standoff": 38}, "range": ends} for name, ends in named.items()
    ]
    ys[2] |= {"showticklabels": is_list, "tickvals": list(range(1, scale.depth + 1))}
    by_count = "more relevant is better" if len(scale.grades) == 2 else "grade 2 decides, then grade 1"
    order = "rank 1 decides, then rank 2, …" if is_list else by_count
    key = "blue: relevant" if len(scale.grades) == 2 else "stronger blue: higher grade"
    x = axis(f"all {count} {said(values)['kind']}s: {order}<br>{key}", [0, 1], **bare)
    parts = [_shares(part, count) for part in (_stairs(values, scale), _steps(scale), _columns(scale))]
    fig = rows(parts, [0.66, 0.17, 0.17], 540, x, ys, gap=0.02)
    scores = ", ".join(map(number, scale.values[:FEW]))
    return Drawing(fig, "", f"{scale.measure} of {number_of(count, 'list')}, worst first: {scores}.")


def _shares(traces: list[Trace], count: int) -> list[Trace]:
    """Traces over so many lists, with places as shares of the width, so that the guess stays in its place."""
    return [{**trace, "x": [x if x is None else round((x + 0.5) / count, 5) for x in trace["x"]]} for trace in traces]


def mark_place(values: Values) -> tuple[float | None, float | None]:
    """Between both names, or above the one that is guessed; none where sets have no ranks."""
    scale = chosen_scale(values)
    if scale.order == "set":
        return None, None
    return PLACES.get(values["guess"], sum(PLACES.values()) / 2), 1.2


def headline(scale: ScaleType) -> str:
    """The number of steps that go down, unless all are equal."""
    count = len(scale.runs) - 1
    return f"all {count} steps are equal" if scale.kind == "interval" else f"{falls(scale)} of {count} steps go down"


def _stairs(values: Values, scale: ScaleType) -> list[Trace]:
    """The measure as a share of its highest value, steps down in orange; lists A and B; the headline."""
    top = float(scale.values.max())
    heights, sign = np.round(scale.values / top, 5), scale.steps.sign
    count, few = len(heights), len(heights) <= FEW
    edges = np.arange(count - 1) + 0.5
    down = [
        y
        for before, after, is_down in zip(heights[:-1].tolist(), heights[1:].tolist(), sign < 0, strict=True)
        for y in ((max(before, after + SEEN), after, None) if is_down else (None, None, None))
    ]
    texts = [f"{name}: {score:.4f}" for name, score in zip(names(scale), scale.values, strict=True)]
    triangle = {"symbol": "triangle-down", "size": 14 if few else 5, "color": VERMILION}
    return [
        *(_treads(values, scale, heights) if scale.order == "rank" else []),
        silent([0, count - 1], heights[[0, -1]].tolist(), "lines", line={"color": GREY, "dash": "dash"}),
        scatter(
            x=[-0.5, *edges.tolist(), count - 0.5],
            y=[*heights.tolist(), float(heights[-1])],
            mode="lines",
            line={"color": BLUE, "width": 2.5 if few else 1.5, "shape": "hv", "simplify": False},
            text=[*texts, texts[-1]] if few else "",
            **({"hovertemplate": "%{text}<extra></extra>"} if few else {"hoverinfo": "skip"}),
            showlegend=False,
        ),
        silent(
            np.repeat(edges, 3).tolist(),
            down,
            "lines",
            line={"color": VERMILION, "width": 5 if few else 2, "simplify": False},
        ),
        silent(edges.tolist(), np.where(sign < 0, heights[1:], -9).tolist(), "markers", marker=triangle),
        _texts(
            [-0.5] * 3, [0, 0.5, 1], [f"{top * share:.2f}" for share in (0, 0.5, 1)], "middle left", cliponaxis=False
        ),
        _texts([count - 0.5], [0.04], ["╌╌ equal steps"], "middle left", color=GREY),
        _texts([-0.5], [1.46], [headline(scale)], "middle right", size=28, cliponaxis=False),
        *(_pair(values, scale, heights) if scale.order == "rank" else []),
    ]


def _treads(values: Values, scale: ScaleType, heights: Any) -> list[Trace]:
    """The treads of lists A and B, and a band over both once they are compared."""
    both, high = pair(scale), int(bool(values["compared"]))
    left, right = both[0] - 0.5, both[1] + 0.5
    band = {"fill": "toself", "fillcolor": "rgba(213,94,0,0.15)", "line": {"width": 0}}
    return [
        silent([left, left, right, right], [0, high, high, 0], "lines", **band),
        *(
            silent([n - 0.5, n + 0.5], [float(heights[n])] * 2, "lines", line={"color": ink, "width": 9})
            for n, ink in zip(both, INKS, strict=True)
        ),
    ]


def _pair(values: Values, scale: ScaleType, heights: Any) -> list[Trace]:
    """The names of A and B, clear of their treads and of equal steps, then their scores; where each can be guessed."""
    both, every = pair(scale), names(scale)
    scores = _named([f" {scale.values[n]:.3f}" if values["compared"] else "" for n in both])
    middle = both[0] + 0.5
    a, b = (float(height) for height in heights[list(both)])
    equal = middle / (len(heights) - 1)
    places = [share * len(heights) - 0.5 for share in PLACES.values()]
    guessed = _named([f": {every[n]}" for n in both])
    return [
        _texts([middle] * 2, [max(a, equal) + 0.07, min(b, equal) - 0.07], scores, BESIDE, color=INKS),
        _texts(places, [1.08] * 2, guessed, "middle center", color=INKS, size=16),
    ]


def _named(texts: list[str]) -> list[str]:
    """Texts beginning with A and B, with a little room around."""
    return [f"\u00a0{name}{text}\u00a0" for name, text in zip(PLACES, texts, strict=True)]


def _steps(scale: ScaleType) -> list[Trace]:
    """The step to each next list as a bar, from the lowest, or 0, to the highest; orange, and seen, below 0."""
    step = np.diff(scale.values)
    low, high = min(0.0, float(step.min())), max(0.0, float(step.max()))
    zero, edges = -low / (high - low), np.arange(0.5, len(step))
    scaled = np.where(scale.steps.sign < 0, np.minimum(step / (high - low), -SEEN), step / (high - low))
    drawn = []
    for is_here, colour in ((scale.steps.sign >= 0, BLUE), (scale.steps.sign < 0, VERMILION)):
        outlines = bars(edges - 0.4, edges + 0.4, np.where(is_here, scaled, 0))
        y = [round(height + zero, 4) for height in outlines["y"]]
        drawn.append(silent(**{**outlines, "y": y, "fill": "toself"}, fillcolor=colour))
    ends = [np.flatnonzero(np.abs(step - end) < 1e-9) for end in (step.max(), step.min())]
    texts = [f"highest {step.max():.3f}", f"lowest {step.min():.3f}".replace("-", "−")]
    if scale.kind == "interval":
        texts = [f"each {step.max():.3f}", ""]
    at = [float(edges[places[len(places) // 2]]) for places in ends]
    inside = np.clip(at, 0.15 * len(step), 0.85 * len(step)).tolist()
    return [
        *drawn,
        silent([-0.5, len(step) + 0.5], [zero, zero], "lines", line={"color": GREY, "width": 1}),
        _texts([-0.5], [zero], ["0"], "middle left", cliponaxis=False),
        _texts(inside, [1, 0], texts, ["top center", "bottom center"], cliponaxis=False),
    ]


def _columns(scale: ScaleType) -> list[Trace]:
    """Every list as a column of cells, rank 1 on top, like neighbours in one piece if thin; names below some."""
    few, top = len(scale.runs) <= FEW, len(scale.grades) - 1
    gap = 0.02 if few else 0.0
    x: list[list[float | None]] = [[] for _ in scale.grades]
    y: list[list[float | None]] = [[] for _ in scale.grades]
    for rank, row in enumerate(zip(*scale.runs, strict=True), start=1):
        ends = range(len(row) + 1) if few else np.flatnonzero(np.diff(row, prepend=-1, append=-1)).tolist()
        for first, end in pairwise(ends):
            left, right = first - 0.5 + gap, end - 0.5 - gap
            x[row[first]] += [left, left, right, right, None]
            y[row[first]] += [rank - 0.45, rank + 0.45, rank + 0.45, rank - 0.45, None]
    look = {"fill": "toself", "line": {"width": 0}}
    fills = [EMPTY, *([MIDDLE] if top == 2 else []), BLUE]
    cells = [silent(x[grade], y[grade], "lines", fillcolor=fill, **look) for grade, fill in enumerate(fills)]
    below, right = [scale.depth + 0.95] * 2, len(scale.runs) - 0.5
    cells.append(_texts([-0.5, right], below, ["worst", "best"], BESIDE[::-1], cliponaxis=False))
    if scale.order == "set":
        return cells
    return [*cells, _texts([pair(scale)[0] + 0.5] * 2, below, _named(["", ""]), BESIDE, color=INKS)]


def _texts(x: Any, y: Any, texts: list[str], position: Any, **look: Any) -> Trace:
    font = {"size": 14} | {name: look.pop(name) for name in ("size", "color") if name in look}
    return silent(x, y, "text", text=texts, textposition=position, textfont=font, **look)


def data(values: Values) -> tuple[str, View]:
    """What equal steps change about comparisons of systems."""
    return "Changed decisions on real data", View.from_texts("equal_steps", collection="dl2021", measures="RR@10")


LAB = Screen(
    name="lab_scales",
    title="Uneven stairs",
    question="Does a score climb in equal steps from the worst list to the best?",
    controls=(
        Choice(name="measure", label="Measure", default="RBP", options=tuple(MEASURES.items())),
        Number(name="p", label="p: probability of reading on", default=0.8, low=0.2, high=0.95),
        whole("length", "Documents in a list", 4, (2, 5), "All lists of this length are drawn."),
        whole("grades", "Number of grades, including 0", 2, (2, 3), "2 is relevant or not."),
        Choice(name="compared", label="Scores of A and B", default="", options=(("", "not shown"), ("AB", "shown"))),
        Choice(name="guess", label="Guess", default="", options=(("", "?"), *((name, name) for name in PLACES))),
    ),
    text="All {=kind}s of {length} documents ({grades}) stand from worst to best. If one score goes a step up and "
    "another a step down, their mean should not change: this needs equal steps. {measure}: {=means}{p}{=after}.",
    guess="Would you score A or B higher? Drag your guess.",
    answer=answer,
    mark=Mark(stops=tuple(PLACES), place=mark_place, answers={"compared": "AB"}),
    handles={
        "p": Handle(
            label="p, the probability of reading on",
            stops=lambda values: sorted({*STOPS, values["p"]}) if values["measure"] == "RBP" else [values["p"]],
            words=lambda p: f"{p:.2f}" if p in STOPS else plain(p),
            live=True,
        ),
        "length": Handle(label="Documents in a list", stops=lambda _: (2, 3, 4, 5)),
        "grades": Handle(
            label="Grades, including 0",
            stops=lambda _: (2, 3),
            words=lambda grades: "relevant or not" if grades == 2 else "3 grades: 0–2",
        ),
    },
    choices={"measure": MEASURES},
    offline={"compared": ("", "AB")},
    readings=readings,
    said=said,
    figure=figure,
    goals=(
        Challenge(
            title="Make all RBP steps equal.",
            goal=Goal.read("measure = RBP; heights of steps = 1"),
            now="{measure}: lowest {smallest step:.3f}, highest {largest step:.3f}.",
            why="1/{lists} each; in a mean, a step up cancels a step down.",
            hint="Let each rank count half of the rank above.",
            solution={"p": "0.5"},
        ),
        Challenge(
            title="Choose ERR and “relevant or not”. Make a step go down.",
            goal=Goal.read("measure = ERR; grades = 2; steps that fall >= 1"),
            now="{measure}: {steps that fall} go down.",
            why="{steps that fall} of {steps} go down.",
            hint="Add documents until a step goes down.",
            solution={"measure": "ERR", "length": "5"},
        ),
        Challenge(
            title="Choose 3 grades. Make RBP steps equal.",
            goal=Goal.read("measure = RBP; grades = 3; heights of steps = 1"),
            now="{measure}, {grades} grades: {smallest step:.3f} to {largest step:.3f}.",
            why="1/{lists} each, at {p:.2f}.",
            hint="2 grades need 1/2. 3 grades need less.",
            solution={"grades": "3", "p": plain(1 / 3)},
        ),
    ),
    data=data,
    source="Ferrante et al. 2019, section 3.3, Theorem 1 and section 4.3; Ferrante, Ferro & Maistro 2015",
    notes=(
        "No guess is wrong. Somebody who reads only rank 1 prefers ■□□□, somebody who reads all ranks □■■■. The order "
        "as in a dictionary takes the first side, RBP at 0.80 the other one.",
        "A measure that rises at every step of an order is on an ordinal scale for this order; if all steps are equal, "
        "on an interval scale. A mean over topics adds and cancels steps as if they were equal.",
        "Precision does not see ranks, so it has an order of its own, by the number of relevant documents; its steps "
        "there are equal.",
        "°C and °F: both are interval scales, and a geometric mean of temperatures depends on where 0 is.",
    ),
)
