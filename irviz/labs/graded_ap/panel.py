"""Lab: graded average precision.  Three ways to let users disagree about what is relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from irviz.errors import counted, verb
from irviz.labs.documents import CLICK_A_DOCUMENT, graded_ranking
from irviz.labs.graded_ap.figures import along_g, growing_list, simplex
from irviz.labs.graded_ap.yours import GRADED_APS, SHARES_OF_USERS, SOURCE, on_collection
from irviz.labs.lab import YOURS, Grades, bumped, judged_lists, on_yours
from irviz.measures.average_precision import AP
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number, plain
from irviz.workspace.panel import Drawing, Formula, Lab, LabClaim, Panel, Table
from irviz.workspace.phrases import moved, number

LENGTHS = (1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000)


def _share(k: int, default: float, words: str) -> Number:
    return Number(
        name=f"g{k}",
        label=f"g{'₁₂₃'[k - 1]}",
        default=default,
        low=0,
        high=1,
        step=0.05,
        help=f"The share of users for whom {words}. Shares that do not sum to 1 are scaled so that they do.",
        shown_if=(lambda values: values["c"] == "3") if k == 3 else None,
    )


CONTROLS = (
    Choice(
        name="c",
        label="Grades above zero",
        default="2",
        few=True,
        options=(("2", "two"), ("3", "three")),
        help="How many degrees of relevance there are above not relevant.",
    ),
    _share(1, 0.1, "grade 1 is good enough"),
    _share(2, 0.9, "only grade 2 or more is relevant"),
    _share(3, 0.0, "only grade 3 is relevant"),
    Grades(
        name="grades",
        label="Grades of the ranking",
        default=(1, 1, 0, 1, 0, 2, 1, 0, 2, 0),
        top=3,
        help="One grade per document, first rank first. Or click a document.",
    ),
    Number(
        name="top",
        label="Documents of grade 1 on top",
        default=0,
        low=0,
        high=1000,
        step=1,
        whole=True,
        slider=False,
        help="They come before the ranking: add one after the other and see which scores change.",
    ),
    Choice(
        name="show",
        label="Triangle shows",
        default="GAP",
        options=tuple((name, name) for name in GRADED_APS),
        shown_if=lambda values: values["c"] == "3",
        help="The score that colours the triangle of all g.",
    ),
    YOURS,
)


def panel(context: Context | None, values: Mapping[str, Any]) -> Lab:
    """The three measures on an editable ranking, along g, and on the growing list."""
    c, g = int(values["c"]), shares(values)
    grades, whole = listed_grades(values), whole_list(values)
    scores = graded_scores(whole, g)
    return Lab(
        panel=Panel(
            sentence=scaled_words(values) + _sentence(g, scores),
            drawings=(
                {"ranking": _ranking(grades, c, values["top"])},
                {
                    "g": _triangle(values["show"], whole, g) if c == 3 else users_drawing(whole, g),
                    "growing": growing_drawing(g, grades, values["top"]),
                },
            ),
            tables={
                "By document": Table(
                    _table(whole, g),
                    "One row per document: the share of users who find it relevant, and the "
                    "probability that GAP and xGAP pick it.",
                ),
                "Growing list": Table(
                    _growing_table(g, grades), "One row per length of the growing list.", names=GRADED_APS
                ),
            },
            notes=_notes(values, grades),
        ),
        how="Move the shares g; click a document, or type grades; put documents of grade 1 on top.",
        formulas=_formulas(g),
        claims=_claims(grades, g, scores, values["top"]),
        yours=on_yours(context, values, lambda opened: on_collection(opened, g)),
    )


def shares(values: Mapping[str, Any]) -> tuple[float, ...]:
    """g_1 … g_c: the sliders, scaled to sum to 1; equal where all are 0."""
    raw = [float(values[f"g{k}"]) for k in range(1, int(values["c"]) + 1)]
    total = sum(raw)
    scaled = [x / total for x in raw] if total > 0 else [1 / len(raw)] * len(raw)
    rounded = [round(x, 6) for x in scaled[:-1]]
    return (*rounded, round(1 - sum(rounded), 6))


def listed_grades(values: Mapping[str, Any]) -> tuple[int, ...]:
    """The ranking; grades above the highest count as it."""
    return tuple(min(int(values["c"]), grade) for grade in values["grades"])


def whole_list(values: Mapping[str, Any]) -> tuple[int, ...]:
    """The ranking below the documents of grade 1 that were put on top: what every number here is about."""
    return (1,) * int(values["top"]) + listed_grades(values)


@lru_cache(maxsize=1024)
def graded_scores(grades: tuple[int, ...], g: tuple[float, ...]) -> dict[str, float]:
    """GAP, xGAP, eGAP and AP (any grade is relevant) of one ranking."""
    judged = judged_lists([grades], len(g))
    found = {name: float(kind(g=g).evaluate(judged)[0]) for name, kind in GRADED_APS.items()}
    return found | {"AP": float(AP().evaluate(judged)[0])}


def growing_scores(n: int, g: tuple[float, ...], grades: tuple[int, ...] = ()) -> dict[str, float]:
    """The same of a ranking below `n` documents of grade 1; the paper's is one document of the highest grade."""
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


