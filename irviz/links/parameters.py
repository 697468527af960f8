"""Controls made from the declarations of parameters, so that domain, words and widget are said once.

A measure, a browsing model and an aggregation declare their parameters
(:mod:`irviz.measures.language.parameters`).  The widgets of the sidebar, the controls of a page and those of a lab are
made from that.  A link may say whatever the declaration takes; a slider offers the part that is worth offering.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from irviz.errors import IrvizError, listed
from irviz.links.control import Choice, Control, Flag, Number
from irviz.measures.language.base import Expression
from irviz.measures.language.parameters import OneOf, Parameter, Real, Truth, Whole, declarations

WRITTEN = {"alpha": "α", "beta": "β", "gamma": "γ", "eps": "ε", "cutoff": "k"}  #: parameters beside their widgets
CUTOFF = Parameter(Whole(), "The rank after which nothing is read.")  #: what ``@k`` is for a user who must stop

One = TypeVar("One", bound=Expression)
Taker = tuple[type[Expression], str, Parameter]  #: an expression, one of its parameters, and its declaration


def control_of(takers: Sequence[Taker], **said: Any) -> Control:
    """The control of a parameter that one or several expressions take.

    Parameters
    ----------
    said
        What its place says about it, such as its name in links; the rest is that of the first declaration.
    """
    cls, name, declared = takers[0]
    kind = declared.kind
    said = {"help": declared.doc, "default": default_of(cls, name), **said}
    if isinstance(kind, OneOf):
        return Choice(**{"options": tuple((one, one) for one in kind.options), **said})
    if isinstance(kind, Truth):
        return Flag(**said)
    kinds = tuple((one.symbol, each.kind) for one, _, each in takers if isinstance(each.kind, Real | Whole))
    if not kinds:
        raise IrvizError(f"No control is made of a parameter that must {kind.describe()}.")
    ranges = [offered(each) for _, each in kinds]
    low, high = max(low for low, _ in ranges), min(high for _, high in ranges)  # what suits all of them
    whole = isinstance(kind, Whole)
    domain = {
        "low": low,
        "high": high,
        "step": getattr(kind, "step", 1),
        "whole": whole,
        "kinds": kinds,
        "slider": not whole and math.isfinite(low) and math.isfinite(high),
    }
    return Number(**{**domain, **said})


def offered(kind: Real | Whole) -> tuple[float, float]:
    """From where to where a widget goes; infinite where there is no end.

    >>> offered(Real(0, 1, open_low=True, open_high=True)), offered(Real(low=0, slider=(0.25, 10))), offered(Whole())
    ((0.05, 0.95), (0.25, 10), (1, 1000000))
    """
    if isinstance(kind, Whole):
        return kind.low, kind.high
    if kind.slider is not None:
        return kind.slider
    low = round(kind.low + kind.step, 6) if kind.open_low else kind.low
    high = round(kind.high - kind.step, 6) if kind.open_high else kind.high
    return low, high


def default_of(cls: type[Expression], name: str) -> Any:
    """What a parameter is where nothing is said."""
    return cls.__dataclass_fields__[name].default


# -- the parameters of a family of expressions -------------------------------------------------


def parameters_of(cls: type[Expression]) -> dict[str, Parameter]:
    """What can be set of an expression: its declared parameters, and the cutoff of one that needs it."""
    found = dict(declarations(cls))
    return found | {"cutoff": CUTOFF} if cls.cut == "required" else found


def takers(classes: Iterable[type[Expression]], key: Callable[[str], str]) -> dict[str, list[Taker]]:
    """Who takes each parameter, by what links call it: parameters of one `key` are one choice for all of them."""
    found: dict[str, list[Taker]] = {}
    for cls in classes:
        for name, declared in parameters_of(cls).items():
            found.setdefault(key(name), []).append((cls, name, declared))
    return found


def label_of(name: str, declared: Parameter) -> str:
    """What stands beside the widget: the parameter, with the word for it where its description starts with one.

    >>> label_of("p", Parameter(Real(0, 1), "Persistence: the probability of reading on.")), label_of("cutoff", CUTOFF)
    ('p · persistence', 'k')
    """
    word, (lead, colon, _) = WRITTEN.get(name, name), declared.doc.partition(":")
    return f"{word} · {lead.lower()}" if colon and len(lead) <= 24 else word


def label_for(taking: Sequence[Taker]) -> str:
    """The same where several expressions are on show: the parameter, and who takes it."""
    symbols = listed([cls.symbol for cls, _, _ in taking], joiner="and")
    return f"{WRITTEN.get(taking[0][1], taking[0][1])} of {symbols}"


def built(cls: type[One], values: Mapping[str, Any], key: Callable[[str], str]) -> One:
    """The expression whose parameters are the values of their controls."""
    return cls(**{name: values[key(name)] for name in parameters_of(cls)})
