"""The judged lists of a block of topics: grades by rank, pools, and the places of judged documents.

Rows are lists, one for each topic and run; facts of a topic (its pool, its recall base) are given by list. Documents
above level 0 are few and found once; ranks are read one by one only for measures that need it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, wraps
from typing import Any, NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from irviz.collection.codes import ABSENT
from irviz.collection.judgments import pad
from irviz.collection.model import Collection
from irviz.collection.ragged import Lists, Padded, tie_groups
from irviz.errors import IrvizError, check_length, number_of
from irviz.measures.arithmetic import Array, fraction, power2, power2_rounded
from irviz.measures.language.parameters import MOST_GAIN, ByGrade, value_text
from irviz.portable import SparseCells, total

MOST_POWER = 1000  #: the largest x of a 2^x: larger ones overflow doubles, and whole numbers take much memory


Method = TypeVar("Method", bound=Callable[..., Any])


def computed_once(method: Method) -> Method:
    """Compute a method of :class:`JudgedLists` once for equal arguments."""

    @wraps(method)
    def once(self: JudgedLists, *arguments: Any, **named: Any) -> Any:
        return self.keep((method.__name__, *arguments, *named.items()), lambda: method(self, *arguments, **named))

    return cast(Method, once)


class RankedLists:
    """The lists of some topics, cut at `depth`; `shape` is the number of topics, and of judged documents of each.

    `ranking`, lists × depth, has the index among the documents of the list's topic, negative for no judged document.
    `topic` is the index of each list's; by default all topics have the same number of lists, in order.
    """

    def __init__(
        self, ranking: Lists | Array, shape: tuple[int, int], topic: Array | None = None, depth: int | None = None
    ) -> None:
        self.ranking, self.shape = ranking, shape
        self.runs = int(ranking.shape[0])
        self.depth = int(ranking.shape[1]) if depth is None else min(depth, int(ranking.shape[1]))
        self.hits_by_labels: dict[bytes, ListedDocuments] = {}  # documents found, by what was looked for
        self.topic = np.arange(self.runs) * shape[0] // max(self.runs, 1) if topic is None else topic

    @cached_property
    def lists(self) -> Lists:
        """How long the lists are, and the judged documents in them."""
        return Lists.of(self.ranking).subset(slice(None), depth=self.depth)

    @cached_property
    def lengths(self) -> Array:
        """How long the lists are."""
        if isinstance(self.ranking, Lists):
            return np.minimum(self.ranking.lengths, self.depth)
        return self.lists.lengths

    @property
    def tied(self) -> Padded | None:
        """Judged documents with their ties, if all orders of tied documents count."""
        return self.ranking.tied if isinstance(self.ranking, Lists) else None

    def find(self, which: Array) -> ListedDocuments:
        """The documents for which `which` (of `shape`) is true."""
        key = which.tobytes()
        if key not in self.hits_by_labels:
            at = np.flatnonzero(which.ravel().take(self._documents))
            judged = self.lists.judged
            run = np.repeat(np.arange(self.runs), judged.count(at))
            place = judged.values[at, 0].astype(np.intp)
            hits = ListedDocuments((self.runs, self.depth), run, place, self._documents[at])
            self.hits_by_labels[key] = hits
        return self.hits_by_labels[key]

    def condensed(self, which: Array) -> RankedLists:
        """The lists without the documents for which `which` (of `shape`) is false."""
        return RankedLists(self.lists.condense(which.ravel().take(self._documents)), self.shape, self.topic)

    def marks(self, which: Array) -> Array:
        """lists × depth: whether `which` (of `shape`) is true of the document there."""
        there = np.zeros(self.runs * self.depth, dtype=np.bool_)
        there[self._cells] = which.ravel().take(self._documents)
        return there.reshape(self.runs, self.depth)

    @cached_property
    def _documents(self) -> Array:
        """By judged document in the lists, its number among those of all topics."""
        judged = self.lists.judged
        return judged.values[:, 1] + np.repeat(self.topic * self.shape[1], judged.counts)

    @cached_property
    def _cells(self) -> Array:
        """By judged document in the lists, its cell among lists × depth."""
        judged = self.lists.judged
        return judged.values[:, 0] + np.repeat(np.arange(self.runs) * self.depth, judged.counts)


@dataclass(frozen=True, eq=False)
class ListedDocuments:
    """Some of the documents in the lists of a block: list by list, and there by rank."""

    shape: tuple[int, ...]  #: lists and depth of the block
    #: by document: the list; the place in it, 0 for rank 1; and the document's number among those of all topics
    run: Array
    place: Array
    document: Array

    @cached_property
    def counts(self) -> Array:
        """By list, how many there are."""
        return np.bincount(self.run, minlength=self.shape[0])

    @cached_property
    def number(self) -> Array:
        """By document, its number among its list's: 1 for the first."""
        return np.arange(1, len(self.run) + 1) - (np.cumsum(self.counts) - self.counts)[self.run]

    def select(self, which: Array) -> ListedDocuments:
        """Those for which `which` is true."""
        at = np.flatnonzero(which)
        if len(at) == len(which):
            return self
        return ListedDocuments(self.shape, self.run[at], self.place[at], self.document[at])

    @cached_property
    def _tree(self) -> SparseCells:
        return SparseCells(self.shape, self.run, self.place)

    def total(self, worth: Array) -> Array:
        """By list, what its documents are worth, added up along the ranks as :func:`irviz.portable.total` does."""
        if len(self.run) * 4 < self.shape[0] * self.shape[1]:
            return self._tree.total(worth)
        cells = np.zeros(self.shape, dtype=worth.dtype)  # full lists are added up whole
        cells[self.run, self.place] = worth
        return total(cells)


