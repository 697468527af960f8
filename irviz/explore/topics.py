"""Topics: where one system falls short of another, and because of which documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.lists import checked_pattern
from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted, listed, verb
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
    cumulated,
    dumbbells,
    grade_sign,
    pool_bars,
    rank_by_rank,
    recall_precision,
    side_by_side,
    system_dots,
    topic_bars,
    value_bars,
)
from irviz.figures.theme import MOST_TOPICS
from irviz.measures import measure
from irviz.measures.language.base import Measure
from irviz.portable import mean
from irviz.stats.correlation import paired_tau, shared_ranks
from irviz.stats.lists import dominance
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number, Text, one_measure, one_system, shown
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table, named_rows
from irviz.workspace.phrases import TIED, number

Floats = NDArray[np.float64]


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
    """

    order: NDArray[np.intp]
    value: Floats
    about: str


def sorted_topics(how: str, matrix: Floats, a: int, b: int, other: Floats) -> TopicOrder:
    """Topics by one of :data:`SORTS`.

    Parameters
    ----------
    matrix : topics × systems, the scores
    a, b : columns of the two systems
    other : topics × systems, the scores by a second measure, for "apart"

    Notes
    -----
    "carry" sorts by (a − b)/topics, what a topic adds to the difference of the means, those first
    that add most to the side of the better system.  "apart" sorts by Kendall's τ_b between the
    two measures on the topic, lowest first; topics on which τ is undefined come last.
    """
    if how == "apart":
        tau = paired_tau(matrix, other)
        return TopicOrder(np.argsort(tau, kind="stable"), tau, "Kendall's τ on the topic")
    if how == "carry":
        adds = (matrix[:, a] - matrix[:, b]) / len(matrix)
        side = -1.0 if float(mean(matrix[:, a] - matrix[:, b])) < 0 else 1.0
        return TopicOrder(np.argsort(-side * adds, kind="stable"), adds, "adds to the difference of the means")
    short = compared_with(how, matrix, b) - matrix[:, a]
    return TopicOrder(np.argsort(-short, kind="stable"), short, "falls short by")


def compared_with(how: str, matrix: Floats, b: int) -> Floats:
    """By topic, the score that A is compared with."""
    if how == "best":
        return np.asarray(matrix.max(axis=1))
    return np.asarray(np.median(matrix, axis=1)) if how == "median" else matrix[:, b]


def topic_table(seen: TopicView, found: TopicOrder, other: Floats) -> pd.DataFrame:
    """One row per topic in order: what it is sorted by, the scores, ranks among the systems, and how ranks move.

    other : topics × systems, the scores by the second measure
    """
    a, b, matrix = seen.a, seen.b, seen.matrix
    ranks = shared_ranks(matrix)
    columns = {
        found.about: found.value,
        f"A: {seen.systems[a]}": matrix[:, a],
        f"B: {seen.systems[b]}": matrix[:, b],
        "best": matrix.max(axis=1),
        "median": np.median(matrix, axis=1),
        "rank of A": ranks[:, a],
        "rank of B": ranks[:, b],
    }
    if found.about.startswith("Kendall"):
        moved = shared_ranks(other)
        columns |= {"A by the other measure": moved[:, a], "B by the other measure": moved[:, b]}
        columns |= {"largest rank change": np.abs(ranks - moved).max(axis=1)}
    frame = pd.DataFrame(columns).iloc[found.order].reset_index(drop=True)
    return named_rows(frame, "topic", [seen.topics[i] for i in found.order])


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


def losses_sentence(
    label: str, topic: str, sides: tuple[RankedList, RankedList], scores: tuple[float, float], of: str = ""
) -> str:
    """Which system loses how much to the other on a topic, and by which documents; `of` names the grades' aspect."""
    (one, other), (mine, theirs) = sides, scores
    if abs(mine - theirs) <= TIED:
        return f"`{one.name}` and `{other.name}` both score {score_words(mine)} by `{label}` on topic `{topic}`."
    behind, ahead = (one, other) if mine < theirs else (other, one)
    low, high = sorted(scores)
    start = f"`{behind.name}` scores {score_words(high - low)} `{label}` less than `{ahead.name}` on topic `{topic}`"
    why = because(score_difference(behind, ahead), of)
    return f"{start} ({score_words(low)} against {score_words(high)}){why}.{_ends(behind, ahead)}"


