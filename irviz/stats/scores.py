"""The labelled cube of scores that every statistic starts from.

Measures × topics × systems, always in that order, float64.  A cube is computed from a collection (:func:`score`) or
read from score matrices (:func:`load_scores`); later computations treat both alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from sys import getsizeof
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ORDERS, Finding
from irviz.collection.frames import ForeignTable
from irviz.collection.matrices import Matrices, matrices_of_frames, read_files
from irviz.collection.model import Collection, places_of
from irviz.collection.ragged import Lists
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source
from irviz.display import Displayable
from irviz.errors import IrvizError, choose, unknown
from irviz.measures import is_foreign, measure
from irviz.measures.judged_lists import Topics
from irviz.measures.language.base import Measure, evaluate_all
from irviz.measures.sets import NumRel, NumRet
from irviz.portable import exact_totals, mean
from irviz.stats.correlation import SAME, merge_ties
from irviz.stats.groups import Groups, groups_of, read_groups
from irviz.stats.paired import CORRECTIONS, PAIRED_TESTS, Differences
from irviz.stats.results import tidy
from irviz.stats.tables import SystemTable, system_table
from irviz.workers import Listener, Progress, Workers, batches, listener, run

CELLS, RANKS = 1 << 19, 1 << 20  #: possibly judged documents, and ranks, of the topics scored together

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True, eq=False)
class Scores(Displayable):
    """Scores of systems on topics under measures.

    Attributes
    ----------
    values : float64, measures × topics × systems
    measures, topics, systems : tuple of str
        Labels of the three axes; a measure's label is its canonical expression.
    exact : mapping of str to object array, topics × systems
        For total orders with values beyond a double: the same scores as Python integers over one common denominator,
        for everything that depends on order (see :meth:`order`).
    findings : tuple of Finding
        About the files read.
    groups : mapping of str to str
        Topic to group, of the topics that have one.

    A missing score is NaN.
    """

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    exact: Mapping[str, NDArray[np.object_]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        shape = (len(self.measures), len(self.topics), len(self.systems))
        if self.values.shape != shape:
            raise IrvizError(f"Scores of shape {self.values.shape} do not fit their labels {shape}.")
        if len(set(self.measures)) != len(self.measures):
            twice = next(name for name in self.measures if self.measures.count(name) > 1)
            raise IrvizError(f"The measure {twice} is listed twice. Name every measure once.")
        self.values.setflags(write=False)

    def shown(self) -> pd.DataFrame:
        """One row per measure: its lowest, mean and highest score over all topics and systems that have one."""
        there = [matrix[~np.isnan(matrix)] for matrix in self.values]
        rows = [(own.min(), mean(own), own.max()) if own.size else [np.nan] * 3 for own in there]
        columns = dict(zip(("lowest", "mean", "highest"), np.array(rows).reshape(-1, 3).T, strict=True))
        return pd.DataFrame(columns, index=pd.Index(self.measures, name="measure"))

    def means(self) -> pd.DataFrame:
        """Mean scores over the topics that have one, systems × measures; NaN where a system has none."""
        there = ~np.isnan(self.values)
        counts = there.sum(axis=1)
        sums = exact_totals(np.where(there, self.values, 0.0))
        averages = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return pd.DataFrame(averages.T, index=pd.Index(self.systems, name="system"), columns=list(self.measures))

    def table(
        self, baseline: str | int | None = None, *, test: str = "t", correction: str = "holm", alpha: float = 0.05
    ) -> SystemTable:
        """Mean scores, systems × measures, the best in bold; with a baseline, daggers at significant differences.

        Parameters
        ----------
        baseline : str or int, optional
            A system, by name or position.
        test : "t", "wilcoxon" or "sign"
            :func:`irviz.compare` has further ones, and its result has a ``table()``, too.
        correction : "holm", "bonferroni" or "none"
            Of the p-values of one measure.
        """
        means = self.means().to_numpy().T
        if baseline is None:
            return system_table(means, np.ones(means.shape), self.measures, self.systems)
        name = self.systems[baseline] if isinstance(baseline, int) else baseline
        (place,) = places_of("system", self.systems, [name])
        choose("test", test, tuple(PAIRED_TESTS))
        choose("correction", correction, tuple(CORRECTIONS))
        values = self.common().values
        p_values = []
        for matrix in values:
            d = Differences.from_scores(matrix, matrix[:, [place]])
            p = PAIRED_TESTS[test](d)[0]
            p[place] = np.nan
            p_values.append(CORRECTIONS[correction](p))
        return system_table(means, np.array(p_values), self.measures, self.systems, name, alpha)

    @cached_property
    def nbytes(self) -> int:
        """Memory taken by the numbers, the whole numbers of `exact` included."""
        integers = (array.nbytes + sum(map(getsizeof, array.ravel().tolist())) for array in self.exact.values())
        return self.values.nbytes + sum(integers)

    def index(self, measure: object) -> int:
        """Position of a measure, named by its label or any expression equal to it."""
        name = str(measure) if str(measure) in self.measures else _canonical(str(measure))
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

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The values, measures × topics × systems, for numpy."""
        return np.array(self.values, dtype=dtype, copy=copy)

    def to_xarray(self) -> xarray.DataArray:
        """The values with named axes: measure, topic, system; needs the package xarray."""
        try:
            import xarray
        except ModuleNotFoundError as error:
            raise IrvizError("This needs xarray, which is not installed: pip install xarray.") from error
        axes = {"measure": list(self.measures), "topic": list(self.topics), "system": list(self.systems)}
        return xarray.DataArray(self.values.copy(), axes, tuple(axes), "score")

    def __iter__(self) -> Iterator[str]:
        """The measures, as keys of a mapping."""
        return iter(self.measures)

    def __len__(self) -> int:
        """The number of measures."""
        return len(self.measures)

    def __contains__(self, measure: object) -> bool:
        """True if a measure is among them, in any spelling."""
        return str(measure) in self.measures or _canonical(str(measure)) in self.measures

    def order(self, measure: object) -> NDArray[np.float64]:
        """topics × systems: numbers in the order of the exact scores.

        The scores, made equal if within a relative 1e-12 of each other (except RBP's, which can truly differ by less);
        dense integer ranks over the whole matrix if a double cannot hold the scores.
        """
        name = self.measures[self.index(measure)]
        if name in self.exact:
            return dense_ranks(self.exact[name])
        return merge_ties(self.matrix(name), _rounding(name))

    def select(
        self,
        measures: Iterable[object] | None = None,
        topics: Iterable[str | int] | None = None,
        systems: Iterable[str | int] | None = None,
    ) -> Scores:
        """The sub-cube of the named measures, topics and systems, in the order asked for."""
        m = range(len(self.measures)) if measures is None else [self.index(name) for name in measures]
        names = tuple(self.measures[i] for i in m)
        values, exact = self.values[list(m)], {name: self.exact[name] for name in names if name in self.exact}
        labels = [self.topics, self.systems]
        for axis, (what, wanted) in enumerate((("topic", topics), ("system", systems))):
            if wanted is not None:
                places = places_of(what, labels[axis], wanted)
                labels[axis] = tuple(labels[axis][i] for i in places)
                values = values.take(places, axis=axis + 1)
                exact = {name: integers.take(places, axis=axis) for name, integers in exact.items()}
        return Scores(values, names, labels[0], labels[1], exact, self.findings, self.groups)

    @cached_property
    def has_missing(self) -> bool:
        """True if a score is missing."""
        return bool(np.isnan(self.values).any())

    @property
    def common_topics(self) -> tuple[str, ...]:
        """The topics on which every system has a score under every measure."""
        kept = np.flatnonzero(~np.isnan(self.values).any(axis=(0, 2)))
        return tuple(self.topics[i] for i in kept)

    def common(self) -> Scores:
        """The sub-cube of the common topics; refused if there are none."""
        if not self.has_missing:
            return self
        if self.common_topics:
            return self.select(topics=self.common_topics)
        missing = np.isnan(self.values)
        lacks = missing.sum(axis=(0, 1))
        worst = int(np.argmax(lacks))
        raise IrvizError(
            f"No topic has a score of all {len(self.systems):,} systems under all {len(self.measures):,} measures. "
            f"{self.systems[worst]} lacks most, {lacks[worst]:,} of {missing[:, :, worst].size:,}. Leave out "
            "systems or measures."
        )

    def frame(self) -> pd.DataFrame:
        """Tidy: one row per score, columns measure, topic, system, score."""
        return tidy({"measure": self.measures, "topic": self.topics, "system": self.systems}, score=self.values)


