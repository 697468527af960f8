"""Graded AP on one list: the scores, what each kind of user finds, and the numbers of the lab's steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from irviz.errors import join_words
from irviz.labs.lab import judged_lists
from irviz.labs.step import direction
from irviz.measures.average_precision import AP
from irviz.measures.graded_ap import EGAP, GAP, XGAP, GradedAP
from irviz.workspace.control import plain
from irviz.workspace.page import Values
from irviz.workspace.phrases import change_words, number

GRADED_APS: dict[str, type[GradedAP]] = {"GAP": GAP, "xGAP": XGAP, "eGAP": EGAP}
SHARES_OF_USERS = np.round(np.linspace(0, 1, 11), 2)
LENGTHS = (1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000)
USERS = 10


def shares(values: Values) -> tuple[float, ...]:
    """g_1 … g_c: of two grades the first slider and the rest; of three all, scaled to sum to 1; equal if all are 0."""
    raw = _sliders(values)
    total = sum(raw)
    scaled = [x / total for x in raw] if total > 0 else [1 / len(raw)] * len(raw)
    rounded = [round(x, 6) for x in scaled[:-1]]
    return (*rounded, round(1 - sum(rounded), 6))


def _sliders(values: Values) -> list[float]:
    first = float(values["g1"])
    return [first, round(1 - first, 6)] if int(values["c"]) == 2 else [first, float(values["g2"]), float(values["g3"])]


def scaled_words(values: Values) -> list[str]:
    """Note on shares that do not sum to 1: the sliders then show other values."""
    raw = _sliders(values)
    if abs(sum(raw) - 1) <= 1e-9:
        return []
    total, scaled = plain(round(sum(raw), 6)), ", ".join(number(share) for share in shares(values))
    return [f"The sliders sum to {total} and not to 1; the shares are scaled to ({scaled})."]


def listed_grades(values: Values) -> tuple[int, ...]:
    """The ranking; grades above the highest count as it."""
    return tuple(min(int(values["c"]), grade) for grade in values["grades"])


def whole_list(values: Values) -> tuple[int, ...]:
    """The ranking below the documents of grade 1 that were put on top: what every number here is about."""
    return (1,) * int(values["top"]) + listed_grades(values)


@lru_cache(maxsize=1024)
def graded_scores(grades: tuple[int, ...], g: tuple[float, ...]) -> dict[str, float]:
    """GAP, xGAP, eGAP and AP (any grade is relevant) of one ranking."""
    judged = judged_lists([grades], len(g))
    scores = {name: float(kind(g=g).evaluate(judged)[0]) for name, kind in GRADED_APS.items()}
    return scores | {"AP": float(AP().evaluate(judged)[0])}


def growing_scores(n: int, g: tuple[float, ...], grades: tuple[int, ...] = ()) -> dict[str, float]:
    """The scores of a ranking below `n` documents of grade 1; by default of the paper's, one of the highest grade."""
    return graded_scores((1,) * n + (grades or (len(g),)), g)


def limits(g: Sequence[float], grades: Sequence[int] = ()) -> dict[str, float]:
    """The limits of the scores with more and more documents of grade 1 on top.

    GAP goes to 1 (to 0 if grade 1 is nobody's threshold) and eGAP to g_1: only the users for whom grade 1 is enough
    still find what they want soon.  xGAP picks a document of grade k with the probability it has,
    and g_1 of its g_1 + … + g_k users are content with the rest.  Of the paper's list that is 1 − (1 − g_1)².
    """
    listed_ = list(grades) or [len(g)]
    bases = [sum(grade >= h for grade in listed_) for h in range(len(g) + 1)]
    xgap = g[0]
    for grade in listed_:
        picked = sum(g[h - 1] / bases[h] for h in range(2, grade + 1))
        content = sum(g[:grade])
        xgap += picked * g[0] / content if content else 0.0
    return {"GAP": 1.0 if g[0] else 0.0, "xGAP": xgap, "eGAP": g[0]}


def users(g: tuple[float, ...]) -> list[int]:
    """How many of ten users have each threshold."""
    return [int(n) for n in np.diff(np.round(USERS * np.cumsum([0, *g]), 6).round())]


@lru_cache(maxsize=1024)
def own_ap(grades: tuple[int, ...], c: int, depth: int | None = None) -> list[float]:
    """AP of the users of every threshold; with `depth`, what they add up at that many ranks."""
    top, rest = (grades, ()) if depth is None else (grades[:depth], grades[depth:])
    judged = judged_lists([[*top, *[0] * len(rest)]], c, rest)
    return [float(AP(rel=float(k)).evaluate(judged)[0]) for k in range(1, c + 1)]


