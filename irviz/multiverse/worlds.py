"""Worlds: every reasonable way to look at the same runs, as a table of choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.display import Displayable
from irviz.errors import IrvizError, counted, is_number
from irviz.multiverse.dimensions import DIMENSIONS, options
from irviz.multiverse.exclusions import sensible
from irviz.stats.scores import Scores
from irviz.workers import Progress

MOST_WORLDS = 5000  #: worlds that are looked at; of larger products this many are drawn
_LARGEST_PRODUCT = 2_000_000  #: worlds of a product that is looked through
_DRAWN, _HALF = 0, 1  #: numbers of the streams that the caller's seed is split into


@dataclass(frozen=True, eq=False)
class Worlds(Displayable):
    """Choices on every dimension, one row per world.

    Attributes
    ----------
    options : mapping of dimension to tuple
        What can be chosen; the first of each is the usual one.
    codes : int16, worlds × dimensions
        The option of each world.
    product : int
        Number of combinations.
    left_out : mapping of str to int
        Combinations left out because they make no sense, or repeat others, by reason.
    seed : int
        Of the draw, if there are more than `most` worlds, and of the random half of the topics.
    collections : mapping of tie rule to Collection
        The same runs under other tie rules, if these were given.
    numbers : by world, from 1
        What links call it.  Combinations of a test with an average that it does not test have
        numbers too, so that the others keep theirs.
    """

    options: Mapping[str, tuple[Any, ...]]
    codes: NDArray[np.int16]
    product: int
    left_out: Mapping[str, int]
    seed: int
    collections: Mapping[str, Collection] = field(default_factory=dict)
    numbers: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def __post_init__(self) -> None:
        if len(self.numbers) != len(self.codes):
            object.__setattr__(self, "numbers", np.arange(1, len(self.codes) + 1))
        self.codes.setflags(write=False)

    def __len__(self) -> int:
        return len(self.codes)

    def _said(self) -> str:
        return f"{len(self):,} of {counted(self.product, 'combination')}, seed {self.seed}"

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The worlds as dicts of choices."""
        for row in self.codes.tolist():
            yield {name: self.options[name][code] for name, code in zip(DIMENSIONS, row, strict=True)}

    @property
    def sensible(self) -> int:
        """Combinations that are not left out."""
        return self.product - sum(self.left_out.values())

    @property
    def drawn(self) -> bool:
        """True if these are a random sample of the sensible combinations."""
        return len(self) < self.sensible

    @cached_property
    def varying(self) -> tuple[str, ...]:
        """The dimensions on which these worlds differ."""
        return tuple(name for i, name in enumerate(DIMENSIONS) if np.ptp(self.codes[:, i]) > 0)

    @property
    def sentence(self) -> str:
        """The number of combinations of choices, and of those left out."""
        many = counted(len(self), "combination") + " of choices"
        if self.drawn:
            many += f", drawn at random from {self.sensible:,} (seed {self.seed})"
        out = sum(self.left_out.values())
        return many + (f"; {out:,} of {self.product:,} left out." if out else ".")

    def code(self, dimension: str) -> NDArray[np.int16]:
        """Which option of one dimension each world takes."""
        return self.codes[:, list(DIMENSIONS).index(dimension)]

    def frame(self) -> pd.DataFrame:
        """One row per world, one column per dimension."""
        columns = {}
        for name in DIMENSIONS:
            dtype = np.int64 if name == "depth" and isinstance(self.options[name][0], int) else object
            columns[name] = np.array(self.options[name], dtype=dtype)[self.code(name)]
        return pd.DataFrame(columns)

    def keep(self, rows: NDArray[Any], left_out: Mapping[str, int]) -> Worlds:
        """These `rows` only; `left_out` is added to what was left out before."""
        together = dict(self.left_out)
        for reason, count in left_out.items():
            together[reason] = together.get(reason, 0) + count
        how = (self.options, self.codes[rows], self.product, together, self.seed, self.collections)
        return Worlds(*how, self.numbers[rows])

    def random_half(self, topics: Sequence[str]) -> NDArray[np.bool_]:
        """Which of `topics` belong to the random half: ⌊t/2⌋ of them, the same for all worlds."""
        return _generator(self.seed, _HALF).permutation(len(topics)) < len(topics) // 2


def _generator(seed: int, stream: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(stream,))))


