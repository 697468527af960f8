"""The eleven figures of Ravana and Moffat 2009: ε sweeps, densities, and gains against low scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from irviz.analysis.consistency import EpsilonSweep, consistency, epsilon_sweep
from irviz.analysis.ranking.correlation import kendall_tau
from irviz.figures.densities import densities, ridges
from irviz.figures.epsilon import epsilon_curves
from irviz.gallery.item import Found, Item, RandomTrials
from irviz.gallery.means.metrics import PAPER_METRICS, loaded_and_bundled, low_share, metric_scores
from irviz.gallery.means.scatter import gain_scatter
from irviz.scores import Scores
from irviz.workspace.averages import EPS_SWEPT
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.words import counted, falling, spelled, written_out

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


def items(needs: str) -> tuple[Item, ...]:
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
