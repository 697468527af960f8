"""A widget for every parameter of an expression, from its declaration.

A widget that is moved makes the changed expression and hands it to ``put``; a value
outside the domain is said below the list of measures, and the last good one stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import streamlit as st

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.links.text import plain
from irviz.measures.expression import Expression, family
from irviz.measures.parameters import Choice, Kind, Nested, Numbers, Parameter, Real, Text, Whole, declarations, written
from irviz.ui.state import state
from irviz.ui.text import md_escape
from irviz.ui.widgets.controls import fold, put_widget
from irviz.ui.widgets.suggest import changed, fitting, moved_share, read_value

Put = Callable[[Any], None]
Widget = Callable[[Expression, str, Parameter, Collection, Put, str], None]


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
        yield partial(_cutoff, one, collection, put, scope)
    for name, parameter in declared.items():
        if name not in first:
            yield partial(_draw, one, name, parameter, collection, put, scope)


def _draw(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, scope: str) -> None:
    kind, value = declared.kind, getattr(one, name)
    widget = _written
    if isinstance(kind, Real) and value is not None and _bounded(kind):
        widget = _slider
    elif isinstance(kind, (Real, Whole)):
        widget = _number
    elif isinstance(kind, Choice):
        widget = _option
    elif isinstance(kind, Text) and name == "aspect":
        widget = _aspect
    elif isinstance(kind, Nested):
        widget = _nested
    elif isinstance(kind, Numbers) and kind.simplex and isinstance(value, tuple) and not kind.nested:
        widget = _shares
    widget(one, name, declared, collection, put, f"{scope}.{one.symbol}.{name}")


def _apply(one: Expression, name: str, put: Put, key: str, read: Callable[[Any], Any] = lambda value: value) -> None:
    """A person moved the widget `key`."""
    session = state()
    session.touched()
    try:
        put(changed(one, name, read(st.session_state[key])))
    except IrvizError as error:
        session.refused = str(error)


def _bounded(kind: Real) -> bool:
    return kind.slider is not None or (math.isfinite(kind.low) and math.isfinite(kind.high))


def _slider(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    kind = declared.kind
    assert isinstance(kind, Real)
    low, high = kind.slider or (kind.low, kind.high)
    low = low + kind.step if kind.slider is None and kind.open_low else low
    high = high - kind.step if kind.slider is None and kind.open_high else high
    value = getattr(one, name)
    put_widget(key, float(value))
    st.slider(
        _label(name, declared),
        float(min(round(low, 6), value)),
        float(max(round(high, 6), value)),
        step=float(kind.step),
        key=key,
        help=declared.doc,
        on_change=_apply,
        args=(one, name, put, key, lambda moved: round(moved, 6)),
    )


def _number(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    kind, value = declared.kind, getattr(one, name)
    as_type = int if isinstance(kind, Whole) else float
    step = 1 if isinstance(kind, Whole) else getattr(kind, "step", 1.0)
    put_widget(key, value if value is None else as_type(value))
    st.number_input(
        _label(name, declared),
        step=as_type(step),
        key=key,
        help=_help(declared),
        placeholder="not set",
        format=None if as_type is int else "%g",
        on_change=_apply,
        args=(one, name, put, key),
    )


def _cutoff(one: Expression, collection: Collection, put: Put, scope: str) -> None:
    key = f"{scope}.{one.symbol}.cutoff"
    put_widget(key, one.cutoff)
    st.number_input(
        "Cutoff @",
        min_value=1,
        step=1,
        key=key,
        placeholder="whole list",
        on_change=_apply,
        args=(one, "cutoff", put, key),
        help="Only ranks up to this one count. Empty: the whole list.",
    )


def _option(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    kind = declared.kind
    assert isinstance(kind, Choice)
    put_widget(key, getattr(one, name))
    st.selectbox(
        _label(name, declared), kind.options, key=key, help=declared.doc, on_change=_apply, args=(one, name, put, key)
    )


def _aspect(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    options = [None, *collection.aspects]
    value = getattr(one, name)
    put_widget(key, value if value in options else None)
    st.selectbox(
        name,
        options,
        key=key,
        help=declared.doc,
        on_change=_apply,
        args=(one, name, put, key),
        format_func=lambda aspect: aspect or f"{collection.aspects[0]} (the first)",
    )


def _nested(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    """Which expression, and its own parameters under it."""
    kind, value = declared.kind, getattr(one, name)
    assert isinstance(kind, Nested)
    known = family(kind.family)
    options = list(known)
    put_widget(key, value.symbol)

    def make(symbol: str) -> Expression:
        cls = known[symbol]
        try:
            return cls(**fitting(cls, collection))
        except TypeError as error:  # it has a parameter without default
            raise IrvizError(f"{symbol} needs more to be said here; write the whole expression in the list.") from error

    st.selectbox(
        _label(name, declared),
        options,
        key=key,
        help=declared.doc,
        on_change=_apply,
        args=(one, name, put, key, make),
        format_func=lambda symbol: known[symbol].title or symbol,
    )
    if declarations(type(value)) or value.cut != "none":
        with st.container(border=True):
            inner = list(_widgets(value, collection, lambda new: put(changed(one, name, new)), key))
            for draw in inner:
                draw()


def _shares(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    """A slider for every share; the others give or take, so that they always sum to 1."""
    shares = getattr(one, name)
    grades = [plain(grade) for grade in collection.grades[0][1:]]
    names = grades if len(grades) == len(shares) else [str(i + 1) for i in range(len(shares))]
    if len(grades) not in (0, len(shares)):
        st.button(
            f"Make {name} fit the {len(grades)} grades",
            key=f"{key}.fit",
            on_click=_refit,
            args=(one, name, put, collection),
        )
    for place, share in enumerate(shares if len(shares) > 1 else ()):
        slot = f"{key}.{place}"
        put_widget(slot, float(share))
        st.slider(
            f"{name} of grade {names[place]}",
            0.0,
            1.0,
            step=0.01,
            key=slot,
            help=declared.doc,
            on_change=_apply,
            args=(one, name, put, slot, partial(moved_share, shares, place)),
        )


def _refit(one: Expression, name: str, put: Put, collection: Collection) -> None:
    put(changed(one, name, fitting(type(one), collection)[name]))


def _written(one: Expression, name: str, declared: Parameter, collection: Collection, put: Put, key: str) -> None:
    """Anything else is written as in an expression."""
    value = getattr(one, name)
    put_widget(key, "" if value is None else written(value).strip("'") if isinstance(value, str) else written(value))
    st.text_input(
        _label(name, declared),
        key=key,
        help=_help(declared),
        placeholder="default",
        on_change=_apply,
        args=(one, name, put, key, partial(_read, one, name)),
    )


def _read(one: Expression, name: str, text: str) -> Any:
    if not text.strip():
        return type(one).__dataclass_fields__[name].default
    return read_value(one, name, text.strip())


def _label(name: str, declared: Parameter) -> str:
    """The parameter's name, with the word for it where its description starts with one."""
    lead, colon, _ = declared.doc.partition(":")
    return f"{md_escape(name)} · {md_escape(lead.lower())}" if colon and len(lead) <= 24 else md_escape(name)


def _help(declared: Parameter) -> str:
    kind: Kind = declared.kind
    return f"{declared.doc} It must {kind.describe()}." if kind.describe() else declared.doc
