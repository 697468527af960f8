"""Declarations of parameters: domain, default and how they are written.

A measure's fields are declared with :func:`parameter`; the grammar, the error
messages, the reference page and the dashboard's widgets read the declaration.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from inspect import get_annotations
from types import MappingProxyType
from typing import Any

from irviz.errors import IrvizError, join_words

MOST_GAIN = 1e15  #: the largest grade and gain: sums of many fit a double, and whole numbers are exact
KEY = "parameter"  # where a dataclass field keeps its Parameter


@dataclass(frozen=True)
class Parameter:
    """The declaration of one parameter: its meaning and its values."""

    kind: Kind
    doc: str
    always_written: bool = False  #: written out even at its default
    positional: bool = False  #: written without its name


def parameter(default: Any, kind: Kind, doc: str, *, always_written: bool = False, positional: bool = False) -> Any:
    """A dataclass field that carries its own declaration."""
    return field(default=default, metadata={KEY: Parameter(kind, doc, always_written, positional)})


def same_parameter(owner: type, name: str) -> Any:
    """A dataclass field declared as the parameter `name` of another class."""
    declared = owner.__dataclass_fields__[name]  # type: ignore[attr-defined]
    return field(default=declared.default, metadata=declared.metadata)


class Kind:
    """A domain of values.  ``check`` returns the canonical value or refuses it."""

    optional = False
    hint = ""

    def check(self, value: Any, owner: str, name: str) -> Any:
        """The canonical value, or None where it is optional."""
        canonical = None if value is None else self.canonical(value, owner, name)
        if canonical is None and not (value is None and self.optional):
            raise outside_domain(owner, name, self.describe(), value, self.hint)
        return canonical

    def canonical(self, value: Any, owner: str, name: str) -> Any:
        """The canonical value; None where it is outside the domain, which may be refused here in other words."""
        raise IrvizError(f"`{name}` of {owner} has no domain.")

    def describe(self) -> str:
        return ""


def outside_domain(owner: str, name: str, must: str, value: Any, hint: str = "") -> IrvizError:
    """The error for a parameter outside its domain."""
    return IrvizError(f"`{name}` of {owner} must {must}; got {value_text(value)}.{' ' + hint if hint else ''}")


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True)
class Real(Kind):
    """A number between `low` and `high`, excluding open ends."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    optional: bool = False
    hint: str = ""
    step: float = 0.05  #: step of a slider
    slider: tuple[float, float] | None = None  #: a slider's part of an unbounded range

    def canonical(self, value: Any, owner: str, name: str) -> float | None:
        above = _number(value) and (value > self.low if self.open_low else value >= self.low)
        below = _number(value) and (value < self.high if self.open_high else value <= self.high)
        return float(value) if above and below else None

    def describe(self) -> str:
        left = "(" if self.open_low or self.low == -math.inf else "["
        right = ")" if self.open_high or self.high == math.inf else "]"
        if self.high == math.inf:
            if self.low == -math.inf:
                return "be a number"
            return f"be {'above' if self.open_low else 'at least'} {value_text(self.low)}"
        return f"lie in {left}{value_text(self.low)}, {value_text(self.high)}{right}"


@dataclass(frozen=True)
class Integer(Kind):
    """A whole number from `low` to `high`, which limits memory."""

    low: int = 1
    high: int = 1_000_000
    optional: bool = False
    hint: str = ""

    def canonical(self, value: Any, owner: str, name: str) -> int | None:
        if not _number(value) or value != int(value) or value < self.low:
            return None
        if value > self.high:
            raise outside_domain(owner, name, f"be at most {self.high:,}", value, self.hint)
        return int(value)

    def describe(self) -> str:
        return f"be a whole number of at least {self.low}"


@dataclass(frozen=True)
class Truth(Kind):
    """True or False."""

    def canonical(self, value: Any, owner: str, name: str) -> bool | None:
        value = {"True": True, "False": False}.get(value, value) if isinstance(value, str) else value
        return value if isinstance(value, bool) else None

    def describe(self) -> str:
        return "be True or False"


@dataclass(frozen=True)
class OneOf(Kind):
    """One of a few words."""

    options: tuple[str, ...]

    def canonical(self, value: Any, owner: str, name: str) -> str | None:
        return value if isinstance(value, str) and value in self.options else None

    def describe(self) -> str:
        return f"be {join_words([repr(option) for option in self.options])}"


@dataclass(frozen=True)
class ByGrade:
    """Gains by grade, whether the grades occur or not; grades of 0 and below have none."""

    pairs: tuple[tuple[float, float], ...]  #: grade and gain, lowest first

    def __str__(self) -> str:
        return "{" + ",".join(f"{value_text(grade)}:{value_text(gain)}" for grade, gain in self.pairs) + "}"

    def table(self, grades: Sequence[float]) -> tuple[float, ...]:
        """The gains of some grades; one without a gain is refused."""
        known = dict(self.pairs)
        for grade in grades:
            if grade not in known:
                raise IrvizError(f"`gains` is {self}, but there is a grade of {grade:g}. Give it a gain.")
        return tuple(known[grade] for grade in grades)


