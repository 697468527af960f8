"""A few documents with labels of two aspects: their plane, its classes, the scores of all orders; numbers of steps."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.model import Collection
from irviz.collection.ragged import Lists, Padded
from irviz.errors import IrvizError, join_words, verb
from irviz.labs.step import in_groups
from irviz.measures.toma import equivalence_classes
from irviz.stats.scores import score
from irviz.workspace.control import plain
from irviz.workspace.page import Values
from irviz.workspace.phrases import extremes, number

ASPECTS = ("relevance", "correctness")
LABEL_NAMES = (("not", "marginally", "fairly", "highly"), ("not correct", "partially correct", "correct"))
FAKE = (3, 0)  #: highly relevant, not correct
#: embeddings of correctness in Table 1 of Maistro et al. 2021; those of relevance are 0, 1, 2, 3 there
EMBEDDINGS = {"equal": (0.0, 1.5, 3.0), "unit": (0.0, 1.0, 2.0), "steep": (0.0, 2.0, 6.0)}
STEEPEST = 4.0  #: the largest step between two labels of correctness
DISTANCES = {"euclidean": "Euclidean", "manhattan": "Manhattan", "chebyshev": "Chebyshev"}
RULES = {"euclidean": "straight line", "manhattan": "sum of both", "chebyshev": "worse aspect"}
#: the measure of one aspect, and the parameters that CAM and MM need for it
BASE_MEASURES = {"nDCG": ("nDCG", ""), "AP": ("AP", ",rel=[2,2]")}
Floats = NDArray[np.float64]
Pair = tuple[int, int]  #: levels of relevance and correctness


def documents(values: Values) -> list[Pair]:
    """The labels of every document; with dependent labels, a document that is not relevant is not correct."""
    pairs = list(zip(values["relevance"], values["correctness"], strict=False))
    if not values["dependent"]:
        return pairs
    return [(first, second if first else 0) for first, second in pairs]


def embedding(values: Values) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The coordinate of every label of both aspects."""
    r, c1, c2 = values["r"], values["c1"], values["c2"]
    return tuple(r * level for level in range(4)), EMBEDDINGS.get(values["scale"], (0.0, c1, c1 + c2))


def classes_table(values: Values, distance: str | None = None) -> pd.DataFrame:
    """The equivalence classes of this plane; see :func:`~irviz.measures.toma.equivalence_classes`."""
    return _classes(distance or values["distance"], embedding(values), bool(values["dependent"]))


@lru_cache(maxsize=512)
def _classes(distance: str, places: tuple[tuple[float, ...], ...], dependent: bool) -> pd.DataFrame:
    kinds = "dependent" if dependent else "product"
    return equivalence_classes({"relevance": range(4), "correctness": range(3)}, distance, places, kinds)


def order_names(count: int) -> list[str]:
    """All orders of the documents: "d1 d2 d3" and so on."""
    return [" ".join(f"d{i + 1}" for i in order) for order in itertools.permutations(range(count))]


def chosen_expressions(values: Values) -> dict[str, str]:
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


def order_scores(values: Values, labels: Sequence[Pair]) -> dict[str, Floats]:
    """By measure: the score of every order of the documents, which are the whole pool."""
    orders = list(itertools.permutations(range(len(labels))))
    collection = Collection(
        name="lab",
        topics=("1",),
        systems=tuple(order_names(len(labels))),
        aspects=ASPECTS,
        grades=((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 2.0)),
        ranking=Lists.of(np.array([orders], dtype=np.int32)),
        labels=Padded.of(np.array([labels], dtype=np.int16), ABSENT),
    )
    written = chosen_expressions(values)
    scores = score(collection, list(written.values()))
    return {name: scores.values[m, 0] for m, name in enumerate(written)}


def scores_on_aspects(values: Values, labels: Sequence[Pair]) -> dict[str, Floats]:
    """By aspect: the score of every order of the documents on it alone."""
    return {name: order_scores({**values, "p": p}, labels)["CAM"] for name, p in zip(ASPECTS, (1, 0), strict=True)}


def moved_document(values: Values, document: int, pair: Pair) -> tuple[str, str]:
    """The texts of both controls after `document` took the labels `pair`."""
    shared = min(len(values[axis]) for axis in ASPECTS)
    texts = []
    for axis, label in zip(ASPECTS, pair, strict=True):
        grades = list(values[axis][:shared])
        grades[document] = label
        texts.append(",".join(map(str, grades)))
    return texts[0], texts[1]


def worse(x: Pair, y: Pair) -> bool:
    """True if `x` is at most as good as `y` on every aspect."""
    return x[0] <= y[0] and x[1] <= y[1]


def iso_lines(values: Values, table: pd.DataFrame, kind: str) -> list[tuple[Floats, Floats]]:
    """For every distance that occurs, the points of the plane at that distance, left of and below the best."""
    best = np.array([axis[-1] for axis in embedding(values)])
    lines = []
    distances = np.unique(table["distance"].to_numpy())
    for distance in distances[distances > 0]:
        if kind == "euclidean":
            angle = np.linspace(0, np.pi / 2, 10)
            x, y = best[0] - distance * np.cos(angle), best[1] - distance * np.sin(angle)
        elif kind == "manhattan":
            x, y = best[0] - np.array([distance, 0.0]), best[1] - np.array([0.0, distance])
        else:
            x = best[0] - np.array([distance, distance, 0.0])
            y = best[1] - np.array([0.0, distance, distance])
        lines.append((x, y))
    return lines


