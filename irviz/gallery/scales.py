"""What Ferrante, Ferro and Losiouk 2019 claim: interval scales, correlations, significance, incomplete pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np
import pandas as pd

from irviz.errors import IrvizError
from irviz.gallery.paper import NO_PAIR, Answer, Evidence, case, falls, positive
from irviz.gallery.tables import prepared, self_tau, table_of
from irviz.stats.scores import score
from irviz.stats.words import ReductionName
from irviz.workspace.phrases import TOLERANCE

_DEPTH, _DEGREES = "250", {"binary": "2", "graded": "3"}
#: by relevance, the measures of Figure 1, and those of Figure 2 in the order of robustness that is claimed
_SETS = {"binary": {"SBTO": "SBTO", "RBTO": "RBTO"}, "graded": {"SBTO": "SBTO", "RBTO": "RBTO"}}
_RANKS = {
    "binary": {"RBP(.2)": "RBP(p=0.2)", "RBTO": "RBTO", "RBP(.8)": "RBP(p=0.8)", "AP": "AP"},
    "graded": {
        "gRBP(.2)": "RBP(p=0.2)",
        "RBTO": "RBTO",
        "gRBP(.8)": "RBP(p=0.8)",
        "DCG": "DCG(base=10,gains=[0,5,10])",
    },
}


def _pools(on: Evidence, kinds: Mapping[str, Mapping[str, str]]) -> dict[str, pd.DataFrame]:
    """Self-τ under reduced pools: binary and, where there are grades, graded; stratified and uniform."""
    parts = {}
    for relevance, degrees in _DEGREES.items():
        try:
            context, _ = on.once(prepared, degrees, _DEPTH, "", "")
        except IrvizError:
            if relevance == "binary":
                raise
            continue  # a collection without grades has no graded half
        collection = context.collection
        measures = {name: f"{text}@{collection.depth}" for name, text in kinds[relevance].items()}
        full = score(collection, list(measures.values()))
        for method in get_args(ReductionName):
            parts[f"{relevance} {method}"] = self_tau(on, collection, measures, method, full)
    return parts


TOPIC, OVER, ANOVA, KRUSKAL = "Topic by topic", "Overall", "anova_tukey", "kruskal_tukey"
Case = tuple[str, str, str]  #: relevance, and a measure with its parameters
#: the measures that share the ordinal scale of RBTO, and those on neither scale
ORDINAL: tuple[Case, ...] = (("binary", "RBP", "p=0.2"), ("graded", "gRBP", "p=0.2"))
NEITHER: tuple[Case, ...] = (
    ("binary", "RBP", "p=0.8"),
    ("binary", "AP", ""),
    ("graded", "gRBP", "p=0.8"),
    ("graded", "DCG", ""),
    ("graded", "ERR", ""),
)
SAME = (("Precision", "SBTO"), ("Recall", "SBTO"), ("F-measure", "SBTO"), ("gP", "gR"))
RBTO_LIKE = {"RBP(½)": ("binary", "RBP", "p=1/2"), "gRBP(⅓)": ("graded", "gRBP", "p=1/3")}
DEPARTING = {"p = ½": ("RBP", "p=1/2"), "p = .2": ("RBP", "p=0.2"), "p = .8": ("RBP", "p=0.8"), "AP": ("AP", "")}


def one_scale(on: Evidence) -> Answer:
    sets, ranks = table_of(on, "scales.table1").values, table_of(on, "scales.table2")
    same = {f"{k[1]}–{k[3]}": v for k, v in sets.items() if k[-1] == TOPIC and (k[1], k[3]) in SAME}
    rbp = {
        f"{name}–RBTO": ranks[*k, "RBTO", TOPIC] for name, k in RBTO_LIKE.items() if (*k, "RBTO", TOPIC) in ranks.values
    }
    low, least = min(same.values()), min(rbp.values())
    return min(low - 1, least - 0.995), same | rbp, low > 1 - TOLERANCE and least > 0.995


def recall_overall(on: Evidence) -> Answer:
    values = table_of(on, "scales.table1")
    return falls(
        {name: values["binary", name, "", "SBTO", OVER] for name in ("Precision", "F-measure", "Recall")}, True
    )


def departing(on: Evidence) -> Answer:
    values = table_of(on, "scales.table2")
    return falls({words: values["binary", *name, "RBTO", TOPIC] for words, name in DEPARTING.items()})


def err_near(on: Evidence) -> Answer:
    values = table_of(on, "scales.table2")
    err, rbp = (values["graded", *name, "RBTO", TOPIC] for name in (("ERR", ""), ("gRBP", "p=0.8")))
    return positive(err - rbp, {"ERR": err, "gRBP(.8)": rbp})


def _more(pairs: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """By how many percentage points the first of two shares is larger; no case where no pair is separated."""
    case([0, *(share for both in pairs.values() for share in both)], NO_PAIR)
    return {name: a - b for name, (a, b) in pairs.items()}


def anova_power(on: Evidence) -> Answer:
    tables = table_of(on, "scales.table3"), table_of(on, "scales.table4")
    keys = [(values, key[:-1]) for values in tables for key in values.values if key[-1] == ANOVA]
    more = _more({" ".join(filter(None, k)): (values[*k, ANOVA], values[*k, KRUSKAL]) for values, k in keys})
    return positive(min(more.values()) / 100, more)


def _power(on: Evidence, cases: Sequence[Case], test: str) -> dict[str, tuple[float, float]]:
    """Shares of pairs under a measure and under RBTO, in percent; graded ones only where grades are."""
    values = table_of(on, "scales.table4")
    here = [case for case in cases if (*case, test) in values.values]
    return {" ".join(case[1:]).strip(): (values[*case, test], values[case[0], "RBTO", "", test]) for case in here}


def ordinal_power(on: Evidence) -> Answer:
    anova = _more(_power(on, ORDINAL, ANOVA))
    kruskal = {name: a - b for name, (a, b) in _power(on, ORDINAL, KRUSKAL).items()}
    beyond = 0.5 - max(map(abs, kruskal.values()))  # counts only where it is exceeded: it is no effect
    slack = min([*(-more for more in anova.values()), *([beyond] if beyond <= 0 else [])]) / 100
    tests = {"ANOVA": anova, "Kruskal-Wallis": kruskal}
    return positive(slack, {f"{name} {test}": more for test, of in tests.items() for name, more in of.items()})


def neither_power(on: Evidence) -> Answer:
    more = _more(_power(on, NEITHER, ANOVA))
    return positive(min(more.values()) / 100, more)


def sbto_robust(on: Evidence) -> Answer:
    pools = _pools(on, _SETS)
    slacks = np.array([(tau.loc["SBTO"] - tau.loc["RBTO"]).to_numpy() for tau in pools.values()])
    case([0, *slacks.flat], "the curves are the same")
    slack = float(np.min(slacks))
    return slack, {f"{name} {m}": tau.loc[m, "5%"] for name, tau in pools.items() for m in tau.index}, slack >= 0


def rank_robust(on: Evidence) -> Answer:
    means = {name: tau.mean(axis=1) for name, tau in _pools(on, _RANKS).items()}
    slack = [float(step) for mean in means.values() for step in np.diff(mean)]
    case([0, *slack], "all mean self-τ are equal")
    return min(slack), {f"{name} {m}": x for name, mean in means.items() for m, x in mean.items()}, min(slack) >= 0
