"""One topic's lists, rank by rank: documents, grades, ties, what each rank adds, and the ideal list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection
from irviz.collection.ragged import Lists
from irviz.measures.language.base import Measure
from irviz.stats.lists import contributions, dominance
from irviz.workspace.facts import Fact
from irviz.workspace.panel import Panel, Table

Floats = NDArray[np.float64]
_SINGLE = ("trec_eval", "trec_eval_ascending", "expected")  #: tie rules that compare scores in single precision


@dataclass(frozen=True, eq=False)
class RankedList:
    """One list for one topic."""

    name: str  #: its name: a system, or "ideal"
    index: NDArray[np.int64]  #: by rank, which of the judged documents it is; negative where it was not judged
    documents: list[str | None]  #: by rank, the identifier, None where it was not kept
    scores: Floats  #: by rank, as the run has them; NaN where they were not kept
    grades: Floats  #: by rank, NaN where the document was not judged
    tied_with_next: NDArray[np.bool_]  #: by rank, whether the run gave the next document the same score
    parts: pd.DataFrame | None = None  #: what each rank adds; None where the measure is not a sum over ranks

    @property
    def keys(self) -> list[int | str | None]:
        """By rank, a key of the document: the same in two lists if the document is the same."""
        pairs = zip(self.index.tolist(), self.documents, strict=True)
        return [place if place >= 0 else name for place, name in pairs]

    @property
    def adds(self) -> dict[int, float]:
        """Judged document → what it adds to the score, where it adds something."""
        if self.parts is None:
            return {}
        pairs = zip(self.index.tolist(), self.parts["adds"].tolist(), strict=True)
        return {place: adds for place, adds in pairs if place >= 0 and adds != 0}

    @property
    def ranks(self) -> dict[int, int]:
        """Judged document → its rank."""
        return {place: i + 1 for i, place in enumerate(self.index.tolist()) if place >= 0}


def side_of(c: Collection, topic: str, system: str, aspect: str) -> RankedList:
    frame = c.list(topic, system)
    ranked = c.ranking[c.topics.index(topic), c.systems.index(system)]
    index = ranked[ranked != BEYOND].astype(np.int64)
    scores = frame["score"].to_numpy()
    compared = scores.astype(np.float32) if c.ties in _SINGLE else scores
    tied = np.append(compared[1:] == compared[:-1], False)[: len(scores)]
    names = [name if isinstance(name, str) else None for name in frame["document"]]
    return RankedList(system, index, names, scores, frame[c.judge or aspect].to_numpy(), tied)


def with_parts(side: RankedList, c: Collection, one: Measure, topic: str) -> RankedList:
    """The list with what each rank adds; an IrvizError where the measure is no such sum."""
    return replace(side, parts=contributions(c, one, topic, side.name))


def pool_grades(c: Collection, topic: str, aspect: str) -> Floats:
    """The grade of every judged document of a topic, NaN elsewhere."""
    return c.document_grades(c.aspect_index(aspect), c.topics.index(topic))


def ideal_of(c: Collection, one: Measure, topic: str, aspect: str, side: RankedList) -> RankedList:
    """The judged documents by grade, then in the order of `side`; with parts if `side` has them."""
    grades = pool_grades(c, topic, aspect)
    there = np.flatnonzero(np.isfinite(grades))
    beyond, listed = c.depth + 1, side.ranks
    ranks = np.array([listed.get(place, beyond) for place in there.tolist()], dtype=np.int64)
    order = there[np.lexsort((ranks, -grades[there]))][: c.depth]
    names: list[str | None] = [None] * len(order)
    if c.documents is not None:
        names = c.documents.names(c.documents.pool[c.topics.index(topic)][order])
    ideal = RankedList(
        "ideal", order.astype(np.int64), names, np.full(len(order), np.nan), grades[order], np.zeros(len(order), bool)
    )
    if side.parts is None:
        return ideal
    alone = c.subset(systems=[side.name])
    ranking = alone.ranking[:]
    row = ranking[c.topics.index(topic), 0]
    row[:] = BEYOND
    row[: len(order)] = order
    ideal_run = replace(alone, ranking=Lists.of(ranking))
    return replace(ideal, parts=contributions(ideal_run, one, topic, side.name))


# -- Why one list scores less than another: which documents are ranked lower, and how much the score loses

MOST_NAMED = 3  #: documents


class MovedDocument(NamedTuple):
    """A document lower in one list: its grade, its rank there (None: absent) and in the other, and what that loses."""

    grade: float
    rank: int | None
    instead: int
    loses: float


def lower_documents(behind: RankedList, ahead: RankedList) -> tuple[MovedDocument, ...]:
    """The documents that cost `behind` most by being lower than in `ahead`: until they make half of the difference."""
    here, there = behind.adds, ahead.adds
    loses = {place: there.get(place, 0.0) - here.get(place, 0.0) for place in sorted({*here, *there})}
    half = sum(loses.values()) / 2
    ranks, instead = behind.ranks, ahead.ranks
    grades = dict(zip(ahead.index.tolist(), ahead.grades.tolist(), strict=True))
    lower = [
        MovedDocument(grades[place], ranks.get(place), instead[place], worth)
        for place, worth in loses.items()
        if worth > 0 and place in instead and ranks.get(place, instead[place] + 1) > instead[place]
    ]
    lower.sort(key=lambda document: (-document.loses, document.instead))
    named = lower[:1]
    for document in lower[1:MOST_NAMED]:
        if sum(earlier.loses for earlier in named) < half:
            named.append(document)
    return tuple(named)


# -- Without any measure: where one list dominates the other ---------------------------------------

ZERO = "unjudged documents counted as grade 0"


def dominance_section(c: Collection, first: str, second: str, aspect: str) -> Panel:
    """On which topics one list dominates the other, whatever the measure."""
    verdicts = dominance(c, first, second, aspect=aspect)
    wins, losses, equal, open_ = (verdicts.count(verdict) for verdict in ("first", "second", "equal", "undecided"))
    facts = (
        Fact("dominates", wins, (first,), of=len(c.topics)),
        Fact("dominates", losses, (second,), of=len(c.topics)),
        Fact("equal at every rank", equal, of=len(c.topics)),
        Fact("measures may disagree", open_, of=len(c.topics)),
    )
    about = "One row per topic: who dominates; first ranks with fewer documents of some grade or better, or 0."
    words = {"first": first, "second": second}
    return Panel(
        f"Topics on which one list dominates the other: {wins + losses:,} of {len(c.topics):,}.",
        facts=facts,
        tables={"Dominance": Table(verdicts.frame(), about, words={"verdict": words})},
        notes=(
            f"A list dominates if it holds at least as many documents of any grade or better at every rank, {ZERO}.",
            "Measures that count so and reward better documents and ranks agree (Ferrante, Ferro & Maistro 2015).",
            f"Grades: {aspect}.",
        ),
    )