def labels_of(s: Scores) -> str:
    """The names of measures, topics and systems, and the groups of topics if there are any, as JSON."""
    return json.dumps([s.measures, s.topics, s.systems, *filter(None, [dict(s.groups)])])


def dense_ranks(numbers: NDArray[np.object_]) -> NDArray[np.float64]:
    """Dense ranks (0 for the smallest) of numbers of any size, in their own shape.

    >>> dense_ranks(np.array([2**70, 1, 2**70 + 1, 1], dtype=object))
    array([1., 0., 2., 0.])
    """
    return np.unique(numbers, return_inverse=True)[1].reshape(numbers.shape).astype(np.float64)


def _rounding(label: str) -> float:
    """The relative difference that rounding can make between two equal scores."""
    try:
        return measure(label).rounding
    except IrvizError:
        return SAME


def _canonical(expression: str) -> str:
    """The label of an equal measure, or the text itself if it is no measure, as in imported matrices."""
    return _spelling(expression) or expression


def is_count(label: str) -> bool:
    """True for a number of documents, which is summed over topics."""
    return _spelling(label) is not None and isinstance(measure(label), (NumRel, NumRet))


def _spelling_of_quality(name: str) -> str | None:
    """irviz's name of a measure; None also for numbers of documents, since their lines `all` are sums."""
    known = _spelling(name)
    return None if known is None or is_count(known) else known


