"""What no page computes: worked examples of papers, which are of no collection, and the best runs under a measure."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd

from irviz.collection.frames import collection_from_frames
from irviz.collection.model import Collection
from irviz.gallery.paper import ITEMS, CellKey, Comparison, Evidence, published_table
from irviz.gallery.tables import aspect_note, classes_of, need_aspects
from irviz.measures.toma import equivalence_classes
from irviz.stats.aggregate import summarise
from irviz.stats.bounds import BestRuns, best_runs
from irviz.stats.scores import score
from irviz.stats.words import Average

# -- Maistro et al. 2021 ---------------------------------------------------------------------------

LEVELS = {"relevance": [0.0, 1.0, 2.0, 3.0], "correctness": [0.0, 1.0, 2.0]}
SPACE = "embedding=[[0,1,2,3],[0,1.5,3]],classes='dependent'"
DOCUMENTS = {"d1": (1, 2), "d2": (3, 1), "d3": (3, 0)}  #: the example's levels of relevance and correctness
SEVERAL = ("CAM", "MM", "EUCL", "MANH", "CHEB")
BASES = {"nDCG": "", "AP": ",rel=[2,2]"}  #: base measures, and from which grades CAM and MM count


def printed_classes(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of Table 1 with the class of every tuple, 1 for the best, in place of its position."""
    new_class = (rows["tied_with_next"].shift() != "true") | (rows["position"] == "1")
    group = (rows["position"] == "1").cumsum()
    return rows.assign(published=new_class.groupby(group).cumsum().astype(str))


def pairs_apart(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of Table 4 with the two members of each pair as ``first`` and ``second``."""
    return rows.join(rows["pair"].str.split(" - ", expand=True).set_axis(["first", "second"], axis=1))


def tuple_classes(on: Evidence) -> Comparison:
    """Table 1: the classes of three embeddings under three distances, 1 for the best."""
    values: dict[CellKey, float] = {}
    settings = published_table("toma_order")[["correctness_embedding", "distance"]].drop_duplicates()
    for text, distance in settings.itertuples(index=False):
        steps = [LEVELS["relevance"], [float(part) for part in text.split()]]
        table = equivalence_classes(LEVELS, distance.lower(), steps, "dependent")
        rows = table[["embedded relevance", "embedded correctness", "class"]].itertuples(index=False)
        best = int(table["class"].max())
        values |= {(text, distance, f"({float(r):g}, {float(c):g})"): best - number + 1.0 for r, c, number in rows}
    return Comparison(values)


def three_documents(on: Evidence) -> Comparison:
    """Table 3: every ranking of three documents under CAM, MM and TOMA."""
    values: dict[CellKey, float] = {}
    for base, rel in BASES.items():
        names = {"CAM": f"CAM({base}{rel})", "MM": f"MM({base}{rel})"}
        distances = {"EUCL": "euclidean", "MANH": "manhattan", "CHEB": "chebyshev"}
        names |= {name: f"TOMA({base},distance='{d}',{SPACE})" for name, d in distances.items()}
        scores = score(example(), list(names.values()))
        for name, row in zip(names, scores.values, strict=True):
            values |= {(base, system, name): float(x) for system, x in zip(scores.systems, row[0], strict=True)}
    return Comparison(values)


def example() -> Collection:
    """The three documents of section 4.2, and every ranking of one, two or three of them as a system."""
    labels = pd.DataFrame.from_dict(DOCUMENTS, "index", columns=list(LEVELS)).rename_axis("doc_id").reset_index()
    rankings = [ranking for length in (3, 2, 1) for ranking in permutations(DOCUMENTS, length)]
    runs = {
        " ".join(one): pd.DataFrame({"query_id": "1", "doc_id": one, "score": -np.arange(len(one))}) for one in rankings
    }
    return collection_from_frames(labels.assign(query_id="1"), runs, levels=LEVELS, name="three documents")


def expressions(collection: Collection, base: str, cutoff: str = "") -> dict[str, str]:
    """The five measures of several aspects on one base measure, as in Table 4; with AP, all on binary aspects."""
    names, classes = ITEMS["aspects.table4"].codes["names"], classes_of(collection)
    texts = {name: names[f"{name} {base}"].replace("@C", classes) for name in SEVERAL}
    return {name: text.replace(base, base + cutoff, 1) for name, text in texts.items()}


def _best(on: Evidence, ranks: int) -> list[BestRuns]:
    """The first ranks of the best runs under the five measures at that cutoff, by nDCG and by AP."""
    collection = on.context.collection
    need_aspects(collection)
    return [best_runs(collection, expressions(collection, base, f"@{ranks}").values(), ranks) for base in BASES]


def zero_aspect(on: Evidence) -> Comparison:
    """Table 5: documents with the lowest label on all aspects among the first five of the best runs."""
    runs = _best(on, 5)
    count = np.sum([best.zeros for best in runs], axis=0)
    total = np.maximum(np.sum([best.documents for best in runs], axis=(0, 2))[:, None], 1)
    share = 100 * np.concatenate([count, count.sum(axis=1, keepdims=True)], axis=1) / total
    places = [str(rank) for rank in range(1, count.shape[1] + 1)] + ["1-5"]
    cells: dict[CellKey, float] = {
        (place, name): share[m, r] for r, place in enumerate(places) for m, name in enumerate(SEVERAL)
    }
    return Comparison(cells, (aspect_note(on.context.collection),))


def quality(on: Evidence) -> Comparison:
    """Table 6: the mean sum of labels down to rank 100 of the best runs."""
    parts = [best.quality() for best in _best(on, 100)]
    mean = np.mean([part["mean_label_sum"].to_numpy() for part in parts], axis=0)
    keys = [(ranks, SEVERAL[i % len(SEVERAL)]) for i, ranks in enumerate(parts[0]["ranks"])]
    return Comparison(dict(zip(keys, mean.tolist(), strict=True)), (aspect_note(on.context.collection),))


# -- Ravana and Moffat 2009 ------------------------------------------------------------------------

MEANS: dict[str, Average] = {
    "AM": ("mean", None),
    "GM": ("geometric", 0.0),
    "eGM": ("geometric", 0.01),
    "HM": ("harmonic", 0.0),
    "eHM": ("harmonic", 0.01),
    "MD": ("median", None),
}


def six_averages(on: Evidence) -> Comparison:
    """Table 1: six averages of four systems' scores on five topics."""
    rows = published_table("aggregation_examples").set_index("system")[["x1", "x2", "x3", "x4", "x5"]].astype(float)
    averages = {name: summarise(rows.T, how, eps=eps) for name, (how, eps) in MEANS.items()}
    return Comparison({(str(system), name): float(x) for name, row in averages.items() for system, x in row.items()})
