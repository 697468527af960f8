"""Ferrante, Ferro and Maistro 2014: average precision for graded relevance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted, verb
from irviz.gallery.figures import lines_behind
from irviz.gallery.item import CellKey, Found, Item, Paper, Printed, RandomTrials, as_number, published
from irviz.gallery.sources import curves, merged_note, reduction, scores_of, tau_table, with_degrees
from irviz.stats.similarity import similarity
from irviz.stats.subsets import above_first_quartile, few_highly_relevant, level_counts
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import falling, spelled

GRADED = ("GAP", "xGAP", "eGAP")
_OTHERS = {"AP": "AP", "nDCG": "nDCG", "RBP": "RBP(p=0.8,rel=1)", "bpref": "Bpref"}
_SETS = {"all": "all topics", "few_highly_relevant": "few highly relevant", "few_key": "few key documents"}
LEVEL = {"few_highly_relevant": 2, "few_key": 3}  #: of the documents that must be few
LEAST_SETS = 4
_NEEDED_RUNS = {
    3: "the runs of TREC 2001 Web (TREC10: 95 runs) and of TREC 2005 Robust (TREC14: 74 runs), which NIST gives to "
    "participants only",
    4: "the runs of TREC 2012 Web (TREC21: 27 runs), which NIST gives to participants only",
}


@dataclass(frozen=True, eq=False)
class GradedSetup:
    """The loaded collection with the paper's degrees and without its poorest runs, and its sets of topics."""

    collection: Collection
    topics: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, context: Context, degrees: int) -> GradedSetup:
        whole = with_degrees(context.collection, degrees)
        kept = above_first_quartile(scores_of(context, whole, ["AP"])["AP"])
        collection = whole.subset(systems=kept)
        notes: tuple[str, ...] = (
            f"{len(kept)} of {len(whole.systems)} runs are kept: those above the first quartile by mean AP.",
        )
        topics = {"all": collection.topics}
        for name, level in LEVEL.items():
            if level < degrees:
                topics[name], words = few(collection, level)
                notes += (words,)
        return cls(collection, topics, notes + merged_note(context.collection, degrees))


