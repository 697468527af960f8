"""Lab: graded average precision.  Documents that one of ten users wants push down what the nine others want."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from irviz.figures.axes import axis, chart
from irviz.figures.theme import BLUE, GREEN, GREY, Trace
from irviz.labs.charts import bars, extend, silent
from irviz.labs.documents import VIOLET, moves, squares
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import Grades, judged_lists, whole
from irviz.labs.screen import Handle, Mark, Screen
from irviz.measures.average_precision import AP
from irviz.measures.graded_ap import EGAP, GAP
from irviz.workspace.control import Number, plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.view import View

USERS = 10
FILLS = "rgba(230,159,0,0.7)", "rgba(122,127,133,0.6)"  #: of users happy with grade 1, and of the others
TOPS = (*range(13), 20, 30, 50, 80, 100, 150, 200)  #: documents on top at which the handle stops
ASKED = 20  #: documents on top that the guess is about
DRAWN = 12  #: documents that are seen
SEEN = 2  #: of those on top, where not all have room
NO_GUESS = 0.417  #: GAP of the list


@lru_cache(maxsize=2048)
def scores(grades: tuple[int, ...], content: int) -> tuple[float, float]:
    """GAP and eGAP of a list where `content` of ten users are happy with grade 1 and the others want grade 2."""
    share = content / USERS
    judged = judged_lists([grades], 2)
    gap, egap = (float(kind(g=(share, round(1 - share, 6))).evaluate(judged)[0]) for kind in (GAP, EGAP))
    return gap, egap


@lru_cache(maxsize=2048)
def own_aps(grades: tuple[int, ...]) -> tuple[float, float]:
    """AP of a user who is happy with grade 1, and of one who wants grade 2."""
    judged = judged_lists([grades], 2)
    one, two = (float(AP(rel=float(k)).evaluate(judged)[0]) for k in (1, 2))
    return one, two


def whole_list(values: Values) -> tuple[int, ...]:
    """The list below the documents of grade 1 that were put on top."""
    return (1,) * int(values["top"]) + tuple(values["grades"])


def readings(values: Values) -> dict[str, Reading]:
    """Both scores, whether users differ in width and height, and the settings."""
    gap, egap = scores(whole_list(values), values["users"])
    one, two = own_aps(whole_list(values))
    alike = "equally high" if abs(one - two) < 1e-9 else "neither equally wide nor equally high"
    return {
        "GAP": gap,
        "eGAP": egap,
        "GAP minus eGAP": gap - egap,
        "users are": "equally wide" if len(set(relevant(values))) == 1 else alike,
        "users happy with grade 1": values["users"],
        "documents on top": values["top"],
    }


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    others = {0: "all need", USERS - 1: "the other (grey) needs", USERS: "none needs"}
    return {
        "is": "is" if values["users"] == 1 else "are",
        "others": others.get(values["users"], "the others (grey) need"),
        "documents": "document" if values["top"] == 1 else "documents",
        "stand": "stands" if values["top"] == 1 else "stand",
    }


def answer(values: Values) -> str:
    """The score that the guess is about."""
    then = scores((1,) * ASKED + tuple(values["grades"]), values["users"])[0]
    return f"With {ASKED} documents on top, GAP was {then:.3f}."


def relevant(values: Values) -> list[int]:
    """By user, how many documents are relevant to them."""
    grades = whole_list(values)
    needs = (1 if user < values["users"] else 2 for user in range(USERS))
    return [sum(grade >= need for grade in grades) for need in needs]


def traces(values: Values) -> list[Trace]:
    """Ten users with their AP as height, equally wide and as wide as their relevant documents; above them the list."""
    all_grades, counts = whole_list(values), relevant(values)
    (gap, egap), heights = scores(all_grades, values["users"]), own_aps(all_grades)
    weights = counts if any(counts) else [1] * USERS
    drawn: list[Trace] = []
    for x, widths, score, colour, words in (
        ("x", [1] * USERS, egap, GREEN, "eGAP: all users<br>count the same"),
        ("x2", weights, gap, BLUE, "GAP: wide users<br>count more"),
    ):
        edges = np.append(0, np.cumsum(widths) / sum(widths))
        gaps = np.minimum(0.006, 0.1 * np.diff(edges))
        for need, (height, fill) in enumerate(zip(heights, FILLS, strict=True)):
            is_here = [(user >= values["users"]) == bool(need) for user in range(USERS)]
            outlines = bars(edges[:-1], edges[1:] - gaps, np.where(is_here, max(height, 0.004), 0))
            drawn.append(silent(**outlines, fillcolor=fill, xaxis=x))
        level = {"line": {"color": colour, "width": 3}, "xaxis": x}
        drawn.append(silent([0, 1], [round(score, 4)] * 2, "lines", **level))
        look = {"textposition": "middle right", "textfont": {"size": [32, 13], "color": colour}, "xaxis": x}
        drawn.append(silent([0, 0], [1.31, 1.12], "text", text=[f"{score:.3f}", words], **look))
    users, split = values["users"], sum(weights[: values["users"]]) / sum(weights)
    names = [  # of users who are alike
        f"{many} × {count}" if many > 1 else str(count) if many else ""
        for many, count in ((users, counts[0]), (USERS - users, counts[-1]))
    ]
    drawn.append(silent([split / 2, (1 + split) / 2], [-0.06] * 2, "text", text=names, cliponaxis=False, xaxis="x2"))
    return [*drawn, *_row(values)]


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    (gap, egap), (one, two) = scores(whole_list(values), values["users"]), own_aps(whole_list(values))
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": ""}
    x = axis("ten users,<br>equally wide", [0, 1], domain=[0, 0.47], **bare)
    y = axis("a user's AP", [-0.1, 1.42], domain=[0, 0.82], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    wide = axis("width: documents<br>relevant to the user", [0, 1], domain=[0.53, 1], anchor="y", **bare)
    ranks = {"range": [0.3, DRAWN + 0.8], "anchor": "y2", "visible": False}
    rows = {"range": [1.6, -1.1], "domain": [0.84, 1], "anchor": "x3", "visible": False}
    fig = extend(chart(traces(values), 540, {**x, "anchor": "y"}, y), xaxis2=wide, xaxis3=ranks, yaxis2=rows)
    alt = f"AP of a user happy with grade 1 {one:.3f}, of the others {two:.3f}; GAP {gap:.3f}, eGAP {egap:.3f}."
    return Drawing(fig, "", alt)


def places(values: Values) -> list[float]:
    """Places of the list's documents in the row: their ranks, or its end."""
    count = len(values["grades"])
    before = min(int(values["top"]), DRAWN - count)
    return [float(before + n) for n in range(1, count + 1)]


