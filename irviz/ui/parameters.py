"""A widget for every parameter of an expression, made from its declaration as the controls of a page are.

A widget that is moved makes the changed expression and hands it to ``put``; a value
outside the domain is said below the list of measures, and the last good one stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.catalogue import measures
from irviz.measures.language.base import Expression, Measure, family
from irviz.measures.language.grammar import parse
from irviz.measures.language.parameters import (
    Nested,
    Numbers,
    OneOf,
    Parameter,
    Real,
    Text,
    Truth,
    Whole,
    declarations,
    written,
)
from irviz.ui.state import state
from irviz.ui.text import md_escape
from irviz.ui.widgets import fold, show_widget
from irviz.workspace.control import Choice, Control, Number, Words, control_of, default_of, label_of, plain

# -- Measures worth offering for a collection, and expressions changed one parameter at a time -----
#
# Everything is read off the catalogue and the declarations of the parameters; no measure
# is known here by name.

_CUTOFFS = (10, 100)


def suggestions(collection: Collection) -> list[str]:
    """Expressions of the catalogue that make sense on `collection`, in its order."""
    found: list[str] = []
    for cls in measures().values():
        found += [str(one) for one in _variants(cls, collection)]
    return list(dict.fromkeys(found))


def _variants(cls: type[Measure], collection: Collection) -> list[Measure]:
    cutoffs = {"none": (None,), "required": _CUTOFFS, "optional": (None, *_CUTOFFS[:1])}[cls.cut]
    variants = []
    for cutoff in cutoffs:
        try:
            variants.append(cls(cutoff=cutoff, **fitting(cls, collection)))
        except (IrvizError, TypeError):  # it needs something that only a person can choose
            continue
    return variants


def fitting(cls: type[Expression], collection: Collection) -> dict[str, Any]:
    """Values for those parameters whose default cannot fit every number of grades."""
    levels = len(collection.grades[0]) - 1
    return {
        name: even_shares(levels)
        for name, declared in declarations(cls).items()
        if isinstance(declared.kind, Numbers) and declared.kind.simplex and not declared.kind.optional
    }


def completed(text: str, collection: Collection) -> str:
    """A measure written by its name alone, with shares that fit the grades where the default fits two only.

    On three grades above zero, GAP is ``GAP(g=[0.33,0.33,0.34])``; all else stays as it is written.
    """
    name, at, cutoff = text.strip().partition("@")
    cls = measures().get(name.strip())
    shares = fitting(cls, collection) if cls is not None else {}
    given = ",".join(f"{key}={written(share)}" for key, share in shares.items() if share)  # no grade above zero: none
    return f"{name.strip()}({given}){at}{cutoff}" if given else text


def even_shares(count: int) -> tuple[float, ...]:
    """`count` numbers of two digits that sum to 1, as even as they can be.

    >>> even_shares(3)
    (0.33, 0.33, 0.34)
    """
    hundredths = [(100 * (i + 1)) // count - (100 * i) // count for i in range(count)]
    return tuple(part / 100 for part in hundredths)


def moved_share(shares: tuple[float, ...], place: int, value: float) -> tuple[float, ...]:
    """Shares that still sum to 1 after one of them is set: the others give or take in proportion.

    >>> moved_share((0.5, 0.25, 0.25), 0, 0.2)
    (0.2, 0.4, 0.4)
    """
    others = 1.0 - shares[place]
    rest = 1.0 - value
    moved = [
        value if i == place else (share * rest / others if others > 1e-12 else rest / (len(shares) - 1))
        for i, share in enumerate(shares)
    ]
    rounded = [round(share, 4) for share in moved]
    last = max((i for i in range(len(shares)) if i != place), key=lambda i: rounded[i], default=place)
    rounded[last] = round(1.0 - sum(share for i, share in enumerate(rounded) if i != last), 4)
    return tuple(rounded)


def changed(expression: Expression, name: str, value: Any) -> Expression:
    """The expression with one parameter (or its ``cutoff``) set; refused like any other."""
    return replace(expression, **{name: value})


def read_value(expression: Expression, name: str, text: str) -> Any:
    """A parameter's value as the grammar reads it, such as a list of numbers."""
    arguments = ",".join(
        f"{field.name}={written(getattr(expression, field.name)) if field.name != name else text}"
        for field in fields(expression)
        if field.name in declarations(type(expression))
    )
    positional = [key for key, declared in declarations(type(expression)).items() if declared.positional]
    for key in positional:
        arguments = arguments.replace(f"{key}=", "", 1)
    cutoff = "" if expression.cutoff is None else f"@{expression.cutoff}"
    return getattr(parse(f"{expression.symbol}({arguments}){cutoff}", expression.family), name)


# --------------------------------------------------------------------------------------------------

Put = Callable[[Any], None]
Read = Callable[[Any], Any]
Made = TypeVar("Made", bound=Expression)
FIRST = ""  #: what a link never says: the first aspect


def show_parameters(one: Expression, collection: Collection, put: Put, scope: str) -> None:
    """Widgets for the cutoff and every parameter of `one`; `put` is given the changed expression."""
    widgets = list(_widgets(one, collection, put, scope))
    main, more = widgets[:2], widgets[2:]
    _show(main)
    if more:
        fold(f"More parameters of {md_escape(one.symbol)}", f"{scope}.more", partial(_show, more))


def _show(widgets: Iterable[Callable[[], None]]) -> None:
    for show in widgets:
        show()


