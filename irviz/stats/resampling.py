"""Topics, or whole groups of them, drawn with replacement or exchanged: the one engine of resampling.

A trial is a row of weights over the topics, or over groups of topics (:mod:`irviz.stats.groups`).  Sums over topics are
exact (:class:`irviz.portable.Addends`), so the order of summation changes no count.  Equal numbers of topics and equal
seeds share the trials drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from irviz.portable import Addends
from irviz.stats.medians import Counts, smallest_type
from irviz.workers import batches

Floats = NDArray[np.float64]
FEWEST_TOPICS = 5  #: topics needed for an interval
_DRAWN_BYTES = 1 << 18  #: bytes of counts made at a time, to fit the processor's cache
_FLIPS = 2  #: the random stream of exchanges
_CELLS = 1 << 24  #: trials × topics that are held at a time
_CACHED_CELLS = 1 << 22  #: and that are kept for the next columns
_FINE = 1000  #: topics beyond which sums keep 53 − log₂ n bits: the tests call equal what differs by 1e-9


def generator(seed: int | tuple[int, ...], *stream: int) -> np.random.Generator:
    """The random numbers of a seed; each `stream` is independent of the others."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=stream)))


@lru_cache(maxsize=3)
def random_halves(topics: int, trials: int, seed: int) -> NDArray[np.bool_]:
    """trials × topics: ⌊t/2⌋ topics drawn without replacement in each row (Chen & Sakai 2023, Algorithm 1)."""
    draw, first = generator(seed), (np.arange(topics) < topics // 2).astype(np.intp)  # are shuffled fastest
    members = np.empty((trials, topics), dtype=bool)
    for batch in batches(trials, first.nbytes, 1 << 20):
        members[batch] = draw.permuted(np.tile(first, (len(members[batch]), 1)), axis=1)
    members.setflags(write=False)  # others are given the same
    return members


def resampling_weights(topics: int, trials: int, seed: int | tuple[int, ...]) -> Floats:
    """trials × topics: how often each topic was drawn; every row sums to `topics`."""
    return np.concatenate([np.empty((0, topics)), *_counts(topics, trials, seed)])


def _counts(topics: int, trials: int, seed: int | tuple[int, ...]) -> Iterator[NDArray[np.intp]]:
    """The same, in pieces of some trials."""
    draw = generator(seed)
    for batch in batches(trials, 8 * topics, _DRAWN_BYTES):
        many = batch.stop - batch.start
        cells = draw.integers(0, topics, size=(many, topics))
        cells += topics * np.arange(many)[:, None]
        yield np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape)


@dataclass(frozen=True, eq=False)
class Resamples:
    """The random part: a function of the number of topics (or groups) and the seed."""

    topics: int
    trials: int
    seed: int

    def topic_counts(self) -> Iterable[Counts]:
        """trials × topics, in pieces: how often each topic was drawn."""
        return self._all_or_some("drawn", self._draw_counts)

    def exchange_masks(self) -> Iterable[Counts]:
        """trials × topics, in pieces: 1 where the two systems are exchanged, else 0."""
        return self._all_or_some("exchanged", self._draw_exchanges)

    def _all_or_some(self, name: str, draw: Callable[[], Iterator[Counts]]) -> Iterable[Counts]:
        """All trials, kept, if they are few; else in pieces."""
        if self.trials * self.topics > _CACHED_CELLS:
            return draw()
        if name not in self._cache:
            self._cache[name] = list(draw())
        return self._cache[name]

    @cached_property
    def _cache(self) -> dict[str, list[Counts]]:
        return {}

    def _draw_counts(self) -> Iterator[Counts]:
        few = (
            counts.astype(smallest_type(int(counts.max()))) for counts in _counts(self.topics, self.trials, self.seed)
        )
        while held := list(islice(few, max(1, 8 * _CELLS // _DRAWN_BYTES))):
            yield np.concatenate(held)

    def _draw_exchanges(self) -> Iterator[Counts]:
        bits = generator(self.seed, _FLIPS).bit_generator
        step = 8 * max(1, _CELLS // (8 * self.topics))  # the first bits of each eight-byte number count
        for start in range(0, self.trials, step):
            shape = min(step, self.trials - start), self.topics
            random_bits: Counts = bits.random_raw(-(-shape[0] * shape[1] // 8)).astype("<u8").view(np.uint8)
            random_bits >>= 7
            yield random_bits[: shape[0] * shape[1]].reshape(shape)

    def statistics_by_trial(
        self, trials: Iterable[Counts], entries: Sequence[Floats | Callable[[Counts], Floats]], parts: int = 0
    ) -> list[Floats]:
        """trials × columns each: weighted sums, or functions of them; `parts` as of :class:`irviz.portable.Addends`."""
        columns = [entry for entry in entries if isinstance(entry, np.ndarray)]
        beside = np.concatenate([np.empty((self.topics, 0)), *columns], axis=1)
        work = Addends(beside, self.topics, parts=parts or (2 if self.topics <= _FINE else 1))
        ends = np.cumsum([column.shape[1] for column in columns], dtype=np.intp)
        batches = []
        for counts in trials:
            sums = iter(np.split(work.totals(counts), ends, axis=1))
            batches.append([entry(counts) if callable(entry) else next(sums) for entry in entries])
        return [np.concatenate(parts) for parts in zip(*batches, strict=True)]


@lru_cache(maxsize=8)
def draws(topics: int, trials: int, seed: int) -> Resamples:
    return Resamples(topics, trials, seed)
