"""Ravana and Moffat 2009: averages over topics, what no page computes of it and what it claims."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.gallery.paper import Answer, CellKey, Comparison, Evidence, falls, positive, published_table
from irviz.gallery.tables import table_of
from irviz.gallery.tolerance import mean_tolerance
from irviz.stats.aggregate import summarise
from irviz.stats.consistency import halves_correlated
from irviz.stats.correlation import defined_mean
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import standardised_scores
from irviz.stats.words import Average, SplitName
from irviz.workspace.averages import LOW, low_shares
from irviz.workspace.cache import stack
from irviz.workspace.context import Context

Floats = NDArray[np.float64]
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


_EPS = 0.01
MEANS: dict[str, Average] = {
    "AM": ("mean", None),
    "GM": ("geometric", 0.0),
    "eGM": ("geometric", _EPS),
    "HM": ("harmonic", 0.0),
    "eHM": ("harmonic", _EPS),
    "MD": ("median", None),
}
AVERAGES = MEANS | {"eGM_trec_eval": ("geometric_threshold", 1e-5)}
PRINTED_MEANS = {name: AVERAGES[name.split()[0]] for name in ("AM", "eGM eps=0.01", "eGM_trec_eval eps=1e-5")}
PRINTED_SPLITS: dict[str, SplitName] = {"Random": "random", "Hard-Easy": "hard_easy", "Middle-Rest": "middle_rest"}
_PAPER_SPLITS = 10_000  #: as papers.toml says


def six_averages(on: Evidence) -> Comparison:
    """Table 1: six averages of four systems' scores on five topics."""
    rows = published_table("aggregation_examples").set_index("system")[["x1", "x2", "x3", "x4", "x5"]].astype(float)
    averages = {name: summarise(rows.T, how, eps=eps) for name, (how, eps) in MEANS.items()}
    return Comparison({(str(system), name): float(x) for name, row in averages.items() for system, x in row.items()})


def low_scores(on: Evidence) -> Comparison:
    """Table 2: how many scores are zero, and how many are low."""
    scores = metric_scores(on.context)
    shares = dict(zip(("pct_zero", "pct_le_0.1"), low_shares(scores, LOW), strict=True))
    return Comparison(
        {(name, k): float(100 * x) for k, row in shares.items() for name, x in zip(scores.measures, row, strict=True)}
    )


def halves(on: Evidence) -> Comparison:
    """Table 3: agreement of two halves of the topics under three means and three splits."""
    scores = metric_scores(on.context, ("AP",))
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    for n, (split, kind) in enumerate(PRINTED_SPLITS.items(), start=1):
        for name, (how, eps) in PRINTED_MEANS.items():
            found = halves_correlated(scores, on.trials, kind, how, eps, seed=on.seed)
            keys = [(split, name, metric) for metric in scores.measures]
            values |= dict(zip(keys, defined_mean(found.trials)[0].tolist(), strict=True))
            tolerance |= dict(zip(keys, mean_tolerance(found.trials, _PAPER_SPLITS).tolist(), strict=True))
        on.tell(n / len(PRINTED_SPLITS), f"{split} split")
    return Comparison(values, tolerance=tolerance)


# -- what the paper claims -------------------------------------------------------------------------


def _mean_tau(on: Evidence, scores: Scores, name: str) -> Floats:
    """Mean τ of random halves of the topics, by measure, under one of `AVERAGES`."""
    how, eps = AVERAGES[name]
    ask = partial(on.context.remember, halves_correlated, scores, on.trials, seed=on.seed)
    return defined_mean(ask(summary=how, eps=eps).trials)[0]


def _gain(on: Evidence, other: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """By measure without SP: name, share of low scores, and what the ε-adjusted geometric mean gains over another."""
    scores = metric_scores(on.context)
    if len(scores.topics) < 2 or len(scores.systems) < 2:
        raise IrvizError("It compares rankings of systems on two sets of topics; it needs two of each at least.")
    gain = _mean_tau(on, scores, "eGM") - _mean_tau(on, scores, other)
    keep = [i for i, name in enumerate(scores.measures) if name != "SP"]
    if not np.isfinite(gain[keep]).all():
        raise IrvizError("Its coefficients are undefined here, because systems tie.")
    return [scores.measures[i] for i in keep], low_shares(scores, LOW)[1][keep], gain[keep]


def geometric_gain(on: Evidence) -> Answer:
    names, low, gain = _gain(on, "AM")
    if not (low > 0.5).any():
        raise IrvizError(f"It has no case here: no measure has more than half of its scores below {LOW:g}.")
    numbers = {f"{name} ({share:.0%} low)": x for name, share, x in zip(names, low, gain, strict=True)}
    return positive(gain[low > 0.5].min(), numbers)


def additive(on: Evidence) -> Answer:
    names, _, gain = _gain(on, "eGM_trec_eval")
    return positive(gain.min(), dict(zip(names, gain, strict=True)))


def standardised(on: Evidence) -> Answer:
    v = table_of(on, "means.table3")
    gain = min(v[split, "AM", "SP"] - v[split, "AM", "AP"] for split in PRINTED_SPLITS)
    return positive(
        gain, {f"{name} {split}": v[split, "AM", name] for split in PRINTED_SPLITS for name in ("SP", "AP")}
    )


def order_of_means(on: Evidence) -> Answer:
    scores = metric_scores(on.context, ("AP",)).select(["AP"])
    return falls({f"{name}-AP": float(_mean_tau(on, scores, name)[0]) for name in ("eGM", "eHM", "AM", "MD")})


def hard_easy(on: Evidence) -> Answer:
    v, splits = table_of(on, "means.table3"), ("Hard-Easy", "Middle-Rest")
    tau = {name: [v[split, name, "AP"] for split in splits] for name in ("AM", "eGM eps=0.01")}
    numbers = {f"{name.split()[0]} {s}": x for name, of in tau.items() for s, x in zip(splits, of, strict=True)}
    return positive(min(middle - hard for hard, middle in tau.values()), numbers)