def _widgets(one: Expression, collection: Collection, put: Put, scope: str) -> Iterator[Callable[[], None]]:
    """In the order they are shown: what is written out always, the cutoff, the rest."""
    declared = {
        name: parameter
        for name, parameter in declarations(type(one)).items()
        if not (name == "aspect" and len(collection.aspects) < 2)
    }
    first = [name for name, parameter in declared.items() if parameter.shown or parameter.positional]
    for name in first:
        yield partial(_draw, one, name, declared[name], collection, put, scope)
    if one.cut != "none":
        yield partial(_draw_control, one, _cutoff(), one.cutoff, put, f"{scope}.{one.symbol}.cutoff")
    for name, parameter in declared.items():
        if name not in first:
            yield partial(_draw, one, name, parameter, collection, put, scope)


def _draw(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, scope: str) -> None:
    """The widget, or the widgets, of one parameter."""
    kind, value, key = declared.kind, getattr(one, name), f"{scope}.{one.symbol}.{name}"
    if isinstance(kind, Nested):
        _draw_nested(one, name, declared, kind, collection, put, key)
    elif isinstance(kind, Numbers) and kind.simplex and isinstance(value, tuple) and not kind.nested:
        _draw_shares(one, name, declared, collection, put, key)
    elif isinstance(kind, Text) and name == "aspect":
        shown = value if value in collection.aspects else FIRST
        _draw_control(one, _aspect(name, declared, collection), shown, put, key, lambda said: said or None)
    elif isinstance(kind, Real | Whole | OneOf | Truth):
        _draw_control(one, _plain(one, name, declared), value, put, key)
    else:
        shown = "" if value is None else written(value).strip("'") if isinstance(value, str) else written(value)
        control = Words(name=name, label=label_of(name, declared), help=_help(declared), most=2000)
        _draw_control(one, control, shown, put, key, partial(_read, one, name))


def _draw_control(
    one: Expression, control: Control, value: Any, put: Put, key: str, read: Read = lambda value: value
) -> None:
    show_widget(control, value, key, partial(_apply, one, control.name, put, key, read))


def _apply(one: Expression, name: str, put: Put, key: str, read: Read) -> None:
    """A person moved the widget `key`."""
    session = state()
    session.touched()
    try:
        put(changed(one, name, read(st.session_state[key])))
    except IrvizError as error:
        session.refused = str(error)


# -- the controls --------------------------------------------------------------------------


def _plain(one: Expression, name: str, declared: Parameter) -> Control:
    """That of a number, a choice or a yes and no; a number that may be absent is typed."""
    control = control_of([(type(one), name, declared)], name=name, label=label_of(name, declared))
    if not isinstance(control, Number):
        return control
    if control.slider and getattr(one, name) is not None:
        return control
    return replace(control, slider=False, low=-math.inf, high=math.inf, help=_help(declared), empty="not set")


def _cutoff() -> Number:
    return Number(
        name="cutoff",
        label="Cutoff @",
        low=1,
        high=math.inf,
        step=1,
        whole=True,
        slider=False,
        empty="whole list",
        help="Only ranks up to this one count. If empty: the whole list.",
    )


def _aspect(name: str, declared: Parameter, collection: Collection) -> Choice:
    first = (FIRST, f"{collection.aspects[0]} (the first)")
    return Choice(
        name=name, label=name, help=declared.doc, options=(first, *((one, one) for one in collection.aspects))
    )


def _draw_nested(
    one: Expression, name: str, declared: Parameter, kind: Nested, collection: Collection, put: Put, key: str
) -> None:
    """Which expression, and its own parameters under it."""
    value, known = getattr(one, name), family(kind.family)
    options = tuple((symbol, cls.title or symbol) for symbol, cls in known.items())
    control = Choice(name=name, label=label_of(name, declared), help=declared.doc, options=options)
    _draw_control(one, control, value.symbol, put, key, lambda symbol: made(known[symbol], collection, value))
    if declarations(type(value)) or value.cut != "none":
        with st.container(border=True):
            _show(list(_widgets(value, collection, lambda new: put(changed(one, name, new)), key)))


def made(cls: type[Made], collection: Collection, before: Expression | None = None) -> Made:
    """An expression of a kind with defaults that fit the collection; a measure keeps the cutoff of the one before."""
    kept = {"cutoff": before.cutoff} if before and cls.family == "measure" and cls.cut == "optional" else {}
    try:
        return cls(**kept, **fitting(cls, collection))
    except TypeError as error:  # it has a parameter without default
        raise IrvizError(
            f"{cls.symbol} has a parameter without a default; write the whole expression in the list."
        ) from error


def _draw_shares(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    """A slider for every share; the others give or take, so that they always sum to 1."""
    shares = getattr(one, name)
    aspects = isinstance(declared.kind, Numbers) and declared.kind.each.startswith("aspect")
    grades = [f"grade {plain(grade)}" for grade in collection.grades[0][1:]]
    items = [f"aspect {md_escape(aspect)}" for aspect in collection.aspects] if aspects else grades
    names = items if len(items) == len(shares) else [f"number {i + 1}" for i in range(len(shares))]
    if not aspects and len(grades) not in (0, len(shares)):
        st.button(
            f"Make {name} fit the {len(grades)} grades",
            key=f"{key}.fit",
            on_click=_refit,
            args=(one, name, put, collection),
        )
    for place, share in enumerate(shares if len(shares) > 1 else ()):
        control = Number(name=name, label=f"{name} of {names[place]}", step=0.01, help=declared.doc)
        _draw_control(one, control, float(share), put, f"{key}.{place}", partial(moved_share, shares, place))


def _refit(one: Expression, name: str, put: Put, collection: Collection) -> None:
    put(changed(one, name, fitting(type(one), collection)[name]))


def _read(one: Expression, name: str, text: str) -> Any:
    return read_value(one, name, text.strip()) if text.strip() else default_of(type(one), name)


# -- in words --------------------------------------------------------------------------------


def _help(declared: Parameter) -> str:
    described = declared.kind.describe()
    return f"{declared.doc} It must {described}." if described else declared.doc
