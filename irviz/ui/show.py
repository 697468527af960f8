"""A panel on the screen: its sentence, figures, numbers and notes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from html import escape, unescape
from math import cos, floor, log10, radians, sin
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from plotly.io.json import to_json_plotly

from irviz.collection.documents import document_link, identifier_in
from irviz.errors import number_of
from irviz.figures.axes import Axis
from irviz.figures.motion import BUTTON
from irviz.figures.theme import dress
from irviz.figures.unchecked import layout_of, traces_of, unchecked
from irviz.publish.export import FORMATS, to_latex
from irviz.ui.navigation import show_way, show_ways
from irviz.ui.picture import menu
from irviz.ui.progress import PageJob
from irviz.ui.state import state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import download, exchange, fold, heard, take
from irviz.workspace import glossary as headings
from irviz.workspace.control import Choice, Control
from irviz.workspace.facts import facts_html
from irviz.workspace.panel import Drawing, Panel, Table, decimals

# -- Margins that fit the labels of the axes, known before a figure is drawn -----------------------
#
# Plotly's ``automargin`` draws a figure, looks for labels that reach beyond it, and draws it again,
# which takes a browser two to three times as long.  What the labels are is known here.

_TICK, _TITLE = 11, 13  # pixels of type, as the template has them
_LINE = 1.3  # height of a line, in sizes of its type
_BESIDE, _STANDOFF = 8, 10  # pixels from axis to label, and from label to title
_END = 20  # pixels that half a number reaches beyond the end of an axis
#: width of letters in sizes of the type; those not named are as wide as most
_NARROW, _SLIM, _BROAD, _WIDE = frozenset(" ijlI'|.,:;!·"), frozenset('()[]{}-frt/\\"'), frozenset("mwMW%@…"), 1.0
_MOST, _CAPITAL = 0.54, 0.63


def with_margins(figure: go.Figure) -> go.Figure:
    """Set a figure's margins at the sides where all that stands beside the axes is known; `automargin` stays elsewhere.

    Known are labels that are given, and numbers; not whether labels along a horizontal axis will be turned for want
    of room.  Margins of the figure are kept where they are wider.
    """
    layout: dict[str, Any] = layout_of(figure)  # read and written as it is: plotly's own way checks every property
    for name in ("xaxis", "yaxis"):
        layout.setdefault(name, {})
    axes = {name: axis for name, axis in layout.items() if re.match(r"[xy]axis", name)}
    sides: dict[str, list[tuple[str, float | None]]] = {}
    for name, axis in axes.items():
        if axis.get("automargin", True) and axis.get("visible", True):
            side = axis.get("side") or ("bottom" if name.startswith("x") else "left")
            seen = _at_the_edge(name, axis, side, axes)
            room = _room(name, axis, side, _names(name, traces_of(figure))) if seen else None
            sides.setdefault(side, []).append((name, room))
    margin = {"l": 8, "r": 12, "t": 8, "b": 8, **layout.get("margin", {})}
    for side, side_axes in sides.items():
        rooms = [room for _, room in side_axes if room is not None]
        if len(rooms) < len(side_axes):
            continue
        margin[side[0]] = max(margin[side[0]], round(max(rooms)))
        for name, _ in side_axes:
            axes[name]["automargin"] = False
            if name.startswith("x"):
                left, right = _ends(axes[name], _labels(axes[name], _names(name, traces_of(figure))))
                margin["l"], margin["r"] = max(margin["l"], left), max(margin["r"], right)
    layout["margin"] = margin
    return figure


def text_width(text: str, size: float = _TICK) -> float:
    """About how wide a text is in the type of the page, in pixels; rather too wide than too narrow.

    Parameters
    ----------
    text : as plotly gets it: with references for signs, and with markup of its own

    >>> text_width("nDCG@10") < text_width("<b>nDCG@10</b>") < text_width("網頁nDCG@10")
    True
    """
    bare = re.sub(r"<[^<>]*>", "", text)
    bold = 1.08 if "<b>" in text else 1.0
    return bold * size * sum(map(_letter, unescape(bare)))


def _letter(sign: str) -> float:
    if not sign.isascii():
        wide = unicodedata.east_asian_width(sign) in "WF" or unicodedata.category(sign) == "So"
        return 0.0 if unicodedata.combining(sign) else _WIDE if wide else _CAPITAL
    if sign in _NARROW:
        return 0.26
    if sign in _SLIM:
        return 0.35
    return 0.8 if sign in _BROAD else _CAPITAL if sign.isupper() else _MOST


def _at_the_edge(name: str, axis: Axis, side: str, axes: dict[str, Axis]) -> bool:
    """True for an axis that stands where the figure's margin begins."""
    crossing = "y" if name.startswith("x") else "x"
    anchor = str(axis.get("anchor", crossing))
    low, high = axes.get(f"{crossing}axis{anchor[1:]}", {}).get("domain", (0, 1))
    return anchor.startswith(crossing) and bool(low <= 0.001 if side in ("left", "bottom") else high >= 0.999)