def _row(values: Values) -> list[Trace]:
    """The list below the documents on top, of which the first are seen, and others wait on the left."""
    grades, top = tuple(values["grades"]), int(values["top"])
    list_at, room = places(values), DRAWN - len(grades)
    hidden = top - room
    on_top = [float(top - n) for n in range(room)] if hidden <= 0 else [float(room - n) for n in range(room)]
    x = [*list_at, *(at if at >= 1 and (hidden <= 0 or at <= SEEN) else at - DRAWN for at in on_top)]
    ranks = [*range(top + 1, top + len(grades) + 1), *map(int, on_top)]
    more = f"… {hidden + room - SEEN} more …" if hidden > 0 else ""
    on = {"xaxis": "x3", "yaxis": "y2"}
    hints = {"text": [more, "↑ drag these"], "textfont": {"size": 13, "color": [GREY, VIOLET]}}
    return [
        silent([(SEEN + room + 1) / 2, sum(list_at) / len(list_at)], [0, 1.2], "text", **hints, **on),
        silent(x, [-0.85] * len(x), "text", text=list(map(str, ranks)), textfont={"size": 11}, **on),
        squares(x, [0.0] * len(x), [*grades, *[1] * room], 2, 24, len(grades), **on),
    ]


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """For every document of the list the ranks to which it can be dragged."""
    grades = values["grades"]
    return [*moves(grades, places(values)), *[[]] * (DRAWN - len(grades))]


