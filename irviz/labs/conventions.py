"""Lab: conventions.  Four choices that tools make, of which papers say little, give one list sixteen values of AP."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from irviz.figures.axes import axis, chart
from irviz.figures.theme import BLUE, GREY, Trace
from irviz.labs.charts import extend, silent
from irviz.labs.documents import VIOLET, squares
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import verdict
from irviz.labs.screen import Handle, Mark, Screen
from irviz.workspace.control import Choice, Number
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.view import View

UNJUDGED = -1
GRADES = (1, 1, UNJUDGED, 0, 0, UNJUDGED, 1, 0)  #: of the list, with equal scores in the order of names from z to a
TIES = ((1, 4), (5, 7))  #: the first place of equal scores, and the first one after them
MISSED = 2  #: relevant documents that the list lacks
PHRASES = {
    "base": {"judged": "all 5 relevant documents", "retrieved": "the 3 ✓ in this list"},
    "order": {"trec_eval": "from z to a", "trec_eval_ascending": "from a to z"},
    "unjudged": {"not_relevant": "not relevant", "condensed": "removed"},
    "missing": {"left_out": "it is left out", "zero": "it counts as 0"},
}
ASKED = {"base": "retrieved"}  #: that the guess is about
LABELS = {
    "base": "What the sum is divided by",
    "order": "Order of documents with equal scores",
    "unjudged": "Unjudged documents",
    "missing": "A query that found nothing",
}
TOOLS = {
    "trec_eval": ("judged", "trec_eval", "not_relevant", "left_out"),
    "trec_eval -c": ("judged", "trec_eval", "not_relevant", "zero"),
    "trec_eval -J": ("judged", "trec_eval", "condensed", "left_out"),
    "cwl_eval": ("retrieved", "trec_eval_ascending", "not_relevant", "left_out"),
}
NO_GUESS = 0.03  #: where the mark of the guess is at first, in nobody's way
NAMES = "hgfedcba"  #: of the documents, in the order from z to a
MARKS = {1: "✓", 0: "–", UNJUDGED: "?"}
PLACES = ((-1.1, "left"), (-0.4, "left"), (-0.75, "right"), (-0.4, "right"))  #: of names of tools beside their stems
PRESSED = f'<span style="color: {VIOLET}">{{}}</span>'
APART, HIGHER = 0.045, 0.19  #: what dots at one height lie apart; a dot that would lie nearer is so much higher


@lru_cache(maxsize=512)
def ranked(ties: str, unjudged: str) -> tuple[int, ...]:
    """By rank, the place in the order from z to a of the documents that count."""
    order = list(range(len(GRADES)))
    for first, end in TIES if ties == "trec_eval_ascending" else ():
        order[first:end] = reversed(order[first:end])
    return tuple(place for place in order if unjudged != "condensed" or GRADES[place] != UNJUDGED)


def precisions(base: str, ties: str, unjudged: str) -> tuple[list[tuple[int, int]], int]:
    """Numerator and denominator of the precision at each relevant document, and what their sum is divided by."""
    hits = [rank for rank, place in enumerate(ranked(ties, unjudged), 1) if GRADES[place] == 1]
    return list(enumerate(hits, 1)), len(hits) + (MISSED if base == "judged" else 0)


@lru_cache(maxsize=512)
def mean_ap(base: str, ties: str, unjudged: str, missing: str) -> float:
    """AP of the list, or its mean with the 0 of a topic without a list."""
    at, relevant = precisions(base, ties, unjudged)
    ap = sum(n / rank for n, rank in at) / relevant
    return ap if missing == "left_out" else ap / 2


def now(values: Values) -> float:
    """The number by the phrases of the sentence."""
    return mean_ap(*(values[name] for name in PHRASES))


NUMBERS = [mean_ap(*phrases) for phrases in product(*PHRASES.values())]  #: by all sixteen combinations of phrases


def readings(values: Values) -> dict[str, Reading]:
    """The number, how many are higher, and what query 2 does."""
    higher = sum(each > now(values) + 1e-9 for each in NUMBERS)
    return {"AP": now(values), "higher numbers": higher, "query 2": values["missing"]}


def _working(values: Values) -> tuple[str, str, str]:
    """AP of query 1, how it is computed, and how its mean with query 2 is if that counts."""
    at, relevant = precisions(values["base"], values["order"], values["unjudged"])
    ap = f"{now({**values, 'missing': 'left_out'}):.4f}"
    mean = f"<br>mean AP: ({ap} + 0) ÷ 2" if values["missing"] == "zero" else ""
    return ap, f"({' + '.join(f'{n}/{rank}' for n, rank in at)}) ÷ {relevant}", mean


def answer(values: Values) -> str:
    """The number that the guess is about."""
    asked = {**values, **ASKED}
    how = verdict(values["guess"], NO_GUESS, now(asked), 1 / 80, 0.05)
    half = " ÷ 2" if values["missing"] == "zero" else ""
    return f"{how}{_working(asked)[1]}{half} is {now(asked):.4f}."


def heights(numbers: Sequence[float]) -> list[float]:
    """Of a dot for each number: the lowest at which it covers no other; equal numbers share one."""
    last: list[float] = []  # by height, the number of the last dot
    rows: dict[float, int] = {}
    for each in sorted(set(numbers)):
        rows[each] = next((n for n, before in enumerate(last) if each - before >= APART), len(last))
        last[rows[each] : rows[each] + 1] = [each]
    return [round(HIGHER * rows[each], 4) for each in numbers]


def traces(values: Values) -> list[Trace]:
    """The documents where the phrases put them; below, the number on a line, and the fifteen others."""
    numbers, value = [round(each, 4) for each in NUMBERS], round(now(values), 4)
    high = heights(numbers)
    ap, computed, mean = _working(values)
    of_tools = [round(mean_ap(*phrases), 4) for phrases in TOOLS.values()]
    return [
        silent([0, 1], [0, 0], "lines", line={"color": GREY, "width": 3}),
        silent(
            [x for value in of_tools for x in (value, value, None)],
            [y for low, _ in PLACES for y in (-0.12, low + 0.1, None)],
            "lines",
            line={"color": GREY, "width": 1, "simplify": False},
        ),
        silent([value], [high[numbers.index(value)]], "markers", marker={"size": 18, "color": BLUE}),
        silent(
            [0.5, *[min(value, 0.78)] * 2],  # on a phone it is cut farther right
            [2.35, 1.6, 1.65],
            "text",
            text=[f"query 1: {computed} = {ap}{mean}", "mean AP\u00a0", f"{value:.4f}"],
            textposition=["middle center", "middle left", "middle right"],
            textfont={"size": [14, 14, 30], "color": BLUE},
            cliponaxis=False,
        ),
        *_documents(values),
        silent(
            [*of_tools, *numbers],
            [*(low for low, _ in PLACES), *high],
            "markers+text",
            marker={
                "symbol": ["square"] * len(TOOLS) + ["circle-open"] * len(numbers),
                "size": [12] * len(TOOLS) + [0 if each == value else 10 for each in numbers],
                "color": VIOLET,
                "opacity": 1.0,
                "line": {"width": 2, "color": VIOLET},
            },
            text=[f"\u00a0{name}\u00a0" for name in TOOLS],
            textposition=[f"middle {side}" for _, side in PLACES],
            textfont={"size": 13, "color": VIOLET},
        ),
    ]


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    bare = {"showgrid": False, "zeroline": False}
    dot, square = map(PRESSED.format, "○■")
    press = f"{square} is a program that computes it: press {square} or {dot} to take its rules"
    x = axis(f"mean AP with all 16 settings of the four rules<br>{press}", [-0.06, 1.06], anchor="y", dtick=0.2, **bare)
    y = {"visible": False, "range": [-1.25, 2.6], "domain": [0, 0.62], "anchor": "x"}
    key = "rank (✓ relevant, – not relevant, ? unjudged)"
    ranks = axis(key, [0.4, 8.6], anchor="y2", side="top", dtick=1, **bare)
    lists = {"tickvals": [0, 1, 1.8], "ticktext": ["query 1", "not in<br>this list", "query 2"]}
    rows = {"range": [2.1, -0.5], "domain": [0.66, 1], "anchor": "x2", **lists, **bare}
    fig = extend(chart(traces(values), 540, x, y), xaxis2=ranks, yaxis2=rows)
    alt = f"A list of documents, and its average precision from 0 to 1: {now(values):.4f}."
    alt += f" By all combinations of the rules: {', '.join(f'{each:.4f}' for each in sorted(NUMBERS))}."
    return Drawing(fig, "", alt)


def _documents(values: Values) -> list[Trace]:
    """Ties in orange; the documents of the list, below it those it lacks and those that are removed."""
    order = ranked(values["order"], values["unjudged"])
    removed = [n for n in range(len(GRADES)) if n not in order]
    x = [order.index(n) + 1 if n in order else MISSED + 1.5 + removed.index(n) for n in range(len(GRADES))]
    bands: list[tuple[float | None, float | None]] = []
    for first, end in TIES:
        ranks = [x[n] for n in range(first, end) if n in order]
        there = 0 if len(ranks) > 1 else -9
        bands += [(min(ranks) - 0.45, there), (max(ranks) + 0.45, there), (None, None)]
    names = [f"{name} {MARKS[grade]}" for name, grade in zip(NAMES, GRADES, strict=True)]
    is_counted = values["base"] == "judged"
    counted = "are 2 of the<br>5 relevant documents" if is_counted else "do not count"
    texts = [f"found nothing: {PHRASES['missing'][values['missing']]}", f"y and x {counted}"]
    below: dict[str, Any] = {"xaxis": "x2", "yaxis": "y2"}
    boxes = squares(
        [*x, *(n + 1.5 for n in range(MISSED))],
        [*(float(n in removed) for n in range(len(GRADES))), *[1.0] * MISSED],
        [*GRADES, *[1 if is_counted else UNJUDGED] * MISSED],
        1,
        30,
        **below,
    )
    return [
        silent(
            [at for at, _ in bands],
            [at for _, at in bands],
            "lines",
            line={"color": "#F2A154", "width": 40},
            **below,
        ),
        {**boxes, "text": [*names, "y ✓", "x ✓"], "textfont": {**boxes["textfont"], "size": 13}},
        silent([0.6, MISSED + 1.1 + len(removed)], [1.8, 1], "text", text=texts, textposition="middle right", **below),
    ]


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """For every tool and every dot a press that sets its rules."""
    dots, given = traces(values)[-1], [*TOOLS.values(), *product(*PHRASES.values())]
    places = zip(dots["x"], dots["y"], given, strict=True)
    return [[{"x": x, "y": y, "given": list(phrases), "tap": True}] for x, y, phrases in places]


def data(values: Values) -> tuple[str, View]:
    """A claim about two systems under the choices of ties, unjudged documents and missing topics alone."""
    view = View.from_texts(
        "conclusion",
        collection="adhoc",
        measures="AP",
        averages="mean",
        tests="t",
        rules=",".join(PHRASES["order"]),
        sets="all",
        judges="people",
        families="pair",
        unjudged=",".join(PHRASES["unjudged"]),
        missing=",".join(PHRASES["missing"]),
    )
    return "These rules on simulated systems", view


def _phrase(name: str) -> Handle:
    return Handle(label=LABELS[name], stops=lambda _: tuple(PHRASES[name]), words=PHRASES[name].__getitem__, live=True)


LAB = Screen(
    name="lab_conventions",
    title="One system, sixteen results",
    question="Why do the programs trec_eval and cwl_eval print different results for one system?",
    controls=(
        *(
            Choice(name=name, label=LABELS[name], default=next(iter(words)), options=tuple(words.items()))
            for name, words in PHRASES.items()
        ),
        Number(name="guess", label="Guess", default=NO_GUESS),
    ),
    text='<span class="irviz-rules"><span>Average precision (AP) adds the precision at each ✓. '
    "Programs that compute it differ in four rules:</span> <span>Divide the sum by {base}</span> "
    "<span>Sort equal scores (orange) by name {order}</span> <span>Unjudged documents (?) are {unjudged}</span> "
    "<span>Query 2 found nothing: {missing}</span></span>",
    guess="Drag your guess: divided by the 3 ✓, what is mean AP?",
    answer=answer,
    mark=Mark(stops=tuple(n / 40 for n in range(41)), place=lambda values: (values["guess"], 0.8), answers=ASKED),
    handles={name: _phrase(name) for name in PHRASES},
    combined=tuple(PHRASES),
    readings=readings,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=tuple(PHRASES),
    goals=(
        Challenge(
            title="Halve mean AP by changing one rule.",
            goal=Goal.read("query 2 = zero"),
            why="query 2 counts.",
            hint="The mean of two queries is their sum divided by 2.",
            solution={"missing": "zero"},
        ),
        Challenge(
            title="Find the highest mean AP.",
            goal=Goal.read("higher numbers = 0"),
            why="no dot is higher.",
            hint="Divide by fewer documents, and use rules that bring each ✓ further left.",
            solution={"base": "retrieved", "unjudged": "condensed"},
        ),
        Challenge(
            title="A paper reports a mean AP of 0.7556. Find its rules.",
            goal=Goal.read("AP = 0.7556"),
            why="it divided by 3, sorted from a to z, removed unjudged documents.",
            hint="Three rules are not those that the lab begins with.",
            solution={"base": "retrieved", "order": "trec_eval_ascending", "unjudged": "condensed"},
        ),
    ),
    data=data,
    source="the programs trec_eval 9 and cwl_eval (cwl_ap.py). With -c, trec_eval counts a query that found nothing as "
    "0; with -J, it removes unjudged documents. Cabanac et al. 2010 is about equal scores, Sakai 2007 about unjudged "
    "documents. The list is made up",
    notes=(
        "trec_eval divides by all relevant documents, orders ties from z to a, counts unjudged documents as not "
        "relevant and leaves topics without a list out; -c counts these as 0, -J removes unjudged documents.",
        "cwl_eval divides by the relevant documents in the list, because a user sees no others, and leaves ties in the "
        "order of the file.",
        "Pupils divide by the documents found; then a list that misses most of them can have an AP of 1.",
        "“Removing unjudged documents lowers AP”: documents below a removed one move up, so no precision gets lower.",
        "The order of ties matters only where a relevant document ties with one that is not. The mean over all orders "
        "is a tie rule, too: expected (McSherry & Najork 2008).",
    ),
)
