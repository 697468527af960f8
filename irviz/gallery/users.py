"""Chen and Sakai 2023: browsing models and aggregations (C/W/L/A)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from irviz.analysis.consistency import Consistency, consistency
from irviz.analysis.discrimination import discriminative_power
from irviz.analysis.similarity import Similarity, similarity
from irviz.figures.asl import asl_curves
from irviz.figures.densities import ridges
from irviz.figures.squares import coefficients
from irviz.figures.text import STAR
from irviz.gallery.item import CellKey, Found, Item, Paper, Printed, RandomTrials
from irviz.gallery.published import published
from irviz.gallery.tolerance import of_means
from irviz.measures import measure
from irviz.measures.cwla import CWLA, DEFAULT_CUTOFF
from irviz.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.words import TIED, highest, lowest, spelled, together, verb
from irviz.workspace.words import counted as counted_words

BROWSING = {"Precision": "P@10", "DCG": "DCG@10", "RBP": "RBP(p=0.8)", "INST": "INST(T=2.25)", "AP": "AP", "ERR": "ERR"}
PRINTED_AGGREGATIONS = ("ETG", "ERG", "avg", "max", "fin", "PE", "ERR")
_EQUAL_TO_ERG = (("Precision", "ETG"), ("Precision", "avg"), ("DCG", "ETG"), ("RBP", "ETG"))  #: curves equal to ERG's
_ALPHA = 0.05
_PAPER_SPLITS = 1000
DEEP = (
    f"The paper names a depth, L = 10, for discriminative power only. Lists are read to rank {DEFAULT_CUTOFF:,} here, "
    "or to where the browsing model stops; Precision and DCG stop at rank 10."
)
ITEMS_READ = (
    "V⁺, by which ERG divides, is the expected number of documents read: the sum over ranks of the probability of "
    "reading that far. Eq. (9) of the paper prints this sum as 1/V⁺, with which precision at 10 would exceed 1. With "
    "C = AP, V⁺ takes in the gain of all judged documents, so that ERG is AP."
)
_NEEDED_RUNS = (
    "the runs of NTCIR-15 WWW-3 (WWW3: 39 runs, 80 topics) and of the TREC 2019 Deep Learning track (TR19DL: 38 "
    "runs, 43 topics), which NTCIR and NIST give to participants and on request"
)


def aggregations(model: str) -> tuple[str, ...]:
    """The aggregations of one browsing model that give more than a constant (Table 1)."""
    return tuple(kind for kind in PRINTED_AGGREGATIONS if not combination(model, kind).constant)


def star_before_own(model: str, kinds: Sequence[str]) -> list[str]:
    """Names of aggregations with a star before the model's own."""
    return [f"{STAR} {kind}" if kind == combination(model, kind).C.canonical else kind for kind in kinds]


@cache
def combination(model: str, aggregation: str) -> CWLA:
    """The measure that a browsing model and an aggregation make."""
    found = measure(expression_of(model, aggregation))
    assert isinstance(found, CWLA)
    return found


def static() -> list[str]:
    """The browsing models under which reading does not depend on the documents: A = ERR is a constant there."""
    return [model for model in BROWSING if "ERR" not in aggregations(model)]


def expression_of(model: str, aggregation: str, cutoff: str = "") -> str:
    inner = "PE(beta=0.5)" if aggregation == "PE" else aggregation
    return f"CWLA(C={BROWSING[model]},A={inner}){cutoff}"


def combination_expressions(cutoff: str = "") -> dict[tuple[str, str], str]:
    """All 39 combinations of the paper by browsing model and aggregation."""
    return {(model, kind): expression_of(model, kind, cutoff) for model in BROWSING for kind in aggregations(model)}


def combined_scores(context: Context, names: Mapping[tuple[str, str], str]) -> Scores:
    """Scores of the combinations; imported scores have no lists to read, and are refused."""
    scores = context.scored(context.whole, tuple(names.values()))
    return scores.select(topics=context.topics, systems=context.systems)


def printed_similarity() -> Printed:
    rows = pd.concat([published("cwla_similarity"), published("cwla_similarity_realigned")], ignore_index=True)
    rows = rows.rename(columns={"tau": "published"})
    rows["agg_a"], rows["agg_b"] = (rows[["agg_a", "agg_b"]].min(axis=1), rows[["agg_a", "agg_b"]].max(axis=1))
    keys = ("browsing", "agg_a", "agg_b")
    return Printed(rows[["collection", *keys, "published", "ci_low", "ci_high"]], keys, "Kendall's τ", "browsing")


def printed_aggregation_consistency() -> Printed:
    rows = published("cwla_consistency").rename(columns={"mean_tau": "published"})
    return Printed(
        rows[["collection", "browsing", "aggregation", "canonical", "published"]],
        ("browsing", "aggregation"),
        "mean τ of two topic halves",
        "browsing",
    )


