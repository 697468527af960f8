"""Results remembered by what they depend on, shared by all sessions of the process, bounded by their bytes.

The key of a result is the function and the content of its arguments, so the key contains everything it
depends on, and only a session that has the data can get what was computed from them.  Two sessions that
request the same result at the same time compute it once, and existing results are returned without
waiting.  Everything kept is read-only.
"""

from __future__ import annotations

import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from inspect import signature
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.stats.results import ByMeasure
from irviz.stats.scores import Scores, labels_of, score
from irviz.workers import Progress
from irviz.workspace.job import present_job

Result = TypeVar("Result")
M = TypeVar("M", bound=ByMeasure)
MOST_BYTES = 2 << 30  #: of the scores of one request
UNSEEN = ("workers", "_draw", "_full")  #: named arguments that change no result


class Memo:
    """Values by key; the least recently used are thrown out past `most` bytes."""

    def __init__(self, most: int) -> None:
        self.most, self.bytes = most, 0
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self._worked_on: set[Hashable] = set()

    def value(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """The result kept under `key`; if there is none, one session computes it and others wait."""
        return self.values([key], lambda _: [compute()])[0]

    def values(self, keys: Sequence[Hashable], compute: Callable[[list[int]], Iterable[Result]]) -> list[Result]:
        """The results under `keys`: kept ones, those in progress, and the others, computed in one call by place."""
        results: dict[int, Result] = {}
        while True:
            results |= {i: entry[0] for i, key in enumerate(keys) if (entry := self.find(key)) is not None}
            missing = [i for i in range(len(keys)) if i not in results]
            if not missing:
                return [results[i] for i in range(len(keys))]
            with self.claim([keys[i] for i in missing]) as claimed:
                to_compute = [i for i in missing if keys[i] in claimed]
                for i, value in zip(to_compute, compute(to_compute) if to_compute else (), strict=True):
                    self.keep(keys[i], value)
                    results[i] = value
            if not to_compute:
                if (job := present_job()) is not None:
                    job(0, "Waiting for what another page is computing just now")
                time.sleep(0.05)

    def find(self, key: Hashable) -> tuple[Any] | None:
        """The value kept under `key`, in a tuple of one; None if nothing is kept."""
        with self._lock:
            if key not in self._results:
                return None
            self._results.move_to_end(key)
            return (self._results[key][0],)

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a value, and nobody may write into it any more."""
        seal(value)
        size = weight(value)
        with self._lock:
            self.bytes += size - self._results.pop(key, (None, 0))[1]
            self._results[key] = (value, size)
            while self.bytes > self.most and self._results:
                _, (_, gone) = self._results.popitem(last=False)
                self.bytes -= gone

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._results.clear()
            self.bytes = 0

    @contextmanager
    def claim(self, keys: Iterable[Hashable]) -> Iterator[list[Hashable]]:
        """Reserve those of `keys` that nobody computes yet for the caller, until the block ends."""
        with self._lock:
            claimed = [key for key in keys if key not in self._worked_on and key not in self._results]
            self._worked_on.update(claimed)
        try:
            yield claimed
        finally:
            with self._lock:
                self._worked_on.difference_update(claimed)


MEMO = Memo(512 << 20)  #: the one of this process


def compute_once(function: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
    """``function(*arguments, **named)``, computed once as long as it is kept.

    The function is pure; the arguments named in :data:`UNSEEN` change no result; the present job is its ``progress``.
    """
    unseen = {name: named.pop(name) for name in UNSEEN if name in named}
    key = (_name(function), content_key(arguments), content_key(named))
    return MEMO.value(key, lambda: _compute(function, arguments, named, unseen))


def remembered_by_measure(
    function: Callable[..., M], data: Scores | Collection, names: Sequence[str], *arguments: Any, **named: Any
) -> M:
    """``function`` of the scores of some measures, or of a collection and these, computed once per measure."""
    unseen = {name: named.pop(name) for name in UNSEEN if name in named}

    def inputs(some: Sequence[str]) -> tuple[Any, ...]:
        return (data.select(some),) if isinstance(data, Scores) else (data, some)

    def compute(missing: list[int]) -> list[M]:
        return _compute(function, (*inputs([names[i] for i in missing]), *arguments), named, unseen).parts()

    rest = (_name(function), content_key(arguments), content_key(named))
    first, *others = MEMO.values([(*rest, content_key(inputs([name]))) for name in names], compute)
    return first.joined(others) if others else first


def _compute(
    function: Callable[..., Result],
    arguments: Sequence[Any],
    named: Mapping[str, Any],
    unseen: dict[str, Any],
) -> Result:
    job = present_job()
    if job is not None and "progress" in signature(function).parameters:
        unseen = unseen | {"progress": job}
    return function(*arguments, **named, **unseen)


def _name(function: Callable[..., Any]) -> str:
    name = f"{function.__module__}.{function.__qualname__}"
    if "<" in name:
        raise TypeError(f"{name} has no name of its own to be remembered by")
    return name


# -- what a value is, to tell it from others -------------------------------------------------

_MARKS: WeakKeyDictionary[Scores, Hashable] = WeakKeyDictionary()  # of cubes, so that each is read once


def content_key(value: Any) -> Hashable:
    """Something hashable that is equal for equal contents and for nothing else.

    >>> content_key((1, [2.0, "a"])) == content_key((1, [2.0, "a"])), content_key((1,)) == content_key((1.0,))
    (True, False)
    """
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return (type(value).__name__, repr(value))
    if isinstance(value, Collection):
        return ("collection", value.identity)  # with its name and findings, which a result may repeat
    if isinstance(value, Scores):
        if value not in _MARKS:
            _MARKS[value] = ("scores", _digest(value.values), labels_of(value))
        return _MARKS[value]
    if isinstance(value, np.ndarray):
        return ("array", value.shape, value.dtype.str, _digest(value))
    if isinstance(value, pd.DataFrame):
        return (
            "frame",
            tuple(value.columns),
            tuple(value.index),
            *(content_key(value[name].to_numpy()) for name in value),
        )
    if isinstance(value, Mapping):
        return ("mapping", *((content_key(key), content_key(item)) for key, item in value.items()))
    if isinstance(value, Sequence):
        return (type(value).__name__, *(content_key(item) for item in value))
    if is_dataclass(value) and not isinstance(value, type):
        return (type(value).__qualname__, *(content_key(getattr(value, field.name)) for field in fields(value)))
    raise TypeError(f"A result cannot be remembered by a {type(value).__name__}")


def _digest(values: np.ndarray) -> bytes:
    data = repr(values.tolist()).encode() if values.dtype.hasobject else np.ascontiguousarray(values).tobytes()
    return blake2b(data, digest_size=16).digest()


# -- what a value weighs, and that it stays as it is -------------------------------------------


_PLAIN = (str, bytes, int, float, type(None))  #: most of what a result holds, and without parts: asked for first


def _parts(value: Any) -> list[Any]:
    if isinstance(value, _PLAIN):
        return []
    if isinstance(value, Scores):  # not its labels, of which there may be many
        return [value.values, value.exact]
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, tuple | list):
        return list(value)
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value)]
    return []


def weight(value: Any) -> int:
    """About how many bytes a value takes.

    >>> weight(np.zeros(100)) > 800, weight({"a": np.zeros(100)}) > 800
    (True, True)
    """
    if isinstance(value, np.ndarray):
        return int(value.nbytes) + 128 + (sum(map(sys.getsizeof, value.flat)) if value.dtype.hasobject else 0)
    if isinstance(value, pd.DataFrame | pd.Series):
        return int(np.sum(value.memory_usage(deep=True))) + 128
    if isinstance(value, Scores):  # its labels are those of the data
        return value.nbytes + 128
    parts = _parts(value)  # of many names, mostly
    return sys.getsizeof(value) + sum(sys.getsizeof(part) if type(part) is str else weight(part) for part in parts)


def seal(value: Any) -> None:
    """Make the arrays of a value read-only, however deep they lie."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    for part in _parts(value):
        if type(part) is not str:
            seal(part)


# -- Scores of a collection, each measure computed once for all who ask ----------------------------


def score_once(collection: Collection, measures: Sequence[str]) -> Scores:
    """As :func:`irviz.stats.scores.score`, but each measure is computed once for all who ask."""
    check_memory(collection, measures)
    names = [name for group in _groups(list(dict.fromkeys(measures))) for name in group]

    def compute(places: list[int]) -> Iterator[Scores]:
        missing, job, done = [names[i] for i in places], present_job(), 0
        for group in _groups(missing):
            progress = None if job is None else _part(job, done, len(group), len(missing))
            fresh = score(collection, group, progress=progress)
            yield from (fresh.select([name]) for name in group)
            done += len(group)

    by_measure = dict(
        zip(names, MEMO.values([("scores", collection.fingerprint, name) for name in names], compute), strict=True)
    )
    return stack([by_measure[name] for name in measures])


def _groups(names: list[str]) -> list[list[str]]:
    """Groups of measures that share work and are computed together; each total order, which takes long, is alone."""
    alone = [name for name in names if measure(name).exact_bits(2, 1)]
    together = [name for name in names if name not in alone]
    return [*([together] if together else []), *([name] for name in alone)]


def _part(progress: Progress, measures_done: int, now: int, all_: int) -> Progress:
    return lambda share, text: progress((measures_done + share * now) / all_, text)


def check_memory(collection: Collection, measures: Sequence[str]) -> None:
    """Refuse scores that would take more memory than one request may."""
    counts = 16 * len(collection.systems) * max(map(len, collection.grades))  # of levels found, topic by topic
    needed = sum(bytes_of(collection, name) for name in measures) + counts
    if needed > MOST_BYTES:
        largest = max(measures, key=lambda name: bytes_of(collection, name))
        raise IrvizError(
            f"The scores of these measures take about {needed >> 20:,} MB, and one request may take "
            f"{MOST_BYTES >> 20:,} MB. Choose fewer measures, or smaller cutoffs; `{largest}` takes most."
        )


def bytes_of(collection: Collection, name: str) -> int:
    """About how many bytes the scores of one measure take: a total order's are whole numbers of many digits."""
    cells, parsed = len(collection.topics) * len(collection.systems), measure(name)
    bits = parsed.exact_bits(max(map(len, collection.grades)), collection.depth)
    return cells * (48 + bits // 7) if bits else 8 * cells


def stack(parts: Sequence[Scores]) -> Scores:
    """Cubes over the same topics and systems as one, measure after measure."""
    if len(parts) == 1:
        return parts[0]
    exact = {name: values for part in parts for name, values in part.exact.items()}
    names = tuple(name for part in parts for name in part.measures)
    return Scores(np.concatenate([part.values for part in parts]), names, parts[0].topics, parts[0].systems, exact)
