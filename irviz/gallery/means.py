"""The eleven figures of Ravana and Moffat 2009: ε sweeps, densities, and gains against low scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.catalogue import bundled, open_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted, verb
from irviz.figures.densities import densities, epsilon_curves, low_score_bars, ridges
from irviz.figures.direct import PLOT, line_style, sides_of
from irviz.figures.theme import GREY, figure, labels, plotly_escape, scatter
from irviz.gallery.item import CellKey, Found, Item, Paper, Printed, RandomTrials, of_means, published
from irviz.stats.aggregate import summarise
from irviz.stats.consistency import EpsilonSweep, consistency, epsilon_sweep
from irviz.stats.correlation import kendall_tau
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import standardised_scores
from irviz.workspace.averages import EPS_SWEPT, LOW, low_shares
from irviz.workspace.cache import stacked
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.phrases import falling, highest, spelled, together, written_out

# -- The measures of Ravana and Moffat 2009 on what is loaded, and on the bundled collections beside it

PAPER_METRICS = {"AP": "AP", "P@10": "P@10", "nDCG": "nDCG", "RBP0.95": "RBP(p=0.95,rel=1)"}


def metric_scores(context: Context, names: Sequence[str] = tuple(PAPER_METRICS)) -> Scores:
    """Scores under the paper's names, with standardised AP (SP) last; of imported scores, those that are there."""
    imported = context.opened.imported
    had = [name for name in names if imported is None or PAPER_METRICS[name] in imported.measures]
    if "AP" not in had:
        raise IrvizError(
            "It needs scores by AP, and the imported scores do not include it. Load a matrix called AP as well."
        )
    return with_standardised(context.scores([PAPER_METRICS[name] for name in had]), had)


def with_standardised(scores: Scores, names: Sequence[str]) -> Scores:
    """`scores` under other names, and standardised AP as SP."""
    named = Scores(scores.values, tuple(names), scores.topics, scores.systems)
    standard = standardised_scores(named.select(["AP"]))
    return stacked([named, Scores(standard.values, ("SP",), scores.topics, scores.systems)])


def loaded_and_bundled(context: Context, names: Sequence[str] = tuple(PAPER_METRICS)) -> dict[str, Scores]:
    """What is loaded first, then the bundled collections that are not."""
    found = {context.opened.title: metric_scores(context, names)}
    for entry in bundled():
        if entry.name != context.opened.key:
            collection = _opened(entry.name)
            if len(collection.systems) < 2:  # nothing to rank
                continue
            scores = context.scored(collection, tuple(PAPER_METRICS[name] for name in names))
            found[entry.title] = with_standardised(scores, names)
    return found


@lru_cache(maxsize=4)
def _opened(name: str) -> Collection:
    return open_collection(name)


def low_share(scores: Scores) -> np.ndarray:
    """By measure, the share of low scores."""
    return low_shares(scores, LOW)[1]


# -- The gain of a change against the room for improvement: one point per measure and collection ---

Floats = NDArray[np.float64]


