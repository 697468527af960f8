"""The collections of the papers, and how a loaded one is recognised as one of them.

A collection is the paper's when its topics, the number of its systems and its judgments
are: file names of runs differ between mirrors, but what identifies the data does not.  Score
matrices have no judgments; topics and systems must suffice.  Collections whose topics have no
numbers in a row (Robust 2005, Common Core 2017, Deep Learning 2019) are not declared, nor
are those of several aspects, two of which are not TREC's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError, number_of
from irviz.figures.pools import pool_curves
from irviz.gallery.paper import Comparison, Evidence
from irviz.stats.incompleteness import RATES, PoolReduction, pool_reduction
from irviz.stats.scores import Scores
from irviz.stats.words import ReductionName
from irviz.workspace.context import Context, Dataset
from irviz.workspace.panel import Drawing, Table
from irviz.workspace.phrases import falling

TREC_DEPTH = 1000  #: what TREC asked for, the longest list there is


@dataclass(frozen=True)
class PaperCollection:
    """A collection of papers: its names in their tables, and what identifies it.

    Topics are numbered from `first` to `last`; two papers may have used different sets of `systems`; `relevant`
    documents have a grade above 0, over all topics (None: not counted, so that topics and systems must suffice).
    """

    names: tuple[str, ...]
    title: str
    first: int
    last: int
    systems: int
    relevant: int | None = None

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(str(number) for number in range(self.first, self.last + 1))

    def describes(self, dataset: Dataset) -> bool:
        """True if topics, number of systems and, where both are known, judgments are those of `dataset`."""
        if dataset.topics != self.topics or len(dataset.systems) != self.systems:
            return False
        loaded = dataset.collection
        return loaded is None or self.relevant in (None, int((loaded.labels[:, :, 0] > 0).sum()))


PAPER_COLLECTIONS = (
    PaperCollection(("T08", "TREC8"), "TREC-8 ad hoc", 401, 450, 129, 4728),
    PaperCollection(("TREC9",), "TREC-9 Web", 451, 500, 105),
    PaperCollection(("TREC2001",), "TREC 2001 Web", 501, 550, 97),
    PaperCollection(("TREC10",), "TREC 2001 Web", 501, 550, 95),
    PaperCollection(("TREC21",), "TREC 2012 Web", 151, 200, 27),
)


def recognise_collection(context: Context, names: Iterable[str]) -> tuple[PaperCollection, str, bool] | None:
    """Which of a paper's collections is loaded, its name in the paper's tables, and whether all of it is used.

    None for another collection. All of it is used if no filter of the sidebar removes systems, topics or ranks.
    """
    opened = context.dataset
    for source in PAPER_COLLECTIONS:
        called = next((name for name in names if name in source.names), None)
        if called and source.describes(opened):
            uncut = opened.collection is None or context.depth >= min(TREC_DEPTH, opened.collection.depth)
            return source, called, (context.topics, context.systems) == (opened.topics, opened.systems) and uncut
    return None


def recognised_words(match: tuple[PaperCollection, str, bool], context: Context) -> str:
    """Note that names the paper's collection and says how closely the numbers should agree."""
    source, name, unfiltered = match
    judged = (
        f" and {number_of(source.relevant, 'relevant document')}"
        if source.relevant and context.dataset.collection
        else ""
    )
    start = (
        f"Recomputed on {context.dataset.title}. It is the paper's own collection {name}, recognised by its topics "
        f"{source.first} to {source.last}, {number_of(source.systems, 'system')}{judged}"
    )
    if unfiltered:
        return f"{start}: the numbers printed for {name} must be reproduced."
    return (
        f"{start}, of which the sidebar leaves {number_of(len(context.systems), 'system')} and "
        f"{number_of(len(context.topics), 'topic')} to depth {context.depth:,}: remove its filters to repeat the "
        "printed numbers."
    )