def _ends(behind: RankedList, ahead: RankedList) -> str:
    """A sentence on a list that ends above documents that count for the other."""
    last = len(behind.index)
    below = [adds for place, adds in ahead.adds.items() if ahead.ranks[place] > last]
    if not below or not last:  # a run that returned nothing is a note of its own
        return ""
    return (
        f" The list of `{behind.name}` ends at rank {last:,}; below it `{ahead.name}` has "
        f"{counted(len(below), 'document')} that {verb(len(below), 'adds', 'add')} {score_words(sum(below))}."
    )


def against_ideal(label: str, side: RankedList, ideal: RankedList, of: str = "") -> str:
    """Sentence on a list against the judged documents in the order of their grades."""
    if side.parts is None or ideal.parts is None:
        return ""
    mine, best = (float(one.parts.attrs["score"]) for one in (side, ideal) if one.parts is not None)
    what = f"The ideal list, all judged documents by grade, scores {score_words(best)} by `{label}`"
    if abs(best - mine) <= TIED:
        return f"{what}, as does `{side.name}`."
    if mine > best:
        more = f"`{side.name}` scores more, {score_words(mine)}"
        return f"{what}; {more}: the order by grade is not the best for this measure."
    why = because(score_difference(side, ideal), of)
    return f"{what}. `{side.name}` scores {score_words(best - mine)} less{why}."


def judged_words(topic: str, pool: np.ndarray, of: str = "") -> tuple[str, ...]:
    """Notes on unusual judgments of a topic."""
    known = pool[np.isfinite(pool)]
    if not len(known):
        return (f"No document of topic `{topic}` was judged.",)
    return () if known.max() > 0 else (f"No judged document of topic `{topic}` has a {of}grade above 0.",)


def list_words(c: Collection, sides: tuple[RankedList, ...], ranks: int, topic: str) -> tuple[str, ...]:
    """How to read the lists, and what is not known of them."""
    missing = [f"`{side.name}`" for side in sides if not len(side.index)]
    notes = [f"{listed(missing, joiner='and')} returned nothing for topic `{topic}`."] if missing else []
    unjudged = [told for side in sides if (told := _unjudged(side, ranks))]
    if unjudged:
        notes.append(f"{listed(unjudged, joiner='and')}.")
    known = [
        "A square is a judged document with its grade, in a stronger blue if higher; a circle with ? was not judged",
        "a line joins the same document in both lists, thick where its grade is above 0" if len(sides) > 1 else "",
        "a bracket joins documents to which the run gave the same score",
        "documents of A are named at the left of their column, those of B at the right of theirs"
        if len(sides) > 1 and c.documents
        else "",
    ]
    notes.append("; ".join(part for part in known if part) + ".")
    return (*notes, *_unknown(c, ranks))


def _unjudged(side: RankedList, ranks: int) -> str:
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
        kept = f"the first {counted(c.documents.ranks, 'rank')} of every list and " if c.documents.ranks else ""
        return (
            f"Identifiers are kept of {kept}all judged documents; others have none here, "
            "and where the runs' own scores were not kept, ties are not seen.",
        )
    return ()


# -- Further answers below the lists, computed when they are asked for -----------------------------


def precision_at_hits(side: RankedList, relevant: int, rel: float) -> tuple[Floats, Floats]:
    """Recall and precision at every relevant document of a list; `relevant` is how many there are."""
    found = np.flatnonzero((side.grades >= rel) & (side.grades > 0))
    count = np.arange(1, len(found) + 1, dtype=np.float64)
    return count / max(1, relevant), count / (found + 1)


