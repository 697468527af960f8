"""The conventions on which evaluation tools disagree, each a choice of its own.

A measure has a name, but a number depends on more: how ties are broken, how an unjudged
document counts, which grade is relevant, how nDCG turns grades into gains and how long
its ideal list is, which grade ERR takes as the highest, what AP is divided by, and
whether a topic without an answer counts.
`Conventions` holds all of these choices; :data:`PRESETS` are those of tools.

What needs scores of documents (the tie rule) is done by the code that opens the collection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.frozen import FrozenArrays
from irviz.collection.model import BEYOND, Collection, condensed
from irviz.errors import IrvizError, choose
from irviz.measures.arithmetic import log2_of_ranks, power2_rounded
from irviz.measures.judged import Judged, Topic
from irviz.portable import total
from irviz.scores import Scores, score

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
    "gmax": (
        "Highest grade of ERR",
        {"collection": "the highest grade of the collection", "4": "4, whatever the collection's grades"},
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
    gmax: str = "collection"

    def __post_init__(self) -> None:
        for one in fields(self):
            choose(f"way for `{one.name}`", getattr(self, one.name), tuple(CHOICES[one.name][1]))

    def differing(self, other: Conventions, kind: str) -> list[str]:
        """The conventions in which the two differ and that touch the measure `kind`."""
        return [
            name
            for name, (_, _, touched) in CHOICES.items()
            if kind in touched and getattr(self, name) != getattr(other, name)
        ]


@dataclass(frozen=True)
class Preset:
    """The conventions of a tool, the measures it computes by them, and where they are documented."""

    words: str
    conventions: Conventions
    measures: tuple[str, ...]
    source: str


PRESETS = {
    "trec_eval": Preset(
        "trec_eval 9",
        Conventions(missing="skip"),
        _BY_TREC_EVAL,
        "trec_eval 9: map, map_cut, ndcg_cut and P; averages over the topics that have both a run and judgments",
    ),
    "trec_eval-c": Preset(
        "trec_eval 9 with -c", Conventions(), _BY_TREC_EVAL, "trec_eval 9, option -c; irviz's own conventions"
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
    ),
    "gdeval": Preset(
        "gdeval",
        Conventions(ties="trec_eval10", missing="skip", gain="exp", gmax="4"),
        ("nDCG@k", "ERR@k"),
        "gdeval.pl of the TREC Web track, which ir_measures runs for ERR: $MAX_JUDGMENT is 4, ties are ordered by "
        "document id, descending, and the mean (of version 1.3) is over topics that have an answer and a relevant "
        "document",
    ),
    "irviz": Preset("irviz", Conventions(), tuple(PRINTED_KINDS), "irviz: defaults of its measures"),
}


@dataclass(frozen=True, eq=False)
class Outcome(FrozenArrays):
    """Scores under some conventions: topics × systems, and which of them count in a mean."""

    values: Floats
    counted: NDArray[np.bool_]

    @property
    def means(self) -> Floats:
        """By system, over the topics that count; 0 where none does."""
        count = self.counted.sum(axis=0)
        return np.where(self.counted, self.values, 0.0).sum(axis=0) / np.maximum(count, 1)


def expression_under(kind: str, cutoff: int, conventions: Conventions) -> str:
    """The measure of irviz that `kind` is, before the ideal list and AP's base are changed."""
    rel = "" if conventions.rel == "1" else f"(rel={conventions.rel})"
    if kind == "nDCG@k":
        return f"nDCG{'' if conventions.gain == 'linear' else chr(40) + 'dcg=' + repr('exp-log2') + chr(41)}@{cutoff}"
    if kind == "ERR@k":
        return f"ERR{'' if conventions.gmax == 'collection' else f'(gmax={conventions.gmax})'}@{cutoff}"
    if kind == "AP":
        return f"AP{rel}"
    return f"{kind.removesuffix('@k')}{rel}@{cutoff}"


def outcome_under(
    collection: Collection, kind: str, cutoff: int, conventions: Conventions, scorer: Scorer = score
) -> Outcome:
    """Score all systems by the measure `kind` under `conventions`; the collection was opened with their tie rule.

    Raises
    ------
    IrvizError
        For an unknown measure or a cutoff below 1.
    """
    choose("measure of the conventions", kind, tuple(PRINTED_KINDS))
    if cutoff < 1:
        raise IrvizError(f"`cutoff` must be at least 1; got {cutoff}.")
    answered = (collection.ranking != BEYOND).any(axis=2)
    counted = answered if conventions.missing == "skip" else np.ones_like(answered)
    seen = condensed_collection(collection) if conventions.unjudged == "removed" else collection
    values = scorer(seen, (expression_under(kind, cutoff, conventions),)).values[0]
    return Outcome(values * _factor(seen, kind, cutoff, conventions), counted)


def condensed_collection(collection: Collection) -> Collection:
    """The collection with condensed lists; see :func:`irviz.collection.model.condensed`."""
    lists = [condensed(ranking, labels) for ranking, labels in zip(collection.ranking, collection.labels, strict=True)]
    return replace(collection, ranking=np.stack(lists))


def _factor(collection: Collection, kind: str, cutoff: int, conventions: Conventions) -> Floats:
    """topics × systems (or × 1): what turns irviz's denominator into the chosen one."""
    rows = []
    for t in range(len(collection.topics)):
        judged = Topic(collection, t).aspect(None)
        if kind == "nDCG@k":
            rows.append(_ideal_factor(judged, cutoff, conventions))
        elif kind in ("AP", "AP@k"):
            rows.append(_base_factor(judged, None if kind == "AP" else cutoff, conventions))
        else:
            rows.append(np.ones(1))
    return np.stack(rows)


def _ideal_factor(judged: Judged, cutoff: int, conventions: Conventions) -> Floats:
    """DCG of the ideal list of k judged documents, over that of the chosen ideal list."""
    if conventions.ideal == "cutoff":
        return np.ones(1)
    gains = np.array(judged.grades, dtype=np.float64)
    gains = gains if conventions.gain == "linear" else np.array([power2_rounded(x) for x in gains.tolist()]) - 1
    pool = np.repeat(gains[::-1], judged.pool()[::-1])
    own = _dcg(pool[:cutoff])
    other = _dcg(pool) if conventions.ideal == "pool" else _dcg(np.full(cutoff, gains[-1]))
    return np.array([own / other if other > 0 else 1.0])


def _dcg(gains: Floats) -> float:
    return float(total(gains / log2_of_ranks(gains, 2, len(gains) + 1)))


def _base_factor(judged: Judged, cutoff: int | None, conventions: Conventions) -> Floats:
    """The number of relevant documents over the chosen number; a whole list has no k that could be smaller."""
    if conventions.base == "judged":
        return np.ones(1)
    table = judged.binary(float(conventions.rel))
    relevant = float(judged.pool_gain(table))
    if conventions.base == "cutoff":
        return np.array([relevant / max(1.0, min(relevant, cutoff or relevant))])
    found = judged.head(cutoff).gains(table).sum(axis=1)
    return np.divide(relevant, found, out=np.ones(len(found)), where=found > 0)