def few(collection: Collection, level: int) -> tuple[tuple[str, ...], str]:
    """Topics with few documents of a level by the paper's rule; if too few topics fit it, the quarter nearest to it."""
    chosen = few_highly_relevant(collection, level)
    what = "highly relevant" if level == 2 else "key"
    if len(chosen) >= LEAST_SETS:
        return chosen, f"{len(chosen)} topics have few {what} documents: R(1) ≥ 10·R({level}), R({level}) ≠ 0."
    counts = level_counts(collection)
    ratio = (counts[1] / counts[level].where(counts[level] > 0)).sort_values(ascending=False, kind="stable")
    most = max(LEAST_SETS, len(counts) // 4)
    near = ratio.dropna().iloc[:most]
    if not len(near):
        raise IrvizError(f"It needs topics with {what} documents, and there are none here. Remove filters.")
    names = tuple(topic for topic in collection.topics if topic in set(near.index))
    fitting = counted(len(chosen), "topic") if len(chosen) else "no topic"
    stand = "The topic" if len(names) == 1 else f"The {len(names)} topics"
    return names, (
        f"The paper's rule for few {what} documents, R(1) ≥ 10·R({level}), fits {fitting} here. {stand} with the "
        f"highest R(1)/R({level}), {near.min():.1f}{' and up' * (len(names) > 1)}, {verb(len(names), 'is', 'are')} "
        "used instead."
    )


def printed_graded_correlation(degrees: int) -> Printed:
    rows = published("gap_correlation")
    rows = rows[(rows["collection"] == "TREC21") == (degrees == 4)].rename(columns={"tau": "published"})
    keys = ("g", "measure", "against", "topics")
    return Printed(rows[["collection", *keys, "published"]], keys, "Kendall's τ", drawn=False, words={"topics": _SETS})


def graded_correlation(degrees: int, context: Context, draws: RandomTrials) -> Found:
    """Tables 2 and 3: τ of the three graded measures with others, over distributions g."""
    loaded = GradedSetup.of(context, degrees)
    shares = list(dict.fromkeys(printed_graded_correlation(degrees).rows["g"]))
    names = {(g, kind): f"{kind}(g=[{g.replace(' ', ',')}])" for g in shares for kind in GRADED}
    scores = scores_of(context, loaded.collection, [*names.values(), *_OTHERS.values()])
    place = {key: i for i, key in enumerate([*names, *_OTHERS])}
    values: dict[CellKey, float] = {}
    for topics, chosen in loaded.topics.items():
        tau = similarity(scores.select(topics=chosen)).values
        for g, kind in names:
            row = tau[place[g, kind]]
            values |= {(g, kind, other, topics): float(row[place[other]]) for other in _OTHERS}
            values[g, kind, "GAP", topics] = float(row[place[g, "GAP"]])
    return Found(
        _sentence(values, shares, "few_highly_relevant"), values, _lines(degrees, shares, values), notes=loaded.notes
    )


def _sentence(values: Mapping[CellKey, float], shares: list[str], few_topics: str) -> str:
    """How similar GAP, xGAP and eGAP are to AP where g_1 is small but above 0."""
    g = min(
        (g for g in shares if g.split()[0] != "0.0"),
        key=lambda g: (float(g.split()[0]), abs(float(g.split()[-1]) - 0.6)),
    )
    words = [
        f"{kind} {spelled(values[g, kind, 'AP', 'all'], 2)} (few highly relevant: "
        f"{spelled(values[g, kind, 'AP', few_topics], 2)})"
        for kind in GRADED
    ]
    if not np.isfinite([values[g, kind, "AP", "all"] for kind in GRADED]).any():
        return "GAP, xGAP, eGAP or AP tie all systems, so there is no τ between them."
    return (
        f"With g = ({g.replace(' ', ', ')}), where most users ask for more than the lowest relevant grade, τ with AP "
        f"is: {', '.join(words)}."
    )


def _lines(degrees: int, shares: list[str], values: Mapping[CellKey, float]) -> tuple[dict[str, Drawing], ...]:
    """τ with AP and with nDCG against g, one figure per set of topics."""
    rows = printed_graded_correlation(degrees).rows
    drawn = []
    for other in ("AP", "nDCG"):
        row = {}
        for topics in dict.fromkeys(key[3] for key in values):
            mine = rows[(rows["against"] == other) & (rows["topics"] == topics)]
            old = {
                (kind, collection): np.array([as_number(text) for text in part.set_index("g").loc[shares, "published"]])
                for (kind, collection), part in mine.groupby(["measure", "collection"], sort=False)
            }
            new = {kind: np.array([values[g, kind, other, topics] for g in shares]) for kind in GRADED}
            axes = (f"shares of users g₁ to g{'₁₂₃₄'[degrees - 2]}", f"Kendall's τ with {other}")
            title = f"τ with {other}, {_SETS[topics]}"
            ends = ", ".join(f"{kind} {_from_to(line)}" for kind, line in new.items())
            alt = (
                "Curves over the distributions g: recomputed ones solid, printed ones dashed. From the first to the "
                f"last g: {ends}."
            )
            row[f"{other}_{topics}"] = Drawing(lines_behind(shares, new, old, axes), title, alt)
        drawn.append(row)
    return tuple(drawn)


def _from_to(line: np.ndarray) -> str:
    """The first and the last number of a curve, once where they are the same."""
    first, last = spelled(line[0], 2), spelled(line[-1], 2)
    return first if first == last else f"{first} to {last}"


def graded_pools(degrees: int, context: Context, draws: RandomTrials) -> Found:
    """Figures 1 and 2: self-τ under reduced pools, by set of topics."""
    loaded = GradedSetup.of(context, degrees)
    g = "[0.1,0.9]" if degrees == 3 else "[0.2,0.2,0.6]"
    measures = {kind: f"{kind}(g={g})" for kind in GRADED}
    measures |= {name.replace("bpref", "Bpref"): text for name, text in _OTHERS.items()}
    row, parts = {}, {}
    for topics, chosen in loaded.topics.items():
        found = reduction(context, loaded.collection.subset(topics=chosen), measures, "stratified", draws)
        title = _SETS[topics].capitalize()
        row[topics] = curves(found, list(measures), title)
        parts[title] = (found, list(measures))
    tau = dict(zip(measures, parts["All topics"][0].tau[:, -1], strict=True))
    small = dict(zip(measures, parts["Few highly relevant"][0].tau[:, -1], strict=True))
    words = falling({kind: small[kind] for kind in GRADED}, 2)
    sentence = (
        f"With 5% of the judgments kept, τ with the full pool's ranking over all topics, from the highest: "
        f"{falling(tau, 2)}; on topics with few highly relevant documents: {words}."
    )
    return Found(sentence, drawings=(row,), tables={"Curves": tau_table(parts)}, notes=loaded.notes)


PAPER = Paper(
    "graded",
    "Ferrante et al. 2014",
    "graded AP",
    (
        Item(
            "table2",
            "Table 2",
            "Similarity to others, three degrees",
            lambda c, d: graded_correlation(3, c, d),
            lambda: printed_graded_correlation(3),
            _NEEDED_RUNS[3],
            notes=(
                "The paper gives no parameter of RBP; p = 0.8 is used here, on binary relevance. nDCG is trec_eval's.",
            ),
        ),
        Item(
            "table3",
            "Table 3",
            "Similarity to others, four degrees",
            lambda c, d: graded_correlation(4, c, d),
            lambda: printed_graded_correlation(4),
            _NEEDED_RUNS[4],
            notes=(
                "The paper gives no parameter of RBP; p = 0.8 is used here, on binary relevance. nDCG is trec_eval's.",
                "Three printed cells cannot come from 20 runs without ties; they are compared as printed.",
            ),
        ),
        Item(
            "figure1",
            "Figure 1",
            "Reduced pools, three degrees",
            lambda c, d: graded_pools(3, c, d),
            None,
            _NEEDED_RUNS[3],
            draws="repeats",
            paper_draws="one reduction",
            said="nDCG and Bpref keep their rankings best. xGAP and eGAP do about as well as GAP, better in very small "
            "pools and on topics with few highly relevant documents.",
        ),
        Item(
            "figure2",
            "Figure 2",
            "Reduced pools, four degrees",
            lambda c, d: graded_pools(4, c, d),
            None,
            _NEEDED_RUNS[4],
            draws="repeats",
            paper_draws="one reduction",
            said="Over all topics GAP keeps its ranking better than xGAP and eGAP; on topics with few highly relevant "
            "or key documents they do better than GAP.",
        ),
    ),
    ("TREC10", "TREC14", "TREC21"),
)
