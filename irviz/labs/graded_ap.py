"""Lab: graded average precision.  Documents that one of ten users wants push down what the nine others want."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from irviz.errors import number_of
from irviz.figures.axes import axis, chart
from irviz.figures.theme import BLUE, GREEN, GREY, Trace
from irviz.labs.charts import BLANK, bars, extend, silent
from irviz.labs.documents import VIOLET, moves, squares
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import Grades, judged_list, verdict, whole
from irviz.labs.screen import Handle, Mark, Screen
from irviz.measures.average_precision import AP
from irviz.measures.graded_ap import EGAP, GAP
from irviz.workspace.control import Number, plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.view import View

USERS = 10
FILLS = "rgba(230,159,0,0.7)", "rgba(122,127,133,0.6)"  #: of users who accept grade 1, and of the others
TOPS = (*range(4), 5, 10, 20, 30, 50, 80, 100, 150, 200)  #: documents on top at which the handle stops
ASKED = 20  #: documents on top that the guess is about
DRAWN = 10  #: ranks that have room
PILE = 30  #: documents on top that are drawn at most, where they have no room side by side
NO_GUESS = 0.417  #: GAP of the list
LEFT, RIGHT = {"xaxis": "x", "yaxis": "y"}, {"xaxis": "x2", "yaxis": "y3"}  #: where users are equally wide, or not


@lru_cache(maxsize=2048)
def scores(grades: tuple[int, ...], content: int) -> tuple[float, float]:
    """GAP and eGAP of a list where `content` of ten users accept grade 1 and the others need grade 2."""
    share = content / USERS
    judged = judged_list(grades, 2)
    gap, egap = (float(kind(g=(share, round(1 - share, 6))).evaluate(judged)[0]) for kind in (GAP, EGAP))
    return gap, egap


@lru_cache(maxsize=2048)
def own_aps(grades: tuple[int, ...]) -> tuple[float, float]:
    """AP of a user who accepts grade 1, and of one who needs grade 2."""
    judged = judged_list(grades, 2)
    one, two = (float(AP(rel=float(k)).evaluate(judged)[0]) for k in (1, 2))
    return one, two


def whole_list(values: Values) -> tuple[int, ...]:
    """The list below the documents of grade 1 that were put on top."""
    return (1,) * int(values["top"]) + tuple(values["grades"])


def readings(values: Values) -> dict[str, Reading]:
    """Both scores and the settings."""
    gap, egap = scores(whole_list(values), values["users"])
    return {
        "GAP": gap,
        "eGAP": egap,
        "GAP minus eGAP": gap - egap,
        "users who accept grade 1": values["users"],
        "documents on top": values["top"],
    }


def answer(values: Values) -> str:
    """The score that the guess is about."""
    then = scores((1,) * ASKED + tuple(values["grades"]), values["users"])[0]
    how = verdict(values["guess"], NO_GUESS, then, 0.02)
    yellow = number_of(values["users"], "yellow user")
    return f"{how}GAP was {then:.3f} with {ASKED} extra documents and {yellow}."


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
    for on, widths, score, colour, words in (
        (LEFT, [1] * USERS, egap, GREEN, "eGAP is the mean:<br>all bars count the same"),
        (RIGHT, weights, gap, BLUE, "In GAP, who accepts<br>more counts more"),
    ):
        edges = np.append(0, np.cumsum(widths) / sum(widths))
        gaps = np.minimum(0.006, 0.1 * np.diff(edges))
        for need, (height, fill) in enumerate(zip(heights, FILLS, strict=True)):
            is_here = [(user >= values["users"]) == bool(need) for user in range(USERS)]
            outlines = bars(edges[:-1], edges[1:] - gaps, np.where(is_here, max(height, 0.004), 0))
            drawn.append(silent(**outlines, fillcolor=fill, **on))
        level = {"line": {"color": colour, "width": 3}, **on}
        drawn.append(silent([0, 1], [round(score, 4)] * 2, "lines", **level))
        for y, size, text in ((1.4, 32, f"{score:.3f}"), (1.19, 13, words)):
            look = {"textposition": "middle right", "textfont": {"size": size, "color": colour}, "cliponaxis": False}
            drawn.append(silent([0], [y], "text", text=[text], **look, **on))
    users, split = values["users"], sum(weights[: values["users"]]) / sum(weights)
    names = [  # of users who are alike
        f"{count} each" if many > 1 else str(count) if many else BLANK
        for many, count in ((users, counts[0]), (USERS - users, counts[-1]))
    ]
    drawn.append(silent([split / 2, (1 + split) / 2], [-0.06] * 2, "text", text=names, cliponaxis=False, **RIGHT))
    return [*drawn, *_row(values)]


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    (gap, egap), (one, two) = scores(whole_list(values), values["users"]), own_aps(whole_list(values))
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": ""}
    x = axis("", [0, 1], domain=[0, 0.42], anchor="y", **bare)
    y = axis("average precision", [-0.1, 1.55], domain=[0, 0.82], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    wide = axis("width: number of documents<br>that the user accepts", [0, 1.22], domain=[0.53, 1], anchor="y3", **bare)
    ranks = {"range": [0.4, DRAWN + 3.4], "anchor": "y2", "visible": False}
    rows = {"range": [1.6, -1.1], "domain": [0.84, 1], "anchor": "x3", "visible": False}
    right = {**y, "anchor": "x2", "title": None}
    fig = extend(chart(traces(values), 540, x, y), xaxis2=wide, xaxis3=ranks, yaxis2=rows, yaxis3=right)
    alt = f"AP of a user who accepts grade 1 {one:.3f}, of the others {two:.3f}; GAP {gap:.3f}, eGAP {egap:.3f}."
    return Drawing(fig, "", alt)


def places(values: Values) -> list[float]:
    """Places of the list's documents in the row: their ranks, or its end."""
    count = len(values["grades"])
    before = min(int(values["top"]), DRAWN - count)
    return [float(before + n) for n in range(1, count + 1)]