def data(values: Values) -> tuple[str, View]:
    """GAP on a collection of three grades, with the same share of users who are happy with grade 1."""
    first = values["users"] / USERS
    second = round((1 - first) * 2 / 9, 2)
    g = ",".join(plain(round(share, 2)) for share in (first, second, 1 - first - second))
    return "GAP with such users on real data", View.from_texts("what_if", collection="dl2021", measures=f"GAP(g=[{g}])")


def _with(choices: tuple[Any, ...] | list[Any], now: Any) -> list[Any]:
    return sorted({*choices, now})


LAB = Screen(
    name="lab_graded_ap",
    title="Nine unhappy users",
    question="How should average precision count users who disagree?",
    controls=(
        whole("users", "Users happy with grade 1", 1, (0, USERS), "Of ten; the others need grade 2."),
        whole("top", "Documents of grade 1 on top", 0, (0, 1000), "They come before the list."),
        Grades(name="grades", label="Grades of the list", default=(1, 1, 0, 2), top=2, longest=8),
        Number(name="guess", label="Guess", default=NO_GUESS),
    ),
    text="{users} of 10 users (yellow bars) {=is} happy with grade 1, {=others} grade 2. {top} more {=documents} of "
    "grade 1 {=stand} on top. A bar is a user's average precision (AP). On the right, users with more relevant "
    "documents have wider bars.",
    guess=f"What is GAP with {ASKED} documents on top? Drag the violet mark.",
    answer=answer,
    mark=Mark(
        stops=tuple(n / 25 for n in range(26)),
        place=lambda values: (0.9, 1.2) if values["guess"] == NO_GUESS else (0.85, values["guess"]),
        answers={"top": ASKED},
        axes=("x2", "y"),
    ),
    handles={
        "top": Handle(label="Documents of grade 1 on top", stops=lambda values: _with(TOPS, values["top"]), live=True),
        "users": Handle(label="Users happy with grade 1", stops=lambda _: range(USERS + 1), live=True),
    },
    readings=readings,
    said=said,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=("grades",),
    offline={"grades": sorted(set(permutations((1, 1, 0, 2))))},
    goals=(
        Challenge(
            title="Get GAP (blue) above 0.9 and eGAP (green) below 0.2.",
            goal=Goal.read("GAP > 0.9; eGAP < 0.2"),
            now="Now {GAP:.3f} and {eGAP:.3f}.",
            why="GAP is {GAP:.3f}, eGAP {eGAP:.3f}.",
            hint="Put many documents of grade 1 on top.",
            solution={"top": "80"},
        ),
        Challenge(
            title="Order the list, add happy users: get eGAP 0.05 above GAP.",
            goal=Goal.read("GAP minus eGAP < -0.05"),
            now="Now {eGAP:.3f} and {GAP:.3f}.",
            why="eGAP is {eGAP:.3f}, GAP {GAP:.3f}.",
            hint="Drag the document of grade 2 to the top, the one of grade 0 below it; then make four users happy.",
            solution={"grades": "2,0,1,1", "users": "4"},
        ),
        Challenge(
            title="Make both numbers equal.",
            goal=Goal.read("GAP minus eGAP = 0"),
            now="Now {GAP:.3f} and {eGAP:.3f}.",
            why="Both are {GAP:.3f}: all users are {users are}.",
            hint="They are equal where all users need the same grade.",
            solution={"users": "10"},
        ),
    ),
    data=data,
    source="Ferrante et al. 2014, sections 3 and 5, eq. (6); the list is made up",
    notes=(
        "GAP puts the precisions of all users at all documents that they want into one pot and takes their mean: a "
        "user for whom more documents are relevant counts more. GAP is the sum of R AP over users, divided by the sum "
        "of R, where R is the number of documents relevant to a user. eGAP takes the mean of each user first: each "
        "counts the same.",
        "Each document on top puts one more precision of 1 into the pot. The nine others find their document one rank "
        "lower: with 20 on top at rank 24, with an AP of 1/24.",
        "Where all users want the same documents, both are AP.",
    ),
)
