"""Choosing measures: a box to write into, a list to pick from, and the parameters of one of them.

The box offers nothing but what is chosen, so that Enter adds what is written and nothing else.

Nothing here knows a measure by name: what is offered comes from the catalogue, the
widgets of the parameters from their declarations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.figures.theme import dress
from irviz.measures import measure
from irviz.measures.language.base import Measure
from irviz.ui.parameters import completed, made, show_parameters, suggestions
from irviz.ui.progress import LateProgress, Tell
from irviz.ui.show import with_margins
from irviz.ui.state import SIDEBAR, State, state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import put_widget, remember
from irviz.workspace.cache import remembered
from irviz.workspace.context import Context, Opened
from irviz.workspace.control import Measures
from irviz.workspace.measure_facts import families, nearest, plain_words, rank_weights, weight_bars, why_not
from irviz.workspace.permissible import KINDS, scale_found
from irviz.workspace.phrases import spelled

_KEY, _PICK, _ADJUST, _BUILD = "sidebar.measures", "sidebar.pick", "sidebar.adjust", "sidebar.build"


def show_picker(control: Measures, chosen: tuple[str, ...], opened: Opened) -> None:
    """The chosen measures, the list of others, and below them the parameters of the one being adjusted."""
    session = state()
    put_widget(_KEY, list(chosen))
    st.multiselect(
        control.label,
        list(control.known or chosen),
        key=_KEY,
        help=control.help,
        select_all=False,
        accept_new_options=not control.known,
        on_change=_chosen,
        args=(control, chosen, opened.collection),
        placeholder="Type one, such as nDCG@20",
    )
    if not control.known and opened.collection is not None:
        _show_offered(control, chosen, opened.collection)
        _show_builder(control, chosen, opened)
    if session.refused:
        st.error(as_markdown(session.refused))
    if not control.known and opened.collection is not None:
        _show_adjust(session, control, chosen, opened)


def _show_offered(control: Measures, chosen: tuple[str, ...], collection: Collection) -> None:
    """The measures that make sense on the collection; one that is picked is added."""
    offered = [label for label in remembered(suggestions, collection, unseen={}) if label not in chosen]
    put_widget(_PICK, None)
    st.selectbox(
        "Add a measure",
        offered,
        index=None,
        key=_PICK,
        label_visibility="collapsed",
        on_change=_picked,
        args=(control, chosen),
        placeholder="Add one from the list",
    )


@st.fragment
def _show_builder(control: Measures, chosen: tuple[str, ...], opened: Opened) -> None:
    """A measure made of its parts, beside what it means here; only this part is drawn anew while it is made."""
    builder = st.popover("Build a measure", key=_BUILD, on_change="rerun", width="stretch")
    if not builder.open:
        return
    session, collection = state(), opened.collection
    assert collection is not None
    with builder, shown_errors():
        kinds = families(len(collection.aspects))
        tab = st.segmented_control("Family", list(kinds), key="build.family", required=True, default=next(iter(kinds)))
        symbols = {f"{kind.symbol}: {kind.title}": kind for kind in kinds[tab]}
        title = st.selectbox("Kind", list(symbols), key=f"build.kind.{tab}")
        kind = symbols[title]
        draft = session.draft
        if type(draft) is not kind:
            draft = session.draft = made(kind, collection)
        show_parameters(draft, collection, partial(setattr, session, "draft"), "build")
        if session.refused:
            st.error(as_markdown(session.refused))
        _show_facts(draft, replace(Context.of(opened, session.sidebar[1]), progress=Tell()))
        if st.button("Add to the measures", key="build.add", type="primary", disabled=str(draft) in chosen):
            _take(control, chosen, (*chosen, str(draft)))
            st.rerun()


def _show_facts(draft: Measure, context: Context) -> None:
    """The expression, a line in words, the weight of each rank, the scale, and the nearest of the chosen measures."""
    label = str(draft)
    st.code(label, language=None, wrap_lines=True)
    st.caption(as_markdown(plain_words(draft)))
    if problem := why_not(context, label):
        st.warning(as_markdown(problem))
        return
    try:
        weights, reading = rank_weights(context, label)
    except IrvizError as error:
        st.caption(as_markdown(f"No weights of ranks: {error}"))
    else:
        shown = "Weight of each rank of a list of the best system" + (
            "" if reading is None else "; dashed: share still reading"
        )
        drawn = dress(with_margins(weight_bars(weights, reading)), st.context.theme.type == "dark")
        st.caption(shown)
        st.plotly_chart(drawn, theme=None, key="build.weights", alt=shown, config={"displayModeBar": False})
    scale, why = scale_found(context, label)
    badge = f"**{md_escape(KINDS[scale.kind])}**: {as_markdown(scale.reason)}" if scale else as_markdown(why)
    st.caption(f"Scale: {badge}")
    with LateProgress():
        near = nearest(context, label)
    if near:
        words = ", ".join(f"`{name}` (τ {spelled(tau, 2)})" for name, tau in near)
        st.caption(as_markdown(f"Nearest of the chosen measures: {words}."))


def _picked(control: Measures, before: tuple[str, ...]) -> None:
    """A person picked a measure from the list."""
    before = tuple(map(state().current, before))
    if (label := st.session_state[_PICK]) is not None:
        _take(control, before, (*before, label))


def _chosen(control: Measures, before: tuple[str, ...], collection: Collection | None) -> None:
    """A person wrote or removed measures."""
    session, texts = state(), st.session_state[_KEY]
    if any(text in session.renamed for text in texts) and len(texts) <= len(before):
        texts = [session.current(text) for text in texts]  # a browser that is a step behind
    before = tuple(map(session.current, before))
    if collection is not None and not control.known:
        texts = [text if text in before else completed(text, collection) for text in texts]
    _take(control, before, texts)


def _take(control: Measures, before: tuple[str, ...], texts: Sequence[str]) -> None:
    """Take over what a person chose; what cannot be read is left out, and said."""
    session = state()
    session.touched()
    after: list[str] = []
    for text in texts:
        try:
            after += [text] if text in before else list(control.check(control.read(text)))
        except IrvizError as error:
            session.refused = str(error)
    if not after:
        session.refused = session.refused or "At least one measure must remain chosen."
    new = tuple(dict.fromkeys(after)) or before
    added = [i for i, label in enumerate(new) if label not in before]
    _look_at(session, new, added[-1] if added else None)
    for place in added:
        session.renamed.pop(new[place], None)
    remember(session, SIDEBAR, control, new)


def _show_adjust(session: State, control: Measures, chosen: tuple[str, ...], opened: Opened) -> None:
    place = _adjusted(session, chosen)
    put_widget(_ADJUST, chosen[place])
    st.selectbox(
        "Parameters of",
        chosen,
        key=_ADJUST,
        on_change=_adjust,
        args=(chosen,),
        help="The parameters of one of the chosen measures.",
    )
    one = measure(chosen[place])

    def replaced(new: Measure) -> None:
        _replace(control, chosen, place, new)

    collection = opened.collection
    assert collection is not None
    show_parameters(one, collection, replaced, f"adjust.{place}")
    with st.popover(f"About {md_escape(one.symbol)}", width="stretch"):
        show_about(one, collection.grades[0])


def _look_at(session: State, chosen: Sequence[str], place: int | None) -> None:
    """Show the parameters of one of the measures; a page that turns them is about this measure, too."""
    session.adjusted = place
    if place is not None and session.page is not None and session.page.before:
        session.put(session.page.name, session.page.focus, chosen[place])


def _adjusted(session: State, chosen: tuple[str, ...]) -> int:
    """Which measure is on show: that of a page that turns it, the last touched, or the first with a number to move."""
    page = session.page
    focus = session.scope(page.name).get(page.focus) if page is not None and page.before else None
    if focus in chosen:
        return chosen.index(focus)
    if session.adjusted is not None and session.adjusted < len(chosen):
        return session.adjusted
    return next((i for i, label in enumerate(chosen) if "=" in label), 0)


def _adjust(chosen: tuple[str, ...]) -> None:
    chosen = tuple(map(state().current, chosen))
    label = state().current(st.session_state[_ADJUST])
    _look_at(state(), chosen, chosen.index(label) if label in chosen else None)


def _replace(control: Measures, chosen: tuple[str, ...], place: int, new: Measure) -> None:
    """Put a changed measure in the place of the old one, on every page that shows it."""
    session = state()
    session.touched()
    chosen = tuple(map(session.current, chosen))  # a press may come before the run of the last one is done
    label = str(new)
    if label == chosen[place]:
        return
    if label in chosen:
        session.refused = f"{label} is already in the list."
        return
    session.adjusted = place
    session.rename(chosen[place], label)
    remember(session, SIDEBAR, control, (*chosen[:place], label, *chosen[place + 1 :]))


def show_about(one: Measure, grades: tuple[float, ...]) -> None:
    """What a measure says, its formula, its source and its scale."""
    st.markdown(f"**{md_escape(one.title or one.symbol)}**")
    words = (type(one).__doc__ or "").strip().split("\n\n")[0]
    st.markdown(as_markdown(" ".join(words.split()).replace("``", "`")))
    if one.formula:
        st.latex(one.formula)
    scale = one.scale(grades)
    st.caption(as_markdown(f"Scale under these grades: {KINDS[scale.kind]}. {scale.reason} Source: {one.source}."))
