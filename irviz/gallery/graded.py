"""Ferrante, Ferro and Maistro 2014: average precision for graded relevance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError, number_of, verb
from irviz.figures.direct import line_style
from irviz.figures.theme import figure, scatter
from irviz.gallery.paper import Answer, CellKey, Comparison, Evidence, as_number, case, each, positive, published_table
from irviz.gallery.sources import (
    context_scores,
    curves,
    least_kept,
    merged_note,
    reduction,
    self_tau,
    tau_table,
    with_degrees,
    with_systems,
)
from irviz.stats.similarity import similarity
from irviz.stats.topic_effects import above_first_quartile, few_highly_relevant, level_counts
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import TOLERANCE, falling, spell

Floats = NDArray[np.float64]
GRADED_MEASURES = ("GAP", "xGAP", "eGAP")
_OTHERS = {"AP": "AP", "nDCG": "nDCG", "RBP": "RBP(p=0.8,rel=1)", "bpref": "Bpref"}
_SETS = {"all": "all topics", "few_highly_relevant": "few highly relevant", "few_key": "few key documents"}
LEVEL = {"few_highly_relevant": 2, "few_key": 3}  #: of the documents that must be few
LEAST_SETS = 4
MOST_WANT_MORE = {3: "0.1 0.9", 4: "0.2 0.2 0.6"}  #: by degrees, the g whose first share is small but above 0


def _setup(whole: Collection, on: Evidence) -> tuple[Collection, dict[str, tuple[str, ...]], tuple[str, ...]]:
    """A collection of the paper's degrees without its poorest runs, its sets of topics, and notes."""
    degrees = len(whole.grades[0])
    systems = above_first_quartile(context_scores(on.context, whole, ["AP"])["AP"])
    collection = whole.subset(topics=on.context.topics, systems=systems)
    notes: tuple[str, ...] = (
        f"{len(systems)} of {len(whole.systems)} runs are kept: those above the first quartile by mean AP.",
    )
    topics = {"all": collection.topics}
    for name, level in LEVEL.items():
        if level < degrees:
            topics[name], words = few(collection, level)
            notes += (words,)
    return collection, topics, notes + merged_note(on.context.collection, degrees)


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
    fitting = number_of(len(chosen), "topic") if len(chosen) else "no topic"
    stand = "The topic" if len(names) == 1 else f"The {len(names)} topics"
    return names, (
        f"The paper's rule for few {what} documents, R(1) ≥ 10·R({level}), fits {fitting} here. {stand} with the "
        f"highest R(1)/R({level}), {near.min():.1f}{' and up' * (len(names) > 1)}, {verb(len(names), 'is', 'are')} "
        "used instead."
    )


def _printed_rows(degrees: int) -> pd.DataFrame:
    rows = published_table("gap_correlation")
    return rows[(rows["collection"] == "TREC21") == (degrees == 4)]


def _correlation(degrees: int, on: Evidence) -> Comparison:
    """Tables 2 and 3: τ of the three graded measures with others, over distributions g."""
    regraded = with_degrees(with_systems(on.context), degrees)
    collection, sets, notes = _setup(regraded, on)
    shares = list(dict.fromkeys(_printed_rows(degrees)["g"]))
    names = {(g, kind): f"{kind}(g=[{g.replace(' ', ',')}])" for g in shares for kind in GRADED_MEASURES}
    scores = context_scores(on.context, regraded, [*names.values(), *_OTHERS.values()]).select(
        systems=collection.systems
    )
    place = {key: i for i, key in enumerate([*names, *_OTHERS])}
    values: dict[CellKey, float] = {}
    for topics, chosen in sets.items():
        tau = similarity(scores.select(topics=chosen)).values
        for g, kind in names:
            row = tau[place[g, kind]]
            values |= {(g, kind, other, topics): float(row[place[other]]) for other in _OTHERS}
            values[g, kind, "GAP", topics] = float(row[place[g, "GAP"]])
    return Comparison(_sentence(values, MOST_WANT_MORE[degrees]), values, _lines(degrees, shares, values), notes=notes)


