"""A control as the widget that fits it.

A widget is set from the text the session remembers before it is drawn; when a person
moves it, its value is written back as a text before the next run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from irviz.errors import IrvizError
from irviz.ui.state import SIDEBAR, Session, state
from irviz.ui.text import as_markdown, md_escape
from irviz.workspace.control import Choice, Control, Flag, Measures, Names, Number, Text

_SIDE_BY_SIDE, _IN_ROWS = 6, 12  #: up to so many options are shown side by side, and in several rows
STAYS = "It stays as it was."  #: end of what is said of a text that a control refuses; a lab says it below its box
#: options that a select box lists, as each takes the browser time at every move; others can be typed
_LONGEST_LIST = 500


def visible(controls: Iterable[Control], values: dict[str, Any]) -> list[Control]:
    """The controls with a widget that matter now; one with a single option or number is not a choice."""
    return [one for one in controls if one.widget and one.matters(values) and not _is_single(one)]


def _is_single(control: Control) -> bool:
    if isinstance(control, Choice):
        return len(control.options) < 2
    if isinstance(control, Names):
        return not control.options
    return isinstance(control, Number) and control.low >= control.high


def show_control(control: Control, value: Any, scope: str) -> None:
    """The widget of a control that is fitted to what is loaded; one that an exercise locks cannot be moved."""
    key = f"{scope}.{control.name}"
    disabled = control.name in state().locked_controls(scope)
    show_widget(control, value, key, partial(_take_widget, scope, control, key), disabled)
    for complaint in state().complaints if scope.startswith("lab_") else ():
        if complaint.startswith(f"{control.label}: ") and complaint.endswith(STAYS):
            st.markdown(f":red[{as_markdown(complaint)}]")


def show_widget(control: Control, value: Any, key: str, on_change: Callable[[], None], disabled: bool = False) -> None:
    """The widget that fits a control; `on_change` is called when a person moves it."""
    kind = next(kind for kind in type(control).__mro__ if kind in WIDGETS)
    WIDGETS[kind](control, value, {"help": control.help, "disabled": disabled, **heard(key, on_change)})


def heard(key: str, on_change: Callable[..., None], *args: Any) -> dict[str, Any]:
    """Key and callback of a widget; none where it went with its page and the browser, a step behind, reports it."""

    def call() -> None:
        if key in st.session_state:
            on_change(*args)

    return {"key": key, "on_change": call}


def draw_all(controls: Iterable[Control], values: dict[str, Any], scope: str) -> None:
    """The widgets of several controls, one below the other."""
    for control in controls:
        show_control(control, values[control.name], scope)


def fold(label: str, key: str, content: Callable[[], object], expanded: bool = False) -> bool:
    """Fold content away under `label`, and draw it only while it is unfolded; true if it is."""
    section = st.expander(label, expanded=expanded, key=key, on_change="rerun")
    if section.open:
        with section:
            content()
    return bool(section.open)


def download(label: str, content: Any, file: str, media: str, **more: Any) -> None:
    """A button that downloads `content`, or what this function returns when it is pressed; nothing is drawn anew."""
    st.download_button(label, content, file, media, on_click="ignore", **more)


def put_widget(key: str, value: Any, *made_with: Any) -> None:
    """Make the widget `key` show `value` when it is drawn next.

    Streamlit starts a widget anew, at its default, on another page or with other bounds (`made_with`), although its
    session state still holds the value of the old one under this key. A new one is told its value twice: who clicks as
    soon as a page is there has the second run drawn before the browser knows of the first.
    """
    session = state()
    place = (session.run.page and session.run.page.name, *made_with)
    known, times = session.drawn_widgets.get(key, ((), 0))
    times = times + 1 if known == place else 1
    if times <= 2 or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    session.drawing[key] = place, times


def _take_widget(scope: str, control: Control, key: str) -> None:
    """A person moved the widget `key`."""
    session = state()
    session.forget_complaints()
    take(session, scope, control, st.session_state[key])


def take(session: Session, scope: str, control: Control, value: Any) -> None:
    """Keep what a person gave a control; a text that it refuses leaves it as it was."""
    typed = isinstance(control, Text) or (isinstance(control, Choice) and len(control.options) > _LONGEST_LIST)
    if typed and isinstance(value, str):
        try:
            value = control.parse(value)
        except IrvizError as error:
            session.complaints.append(f"{control.label}: {str(error).rstrip('.')}. {STAYS}")
            return
    if isinstance(control, Choice) and isinstance(value, str):
        value = session.box.current(value)  # the browser may be a step behind
    remember(session, scope, control, value)


def remember(session: Session, scope: str, control: Control, value: Any) -> None:
    """Keep the text of a control's value; nothing for its default."""
    value = tuple(value) if isinstance(value, list) else value
    session.put(scope, control.name, None if value in (None, control.default) else control.format(value))


