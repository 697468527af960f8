"""Topics: where one system falls short of another, and because of which documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.documents import checked_pattern
from irviz.collection.model import Collection
from irviz.errors import IrvizError, join_words, number_of, verb
from irviz.explore.score_difference import (
    RankedList,
    because,
    dominance_section,
    dominance_sentence,
    ideal_of,
    pool_grades,
    score_difference,
    score_words,
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
from irviz.workspace.control import Choice, Number, Text, excerpt, one_measure, one_system
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table, named_rows
from irviz.workspace.phrases import TOLERANCE, number

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
    """Topics, those that matter most for the question first.

    Attributes
    ----------
    order : positions of topics
    value : by topic, what they are sorted by
    about : str
        What the value is.
    matrix, other : topics × systems, the scores by the measure and by the one that it is compared with, if any
    a, b : columns of the two systems
    """

    order: NDArray[np.intp]
    value: Floats
    about: str
    matrix: Floats
    other: Floats
    a: int
    b: int


def sorted_topics(context: Context, values: Values) -> TopicOrder:
    """Topics by one of :data:`SORTS`.

    Notes
    -----
    "carry" sorts by (a − b)/topics, what a topic adds to the difference of the means, those first
    that add most to the side of the better system.  "apart" sorts by Kendall's τ_b between the
    two measures on the topic, lowest first; topics on which τ is undefined come last.
    """
    how, (a, b) = values["sort"], (context.systems.index(values[name]) for name in ("a", "b"))
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

FIRST_TOPICS = 10  #: of more topics than figures can name
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
    one_system(0),
    one_system(1, how=", or click a system in the figure of one topic"),
    Choice(
        name="sort",
        label="Topics on which",
        default="best",
        options=tuple(SORTS.items()),
        help="Which topics come first. A falls short of the best; A falls short of the median; A falls short of B; Two "
        "measures rank the systems differently; A − B adds most to the difference of the means.",
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
        help="Where documents can be read, outside irviz: https://example.org/{docid}. The table of lists then links "
        "each document; irviz itself fetches nothing.",
        empty="none",
        aside=True,
    ),
)


# -- What the page says about one topic, in sentences computed from the lists ----------------------


@dataclass(frozen=True, eq=False)
class TopicView:
    """One topic under the choices of the page, with the lists of the pair of systems, which may be one.

    The lists are those of the whole collection: what they add may depend on all its judgments.
    """

    context: Context
    values: Values
    topic: str
    sides: tuple[RankedList, ...]
    refusal: str  #: why the measure is no sum over ranks; "" if it is

    @property
    def c(self) -> Collection:
        """The collection of the lists."""
        return self.context.whole

    @property
    def label(self) -> str:
        """The measure, as it is called."""
        return str(self.values["measure"])

    @cached_property
    def one(self) -> Measure:
        """The measure."""
        return measure(self.label)

    @property
    def aspect(self) -> str:
        """The aspect of the grades."""
        return self.one.aspect or self.c.aspects[0]

    @property
    def aspect_prefix(self) -> str:
        """The aspect as a word before "grade", where there are several."""
        return f"{self.aspect} " if len(self.c.aspects) > 1 else ""

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


def losses_sentence(view: TopicView) -> str:
    """Which system loses how much to the other on a topic, and by which documents."""
    label, topic, scores = view.label, view.topic, [float(view.row[side.name]) for side in view.sides]
    if len(scores) == 1:
        return f"`{view.sides[0].name}` scores {score_words(scores[0])} by `{label}` on topic `{topic}`."
    one, other = view.sides
    if abs(scores[0] - scores[1]) <= TOLERANCE:
        return f"`{one.name}` and `{other.name}` both score {score_words(scores[0])} by `{label}` on topic `{topic}`."
    behind, ahead = (one, other) if scores[0] < scores[1] else (other, one)
    low, high = sorted(scores)
    start = f"`{behind.name}` scores {score_words(high - low)} `{label}` less than `{ahead.name}` on topic `{topic}`"
    why = because(score_difference(behind, ahead), view.aspect_prefix)
    return f"{start} ({score_words(low)} against {score_words(high)}){why}.{_ends(behind, ahead)}"


def _ends(behind: RankedList, ahead: RankedList) -> str:
    """A sentence on a list that ends above documents that count for the other."""
    last = len(behind.index)
    below = [adds for place, adds in ahead.adds.items() if ahead.ranks[place] > last]
    if not below or not last:  # a run that returned nothing is a note of its own
        return ""
    return (
        f" The list of `{behind.name}` ends at rank {last:,}; below it `{ahead.name}` has "
        f"{number_of(len(below), 'document')} that {verb(len(below), 'adds', 'add')} {score_words(sum(below))}."
    )


def ideal_sentence(view: TopicView) -> str:
    """Sentence on the first list against the judged documents in the order of their grades."""
    side = view.sides[0]
    if side.parts is None or view.ideal.parts is None:
        return ""
    score, best = (float(parts.attrs["score"]) for parts in (side.parts, view.ideal.parts))
    judged, listed = int(np.isfinite(view.pool).sum()), len(view.ideal.index)
    part = "all" if listed == judged else f"the first {listed:,} of {judged:,}"
    what = f"The ideal list, {part} judged documents by grade, scores {score_words(best)} by `{view.label}`"
    if abs(best - score) <= TOLERANCE:
        return f"{what}, as does `{side.name}`."
    if score > best:
        more = f"`{side.name}` scores more, {score_words(score)}"
        return f"{what}; {more}: the order by grade is not the best for this measure."
    why = because(score_difference(side, view.ideal), view.aspect_prefix)
    return f"{what}. `{side.name}` scores {score_words(best - score)} less{why}."


def judged_words(view: TopicView) -> str:
    """A note on unusual judgments of a topic."""
    known = view.pool[np.isfinite(view.pool)]
    if not len(known):
        return f"No document of topic `{view.topic}` was judged."
    return (
        ""
        if known.max() > 0
        else f"No judged document of topic `{view.topic}` has a {view.aspect_prefix}grade above 0."
    )


def list_words(view: TopicView, ranks: int) -> tuple[str, ...]:
    """How to read the lists, and what is not known of them."""
    missing = [f"`{side.name}`" for side in view.sides if not len(side.index)]
    notes = [f"{join_words(missing, joiner='and')} returned nothing for topic `{view.topic}`."] if missing else []
    unjudged = [words for side in view.sides if (words := _unjudged_words(side, ranks))]
    if unjudged:
        notes.append(f"{join_words(unjudged, joiner='and')}.")
    both = len(view.sides) > 1
    known = [
        "A square is a judged document with its grade, in a stronger blue if higher; a circle with ? was not judged",
        "a line joins the same document in both lists, thick where its grade is above 0" if both else "",
        "a bracket joins documents to which the run gave the same score",
        "documents of A are named at the left of their column, those of B at the right of theirs"
        if both and view.c.documents
        else "",
    ]
    notes.append("; ".join(filter(None, known)) + ".")
    return (*notes, *_unknown(view.c, ranks))


def _unjudged_words(side: RankedList, ranks: int) -> str:
    """How many of the documents that are drawn are unjudged; empty if all were judged."""
    first = min(ranks, len(side.index))
    count = int(np.isnan(side.grades[:first]).sum())
    if not count:
        return ""
    where = f"the first {first} documents" if first > 1 else "the first document"
    return f"{count} of {where} of `{side.name}` {verb(count, 'is', 'are')} unjudged"


def _unknown(c: Collection, ranks: int) -> tuple[str, ...]:
    """Note on identifiers and texts that were not kept."""
    if c.documents is None:
        return (
            "This collection holds no identifiers of documents, so the lists show grades, and lines join judged "
            "documents. Load its files on the Collection page to see the documents themselves.",
        )
    if c.documents.ranks < min(ranks, c.depth):
        ranks_kept = f"the first {number_of(c.documents.ranks, 'rank')} of every list and " if c.documents.ranks else ""
        return (
            f"Identifiers are kept of {ranks_kept}all judged documents; others have none here, "
            "and where the runs' own scores were not kept, ties are not seen.",
        )
    return ()


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
        return Panel(f"No judged document of topic `{view.topic}` is relevant, so there is no recall.")
    curves = [(side.name, *precision_at_hits(side, relevant, rel)) for side in view.sides]
    clauses = [f"`{name}` finds {len(recall):,}" for name, recall, _ in curves]
    sentence = (
        f"Of {number_of(relevant, 'relevant document')} (grade {number(rel, 6)} or higher) "
        f"{' and '.join(clauses)} down to the ranking depth."
    )
    parts = [dict(zip(("system", "recall", "precision"), curve, strict=True)) for curve in curves]
    frame = pd.concat(map(pd.DataFrame, parts), ignore_index=True)
    return Panel(
        sentence,
        ({"curve": Drawing(recall_precision(curves), f"Recall and precision on topic {view.topic}")},),
        {"Recall and precision": Table(frame, "One row per relevant document found.")},
        notes=("The line is interpolated precision: the highest at this recall or beyond.",),
    )


# --------------------------------------------------------------------------------------------------


def panel(context: Context, values: Values) -> Panel:
    """Topics sorted by what is asked; one of them, its lists, and what their ranks add."""
    topic_order = sorted_topics(context, values)
    view = _look(
        context, values, context.topics[topic_order.order[0]] if values["topic"] == TOP_OF_SORT else values["topic"]
    )
    rank = min(values["ranks"], view.c.depth)
    text, pair = view.c.topic_texts.get(view.topic), (values["a"], values["b"])
    dominates = {DISPUTE: partial(dominance_section, context.collection, *pair, view.aspect)}
    return Panel(
        sentence=losses_sentence(view) + (f" Topic `{view.topic}` asks: {_first_line(text)}" if text else ""),
        drawings=(
            _topics(topic_order, view),
            {"systems": _systems(view)},
            {"lists": _lists(view, rank), **_adds(view)},
            *_dcg(view),
        ),
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
        notes=_notes(topic_order, view, rank),
        texts={f"Topic {view.topic}": text} if text else {},
        folds={
            "Recall and precision": partial(recall_and_precision, view),
            **(dominates if len(view.sides) > 1 else {}),
        },
    )


def _look(context: Context, values: Values, topic: str) -> TopicView:
    """One topic with its lists, and what their ranks add where that is known."""
    c, parsed = context.whole, measure(values["measure"])
    names = dict.fromkeys((values["a"], values["b"]))
    sides = tuple(side_of(c, topic, name, parsed.aspect or c.aspects[0]) for name in names)
    try:
        return TopicView(context, values, topic, tuple(with_parts(side, c, parsed, topic) for side in sides), "")
    except IrvizError as error:
        return TopicView(context, values, topic, sides, str(error))


# -- figures --------------------------------------------------------------------------------


def _topics(topic_order: TopicOrder, view: TopicView) -> dict[str, Drawing]:
    """The topics in order; where they are many, how the sorted value spreads over them."""
    sort, a, b = (view.values[name] for name in ("sort", "a", "b"))
    names, short = [view.context.topics[i] for i in topic_order.order], f"Topics by how far `{a}` falls short of"
    title = {
        "best": f"{short} the best",
        "median": f"{short} the median",
        "b": f"{short} `{b}`",
        "apart": f"Topics by how differently `{view.label}` and `{view.values['other']}` order the systems",
        "carry": f"What each topic adds to the difference of `{a}` and `{b}`",
    }[sort]
    if len(names) > MOST_TOPICS:
        return {"topics": _spread(topic_order, view, title)}
    chosen = names.index(view.topic)
    if sort in ("apart", "carry"):
        fig = topic_bars(names, topic_order.value[topic_order.order], topic_order.about, chosen)
    else:
        reference = compared_with(sort, topic_order.matrix, topic_order.b)[topic_order.order]
        called = {
            "best": (f"A: {a}", "best on the topic", "A is the best"),
            "median": (f"A: {a}", "median", "A is at the median"),
            "b": (f"A: {a}", f"B: {b}", "A and B have the same score"),
        }[sort]
        other = (f"B: {b}, topic {view.topic}", float(view.row[b]))
        also = None if sort == "b" or len(view.sides) == 1 else other
        fig = dumbbells(
            names, topic_order.matrix[topic_order.order, topic_order.a], reference, called, view.label, chosen, also
        )
    return {"topics": Drawing(fig, title, picks=("topic",))}


def _spread(topic_order: TopicOrder, view: TopicView, title: str) -> Drawing:
    """How many topics have about which value; if many are 0, they are counted in the title instead."""
    shown, of = topic_order.value, f"all {len(topic_order.value):,}"
    zero = int((shown == 0).sum())
    if MANY_ZEROS < zero / len(shown) < 1:
        of = f"{len(shown) - zero:,} of {len(shown):,}, {zero:,} at 0 are not drawn"
        shown = shown[shown != 0]
    fig = value_bars(shown, topic_order.about, float(topic_order.value[view.context.topics.index(view.topic)]))
    return Drawing(fig, f"{title}: {of}; the line is topic `{view.topic}`")


def _systems(view: TopicView) -> Drawing:
    names, row = [side.name for side in view.sides], view.row
    dots = system_dots(list(row.index), row.to_numpy(), names, view.label, view.context.highlight)
    return Drawing(dots, f"`{view.label}` of all systems on topic `{view.topic}`", picks=("b",))


def _lists(view: TopicView, ranks: int) -> Drawing:
    top = view.c.grades[view.c.aspect_index(view.aspect)][-1]
    names = " and ".join(f"`{side.name}`" for side in view.sides)
    longest = max(1, *(len(side.index) for side in (*view.sides, view.ideal)))
    fig = side_by_side(view.sides, view.ideal, min(ranks, longest), top)
    title = f"What {names} retrieved for topic `{view.topic}`, beside the ideal list"
    how = "One document per rank with its grade; lines join the same document. The table has the same content."
    return Drawing(fig, title, f"{title}. {how}")


def _adds(view: TopicView) -> dict[str, Drawing]:
    """The part of each rank in the score, for measures that are sums over ranks."""
    title = f"What each rank adds to `{view.label}`, and the running total"
    return {} if view.refusal else {"adds": Drawing(rank_by_rank(view.sides, view.label), title)}


def _dcg(view: TopicView) -> tuple[dict[str, Drawing], ...]:
    """The gain down to every rank, for measures that discount it."""
    parts = view.ideal.parts
    if parts is None or "dcg" not in parts:
        return ()
    ranks = max(1, min(view.one.depth_seen(view.c.depth) or 100, 100))
    return ({"dcg": Drawing(dcg_curves(view.sides, view.ideal, ranks), "DCG of each list and of the ideal one")},)


# -- words and numbers ------------------------------------------------------------------------


def _first_line(text: str) -> str:
    """The first line of a topic's text, as the end of a sentence."""
    line = excerpt(text.strip().splitlines()[0].replace("`", "'"), 120)
    return line if line.endswith(("?", ".", "!")) else f"{line}."


