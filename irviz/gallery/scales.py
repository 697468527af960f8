"""Ferrante, Ferro and Losiouk 2019: interval scales, correlations, significance, incomplete pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import get_args

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError, number_of
from irviz.gallery.paper import (
    NO_PAIR,
    Answer,
    CellKey,
    Comparison,
    Evidence,
    case,
    each,
    falls,
    positive,
    published_table,
)
from irviz.gallery.sources import (
    context_scores,
    curves,
    merged_note,
    reduction,
    self_tau,
    tau_table,
    with_degrees,
    with_systems,
)
from irviz.stats.scores import Scores, score
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.stats.words import ReductionName
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import TOLERANCE

PAPER_DEPTH = 250  #: to which the paper trims its runs
_JUDGMENT_KINDS = {"T08": "binary", "T26": "graded"}
DEGREES = {"binary": 2, "graded": 3}
MODES = {"topic_by_topic": "topic by topic", "overall": "overall"}
_TESTS = {"kruskal_wallis": ("kruskal_tukey", "Kruskal-Wallis"), "anova": ("anova_tukey", "ANOVA")}
#: by relevance: the paper's names of measures with their parameters → expressions; N is the length of the runs
_EXPRESSIONS: dict[str, dict[tuple[str, str], str]] = {
    "binary": {
        ("Precision", ""): "P@N",
        ("Recall", ""): "R@N",
        ("F-measure", ""): "F@N",
        ("SBTO", ""): "SBTO@N",
        ("RBTO", ""): "RBTO@N",
        ("RBP", "p=1/2"): "RBP(p=0.5)@N",
        ("RBP", "p=0.2"): "RBP(p=0.2)@N",
        ("RBP", "p=0.8"): "RBP(p=0.8)@N",
        ("AP", ""): "AP@N",
    },
    "graded": {
        ("gP", ""): "gP@N",
        ("gR", ""): "gR@N",
        ("SBTO", ""): "SBTO@N",
        ("RBTO", ""): "RBTO@N",
        ("RBTO", "W2=[0,2,4]"): "RBTO(weights=[0,2,4])@N",
        ("RBTO", "W3=[0,1,3]"): "RBTO(weights=[0,1,3])@N",
        ("gRBP", "p=1/3"): "RBP(p=1/3)@N",
        ("gRBP", "p=1/3;W3=[0,1,3]"): "RBP(p=1/3,gains=[0,1,3])@N",
        ("gRBP", "p=0.2"): "RBP(p=0.2)@N",
        ("gRBP", "p=0.8"): "RBP(p=0.8)@N",
        ("DCG", ""): "DCG(base=10,gains=[0,5,10])@N",
        ("ERR", ""): "ERR(gains=[0,5,10])@N",
    },
}
_SET_MEASURES = {
    "binary": (("SBTO", ""), ("Precision", ""), ("Recall", ""), ("F-measure", ""), ("RBTO", "")),
    "graded": (("SBTO", ""), ("gP", ""), ("gR", ""), ("RBTO", "")),
}
_RANK_MEASURES = {
    "binary": (("RBTO", ""), ("RBP", "p=1/2"), ("RBP", "p=0.2"), ("RBP", "p=0.8"), ("AP", "")),
    "graded": (("RBTO", ""), ("gRBP", "p=1/3"), ("gRBP", "p=0.2"), ("gRBP", "p=0.8"), ("DCG", ""), ("ERR", "")),
}


def _halves(whole: Collection) -> tuple[dict[str, Collection], tuple[str, ...]]:
    """A collection as a binary and as a graded one, cut to the paper's depth; one that it lacks is missing. Notes."""
    cut = whole if whole.depth <= PAPER_DEPTH else whole.subset(depth=PAPER_DEPTH)
    had: dict[str, Collection] = {}
    other = f"Runs have at most {number_of(cut.depth, 'document')}; the paper cuts them to {PAPER_DEPTH}."
    same = f"Runs are cut to {PAPER_DEPTH} documents, as in the paper."
    notes: tuple[str, ...] = (same if cut.depth == PAPER_DEPTH else other,)
    for name, degrees in DEGREES.items():
        try:
            had[name] = with_degrees(cut, degrees)
            notes += merged_note(cut, degrees)
        except IrvizError as error:
            if name == "binary":
                raise
            notes += (f"The half on graded relevance is left out. {error}",)
    return had, notes


def _measure(relevance: str, name: tuple[str, str], depth: int) -> str:
    return _EXPRESSIONS[relevance][name].replace("@N", f"@{depth}")


