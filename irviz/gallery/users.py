"""What Chen and Sakai 2023 claim: browsing models and aggregations (C/W/L/A)."""

from __future__ import annotations

from functools import cache
from typing import cast

import numpy as np
import pandas as pd

from irviz.errors import IrvizError
from irviz.gallery.paper import Answer, Evidence, case
from irviz.gallery.tables import table_of
from irviz.measures import measure
from irviz.measures.cwla import CWLA
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
    names = dict.fromkeys(name for model, kind in EQUAL for name in ((model, "ERG"), (model, kind)))
    values = similarity(on.context.scores([expression_of(*name) for name in names])).values
    places = list(names)
    tau = {" ".join(key): float(values[places.index((key[0], "ERG")), places.index(key)]) for key in EQUAL}
    if not np.isfinite([*tau.values()]).all():
        raise IrvizError("Its coefficients are undefined here, because systems tie.")
    least = min(tau.values())
    return least - 1, tau, least > 1 - TOLERANCE


def _places(on: Evidence) -> dict[str, dict[str, float]]:
    """Aggregations of each browsing model with their mean τ of random halves, best first."""
    mean = table_of(on, "users.table3")
    tau = {model: {kind: mean[model, kind] for kind in aggregations(model)} for model in BROWSING}
    return {model: dict(sorted(of.items(), key=lambda one: -one[1])) for model, of in tau.items()}


def _five_of_six(slacks: dict[str, float]) -> Answer:
    """Seen where the slack is not below 0 under at least five of six browsing models."""
    fifth = sorted(slacks.values(), reverse=True)[4]
    return fifth, slacks, fifth >= -TOLERANCE


def erg_consistent(on: Evidence) -> Answer:
    tau = _places(on)
    return _five_of_six({m: of["ERG"] - [v for k, v in of.items() if k != "ERG"][1] for m, of in tau.items()})


def max_consistent(on: Evidence) -> Answer:
    tau = _places(on)
    return _five_of_six({m: [v for k, v in of.items() if k != "max"][-2] - of["max"] for m, of in tau.items()})


def err_specialised(on: Evidence) -> Answer:
    places = _places(on)
    tau = {model: places[model] for model in ("ERR", "INST", "AP")}
    rank = {model: list(of).index("ERR") + 1 for model, of in tau.items()}
    own = {model: of.pop("ERR") for model, of in tau.items()}
    others = {model: sorted(of.values()) for model, of in tau.items()}
    slack = min(own["ERR"] - others["ERR"][-3], others["INST"][1] - own["INST"], others["AP"][1] - own["AP"])
    seen = rank["ERR"] <= 3 and rank["INST"] >= 6 and rank["AP"] >= 6
    return slack, own | {f"place of 7 under {model}": place for model, place in rank.items()}, seen


def max_weak(on: Evidence) -> Answer:
    keys = [(m, kind) for m in ("DCG", "RBP", "INST", "ERR") for kind in aggregations(m) if (m, kind) not in EQUAL]
    scores = on.context.scores([expression_of(*key, "@10") for key in keys])
    power = discriminative_power(scores, trials=on.trials, alpha=_ALPHA, seed=on.seed, progress=on.context.progress)
    counts = pd.Series([result.significant for result in power.results], pd.MultiIndex.from_tuples(keys))
    pairs, slacks = power.results[0].pairs, []
    numbers: dict[str, float] = {}
    for model, of in counts.groupby(level=0, sort=False):
        of = of.droplevel(0)
        case(of, f"under {model} all aggregations separate as many pairs")
        least = of.drop("max").min()
        slacks.append((least - of["max"]) / pairs)
        numbers |= {f"{model} max": int(of["max"]), f"{model} fewest of others": int(least)}
    return min(slacks), numbers | {"all pairs": pairs}, min(slacks) >= 0