def worlds(
    c: Collection | Scores,
    *,
    measure: Any = None,
    average: Any = None,
    test: Any = None,
    ties: Any = None,
    unjudged: Any = None,
    missing: Any = None,
    judge: Any = None,
    topics: Any = None,
    depth: Any = None,
    family: Any = None,
    steps: Any = None,
    most: int = MOST_WORLDS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Worlds:
    """The worlds in which a conclusion about a collection can be checked (Steegen et al. 2016).

    Parameters
    ----------
    c : Collection or Scores
        Score matrices have worlds too; `ties`, `unjudged`, `missing`, `judge`, `depth` and `steps`
        are then fixed by the scores.
    measure : list of expressions, optional
        Parameters included: ``["RBP(p=0.8)", "RBP(p=0.95)"]``.  Default: the measures most
        papers report, if the grades and judgments allow them.
    average : list of {"mean", "median", "geometric", "harmonic", "geometric_threshold", "standardised"}, optional
        As in :func:`irviz.summarise`, with its ε (``"harmonic(eps=0)"`` for another), or the
        mean of :func:`irviz.standardise`.  Default: all but trec_eval's threshold.
    test : list of {"t", "wilcoxon", "sign", "bootstrap", "randomisation"}, optional
        Default: all.  See :func:`irviz.conclusion`.
    ties : list of tie rules, or mapping of tie rule to Collection, optional
        For rules other than the collection's own, its files are read again if they are on
        disk; otherwise give the collections.  Default: the collection's own rule, and the
        opposite order of tied documents if lint found that it changes scores and at most
        2,000,000 lines have to be read.
    unjudged : list of {"not_relevant", "condensed"}, optional
        Condensed: unjudged documents, and those judged below zero, are taken out of the lists.
        Default: both, if there are any.
    missing : list of {"zero", "left_out"}, optional
        A topic that one of two compared runs lacks scores 0, or is left out for both.
        Default: both, if a run lacks a topic.
    judge : list of judges or aspects, optional
        Default: all.
    topics : list of {"all", "random_half", "without_hardest_tenth"}, optional
        The random half is drawn once, with `seed`; hardness is
        :func:`irviz.hardness` (surprise) under the world's own scores.  Default: all three,
        from ten topics on.
    depth : list of int, optional
        Ranks of the lists that are used.  Default: all.
    family : list of {"pair", "holm", "all_systems"}, optional
        What p-values are corrected for: nothing; the number of measures (Holm 1979); all
        pairs of loaded systems (randomised Tukey HSD, which shuffles the scores of all of
        them and therefore takes longest).  Default: the first two.
    steps : list of {"as_it_is", "equal"}, optional
        The values of the measures as they are, or equal steps apart, for those that
        :class:`~irviz.measures.interval.Interval` can map.  Default: as they are.
    most : int, default 5,000
        If there are more worlds, this many are drawn with `seed`: the first one, and others with
        equal probability.
    progress : callable, optional
        Called with the share done and a sentence while files are read again.

    Returns
    -------
    Worlds
        In the order of the product, the last dimension fastest.

    Notes
    -----
    If the defaults would make more than `most` worlds, those of `family`, `topics`,
    `missing`, `unjudged` and `judge`, in this order, are reduced to their first option, so
    that worlds are drawn at random only if the given options make too many.

    Combinations that make no sense or repeat others are left out, and counted by reason in
    ``left_out``: bpref on condensed lists; a depth beyond the measure's cutoff; a tie rule that
    orders these runs as an earlier one does; an aspect for a measure of all aspects; equal steps for
    a measure without a cutoff, or with equal steps already; a randomised Tukey HSD of medians.
    """
    given = {
        "measure": measure,
        "average": average,
        "test": test,
        "ties": ties,
        "unjudged": unjudged,
        "missing": missing,
        "judge": judge,
        "topics": topics,
        "depth": depth,
        "family": family,
        "steps": steps,
    }
    if not isinstance(c, (Collection, Scores)):
        raise IrvizError(f"A collection or scores are needed; got {type(c).__name__}.")
    for name, value in (("most", most), ("seed", seed)):
        if not is_number(value) or isinstance(value, bool) or value != int(value) or value < (name == "most"):
            raise IrvizError(f"`{name}` must be a whole number of at least {int(name == 'most')}; got {value!r}.")
    chosen = options(c, given, int(most))
    collections = _collections(c, chosen["ties"], ties, progress) if isinstance(c, Collection) else {}
    return _table(c, chosen, collections, int(most), int(seed))


def _collections(c: Collection, rules: Sequence[str], given: Any, progress: Progress | None) -> dict[str, Collection]:
    """The same runs under each tie rule but the collection's own."""
    known = given if isinstance(given, Mapping) else {}
    found = {}
    for rule in rules:
        if rule in known and known[rule] is not c:
            found[rule] = known[rule].subset(c.topics, c.systems, min(c.depth, known[rule].depth))
        elif rule != c.ties:
            found[rule] = c.under(rule, progress)
    return found


def _table(
    c: Collection | Scores,
    chosen: Mapping[str, tuple[Any, ...]],
    collections: Mapping[str, Collection],
    most: int,
    seed: int,
) -> Worlds:
    shape = [len(chosen[name]) for name in DIMENSIONS]
    product = int(np.prod(np.array(shape, dtype=object)))
    if product > _LARGEST_PRODUCT:
        raise IrvizError(
            f"These choices make {product:,} combinations; at most {_LARGEST_PRODUCT:,} are examined. "
            "Choose fewer options on some dimension."
        )
    codes = np.indices(shape, dtype=np.int16).reshape(len(shape), -1).T
    keep, left_out, numbers = sensible(c, chosen, codes, collections)
    rows = np.flatnonzero(keep)
    if not len(rows):
        reasons = "; ".join(f"{reason} ({count:,})" for reason, count in left_out.items())
        raise IrvizError(f"None of {product:,} combinations of choices is left: {reasons}. Choose other options.")
    if len(rows) > most:
        rows = np.append(rows[0], np.sort(_generator(seed, _DRAWN).permutation(rows[1:])[: most - 1]))
        numbers[rows] = np.arange(1, most + 1)
    codes = np.ascontiguousarray(codes[rows])
    return Worlds(chosen, codes, product, left_out, seed, collections, numbers[rows])
