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
from irviz.stats.scales import CLEAR, ScaleType, scale_type
from irviz.workspace.control import Choice, Number, plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number
from irviz.workspace.view import View

MEASURES = {"RBP": "rank-biased precision (RBP)", "ERR": "expected reciprocal rank (ERR)", "P": "precision"}
COUNTS = {
    "RBP": " of the rank above",
    "ERR": "less if better documents are above",
    "P": "the same",
}  #: how a rank counts
STOPS = tuple(sorted([1 / 3, *(n / 20 for n in range(4, 20))]))  #: of p
WAYS = {"down": 0.17, "stays": 0.5, "up": 0.83}  #: where the mean can go, at shares of the width
UNDECIDED = 0.335  #: where the guess waits, between two of them
INKS = [GREEN, PURPLE]  #: of queries 1 and 2
EMPTY, MIDDLE = "rgba(128,138,148,0.14)", "rgba(0,114,178,0.5)"  #: of grade 0, and of 1 of three grades
FEW = 40  #: lists; more are too thin for marks on each
SEEN = 0.04  #: the lowest bar of a step down, as a share of the highest


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


def lists(scale: ScaleType) -> tuple[int, int, int, int]:
    """The places of lists A to D: A before B is about the last list without a grade at rank 1, D before C the best."""
    a, last = (len(scale.runs) - 2) // len(scale.grades), len(scale.runs) - 1
    return a, a + 1, last, last - 1


def means(scale: ScaleType) -> tuple[float, float]:
    """The mean score of lists A and C, and that of B and D."""
    a, b, c, d = scale.values[list(lists(scale))].tolist()
    return (a + c) / 2, (b + d) / 2


def changes(scale: ScaleType) -> list[str]:
    """How the score changes from list A to B, and from C to D."""
    steps = np.diff(scale.values[list(lists(scale))])[::2]
    return [f"{step:+.3f}".replace("-", "−") for step in steps]


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    scale = chosen_scale(values)
    is_list, is_binary = scale.order == "rank", len(scale.grades) == 2
    by_count = "more relevant documents are better" if is_binary else "more of grade 2, then of grade 1, is better"
    marks = "□■" if is_binary else "○◐●"
    each = ("".join(marks[grade] for grade in scale.runs[n]) for n in lists(scale)[:2])
    return {
        "kind": "list" if is_list else "set",
        "order": "a better rank 1 beats all others" if is_list else by_count,
        "counts": COUNTS[values["measure"]],
        **{name: f"{name}\u00a0{marked}" for name, marked in zip("AB", each, strict=True)},
    }


def answer(values: Values) -> str:
    """The mean after, with its measure and lists, and how the scores of both queries change."""
    scale, words = chosen_scale(values), {name: handle.words(values[name]) for name, handle in LAB.handles.items()}
    before, after = means(scale)
    way = "stays" if abs(after - before) < CLEAR else "down" if after < before else "up"
    verdict = {"": "The", way: "Yes: the"}.get(values["guess"], "No: the")
    by = [{"RBP": f"RBP {words['p']}", "ERR": "ERR", "P": "precision"}[values["measure"]]]
    by += [f"{words['length']} documents"] if values["length"] != LAB.control("length").default else []
    by += [words["grades"]] if values["grades"] != LAB.control("grades").default else []
    went = "stayed at" if way == "stays" else f"went {way} to"
    one, two = changes(scale)
    return f"{verdict} mean {went} {after:.3f} ({', '.join(by)}). A → B is {one}, C → D is {two}."


def figure(values: Values) -> Drawing:
    """The measure over all lists as stairs, the height of every step, and the lists; each as high as there is room."""
    scale = chosen_scale(values)
    is_list = scale.order == "rank"
    bare = {"showticklabels": False, "ticks": "", "zeroline": False, "showgrid": False}
    named = {"score": [-0.06, 1.85], "": [-0.7, 1.55], "rank" if is_list else "set": [scale.depth + 1.4, -0.5]}
    ys = [{**bare, "title": {"text": name, "standoff": 42}, "range": ends} for name, ends in named.items()]
    ys[1] |= {"zeroline": True}
    ys[2] |= {"showticklabels": is_list, "tickvals": list(range(1, scale.depth + 1))}
    scores = np.array(scale.values)
    if not values["compared"]:  # B and D are asked for
        scores[list(lists(scale)[1::2])] = np.nan
    each = (_stairs(values, scale, scores), _steps(scale, scores), _columns(scale))
    parts = [_shares(part, len(scale.runs)) for part in each]
    fig = rows(parts, [0.62, 0.16, 0.22], 540, axis("", [0, 1], **bare), ys, gap=0.01, margin={"l": 68})
    texts = ", ".join(map(number, scale.values[:FEW]))
    return Drawing(fig, "", f"{scale.measure} of {number_of(len(scale.runs), 'list')}, worst first: {texts}.")


