"""Expressions such as ``RBP(p=0.8)@10``, and measures: expressions that score lists.

Measures, browsing models and aggregations are expressions: values with a symbol, parameters and a cutoff.  A subclass
with a ``symbol`` registers itself in its family; each symbol is unique.  The text of an expression is its label and
cache key, and the grammar parses it back.

A new measure is one dataclass with a ``symbol``, its parameters and ``evaluate``, in a module listed in
:mod:`irviz.measures.catalogue`.  Averaging over topics is not part of a measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.judged_lists import JudgedLists, Topics
from irviz.measures.language.parameters import (
    MOST_GAIN,
    Integer,
    Name,
    Numbers,
    Parameter,
    Real,
    Truth,
    declarations,
    expression_text,
    parameter,
    value_text,
)

SLOT = "{}"  #: where a template has the value
CUTOFF = "cutoff"  #: the path of the number after ``@``
BLOCK_CELLS = 1 << 17  #: lists × ranks that are computed together
Kind = TypeVar("Kind", bound="Expression")
REGISTRY: dict[str, dict[str, type[Expression]]] = {}  # family → symbol → class
#: the worth of grades: a word, one number per grade level, or numbers by grade
GAINS = Numbers(words=("linear", "exp"), ascending=True, nonnegative=True, most=MOST_GAIN, by_grade=True)
OWN_GAINS = replace(GAINS, optional=True)  #: the same, optional for measures with gains of their own


@dataclass(frozen=True, kw_only=True)
class Expression:
    """A hashable value whose ``str`` parses back to an equal one."""

    family: ClassVar[str] = ""
    symbol: ClassVar[str] = ""
    title: ClassVar[str] = ""  #: name in menus
    cut: ClassVar[str] = "optional"  #: whether it takes ``@k``: "optional", "required" or "none"
    deepest: ClassVar[int] = 1_000_000  #: the largest k
    cutoff: int | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__repr__ = Expression.__str__  # type: ignore[assignment]  # or the decorator writes its own
        if "symbol" not in cls.__dict__:
            return
        known = REGISTRY.setdefault(cls.family, {})
        if cls.symbol in known and known[cls.symbol].__qualname__ != cls.__qualname__:
            raise IrvizError(f"There are two {cls.family}s `{cls.symbol}`: {known[cls.symbol]!r} and {cls!r}.")
        known[cls.symbol] = cls

    def __post_init__(self) -> None:
        for name, declared in declarations(type(self)).items():
            object.__setattr__(self, name, declared.kind.check(getattr(self, name), self.symbol, name))
        if self.cut == "none" and self.cutoff is not None:
            raise IrvizError(f"{self.symbol} takes no cutoff; got @{self.cutoff}. Leave it out.")
        if self.cut == "required" and self.cutoff is None:
            raise IrvizError(f"{self.symbol} needs a cutoff here, as in {self.symbol}@10.")
        kind = Integer(high=self.deepest, optional=True, hint=f"Write {self.symbol}@10 for the first ten ranks.")
        object.__setattr__(self, "cutoff", kind.check(self.cutoff, self.symbol, "cutoff"))

    def __str__(self) -> str:
        return self.template("")

    __repr__ = __str__

    def template(self, path: str) -> str:
        """The text with ``{}`` in place of the value at a path; the text itself without a path."""
        first, _, rest = path.partition(".")
        arguments = []
        for name, declared in declarations(type(self)).items():
            value, here = getattr(self, name), name == first
            text = value.template(rest) if here and rest else SLOT if here else value_text(value)
            if declared.positional:
                arguments.append(text)
            elif here or declared.always_written or value != type(self).__dataclass_fields__[name].default:
                arguments.append(f"{name}={text}")
        return expression_text(self.symbol, arguments, SLOT if first == CUTOFF else self.cutoff)

    def paths(self) -> dict[str, Parameter | None]:
        """Path and declaration (None for a cutoff) of every parameter: ``C.p`` for ``RBP(p=0.8)`` in ``C``."""
        found: dict[str, Parameter | None] = {}
        for name, declared in declarations(type(self)).items():
            found[name], value = declared, getattr(self, name)
            if isinstance(value, Expression):
                found |= {f"{name}.{path}": inner for path, inner in value.paths().items()}
        return found if self.cut == "none" else found | {CUTOFF: None}

    def value_at(self, path: str) -> Any:
        """The value at a path."""
        return reduce(getattr, path.split("."), self)

    def with_value(self, path: str, value: Any) -> Self:
        """The expression with another value at a path, checked like any other."""
        name, _, rest = path.partition(".")
        return replace(self, **{name: getattr(self, name).with_value(rest, value) if rest else value})


def family(name: str) -> dict[str, type[Expression]]:
    """The registered expressions of one family, by symbol."""
    return REGISTRY[name]


def registered_classes(base: type[Kind]) -> tuple[type[Kind], ...]:
    """The classes with a symbol that derive from `base`, in file order."""
    return tuple(kind for kind in family(base.family).values() if issubclass(kind, base))


@dataclass(frozen=True)
class Scale:
    """The scale type of a measure: "interval", "ordinal" or "neither", why, and who says so.

    `proved_from` is the smallest depth of judged runs that the statement covers; None if unproved and cautious.
    """

    kind: str
    reason: str
    source: str = "Ferrante et al. 2019, section 4.3.1"
    proved_from: int | None = 1


class Component(NamedTuple):
    """A score in a mean of scores; `top` is the highest that its definition allows."""

    share: float  # all shares sum to 1
    measure: Measure
    top: float


class Parts(NamedTuple):
    """One list's score as Σ gain × weight over ranks.

    The weight may depend on the documents above (AP, ERR, Bpref), on the pool (recall) or on how the user reads.
    """

    gain: NDArray[np.float64]
    weight: NDArray[np.float64]

    @classmethod
    def of_sums(cls, gain: NDArray[Any], adds: NDArray[Any]) -> Parts:
        """Parts from what each rank adds; weights are 0 where there is no gain."""
        return cls(gain, np.divide(adds, gain, out=np.zeros(len(gain)), where=gain > 0))

    def divide_by(self, divisor: float) -> Parts:
        """Parts of the score divided by this number; 0 if the number is 0."""
        return Parts(self.gain, self.weight / divisor if divisor > 0 else np.zeros_like(self.weight))


@dataclass(frozen=True, kw_only=True)
class Measure(Expression):
    """An evaluation measure.

    ``evaluate`` is given :class:`JudgedLists` and returns one number per list.

    Attributes
    ----------
    aspect : str or None
        The aspect to score; None for the first.
    judged_only : bool
        Score condensed lists.
    cutoff : int or None
        The last rank read; None for the whole list.
    """

    family: ClassVar[str] = "measure"
    group: ClassVar[str] = ""  #: the heading it stands under in pickers and the reference page
    formula: ClassVar[str] = ""  #: LaTeX
    source: ClassVar[str] = ""  #: paper and equation
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)  #: range of the scores
    range_note: ClassVar[str] = ""  #: how the range depends on parameters
    additive: ClassVar[bool] = False  #: Σ over ranks of a non-increasing weight × the document's worth
    ideal_is_one: ClassVar[bool] = True  #: the ideal ranking of a topic with relevant documents scores exactly 1
    rounding: ClassVar[float] = 1e-12  #: two scores that differ by no more, relative to the larger, are equal
    set_based: ClassVar[bool] = False  #: the order of the retrieved documents does not matter
    orders: ClassVar[str] = "rank"  #: the total order its scale type refers to: "rank" or "set"
    several_aspects: ClassVar[bool] = False  #: scores all aspects of a collection together
    ignores_unjudged: ClassVar[bool] = False  #: unjudged documents change nothing
    kind_of_mean: ClassVar[str] = "arithmetic"  #: the mean of its `terms`: this, "harmonic", or "" for neither
    own_to_pools: ClassVar[bool] = False  #: topics with other pools differ by more than a factor common to all lists
    averages_ties: ClassVar[bool] = False  #: `evaluate` averages over all orders of ties, if they count
    precisions: ClassVar[bool] = False  #: the mean, over the relevant documents, of the precision at each
    #: how `Interval` numbers its values on two grades: by the rank of the "first" relevant document, whether there is
    #: "any", their "count", or the list as a "binary" number; "" for enumeration
    closed_form: ClassVar[str] = ""
    scale_words: ClassVar[str] = "under these grades"  #: what its scale type in a collection refers to
    aspect: str | None = parameter(None, Name(optional=True), "The aspect to score; by default the first.")
    judged_only: bool = parameter(
        False,
        Truth(),
        "True takes unjudged documents, and those judged below zero, out of the lists (condensed lists).",
    )

    def lists_of(self, topic: Topics) -> JudgedLists:
        """The lists judged on this measure's aspect, condensed if `judged_only`."""
        lists = topic.aspect(self.aspect)
        return lists.condensed() if self.judged_only else lists

    def score(self, topic: Topics) -> NDArray[Any]:
        """One number per list, topic by topic."""
        return evaluate_all([self], self.lists_of(topic))[0]

    def evaluate(self, lists: JudgedLists) -> NDArray[Any]:
        """One number per list, from the lists judged on this measure's aspect."""
        raise TypeError(f"{type(self).__name__} scores whole topics; call score().")

    def ranks_walked(self) -> int:
        """Number of ranks computed one by one in every list; 0 if only documents above level 0 are read."""
        return 0

    def parts_of(self, topic: Topics) -> Parts:
        """Gain and weight at every rank of the only list of `topic`; see :meth:`parts`."""
        found = self.parts(self.lists_of(topic))
        if not self.judged_only:
            return found
        lists = topic.aspect(self.aspect)
        places = lists.ranked_lists.find(lists.labels >= 0).place[: len(found.gain)]
        parts = np.zeros((2, lists.depth))
        parts[:, places] = np.stack(found)[:, : len(places)]
        return Parts(*parts)

    def parts(self, lists: JudgedLists) -> Parts:
        """Gain and weight at every rank read of the only list of `lists`.

        Refused for measures that are no sum over ranks.
        """
        raise IrvizError(
            f"{self} is not a sum over ranks, so no rank has a contribution of its own. "
            f"If it combines several measures, take those one by one."
        )

    @property
    def single(self) -> Measure:
        """The underlying measure of one list of gains: itself, or its base."""
        return self

    def terms(self, collection: Collection) -> list[Component]:
        """The scores that it averages: its own, or one for each aspect that counts."""
        return [Component(1.0, self, self.score_range(collection.grades[collection.aspect_index(self.aspect)])[1])]

    def seen_by_terms(self, topic: Topics) -> Topics:
        """The topics as its terms score them."""
        return topic

    def mean(self, shares: list[float], scores: NDArray[Any]) -> NDArray[Any]:
        """By list, the mean of terms × lists, with these shares above zero."""
        return scores[0]

    def document_levels(self, topic: Topics) -> NDArray[Any] | None:
        """topics × documents: preference levels from the labels of all aspects, else None."""
        return None

    def ideal_gains(self, lists: JudgedLists) -> NDArray[np.float64] | None:
        """The gains of the ideal list of the only list's topic, for a measure that divides by its DCG (log2(i + 1))."""
        return None

    def exact(self, topic: Topics) -> NDArray[np.object_] | None:
        """The scores as integers over a denominator common to all topics, if doubles are too small, else None."""
        return None

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        """The scale type on judged runs of this depth (None: any) with these grades (grades[0] is 0).

        The total order is Ferrante et al. 2019, eq. (1) for measures of sets and eq. (4)
        for measures of rankings.
        """
        return Scale("neither", "No proof that equal steps of this measure are equal steps of the total order.")

    def scale_in(self, collection: Collection) -> Scale:
        """The scale type with the grades of a collection, on runs of any depth."""
        return self.scale(self.grades_in(collection))

    def grades_in(self, collection: Collection) -> tuple[float, ...]:
        """The grades of its aspect in a collection."""
        return collection.grades[collection.aspect_index(self.aspect)]

    def exact_bits(self, levels: int, depth: int) -> int:
        """Bits of an exact score on lists of this depth and number of grade levels; 0 if doubles are exact."""
        return 0

    def depth_seen(self, depth: int | None) -> int | None:
        """The number of ranks that matter among this many (None: any number)."""
        known = [k for k in (self.cutoff, depth) if k is not None]
        return min(known, default=None)

    def at_depth(self, depth: int) -> Measure:
        """This measure on runs that end at `depth`."""
        return self if self.cutoff is None else replace(self, cutoff=min(self.cutoff, depth))

    def misfit(self, collection: Collection) -> IrvizError | None:
        """Why it cannot score this collection; None if it can.

        A measure that lists numbers by grade, class or aspect, names an aspect, or takes 2^x of grades may not fit
        every collection.
        """
        try:
            self.score(Topics(collection, [0], collection.ranking.subset([0], [])))
        except IrvizError as error:
            return error
        return None

    def seconds(self, depth: int, judged: int) -> float:
        """Estimated seconds for one list of this depth, on a topic with this number of judged documents."""
        return 1e-7 + 4e-9 * min(depth, judged)

    def score_range(self, grades: tuple[float, ...]) -> tuple[float, float]:
        """Lowest and highest possible score."""
        return self.bounds