def aggregation_similarity(context: Context, draws: RandomTrials) -> Found:
    """Figure 1: τ between the aggregations of each browsing model."""
    names = combination_expressions()
    scores = combined_scores(context, names)
    place = {name: i for i, name in enumerate(names)}
    values: dict[CellKey, float] = {}
    squares: dict[str, Drawing] = {}
    for model in BROWSING:
        kinds = aggregations(model)
        found = similarity(scores.select([scores.measures[place[model, kind]] for kind in kinds]))
        squares[model] = _square(model, kinds, found)
        for i, first in enumerate(kinds):
            for j, second in enumerate(kinds):
                if first < second:
                    values[model, first, second] = float(found.values[i, j])
    shown = list(squares.items())
    rows = tuple(dict(shown[i : i + 3]) for i in range(0, len(shown), 3))
    return Found(_alike_sentence(values), values, rows)


def _alike_sentence(values: Mapping[CellKey, float]) -> str:
    """Which pair agrees least, and whether the rate and the total of gain rank systems alike where they must."""
    named = {f"{a} and {b} under {model}": value for (model, a, b), value in values.items()}
    low = lowest(named)
    if not low:
        return "No two aggregations can be compared: each ties all systems."
    must = {model: values[model, "ERG", "ETG"] for model in static()}
    same = [model for model, value in must.items() if value >= 1 - TIED]
    rank = (
        f"Under {together(same)}, where reading does not depend on the documents, the rate (ERG) and the total (ETG) "
        "of gain rank the systems alike: τ 1.00."
        if same
        else "Under Precision, DCG and RBP all systems tie."
    )
    if named[low[0]] >= 1 - TIED:
        return f"All aggregations rank the systems alike under every browsing model (τ 1.00). {rank}"
    return f"τ between aggregations is lowest for {together(low)} ({spelled(named[low[0]], 2)}). {rank}"


def _square(model: str, kinds: tuple[str, ...], found: Similarity) -> Drawing:
    drawn = coefficients(star_before_own(model, kinds), found.values, "Kendall's τ", found.low, found.high)
    known = found.values[np.isfinite(found.values)]
    least = f"the lowest {spelled(float(known.min()), 2)}" if known.size else "undefined: all systems tie"
    alt = f"Kendall's τ between the aggregations under {model}, {least}; a star marks the canonical aggregation."
    return Drawing(drawn, BROWSING[model], alt)


def aggregation_consistency(context: Context, draws: RandomTrials) -> Found:
    """Table 3: mean τ of random halves, and how many aggregations of the model each beats."""
    names = combination_expressions()
    scores = combined_scores(context, names)
    place = {name: i for i, name in enumerate(names)}
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    hills: dict[str, Drawing] = {}
    frames = []
    for number, model in enumerate(BROWSING):
        kinds = aggregations(model)
        chosen = scores.select([scores.measures[place[model, kind]] for kind in kinds])
        found = consistency(chosen, draws.trials, seed=draws.seed)
        values |= {(model, kind): float(mean) for kind, mean in zip(kinds, found.mean, strict=True)}
        room = of_means(found.trials, _PAPER_SPLITS)
        tolerance |= {(model, kind): float(width) for kind, width in zip(kinds, room, strict=True)}
        hills[model] = _hills(model, kinds, found)
        frames.append(_beaten(model, kinds, found))
        if context.progress is not None:
            context.progress((number + 1) / len(BROWSING), f"{model}, {draws.trials:,} splits")
    shown = list(hills.items())
    return Found(
        _consistency_sentence(values),
        values,
        tuple(dict(shown[i : i + 3]) for i in range(0, len(shown), 3)),
        {
            "Which aggregation beats which": Table(
                pd.concat(frames, ignore_index=True),
                "One row per combination: mean τ, and how many aggregations of its browsing model it beats "
                "(randomised Tukey HSD over them, α = 0.05).",
            )
        },
        tolerance=tolerance,
    )


def _power_sentence(counted: Mapping[tuple[str, str], int], pairs: int) -> str:
    """Which combination separates the most pairs, and where the maximum separates the fewest."""
    if not any(counted.values()):
        return f"No combination separates any of the {counted_words(pairs, 'pair')} of systems."
    named = {f"{model} with {kind}": float(value) for (model, kind), value in counted.items()}
    best = highest(named)
    fewest = 0
    for model in BROWSING:
        others = [value for (name, kind), value in counted.items() if name == model and kind != "max"]
        fewest += counted[model, "max"] < min(others)
    return (
        f"{together(best)} {verb(len(best), 'separates', 'separate')} the most pairs of systems ({named[best[0]]:,.0f} "
        f"of {pairs:,}); the maximum alone separates the fewest for {fewest} of 6 browsing models."
    )


