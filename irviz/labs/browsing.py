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
SHOWN = 0.005  #: share of readers for whom a step of the area is drawn: half a reader
FIRST = (1, 0, 2, 0, 3, 1, 0, 0, 2, 0)  #: grades of the list
READS = {
    "RBP": "of 100 readers go on after each document",
    "P": "Every reader sees five documents",
    "ERR": "More readers stop after a better document",
}
TAKES = {"max": "the best document seen", "fin": "the last document seen", "ERG": "the sum of what was seen"}


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


def readings(values: Values) -> dict[str, Reading]:
    """The score, how readers read, and what the hand's last change of the list did to it."""
    w, now, before = walk_of(values), tuple(values["grades"]), tuple(values["was"])
    changed = [rank for rank, (a, b) in enumerate(zip(now, before, strict=False), start=1) if a != b]
    within = sorted(now[:5]) == sorted(before[:5]) and now[5:] == before[5:]
    better = len(changed) == 1 and len(now) == len(before) and now[changed[0] - 1] > before[changed[0] - 1]
    return {
        "score": w.score,
        "documents seen": w.seen,
        "stop at rank 1": float(w.shares[0]),
        "readers at rank 1": round(READERS * float(w.shares[0])),
        "change of the score": w.score - walk_of(values, before).score,
        "places changed in the first five": len(changed) if within else 0,
        "rank made better": changed[0] if better else 0,
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
        "seen": f", divided by {w.seen:.1f}, the documents seen on average" if values["takes"] == "ERG" else "",
    }


def answer(values: Values) -> str:
    """The score that the guess is about."""
    score, far = walk_of({**values, "reads": "RBP", "stay": ASKED}).score, round(READERS * (ASKED / READERS) ** 4)
    return f"If {ASKED} of 100 go on, the score is {score:.3f}: only {far} of 100 reach rank 5."


def traces(values: Values) -> list[Trace]:
    """Bands from every second document to the readers who stop there; what all take home; the level; the list."""
    grades, w, top = tuple(values["grades"]), walk_of(values), _top(values)
    edges = np.concatenate([[0], np.cumsum(w.shares)]).clip(0, 1)
    heights = np.minimum(w.amounts, 1.06 * top)
    flat = np.full_like(heights, w.score)
    drawn = flat if values["flow"] else heights
    last = np.maximum.accumulate(np.where(w.shares >= SHOWN, np.arange(RANKS + 1), 0))
    bands: list[tuple[float | None, float | None]] = []
    for n in range(0, RANKS, 2):
        left, right = ([(m / RANKS, 1.27 * top), (edges[m], 1.1 * top), (edges[m], 0.0)] for m in (n, n + 1))
        bands += [*left, *right[::-1], (None, None)]
    readers = (np.arange(READERS) + 0.5) / READERS
    names = [
        f"rank {rank}" if share > 0.18 else str(rank) if share > 0.035 and rank < RANKS else ""
        for rank, share in enumerate(w.shares[:-1].tolist(), start=1)
    ]
    names = [*names, f"…\u2009>{RANKS}" if w.shares[-1] > 0.1 else ""]
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
            np.repeat(drawn[last], 2).round(4).tolist()[: 2 * RANKS + 2],
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
            [*((edges[:-2] + edges[1:-1]) / 2).round(4).tolist(), round(float(edges[-2]) - 0.02, 4)],
            [0.0] * len(names),
            "text",
            text=names,
            textposition=[*["top center"] * RANKS, "top right"],
        ),
        silent(end, [round(w.score, 4)] * 2, "lines", line={"color": BLUE, "width": 2}),
        silent(
            [1.06, 1.06, 1.01],
            [round(w.score, 4), round(w.score - 0.1 * top, 4), 1.33 * top],
            "text",
            text=[f"{w.score:.3f}", "average", "← drag; tap:<br>a grade more"],
            textposition="middle right",
            textfont={"size": [30, 14, 14], "color": [BLUE, BLUE, VIOLET]},
            cliponaxis=False,
        ),
        silent(
            [(worst + 0.3) / RANKS],
            [1.42 * top if falls else -9.0],
            "text",
            text=[f"↓ tap: score {effects[worst]:+.3f}".replace("-", "−")],
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
    ticks = {} if values["takes"] == "ERG" else {"tickvals": [0, *worth], "ticktext": ["0", *names]}
    y = axis("worth of what a reader takes home", [0, 1.46 * top], zeroline=False, **ticks)
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
    """For every document the ranks to which it can be dragged, and above it one grade more, after the highest none."""
    grades, top = tuple(values["grades"]), _top(values)
    goals = moves(grades, _places(grades), 1.33 * top)
    for n, (grade, at) in enumerate(zip(grades, _places(grades), strict=True)):
        better = (*grades[:n], (grade + 1) % (HIGHEST + 1), *grades[n + 1 :])
        goals[n].append({"x": at, "y": 1.43 * top, "given": [",".join(map(str, better))], "tap": True})
    before = ",".join(map(str, grades))
    return [[{**goal, "given": [*goal["given"], before]} for goal in to] for to in goals]


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
        Number(name="guess", label="Guess", default=NO_GUESS),
        whole("flow", "The area is level", 0, (0, 1), "Or it has a step for every rank."),
    ),
    text="{stay} {reads}. A reader takes home {takes}{=seen}. The score is the average of all readers: "
    "<b>{=score}</b>. {flow}",
    guess=f"If only {ASKED} of 100 go on, what is the score? Drag the violet mark.",
    answer=answer,
    mark=Mark(
        stops=tuple(n / 50 for n in range(51)),
        place=lambda values: (0.96, values["guess"]),
        answers={"reads": "RBP", "stay": ASKED},
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
            words=lambda level: "show each reader" if level else "show one level",
            live=True,
        ),
    },
    choices={"reads": READS, "takes": TAKES},
    readings=readings,
    said=said,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=("grades", "was"),
    goals=(
        Challenge(
            title="Make half of the readers stop at rank 1.",
            goal=Goal.read("stop at rank 1 = 0.5"),
            now="Now {readers at rank 1} of 100.",
            why="50 of 100 stop at rank 1.",
            hint="Half stop if 50 of 100 go on.",
            solution={"stay": "50"},
        ),
        Challenge(
            title="Move a document within ranks 1 to 5, keep the score.",
            goal=Goal.read("places changed in the first five > 0; change of the score = 0"),
            why="{places changed in the first five} of 5 places changed, not the score.",
            hint="Let every reader see five documents.",
            solution={"reads": "P", "grades": "0,1,2,0,3,1,0,0,2,0"},
        ),
        Challenge(
            title="Lower the score by one better document.",
            goal=Goal.read(f"rank made better > 0; change of the score < -{FALL}"),
            now="Change: {change of the score:+.3f}.",
            why="Rank {rank made better} got better: score change {change of the score:+.3f}.",
            hint="Tap a document. A good one may stop readers who take home the last.",
            solution={"reads": "ERR", "takes": "fin", "grades": "2,0,2,0,3,1,0,0,2,0"},
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
