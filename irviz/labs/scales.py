"""Lab: measurement scales.  All lists of a few documents in their order; whether a measure goes up at every step."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from irviz.errors import number_of
from irviz.figures.axes import axis, rows
from irviz.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, Trace
from irviz.labs.charts import BLANK, bars, silent
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
COUNTS = {"RBP": " of the one above", "ERR": "less than the one above", "P": "the same"}  #: how a rank counts
STOPS = tuple(sorted([1 / 3, *(n / 20 for n in range(4, 20))]))  #: of p
PAIR = {"A": "□■■■", "B": "■□□□"}  #: the lists that are asked about, neighbours in the order
PLACES = {"A": 0.25, "B": 0.75}  #: where the guess can go, at shares of the width
INKS = [GREEN, PURPLE]  #: of A and B
EMPTY, MIDDLE = "rgba(128,138,148,0.14)", "rgba(0,114,178,0.5)"  #: of grade 0, and of 1 of three grades
FEW = 40  #: lists; more are too thin for marks on each
SEEN = 0.12  #: the lowest bar of a step down, as a share of the highest


def chosen_scale(values: Values) -> ScaleType:
    """The measure over all lists in their order, with as many documents as are drawn."""
    return scale_type(expression(values), grades=values["grades"], depth=values["length"])


def expression(values: Values) -> str:
    """The measure as an expression."""
    return f"RBP(p={plain(values['p'])})" if values["measure"] == "RBP" else values["measure"]


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
        "steps that fall": int((scale.steps.sign < 0).sum()),
        "heights of steps": len(np.unique(np.round(np.diff(scale.values), 9))),
    }


def pair(scale: ScaleType) -> list[int]:
    """The places of A and B, none if they are not among the lists."""
    return [7, 8] if scale.runs[7:9] == ((0, 1, 1, 1), (1, 0, 0, 0)) else []


def shown(values: Values, scale: ScaleType) -> Any:
    """The scores, without those of A and B until they are compared."""
    scores = np.array(scale.values)
    scores[[] if values["compared"] else pair(scale)] = np.nan
    return scores


def falls(scale: ScaleType, scores: Any) -> str:
    """How many of the steps between lists with a score go down."""
    is_seen = ~np.isnan(np.diff(scores))
    return f"{(scale.steps.sign[is_seen] < 0).sum()} of {is_seen.sum()}"


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    scale = chosen_scale(values)
    is_list = scale.order == "rank"
    is_binary = len(scale.grades) == 2
    by_count = "by the number of relevant ones" if is_binary else "by the number of 2s, in a tie of 1s"
    return {
        "kind": "list" if is_list else "set",
        "order": "by rank 1, then by rank 2, and so on" if is_list else by_count,
        "counts": COUNTS[values["measure"]] + ("" if is_list or is_binary else ", grades 1 and 2 too"),
    }


def answer(values: Values) -> str:
    """The scores of A and B, and whether the guess is right."""
    a, b = chosen_scale(values).values[7:9]
    verdict = {"A": "Yes: with", "B": "No: with"}.get(values["guess"], "With")
    return f"{verdict} RBP 0.80, A gets {a:.3f} and B only {b:.3f}, although B is better at rank 1."


def figure(values: Values) -> Drawing:
    """The measure over all lists as stairs, the height of every step, and the lists; each as high as there is room."""
    scale = chosen_scale(values)
    is_list = scale.order == "rank"
    bare = {"showticklabels": False, "ticks": "", "zeroline": False, "showgrid": False}
    named = {"score": [-0.06, 1.65], "": [-0.7, 1.55], "rank" if is_list else "set": [scale.depth + 1.4, -0.5]}
    ys = [{**bare, "title": {"text": name, "standoff": 42}, "range": ends} for name, ends in named.items()]
    ys[1] |= {"zeroline": True}
    ys[2] |= {"showticklabels": is_list, "tickvals": list(range(1, scale.depth + 1))}
    scores = shown(values, scale)
    each = (_stairs(values, scale, scores), _steps(scale, scores), _columns(scale))
    parts = [_shares(part, len(scale.runs)) for part in each]
    fig = rows(parts, [0.62, 0.16, 0.22], 540, axis("", [0, 1], **bare), ys, gap=0.01, margin={"l": 68})
    texts = ", ".join("?" if np.isnan(score) else number(score) for score in scores[:FEW].tolist())
    return Drawing(fig, "", f"{scale.measure} of {number_of(len(scale.runs), 'list')}, worst first: {texts}.")


def _shares(traces: list[Trace], count: int) -> list[Trace]:
    """Traces over so many lists, with places as shares of the width, so that the guess stays in its place."""
    return [{**trace, "x": [x if x is None else round((x + 0.5) / count, 5) for x in trace["x"]]} for trace in traces]


def _stairs(values: Values, scale: ScaleType, scores: Any) -> list[Trace]:
    """Scores as shares of the highest, steps down in orange, none beside a list without a score; lists A and B."""
    top, count, few = float(scale.values.max()), len(scores), len(scores) <= FEW
    heights = [None if np.isnan(score) else round(score, 5) for score in (scores / top).tolist()]
    ends = np.repeat(np.arange(count), 2) + np.tile([-0.5, 0.5], count)
    is_down = (scale.steps.sign < 0) & ~np.isnan(np.diff(scores))
    down = [
        y
        for before, after, falls_here in zip(heights[:-1], heights[1:], is_down, strict=True)
        for y in ((before, after, None) if falls_here else (None, None, None))
    ]
    stairs = {"color": BLUE, "width": 2.5 if few else 1.5, "simplify": False}
    arrow = {"color": VERMILION, "width": 5 if few else 2, "simplify": False}
    head = {
        "symbol": "triangle-down",
        "size": [0, 12 if few else 5, 0] * len(is_down),
        "opacity": 1,
        "line": {"width": 0},
    }
    shown = "shown " if None in heights else ""
    hidden = " (A and B are hidden)" if None in heights else ": all go up equally" if scale.kind == "interval" else ""
    return [
        silent([0, count - 1], [0, 1], "lines", line={"color": GREY, "dash": "dash"}),
        silent(ends.tolist(), [height for height in heights for _ in range(2)], "lines", line=stairs),
        silent(np.repeat(ends[1:-1:2], 3).tolist(), down, "lines+markers", line=arrow, marker=head),
        *_compared(values, scale, heights),
        _texts([-0.5] * 3, [0, 0.5, 1], [f"{top * share:.2f}\u00a0" for share in (0, 0.5, 1)], "middle left"),
        _texts([count - 0.5], [0.05], ["╌╌ equal steps, as averages assume"], "middle left"),
        _texts([-0.5], [1.1], [falls(scale, scores)], "middle right", 28, color=VERMILION),
        _texts([-0.5], [0.95], [f"steps {shown}go down{hidden}"], "middle right", color=VERMILION),
    ]


def _compared(values: Values, scale: ScaleType, heights: list[float | None]) -> list[Trace]:
    """A and B with their scores on the stairs, ? on the dashed line while they are asked for; the places of a guess."""
    places, count, asks = pair(scale), len(heights), not values["compared"]
    texts = [f"{name} ?" if asks else f"{name} {scale.values[n]:.3f}" for name, n in zip(PAIR, places, strict=False)]
    names = [f"{name} {marks}{' higher?' if asks else ''}" if asks or places else BLANK for name, marks in PAIR.items()]
    at = [n / (count - 1) if asks else heights[n] for n in places]
    ways = [share * count - 0.5 for share in PLACES.values()]
    dots = {"mode": "markers+text", "marker": {"color": INKS, "size": 11, "opacity": 0 if asks else 1}}
    return [
        _texts(places, at, texts, ["top left", "bottom right"], color=INKS) | dots,
        _texts(ways, [1.3] * 2, names, "middle center", 17, color=INKS),
    ]


def _steps(scale: ScaleType, scores: Any) -> list[Trace]:
    """The step to each next list as a bar, as a share of the highest, or of 3/2 of the lowest; orange below 0."""
    step, every, is_down = np.diff(scores), np.diff(scale.values), scale.steps.sign < 0
    full, edges = max(every.max(), -1.5 * every.min()), np.arange(0.5, len(step))
    heights = np.nan_to_num(np.where(is_down, np.minimum(step / full, -SEEN), step / full))
    ends = np.array([np.nanmax(step, initial=0), np.nanmin(step[is_down], initial=0)])
    marks = [f"{end:.3f}\u00a0".replace("-", "−") if end else BLANK for end in ends]
    return [
        *(
            silent(**bars(edges - 0.4, edges + 0.4, np.where(is_here, heights, 0)), fillcolor=colour)
            for is_here, colour in ((~is_down, BLUE), (is_down, VERMILION))
        ),
        _texts([-0.5] * 2, (ends / full).tolist(), marks, "middle left"),
        _texts([-0.5], [1.32], ["height of each step"], "middle right"),
    ]


def _columns(scale: ScaleType) -> list[Trace]:
    """Every list as a column of cells, rank 1 on top, like neighbours in one piece if thin; names of some."""
    count, top = len(scale.runs), len(scale.grades) - 1
    gap = 0.02 if count <= FEW else 0.0
    fills = [EMPTY, MIDDLE, BLUE]
    cells = [silent([], [], "lines", fillcolor=fill, fill="toself", line={"width": 0}) for fill in fills]
    for rank, row in enumerate(zip(*scale.runs, strict=True), start=1):
        ends = range(count + 1) if gap else np.flatnonzero(np.diff(row, prepend=-1, append=-1)).tolist()
        for first, end in pairwise(ends):
            left, right = first - 0.5 + gap, end - 0.5 - gap
            cells[2 * row[first] // top]["x"] += [left, left, right, right, None]
            cells[2 * row[first] // top]["y"] += [rank - 0.45, rank + 0.45, rank + 0.45, rank - 0.45, None]
    key = "blue: relevant" if top == 1 else "stronger blue: higher grade"
    sides = ["middle right", "middle center", "middle left"]
    texts = _texts(
        [-0.5, count / 2 - 0.5, count - 0.5], [0.05, scale.depth + 0.95, 0.05], ["worst", key, "best"], sides
    )
    names = _texts(pair(scale), [0.05] * len(pair(scale)), [*PAIR], "middle center", color=INKS)
    return [*cells, texts, names]


def _texts(x: Any, y: Any, texts: list[str], position: Any, size: int = 14, **look: Any) -> Trace:
    font = {"size": size, **look}
    return silent(x, y, "text", text=texts, textposition=position, textfont=font, cliponaxis=False)


def data(values: Values) -> tuple[str, View]:
    """The page about equal steps, on real data, with the measure."""
    return "Equal steps on real data", View.from_texts("equal_steps", collection="dl2021", measures=expression(values))


LAB = Screen(
    name="lab_scales",
    title="Uneven stairs",
    question="Does a better list always get a higher score?",
    controls=(
        Choice(name="measure", label="Measure", default="RBP", options=tuple(MEASURES.items())),
        Number(name="p", label="p: probability of reading on", default=0.8, low=0.2, high=0.95),
        whole("length", "Documents in a list", 4, (2, 5), "All lists of this length are drawn."),
        whole("grades", "Number of grades, including 0", 2, (2, 3), "2 is relevant or not."),
        Choice(
            name="compared", label="The scores of A and B", default="", options=(("", "not shown"), ("AB", "shown"))
        ),
        Choice(name="guess", label="Guess", default="", options=(("", "?"), *((name, name) for name in PAIR))),
    ),
    text="All {=kind}s of {length} documents, {grades}, sorted from worst to best {=order}. "
    "Scored by {measure}: each rank counts {p}{=counts}.",
    guess="Drag your guess: does A or B score higher with RBP 0.80?",
    answer=answer,
    mark=Mark(
        stops=tuple(PLACES),
        place=lambda values: (PLACES.get(values["guess"], 0.5), 1.44),
        answers={"measure": "RBP", "p": 0.8, "length": 4, "grades": 2, "compared": "AB"},
    ),
    handles={
        "p": Handle(
            label="p, the probability of reading on",
            stops=lambda values: sorted({*STOPS, values["p"]}) if values["measure"] == "RBP" else [values["p"]],
            words=lambda p: "1/3" if p == 1 / 3 else f"{p:.2f}" if p in STOPS else plain(p),
            live=True,
        ),
        "length": Handle(label="Documents in a list", stops=lambda _: (2, 3, 4, 5)),
        "grades": Handle(
            label="Grades, including 0",
            stops=lambda _: (2, 3),
            words=lambda grades: "relevant or not" if grades == 2 else "grade 0, 1 or 2",
        ),
    },
    choices={"measure": MEASURES},
    offline={"compared": ("", "AB")},
    readings=readings,
    said=said,
    figure=figure,
    goals=(
        Challenge(
            title="Choose RBP and make all steps equal.",
            goal=Goal.read("measure = RBP; heights of steps = 1"),
            why="all were 1/{lists}.",
            hint="Let each rank count half of the rank above.",
            solution={"p": "0.5"},
        ),
        Challenge(
            title="Choose ERR and “relevant or not”, then add documents until a step goes down.",
            goal=Goal.read("measure = ERR; grades = 2; steps that fall >= 1"),
            settings=2,
            now="None goes down.",
            why="{steps that fall} of {steps} went down.",
            hint="Press + at the number of documents.",
            solution={"measure": "ERR", "length": "5"},
        ),
        Challenge(
            title="Choose RBP, 2 documents and “grade 0, 1 or 2”, and make all steps equal.",
            goal=Goal.read("measure = RBP; grades = 3; documents = 2; heights of steps = 1"),
            why="all were 1/{lists}.",
            hint="With three grades, let each rank count about a third of the rank above.",
            solution={"grades": "3", "length": "2", "p": plain(1 / 3)},
        ),
    ),
    data=data,
    source="Ferrante et al. 2019, section 3.3, Theorem 1 and section 4.3; Ferrante, Ferro & Maistro 2015",
    notes=(
        "Somebody who reads only rank 1 prefers ■□□□, somebody who reads all ranks □■■■. The order as in a dictionary "
        "takes the first side, RBP at 0.80 the other one.",
        "A measure that rises at every step of an order is on an ordinal scale for this order; if all steps are equal, "
        "on an interval scale. A mean over topics adds and cancels steps as if they were equal.",
        "°C and °F: both are interval scales, and a geometric mean of temperatures depends on where 0 is.",
    ),
)