def user_precisions(grades: tuple[int, ...], g: tuple[float, ...]) -> list[list[float]]:
    """For each of ten users, the precision at every document that they want."""
    precisions = []
    for k, many in enumerate(users(g), start=1):
        ranks = [rank for rank, grade in enumerate(grades, start=1) if grade >= k]
        precisions += [[n / rank for n, rank in enumerate(ranks, start=1)]] * many
    return precisions


# -- numbers of the steps -----------------------------------------------------------------------------


def of_users(values: Values) -> dict[str, Any]:
    """The list as ten users and the measures score it."""
    g, grades = shares(values), whole_list(values)
    scores, aps, of = graded_scores(grades, g), own_ap(grades, len(g)), users(g)
    spread = float(np.ptp([scores[name] for name in GRADED_APS]))
    moves = direction(scores["eGAP"], scores["GAP"])
    in_pot = user_precisions(grades, g)
    first, last = in_pot[0], in_pot[-1]
    ranks = [str(rank) for rank, grade in enumerate(grades, start=1) if grade >= len(g)]
    finds = f"they want one document, and find it at rank {ranks[0]}" if ranks else "the list has no document for them"
    if len(ranks) > 1:
        at = join_words([number(precision) for precision in last], most=99, joiner="and")
        finds = f"they want {len(ranks)} documents, and this is the mean of the precisions there, {at}"
    pot_sum, wanted = f"({number(sum(first))} + {of[1]} × {number(sum(last))})", sum(map(len, in_pot))
    return {
        **scores,
        "content": of[0],
        "demanding": of[1],
        "AP 1": aps[0],
        "AP 2": aps[1],
        "find": finds,
        "wants 1": len(first),
        "wants 2": len(last),
        "all wanted": wanted,
        "pot": f"{pot_sum} / {wanted} = {number(scores['GAP'])}" if wanted else "0, as the pot is empty",
        "GAP beside": (moves,),
        "GAP is": {"a": "Lower", "b": "The same", "c": "Higher"}[moves],
        "still differ": ("c" if spread < 1e-9 else "b" if spread <= 0.1 else "a",),
        "differ": "No" if spread < 1e-9 else "Yes, a little" if spread <= 0.1 else "Yes",
    }


def of_pushed(values: Values) -> dict[str, Any]:
    """The effect of the documents that were put on top."""
    g, grades, top = shares(values), listed_grades(values), int(values["top"])
    now, before = growing_scores(top, g, grades), growing_scores(0, g, grades)
    nine = [own_ap((1,) * n + grades, len(g))[1] for n in (0, top)]
    return {
        "top": top,
        "rank": top + grades.index(max(grades)) + 1,
        "content": users(g)[0],
        "demanding": users(g)[1],
        "moved": (direction(before["GAP"], now["GAP"]),),
        "GAP moves": change_words(before["GAP"], now["GAP"]),
        "nine move": change_words(nine[0], nine[1]),
        "eGAP moves": change_words(before["eGAP"], now["eGAP"]),
    }


def of_growing(values: Values) -> dict[str, Any]:
    """The three measures with documents on top, and which of the others xGAP is near."""
    g, grades, top = shares(values), listed_grades(values), int(values["top"])
    scores = growing_scores(top, g, grades)
    difference = scores["GAP"] - scores["eGAP"]
    share = (scores["xGAP"] - scores["eGAP"]) / difference if difference > 1e-9 else 0
    near = "a" if share < 1 / 3 else "c" if share > 2 / 3 else "b"
    words = {"a": "Near eGAP", "b": "About in the middle", "c": "Near GAP"}
    rank = top + len(grades) - grades[::-1].index(max(grades))
    precisions = [sum(grade >= k for grade in whole_list(values)[:rank]) / rank for k in (1, 2)]
    explanation = (
        f"At the last document, rank {rank}, the precision is {number(precisions[1])} for users who want grade 2, and "
        f"{number(precisions[0])} for the others. In xGAP all of them have the mean of both there, "
        f"{number(g[0] * precisions[0] + (1 - g[0]) * precisions[1])}; in eGAP each has their own."
    )
    return {
        **scores,
        "at the end": explanation if difference > 1e-9 else "",
        "top": top,
        "near": (near,),
        "is near": words[near] if difference > 1e-9 else "All three are equal",
    }
