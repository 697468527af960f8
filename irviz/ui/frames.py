"""The figures of *What if* at other values of a handle, computed once the page is at rest, for the browser to draw.

``browser/frames.js`` asks for them, and draws them while the handle is moved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from html import escape
from itertools import islice
from typing import Any

import streamlit as st
from plotly.io.json import to_json_plotly

from irviz.errors import IrvizError
from irviz.figures.theme import dress
from irviz.figures.unchecked import layout_of, traces_of, unchecked
from irviz.limits import SECONDS, limit
from irviz.measures import measure
from irviz.measures.language.base import SLOT
from irviz.ui.navigation import stay_on
from irviz.ui.show import drawn, dressed, with_margins
from irviz.ui.state import SIDEBAR, SWEEP, Session
from irviz.workspace.context import Context
from irviz.workspace.control import SYMBOLS
from irviz.workspace.data import BASELINE
from irviz.workspace.job import Job
from irviz.workspace.measure_facts import as_reader, by_name
from irviz.workspace.page import BEFORE, Page, RowByRow, Values
from irviz.workspace.panel import Drawing, Panel

_ASKED = "frames.asked"
_MOST, _AT_ONCE = 20, 4  #: values of a handle, and those that are sent together
_OF_HOVER = ("customdata", "hovertemplate", "hoverinfo")  #: what frames leave out: nothing is hovered while they move


class _Background(Job):
    """A job that nobody sees; a press that came meanwhile ends it at its next report, where the session is read."""

    def __call__(self, share: float, text: str) -> None:
        super().__call__(share, text)
        st.session_state.get(_ASKED)


def show_frames(session: Session, page: Page, context: Context) -> None:
    """Draw the box in which the browser asks for frames; what it had asked before was about another state.

    A frame compares with the present state, as the state that it shows will, or with the pinned one.
    """
    values = session.run.page_values
    if context.dataset.collection is None or values.get(SWEEP):
        return
    st.session_state[_ASKED] = ""
    before = values[BEFORE.name if session.scope(SIDEBAR).get(BASELINE.name) else page.focus]
    _show_frames(page, context, {**values, BEFORE.name: before})


@st.fragment
def _show_frames(page: Page, context: Context, values: Values) -> None:
    """Send the figures at the values that the browser asks for, coarsely first: a move can interrupt between two."""
    stay_on(page)
    with st.container(key="frames"):
        asked = st.text_input("Frames", key=_ASKED)
        if not asked:
            return
        handle, path, now, near, stops = json.loads(asked)
        first: dict[str, Any] = {}
        stops = stops[:_MOST]
        count = -(-len(stops) // _AT_ONCE)
        for i, (place, text) in enumerate(near[:2]):
            kind = _Background if i else Job  # a press needs what is computed for the place to which the handle moves
            with kind(limit(SECONDS)) as job, suppress(IrvizError):  # a value that does not fit the other parameters
                job(0, "")
                for at in _panels(page, context, values, path, text):
                    exact = {"place": place, **_frame(*at, _exact)}
                    _send({"handle": handle, "now": now, "frames": [], "exact": [exact]})
        with _Background(limit(SECONDS)) as job:
            for some in (stops[n::count] for n in range(count)):
                frames = []
                for place, text in some:
                    with suppress(IrvizError):
                        job(0, "")
                        *_, at = _panels(page, context, values, path, text)
                        frame = _frame(*at, _moving)
                        frames.append({"place": place, "change": _difference(first, frame)})
                        first = first or frame
                _send({"handle": handle, "now": now, "frames": frames, "exact": []})


def _send(frames: dict[str, Any]) -> None:
    st.html(f'<div hidden class="irviz-frames">{escape(to_json_plotly(frames), quote=False)}</div>')


def _panels(page: Page, context: Context, values: Values, path: str, text: str) -> Iterator[tuple[str, Panel]]:
    """The value and one row of figures, then all, where the parameter at `path`, with dashes for points, is `text`."""
    now = as_reader(measure(values[page.focus]))
    name = next(name for name in now.paths() if name.replace(".", "-") == path)
    new = str(by_name(measure(now.template(name).replace(SLOT, text))))
    measures = tuple(new if one == values[page.focus] else one for one in context.measures)
    assert isinstance(page.panel, RowByRow)
    word = name.rpartition(".")[2]
    for panel in islice(page.panel.steps(replace(context, measures=measures), {**values, page.focus: new}), 2):
        yield f"{SYMBOLS.get(word, word)} = {text}", panel


def _frame(value: str, panel: Panel, content: Callable[[Drawing], dict[str, Any]]) -> dict[str, Any]:
    """The headline, titles and facts of a panel, and its figures as `content` gives them."""
    return {
        "value": value,
        "sentence": panel.sentence.replace("`", ""),
        "figures": {
            key: {
                **content(drawing),
                "title": drawing.title.replace("`", ""),
                "facts": " · ".join(fact.text for fact in drawing.facts),
            }
            for row in panel.drawings
            for key, drawing in row.items()
        },
    }


def _exact(drawing: Drawing) -> dict[str, Any]:
    """The figure that the page will have, to the last sign."""
    return {"drawn": drawn(dressed(drawing))}


def _moving(drawing: Drawing) -> dict[str, Any]:
    """Traces by their places, and the layout, as plain data in the colours of the page."""
    figure = drawing.figure
    plain = json.loads(to_json_plotly({"data": traces_of(figure), "layout": layout_of(figure)}))
    fig = dress(with_margins(unchecked(plain)), st.context.theme.type == "dark")
    traces = [{name: part for name, part in trace.items() if name not in _OF_HOVER} for trace in traces_of(fig)]
    layout = {name: part for name, part in layout_of(fig).items() if name not in ("template", "height")}
    return {"data": dict(enumerate(traces)), "layout": layout}


def _difference(one: Any, other: Any) -> Any:
    """What is to be changed in `one`, plain data, to have `other`: of mappings their parts, None for what it lacks."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return other
    names = [*other, *(name for name in one if name not in other)]
    return {name: _difference(one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)}
