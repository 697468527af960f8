"""Ferrante, Ferro and Losiouk 2019: interval scales, correlations, significance, incomplete pools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted
from irviz.gallery.item import CellKey, Found, Item, Paper, Printed, RandomTrials, published
from irviz.gallery.sources import curves, merged_note, reduction, scores_of, tau_table, with_degrees
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import falling, spelled

PAPER_DEPTH = 250  #: to which the paper trims its runs
_JUDGED = {"T08": "binary", "T26": "graded"}
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
_FAMILY = "p-values are corrected for all pairs of systems under one measure (Tukey), not for the number of measures."
_NEEDED_RUNS = (
    "the runs submitted to TREC-8 Ad Hoc (T08: 129 systems, binary) and to the TREC 2017 Common Core track (T26: 75 "
    "systems, three degrees), which NIST gives to participants only, and their qrels, which are public"
)


def _cut_words(depth: int) -> str:
    """How long the lists are here and in the paper."""
    if depth == PAPER_DEPTH:
        return f"Runs are cut to {PAPER_DEPTH} documents, as in the paper."
    return f"Runs have at most {counted(depth, 'document')}; the paper cuts them to {PAPER_DEPTH}."


@dataclass(frozen=True, eq=False)
class ScalesSetup:
    """The loaded collection as a binary and as a graded one, cut to the paper's depth; one that it lacks is missing."""

    collections: Mapping[str, Collection]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, context: Context) -> ScalesSetup:
        whole = context.collection
        cut = whole if whole.depth <= PAPER_DEPTH else whole.subset(depth=PAPER_DEPTH)
        had: dict[str, Collection] = {}
        notes: tuple[str, ...] = (_cut_words(cut.depth),)
        for name, degrees in DEGREES.items():
            try:
                had[name] = with_degrees(cut, degrees)
                notes += merged_note(cut, degrees)
            except IrvizError as error:
                if name == "binary":
                    raise
                notes += (f"The half on graded relevance is left out. {error}",)
        return cls(had, notes)

    def measure(self, relevance: str, name: tuple[str, str]) -> str:
        return _EXPRESSIONS[relevance][name].replace("@N", f"@{self.collections[relevance].depth}")

    def scores(self, context: Context, relevance: str) -> tuple[Scores, dict[tuple[str, str], int]]:
        """Scores of all measures of one half, and the place of each by the paper's name."""
        names = _EXPRESSIONS[relevance]
        found = scores_of(context, self.collections[relevance], [self.measure(relevance, name) for name in names])
        return found, {name: place for place, name in enumerate(names)}


def printed_scale_correlation(table: str) -> Printed:
    rows = published("scales_correlation")
    rows = rows[rows["table"] == table].assign(relevance=lambda frame: frame["collection"].map(_JUDGED))
    rows["mode"] = rows["mode"].map(MODES)
    keys = ("relevance", "measure_a", "params", "measure_b", "mode")
    return Printed(rows[["collection", *keys, "published"]], keys, "Kendall's τ", "mode", words=_spaced(rows))


def printed_significance(table: str) -> Printed:
    rows = published("scales_significance")
    rows = rows[rows["table"] == table].assign(relevance=lambda frame: frame["collection"].map(_JUDGED))
    rows["test"] = rows["test"].map(lambda test: _TESTS[test][1])
    rows = rows.rename(columns={"percent": "published"})
    keys = ("relevance", "measure", "params", "test")
    unit = "% of the pairs of systems"
    return Printed(rows[["collection", *keys, "published"]], keys, unit, "test", words=_spaced(rows))