def recall_and_precision(sides: Sequence[RankedList], pool: Floats, rel: float, topic: str) -> Panel:
    """The curves of the two lists, documents of at least the grade `rel` being relevant."""
    relevant = int(((pool >= rel) & (pool > 0)).sum())
    if not relevant:
        return Panel(f"No judged document of topic `{topic}` is relevant, so there is no recall.")
    curves = [(side.name, *precision_at_hits(side, relevant, rel)) for side in sides]
    found = [f"`{name}` finds {len(recall):,}" for name, recall, _ in curves]
    sentence = (
        f"Of {counted(relevant, 'relevant document')} (grade {number(rel, 6)} or higher) "
        f"{' and '.join(found)} down to the ranking depth."
    )
    parts = [dict(zip(("system", "recall", "precision"), curve, strict=True)) for curve in curves]
    frame = pd.concat(map(pd.DataFrame, parts), ignore_index=True)
    return Panel(
        sentence,
        ({"curve": Drawing(recall_precision(curves), f"Recall and precision on topic {topic}")},),
        {"Recall and precision": Table(frame, "One row per relevant document found.")},
        notes=("The line is interpolated precision: the highest at this recall or beyond.",),
    )


# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TopicView:
    """The scores, the pair of systems, and one topic with its lists."""

    c: Collection
    label: str
    one: Measure
    matrix: Floats
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    highlighted: tuple[str, ...]
    a: int
    b: int
    topic: str
    aspect: str
    pool: Floats
    sides: tuple[RankedList, ...]
    ideal: RankedList
    refusal: str

    @property
    def row(self) -> Floats:
        """All systems' scores on the topic."""
        return np.asarray(self.matrix[self.topics.index(self.topic)])

    @property
    def best_first(self) -> NDArray[np.intp]:
        """Positions of the systems by their score on the topic."""
        return np.argsort(-self.row, kind="stable")

    @property
    def of(self) -> str:
        """The aspect of the grades, if there are several."""
        return f"{self.aspect} " if len(self.c.aspects) > 1 else ""


def panel(context: Context, values: Values) -> Panel:
    """Topics sorted by what is asked; one of them, its lists, and what their ranks add."""
    found, other = _sorted(context, values)
    seen = _look(context, values, context.topics[found.order[0]] if values["topic"] == TOP_OF_SORT else values["topic"])
    rank = min(values["ranks"], seen.c.depth)
    text, row = seen.c.topic_texts.get(seen.topic), seen.row[seen.best_first]
    return Panel(
        sentence=_sentence(seen) + (f" Topic `{seen.topic}` asks: {_asked(text)}" if text else ""),
        drawings=(
            _topics(values, found, seen),
            _one_topic(seen),
            {"lists": _lists(seen, rank), **_adds(seen)},
            *_dcg(seen),
        ),
        tables={
            "Topics": Table(
                topic_table(seen, found, other),
                f"One row per topic, those that matter most first; scores are {seen.label}.",
            ),
            "Lists": _lists_table(seen, values["docs"]),
            "Systems": Table(
                pd.DataFrame({"system": [seen.systems[i] for i in seen.best_first], seen.label: row}),
                f"One row per system, best first, on topic `{seen.topic}`.",
                names=(seen.label,),
            ),
        },
        notes=_notes(context, values, found, seen, rank),
        texts={f"Topic {seen.topic}": text} if text else {},
        folds={
            "Recall and precision": partial(recall_and_precision, seen.sides, seen.pool, _rel(seen.one), seen.topic),
            **(
                {DISPUTE: partial(dominance_section, context.collection, values["a"], values["b"], seen.aspect)}
                if len(seen.sides) > 1
                else {}
            ),
        },
    )


def _sorted(context: Context, values: Values) -> tuple[TopicOrder, Floats]:
    """The topics in order, and the scores by the second measure where it matters."""
    apart = values["sort"] == "apart"
    matrix = context.scores([values["measure"]]).values[0]
    other = context.scores([values["other"]]).values[0] if apart else matrix
    a, b = (context.systems.index(values[name]) for name in ("a", "b"))
    return sorted_topics(values["sort"], matrix, a, b, other), other


def _look(context: Context, values: Values, topic: str) -> TopicView:
    """One topic.  The lists are those of the whole collection: what they add may depend on all its judgments."""
    c, one, refusal = context.whole, measure(values["measure"]), ""
    aspect = one.aspect or c.aspects[0]
    sides = tuple(side_of(c, topic, name, aspect) for name in dict.fromkeys((values["a"], values["b"])))
    try:
        sides = tuple(with_parts(side, c, one, topic) for side in sides)
    except IrvizError as error:
        refusal = str(error)
    return TopicView(
        c=c,
        label=values["measure"],
        one=one,
        matrix=context.scores([values["measure"]]).values[0],
        systems=context.systems,
        topics=context.topics,
        highlighted=context.highlight,
        a=context.systems.index(values["a"]),
        b=context.systems.index(values["b"]),
        topic=topic,
        aspect=aspect,
        pool=pool_grades(c, topic, aspect),
        sides=sides,
        ideal=ideal_of(c, one, topic, aspect, sides[0]),
        refusal=refusal,
    )