def _room(name: str, axis: Axis, side: str, names: Sequence[str]) -> float | None:
    """Pixels between an axis and what stands furthest out; None where that depends on the width of the figure."""
    labels = _labels(axis, names) if axis.get("showticklabels", True) else ()
    size = axis.get("tickfont", {}).get("size", _TICK)
    wide = max((text_width(line, size) for text in labels for line in text.split("<br>")), default=0.0)
    high = _LINE * size * max((text.count("<br>") + 1 for text in labels), default=0)
    angle = axis.get("tickangle") if names or axis.get("ticktext") is not None else 0
    if name.startswith("y"):
        beside = wide
    elif angle is not None and ("tickangle" in axis or wide <= 2 * _END):
        turn = radians(abs(angle))
        beside = wide * sin(turn) + high * cos(turn)
    elif labels:
        return None
    else:
        beside = 0.0
    title = str((axis.get("title") or {}).get("text") or "")
    title_room = _STANDOFF + (title.count("<br>") + 1) * _LINE * _TITLE if title else 0.0
    return _BESIDE + beside + title_room


def _ends(axis: Axis, labels: Sequence[str]) -> tuple[int, int]:
    """Pixels that labels of a horizontal axis reach beyond its left and its right end."""
    angle = axis.get("tickangle") or 0
    if angle in (0, -90, 90):
        return _END, _END
    reach = round(cos(radians(angle)) * max(map(text_width, labels), default=0.0))
    leftwards = (angle < 0) != (axis.get("side") == "top")  # turned labels end at a lower axis, and begin at an upper
    return (max(_END, reach), _END) if leftwards else (_END, max(_END, reach))


def _names(name: str, traces: Sequence[dict[str, Any]]) -> list[str]:
    """Categories of the traces on an axis, which are its labels if none are given."""
    letter, categories = name[0], []
    for trace in traces:
        values = trace.get(letter)
        if trace.get(f"{letter}axis", letter) == name.replace("axis", "") and values is not None and len(values):
            categories += [str(value) for value in values] if isinstance(values[0], str) else []
    return categories


def _labels(axis: Axis, names: Sequence[str]) -> Sequence[str]:
    """The labels of an axis; of one with numbers, what is about as wide as the widest that plotly will choose."""
    if axis.get("ticktext") is not None:
        return [str(text) for text in axis["ticktext"]]
    if names:
        return names
    low, high = axis.get("range") or (None, None)
    if low is None or high is None or axis.get("type") == "log":
        return ["−0.0000"]
    step = abs(high - low) / 8
    digits = max(0, -floor(log10(step))) if step > 0 else 1
    return [f"{end:,.{min(digits, 6)}f}{axis.get('ticksuffix', '')}" for end in (low, high)]


# --------------------------------------------------------------------------------------------------

