"""Steps: the aspects leave a partial order; the distance that decides the rest is a value judgement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from irviz.labs.aspects.figures import documents_only, orders
from irviz.labs.aspects.model import DISTANCES, classes_table, documents, incomparable, order_names, order_scores
from irviz.labs.aspects.panel import (
    LABEL_NAMES,
    bound_words,
    conflict_words,
    count_words,
    fake_words,
    mm_zero_words,
    order_words,
    orders_alt,
    pair_words,
    plane_drawing,
)
from irviz.labs.aspects.yours import SOURCE
from irviz.labs.charts import Groups, rank_columns
from irviz.labs.questions import Amount, InOrder, MultipleChoice, groups_of
from irviz.labs.steps import Revealed, Scene, Step
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim
from irviz.workspace.phrases import number

Labels = Sequence[tuple[int, int]]
FAKE = (3, 0)
ORDERED = f"{SOURCE}, eq. (2) and (3)"
_TABLE_1 = f"{SOURCE}, section 3.4 and Table 1"


def labels_text(labels: Labels) -> str:
    return "; ".join(f"d{i}: {pair_words(pair)}" for i, pair in enumerate(labels, start=1))


def the_documents(values: Values) -> Drawing:
    labels = documents(values)
    return Drawing(documents_only(labels, LABEL_NAMES), "The documents", f"By their labels: {labels_text(labels)}.")


def classes_of_pairs(values: Values, distance: str | None = None) -> dict[tuple[int, int], int]:
    """The class of every pair of labels; 0 is the worst."""
    return {(int(a), int(b)): int(n) for (a, b), n in classes_table(values, distance)["class"].items()}


def by_distance(values: Values, labels: Labels, distance: str) -> Groups:
    """The documents in the order of a distance."""
    of = classes_of_pairs(values, distance)
    return groups_of([f"d{i}" for i in range(1, len(labels) + 1)], [of[pair] for pair in labels])


# -- 1: a pair ----------------------------------------------------------------------------------------


def _pair(values: Values) -> Scene:
    labels = documents(values)
    open_ = bool(incomparable(labels))
    first, second = labels
    known = "c" if open_ else "a" if first[0] >= second[0] and first[1] >= second[1] else "b"
    question = MultipleChoice(
        text=f"{labels_text(labels)}. Which should come first?",
        told=f"{conflict_words(labels)} No rule that everybody shares puts one of them first."
        if open_
        else conflict_words(labels),
        options=(("a", "d1, for everybody"), ("b", "d2, for everybody"), ("c", "It depends on what one values")),
        correct=(known,),
    )
    reveal = Revealed(
        drawings=({"plane": plane_drawing(values, labels, classes_table(values))},),
        claims=(LabClaim(conflict_words(labels), f"{SOURCE}, section 3.1 and eq. (8)"),),
    )
    return Scene(
        text="Documents can be judged on several aspects, here relevance and correctness. A document that is better on "
        "both is better, but some documents are better on one aspect and worse on the other.",
        question=question,
        shown=({"documents": the_documents(values)},),
        reveal=lambda guess: reveal,
    )


# -- 2: three documents, three distances ------------------------------------------------------------------


def _three(values: Values) -> Scene:
    labels = documents(values)
    names = {f"d{i}": f"d{i}" for i in range(1, len(labels) + 1)}
    found = {words: by_distance(values, labels, kind) for kind, words in DISTANCES.items()}
    told = "; ".join(f"the {name} distance gives {_told(groups)}" for name, groups in found.items())
    question = InOrder(
        text=f"{labels_text(labels)}. Sort them as you would, the best first.",
        told=f"{told[0].upper()}{told[1:]}.",
        items=tuple((key, f"{key}: {pair_words(pair)}") for key, pair in zip(names, labels, strict=True)),
        groups=tuple(tuple(group) for group in found["Euclidean"]),
        open=True,
    )

    def reveal(guess: str) -> Revealed:
        yours: Groups = [[key] for key in guess.split(",")]
        columns = {"yours": yours, **found}
        same = [name for name, groups in found.items() if [list(group) for group in groups] == yours]
        theirs = f"Your order is that of the {' and the '.join(same)} distance."
        whose = theirs if same else "None of the distances gives your order."
        alt = f"Your order is {_told(yours)}; {told}."
        return Revealed(
            drawings=(
                {"columns": Drawing(rank_columns(names, columns), "Your order beside three distances", alt)},
                {"plane": plane_drawing(values, labels, classes_table(values))},
            ),
            claims=(LabClaim(f"{whose} {order_words(values, labels, classes_table(values))}", ORDERED),),
        )

    return Scene(
        text="To put all documents in one order, TOMA measures how far each is from the best possible one. There are "
        "several ways to measure, and each is a judgement about what a missing grade costs. Afterwards, change the "
        "steps between the labels.",
        question=question,
        shown=({"documents": the_documents(values)},),
        reveal=reveal,
    )


def _told(groups: Groups) -> str:
    return ", ".join(" = ".join(group) for group in groups)


# -- 3: fake news -------------------------------------------------------------------------------------------


def _fake(values: Values) -> Scene:
    lowest = {kind: classes_of_pairs(values, kind)[FAKE] for kind in DISTANCES}
    most = {kind: max(classes_of_pairs(values, kind).values()) for kind in DISTANCES}
    told = "; ".join(f"{DISTANCES[kind]}: class {lowest[kind]} of 0 to {most[kind]}" for kind in DISTANCES)
    worst = [kind for kind in DISTANCES if lowest[kind] == min(lowest.values())]
    table = classes_table(values)
    question = MultipleChoice(
        text=f"A document is {pair_words(FAKE)}: fake news. Which distance puts it into the lowest class, where class "
        "0 is the worst?",
        told=f"{told}.",
        options=tuple(DISTANCES.items()),
        correct=tuple(worst),
    )

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=({"plane": plane_drawing(values, documents(values), table)},),
            claims=(LabClaim(fake_words(table), _TABLE_1), LabClaim(count_words(values), _TABLE_1)),
        )

    return Scene(
        text="The Euclidean distance is the straight line to the best document, the Manhattan distance adds up what is "
        "missing on both aspects, and the Chebyshev distance looks only at the aspect that misses most.",
        question=question,
        shown=({"documents": the_documents(values)},),
        reveal=reveal,
    )


# -- 4 and 5: what can be reached -----------------------------------------------------------------------------


def _orders(values: Values) -> tuple[dict[str, Any], Drawing]:
    labels = documents(values)
    names, found = order_names(len(labels)), order_scores(values, labels)
    drawn = orders(names, list(found), np.stack(list(found.values())))
    return found, Drawing(drawn, "Every order of the documents", orders_alt(names, found))


def _reach(values: Values) -> Scene:
    found, drawing = _orders(values)
    best = float(found["CAM"].max())
    question = Amount(
        text="CAM scores each aspect separately, where the best order for that aspect scores 1, and averages the "
        "scores. What is the highest CAM of nDCG over all orders of these three documents?",
        told=f"{number(best, 4)}. {bound_words(found)} A guess within 0.03 counts as right.",
        value=best,
        within=0.03,
        step=0.01,
    )
    reveal = Revealed(
        drawings=({"orders": drawing},), claims=(LabClaim(bound_words(found), f"{SOURCE}, section 4.2 and Table 3"),)
    )
    return Scene(
        text=f"{labels_text(documents(values))}. What is best for relevance is not best for correctness. Afterwards, "
        "change the documents and the weight of relevance.",
        question=question,
        shown=({"documents": the_documents(values)},),
        reveal=lambda guess: reveal,
    )


def _zero(values: Values) -> Scene:
    found, drawing = _orders(values)
    names = order_names(len(documents(values)))
    best = float(found["MM"].max())
    question = MultipleChoice(
        text="No document is correct. MM is the harmonic mean of the two aspects. What does its best order score?",
        told=f"{number(best, 4)}. {mm_zero_words(names, found)}",
        options=(("a", "1, the maximum"), ("b", "Something in between"), ("c", "0")),
        correct=("a" if best > 1 - 1e-9 else "c" if best == 0 else "b",),
    )
    reveal = Revealed(
        drawings=({"orders": drawing},),
        claims=(
            LabClaim(mm_zero_words(names, found), f"{SOURCE}, section 4.2, problem 1"),
            LabClaim(bound_words(found), f"{SOURCE}, section 4.2 and Table 3"),
        ),
    )
    return Scene(
        text=f"{labels_text(documents(values))}.",
        question=question,
        shown=({"documents": the_documents(values)},),
        reveal=lambda guess: reveal,
    )


STEPS = (
    Step(title="Two documents, two aspects", scene=_pair, start={"relevance": "1,3", "correctness": "2,0"}),
    Step(title="Three documents, three distances", scene=_three, controls=("distance", "r", "c1", "c2")),
    Step(
        title="Where does fake news go?",
        scene=_fake,
        start={"relevance": "3,1", "correctness": "0,1"},
        controls=("distance", "c1", "c2"),
    ),
    Step(title="How high can CAM get?", scene=_reach, controls=("relevance", "correctness", "p", "base")),
    Step(
        title="An aspect that scores 0",
        scene=_zero,
        start={"relevance": "3,2,1", "correctness": "0,0,0"},
        controls=("correctness",),
    ),
)
