"""Equal steps: the place of a score among the values that a measure can take.

A measure of lists of N documents takes finitely many values.  Every list is enumerated as a number in base (grades)
with its first rank as the leading digit, and a table has the place of each.  Values made of fractions are compared as
integers; see :func:`distinct_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from operator import truediv
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.errors import IrvizError, number_of
from irviz.measures.arithmetic import Array
from irviz.measures.average_precision import AP, RR
from irviz.measures.cascade import ERR
from irviz.measures.judged_lists import ExactTopic, JudgedLists, ListedDocuments, RankedLists
from irviz.measures.language.base import DerivedMeasure, Measure, Scale
from irviz.measures.language.parameters import OneOf, Subexpression, parameter

MOST_LISTS = 1 << 20  #: lists that are enumerated
SAME = 1e-12  #: share of the largest value up to which two doubles are one value
DEEPEST_BITS, DEEPEST_COUNTS = 10_000, 200  #: most ranks of lists as binary numbers: all lists, topics' lists
_LIMB, _LARGEST = 58, 116  # bits of the lower of two integers that make one; and of both
_PIECE = 1 << 13  # lists that a measure scores at a time

LISTS = {"any": "all lists", "topic": "the lists that the topic's judged documents allow"}


@dataclass(frozen=True, kw_only=True)
class Interval(DerivedMeasure):
    """Equal steps: the place of the score among all values that the measure takes over lists of its length.

    Neighbouring values of the base measure are one step apart here, and the order of lists on a topic stays: the
    score is the number of smaller values over the number of values less one. A normaliser such as the recall base
    is the topic's own and changes no place. A list that ends early counts as filled with grade 0. A topic without
    a relevant document scores 0.

    Up to 2^20 lists are enumerated: 20 ranks of two grades, 10 of four. P, R, F, RR, Success and RBP(p=0.5) on
    two grades need no enumeration.
    """

    symbol: ClassVar[str] = "Interval"
    title: ClassVar[str] = "Equal steps between the values of a measure"
    group: ClassVar[str] = "Interval scales"
    formula: ClassVar[str] = (
        r"\mathrm{Interval}(\mu)(\hat r) = \frac{|\{v \in V : v < \mu(\hat r)\}|}{|V| - 1},"
        r"\quad V = \{\mu(s) : s \in \{0, \dots, c\}^N\}"
    )
    source: ClassVar[str] = "Ferrante, Ferro and Fuhr 2021"
    base: Measure = parameter(
        RR(cutoff=10), Subexpression("measure"), "The measure that gets equal steps, with its cutoff.",
        positional=True,
    )  # fmt: skip
    attainable: str = parameter(
        "any",
        OneOf(tuple(LISTS)),
        "Lists whose values count: 'any', or 'topic': lists that use no grade above zero more often than the topic "
        "has judged documents of it.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        base = self.base
        if base.several_aspects or isinstance(base, Interval):
            within = getattr(base, "base", None)
            inner = f" Take Interval({within})." if within is not None and within.cutoff else ""
            raise IrvizError(f"The base of Interval must be a measure of one aspect with a cutoff; got {base}.{inner}")
        if base.cutoff is None:
            hint = f"{base} takes none" if base.cut == "none" else f"write Interval({base}@10)"
            raise IrvizError(f"The base of Interval needs a cutoff, the length of lists; {hint}.")
        if base.own_to_pools:
            raise IrvizError(
                f"The values of {base.symbol} depend on how many documents of each grade a topic has, by more than a "
                f"factor, so they have no places of their own. Take AP or GAP."
            )
        if self.base.judged_only:
            object.__setattr__(self, "judged_only", True)
            object.__setattr__(self, "base", replace(self.base, judged_only=False))
        if self.base.aspect is not None:
            if self.aspect not in (None, self.base.aspect):
                raise IrvizError(
                    f"Interval looks at the aspect {self.aspect!r}, its base {self.base} at another. Name one of them."
                )
            object.__setattr__(self, "aspect", self.base.aspect)
            object.__setattr__(self, "base", replace(self.base, aspect=None))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        scale = self.base.scale(grades, depth)
        if scale.kind == "neither":
            reason = f"Its values are equal steps apart, but it orders lists as {self.base} does. {scale.reason}"
            return replace(scale, reason=reason)
        reason = f"Its base, {self.base}, keeps the order, and its steps are equal."
        return replace(scale, kind="interval", reason=reason)

    def evaluate(self, lists: JudgedLists) -> Array:
        if not lists.runs:
            self.base.evaluate(lists)  # refuses what does not fit
        place, last = self.places(lists)
        if place.dtype == object:  # integers beyond 63 bits; their quotient is rounded once
            divide = Fraction if lists.exact else truediv
            pairs = zip(place.tolist(), last.tolist(), strict=True)
            return np.array([divide(a, b) if b else lists.number(0) for a, b in pairs], dtype=lists.dtype)
        return lists.share(lists.whole_numbers(place), last)

    def places(self, judged_lists: JudgedLists) -> tuple[Array, Array]:
        """By list, its place among the values, from 0; and the place of the largest value."""
        lists = _lists_of(self.base, tuple(judged_lists.grades))
        top = judged_lists.head(self.base.cutoff)
        documents, classes = top.documents(), lists.classes[top.level(top.documents())]
        caps = _caps(lists, judged_lists) if self.attainable == "topic" else None
        if lists.closed_form:
            most = np.full(judged_lists.runs, lists.ranks) if caps is None else caps.sum(axis=1)
            return _CLOSED[lists.closed_form](documents.select(classes > 0), lists.ranks, most)
        return _places_in_table(lists, distinct_values(self.base, tuple(judged_lists.grades)), documents, classes, caps)

    def counts(self, judged_lists: JudgedLists) -> Array:
        """By list, the number of values; Python integers if it is large."""
        return np.asarray(self.places(judged_lists)[1] + 1)


def equal_steps_of(one: Measure, attainable: str = "any") -> Interval:
    """The measure with equal steps; unchanged if it has them by name."""
    return one if isinstance(one, Interval) else Interval(base=one, attainable=attainable)


# -- Which lists there are -------------------------------------------------------------------------


class Lists(NamedTuple):
    """All lists that a measure can tell apart on these grades."""

    ranks: int  #: the measure's cutoff
    classes: NDArray[np.intp]  #: by grade level, the class of levels that are worth the same; 0 is worth nothing
    levels: NDArray[np.intp]  #: by class, a level of it
    closed_form: str  #: how the values are numbered without enumeration; "" if they are not


@lru_cache(maxsize=128)
def _lists_of(base: Measure, grades: tuple[float, ...]) -> Lists:
    """The lists of a measure; refused if they are too many."""
    ranks, worth = base.cutoff or 1, _worth(base, JudgedLists.of_grades(grades))
    _, levels, classes = np.unique(worth, return_index=True, return_inverse=True)
    many = len(levels)
    closed = base.closed_form if many == 2 or (many < 2 and base.closed_form != "binary") else ""  # none for more
    deepest = next(n for n in range(MOST_LISTS.bit_length(), -1, -1) if max(many, 2) ** n <= MOST_LISTS)
    deepest = {"count": ranks, "first": ranks, "any": ranks, "binary": DEEPEST_BITS}.get(
        closed, deepest if many > 1 else ranks
    )
    if ranks > deepest:
        raise IrvizError(
            f"Interval({base}) needs the values of all lists of {number_of(ranks, 'document')} with "
            f"{number_of(many, 'grade')}; at most {MOST_LISTS:,} lists are enumerated. "
            + (f"Take a cutoff of at most {deepest}." if deepest else "These are too many grades for any cutoff.")
        )
    return Lists(ranks, classes.ravel(), levels, closed)


def _worth(base: Measure, judged_lists: JudgedLists) -> Array:
    """By grade level, a non-decreasing number that is equal for levels treated alike by the measure."""
    table = getattr(base, "table", None)
    return np.arange(len(judged_lists.grades)) if table is None else np.array(table(judged_lists))


def _caps(lists: Lists, judged_lists: JudgedLists) -> Array:
    """By list, the documents of each class above 0 in its topic, at most as many as there are ranks."""
    pool = judged_lists.pool()
    caps = [pool[:, lists.classes == c].sum(axis=1) for c in range(1, len(lists.levels))]
    return np.minimum(np.stack(caps, axis=1) if caps else pool[:, :0], lists.ranks)


# -- Places without enumeration: of lists with `most` relevant documents each ----------------------


def _by_first(hits: ListedDocuments, ranks: int, most: Array) -> tuple[Array, Array]:
    """The first relevant document at rank N, N − 1, …, 1; before them, none."""
    place = np.zeros(len(hits.counts), dtype=np.int64)
    first = hits.select(hits.number == 1)
    place[first.run] = ranks - first.place
    return place, np.where(most > 0, ranks, 0)


def _by_bits(hits: ListedDocuments, ranks: int, most: Array) -> tuple[Array, Array]:
    """The list as a binary number, among those with at most as many ones as the topic has documents."""
    values, unlimited = np.zeros(len(hits.counts), dtype=object), most >= ranks
    if ranks > DEEPEST_COUNTS and not unlimited.all():
        raise IrvizError(
            f"With attainable='topic', the lists of RBP(p=0.5) are numbered to rank {DEEPEST_COUNTS}; got @{ranks}. "
            f"Take a cutoff of at most {DEEPEST_COUNTS}, or attainable='any'."
        )
    for run, place, number in zip(hits.run.tolist(), hits.place.tolist(), hits.number.tolist(), strict=True):
        below = ranks - 1 - place  # ranks that follow; lists with a 0 here and anything allowed there come before
        values[run] += 1 << below if unlimited[run] else _ways(below, int(most[run]) - number + 1)
    last = [_ways(ranks, k) - 1 if k < ranks else (1 << ranks) - 1 for k in most.tolist()]
    return values, np.array(last, dtype=object)


@lru_cache(maxsize=1 << 15)
def _ways(ranks: int, most: int) -> int:
    """The number of lists of this many ranks with at most `most` relevant documents."""
    return sum(comb(ranks, k) for k in range(min(ranks, most) + 1))


_CLOSED: dict[str, Callable[[ListedDocuments, int, Array], tuple[Array, Array]]] = {
    "first": _by_first,
    "any": lambda hits, ranks, most: (np.minimum(hits.counts, 1), np.minimum(most, 1)),
    "count": lambda hits, ranks, most: (hits.counts, most),
    "binary": _by_bits,
}

# -- Places by enumeration -------------------------------------------------------------------------


class DistinctValues(NamedTuple):
    """The distinct values of a measure."""

    #: by list, the place of its value; lists are numbers whose leading digit is the class at rank 1
    place: NDArray[np.int32]
    values: NDArray[np.float64]  #: the values in order, on a topic with N judged documents of every grade
    step_ratio: float  #: the largest step between neighbouring values over the smallest; NaN for a single value


#: by list, numbers in the order of the scores (integers in one or two limbs, the higher first, or doubles); and a
#: function that turns them into scores
Keys = tuple[tuple[Array, ...], float]


@lru_cache(maxsize=12)
def distinct_values(base: Measure, grades: tuple[float, ...]) -> DistinctValues:
    """The place of every list among the values of a measure with a cutoff.

    Notes
    -----
    AP times lcm(1, …, N), ERR, and sums of gain × weight are compared as integers if they have up to 116 bits.
    Otherwise, as for irrational discounts, doubles that differ by at most 1e-12 of the largest are one value.
    """
    lists = _lists_of(base, grades)
    if len(lists.levels) == 1:  # all lists are alike, however deep
        return DistinctValues(np.zeros(1, dtype=np.int32), np.zeros(1), float("nan"))
    keys, unit = _keys(base, grades, lists)
    order = np.lexsort(keys[::-1])
    ordered = [limb[order] for limb in keys]
    apart = SAME * float(np.abs(ordered[0]).max()) if ordered[0].dtype.kind == "f" else 0
    rises = np.concatenate([[False], np.any([np.abs(np.diff(limb)) > apart for limb in ordered], axis=0)])
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.cumsum(rises)
    rises[0] = True
    limbs = [limb[rises] for limb in ordered]
    value = sum(limb.astype(np.float64) * 2.0 ** (_LIMB * i) for i, limb in enumerate(limbs[::-1]))
    values = np.asarray(value * unit)
    for array in (place, values):
        array.setflags(write=False)
    return DistinctValues(place, values, _step_ratio(limbs))


def _step_ratio(limbs: list[Array]) -> float:
    """The largest step over the smallest, from integers if there are any."""
    steps = [np.diff(limb) for limb in limbs]
    if not len(steps[0]):
        return float("nan")
    if len(steps) == 1:
        return float(steps[0].max()) / float(steps[0].min())
    high, low = steps
    near = np.abs(high) < 16  # both limbs together fit 63 bits
    both = np.where(near, (np.where(near, high, 0) << _LIMB) + low, 0).astype(np.float64)
    both = np.where(near, both, high * 2.0**_LIMB + low)
    return float(both.max()) / float(both.min())


def _keys(base: Measure, grades: tuple[float, ...], lists: Lists) -> Keys:
    if base.additive:
        return _sums(base, grades, lists)
    if isinstance(base, AP):
        return _average_precisions(base, lists)
    cascades = _cascades(base, grades, lists) if isinstance(base, ERR) else None
    return cascades or _scores(base, grades, lists)


def _sums(base: Measure, grades: tuple[float, ...], lists: Lists) -> Keys:
    """The sum of the scores of a list's documents, each scored alone, in fractions."""
    ranks, many = lists.ranks, len(lists.levels)
    alone = np.zeros((ranks, many, ranks), dtype=np.int64)
    for i in range(ranks):
        alone[i, :, i] = lists.levels
    adds = base.score(ExactTopic(alone.reshape(-1, ranks), grades)).reshape(ranks, many)
    common = lcm(*(number.denominator for number in adds.ravel()))
    integers = [[int(number * common) for number in row] for row in adds]
    bits = sum(map(max, integers)).bit_length()
    if bits < 63:
        return (_outer_sum(np.array(integers, dtype=np.int64)),), 1 / common
    if bits > _LARGEST:
        return (_outer_sum(adds.astype(np.float64)),), 1.0
    low = _outer_sum(np.array([[x & ((1 << _LIMB) - 1) for x in row] for row in integers], dtype=np.int64))
    high = _outer_sum(np.array([[x >> _LIMB for x in row] for row in integers], dtype=np.int64))
    return (high + (low >> _LIMB), low & ((1 << _LIMB) - 1)), 1 / common


