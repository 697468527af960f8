"""The eleven figures of Ravana and Moffat 2009: ε sweeps, densities, and gains against low scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.catalogue import bundled_collections
from irviz.errors import IrvizError, number_of, verb
from irviz.figures.densities import densities, epsilon_curves, low_score_bars, ridges
from irviz.figures.direct import PLOT, line_style, sides_of
from irviz.figures.theme import GREY, figure, labels, plotly_escape, scatter
from irviz.gallery.comparison import mean_tolerance
from irviz.gallery.paper import Answer, CellKey, Comparison, Evidence, each, falls, positive, published_table
from irviz.stats.aggregate import summarise
from irviz.stats.consistency import EpsilonSweep, epsilon_sweep, halves_correlated
from irviz.stats.correlation import defined_mean, kendall_tau
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import standardised_scores
from irviz.stats.words import Average, Coefficient, SplitName
from irviz.workspace.averages import EPS_SWEPT, LOW, low_shares
from irviz.workspace.cache import stack
from irviz.workspace.context import Context
from irviz.workspace.data import bundled_once
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.phrases import falling, highest, spell, together, written_out

# -- The measures of Ravana and Moffat 2009 on what is loaded, and on the bundled collections beside it

PAPER_METRICS = {"AP": "AP", "P@10": "P@10", "nDCG": "nDCG", "RBP0.95": "RBP(p=0.95,rel=1)"}


def metric_scores(context: Context, names: Sequence[str] = tuple(PAPER_METRICS)) -> Scores:
    """Scores under the paper's names, with standardised AP (SP) last; of imported scores, those that are there."""
    imported = context.dataset.imported_scores
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
    return stack([named, Scores(standard.values, ("SP",), scores.topics, scores.systems)])


def loaded_and_bundled(context: Context, names: Sequence[str] = tuple(PAPER_METRICS)) -> dict[str, Scores]:
    """The loaded data, then the bundled collections that are not loaded."""
    by_title = {context.dataset.title: metric_scores(context, names)}
    for opened in (
        bundled_once(entry.name, "trec_eval") for entry in bundled_collections() if entry.name != context.dataset.key
    ):
        if opened.collection is not None and len(opened.systems) > 1:  # otherwise there is nothing to rank
            scores = context.score(opened.collection, tuple(PAPER_METRICS[name] for name in names))
            by_title[opened.title] = with_standardised(scores, names)
    return by_title


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
    all_gains = np.concatenate(list(gain.values()))
    low, high = min(0.0, float(np.nanmin(all_gains))), max(0.0, float(np.nanmax(all_gains)))
    end = 10 * max(1.0, np.ceil(10 * max(np.nanmax(shares) for shares in share.values())))
    room = 0.15 * (high - low) + 0.005
    across, up = [-0.04 * end, 1.04 * end], [low - room, high + room]
    x, y = 100 * np.concatenate(list(share.values())), all_gains
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
    fig = figure(traces, 430, hovermode="closest")
    fig.add_hline(y=0, line={"color": GREY, "width": 1, "dash": "dot"})
    fig.update_xaxes(title_text=plotly_escape(axes[0]), range=across)
    fig.update_yaxes(title_text=plotly_escape(axes[1]), range=up)
    return fig


# --------------------------------------------------------------------------------------------------

_EPS = 0.01
MEANS: dict[str, Average] = {
    "AM": ("mean", None),
    "GM": ("geometric", 0.0),
    "eGM": ("geometric", _EPS),
    "HM": ("harmonic", 0.0),
    "eHM": ("harmonic", _EPS),
    "MD": ("median", None),
}
TREC_EVALS: Average = ("geometric_threshold", 1e-5)  #: trec_eval's geometric mean