# -- figures ----------------------------------------------------------------------------------


def _ranking(grades: tuple[int, ...], c: int, top: int) -> Drawing:
    above = f"after {counted(top, 'document')} of grade 1" if top else "first rank first"
    alt = f"Squares with the grades {', '.join(map(str, grades))}, {above}."
    title = f"The ranking{f', {above}' if top else ''}"
    return Drawing(graded_ranking(grades, c, bumped(grades, c), top), title, alt, ("grades",), CLICK_A_DOCUMENT)


def users_drawing(grades: tuple[int, ...], g: tuple[float, ...]) -> Drawing:
    curves = {
        name: np.array([graded_scores(grades, (1 - x, x))[name] for x in SHARES_OF_USERS])
        for name in (*GRADED_APS, "AP")
    }
    drawn = along_g(SHARES_OF_USERS, curves, g[1], "g₂: users who want grade 2", "score of the ranking")
    ends = "; ".join(f"{name} {moved(y[0], y[-1])}" for name, y in curves.items())
    return Drawing(drawn, "The same ranking for other users", f"Scores while g₂ grows from 0 to 1: {ends}.")


def _triangle(name: str, grades: tuple[int, ...], g: tuple[float, ...]) -> Drawing:
    points = np.array([(a, b, 10 - a - b) for a in range(11) for b in range(11 - a)]) / 10
    values = np.array([graded_scores(grades, tuple(point))[name] for point in points])
    best, worst = points[values.argmax()], points[values.argmin()]
    alt = (
        f"{name} for every g in steps of 0.1: highest, {number(values.max())}, at g = {g_text(best)}; "
        f"lowest, {number(values.min())}, at g = {g_text(worst)}."
    )
    return Drawing(
        simplex(points, values, g, name), f"{name} for all users", alt, ("g1", "g2", "g3"), "click to choose g"
    )


def growing_drawing(g: tuple[float, ...], grades: tuple[int, ...], n: int) -> Drawing:
    lengths = sorted({*LENGTHS, max(1, n)})
    found = [growing_scores(length, g, grades) for length in lengths]
    curves = {name: np.array([one[name] for one in found]) for name in GRADED_APS}
    goals = {name: goal for name, goal in limits(g, grades).items() if g[0] > 0}
    drawn = growing_list(np.array(lengths, dtype=np.float64), curves, goals, n)
    last = "; ".join(f"{name} reaches {number(curve[-1])}" for name, curve in curves.items())
    return Drawing(
        drawn,
        "The same ranking below more and more documents of grade 1",
        f"Scores against the number of documents of grade 1 on top of the ranking, 1 to 1,000: {last}.",
    )


# -- words ------------------------------------------------------------------------------------


def g_text(g: Sequence[float]) -> str:
    return f"({', '.join(number(float(x), 3) for x in g)})"


def scaled_words(values: Mapping[str, Any]) -> str:
    """What became of shares that do not sum to 1; it comes first, because the sliders then show other values."""
    raw = [values[f"g{k}"] for k in range(1, int(values["c"]) + 1)]
    if abs(sum(raw) - 1) <= 1e-9:
        return ""
    if not sum(raw):
        return f"All sliders are at 0; every threshold counts equally, g = {g_text(shares(values))}. "
    return (
        f"The sliders sum to {plain(round(sum(raw), 6))} and not to 1; the shares are scaled to "
        f"{g_text(shares(values))}. "
    )


def _sentence(g: tuple[float, ...], scores: Mapping[str, float]) -> str:
    values = [scores[name] for name in GRADED_APS]
    listed = f"GAP {number(scores['GAP'])}, xGAP {number(scores['xGAP'])} and eGAP {number(scores['eGAP'])}"
    if max(values) - min(values) < 5e-4:
        return f"For users with g = {g_text(g)} the three measures agree on this ranking: {listed}."
    first, last = max(GRADED_APS, key=scores.__getitem__), min(GRADED_APS, key=scores.__getitem__)
    return (
        f"For users with g = {g_text(g)} this ranking scores {listed}: {first} is higher than {last} by "
        f"{number(max(values) - min(values))}."
    )