def _row(values: Values) -> list[Trace]:
    """The list below the documents on top: side by side, or in a pile; those to come wait on the left."""
    grades, top = tuple(values["grades"]), int(values["top"])
    list_at, room = places(values), DRAWN - len(grades)
    is_pile, seen = top > room, min(top, PILE)
    step = (room - 1) / (seen - 1) if is_pile else 1
    x = [*list_at, *(round(min(top, room) - n * step, 3) if n < seen else -1.0 for n in range(PILE))]
    ranks = list(range(top + 1, top + len(grades) + 1)) + ([top, 1] if is_pile else list(range(top, 0, -1)))
    unseen = len(grades) + room - len(ranks)
    rank_at = x[: len(grades) + 1] + [1.0] + [-1.0] * unseen if is_pile else x[: len(grades) + room]
    on = {"xaxis": "x3", "yaxis": "y2"}
    pile = f"{top} extra documents of grade 1" if is_pile else BLANK
    texts = [pile, "← drag these<br>documents", "grade", "rank"]
    spots = ["bottom center", "middle right", "middle left", "middle left"]
    sides = {"textposition": spots, "textfont": {"size": 13, "color": [GREY, VIOLET, GREY, GREY]}, "cliponaxis": False}
    small = {"textfont": {"size": 11}}
    names = [*map(str, grades), *[BLANK if is_pile else "1"] * room]
    return [
        silent([(room + 1) / 2, list_at[-1] + 0.7, 0.4, 0.4], [0.9, 0, 0, -0.85], "text", text=texts, **sides, **on),
        silent(rank_at, [-0.85] * len(rank_at), "text", text=[*map(str, ranks), *[BLANK] * unseen], **small, **on),
        squares(x, [0.0] * len(x), [*grades, *[1] * PILE], 2, 24, len(grades), text=names, **on),
    ]


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """For every document of the list the ranks to which it can be dragged."""
    grades = values["grades"]
    return [*moves(grades, places(values)), *[[]] * PILE]


