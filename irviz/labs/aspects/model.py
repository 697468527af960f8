"""A few documents with labels of two aspects: their plane, its classes, and the scores of all their orders."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.measures.toma import equivalence_classes
from irviz.stats.scores import score
from irviz.workspace.control import plain

ASPECTS = ("relevance", "correctness")
DISTANCES = {"euclidean": "Euclidean", "manhattan": "Manhattan", "chebyshev": "Chebyshev"}
#: the measure of one aspect, and the parameters that CAM and MM need for it
BASE_MEASURES = {"nDCG": ("nDCG", ""), "AP": ("AP", ",rel=[2,2]")}
Floats = NDArray[np.float64]


def documents(values: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The labels of every document; with dependent labels, a document that is not relevant is not correct."""
    pairs = list(zip(values["relevance"], values["correctness"], strict=False))
    if not values["dependent"]:
        return pairs
    return [(first, second if first else 0) for first, second in pairs]


def embedding(values: Mapping[str, Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The coordinate of every label of both aspects."""
    r, c1, c2 = values["r"], values["c1"], values["c2"]
    return tuple(r * level for level in range(4)), (0.0, c1, c1 + c2)


def classes_table(values: Mapping[str, Any], distance: str | None = None) -> pd.DataFrame:
    """The equivalence classes of this plane; see :func:`~irviz.measures.toma.equivalence_classes`."""
    return equivalence_classes(
        {"relevance": range(4), "correctness": range(3)},
        distance or values["distance"],
        embedding(values),
        "dependent" if values["dependent"] else "product",
    )


def order_names(count: int) -> list[str]:
    """All orders of the documents: "d1 d2 d3" and so on."""
    return [" ".join(f"d{i + 1}" for i in order) for order in itertools.permutations(range(count))]


def chosen_expressions(values: Mapping[str, Any], aspects: int = 2) -> dict[str, str]:
    """CAM, MM and TOMA over the chosen measure, as expressions."""
    base, harsh = BASE_MEASURES[values["base"]]
    p = float(values["p"])
    shares = f",p=[{plain(p)},{plain(round(1 - p, 6))}]"
    places = embedding(values)
    numbers = ",".join("[" + ",".join(plain(x) for x in axis) + "]" for axis in places)
    kind = "dependent" if values["dependent"] else "product"
    return {
        "CAM": f"CAM({base}{shares}{harsh})",
        "MM": f"MM({base}{shares}{harsh})",
        "TOMA": f"TOMA({base},distance='{values['distance']}',embedding=[{numbers}],classes='{kind}')",
    }


def order_scores(values: Mapping[str, Any], labels: Sequence[tuple[int, int]]) -> dict[str, Floats]:
    """By measure: the score of every order of the documents, which are the whole pool."""
    every = list(itertools.permutations(range(len(labels))))
    collection = Collection(
        name="lab",
        topics=("1",),
        systems=tuple(order_names(len(labels))),
        aspects=ASPECTS,
        grades=((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 2.0)),
        ranking=np.array([every], dtype=np.int32),
        labels=np.array([labels], dtype=np.int16),
    )
    written = chosen_expressions(values)
    scores = score(collection, list(written.values()))
    return {name: scores.values[m, 0] for m, name in enumerate(written)}


def moved_document(values: Mapping[str, Any], document: int, pair: tuple[int, int]) -> tuple[str, str]:
    """The texts of both controls after `document` took the labels `pair`; a document after the last one is added."""
    shared = min(len(values[axis]) for axis in ASPECTS)
    texts = []
    for axis, label in zip(ASPECTS, pair, strict=True):
        grades = list(values[axis][:shared])
        grades[document : document + 1] = [label]
        texts.append(",".join(map(str, grades)))
    return texts[0], texts[1]


def edges(tuples: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs of which one is better and no tuple lies between: the lattice of labels."""
    below = [(a, b) for a, x in enumerate(tuples) for b, y in enumerate(tuples) if x != y and worse(x, y)]
    return [
        (a, b)
        for a, b in below
        if not any(worse(tuples[a], z) and worse(z, tuples[b]) for z in tuples if z not in (tuples[a], tuples[b]))
    ]


def worse(x: tuple[int, int], y: tuple[int, int]) -> bool:
    """Whether `x` is at most as good as `y` on every aspect."""
    return x[0] <= y[0] and x[1] <= y[1]


def iso_lines(values: Mapping[str, Any], table: pd.DataFrame) -> list[tuple[Floats, Floats]]:
    """For every distance that occurs, the points of the plane at that distance, left of and below the best."""
    best = np.array([axis[-1] for axis in embedding(values)])
    lines = []
    for distance in np.unique(table["distance"].to_numpy()):
        if distance == 0:
            continue
        if values["distance"] == "euclidean":
            angle = np.linspace(0, np.pi / 2, 25)
            x, y = best[0] - distance * np.cos(angle), best[1] - distance * np.sin(angle)
        elif values["distance"] == "manhattan":
            x, y = best[0] - np.array([distance, 0.0]), best[1] - np.array([0.0, distance])
        else:
            x = best[0] - np.array([distance, distance, 0.0])
            y = best[1] - np.array([0.0, distance, distance])
        lines.append((x, y))
    return lines


def incomparable(labels: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs of documents each of which is better on one aspect."""
    pairs = itertools.combinations(range(len(labels)), 2)
    return [(i, j) for i, j in pairs if not worse(labels[i], labels[j]) and not worse(labels[j], labels[i])]
