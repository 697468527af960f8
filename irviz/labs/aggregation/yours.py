"""Aggregation on the loaded collection: consistency over ε, and the low scores that predict it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, counted, listed, verb
from irviz.figures.densities import epsilon_curves
from irviz.labs.aggregation.figures import low_scores
from irviz.stats.consistency import epsilon_sweep
from irviz.stats.correlation import pearson
from irviz.stats.scores import Scores
from irviz.workspace.averages import LOW, low_shares
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import extremes, number

COARSE = 10.0 ** np.arange(-6, 2.1)
_TRIALS = 100
Floats = NDArray[np.float64]


def on_collection(context: Context, how: str, eps: float) -> Panel:
    """Consistency of the chosen measures over ε, and the share of low scores that predicts it."""
    if len(context.topics) < 2 or len(context.systems) < 3:
        raise IrvizError(
            "Consistency compares rankings on halves of the topics: it needs two topics and three systems."
        )
    scores = without_negative(context.scores())
    sweep = context.remember(epsilon_sweep, scores, COARSE, how, trials=_TRIALS)
    near = int(np.abs(np.log10(COARSE) - np.log10(eps)).argmin())
    zero, share = low_shares(scores, LOW)
    gain = sweep.mean[:, near] - sweep.reference
    sentence = _yours_sentence(context, scores.measures, share, gain, how, float(COARSE[near]))
    frame = pd.DataFrame(
        {
            "measure": list(scores.measures),
            "scores at 0": zero,
            f"scores below {LOW:g}": share,
            "τ, arithmetic mean": sweep.reference,
            f"τ, ε-{how} mean, ε = {COARSE[near]:g}": sweep.mean[:, near],
        }
    )
    return Panel(
        sentence=sentence,
        drawings=(
            {
                "yours": Drawing(
                    epsilon_curves(sweep.measures, sweep.eps, sweep.mean, sweep.reference, eps, "τ"),
                    f"Consistency of the ε-{how} mean over ε",
                    sentence,
                ),
                "low": Drawing(
                    low_scores(scores.measures, share, gain, "εGM" if how == "geometric" else "εHM"),
                    "Low scores, and what ε adds to consistency",
                    sentence,
                ),
            },
        ),
        tables={
            "Measures": Table(frame, "One row per measure: low scores, and mean τ between random halves.", digits=3)
        },
        notes=(
            f"Mean of Kendall's τ over {_TRIALS} random halves of the topics, the same for all measures and ε. Open "
            "circles are the arithmetic mean.",
        ),
    )


def without_negative(scores: Scores) -> Scores:
    """The measures without negative scores: the others have no geometric mean."""
    names = [name for name, values in zip(scores.measures, scores.values, strict=True) if values.min() >= 0]
    if not names:
        raise IrvizError("Every chosen measure has negative scores, and those have no geometric or harmonic mean.")
    return scores.select(names)


def _yours_sentence(context: Context, names: Sequence[str], share: Floats, gain: Floats, how: str, eps: float) -> str:
    gains = [name for name, more in zip(names, gain, strict=True) if more > 1e-9]
    most = listed([f"`{names[i]}`" for i in extremes(share)], joiner="and")
    better = f"{len(gains) or 'none'} of {counted(len(names), 'measure')}"
    text = (
        f"On {context.opened.named}, {most} {verb(len(extremes(share)), 'has', 'have')} the most low scores "
        f"({share.max():.0%} below {LOW:g}). With ε = {eps:g} the ε-{how} mean is more consistent than the "
        f"arithmetic one for {better}"
    )
    known = np.isfinite(gain)
    if known.sum() < 3 or np.ptp(share[known]) == 0 or np.ptp(gain[known]) == 0:
        return text + "."
    r = float(pearson(np.stack([share[known], gain[known]]))[0, 1])
    agrees = "as" if r > 0 else "unlike what"
    return text + f"; low scores and gain correlate with r = {number(r, 2)}, {agrees} the paper found."
