"""Topics: where one system falls short of another, and because of which documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.documents import checked_pattern
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.explore.score_difference import (
    ZERO,
    RankedList,
    dominance_section,
    ideal_of,
    lower_documents,
    pool_grades,
    side_of,
    with_parts,
)
from irviz.explore.topics_figures import (
    dcg_curves,
    dumbbells,
    rank_by_rank,
    recall_precision,
    side_by_side,
    system_dots,
    topic_bars,
    value_bars,
)
from irviz.figures.theme import MOST_TOPICS, Floats
from irviz.measures import measure
from irviz.measures.language.base import Measure
from irviz.portable import mean
from irviz.stats.correlation import merge_ties, paired_tau, shared_ranks
from irviz.stats.lists import dominance
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number, Text, excerpt, one_measure
from irviz.workspace.facts import Fact
from irviz.workspace.page import Page, RowByRow, Values
from irviz.workspace.panel import Drawing, Panel, Table, named_rows
from irviz.workspace.phrases import spell

# -- Topics in the order of what is asked about them -----------------------------------------------

SORTS = {
    "best": "A falls short of the best",
    "median": "A falls short of the median",
    "b": "A falls short of B",
    "apart": "two measures disagree",
    "carry": "A − B adds most to the mean",
}


@dataclass(frozen=True, eq=False)
class TopicOrder:
    """Topics, those that matter most for the question first."""

    order: NDArray[np.intp]  #: positions of topics
    value: Floats  #: by topic, what they are sorted by
    about: str  #: what the value is
    #: topics × systems, the scores by the measure and by the one that it is compared with, if any
    matrix: Floats
    other: Floats
    #: columns of the two systems
    a: int
    b: int


def sorted_topics(context: Context, values: Values) -> TopicOrder:
    """Topics by one of :data:`SORTS`: "carry" by (a − b)/topics, "apart" by τ_b of two measures, undefined last."""
    how, (a, b) = values["sort"], map(context.systems.index, context.pair)
    matrix = other = merge_ties(context.scores([values["measure"]]).values[0])
    if how == "apart":
        other = merge_ties(context.scores([values["other"]]).values[0])
        value = order = paired_tau(matrix, other)
        about = "Kendall's τ on the topic"
    elif how == "carry":
        value, about = (matrix[:, a] - matrix[:, b]) / len(matrix), "adds to the difference of the means"
        order = value if float(mean(matrix[:, a] - matrix[:, b])) < 0 else -value
    else:
        value, about = compared_with(how, matrix, b) - matrix[:, a], "falls short by"
        order = -value
    return TopicOrder(np.argsort(order, kind="stable"), value, about, matrix, other, a, b)


def compared_with(how: str, matrix: Floats, b: int) -> Floats:
    """By topic, the score that A is compared with."""
    if how == "best":
        return np.asarray(matrix.max(axis=1))
    return np.asarray(np.median(matrix, axis=1)) if how == "median" else matrix[:, b]


def topic_table(context: Context, topic_order: TopicOrder) -> pd.DataFrame:
    """One row per topic in order: what it is sorted by, the scores, ranks among the systems, and how ranks move."""
    a, b, matrix = topic_order.a, topic_order.b, topic_order.matrix
    ranks = shared_ranks(matrix)
    columns = {
        topic_order.about: topic_order.value,
        f"A: {context.systems[a]}": matrix[:, a],
        f"B: {context.systems[b]}": matrix[:, b],
        "best": matrix.max(axis=1),
        "median": np.median(matrix, axis=1),
        "rank of A": ranks[:, a],
        "rank of B": ranks[:, b],
    }
    if topic_order.about.startswith("Kendall"):
        moved = shared_ranks(topic_order.other)
        columns |= {"A by the other measure": moved[:, a], "B by the other measure": moved[:, b]}
        columns |= {"largest rank change": np.abs(ranks - moved).max(axis=1)}
    frame = pd.DataFrame(columns).iloc[topic_order.order].reset_index(drop=True)
    return named_rows(frame, "topic", [context.topics[i] for i in topic_order.order])


# -- What can be chosen on the page on topics: two systems, what sorts the topics, one topic, where documents are read

MANY_ZEROS = 0.05  #: the share of topics with the value 0 above which their bar would hide the others
DISPUTE = "What no measure can dispute"
TOP_OF_SORT = ""  #: the value of the topic that the sort puts first


@dataclass(frozen=True, kw_only=True)
class Address(Text):
    """The address of a document, such as ``https://example.org/{docid}``; "" if unknown."""

    default: str = ""

    def check(self, value: str) -> str:
        return checked_pattern(value) if value else value