def gain_scatter(
    names: Sequence[str], share: Mapping[str, Floats], gain: Mapping[str, Floats], axes: tuple[str, str]
) -> go.Figure:
    """Points named beside them; one marker per collection, a line at no gain (Ravana & Moffat 2009, Figures 9 and 10).

    Parameters
    ----------
    names : of the measures
    share, gain : by collection, one number per measure; across and up
    axes : titles of the two axes
    """
    every = np.concatenate(list(gain.values()))
    low, high = min(0.0, float(np.nanmin(every))), max(0.0, float(np.nanmax(every)))
    end = 10 * max(1.0, np.ceil(10 * max(np.nanmax(shares) for shares in share.values())))
    room = 0.15 * (high - low) + 0.005
    across, up = [-0.04 * end, 1.04 * end], [low - room, high + room]
    x, y = 100 * np.concatenate(list(share.values())), every
    ends = zip((x, y), (across, up), PLOT, strict=True)
    pixels = np.stack([(values - start) / (stop - start) * size for values, (start, stop), size in ends], axis=1)
    sides = np.array(sides_of(pixels, list(names) * len(share)), dtype=object).reshape(len(share), len(names))
    traces = [
        scatter(
            x=np.round(100 * share[collection], 2),
            y=np.round(gain[collection], 4),
            mode="markers+text",
            name=labels([collection])[0],
            marker={**line_style(i)["marker"], "size": 10},
            text=labels(names),
            textposition=sides[i].tolist(),
            textfont={"size": 11},
            hovertemplate="%{text}: %{x:.1f}% low, %{y:.4f}<extra>%{fullData.name}</extra>",
        )
        for i, collection in enumerate(share)
    ]
    drawn = figure(traces, 430, hovermode="closest")
    drawn.add_hline(y=0, line={"color": GREY, "width": 1, "dash": "dot"})
    drawn.update_xaxes(title_text=plotly_escape(axes[0]), range=across)
    drawn.update_yaxes(title_text=plotly_escape(axes[1]), range=up)
    return drawn


# --------------------------------------------------------------------------------------------------

_EPS = 0.01
_WAYS = {"AM": ("mean", None), "eGM": ("geometric", _EPS), "eHM": ("harmonic", _EPS), "MD": ("median", None)}
_SAID = {
    "figure1": "On TREC9 the geometric mean with a small ε and the harmonic one with a medium ε are more consistent "
    "than the arithmetic mean (.748): the geometric one has .819 at ε = 0.01. With a very small ε the harmonic mean "
    "drops.",
    "figure2": "On TREC9, from most to least consistent: eGM, eHM, AM, MD; the paired differences of all are "
    "significant at p = 0.01 (the paper does not say whether p-values are corrected for the number of pairs).",
    "figure3": "Neither TREC8 nor TREC2001 favours eGM-AP over AM-AP; on TREC8 eGM-AP with ε = 0.01 is significantly "
    "less consistent than AM-AP (p = 0.05; the paper does not say whether p-values are corrected for anything).",
    "figure4": "TREC9 has the most AP scores near zero (56% below 0.1), then TREC2001 (49%) and TREC8 (36%).",
    "figure5": "On TREC9 ε matters for RBP, little for nDCG and P@10.",
    "figure6": "RBP has many scores near zero, nDCG few.",
    "figure7": "ε makes no difference to standardised AP.",
    "figure8": "Standardised AP has almost no scores near zero.",
    "figure9": "Where many scores are low, the geometric mean is more consistent than the arithmetic one; standardised "
    "AP does not depend on the average.",
    "figure10": "The geometric mean is more consistent than trec_eval's with its threshold in all twelve cases but "
    "those of SP, which are unaffected.",
    "figure11": "With Pearson's r the trends are broadly the same: SP with the arithmetic mean is best and eGM-AP does "
    "well; HM-AP is inferior to AM-AP, unlike in Figure 2, and the median is not especially good.",
}


def sweep(names: Sequence[str], hows: Sequence[str], context: Context, draws: RandomTrials) -> Found:
    """Mean τ of random halves against ε, one curve per measure and mean."""
    scores = metric_scores(context, _needed(names))
    found = {}
    for how in hows:
        for name in names:
            if name in scores.measures:
                found[_curve(how, name)] = _swept(scores.select([name]), how, context, draws)
    return _sweep_found(found)


def other_collections(context: Context, draws: RandomTrials) -> Found:
    """Figure 3: the geometric mean of AP on every collection at hand."""
    every = loaded_and_bundled(context, ("AP",))
    return _sweep_found(
        {title: _swept(scores.select(["AP"]), "geometric", context, draws) for title, scores in every.items()}
    )


def _needed(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in PAPER_METRICS if name in {*names, "AP"})


def _curve(how: str, name: str) -> str:
    return f"{'eGM' if how == 'geometric' else 'eHM'}-{name}"