_NUMBERS = "irviz.numbers"  #: whether the person last left the tables below the figures unfolded
_NOTHING_TO_LIST = "There is nothing to list."  #: in the place of a table without rows
CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg", "scale": 2},
}


_NOTES = 3  #: in sight; the others are folded


def show_rest(panel: Panel, page: str, controls: dict[str, Control]) -> None:
    """Draw what stands below the figures of a panel; further answers, each once it is asked for."""
    if panel.folds:
        key, parts = f"{page}.folds", list(panel.folds)
        chosen = st.pills("More answers", parts, selection_mode="multi", key=key, format_func=md_escape)
        for heading in chosen:
            st.markdown(f"### {md_escape(heading)}")
            _show_fold(panel.folds[heading], f"{page}.{heading}".lower().replace(" ", "-"), controls, page)
    for note in panel.notes[:_NOTES]:
        st.caption(as_markdown(note))
    if rest := panel.notes[_NOTES:]:
        with st.expander("More notes", key=f"{page}.notes"):
            for note in rest:
                st.caption(as_markdown(note))
    for heading, text in panel.texts.items():
        st.markdown(f"**{md_escape(heading)}**")
        st.code(text, language=None, wrap_lines=True)
    if panel.ways:
        show_ways(panel.ways, page)
    if not panel.tables:
        return
    content = partial(_show_tables, panel, page)
    if panel.has_open_tables or not panel.drawings:
        st.markdown("### The numbers")
        content()
        return
    st.session_state[_NUMBERS] = fold("The numbers", f"{page}.numbers", content, st.session_state.get(_NUMBERS, False))


def show_rows(panel: Panel, page: str, controls: dict[str, Control], first: int) -> int:
    """Draw the further answers of a panel from this place on, one below another; how many there are then."""
    for i, (heading, make) in [*enumerate(panel.folds.items())][first:]:
        content = partial(_show_fold, make, f"{page}-row{i}", controls, page)
        fold(md_escape(heading), f"{page}.row{i}", content, i == panel.unfolded)
    return len(panel.folds)


def _show_fold(make: Callable[[], Panel], name: str, controls: dict[str, Control], page: str) -> None:
    """A further answer, computed now that it is asked for; an error becomes its sentence."""
    with shown_errors():
        with PageJob():
            part = make()
        show_sentence(name, part)
        for row in part.drawings:
            for key, drawing in row.items():
                show_drawing(drawing, f"{name}.{key}", page, controls)
        show_rest(replace(part, drawings=(), has_open_tables=True), name, controls)


def show_sentence(page: str, panel: Panel) -> None:
    """The headline of a panel, what has changed, and its facts."""
    if panel.sentence:
        with st.container(key=f"sentence.{page}"):
            st.markdown("\n\n".join(map(as_markdown, panel.sentence.splitlines())))
    if panel.since:
        st.caption(as_markdown(f"In grey, before: {panel.since}"))
    if panel.facts:
        st.html(facts_html(panel.facts))


def show_figures(panel: Panel, key: str, page: str, controls: dict[str, Control]) -> None:
    """The rows of figures of a panel."""
    for row in panel.drawings:
        columns = st.columns(len(row), gap="medium") if len(row) > 1 else [st.container()]
        for column, (name, drawing) in zip(columns, row.items(), strict=True):
            with column:
                meta = drawing.figure.layout.meta or {}
                wide = meta.get("wide", 0)
                filled = f"filled-{key.replace('.', '-')}-{name}" if wide or meta.get("grows") else ""
                if wide:  # the height that a wide screen gives it
                    of = f":has(> .st-key-{filled})"
                    st.html(f"<style>@media (min-width: 1000px) {{ {of} {{ max-height: {wide}px }} }}</style>")
                show_drawing(drawing, f"{key}.{name}", page, controls, filled)


def dressed(drawing: Drawing) -> Drawing:
    """The drawing with margins that fit its labels, in the colours of the page."""
    return replace(drawing, figure=dress(with_margins(drawing.figure), st.context.theme.type == "dark"))