def _scores(context: Context, relevance: str, collection: Collection) -> tuple[Scores, dict[tuple[str, str], int]]:
    """Scores of all measures of one half, and the place of each by the paper's name."""
    names = _EXPRESSIONS[relevance]
    scores = context_scores(context, collection, [_measure(relevance, name, collection.depth) for name in names])
    return scores, {name: place for place, name in enumerate(names)}


def _printed_correlation(table: str) -> pd.DataFrame:
    rows = published_table("scales_correlation").query("table == @table")
    rows = rows.assign(relevance=rows["collection"].map(_JUDGMENT_KINDS), mode=rows["mode"].map(MODES))
    return rows[["collection", "relevance", "measure_a", "params", "measure_b", "mode", "published"]]


def _printed_significance(table: str) -> pd.DataFrame:
    rows = published_table("scales_significance").query("table == @table")
    rows = rows.assign(
        relevance=rows["collection"].map(_JUDGMENT_KINDS), test=rows["test"].map(lambda test: _TESTS[test][1])
    )
    return rows[["collection", "relevance", "measure", "params", "test", "published"]]


def _sides(first: str, second: str, params: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The two measures of a row; parameters belong to the first unless each has its own."""
    parts = dict(part.split(":", 1) for part in params.split(";")) if params.startswith("a:") else {"a": params}
    arguments = {key: text.replace("W1=[0,1,2]", "") for key, text in parts.items()}
    return (first, arguments["a"]), (second, arguments.get("b", ""))


def _correlation(table: str, on: Evidence) -> Comparison:
    """τ of each pair of the table, overall and topic by topic."""
    halves, notes = _halves(with_systems(on.context))
    printed = _printed_correlation(table)
    values: dict[CellKey, float] = {}
    for relevance, collection in halves.items():
        scores, place = _scores(on.context, relevance, collection)
        both = {"overall": similarity(scores).values, "topic by topic": similarity(scores, by="topic").values}
        rows = printed[printed["relevance"] == relevance]
        for a, params, b, mode in rows[["measure_a", "params", "measure_b", "mode"]].itertuples(index=False):
            first, second = _sides(a, b, params)
            values[relevance, a, params, b, mode] = float(both[mode][place[first], place[second]])
    return Comparison("", values, notes=notes)


def _separated_shares(table: str, on: Evidence) -> Comparison:
    """Share of pairs that each test separates under each measure."""
    halves, notes = _halves(with_systems(on.context))
    printed = _printed_significance(table)
    values: dict[CellKey, float] = {}
    for relevance, collection in halves.items():
        rows = printed[printed["relevance"] == relevance]
        wanted = list(dict.fromkeys(rows[["measure", "params"]].itertuples(index=False, name=None)))
        scores, place = _scores(on.context, relevance, collection)
        chosen = scores.select([scores.measures[place[name]] for name in wanted])
        for method, words in _TESTS.values():
            power = discriminative_power(chosen, method, progress=on.context.progress)
            for name, result in zip(wanted, power.results, strict=True):
                values[relevance, *name, words] = 100 * result.ratio
    return Comparison("", values, notes=notes)


def _pools(kind: Mapping[str, tuple[tuple[str, str], ...]], on: Evidence) -> Comparison:
    """Self-τ under reduced pools: binary and graded, stratified and uniform."""
    halves, notes = _halves(on.context.collection)
    rows, parts = [], {}
    for relevance, collection in halves.items():
        row: dict[str, Drawing] = {}
        measures = {" ".join(name).strip(): _measure(relevance, name, collection.depth) for name in kind[relevance]}
        full = score(collection, list(measures.values()))
        for method in get_args(ReductionName):
            title = f"{relevance.capitalize()} relevance, {method} sampling"
            parts[title] = reduction(on, collection, measures, method, full)
            row[f"{relevance}_{method}"] = curves(parts[title], title)
        rows.append(row)
    return Comparison("", drawings=tuple(rows), tables={"Curves": tau_table(parts)}, notes=notes)


table1, table2 = partial(_correlation, "1"), partial(_correlation, "2")
table3, table4 = partial(_separated_shares, "3"), partial(_separated_shares, "4")
figure1, figure2 = partial(_pools, _SET_MEASURES), partial(_pools, _RANK_MEASURES)
printed_table1, printed_table2 = partial(_printed_correlation, "1"), partial(_printed_correlation, "2")
printed_table3, printed_table4 = partial(_printed_significance, "3"), partial(_printed_significance, "4")

# -- what the paper claims -------------------------------------------------------------------------

TOPIC, OVER, ANOVA, KRUSKAL = "topic by topic", "overall", "ANOVA", "Kruskal-Wallis"
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
    same = {k: v for k, v in on.comparison(table1).values.items() if k[-1] == TOPIC and (k[1], k[3]) in SAME}
    ranks = on.comparison(table2)
    rbp = {name: ranks[*k, "RBTO", TOPIC] for name, k in RBTO_LIKE.items() if (*k, "RBTO", TOPIC) in ranks.values}
    sets = each({f"{k[1]}–{k[3]}": v for k, v in same.items()}, 4)
    like = each({f"{name}–RBTO": v for name, v in rbp.items()}, 4)
    low, least = min(same.values()), min(rbp.values())
    return min(low - 1, least - 0.995), f"τ topic by topic: {sets}; {like}.", low > 1 - TOLERANCE and least > 0.995


def recall_overall(on: Evidence) -> Answer:
    values = on.comparison(table1)
    tau = {name: values["binary", name, "", "SBTO", OVER] for name in ("Precision", "F-measure", "Recall")}
    return falls([*tau.values()], f"τ with SBTO overall: {each(tau, 4)}.", strictly=True)


def departing(on: Evidence) -> Answer:
    values = on.comparison(table2)
    tau = {words: values["binary", *name, "RBTO", TOPIC] for words, name in DEPARTING.items()}
    return falls([*tau.values()], f"τ with RBTO topic by topic: {each(tau)}.")


def err_near(on: Evidence) -> Answer:
    values = on.comparison(table2)
    err, rbp = (values["graded", *name, "RBTO", TOPIC] for name in (("ERR", ""), ("gRBP", "p=0.8")))
    return positive(err - rbp, f"τ with RBTO topic by topic: ERR {err:.3f}, gRBP(.8) {rbp:.3f}.")


def anova_power(on: Evidence) -> Answer:
    tables = on.comparison(table3), on.comparison(table4)
    pairs = [(table[k], table[*k[:-1], KRUSKAL], k) for table in tables for k in table.values if k[-1] == ANOVA]
    case([0, *(x for a, b, _ in pairs for x in (a, b))], NO_PAIR)
    less = [f"{k[1]} {k[2]}".strip() + f" ({k[0]}: {a:.1f} against {b:.1f}%)" for a, b, k in pairs if a <= b]
    words = f"More pairs in {len(pairs) - len(less)} of {len(pairs)} cases"
    return positive(min(a - b for a, b, _ in pairs) / 100, f"{words}{'; not with ' * bool(less)}{', '.join(less)}.")


def _power(on: Evidence, cases: Sequence[Case], test: str) -> list[tuple[str, float, float]]:
    """Shares of pairs under a measure and under RBTO, in percent; graded ones only where grades are."""
    values = on.comparison(table4)
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


def _kind(figure: str) -> str:
    """Relevance and sampling of a figure of reduced pools: "binary stratified"."""
    relevance, sampling = figure.lower().split(", ")
    return f"{relevance.split()[0]} {sampling.split()[0]}"


def sbto_robust(on: Evidence) -> Answer:
    curves = self_tau(on.comparison(figure1))
    cases = [(f, curves.loc[(f, "SBTO")], curves.loc[(f, "RBTO")]) for f in curves.index.unique(0)]
    words = "; ".join(f"{_kind(f)}: SBTO {a['5%']:.2f}, RBTO {b['5%']:.2f}" for f, a, b in cases)
    slacks = np.array([(a - b).to_numpy() for _, a, b in cases])
    case([0, *slacks.flat], "the curves are the same")
    slack = float(np.min(slacks))
    return slack, f"Self-τ with 5% of the pool: {words}.", slack >= 0


def rank_robust(on: Evidence) -> Answer:
    curves = self_tau(on.comparison(figure2)).mean(axis=1)
    slack, words = [], []
    for figure in curves.index.unique(0):
        mean = curves.loc[figure]
        prefix, best = ("RBP", "AP") if "RBP p=0.2" in mean.index else ("gRBP", "DCG")
        order = [mean[f"{prefix} p=0.2"], mean["RBTO"], mean[f"{prefix} p=0.8"], mean[best]]
        slack += np.diff(order).tolist()
        words.append(f"{_kind(figure)}: " + ", ".join(f"{tau:.2f}" for tau in order))
    case([0, *slack], "all mean self-τ are equal")
    numbers = f"Mean self-τ over the shares, in the order claimed: {'; '.join(words)}."
    least = float(np.min(slack))
    return least, numbers, least >= 0