def _sweep(names: Sequence[str], hows: Sequence[str], on: Evidence) -> Comparison:
    """Mean τ of random halves against ε, one curve per measure and mean."""
    ways, parts = {"geometric": "eGM", "harmonic": "eHM"}, _scores_by_measure(names, on)
    return _sweep_comparison(
        {f"{ways[how]}-{name}": _epsilon_sweep(parts[name], how, on) for how in hows for name in parts}
    )


def figure3(on: Evidence) -> Comparison:
    """Figure 3: the geometric mean of AP on every collection at hand."""
    return _sweep_comparison(
        {title: _epsilon_sweep(scores, "geometric", on) for title, scores in _everywhere(on).items()}
    )


def _scores_by_measure(names: Sequence[str], on: Evidence) -> dict[str, Scores]:
    """The scores of the loaded data by each of these measures that there is."""
    scores = metric_scores(on.context, [name for name in PAPER_METRICS if name in {*names, "AP"}])
    return {name: scores.select([name]) for name in names if name in scores.measures}


def _everywhere(on: Evidence) -> dict[str, Scores]:
    """The scores by AP of every collection at hand."""
    return {title: scores.select(["AP"]) for title, scores in loaded_and_bundled(on.context, ("AP",)).items()}


def _epsilon_sweep(one: Scores, how: str, on: Evidence) -> EpsilonSweep:
    return epsilon_sweep(one, EPS_SWEPT, how, on.trials, seed=on.seed, progress=on.context.progress)


def _sweep_comparison(sweeps: dict[str, EpsilonSweep]) -> Comparison:
    mean = np.concatenate([sweep.mean for sweep in sweeps.values()])
    reference = np.concatenate([sweep.reference for sweep in sweeps.values()])
    best = [f"{name} {_best(row, plain)}" for name, row, plain in zip(sweeps, mean, reference, strict=True)]
    sentence = f"Where two halves of the topics agree most: {'; '.join(best)}."
    fig = epsilon_curves(list(sweeps), EPS_SWEPT, mean, reference, _EPS, "Kendall's τ")
    alt = f"One curve for each of {', '.join(sweeps)}. {sentence}"
    drawing = Drawing(fig, "Agreement of two topic halves against ε", alt)
    frame = pd.concat([sweep.frame().assign(measure=name) for name, sweep in sweeps.items()], ignore_index=True)
    about = "One row per curve and ε: mean τ, and the same for the arithmetic mean (reference)."
    table = Table(frame.assign(eps=frame["eps"].map(written_out)), about)
    return Comparison(sentence, drawings=({"sweep": drawing},), tables={"Curves": table})


def _best(row: np.ndarray, plain: float) -> str:
    """The ε at which a curve is highest, and what it gains."""
    if not np.isfinite(row).any():
        return "nowhere, because all systems tie"
    i = int(np.nanargmax(row))
    if not row[i] > plain + 0.0005:
        return f"with the arithmetic mean (τ {spell(plain, 3)})"
    return f"at ε = {written_out(EPS_SWEPT[i])} (τ {spell(row[i], 3)}, {row[i] - plain:.3f} above the arithmetic mean)"


def _halves(coefficient: Coefficient, standardised: bool, on: Evidence) -> Comparison:
    """Figures 2 and 11: densities of the coefficient over random halves, one per mean."""
    scores = metric_scores(on.context, ("AP",))
    named = {f"{way}-AP": ("AP", *MEANS[way]) for way in ("AM", "eGM", "eHM", "MD")}
    if standardised:
        named["AM-SP"] = ("SP", "mean", None)
    samples, mean = {}, {}
    for name, (metric, how, eps) in named.items():
        halves = halves_correlated(
            scores.select([metric]), trials=on.trials, summary=how, eps=eps, coefficient=coefficient, seed=on.seed
        )
        samples[name], mean[name] = halves.trials[0], float(defined_mean(halves.trials)[0][0])
        on.tell(len(samples) / len(named), name)
    order = sorted(mean, key=lambda name: -np.nan_to_num(mean[name], nan=-2.0))
    unit = "Kendall's τ" if coefficient == "tau" else "Pearson's r"
    side_texts = [spell(mean[name], 3) for name in order]
    fig = ridges(order, [samples[name] for name in order], side_texts, f"{unit} of two halves")
    sentence = f"Mean {unit} over {on.trials:,} random splits, from the most consistent: {falling(mean, 3)}."
    title = f"{unit} over {on.trials:,} splits"
    drawing = Drawing(fig, title, f"One density per average. {sentence}")
    table = Table(pd.DataFrame(samples)[order], f"One row per split, one column per average: {unit}.", names=order)
    return Comparison(sentence, drawings=({"halves": drawing},), tables={"Trials": table})