# -- The loaded collection with as many degrees of relevance as a paper's --------------------------
#
# Papers fix their weights, gains and g for two, three or four degrees.  A collection
# with more of them has its highest ones merged; one with fewer cannot be used.

_WORDS = {2: "binary", 3: "three degrees", 4: "four degrees"}


def with_degrees(collection: Collection, degrees: int) -> Collection:
    """`collection` on its first aspect, where all levels from `degrees` − 1 on are one level; grades are 0, 1, 2, …"""
    levels = len(collection.grades[0])
    if levels < degrees:
        raise IrvizError(
            f"It needs judgments of {degrees} degrees, and {collection.name} has {levels} "
            f"({', '.join(f'{grade:g}' for grade in collection.grades[0])}). Load a collection with more grades."
        )
    labels = np.minimum(collection.labels[:, :, :1], degrees - 1).astype(np.int16)
    grades = (tuple(float(level) for level in range(degrees)),)
    return replace(collection, aspects=collection.aspects[:1], grades=grades, labels=labels)


def context_scores(context: Context, collection: Collection, measures: Sequence[str]) -> Scores:
    """Scores of a collection made of all topics, of the topics and systems that the context keeps."""
    return context.score(collection, measures).select(topics=context.topics, systems=context.systems)


def with_systems(context: Context) -> Collection:
    """The collection with all topics and the systems of the sidebar."""
    collection = context.whole
    return collection if collection.systems == context.systems else collection.subset(systems=context.systems)


def merged_note(collection: Collection, degrees: int) -> tuple[str, ...]:
    """Note on how the grades were changed; "" if they were not."""
    levels = len(collection.grades[0])
    if levels == degrees:
        return ()
    if degrees == 2:
        return ("Binary: every grade above 0 counts as relevant.",)
    return (f"{_WORDS[degrees].capitalize()}, as in the paper: grade {degrees - 1} and those above it count as one.",)


# -- Curves of a measure's ranking under reduced pools, for the papers that draw them --------------


def reduction(
    on: Evidence,
    collection: Collection,
    measures: Mapping[str, str],
    method: ReductionName,
    full: Scores | None = None,
) -> PoolReduction:
    """Self-τ of `measures` (name → expression) at the papers' rates, under these names; `full` are known scores."""
    found = pool_reduction(
        collection,
        list(measures.values()),
        rates=RATES,
        method=method,
        repeats=on.repeats,
        seed=on.seed,
        progress=on.context.progress,
        _full=None if full is None else lambda *_: full,
    )
    return replace(found, measures=tuple(measures))


def curves(reduced_pool: PoolReduction, title: str) -> Drawing:
    """One curve per measure."""
    fig = pool_curves(
        list(reduced_pool.measures),
        reduced_pool.kept,
        reduced_pool.tau,
        *reduced_pool.band(),
        reduced_pool.repeats.shape[-1],
    )
    words = falling(least_kept(reduced_pool), 2)
    alt = f"One curve per measure as judgments are removed. τ with {reduced_pool.rates[-1]:.0%} kept: {words}."
    return Drawing(fig, title, alt)


def least_kept(reduced_pool: PoolReduction) -> dict[str, float]:
    """By measure, τ with the smallest share of the judgments."""
    return dict(zip(reduced_pool.measures, reduced_pool.tau[:, -1], strict=True))


def tau_table(parts: Mapping[str, PoolReduction]) -> Table:
    """All curves as numbers: one row per figure and measure, one column per share of the pool."""
    frames = {
        title: pd.DataFrame(one.tau, list(one.measures), [f"{rate:.0%}" for rate in one.rates])
        for title, one in parts.items()
    }
    frame = pd.concat(frames, names=["figure", "measure"]).reset_index()
    return Table(frame, "One row per figure and measure: τ with the ranking under the full pool, at each share of it.")


def self_tau(comparison: Comparison) -> pd.DataFrame:
    """The numbers of :func:`tau_table`, by figure and measure; a column a share."""
    return comparison.tables["Curves"].frame.set_index(["figure", "measure"])
