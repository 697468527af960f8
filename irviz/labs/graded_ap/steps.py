"""Steps: ten users, nine of whom want grade 2; average the users' AP, not the parts of its fraction."""

from __future__ import annotations

import numpy as np

from irviz.errors import counted, verb
from irviz.labs.documents import graded_ranking, run_rows
from irviz.labs.graded_ap.figures import user_bars
from irviz.labs.graded_ap.panel import (
    agree_words,
    expectation_words,
    graded_scores,
    growing_drawing,
    growing_scores,
    growing_words,
    limits,
    listed_grades,
    pick_words,
    shares,
    users_drawing,
    whole_list,
)
from irviz.labs.graded_ap.yours import GRADED_APS, SOURCE
from irviz.labs.lab import judged_lists
from irviz.labs.questions import Amount, InOrder, MultipleChoice, groups_of
from irviz.labs.steps import Revealed, Scene, Step
from irviz.measures.average_precision import AP
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim
from irviz.workspace.phrases import moved, number

USERS = 10
TEN = {"grades": "1,1,1,2"}  #: nine of ten users find what they want at the last rank


def users(g: tuple[float, ...]) -> list[int]:
    """How many of ten users have each threshold."""
    return [round(USERS * share) for share in g]


def own_ap(grades: tuple[int, ...], c: int) -> list[float]:
    """AP of the users of every threshold."""
    judged = judged_lists([grades], c)
    return [float(AP(rel=float(k)).evaluate(judged)[0]) for k in range(1, c + 1)]


def fraction_words(grades: tuple[int, ...], g: tuple[float, ...]) -> str:
    """GAP by hand: what every rank adds above the fraction line, and what is below it."""
    worth = np.concatenate([[0.0], np.cumsum(g)])  # the share of users to whom a grade is relevant
    hits = [n for n, grade in enumerate(grades) if grade]
    added = [sum(float(worth[min(grades[m], grades[n])]) for m in range(n + 1)) / (n + 1) for n in hits]
    below = sum(float(worth[grades[n]]) for n in hits)
    parts = " + ".join(number(one) for one in added)
    return (
        f"GAP is ({parts}) / {number(below)} = {number(sum(added) / below)}. Below the line every document counts by "
        "its share of users; above it every rank adds the precision there, in which a document counts by the share of "
        "users who want both it and the document at that rank."
    )


def _two_views(grades: tuple[int, ...], g: tuple[float, ...]) -> Drawing:
    """The list as each kind of user sees it: what is relevant for them is 1."""
    names = [f"{counted(n, 'user')}: grade {k} or more" for k, n in enumerate(users(g), start=1)]
    seen = [tuple(int(grade >= k) for grade in grades) for k in range(1, len(g) + 1)]
    told = "; ".join(f"{name}, seen as {', '.join(map(str, run))}" for name, run in zip(names, seen, strict=True))
    return Drawing(run_rows([grades, *seen], ["grades", *names], len(g)), "One list, ten users", f"{told}.")


def _bars(grades: tuple[int, ...], g: tuple[float, ...], names: tuple[str, ...]) -> Drawing:
    """Every user's AP, and what the measures make of all of them."""
    own, scores = own_ap(grades, len(g)), graded_scores(grades, g)
    by_user = [ap for ap, n in zip(own, users(g), strict=True) for _ in range(n)]
    told = ", ".join(f"{name} {number(scores[name])}" for name in names)
    alt = f"The AP of each of {len(by_user)} users: {', '.join(number(ap) for ap in by_user)}; {told}."
    return Drawing(user_bars(by_user, {name: scores[name] for name in names}), "Every user's AP", alt)


# -- 1: the average of ten users -----------------------------------------------------------------


def _average(values: Values) -> Scene:
    g, grades = shares(values), whole_list(values)
    egap = graded_scores(grades, g)["eGAP"]
    best = grades.index(len(g)) + 1
    question = Amount(
        text="Every user has an AP of their own on this list. What is the average of the ten?",
        told=f"{expectation_words(grades, g, egap)} A guess within 0.05 counts as right.",
        value=egap,
        within=0.05,
        step=0.01,
    )
    reveal = Revealed(
        drawings=({"users": _bars(grades, g, ("eGAP",))},),
        claims=(LabClaim(expectation_words(grades, g, egap), f"{SOURCE}, eq. (6)"),),
    )
    return Scene(
        text=f"Of ten users, {users(g)[0]} is content with any relevant document and {users(g)[1]} want grade 2, which "
        f"is at rank {best}.",
        question=question,
        shown=({"views": _two_views(grades, g)},),
        reveal=lambda guess: reveal,
    )


# -- 2: inside the fraction -------------------------------------------------------------------------


def _inside(values: Values) -> Scene:
    g, grades = shares(values), whole_list(values)
    scores = graded_scores(grades, g)
    gap, egap = scores["GAP"], scores["eGAP"]
    question = MultipleChoice(
        text="GAP does not average the AP of users: it counts a document by its share of users, above and below the "
        f"fraction line of one AP. How does it compare with the average of the ten, {number(egap)}?",
        told=f"GAP is {number(gap)} and the average of the users' AP {number(egap)}: the fraction of two averages is "
        "not the average of the fractions.",
        options=(("a", "It is lower"), ("b", "It is the same"), ("c", "It is higher")),
        correct=("a" if gap < egap - 1e-9 else "c" if gap > egap + 1e-9 else "b",),
    )

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=({"users": _bars(grades, g, tuple(GRADED_APS)), "g": users_drawing(grades, g)},),
            claims=(
                LabClaim(fraction_words(grades, g), f"{SOURCE}, eq. (4)"),
                LabClaim(pick_words(g), f"{SOURCE}, sections 3 and 4"),
            ),
        )

    return Scene(
        text="The same ten users and the same list.",
        question=question,
        shown=({"views": _two_views(grades, g)},),
        reveal=reveal,
    )