def _claims(grades: tuple[int, ...], g: tuple[float, ...], scores: Mapping[str, float], n: int) -> tuple[LabClaim, ...]:
    whole = (1,) * n + grades
    return (
        LabClaim(expectation_words(whole, g, scores["eGAP"]), f"{SOURCE}, eq. (6)"),
        LabClaim(growing_words(g, grades, n), f"{SOURCE}, sections 3, 4 and 5"),
        LabClaim(pick_words(g), f"{SOURCE}, sections 3 and 4"),
        LabClaim(agree_words(g, scores), f"{SOURCE}, section 6"),
    )


def growing_words(g: tuple[float, ...], grades: tuple[int, ...], n: int) -> str:
    """What documents of grade 1 on top of the ranking do to each measure, and the limit."""
    now, goal = growing_scores(n, g, grades), limits(g, grades)
    if g[0] <= 1e-9:
        return (
            "Grade 1 is enough for nobody, so documents of grade 1 on top only push down the documents that users want."
        )
    more = growing_scores(n + 1, g, grades)
    text = f"One more document of grade 1 on top, relevant for {_share_words(g[0])}: "
    parts = [f"{name} {moved(now[name], more[name])}, with limit {number(goal[name])}" for name in GRADED_APS]
    return f"{text}{'; '.join(parts)}."


def _share_words(share: float) -> str:
    return "all users" if share > 1 - 1e-9 else f"{share:.0%} of the users"


def expectation_words(grades: tuple[int, ...], g: tuple[float, ...], egap: float) -> str:
    judged = judged_lists([grades], len(g))
    by_user = [float(AP(rel=float(k)).evaluate(judged)[0]) for k in range(1, len(g) + 1)]
    parts = " + ".join(f"{number(share)}·{number(ap)}" for share, ap in zip(g, by_user, strict=True))
    return f"eGAP is the mean of the users' own AP: {parts} = {number(egap)}."


def pick_words(g: tuple[float, ...]) -> str:
    """The paper's example: ten documents of grade 1, one of the highest."""
    gap = 1.0 / (10 * g[0] + 1) if g[0] else 1.0
    extended = g[0] / 11 + (1 - g[0])
    return (
        "Which relevant document is picked? From ten of grade 1 and one of the highest grade, GAP picks the best "
        f"one with probability {number(gap, 2)}; xGAP first picks a user, and so picks it with probability "
        f"{number(extended, 2)}."
    )


def agree_words(g: tuple[float, ...], scores: Mapping[str, float]) -> str:
    only = [k for k, share in enumerate(g, start=1) if share == 1]
    if only:
        ap = "; this is AP" if only[0] == 1 else ""
        same = f"so the three measures give the same number, {number(scores['GAP'])}{ap}"
        return f"All users agree that grade {only[0]} is enough, {same}."
    using = sum(share > 0 for share in g)
    return f"Users disagree ({using} thresholds have a share of the users), so the three measures may differ."


def _notes(values: Mapping[str, Any], grades: tuple[int, ...]) -> tuple[str, ...]:
    notes = []
    high = sum(before != after for before, after in zip(values["grades"], grades, strict=True))
    if high:
        are, count = verb(high, "is", "are"), verb(high, "counts", "count")
        notes.append(f"{high} of the grades {are} above 2 and {count} as 2, the highest of two grades.")
    return tuple(notes)


def _formulas(g: tuple[float, ...]) -> tuple[Formula, ...]:
    found = [Formula(kind.formula, str(kind(g=g)), kind.source) for kind in GRADED_APS.values()]
    delta = r"\Delta_{m,n} = \sum_{h=1}^{\min\{r[m],\,r[n]\}} g_h, \quad \mathrm{RB}(k) = R(k) + \dots + R(c)"
    found.append(Formula(delta, "GradedAP", f"{SOURCE}, section 2 and eq. (4)"))
    return tuple(found)


def _table(grades: tuple[int, ...], g: tuple[float, ...]) -> pd.DataFrame:
    users = np.concatenate([[0.0], np.cumsum(g)])
    bases = [sum(grade >= k for grade in grades) for k in range(len(g) + 1)]
    xgap = [sum(g[k - 1] / bases[k] for k in range(1, grade + 1)) for grade in grades]
    expected = sum(users[grade] for grade in grades)
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(grades) + 1),
            "grade": list(grades),
            "users who find it relevant": [users[grade] for grade in grades],
            "picked by GAP": [users[grade] / expected if expected else 0.0 for grade in grades],
            "picked by xGAP": xgap,
        }
    )


def _growing_table(g: tuple[float, ...], grades: tuple[int, ...]) -> pd.DataFrame:
    found = [growing_scores(n, g, grades) for n in LENGTHS]
    return pd.DataFrame(
        {"documents of grade 1 on top": LENGTHS, **{name: [one[name] for one in found] for name in GRADED_APS}}
    )