def _shares(traces: list[Trace], count: int) -> list[Trace]:
    """Traces over so many lists, with places as shares of the width, so that the guess stays in its place."""
    return [{**trace, "x": [x if x is None else round((x + 0.5) / count, 5) for x in trace["x"]]} for trace in traces]


def _stairs(values: Values, scale: ScaleType, scores: Any) -> list[Trace]:
    """Scores as shares of the highest, steps down in orange, none beside a list without a score; lists A to D."""
    top, count, few = float(scale.values.max()), len(scores), len(scores) <= FEW
    heights = [None if np.isnan(score) else round(score, 5) for score in (scores / top).tolist()]
    ends = np.repeat(np.arange(count), 2) + np.tile([-0.5, 0.5], count)
    sign, ask = scale.steps.sign, "" if values["compared"] else " ?"
    down = [
        y
        for before, after, is_down in zip(heights[:-1], heights[1:], sign < 0, strict=True)
        for y in ((before, after, None) if is_down and None not in (before, after) else (None, None, None))
    ]
    falls = f"↓ {(sign < 0).sum()} of {len(sign)} steps go down"
    counts = "↓ step down" if ask else f"all {len(sign)} steps are equal" if scale.kind == "interval" else falls
    stairs = {"color": BLUE, "width": 2.5 if few else 1.5, "simplify": False}
    arrow = {"color": VERMILION, "width": 5 if few else 2, "simplify": False}
    sizes, ways = [0, 12 if few else 5, 0] * len(sign), [share * count - 0.5 for share in WAYS.values()]
    head = {"symbol": "triangle-down", "size": sizes, "opacity": 1, "line": {"width": 0}}
    return [
        silent([0, count - 1], [0, 1], "lines", line={"color": GREY, "dash": "dash"}),
        *(
            silent([n - 0.5, n + 0.5], [heights[n]] * 2, "lines", line={"color": ink, "width": 9})
            for n, ink in zip(lists(scale), np.repeat(INKS, 2).tolist(), strict=True)
        ),
        silent(ends.tolist(), [height for height in heights for _ in range(2)], "lines", line=stairs),
        silent(np.repeat(ends[1:-1:2], 3).tolist(), down, "lines+markers", line=arrow, marker=head),
        *_queries(scale, scores, ask),
        _texts([-0.5] * 3, [0, 0.5, 1], [f"{top * share:.2f}\u00a0" for share in (0, 0.5, 1)], "middle left"),
        _texts([count - 0.5] * 2, [0.17, 0.05], [counts, "╌╌ equal steps"], "middle left"),
        _texts(ways, [1.52] * 3, ["goes down", "stays", "goes up"], "middle center", 16),
    ]


def _queries(scale: ScaleType, scores: Any, ask: str) -> list[Trace]:
    """The names of lists A to D on the stairs, the scores of both queries, and their mean; ? for what is asked."""
    places, (before, after) = list(lists(scale)), means(scale)
    a, b, c, d = places
    at = (np.where(np.isnan(scores[places]), scores[[a, a, c, c]], scores[places]) / scores[c] - 0.02).tolist()
    old = [f"{score:.3f}" for score in scale.values[places]]
    new = ["?", "?"] if ask else [f"{old[2 * n + 1]} ({changes(scale)[n]})" for n in (0, 1)]
    queries = [f"\u00a0query {n + 1}: {'AC'[n]} {old[2 * n]} → {'BD'[n]} {new[n]}" for n in (0, 1)]
    names = ["A\u00a0\u00a0", f"\u00a0B{ask}", "\u00a0C", f"D{ask}\u00a0"]
    sides = ["bottom left", "bottom right", "bottom right", "bottom left"]
    return [
        _texts([a + 0.5, b - 0.5, c - 0.5, d + 0.5], at, names, sides, color=np.repeat(INKS, 2).tolist()),
        _texts([-0.5] * 2, [1.22, 1.1], queries, "middle right", color=INKS),
        _texts([-0.5], [1.36], [f"mean {before:.3f} → {'?' if ask else f'{after:.3f}'}"], "middle right", size=28),
    ]


def _steps(scale: ScaleType, scores: Any) -> list[Trace]:
    """The step to each next list as a bar, as a share of the highest, or of 3/2 of the lowest; orange below 0."""
    step, every, is_down = np.diff(scores), np.diff(scale.values), scale.steps.sign < 0
    full, edges = max(every.max(), -1.5 * every.min()), np.arange(0.5, len(step))
    heights = np.nan_to_num(np.where(is_down, np.minimum(step / full, -SEEN), step / full))
    ends = np.array([np.nanmax(step, initial=0), np.nanmin(step[is_down], initial=0)])
    marks = [f"{end:.3f}\u00a0".replace("-", "−") if end else BLANK for end in ends]
    ask = ["?" if np.isnan(step).any() else BLANK] * 2
    return [
        *(
            silent(**bars(edges - 0.4, edges + 0.4, np.where(is_here, heights, 0)), fillcolor=colour)
            for is_here, colour in ((~is_down, BLUE), (is_down, VERMILION))
        ),
        _texts([-0.5] * 2, (ends / full).tolist(), marks, "middle left"),
        _texts([lists(scale)[0] + 0.5, len(step) - 0.5], [0.3] * 2, ask, "middle center", color=GREY),
        _texts([-0.5], [1.32], ["height of each step"], "middle right"),
    ]


