"""The labelled cube of scores that every statistic starts from.

Measures × topics × systems, always in that order, float64.  A cube is computed
from a collection (:func:`score`) or read from score matrices (:func:`load_scores`);
later computations treat both alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from sys import getsizeof
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.collection.reading.matrices import read_matrices
from irviz.collection.reading.sources import Source
from irviz.collection.reading.unpack import DEFAULT_LIMITS, Limits
from irviz.display import SelfShown
from irviz.errors import IrvizError, unknown
from irviz.measures import Measure, measure
from irviz.measures.judged import Topic
from irviz.portable import mean
from irviz.workers import Workers, run, takes


@dataclass(frozen=True, eq=False)
class Scores(SelfShown):
    """Scores of systems on topics under measures.

    Attributes
    ----------
    values : float64, measures × topics × systems
    measures, topics, systems : tuple of str
        Labels of the three axes; a measure's label is its canonical expression.
    exact : mapping of str to object array, topics × systems
        For the total orders, whose values outgrow a double: the same scores as Python
        integers over one common denominator.  Wherever only order matters, order by
        these (see :meth:`order`).
    """

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    exact: Mapping[str, NDArray[np.object_]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = (len(self.measures), len(self.topics), len(self.systems))
        if self.values.shape != shape:
            raise IrvizError(f"Scores of shape {self.values.shape} do not fit their labels {shape}.")
        if len(set(self.measures)) != len(self.measures):
            twice = next(name for name in self.measures if self.measures.count(name) > 1)
            raise IrvizError(f"The measure {twice} is listed twice. Name every measure once.")
        self.values.setflags(write=False)

    def table(self) -> pd.DataFrame:
        """One row per measure: its lowest, mean and highest score over all topics and systems."""
        flat = self.values.reshape(len(self.measures), -1)
        columns = {"lowest": flat.min(axis=1), "mean": mean(flat, axis=1), "highest": flat.max(axis=1)}
        return pd.DataFrame(columns, index=pd.Index(self.measures, name="measure"))

    @cached_property
    def nbytes(self) -> int:
        """Memory taken by the numbers, the whole numbers of `exact` included."""
        whole = (array.nbytes + sum(map(getsizeof, array.ravel().tolist())) for array in self.exact.values())
        return self.values.nbytes + sum(whole)

    def index(self, measure: object) -> int:
        """Position of a measure, named by its label or any expression equal to it."""
        name = str(measure)
        if name not in self.measures:
            name = _canonical(name)
        if name not in self.measures:
            raise unknown("measure among these scores", str(measure), self.measures)
        return self.measures.index(name)

    def matrix(self, measure: object) -> NDArray[np.float64]:
        """topics × systems scores of one measure, without labels."""
        return self.values[self.index(measure)]

    def __getitem__(self, measure: object) -> pd.DataFrame:
        """topics × systems scores of one measure, labelled."""
        frame = pd.DataFrame(self.matrix(measure), index=list(self.topics), columns=list(self.systems))
        return frame.rename_axis(index="topic", columns="system")

    def order(self, measure: object) -> NDArray[np.float64]:
        """topics × systems numbers that are ordered as the exact scores are.

        The scores themselves where a double holds them; dense integer ranks over
        the whole matrix where it does not.
        """
        position = self.index(measure)
        exact = self.exact.get(self.measures[position])
        return self.values[position] if exact is None else dense_ranks(exact)

    def order_of_sums(self, measure: object, topics: NDArray[np.integer] | None = None) -> NDArray[np.float64] | None:
        """Per system, numbers ordered as the exact sums over `topics`; None where a double is exact enough."""
        exact = self.exact.get(self.measures[self.index(measure)])
        if exact is None:
            return None
        chosen = exact if topics is None else exact[topics]
        return dense_ranks(chosen.sum(axis=0))

    def select(
        self,
        measures: Iterable[object] | None = None,
        topics: Iterable[str] | None = None,
        systems: Iterable[str] | None = None,
    ) -> Scores:
        """The sub-cube of the named measures, topics and systems, in the order asked for."""
        m = list(range(len(self.measures))) if measures is None else [self.index(name) for name in measures]
        t = _named("topic", self.topics, topics)
        s = _named("system", self.systems, systems)
        names = tuple(self.measures[i] for i in m)
        return Scores(
            self.values[np.ix_(m, t, s)],
            names,
            tuple(self.topics[i] for i in t),
            tuple(self.systems[i] for i in s),
            {name: self.exact[name][np.ix_(t, s)] for name in names if name in self.exact},
        )

    def frame(self) -> pd.DataFrame:
        """Tidy: one row per score, columns measure, topic, system, score."""
        shape = self.values.shape
        axes = zip((self.measures, self.topics, self.systems), np.indices(shape), strict=True)
        columns = [pd.array(names, dtype="str").take(index.ravel()) for names, index in axes]
        return pd.DataFrame(dict(zip(("measure", "topic", "system"), columns, strict=True), score=self.values.ravel()))


def dense_ranks(numbers: NDArray[np.object_]) -> NDArray[np.float64]:
    """Dense ranks (0 for the smallest) of numbers of any size, in their own shape.

    >>> dense_ranks(np.array([2**70, 1, 2**70 + 1, 1], dtype=object))
    array([1., 0., 2., 0.])
    """
    flat = numbers.ravel().tolist()
    rank = {number: float(i) for i, number in enumerate(sorted(set(flat)))}
    return np.array([rank[number] for number in flat]).reshape(numbers.shape)


def _named(what: str, names: tuple[str, ...], wanted: Iterable[str] | None) -> list[int]:
    if wanted is None:
        return list(range(len(names)))
    place = {name: i for i, name in enumerate(names)}
    chosen = []
    for name in wanted:
        if name not in place:
            raise unknown(what, name, names)
        chosen.append(place[name])
    if not chosen:
        raise IrvizError(f"No {what} is left. Choose at least one of the {len(names)}.")
    return chosen


def _canonical(expression: str) -> str:
    """The label of an equal measure; the text itself, as labels of imported matrices need not be measures."""
    try:
        return str(measure(expression))
    except IrvizError:
        return expression


def scoring_seconds(collection: Collection, measures: Iterable[str | Measure] | str | Measure) -> float:
    """About how long :func:`score` takes; see :func:`irviz.workers.takes`."""
    topics, systems, depth = collection.ranking.shape
    return topics * systems * sum(one.seconds(depth) for one in _wanted(measures))


@takes(lambda collection, measures, **_: scoring_seconds(collection, measures))
def score(
    collection: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    progress: Callable[[float, str], object] | None = None,
    workers: Workers = None,
    lists: Callable[[NDArray[np.int32], NDArray[np.int16]], NDArray[np.int32]] | None = None,
) -> Scores:
    """Score every system on every topic under every measure.

    Parameters
    ----------
    collection : Collection
    measures : expressions or measures
        A measure that is given twice, in any spelling, is computed and listed once.
    progress : callable, optional
        Called with the share done (0 to 1) and a sentence, topic by topic.
    workers : int or str, optional
        Topics scored at a time, or a joblib backend's name; see :func:`irviz.workers.run`.
    lists : callable, optional
        A function that changes a topic's lists before they are scored: from systems × ranks and
        the topic's labels to systems × ranks.

    Returns
    -------
    Scores
        float64, measures × topics × systems, in the order asked for.

    Raises
    ------
    IrvizError
        For a measure that is unknown or does not fit the collection's grades or aspects.
    """
    check_collection(collection)
    wanted = _wanted(measures)
    work = partial(_score_topic, judgments=_SharedJudgments(collection), wanted=wanted, change=lists)
    parts = run(
        work, _pieces(collection), workers, progress, lambda piece: f"Scored topic {collection.topics[piece.topic]}"
    )
    return _cube(collection, wanted, parts)


def score_pools(
    collection: Collection,
    pools: Sequence[Collection],
    measures: Iterable[str | Measure] | str | Measure,
    progress: Callable[[float, str], object] | None = None,
    workers: Workers = None,
) -> list[Scores]:
    """:func:`score` for each of `pools`, which hold parts of the collection's judgments of the same lists.

    Facts about the lists that were computed under all judgments are used again for each of the parts.
    """
    wanted = _wanted(measures)
    work = partial(_score_pools, judgments=[_SharedJudgments(one) for one in (collection, *pools)], wanted=wanted)
    parts = run(work, _pieces(collection), workers, progress, lambda piece: f"topic {collection.topics[piece.topic]}")
    return [_cube(collection, wanted, [part[p] for part in parts]) for p in range(len(pools))]


def _wanted(measures: Iterable[str | Measure] | str | Measure) -> list[Measure]:
    wanted = list(dict.fromkeys(measure(one) for one in listing(measures)))
    if not wanted:
        raise IrvizError("No measure is given. Name at least one, such as 'AP'.")
    return wanted


def _pieces(collection: Collection) -> list[_TopicLists]:
    return [_TopicLists(t, collection.ranking[t]) for t in range(len(collection.topics))]


def _cube(collection: Collection, wanted: list[Measure], parts: list[_TopicScores]) -> Scores:
    """The scores of the topics as one cube."""
    names = tuple(str(one) for one in wanted)
    values = np.empty((len(names), len(parts), len(collection.systems)))
    for t, part in enumerate(parts):
        values[:, t] = part.values
    exact = {names[m]: np.stack([part.exact[m] for part in parts]) for m in (parts[0].exact if parts else ())}
    return Scores(values, names, collection.topics, collection.systems, exact)


class _TopicLists(NamedTuple):
    """The lists of one topic, systems × ranks."""

    topic: int
    ranking: NDArray[np.int32]


class _TopicScores(NamedTuple):
    """measures × systems of one topic; and the exact scores by place of the measures that have any."""

    values: NDArray[np.float64]
    exact: dict[int, NDArray[np.object_]]


class _SharedJudgments:
    """The part of a collection that all topics share: it is sent to another process without the lists."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection

    def __reduce__(self) -> tuple[Any, ...]:
        nothing = self.collection.ranking[:, :0, :0]
        return _SharedJudgments, (replace(self.collection, systems=(), ranking=nothing, findings=()),)