#: parts of a layout that a chart has from the first: with others it would be made anew
_OF_SHELL = ("template", "height", "clickmode", "dragmode", "hovermode")


def drawn(drawing: Drawing) -> str:
    """A dressed figure and its alternative text as JSON, which ``browser/frames.js`` draws into a chart."""
    layout = {name: part for name, part in layout_of(drawing.figure).items() if name not in _OF_SHELL}
    return to_json_plotly({"data": traces_of(drawing.figure), "layout": layout, "alt": drawing.alt.replace("`", "")})


def _shell(figure: go.Figure, picks: int) -> go.Figure:
    """The chart without a figure; another one after a pick, so that the same point can be picked again."""
    layout = {name: part for name, part in layout_of(figure).items() if name in _OF_SHELL}
    hidden = {"visible": False}
    more = {"xaxis": hidden, "yaxis": hidden, "updatemenus": [BUTTON], "meta": picks}
    return unchecked({"data": [], "layout": {**layout, **more}})


def show_drawing(
    drawing: Drawing, key: str, page: str, controls: dict[str, Control], fills: str = "", in_place: bool = True
) -> None:
    """A figure under its heading.

    One that `fills` a place with this key, which has the figure's height, is drawn as large as a style makes it.  A
    chart that stays `in_place` is not made anew for another figure, which takes the browser two to three times as long.
    """
    drawing = dressed(drawing)
    if drawing.title:
        heading = f"**{as_markdown(drawing.title)}**"
        button = _picture(drawing, key)
        if drawing.opens is None and not button:
            st.markdown(heading)
        else:
            with st.container(horizontal=True, vertical_alignment="center", key=f"{key}.heading"):
                st.markdown(heading, width="stretch")
                if drawing.opens is not None:
                    show_way("Open", drawing.opens[1], page, f"{key}.opens", help=drawing.opens[0])
                if button:
                    st.html(button, width="content")
    facts = facts_html(drawing.facts, inline=True) if drawing.facts else ""
    figure, alt = drawing.figure, drawing.alt.replace("`", "") or None
    if in_place:
        place = re.sub(r"[^a-zA-Z0-9_-]", "-", key)
        facts += f'<div hidden class="irviz-drawn" data-of="{place}">{escape(drawn(drawing), quote=False)}</div>'
        figure, alt = _shell(figure, st.session_state.get(f"{key}.picks", 0)), None
    if facts:
        st.html(facts)
    more: dict[str, Any] = {}
    if drawing.picks:
        picked = [controls[name] for name in drawing.picks]
        more = {"on_select": heard(key, _take_pick, key, page, picked)["on_change"], "selection_mode": "points"}
    if fills:
        more["height"] = "stretch"
    with st.container(height=drawing.figure.layout.height, border=False, key=fills) if fills else nullcontext():
        st.plotly_chart(figure, theme=None, key=key, alt=alt, config=config(key), **more)


def _picture(drawing: Drawing, key: str) -> str:
    """The button of a figure for a paper; "" in labs, where no data are looked at."""
    run = state().run
    if run.context is None or run.page is None or run.page.lab:
        return ""
    title = drawing.title.replace("`", "").rstrip(".")
    return menu(key, title, f"{title}. {_data_words()}, {run.context.average} over topics.", drawing.figure.layout)


def config(name: str) -> dict:
    """Plotly's menu; pictures are called after the figure."""
    image = {**CONFIG["toImageButtonOptions"], "filename": "irviz-" + name.replace(".", "-")}  # type: ignore[dict-item]
    return {**CONFIG, "toImageButtonOptions": image}


