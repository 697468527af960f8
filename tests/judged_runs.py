"""Collections made of the levels of judged runs, for tests of measures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from hypothesis import strategies as st

import irviz
from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.measures.language.base import Expression, Measure

#: browsing models and aggregations with other parameters than their defaults; the rest are taken as they are
SPECIAL = {
    "P": "P@5",
    "DCG": "DCG@5",
    "INSQ": "INSQ(T=1.5)",
    "BPM": "BPM(T=1.5,K=7)",
    "PE": "PE(beta=0.3)",
}


def _each(kinds: Sequence[type[Expression]]) -> list[str]:
    return [SPECIAL.get(kind.symbol) or str(kind()) for kind in kinds]


#: every browsing model with every aggregation
CWLA = tuple(f"CWLA(C={model},A={sums})@20" for model in _each(BROWSING_MODELS) for sums in _each(AGGREGATIONS))


@cache
def measures(c: int) -> tuple[str, ...]:
    """Expressions over the whole catalogue that fit c grades above zero."""
    g = [float(x) for x in np.arange(1, c + 1) / (c * (c + 1) / 2)]
    gains = [0, 0.1, 0.35, 2.5][: c + 1]
    plain = [
        "P",
        "P@3",
        "R@3",
        "F@3",
        "gP@3",
        "gR@3",
        "gP(gains='exp')",
        f"gR(gains={gains})",
        "SBTO@3",
        "RBTO@3",
        "SBTO",
        "RBTO",
    ]
    plain += [
        "AP",
        f"AP(rel={c})@4",
        "RR",
        "Rprec",
        "Bpref",
        "Success@3",
        "Judged@3",
        "nDCG",
        "nDCG@3",
        "nDCG(dcg='exp-log2')@3",
    ]
    plain += [f"nDCG(gains={gains})"]
    plain += ["DCG", "DCG(base=3)@4", "RBP(p=0.5)", "RBP(p=0.8,gains='exp')", f"RBP(p=0.9,rel={c})", "ERR", "ERR@3"]
    plain += [f"{name}(g={g})" for name in ("GAP", "xGAP", "eGAP")] + [f"GAP(g={g})@3", "INST(T=2)@10"]
    plain += ["Interval(RR@3)", "Interval(AP@4)", "Interval(nDCG@3)", "Interval(ERR@3)", "Interval(R@3)"]
    plain += ["Interval(RBP(p=0.5)@5,attainable='topic')", "Interval(CWLA(C=RBP(p=0.7),A=max)@4,attainable='topic')"]
    plain += [*CWLA, "TOMA(nDCG@3)", "TOMA(RBTO)", "CAM(AP)", "MM(RBP(p=0.7))"]
    plain += ["DCG(discount='log2')@4", "Q", f"Q(beta=0.5,gains={gains})@3", "nERR", "nERR(gains='linear')@3"]
    plain += [
        "Compat(p=0.6)",
        "Compat(p=0.9,normalise=False)",
        f"infAP(rel={c})",
        "INSQ(T=1.5)@10",
        "BPM(T=1.5,K=7)@10",
    ]
    plain += ["alpha_nDCG", f"alpha_nDCG(rel={c},alpha=0.3)@3", "ERR_IA@3", "NRBP(beta=0.7)", "StRecall@3", "P_IA@3"]
    plain += ["nERR_IA@3", "AP_IA@4", "AP(judged_only=True)@4", "RBTO(judged_only=True)", "CWLA(judged_only=True)@20"]
    plain += ["F(beta=2)@3", "SetF(beta=0.5)", f"NumRet(rel={c})", "IPrec(recall=0.3,trec_eval='10')"]
    by_grade = "{" + ",".join(f"{grade}:{grade * grade}" for grade in range(1, c + 2)) + "}"
    plain += [f"{name}(gains={by_grade})" for name in ("gP", "nDCG", "Q", "DCG", "CWLA", "ERR")]
    sampled = {irviz.measure(name).symbol for name in plain}
    return (*plain, *(kind.symbol for kind in MEASURES if kind.symbol not in sampled))


def taken_apart(name: str) -> bool:
    """True if a measure of this kind is shown rank by rank; of several aspects, if those it is made of are."""
    kind = type(irviz.measure(name))
    return kind.parts is not Measure.parts or kind.parts_of is not Measure.parts_of


def collection(runs: Sequence[Sequence[int]], grades: Sequence[float], pool: Sequence[int] | None = None) -> Collection:
    """One topic; each run is a list of levels.  `pool[v]` documents of level v are judged, or as many as it takes."""
    counts = [max(list(run).count(v) for run in runs) for v in range(len(grades))]
    if pool is not None:
        assert all(have >= need for have, need in zip(pool, counts, strict=True)), "the pool is too small for the runs"
        counts = list(pool)
    start = np.concatenate([[0], np.cumsum(counts)])
    ranking = np.full((1, len(runs), max(map(len, runs))), BEYOND, dtype=np.int32)
    for s, run in enumerate(runs):
        taken = [0] * len(grades)
        for i, level in enumerate(run):
            ranking[0, s, i] = start[level] + taken[level]
            taken[level] += 1
    labels = np.repeat(np.arange(len(grades)), counts).astype(np.int16)[None, :, None]
    names = tuple(f"s{i}" for i in range(len(runs)))
    return Collection("test", ("1",), names, ("relevance",), (tuple(map(float, grades)),), ranking, labels)


def values(expression: str, runs: Sequence[Sequence[int]], grades: Sequence[float], pool=None) -> list[float]:
    """The scores of runs of levels."""
    return irviz.score(collection(runs, grades, pool), expression).values[0, 0].tolist()


@st.composite
def judged_runs(draw, grades: int | None = None, same_length: bool = True):
    """(levels of a few runs, grades, pool): random judged runs with a pool that holds them."""
    c = draw(st.integers(1, 3)) if grades is None else grades - 1
    level = st.integers(0, c)
    depth = draw(st.integers(1, 12))
    size = {"min_size": depth, "max_size": depth} if same_length else {"min_size": 1, "max_size": depth}
    runs = draw(st.lists(st.lists(level, **size), min_size=1, max_size=5))
    spare = draw(st.lists(st.integers(0, 4), min_size=c + 1, max_size=c + 1))
    need = [max(run.count(v) for run in runs) for v in range(c + 1)]
    return runs, tuple(map(float, range(c + 1))), [a + b for a, b in zip(need, spare, strict=True)]
