"""The quiz: three documents and one distance; which document comes first?  The seed draws both."""

from __future__ import annotations

from functools import partial

import numpy as np

from irviz.labs.aspects.figures import documents_only
from irviz.labs.aspects.model import DISTANCES, classes_table, documents, incomparable
from irviz.labs.aspects.panel import LABEL_NAMES, conflict_words, order_words, pair_words, plane_drawing
from irviz.labs.aspects.yours import SOURCE
from irviz.labs.questions import MultipleChoice
from irviz.labs.steps import Revealed, Scene, Step
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim
from irviz.workspace.phrases import number

DISTANCE_RULES = {
    "euclidean": "the straight line to the best document",
    "manhattan": "the sum of what is missing on both aspects",
    "chebyshev": "what is missing on the aspect that misses most",
}


def drawn_documents(seed: int) -> tuple[str, list[tuple[int, int]]]:
    """A distance and three different documents of which at least two are disputed; the same for the same seed."""
    draw = np.random.default_rng(seed)
    kind = list(DISTANCES)[int(draw.integers(len(DISTANCES)))]
    every = [(relevance, correctness) for relevance in range(1, 4) for correctness in range(3)]
    while True:
        labels = [every[int(i)] for i in draw.permutation(len(every))[:3]]
        if incomparable(labels):
            return kind, labels


def distance_quiz(seed: int) -> Step:
    """Which document comes first?"""
    kind, labels = drawn_documents(seed)
    start = {
        "distance": kind,
        "relevance": ",".join(str(pair[0]) for pair in labels),
        "correctness": ",".join(str(pair[1]) for pair in labels),
    }
    return Step(title="Which document comes first?", scene=partial(_scene, kind), start=start)


def _scene(kind: str, values: Values) -> Scene:
    labels, table = documents(values), classes_table(values)
    distance = {(int(a), int(b)): float(d) for (a, b), d in table["distance"].items()}
    far = [distance[pair] for pair in labels]
    keys = [f"d{i}" for i in range(1, len(labels) + 1)]
    told = ", ".join(f"{key} {number(d, 2)}" for key, d in zip(keys, far, strict=True))
    question = MultipleChoice(
        text=f"Which document comes first by the {DISTANCES[kind]} distance, {DISTANCE_RULES[kind]}?",
        told=f"The distances from the best document are {told}; the nearest comes first.",
        options=tuple((key, f"{key}: {pair_words(pair)}") for key, pair in zip(keys, labels, strict=True)),
        correct=tuple(key for key, d in zip(keys, far, strict=True) if d <= min(far) + 1e-9),
    )
    described = "; ".join(f"{key}: {pair_words(pair)}" for key, pair in zip(keys, labels, strict=True))
    reveal = Revealed(
        drawings=({"plane": plane_drawing(values, labels, table)},),
        claims=(
            LabClaim(order_words(values, labels, table), f"{SOURCE}, eq. (2) and (3)"),
            LabClaim(conflict_words(labels), f"{SOURCE}, section 3.1 and eq. (8)"),
        ),
    )
    r, c1, c2 = values["r"], values["c1"], values["c2"]
    return Scene(
        text=f"A step of relevance has length {number(r, 2)}; the step from not to partially correct has length "
        f"{number(c1, 2)}, and that from partially correct to correct {number(c2, 2)}. The best document is highly "
        "relevant and correct.",
        question=question,
        shown=(
            {
                "documents": Drawing(
                    documents_only(labels, LABEL_NAMES), "The documents", f"By their labels: {described}."
                )
            },
        ),
        reveal=lambda guess: reveal,
    )