def data(values: Values) -> tuple[str, View]:
    """GAP on a collection of three grades, with the same share of users who accept grade 1."""
    first = values["users"] / USERS
    second = round((1 - first) * 2 / 9, 2)
    g = ",".join(plain(round(share, 2)) for share in (first, second, 1 - first - second))
    return "These users on real data", View.from_texts("what_if", collection="dl2021", measures=f"GAP(g=[{g}])")


LAB = Screen(
    name="lab_graded_ap",
    title="One user against nine",
    question="How should average precision count users who disagree?",
    controls=(
        whole("users", "Users who accept grade 1", 1, (0, USERS), "Of ten; the others need grade 2."),
        whole("top", "Extra documents of grade 1", 0, (0, 1000), "They come before the list."),
        Grades(name="grades", label="Grades of the list", default=(1, 1, 0, 2), top=2, longest=8),
        Number(name="guess", label="Guess", default=NO_GUESS),
    ),
    text="Each bar shows how good the list is for one of ten users. Yellow users ({users} of 10) accept grades 1 and "
    "2, grey users only 2. Put {top} of grade 1 on top.",
    guess=f"What is GAP with {ASKED} extra documents? Drag your guess.",
    answer=answer,
    mark=Mark(
        stops=tuple(n / 25 for n in range(26)),
        place=lambda values: (1.12, values["guess"]),
        answers={"top": ASKED},
        axes=("x2", "y3"),
    ),
    handles={
        "top": Handle(
            label="Extra documents of grade 1",
            stops=lambda now: sorted({*TOPS, now["top"]}),
            words=lambda count: number_of(count, "extra document"),
            live=True,
        ),
        "users": Handle(label="Users who accept grade 1", stops=lambda _: range(USERS + 1), live=True),
    },
    readings=readings,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=("grades",),
    offline={"grades": sorted(set(permutations((1, 1, 0, 2))))},
    goals=(
        Challenge(
            title="Drag documents until eGAP is above GAP.",
            goal=Goal.read("GAP minus eGAP < 0"),
            why="{eGAP:.3f} and {GAP:.3f}.",
            hint="Drag the 2 to rank 1. Then drag the 0 to rank 2.",
            solution={"grades": "2,0,1,1"},
        ),
        Challenge(
            title="Add documents so that eGAP is below 0.2 and GAP above 0.9.",
            goal=Goal.read("eGAP < 0.2; GAP > 0.9"),
            why="{eGAP:.3f} and {GAP:.3f}.",
            hint="With one yellow user, each extra document makes the yellow bar wider.",
            solution={"top": "80"},
        ),
        Challenge(
            title="Make eGAP and GAP equal, but lower than 1.",
            goal=Goal.read("GAP minus eGAP = 0; GAP < 1"),
            why="all bars were equally high.",
            hint="Make all ten bars grey. If they are as high as 1, drag the 2 to the right.",
            solution={"users": "10"},
        ),
    ),
    data=data,
    source="Ferrante et al. 2014, sections 3 and 5, eq. (6), on graded average precision (GAP) and expected GAP "
    "(eGAP); the list is made up",
    notes=(
        "A user's average precision is the mean of the precision at each document that they accept.",
        "GAP puts the precisions of all users at all documents that they want into one pot and takes their mean: a "
        "user for whom more documents are relevant counts more, since each document wanted counts the same. GAP is "
        "the sum of R AP over users, divided by the sum of R, where R is the number of documents relevant to a user. "
        "eGAP takes the mean of each user first: each counts the same.",
        "Each document on top puts one more precision of 1 into the pot. The nine others find their document one rank "
        "lower: with 20 on top at rank 24, with an AP of 1/24.",
        "Where all users want the same documents, both are AP.",
    ),
)
