"""The worked examples of Maistro et al. 2021, which are reproduced exactly, whatever is loaded."""

from __future__ import annotations

from itertools import permutations

import pandas as pd

from irviz.collection.frames import collection_from_frames
from irviz.collection.model import Collection
from irviz.gallery.item import CellKey, Found, Printed, RandomTrials
from irviz.gallery.published import as_number, published, with_our_spelling
from irviz.measures.aspects.table import equivalence_classes
from irviz.scores import score
from irviz.workspace.context import Context
from irviz.workspace.panel import Table

RELEVANCE, CORRECTNESS = [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0]
TOMA_KINDS = {"EUCL": "euclidean", "MANH": "manhattan", "CHEB": "chebyshev"}
SPACE = "embedding=[[0,1,2,3],[0,1.5,3]],classes='dependent'"
DOCUMENTS = {"d1": (1, 2), "d2": (3, 1), "d3": (3, 0)}  #: the example's levels of relevance and correctness
_CAM_AND_MM = {
    "nDCG": {"CAM": "CAM(nDCG)", "MM": "MM(nDCG)"},
    "AP": {"CAM": "CAM(AP,rel=[2,2])", "MM": "MM(AP,rel=[2,2])"},
}


def printed_order() -> Printed:
    """Table 1 with the class of every tuple, 1 for the best, in place of its position."""
    rows = published("toma_order")
    new_class = (rows["tied_with_next"].shift() != "true") | (rows["position"] == "1")
    group = (rows["position"] == "1").cumsum()
    rows["published"] = new_class.groupby(group).cumsum().astype(str)
    rows["tuple"] = _tuples(rows["relevance_label_value"], rows["correctness_label_value"])
    keys = ("correctness_embedding", "distance", "tuple")
    return Printed(rows[[*keys, "published"]], keys, "class, 1 is the best", "distance", whole=True)


def order(context: Context, draws: RandomTrials) -> Found:
    """Table 1: the classes of three embeddings under three distances."""
    rows = published("toma_order")
    settings = list(dict.fromkeys(rows[["correctness_embedding", "distance"]].itertuples(index=False, name=None)))
    values: dict[CellKey, float] = {}
    sizes = []
    for text, distance in settings:
        embedded = [float(part) for part in text.split()]
        table = equivalence_classes(
            {"relevance": RELEVANCE, "correctness": CORRECTNESS}, distance.lower(), [RELEVANCE, embedded], "dependent"
        )
        best = int(table["class"].max())
        names = _tuples(table["embedded relevance"], table["embedded correctness"])
        values |= {
            (text, distance, name): best - number + 1.0 for name, number in zip(names, table["class"], strict=True)
        }
        sizes.append({"correctness embedded as": text, "distance": distance, "classes": best + 1})
    fewest, most = min(sizes, key=lambda row: row["classes"]), max(sizes, key=lambda row: row["classes"])
    sentence = (
        f"The {len(settings)} orders have {fewest['classes']} ({fewest['distance']}) to {most['classes']} "
        f"({most['distance']}) classes of label tuples."
    )
    return Found(sentence, values, tables={"Classes": Table(pd.DataFrame(sizes), "One row per order of Table 1.")})


def _tuples(relevance: pd.Series, correctness: pd.Series) -> list[str]:
    return [f"({float(r):g}, {float(c):g})" for r, c in zip(relevance, correctness, strict=True)]


def printed_anomaly() -> Printed:
    rows = with_our_spelling(published("toma_anomaly")).melt(
        ["base", "ranking"], var_name="measure", value_name="published"
    )
    return Printed(rows, ("base", "ranking", "measure"), "score", "measure")


def anomaly(context: Context, draws: RandomTrials) -> Found:
    """Table 3: every ranking of three documents under CAM, MM and TOMA."""
    collection = example()
    values: dict[CellKey, float] = {}
    for base, names in table_3_measures().items():
        scores = score(collection, list(names.values()))
        for name, row in zip(names, scores.values, strict=True):
            values |= {(base, system, name): float(x) for system, x in zip(scores.systems, row[0], strict=True)}
    tops = {name: max(v for k, v in values.items() if k[2] == name) for name in ("CAM", "MM", *TOMA_KINDS)}
    printed = printed_anomaly().rows
    mine = printed[printed["measure"] == "MM"]
    half = sum(
        abs(values[b, r, "MM"] / 2 - as_number(text)) < 6e-5
        for b, r, text in mine[["base", "ranking", "published"]].itertuples(index=False)
    )
    sentence = (
        f"No ranking of the three documents reaches 1 by CAM (at most {tops['CAM']:.4f}) or MM ({tops['MM']:.4f}); by "
        "the three TOMA measures one does."
    )
    note = f"{half} of the {len(mine)} printed values of MM are half of what eq. (6) gives here, zeros among them."
    return Found(sentence, values, notes=(note,))


def table_3_measures() -> dict[str, dict[str, str]]:
    """Expressions of Table 3 by base measure and name."""
    return {
        base: own | {name: f"TOMA({base},distance='{d}',{SPACE})" for name, d in TOMA_KINDS.items()}
        for base, own in _CAM_AND_MM.items()
    }


def example() -> Collection:
    """The three documents of section 4.2, and every ranking of one, two or three of them as a system."""
    qrels = pd.DataFrame(
        [("1", doc, *labels) for doc, labels in DOCUMENTS.items()],
        columns=["query_id", "doc_id", "relevance", "correctness"],
    )
    runs = {
        " ".join(ranking): pd.DataFrame(
            {"query_id": "1", "doc_id": list(ranking), "score": [3.0 - i for i in range(len(ranking))]}
        )
        for length in (3, 2, 1)
        for ranking in permutations(DOCUMENTS, length)
    }
    levels = {"relevance": RELEVANCE, "correctness": CORRECTNESS}
    return collection_from_frames(qrels, runs, levels=levels, name="three documents")
