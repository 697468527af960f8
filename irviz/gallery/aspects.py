"""Maistro et al. 2021: measures of several aspects, what no page computes of it and what it claims."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import numpy as np
import pandas as pd

from irviz.collection.codes import ABSENT
from irviz.collection.frames import collection_from_frames
from irviz.collection.model import Collection
from irviz.errors import IrvizError, join_words
from irviz.gallery.paper import NO_PAIR, Answer, CellKey, Comparison, Evidence, case, positive, published_table
from irviz.gallery.tables import table_of
from irviz.gallery.tolerance import share_tolerance
from irviz.measures.toma import equivalence_classes
from irviz.stats.bounds import best_runs, upper_bounds
from irviz.stats.scores import score
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.workspace.context import Context
from irviz.workspace.phrases import TOLERANCE

# -- The worked examples of Maistro et al. 2021, which are reproduced exactly, whatever is loaded --

RELEVANCE, CORRECTNESS = [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0]
TOMA_KINDS = {"EUCL": "euclidean", "MANH": "manhattan", "CHEB": "chebyshev"}
SPACE = "embedding=[[0,1,2,3],[0,1.5,3]],classes='dependent'"
DOCUMENTS = {"d1": (1, 2), "d2": (3, 1), "d3": (3, 0)}  #: the example's levels of relevance and correctness
_RELEVANT = {"nDCG": "", "AP": ",rel=[2,2]"}  #: by base measure, from which grades CAM and MM count


def printed_classes(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of Table 1 with the class of every tuple, 1 for the best, in place of its position."""
    new_class = (rows["tied_with_next"].shift() != "true") | (rows["position"] == "1")
    group = (rows["position"] == "1").cumsum()
    return rows.assign(published=new_class.groupby(group).cumsum().astype(str))


def tuple_classes(on: Evidence) -> Comparison:
    """Table 1: the classes of three embeddings under three distances, 1 for the best."""
    values: dict[CellKey, float] = {}
    settings = published_table("toma_order")[["correctness_embedding", "distance"]].drop_duplicates()
    for text, distance in settings.itertuples(index=False):
        embedded = [float(part) for part in text.split()]
        table = equivalence_classes(
            {"relevance": RELEVANCE, "correctness": CORRECTNESS}, distance.lower(), [RELEVANCE, embedded], "dependent"
        )
        rows = table[["embedded relevance", "embedded correctness", "class"]].itertuples(index=False)
        best = int(table["class"].max())
        values |= {(text, distance, f"({float(r):g}, {float(c):g})"): best - number + 1.0 for r, c, number in rows}
    return Comparison(values)


def three_documents(on: Evidence) -> Comparison:
    """Table 3: every ranking of three documents under CAM, MM and TOMA."""
    collection = example()
    values: dict[CellKey, float] = {}
    for base, rel in _RELEVANT.items():
        names = {"CAM": f"CAM({base}{rel})", "MM": f"MM({base}{rel})"}
        names |= {name: f"TOMA({base},distance='{d}',{SPACE})" for name, d in TOMA_KINDS.items()}
        scores = score(collection, list(names.values()))
        for name, row in zip(names, scores.values, strict=True):
            values |= {(base, system, name): float(x) for system, x in zip(scores.systems, row[0], strict=True)}
    return Comparison(values)


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


# --------------------------------------------------------------------------------------------------

_NAMES = ("CAM", "MM", "EUCL", "MANH", "CHEB")
_BASES = ("nDCG", "AP")
BINARY = {"nDCG": "", "AP": ",binary=True"}  #: the experiments merge all grades above zero into one before AP
_ALPHA = 0.01
PAPER_SAMPLES = 10_000  #: as papers.toml says


def several(context: Context) -> Collection:
    """The loaded collection if it has more than one aspect, else a refusal."""
    collection = context.collection
    if len(collection.aspects) < 2:
        raise IrvizError(
            f"It needs judgments on at least two aspects, and {collection.name} has only {collection.aspects[0]}. "
            "Load a collection with several, such as the bundled one with credibility and correctness."
        )
    return collection


def classes_of(collection: Collection) -> str:
    """Which label tuples there are: "dependent" where what is not relevant has the lowest label of all."""
    judged = (collection.labels != ABSENT).any(axis=2)
    levels = np.maximum(collection.labels, 0)
    loose = judged & (levels[:, :, 0] == 0) & (levels[:, :, 1:] > 0).any(axis=2)
    return "product" if loose.any() else "dependent"


def aspect_expressions(collection: Collection, base: str, cutoff: str = "") -> dict[str, str]:
    """CAM, MM and the three TOMA measures on one base measure; with AP, all on binary aspects (section 4.1)."""
    inner, binary = base + cutoff, BINARY[base]
    kind = classes_of(collection)
    tomas = {name: f"TOMA({inner},distance='{d}',classes='{kind}'{binary})" for name, d in TOMA_KINDS.items()}
    return {"CAM": f"CAM({inner}{binary})", "MM": f"MM({inner}{binary})", **tomas}


def notes_of(collection: Collection) -> tuple[str, ...]:
    aspects = join_words(collection.aspects, joiner="and")
    return (f"Aspects here: {aspects}, all of equal weight; classes of label tuples: {classes_of(collection)}.",)


def correlations(on: Evidence) -> Comparison:
    """Table 4: τ topic by topic between the measures, and between single aspects."""
    collection = several(on.context)
    values: dict[CellKey, float] = {}
    for base in _BASES:
        alone = {name.title(): f"{base}(aspect='{name}')" for name in collection.aspects}
        for kind, names in (("measures", aspect_expressions(collection, base)), ("aspects", alone)):
            tau = similarity(on.context.scores(list(names.values())), by="topic").values
            pairs = permutations(enumerate(names), 2)
            values |= {(f"{kind} with {base}", f"{a} - {b}"): float(tau[i, j]) for (i, a), (j, b) in pairs}
    return Comparison(values, notes_of(collection))