@dataclass(frozen=True)
class Numbers(Kind):
    """A list of finite numbers; optionally one of some words, or absent.

    `most` is the largest number allowed; `ascending` refuses a list that decreases; `simplex` needs numbers of at least
    zero that sum to 1; `nested` takes a list of such lists; `by_grade` also takes a mapping of grades; `each` names
    what has one number each.
    """

    words: tuple[str, ...] = ()
    ascending: bool = False
    simplex: bool = False
    nested: bool = False
    nonnegative: bool = False
    optional: bool = False
    most: float = math.inf
    by_grade: bool = False
    each: str = "grade level, lowest first"

    def canonical(self, value: Any, owner: str, name: str) -> Any:
        if isinstance(value, str) and value in self.words:
            return value
        if self.by_grade and isinstance(value, (ByGrade, Mapping)):
            return self._by_grade(dict(value.pairs) if isinstance(value, ByGrade) else value, owner, name)
        if not isinstance(value, Sequence) or isinstance(value, str) or not len(value):
            return None
        if not self.nested:
            return self._list(value, owner, name)
        if not all(isinstance(inner, Sequence) and len(inner) for inner in value):
            return None
        return tuple(self._list(inner, owner, name) for inner in value)

    def _by_grade(self, value: Mapping[Any, Any], owner: str, name: str) -> ByGrade:
        if not all(map(_number, value)) or any(value[grade] for grade in value if grade <= 0):
            must = "give numbers gains, and 0 to those up to 0"
            raise outside_domain(owner, name, must, dict(value), "Write {1:1,3:4}.")
        grades = sorted({0.0, *(float(grade) for grade in value if grade > 0)})
        gains = self._list([value.get(grade, 0.0) for grade in grades], owner, name)
        return ByGrade(tuple(zip(grades, gains, strict=True)))

    def _list(self, value: Any, owner: str, name: str) -> tuple[float, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or not all(_number(x) for x in value):
            raise outside_domain(owner, name, self.describe(), value)
        numbers = tuple(float(x) for x in value)
        if (self.nonnegative or self.simplex) and min(numbers, default=0.0) < 0:
            raise outside_domain(owner, name, "hold no negative number", value)
        if max(numbers, default=0.0) > self.most:
            raise outside_domain(owner, name, f"hold no number above {self.most:g}", value)
        if self.ascending and any(b < a for a, b in zip(numbers, numbers[1:], strict=False)):
            raise outside_domain(owner, name, "not decrease", value, f"List one number per {self.each}.")
        if self.simplex and max(numbers, default=0.0) > MOST_GAIN:  # their sum may overflow
            raise outside_domain(owner, name, "sum to 1", value)
        if self.simplex and not math.isclose(math.fsum(numbers), 1.0, abs_tol=1e-9):
            hint = f"These sum to {value_text(round(math.fsum(numbers), 12))}."
            raise outside_domain(owner, name, "sum to 1", value, hint)
        return numbers

    def describe(self) -> str:
        what = "a list of lists of numbers" if self.nested else "a list of numbers"
        if self.simplex:
            what = "a list of numbers that sum to 1"
        if self.most < math.inf:
            what += f" up to {self.most:g}"
        if self.by_grade:
            what += " or of gains by grade, such as {1:1,3:4}"
        return "be " + join_words([*(repr(word) for word in self.words), what])


@dataclass(frozen=True)
class Name(Kind):
    """A name that is checked against the collection, such as an aspect's."""

    optional: bool = False

    def canonical(self, value: Any, owner: str, name: str) -> str | None:
        return value if isinstance(value, str) and value else None

    def describe(self) -> str:
        return "be a name in quotes"


@dataclass(frozen=True)
class Subexpression(Kind):
    """Another expression of the given `family`: a measure, a browsing model, an aggregation."""

    family: str

    def canonical(self, value: Any, owner: str, name: str) -> Any:
        return value if getattr(value, "family", None) == self.family else None

    def describe(self) -> str:
        return f"be a {self.family}" if self.family[0] not in "aeiou" else f"be an {self.family}"


@dataclass(frozen=True)
class PerAspect(Kind):
    """One value of the kind `each` for all aspects, or a list with one per aspect, or None."""

    each: Kind
    optional: bool = True

    def canonical(self, value: Any, owner: str, name: str) -> Any:
        if not self.several(value):
            return self.each.check(value, owner, name)
        return tuple(self.each.check(entry, owner, name) for entry in value)

    def several(self, value: Any) -> bool:
        """True if `value` lists one value per aspect; a flat list of numbers is one list of gains."""
        if isinstance(value, str) or not isinstance(value, Sequence):
            return False
        return not (isinstance(self.each, Numbers) and all(_number(entry) for entry in value))

    def describe(self) -> str:
        return f"{self.each.describe()}, or a list with one such value per aspect"


_DECLARATIONS: dict[type, Mapping[str, Parameter]] = {}  #: by class, sorted once


def declarations(cls: type) -> Mapping[str, Parameter]:
    """The parameters declared by a dataclass, by name: positional ones, its own, inherited ones, the root's last."""
    if cls not in _DECLARATIONS:
        fields = getattr(cls, "__dataclass_fields__", {})
        parameters = {name: fields[name].metadata[KEY] for name in fields if KEY in fields[name].metadata}
        age: dict[str, int] = {}
        for i, base in enumerate(cls.__mro__):
            for name in get_annotations(base):
                age.setdefault(name, i)
        order = sorted(parameters, key=lambda name: (not parameters[name].positional, age[name]))
        _DECLARATIONS[cls] = MappingProxyType({name: parameters[name] for name in order})
    return _DECLARATIONS[cls]


def value_text(value: Any) -> str:
    """A value as the grammar reads it back.

    >>> value_text(2.0), value_text("a'b"), value_text((0.1, 0.9)), value_text(None)
    ('2', "'a\\\\'b'", '[0.1,0.9]', 'None')
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(value_text(x) for x in value) + "]"
    return str(value)


def expression_text(name: str, arguments: Sequence[str], cutoff: object) -> str:
    """An expression with its arguments and cutoff as they are written."""
    inside = f"({','.join(arguments)})" if arguments else ""
    return f"{name}{inside}" + (f"@{cutoff}" if cutoff is not None else "")