CONTROLS = (
    one_measure("measure", "Measure"),
    Choice(
        name="sort",
        label="Topics on which",
        default="best",
        options=tuple(SORTS.items()),
        help="Which topics come first.",
    ),
    replace(
        one_measure("other", "Second measure", 1, help="Compared with the first, topic by topic."),
        shown_if=lambda values: values["sort"] == "apart",
    ),
    Choice(
        name="topic",
        label="Topic",
        default=TOP_OF_SORT,
        help="Or click a topic in the figure.",
        from_context=lambda context: {
            "options": ((TOP_OF_SORT, "the first in this order"), *((topic, topic) for topic in context.topics))
        },
    ),
    Number(
        name="ranks",
        label="Ranks shown",
        help="The number of ranks of the two lists.",
        whole=True,
        step=5,
        default=20,
        slider=False,
        from_context=lambda context: {"low": 1, "high": min(100, context.depth), "default": min(20, context.depth)},
        aside=True,
    ),
    Address(
        name="docs",
        label="Address of a document",
        help="Where documents can be read: https://example.org/{docid}. Lists then link there; irviz fetches nothing.",
        empty="none",
        aside=True,
    ),
)


# -- One topic ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TopicView:
    """One topic, with the lists of one or two systems in the whole collection, whose judgments scores may depend on."""

    context: Context
    values: Values
    topic: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(dict.fromkeys(self.context.pair))

    @property
    def sides(self) -> tuple[RankedList, ...]:
        """Their lists, with what each rank adds where that is known."""
        return self._lists[0]

    @property
    def refusal(self) -> str:
        """Why the measure is no sum over ranks; "" if it is."""
        return self._lists[1]

    @cached_property
    def _lists(self) -> tuple[tuple[RankedList, ...], str]:
        sides = tuple(side_of(self.c, self.topic, name, self.aspect) for name in self.names)
        try:
            return tuple(with_parts(side, self.c, self.one, self.topic) for side in sides), ""
        except IrvizError as error:
            return sides, str(error)

    @property
    def c(self) -> Collection:
        return self.context.whole

    @property
    def label(self) -> str:
        """The measure's expression."""
        return str(self.values["measure"])

    @cached_property
    def one(self) -> Measure:
        return measure(self.label)

    @property
    def aspect(self) -> str:
        return self.one.aspect or self.c.aspects[0]

    @cached_property
    def pool(self) -> Floats:
        """The grades of the judged documents."""
        return pool_grades(self.c, self.topic, self.aspect)

    @cached_property
    def ideal(self) -> RankedList:
        """The judged documents by grade."""
        return ideal_of(self.c, self.one, self.topic, self.aspect, self.sides[0])

    @cached_property
    def row(self) -> pd.Series:
        """All systems' scores on the topic, the best first."""
        scores = self.context.scores([self.label]).values[0][self.context.topics.index(self.topic)]
        order = np.argsort(-scores, kind="stable")
        return pd.Series(scores[order], [self.context.systems[i] for i in order])


def topic_facts(view: TopicView, ranks: int) -> tuple[Fact, ...]:
    """Both scores, the documents that make most of their difference, the ideal list, and what was not judged."""
    scores = [float(view.row[side.name]) for side in view.sides]
    facts = [Fact(letter, score, (side.name,)) for letter, score, side in zip("AB", scores, view.sides, strict=False)]
    if len(view.sides) == 2:
        behind, ahead = view.sides if scores[0] < scores[1] else view.sides[::-1]
        facts += [*_lower_documents(behind, ahead), _dominance(view)]
    if view.ideal.parts is not None and not view.one.several_aspects:
        why = f"Judged documents by grade: {len(view.ideal.index):,}. The measure may prefer another order."
        facts.append(Fact("ideal list", float(view.ideal.parts.attrs["score"]), why=why))
    for side in view.sides:
        first = side.grades[:ranks]
        if len(first):
            unjudged = int(np.isnan(first).sum())
            facts.append(Fact("unjudged of the first documents", unjudged, (side.name,), of=len(first)))
        else:
            facts.append(Fact("unjudged", names=(side.name,), why=f"It returned nothing for topic {view.topic}."))
    return tuple(facts)


def _lower_documents(behind: RankedList, ahead: RankedList) -> tuple[Fact, ...]:
    """What the documents that cost the worse list most make of the difference."""
    lower = lower_documents(behind, ahead)
    names = tuple(
        f"grade {one.grade:g}: {'missing' if one.rank is None else f'rank {one.rank:,}'}, not rank {one.instead:,}"
        for one in lower
    )
    why = f"The documents that {behind.name} ranks lower than {ahead.name} and that cost it most."
    return (Fact("lost by documents ranked lower", sum(one.loses for one in lower), names, why=why),) if lower else ()


