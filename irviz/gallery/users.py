"""What Chen and Sakai 2023 claim: browsing models and aggregations (C/W/L/A)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

import numpy as np
import pandas as pd

from irviz.errors import IrvizError
from irviz.gallery.paper import Answer, Evidence, case, each
from irviz.measures import measure
from irviz.measures.cwla import CWLA
from irviz.stats.consistency import halves_correlated
from irviz.stats.correlation import defined_mean
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.workspace.phrases import TOLERANCE

BROWSING = {"Precision": "P@10", "DCG": "DCG@10", "RBP": "RBP(p=0.8)", "INST": "INST(T=2.25)", "AP": "AP", "ERR": "ERR"}
_AGGREGATIONS = ("ETG", "ERG", "avg", "max", "fin", "PE", "ERR")
EQUAL = (("Precision", "ETG"), ("Precision", "avg"), ("DCG", "ETG"), ("RBP", "ETG"))  #: curves equal to ERG's
_ALPHA = 0.05


@cache
def aggregations(model: str) -> tuple[str, ...]:
    """The aggregations of one browsing model that give more than a constant (Table 1)."""
    return tuple(kind for kind in _AGGREGATIONS if not cast(CWLA, measure(expression_of(model, kind))).constant)


def expression_of(model: str, aggregation: str, cutoff: str = "") -> str:
    inner = "PE(beta=0.5)" if aggregation == "PE" else aggregation
    return f"CWLA(C={BROWSING[model]},A={inner}){cutoff}"


def same_rankings(on: Evidence) -> Answer:
    pairs = [(model, "ETG") for model in ("Precision", "DCG", "RBP")] + [("Precision", "avg")]
    names = dict.fromkeys(name for model, kind in pairs for name in ((model, "ERG"), (model, kind)))
    values = similarity(on.context.scores([expression_of(*name) for name in names])).values
    places = list(names)
    tau = [float(values[places.index((model, "ERG")), places.index((model, kind))]) for model, kind in pairs]
    if not np.isfinite(tau).all():
        raise IrvizError("Its coefficients are undefined here, because systems tie.")
    return min(tau) - 1, f"τ: {', '.join(f'{x:.3f}' for x in tau)}.", min(tau) > 1 - TOLERANCE


def _means(on: Evidence) -> dict[tuple[str, str], float]:
    """Mean τ of random halves of every combination, as in Table 3."""
    names = [(model, kind) for model in BROWSING for kind in aggregations(model)]
    scores = on.context.scores([expression_of(*name) for name in names])
    mean = dict(zip(names, defined_mean(halves_correlated(scores, on.trials, seed=on.seed).trials)[0], strict=True))
    for (model, kind), value in mean.items():
        if not np.isfinite(value):
            raise IrvizError(f"{model} {kind} is undefined here, because systems tie.")
    return mean


def _places(on: Evidence) -> dict[str, dict[str, float]]:
    """Aggregations of each browsing model with their consistency, best first."""
    mean = on.once(_means)
    tau = {model: {kind: float(mean[model, kind]) for kind in aggregations(model)} for model in BROWSING}
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
    keys = [(m, kind) for m in ("DCG", "RBP", "INST", "ERR") for kind in aggregations(m) if (m, kind) not in EQUAL]
    scores = on.context.scores([expression_of(*key, "@10") for key in keys])
    power = discriminative_power(scores, trials=on.trials, alpha=_ALPHA, seed=on.seed, progress=on.context.progress)
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
