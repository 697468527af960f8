"""Choosing measures: those chosen, a box to type into or choose from, a builder, and the parts of the one at hand.

Nothing here knows a measure by name: what is offered comes from the catalogue, the
widgets of the parameters from their declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import streamlit as st

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.catalogue import measures as catalogue
from irviz.measures.language.base import Measure
from irviz.ui.navigation import stay_on, visit
from irviz.ui.parameters import (
    Editor,
    become,
    completed,
    make_expression,
    show_parameters,
    suggestions,
    with_pictures,
)
from irviz.ui.progress import PageJob
from irviz.ui.show import show_drawing
from irviz.ui.state import SIDEBAR, SWEEP, Session, present_page, state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import exchange, heard, put_widget, remember, show_widget
from irviz.workspace.cache import compute_once
from irviz.workspace.context import TRACKS, Context
from irviz.workspace.control import Choice, Measures, SweptParameters
from irviz.workspace.measure_facts import (
    ALL_ASPECTS,
    FAMILIES,
    as_reader,
    browsing_of,
    by_name,
    counterpart,
    families,
    family_of,
    family_pictures,
    measures_of_all_aspects,
    nearest,
    plain_words,
    rank_weights,
    relevant_from,
    typical_topic,
    weight_bars,
    why_not,
)
from irviz.workspace.page import Page
from irviz.workspace.panel import Drawing
from irviz.workspace.permissible import KINDS, scale_found
from irviz.workspace.phrases import spell
from irviz.workspace.view import View

_KEY, _ADD, _BUILD = "sidebar.measures", "sidebar.add", "sidebar.build"
_REMOVE, _RELEVANT = "sidebar.remove", "sidebar.relevant"
_FAMILY, _EXAMPLE = "adjust.family", "irviz.example"
_SOONER = 0.5  #: a persistence to try first
_TRACK = "sidebar.track"
_OF_TOOLS = {
    "trec_eval -c": ("AP", "Rprec", "Bpref", "RR", "P@10", "nDCG@10"),
    "gdeval": ("nDCG(dcg='exp-log2')@20", "ERR(gmax=4)@20"),
    "Quepid": ("nDCG(dcg='exp-log2')@10", "AP@10", "P@10", "ERR(gmax=3)@10", "RR@10"),
    "Search Relevance Workbench": ("nDCG(dcg='exp-log2')@10", "AP@10", "P@10", "R@10", "RR@10"),
    "_rank_eval": ("nDCG(dcg='exp-log2',ideal='retrieved')@10", "P@10", "R@10", "RR@10", "ERR@10"),
}  #: docs/measures.md says what these tools do otherwise
#: the measures of a tool together, by what the box offers
TOOLS = {f"{name}: {', '.join(measures)}": measures for name, measures in _OF_TOOLS.items()}


def show_picker(control: Measures, measures: tuple[str, ...], context: Context, page: Page) -> Any:
    """The chosen measures, the box for others, the builder; and the parts of the one that is at hand.

    A page that turns a measure draws its parts itself: the place for them.
    """
    session = state()
    if control.imported_names:
        show_widget(control, measures, _KEY, lambda: _take(control, measures, st.session_state[_KEY]))
        _show_refusal(session)
        return st.container(key="knobs") if "turns" in page.uses else None
    place = _place_at_hand(session, page, measures, context)
    _show_chosen(control, measures, place, context)
    _show_offered(control, measures, context)
    _show_refusal(session)
    below = st.container(key="knobs") if "turns" in page.uses else None
    _show_builder(control, measures, context)
    _show_relevant(control, measures, context)
    if below is None:
        _show_parts(control, measures, place, context)
    return below


def _show_refusal(session: Session) -> None:
    if session.box.refusal:
        st.error(as_markdown(session.box.refusal))


def _show_chosen(control: Measures, measures: tuple[str, ...], place: int, context: Context) -> None:
    """The chosen measures side by side; a click makes one of them the measure at hand."""
    put_widget(_KEY, measures[place])
    st.pills(
        control.label if len(measures) == 1 else f"{control.label}, all compared",
        list(measures),
        help=f"{control.help} Click one to show its settings.",
        required=True,
        format_func=lambda label: md_escape(context.label(label)),
        **heard(_KEY, _turn_to, measures),
    )


def _show_offered(control: Measures, measures: tuple[str, ...], context: Context) -> None:
    """A box to type an expression into, or to choose from what makes sense here; Enter takes what is typed."""
    assert context.dataset.collection is not None
    grade = _grade_of(measures, context)
    labels = compute_once(suggestions, context.dataset.collection, grade)
    offered = [*(label for label in labels if label not in measures), *TOOLS]
    put_widget(_ADD, None)
    st.selectbox(
        "Add a measure",
        offered,
        index=None,
        label_visibility="collapsed",
        accept_new_options=True,
        filter_mode="contains",
        **heard(_ADD, _add_measure, control, measures, context.dataset.collection, grade, offered),
        placeholder="Add: type or choose",
    )


@st.fragment
def _show_builder(control: Measures, measures: tuple[str, ...], context: Context) -> None:
    """Draw the builder of measures, beside facts about the draft; a fragment, so that nothing else is drawn again."""
    session, collection = state(), context.dataset.collection
    stay_on(present_page())
    if session.box.is_built:  # the builder lies over the figures: it closes when it has added
        session.box.is_built, st.session_state[_BUILD] = False, False
    builder = st.popover("Build a measure", key=_BUILD, on_change="rerun", width="stretch")
    if not builder.open:
        return
    assert collection is not None
    with builder, shown_errors():
        parts, facts = st.columns([2, 1], gap="medium")
        with parts:
            draft = _show_draft(control, measures, context, collection)
        with facts, st.container(key="build.facts"):
            show_facts(draft, context, "build.facts")


def _show_draft(control: Measures, measures: tuple[str, ...], context: Context, collection: Collection) -> Measure:
    """The measure that is being built: its kind, its parts, and the button that adds it."""
    session, kinds = state(), families(len(collection.aspects))
    tab = st.segmented_control("Family", list(kinds), key="build.family", required=True, default=next(iter(kinds)))
    symbols = {f"{kind.symbol}: {kind.title}": kind for kind in kinds[tab]}
    kind = symbols[st.selectbox("Kind", list(symbols), key=f"build.kind.{tab}")]
    grade = _grade_of(measures, context)
    if session.box.draft_start != (kind, context.dataset.key, grade):
        session.box.draft_start = kind, context.dataset.key, grade
        session.box.draft = make_expression(kind, collection, relevant=grade)
    draft = session.box.draft
    assert draft is not None
    if st.button("Add to the measures", key="build.add", type="primary", disabled=str(draft) in measures):
        _take(control, measures, (*measures, str(draft)))
        session.box.is_built = True
        st.rerun()
    show_parameters(Editor(draft, context, partial(setattr, session.box, "draft"), "build"))
    _show_refusal(session)
    return draft


def show_facts(one: Measure, context: Context, key: str = "facts", wide: bool = False) -> None:
    """The expression, a line in words, the weight of each rank, scale, nearest measures.

    `key` begins the keys of what is drawn; where it is `wide`, the three parts stand side by side.
    """
    label = str(one)
    first, second, third = st.columns(3, gap="small") if wide else [st.container() for _ in range(3)]
    with first:
        st.code(label, language=None, wrap_lines=True)
        st.caption(as_markdown(plain_words(one)))
        if problem := why_not(context, label):
            st.warning(as_markdown(problem))
            return
    with second:
        _show_weights(label, context, f"{key}.weights", wide)
    with third:
        known, why = scale_found(context, label)
        if known:
            st.badge(f"{KINDS[known.kind]}", help=as_markdown(f"{known.reason} ({known.source})"))
        else:
            st.caption(as_markdown(f"Scale: not known: {why}."))
        with PageJob():
            near = nearest(context, label)
        if near:
            words = ", ".join(f"`{name}` (τ {spell(tau, 2)})" for name, tau in near)
            st.caption(as_markdown(f"Nearest of the chosen measures: {words}."))


def _show_weights(label: str, context: Context, key: str, wide: bool) -> None:
    """Draw the weight of each rank of a list, as bars; beside the figures of a page where it is `wide`."""
    try:
        weights, reading = rank_weights(context, label)
    except IrvizError as error:
        st.caption(as_markdown(f"No weights of ranks: {error}"))
        return
    caption = f"Weight of each rank, {context.two_best[0]} on topic {typical_topic(context)}"
    caption += "" if reading is None else "; dashed: share still reading"
    st.caption(md_escape(caption))
    fig = weight_bars(weights, reading, 126 if wide else 150)
    show_drawing(Drawing(fig, "", alt=caption), key, "", {}, in_place=wide)


def _add_measure(
    control: Measures, measures: tuple[str, ...], collection: Collection, grade: float | None, offered: Sequence[str]
) -> None:
    """A person typed or chose a measure, or those of a tool; a word that is no measure takes the first with it."""
    measures = tuple(map(state().box.current, measures))
    if (text := st.session_state[_ADD]) is not None:
        if re.fullmatch(r"\w+", text) and text not in catalogue():
            text = next((label for label in offered if text.lower() in label.lower()), text)
        _take(control, measures, (*measures, *TOOLS.get(text, [completed(text, collection, grade)])))


def _take(control: Measures, measures: tuple[str, ...], texts: Sequence[str]) -> None:
    """Take over what a person chose; what cannot be read is left out, and said."""
    session = state()
    session.forget_complaints()
    after: list[str] = []
    for text in texts:
        try:
            after += [text] if text in measures else list(control.parse(text))
        except IrvizError as error:
            session.box.refusal = str(error)
    if not after:
        session.box.refusal = session.box.refusal or "At least one measure must remain chosen."
    new = tuple(dict.fromkeys(after)) or measures
    added = [i for i, label in enumerate(new) if label not in measures]
    again = [new.index(label) for label in after[len(measures) :]]  # typed under another name, perhaps
    _look_at(session, new, next(reversed(added or again), None))
    if added and session.run.context is not None and not control.imported_names:
        like = counterpart(new[added[-1]], measures, session.comparison.measure)
        session.comparison.compare_with(like)
    for place in added:
        session.box.new_labels.pop(new[place], None)
    remember(session, SIDEBAR, control, new)


def show_knobs(session: Session, page: Page, context: Context) -> None:
    """The parts of the measure that a page turns, with a button for a sweep beside each."""
    control, chosen = session.run.fitted_controls["measures"], session.run.values["measures"]
    values = session.run.page_values
    if context.dataset.collection is None or values[page.focus] not in chosen:
        return
    place = chosen.index(values[page.focus])
    _show_families(session, page, context, chosen, place)
    if len(context.dataset.collection.aspects) > 1:
        _show_aspects(control, chosen, chosen[place])  # type: ignore[arg-type]
    sweeps = next((one.paths(context, values) for one in page.controls if isinstance(one, SweptParameters)), ())
    _show_parts(control, chosen, place, context, partial(_show_sweep, page, sweeps))  # type: ignore[arg-type]


def _show_families(session: Session, page: Page, context: Context, measures: tuple[str, ...], place: int) -> None:
    """The families of measures as pictures; a click makes the measure at hand one of another family.

    Aspects that the data do not have are shown on data that have them.
    """
    now = family_of(measure(measures[place]))
    with_pictures(_FAMILY, list(FAMILIES), family_pictures())
    put_widget(_FAMILY, now if now in FAMILIES else None)
    st.segmented_control(
        "What is measured",
        list(FAMILIES),
        format_func=lambda tab: f"{tab}  \n:small[{FAMILIES[tab][2]}]",
        label_visibility="collapsed",
        **heard(_FAMILY, _become, session, context, measures, place),
    )
    if st.session_state.pop(_EXAMPLE, False):
        made = measures_of_all_aspects("nDCG@10")
        texts = {"collection": "multiaspect", "measures": ",".join(["nDCG@10", *map(str, made)])}
        visit(View.from_texts(page.name, **texts, measure=str(made[0])), page.name)
    if now in FAMILIES:
        st.caption(FAMILIES[now][0])


def _become(session: Session, context: Context, measures: tuple[str, ...], place: int) -> None:
    """A person clicked a family."""
    collection, tab = context.dataset.collection, st.session_state[_FAMILY]
    if collection is None or tab is None:
        return
    if tab == ALL_ASPECTS and len(collection.aspects) < 2:
        st.session_state[_EXAMPLE] = True  # another page can be opened only when this one is drawn
        return
    now = measure(session.box.current(measures[place]))
    last = session.box.last_of_families
    last[family_of(now)] = now
    new = last.get(tab, now)
    if new is now or why_not(context, str(new)):
        new = by_name(become(catalogue()[FAMILIES[tab][1]], now, collection, _grade_of(measures, context)))
    session.forget_complaints()
    control: Any = session.run.fitted_controls["measures"]
    if str(new) in measures:
        _look_at(session, measures, measures.index(str(new)))
    else:
        _replace(control, measures, place, new)


def _show_aspects(control: Measures, measures: tuple[str, ...], label: str) -> None:
    """Buttons that add the measure of all aspects that is made of the one at hand."""
    made_of = [combined for combined in measures_of_all_aspects(label) if str(combined) not in measures]
    if not made_of:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("All aspects:", width="content")
        for combined in made_of:
            st.button(
                combined.symbol,
                key=f"aspects.{combined.symbol}",
                help=md_escape(f"Add {combined}: {combined.title}"),
                on_click=_take,
                args=(control, measures, (*measures, str(combined))),
            )


def _show_sweep(
    page: Page, sweeps: Container[str], path: tuple[str, ...], number: str, write: Callable[[], None] | None
) -> None:
    """The button beside a slider: draws what changes along it.

    Only what the page `sweeps` has one.  That of a `number` of a list says which; the list is written out first.
    """
    name = ".".join(path)
    if not number and name not in sweeps:
        return
    on = state().scope(page.name).get(SWEEP) == name
    st.button(
        f"{'End' if on else 'Sweep'} {md_escape(number)}".strip(),
        key=f"sweep.{name}",
        type="primary" if on else "secondary",
        help="End the sweep." if on else "What changes along its range.",
        on_click=_sweep,
        args=(page, None if on else name, write),
    )


def _sweep(page: Page, path: str | None, write: Callable[[], None] | None) -> None:
    state().forget_complaints()
    if write is not None:
        write()
    state().put(page.name, SWEEP, path)


def _show_parts(
    control: Measures,
    measures: tuple[str, ...],
    place: int,
    context: Context,
    draw_beside: Callable[[tuple[str, ...], str, Callable[[], None] | None], None] | None = None,
) -> None:
    """The parts of a chosen measure, in a popover unless the page turns them, what it is, and a way to leave it out."""
    chosen_measure = measure(measures[place])
    shown = chosen_measure if draw_beside is None else as_reader(chosen_measure)

    def put(new: Measure) -> None:
        _replace(control, measures, place, by_name(new))

    if draw_beside is not None and (model := browsing_of(shown)) is not None:
        st.button(
            f"Let readers give up sooner: p → {_SOONER:g}",
            key="adjust.sooner",
            disabled=getattr(model, "p", 0) <= _SOONER,
            on_click=lambda: put(shown.with_value("C.p", _SOONER)),
        )
    words = f"Settings of {md_escape(context.label(str(chosen_measure)))}"
    with st.popover(words, width="stretch") if draw_beside is None else nullcontext():
        show_parameters(Editor(shown, context, put, f"adjust.{place}", (), draw_beside))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.popover(f"About {md_escape(chosen_measure.symbol)}"):
            show_about(chosen_measure, context.dataset.data.grades[0])  # type: ignore[union-attr]
        if len(measures) > 1:
            rest = tuple(label for label in measures if label != measures[place])
            st.button(
                "Remove",
                key=_REMOVE,
                help=f"Leave out {md_escape(measures[place])}.",
                on_click=_take,
                args=(control, measures, rest),
            )


def _look_at(session: Session, measures: Sequence[str], place: int | None) -> None:
    """Show the parameters of one of the measures; a page about one measure is about this one, too."""
    session.box.shown_position = place
    page = session.run.page
    if place is not None and page is not None and _subject(page):
        session.put(page.name, _subject(page), measures[place])


def _subject(page: Page) -> str:
    """The control that names the measure a page is about; "" where it is about two, or all of them."""
    return page.focus if sum(isinstance(control, Choice) and control.measure for control in page.controls) == 1 else ""


def _place_at_hand(session: Session, page: Page, measures: tuple[str, ...], context: Context) -> int:
    """Which measure is on show: the one that the page is about, the last touched, or the first with a parameter."""
    if _subject(page):
        default = next(one.fit(context).default for one in page.controls if one.name == page.focus)
        if (focus := session.scope(page.name).get(page.focus, default)) in measures:
            return measures.index(focus)
    elif session.box.shown_position is not None and session.box.shown_position < len(measures):
        return session.box.shown_position
    return next((i for i, label in enumerate(measures) if "=" in label), 0)


def _turn_to(measures: tuple[str, ...]) -> None:
    measures = tuple(map(state().box.current, measures))
    label = state().box.current(st.session_state[_KEY])
    _look_at(state(), measures, measures.index(label) if label in measures else None)


def _replace(control: Measures, measures: tuple[str, ...], place: int, new: Measure) -> None:
    """Put a changed measure in the place of the old one, on every page that shows it."""
    state().forget_complaints()
    if exchange(control, measures, {place: str(new)}):
        state().box.shown_position = place


def _show_relevant(control: Measures, measures: tuple[str, ...], context: Context) -> None:
    """Draw the box for the smallest relevant grade of all binary measures, if there is something to choose."""
    now = _relevant_grades(measures)
    grades = {grade for aspect_grades in context.dataset.data.grades for grade in aspect_grades if grade > 0}  # type: ignore[union-attr]
    if not now or len(grades) < 2:
        return
    put_widget(_RELEVANT, float(next(iter(now))) if len(now) == 1 else None)
    st.number_input(
        "Relevant from grade",
        value=None,
        step=1.0,
        format="%g",
        placeholder="as each measure says",
        help="Sets `rel`, the smallest relevant grade, of all binary measures such as AP and P@10. TREC Deep Learning "
        "counts from grade 2.",
        **heard(_RELEVANT, _count_relevant, control, measures),
    )
    track = TRACKS.get(context.dataset.key)
    if track is not None and now == {track}:
        st.caption(f"Binary measures count from grade {track:g} by default, as the track does.")
    elif track is not None:
        st.button(
            f"Count from grade {track:g}, as the track does",
            key=_TRACK,
            help=f"TREC Deep Learning counts from grade {track:g} in binary measures, trec_eval from grade 1.",
            on_click=_count_relevant,
            args=(control, measures, track),
        )


def _relevant_grades(measures: tuple[str, ...]) -> set[float]:
    """The smallest relevant grades of the binary measures."""
    return {grade for label in measures if (grade := relevant_from(measure(label))) is not None}


def _grade_of(measures: tuple[str, ...], context: Context) -> float | None:
    """The smallest relevant grade of a new measure: that of all binary ones, else the track's; None where unknown."""
    now = _relevant_grades(measures)
    return next(iter(now)) if len(now) == 1 else TRACKS.get(context.dataset.key)


def _count_relevant(control: Measures, measures: tuple[str, ...], grade: float | None = None) -> None:
    session, grade = state(), st.session_state[_RELEVANT] if grade is None else grade
    session.forget_complaints()
    if grade is None:
        return
    present = [measure(session.box.current(label)) for label in measures]
    try:
        new = {
            i: str(expression.with_value("rel", grade))
            for i, expression in enumerate(present)
            if relevant_from(expression) is not None
        }
    except IrvizError as error:
        session.box.refusal = str(error)
        return
    exchange(control, measures, new)


def show_about(one: Measure, grades: tuple[float, ...]) -> None:
    """Draw the meaning, formula, scale and source of a measure."""
    st.markdown(f"**{md_escape(one.title or one.symbol)}**")
    words = (type(one).__doc__ or "").strip().split("\n\n")[0]
    st.markdown(as_markdown(" ".join(words.split()).replace("``", "`")))
    if one.formula:
        st.latex(one.formula)
    scale = one.scale(grades)
    st.caption(as_markdown(f"Scale under these grades: {KINDS[scale.kind]}. {scale.reason} Source: {one.source}."))