class Ties(NamedTuple):
    """Tied documents, with several possible ranks, list by list.

    By document: its list, its worth, and the first place (0 is rank 1) and number of the documents with its score.
    """

    run: Array
    worth: Array
    first: Array
    size: Array

    def mean_weight(self, weights: Array) -> Array:
        """By document, the mean weight of the places where it may stand; 0 below the last weight."""
        sums, most = np.append(0.0, np.cumsum(weights)), len(weights)
        means = (sums[np.minimum(self.first + self.size, most)] - sums[self.first]) / self.size
        return np.where(self.size == 1, weights[self.first], means)


def mean_products(values: Array, of: int, most: int) -> Array:
    """For t = 0 … `most`: the product of t of `of` numbers (`values`, then ones), averaged over all sets of t.

    >>> mean_products(np.array([0.5, 0.25]), 2, 2).tolist()
    [1.0, 0.375, 0.125]
    """
    means = (np.arange(most + 1) <= of - len(values)).astype(float)
    for n, value in enumerate(values.tolist(), start=of - len(values) + 1):
        t = np.arange(1, min(n, most) + 1)
        means[t] = ((n - t) * means[t] + t * value * means[t - 1]) / n
    return means


class JudgedLists:
    """The lists of a block of topics, judged under one aspect, and the worth of its grade levels.

    `ranked_lists` may be an array, lists × depth, of one topic.  `labels`, topics × judged documents, have the grade
    level, below zero for a document that counts as unjudged; grades[0] is 0.  Where `exact`, fractions take the place
    of doubles.  `wider` are the same lists or longer ones, under at least these judgments, whose documents found are
    used again.
    """

    def __init__(
        self,
        ranked_lists: RankedLists | Array,
        labels: Array,
        grades: Sequence[float],
        *,
        exact: bool = False,
        wider: JudgedLists | None = None,
    ) -> None:
        self.grades, self.exact = tuple(grades), exact
        self._cache: dict[Hashable, Any] = {}
        self.labels = np.atleast_2d(labels)
        if not isinstance(ranked_lists, RankedLists):
            ranked_lists = RankedLists(ranked_lists, self.labels.shape)
        self.ranked_lists = ranked_lists
        self.topic, self.runs, self.depth = self.ranked_lists.topic, self.ranked_lists.runs, self.ranked_lists.depth
        self.dtype: type = object if exact else float
        self.wider = wider

    @classmethod
    def of_grades(cls, grades: Sequence[float]) -> JudgedLists:
        """No lists and no documents, in exact arithmetic: for facts about the grades."""
        return cls(np.empty((0, 0), dtype=np.int32), np.empty(0, dtype=np.int16), grades, exact=True)

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """`make()`, computed once for these lists under `key`."""
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    def number(self, x: float) -> Any:
        """A parameter as a number of this arithmetic; 0.3333333333333333 is 1/3 where exact."""
        return fraction(x) if self.exact else float(x)

    def whole_numbers(self, counts: Array) -> Array:
        """Whole numbers as numbers of this arithmetic."""
        return np.array(list(map(Fraction, counts.tolist())), dtype=object) if self.exact else counts.astype(float)

    @property
    def has_documents(self) -> Array:
        """By list, whether it holds any document; a run that lacks a topic scores 0 on it."""
        return self.lengths > 0

    @property
    def lengths(self) -> Array:
        """By list, how many documents it holds."""
        return self.ranked_lists.lengths

    def head(self, cutoff: int | None) -> JudgedLists:
        """The first `cutoff` ranks (all of them for None); the judgments stay whole."""
        if cutoff is None or cutoff >= self.depth:
            return self
        known = self.wider is not None or ("documents",) in self._cache  # documents then are those of the whole lists
        return self.keep(("head", cutoff), lambda: self.only(slice(None), cutoff, self if known else None))

    def only(self, which: Array | slice, depth: int | None = None, wider: JudgedLists | None = None) -> JudgedLists:
        """Some of the lists, down to a depth."""
        some = self.ranked_lists.lists.subset(which)
        lists = RankedLists(some, self.ranked_lists.shape, self.topic[which], depth)
        return JudgedLists(lists, self.labels, self.grades, exact=self.exact, wider=wider)

    @computed_once
    def condensed(self) -> JudgedLists:
        """Condensed lists (Sakai 2007): without documents that are not judged, or judged below zero."""
        lists = self.ranked_lists.condensed(self.labels >= 0)
        return JudgedLists(lists, self.labels, self.grades, exact=self.exact)

    @computed_once
    def distinct(self) -> tuple[JudgedLists, Array]:
        """The lists that differ in grades or in their topics' pools; and by list, the number of its equal among
        these."""
        documents = self.documents()
        pools = np.unique(self.pools(), axis=0, return_inverse=True)[1].ravel()[self.topic]
        at = pad(documents.place * len(self.grades) + self.level(documents), documents.counts, -1)
        keys = np.ascontiguousarray(np.column_stack([pools, self.has_documents, at]))
        numbers: dict[Any, int] = {}
        rows = keys.view(np.dtype((np.void, keys.dtype.itemsize * keys.shape[1]))).ravel().tolist()
        first = np.array([numbers.setdefault(row, run) for run, row in enumerate(rows)], dtype=np.intp)
        different, index = np.unique(first, return_inverse=True)
        return self.only(different), index

    # -- numbers of this arithmetic ------------------------------------------------------

    def ranks(self, depth: int | None = None) -> Array:
        """1, 2, …, depth as numbers of this arithmetic."""
        return self.whole_numbers(np.arange(1, (self.depth if depth is None else depth) + 1))

    def share(self, part: Array | float, whole: Array) -> Array:
        """part / whole by list, 0 where `whole` is 0 (no relevant document)."""
        divisor = self.whole_numbers(whole) if whole.dtype.kind == "i" else whole
        return np.divide(part, divisor, out=self.nothing(), where=divisor > 0)

    def nothing(self) -> Array:
        """By list, 0."""
        return np.full(self.runs, self.number(0), dtype=self.dtype)

    # -- the worth of the grade levels: one number per level, in doubles or in fractions -----

    def binary(self, rel: float) -> tuple[Any, ...]:
        """1 for the levels whose grade is at least `rel` (level 0 never), else 0."""
        return tuple(self.number(level > 0 and grade >= rel) for level, grade in enumerate(self.grades))

    def grade_table(self, gains: Any = None) -> tuple[Any, ...]:
        """The grades, or the numbers of a `gains` list in their place, one per level."""
        if gains is None:
            if self.grades[-1] > MOST_GAIN:
                raise IrvizError(
                    f"There is a grade of {self.grades[-1]:g}; gains are made of grades up to {MOST_GAIN:g}. "
                    f"List smaller `gains`, or correct the qrels."
                )
            return tuple(map(self.number, self.grades))
        if isinstance(gains, ByGrade):
            return tuple(map(self.number, gains.table(self.grades)))
        levels = f"{number_of(len(self.grades), 'grade level')} ({', '.join(map(value_text, self.grades))})"
        check_length("`gains` lists", gains, len(self.grades), levels, "Give one number per level, lowest first.")
        if gains[0] != 0:
            raise IrvizError(
                f"`gains` must begin with 0, for the lowest level and unjudged documents; got {gains[0]:g}."
            )
        return tuple(map(self.number, gains))

    def own_table(self, gains: Any) -> tuple[Any, ...]:
        """The gain of every level by a list or, for None, the grades themselves; or by a word as `gain_table`."""
        return self.gain_table(gains) if isinstance(gains, str) else self.grade_table(gains)

    @computed_once
    def gain_table(self, gains: Any = "linear", default: str = "linear", top: float | None = None) -> tuple[Any, ...]:
        """The gain of every level, in [0, 1]: x/x_max, or (2^x − 1)/2^x_max.

        A list takes the place of the grades x; the mapping is then `default`.  x_max is the
        highest of them (of gains by grade, whether it occurs or not), or `top`.
        """
        how, gain_list = (gains, None) if isinstance(gains, str) else (default, gains)
        numbers = self.grade_table(gain_list)
        if top is None and isinstance(gains, ByGrade):
            top = gains.pairs[-1][1]
        x_max = max(numbers) if top is None else self.number(top)
        if max(numbers) > x_max:
            raise IrvizError(
                f"`gmax` is {value_text(top)}, but there is a grade of {float(max(numbers)):g}. "
                f"Give `gmax` the highest grade there can be, or leave it out."
            )
        if x_max == 0:
            return numbers
        if how == "linear":
            return tuple(x / x_max for x in numbers)
        self.power2(x_max)  # refuses large numbers
        return tuple(self.power2(x - x_max) - self.power2(-x_max) for x in numbers)  # small ones keep all their digits

    def gain_shares(self, gains: Any = "linear") -> tuple[Any, ...]:
        """The gain of every level over the maximum gain, g(a)/g(a_c): 1 for the highest, however gains are made."""
        if isinstance(gains, ByGrade):
            return self.gain_table(gains)  # linear; the highest gain may not occur
        table = self.gain_table(gains)
        return tuple(worth / table[-1] for worth in table) if table[-1] > 0 else table

    def power2(self, x: Any) -> Any:
        """2**x in this arithmetic, for x up to `MOST_POWER`."""
        if x > MOST_POWER:
            raise IrvizError(
                f"2^x is taken of grades and gains up to {MOST_POWER:,}; here x is {float(x):g}. "
                f"Use the grades themselves as gains, or list smaller `gains`."
            )
        return power2(x) if self.exact else power2_rounded(x)

    # -- rank by rank --------------------------------------------------------------------

    @computed_once
    def levels(self) -> Array:
        """lists × depth: grade level at every rank, 0 for worthless documents."""
        documents, out = self.documents(), np.zeros((self.runs, self.depth), dtype=np.int16)
        out[documents.run, documents.place] = self.level(documents)
        return out

    @computed_once
    def gains(self, table: tuple[Any, ...]) -> Array:
        """lists × depth: gain at every rank, given the gain of every level."""
        return np.array(table, dtype=self.dtype).take(self.levels())

    # -- single documents: those above level 0, which are few -----------------------------

    @computed_once
    def documents(self) -> ListedDocuments:
        """The ranked documents above level 0, perhaps with some at level 0."""
        if self.wider is None:
            return self.ranked_lists.find(self.labels > 0)
        documents = self.wider.documents()
        return documents.select(documents.place < self.depth)

    @computed_once
    def level(self, documents: ListedDocuments) -> Array:
        """By document, its grade level; 0 if it is worthless."""
        return np.maximum(self.labels.take(documents.document), 0)

    @computed_once
    def hits(self, rel: float) -> ListedDocuments:
        """The relevant documents in the lists."""
        documents, relevant = self.documents(), np.array([worth > 0 for worth in self.binary(rel)])
        return documents.select(relevant[self.level(documents)])

    def weighted_gain(self, table: tuple[Any, ...], weights: Array, how: np.ufunc = np.multiply) -> Array:
        """By list, the sum of each document's gain times the weight of its rank (or divided by it: np.divide)."""
        if self.tied:
            return self.expected_gain(table, weights if how is np.multiply else 1 / weights)
        documents = self.documents()
        gains: Array = np.array(table, dtype=self.dtype).take(self.level(documents))
        return documents.total(how(gains, weights.take(documents.place)))

    # -- the mean over all orders of tied documents (McSherry and Najork 2008) -----------------

    @property
    def tied(self) -> bool:
        """True where all orders of tied documents count."""
        return self.ranked_lists.tied is not None

    @computed_once
    def ties(self, worth: tuple[Any, ...]) -> Ties:
        """The documents of levels with `worth` above 0 that can be in the lists, with their ties."""
        assert self.ranked_lists.tied is not None
        run, (_, document, first, size) = self.ranked_lists.tied.row, self.ranked_lists.tied.values.T.astype(np.intp)
        level = self.labels.ravel()[document + self.topic[run] * self.ranked_lists.shape[1]]
        worths = np.array([*worth, 0, 0], dtype=float)[level]  # the two codes below 0 are worth nothing
        at = np.flatnonzero((worths > 0) & (first < self.depth))
        return Ties(run[at], worths[at], first[at], size[at])

    def expected_gain(self, table: tuple[Any, ...], weights: Array) -> Array:
        """By list, Σ gain × weight of its rank, averaged over all orders of tied documents."""
        ties = self.ties(table)
        return np.bincount(ties.run, ties.worth * ties.mean_weight(weights), self.runs)

    def expected_stop(self, table: tuple[Any, ...], weights: Array) -> Array:
        """By list, the weight of the rank where a reader stops, averaged over all orders of tied documents.

        A document stops its readers with the probability in `table`.  They reach the t-th of m tied documents if t − 1
        of them let them pass: a mean, over all sets of t − 1, of products.
        """
        ties, scores = self.ties(table), self.nothing()
        groups = tie_groups(ties.run, ties.first)
        reached, list_ = 1.0, -1
        for start in groups.first.tolist():
            end = start + int(groups.sizes[groups.number[start]])
            run, first = int(ties.run[start]), int(ties.first[start])
            reached, list_ = (reached if run == list_ else 1.0), run
            if reached == 0:
                continue
            size = int(ties.size[start])
            passed = mean_products(1 - ties.worth[start:end], size, min(size, self.depth - first))
            stops = passed[:-1] - passed[1:]
            scores[run] += reached * float(total(stops * weights[first : first + len(stops)]))
            reached *= float(passed[-1])
        return scores

    def count_above(self, hits: ListedDocuments, which: Array) -> Array:
        """By hit, how many of `which` (topics × documents) are above it in its list."""
        eights = np.packbits(self.ranked_lists.marks(which), axis=1)  # the first of eight is the highest bit
        through = np.cumsum(np.bitwise_count(eights), axis=1, dtype=np.int32)
        run, eight, rest = hits.run, hits.place >> 3, hits.place & 7
        return through[run, eight] - np.bitwise_count(eights[run, eight] & (255 >> rest))

    def found_levels(self) -> Array:
        """lists × levels: how many documents of each level above 0 there are in a list."""
        documents, many = self.documents(), len(self.grades)
        cells = documents.run * many + self.level(documents)
        return np.bincount(cells, minlength=self.runs * many).reshape(self.runs, many)

    # -- the whole pools ----------------------------------------------------------------

    @computed_once
    def pools(self) -> Array:
        """topics × levels: how many judged documents there are at each level."""
        topics, many = len(self.labels), len(self.grades)
        cells = self.labels + np.arange(topics)[:, None] * many if topics > 1 else self.labels
        return np.bincount(cells[self.labels >= 0], minlength=topics * many).reshape(topics, many)

    def pool(self) -> Array:
        """lists × levels: how many judged documents of its topic there are at each level."""
        return self.pools()[self.topic]

    @computed_once
    def pool_gain(self, table: tuple[Any, ...]) -> Array:
        """By list, the recall base: the summed gain of all judged documents of its topic."""
        return self.gain_of(self.pools(), table)[self.topic]

    def gain_of(self, counts: Array, table: tuple[Any, ...]) -> Array:
        """By row of `counts` (rows × levels), the gain of that many documents of each level, added level by level."""
        each = zip(counts.T.astype(self.dtype), table, strict=True)
        return np.asarray(sum(many * worth for many, worth in each))

    def ideal(self, table: tuple[Any, ...], cutoff: int | None = None) -> Array:
        """topics × ranks: the largest gains of each topic's pool, descending, then zeros; `table` ascends."""
        return np.array(table, dtype=self.dtype)[self._descending()[:, :cutoff]]

    @computed_once
    def _descending(self) -> Array:
        """topics × documents: the levels above 0 of the pool, highest first, then zeros."""
        counts = self.pools()[:, :0:-1]
        each = np.tile(np.arange(counts.shape[1], 0, -1, dtype=np.int16), len(counts))
        return pad(np.repeat(each, counts.ravel()), counts.sum(axis=1), 0)