def _hills(model: str, kinds: tuple[str, ...], found: Consistency) -> Drawing:
    order = np.argsort(-np.nan_to_num(found.mean, nan=-2.0), kind="stable")
    names, won = star_before_own(model, kinds), found.beats(_ALPHA)
    beside = [f"{spelled(found.mean[i], 3)}, beats {won[i]}" for i in order]
    drawn = ridges([names[i] for i in order], [found.trials[i] for i in order], beside, "τ of two topic halves")
    alt = f"One density per aggregation under {model}, most consistent on top: {', '.join(beside)}."
    return Drawing(drawn, BROWSING[model], alt)


def _beaten(model: str, kinds: tuple[str, ...], found: Consistency) -> pd.DataFrame:
    columns = {"browsing": model, "aggregation": list(kinds), "mean τ": found.mean, "beats": found.beats(_ALPHA)}
    return pd.DataFrame(columns).sort_values("mean τ", ascending=False, kind="stable")


def _consistency_sentence(values: Mapping[CellKey, float]) -> str:
    """For how many browsing models the rate of gain is best or second, and the maximum last or last but one."""
    first = last = known = 0
    for model in BROWSING:
        own = [values[model, kind] for kind in aggregations(model)]
        if np.isfinite(own).sum() > 2:
            known += 1
            first += bool(values[model, "ERG"] >= np.sort(own)[::-1][:2].min() - TIED)
            last += bool(values[model, "max"] <= np.sort(own)[1] + TIED)
    if not known:
        return "No aggregation ranks the systems on both halves of the topics: each ties them all."
    return (
        f"The rate of gain (ERG) is among the two most consistent aggregations for {first} of {known} browsing models, "
        f"the maximum among the two least consistent for {last} of {known}."
    )


def aggregation_power(context: Context, draws: RandomTrials) -> Found:
    """Figure 2: curves of achieved significance levels, one figure per browsing model."""
    names = {name: text for name, text in combination_expressions("@10").items() if name not in _EQUAL_TO_ERG}
    scores = combined_scores(context, names)
    found = discriminative_power(scores, trials=draws.trials, alpha=_ALPHA, seed=draws.seed, progress=context.progress)
    keys = list(names)
    curves: dict[str, Drawing] = {}
    for model in BROWSING:
        rows = [i for i, key in enumerate(keys) if key[0] == model]
        kinds = star_before_own(model, [keys[i][1] for i in rows])
        counts = ", ".join(f"{kind} {found.results[i].significant:,}" for kind, i in zip(kinds, rows, strict=True))
        alt = f"p-values of all pairs of systems, one curve per aggregation. Separated at 0.05: {counts}."
        curves[model] = Drawing(asl_curves(kinds, found.asl[rows], _ALPHA), BROWSING[model], alt)
    counted = {key: found.results[i].significant for i, key in enumerate(keys)}
    sentence = _power_sentence(counted, found.results[0].pairs)
    table = pd.DataFrame(
        [
            {"browsing": k[0], "aggregation": k[1], "separated": v, "pairs": found.results[0].pairs}
            for k, v in counted.items()
        ]
    )
    shown = list(curves.items())
    return Found(
        sentence,
        drawings=tuple(dict(shown[i : i + 2]) for i in range(0, len(shown), 2)),
        tables={"Pairs separated": Table(table, "One row per combination: pairs of systems with p < 0.05.")},
    )


PAPER = Paper(
    "users",
    "Chen & Sakai 2023",
    "user models",
    (
        Item(
            "figure1",
            "Figure 1",
            "Rankings under different aggregations",
            aggregation_similarity,
            printed_similarity,
            _NEEDED_RUNS,
            notes=(
                "The paper prints INST, AP and ERR for WWW3 only. Some printed cells had to be moved back to "
                "their column before they could be read.",
                DEEP,
                ITEMS_READ,
            ),
        ),
        Item(
            "table3",
            "Table 3",
            "Consistency of aggregations over halves",
            aggregation_consistency,
            printed_aggregation_consistency,
            _NEEDED_RUNS,
            draws="trials",
            paper_draws=f"{_PAPER_SPLITS:,} random splits and 2,000 shuffles",
            notes=(
                "INST has T = 2.25 here, as in the paper's text; the heading of its table says 2.5.",
                DEEP,
                ITEMS_READ,
            ),
        ),
        Item(
            "figure2",
            "Figure 2",
            "Discriminative power: significance levels",
            aggregation_power,
            None,
            _NEEDED_RUNS,
            draws="trials",
            paper_draws="2,000 shuffles",
            said="ERG separates many pairs under every browsing model, the maximum the fewest under all but precision "
            "and AP, where fin and ERR are last. Curves that equal that of ERG are left out, as in the paper.",
            notes=(
                "Lists are read to rank 10, as the paper says for this figure (section 6, L = 10). p-values are "
                "corrected for all pairs of systems under one combination, not for the number of combinations.",
                ITEMS_READ,
            ),
        ),
    ),
    ("WWW3", "TR19DL"),
)