# -- 3 and 4: a document of grade 1 on top, again and again ---------------------------------------------


def _on_top(values: Values) -> Scene:
    g, grades, top = shares(values), listed_grades(values), int(values["top"])
    before, after = growing_scores(top, g, grades), growing_scores(top + 1, g, grades)
    question = MultipleChoice(
        text="One more document of grade 1 is put on top. For nine of the ten users the list gets worse. How does "
        "GAP change?",
        told=f"GAP {moved(before['GAP'], after['GAP'])}, and the average of the users' AP "
        f"{moved(before['eGAP'], after['eGAP'])}.",
        options=(("a", "It falls"), ("b", "It stays the same"), ("c", "It rises")),
        correct=("a" if after["GAP"] < before["GAP"] - 1e-9 else "c" if after["GAP"] > before["GAP"] + 1e-9 else "b",),
    )

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=(
                {"users": _bars(whole_list(values), g, tuple(GRADED_APS)), "growing": growing_drawing(g, grades, top)},
            ),
            claims=(LabClaim(growing_words(g, grades, top), f"{SOURCE}, sections 3, 4 and 5"),),
        )

    return Scene(
        text="Now the list grows from above, by documents that only one of the ten users wants. Afterwards, put more "
        "of them on top, again and again.",
        question=question,
        shown=({"views": _two_views(grades, g)},),
        reveal=reveal,
    )


def _end(grades: tuple[int, ...], g: tuple[float, ...], top: int) -> Drawing:
    """The list below the documents on top, which are too many to draw."""
    above = f"{counted(top, 'document')} of grade 1 {verb(top, 'is', 'are')} above it" if top else "nothing is above it"
    drawn = graded_ranking(grades, len(g), above=top)
    return Drawing(drawn, f"The end of the list; {above}", f"Grades {', '.join(map(str, grades))}; {above}.")


def _again(values: Values) -> Scene:
    g, grades, top = shares(values), listed_grades(values), int(values["top"])
    scores, goal = growing_scores(top, g, grades), limits(g, grades)
    listed = ", ".join(f"{name} {number(scores[name])} (limit {number(goal[name])})" for name in GRADED_APS)
    question = InOrder(
        text=f"After {top:,} such documents, nine of ten users find what they want at rank "
        f"{top + grades.index(2) + 1:,}. Sort the three measures by their scores, the highest first.",
        told=f"{listed}. In the limit GAP calls the list perfect, which it is for one user in ten.",
        items=tuple((name.lower(), name) for name in GRADED_APS),
        groups=groups_of([name.lower() for name in GRADED_APS], [scores[name] for name in GRADED_APS]),
    )

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=({"growing": growing_drawing(g, grades, top)},),
            claims=(LabClaim(growing_words(g, grades, top), f"{SOURCE}, sections 3, 4 and 5"),),
        )

    return Scene(
        text="Three ways to average: GAP inside the fraction, xGAP partly inside it, eGAP over the users' own AP.",
        question=question,
        shown=({"end": _end(grades, g, top)},),
        reveal=reveal,
    )


# -- 5: when users agree ----------------------------------------------------------------------------------


def _agree(values: Values) -> Scene:
    g, grades = shares(values), whole_list(values)
    scores = graded_scores(grades, g)
    spread = float(np.ptp([scores[name] for name in GRADED_APS]))
    question = MultipleChoice(
        text="Now all ten users are content with grade 1. Do the three measures still differ?",
        told=agree_words(g, scores),
        options=(("a", "Yes, by more than 0.1"), ("b", "Yes, a little"), ("c", "No")),
        correct=("c" if spread < 1e-9 else "b" if spread <= 0.1 else "a",),
    )

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=({"users": _bars(grades, g, tuple(GRADED_APS)), "g": users_drawing(grades, g)},),
            claims=(
                LabClaim(agree_words(g, scores), f"{SOURCE}, section 6"),
                LabClaim(expectation_words(grades, g, scores["eGAP"]), f"{SOURCE}, eq. (6)"),
            ),
        )

    return Scene(
        text="The way of averaging matters if users disagree. Afterwards, move the shares: g₁ is the share of users "
        "who are content with grade 1, g₂ the share of those who want grade 2.",
        question=question,
        shown=({"views": _two_views(grades, g)},),
        reveal=reveal,
    )


STEPS = (
    Step(title="Ten users, nine of whom want grade 2", scene=_average, start=TEN),
    Step(title="Average inside the fraction", scene=_inside, start=TEN),
    Step(title="A document of grade 1 on top", scene=_on_top, start=TEN, controls=("top",)),
    Step(title="Again and again", scene=_again, start={**TEN, "top": "1000"}, controls=("top", "g1", "g2")),
    Step(title="Users who agree", scene=_agree, start={**TEN, "g1": "1", "g2": "0"}, controls=("g1", "g2", "grades")),
)