def _dominance(view: TopicView) -> Fact:
    """The list that is at least as good whatever the measure."""
    first, second = (side.name for side in view.sides)
    found = dominance(view.c.subset(topics=[view.topic], systems=[first, second]), first, second, aspect=view.aspect)
    why = (
        f"By grades of {view.aspect}, {ZERO}. First rank with fewer documents of some grade or better (0: nowhere): "
        f"{first} {found.first_behind[0]}, {second} {found.second_behind[0]}."
    )
    value = {"first": first, "second": second, "equal": "both are equal", "undecided": "neither"}[found.verdicts[0]]
    return Fact("dominates", value, why=why)


# -- Further answers below the lists, computed when they are asked for -----------------------------


def precision_at_hits(side: RankedList, relevant: int, rel: float) -> tuple[Floats, Floats]:
    """Recall and precision at every relevant document of a list; `relevant` is how many there are."""
    hits = np.flatnonzero((side.grades >= rel) & (side.grades > 0))
    count = np.arange(1, len(hits) + 1, dtype=np.float64)
    return count / max(1, relevant), count / (hits + 1)


def recall_and_precision(view: TopicView) -> Panel:
    """The curves of the two lists; documents are relevant from the measure's own grade on, or from 1."""
    own = getattr(view.one, "rel", None)
    rel = 1.0 if own is None else float(own)
    relevant = int(((view.pool >= rel) & (view.pool > 0)).sum())
    if not relevant:
        return Panel(f"No judged document of topic `{view.topic}` is relevant.")
    curves = [(side.name, *precision_at_hits(side, relevant, rel)) for side in view.sides]
    parts = [dict(zip(("system", "recall", "precision"), curve, strict=True)) for curve in curves]
    frame = pd.concat(map(pd.DataFrame, parts), ignore_index=True)
    return Panel(
        f"Relevant documents of topic `{view.topic}`: {relevant:,}.",
        ({"curve": Drawing(recall_precision(curves), f"Recall and precision on topic {view.topic}")},),
        {"Recall and precision": Table(frame, "One row per relevant document found.")},
        notes=(f"Relevant: grade {rel:g} or higher. The line is the highest precision at this recall or beyond.",),
        facts=tuple(Fact("found", len(recall), (name,), of=relevant) for name, recall, _ in curves),
    )


# --------------------------------------------------------------------------------------------------


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """Topics in order; one of them, its lists, and what their ranks add."""
    topic_order, topic = sorted_topics(context, values), values["topic"]
    view = TopicView(context, values, context.topics[topic_order.order[0]] if topic == TOP_OF_SORT else topic)
    called = context.label(view.label)
    dots = system_dots(list(view.row.index), view.row.to_numpy(), view.names, called, context.highlight)
    first = (
        _topics(topic_order, view),
        {"systems": Drawing(dots, f"`{called}` of all systems on topic `{view.topic}`")},
    )
    yield Panel("", first)
    rank = min(values["ranks"], view.c.depth)
    text = view.c.topic_texts.get(view.topic)
    title = f"What each rank adds to `{called}`, and the running total"
    adds = {} if view.refusal else {"adds": Drawing(rank_by_rank(view.sides, called), title)}
    scores = ", ".join(f"`{side.name}` {spell(float(view.row[side.name]), 3)}" for side in view.sides)
    dominates = {DISPUTE: partial(dominance_section, context.collection, *context.pair, view.aspect)}
    yield Panel(
        sentence=f"Topic `{view.topic}`, `{called}`: {scores}.",
        facts=topic_facts(view, rank),
        drawings=(*first, {"lists": _lists(view, rank), **adds}, *_dcg(view)),
        tables={
            "Topics": Table(
                topic_table(context, topic_order),
                f"One row per topic, those that matter most first; scores are {view.label}.",
            ),
            "Lists": _lists_table(view),
            "Systems": Table(
                named_rows(pd.DataFrame({view.label: view.row.to_numpy()}), "system", view.row.index),
                f"One row per system, best first, on topic `{view.topic}`.",
                names=(view.label,),
            ),
        },
        notes=_notes(topic_order, view),
        texts={f"Topic {view.topic}": text} if text else {},
        folds={
            "Recall and precision": partial(recall_and_precision, view),
            **(dominates if len(view.sides) > 1 else {}),
        },
    )


# -- figures --------------------------------------------------------------------------------


