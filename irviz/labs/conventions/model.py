"""The conventions on which evaluation tools disagree, each a choice of its own.

A measure has a name, but a number depends on more: how ties are broken, how an unjudged
document counts, which grade is relevant, how nDCG turns grades into gains and how long
its ideal list is, which grade ERR takes as the highest, what AP and P are divided by, and
whether a topic without an answer counts.
`Conventions` holds all of these choices; :data:`PRESETS` are those of tools.

What needs scores of documents (the tie rule) is done by the code that opens the collection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection, condense_lists
from irviz.errors import choose
from irviz.measures import measure
from irviz.measures.arithmetic import log2_of_ranks, power2_rounded
from irviz.measures.judged_lists import JudgedLists, Topics
from irviz.portable import total
from irviz.stats.results import FrozenArrays
from irviz.stats.scores import Scores, score

Floats = NDArray[np.float64]
PRINTED_KINDS = {
    "AP": "AP (whole list)",
    "AP@k": "AP of the first k",
    "nDCG@k": "nDCG of the first k",
    "P@k": "P: precision of the first k",
    "ERR@k": "ERR of the first k",
}
_BY_TREC_EVAL = ("AP", "AP@k", "nDCG@k", "P@k")  #: those that trec_eval and pytrec_eval compute
Scorer = Callable[[Collection, tuple[str, ...]], Scores]

#: every convention: the words for it, its options with their words, and the measures it touches
CHOICES: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "ties": (
        "Tie rule",
        {
            "trec_eval": "document id descending, single precision",
            "trec_eval10": "document id descending, double precision",
            "trec_eval_ascending": "document id ascending",
            "file": "order of the lines",
        },
        tuple(PRINTED_KINDS),
    ),
    "missing": ("Topics a run lacks", {"zero": "count as 0", "skip": "are left out"}, tuple(PRINTED_KINDS)),
    "unjudged": (
        "Unjudged documents",
        {"nonrelevant": "count as not relevant", "removed": "are removed from the list"},
        tuple(PRINTED_KINDS),
    ),
    "rel": ("Relevant from", {"1": "grade 1", "2": "grade 2", "3": "grade 3"}, ("AP", "AP@k", "P@k")),
    "gain": ("Gain of a grade x", {"linear": "x", "exp": "2^x − 1"}, ("nDCG@k",)),
    "ideal": (
        "Ideal list of nDCG",
        {
            "cutoff": "best judged documents, k of them",
            "pool": "best judged documents, all of them",
            "best": "k documents of the highest grade",
            "retrieved": "best judged documents, min(k, retrieved) of them",
        },
        ("nDCG@k",),
    ),
    "base": (
        "AP is divided by",
        {
            "judged": "all relevant documents",
            "retrieved": "relevant documents retrieved",
            "cutoff": "the smaller of k and all relevant",
        },
        ("AP", "AP@k"),
    ),
    "divisor": ("P is divided by", {"k": "k", "retrieved": "min(k, retrieved)"}, ("P@k",)),
    "gmax": (
        "Highest grade of ERR",
        {
            "collection": "the highest grade of the collection",
            "3": "3, whatever the collection's grades",
            "4": "4, whatever the collection's grades",
        },
        ("ERR@k",),
    ),
}


@dataclass(frozen=True)
class Conventions:
    """One option of every entry of :data:`CHOICES`; the defaults are irviz's own."""

    ties: str = "trec_eval"
    missing: str = "zero"
    unjudged: str = "nonrelevant"
    rel: str = "1"
    gain: str = "linear"
    ideal: str = "cutoff"
    base: str = "judged"
    divisor: str = "k"
    gmax: str = "collection"

    def __post_init__(self) -> None:
        for convention in fields(self):
            choose(f"way for `{convention.name}`", getattr(self, convention.name), tuple(CHOICES[convention.name][1]))

    def differing(self, other: Conventions, kind: str) -> list[str]:
        """The conventions in which the two differ and that touch the measure `kind`."""
        return [
            name
            for name, (_, _, touched) in CHOICES.items()
            if kind in touched and getattr(self, name) != getattr(other, name)
        ]


@dataclass(frozen=True)
class Preset:
    """The conventions of a tool, the measures it computes by them, and where they are documented.

    `expressions` are the measures to choose together for the tool's numbers, at its own cutoffs; `small_print` says
    what the tool does besides, which no convention here expresses.
    """

    words: str
    conventions: Conventions
    measures: tuple[str, ...]
    source: str
    expressions: tuple[str, ...] = ()
    small_print: str = ""


