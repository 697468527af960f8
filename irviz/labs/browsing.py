"""Lab: browsing models.  Readers go down a list and stop; the mean of what they take home is the score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.figures.axes import axis, chart
from irviz.figures.theme import AREA, BLUE, FAINT, GREY, Trace
from irviz.labs.charts import BLANK, silent
from irviz.labs.documents import VIOLET, moves, squares
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import HIGHEST, Grades, verdict, whole
from irviz.labs.screen import Handle, Mark, Screen
from irviz.portable import total
from irviz.workspace.control import Choice, Number, plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.view import View

Point = tuple[float | None, float | None]  #: x and y; None ends a line
RANKS = 10  #: what is below is worth nothing
PLACES = [(n + 0.5) / RANKS for n in range(RANKS)]  #: x of documents
READERS = 100
STAY = tuple(range(10, 96, 5))  #: of 100 readers who go on, where the handle stops
ASKED = 40  #: that the guess is about
NO_GUESS = 0.51  #: where the mark of the guess is at first, between two stops
GUESS_AT = 1.05  #: x of the guess
NAMED = 0.195  #: share of readers whose strip has room for its name
SHOWN = 0.005  #: share of readers for whom a stair and a strip are drawn: half a reader
JOINED = 0.025  #: share of readers whose strip a line joins to its document
FIRST = (1, 0, 2, 0, 1, 3, 0, 0, 2, 0)  #: grades of the list
READS = {
    "RBP": "Some readers stop after each document",
    "P": "All readers stop at rank 5",
    "ERR": "Good documents stop readers",
}
STOPS = "<br>Grade 1 stops 1 of 3 readers who see it,<br>grade 2 stops 2 of 3, and grade 3 stops all."
TAKES = {"max": "the best document seen", "fin": "the last document seen", "ERG": "all documents seen"}


@dataclass(frozen=True, eq=False)
class Walk:
    """By rank, and last for readers who go on past rank 10: the share who stop there, and what each takes home."""

    shares: NDArray[np.float64]
    amounts: NDArray[np.float64]
    seen: float  #: documents that a reader sees on average
    score: float  #: mean of what readers take home


@lru_cache(maxsize=8192)
def walk(grades: tuple[int, ...], reads: str, stay: int, takes: str) -> Walk:
    """All readers on one list; a document is worth g/3, the share that stops there of readers who stop at good ones."""
    worth = np.array([*grades, *[0] * RANKS][:RANKS], dtype=float) / HIGHEST
    goes_on = {
        "RBP": np.full(RANKS, stay / READERS),
        "P": np.where(np.arange(RANKS) == 4, 0.0, 1.0),
        "ERR": 1 - worth,
    }[reads]
    reach = np.cumprod([1, *goes_on])
    seen = 1 / (1 - stay / READERS) if reads == "RBP" else float(reach[:-1].sum())
    amounts = {
        "ERG": np.cumsum([*worth, 0]) / seen,
        "max": np.maximum.accumulate([*worth, 0]),
        "fin": np.array([*worth, 0]),
    }[takes]
    shares = np.append(reach[:-1] * (1 - goes_on), reach[-1])
    return Walk(shares, amounts, seen, float(total(shares * amounts)))


def walk_of(values: Values, grades: tuple[int, ...] | None = None) -> Walk:
    """The readers of the sentence, on its list or another one."""
    return walk(grades or tuple(values["grades"]), values["reads"], values["stay"], values["takes"])


def readings(values: Values) -> dict[str, Reading]:
    """The score, how readers read, and what the hand's last change of the list, made under this rule, did to it."""
    w, now, before, reads = walk_of(values), tuple(values["grades"]), tuple(values["was"]), values["reads"]
    same = reads == values["under"] and len(now) == len(before)
    changed = [n for n, (a, b) in enumerate(zip(now, before, strict=False), start=1) if same and a != b]
    moved = reads == "P" and sorted(now[:5]) == sorted(before[:5]) and now[5:] == before[5:]
    pressed = reads == "ERR" and len(changed) == 1 and before[changed[0] - 1] == 0
    old = walk_of(values, before).score
    change = round(w.score, 3) - round(old, 3)  # of what the figure shows
    return {
        "score": w.score,
        "documents seen": w.seen,
        "stop at rank 1": float(w.shares[0]),
        "change of the score": change,
        "places changed among the five seen": len(changed) if moved else 0,
        "change by a better document": change if pressed else 0.0,
        "first rank changed": changed[0] if changed else 0,
        "grade there": now[changed[0] - 1] if changed else 0,
    }


