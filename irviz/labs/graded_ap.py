"""Lab: graded average precision.  Documents that one of ten users wants push down what the nine others want."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any

from irviz.figures.axes import axis, chart
from irviz.figures.theme import BLUE, GREEN, Trace
from irviz.labs.charts import SKY, extend, levels, pillars, silent
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
TOPS = (*range(13), 20, 30, 50, 80, 100, 150, 200)  #: documents on top at which the handle stops
ASKED = 20  #: documents on top that the guess is about
DRAWN = 12  #: ranks of the list that are seen
NO_GUESS = 0.417  #: where the mark of the guess is at first: GAP of the list


@lru_cache(maxsize=2048)
def scores(grades: tuple[int, ...], content: int) -> tuple[float, float]:
    """GAP and eGAP of a list where `content` of ten users are content with grade 1 and the others want grade 2."""
    share = content / USERS
    judged = judged_lists([grades], 2)
    gap, egap = (float(kind(g=(share, round(1 - share, 6))).evaluate(judged)[0]) for kind in (GAP, EGAP))
    return gap, egap


@lru_cache(maxsize=2048)
def own_aps(grades: tuple[int, ...]) -> tuple[float, float]:
    """AP of a user who is content with grade 1, and of one who wants grade 2."""
    judged = judged_lists([grades], 2)
    one, two = (float(AP(rel=float(k)).evaluate(judged)[0]) for k in (1, 2))
    return one, two


def whole_list(values: Values) -> tuple[int, ...]:
    """The list below the documents of grade 1 that were put on top."""
    return (1,) * int(values["top"]) + tuple(values["grades"])


def readings(values: Values) -> dict[str, Reading]:
    """Both scores, and the settings."""
    gap, egap = scores(whole_list(values), values["users"])
    return {
        "GAP": gap,
        "eGAP": egap,
        "GAP minus eGAP": gap - egap,
        "users content with grade 1": values["users"],
        "documents on top": values["top"],
    }


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    gap, egap = scores(whole_list(values), values["users"])
    return {
        "gap": f"{gap:.3f}",
        "egap": f"{egap:.3f}",
        "is": "is" if values["users"] == 1 else "are",
        "documents": "document of grade 1 is" if values["top"] == 1 else "documents of grade 1 are",
    }


def answer(values: Values) -> str:
    """The score that the guess is about."""
    then = scores((1,) * ASKED + tuple(values["grades"]), values["users"])[0]
    return f"GAP with {ASKED} documents on top: {then:.3f}."


def traces(values: Values) -> list[Trace]:
    """The list, and below it the AP of ten users with GAP and their mean as lines."""
    grades, top, content = tuple(values["grades"]), int(values["top"]), int(values["users"])
    all_grades = whole_list(values)
    (gap, egap), (one, two) = scores(all_grades, content), own_aps(all_grades)
    by_user = [one] * content + [two] * (USERS - content)
    ends, below = [0.5, USERS + 0.5], {"xaxis": "x2", "yaxis": "y2"}
    middle, apart = (gap + egap) / 2, max(abs(gap - egap), 0.1) / 2
    heights = [middle + apart, middle - apart] if gap >= egap else [middle - apart, middle + apart]
    numbers = [
        silent(
            [USERS + 0.6],
            [round(height, 4)],
            "text",
            text=[f"{score:.3f}"],
            textposition="middle right",
            textfont={"size": 30, "color": colour},
            cliponaxis=False,
        )
        for height, score, colour in zip(heights, (gap, egap), (BLUE, GREEN), strict=True)
    ]
    full = len(all_grades) > DRAWN
    beside = "…" if full else "← drag these"
    end = DRAWN + 0.4 if full else len(all_grades) + 0.4
    look = {"text": [beside], "textposition": "middle right", "textfont": {"size": 14, "color": VIOLET}}
    return [
        silent(**pillars(by_user), mode="lines", line={"color": SKY, "simplify": False, "width": 22}),
        *levels(ends, {"GAP": gap, "eGAP, the mean of the bars": egap}, [(BLUE, "solid"), (GREEN, "dash")]),
        *numbers,
        silent([end], [0], "text", **look, **below),
        _row(grades, top),
    ]


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    (gap, egap), (one, two) = scores(whole_list(values), values["users"]), own_aps(whole_list(values))
    ticks = {"tickvals": list(range(1, USERS + 1)), "showgrid": False}
    x = axis("ten users, those content with grade 1 first", [0.5, USERS + 3.2], **ticks)
    y = axis("a user's average precision", [0, 1.06], domain=[0, 0.8])
    ranks = {"range": [0.4, DRAWN + 1], "anchor": "y2", "showgrid": False, "zeroline": False, "dtick": 1}
    rows = {"range": [0.6, -0.6], "domain": [0.88, 1], "anchor": "x2", "visible": False}
    fig = extend(chart(traces(values), 540, {**x, "anchor": "y"}, y), xaxis2={**ranks, "side": "top"}, yaxis2=rows)
    alt = f"AP of a user content with grade 1 {one:.3f}, of the others {two:.3f}; GAP {gap:.3f}, eGAP {egap:.3f}."
    return Drawing(fig, "", alt)


def _row(grades: tuple[int, ...], top: int) -> dict[str, Any]:
    """The list and, before it, as many documents of grade 1 as are seen, of which some still wait on the left."""
    seen = min(top, ASKED)
    on_top = [float(seen - n) for n in range(ASKED)]
    x = [*(float(seen + rank) for rank in range(1, len(grades) + 1)), *(at if at >= 1 else at - 1 for at in on_top)]
    x = [at if at <= DRAWN else at + DRAWN for at in x]
    return squares(x, [0.0] * len(x), [*grades, *[1] * ASKED], 2, 24, len(grades), xaxis="x2", yaxis="y2")


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """For every document of the list the ranks to which it can be dragged; none where the list is out of sight."""
    grades, top = values["grades"], int(values["top"])
    if top + len(grades) > DRAWN:
        return []
    return [*moves(grades, range(top + 1, top + len(grades) + 1)), *[[]] * ASKED]


def data(values: Values) -> tuple[str, View]:
    """GAP on a collection of three grades, with the same share of users who are content with grade 1."""
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
        whole("users", "Users content with grade 1", 1, (0, USERS), "Of ten; the others want grade 2."),
        whole("top", "Documents of grade 1 on top", 0, (0, 1000), "They come before the list."),
        Grades(name="grades", label="Grades of the list", default=(1, 1, 0, 2), top=2, longest=8),
        Number(name="guess", label="Guess", default=NO_GUESS),
    ),
    text="{top} {=documents} put on top: {users} of ten users {=is} content with grade 1, the others want grade 2. A "
    "bar is a user's average precision (AP). The bars' mean (eGAP, green) is <b>{=egap}</b>. Graded average precision "
    "(GAP, blue) gives more weight to users for whom more documents are relevant: <b>{=gap}</b>.",
    guess=f"Guess GAP with {ASKED} documents on top: drag the violet diamond there.",
    answer=answer,
    mark=Mark(
        stops=tuple(n / 25 for n in range(26)),
        place=lambda values: (USERS - 0.5, values["guess"]),
        answers={"top": ASKED},
    ),
    handles={
        "top": Handle(label="Documents on top", stops=lambda values: _with(TOPS, values["top"]), live=True),
        "users": Handle(label="Users content with grade 1", stops=lambda _: range(USERS + 1), live=True),
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
            title="Get the blue number above 0.9, the green one below 0.2.",
            goal=Goal.read("GAP > 0.9; eGAP < 0.2"),
            now="GAP {GAP:.3f}, eGAP {eGAP:.3f}.",
            why="GAP {GAP:.3f}, eGAP {eGAP:.3f}.",
            hint="Put many documents of grade 1 on top.",
            solution={"top": "80"},
        ),
        Challenge(
            title="Get the green number 0.05 above the blue one: drag documents, too.",
            goal=Goal.read("GAP minus eGAP < -0.05"),
            why="GAP {GAP:.3f}, eGAP {eGAP:.3f}.",
            hint="Drag the document of grade 2 to the top, the one of grade 0 below it; then make more users content.",
            solution={"grades": "2,0,1,1", "users": "4"},
        ),
        Challenge(
            title="Make the lines meet.",
            goal=Goal.read("GAP minus eGAP = 0"),
            why="GAP {GAP:.3f}, eGAP {eGAP:.3f}.",
            hint="They meet where all users want the same documents.",
            solution={"users": "10"},
        ),
    ),
    data=data,
    source="Ferrante et al. 2014, sections 3 and 5, eq. (6); the list is made up",
    notes=(
        "GAP puts the precisions of all users at all documents that they want into one pot and takes their mean: a "
        "user for whom more documents are relevant counts more. eGAP takes the mean of each user first: "
        "each counts the same.",
        "Each document on top puts one more precision of 1 into the pot. The nine others find their document one rank "
        "lower: with 20 on top at rank 24, with an AP of 1/24.",
        "Where all users want the same documents, both are AP.",
    ),
)