# -- Some topics of a collection under its aspects; or a topic made of enumerated runs

_CACHES: WeakKeyDictionary[Collection, dict[Hashable, Any]] = WeakKeyDictionary()
#: topics of a block → the documents found in its lists
_HITS_BY_COLLECTION: WeakKeyDictionary[Collection, dict[bytes, dict[bytes, ListedDocuments]]] = WeakKeyDictionary()
_MOST_SHARED = 32  # settings, and blocks, of a collection that are kept


class Topics:
    """Some topics of a collection, one after another: all of their lists, all of their aspects.

    `ranking`, lists × depth or topics × systems × depth, are other lists of these topics, the same number for each;
    where they are the collection's `own`, documents found in some of its blocks are kept as long as the collection.
    `wider` are the same topics and lists under these judgments and more; `labels`, topics × judged documents ×
    aspects, other judgments than the collection's.
    """

    exact: bool = False

    def __init__(
        self,
        collection: Collection,
        which: slice | Array | Sequence[int],
        ranking: Lists | Array | None = None,
        wider: Topics | None = None,
        labels: Array | None = None,
        own: bool = False,
    ) -> None:
        self.collection, self.which, self.wider, self.own = collection, which, wider, own or ranking is None
        self.aspects, self.grades = collection.aspects, collection.grades
        self.has_own_labels = labels is not None
        self.labels: Array = collection.labels[which] if labels is None else labels
        ranking = collection.ranking.subset(which) if ranking is None else ranking
        self.ranking = ranking.flat() if isinstance(ranking, Lists) else ranking.reshape(-1, ranking.shape[-1])
        self._cache: dict[Hashable, JudgedLists] = {}

    @cached_property
    def ranked_lists(self) -> RankedLists:
        """The facts about lists that do not depend on the judgments."""
        if self.wider is not None:
            return self.wider.ranked_lists
        lists = RankedLists(self.ranking, self.labels.shape[:2])
        cache = _HITS_BY_COLLECTION.setdefault(self.collection, {})
        topics = np.arange(len(self.collection.topics))[self.which].tobytes()
        if self.own and (topics in cache or len(cache) < _MOST_SHARED):
            lists.hits_by_labels = cache.setdefault(topics, lists.hits_by_labels)
        return lists

    def aspect(self, name: str | None) -> JudgedLists:
        """The lists judged on one aspect, for None the first."""
        place = self.collection.aspect_index(name)
        wider = None if self.wider is None else self.wider.aspect(name)
        return self.view(("aspect", place), lambda: (self.labels[:, :, place], self.grades[place]), wider)

    def view(self, key: Hashable, make: Callable[[], tuple[Any, ...]], wider: JudgedLists | None = None) -> JudgedLists:
        """The lists under labels and grades of one's own, made once."""
        if key not in self._cache:
            self._cache[key] = JudgedLists(self.ranked_lists, *make(), exact=self.exact, wider=wider)
        return self._cache[key]

    def keep_for_collection(self, key: Hashable, make: Callable[[Array], Any]) -> Any:
        """`make(labels of the whole collection)`, computed once for all topics of the collection."""
        known = _CACHES.setdefault(self.collection, {})
        value = known.get(key)
        if value is None:
            while len(known) >= _MOST_SHARED:
                known.pop(next(iter(tuple(known))), None)
            value = known[key] = make(self.collection.labels[:])
        return value

    def relabel(self, key: Hashable, make: Callable[[Array], Array]) -> Array:
        """The part of `make(labels of the whole collection)` for these topics."""
        return make(self.labels) if self.has_own_labels else self.keep_for_collection(key, make)[self.which]