def _rel(one: Measure) -> float:
    """The lowest grade that counts as relevant: the measure's own, or 1."""
    rel = getattr(one, "rel", None)
    return 1.0 if rel is None else float(rel)


# -- figures --------------------------------------------------------------------------------


def _topics(values: Values, found: TopicOrder, seen: TopicView) -> dict[str, Drawing]:
    """The topics in order; where they are many, how the sorted value spreads over them."""
    names = [seen.topics[i] for i in found.order]
    short = f"Topics by how far `{values['a']}` falls short of"
    title = {
        "best": f"{short} the best",
        "median": f"{short} the median",
        "b": f"{short} `{values['b']}`",
        "apart": f"Topics by how differently `{values['measure']}` and `{values['other']}` order the systems",
        "carry": f"What each topic adds to the difference of `{values['a']}` and `{values['b']}`",
    }[values["sort"]]
    if len(names) > MOST_TOPICS:
        return {"topics": _spread(found, seen, title)}
    chosen = names.index(seen.topic)
    if values["sort"] in ("apart", "carry"):
        drawn = topic_bars(names, found.value[found.order], found.about, chosen)
    else:
        theirs = compared_with(values["sort"], seen.matrix, seen.b)[found.order]
        held, same = {
            "best": ("best on the topic", "A is the best"),
            "median": ("median", "A is at the median"),
            "b": (f"B: {values['b']}", "A and B have the same score"),
        }[values["sort"]]
        called = (f"A: {values['a']}", held, same)
        other = (f"B: {values['b']}, topic {seen.topic}", float(seen.row[seen.b]))
        also = None if values["sort"] == "b" or len(seen.sides) == 1 else other
        drawn = dumbbells(names, seen.matrix[found.order, seen.a], theirs, called, seen.label, chosen, also)
    return {"topics": Drawing(drawn, title, picks=("topic",))}


def _spread(found: TopicOrder, seen: TopicView, title: str) -> Drawing:
    """How many topics have about which value; if many are 0, they are counted in the title instead."""
    shown, of = found.value, f"all {len(found.value):,}"
    zero = int((shown == 0).sum())
    if MANY_ZEROS < zero / len(shown) < 1:
        of = f"{len(shown) - zero:,} of {len(shown):,}, {zero:,} at 0 are not drawn"
        shown = shown[shown != 0]
    drawn = value_bars(shown, found.about, float(found.value[seen.topics.index(seen.topic)]))
    return Drawing(drawn, f"{title}: {of}; the line is topic `{seen.topic}`")


def _one_topic(seen: TopicView) -> dict[str, Drawing]:
    grades, counts = np.unique(seen.pool[np.isfinite(seen.pool)], return_counts=True)
    order = seen.best_first
    systems, names = [seen.systems[i] for i in order], [side.name for side in seen.sides]
    bars = pool_bars([grade_sign(grade) for grade in grades.tolist()], counts.tolist())
    dots = system_dots(systems, seen.row[order], names, seen.label, seen.highlighted)
    return {
        "grades": Drawing(bars, f"Judged documents of topic `{seen.topic}` by {seen.of}grade"),
        "systems": Drawing(dots, f"`{seen.label}` of all systems on topic `{seen.topic}`", picks=("b",)),
    }


def _lists(seen: TopicView, ranks: int) -> Drawing:
    top = seen.c.grades[seen.c.aspect_index(seen.aspect)][-1]
    names = " and ".join(f"`{side.name}`" for side in seen.sides)
    longest = max(1, *(len(side.index) for side in (*seen.sides, seen.ideal)))
    drawn = side_by_side(seen.sides, seen.ideal, min(ranks, longest), top)
    title = f"What {names} retrieved for topic `{seen.topic}`, beside the ideal list"
    how = "One document per rank with its grade; lines join the same document. The table has the same content."
    return Drawing(drawn, title, f"{title}. {how}")