def _columns(scale: ScaleType) -> list[Trace]:
    """Every list as a column of cells, rank 1 on top, like neighbours in one piece if thin; names of some."""
    count, top = len(scale.runs), len(scale.grades) - 1
    gap = 0.02 if count <= FEW else 0.0
    fills = [EMPTY, *([MIDDLE] if top == 2 else []), BLUE]
    cells = [silent([], [], "lines", fillcolor=fill, fill="toself", line={"width": 0}) for fill in fills]
    for rank, row in enumerate(zip(*scale.runs, strict=True), start=1):
        ends = range(count + 1) if gap else np.flatnonzero(np.diff(row, prepend=-1, append=-1)).tolist()
        for first, end in pairwise(ends):
            left, right = first - 0.5 + gap, end - 0.5 - gap
            cells[row[first]]["x"] += [left, left, right, right, None]
            cells[row[first]]["y"] += [rank - 0.45, rank + 0.45, rank + 0.45, rank - 0.45, None]
    key = "blue: relevant" if top == 1 else "stronger blue: higher grade"
    sides = ["middle right", "middle center", "middle left"]
    below = _texts([-0.5, count / 2 - 0.5, count - 0.5], [scale.depth + 0.95] * 3, ["worst", key, "best"], sides)
    edges = [lists(scale)[0] + 0.5, count - 1.5]
    return [*cells, below, _texts(edges, [0.05] * 2, ["A  B", "D  C"], "middle center", color=INKS)]


def _texts(x: Any, y: Any, texts: list[str], position: Any, size: int = 14, **look: Any) -> Trace:
    font = {"size": size, **look}
    return silent(x, y, "text", text=texts, textposition=position, textfont=font, cliponaxis=False)


def data(values: Values) -> tuple[str, View]:
    """The page about equal steps, on real data, with the measure."""
    return "Equal steps on real data", View.from_texts("equal_steps", collection="dl2021", measures=expression(values))


LAB = Screen(
    name="lab_scales",
    title="Uneven stairs",
    question="One query gets one step better, another one step worse. Does their mean stay?",
    controls=(
        Choice(name="measure", label="Measure", default="RBP", options=tuple(MEASURES.items())),
        Number(name="p", label="p: probability of reading on", default=0.8, low=0.2, high=0.95),
        whole("length", "Documents in a list", 4, (2, 5), "All lists of this length are drawn."),
        whole("grades", "Number of grades, including 0", 2, (2, 3), "2 is relevant or not."),
        Choice(name="compared", label="The mean after", default="", options=(("", "not shown"), ("AB", "shown"))),
        Choice(name="guess", label="Guess", default="", options=(("", "?"), *((way, way) for way in WAYS))),
    ),
    text="All {=kind}s of {length} documents ({grades}), worst to best: {=order} ({=A} < {=B}). "
    "{measure}: each rank counts {p}{=counts}. Query 1: one step up (A → B). Query 2: one step down "
    "(C → D).",
    guess="Where does the mean go with RBP 0.80? Drag your guess.",
    answer=answer,
    mark=Mark(
        stops=tuple(WAYS),
        place=lambda values: (WAYS.get(values["guess"], UNDECIDED), 1.65),
        answers={"measure": "RBP", "p": 0.8, "compared": "AB"},
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
            title="Choose RBP. Make all steps equal.",
            goal=Goal.read("measure = RBP; heights of steps = 1"),
            settings=1,
            now="{heights of steps} different heights.",
            why="each step was 1/{lists}.",
            hint="Let each rank count half of the rank above.",
            solution={"p": "0.5"},
        ),
        Challenge(
            title="Choose ERR, relevant or not. Add documents until a step goes down.",
            goal=Goal.read("measure = ERR; grades = 2; steps that fall >= 1"),
            settings=2,
            now="{steps that fall} of {steps}.",
            why="{steps that fall} of {steps}.",
            hint="Press + at the number of documents.",
            solution={"measure": "ERR", "length": "5"},
        ),
        Challenge(
            title="Choose 2 documents, grade 0, 1 or 2. Make all RBP steps equal.",
            goal=Goal.read("measure = RBP; grades = 3; documents = 2; heights of steps = 1"),
            settings=3,
            now="{heights of steps} heights.",
            why="each was 1/{lists}.",
            hint="Let each rank count less than half of the rank above.",
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
