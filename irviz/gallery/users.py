"""Chen and Sakai 2023: browsing models and aggregations (C/W/L/A)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import cast

import numpy as np
import pandas as pd

from irviz.figures.densities import ridges
from irviz.figures.significance import asl_curves
from irviz.figures.squares import coefficients
from irviz.figures.theme import STAR
from irviz.gallery.comparison import mean_tolerance
from irviz.gallery.paper import Answer, CellKey, Comparison, Evidence, case, each, in_rows, published_table
from irviz.gallery.sources import context_scores
from irviz.measures import measure
from irviz.measures.cwla import CWLA
from irviz.stats.consistency import Consistency, across_measures, halves_correlated
from irviz.stats.correlation import defined_mean
from irviz.stats.scores import score
from irviz.stats.significance import DiscriminativePower, discriminative_power
from irviz.stats.similarity import Similarity, similarity
from irviz.stats.users import satisfaction
from irviz.workspace.data import bundled_once
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.phrases import TOLERANCE, spell

BROWSING = {"Precision": "P@10", "DCG": "DCG@10", "RBP": "RBP(p=0.8)", "INST": "INST(T=2.25)", "AP": "AP", "ERR": "ERR"}
PRINTED_AGGREGATIONS = ("ETG", "ERG", "avg", "max", "fin", "PE", "ERR")
_EQUAL_TO_ERG = (("Precision", "ETG"), ("Precision", "avg"), ("DCG", "ETG"), ("RBP", "ETG"))  #: curves equal to ERG's
_ALPHA = 0.05
_PAPER_SPLITS = 1000


def aggregations(model: str) -> tuple[str, ...]:
    """The aggregations of one browsing model that give more than a constant (Table 1)."""
    return tuple(kind for kind in PRINTED_AGGREGATIONS if not combination(model, kind).constant)


def star_before_own(model: str, kinds: Sequence[str]) -> list[str]:
    """Names of aggregations with a star before the model's own."""
    return [f"{STAR} {kind}" if kind == combination(model, kind).C.canonical else kind for kind in kinds]


@cache
def combination(model: str, aggregation: str) -> CWLA:
    """The measure that a browsing model and an aggregation make."""
    return cast(CWLA, measure(expression_of(model, aggregation)))


def expression_of(model: str, aggregation: str, cutoff: str = "") -> str:
    inner = "PE(beta=0.5)" if aggregation == "PE" else aggregation
    return f"CWLA(C={BROWSING[model]},A={inner}){cutoff}"


def combination_expressions(cutoff: str = "") -> dict[tuple[str, str], str]:
    """All 39 combinations of the paper by browsing model and aggregation."""
    return {(model, kind): expression_of(model, kind, cutoff) for model in BROWSING for kind in aggregations(model)}


@cache
def satisfaction_correlations() -> dict[tuple[str, str], float]:
    """Spearman's ρ of every combination with users' satisfaction, over the bundled queries of TianGong-FSD."""
    study = bundled_once("tiangong", "trec_eval").collection
    assert study is not None and study.satisfaction is not None
    names = combination_expressions("@10")
    agreement = satisfaction(score(study, list(names.values())), study.satisfaction, trials=1)
    return dict(zip(names, agreement.values.tolist(), strict=True))


def _satisfaction_note() -> str:
    """Under how many browsing models the maximum agrees best with users, or shares the best place."""
    rho = {
        model: {kind: satisfaction_correlations()[model, kind] for kind in aggregations(model)} for model in BROWSING
    }
    best = sum(by_kind["max"] >= max(by_kind.values()) - 0.001 for by_kind in rho.values())
    return (
        "Consistency is one criterion. Users are another: over the 1,230 queries of TianGong-FSD, the maximum has the "
        f"highest or a tied highest ρ with satisfaction under {best} of {len(rho)} browsing models; see Users for the "
        "grid with intervals. Those users rated lists of one engine, and correlation over queries is not agreement "
        "about systems."
    )


def printed_figure1() -> pd.DataFrame:
    rows = pd.concat(
        [published_table("cwla_similarity"), published_table("cwla_similarity_realigned")], ignore_index=True
    )
    both = rows[["agg_a", "agg_b"]]
    return rows.assign(agg_a=both.min(axis=1), agg_b=both.max(axis=1))


printed_table3 = partial(published_table, "cwla_consistency")