def separated(on: Evidence) -> Comparison:
    """Table 4: share of pairs of systems separated by the paired bootstrap."""
    collection = several(on.context)
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    for base in _BASES:
        scores = on.context.scores(list(aspect_expressions(collection, base).values()))
        power = discriminative_power(scores, "paired_bootstrap", on.trials, _ALPHA, on.seed, on.context.progress)
        for name, result in zip(_NAMES, power.results, strict=True):
            values[base, name] = 100 * result.ratio
            tolerance[base, name] = 100 * share_tolerance(result.asl, _ALPHA, on.trials, PAPER_SAMPLES)
    return Comparison(values, notes_of(collection), tolerance)


def zero_aspect(on: Evidence) -> Comparison:
    """Table 5: documents with the lowest label on all aspects among the first five of the best runs."""
    collection = several(on.context)
    runs = [best_runs(collection, aspect_expressions(collection, base, "@5").values(), 5) for base in _BASES]
    count = np.sum([best.zeros for best in runs], axis=0)
    total = np.maximum(np.sum([best.documents for best in runs], axis=(0, 2))[:, None], 1)
    share = 100 * np.concatenate([count, count.sum(axis=1, keepdims=True)], axis=1) / total
    places = [str(rank) for rank in range(1, count.shape[1] + 1)] + ["1-5"]
    values: dict[CellKey, float] = {
        (place, name): share[m, r] for r, place in enumerate(places) for m, name in enumerate(_NAMES)
    }
    return Comparison(values, notes_of(collection))


def quality(on: Evidence) -> Comparison:
    """Table 6: the mean sum of labels down to rank 100 of the best runs."""
    collection = several(on.context)
    runs = [best_runs(collection, aspect_expressions(collection, base, "@100").values(), 100) for base in _BASES]
    parts = [best.quality() for best in runs]
    mean = np.mean([part["mean_label_sum"].to_numpy() for part in parts], axis=0)
    ranks = parts[0]["ranks"].tolist()
    values: dict[CellKey, float] = {(place, _NAMES[i % len(_NAMES)]): float(mean[i]) for i, place in enumerate(ranks)}
    return Comparison(values, notes_of(collection))


# -- what the paper claims -------------------------------------------------------------------------


def _tau(on: Evidence, pairs: Iterable[str]) -> dict[str, float]:
    v = table_of(on, "aspects.table4")
    return {f"{pair} with {base}": v[f"measures with {base}", pair] for base in _BASES for pair in pairs}


def euclid_manhattan(on: Evidence) -> Answer:
    tau = _tau(on, ["EUCL - MANH"])
    with_ap = tau["EUCL - MANH with AP"]
    return with_ap - 1, tau, with_ap > 1 - TOLERANCE


def nearest(on: Evidence) -> Answer:
    tau = _tau(on, ["EUCL - CAM", "EUCL - MM", "CHEB - MM", "CHEB - CAM"])
    near, far = np.reshape([*tau.values()], (-1, 2)).T  # of every two
    return positive(np.min(near - far), tau)


def never_the_same(on: Evidence) -> Answer:
    tau = _tau(on, [f"{toma} - {mean}" for toma in _NAMES[2:] for mean in _NAMES[:2]])
    top = max(tau.values())
    return 0.9 - top, tau, top <= 0.9


def below_one(on: Evidence) -> Answer:
    """CAM of nDCG, whose maximum is known by sorting; a mean of aspects is 1 only where all are, as MM is."""
    bounds = upper_bounds(several(on.context), ["CAM(nDCG)"]).frame().iloc[0]
    shares = {"topics on which it reaches 1": bounds.reaches_one, "topics on which no order reaches .9": bounds.below}
    return positive(0.5 - bounds.reaches_one, shares | {"mean of the maxima": bounds["mean"]})


def several_power(on: Evidence) -> Answer:
    v, slacks = table_of(on, "aspects.table4power"), []
    numbers: dict[str, float] = {}
    for base in _BASES:
        share = {name: v[base, name] for name in _NAMES}
        case([0, *share.values()], NO_PAIR)
        best, rest = max(share["EUCL"], share["MANH"]), max(share["CAM"], share["MM"], share["CHEB"])
        slacks += [best - rest, min(x for name, x in share.items() if name != "CHEB") - share["CHEB"]]
        numbers |= {f"{name} with {base}": x for name, x in share.items()}
    return min(slacks) / 100, numbers, min(slacks) >= 0


def worthless(on: Evidence) -> Answer:
    v = table_of(on, "aspects.table5")
    total = {name: v["1-5", name] for name in _NAMES}
    case([0, *total.values()], "the best runs have no worthless document at the top")
    others = [x for name, x in total.items() if name not in ("MANH", "CHEB")]
    slack = min(min(others) - total["MANH"], total["CHEB"] - max(others))
    return slack / 100, total, slack >= 0 and total["CHEB"] > total["MANH"]


def best_quality(on: Evidence) -> Answer:
    v, ranks = table_of(on, "aspects.table6"), ("1-25", "26-50", "51-75", "76-100")
    if not all((r, "MANH") in v.values for r in ranks):
        raise IrvizError("It needs lists of 100 documents.")
    slacks = [v[r, "MANH"] - max(v[r, name] for name in _NAMES if name != "MANH") for r in ranks[1:]]
    return positive(min(slacks), {f"{name} at {r}": v[r, name] for r in ranks for name in _NAMES})
