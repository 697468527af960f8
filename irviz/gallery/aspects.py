"""Maistro et al. 2021: measures of several aspects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.frames import collection_from_frames
from irviz.collection.model import Collection
from irviz.errors import IrvizError, join_words
from irviz.figures.axes import ticks
from irviz.figures.theme import BLUE, VERMILION, Trace, figure, plotly_escape, quantile_boxes, scatter, whiskers
from irviz.gallery.comparison import share_tolerance
from irviz.gallery.paper import (
    NO_PAIR,
    Answer,
    CellKey,
    Comparison,
    Evidence,
    as_number,
    case,
    in_rows,
    positive,
    published_table,
)
from irviz.measures.toma import equivalence_classes
from irviz.stats.bounds import SAME_SCORE, best_runs, upper_bounds
from irviz.stats.scores import score
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.phrases import TOLERANCE

# -- How near each topic is to 1: a box over the ideal rankings, the maximum or, if it is not known, its limits

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def ideal_boxes(
    topics: Sequence[str], scores: Floats, best_scores: Floats, limit: Floats, exact: Bools, name: str
) -> go.Figure:
    """Quartiles and extremes over the ideal rankings, topic by topic (Maistro et al. 2021, Figure 2), and maxima.

    Parameters
    ----------
    topics : names, left to right
    scores : topics × ideal rankings
    best_scores, limit : by topic; the highest score found over all orders, and what no order exceeds
    exact : by topic; whether the two are equal, so that the maximum is known
    name : of the measure, title of the axis
    """
    boxes = quantile_boxes(np.quantile(scores, [0, 0.25, 0.5, 0.75, 1], axis=1), upright=True, name="ideal rankings")
    parts = [
        _maxima(topics, best_scores, limit, chosen, words, symbol)
        for chosen, words, symbol in (
            (exact, "maximum over all orders", "diamond"),
            (~exact, "highest found; bar to the proven limit", "diamond-open"),
        )
        if chosen.any()
    ]
    fig = figure([boxes, *parts], 360, hovermode="closest")
    fig.add_hline(y=1.0, line={"color": BLUE, "width": 1, "dash": "dot"})
    fig.update_xaxes(title_text="topic", range=[-0.6, len(topics) - 0.4], tickangle=-90, **ticks(topics, 20, 10))
    fig.update_yaxes(title_text=plotly_escape(name), range=[max(-0.02, float(scores.min()) - 0.05), 1.03])
    return fig


def _maxima(topics: Sequence[str], best_scores: Floats, limit: Floats, mask: Bools, words: str, symbol: str) -> Trace:
    """One marker per chosen topic, with a bar up to the limit."""
    at = np.flatnonzero(mask).tolist()
    return scatter(
        x=at,
        y=np.round(best_scores[at], 4),
        mode="markers",
        name=words,
        marker={"color": VERMILION, "symbol": symbol, "size": 6},
        error_y=whiskers(best_scores[at], best_scores[at], limit[at], color=VERMILION, thickness=1, width=2),
        customdata=[[plotly_escape(topics[i]), round(float(limit[i]), 4)] for i in at],
        hovertemplate="topic %{customdata[0]}<br>found %{y:.4f}, limit %{customdata[1]:.4f}<extra></extra>",
    )


# -- The worked examples of Maistro et al. 2021, which are reproduced exactly, whatever is loaded --

RELEVANCE, CORRECTNESS = [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0]
TOMA_KINDS = {"EUCL": "euclidean", "MANH": "manhattan", "CHEB": "chebyshev"}
SPACE = "embedding=[[0,1,2,3],[0,1.5,3]],classes='dependent'"
DOCUMENTS = {"d1": (1, 2), "d2": (3, 1), "d3": (3, 0)}  #: the example's levels of relevance and correctness
_RELEVANT = {"nDCG": "", "AP": ",rel=[2,2]"}  #: by base measure, from which grades CAM and MM count


def printed_table1() -> pd.DataFrame:
    """Table 1 with the class of every tuple, 1 for the best, in place of its position."""
    rows = published_table("toma_order")
    new_class = (rows["tied_with_next"].shift() != "true") | (rows["position"] == "1")
    group = (rows["position"] == "1").cumsum()
    rows["published"] = new_class.groupby(group).cumsum().astype(str)
    rows["tuple"] = _tuples(rows["relevance_label_value"], rows["correctness_label_value"])
    return rows[["correctness_embedding", "distance", "tuple", "published"]]


def table1(on: Evidence) -> Comparison:
    """Table 1: the classes of three embeddings under three distances."""
    rows = published_table("toma_order")
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
        for name, number in zip(names, table["class"], strict=True):
            values[text, distance, name] = best - number + 1.0
        sizes.append({"correctness embedded as": text, "distance": distance, "classes": best + 1})
    fewest, most = min(sizes, key=lambda row: row["classes"]), max(sizes, key=lambda row: row["classes"])
    sentence = (
        f"The {len(settings)} orders have {fewest['classes']} ({fewest['distance']}) to {most['classes']} "
        f"({most['distance']}) classes of label tuples."
    )
    return Comparison(sentence, values, tables={"Classes": Table(pd.DataFrame(sizes), "One row per order of Table 1.")})


def _tuples(relevance: pd.Series, correctness: pd.Series) -> list[str]:
    return [f"({float(r):g}, {float(c):g})" for r, c in zip(relevance, correctness, strict=True)]


def printed_table3() -> pd.DataFrame:
    return published_table("toma_anomaly").melt(["base", "ranking"], var_name="measure", value_name="published")


def table3(on: Evidence) -> Comparison:
    """Table 3: every ranking of three documents under CAM, MM and TOMA."""
    collection = example()
    values: dict[CellKey, float] = {}
    for base, rel in _RELEVANT.items():
        names = {"CAM": f"CAM({base}{rel})", "MM": f"MM({base}{rel})"}
        names |= {name: f"TOMA({base},distance='{d}',{SPACE})" for name, d in TOMA_KINDS.items()}
        scores = score(collection, list(names.values()))
        for name, row in zip(names, scores.values, strict=True):
            values |= {(base, system, name): float(x) for system, x in zip(scores.systems, row[0], strict=True)}
    cam, mm = (max(value for key, value in values.items() if key[2] == name) for name in ("CAM", "MM"))
    mm_rows = printed_table3().query("measure == 'MM'")
    keys = mm_rows[["base", "ranking", "measure"]].itertuples(index=False, name=None)
    half = sum(abs(values[k] / 2 - as_number(text)) < 6e-5 for k, text in zip(keys, mm_rows["published"], strict=True))
    sentence = (
        f"No ranking of the three documents reaches 1 by CAM (at most {cam:.4f}) or MM ({mm:.4f}); by the three TOMA "
        "measures one does."
    )
    note = f"{half} of the {len(mm_rows)} printed values of MM are half of what eq. (6) gives here, zeros among them."
    return Comparison(sentence, values, notes=(note,))


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
RULE = (
    "With nDCG, aspects keep their grades; with AP, all grades above zero count as one on every aspect, for TOMA as "
    "for CAM and MM (section 4.1, `binary=True`). The better half of graded classes (`weights='half'`) is the rule of "
    "Table 3 only."
)
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
    kinds = {
        "dependent": "Documents at the lowest level of the first aspect are at the lowest of all, so only such label "
        "tuples make classes.",
        "product": "Documents that are not relevant have labels on other aspects, so all label tuples make classes.",
    }
    aspects = join_words(collection.aspects, joiner="and")
    return (f"Aspects here: {aspects}, all of equal weight. {kinds[classes_of(collection)]}", RULE)


def printed_table4() -> pd.DataFrame:
    rows = published_table("toma_correlation")
    return rows.assign(kind=rows["kind"] + " with " + rows["base"]).drop(columns="base")


printed_table4power = partial(published_table, "toma_discriminative_power")


def printed_table5() -> pd.DataFrame:
    return published_table("toma_zero_aspect").drop(columns="count")


printed_table6 = partial(published_table, "toma_quality")


def table4(on: Evidence) -> Comparison:
    """Table 4: τ topic by topic between the measures, and between single aspects."""
    collection = several(on.context)
    values: dict[CellKey, float] = {}
    rows = []
    for base in _BASES:
        tau = similarity(on.context.scores(list(aspect_expressions(collection, base).values())), by="topic").values
        for (i, a), (j, b) in combinations(enumerate(_NAMES), 2):
            values[f"measures with {base}", f"{a} - {b}"] = values[f"measures with {base}", f"{b} - {a}"] = tau[i, j]
        alone = [f"{base}(aspect='{name}')" for name in collection.aspects]
        tau = similarity(on.context.scores(alone), by="topic").values
        for (i, a), (j, b) in combinations(enumerate(collection.aspects), 2):
            values[f"aspects with {base}", f"{a.title()} - {b.title()}"] = tau[i, j]
            rows.append({"base": base, "aspect": a, "and": b, "τ": tau[i, j]})
    about = "One row per pair of aspects of the loaded collection: τ when each is scored alone."
    tables = {"Single aspects": Table(pd.DataFrame(rows), about)}
    return Comparison("", values, tables=tables, notes=notes_of(collection))


def table4power(on: Evidence) -> Comparison:
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
    return Comparison("", values, notes=notes_of(collection), tolerance=tolerance)


def table5(on: Evidence) -> Comparison:
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
    return Comparison("", values, notes=notes_of(collection))


def table6(on: Evidence) -> Comparison:
    """Table 6: the mean sum of labels down to rank 100 of the best runs."""
    collection = several(on.context)
    runs = [best_runs(collection, aspect_expressions(collection, base, "@100").values(), 100) for base in _BASES]
    parts = [best.quality() for best in runs]
    mean = np.mean([part["mean_label_sum"].to_numpy() for part in parts], axis=0)
    ranks = parts[0]["ranks"].tolist()
    values: dict[CellKey, float] = {(place, _NAMES[i % len(_NAMES)]): float(mean[i]) for i, place in enumerate(ranks)}
    return Comparison("", values, notes=notes_of(collection))


def figure2(on: Evidence) -> Comparison:
    """Figure 2: scores of the ideal rankings, topic by topic, beside what any order of the documents can reach."""
    collection = several(on.context)
    names = {f"{name} with {base}": f"{name}({base}{BINARY[base]})" for base in _BASES for name in ("CAM", "MM")}
    bounds = on.context.remember(upper_bounds, collection, list(names.values()))
    never = (bounds.limit < 1 - SAME_SCORE).mean(axis=1)
    frame = bounds.frame().assign(measure=list(names), never_one=never)
    drawings = {}
    every = zip(("cam", "mm", "cam_ap", "mm_ap"), names, frame.itertuples(), bounds.scores.values, strict=True)
    for m, (key, name, row, scores) in enumerate(every):
        boxes = ideal_boxes(collection.topics, scores, bounds.highest[m], bounds.limit[m], bounds.exact[m], name)
        words = "One box per topic over the ideal rankings, a marker at the highest score of any order."
        drawings[key] = Drawing(boxes, name, f"{words} {_bound_words(row)}")
    sentence = f"CAM with nDCG, over all orders of the judged documents: {_bound_words(frame.iloc[0])}"
    about = (
        "One row per measure: lowest, mean and highest of the highest score found on a topic, over all orders of the "
        "judged documents; shares of topics on which 1 is reached, on which no order reaches 0.9 (below) and 1 "
        "(never_one), and on which the maximum is known (exact). Elsewhere the score was found by search, and a proven "
        "limit lies above it."
    )
    tables = {"Bounds": Table(frame, about)}
    return Comparison(sentence, drawings=in_rows(drawings, 2), tables=tables, notes=notes_of(collection))


def _bound_words(row: Any) -> str:
    """On how many topics 1 is reached, on how many no order reaches 1 or 0.9, and on how many that is known."""
    known = (
        "the maximum is known on every topic"
        if row.exact == 1
        else f"the maximum is known on {row.exact:.0%} of the topics, a proven limit on the others"
    )
    return (
        f"1 is reached on {row.reaches_one:.0%} of the topics; on {row.never_one:.0%} no order reaches 1, on "
        f"{row.below:.0%} none reaches 0.9 ({known})."
    )


# -- what the paper claims -------------------------------------------------------------------------


def _tau(on: Evidence) -> Callable[[str, str], float]:
    v = on.comparison(table4)
    return lambda base, pair: v[f"measures with {base}", pair]


def euclid_manhattan(on: Evidence) -> Answer:
    tau = {base: _tau(on)(base, "EUCL - MANH") for base in _BASES}
    words = f"τ topic by topic with AP {tau['AP']:.3f}, with nDCG {tau['nDCG']:.3f}."
    return tau["AP"] - 1, words, tau["AP"] > 1 - TOLERANCE


def nearest(on: Evidence) -> Answer:
    tau, words, slacks = _tau(on), [], []
    for base in _BASES:
        a = {name: tau(base, name) for name in ("EUCL - CAM", "EUCL - MM", "CHEB - CAM", "CHEB - MM")}
        slacks += [a["EUCL - CAM"] - a["EUCL - MM"], a["CHEB - MM"] - a["CHEB - CAM"]]
        words.append(f"{base}: " + ", ".join(f"{name} {x:.2f}" for name, x in a.items()))
    return positive(min(slacks), "; ".join(words) + ".")


def never_the_same(on: Evidence) -> Answer:
    read = _tau(on)
    pairs = [(base, f"{toma} - {mean}") for base in _BASES for toma in _NAMES[2:] for mean in _NAMES[:2]]
    tau = {pair: read(*pair) for pair in pairs}
    top, low = max(tau, key=tau.__getitem__), min(tau, key=tau.__getitem__)
    words = " to ".join(f"{tau[key]:.2f} ({key[1]} with {key[0]})" for key in (low, top))
    return 0.9 - tau[top], f"τ topic by topic from {words}.", tau[top] <= 0.9


def below_one(on: Evidence) -> Answer:
    """CAM of nDCG, whose maximum is known by sorting; a mean of aspects is 1 only where all are, as MM is."""
    bounds = upper_bounds(several(on.context), ["CAM(nDCG)"]).frame().iloc[0]
    words = (
        f"CAM with nDCG reaches 1 on {bounds.reaches_one:.0%} of the topics, and so does MM; on {bounds.below:.0%} no "
        f"order reaches .9; the mean of the maxima is {bounds['mean']:.3f}"
    )
    return positive(0.5 - bounds.reaches_one, f"{words}.")


def several_power(on: Evidence) -> Answer:
    v, slacks, words = on.comparison(table4power), [], []
    for base in _BASES:
        share = {name: v[base, name] for name in _NAMES}
        case([0, *share.values()], NO_PAIR)
        best, rest = max(share["EUCL"], share["MANH"]), max(share["CAM"], share["MM"], share["CHEB"])
        slacks += [best - rest, min(x for name, x in share.items() if name != "CHEB") - share["CHEB"]]
        words.append(f"{base}: " + ", ".join(f"{name} {x:.1f}%" for name, x in share.items()))
    return min(slacks) / 100, "; ".join(words) + ".", min(slacks) >= 0


def worthless(on: Evidence) -> Answer:
    v = on.comparison(table5)
    total = {name: v["1-5", name] for name in _NAMES}
    case([0, *total.values()], "the best runs have no worthless document at the top")
    others = [x for name, x in total.items() if name not in ("MANH", "CHEB")]
    slack = min(min(others) - total["MANH"], total["CHEB"] - max(others))
    words = ", ".join(f"{name} {x:.2f}%" for name, x in total.items())
    seen = slack >= 0 and total["CHEB"] > total["MANH"]
    return slack / 100, f"{words} of the first five documents of the best runs.", seen


def best_quality(on: Evidence) -> Answer:
    v, ranks = on.comparison(table6), ("1-25", "26-50", "51-75", "76-100")
    if not all((r, "MANH") in v.values for r in ranks):
        raise IrvizError("It needs lists of 100 documents.")
    slacks = [v[r, "MANH"] - max(v[r, name] for name in _NAMES if name != "MANH") for r in ranks[1:]]
    words = "; ".join(f"{r}: " + ", ".join(f"{name} {v[r, name]:.2f}" for name in _NAMES) for r in ranks)
    return positive(min(slacks), f"{words}.")