def _adds(seen: TopicView) -> dict[str, Drawing]:
    """The part of each rank in the score, for measures that are sums over ranks."""
    title = f"What each rank adds to `{seen.label}`, and the running total"
    return {} if seen.refusal else {"adds": Drawing(rank_by_rank(seen.sides, seen.label), title)}


def _dcg(seen: TopicView) -> tuple[dict[str, Drawing], ...]:
    """The gain down to every rank, for measures that discount it."""
    parts = seen.ideal.parts
    if parts is None or "dcg" not in parts:
        return ()
    ranks = max(1, min(seen.one.depth_seen(seen.c.depth) or 100, 100))
    return ({"dcg": Drawing(cumulated(seen.sides, seen.ideal, ranks), "DCG of each list and of the ideal one")},)


# -- words and numbers ------------------------------------------------------------------------


def _sentence(seen: TopicView) -> str:
    mine, theirs = float(seen.row[seen.a]), float(seen.row[seen.b])
    if len(seen.sides) == 1:
        return f"`{seen.sides[0].name}` scores {score_words(mine)} by `{seen.label}` on topic `{seen.topic}`."
    return losses_sentence(seen.label, seen.topic, (seen.sides[0], seen.sides[1]), (mine, theirs), seen.of)


def _asked(text: str) -> str:
    """The first line of a topic's text, as the end of a sentence."""
    line = shown(text.strip().splitlines()[0].replace("`", "'"), 120)
    return line if line.endswith(("?", ".", "!")) else f"{line}."


def _first(found: TopicOrder, seen: TopicView) -> tuple[str, ...]:
    """The first topics with their values, where a figure names none because they are many."""
    if len(found.order) <= MOST_TOPICS:
        return ()
    said = [f"`{seen.topics[i]}` {score_words(float(found.value[i]))}" for i in found.order[:FIRST_TOPICS]]
    start = f"The first {FIRST_TOPICS} of {len(found.order):,} topics, with the number of each ({found.about})"
    return (f"{start}: {listed(said, FIRST_TOPICS, 'and')}.",)


def _notes(context: Context, values: Values, found: TopicOrder, seen: TopicView, ranks: int) -> tuple[str, ...]:
    notes = [] if seen.one.several_aspects else [against_ideal(seen.label, seen.sides[0], seen.ideal, seen.of)]
    notes += judged_words(seen.topic, seen.pool, seen.of)
    if len(seen.sides) > 1:
        names = [side.name for side in seen.sides]
        pair = seen.c.subset(topics=[seen.topic], systems=names)
        notes.append(dominance_sentence(dominance(pair, names[0], names[1], aspect=seen.aspect), seen.topic, seen.of))
    if seen.refusal:
        notes.append(seen.refusal)
    if seen.one.several_aspects and len(seen.c.aspects) > 1:
        notes.append(f"`{seen.label}` scores several aspects at once; the grades shown are those of {seen.aspect}.")
    if values["sort"] == "apart" and values["measure"] == values["other"]:
        notes.append("Both measures are the same. Choose a second one; add it in the sidebar if it is not there.")
    if values["sort"] == "carry" and context.summary != "mean":
        notes.append(f"Topics add up to the difference of the means, not to that of the {context.average}.")
    said = (*_first(found, seen), *notes, *list_words(seen.c, seen.sides, ranks, seen.topic))
    return tuple(note for note in said if note)


def _lists_table(seen: TopicView, pattern: str) -> Table:
    """All ranks of the lists: document, score of the run, grade, and what the rank adds.

    Documents link to where they can be read, if an address is given.
    """
    longest = max(len(side.index) for side in seen.sides)
    columns: dict[str, object] = {"rank": np.arange(1, longest + 1)}
    for letter, side in zip("AB", seen.sides, strict=False):
        known = {"document": side.documents, "run's score": side.scores, f"{seen.of}grade": side.grades}
        parts = {} if side.parts is None else {name: side.parts[name] for name in side.parts if name != "rank"}
        columns |= {f"{letter}: {name}": pd.Series(values) for name, values in {**known, **parts}.items()}
    about, links = f"One row per rank of the lists for topic `{seen.topic}`.", {}
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