def _spelling(expression: str) -> str | None:
    """irviz's name of a measure; None if unknown."""
    try:
        return str(measure(expression))
    except IrvizError:
        return None


def scoring_seconds(collection: Collection, measures: Iterable[str | Measure] | str | Measure) -> float:
    """Approximate seconds that :func:`score` takes; decides which pools are scored together."""
    topics, systems, depth = collection.ranking.shape
    judged = collection.labels.width
    return topics * systems * sum(metric.seconds(depth, judged) for metric in _parse_measures(measures))


def score(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    progress: Listener = None,
    workers: Workers = None,
    _lists: Callable[..., Lists] | None = None,  # a block's lists and labels → other lists to score
) -> Scores:
    """Score every system on every topic under every measure.

    Parameters
    ----------
    c : Collection
    measures : expressions or measures
        A measure given twice, in any spelling, is listed once.
    progress : callable, or True for a bar, optional
        Called with the share done (0 to 1) and a sentence, after each block of topics.
    workers : int or str, optional
        Blocks of topics scored at a time, or a joblib backend's name; see :func:`irviz.workers.run`.

    Returns
    -------
    Scores
        float64, measures × topics × systems, in the order asked for.

    Raises
    ------
    IrvizError
        For a measure that is unknown or does not fit the collection's grades or aspects.
    """
    progress = listener(progress)
    check_collection(c)
    wanted = _parse_measures(measures)
    work = partial(_score_block, judgments=_SharedJudgments(c), measures=wanted, lists=_lists)
    parts = run(work, blocks(c, wanted), workers, progress, lambda block: f"Scored {block.name}")
    values = np.concatenate([block for block, _ in parts], axis=1)
    exact = {name: np.concatenate([integers[name] for _, integers in parts]) for name in parts[0][1]}
    return Scores(values, tuple(map(str, wanted)), c.topics, c.systems, exact, groups=c.groups)


def score_pools(
    c: Collection, pools: Sequence[Collection], scores: Scores, progress: Progress | None, workers: Workers
) -> list[Scores]:
    """:func:`score` for each of `pools`: the same lists with parts of the judgments; `scores` where all are kept."""
    wanted = _parse_measures(scores.measures)
    judgments = [_SharedJudgments(collection) for collection in (c, *pools)]
    work = partial(_score_pools, judgments=judgments, measures=wanted)
    parts = run(work, blocks(c, wanted), workers, progress, lambda block: block.name)
    cubes = [(scores.values.copy(), {name: numbers.copy() for name, numbers in scores.exact.items()}) for _ in pools]
    for topics, by_pool in parts:
        for (values, exact), (pool_values, pool_integers) in zip(cubes, by_pool, strict=False):
            values[:, topics] = pool_values
            for name, integers in pool_integers.items():
                exact[name][topics] = integers
    return [replace(scores, values=values, exact=exact) for values, exact in cubes]


