"""Collection: what is loaded, how it was judged, and what lint saw in its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import BEYOND, NEGATIVE, TIE_RULES, UNJUDGED, Collection
from irviz.explore.collection.grades import grade_bars
from irviz.explore.collection.judged import judged_share
from irviz.links.control import Choice, Flag
from irviz.links.text import plain
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table

TITLE = "Collection"
QUESTION = "What is loaded, and how completely was it judged?"
CUTOFFS = (10, 50, 100, 1000)
SEVERITIES = ("error", "warning", "note")


def _aspects(context: Context) -> dict[str, Any]:
    loaded = context.opened.collection
    return {"options": tuple((name, name) for name in (loaded.aspects if loaded else ("relevance",)))}


CONTROLS = (
    Choice(
        name="aspect",
        label="Aspect",
        help="What the documents were graded for.",
        offers=_aspects,
    ),
    Flag(
        name="zero",
        label="Count documents that are not relevant, too",
        help="They usually outnumber the others many times over.",
    ),
)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """Counts, grades by topic, share of judged documents by system, lint."""
    if context.opened.collection is None:
        return _imported(context)
    collection, aspect = context.collection, values["aspect"]
    counts, words = grade_counts(collection, aspect)
    first = 0 if values["zero"] else _first_relevant(words)
    cutoffs = [k for k in CUTOFFS if k < collection.depth][:2] + [collection.depth]
    shares = judged_shares(collection, cutoffs)
    order = np.lexsort((np.arange(len(shares)), -shares[:, -1], -shares[:, 0]))
    systems = [collection.systems[i] for i in order]
    grades = Drawing(
        grade_bars(collection.topics, counts[:, first:], words[first:]),
        f"Judged documents by grade of {aspect}",
        f"Stacked bars, one a topic. {_sentence(context, counts, words)}",
    )
    judged = Drawing(
        judged_share(systems, shares[order], cutoffs),
        "How much of each list was judged",
        _judged_words(systems, shares[order], cutoffs),
    )
    return Panel(
        sentence=_sentence(context, counts, words),
        drawings=({"grades": grades}, {"judged": judged}),
        tables={
            "What lint saw": Table(lint_table(collection), "One row a finding in the files, gravest first."),
            "Topics": Table(_topic_table(collection, counts, words), "One row a topic: judged documents by grade."),
            "Systems": Table(
                _system_table(systems, shares[order], cutoffs), "One row a system: share of judged documents."
            ),
        },
        notes=_notes(collection),
        facts=_facts(collection, counts),
        unfolded=True,
    )


def grade_counts(collection: Collection, aspect: str) -> tuple[NDArray[np.int64], list[str]]:
    """topics × levels: how many documents were judged so, and the words for the levels."""
    place = collection.aspect_index(aspect)
    labels = collection.labels[:, :, place]
    words = [f"grade {plain(grade)}" for grade in collection.grades[place]]
    words[0] = "not relevant (0)"
    levels = list(range(len(words)))
    if (labels == NEGATIVE).any():
        levels, words = [NEGATIVE, *levels], ["below zero", *words]
    return np.stack([(labels == level).sum(axis=1) for level in levels], axis=1).astype(np.int64), words


def judged_shares(collection: Collection, cutoffs: list[int]) -> NDArray[np.float64]:
    """systems × cutoffs: of the ranks that hold a document, the share whose document was judged."""
    shares = []
    for k in cutoffs:
        head = collection.ranking[:, :, :k]
        held = (head != BEYOND).sum(axis=(0, 2))
        shares.append(((head != BEYOND) & (head != UNJUDGED)).sum(axis=(0, 2)) / np.maximum(held, 1))
    return np.stack(shares, axis=1)


def lint_table(collection: Collection) -> pd.DataFrame:
    """The findings, gravest first, in the order of the files within a severity."""
    found = sorted(collection.findings, key=lambda finding: SEVERITIES.index(finding.severity))
    columns = {
        "severity": [finding.severity for finding in found],
        "file": [finding.file for finding in found],
        "line": pd.array([finding.line for finding in found], dtype="Int64"),
        "message": [finding.message for finding in found],
    }
    return pd.DataFrame(columns)


def _first_relevant(words: list[str]) -> int:
    return next((i + 1 for i, word in enumerate(words) if word == "not relevant (0)"), 0)


def _sentence(context: Context, counts: NDArray[np.int64], words: list[str]) -> str:
    relevant = counts[:, _first_relevant(words) :].sum(axis=1)
    judged = int(counts.sum())
    share = relevant.sum() / judged if judged else 0.0
    none = int((relevant == 0).sum())
    more = f"; {none} {'has' if none == 1 else 'have'} none" if none else ""
    return (
        f"{context.opened.title}: {len(context.systems)} systems answered {len(context.topics)} topics. Of {judged:,} "
        f"judged documents {share:.0%} are relevant; the middle topic has {np.median(relevant):g} of them, the fewest "
        f"{relevant.min()}, the most {relevant.max()}{more}."
    )


def _judged_words(systems: list[str], shares: NDArray[np.float64], cutoffs: list[int]) -> str:
    return (
        f"A marker a cutoff for every system: of the first {cutoffs[0]} documents {shares[:, 0].min():.0%} to "
        f"{shares[:, 0].max():.0%} were judged; {systems[-1]} has the fewest."
    )


def _facts(collection: Collection, counts: NDArray[np.int64]) -> tuple[tuple[str, str], ...]:
    return (
        ("Systems", f"{len(collection.systems)}"),
        ("Topics", f"{len(collection.topics)}"),
        ("Aspects", f"{len(collection.aspects)}"),
        ("Depth", f"{collection.depth:,}"),
        ("Judged documents", f"{int(counts.sum()):,}"),
        ("Lint findings", f"{len(collection.findings):,}"),
    )


def _notes(collection: Collection) -> tuple[str, ...]:
    return (
        f"Tied documents are ordered so: {TIE_RULES[collection.ties]}.",
        f"Fingerprint: `{collection.fingerprint[:16]}`. Collections of the same fingerprint give the same scores.",
    )


def _topic_table(collection: Collection, counts: NDArray[np.int64], words: list[str]) -> pd.DataFrame:
    frame = pd.DataFrame(counts, columns=words)
    frame.insert(0, "topic", list(collection.topics))
    return frame


def _system_table(systems: list[str], shares: NDArray[np.float64], cutoffs: list[int]) -> pd.DataFrame:
    frame = pd.DataFrame(shares, columns=[f"judged in first {k}" for k in cutoffs])
    frame.insert(0, "system", systems)
    return frame


def _imported(context: Context) -> Panel:
    scores = context.opened.imported
    assert scores is not None
    return Panel(
        sentence=f"{context.opened.title} are imported scores: {len(scores.measures)} measures of "
        f"{len(scores.systems)} systems on {len(scores.topics)} topics. Without rankings and judgments nothing "
        "can be said about documents; the pages about scores work.",
        facts=(
            ("Measures", f"{len(scores.measures)}"),
            ("Systems", f"{len(scores.systems)}"),
            ("Topics", f"{len(scores.topics)}"),
        ),
    )
