"""Lab: browsing models.  Readers go down a list and stop; the mean of what they take home is the score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.figures.axes import axis, chart
from irviz.figures.theme import AREA, BLUE, FAINT, GREY, VERMILION, Trace
from irviz.labs.charts import silent
from irviz.labs.documents import VIOLET, moves, squares
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import HIGHEST, Grades, whole
from irviz.labs.screen import Handle, Mark, Screen
from irviz.portable import total
from irviz.workspace.control import Choice, Number, plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.view import View

RANKS = 10  #: what is below is worth nothing
READERS = 100
STAY = tuple(range(10, 97, 2))  #: of 100 readers who go on, where the handle stops
ASKED = 60  #: that the guess is about
NO_GUESS = 0.683  #: where the mark of the guess is at first: the score
FALL = 0.01  #: of the score that is seen
ENOUGH = 0.1  #: share of readers for whom the axis has room
READS = {
    "RBP": "of 100 readers go on",
    "P": "all go on until rank 5",
    "ERR": "more stop if it was better",
}
TAKES = {"ERG": "all they saw", "max": "the best document they saw", "fin": "the last document they saw"}


@dataclass(frozen=True, eq=False)
class Walk:
    """By rank, and last for readers who go on past rank 10: the share who stop there, and what each takes home."""

    shares: NDArray[np.float64]
    amounts: NDArray[np.float64]
    seen: float  #: documents that a reader sees on average
    score: float  #: mean of what readers take home


@lru_cache(maxsize=8192)
def walk(grades: tuple[int, ...], reads: str, stay: int, takes: str) -> Walk:
    """All readers on one list; a document is worth g/3, or (2^g − 1)/8 to readers who stop at good ones."""
    padded = np.array([*grades, *[0] * RANKS][:RANKS], dtype=float)
    satisfied = (2**padded - 1) / 2**HIGHEST
    goes_on = {
        "RBP": np.full(RANKS, stay / READERS),
        "P": np.where(np.arange(RANKS) == 4, 0.0, 1.0),
        "ERR": 1 - satisfied,
    }[reads]
    reach = np.cumprod([1, *goes_on])
    seen = 1 / (1 - stay / READERS) if reads == "RBP" else float(reach[:-1].sum())
    worth = satisfied if reads == "ERR" else padded / HIGHEST
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


def one_grade_more(values: Values) -> list[float]:
    """By document, how the score changes if it has one grade more; 0 for the highest grade."""
    grades, now = tuple(values["grades"]), walk_of(values).score
    higher = ((*grades[:n], min(HIGHEST, grade + 1), *grades[n + 1 :]) for n, grade in enumerate(grades))
    return [walk_of(values, better).score - now for better in higher]


def swap(grades: tuple[int, ...]) -> tuple[int, ...] | None:
    """The list with its first documents of grades 2 and 3 in each other's places; None where it lacks one."""
    if not {2, 3} <= set(grades):
        return None
    two, three = grades.index(2), grades.index(3)
    return tuple({two: 3, three: 2}.get(n, grade) for n, grade in enumerate(grades))


def readings(values: Values) -> dict[str, Reading]:
    """The score, how readers read, and what a change of the list does to it."""
    w, swapped, effects = walk_of(values), swap(tuple(values["grades"])), one_grade_more(values)
    return {
        "score": w.score,
        "documents seen": w.seen,
        "stop at rank 1": float(w.shares[0]),
        "readers at rank 1": round(READERS * float(w.shares[0])),
        "change by a swap": walk_of(values, swapped).score - w.score if swapped else float("nan"),
        "least effect of one grade more": min(effects),
        "rank of least effect": 1 + int(np.argmin(effects)),
    }


def expression(values: Values) -> str:
    """The measure that the sentence describes, on lists whose documents below rank 10 are worth nothing."""
    p = plain(values["stay"] / READERS)
    if (values["reads"], values["takes"]) == ("RBP", "ERG"):
        return f"RBP(p={p})@{RANKS}"
    reader = {"RBP": f"RBP(p={p})", "P": "P@5", "ERR": "ERR"}[values["reads"]]
    return f"CWLA(C={reader},A={values['takes']}){'' if values['takes'] == 'fin' else f'@{RANKS}'}"


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    w = walk_of(values)
    return {
        "score": f"{w.score:.3f}",
        "seen": f", divided by {w.seen:.1f} (documents seen on average)" if values["takes"] == "ERG" else "",
    }