@dataclass(frozen=True, kw_only=True)
class DerivedMeasure(Measure):
    """Base of measures made of another one, with the cutoff of that `base`."""

    cut: ClassVar[str] = "none"
    ideal_is_one: ClassVar[bool] = False
    base: Measure

    def __post_init__(self) -> None:
        if self.cutoff is not None:
            example = f"{self.symbol}({type(self).__dataclass_fields__['base'].default})"
            raise IrvizError(
                f"{self.symbol} takes no cutoff; got @{self.cutoff}. Write it on the base measure, as in {example}."
            )
        super().__post_init__()

    @property
    def set_based(self) -> bool:  # type: ignore[override]
        return self.base.set_based

    @property
    def orders(self) -> str:  # type: ignore[override]
        return self.base.orders

    def depth_seen(self, depth: int | None) -> int | None:
        return self.base.depth_seen(depth)

    def at_depth(self, depth: int) -> Measure:
        return replace(self, base=self.base.at_depth(depth))


def evaluate_all(measures: Sequence[Measure], lists: JudgedLists) -> list[NDArray[Any]]:
    """One number per list from each measure.

    Measures that walk down the ranks score equal lists once, and a few lists at a time for all measures, to share the
    processor's cache.
    """
    ranks = max(measure.ranks_walked() for measure in measures)
    if lists.exact or not ranks:
        return [measure.evaluate(lists) for measure in measures]
    different, index = lists.distinct()
    many = max(1, BLOCK_CELLS // ranks)
    cuts = [slice(start, start + many) for start in range(0, different.runs, many)]
    pieces = map(different.only, cuts) if len(cuts) > 1 else [different]
    parts = [[measure.evaluate(piece) for measure in measures] for piece in pieces]
    return [np.concatenate(scores)[index] for scores in zip(*parts, strict=True)]


def rel_parameter() -> Any:
    """`rel`: the smallest grade that counts as relevant."""
    doc = "Relevant from: the smallest grade that counts as relevant."
    return parameter(1.0, Real(low=0, open_low=True, step=1), doc)


def gains_parameter(default: str = "linear", shares: bool = False) -> Any:
    """`gains`: how a grade becomes a gain; with `shares` the measure divides it by the maximum gain."""
    words = "'linear' is x/x_max, 'exp' is (2^x − 1)/2^x_max, a list gives one number per grade level, lowest first, "
    words += "and {1:1,3:4} numbers by grade, whichever of them occur."
    divided = " The measure divides it by the maximum gain." if shares else ""
    return parameter(default, GAINS, f"The gain of a grade x: {words}{divided}")