def _swept(one: Scores, how: str, context: Context, draws: RandomTrials) -> EpsilonSweep:
    return epsilon_sweep(one, EPS_SWEPT, how, draws.trials, seed=draws.seed, progress=context.progress)


def _sweep_found(found: dict[str, EpsilonSweep]) -> Found:
    mean = np.concatenate([one.mean for one in found.values()])
    reference = np.concatenate([one.reference for one in found.values()])
    best = {}
    for name, row, plain in zip(found, mean, reference, strict=True):
        best[name] = f"{name} {_best(row, plain)}"
    sentence = f"Where two halves of the topics agree most: {'; '.join(best.values())}."
    drawn = epsilon_curves(list(found), EPS_SWEPT, mean, reference, _EPS, "Kendall's τ")
    drawing = Drawing(
        drawn, "Agreement of two topic halves against ε", f"One curve for each of {', '.join(found)}. {sentence}"
    )
    frames = [
        one.frame().assign(measure=name, eps=lambda frame: frame["eps"].map(written_out)) for name, one in found.items()
    ]
    about = "One row per curve and ε: mean τ, and the same for the arithmetic mean (reference)."
    return Found(
        sentence, drawings=({"sweep": drawing},), tables={"Curves": Table(pd.concat(frames, ignore_index=True), about)}
    )


def _best(row: np.ndarray, plain: float) -> str:
    """The ε at which a curve is highest, and what it gains."""
    if not np.isfinite(row).any():
        return "nowhere, because all systems tie"
    i = int(np.nanargmax(row))
    if not row[i] > plain + 0.0005:
        return f"with the arithmetic mean (τ {spelled(plain, 3)})"
    return (
        f"at ε = {written_out(EPS_SWEPT[i])} (τ {spelled(row[i], 3)}, {row[i] - plain:.3f} above the arithmetic mean)"
    )


def halves(coefficient: str, standardised: bool, context: Context, draws: RandomTrials) -> Found:
    """Figures 2 and 11: densities of the coefficient over random halves, one per mean."""
    scores = metric_scores(context, ("AP",))
    named = {f"{way}-AP": ("AP", how, eps) for way, (how, eps) in _WAYS.items()}
    if standardised:
        named["AM-SP"] = ("SP", "mean", None)
    samples = {}
    for name, (metric, how, eps) in named.items():
        found = consistency(scores.select([metric]), draws.trials, "random", how, eps, coefficient, draws.seed)
        samples[name] = found.trials[0]
        if context.progress is not None:
            context.progress(len(samples) / len(named), name)
    mean = {
        name: float(np.mean(known)) if (known := sample[np.isfinite(sample)]).size else np.nan
        for name, sample in samples.items()
    }
    order = sorted(mean, key=lambda name: -np.nan_to_num(mean[name], nan=-2.0))
    unit = "Kendall's τ" if coefficient == "tau" else "Pearson's r"
    beside_ = [spelled(mean[name], 3) for name in order]
    drawn = ridges(order, [samples[name] for name in order], beside_, f"{unit} of two halves")
    sentence = f"Mean {unit} over {draws.trials:,} random splits, from the most consistent: {falling(mean, 3)}."
    title = f"{unit} over {draws.trials:,} splits"
    table = Table(pd.DataFrame(samples)[order], f"One row per split, one column per average: {unit}.", names=order)
    return Found(
        sentence,
        drawings=({"halves": Drawing(drawn, title, f"One density per average. {sentence}")},),
        tables={"Trials": table},
    )


def score_densities(names: Sequence[str], context: Context, draws: RandomTrials) -> Found:
    """Figures 6 and 8: densities of the scores."""
    scores = metric_scores(context, _needed(names))
    return _spread({name: scores.select([name]) for name in names if name in scores.measures})


def spread_of_collections(context: Context, draws: RandomTrials) -> Found:
    """Figure 4: densities of AP on every collection at hand."""
    return _spread({title: scores.select(["AP"]) for title, scores in loaded_and_bundled(context, ("AP",)).items()})