def _first(topic_order: TopicOrder, topics: Sequence[str]) -> str:
    """The first topics with their values, where a figure names none because they are many."""
    if len(topic_order.order) <= MOST_TOPICS:
        return ""
    clauses = [f"`{topics[i]}` {score_words(float(topic_order.value[i]))}" for i in topic_order.order[:FIRST_TOPICS]]
    start = (
        f"The first {FIRST_TOPICS} of {len(topic_order.order):,} topics, with the number of each ({topic_order.about})"
    )
    return f"{start}: {join_words(clauses, FIRST_TOPICS, 'and')}."


def _notes(topic_order: TopicOrder, view: TopicView, ranks: int) -> tuple[str, ...]:
    context, values, several = view.context, view.values, view.one.several_aspects
    notes = [_first(topic_order, context.topics), "" if several else ideal_sentence(view), judged_words(view)]
    if len(view.sides) > 1:
        first, second = (side.name for side in view.sides)
        pair = view.c.subset(topics=[view.topic], systems=[first, second])
        notes.append(
            dominance_sentence(dominance(pair, first, second, aspect=view.aspect), view.topic, view.aspect_prefix)
        )
    notes.append(view.refusal)
    if several and len(view.c.aspects) > 1:
        notes.append(f"`{view.label}` scores several aspects at once; the grades shown are those of {view.aspect}.")
    if values["sort"] == "apart" and values["measure"] == values["other"]:
        notes.append("Both measures are the same. Choose a second one; add it in the sidebar if it is not there.")
    if values["sort"] == "carry" and context.summary != "mean":
        notes.append(f"Topics add up to the difference of the means, not to that of the {context.average}.")
    return tuple(filter(None, (*notes, *list_words(view, ranks))))


def _lists_table(view: TopicView) -> Table:
    """All ranks of the lists: document, score of the run, grade, and what the rank adds.

    Documents link to where they can be read, if an address is given.
    """
    longest, pattern = max(len(side.index) for side in view.sides), view.values["docs"]
    columns: dict[str, object] = {"rank": np.arange(1, longest + 1)}
    for letter, side in zip("AB", view.sides, strict=False):
        known = {"document": side.documents, "run's score": side.scores, f"{view.aspect_prefix}grade": side.grades}
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