def _topics(topic_order: TopicOrder, view: TopicView) -> dict[str, Drawing]:
    """The topics in order; where they are many, how the sorted value spreads over them."""
    sort, (a, b) = view.values["sort"], view.context.pair
    names = [view.context.topics[i] for i in topic_order.order]
    title = f"Topics on which {SORTS[sort]} (A: `{a}`, B: `{b}`)"
    if len(names) > MOST_TOPICS:
        value = topic_order.value
        many = MANY_ZEROS < (value == 0).mean() < 1
        at = float(value[view.context.topics.index(view.topic)])
        fig = value_bars(value[value != 0] if many else value, topic_order.about, at)
        return {"topics": Drawing(fig, f"{title}; the line is topic `{view.topic}`; topics at 0: {(value == 0).sum()}")}
    chosen = names.index(view.topic)
    if sort in ("apart", "carry"):
        fig = topic_bars(names, topic_order.value[topic_order.order], topic_order.about, chosen)
    else:
        reference = compared_with(sort, topic_order.matrix, topic_order.b)[topic_order.order]
        against = {"best": "best on the topic", "median": "median", "b": f"B: {b}"}[sort]
        keys, label = (f"A: {a}", against, "both equal"), view.context.label(view.label)
        other = (f"B: {b}, topic {view.topic}", float(view.row[b]))
        also = None if sort == "b" or len(view.names) == 1 else other
        fig = dumbbells(
            names, topic_order.matrix[topic_order.order, topic_order.a], reference, keys, label, chosen, also
        )
    return {"topics": Drawing(fig, title, picks=("topic",))}


def _lists(view: TopicView, ranks: int) -> Drawing:
    top = view.c.grades[view.c.aspect_index(view.aspect)][-1]
    longest = max(1, *(len(side.index) for side in (*view.sides, view.ideal)))
    fig = side_by_side(view.sides, view.ideal, min(ranks, longest), top)
    return Drawing(fig, f"The lists for topic `{view.topic}`, beside the ideal list")


def _dcg(view: TopicView) -> tuple[dict[str, Drawing], ...]:
    """The gain down to every rank, for measures that discount it."""
    parts = view.ideal.parts
    if parts is None or "dcg" not in parts:
        return ()
    ranks = max(1, min(view.one.depth_seen(view.c.depth) or 100, 100))
    return ({"dcg": Drawing(dcg_curves(view.sides, view.ideal, ranks), "DCG of each list and of the ideal one")},)


# -- words and numbers ------------------------------------------------------------------------


_KEY = (
    "Squares are judged documents with their grade, circles unjudged ones. Lines join the same document in both lists, "
    "brackets those with equal scores in the run."
)
_NO_NAMES = "This collection holds no identifiers of documents. Load its files on the Collection page to see them."
_SOME_NAMES = "Identifiers are kept of judged documents and the first ranks only; other documents have none here."


def _notes(topic_order: TopicOrder, view: TopicView) -> tuple[str, ...]:
    context, values, documents = view.context, view.values, view.c.documents
    text = view.c.topic_texts.get(view.topic, "").strip()
    several = view.one.several_aspects and len(view.c.aspects) > 1
    known = {
        f"Topic {view.topic}: {excerpt(text.partition(chr(10))[0].replace('`', chr(39)), 120)}": bool(text),
        f"No judged document of topic `{view.topic}` has a grade above 0.": not (view.pool > 0).any(),
        view.refusal: bool(view.refusal),
        f"Grades: {view.aspect}.": several,
        "Both measures are the same. Choose a second one.": values["sort"] == "apart"
        and values["measure"] == values["other"],
        f"Topics add up to the difference of the means, not to that of the {context.average}.": values["sort"]
        == "carry"
        and context.summary != "mean",
        _KEY: True,
        _NO_NAMES: documents is None,
        _SOME_NAMES: documents is not None and documents.ranks < min(values["ranks"], view.c.depth),
    }
    return tuple(note for note, said in known.items() if said)


def _lists_table(view: TopicView) -> Table:
    """All ranks of the lists: document (a link, if an address is given), run's score, grade, what the rank adds."""
    longest, pattern = max(len(side.index) for side in view.sides), view.values["docs"]
    columns: dict[str, object] = {"rank": np.arange(1, longest + 1)}
    grade = f"{view.aspect} grade" if len(view.c.aspects) > 1 else "grade"
    for letter, side in zip("AB", view.sides, strict=False):
        known = {"document": side.documents, "run's score": side.scores, grade: side.grades}
        parts = {} if side.parts is None else {name: side.parts[name] for name in side.parts if name != "rank"}
        columns |= {f"{letter}: {name}": pd.Series(values) for name, values in {**known, **parts}.items()}
    about, links = f"One row per rank of the lists for topic `{view.topic}`.", {}
    if pattern:
        about += f" Documents lead to `{urlsplit(pattern).netloc}`, which is not part of irviz."
        links = {name: pattern for name in columns if name.endswith(": document")}
    return Table(pd.DataFrame(columns), about, links=links)


PAGE = Page(
    name="topics",
    title="Topics",
    question="On which topics does a system fall short, and what did it retrieve there?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "highlights", "baseline", "lists"}),
)