def expression(values: Values) -> str:
    """The measure that the sentence describes, on lists whose documents below rank 10 are worth nothing."""
    p = plain(values["stay"] / READERS)
    if (values["reads"], values["takes"]) == ("RBP", "ERG"):
        return f"RBP(p={p})@{RANKS}"
    reader = {"RBP": f"RBP(p={p})", "P": "P@5", "ERR": "ERR"}[values["reads"]]
    gains = ",gains='linear'" if reader == "ERR" else ""
    return f"CWLA(C={reader},A={values['takes']}{gains}){'' if values['takes'] == 'fin' else f'@{RANKS}'}"


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    of, on = (", and ", f" of every {READERS} go on") if values["reads"] == "RBP" else ("", "")
    return {"of": of, "on": on, "mean": "per document" if values["takes"] == "ERG" else "on average"}


def answer(values: Values) -> str:
    """The score that the guess is about; how to come back to it from other readers, who are not asked about."""
    if not _is_asked(values):
        return "To guess a score, choose the first line in both menus."
    score = walk_of({**values, "stay": ASKED}).score
    how = verdict(values["guess"], NO_GUESS, score, 0.01, 0.05)
    return f"{how}{score:.3f} was the score when {ASKED} of every {READERS} went on."


def _is_asked(values: Values) -> bool:
    return bool((values["reads"], values["takes"]) == ("RBP", "max"))


def counted(shares: NDArray[np.float64]) -> list[int]:
    """The shares of 100 readers as whole numbers, of which the sum is 100."""
    exact = (READERS * shares).round(6)
    whole_ones = np.floor(exact).astype(int)
    whole_ones[np.argsort(whole_ones - exact, kind="stable")[: READERS - whole_ones.sum()]] += 1
    return [int(count) for count in whole_ones]


def stairs(w: Walk) -> NDArray[np.float64]:
    """By rank, the height of the stair; ranks with too few readers to draw share the mean with the one before."""
    groups = np.maximum(np.cumsum(w.shares >= SHOWN) - 1, 0)
    means = np.bincount(groups, w.shares * w.amounts) / np.bincount(groups, w.shares)
    return np.asarray(means[groups])