def _parse_measures(measures: Iterable[str | Measure] | str | Measure) -> list[Measure]:
    wanted = list(dict.fromkeys(measure(expression) for expression in listing(measures)))
    if not wanted:
        raise IrvizError("No measure is given. Name at least one, such as 'AP'.")
    return wanted


class Block(NamedTuple):
    """Some topics, their lists (topics × systems × ranks), and what to call them."""

    topics: slice
    ranking: Lists
    name: str


def blocks(collection: Collection, measures: Iterable[Measure]) -> list[Block]:
    """Blocks of topics that hold at most `CELLS` possibly judged documents, or `RANKS` ranks to read."""
    _, systems, depth = collection.ranking.shape
    judged, levels = collection.labels.width, max(map(len, collection.grades))
    depth = max((metric.depth_seen(depth) or depth for metric in measures), default=depth)
    most = CELLS // max(systems * min(depth, judged), 1), RANKS // max(systems * depth, judged, levels, 1)
    return in_blocks(collection, min(most))


def in_blocks(collection: Collection, step: int) -> list[Block]:
    """`step` topics at a time, one at least."""
    in_order = []
    for part in batches(len(collection.topics), 1, step):
        names = collection.topics[part]
        name = f"topic {names[0]}" if len(names) == 1 else f"topics {names[0]} to {names[-1]}"
        in_order.append(Block(part, collection.ranking.subset(part), name))
    return in_order


#: measures × topics × systems; and the exact scores of the measures that have any
_BlockScores = tuple[NDArray[np.float64], dict[str, NDArray[np.object_]]]