def _spread(parts: dict[str, Scores]) -> Found:
    low = {name: float(low_share(part)[0]) for name, part in parts.items()}
    words = ", ".join(f"{name} {share:.0%}" for name, share in low.items())
    sentence = f"Share of scores below 0.1: {words}."
    drawn = densities(list(parts), [part.values for part in parts.values()], "score of a system on a topic", 0.0, 1.0)
    return Found(
        sentence, drawings=({"spread": Drawing(drawn, "Density of scores", f"A smoothed curve each. {sentence}")},)
    )


def gains(against: str, context: Context, draws: RandomTrials) -> Found:
    """Figures 9 and 10: what the geometric mean gains in consistency, against the share of low scores."""
    share, gain, rows = {}, {}, []
    other, words = {
        "AM": (("mean", None), "the arithmetic mean"),
        "eGM_trec_eval": (("geometric_threshold", 1e-5), "trec_eval's geometric mean"),
    }[against]
    for title, scores in loaded_and_bundled(context).items():
        wanted = [
            consistency(scores, draws.trials, "random", how, eps, seed=draws.seed).mean
            for how, eps in (_WAYS["eGM"], other)
        ]
        share[title], gain[title] = low_share(scores), wanted[0] - wanted[1]
        names = scores.measures
        rows += [
            {"collection": title, "measure": name, "share below 0.1": s, "eGM": a, against: b, "gain": a - b}
            for name, s, a, b in zip(names, share[title], *wanted, strict=True)
        ]
        if context.progress is not None:
            context.progress(len(share) / 3, title)
    table = pd.DataFrame(rows)
    plain = table[(table["measure"] != "SP") & table["gain"].notna()]
    tau = float(kendall_tau(plain[["share below 0.1", "gain"]].to_numpy().T)[0, 1]) if len(plain) > 1 else np.nan
    sentence = (
        f"The geometric mean (ε = 0.01) is more consistent than {words} in {int((plain.gain > 0).sum())} of "
        f"{counted(len(plain), 'case')}, standardised AP left out; τ between gain and share of low scores is "
        f"{spelled(tau, 2)}."
    )
    axes = ("% of scores below 0.1", f"mean τ with eGM minus {'AM' if against == 'AM' else 'that of trec_eval'}")
    drawn = gain_scatter(METRICS_WITH_SP, _filled(share, table), _filled(gain, table), axes)
    alt = f"One point per measure and collection. {sentence}"
    return Found(
        sentence,
        drawings=({"gains": Drawing(drawn, "Gain in consistency against low scores", alt)},),
        tables={
            "Points": Table(
                table, "One row per point: mean τ of topic halves under both means.", names=("eGM", against)
            )
        },
    )


METRICS_WITH_SP = (*PAPER_METRICS, "SP")


def _filled(parts: dict[str, np.ndarray], table: pd.DataFrame) -> dict[str, np.ndarray]:
    """A number for every measure; NaN where imported scores lack one."""
    filled = {}
    for title, values in parts.items():
        known = dict(zip(table.loc[table["collection"] == title, "measure"], values, strict=True))
        filled[title] = np.array([known.get(name, np.nan) for name in METRICS_WITH_SP])
    return filled


Find = Callable[[Context, RandomTrials], Found]
_ITEM_ROWS: tuple[tuple[str, str, Find, bool], ...] = (
    (
        "1",
        "ε of the geometric and harmonic mean of AP",
        lambda c, d: sweep(("AP",), ("geometric", "harmonic"), c, d),
        True,
    ),
    ("2", "Densities of τ under four means", lambda c, d: halves("tau", False, c, d), True),
    ("3", "ε on other collections", other_collections, True),
    ("4", "Densities of AP on other collections", spread_of_collections, False),
    ("5", "ε of other measures", lambda c, d: sweep(("P@10", "RBP0.95", "nDCG"), ("geometric",), c, d), True),
    ("6", "Densities of other measures", lambda c, d: score_densities(("RBP0.95", "P@10", "nDCG"), c, d), False),
    ("7", "ε of AP and standardised AP", lambda c, d: sweep(("AP", "SP"), ("geometric",), c, d), True),
    ("8", "Densities of AP and standardised AP", lambda c, d: score_densities(("AP", "SP"), c, d), False),
    ("9", "Geometric against arithmetic mean", lambda c, d: gains("AM", c, d), True),
    ("10", "Geometric mean against trec_eval's", lambda c, d: gains("eGM_trec_eval", c, d), True),
    ("11", "Densities of Pearson's r", lambda c, d: halves("pearson", True, c, d), True),
)  #: number, title, function, and whether splits are drawn at random
_OTHERS_NOTE = (
    "The paper has three collections; here the bundled collections are shown beside the loaded one, each with its "
    "first aspect."
)