def figure1(on: Evidence) -> Comparison:
    """Figure 1: τ between the aggregations of each browsing model."""
    names = combination_expressions()
    scores = context_scores(on.context, on.context.whole, list(names.values()))
    place = {name: i for i, name in enumerate(names)}
    values: dict[CellKey, float] = {}
    squares: dict[str, Drawing] = {}
    for model in BROWSING:
        kinds = aggregations(model)
        similar = similarity(scores.select([scores.measures[place[model, kind]] for kind in kinds]))
        squares[model] = _square(model, kinds, similar)
        pairs = ((i, j) for i, j in np.ndindex(*similar.values.shape) if kinds[i] < kinds[j])
        values |= {(model, kinds[i], kinds[j]): float(similar.values[i, j]) for i, j in pairs}
    return Comparison("", values, in_rows(squares, 3))


def _square(model: str, kinds: tuple[str, ...], correlations: Similarity) -> Drawing:
    fig = coefficients(
        star_before_own(model, kinds), correlations.values, "Kendall's τ", correlations.low, correlations.high
    )
    known = correlations.values[np.isfinite(correlations.values)]
    least = f"the lowest {spell(float(known.min()), 2)}" if known.size else "undefined: all systems tie"
    alt = f"Kendall's τ between the aggregations under {model}, {least}; a star marks the canonical aggregation."
    return Drawing(fig, BROWSING[model], alt)


def table3(on: Evidence) -> Comparison:
    """Table 3: mean τ of random halves, and how many aggregations of the model each beats."""
    names = combination_expressions()
    scores = context_scores(on.context, on.context.whole, list(names.values()))
    halves = halves_correlated(scores, on.trials, seed=on.seed).parts()
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    hills: dict[str, Drawing] = {}
    frames = []
    for number, model in enumerate(BROWSING):
        kinds = aggregations(model)
        first, *others = (consistency for name, consistency in zip(names, halves, strict=True) if name[0] == model)
        consistent = across_measures(first.joined(others))
        keys = [(model, kind) for kind in kinds]
        values |= dict(zip(keys, consistent.mean.tolist(), strict=True))
        tolerance |= dict(zip(keys, mean_tolerance(consistent.trials, _PAPER_SPLITS).tolist(), strict=True))
        hills[model] = _hills(model, kinds, consistent)
        frames.append(_beats_table(model, kinds, consistent))
        on.tell((number + 1) / len(BROWSING), f"{model}, {on.trials:,} splits")
    about = (
        "One row per combination: mean τ, and how many aggregations of its browsing model it is better than "
        "(randomised Tukey HSD over them, α = 0.05), and Spearman's ρ with the satisfaction of the users of "
        "TianGong-FSD, whatever is loaded here."
    )
    tables = {"Which aggregation is more consistent": Table(pd.concat(frames, ignore_index=True), about)}
    return Comparison("", values, in_rows(hills, 3), tables, (_satisfaction_note(),), tolerance)


def _hills(model: str, kinds: tuple[str, ...], consistency: Consistency) -> Drawing:
    order = np.argsort(-np.nan_to_num(consistency.mean, nan=-2.0), kind="stable")
    names, won = star_before_own(model, kinds), consistency.beats(_ALPHA)
    side_texts = [f"{spell(consistency.mean[i], 3)}, better than {won[i]}" for i in order]
    fig = ridges([names[i] for i in order], [consistency.trials[i] for i in order], side_texts, "τ of two topic halves")
    alt = f"One density per aggregation under {model}, most consistent on top: {', '.join(side_texts)}."
    return Drawing(fig, BROWSING[model], alt)


def _beats_table(model: str, kinds: tuple[str, ...], consistency: Consistency) -> pd.DataFrame:
    columns = {
        "browsing": model,
        "aggregation": list(kinds),
        "mean τ": consistency.mean,
        "beats": consistency.beats(_ALPHA),
    }
    columns |= {"satisfaction": [satisfaction_correlations()[model, kind] for kind in kinds]}
    return pd.DataFrame(columns).sort_values("mean τ", ascending=False, kind="stable")


def figure2(on: Evidence) -> Comparison:
    """Figure 2: curves of achieved significance levels, one figure per browsing model."""
    power, keys = _power(on, tuple(BROWSING))
    curves: dict[str, Drawing] = {}
    for model in BROWSING:
        rows = [i for i, key in enumerate(keys) if key[0] == model]
        kinds = star_before_own(model, [keys[i][1] for i in rows])
        counts = ", ".join(f"{kind} {power.results[i].significant:,}" for kind, i in zip(kinds, rows, strict=True))
        alt = f"p-values of all pairs of systems, one curve per aggregation. Separated at 0.05: {counts}."
        curves[model] = Drawing(asl_curves(kinds, power.asl[rows], _ALPHA), BROWSING[model], alt)
    table = pd.DataFrame(keys, columns=["browsing", "aggregation"])
    table = table.assign(separated=[one.significant for one in power.results], pairs=power.results[0].pairs)
    tables = {"Pairs separated": Table(table, "One row per combination: pairs of systems with p < 0.05.")}
    return Comparison("", drawings=in_rows(curves, 2), tables=tables)