def _densities(names: Sequence[str], on: Evidence) -> Comparison:
    """Figures 6 and 8: densities of the scores."""
    return _spread(_scores_by_measure(names, on))


def figure4(on: Evidence) -> Comparison:
    """Figure 4: densities of AP on every collection at hand."""
    return _spread(_everywhere(on))


def _spread(parts: dict[str, Scores]) -> Comparison:
    low = {name: float(low_share(part)[0]) for name, part in parts.items()}
    words = ", ".join(f"{name} {share:.0%}" for name, share in low.items())
    sentence = f"Share of scores below 0.1: {words}."
    fig = densities(list(parts), [part.values for part in parts.values()], "score of a system on a topic", 0.0, 1.0)
    drawing = Drawing(fig, "Density of scores", f"A smoothed curve each. {sentence}")
    return Comparison(sentence, drawings=({"spread": drawing},))


def _consistency(scores: Scores, other: Average, on: Evidence) -> list[Floats]:
    """Mean τ of topic halves by measure, under the ε-geometric mean and under another."""
    halves = partial(on.context.remember, halves_correlated, scores, on.trials, seed=on.seed)
    return [defined_mean(halves(summary=how, eps=eps).trials)[0] for how, eps in (MEANS["eGM"], other)]


def _gains(reference: str, on: Evidence) -> Comparison:
    """Figures 9 and 10: what the geometric mean gains in consistency, against the share of low scores."""
    rows = []
    others = {
        "AM": (MEANS["AM"], "the arithmetic mean"),
        "eGM_trec_eval": (TREC_EVALS, "trec_eval's geometric mean"),
    }
    other, words = others[reference]
    for n, (title, scores) in enumerate(loaded_and_bundled(on.context).items(), start=1):
        rows += [
            {"collection": title, "measure": name, "share below 0.1": s, "eGM": a, reference: b, "gain": a - b}
            for name, s, a, b in zip(scores.measures, low_share(scores), *_consistency(scores, other, on), strict=True)
        ]
        on.tell(n / 3, title)
    table = pd.DataFrame(rows)
    plain = table[(table["measure"] != "SP") & table["gain"].notna()]
    tau = float(kendall_tau(plain[["share below 0.1", "gain"]].to_numpy().T)[0, 1]) if len(plain) > 1 else np.nan
    sentence = (
        f"The geometric mean (ε = 0.01) is more consistent than {words} in {int((plain.gain > 0).sum())} of "
        f"{number_of(len(plain), 'case')}, standardised AP left out; τ between gain and share of low scores is "
        f"{spell(tau, 2)}."
    )
    axes = ("% of scores below 0.1", f"mean τ with eGM minus {'AM' if reference == 'AM' else 'that of trec_eval'}")
    names = [*PAPER_METRICS, "SP"]
    share, gain = (_by_collection(table, column, names) for column in ("share below 0.1", "gain"))
    fig = gain_scatter(names, share, gain, axes)
    alt = f"One point per measure and collection. {sentence}"
    drawing = Drawing(fig, "Gain in consistency against low scores", alt)
    about = "One row per point: mean τ of topic halves under both means."
    points = Table(table, about, names=("eGM", reference))
    return Comparison(sentence, drawings=({"gains": drawing},), tables={"Points": points})


