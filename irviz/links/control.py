"""Controls: what a page lets a person choose, declared without any widget.

A control's ``name`` is its key in the URL.  ``parse`` reads a text from a link into a
value or refuses it; ``format`` writes a value that ``parse`` reads back.  Where the
domain depends on what is loaded, ``from_context`` fills it in: ``fit`` calls it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from irviz.errors import IrvizError, listed, verb
from irviz.links.text import join_names, plain, shown, split_expressions, split_names
from irviz.measures.language.grammar import parse as parse_measure
from irviz.measures.language.parameters import Real, Whole

LONGEST_VALUE = 20_000  #: characters of one value of a link
MOST_MEASURES = 100

#: fields of a control, such as its options, that depend on what is loaded
FromContext = Callable[[Any], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Control:
    """One choice of a person, without a widget.

    Attributes
    ----------
    name : str
        Key in the URL; lower case, one word.
    label, help : str
        The label of the widget, and the text of its tooltip.
    default
        The value if a link does not set it.
    from_context : callable, optional
        Given the context (for a control of the sidebar: what is opened), returns the
        fields that depend on it.
    shown_if : callable, optional
        Given the values of the page so far, whether the control matters now.
    aside : bool
        Rarely changed: shown under "More choices".
    """

    name: str
    label: str
    help: str = ""
    default: Any = None
    from_context: FromContext | None = None
    shown_if: Callable[[dict[str, Any]], bool] | None = None
    aside: bool = False

    def fit(self, context: Any) -> Self:
        """This control with the domain that `context` offers."""
        return self if self.from_context is None else replace(self, from_context=None, **self.from_context(context))

    def parse(self, text: str) -> Any:
        """The value a link means; an :class:`IrvizError` where it means none."""
        if len(text) > LONGEST_VALUE:
            raise IrvizError(f"it is {len(text):,} characters long; at most {LONGEST_VALUE:,} are read")
        return self.check(self.read(text))

    def rescue(self, text: str) -> Any:
        """What is used where :meth:`parse` refuses `text`: the default, or what is sound of a list."""
        return self.default

    def read(self, text: str) -> Any:
        """`text` as a value that may still be outside the domain."""
        return text

    def check(self, value: Any) -> Any:
        """The canonical value, or an :class:`IrvizError` that says what is wrong with it."""
        return value

    def format(self, value: Any) -> str:
        """`value` as :meth:`parse` reads it back."""
        return str(value)

    def early(self, value: Any) -> Any:
        """What a first answer is computed with, where all of it takes long."""
        return value


@dataclass(frozen=True, kw_only=True)
class Choice(Control):
    """One of a few options: pairs of value and the words for it."""

    options: tuple[tuple[str, str], ...] = ()
    default: str = ""
    few: bool = False  #: all options are worth showing at once
    quick: str | None = None  #: the option of a first answer

    def early(self, value: str) -> str:
        return value if self.quick is None else self.quick

    def fit(self, context: Any) -> Self:
        fitted = super().fit(context)
        values = [value for value, _ in fitted.options]
        if fitted.default in values or not values:
            return fitted
        return replace(fitted, default=values[0])

    def check(self, value: str) -> str:
        values = [option for option, _ in self.options]
        if value in values:
            return value
        if not values:
            raise IrvizError(f"`{shown(value)}` cannot be chosen, because these data leave no choice")
        raise IrvizError(f"`{shown(value)}` is none of {listed(values, most=12)}")

    def words(self, value: str) -> str:
        """What a person reads for `value`."""
        return dict(self.options).get(value, value)


def one_measure(name: str, label: str, position: int = 0, help: str = "One of the measures of the sidebar.") -> Choice:
    """A choice among the measures of the sidebar; the one at `position`, or the last, where a link says nothing."""

    def fields(context: Any) -> dict[str, Any]:
        options = tuple((measure, measure) for measure in context.measures)
        return {"options": options, "default": options[min(position, len(options) - 1)][0] if options else ""}

    return Choice(name=name, label=label, help=help, from_context=fields)


def one_system(position: int, how: str = "", **own: Any) -> Choice:
    """System A (0) or B (1) of those in play: the best or the second best where a link says nothing."""
    rank = ("best", "second best")[position]
    help = f"Type to search{how}. By default the system with the {rank} mean AP."

    def fields(context: Any) -> dict[str, Any]:
        return {"options": tuple((one, one) for one in context.systems), "default": context.two_best[position]}

    return Choice(name="ab"[position], label="AB"[position], help=help, from_context=fields, **own)


@dataclass(frozen=True, kw_only=True)
class Number(Control):
    """A number in [low, high]; `whole` numbers only, or in steps for a slider.

    One that is made from the declarations of parameters (`kinds`) takes whatever one of them takes;
    `low` and `high` are then what its slider offers.
    """

    low: float = 0.0
    high: float = 1.0
    step: float = 0.05
    whole: bool = False
    slider: bool = True
    stops: tuple[float, ...] = ()  #: where its slider stops beside its steps; with steps of 0 only there
    quick: float | None = None  #: at most so much for a first answer
    kinds: tuple[tuple[str, Real | Whole], ...] = ()  #: by the symbol of what is declared so
    empty: str = "default"  #: what no number at all means, for the empty widget

    def early(self, value: float) -> float:
        return value if self.quick is None or value is None else min(value, self.quick)

    def read(self, text: str) -> float:
        try:
            return float(text)
        except ValueError as error:
            raise IrvizError(f"`{shown(text)}` is not a number") from error

    def check(self, value: float) -> float:
        if self.kinds and not self.whole:
            return self._declared(value)
        if not math.isfinite(value) or not self.low <= value <= self.high:
            raise IrvizError(f"`{plain_or_text(value)}` is not between {plain(self.low)} and {plain(self.high)}")
        if self.whole and value != int(value):
            raise IrvizError(f"`{plain(value)}` is not a whole number")
        return int(value) if self.whole else float(value)

    def _declared(self, value: float) -> float:
        """The value, if any of the declarations takes it; else what the first of them says."""
        refusals = []
        for owner, kind in self.kinds:
            try:
                kind.check(value, owner, self.name)
            except IrvizError as error:
                refusals.append(error)
            else:
                return float(value)
        raise refusals[0]

    def format(self, value: float) -> str:
        return plain(value)


@dataclass(frozen=True, kw_only=True)
class Flag(Control):
    """Yes or no; 1 or 0 in a link."""

    default: bool = False

    def read(self, text: str) -> bool:
        if text not in ("0", "1"):
            raise IrvizError(f"`{shown(text)}` is neither 1 (yes) nor 0 (no)")
        return text == "1"

    def format(self, value: bool) -> str:
        return "1" if value else "0"


@dataclass(frozen=True, kw_only=True)
class Measures(Control):
    """A list of measure expressions; of the names in `known` where scores were imported."""

    default: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    def fit(self, context: Any) -> Self:
        fitted = super().fit(context)
        return replace(fitted, default=fitted.known[:12]) if fitted.known else fitted

    def read(self, text: str) -> tuple[str, ...]:
        return tuple(split_names(text) if self.known else split_expressions(text))

    def check(self, value: Sequence[str]) -> tuple[str, ...]:
        canonical = tuple(dict.fromkeys(self.one(text) for text in value))
        if not canonical:
            raise IrvizError("it names no measure")
        if len(canonical) > MOST_MEASURES:
            raise IrvizError(f"it names {len(canonical)} measures; at most {MOST_MEASURES} are drawn")
        return canonical

    def one(self, text: str) -> str:
        """The label of one measure."""
        if not self.known:
            return str(parse_measure(text))
        if text in self.known:
            return text
        raise IrvizError(f"there is no measure `{shown(text)}` among these scores: {listed(self.known, joiner='and')}")

    def rescue(self, text: str) -> tuple[str, ...]:
        sound = tuple(dict.fromkeys(label for part in self.read(text[:LONGEST_VALUE]) if (label := self._label(part))))
        return sound[:MOST_MEASURES] or self.default

    def _label(self, text: str) -> str:
        try:
            return self.one(text)
        except IrvizError:
            return ""

    def format(self, value: Sequence[str]) -> str:
        return join_names(value) if self.known else ",".join(value)


@dataclass(frozen=True, kw_only=True)
class Names(Control):
    """Some of the names there are, such as topics; what none at all means is the page's to say."""

    default: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    most: int = 10_000
    empty: str = "all"  #: what none at all means, for the empty widget
    words: tuple[tuple[str, str], ...] = ()  #: option and what a person reads for it, where that is not the option

    def read(self, text: str) -> tuple[str, ...]:
        return tuple(split_names(text))

    def check(self, value: Sequence[str]) -> tuple[str, ...]:
        known = set(self.options)
        missing = [name for name in value if name not in known]
        if missing:
            names = listed((f"`{shown(name, 30)}`" for name in missing), most=3, joiner="and")
            raise IrvizError(f"{names} {verb(len(missing), 'is', 'are')} not here")
        if len(value) > self.most:
            raise IrvizError(f"it names {len(value)}; at most {self.most} can be chosen")
        chosen = set(value)
        return tuple(name for name in self.options if name in chosen)

    def rescue(self, text: str) -> tuple[str, ...]:
        asked = set(self.read(text[:LONGEST_VALUE]))
        return tuple(name for name in self.options if name in asked)[: self.most] or self.default

    def word(self, option: str) -> str:
        """What a person reads for `option`."""
        return dict(self.words).get(option, option)

    def format(self, value: Sequence[str]) -> str:
        return join_names(value)


@dataclass(frozen=True, kw_only=True)
class Words(Control):
    """A line of free text."""

    default: str = ""
    most: int = 200
    empty: str = "default"  #: what no text at all means, for the empty widget

    def check(self, value: str) -> str:
        if len(value) > self.most:
            raise IrvizError(f"it is {len(value)} characters long; at most {self.most} are read")
        return value


@dataclass(frozen=True, kw_only=True)
class Typed(Control):
    """A value that a person types as a line of text; one that is refused leaves it as it was."""

    empty: str = ""  #: what no text at all means, for the empty widget


def plain_or_text(value: float) -> str:
    """A number for a complaint; nan and inf as they are."""
    return plain(value) if math.isfinite(value) else str(value)