def _score_topic(
    lists: _TopicLists,
    judgments: _SharedJudgments,
    wanted: list[Measure],
    change: Callable[..., NDArray[np.int32]] | None,
) -> _TopicScores:
    topic = Topic(judgments.collection, lists.topic)
    topic.ranking = lists.ranking if change is None else change(lists.ranking, topic.labels)
    return _scores_of(topic, wanted)


def _score_pools(lists: _TopicLists, judgments: list[_SharedJudgments], wanted: list[Measure]) -> list[_TopicScores]:
    """One topic under all judgments but the first, of which the others are parts."""
    whole: Topic | None = None
    found = []
    for one in judgments:
        topic = Topic(one.collection, lists.topic, wider=whole)
        topic.ranking = lists.ranking
        if whole is None:
            whole = topic
        else:
            found.append(_scores_of(topic, wanted))
    return found


def _scores_of(topic: Topic, wanted: list[Measure]) -> _TopicScores:
    values = np.array([one.score(topic) for one in wanted], dtype=np.float64)
    whole = {m: one.exact(topic) for m, one in enumerate(wanted)}
    return _TopicScores(values, {m: found for m, found in whole.items() if found is not None})


def listing(measures: Iterable[str | Measure] | str | Measure) -> list[str | Measure]:
    """The requested measures as a list; a single one may be given by itself."""
    if isinstance(measures, (str, Measure)):
        return [measures]
    if not isinstance(measures, Iterable):
        raise IrvizError(f"Measures are given as a list, such as ['AP', 'nDCG@10']; got {type(measures).__name__}.")
    return list(measures)


def check_collection(collection: object) -> None:
    """Refuse what is not a collection."""
    if not isinstance(collection, Collection):
        found = type(collection).__name__
        raise IrvizError(f"A collection is needed, as irviz.load_collection makes it; got {found}.")


def check_scores(scores: object) -> None:
    """Refuse what is not a cube of scores."""
    if not isinstance(scores, Scores):
        found = type(scores).__name__
        raise IrvizError(f"Scores are needed, as irviz.score or irviz.load_scores makes them; got {found}.")


def load_scores(matrices: Mapping[str, Source], limits: Limits = DEFAULT_LIMITS) -> Scores:
    """Score matrices from CSV files: a header of system names, then one row per topic.

    A first column of topics is optional; without one, topics are numbered from 1.  A
    label that is a measure's expression is written in its canonical form.  `limits` are those
    of :func:`irviz.load_collection`.
    """
    read = read_matrices(matrices, limits)
    return Scores(read.values, tuple(_canonical(name) for name in read.measures), read.topics, read.systems)
