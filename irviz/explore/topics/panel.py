"""Topics: where one system falls short of another, and because of which documents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.explore.topics import folds, words
from irviz.explore.topics.controls import CONTROLS, TOP_OF_SORT
from irviz.explore.topics.figures import dumbbells, pool_bars, system_dots, topic_bars
from irviz.explore.topics.lists import RankedList, ideal_of, pool_grades, side_of, with_parts
from irviz.explore.topics.ranked import cumulated, grade_sign, rank_by_rank, side_by_side
from irviz.explore.topics.sorting import Sorted, compared_with, sorted_topics, topic_table
from irviz.measures import Measure, measure
from irviz.workspace.context import Context
from irviz.workspace.page import Page, Values, from_lists
from irviz.workspace.panel import Drawing, Panel, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Looked:
    """What the page looks at: the scores in play, the pair, and one topic with its lists."""

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
    def of(self) -> str:
        """The aspect of the grades, if there are several."""
        return f"{self.aspect} " if len(self.c.aspects) > 1 else ""


def panel(context: Context, values: Values) -> Panel:
    """Topics sorted by what is asked; one of them, its lists, and what their ranks add."""
    found, other = _sorted(context, values)
    seen = _look(context, values, context.topics[found.order[0]] if values["topic"] == TOP_OF_SORT else values["topic"])
    rank = min(values["ranks"], seen.c.depth)
    text = seen.c.topic_texts.get(seen.topic)
    return Panel(
        sentence=_sentence(seen),
        drawings=(
            {"topics": _topics(values, found, seen)},
            _one_topic(seen),
            {"lists": _lists(seen, rank)},
            *_adds(seen),
        ),
        tables={
            "Topics": Table(
                topic_table(context.topics, found, seen.matrix, (values["a"], values["b"]), (seen.a, seen.b), other),
                f"One row per topic, in the order of the figure; scores are {seen.label}.",
            ),
            "Lists": _lists_table(seen, values["docs"]),
            "Systems": Table(
                _system_table(seen), f"One row per system, best first, on topic `{seen.topic}`.", names=(seen.label,)
            ),
        },
        notes=_notes(context, values, seen, rank),
        texts={f"Topic {seen.topic}": text} if text else {},
        folds={
            "Recall and precision": partial(
                folds.recall_and_precision, seen.sides, seen.pool, _rel(seen.one), seen.topic
            )
        },
    )


def _sorted(context: Context, values: Values) -> tuple[Sorted, Floats]:
    """The topics in order, and the scores by the second measure where it matters."""
    apart = values["sort"] == "apart"
    matrix = context.scores([values["measure"]]).values[0]
    other = context.scores([values["other"]]).values[0] if apart else matrix
    a, b = (context.systems.index(values[name]) for name in ("a", "b"))
    return sorted_topics(values["sort"], matrix, a, b, other), other


def _look(context: Context, values: Values, topic: str) -> Looked:
    """One topic.  The lists are those of the whole collection: what they add may depend on all its judgments."""
    c, one = context.whole, measure(values["measure"])
    aspect = one.aspect or c.aspects[0]
    names = list(dict.fromkeys((values["a"], values["b"])))
    sides = tuple(side_of(c, topic, name, aspect) for name in names)
    refusal = ""
    try:
        sides = tuple(with_parts(side, c, one, topic) for side in sides)
    except IrvizError as error:
        refusal = str(error)
    return Looked(
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


def _topics(values: Values, found: Sorted, seen: Looked) -> Drawing:
    order = found.order
    names = [seen.topics[i] for i in order]
    chosen = names.index(seen.topic)
    title = {
        "best": f"Topics by how far `{values['a']}` falls short of the best",
        "median": f"Topics by how far `{values['a']}` falls short of the median",
        "b": f"Topics by how far `{values['a']}` falls short of `{values['b']}`",
        "apart": f"Topics by how differently `{values['measure']}` and `{values['other']}` order the systems",
        "carry": f"What each topic adds to the difference of `{values['a']}` and `{values['b']}`",
    }[values["sort"]]
    if values["sort"] in ("apart", "carry"):
        drawn = topic_bars(names, found.value[order], found.about, chosen, names)
        shape = "One bar per topic."
    else:
        theirs = compared_with(values["sort"], seen.matrix, seen.b)
        held = {"best": "best on the topic", "median": "median", "b": f"B: {values['b']}"}[values["sort"]]
        pair = (f"A: {values['a']}", held)
        drawn = dumbbells(names, seen.matrix[order, seen.a], theirs[order], pair, seen.label, chosen, names)
        shape = "Two markers per topic, joined by a line."
    return Drawing(drawn, title, f"{title}. {shape} Topic `{seen.topic}` is shown below.", picks=("topic",))


def _one_topic(seen: Looked) -> dict[str, Drawing]:
    grades, counts = np.unique(seen.pool[np.isfinite(seen.pool)], return_counts=True)
    signs = [grade_sign(grade) for grade in grades.tolist()]
    said = ", ".join(f"{count} of grade {sign}" for sign, count in zip(signs, counts.tolist(), strict=True))
    order = np.argsort(-seen.row, kind="stable")
    systems = [seen.systems[i] for i in order]
    return {
        "grades": Drawing(
            pool_bars(signs, counts.tolist()),
            f"Judged documents of topic `{seen.topic}` by {seen.of}grade",
            f"One bar per grade: {said or 'no document was judged'}.",
        ),
        "systems": Drawing(
            system_dots(systems, seen.row[order], [side.name for side in seen.sides], seen.label, seen.highlighted),
            f"`{seen.label}` of all systems on topic `{seen.topic}`",
            "One marker per system, best first; A, B and highlighted systems are named.",
            picks=("b",),
        ),
    }


def _lists(seen: Looked, ranks: int) -> Drawing:
    top = seen.c.grades[seen.c.aspect_index(seen.aspect)][-1]
    names = " and ".join(f"`{side.name}`" for side in seen.sides)
    longest = max(1, *(len(side.index) for side in (*seen.sides, seen.ideal)))
    return Drawing(
        side_by_side(seen.sides, seen.ideal, min(ranks, longest), top),
        f"What {names} retrieved for topic `{seen.topic}`, beside the ideal list",
        "One column per list, one document per rank with its grade; lines join the same document. The table has the "
        "same content.",
    )


def _adds(seen: Looked) -> tuple[dict[str, Drawing], ...]:
    """What each rank adds, where the measure is a sum over ranks."""
    if seen.refusal:
        return ()
    drawn = {
        "adds": Drawing(
            rank_by_rank(seen.sides, seen.label),
            f"What each rank adds to `{seen.label}`, and the running total",
            "Bars per rank for each list; they add up to the score, where the line above ends.",
        )
    }
    parts = seen.ideal.parts
    if parts is not None and "dcg" in parts:
        ranks = max(1, min(seen.one.depth_seen(seen.c.depth) or 100, 100))
        drawn["dcg"] = Drawing(
            cumulated(seen.sides, seen.ideal, ranks),
            "DCG of each list and of the ideal one",
            f"Rising lines down to rank {ranks}; nDCG is a list's end divided by that of the ideal list.",
        )
    return (drawn,)


# -- words and numbers ------------------------------------------------------------------------


def _sentence(seen: Looked) -> str:
    mine, theirs = float(seen.row[seen.a]), float(seen.row[seen.b])
    if len(seen.sides) == 1:
        return words.alone(seen.label, seen.topic, seen.sides[0], mine)
    return words.losses(seen.label, seen.topic, (seen.sides[0], seen.sides[1]), (mine, theirs), seen.of)


def _notes(context: Context, values: Values, seen: Looked, ranks: int) -> tuple[str, ...]:
    notes = [] if seen.one.several_aspects else [words.against_ideal(seen.label, seen.sides[0], seen.ideal, seen.of)]
    notes += words.judged_words(seen.topic, seen.pool, seen.of)
    if seen.refusal:
        notes.append(seen.refusal)
    if seen.one.several_aspects and len(seen.c.aspects) > 1:
        notes.append(f"`{seen.label}` scores several aspects at once; the grades shown are those of {seen.aspect}.")
    if values["sort"] == "apart" and values["measure"] == values["other"]:
        notes.append("Both measures are the same. Choose a second one; add it in the sidebar if it is not there.")
    if values["sort"] == "carry" and context.summary != "mean":
        notes.append(f"Topics add up to the difference of the means, not to that of the {context.average}.")
    return tuple(note for note in (*notes, *words.list_words(seen.c, seen.sides, ranks, seen.topic)) if note)


def _list_table(seen: Looked) -> pd.DataFrame:
    """All ranks of the lists: document, score of the run, grade, and what the rank adds."""
    longest = max(len(side.index) for side in seen.sides)
    columns: dict[str, object] = {"rank": np.arange(1, longest + 1)}
    for letter, side in zip("AB", seen.sides, strict=False):
        known = {"document": side.documents, "run's score": side.scores, f"{seen.of}grade": side.grades}
        parts = {} if side.parts is None else {name: side.parts[name] for name in side.parts if name != "rank"}
        columns |= {f"{letter}: {name}": pd.Series(values) for name, values in {**known, **parts}.items()}
    return pd.DataFrame(columns)


def _lists_table(seen: Looked, pattern: str) -> Table:
    """The table of the lists; its documents link to where they can be read, if an address is given."""
    about = f"One row per rank of the lists for topic `{seen.topic}`."
    if not pattern:
        return Table(_list_table(seen), about)
    columns = [f"{letter}: document" for letter, _ in zip("AB", seen.sides, strict=False)]
    outside = f" Documents lead to `{urlsplit(pattern).netloc}`, which is not part of irviz."
    return Table(_list_table(seen), about + outside, links=dict.fromkeys(columns, pattern))


def _system_table(seen: Looked) -> pd.DataFrame:
    order = np.argsort(-seen.row, kind="stable")
    return pd.DataFrame({"system": [seen.systems[i] for i in order], seen.label: seen.row[order]})


PAGE = Page(
    name="topics",
    title="Topics",
    question="On which topics does a system fall short, and what did it retrieve there?",
    controls=CONTROLS,
    panel=panel,
    focus="measure",
    pinnable=True,
    averaged=False,
    highlights=True,
    chooses_from=from_lists,
)