def _power(on: Evidence, models: Sequence[str]) -> tuple[DiscriminativePower, list[tuple[str, str]]]:
    """The randomised Tukey HSD under the combinations of some browsing models, and these."""
    names = {k: text for k, text in combination_expressions("@10").items() if k[0] in models and k not in _EQUAL_TO_ERG}
    scores = context_scores(on.context, on.context.whole, list(names.values()))
    power = discriminative_power(scores, trials=on.trials, alpha=_ALPHA, seed=on.seed, progress=on.context.progress)
    return power, list(names)


# -- what the paper claims -------------------------------------------------------------------------


def same_rankings(on: Evidence) -> Answer:
    v = on.comparison(figure1)
    tau = [v[model, "ERG", "ETG"] for model in ("Precision", "DCG", "RBP")] + [v["Precision", "ERG", "avg"]]
    return min(tau) - 1, f"τ: {', '.join(f'{x:.3f}' for x in tau)}.", min(tau) > 1 - TOLERANCE


def _means(on: Evidence) -> Comparison:
    """The numbers of Table 3."""
    names = combination_expressions()
    scores = context_scores(on.context, on.context.whole, list(names.values()))
    halves = halves_correlated(scores, on.trials, seed=on.seed)
    return Comparison("", dict(zip(names, defined_mean(halves.trials)[0].tolist(), strict=True)))


def _places(on: Evidence) -> dict[str, dict[str, float]]:
    """Aggregations of each browsing model with their consistency, best first."""
    v = on.comparison(_means)
    tau = {model: {kind: v[model, kind] for kind in aggregations(model)} for model in BROWSING}
    return {model: dict(sorted(of.items(), key=lambda one: -one[1])) for model, of in tau.items()}


def _fifth(slacks: Sequence[float]) -> float:
    """The slack of "under at least five of six": the fifth largest."""
    return sorted(slacks, reverse=True)[4]


def erg_consistent(on: Evidence) -> Answer:
    places = _places(on)
    slacks = [tau["ERG"] - [v for k, v in tau.items() if k != "ERG"][1] for tau in places.values()]
    top = sum(slack >= -TOLERANCE for slack in slacks)
    listed = "; ".join(f"{model}: {each(tau)}" for model, tau in places.items())
    words = f"Most or second most consistent under {top} of 6 browsing models. {listed}."
    return _fifth(slacks), words, top >= 5


def max_consistent(on: Evidence) -> Answer:
    places = _places(on)
    slacks = {m: [v for k, v in tau.items() if k != "max"][-2] - tau["max"] for m, tau in places.items()}
    low = [model for model, slack in slacks.items() if slack >= -TOLERANCE]
    words = f"Least or second least consistent under {len(low)} of 6: {', '.join(low)}."
    return _fifth(list(slacks.values())), words, len(low) >= 5


def err_specialised(on: Evidence) -> Answer:
    places = _places(on)
    rank = {model: list(places[model]).index("ERR") + 1 for model in ("ERR", "INST", "AP")}
    words = ", ".join(f"{model} {places[model]['ERR']:.3f} (place {n} of 7)" for model, n in rank.items())
    others = {model: sorted(v for k, v in places[model].items() if k != "ERR") for model in rank}
    own = {model: places[model]["ERR"] for model in rank}
    slack = min(own["ERR"] - others["ERR"][-3], others["INST"][1] - own["INST"], others["AP"][1] - own["AP"])
    return slack, f"Mean τ: {words}.", rank["ERR"] <= 3 and rank["INST"] >= 6 and rank["AP"] >= 6


def max_weak(on: Evidence) -> Answer:
    power, keys = _power(on, ("DCG", "RBP", "INST", "ERR"))
    low, words, slacks, pairs = 0, [], [], power.results[0].pairs
    for model in dict.fromkeys(model for model, _ in keys):
        counts = pd.Series(
            {k[1]: result.significant for k, result in zip(keys, power.results, strict=True) if k[0] == model}
        )
        case(counts, f"under {model} all aggregations separate as many pairs")
        low += int(counts["max"] == counts.min())
        slacks.append((counts.drop("max").min() - counts["max"]) / pairs)
        words.append(f"{model}: max {counts['max']}, fewest {counts.idxmin()} {counts.min()}, ERG {counts['ERG']}")
    return min(slacks), f"Fewest pairs under {low} of 4. {'; '.join(words)} of {pairs:,} pairs.", low == 4
