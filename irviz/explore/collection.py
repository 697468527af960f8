"""Collection: what is loaded, how it was judged, and the warnings about its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.codes import NEGATIVE, TIE_RULES, Finding
from irviz.collection.lint import EFFECTS, effect
from irviz.collection.model import NO_GROUP, Collection
from irviz.errors import cut
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
    systems: Sequence[str],
    shares: NDArray[np.float64],
    cutoffs: Sequence[int],
    highlights: Sequence[int] = (),
    every: bool = True,
) -> go.Figure:
    """Shares (systems × cutoffs, best judged first) as one row per system and one marker per cutoff."""
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
    return row_names(fig, systems, highlights, every)


# --------------------------------------------------------------------------------------------------

_CUTOFFS = (10, 50, 100, 1000)


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
    complete = int((shares == 1).all(axis=1).sum())  # these come first, and their rows would all be alike
    topics = named_rows(pd.DataFrame(counts, columns=words), "topic", collection.topics)
    if context.groups:
        topics.insert(1, "group", [context.groups.get(topic, NO_GROUP) for topic in collection.topics])
    drawings = [{"grades": Drawing(bars, f"Documents by topic and grade of {aspect}")}]
    if partly := systems[complete:]:
        least = shares[complete:].min(axis=0)
        some = np.flatnonzero(least < 1)  # the others are a line at 100%
        kept = [cutoffs[i] for i in some]
        highlights = context.highlighted_positions(partly)
        judged = judged_share(partly, shares[complete:, some], kept, highlights, values["every"])
        title = f"Share of each list that was judged, ordered by the first {cutoffs[-1]:,} ranks"
        drawings.append({"judged": Drawing(judged, title)})
    return Panel(
        sentence=f"{context.dataset.title}.",
        drawings=tuple(drawings),
        tables={
            "Findings": _findings_table(collection),
            "Topics": Table(
                topics,
                "One row per topic: judged documents by grade.",
            ),
            "Systems": Table(
                named_rows(pd.DataFrame(shares, columns=[f"judged in first {k}" for k in cutoffs]), "system", systems),
                "One row per system: share of judged documents.",
            ),
            "All findings": _all_findings(collection),
        },
        notes=(
            *[f"Systems with every document judged: {complete:,}."] * bool(complete),
            f"Tied documents are ordered by: {TIE_RULES[collection.ties]}.",
            f"Fingerprint: `{collection.fingerprint[:16]}`. Collections of the same fingerprint give the same scores.",
        ),
        ways=(("Which measures these users agree with", View.from_texts("users", **context.texts)),)
        if collection.has_users
        else (),
        facts=_facts(collection, aspect, counts, words),
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
        head = collection.ranking.subset(slice(None), depth=k)
        shares.append(head.judged.counts.sum(axis=0) / np.maximum(head.lengths.sum(axis=0), 1))
    return np.stack(shares, axis=1)


def _findings_table(data: Collection | Scores) -> Table:
    about = "One row per kind of finding about the files, those to check first, each with the first one in full."
    return Table(grouped_findings(data), about, wraps_text=True)


def _all_findings(data: Collection | Scores) -> Table:
    """The findings, those to check first, in the order of the files within an effect."""
    findings = sorted(data.findings, key=lambda finding: EFFECTS.index(effect(finding)))
    rows = [(effect(one), one.severity, one.file, one.line, one.message) for one in findings]
    frame = pd.DataFrame(rows, columns=["effect on scores", "severity", "file", "line", "message"])
    return Table(frame.astype({"line": "Int64"}), "One row per finding about the files, those to check first.")


def grouped_findings(data: Collection | Scores) -> pd.DataFrame:
    """The findings by what they do to scores and by kind."""
    kinds: dict[tuple[int, str], list[Finding]] = {}
    for finding in data.findings:
        kinds.setdefault((EFFECTS.index(effect(finding)), finding.kind), []).append(finding)
    return pd.DataFrame(
        [
            (EFFECTS[effect], len(findings), len({finding.file for finding in findings}), str(findings[0]))
            for (effect, _), findings in sorted(kinds.items(), key=lambda kind: kind[0][0])
        ],
        columns=["effect on scores", "findings", "files", "the first one"],
    )


def _first_relevant(words: list[str]) -> int:
    return next((i + 1 for i, word in enumerate(words) if word == "not relevant (0)"), 0)


def _facts(collection: Collection, aspect: str, counts: NDArray[np.int64], words: list[str]) -> tuple[Fact, ...]:
    """Size, judgments, and how many kinds of findings may mean wrong scores."""
    relevant = counts[:, _first_relevant(words) :].sum(axis=1)
    why = f"{relevant.min():,} to {relevant.max():,} on a topic"
    grades = ", ".join(map(plain, collection.grades[collection.aspect_index(aspect)]))
    given = {"answers": collection.satisfaction, "preferences": collection.preferences}
    return (
        *_size(collection),
        Fact("grades", cut(grades)),
        Fact("relevant of judged", int(relevant.sum()), of=int(counts.sum()), why=why),
        _to_check(collection),
        *(Fact(f"{what} of users", len(some)) for what, some in given.items() if some is not None),
    )


def _size(data: Collection | Scores) -> tuple[Fact, Fact]:
    return Fact("systems", len(data.systems)), Fact("topics", len(data.topics))


def _to_check(data: Collection | Scores) -> Fact:
    """How many kinds of findings may mean wrong scores."""
    effects = grouped_findings(data)["effect on scores"]
    return Fact("kinds of findings to check", int((effects == EFFECTS[0]).sum()), of=len(effects) or None)


def _scores_panel(context: Context) -> Panel:
    scores = context.dataset.imported_scores
    assert scores is not None
    return Panel(
        sentence=f"{context.dataset.title}.",
        facts=(*_size(scores), Fact("measures", len(scores.measures)), _to_check(scores)),
        tables={"Findings": _findings_table(scores), "All findings": _all_findings(scores)} if scores.findings else {},
        has_open_tables=True,
    )


PAGE = Page(
    name="collection",
    title="Collection",
    question="What is loaded, and how completely was it judged?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"highlights", "holes", "lists"}),
)