def _sentence(values: Mapping[CellKey, float], g: str) -> str:
    """How similar GAP, xGAP and eGAP are to AP under these shares of users."""
    tau = {
        topics: [values[g, kind, "AP", topics] for kind in GRADED_MEASURES] for topics in ("all", "few_highly_relevant")
    }
    if not np.isfinite(tau["all"]).any():
        return "GAP, xGAP, eGAP or AP tie all systems, so there is no τ between them."
    words = [
        f"{kind} {spell(every, 2)} (few highly relevant: {spell(some, 2)})"
        for kind, every, some in zip(GRADED_MEASURES, *tau.values(), strict=True)
    ]
    return (
        f"With g = ({g.replace(' ', ', ')}), where most users ask for more than the lowest relevant grade, τ with AP "
        f"is: {', '.join(words)}."
    )


def _lines(degrees: int, shares: list[str], values: Mapping[CellKey, float]) -> tuple[dict[str, Drawing], ...]:
    """τ with AP and with nDCG against g, one figure per set of topics."""
    rows = _printed_rows(degrees)
    drawings = []
    for other in ("AP", "nDCG"):
        row = {}
        for topics in dict.fromkeys(key[3] for key in values):
            figure_rows = rows[(rows["against"] == other) & (rows["topics"] == topics)]
            old = {
                (kind, collection): np.array([as_number(text) for text in part.set_index("g").loc[shares, "published"]])
                for (kind, collection), part in figure_rows.groupby(["measure", "collection"], sort=False)
            }
            new = {kind: np.array([values[g, kind, other, topics] for g in shares]) for kind in GRADED_MEASURES}
            title = f"τ with {other}, {_SETS[topics]}"
            ends = ", ".join(f"{kind} {_range_words(line)}" for kind, line in new.items())
            alt = (
                "Curves over the distributions g: recomputed ones solid, printed ones dashed. From the first to the "
                f"last g: {ends}."
            )
            row[f"{other}_{topics}"] = Drawing(_curves_of(shares, new, old, other), title, alt)
        drawings.append(row)
    return tuple(drawings)


_DASHES = ("dot", "dash", "dashdot")


def _curves_of(
    shares: list[str], here: Mapping[str, Floats], printed_numbers: Mapping[tuple[str, str], Floats], other: str
) -> go.Figure:
    """Solid lines with markers for recomputed numbers, thin broken ones for printed ones.

    Parameters
    ----------
    here : by measure, τ with the `other` one for each g
    printed_numbers : by measure and the paper's collection
    """
    styles = {curve: line_style(i) for i, curve in enumerate(here)}
    dashes = dict(zip(dict.fromkeys(collection for _, collection in printed_numbers), _DASHES, strict=False))
    traces = []
    for (curve, collection), values in printed_numbers.items():
        line = {"color": styles[curve]["line"]["color"], "width": 1.2, "dash": dashes[collection]}
        hover, name = "%{x}: %{y}<extra>%{fullData.name}</extra>", f"{curve}, {collection}"
        traces.append(scatter(x=shares, y=values, mode="lines", name=name, line=line, hovertemplate=hover))
    for curve, values in here.items():
        traces.append(
            scatter(
                x=shares,
                y=np.round(values, 4),
                mode="lines+markers",
                name=f"{curve}, here",
                line={**styles[curve]["line"], "dash": "solid"},
                marker=styles[curve]["marker"],
                hovertemplate="%{x}: %{y:.3f}<extra>%{fullData.name}</extra>",
            )
        )
    fig = figure(traces, 430, hovermode="closest")
    numbers = np.concatenate([*here.values(), *printed_numbers.values()])
    low = float(np.nanmin(numbers)) if np.isfinite(numbers).any() else 0.0
    last = len(shares[0].split()) - 1
    fig.update_xaxes(title_text=f"shares of users g₁ to g{'₁₂₃'[last]}", type="category", tickangle=-60)
    fig.update_layout(legend={"font": {"size": 11}})
    fig.update_yaxes(title_text=f"Kendall's τ with {other}", range=[min(0.0, low - 0.05), 1.04])
    return fig


def _range_words(line: np.ndarray) -> str:
    """The first and the last number of a curve, once where they are the same."""
    first, last = spell(line[0], 2), spell(line[-1], 2)
    return first if first == last else f"{first} to {last}"