def exchange(control: Measures, measures: Iterable[str], new: Mapping[int, str]) -> bool:
    """Put expressions in the places of old ones, on every page that shows these; whether anything changed."""
    session = state()
    measures = tuple(map(session.box.current, measures))  # a press may come before the run of the last one is done
    after = tuple(new.get(place, label) for place, label in enumerate(measures))
    if after == measures:
        return False
    if twice := [label for label in after if after.count(label) > 1]:
        session.box.refusal = f"{twice[0]} is already in the list."
        return False
    for old, label in zip(measures, after, strict=True):
        if old != label:
            session.rename(old, label)
    page, shown = session.run.page, session.box.current(session.comparison.measure)
    if page is not None and "turns" in page.uses and shown in after:  # also where it was shown by default
        session.put(page.name, page.focus, shown)
    remember(session, SIDEBAR, control, after)
    return True


Usual = dict[str, Any]  #: what every widget is given: "key", "help", "on_change" and "disabled"


def _choice(control: Choice, value: str, usual: Usual) -> None:
    words = dict(control.options)
    options = list(words)
    put_widget(usual["key"], value, words.get(value, value))
    if control.few and len(options) <= _IN_ROWS:
        show = st.segmented_control if len(options) <= _SIDE_BY_SIDE else st.pills
        show(
            control.label,
            options,
            **usual,
            required=True,
            format_func=lambda option: md_escape(words.get(option, option)),
        )
    else:
        more = len(options) > _LONGEST_LIST
        if more:
            usual |= {"help": f"Type any of {len(options):,}. {control.help}"}
        st.selectbox(
            control.label,
            options[:_LONGEST_LIST],
            **usual,
            format_func=lambda option: words.get(option, option),
            accept_new_options=more,
        )


def _number(control: Number, value: float | None, usual: Usual) -> None:
    kind = int if control.whole else float
    low, high = (kind(end) if math.isfinite(end) else None for end in (control.low, control.high))
    if control.slider and low is not None and high is not None and value is not None:
        low, high = min(low, kind(value)), max(high, kind(value))
    step = kind(control.step)
    put_widget(usual["key"], None if value is None else kind(value), low, high, step)
    if control.power or (control.stops and control.slider and (value is not None or control.default is None)):
        st.select_slider(control.label, stops(control, value), **usual, format_func=control.words)
    elif control.slider and low is not None and high is not None and value is not None:
        st.slider(control.label, low, high, step=step, **usual)
    else:
        st.number_input(
            control.label,
            low,
            high,
            step=step,
            **usual,
            placeholder=control.empty,
            format=None if control.whole else "%g",
        )


def stops(control: Number, value: float | None) -> list[float | None]:
    """Positions of the slider of a number: its steps, its stops, its present value, and None if that is the default.

    >>> stops(Number(name="p", label="p", low=0.25, high=0.5, step=0.05, stops=(1 / 3,), default=0.5), 0.25)
    [0.25, 0.3, 0.3333333333333333, 0.35, 0.4, 0.45, 0.5]
    >>> stops(Number(name="t", label="from", step=0, stops=(1.0, 2.0), default=None), None)
    [None, 1.0, 2.0]
    """
    count = round((control.high - control.low) / control.step) + 1 if control.step else 0
    steps = [round(control.low + n * control.step, 9) for n in range(count)]
    there = {*steps, *control.stops} | ({value} if value is not None else set())
    return [*([None] if control.default is None else []), *sorted(there)]


def _flag(control: Flag, value: bool, usual: Usual) -> None:
    if not control.button:
        put_widget(usual["key"], value)
        st.toggle(control.label, **usual)
    elif not value:
        st.button(control.label, on_click=usual.pop("on_change"), **usual)


def _names(control: Names, value: tuple[str, ...], usual: Usual) -> None:
    """Many may be chosen at once by a part of their names; where order or number counts, Enter takes the top one."""
    limited = control.most < len(control.options)
    one_by_one, labels = limited or control.ordered, dict(control.option_labels)
    put_widget(usual["key"], list(value), limited and control.most)
    st.multiselect(
        control.label,
        list(control.options),
        **usual,
        max_selections=control.most if limited else None,
        placeholder=control.empty,
        format_func=lambda option: labels.get(option, option),
        filter_mode="fuzzy" if one_by_one else "contains",
        select_all=not one_by_one,
    )


def _measures(control: Measures, value: tuple[str, ...], usual: Usual) -> None:
    put_widget(usual["key"], list(value))
    st.multiselect(control.label, list(control.imported_names or value), **usual, select_all=False)


def _text(control: Text, value: Any, usual: Usual) -> None:
    put_widget(usual["key"], control.format(value))
    st.text_input(control.label, **usual, max_chars=control.most, placeholder=control.empty)


#: the widget of every kind of control, and of the kinds made from it
WIDGETS: dict[type[Control], Callable[..., None]] = {
    Choice: _choice,
    Number: _number,
    Flag: _flag,
    Names: _names,
    Measures: _measures,
    Text: _text,
}