def figure_items(needs: str) -> tuple[Item, ...]:
    """One item per figure."""
    return tuple(
        Item(
            f"figure{number}",
            f"Figure {number}",
            title,
            find,
            None,
            needs,
            "trials" if drawn else "",
            "10,000 random splits" if drawn else "",
            _SAID[f"figure{number}"],
            (_OTHERS_NOTE,) if number in ("3", "4", "9", "10") else (),
        )
        for number, title, find, drawn in _ITEM_ROWS
    )


# -- Ravana and Moffat 2009: which average over topics? --------------------------------------------

_MEANS = {
    "AM": ("mean", None),
    "GM": ("geometric", 0.0),
    "eGM": ("geometric", 0.01),
    "HM": ("harmonic", 0.0),
    "eHM": ("harmonic", 0.01),
    "MD": ("median", None),
}
PRINTED_MEANS = {
    "AM": ("mean", None),
    "eGM eps=0.01": ("geometric", 0.01),
    "eGM_trec_eval eps=1e-5": ("geometric_threshold", 1e-5),
}
IN_WORDS = {
    "AM": "AM",
    "eGM eps=0.01": "eGM with ε = 0.01",
    "eGM_trec_eval eps=1e-5": "trec_eval's GM with ε = 0.00001",
}
_PAPER_SPLITS = 10_000
PRINTED_SPLITS = {"Random": "random", "Hard-Easy": "hard_easy", "Middle-Rest": "middle_rest"}
_NEEDED_RUNS = (
    "the runs of the TREC-9 Web (105 systems), TREC 2001 Web (97) and TREC-8 Ad Hoc (129) tracks, which NIST gives "
    "to participants only"
)


def printed_examples() -> Printed:
    rows = published("aggregation_examples").drop(columns=["x1", "x2", "x3", "x4", "x5"])
    rows = rows.melt("system", var_name="mean", value_name="published")
    return Printed(rows, ("system", "mean"), "central tendency of five scores")


def examples(context: Context, draws: RandomTrials) -> Found:
    """Table 1: six averages of four systems' scores on five topics."""
    rows = published("aggregation_examples").set_index("system")[["x1", "x2", "x3", "x4", "x5"]].astype(float)
    found = {name: summarise(rows.T, how, eps) for name, (how, eps) in _MEANS.items()}
    values: dict[CellKey, float] = {
        (system, name): float(x) for name, row in found.items() for system, x in row.items()
    }
    best = {name: row.index[row.to_numpy() >= row.max() - 1e-9] for name, row in found.items()}
    words = ", ".join(f"{' and '.join(names)} by {name}" for name, names in best.items())
    return Found(f"Which of the four systems is best depends on the average: {words}.", values)


def printed_low() -> Printed:
    rows = published("aggregation_low_scores").rename(columns={"pct_zero": "zero", "pct_le_0.1": "below 0.1"})
    rows = rows.melt("metric", var_name="scores", value_name="published").assign(collection="TREC9")
    return Printed(rows, ("metric", "scores"), "% of all scores")