PRESETS = {
    "trec_eval": Preset(
        "trec_eval",
        Conventions(missing="skip"),
        _BY_TREC_EVAL,
        "trec_eval 9: map, map_cut, ndcg_cut and P; averages over the topics that have both a run and judgments",
    ),
    "trec_eval-c": Preset(
        "trec_eval -c",
        Conventions(),
        _BY_TREC_EVAL,
        "trec_eval 9, option -c; irviz's own conventions",
        expressions=("AP", "Rprec", "Bpref", "RR", "P@10", "nDCG@10"),
    ),
    "trec_eval10": Preset(
        "trec_eval 10",
        Conventions(ties="trec_eval10", missing="skip"),
        _BY_TREC_EVAL,
        "trec_eval 10: the same, with scores compared as doubles",
    ),
    "ir_measures": Preset(
        "ir_measures",
        Conventions(),
        _BY_TREC_EVAL,
        "ir_measures computes AP, AP@k, nDCG@k and P@k with pytrec_eval (trec_eval 9), and adds 0 for a topic without "
        "an answer",
    ),
    "judged_only": Preset(
        "ir_measures, judged_only",
        Conventions(unjudged="removed"),
        _BY_TREC_EVAL,
        "ir_measures with judged_only=True; trec_eval's option -J",
    ),
    "cwl_eval": Preset(
        "cwl_eval's AP",
        Conventions(ties="file", missing="skip", base="retrieved"),
        ("AP",),
        "cwl_eval: documents in the order of the lines, no line for an unanswered topic; AP is the expected utility "
        "of C_AP, which looks at retrieved documents only; with gains 0 and 1 (with graded gains its AP is different)",
        small_print="It refuses gains above 1, so every relevant document must have gain 1 in its qrels: with a gain "
        "for every grade, its AP is different.",
    ),
    "gdeval": Preset(
        "gdeval",
        Conventions(ties="trec_eval10", missing="skip", gain="exp", gmax="4"),
        ("nDCG@k", "ERR@k"),
        "gdeval.pl of the TREC Web track, which ir_measures runs for ERR: $MAX_JUDGMENT is 4, ties are ordered by "
        "document id, descending, and the mean (of version 1.3) is over topics that have an answer and a relevant "
        "document",
        expressions=("nDCG(dcg='exp-log2')@20", "ERR(gmax=4)@20"),
        small_print="It refuses grades above 4, and leaves out topics without a relevant document.",
    ),
    "quepid": Preset(
        "Quepid",
        Conventions(ties="file", gain="exp", ideal="pool", divisor="retrieved", gmax="3"),
        ("AP@k", "nDCG@k", "P@k", "ERR@k"),
        "Quepid's scorers AP@10, nDCG@10, P@10 and ERR@10 (db/scorers)",
        expressions=("nDCG(dcg='exp-log2')@10", "AP@10", "P@10", "ERR(gmax=3)@10", "RR@10"),
        small_print="Its k is 10. A perfect list scores below 1 by its nDCG where more than k documents are rated; "
        "earlier versions cut the ideal list at k, took the grades as gains, or made the ideal list of retrieved "
        "documents, so look at the code of your scorer. The highest grade of ERR is that of the scorer's scale, 3 in "
        "those it brings. A query without any relevant rating has no AP there, and 0 here; its server rounds the score "
        "of every query to two decimals, which is not done here.",
    ),
    "workbench": Preset(
        "Search Relevance Workbench",
        Conventions(ties="file", missing="skip", gain="exp", divisor="retrieved"),
        ("AP@k", "nDCG@k", "P@k"),
        "OpenSearch Search Relevance Workbench: calculatePrecisionAtK, calculateMAPAtK and calculateNDCGAtK",
        expressions=("nDCG(dcg='exp-log2')@10", "AP@10", "P@10", "R@10", "RR@10"),
        small_print="It rounds the score of every query to two decimals before it averages, which is not done here. "
        "Its present source calls a document relevant if its rating is at least half the highest of the query and at "
        "least the 90th percentile of the query's ratings; its first versions, as here, if the rating is above 0.",
    ),
    "rank_eval": Preset(
        "_rank_eval",
        Conventions(ties="file", gain="exp", ideal="retrieved", divisor="retrieved"),
        ("nDCG@k", "P@k", "ERR@k"),
        "_rank_eval of Elasticsearch and OpenSearch: precision, dcg with normalize, expected_reciprocal_rank",
        expressions=("nDCG(dcg='exp-log2',ideal='retrieved')@10", "P@10", "R@10", "RR@10", "ERR@10"),
        small_print="Its k is 10 unless the request says otherwise, and its relevant_rating_threshold is 1. Its dcg is "
        "not normalised unless normalize is true. The highest grade of ERR is the request's maximum_relevance. With "
        "ignore_unlabeled, precision counts judged documents among the first k only.",
    ),
    "irviz": Preset("irviz", Conventions(), tuple(PRINTED_KINDS), "irviz: defaults of its measures"),
}