def traces(values: Values) -> list[Trace]:
    """Strips of readers, from each document to those who stop there; what they take home; the average; the list."""
    grades, w, top = tuple(values["grades"]), walk_of(values), _top(values)
    count = len(grades)
    places = PLACES[:count]
    edges = np.concatenate([[0], np.cumsum(w.shares)]).clip(0, 1)
    heights = stairs(w)
    strips: list[Point] = []
    links: list[Point] = []
    for n, (left, right) in enumerate(pairwise(edges[:-1].tolist())):
        if right - left >= SHOWN:
            strips += [(left, 0.0), (left, 1.1 * top), (right, 1.1 * top), (right, 0.0), (None, None)]
        start = (PLACES[n], 1.25 * top)
        end = ((left + right) / 2, 1.1 * top) if right - left >= JOINED and n < count else start
        links += [start, end, (None, None), (left, 1.1 * top), (right, 1.1 * top), (None, None)]
    every_other = [point for n, point in enumerate(strips) if n % 10 < 5]
    every_other += [(None, None)] * (5 * RANKS // 2 - len(every_other))
    readers, ranks = (np.arange(READERS) + 0.5) / READERS, [f"{n}" for n in range(1, count + 1)]
    *stopping, below = counted(np.append(w.shares[:count], w.shares[count:].sum()))
    widest = int(w.shares[:count].argmax())
    name = f"{stopping[widest]} stop" if w.shares[widest] >= NAMED else BLANK
    aside = (0.75 if w.score < 0.5 * top else 0.25) * top
    divisor = f"Readers see<br>{w.seen:.1f} documents<br>on average." if values["takes"] == "ERG" else ""
    beside = w.score + (0.05 if w.score < 0.9 * top else -0.05) * top
    return [
        _lines(every_other, 0, fill="toself", fillcolor=FAINT),
        _lines(links, 0.75),
        silent(
            np.concatenate([[0], np.repeat(edges[1:-1], 2), [1]]).round(4).tolist(),
            np.repeat(heights, 2).round(4).tolist()[: 2 * RANKS + 2],
            "lines",
            fill="tozeroy",
            fillcolor=AREA,
            line={"color": GREY, "width": 1.5, "simplify": False},
        ),
        silent(
            readers.tolist(),
            heights[np.searchsorted(edges[1:-1], readers)].round(4).tolist(),
            "markers",
            marker={"size": 4, "color": GREY},
        ),
        silent(places * 2, [1.5 * top] * count + [1.3 * top] * count, "text", text=[*ranks, *map(str, stopping)]),
        silent(
            [-0.02] * 3,
            [1.5 * top, 1.4 * top, 1.28 * top],
            "text",
            text=["rank", "grade", "readers who<br>stop there"],
            textposition="middle left",
            textfont={"size": 12, "color": GREY},
            cliponaxis=False,
        ),
        silent([0.0, 1.16], [round(w.score, 4)] * 2, "lines", line={"color": BLUE, "width": 2}),
        silent(
            [GUESS_AT, GUESS_AT, *[None, GUESS_AT + 0.05] * 3] if _is_asked(values) else [None] * 8,
            [0, 1, None, 0, None, 0.5, None, 1],
            "lines+text",
            text=["", "", "", "0", "", "0.5", "", "1"],
            textposition="middle right",
            textfont={"size": 12, "color": VIOLET},
            line={"color": VIOLET, "width": 1},
            cliponaxis=False,
        ),
        silent(
            [1.18, 1.18, 0.01, round(float(edges[widest : widest + 2].mean()), 4), 1.03, 1.03, 1.03],
            np.array([w.score, w.score + 0.09 * top, beside, *np.array([1.05, 1.43, 1.28]) * top, aside])
            .round(4)
            .tolist(),
            "text",
            text=[
                f"{w.score:.3f}",
                "score",
                "average",
                name,
                "← drag to move,<br>press to improve",
                f"{below} go past<br>rank {count}",
                divisor,
            ],
            textposition=[*["middle right"] * 3, "middle center", *["middle right"] * 3],
            textfont={"size": [28, 14, 13, 11, 12, 12, 12], "color": [BLUE, BLUE, BLUE, GREY, VIOLET, GREY, BLUE]},
            cliponaxis=False,
        ),
        squares(places, [1.4 * top] * count, grades, HIGHEST, 22, count),
    ]


def _lines(points: list[Point], width: float, **look: Any) -> Trace:
    x, y = ([each if each is None else round(each, 4) for each in ends] for ends in zip(*points, strict=True))
    return silent(x, y, "lines", line={"color": GREY, "width": width, "simplify": False}, **look)


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    w, top = walk_of(values), _top(values)
    stop = "100 readers" + (STOPS if values["reads"] == "ERR" else "")
    x = axis(stop, [-0.02, 1.48], showgrid=False, tickvals=[0, 0.5, 1], ticktext=["0", "50", "100"])
    worth = [grade / HIGHEST for grade in range(HIGHEST + 1)]
    names = ["0", *(f"grade {grade}<br>= {of:.2g}" for grade, of in enumerate(worth[1:], 1))]
    ticks: dict[str, Any] = {"tickvals": worth, "ticktext": names}
    title = "value of the document taken home"
    if values["takes"] == "ERG":
        title = "value taken home ÷<br>documents seen on average"
        ticks = {"tickvals": [n / 2 for n in range(int(2 * top) + 1)]}
    y = axis(title, [0, 1.56 * top], zeroline=False, showgrid=False, **ticks)
    stops = ", ".join(f"{share:.1%}" for share in w.shares)
    alt = f"Readers by the rank at which they stop, last those past rank {RANKS}: {stops}; score {w.score:.3f}."
    return Drawing(chart(traces(values), 540, x, y, margin={"l": 74}), "", alt)


def _top(values: Values) -> float:
    """The height that the axis shows, for this list in any order and for every stop of its handles."""
    return _highest(tuple(sorted(values["grades"], reverse=True)), values["reads"], values["takes"])


@lru_cache(maxsize=256)
def _highest(best: tuple[int, ...], reads: str, takes: str) -> float:
    """The highest stair of all lists of these documents; some orders are enough to find it."""
    orders = [best]
    if reads == "ERR":
        threes, twos, ones = (best.count(grade) for grade in (3, 2, 1))
        above = product(range(twos + 1), range(ones + 1))
        orders = [(*[2] * a, *[1] * b, *[3] * threes, *[2] * (twos - a), *[1] * (ones - b)) for a, b in above]
    stays = range(1, READERS) if reads == "RBP" else STAY[:1]
    return max(1.0, *(float(stairs(walk(order, reads, stay, takes)).max()) for order in orders for stay in stays))


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """For every document the ranks to which it can be dragged, and above it one grade more, after the highest none."""
    grades, top = tuple(values["grades"]), _top(values)
    goals = moves(grades, PLACES, 1.4 * top)
    for n, (grade, at) in enumerate(zip(grades, PLACES, strict=False)):
        better = (*grades[:n], (grade + 1) % (HIGHEST + 1), *grades[n + 1 :])
        goals[n].append({"x": at, "y": 1.5 * top, "given": [",".join(map(str, better))], "tap": True})
    before = ",".join(map(str, grades))
    return [[{**goal, "given": [*goal["given"], before, values["reads"]]} for goal in to] for to in goals]


def data(values: Values) -> tuple[str, View]:
    """The same measure of runs of TREC."""
    name = expression(values)
    return "These readers on real data", View.from_texts("what_if", collection="dl2021", measures=name)


LAB = Screen(
    name="lab_browsing",
    title="What 100 readers take home",
    question="How does reading become a score?",
    controls=(
        Choice(name="reads", label="How they read", default="RBP", options=tuple(READS.items())),
        whole("stay", "Of 100 readers, those who go on", 80, (1, 99), "After every document."),
        Choice(name="takes", label="What they take home", default="max", options=tuple(TAKES.items())),
        Grades(name="grades", label="Grades of the list", default=FIRST, longest=RANKS),
        Grades(name="was", label="Grades before the last change", default=FIRST, longest=RANKS),
        Choice(name="under", label="How they read at the last change", default="RBP", options=tuple(READS.items())),
        Number(name="guess", label="Guess", default=NO_GUESS),
    ),
    text="The score is what readers take home {=mean}: {takes}. {reads}{=of}{stay}{=on}.",
    guess=f"What is the score if only {ASKED} go on? Drag your guess.",
    answer=answer,
    mark=Mark(
        stops=tuple(n / 50 for n in range(51)),
        place=lambda values: (GUESS_AT if _is_asked(values) else None, values["guess"]),
        answers={"reads": "RBP", "stay": ASKED, "takes": "max"},
    ),
    handles={
        "stay": Handle(
            label="Readers who go on after each document",
            stops=lambda values: sorted({*STAY, values["stay"]}) if values["reads"] == "RBP" else [values["stay"]],
            live=True,
        ),
    },
    choices={"reads": READS, "takes": TAKES},
    readings=readings,
    said=said,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=("grades", "was", "under"),
    goals=(
        Challenge(
            title="Make half of the readers stop at rank 1.",
            goal=Goal.read("stop at rank 1 = 0.5"),
            why="50 stopped.",
            hint=f"Choose “{READS['RBP']}”. Then change how many go on.",
            solution={"stay": "50"},
        ),
        Challenge(
            title=f"Choose “{READS['P']}”. Reorder the first five without changing the score.",
            goal=Goal.read("places changed among the five seen > 0; change of the score = 0"),
            why="all saw all five.",
            hint="Drag the document at rank 1 to rank 2.",
            solution={"reads": "P", "under": "P", "grades": "0,1,2,0,1,3,0,0,2,0"},
        ),
        Challenge(
            title=f"Choose “{READS['ERR']}”. Improve a 0 so that the score falls.",
            goal=Goal.read("change by a better document < 0"),
            why="more stopped at rank {first rank changed}, with only grade {grade there}.",
            hint=f"Press “Reset figure”. Choose “{READS['ERR']}” again, then press the 0 at rank 2.",
            solution={"reads": "ERR", "under": "ERR", "grades": "1,1,2,0,1,3,0,0,2,0"},
        ),
    ),
    data=data,
    source="Chen & Sakai 2023, eq. (1) and (2); Moffat & Zobel 2008; Chapelle et al. 2009 (where good "
    "documents stop fewer readers: 1/8, 3/8 and 7/8); the list is made up",
    notes=(
        "Each column is as wide as the share of readers who stop at its rank, and as high as what each of them takes "
        "home, so the area is the mean: the score.",
        "Readers of RBP see 1/(1 − p) documents on average: 5 if 80 of 100 go on, 2 if 50 do. Then half of the picture "
        "is the first document. The last document and all documents give them the same score.",
        "Of those who do not stop at rank 1, pupils forget that they must first reach the next one: of 100 readers of "
        "whom 80 go on, 16 stop at rank 2, and not 20.",
        "“The sum and the best are the same thing”: documents of grade 0 add nothing to the sum, but they count among "
        "the documents seen.",
        "A swap inside of the first five documents changes nothing for readers who see all five; for readers who may "
        "stop between the two it does.",
        "Readers who stop at good documents lose by a slightly better document above a good "
        "one. In a field study (Zhang et al. 2020) users' satisfaction agrees better with the best document than with "
        "the mean: page *Users*.",
    ),
)
