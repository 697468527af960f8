"""Progress within a lab: steps, free exploration, challenges; back and on."""

from __future__ import annotations

from typing import Any

import streamlit as st

from irviz.labs.lab import FREE, Lab
from irviz.menu import page_named
from irviz.publish.course import next_view
from irviz.ui.navigation import arrive
from irviz.ui.state import Session
from irviz.ui.text import as_markdown

_MODES = {"1": "Steps", FREE: "Explore freely", "c1": "Challenges"}  #: where each begins


def show_bar(session: Session, page: Lab, values: dict[str, Any]) -> None:
    """The parts of the lab, and where the reader is in this one."""
    places, place = page.places, values["step"]
    modes = [first for first in _MODES if first in places]
    predicted = bool(page.prediction(values))  # then the way on is below the answer
    mode = next(first for first in modes if _mode(first) == _mode(place))
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-bar"):
        if len(modes) > 1:
            key = f"{page.name}.mode"
            st.session_state[key] = mode
            st.segmented_control(
                "Part of the lab",
                modes,
                key=key,
                format_func=_MODES.__getitem__,
                required=True,
                width="content",
                label_visibility="collapsed",
                on_change=lambda: go(session, page, st.session_state[key]),
            )
        if place == FREE:
            show_next_in_course(page)
        else:
            before, after = _neighbours(list(places), place)
            st.button(
                "← Back", key="lesson.back", disabled=before is None, on_click=go, args=(session, page, before or place)
            )
            st.markdown(f"**{places[place]}**", width="content")
            show_next(session, page, None if predicted else after, "lesson.next")
            if page.challenge(place) is not None:
                of = len(page.challenges)
                st.html(f'<span class="irviz-solved" data-lab="{page.name}" data-of="{of}"></span>', width="content")
        st.caption(as_markdown(page.question), width="content")  # on a wide screen


def show_next(session: Session, page: Lab, place: str | None, key: str, primary: bool = False) -> None:
    """The button that leads on."""
    words = "Explore freely →" if place == FREE else "Next →"
    if place is not None:
        kind = "primary" if primary else "secondary"
        st.button(words, key=key, type=kind, on_click=go, args=(session, page, place))  # type: ignore[arg-type]


def show_next_in_course(page: Lab) -> None:
    """The button to what comes after this lab in the course."""
    view = next_view(page.name)
    if view is not None and st.button(f"Next: {page_named(view.page).title} →", key="lesson.course"):
        arrive(view)


def next_place(page: Lab, place: str) -> str | None:
    """The place after this one."""
    return _neighbours(list(page.places), place)[1]


def go(session: Session, page: Lab, place: str) -> None:
    """Go to another place of the lab, with its controls at the start and the predictions kept."""
    session.forget_complaints()
    session.texts[page.name] = {name: text for name, text in session.scope(page.name).items() if name == "guess"}
    session.put(page.name, "step", None if place == page.controls[0].default else place)


def _neighbours(places: list[str], place: str) -> tuple[str | None, str | None]:
    """The places before and after one, among those of its kind; all of the lab comes after the last step."""
    same = [other for other in places if _mode(other) == _mode(place) or (place.isdigit() and other == FREE)]
    at = same.index(place)
    return (same[at - 1] if at else None), (same[at + 1] if at + 1 < len(same) else None)


def _mode(place: str) -> str:
    """The first place of the part of the lab that this place is in.

    >>> _mode("3"), _mode("c2"), _mode("free")
    ('1', 'c1', 'free')
    """
    return "1" if place.isdigit() else "c1" if place[:1] == "c" else place
