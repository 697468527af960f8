"""Findings of Ravana & Moffat 2009."""

from __future__ import annotations

import numpy as np

from benchmarks.findings.data import DRAWS, SCORED, Data, Finding, each
from irviz.gallery.means import low_share, metric_scores
from irviz.stats.consistency import consistency
from irviz.stats.correlation import kendall_tau

CITE = "Ravana & Moffat 2009"
SPLITS = ("Random", "Hard-Easy", "Middle-Rest")


def geometric_gain(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        scores = metric_scores(data.contexts[where])
        low = low_share(scores)
        gain = _gain(data, where, "mean", None)
        keep = [i for i, name in enumerate(scores.measures) if name != "SP"]
        tau = kendall_tau(np.stack([low[keep], gain[keep]]))[0, 1] if len(keep) > 2 else np.nan
        words = ", ".join(f"{scores.measures[i]} {low[i]:.0%} low, {gain[i]:+.3f}" for i in keep)
        wrong = [i for i in keep if (gain[i] > 0) != (low[i] > 0.5)]
        return not wrong, f"{words}" + (
            f"; τ between the share of low scores and the gain {tau:.2f}." if np.isfinite(tau) else "."
        )

    return Finding(
        CITE,
        "the ε-adjusted geometric mean is more consistent than the arithmetic one exactly where most scores "
        "are below 0.1",
        each(SCORED, ask),
        "The signed numbers are the gain: mean τ of topic halves under the geometric mean (ε = 0.01) minus that under "
        "the arithmetic mean.",
    )


def _gain(data: Data, where: str, how: str, eps: float | None) -> np.ndarray:
    """By measure, what the ε-adjusted geometric mean gains in consistency over another mean."""
    scores = metric_scores(data.contexts[where])
    means = [
        consistency(scores, DRAWS.trials, "random", h, e, seed=DRAWS.seed).mean
        for h, e in (("geometric", 0.01), (how, eps))
    ]
    return means[0] - means[1]


def additive(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        scores, gain = metric_scores(data.contexts[where]), _gain(data, where, "geometric_threshold", 1e-5)
        words = ", ".join(f"{name} {x:+.3f}" for name, x in zip(scores.measures, gain, strict=True) if name != "SP")
        return all(x > 0 for name, x in zip(scores.measures, gain, strict=True) if name != "SP"), f"{words}."

    return Finding(
        CITE, "adding ε is more consistent than trec_eval's threshold, for every measure but SP", each(SCORED, ask)
    )


def standardised(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "means", "table3").values
        cases = [
            (split, v[split, "AM", "SP"], v[split, "AM", "AP"]) for split in ("Random", "Hard-Easy", "Middle-Rest")
        ]
        return all(a > b for _, a, b in cases), ", ".join(f"{s}: SP {a:.3f}, AP {b:.3f}" for s, a, b in cases) + "."

    return Finding(
        CITE,
        "standardised AP is more consistent than AP under the arithmetic mean, under every split",
        each(SCORED, ask),
    )


def order_of_means(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        trials = data.gallery(where, "means", "figure2").tables["Trials"].frame.mean()
        order = [trials[f"{name}-AP"] for name in ("eGM", "eHM", "AM", "MD")]
        return order == sorted(order, reverse=True), ", ".join(f"{name} {x:.3f}" for name, x in trials.items()) + "."

    return Finding(CITE, "for AP, consistency decreases in the order eGM, eHM, AM, median (TREC9)", each(SCORED, ask))


def hard_easy(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "means", "table3").values
        cases = [(v["Hard-Easy", a, "AP"], v["Middle-Rest", a, "AP"], a.split()[0]) for a in ("AM", "eGM eps=0.01")]
        return all(a < b for a, b, _ in cases), ", ".join(f"{n}: {a:.3f} against {b:.3f}" for a, b, n in cases) + "."

    return Finding(
        CITE, "hard and easy topics agree less than topics of medium hardness and the rest", each(SCORED, ask)
    )


CLAIMS = (geometric_gain, additive, standardised, order_of_means, hard_easy)
