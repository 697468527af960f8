"""What Ferrante, Ferro and Losiouk 2019 claim: interval scales, correlations, significance, incomplete pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np
import pandas as pd

from irviz.errors import IrvizError
from irviz.gallery.paper import NO_PAIR, Answer, Evidence, case, each, falls, positive
from irviz.gallery.tables import prepared, self_tau, table_of
from irviz.stats.scores import score
from irviz.stats.words import ReductionName
from irviz.workspace.phrases import TOLERANCE

_DEPTH, _DEGREES = "250", {"binary": "2", "graded": "3"}
#: by relevance, the measures of Figure 1, and those of Figure 2 in the order of robustness that is claimed
_SETS = {"binary": {"SBTO": "SBTO", "RBTO": "RBTO"}, "graded": {"SBTO": "SBTO", "RBTO": "RBTO"}}
_RANKS = {
    "binary": {"low": "RBP(p=0.2)", "RBTO": "RBTO", "high": "RBP(p=0.8)", "best": "AP"},
    "graded": {"low": "RBP(p=0.2)", "RBTO": "RBTO", "high": "RBP(p=0.8)", "best": "DCG(base=10,gains=[0,5,10])"},
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
    same = {k: v for k, v in table_of(on, "scales.table1").values.items() if k[-1] == TOPIC and (k[1], k[3]) in SAME}
    ranks = table_of(on, "scales.table2")
    rbp = {name: ranks[*k, "RBTO", TOPIC] for name, k in RBTO_LIKE.items() if (*k, "RBTO", TOPIC) in ranks.values}
    sets = each({f"{k[1]}–{k[3]}": v for k, v in same.items()}, 4)
    like = each({f"{name}–RBTO": v for name, v in rbp.items()}, 4)
    low, least = min(same.values()), min(rbp.values())
    return min(low - 1, least - 0.995), f"τ topic by topic: {sets}; {like}.", low > 1 - TOLERANCE and least > 0.995


def recall_overall(on: Evidence) -> Answer:
    values = table_of(on, "scales.table1")
    tau = {name: values["binary", name, "", "SBTO", OVER] for name in ("Precision", "F-measure", "Recall")}
    return falls([*tau.values()], f"τ with SBTO overall: {each(tau, 4)}.", strictly=True)


def departing(on: Evidence) -> Answer:
    values = table_of(on, "scales.table2")
    tau = {words: values["binary", *name, "RBTO", TOPIC] for words, name in DEPARTING.items()}
    return falls([*tau.values()], f"τ with RBTO topic by topic: {each(tau)}.")


def err_near(on: Evidence) -> Answer:
    values = table_of(on, "scales.table2")
    err, rbp = (values["graded", *name, "RBTO", TOPIC] for name in (("ERR", ""), ("gRBP", "p=0.8")))
    return positive(err - rbp, f"τ with RBTO topic by topic: ERR {err:.3f}, gRBP(.8) {rbp:.3f}.")


def anova_power(on: Evidence) -> Answer:
    tables = table_of(on, "scales.table3"), table_of(on, "scales.table4")
    pairs = [(table[k], table[*k[:-1], KRUSKAL], k) for table in tables for k in table.values if k[-1] == ANOVA]
    case([0, *(x for a, b, _ in pairs for x in (a, b))], NO_PAIR)
    less = [f"{k[1]} {k[2]}".strip() + f" ({k[0]}: {a:.1f} against {b:.1f}%)" for a, b, k in pairs if a <= b]
    words = f"More pairs in {len(pairs) - len(less)} of {len(pairs)} cases"
    return positive(min(a - b for a, b, _ in pairs) / 100, f"{words}{'; not with ' * bool(less)}{', '.join(less)}.")


def _power(on: Evidence, cases: Sequence[Case], test: str) -> list[tuple[str, float, float]]:
    """Shares of pairs under a measure and under RBTO, in percent; graded ones only where grades are."""
    values = table_of(on, "scales.table4")
    here = [case for case in cases if (*case, test) in values.values]
    return [(" ".join(case[1:]).strip(), values[*case, test], values[case[0], "RBTO", "", test]) for case in here]


def _shares(cases: Sequence[tuple[str, float, float]]) -> str:
    return ", ".join(f"{name} {a:.1f} against {b:.1f}%" for name, a, b in cases)


def ordinal_power(on: Evidence) -> Answer:
    less, same = _power(on, ORDINAL, ANOVA), _power(on, ORDINAL, KRUSKAL)
    case([0, *(x for _, a, b in less for x in (a, b))], NO_PAIR)
    beyond = 0.5 - max(abs(a - b) for _, a, b in same)  # counts only where it is exceeded: it is no effect
    slack = min([*(b - a for _, a, b in less), *([beyond] if beyond <= 0 else [])]) / 100
    words = f"Under ANOVA, compared with RBTO: {_shares(less)}; under Kruskal-Wallis: {_shares(same)}."
    return positive(slack, words)


def neither_power(on: Evidence) -> Answer:
    cases = _power(on, NEITHER, ANOVA)
    case([0, *(x for _, a, b in cases for x in (a, b))], NO_PAIR)
    return positive(min(a - b for _, a, b in cases) / 100, f"Under ANOVA, compared with RBTO: {_shares(cases)}.")


def sbto_robust(on: Evidence) -> Answer:
    cases = [(name, tau.loc["SBTO"], tau.loc["RBTO"]) for name, tau in _pools(on, _SETS).items()]
    words = "; ".join(f"{name}: SBTO {a['5%']:.2f}, RBTO {b['5%']:.2f}" for name, a, b in cases)
    slacks = np.array([(a - b).to_numpy() for _, a, b in cases])
    case([0, *slacks.flat], "the curves are the same")
    slack = float(np.min(slacks))
    return slack, f"Self-τ with 5% of the pool: {words}.", slack >= 0


def rank_robust(on: Evidence) -> Answer:
    slack, words = [], []
    for name, tau in _pools(on, _RANKS).items():
        order = tau.mean(axis=1).tolist()
        slack += np.diff(order).tolist()
        words.append(f"{name}: " + ", ".join(f"{tau:.2f}" for tau in order))
    case([0, *slack], "all mean self-τ are equal")
    numbers = f"Mean self-τ over the shares, in the order claimed: {'; '.join(words)}."
    least = float(np.min(slack))
    return least, numbers, least >= 0
