"""Presenting: one figure at a time in large type, without menu and sidebar; ``mode=present`` in a link.

``mode=present-2`` is the second figure of the page.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from irviz.ui.front.style import PRESENTING
from irviz.ui.show import show_drawing
from irviz.ui.state import SIDEBAR, Fitted, State
from irviz.ui.text import sentence
from irviz.workspace.page import Page
from irviz.workspace.panel import Drawing, Panel
from irviz.workspace.resolve import MODE

WORD = "present"
LARGER = 1.35  #: times the type of a figure
TALLEST = 440  #: pixels of a figure, so that it is seen whole on 768; one with a row for each system scrolls
_SAID = re.compile(rf"{WORD}(?:-([1-9]\d?))?", re.ASCII)


def presented(session: State) -> int | None:
    """Which figure is presented, from 0; None where the page is shown as usual."""
    said = _SAID.fullmatch(session.scope(SIDEBAR).get(MODE.name, ""))
    return int(said[1] or 1) - 1 if said else None


def present(session: State, place: int | None = 0) -> None:
    """Present a figure, or stop presenting."""
    text = None if place is None else WORD if place == 0 else f"{WORD}-{place + 1}"
    session.put(SIDEBAR, MODE.name, text)


def show_style() -> None:
    """Large type, and nothing around it."""
    st.html(PRESENTING)


def show_leave(session: State) -> None:
    """The way out."""
    st.button("Stop presenting", key="present.leave", on_click=present, args=(session, None))


def show_presented(session: State, page: Page, panel: Panel, fitted: Fitted) -> None:
    """The sentence of a page and one of its figures, with the way to the others."""
    drawings = [drawing for row in panel.drawings for drawing in row.values()]
    place = min(presented(session) or 0, max(0, len(drawings) - 1))
    with st.container(key=f"sentence.{page.name}"):
        st.markdown(sentence(panel.sentence))
    if not drawings:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{sentence(drawings[place].title)}**")
        if len(drawings) > 1:
            _turn("‹ Back", session, place - 1, len(drawings))
            st.caption(f"{place + 1} of {len(drawings)}", width="content")
            _turn("Next ›", session, place + 1, len(drawings))
    show_drawing(enlarged(drawings[place]), f"{page.name}.presented.{place}", page.name, fitted)


def _turn(label: str, session: State, place: int, count: int) -> None:
    st.button(label, key=f"present.{label}", on_click=present, args=(session, place), disabled=not 0 <= place < count)


def enlarged(drawing: Drawing) -> Drawing:
    """The figure without its title, in larger type, as high as a projector shows at once."""
    content = larger(drawing.figure.to_plotly_json())
    content["layout"]["font"] = {**content["layout"].get("font", {}), "size": 13 * LARGER}
    drawn = go.Figure(content, skip_invalid=False)
    drawn.update_layout(height=tall(drawing.figure.layout.height))
    return replace(drawing, figure=drawn, title="")


def tall(height: float | None) -> float:
    """How high a figure of this height is presented.

    >>> tall(330), tall(None), tall(110), tall(1400)
    (440, 440, 148, 1890)
    """
    if height is None or 200 < height <= 700:
        return TALLEST
    return round(height * LARGER)


def larger(part: Any, key: str = "") -> Any:
    """A part of a figure with the size of all its type enlarged; sizes of markers and lines stay.

    >>> larger({"tickfont": {"size": 10}, "marker": {"size": 10}})
    {'tickfont': {'size': 13.5}, 'marker': {'size': 10}}
    """
    if isinstance(part, dict):
        found = {name: larger(one, name) for name, one in part.items()}
        if key.endswith("font") and isinstance(found.get("size"), int | float):
            found["size"] = round(found["size"] * LARGER, 1)
        return found
    return [larger(one, key) for one in part] if isinstance(part, list | tuple) else part
