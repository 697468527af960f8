"""Rows of different lengths, one after the other with offsets, that read like one array as wide as the longest row.

Indexed by topics, a part of the array is made; arithmetic and NumPy's functions make all of it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND, UNJUDGED

Rows = slice | Sequence[int] | NDArray[Any]
_AT_ONCE = 1 << 20  # cells of a block of `Ragged.blocks`


def spans(starts: NDArray[np.integer], counts: NDArray[np.integer]) -> NDArray[np.intp]:
    """``starts[0], starts[0] + 1, …``, `counts[0]` of them, then `counts[1]` from ``starts[1]`` on, and so on.

    >>> spans(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    starts, counts = starts.ravel(), counts.ravel().astype(np.intp)
    return np.repeat(starts - _before(counts), counts) + np.arange(counts.sum())


def _before(counts: NDArray[np.integer]) -> NDArray[np.intp]:
    """The place of each row's first value among those of all rows."""
    counts = counts.ravel().astype(np.intp)
    return np.cumsum(counts) - counts


class Ragged(np.lib.mixins.NDArrayOperatorsMixin, ABC):
    """An array of topics × …, of which only what its rows hold is in memory."""

    shape: tuple[int, ...]

    @abstractmethod
    def whole(self) -> NDArray[Any]:
        """All of it, padded."""

    @abstractmethod
    def subset(self, rows: Rows, columns: Rows | None = None, depth: int | None = None) -> Self:
        """Some topics, some systems, the first ranks."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.whole(), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        given = (np.asarray(each) if isinstance(each, Ragged) else each for each in inputs)
        return getattr(ufunc, method)(*given, **options)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> NDArray[Any]:
        """As of an array; where the first index is plain, only its topics are made."""
        first, *rest = key if isinstance(key, tuple) else (key,)
        simple = all(isinstance(index, (int, np.integer, slice)) for index in rest)
        if first is None or first is Ellipsis or not (simple or isinstance(first, slice)):
            return self.whole()[key]
        which = np.arange(len(self))[first]
        if which.ndim > 1:
            return self.whole()[key]
        block = self.subset(first if isinstance(first, slice) else which.ravel()).whole()
        return block[0][tuple(rest)] if which.ndim == 0 else block[(slice(None), *rest)]

    def blocks(self, kind: str | None = None) -> Iterator[NDArray[Any]]:
        """All of it in blocks of topics, as numbers of a kind such as "<i4"."""
        step = max(1, _AT_ONCE * len(self) // max(1, math.prod(self.shape)))
        for at in range(0, len(self), step):
            block = self[at : at + step]
            yield block.astype(kind or block.dtype, copy=False)


@dataclass(frozen=True, eq=False)
class Padded(Ragged):
    """Values of rows, and `nothing` behind them."""

    values: NDArray[Any]  #: values of all rows × …, row by row
    counts: NDArray[np.integer]  #: topics, or topics × systems: values of each row
    nothing: Any
    width: int  #: of the padded rows

    def __post_init__(self) -> None:
        self.values.setflags(write=False)

    @classmethod
    def of(cls, array: Padded | NDArray[Any], nothing: Any, axis: int = 1) -> Padded:
        """The rows of an array, which end along `axis` with the last that is not `nothing`."""
        if isinstance(array, Padded):
            return array
        there = array != nothing if nothing == nothing else ~np.isnan(array)
        there = there.any(axis=tuple(range(axis + 1, array.ndim)))
        width = array.shape[axis]
        counts = (there * np.arange(1, width + 1)).max(axis=-1, initial=0)
        return cls(array[np.arange(width) < counts[..., None]], counts.astype(np.int32), nothing, width)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (*self.counts.shape, self.width, *self.values.shape[1:])

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self.values.nbytes + self.counts.nbytes

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """By row, the place of its first value."""
        return _before(self.counts)

    @property
    def row(self) -> NDArray[np.intp]:
        """By value, its row."""
        return np.repeat(np.arange(self.counts.size), self.counts.ravel())

    def count(self, at: NDArray[np.intp]) -> NDArray[np.int32]:
        """By row, how many of the places `at`, which ascend, are its own."""
        counts = np.diff(np.searchsorted(at, self.starts), append=len(at))
        return counts.astype(np.int32).reshape(self.counts.shape)

    def whole(self) -> NDArray[Any]:
        if len(self.values) == self.counts.size * self.width:
            return self.values.reshape(self.shape)
        out = np.full((self.counts.size * self.width, *self.values.shape[1:]), self.nothing, dtype=self.values.dtype)
        out[spans(np.arange(self.counts.size) * self.width, self.counts)] = self.values
        return out.reshape(self.shape)

    def subset(self, rows: Rows, columns: Rows | None = None, depth: int | None = None) -> Padded:
        if isinstance(rows, slice) and rows.step is None and columns is None and depth is None:
            counts = self.counts[rows]  # they lie together
            before = self.counts[: rows.start].sum(dtype=np.intp) if rows.start else 0
            return replace(self, values=self.values[before : before + counts.sum(dtype=np.intp)], counts=counts)
        at = np.arange(self.counts.size).reshape(self.counts.shape)[rows]
        at = at if columns is None else at[:, columns]
        width = self.width if depth is None else min(depth, self.width)
        counts = np.minimum(self.counts.ravel()[at], width)
        return replace(self, values=self.values[spans(self.starts[at], counts)], counts=counts, width=width)

    def reduce(self, how: np.ufunc) -> NDArray[Any]:
        """By row, its values reduced, such as to the largest; `nothing` where there are none."""
        out = np.full((self.counts.size, *self.values.shape[1:]), self.nothing, dtype=self.values.dtype)
        rows = np.flatnonzero(self.counts)
        if len(rows):
            out[rows] = how.reduceat(self.values, self.starts[rows])
        return out

    def take(self, row: NDArray[np.integer], place: NDArray[np.integer]) -> NDArray[Any]:
        """The values at some places of some rows; `nothing` behind the end of a row and below place 0."""
        there = (place >= 0) & (place < self.counts.ravel()[row])
        out = np.full((len(row), *self.values.shape[1:]), self.nothing, dtype=self.values.dtype)
        out[there] = self.values[self.starts[row[there]] + place[there]]
        return out


def side_by_side(parts: Sequence[Padded]) -> Padded:
    """Rows of topics, one table per system → topics × systems."""
    counts = np.stack([part.counts for part in parts], axis=1).astype(np.int32)
    starts = _before(counts).reshape(counts.shape)
    kind = np.result_type(*(part.values.dtype for part in parts))
    values = np.empty((counts.sum(dtype=np.int64), *parts[0].values.shape[1:]), dtype=kind)
    for i, part in enumerate(parts):
        values[spans(starts[:, i], part.counts)] = part.values
    return Padded(values, counts, parts[0].nothing, max(part.width for part in parts))


def one_after_another(parts: Sequence[Padded]) -> Padded:
    """Rows of some topics, then of others."""
    values, counts = (np.concatenate([getattr(part, name) for part in parts]) for name in ("values", "counts"))
    return Padded(values, counts, parts[0].nothing, parts[0].width)


@dataclass(frozen=True, eq=False)
class Lists(Ragged):
    """Ranked lists: how long each is, and the judged documents in it.

    It reads as ``[…, rank]`` → index of the judged document at that rank; `UNJUDGED`, or `BEYOND` behind the end.

    ``tied`` is None unless all orders of tied documents count.  By list it has the judged documents, also those that
    may move up from below `depth`: place and document as in `judged`, the place at which documents of the same score
    begin, and how many they are.
    """

    lengths: NDArray[np.int32]  #: topics × systems, or lists
    judged: Padded  #: by list its judged documents: the place in the list (0 is rank 1), and the document
    depth: int  #: of the longest list
    tied: Padded | None = None

    @classmethod
    def from_places(
        cls, lengths: NDArray[np.integer], row: NDArray[Any], place: NDArray[Any], document: NDArray[Any], depth: int
    ) -> Lists:
        """Lists of these `lengths`, given `row`, `place` and `document` of the judged documents, row by row."""
        pairs = np.stack([place, document], axis=1)
        pairs = pairs.astype(np.min_scalar_type(pairs.max(initial=1 << 8)))
        counts = np.bincount(row, minlength=lengths.size).reshape(lengths.shape).astype(np.int32)
        return cls(lengths.astype(np.int32), Padded(pairs, counts, 0, depth), depth)

    @classmethod
    def of(cls, array: Lists | NDArray[np.integer]) -> Lists:
        """The lists of an array … × ranks."""
        if isinstance(array, Lists):
            return array
        depth = array.shape[-1]
        cells = np.flatnonzero(array >= 0)
        row = cells // max(depth, 1)
        return cls.from_places((array != BEYOND).sum(axis=-1), row, cells - row * depth, array.ravel()[cells], depth)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (*self.lengths.shape, self.depth)

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self.lengths.nbytes + self.judged.nbytes

    @property
    def places(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """By judged document, list by list: the list, the place in it, the document."""
        place, document = self.judged.values.T.astype(np.intp)
        return self.judged.row, place, document

    def whole(self) -> NDArray[np.int32]:
        there = np.arange(self.depth) < self.lengths.reshape(-1, 1)
        out = np.where(there, np.int32(UNJUDGED), np.int32(BEYOND))
        row, place, document = self.places
        out[row, place] = document
        return out.reshape(self.shape)

    def subset(self, rows: Rows, columns: Rows | None = None, depth: int | None = None) -> Lists:
        lengths, judged = self.lengths[rows], self.judged.subset(rows, columns)
        lengths = lengths if columns is None else lengths[:, columns]
        tied = None if self.tied is None else self.tied.subset(rows, columns)
        lists = Lists(lengths, judged, self.depth, tied)
        if depth is None or depth >= self.depth:
            return lists
        at = np.flatnonzero(judged.values[:, 0] < depth)
        return Lists(np.minimum(lengths, depth), Padded(judged.values[at], judged.count(at), 0, depth), depth, tied)

    def renumber(self, number: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]], depth: int) -> Lists:
        """The lists with another `number` of (row, number) of each judged document; one below 0 is not judged."""

        def anew(part: Padded) -> Padded:
            moved = number(part.row, part.values[:, 1].astype(np.intp))
            at = np.flatnonzero(moved >= 0)
            values = part.values[at].astype(np.int32)
            values[:, 1] = moved[at]
            return Padded(values, part.count(at), part.nothing, part.width)

        return Lists(self.lengths, anew(self.judged), depth, None if self.tied is None else anew(self.tied))

    def condense(self, which: NDArray[np.bool_]) -> Lists:
        """Lists of those judged documents alone for which `which` is true, with their ties."""
        at = np.flatnonzero(which)
        counts = self.judged.count(at)
        place = spans(np.zeros_like(counts), counts)
        pairs = np.stack([place, self.judged.values[at, 1]], axis=1).astype(self.judged.values.dtype)
        tied = self.tied
        if tied is not None:
            begins = tied.values[tied.values[:, 0] < self.depth, 2][at]
            groups = tie_groups(np.repeat(np.arange(counts.size), counts.ravel()), begins)
            first, sizes = place[groups.first[groups.number]], groups.sizes[groups.number]
            tied = Padded(np.column_stack([pairs, first, sizes]), counts, BEYOND, self.depth)
        return Lists(counts, Padded(pairs, counts, 0, self.depth), self.depth, tied)

    def flat(self) -> Lists:
        """The same lists one after the other: lists × ranks."""
        judged = replace(self.judged, counts=self.judged.counts.ravel())
        tied = None if self.tied is None else replace(self.tied, counts=self.tied.counts.ravel())
        return Lists(self.lengths.ravel(), judged, self.depth, tied)

    @cached_property
    def _movable(self) -> tuple[NDArray[np.intp], ...]:
        """The documents of `tied` that may move; the number of each among the places of all ties; these places, and
        the tie of each."""
        assert self.tied is not None
        movable = np.flatnonzero(self.tied.values[:, 3] > 1)
        first, size = self.tied.values[movable, 2].astype(np.intp), self.tied.values[movable, 3].astype(np.intp)
        groups = tie_groups(self.tied.row[movable], first)
        sizes = size[groups.first]
        place = _before(sizes)[groups.number] + np.arange(len(movable)) - groups.first[groups.number]
        return movable, place, spans(first[groups.first], sizes), np.repeat(np.arange(len(sizes)), sizes)

    def in_order(self, draw: int) -> Lists:
        """The lists with tied documents in the order of a `draw`, which depends on their places alone."""
        assert self.tied is not None
        movable, nth, slots, whose = self._movable
        most = 1 << 31
        keys = (np.random.default_rng(draw).random(int(slots.max(initial=0)) + 1) * most).astype(np.int64)
        place, document = self.tied.values[:, 0].astype(np.intp), self.tied.values[:, 1]
        place[movable] = slots[np.argsort(whose * most + keys[slots], kind="stable")][nth]
        row = self.tied.row
        at = np.argsort(row * (place.max(initial=0) + 1) + place, kind="stable")
        at = at[place[at] < self.depth]
        return Lists.from_places(self.lengths, row[at], place[at], document[at], self.depth)


class TieGroups(NamedTuple):
    """Which documents tie: by document, the number of its group; by group, its first document and their count."""

    number: NDArray[np.intp]
    first: NDArray[np.intp]
    sizes: NDArray[np.intp]


def tie_groups(row: NDArray[np.integer], begins: NDArray[np.integer]) -> TieGroups:
    """The groups of documents, list by list, whose ties begin at these places.

    >>> tie_groups(np.array([0, 0, 0, 1]), np.array([0, 2, 2, 2])).first.tolist()
    [0, 1, 3]
    """
    starts = np.append(True, (row[1:] != row[:-1]) | (begins[1:] != begins[:-1]))[: len(row)]
    first = np.flatnonzero(starts)
    number = np.cumsum(starts) - 1
    return TieGroups(number, first, np.bincount(number, minlength=len(first)))