def _pools(degrees: int, on: Evidence) -> Comparison:
    """Figures 1 and 2: self-τ under reduced pools, by set of topics."""
    collection, sets, notes = _setup(with_degrees(with_systems(on.context), degrees), on)
    g = MOST_WANT_MORE[degrees].replace(" ", ",")
    measures = {kind: f"{kind}(g=[{g}])" for kind in GRADED_MEASURES}
    measures |= {name.replace("bpref", "Bpref"): text for name, text in _OTHERS.items()}
    row, parts = {}, {}
    for topics, chosen in sets.items():
        title = _SETS[topics].capitalize()
        parts[title] = reduction(on, collection.subset(topics=chosen), measures, "stratified")
        row[topics] = curves(parts[title], title)
    tau, small = (least_kept(parts[title]) for title in ("All topics", "Few highly relevant"))
    words = falling({kind: small[kind] for kind in GRADED_MEASURES}, 2)
    sentence = (
        f"With 5% of the judgments kept, τ with the full pool's ranking over all topics, from the highest: "
        f"{falling(tau, 2)}; on topics with few highly relevant documents: {words}."
    )
    return Comparison(sentence, drawings=(row,), tables={"Curves": tau_table(parts)}, notes=notes)


table2, table3 = partial(_correlation, 3), partial(_correlation, 4)
figure1, figure2 = partial(_pools, 3), partial(_pools, 4)
printed_table2, printed_table3 = partial(_printed_rows, 3), partial(_printed_rows, 4)

# -- what the paper claims -------------------------------------------------------------------------


def one_weight(on: Evidence) -> Answer:
    v = on.comparison(table2)
    tau = [v[g, k, "GAP", "all"] for g in ("0.0 1.0", "1.0 0.0") for k in ("xGAP", "eGAP")]
    tau += [v["1.0 0.0", k, "AP", "all"] for k in GRADED_MEASURES]
    return min(tau) - 1, f"Lowest of {len(tau)} values of τ: {min(tau):.4f}.", min(tau) > 1 - TOLERANCE


def gap_near_ap(on: Evidence) -> Answer:
    v, words, gaps = on.comparison(table2), [], []
    for topics in ("all", "few_highly_relevant"):
        gap, x, e = (v["0.1 0.9", k, "AP", topics] for k in GRADED_MEASURES)
        gaps.append(gap - max(x, e))
        words.append(f"{topics.replace('_', ' ')}: GAP {gap:.2f}, xGAP {x:.2f}, eGAP {e:.2f}")
    return positive(min(gaps), f"τ with AP at g = (.1, .9), {'; '.join(words)}.")


def rising(on: Evidence) -> Answer:
    v = on.comparison(table2)
    shares = [f"{i / 10:.1f} {1 - i / 10:.1f}" for i in range(11)]
    falls = {k: float(min(np.diff([v[g, k, "AP", "all"] for g in shares]))) for k in ("xGAP", "eGAP")}
    words = ", ".join(
        f"{k} from {v[shares[0], k, 'AP', 'all']:.2f}, steepest fall {max(0, -x):.3f}" for k, x in falls.items()
    )
    rise = [v[shares[-1], k, "AP", "all"] - v[shares[0], k, "AP", "all"] for k in falls]
    case([0, *rise, *falls.values()], "all its coefficients are equal")
    steepest = min(falls.values())
    return positive(min([*rise, *([steepest] if steepest <= -0.01 else [])]), f"τ with AP: {words}.")


def ndcg_robust(on: Evidence) -> Answer:
    mean = self_tau(on.comparison(figure1)).mean(axis=1).loc["All topics"].sort_values(ascending=False)
    two = ["nDCG", "Bpref"]
    gap = float(np.min(mean[two].to_numpy()) - np.max(mean.drop(two).to_numpy()))
    return positive(gap, f"Mean self-τ: {each(mean, 2)}.")


def xgap_shallow(on: Evidence) -> Answer:
    few = self_tau(on.comparison(figure1)).loc["Few highly relevant", ["10%", "5%"]]
    gap = float(np.min((few.loc[["xGAP", "eGAP"]] - few.loc["GAP"]).to_numpy()))
    words = [f"{share} kept: {each(few.loc[list(GRADED_MEASURES), share], 2)}" for share in few]
    return positive(gap, "; ".join(words) + ".")