def answer(values: Values) -> str:
    """The score that the guess is about."""
    if values["reads"] != "RBP":
        return ""
    score, far = walk_of({**values, "stay": ASKED}).score, round(READERS * (ASKED / READERS) ** 4)
    return f"If {ASKED} of 100 go on, the score is {score:.3f}: only {far} of 100 reach rank 5."


def traces(values: Values) -> list[Trace]:
    """Bands from every second document to the readers who stop there; what all take home; the level; the list."""
    grades, w, top = tuple(values["grades"]), walk_of(values), _top(values)
    edges = np.concatenate([[0], np.cumsum(w.shares)]).clip(0, 1)
    heights = np.minimum(w.amounts, 1.06 * top)
    flat = np.full_like(heights, w.score)
    drawn = flat if values["flow"] else heights
    bands: list[tuple[float | None, float | None]] = []
    for n in range(0, RANKS, 2):
        left, right = ([(m / RANKS, 1.27 * top), (edges[m], 1.1 * top), (edges[m], 0.0)] for m in (n, n + 1))
        bands += [*left, *right[::-1], (None, None)]
    readers = (np.arange(READERS) + 0.5) / READERS
    ranks = [*map(str, range(1, RANKS + 1)), f">{RANKS}"]
    names = [
        f"rank {name}" if share > 0.18 else name if share > 0.035 else ""
        for name, share in zip(ranks, w.shares.tolist(), strict=True)
    ]
    effects = one_grade_more(values)
    worst = int(np.argmin(effects))
    falls = effects[worst] < -FALL
    end = [0.0, 1.05]
    return [
        silent(
            [x if x is None else round(float(x), 4) for x, _ in bands],
            [y if y is None else round(float(y), 4) for _, y in bands],
            "lines",
            fill="toself",
            fillcolor=FAINT,
            line={"color": GREY, "width": 0.5, "simplify": False},
        ),
        silent(
            np.concatenate([[0], np.repeat(edges[1:-1], 2), [1]]).round(4).tolist(),
            np.repeat(drawn, 2).round(4).tolist()[: 2 * RANKS + 2],
            "lines",
            fill="tozeroy",
            fillcolor=AREA,
            line={"color": BLUE, "width": 1.5, "simplify": False},
        ),
        silent(
            readers.tolist(),
            drawn[np.searchsorted(edges[1:-1], readers)].round(4).tolist(),
            "markers",
            marker={"size": 4, "color": BLUE},
        ),
        silent(
            ((edges[:-1] + edges[1:]) / 2).round(4).tolist(),
            [0.0] * len(names),
            "text",
            text=names,
            textposition="top center",
        ),
        silent(end, [round(w.score, 4)] * 2, "lines", line={"color": BLUE, "width": 2}),
        silent(
            [1.06, 1.06, 1.01],
            [round(w.score, 4), round(w.score - 0.1 * top, 4), 1.33 * top],
            "text",
            text=[f"{w.score:.3f}", "average", "← drag these"],
            textposition="middle right",
            textfont={"size": [30, 14, 14], "color": [BLUE, BLUE, VIOLET]},
            cliponaxis=False,
        ),
        silent(
            [(worst + 0.3) / RANKS],
            [1.42 * top if falls else -9.0],
            "text",
            text=[f"↓ one grade more: score {effects[worst]:+.3f}".replace("-", "−")],
            textposition="middle right",
            textfont={"size": 14, "color": VERMILION},
        ),
        squares(_places(grades), [1.33 * top] * len(grades), grades, HIGHEST, 22, len(grades)),
    ]


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    w, top = walk_of(values), _top(values)
    x = axis(
        "100 readers, by the rank at which they stop",
        [0, 1.34],
        tickvals=[0, 0.5, 1],
        ticktext=["0", "50", "100"],
        showgrid=False,
    )
    worth = [1 / 8, 3 / 8, 7 / 8] if values["reads"] == "ERR" else [1 / 3, 2 / 3, 1]
    names = [f"grade {grade}<br>= {of:.2g}" for grade, of in enumerate(worth, 1)]
    ticks = {"tickvals": [0, *worth], "ticktext": ["0", *names]}
    counts = "; grades 1, 2, 3 now count 1/8, 3/8, 7/8" if values["reads"] == "ERR" else ""
    y = axis(f"what a reader takes home{counts}", [0, 1.46 * top], zeroline=False, **ticks)
    stops = ", ".join(f"{share:.1%}" for share in w.shares)
    alt = f"Readers by the rank at which they stop, last those past rank {RANKS}: {stops}; score {w.score:.3f}."
    return Drawing(chart(traces(values), 540, x, y), "", alt)


