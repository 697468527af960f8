"""Controls: what a page lets a person choose, declared without any widget.

A control's ``name`` is its key in the URL.  ``parse`` reads a text from a link into a
value or refuses it; ``format`` writes a value that ``parse`` reads back.  Where the
domain depends on what is loaded, ``from_context`` fills it in: ``fit`` calls it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from irviz.errors import IrvizError, join_words
from irviz.measures.language.base import Expression
from irviz.measures.language.grammar import parse as parse_measure
from irviz.measures.language.parameters import Integer, OneOf, Parameter, Real, Truth, declarations
from irviz.workspace.phrases import written_out

# -- Lists and numbers as the text of a link, and back ---------------------------------------------
#
# A link is read by people and typed by hand, so lists are separated by plain commas.

_OPEN, _CLOSE = "([", ")]"


def split_expressions(text: str) -> list[str]:
    """The expressions of a comma-separated list; commas inside brackets or quotes do not separate.

    >>> split_expressions("AP, CWLA(C=RBP(p=0.8),A=ERG), GAP(g=[0.1,0.9])")
    ['AP', 'CWLA(C=RBP(p=0.8),A=ERG)', 'GAP(g=[0.1,0.9])']
    """
    parts, depth, quote, start = [], 0, "", 0
    for i, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and text[i - 1] != "\\" else quote
        elif sign in "'\"":
            quote = sign
        elif sign in _OPEN:
            depth += 1
        elif sign in _CLOSE:
            depth = max(0, depth - 1)
        elif sign == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def join_names(names: Iterable[str]) -> str:
    r"""Names as one text; a comma or backslash within a name is escaped.

    >>> print(join_names(["401", "a,b", "c\\d"]))
    401,a\,b,c\\d
    """
    return ",".join(re.sub(r"([\\,])", r"\\\1", name) for name in names)


def split_names(text: str) -> list[str]:
    r"""The names that :func:`join_names` joined.

    >>> split_names("401,a\\,b,c\\\\d")
    ['401', 'a,b', 'c\\d']
    """
    if not text:
        return []
    names = [""]
    escaped = False
    for sign in text:
        if escaped or sign not in "\\,":
            names[-1] += sign
            escaped = False
        elif sign == "\\":
            escaped = True
        else:
            names.append("")
    return names


def plain(number: float) -> str:
    """A number without needless digits; what reads it back gets the same number.

    >>> plain(0.80), plain(10.0), plain(1e-06)
    ('0.8', '10', '1e-06')
    """
    value = float(number)
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def excerpt(text: str, most: int = 60) -> str:
    """A text from a link as a complaint quotes it: on one line, cut when long.

    >>> excerpt("a\\nb" + "c" * 80, most=6)
    'a bccc…'
    """
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    return line if len(line) <= most else line[:most] + "…"


# --------------------------------------------------------------------------------------------------

LONGEST_VALUE = 20_000  #: characters of one value of a link
MOST_MEASURES = 100

#: fields of a control, such as its options, that depend on what is loaded
FromContext = Callable[[Any], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Control:
    """One choice of a person, without a widget."""

    name: str  #: key in the URL; lower case, one word
    #: the label of the widget, and the text of its tooltip
    label: str
    help: str = ""
    default: Any = None  #: the value if a link does not set it
    #: given the context (for a control of the sidebar: what is opened), returns the fields that depend on it
    from_context: FromContext | None = None
    #: given the values of the page so far, whether the control matters now
    shown_if: Callable[[dict[str, Any]], bool] | None = None
    aside: bool = False  #: rarely changed: shown under "More choices"
    widget: bool = True  #: False for what only a link says, or a figure or button sets

    def fit(self, context: Any) -> Self:
        """This control with the domain that `context` offers."""
        return self if self.from_context is None else replace(self, from_context=None, **self.from_context(context))

    def parse(self, text: str) -> Any:
        """The value of a text from a link; an :class:`IrvizError` says why a text has none."""
        if len(text) > LONGEST_VALUE:
            raise IrvizError(f"it is {len(text):,} characters long; at most {LONGEST_VALUE:,} are read")
        return self.check(self.read(text))

    def rescue(self, text: str) -> Any:
        """The value used where :meth:`parse` refuses `text`: the default, or the valid part of a list."""
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

    def words(self, value: Any) -> str:
        """The value as a person reads it."""
        return self.format(value)

    def matters(self, values: Mapping[str, Any]) -> bool:
        """True unless the values of its page make it pointless."""
        return self.shown_if is None or self.shown_if(dict(values))


@dataclass(frozen=True, kw_only=True)
class Choice(Control):
    """One of a few options: pairs of value and the words for it, both texts.

    >>> Choice(name="margin", label="Margin", options=(("0", "equal"), ("0.01", "up to 0.01"))).words("0")
    'equal'
    """

    options: tuple[tuple[str, str], ...] = ()
    default: str = ""
    few: bool = False  #: all options are worth showing at once
    measure: bool = False  #: the options are the measures of the sidebar

    def fit(self, context: Any) -> Self:
        fitted = super().fit(context)
        values = [value for value, _ in fitted.options]
        if fitted.default in values or not values:
            return fitted
        return replace(fitted, default=values[0])

    def check(self, value: str) -> str:
        values = [option for option, _ in self.options]
        if self.measure and value not in values:
            with suppress(IrvizError):  # as links are typed by hand: TOMA(nDCG@10)
                value = str(parse_measure(value))
        if value in values:
            return value
        if not values:
            raise IrvizError(f"`{excerpt(value)}` cannot be chosen, because these data leave no choice")
        raise IrvizError(f"`{excerpt(value)}` is none of {join_words(list(filter(None, values)), most=12)}")

    def words(self, value: str) -> str:
        """The words for `value`."""
        return dict(self.options).get(value, value)


def one_measure(name: str, label: str, position: int = 0, help: str = "One of the measures of the sidebar.") -> Choice:
    """A choice among the measures of the sidebar; the one at `position`, or the last, where a link says nothing."""

    def fields(context: Any) -> dict[str, Any]:
        options = tuple((measure, context.label(measure)) for measure in context.measures)
        return {"options": options, "default": options[min(position, len(options) - 1)][0] if options else ""}

    return Choice(name=name, label=label, help=help, measure=True, from_context=fields)


@dataclass(frozen=True, kw_only=True)
class Number(Control):
    """A number in [low, high]; `whole` numbers only, or in steps for a slider.

    One that is made from the declarations of parameters (`kinds`) takes whatever one of them takes;
    `low` and `high` are then what its slider offers.
    """

    low: float = 0.0
    high: float = 1.0
    step: float = math.nan  #: by default 0.05, of whole numbers 1
    whole: bool = False
    slider: bool = True
    stops: tuple[float, ...] = ()  #: where its slider stops beside its steps; with steps of 0 only there
    kinds: tuple[tuple[str, Real | Integer], ...] = ()  #: by the symbol of what is declared so
    empty: str = "default"  #: what no number at all means, for the empty widget
    power: bool = False  #: positive: links have the power of ten, people see the number itself

    def __post_init__(self) -> None:
        if math.isnan(self.step):
            object.__setattr__(self, "step", 1 if self.whole else 0.05)

    def words(self, value: float | None) -> str:
        """The number beside the slider."""
        if value is None:
            return self.empty
        if self.power:
            return written_out(10.0**value)
        return plain(value) if self.whole else f"{value:.4g}"

    def read(self, text: str) -> float:
        try:
            return float(text)
        except ValueError as error:
            raise IrvizError(f"`{excerpt(text)}` is not a number") from error

    def check(self, value: float) -> float:
        if self.kinds and not self.whole:
            return self._check_kinds(value)
        if not math.isfinite(value) or not self.low <= value <= self.high:
            raise IrvizError(f"`{plain(value)}` is not between {plain(self.low)} and {plain(self.high)}")
        if self.whole and value != int(value):
            raise IrvizError(f"`{plain(value)}` is not a whole number")
        return int(value) if self.whole else float(value)

    def _check_kinds(self, value: float) -> float:
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
    """Yes or no; 1 or 0 in a link.  A `button` says yes when it is pressed, and is not there any more."""

    default: bool = False
    button: bool = False

    def read(self, text: str) -> bool:
        if text not in ("0", "1"):
            raise IrvizError(f"`{excerpt(text)}` is neither 1 (yes) nor 0 (no)")
        return text == "1"

    def format(self, value: bool) -> str:
        return "1" if value else "0"

    def words(self, value: bool) -> str:
        return "yes" if value else "no"


@dataclass(frozen=True, kw_only=True)
class Measures(Control):
    """A list of measure expressions; of the names in `imported_names` where scores were imported."""

    default: tuple[str, ...] = ()
    imported_names: tuple[str, ...] = ()

    def fit(self, context: Any) -> Self:
        fitted = super().fit(context)
        known = set(fitted.imported_names)
        if not known or known >= set(fitted.default):
            return fitted
        return replace(fitted, default=fitted.imported_names[:12])

    def read(self, text: str) -> tuple[str, ...]:
        return tuple(split_names(text) if self.imported_names else split_expressions(text))

    def check(self, value: Sequence[str]) -> tuple[str, ...]:
        canonical = tuple(dict.fromkeys(self.one(text) for text in value))
        if not canonical:
            raise IrvizError("it names no measure")
        if len(canonical) > MOST_MEASURES:
            raise IrvizError(f"it names {len(canonical)} measures; at most {MOST_MEASURES} are drawn")
        return canonical

    def one(self, text: str) -> str:
        """The label of one measure."""
        if not self.imported_names:
            return str(parse_measure(text))
        if text in self.imported_names:
            return text
        raise IrvizError(
            f"there is no measure `{excerpt(text)}` among these scores: {join_words(self.imported_names, joiner='and')}"
        )

    def rescue(self, text: str) -> tuple[str, ...]:
        sound = []
        for part in self.read(text[:LONGEST_VALUE]):
            with suppress(IrvizError):
                sound.append(self.one(part))
        return tuple(dict.fromkeys(sound))[:MOST_MEASURES] or self.default

    def format(self, value: Sequence[str]) -> str:
        return join_names(value) if self.imported_names else ",".join(value)


@dataclass(frozen=True, kw_only=True)
class Names(Control):
    """A selection of names, such as topics; the page decides what an empty one means."""

    default: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    most: int = 10_000
    empty: str = "all"  #: what none at all means, for the empty widget
    option_labels: tuple[tuple[str, str], ...] = ()  #: option and what a person reads in its place
    ordered: bool = False  #: in the order of choosing, not in that of the options

    def read(self, text: str) -> tuple[str, ...]:
        return tuple(split_names(text))

    def check(self, value: Sequence[str]) -> tuple[str, ...]:
        known = set(self.options)
        missing = [name for name in value if name not in known]
        if missing:
            names = join_words((f"`{excerpt(name, 30)}`" for name in missing), most=3, joiner="and")
            raise IrvizError(f"not here: {names}")
        if len(value) > self.most:
            raise IrvizError(f"it names {len(value)}; at most {self.most} can be chosen")
        chosen = dict.fromkeys(value)
        return tuple(chosen) if self.ordered else tuple(name for name in self.options if name in chosen)

    def rescue(self, text: str) -> tuple[str, ...]:
        known = set(self.options)
        kept = self.check([name for name in self.read(text[:LONGEST_VALUE]) if name in known][: self.most])
        return kept or self.default

    def words(self, value: Sequence[str]) -> str:
        if not value:
            return self.empty
        labels = dict(self.option_labels)
        return "; ".join(labels.get(option, option) for option in value) if labels else self.format(value)

    def format(self, value: Sequence[str]) -> str:
        return join_names(value)


@dataclass(frozen=True, kw_only=True)
class Text(Control):
    """A line of text, or a value that is typed as one; a text that is refused leaves the value as it was."""

    default: Any = ""
    most: int | None = None  #: characters
    empty: str = ""  #: what no text at all means, for the empty widget

    def check(self, value: Any) -> Any:
        if self.most is not None and len(value) > self.most:
            raise IrvizError(f"it is {len(value)} characters long; at most {self.most} are read")
        return value


@dataclass(frozen=True, kw_only=True)
class PreviousMeasure(Text):
    """The state that a page compares its own with: a measure, as an expression, or the texts that differ; "" for none.

    The dashboard sets it to the last state that was shown in full.
    """

    default: str = ""
    imported_names: tuple[str, ...] = ()  #: the names there are, where scores were imported

    def check(self, value: str) -> str:
        if not value.strip() or value in self.imported_names or value.startswith("v="):
            return value.strip() if not self.imported_names else value
        if self.imported_names:
            raise IrvizError(f"there is no measure `{excerpt(value)}` among these scores")
        return str(parse_measure(value))


@dataclass(frozen=True, kw_only=True)
class SweptParameters(Text):
    """The parameter of a measure that a page sweeps; set by buttons beside their widgets."""

    paths: Callable[[Any, Mapping[str, Any]], Container[str]]  #: those that can be, of the measure at hand


# -- Controls made from the declarations of parameters, so that domain, words and widget are said once
#
# A measure, a browsing model and an aggregation declare their parameters
# (:mod:`irviz.measures.language.parameters`).  The widgets of the sidebar, the controls of a page and those
# of a lab are made from that.  A link may say whatever the declaration takes; a slider offers the part
# that is worth offering.

SYMBOLS = {"alpha": "α", "beta": "β", "gamma": "γ", "eps": "ε", "cutoff": "k"}  #: parameters beside their widgets
CUTOFF = Parameter(Integer(), "The rank after which nothing is read.")  #: what ``@k`` is for a user who must stop

One = TypeVar("One", bound=Expression)
Taker = tuple[type[Expression], str, Parameter]  #: an expression, one of its parameters, and its declaration


def control_of(takers: Sequence[Taker], **said: Any) -> Control:
    """The control of a parameter that one or several expressions take, with what its place has `said` about it.

    The rest, such as its help, is that of the first declaration.
    """
    cls, name, declared = takers[0]
    kind = declared.kind
    said = {"help": declared.doc, "default": default_of(cls, name), **said}
    if isinstance(kind, OneOf):
        return Choice(options=tuple((option, option) for option in kind.options), **said)
    if isinstance(kind, Truth):
        return Flag(**said)
    kinds = tuple(
        (expression.symbol, each.kind) for expression, _, each in takers if isinstance(each.kind, Real | Integer)
    )
    if not kinds:
        raise IrvizError(f"No control is made of a parameter that must {kind.describe()}.")
    ranges = [widget_range(each) for _, each in kinds]
    low, high = max(low for low, _ in ranges), min(high for _, high in ranges)  # what suits all of them
    whole = isinstance(kind, Integer)
    domain = {
        "low": low,
        "high": high,
        "step": getattr(kind, "step", 1),
        "whole": whole,
        "kinds": kinds,
        "slider": not whole and math.isfinite(low) and math.isfinite(high),
    }
    return Number(**{**domain, **said})


def widget_range(kind: Real | Integer) -> tuple[float, float]:
    """From where to where a widget goes; infinite where there is no end.

    >>> widget_range(Real(0, 1, open_low=True, open_high=True)), widget_range(Real(low=0, slider=(0.25, 10)))
    ((0.05, 0.95), (0.25, 10))
    >>> widget_range(Integer())
    (1, 1000000)
    """
    if isinstance(kind, Integer):
        return kind.low, kind.high
    if kind.slider is not None:
        return kind.slider
    low = round(kind.low + kind.step, 6) if kind.open_low else kind.low
    high = round(kind.high - kind.step, 6) if kind.open_high else kind.high
    return low, high


def default_of(cls: type[Expression], name: str) -> Any:
    """The default of a parameter."""
    return cls.__dataclass_fields__[name].default


# -- the parameters of a family of expressions -------------------------------------------------


def parameters_of(cls: type[Expression]) -> dict[str, Parameter]:
    """The settable parameters of an expression: those declared, and the cutoff of one that needs it."""
    parameters = dict(declarations(cls))
    return parameters | {"cutoff": CUTOFF} if cls.cut == "required" else parameters


def takers(classes: Iterable[type[Expression]], key: Callable[[str], str]) -> dict[str, list[Taker]]:
    """The classes that take each parameter, by its key in links: parameters of one key are one choice."""
    by_key: dict[str, list[Taker]] = {}
    for cls in classes:
        for name, declared in parameters_of(cls).items():
            by_key.setdefault(key(name), []).append((cls, name, declared))
    return by_key


def label_of(name: str, parameter: Parameter) -> str:
    """The label of the widget: the parameter, with the word for it where its description starts with one.

    >>> label_of("p", Parameter(Real(0, 1), "Persistence: the probability of reading on.")), label_of("cutoff", CUTOFF)
    ('p · persistence', 'k')
    """
    word, (lead, colon, _) = SYMBOLS.get(name, name), parameter.doc.partition(":")
    return f"{word} · {lead.lower()}" if colon and len(lead) <= 24 else word


def label_for(taking: Sequence[Taker]) -> str:
    """The same where several expressions are on show: the parameter, and who takes it."""
    symbols = join_words([cls.symbol for cls, _, _ in taking], joiner="and")
    return f"{SYMBOLS.get(taking[0][1], taking[0][1])} of {symbols}"


def build_expression(cls: type[One], values: Mapping[str, Any], key: Callable[[str], str]) -> One:
    """The expression whose parameters are the values of their controls."""
    return cls(**{name: values[key(name)] for name in parameters_of(cls)})