def _spaced(rows: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Parameters with the space that signs need to be read, such as ``a: W1; b: W2``; what W1 is stands in a note."""
    signs = ((":", ": "), (";", "; "), ("=", " = "))
    short = {text: re.sub(r"=\[[\d,]+\]", "", text) for text in rows["params"]}
    return {"params": {key: reduce(lambda told, sign: told.replace(*sign), signs, text) for key, text in short.items()}}


def _sides(first: str, second: str, params: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The two measures of a row; parameters belong to the first unless each has its own."""
    parts = dict(part.split(":", 1) for part in params.split(";")) if params.startswith("a:") else {"a": params}
    own = {key: text.replace("W1=[0,1,2]", "") for key, text in parts.items()}
    return (first, own["a"]), (second, own.get("b", ""))


def scale_correlation(table: str, context: Context, draws: RandomTrials) -> Found:
    """τ of each pair of the table, overall and topic by topic."""
    loaded = ScalesSetup.of(context)
    printed = printed_scale_correlation(table).rows
    values: dict[CellKey, float] = {}
    for relevance in loaded.collections:
        scores, place = loaded.scores(context, relevance)
        both = {"overall": similarity(scores).values, "topic by topic": similarity(scores, "topic").values}
        mine = printed[printed["relevance"] == relevance]
        for a, params, b, mode in mine[["measure_a", "params", "measure_b", "mode"]].itertuples(index=False):
            first, second = _sides(a, b, params)
            values[relevance, a, params, b, mode] = float(both[mode][place[first], place[second]])
    return Found(_correlation_sentence(values), values, notes=loaded.notes)


def _correlation_sentence(values: Mapping[CellKey, float]) -> str:
    """Whether measures on one interval scale agree on every topic, and how much they differ once averaged."""
    same = [("binary", "Recall", "", "SBTO"), ("binary", "RBP", "p=1/2", "RBTO")]
    key = next(key for key in same if (*key, "overall") in values)
    one, all_ = values[(*key, "topic by topic")], values[(*key, "overall")]
    name = f"{key[1]} {key[2]}".strip()
    start = f"{name} and {key[3]} are on the same interval scale within a topic"
    if not np.isfinite(one):
        return f"{start}, but each of them ties all systems on every topic, so there is no τ."
    return f"{start}: τ is {spelled(one, 4)} topic by topic, and {spelled(all_, 4)} once topics are averaged."


def tests(table: str, context: Context, draws: RandomTrials) -> Found:
    """Share of pairs that each test separates under each measure."""
    loaded = ScalesSetup.of(context)
    printed = printed_significance(table).rows
    values: dict[CellKey, float] = {}
    for relevance in loaded.collections:
        mine = printed[printed["relevance"] == relevance]
        wanted = list(dict.fromkeys(mine[["measure", "params"]].itertuples(index=False, name=None)))
        scores, place = loaded.scores(context, relevance)
        chosen = scores.select([scores.measures[place[name]] for name in wanted])
        for method, words in _TESTS.values():
            power = discriminative_power(chosen, method, progress=context.progress)
            for name, result in zip(wanted, power.results, strict=True):
                values[relevance, *name, words] = 100 * result.ratio
    gaps = [v - values[*k[:-1], "Kruskal-Wallis"] for k, v in values.items() if k[-1] == "ANOVA"]
    more, same = sum(gap > 1e-9 for gap in gaps), sum(abs(gap) <= 1e-9 for gap in gaps)
    equal = f" (as many under {same})" if same else ""
    sentence = (
        f"ANOVA separates more pairs of systems than Kruskal-Wallis under {more} of {len(gaps)} measures{equal}; "
        f"{_scale_words(values)}"
    )
    return Found(sentence, values, notes=loaded.notes)


def _scale_words(values: Mapping[CellKey, float]) -> str:
    """How the measure furthest from an interval scale compares with the one on it, by ANOVA."""
    pairs = [
        ("binary", ("AP", ""), ("RBTO", "")),
        ("graded", ("DCG", ""), ("RBTO", "")),
        ("graded", ("gP", ""), ("SBTO", "")),
        ("binary", ("Recall", ""), ("SBTO", "")),
    ]
    for relevance, other, interval in pairs:
        if (relevance, *other, "ANOVA") in values and (relevance, *interval, "ANOVA") in values:
            a, b = values[relevance, *other, "ANOVA"], values[relevance, *interval, "ANOVA"]
            return f"by ANOVA {other[0]} separates {a:.1f}% and {interval[0]}, an interval scale, {b:.1f}%."
    raise AssertionError("every table has a pair on binary relevance")


def scale_pools(kind: Mapping[str, tuple[tuple[str, str], ...]], context: Context, draws: RandomTrials) -> Found:
    """Self-τ under reduced pools: binary and graded, stratified and uniform."""
    loaded = ScalesSetup.of(context)
    rows, parts = [], {}
    for relevance, collection in loaded.collections.items():
        row: dict[str, Drawing] = {}
        names = [" ".join(name).strip() for name in kind[relevance]]
        measures = {" ".join(name): loaded.measure(relevance, name) for name in kind[relevance]}
        for method in ("stratified", "uniform"):
            found = reduction(context, collection, measures, method, draws)
            title = f"{relevance.capitalize()} relevance, {method} sampling"
            row[f"{relevance}_{method}"] = curves(found, names, title)
            parts[title] = (found, names)
        rows.append(row)
    (found, names), *_ = parts.values()
    tau = dict(zip(names, found.tau[:, -1], strict=True))
    sentence = (
        f"With {found.rates[-1]:.0%} of the judgments of every grade kept (binary relevance), τ with the full pool's "
        f"ranking, from the highest: {falling(tau, 2)}."
    )
    return Found(sentence, drawings=tuple(rows), tables={"Curves": tau_table(parts)}, notes=loaded.notes)


PAPER = Paper(
    "scales",
    "Ferrante et al. 2019",
    "interval scales",
    (
        Item(
            "table1",
            "Table 1",
            "Correlation of measures of sets",
            lambda c, d: scale_correlation("1", c, d),
            lambda: printed_scale_correlation("1"),
            _NEEDED_RUNS,
            notes=(
                "Measures on the same interval scale must have τ = 1 topic by topic; recall departs from them "
                "overall because each topic divides it by its own number of relevant documents.",
            ),
        ),
        Item(
            "table2",
            "Table 2",
            "Correlation of measures of rankings",
            lambda c, d: scale_correlation("2", c, d),
            lambda: printed_scale_correlation("2"),
            _NEEDED_RUNS,
            notes=(
                "RBTO is compared in exact integers. RBP is a sum of doubles: differences below a double's "
                "precision are ties, which can lower a τ of 1 slightly.",
                "DCG has log base 10 and, like ERR, gains 0, 5, 10; ERR's formula then stops at a document of the "
                "highest grade with probability .999.",
                "Weights of the three grades: W1 is 0, 1, 2; W2 is 0, 2, 4; W3 is 0, 1, 3. Where two measures have "
                "different ones, those of the first follow a, those of the second b.",
            ),
        ),
        Item(
            "table3",
            "Table 3",
            "Pairs separated: measures of sets",
            lambda c, d: tests("3", c, d),
            lambda: printed_significance("3"),
            _NEEDED_RUNS,
            notes=(
                "Shares depend on the number of systems and on how different they are: compare measures and "
                "tests within a collection, not collections.",
                _FAMILY,
            ),
        ),
        Item(
            "table4",
            "Table 4",
            "Pairs separated: measures of rankings",
            lambda c, d: tests("4", c, d),
            lambda: printed_significance("4"),
            _NEEDED_RUNS,
            notes=(
                "The paper's text says that ERR separates more pairs than the interval scales; its table has "
                "fewer under Kruskal-Wallis, 248 against 254.",
                _FAMILY,
            ),
        ),
        Item(
            "figure1",
            "Figure 1",
            "Reduced pools: measures of sets",
            lambda c, d: scale_pools(_SET_MEASURES, c, d),
            None,
            _NEEDED_RUNS,
            draws="repeats",
            paper_draws="one reduction",
            said="SBTO and precision keep their rankings equally well, recall slightly less; RBTO clearly less than "
            "SBTO.",
        ),
        Item(
            "figure2",
            "Figure 2",
            "Reduced pools: measures of rankings",
            lambda c, d: scale_pools(_RANK_MEASURES, c, d),
            None,
            _NEEDED_RUNS,
            draws="repeats",
            paper_draws="one reduction",
            said="RBTO behaves like RBP with p = 1/2 (graded: 1/3); RBP is slightly worse with p = 0.2 and better with "
            "p = 0.8; AP and DCG are the best.",
        ),
    ),
    ("T08", "T26"),
)