def _take_pick(key: str, page: str, controls: list[Control]) -> None:
    """A person clicked a point: its customdata are the values of `controls`, None for those that stay.

    A measure that is not among the chosen ones, as on a sweep, takes the place of the one that the control names.
    """
    points = st.session_state[key]["selection"]["points"]
    if not points or "customdata" not in points[0]:
        return
    st.session_state[f"{key}.picks"] = st.session_state.get(f"{key}.picks", 0) + 1
    session = state()
    session.forget_complaints()
    for control, value in zip(controls, points[0]["customdata"], strict=False):
        if value is None:
            continue
        if not (isinstance(control, Choice) and control.measure) or value in dict(control.options):
            take(session, page, control, value)
        else:
            chosen = [session.box.current(label) for label in session.run.values["measures"]]
            current_measure = session.box.current(session.scope(page).get(control.name, control.default))
            if current_measure in chosen:  # the browser may be a step behind
                new = {chosen.index(current_measure): value}
                exchange(session.run.fitted_controls["measures"], chosen, new)  # type: ignore[arg-type]


def _show_tables(panel: Panel, page: str) -> None:
    """A tab a table, each to download; only the one that is looked at is drawn."""
    tabs = st.tabs([md_escape(name) for name in panel.tables], key=f"{page}.tables", on_change="rerun")
    for tab, (name, table) in zip(tabs, panel.tables.items(), strict=True):
        if tab.open:
            with tab:
                show_table(table, f"{page}-{name}".lower().replace(" ", "-"))


def _data_words() -> str:
    """The collection of the page, with how many systems and topics are looked at; "" without one."""
    context = state().run.context
    if context is None:
        return ""
    size = f"{number_of(len(context.systems), 'system')}, {number_of(len(context.topics), 'topic')}"
    return f"{context.dataset.title}: {size}"


def show_table(table: Table, file: str) -> None:
    """One table with what it says and its downloads."""
    st.caption(as_markdown(table.about))
    if table.frame.empty:
        st.markdown(_NOTHING_TO_LIST)
    elif table.wraps_text:
        words = {name: md_escape(headings.heading(name, table).words) for name in table.frame.columns}
        cells = table.frame.map(lambda cell: md_escape(str(cell)))  # which are read as Markdown
        st.table(cells.rename(columns=words), hide_index=True)
    else:
        _show_frame(table)
    with st.container(horizontal=True):
        for label, (write, suffix, media) in FORMATS.items():
            content, name = partial(_download_content, write, table, file, _data_words()), f"{file}.{suffix}"
            download(label, content, name, media, key=name)


def _show_frame(table: Table) -> None:
    """A table to scroll and to sort, in which long texts are cut."""
    columns: dict[str, Any] = {}
    for name in table.frame.columns:
        above = headings.heading(name, table)
        label, help_text = above.words, above.help or None
        if pd.api.types.is_float_dtype(table.frame[name]):
            form = f"%.{decimals(table, name)}f"
            columns[name] = st.column_config.NumberColumn(label, help=help_text, format=form)
        elif label != name:
            columns[name] = st.column_config.Column(label, help=help_text)
    frame = headings.in_words(table)
    for name, pattern in table.links.items():
        frame = frame.assign(**{name: frame[name].map(partial(document_link, pattern), na_action="ignore")})
        label = headings.heading(name, table).words
        columns[name] = st.column_config.LinkColumn(label, display_text=identifier_in(pattern))
    st.dataframe(frame, hide_index=True, column_config=columns, alt=table.about.replace("`", ""))


def _download_content(write: Callable[[pd.DataFrame], bytes], table: Table, file: str, source: str) -> bytes:
    """The file of a download: what programs read has the columns' own names, LaTeX the words on the page."""
    if write is not to_latex:
        return write(table.frame)
    table = replace(table, frame=table.frame[list(table.paper or table.frame)])
    frame = headings.in_words(table)
    floats = [pd.api.types.is_float_dtype(kind) for kind in frame.dtypes]
    places = [decimals(table, name) if real else 0 for name, real in zip(frame.columns, floats, strict=True)]
    frame.columns = [headings.heading(name, table).words for name in frame.columns]
    caption = table.about.replace("`", "") + (f" {source}." if source else "")
    return to_latex(frame, places, caption, f"tab:{file}")