def _outer_sum(adds: Array) -> Array:
    """By list, the sum of what its classes add, given ranks × classes."""
    sums = np.zeros(1, dtype=adds.dtype)
    for row in adds:
        sums = (sums[:, None] + row).ravel()
    return sums


def _average_precisions(base: AP, lists: Lists) -> Keys:
    """Σ r_i (1 + Σ_{m<i} r_m) lcm/i."""
    ranks, common = lists.ranks, lcm(*range(1, lists.ranks + 1))
    value, hits = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    classes = np.arange(len(lists.levels))
    for i in range(1, ranks + 1):
        hits_here = hits[:, None] + classes
        value = (value[:, None] + classes * hits_here * (common // i)).ravel()
        hits = hits_here.ravel()
    base_size = ranks * max(int((lists.classes > 0).sum()), 1)
    return (value,), 1 / (common * base_size)


def _cascades(base: ERR, grades: tuple[float, ...], lists: Lists) -> Keys | None:
    """Σ x_i/i Π_{j<i} (1 − x_j) over a common denominator; None if it is too large."""
    table = base.table(JudgedLists.of_grades(grades))
    stops = [Fraction(table[level]) for level in lists.levels]
    part, ranks = lcm(*(stop.denominator for stop in stops)), lists.ranks
    common = lcm(*range(1, ranks + 1))
    if (common * part**ranks).bit_length() > 62:
        return None
    stop = np.array([int(probability * part) for probability in stops], dtype=np.int64)
    value, reads = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    for i in range(1, ranks + 1):
        value = (value[:, None] + reads[:, None] * stop * (common // i * part ** (ranks - i))).ravel()
        reads = (reads[:, None] * (part - stop)).ravel()
    return (value,), 1 / (common * part**ranks)


def _scores(base: Measure, grades: tuple[float, ...], lists: Lists) -> Keys:
    """The scores of all lists, in doubles."""
    many, ranks = len(lists.levels), lists.ranks
    powers = many ** np.arange(ranks - 1, -1, -1)
    scores = [
        base.score(ExactTopic(lists.levels[numbers[:, None] // powers % many], grades, exact=False))
        for numbers in np.array_split(np.arange(many**ranks), -(-(many**ranks) // _PIECE))
    ]
    return (np.concatenate(scores).astype(np.float64),), 1.0


def _places_in_table(
    lists: Lists, table: DistinctValues, documents: ListedDocuments, classes: Array, caps: Array | None
) -> tuple[Array, Array]:
    many = len(lists.levels)
    digit = classes * (many ** (lists.ranks - 1 - documents.place))
    number = np.bincount(documents.run, weights=digit, minlength=len(documents.counts)).astype(np.intp)  # below 2^20
    place = table.place[number].astype(np.int64)
    if caps is None:
        return place, np.full(len(place), len(table.values) - 1)
    last = np.zeros(len(place), dtype=np.int64)
    different, which = np.unique(caps, axis=0, return_inverse=True)
    for k, row in enumerate(different):
        here = np.flatnonzero(which.ravel() == k)
        allowed = _allowed_lists(lists, row)
        reached = np.zeros(len(table.values), dtype=np.bool_)
        reached[table.place if allowed is None else table.place[allowed]] = True
        place_among = np.cumsum(reached) - 1  # by value, within these lists
        place[here], last[here] = place_among[place[here]], place_among[-1]
    return place, last


def _allowed_lists(lists: Lists, caps: Sequence[int] | Array) -> Array | None:
    """By list, whether it holds no class more often than `caps`; None if every list is allowed."""
    allowed = None
    for c, most in enumerate(caps, start=1):
        if most >= lists.ranks:
            continue
        adds = np.tile(np.arange(len(lists.levels)) == c, (lists.ranks, 1)).astype(np.int16)
        here = _outer_sum(adds) <= most
        allowed = here if allowed is None else allowed & here
    return allowed


# -- The values themselves -------------------------------------------------------------------------


def values_of(base: Measure, grades: tuple[float, ...]) -> NDArray[np.float64]:
    """The distinct values of a measure with a cutoff, in order, on a topic with N judged documents of every grade."""
    lists = _lists_of(base, grades)
    if lists.closed_form in ("first", "any", "count"):
        if not lists.classes.any():
            return np.zeros(1)
        if lists.closed_form != "count":
            scores = base.evaluate(_single_hits(lists, grades, exact=False))
            return scores[[0, -1]] if lists.closed_form == "any" else scores
        levels = lists.levels[-1] * np.tri(lists.ranks + 1, lists.ranks, -1, dtype=np.int64)
        return base.score(ExactTopic(levels, grades, exact=False)).astype(np.float64)
    if 2**lists.ranks > MOST_LISTS and lists.closed_form:
        raise IrvizError(
            f"{base} takes 2^{lists.ranks} values; at most {MOST_LISTS:,} are listed. Take a cutoff of at most 20."
        )
    return distinct_values(base, grades).values


def _single_hits(lists: Lists, grades: tuple[float, ...], exact: bool) -> JudgedLists:
    """A list without a relevant document, and those with a single one at rank N, N − 1, …, 1."""
    shape, level = (lists.ranks + 1, lists.ranks), int(lists.levels[-1])
    labels = np.repeat(np.arange(len(grades), dtype=np.int16), lists.ranks)[None]
    ranked, place = RankedLists(np.broadcast_to(ABSENT, shape), labels.shape), np.arange(lists.ranks)[::-1]
    hits = ListedDocuments(shape, np.arange(1, len(place) + 1), place, level * lists.ranks + place)
    ranked.hits_by_labels[(labels > 0).tobytes()] = hits  # saves a search in N² ranks
    return JudgedLists(ranked, labels, grades, exact=exact)


@lru_cache(maxsize=128)
def step_ratio(base: Measure, grades: tuple[float, ...]) -> float:
    """The largest step between neighbouring values over the smallest; NaN for a single value."""
    lists = _lists_of(base, grades)
    if not lists.closed_form:
        return distinct_values(base, grades).step_ratio
    if not lists.classes.any():
        return float("nan")
    steps = np.diff(base.evaluate(_single_hits(lists, grades, exact=True))) if lists.closed_form == "first" else [1]
    return float(max(steps) / min(steps))


def with_one_normaliser(scores: NDArray[np.float64], base: Measure, grades: tuple[float, ...]) -> NDArray[np.float64]:
    """Scores under `Interval` of a measure (all lists) as scores of the measure if every topic had one normaliser."""
    lists = _lists_of(base, grades)
    if lists.closed_form == "binary":
        return scores  # RBP(p=0.5) has equal steps and no normaliser
    values = values_of(base, grades)
    return values[np.rint(scores * (len(values) - 1)).astype(np.intp)]