class _SharedJudgments:
    """The part of a collection that all topics share, for other processes: without the lists."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection

    def __reduce__(self) -> tuple[Any, ...]:
        nothing = self.collection.ranking.subset(slice(None), [], 0)
        return _SharedJudgments, (replace(self.collection, systems=(), ranking=nothing, findings=()),)


def _score_block(
    block: Block, judgments: _SharedJudgments, measures: list[Measure], lists: Callable[..., Lists] | None
) -> _BlockScores:
    c = judgments.collection
    other = block.ranking if lists is None else lists(block.ranking, c.labels[block.topics])
    return _scores_of(Topics(c, block.topics, other, own=lists is None), measures)


def _score_pools(
    block: Block, judgments: list[_SharedJudgments], measures: list[Measure]
) -> tuple[slice | NDArray[np.intp], list[_BlockScores]]:
    """Topics of a block with fewer judgments under some part (all if of several aspects), and their scores."""
    full, *parts = (shared.collection for shared in judgments)
    labels, *others = (one.labels.subset(block.topics) for one in (full, *parts))
    lost = np.logical_or.reduce([other.values != labels.values for other in others]).any(axis=1)
    fewer = np.bincount(labels.row[lost], minlength=len(labels)) > 0
    fewer |= any(metric.several_aspects for metric in measures)
    if not fewer.any():
        return block.topics, []
    every = fewer.all()
    topics = block.topics if every else block.topics.start + np.flatnonzero(fewer)
    wider = Topics(full, topics, block.ranking if every else block.ranking.subset(fewer), own=True)
    return topics, [_scores_of(Topics(part, topics, wider.ranking, wider), measures) for part in parts]


def _scores_of(topics: Topics, measures: list[Measure]) -> _BlockScores:
    """Scores of a block; if all orders of tied documents count, their means, by formula or over `ORDERS` draws."""
    drawn = [metric for metric in measures if not metric.averages_ties]
    if not (isinstance(topics.ranking, Lists) and topics.ranking.tied is not None and drawn):
        return _scores_of_lists(topics, measures)
    orders = (Topics(topics.collection, topics.which, topics.ranking.in_order(n), own=False) for n in range(ORDERS))
    first, *others = (_scores_of_lists(order, drawn) for order in orders)
    mean = sum((values for values, _ in others), first[0]) / ORDERS
    exact = {name: sum((whole[name] for _, whole in others), first[1][name]) for name in first[1]}
    known = [metric for metric in measures if metric.averages_ties]
    by_measure = dict(zip(drawn, mean, strict=True))
    by_measure |= zip(known, _scores_of_lists(topics, known)[0], strict=True) if known else {}
    return np.array([by_measure[metric] for metric in measures]), exact


def _scores_of_lists(topics: Topics, measures: list[Measure]) -> _BlockScores:
    by_measure = {metric: metric.score(topics) for metric in measures if not metric.ranks_walked()}
    walking = [metric for metric in measures if metric not in by_measure]
    for lists in dict.fromkeys(metric.lists_of(topics) for metric in walking):
        together = [metric for metric in walking if metric.lists_of(topics) is lists]
        by_measure |= zip(together, evaluate_all(together, lists), strict=True)
    exact = {str(metric): metric.exact(topics) for metric in measures}
    shape = (len(topics.labels), len(topics.ranking) // len(topics.labels))
    values = np.array([by_measure[metric].reshape(shape) for metric in measures], dtype=np.float64)
    return values, {name: scores.reshape(shape) for name, scores in exact.items() if scores is not None}


def listing(measures: Iterable[str | Measure] | str | Measure) -> list[str | Measure]:
    """The requested measures as a list; a single one may be given by itself."""
    if isinstance(measures, (str, Measure)) or is_foreign(measures):
        return [measures]  # type: ignore[list-item]
    if not isinstance(measures, Iterable):
        raise IrvizError(f"Measures are given as a list, such as ['AP', 'nDCG@10']; got {type(measures).__name__}.")
    return list(measures)


def check_collection(collection: object) -> None:
    """Refuse anything but a collection."""
    if not isinstance(collection, Collection):
        raise IrvizError(
            f"Expected a collection, as irviz.load_collection returns it; got {type(collection).__name__}."
        )


def check_scores(s: object) -> None:
    """Refuse anything but a cube of scores."""
    if not isinstance(s, Scores):
        raise IrvizError(f"Expected scores, as irviz.score or irviz.load_scores return them; got {type(s).__name__}.")


def load_scores(
    scores: Source | Mapping[str, Source], *, groups: Groups | None = None, limits: Limits = DEFAULT_LIMITS
) -> Scores:
    """Scores from files with a value per line, as other tools write, or from matrices.

    Parameters
    ----------
    scores : path, folder, (name, bytes), open file, a list of these; or mapping of measure to one of them
        A value a line, recognised by content: ``trec_eval -q`` (the system is the file's name), ir_measures (run,
        topic, measure, value; or without run), JSON lines or a list (run_id, topic_id, measure, value), CSV or TSV with
        a header (run or system, topic or query, measure or metric, value or score), and what ``irviz score`` prints.
        A matrix is a CSV file with a header of system names, then one row per topic; its measure is its name in the
        mapping, or the file's.  A first column of topics is optional; without one, topics are numbered from 1.
    groups
        As in :func:`irviz.load_collection`.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    Scores
        In the unit of the files.  A measure is called as irviz spells it, if irviz knows it.  A cell without a value is
        missing (NaN).  `findings` say what was left out (averages over topics) or turned (systems in rows).

    Raises
    ------
    IrvizError
        With file and line, for a cell that is no finite number, a value given twice, a row that may be an average or a
        topic, or matrices of different topics or systems.
    """
    return with_groups(_scores_from_matrices(read_files(scores, _spelling_of_quality, limits)), groups)


def with_groups(s: Scores, groups: Groups | None) -> Scores:
    """The scores with groups of their topics, if any are given."""
    return s if groups is None else replace(s, groups=groups_of(read_groups(groups), s.topics))


def scores_from_frames(frames: Mapping[str, ForeignTable]) -> Scores:
    """Scores from matrices in memory.

    Parameters
    ----------
    frames : mapping of measure to DataFrame, topics × systems
        Of pandas, or of polars or pyarrow with a column ``topic``; all with the same topics and systems, in any
        order.  A label that is a measure's expression is written in its canonical form.  NaN is a missing score.

    Returns
    -------
    Scores
        Topics and systems in the order of the first frame.

    Raises
    ------
    IrvizError
        If frames have other topics or systems than the first, or a cell is no finite number.
    """
    return _scores_from_matrices(matrices_of_frames(frames))


def _scores_from_matrices(read: Matrices) -> Scores:
    measures = tuple(map(_canonical, read.measures))
    return Scores(read.values, measures, read.topics, read.systems, findings=read.findings)