class BinaryTopics(Topics):
    """Topics with all grades above zero made one, on every aspect."""

    def __init__(self, topics: Topics) -> None:
        self.topics, self.aspects = topics, topics.aspects

    def aspect(self, name: str | None) -> JudgedLists:
        place = self.topics.collection.aspect_index(name)
        grades = (0.0, 1.0)[: len(self.topics.grades[place])]
        return self.topics.view(("binary", place), lambda: (np.minimum(self.topics.labels[:, :, place], 1), grades))


class ExactTopic(Topics):
    """A topic made of judged runs themselves, in exact arithmetic.

    Every run of `levels` (runs × depth) is retrieved from a pool that holds `depth`
    documents of every level, so that each judged run is possible.  With ``exact=False``
    they are scored in doubles.
    """

    def __init__(self, levels: Array, grades: Sequence[float], exact: bool = True) -> None:
        depth = levels.shape[1]
        labels = np.repeat(np.arange(len(grades), dtype=np.int16), depth)[None, :, None]
        nothing = Lists.of(np.empty((1, 0, depth), dtype=np.int32))
        known = Padded.of(labels, ABSENT)
        pool = Collection("", ("",), (), ("relevance",), (tuple(grades),), nothing, known)
        super().__init__(pool, slice(0, 1), levels.astype(np.int32) * depth + np.arange(depth, dtype=np.int32))
        self.exact = exact