def low(context: Context, draws: RandomTrials) -> Found:
    """Table 2: how many scores are zero, and how many are low."""
    scores = metric_scores(context)
    zero, below = low_shares(scores, LOW)
    values: dict[CellKey, float] = {
        (name, kind): float(100 * share)
        for kind, shares in (("zero", zero), ("below 0.1", below))
        for name, share in zip(scores.measures, shares, strict=True)
    }
    share = dict(zip(scores.measures, below.tolist(), strict=True))
    most = highest(share)
    drawn = low_score_bars(scores.measures, zero, below, LOW)
    start = (
        f"{together(most)} {verb(len(most), 'has', 'have')} the largest share of scores below {LOW:g}, "
        f"{share[most[0]]:.0%}"
        if len(most) < len(share)
        else f"All measures have the same share of scores below {LOW:g}, {share[most[0]]:.0%}"
    )
    sentence = f"{start}; of standardised AP (SP) it is {share['SP']:.0%}."
    alt = f"One bar per measure: shares of scores that are zero, and that are below {LOW:g}. {sentence}"
    drawing = Drawing(drawn, "Scores that are zero or low", alt)
    return Found(sentence, values, ({"low": drawing},), notes=_missing(scores))


def printed_split_consistency() -> Printed:
    rows = published("aggregation_consistency").rename(columns={"tau": "published"})
    keys = ("split", "aggregation", "metric")
    return Printed(
        rows[["collection", *keys, "published"]],
        keys,
        "Kendall's τ of two topic sets",
        "split",
        words={"aggregation": IN_WORDS},
    )


def split_consistency(context: Context, draws: RandomTrials) -> Found:
    """Table 3: agreement of two halves of the topics under three means and three splits."""
    scores = metric_scores(context, ("AP",))
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    for split, kind in PRINTED_SPLITS.items():
        for name, (how, eps) in PRINTED_MEANS.items():
            found = consistency(scores, draws.trials, kind, how, eps, seed=draws.seed)
            keys = [(split, name, metric) for metric in scores.measures]
            values |= dict(zip(keys, found.mean.tolist(), strict=True))
            tolerance |= dict(zip(keys, of_means(found.trials, _PAPER_SPLITS).tolist(), strict=True))
        if context.progress is not None:
            context.progress((list(PRINTED_SPLITS).index(split) + 1) / len(PRINTED_SPLITS), f"{split} split")
    by_ap = {words: values["Random", name, "AP"] for name, words in IN_WORDS.items()}
    sentence = (
        f"Mean τ of random halves by AP, from the most consistent average: {falling(by_ap, 3)}; by standardised AP "
        f"with the arithmetic mean: {spelled(values['Random', 'AM', 'SP'], 3)}."
    )
    return Found(sentence, values, tolerance=tolerance)


def _missing(scores: Scores) -> tuple[str, ...]:
    absent = [name for name in PAPER_METRICS if name not in scores.measures]
    return (f"These scores contain no {' and no '.join(absent)}.",) if absent else ()


PAPER = Paper(
    "means",
    "Ravana & Moffat 2009",
    "averages",
    (
        Item(
            "table1",
            "Table 1",
            "Six averages of four systems",
            examples,
            printed_examples,
            notes=(
                "A worked example: it must be reproduced as printed. The paper leaves the harmonic mean of S2 "
                "undefined, because one of its scores is zero; here it is 0, the limit.",
            ),
        ),
        Item(
            "table2",
            "Table 2",
            "How many scores are low",
            low,
            printed_low,
            _NEEDED_RUNS,
            notes=(
                "The printed column is headed ≤ 0.1, but P@10 has the same share as of zeros, so below 0.1 "
                "is meant. RBP is computed on binary relevance.",
            ),
        ),
        Item(
            "table3",
            "Table 3",
            "Consistency under three means",
            split_consistency,
            printed_split_consistency,
            _NEEDED_RUNS,
            draws="trials",
            paper_draws=f"{_PAPER_SPLITS:,} random splits",
            notes=(
                "Hard-Easy and Middle-Rest are one split each. Topics are ranked by surprise, the paper's eq. (2).",
            ),
        ),
        *figure_items(_NEEDED_RUNS),
    ),
    ("TREC9", "TREC2001", "TREC8"),
)
