"""Maistro et al. 2021: measures of several aspects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.frames import collection_from_frames
from irviz.collection.model import Collection
from irviz.errors import IrvizError, listed, verb
from irviz.figures.axes import ticks
from irviz.figures.theme import BLUE, VERMILION, Trace, figure, plotly_escape, quantile_boxes, scatter
from irviz.gallery.item import (
    CellKey,
    Found,
    Item,
    Paper,
    Printed,
    RandomTrials,
    as_number,
    of_shares,
    published,
    with_our_spelling,
)
from irviz.measures.toma import equivalence_classes
from irviz.stats.best_runs import best_runs
from irviz.stats.bounds import SAME_SCORE, upper_bounds
from irviz.stats.scores import score
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.phrases import falling, highest, lowest, spelled, together

# -- How near each topic is to 1: a box over the ideal rankings, the maximum or, if it is not known, its limits

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def ideal_boxes(
    topics: Sequence[str], scores: Floats, found: Floats, limit: Floats, exact: Bools, name: str
) -> go.Figure:
    """Quartiles and extremes over the ideal rankings, topic by topic (Maistro et al. 2021, Figure 2), and maxima.

    Parameters
    ----------
    topics : names, left to right
    scores : topics × ideal rankings
    found, limit : by topic; the highest score found over all orders, and what no order exceeds
    exact : by topic; whether the two are equal, so that the maximum is known
    name : of the measure, title of the axis
    """
    boxes = quantile_boxes(np.quantile(scores, [0, 0.25, 0.5, 0.75, 1], axis=1), upright=True, name="ideal rankings")
    parts = [
        _maxima(topics, found, limit, chosen, words, symbol)
        for chosen, words, symbol in (
            (exact, "maximum over all orders", "diamond"),
            (~exact, "highest found; bar to the proven limit", "diamond-open"),
        )
        if chosen.any()
    ]
    drawn = figure([boxes, *parts], 360, hovermode="closest")
    drawn.add_hline(y=1.0, line={"color": BLUE, "width": 1, "dash": "dot"})
    drawn.update_xaxes(title_text="topic", range=[-0.6, len(topics) - 0.4], tickangle=-90, **ticks(topics, 20, 10))
    drawn.update_yaxes(title_text=plotly_escape(name), range=[max(-0.02, float(scores.min()) - 0.05), 1.03])
    return drawn


def _maxima(topics: Sequence[str], found: Floats, limit: Floats, chosen: Bools, words: str, symbol: str) -> Trace:
    """One marker per chosen topic, with a bar up to the limit."""
    at = np.flatnonzero(chosen).tolist()
    return scatter(
        x=at,
        y=np.round(found[at], 4),
        mode="markers",
        name=words,
        marker={"color": VERMILION, "symbol": symbol, "size": 6},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": np.round(limit[at] - found[at], 4),
            "arrayminus": np.zeros(len(at)),
            "color": VERMILION,
            "thickness": 1,
            "width": 2,
        },
        customdata=[[plotly_escape(topics[i]), round(float(limit[i]), 4)] for i in at],
        hovertemplate="topic %{customdata[0]}<br>found %{y:.4f}, limit %{customdata[1]:.4f}<extra></extra>",
    )


# -- The worked examples of Maistro et al. 2021, which are reproduced exactly, whatever is loaded --

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


def worked_order(context: Context, draws: RandomTrials) -> Found:
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


def worked_anomaly(context: Context, draws: RandomTrials) -> Found:
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
PAPER_SAMPLES = 10_000
_BOUND_NOTE = (
    "The paper estimates the upper bound by the best of its ideal rankings (the boxes), which is not the maximum. The "
    "maximum of CAM of nDCG is found by sorting, that of CAM of AP over two aspects by counting. For everything else a "
    "search exchanges documents from several starts, and a proven limit says what no order can exceed."
)
_NEEDED_RUNS = (
    "the runs of ten TREC tracks (Web 2009 to 2014, Task 2015 and 2016, Decision 2019, Misinformation 2020), which "
    "NIST gives to participants only, and PageRank and spam scores for two of the aspects"
)


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
    aspects = listed(collection.aspects, joiner="and")
    return (f"Aspects here: {aspects}, all of equal weight. {kinds[classes_of(collection)]}", RULE)


def printed_aspect_correlation() -> Printed:
    rows = with_our_spelling(published("toma_correlation")).rename(
        columns={"track": "collection", "value": "published"}
    )
    rows["kind"] = rows["kind"] + " with " + rows["base"]
    keys = ("kind", "pair")
    return Printed(rows[["collection", *keys, "published"]], keys, "Kendall's τ, topic by topic", "kind")


def printed_power() -> Printed:
    rows = with_our_spelling(published("toma_discriminative_power")).rename(
        columns={"track": "collection", "value": "published"}
    )
    return Printed(
        rows[["collection", "base", "measure", "published"]], ("base", "measure"), "% of pairs separated", "base"
    )


def printed_zeros() -> Printed:
    rows = published("toma_zero_aspect").rename(columns={"percent": "published"})
    return Printed(rows[["rank", "measure", "published"]], ("rank", "measure"), "% of documents at ranks 1 to 5")


def printed_quality() -> Printed:
    rows = published("toma_quality").rename(columns={"mean_label_sum": "published"})
    return Printed(rows[["ranks", "measure", "published"]], ("ranks", "measure"), "mean sum of labels")


def aspect_correlation(context: Context, draws: RandomTrials) -> Found:
    """Table 4: τ topic by topic between the measures, and between single aspects."""
    collection = several(context)
    values: dict[CellKey, float] = {}
    rows = []
    for base in _BASES:
        tau = similarity(context.scores(list(aspect_expressions(collection, base).values())), "topic").values
        for (i, a), (j, b) in combinations(enumerate(_NAMES), 2):
            values[f"measures with {base}", f"{a} - {b}"] = values[f"measures with {base}", f"{b} - {a}"] = tau[i, j]
        alone = [f"{base}(aspect='{name}')" for name in collection.aspects]
        tau = similarity(context.scores(alone), "topic").values
        for (i, a), (j, b) in combinations(enumerate(collection.aspects), 2):
            values[f"aspects with {base}", f"{a.title()} - {b.title()}"] = tau[i, j]
            rows.append({"base": base, "aspect": a, "and": b, "τ": tau[i, j]})
    same, low = values["measures with AP", "EUCL - MANH"], values["measures with nDCG", "CAM - MM"]
    sentence = (
        f"With AP, EUCL and MANH order the systems with τ {spelled(same, 2)} on average over topics (1 by definition); "
        f"with nDCG, CAM and MM with τ {spelled(low, 2)}."
    )
    table = Table(
        pd.DataFrame(rows), "One row per pair of aspects of the loaded collection: τ when each is scored alone."
    )
    return Found(sentence, values, tables={"Single aspects": table}, notes=notes_of(collection))


def aspect_power(context: Context, draws: RandomTrials) -> Found:
    """Table 4: share of pairs of systems separated by the paired bootstrap."""
    collection = several(context)
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    for base in _BASES:
        scores = context.scores(list(aspect_expressions(collection, base).values()))
        found = discriminative_power(scores, "paired_bootstrap", draws.trials, _ALPHA, draws.seed, context.progress)
        values |= {(base, name): 100 * result.ratio for name, result in zip(_NAMES, found.results, strict=True)}
        tolerance |= {
            (base, name): 100 * of_shares(result.asl, _ALPHA, draws.trials, PAPER_SAMPLES)
            for name, result in zip(_NAMES, found.results, strict=True)
        }
    sentence = "; ".join(_extremes(base, {name: values[base, name] for name in _NAMES}) for base in _BASES)
    return Found(sentence[0].upper() + sentence[1:] + ".", values, notes=notes_of(collection), tolerance=tolerance)


def _extremes(base: str, share: Mapping[str, float]) -> str:
    """Which measure on a base separates the most pairs and which the fewest."""
    best, worst = highest(share), lowest(share)
    if best == worst:
        return f"with {base}, all separate {share[best[0]]:.1f}% of the pairs"
    return (
        f"with {base}, {together(best)} {verb(len(best), 'separates', 'separate')} the most pairs "
        f"({share[best[0]]:.1f}%) and {together(worst)} the fewest ({share[worst[0]]:.1f}%)"
    )


def zeros(context: Context, draws: RandomTrials) -> Found:
    """Table 5: documents with the lowest label on all aspects among the first five of the best runs."""
    collection = several(context)
    found = [best_runs(collection, aspect_expressions(collection, base, "@5").values(), 5) for base in _BASES]
    count = np.sum([one.zeros for one in found], axis=0)
    whole = np.maximum(np.sum([one.documents for one in found], axis=(0, 2))[:, None], 1)
    share = 100 * np.concatenate([count, count.sum(axis=1, keepdims=True)], axis=1) / whole
    places = [str(rank) for rank in range(1, count.shape[1] + 1)] + ["1-5"]
    values: dict[CellKey, float] = {
        (place, name): share[m, r] for r, place in enumerate(places) for m, name in enumerate(_NAMES)
    }
    total = {name: values["1-5", name] for name in _NAMES}
    least, most = lowest(total), highest(total)
    sentence = (
        "Documents with the lowest label on all aspects among the first five of the run that a measure ranks first, "
        f"from the fewest: {total[least[0]]:.2f}% by {together(least)}, at most {total[most[0]]:.2f}% by "
        f"{together(most)}."
        if least != most
        else "Of the first five documents of the run that a measure ranks first, the same share has the lowest label "
        f"on all aspects by every measure: {total[least[0]]:.2f}%."
    )
    return Found(sentence, values, notes=notes_of(collection))


def quality(context: Context, draws: RandomTrials) -> Found:
    """Table 6: the mean sum of labels down to rank 100 of the best runs."""
    collection = several(context)
    found = [best_runs(collection, aspect_expressions(collection, base, "@100").values(), 100) for base in _BASES]
    parts = [one.quality() for one in found]
    mean = np.mean([part["mean_label_sum"].to_numpy() for part in parts], axis=0)
    ranks = parts[0]["ranks"].tolist()
    values: dict[CellKey, float] = {(place, _NAMES[i % len(_NAMES)]): float(mean[i]) for i, place in enumerate(ranks)}
    first = {name: values[ranks[0], name] for name in _NAMES}
    sentence = (
        f"Mean sum of a document's labels at ranks {ranks[0]} of the runs that a measure ranks first: "
        f"{falling(first, 2)}."
    )
    return Found(sentence, values, notes=notes_of(collection))


def score_bounds(context: Context, draws: RandomTrials) -> Found:
    """Figure 2: scores of the ideal rankings, topic by topic, beside what any order of the documents can reach."""
    collection = several(context)
    names = {f"{name} with {base}": f"{name}({base}{BINARY[base]})" for base in _BASES for name in ("CAM", "MM")}
    found = context.remember(upper_bounds, collection, list(names.values()))
    never = (found.limit < 1 - SAME_SCORE).mean(axis=1)
    frame = found.frame().assign(measure=list(names), never_one=never)
    drawn = [
        Drawing(
            ideal_boxes(
                collection.topics, found.scores.values[m], found.found[m], found.limit[m], found.exact[m], name
            ),
            name,
            "One box per topic over the ideal rankings, a marker at the highest score of any order. "
            f"{_bound_words(row)}",
        )
        for m, (name, row) in enumerate(zip(names, frame.itertuples(), strict=True))
    ]
    cam = frame.iloc[0]
    sentence = f"CAM with nDCG, over all orders of the judged documents: {_bound_words(cam)}"
    about = (
        "One row per measure: lowest, mean and highest of the highest score found on a topic, over all orders of the "
        "judged documents; shares of topics on which 1 is reached, on which no order reaches 0.9 (below) and 1 "
        "(never_one), and on which the maximum is known (exact). Elsewhere the score was found by search, and a proven "
        "limit lies above it."
    )
    tables = {"Bounds": Table(frame, about)}
    rows = ({"cam": drawn[0], "mm": drawn[1]}, {"cam_ap": drawn[2], "mm_ap": drawn[3]})
    return Found(sentence, drawings=rows, tables=tables, notes=(*notes_of(collection), _BOUND_NOTE))


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


PAPER = Paper(
    "aspects",
    "Maistro et al. 2021",
    "several aspects",
    (
        Item(
            "table1",
            "Table 1",
            "Orders of label tuples",
            worked_order,
            printed_order,
            notes=(
                "A worked example: it must be reproduced as printed. The paper prints the best tuple first; a "
                "number here is the class of a tuple, 1 for the best, and tied tuples share it.",
            ),
        ),
        Item(
            "table3",
            "Table 3",
            "CAM, MM and TOMA on three documents",
            worked_anomaly,
            printed_anomaly,
            notes=(
                "A worked example: CAM, EUCL, MANH and CHEB must be reproduced as printed. MM follows eq. (6) here.",
                "The rule for AP here is the example's own: CAM and MM take the two highest grades of relevance and "
                "the highest of correctness as relevant, TOMA the better half of its graded classes "
                "(`weights='half'`). Tables 4 to 6 binarise every aspect first instead (section 4.1).",
            ),
        ),
        Item(
            "table4",
            "Table 4, upper part",
            "Correlation of the measures",
            aspect_correlation,
            printed_aspect_correlation,
            _NEEDED_RUNS,
            notes=("Aspects are compared with those of the same name in the paper.",),
        ),
        Item(
            "table4power",
            "Table 4, lower part",
            "Discriminative power",
            aspect_power,
            printed_power,
            _NEEDED_RUNS,
            draws="trials",
            paper_draws=f"{PAPER_SAMPLES:,} bootstrap samples",
            notes=(
                "Paired bootstrap, α = 0.01, not corrected for the number of pairs, as in the paper. Shares "
                "depend on the systems: compare measures within a collection.",
                "The printed percentages of Web 2010 with nDCG fit 54 runs, not the 56 of the paper's Table 2.",
            ),
        ),
        Item(
            "table5",
            "Table 5",
            "Worthless documents at the top of best runs",
            zeros,
            printed_zeros,
            _NEEDED_RUNS,
            systems=1,
            notes=(
                "Counted over nDCG and AP together, as in the paper; its numbers are over all ten tracks. One "
                "printed cell (CHEB, rank 3) disagrees with its own count.",
            ),
        ),
        Item(
            "table6",
            "Table 6",
            "Quality of documents down the best runs",
            quality,
            printed_quality,
            _NEEDED_RUNS,
            systems=1,
            notes=(
                "Averaged over nDCG and AP. Sums of labels grow with the number of aspects and grades, so the "
                "level depends on the collection; compare the columns.",
            ),
        ),
        Item(
            "figure2",
            "Figure 2",
            "Upper bounds of CAM and MM",
            score_bounds,
            None,
            "the qrels of the TREC Decision track 2019, which are public; no runs are needed",
            systems=1,
            said="On Decision 2019 CAM reaches 1 on 2% of the topics and stays below 0.9 on 26%. The text says CAM "
            "with AP, the caption CAM and MM with nDCG; all four are drawn here.",
        ),
    ),
    several=True,
)