def incomparable(labels: Sequence[Pair]) -> list[tuple[int, int]]:
    """Pairs of documents each of which is better on one aspect."""
    pairs = itertools.combinations(range(len(labels)), 2)
    return [(i, j) for i, j in pairs if not worse(labels[i], labels[j]) and not worse(labels[j], labels[i])]


def pair_words(pair: Pair) -> str:
    """Labels in words: "highly relevant, not correct"."""
    return f"{LABEL_NAMES[0][pair[0]]} relevant, {LABEL_NAMES[1][pair[1]]}"


def labels_text(labels: Sequence[Pair]) -> str:
    """All documents in words."""
    return "; ".join(f"d{i}: {pair_words(pair)}" for i, pair in enumerate(labels, start=1))


def classes_of_pairs(values: Values, kind: str = "") -> dict[Pair, int]:
    """The class of every pair of labels; 0 is the worst."""
    return {(int(a), int(b)): int(n) for (a, b), n in classes_table(values, kind or None)["class"].items()}


def order_text(groups: Sequence[Sequence[str]]) -> str:
    """An order in words: "d1, d2 = d3"."""
    return ", ".join(" = ".join(group) for group in groups)


def by_distance(values: Values, kind: str) -> tuple[tuple[str, ...], ...]:
    """The documents in the order of a distance, equally good ones in a group."""
    labels, of = documents(values), classes_of_pairs(values, kind)
    return in_groups([f"d{i}" for i in range(1, len(labels) + 1)], [of[pair] for pair in labels])


# -- numbers of the steps -----------------------------------------------------------------------------


def of_pair(values: Values) -> dict[str, Any]:
    """Two documents, and whether one is at least as good on both aspects."""
    labels = documents(values)
    if len(labels) < 2:
        raise IrvizError("This step compares two documents. Type a second one.")
    open_ = bool(incomparable(labels))
    known = "c" if open_ else "a" if worse(labels[1], labels[0]) else "b"
    more, other = ("d1", "d2") if labels[0][0] > labels[1][0] else ("d2", "d1")
    share, (x, y) = values["p"], (labels[1][aspect] - labels[0][aspect] for aspect in (0, 1))
    ahead = share * x + (1 - share) * y  # of d2
    disputed = f"It depends: {more} is more relevant, {other} is more correct"
    best = f"{'d1' if known == 'a' else 'd2'} comes first for everybody, as it is at least as good on both"
    return {
        "documents": labels_text(labels),
        "first": (known,),
        "share": share,
        "weighed": "both are equally good" if abs(ahead) < 1e-9 else "d2 is first" if ahead > 0 else "d1 is first",
        "verdict": disputed if open_ else best if labels[0] != labels[1] else "both are equally good",
    }


def of_distances(values: Values) -> dict[str, Any]:
    """The order of the straight line."""
    order = by_distance(values, "euclidean")
    return {"documents": labels_text(documents(values)), "order": order_text(order), "euclidean": order}


def of_fake(values: Values) -> dict[str, Any]:
    """The class of fake news by three distances."""
    classes = {kind: classes_of_pairs(values, kind) for kind in DISTANCES}
    far = {kind: of[FAKE] for kind, of in classes.items()}
    lowest = tuple(kind for kind, n in far.items() if n == 0)
    return {
        "pairs": len(classes["euclidean"]),
        "classes": [f"{n} ({DISTANCES[kind]})" for kind, n in far.items()],
        "fake": pair_words(FAKE),
        "lowest": lowest or ("none",),
        "named": [DISTANCES[kind] for kind in lowest] or ["None of them"],
    }


def of_orders(values: Values) -> dict[str, Any]:
    """The highest scores that any order of the documents reaches."""
    labels = documents(values)
    scores, names = order_scores(values, labels), order_names(len(labels))
    both = scores_on_aspects(values, labels)
    reasons = {}
    for name in ("CAM", "MM"):
        first, *rest = extremes(scores[name])
        same = f"; {join_words([names[i] for i in rest], 2, 'and')} {verb(len(rest), 'scores', 'score')} the same"
        of = " and ".join(f"{number(float(row[first]))} ({aspect})" for aspect, row in both.items())
        reasons[name] = f"the {mean_words(values, name)} of {of}, by the order {names[first]}{same if rest else ''}"
    best = float(scores["MM"].max())
    below = "" if scores["CAM"].max() > 1 - 1e-9 else " No order scores 1 on both aspects, so CAM stays below 1."
    return {
        "documents": labels_text(labels),
        "base": values["base"],
        **{f"highest {name}": float(row.max()) for name, row in scores.items()},
        "CAM because": f"{reasons['CAM']}.{below}",
        "one": 1.0,
        "half": 0.5,
        "MM because": reasons["MM"] if best else "the harmonic mean is 0 where one of the two is 0",
        "MM reaches": ("a" if best > 1 - 1e-9 else "c" if best == 0 else "b",),
    }


def mean_words(values: Values, measure: str) -> str:
    """The mean that CAM or MM takes of both aspects, in words."""
    return ("" if values["p"] == 0.5 else "weighted ") + ("mean" if measure == "CAM" else "harmonic mean")


PAPERS = {"r": 1.0, "c1": 1.5, "c2": 1.5, "scale": "equal", "dependent": True}  #: the first embedding of Table 1