def _top(values: Values) -> float:
    """The height that the axis shows, for this list in any order and for every stop of its handles."""
    return _highest(tuple(sorted(values["grades"], reverse=True)), values["reads"], values["takes"])


@lru_cache(maxsize=256)
def _highest(best: tuple[int, ...], reads: str, takes: str) -> float:
    walks = [walk(best, reads, stay, takes) for stay in STAY]
    return max(1.0, *(float(w.amounts[w.shares >= ENOUGH].max(initial=0)) for w in walks))


def _places(grades: tuple[int, ...]) -> list[float]:
    return [(n + 0.5) / RANKS for n in range(len(grades))]


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """For every document the ranks to which it can be dragged."""
    grades = tuple(values["grades"])
    return moves(grades, _places(grades), 1.33 * _top(values))


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
        Grades(name="grades", label="Grades of the list", default=(1, 0, 2, 0, 3, 1, 0, 0, 2, 0), longest=RANKS),
        Number(name="guess", label="Guess", default=NO_GUESS),
        whole("flow", "The area is level", 0, (0, 1), "Or it has a step for every rank."),
    ),
    text="After each document, {stay} {reads}. A reader who stops takes home {takes}{=seen}. The score is the "
    "average of all readers: <b>{=score}</b>. {flow}",
    guess=f"If only {ASKED} of 100 go on, what is the score? Drag the violet mark.",
    answer=answer,
    mark=Mark(
        stops=tuple(n / 50 for n in range(51)),
        place=lambda values: (0.96 if values["reads"] == "RBP" else None, values["guess"]),
        answers={"stay": ASKED},
    ),
    handles={
        "stay": Handle(
            label="Readers who go on after each document",
            stops=lambda values: sorted({*STAY, values["stay"]}) if values["reads"] == "RBP" else [values["stay"]],
            live=True,
        ),
        "flow": Handle(
            label="The area, level or with steps",
            stops=lambda _: (0, 1),
            words=lambda level: "Show each reader again" if level else "Show the average as a level",
            live=True,
        ),
    },
    choices={"reads": READS, "takes": TAKES},
    readings=readings,
    said=said,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=("grades",),
    goals=(
        Challenge(
            title="Make half of the readers stop at rank 1.",
            goal=Goal.read("stop at rank 1 = 0.5"),
            now="Now {readers at rank 1} of 100.",
            why="50 of 100 stop at rank 1.",
            hint="Let fewer readers go on.",
            solution={"stay": "50"},
        ),
        Challenge(
            title="Find readers who do not mind the order of ranks 1 to 5.",
            goal=Goal.read("change by a swap = 0"),
            why="Swapping grades 2 and 3 leaves the score the same.",
            hint="Which readers see all five documents?",
            solution={"reads": "P"},
        ),
        Challenge(
            title="Find readers for whom a better document lowers the score.",
            goal=Goal.read(f"least effect of one grade more < -{FALL}"),
            why="One grade more at rank {rank of least effect}: score {least effect of one grade more:+.3f}.",
            hint="A good document may stop readers before a better one.",
            solution={"reads": "ERR", "takes": "fin"},
        ),
    ),
    data=data,
    source="Chen & Sakai 2023, eq. (1) and (2); Moffat & Zobel 2008; Chapelle et al. 2009, where 1/8, "
    "3/8 and 7/8 of the readers stop at grades 1, 2 and 3; the list is made up",
    notes=(
        "Each column is as wide as the share of readers who stop at its rank, and as high as what each of them takes "
        "home, so the area is the mean: the score.",
        "Readers of RBP see 1/(1 − p) documents on average: 5 if 80 of 100 go on, 2 if 50 do. Then half of the picture "
        "is the first document.",
        "Of those who do not stop at rank 1, pupils forget that they must first reach the next one: of 100 readers of "
        "whom 80 go on, 16 stop at rank 2, and not 20.",
        "“The sum and the best are the same thing”: documents of grade 0 add nothing to the sum, but they count among "
        "the documents seen.",
        "A swap inside of the first five documents changes nothing for readers who see all five; for readers who may "
        "stop between the two it does.",
        "Readers who stop at good documents, and take home the last, lose by a slightly better document above a good "
        "one. In a field study (Zhang et al. 2020) users' satisfaction agrees better with the best document than with "
        "the mean: page *Users*.",
    ),
)