@dataclass(frozen=True, eq=False)
class Outcome(FrozenArrays):
    """Scores under some conventions: topics × systems, and which of them count in a mean."""

    values: Floats
    is_counted: NDArray[np.bool_]

    @property
    def means(self) -> Floats:
        """By system, over the topics that count; 0 where none does."""
        count = self.is_counted.sum(axis=0)
        return np.where(self.is_counted, self.values, 0.0).sum(axis=0) / np.maximum(count, 1)


def expression_under(kind: str, cutoff: int, conventions: Conventions) -> str:
    """The measure of irviz that `kind` is, before the ideal list and AP's base are changed."""
    rel = "" if conventions.rel == "1" else f"(rel={conventions.rel})"
    if kind == "nDCG@k":
        dcg = "exp-log2" if conventions.gain == "exp" else "log2"
        ideal = "retrieved" if conventions.ideal == "retrieved" else "judged"
        return str(measure(f"nDCG(dcg='{dcg}',ideal='{ideal}')@{cutoff}"))
    if kind == "ERR@k":
        return f"ERR{'' if conventions.gmax == 'collection' else f'(gmax={conventions.gmax})'}@{cutoff}"
    if kind == "AP":
        return f"AP{rel}"
    return f"{kind.removesuffix('@k')}{rel}@{cutoff}"


def outcome_under(
    collection: Collection, kind: str, cutoff: int, conventions: Conventions, scorer: Scorer = score
) -> Outcome:
    """Score all systems by the measure `kind` under `conventions`; the collection was opened with their tie rule."""
    answered = collection.ranking.lengths > 0
    counted = answered if conventions.missing == "skip" else np.ones_like(answered)
    scored_collection = condensed_collection(collection) if conventions.unjudged == "removed" else collection
    values = scorer(scored_collection, (expression_under(kind, cutoff, conventions),)).values[0]
    return Outcome(values * base_factor(scored_collection, kind, cutoff, conventions), counted)


def condensed_collection(collection: Collection) -> Collection:
    """The collection with condensed lists; see :func:`irviz.collection.model.condense_lists`."""
    return replace(collection, ranking=condense_lists(collection.ranking, collection.labels[:]))


def base_factor(collection: Collection, kind: str, cutoff: int, conventions: Conventions) -> Floats:
    """topics × systems (or × 1): what turns irviz's denominator into the chosen one."""
    rows = []
    for t in range(len(collection.topics)):
        judged = Topics(collection, [t]).aspect(None)
        if kind == "nDCG@k":
            rows.append(_ideal_factor(judged, cutoff, conventions))
        elif kind in ("AP", "AP@k"):
            rows.append(_base_factor(judged, None if kind == "AP" else cutoff, conventions))
        elif kind == "P@k":
            rows.append(cutoff / precision_divisor(collection, cutoff, conventions)[t])
        else:
            rows.append(np.ones(1))
    return np.stack(rows)


def precision_divisor(collection: Collection, cutoff: int, conventions: Conventions) -> Floats:
    """topics × systems: the number that the relevant documents among the first k are divided by."""
    retrieved = np.minimum(collection.ranking.lengths, cutoff)
    return np.maximum(retrieved, 1.0) if conventions.divisor == "retrieved" else np.full(retrieved.shape, float(cutoff))


def _ideal_factor(lists: JudgedLists, cutoff: int, conventions: Conventions) -> Floats:
    """DCG of the ideal list of k judged documents, over that of the chosen ideal list."""
    if conventions.ideal in ("cutoff", "retrieved"):  # of the measure itself
        return np.ones(1)
    gains = np.array(lists.grades, dtype=np.float64)
    gains = gains if conventions.gain == "linear" else np.array([power2_rounded(x) for x in gains.tolist()]) - 1
    pool = np.repeat(gains[::-1], lists.pool()[0, ::-1])
    own = _dcg(pool[:cutoff])
    other = _dcg(pool) if conventions.ideal == "pool" else _dcg(np.full(cutoff, gains[-1]))
    return np.array([own / other if other > 0 else 1.0])


def _dcg(gains: Floats) -> float:
    return float(total(gains / log2_of_ranks(gains, 2, len(gains) + 1)))


def _base_factor(lists: JudgedLists, cutoff: int | None, conventions: Conventions) -> Floats:
    """The number of relevant documents over the chosen number; a whole list has no k that could be smaller."""
    if conventions.base == "judged":
        return np.ones(1)
    table = lists.binary(float(conventions.rel))
    relevant = float(lists.pool_gain(table)[0])
    if conventions.base == "cutoff":
        return np.array([relevant / max(1.0, min(relevant, cutoff or relevant))])
    retrieved = lists.head(cutoff).gains(table).sum(axis=1)
    return np.divide(relevant, retrieved, out=np.ones(len(retrieved)), where=retrieved > 0)