def _by_collection(table: pd.DataFrame, column: str, names: list[str]) -> dict[str, Floats]:
    """A number for every measure; NaN where imported scores lack one."""
    parts = table.set_index("measure").groupby("collection", sort=False)[column]
    return {title: part.reindex(names).to_numpy() for title, part in parts}


# -- Ravana and Moffat 2009: which average over topics? --------------------------------------------

PRINTED_MEANS = {"AM": MEANS["AM"], "eGM eps=0.01": MEANS["eGM"], "eGM_trec_eval eps=1e-5": TREC_EVALS}
_PAPER_SPLITS = 10_000  #: as papers.toml says
PRINTED_SPLITS: dict[str, SplitName] = {"Random": "random", "Hard-Easy": "hard_easy", "Middle-Rest": "middle_rest"}


def printed_table1() -> pd.DataFrame:
    rows = published_table("aggregation_examples").drop(columns=["x1", "x2", "x3", "x4", "x5"])
    return rows.melt("system", var_name="mean", value_name="published")


def table1(on: Evidence) -> Comparison:
    """Table 1: six averages of four systems' scores on five topics."""
    rows = published_table("aggregation_examples").set_index("system")[["x1", "x2", "x3", "x4", "x5"]].astype(float)
    averages = {name: summarise(rows.T, how, eps=eps) for name, (how, eps) in MEANS.items()}
    values: dict[CellKey, float] = {
        (system, name): float(x) for name, row in averages.items() for system, x in row.items()
    }
    best = {name: row.index[row.to_numpy() >= row.max() - 1e-9] for name, row in averages.items()}
    words = ", ".join(f"{' and '.join(names)} by {name}" for name, names in best.items())
    return Comparison(f"Which of the four systems is best depends on the average: {words}.", values)


def printed_table2() -> pd.DataFrame:
    rows = published_table("aggregation_low_scores").rename(columns={"pct_zero": "zero", "pct_le_0.1": "below 0.1"})
    return rows.melt("metric", var_name="scores", value_name="published").assign(collection="TREC9")


def table2(on: Evidence) -> Comparison:
    """Table 2: how many scores are zero, and how many are low."""
    scores = metric_scores(on.context)
    zero, below = low_shares(scores, LOW)
    values: dict[CellKey, float] = {
        (name, kind): float(100 * share)
        for kind, shares in (("zero", zero), ("below 0.1", below))
        for name, share in zip(scores.measures, shares, strict=True)
    }
    share = dict(zip(scores.measures, below.tolist(), strict=True))
    most = highest(share)
    fig = low_score_bars(scores.measures, zero, below, LOW)
    start = (
        f"{together(most)} {verb(len(most), 'has', 'have')} the largest share of scores below {LOW:g}, "
        f"{share[most[0]]:.0%}"
        if len(most) < len(share)
        else f"All measures have the same share of scores below {LOW:g}, {share[most[0]]:.0%}"
    )
    sentence = f"{start}; of standardised AP (SP) it is {share['SP']:.0%}."
    alt = f"One bar per measure: shares of scores that are zero, and that are below {LOW:g}. {sentence}"
    drawing = Drawing(fig, "Scores that are zero or low", alt)
    return Comparison(sentence, values, ({"low": drawing},), notes=_missing(scores))


def printed_table3() -> pd.DataFrame:
    return published_table("aggregation_consistency")[["collection", "split", "aggregation", "metric", "published"]]


def table3(on: Evidence) -> Comparison:
    """Table 3: agreement of two halves of the topics under three means and three splits."""
    scores = metric_scores(on.context, ("AP",))
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    for n, (split, kind) in enumerate(PRINTED_SPLITS.items(), start=1):
        for name, (how, eps) in PRINTED_MEANS.items():
            halves = halves_correlated(scores, on.trials, kind, how, eps, seed=on.seed)
            keys = [(split, name, metric) for metric in scores.measures]
            values |= dict(zip(keys, defined_mean(halves.trials)[0].tolist(), strict=True))
            tolerance |= dict(zip(keys, mean_tolerance(halves.trials, _PAPER_SPLITS).tolist(), strict=True))
        on.tell(n / len(PRINTED_SPLITS), f"{split} split")
    return Comparison("", values, tolerance=tolerance)


