"""Collection: what is loaded, how it was judged, and the warnings about its files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND, NEGATIVE, TIE_RULES, UNJUDGED, Finding
from irviz.collection.model import Collection
from irviz.errors import join_words, number_of, percent, verb
from irviz.figures.axes import row_names
from irviz.figures.pools import topic_grade_bars
from irviz.figures.theme import MARKERS, PALETTE, escape_names, figure, full_height, scatter
from irviz.stats.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Flag, plain
from irviz.workspace.controls import EVERY
from irviz.workspace.facts import Fact
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table, named_rows
from irviz.workspace.view import View

# -- How much of every list was judged -------------------------------------------------------------


def judged_share(
    systems: Sequence[str], shares: NDArray[np.float64], cutoffs: Sequence[int], highlights: Sequence[int] = ()
) -> go.Figure:
    """One row per system, one marker per cutoff.

    Parameters
    ----------
    systems : names, the best judged first
    shares : systems × cutoffs, in [0, 1]
    cutoffs : ranks
    highlights : positions of the systems that stand out
    """
    rows, names = np.arange(len(systems)), [[name] for name in escape_names(systems)]
    traces = [
        scatter(
            x=np.round(shares[:, i], 4),
            y=rows + 0.22 * (i - (len(cutoffs) - 1) / 2),  # equal shares are beside one another
            mode="markers",
            name=f"first {k:,}",
            customdata=names,
            marker={
                "symbol": MARKERS[i] + "-open" * (i > 0),
                "size": 7,
                "color": PALETTE[i],
                "line": {"width": 1.5, "color": PALETTE[i]},
            },
            hovertemplate=f"%{{customdata[0]}}<br>%{{x:.1%}} of its first {k:,}<extra></extra>",
        )
        for i, k in enumerate(cutoffs)
    ]
    # the axis in sight of those who see the top only, below two rows of the legend
    fig = figure(traces[::-1], full_height(len(systems)), margin={"t": 90})
    fig.update_layout(legend={"traceorder": "reversed"}, showlegend=True)
    tenths = max(1, int(np.ceil(10 * shares.max(initial=0))))  # where few are judged, the axis ends at the next tenth
    fig.update_xaxes(title_text="share judged", range=[-0.003 * tenths, 0.103 * tenths], tickformat=".0%", side="top")
    return row_names(fig, systems, highlights)


# --------------------------------------------------------------------------------------------------

_CUTOFFS = (10, 50, 100, 1000)
SEVERITIES = ("error", "warning", "note")


def _aspects(context: Context) -> dict[str, Any]:
    loaded = context.dataset.collection
    return {"options": tuple((name, name) for name in (loaded.aspects if loaded else ("relevance",)))}


CONTROLS = (
    Choice(
        name="aspect",
        label="Aspect",
        help="What the documents were graded for.",
        from_context=_aspects,
    ),
    Flag(
        name="zero",
        label="Include documents that are not relevant",
        help="They usually outnumber the relevant documents by far.",
    ),
    EVERY,
)


def panel(context: Context, values: Values) -> Panel:
    """Counts, grades by topic, share of judged documents by system, warnings about the files."""
    if context.dataset.collection is None:
        return _scores_panel(context)
    collection, aspect = context.collection, values["aspect"]
    counts, words = grade_counts(collection, aspect)
    first = 0 if values["zero"] else _first_relevant(words)
    cutoffs = [k for k in _CUTOFFS if k < collection.depth][:2] + [collection.depth]
    shares = judged_shares(collection, cutoffs)
    order = np.lexsort((np.arange(len(shares)), *(-shares).T))  # by the last cutoff: at the first most are alike
    systems, shares = [collection.systems[i] for i in order], shares[order]
    bars = topic_grade_bars(collection.topics, counts[:, first:], words[first:])
    by = "by grade of" if len(words[first:]) > 1 else "by topic, for"
    complete = int((shares == 1).all(axis=1).sum())  # these come first, and their rows would all be alike
    all_judged = f"Every document of the lists of {number_of(complete, 'system')} was judged"
    drawings = [{"grades": Drawing(bars, f"{'Relevant' if first else 'Judged'} documents {by} {aspect}")}]
    if partly := systems[complete:]:
        least = shares[complete:].min(axis=0)
        some = np.flatnonzero(least < 1)  # the others are a line at 100%
        kept = [cutoffs[i] for i in some]
        judged = judged_share(partly, shares[complete:, some], kept, context.highlighted_positions(partly))
        title = f"Share of the ranks of each list whose document was judged, ordered by the first {cutoffs[-1]:,}"
        if len(kept) < len(cutoffs):
            title += f"; of the first {max(set(cutoffs) - set(kept)):,} all were"
        drawings.append({"judged": Drawing(judged, f"{title}. {all_judged}" if complete else title)})
    return Panel(
        sentence=_sentence(context, counts, words),
        drawings=tuple(drawings),
        tables={
            "File warnings": Table(
                grouped_warnings(collection),
                "One row per kind of warning or note about the files, most serious first, with the first one in full.",
                wraps_text=True,
            ),
            "Topics": Table(
                named_rows(pd.DataFrame(counts, columns=words), "topic", collection.topics),
                "One row per topic: judged documents by grade.",
            ),
            "Systems": Table(
                named_rows(pd.DataFrame(shares, columns=[f"judged in first {k}" for k in cutoffs]), "system", systems),
                "One row per system: share of judged documents.",
            ),
            "All file warnings": Table(
                lint_table(collection), "One row per warning or note about the files, most serious first."
            ),
        },
        notes=(*([] if partly else [f"{all_judged}."]), *_notes(collection)),
        ways=(("Which measures these users agree with", View.from_texts("users", **context.texts)),)
        if collection.has_users
        else (),
        facts=_facts(collection),
        has_open_tables=True,
    )


def grade_counts(collection: Collection, aspect: str) -> tuple[NDArray[np.int64], list[str]]:
    """topics × levels: how many documents were judged at each level, and the words for the levels."""
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


def lint_table(collection: Collection | Scores) -> pd.DataFrame:
    """The findings, most serious first, in the order of the files within a severity."""
    findings = sorted(collection.findings, key=lambda finding: SEVERITIES.index(finding.severity))
    rows = [(one.severity, one.file, one.line, one.message) for one in findings]
    return pd.DataFrame(rows, columns=["severity", "file", "line", "message"]).astype({"line": "Int64"})


def grouped_warnings(collection: Collection) -> pd.DataFrame:
    """The findings by kind: those whose messages differ in names and numbers only are one kind."""
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for finding in sorted(collection.findings, key=lambda finding: SEVERITIES.index(finding.severity)):
        kinds.setdefault((finding.severity, outline(finding.unnamed or finding.message)), []).append(finding)
    return pd.DataFrame(
        [
            (findings[0].severity, len(findings), len({warning.file for warning in findings}), str(findings[0]))
            for findings in kinds.values()
        ],
        columns=["severity", "warnings", "files", "the first one"],
    )


def outline(message: str) -> str:
    """A message without its names and numbers, and without what it quotes after a colon.

    >>> outline("3,033 lines in 1 topic have no judgment: 401") == outline("1 line in 2 topics has no judgment: 7, 8")
    True
    """
    words = re.sub(r"\S+", _without_number, message.partition(": ")[0])
    return re.sub(r"\bN (\w+?)s?\b", r"N \1", words).replace(" has ", " have ").replace(" is ", " are ")


def _without_number(word: re.Match[str]) -> str:
    return "N" if any(sign.isdecimal() for sign in word[0]) else word[0]


def _first_relevant(words: list[str]) -> int:
    return next((i + 1 for i, word in enumerate(words) if word == "not relevant (0)"), 0)


def _sentence(context: Context, counts: NDArray[np.int64], words: list[str]) -> str:
    relevant = counts[:, _first_relevant(words) :].sum(axis=1)
    judged = int(counts.sum())
    systems, topics = number_of(len(context.systems), "system"), number_of(len(context.topics), "topic")
    start = f"{context.dataset.title}: {systems} answered {topics}."
    if not judged:
        return f"{start} No document is judged."
    if not relevant.any():
        who = "The only judged document is not" if judged == 1 else f"None of the {judged:,} judged documents is"
        return f"{start} {who} relevant."
    part = "all" if relevant.sum() == judged else percent(float(relevant.sum() / judged))
    share = f"Of {number_of(judged, 'judged document')}, {part} are relevant"
    if relevant.min() == relevant.max():
        return f"{start} {share}, {relevant[0]} {'of them' if len(relevant) == 1 else 'on every topic'}."
    none = int((relevant == 0).sum())
    more = f"; {none:,} {verb(none, 'topic has', 'topics have')} none" if none else ""
    return (
        f"{start} {share}; the median topic has {np.median(relevant):,g} of them, individual topics have "
        f"{relevant.min():,} to {relevant.max():,}{more}."
    )


def _facts(collection: Collection) -> tuple[Fact, ...]:
    """The numbers that the sentence leaves out."""
    judgments = ("judges", collection.judges) if collection.judges else ("aspects", collection.aspects)
    return (
        Fact(judgments[0], len(judgments[1])),
        Fact("depth", collection.depth),
        Fact("file warnings", sum(finding.severity != "note" for finding in collection.findings)),
    )


def _notes(collection: Collection) -> tuple[str, ...]:
    people, preferred = collection.satisfaction, collection.preferences
    feedback = [number_of(len(people), "answer") + " about satisfaction"] if people is not None else []
    feedback += [number_of(len(preferred), "preference")] if preferred is not None else []
    return (
        *([f"Users gave {join_words(feedback, joiner='and')}."] if feedback else []),
        f"Tied documents are ordered by: {TIE_RULES[collection.ties]}.",
        f"Fingerprint: `{collection.fingerprint[:16]}`. Collections of the same fingerprint give the same scores.",
    )


def _scores_panel(context: Context) -> Panel:
    scores = context.dataset.imported_scores
    assert scores is not None
    return Panel(
        sentence=f"{context.dataset.title}: {number_of(len(scores.measures), 'measure')} of "
        f"{number_of(len(scores.systems), 'system')} on {number_of(len(scores.topics), 'topic')}. Without rankings and "
        "judgments nothing can be said about documents; the pages about scores work.",
        tables={
            "All file warnings": Table(
                lint_table(scores), "One row per warning or note about the files, most serious first.", wraps_text=True
            )
        }
        if scores.findings
        else {},
    )


PAGE = Page(
    name="collection",
    title="Collection",
    question="What is loaded, and how completely was it judged?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"highlights", "lists"}),
)
