"""A panel on the screen: its sentence, figures, numbers and notes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import pandas as pd
import streamlit as st

from irviz.collection.beside.document_links import document_link, identifier_in
from irviz.figures.theme import dress
from irviz.links.control import Control
from irviz.reports.export import FORMATS
from irviz.ui.front.large import enlarged
from irviz.ui.margins import with_margins
from irviz.ui.navigation import show_ways
from irviz.ui.progress import LateProgress
from irviz.ui.state import state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets.controls import fold, take
from irviz.workspace.panel import Drawing, Panel, Table, decimals
from irviz.workspace.words import headings

_NOTHING_TO_LIST = "There is nothing to list."  #: in the place of a table without rows
CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg", "scale": 2},
}


def show_panel(panel: Panel, page: str, controls: dict[str, Control]) -> None:
    """Draw a panel; clicks on its figures set `controls` of the page."""
    show_draft(page, controls, panel)
    for note in panel.notes:
        st.caption(as_markdown(note))
    for heading, text in panel.texts.items():
        st.markdown(f"**{md_escape(heading)}**")
        st.code(text, language=None, wrap_lines=True)
    if panel.ways:
        show_ways(panel.ways, page)
    if panel.tables:
        show_numbers(panel, page)
    for heading, make in panel.folds.items():
        name = f"{page}.{heading}".lower().replace(" ", "-")
        fold(heading, f"{name}.fold", partial(_show_fold, make, name, controls, page))


def _show_fold(make: Callable[[], Panel], name: str, controls: dict[str, Control], page: str) -> None:
    """A folded part, computed now that it is opened; an error becomes its sentence."""
    with shown_errors():
        with LateProgress():
            part = make()
        for row in part.drawings:
            for key, drawing in row.items():
                show_drawing(drawing, f"{name}.{key}", page, controls)
        show_panel(replace(part, drawings=(), unfolded=True), name, controls)


def show_draft(page: str, controls: dict[str, Control], panel: Panel, pause: float = 0) -> None:
    """What a first answer shows of a panel: its sentence and its figures, and nothing to take away.

    `pause` is as in :func:`show_figures`.
    """
    if panel.sentence:
        with st.container(key=f"sentence.{page}"):
            st.markdown(as_markdown(panel.sentence))
    if panel.key_numbers:
        with st.container(horizontal=True):
            for label, value in panel.key_numbers:
                st.metric(md_escape(label), md_escape(value), border=True)
    show_figures(panel, page, page, controls, pause=pause)


def show_figures(
    panel: Panel,
    key: str,
    page: str,
    controls: dict[str, Control],
    gap: Literal["small", "medium"] = "medium",
    pause: float = 0,
) -> None:
    """The rows of figures of a panel; `pause` seconds between two: the browser draws one, then the next."""
    for number, row in enumerate(panel.drawings):
        if number:
            time.sleep(pause)
        columns = st.columns(len(row), gap=gap) if len(row) > 1 else [st.container()]
        for column, (name, drawing) in zip(columns, row.items(), strict=True):
            with column:
                show_drawing(drawing, f"{key}.{name}", page, controls)


def show_drawing(drawing: Drawing, key: str, page: str, controls: dict[str, Control]) -> None:
    """A figure under its heading, in larger type where it is presented."""
    with_margins(drawing.figure)
    if state().presented is not None:
        drawing = enlarged(drawing)  # whose larger type needs other margins
    if drawing.title:
        heading = f"**{as_markdown(drawing.title)}**"
        st.markdown(f"{heading}; {as_markdown(drawing.hint)}" if drawing.picks and drawing.hint else heading)
    dark = st.context.theme.type == "dark"
    more: dict[str, Any] = {}
    if drawing.picks:
        picked = [controls[name] for name in drawing.picks]
        more = {"on_select": partial(_picked, key, page, picked), "selection_mode": "points"}
    st.plotly_chart(
        dress(drawing.figure, dark), theme=None, key=key, alt=drawing.alt.replace("`", ""), config=config(key), **more
    )


def config(name: str) -> dict:
    """Plotly's menu; pictures are called after the figure."""
    image = {**CONFIG["toImageButtonOptions"], "filename": "irviz-" + name.replace(".", "-")}  # type: ignore[dict-item]
    return {**CONFIG, "toImageButtonOptions": image}


def _picked(key: str, page: str, controls: list[Control]) -> None:
    """A person clicked a point: its customdata are the values of `controls`, None for those that stay."""
    points = st.session_state[key]["selection"]["points"]
    if not points or "customdata" not in points[0]:
        return
    session = state()
    session.touched()
    for control, value in zip(controls, points[0]["customdata"], strict=False):
        if value is not None:
            take(session, page, control, value)


def show_numbers(panel: Panel, page: str) -> None:
    """The tables of a panel: folded away below its figures until a person wants numbers, and from then on open."""
    content = partial(_show_tables, panel, page)
    if panel.unfolded or not panel.drawings:
        st.markdown("### The numbers")
        content()
        return
    session = state()
    session.numbers = fold("The numbers", f"{page}.numbers", content, session.numbers)


def _show_tables(panel: Panel, page: str) -> None:
    """A tab a table, each to download; only the one that is looked at is drawn."""
    tabs = st.tabs([md_escape(name) for name in panel.tables], key=f"{page}.tables", on_change="rerun")
    for tab, (name, table) in zip(tabs, panel.tables.items(), strict=True):
        if tab.open:
            with tab:
                show_table(table, f"{page}-{name}".lower().replace(" ", "-"))


def show_table(table: Table, file: str) -> None:
    """One table with what it says and its downloads."""
    st.caption(as_markdown(table.about))
    if table.frame.empty:
        st.markdown(_NOTHING_TO_LIST)
    elif table.wrapped:
        words = {name: md_escape(headings.heading(name, table).words) for name in table.frame.columns}
        st.table(table.frame.map(_cell).rename(columns=words), hide_index=True)
    else:
        _show_frame(table)
    with st.container(horizontal=True):
        for label, (write, suffix, media) in FORMATS.items():
            st.download_button(
                label,
                partial(_written, write, table),
                f"{file}.{suffix}",
                media,
                key=f"{file}.{suffix}",
                on_click="ignore",
            )


def _cell(value: object) -> str:
    """A cell of a table that is read as Markdown."""
    return md_escape(str(value))


def _show_frame(table: Table) -> None:
    """A table to scroll and to sort, in which long texts are cut."""
    columns: dict[str, Any] = {}
    for name in table.frame.columns:
        above = headings.heading(name, table)
        label, said = above.words, above.help or None
        if pd.api.types.is_float_dtype(table.frame[name]):
            form = f"%.{decimals(table, name)}f"
            columns[name] = st.column_config.NumberColumn(label, help=said, format=form)
        elif label != name:
            columns[name] = st.column_config.Column(label, help=said)
    shown = headings.in_words(table)
    for name, pattern in table.links.items():
        shown = shown.assign(**{name: shown[name].map(partial(document_link, pattern), na_action="ignore")})
        label = headings.heading(name, table).words
        columns[name] = st.column_config.LinkColumn(label, display_text=identifier_in(pattern))
    st.dataframe(shown, hide_index=True, column_config=columns, alt=table.about.replace("`", ""))


def _written(write: Callable[[pd.DataFrame, int], bytes], table: Table) -> bytes:
    return write(table.frame, table.digits)