def _missing(scores: Scores) -> tuple[str, ...]:
    absent = [name for name in PAPER_METRICS if name not in scores.measures]
    return (f"These scores contain no {' and no '.join(absent)}.",) if absent else ()


figure1 = partial(_sweep, ("AP",), ("geometric", "harmonic"))
figure2, figure11 = partial(_halves, "tau", False), partial(_halves, "pearson", True)
figure5 = partial(_sweep, ("P@10", "RBP0.95", "nDCG"), ("geometric",))
figure6, figure8 = partial(_densities, ("RBP0.95", "P@10", "nDCG")), partial(_densities, ("AP", "SP"))
figure7 = partial(_sweep, ("AP", "SP"), ("geometric",))
figure9, figure10 = partial(_gains, "AM"), partial(_gains, "eGM_trec_eval")


# -- what the paper claims -------------------------------------------------------------------------


def _gain(on: Evidence, other: Average) -> tuple[list[str], np.ndarray, np.ndarray]:
    """By measure without SP: name, share of low scores, and what the ε-adjusted geometric mean gains over another."""
    scores = metric_scores(on.context)
    if len(scores.topics) < 2 or len(scores.systems) < 2:
        raise IrvizError("It compares rankings of systems on two sets of topics; it needs two of each at least.")
    epsilon, plain = _consistency(scores, other, on)
    gain, keep = epsilon - plain, [i for i, name in enumerate(scores.measures) if name != "SP"]
    if not np.isfinite(gain[keep]).all():
        raise IrvizError("Its coefficients are undefined here, because systems tie.")
    return [scores.measures[i] for i in keep], low_share(scores)[keep], gain[keep]


def geometric_gain(on: Evidence) -> Answer:
    names, low, gain = _gain(on, MEANS["AM"])
    words = ", ".join(f"{name} {x:.0%} low, {y:+.3f}" for name, x, y in zip(names, low, gain, strict=True))
    if not (low > 0.5).any():
        raise IrvizError(f"It has no case here: no measure has more than half of its scores below {LOW:g}.")
    return positive(gain[low > 0.5].min(), f"{words}.")


def additive(on: Evidence) -> Answer:
    names, _, gain = _gain(on, TREC_EVALS)
    return positive(gain.min(), ", ".join(f"{name} {x:+.3f}" for name, x in zip(names, gain, strict=True)) + ".")


def standardised(on: Evidence) -> Answer:
    v = on.comparison(table3)
    cases = [(split, v[split, "AM", "SP"], v[split, "AM", "AP"]) for split in ("Random", "Hard-Easy", "Middle-Rest")]
    return positive(
        min(a - b for _, a, b in cases), ", ".join(f"{s}: SP {a:.3f}, AP {b:.3f}" for s, a, b in cases) + "."
    )


def order_of_means(on: Evidence) -> Answer:
    mean = on.comparison(figure2).tables["Trials"].frame.mean()
    return falls([float(mean[f"{name}-AP"]) for name in ("eGM", "eHM", "AM", "MD")], f"{each(mean)}.")


def hard_easy(on: Evidence) -> Answer:
    v = on.comparison(table3)
    cases = [(v["Hard-Easy", a, "AP"], v["Middle-Rest", a, "AP"], a.split()[0]) for a in ("AM", "eGM eps=0.01")]
    words = ", ".join(f"{n}: {a:.3f} against {b:.3f}" for a, b, n in cases)
    return positive(min(b - a for a, b, _ in cases), f"{words}.")
