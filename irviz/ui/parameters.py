"""A widget for every parameter of an expression, made from its declaration as the controls of a page are.

A widget that is moved makes the changed expression and hands it to ``put``; a value
outside the domain is said below the list of measures, and the last good one stays.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, TypeVar

import streamlit as st

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.catalogue import measures
from irviz.measures.language.base import Expression, Measure, family
from irviz.measures.language.grammar import read_value
from irviz.measures.language.parameters import (
    Integer,
    Name,
    Numbers,
    OneOf,
    Parameter,
    Real,
    Subexpression,
    Truth,
    declarations,
    value_text,
)
from irviz.ui.handles import BOX, bars, plane, shares
from irviz.ui.state import state
from irviz.ui.text import md_escape
from irviz.ui.widgets import fold, show_widget
from irviz.workspace.context import Context
from irviz.workspace.control import (
    LONGEST_VALUE,
    Choice,
    Control,
    Number,
    Text,
    control_of,
    default_of,
    label_of,
    plain,
    split_expressions,
)
from irviz.workspace.measure_facts import families, measures_of_all_aspects, part_pictures, relevant_from

_CUTOFFS = (10, 100)
MOST_PICTURES = 12  #: options that are shown side by side, each with its picture
MOST_HANDLES = 8  #: numbers that can be dragged; more are typed


def suggestions(collection: Collection, relevant: float | None = None) -> list[str]:
    """Expressions of the catalogue that make sense on `collection`, by family, those of its aspects first.

    Binary measures count from the grade `relevant`, where one is given.
    """
    kinds = [kind for tab in families(len(collection.aspects)).values() for kind in tab]
    if len(collection.aspects) < 2:
        kinds = list(measures().values())
    variants = (variant for kind in kinds for variant in _variants(kind, collection))
    return list(dict.fromkeys(str(_counting_from(variant, relevant)) for variant in variants))


def _variants(cls: type[Measure], collection: Collection) -> list[Measure]:
    cutoffs = {"none": (None,), "required": _CUTOFFS, "optional": (None, *_CUTOFFS[:1])}[cls.cut]
    choices: list[dict[str, Any]] = [{}]
    for name, declared in declarations(cls).items():
        if declared.always_written and isinstance(declared.kind, OneOf):
            choices = [choice | {name: option} for choice in choices for option in declared.kind.options]
    variants = []
    for cutoff, choice in product(cutoffs, choices):
        try:
            variants.append(cls(cutoff=cutoff, **fitting(cls, collection), **choice))
        except (IrvizError, TypeError):  # it needs something that only a person can choose
            continue
    return variants


def fitting(cls: type[Expression], collection: Collection) -> dict[str, Any]:
    """Values for those parameters whose default cannot fit every number of grades."""
    levels = len(collection.grades[0]) - 1
    kinds = {name: declared.kind for name, declared in declarations(cls).items()}
    needing = [name for name, kind in kinds.items() if isinstance(kind, Numbers) and kind.simplex and not kind.optional]
    return {name: even_shares(levels) for name in needing}


def completed(text: str, collection: Collection, relevant: float | None) -> str:
    """Measures as a person types them, with what their names leave open.

    On three grades above zero, GAP is ``GAP(g=[0.33,0.33,0.34])``; a binary measure without ``rel=`` counts from the
    grade `relevant`, where one is given. All else stays as it is written.
    """
    if len(text) > LONGEST_VALUE:
        return text
    return ",".join(_completed(part, collection, relevant) for part in split_expressions(text))


def _completed(text: str, collection: Collection, relevant: float | None) -> str:
    try:
        one = measure(text)
    except IrvizError:  # refused where it is added
        return text
    shares = fitting(type(one), collection) if text.partition("@")[0].strip() == one.symbol else {}
    if shares := {key: share for key, share in shares.items() if share}:  # no grade above zero: none
        return str(replace(one, **shares))
    asked = relevant is not None and "rel=" not in text.replace(" ", "")
    return str(_counting_from(one, relevant)) if asked else text


def even_shares(count: int) -> tuple[float, ...]:
    """`count` numbers of two digits that sum to 1, as even as they can be.

    >>> even_shares(3)
    (0.33, 0.33, 0.34)
    """
    hundredths = [(100 * (i + 1)) // count - (100 * i) // count for i in range(count)]
    return tuple(part / 100 for part in hundredths)


Put = Callable[[Any], None]
Read = Callable[[Any], Any]
E = TypeVar("E", bound=Expression)
FIRST = ""  #: what a link never says: the first aspect


@dataclass(frozen=True)
class Editor:
    """The widgets that change the parameters of an expression."""

    one: Expression
    context: Context  #: the data, from which the pictures of the parts are made
    put: Put  #: given the changed expression
    start: str  #: of the keys of the widgets
    path: tuple[str, ...] = ()  #: names of the parameters that lead to the expression, from the measure
    #: draws what stands beside the widget of a number, given its path; of one in a list also its name, and what writes
    #: out a list that the expression leaves to its default
    draw_beside: Callable[[tuple[str, ...], str, Callable[[], None] | None], None] | None = None

    @property
    def collection(self) -> Collection:
        """The opened collection."""
        assert self.context.dataset.collection is not None
        return self.context.dataset.collection

    def key(self, name: str) -> str:
        """The key of the widget of a parameter."""
        return f"{self.start}.{self.one.symbol}.{name}"

    def set(self, name: str, value: Any) -> None:
        """Change a parameter; a value that is refused is said below the list of measures."""
        try:
            if (after := self.one.with_value(name, value)) != self.one:
                self.put(after)
        except IrvizError as error:
            state().box.refusal = str(error)


def show_parameters(editor: Editor) -> None:
    """Widgets for the cutoff and every parameter of an expression."""
    widgets = list(_widgets(editor))
    seen = [show for place, (is_seen, show) in enumerate(widgets) if is_seen or place < 2]
    _show(seen)
    if more := [show for _, show in widgets if show not in seen]:
        fold(f"More parameters of {md_escape(editor.one.symbol)}", f"{editor.start}.more", partial(_show, more))


def _show(widgets: Iterable[Callable[[], None]]) -> None:
    for show in widgets:
        show()


def _widgets(editor: Editor) -> Iterator[tuple[bool, Callable[[], None]]]:
    """In the order they are shown, and whether never in a fold: what is written out always, the cutoff, the rest."""
    one = editor.one
    declared = {
        name: parameter
        for name, parameter in declarations(type(one)).items()
        if not (name == "aspect" and len(editor.collection.aspects) < 2)
    }
    first = [name for name, parameter in declared.items() if parameter.always_written]
    first += [name for name, parameter in declared.items() if parameter.positional]
    for name in first:
        yield True, partial(_draw, editor, name, declared[name])
    if one.cut != "none":
        yield False, partial(_draw_control, editor, _CUTOFF, one.cutoff)
    for name, parameter in declared.items():
        if name not in first:
            yield isinstance(parameter.kind, Numbers), partial(_draw, editor, name, parameter)


def _draw(editor: Editor, name: str, parameter: Parameter) -> None:
    """The widget, or the widgets, of one parameter."""
    kind, value = parameter.kind, getattr(editor.one, name)
    if isinstance(kind, Subexpression):
        _draw_nested(editor, name, parameter, kind)
    elif isinstance(kind, Numbers) and not kind.nested:
        _draw_numbers(editor, name, parameter, kind)
    elif isinstance(kind, Numbers):
        _draw_plane(editor, name, parameter)
    elif isinstance(kind, Name) and name == "aspect":
        aspects = editor.collection.aspects
        options = ((FIRST, f"{aspects[0]} (the first)"), *((one, one) for one in aspects))
        control = Choice(name=name, label=name, help=parameter.doc, options=options)
        _draw_control(editor, control, value if value in aspects else FIRST, lambda choice: choice or None)
    elif isinstance(kind, OneOf):
        pictures = part_pictures(editor.context, editor.one, name)
        with_pictures(editor.key(name), kind.options, pictures)
        _draw_control(editor, _plain(editor.one, name, parameter), value)
        if pictures:
            st.caption(md_escape(parameter.doc))
    elif isinstance(kind, Real | Integer | Truth):
        _draw_control(editor, _plain(editor.one, name, parameter), value)
    else:
        _draw_text(editor, name, parameter)


def _draw_text(editor: Editor, name: str, parameter: Parameter) -> None:
    one, value = editor.one, getattr(editor.one, name)
    shown = "" if value is None else value_text(value).strip("'") if isinstance(value, str) else value_text(value)
    control = Text(name=name, label=label_of(name, parameter), help=_help(parameter), most=2000, empty="default")
    _draw_control(
        editor,
        control,
        shown,
        lambda text: read_value(one, name, text.strip()) if text.strip() else default_of(type(one), name),
    )


def _draw_control(editor: Editor, control: Control, value: Any, read: Read = lambda value: value) -> None:
    key = editor.key(control.name)
    moved = partial(_apply, editor, control.name, key, read)
    turned = value is not None if isinstance(control, Number) else isinstance(control, Choice) and control.few
    if editor.draw_beside is None or not turned:
        show_widget(control, value, key, moved)
        return
    with st.container(key=f"swept.{key}"):  # the button stands beside the widget's label
        show_widget(control, value, key, moved)
        editor.draw_beside((*editor.path, control.name), "", None)


def _apply(editor: Editor, name: str, key: str, read: Read) -> None:
    """A person moved the widget `key`; one that has just gone and reports what it showed has not been moved."""
    state().forget_complaints()
    try:
        value = read(st.session_state[key])
    except IrvizError as error:
        state().box.refusal = str(error)
    else:
        editor.set(name, value)


def _plain(one: Expression, name: str, parameter: Parameter) -> Control:
    """Widget of a number, a choice or a yes and no; a number that may be absent is typed."""
    control = control_of([(type(one), name, parameter)], name=name, label=label_of(name, parameter))
    if isinstance(control, Choice):
        return replace(control, few=True)
    if not isinstance(control, Number):
        return control
    if control.slider and getattr(one, name) is not None:
        return control
    return replace(control, slider=False, low=-math.inf, high=math.inf, help=_help(parameter), empty="not set")


_CUTOFF = Number(
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


def _draw_nested(editor: Editor, name: str, parameter: Parameter, kind: Subexpression) -> None:
    """Which expression, and its own parameters under it."""
    value, known, path = getattr(editor.one, name), family(kind.family), (*editor.path, name)
    inner = replace(editor, one=value, put=partial(editor.set, name), start=editor.key(name), path=path)
    few = len(known) <= MOST_PICTURES
    options = tuple((symbol, symbol if few else cls.title or symbol) for symbol, cls in known.items())
    label = parameter.doc.rstrip(".") if few else label_of(name, parameter)
    control = Choice(name=name, label=label, help=parameter.doc, options=options, few=few)
    if few:
        with_pictures(inner.start, list(known), part_pictures(editor.context, editor.one, name))
    made = partial(make_expression, collection=editor.collection, previous=value)
    _draw_control(editor, control, value.symbol, lambda symbol: made(known[symbol]))
    if few:
        st.caption(md_escape(value.title or value.symbol))
    if declarations(type(value)) or value.cut != "none":
        with st.container(border=True):
            show_parameters(inner)


def make_expression(
    cls: type[E], collection: Collection, previous: Expression | None = None, relevant: float | None = None
) -> E:
    """An expression of a kind with defaults that fit the collection; a measure keeps the cutoff of the one before.

    A binary measure counts from the grade `relevant`, where one is given.
    """
    arguments = {"cutoff": previous.cutoff} if previous and cls.family == "measure" and cls.cut == "optional" else {}
    if cls.family != "measure" and cls.cut == "required":
        arguments = {"cutoff": _CUTOFFS[0]}
    try:
        return _counting_from(cls(**arguments, **fitting(cls, collection)), relevant)
    except TypeError as error:  # it has a parameter without default
        raise IrvizError(
            f"{cls.symbol} has a parameter without a default; write the whole expression in the list."
        ) from error


def become(kind: type[Measure], now: Measure, collection: Collection, relevant: float | None = None) -> Measure:
    """A measure of another kind that keeps what it can of the one `now`: base, cutoff, parameters.

    >>> from irviz.collection.catalogue import open_collection
    >>> c = open_collection("multiaspect")
    >>> str(become(measures()["CWLA"], measure("RBP(p=0.5)@5"), c)), str(become(measures()["TOMA"], measure("AP"), c))
    ('CWLA(C=RBP(p=0.5),A=ERG)@5', "TOMA(AP,distance='euclidean')")
    """
    for one in (getattr(now, "base", None), *measures_of_all_aspects(str(now))):
        if isinstance(one, kind):
            return one
    made = make_expression(kind, collection, now, relevant)
    written = {
        name: value
        for name, declared in declarations(type(now)).items()
        if not isinstance(value := getattr(now, name), Expression)
        and (declared.always_written or value != default_of(type(now), name))
    }
    for path in made.paths():
        if (name := path.rpartition(".")[2]) in written:
            with suppress(IrvizError):  # what the other kind does not take
                made = made.with_value(path, written[name])
    return made


def _counting_from(one: E, relevant: float | None) -> E:
    """The expression; a binary measure counts from the grade `relevant`, where one is given."""
    asks = relevant is not None and isinstance(one, Measure) and relevant_from(one) is not None
    return replace(one, rel=relevant) if asks else one  # type: ignore[call-arg]


def _draw_numbers(editor: Editor, name: str, parameter: Parameter, kind: Numbers) -> None:
    """The numbers as text, and above it as handles: bars, or one bar divided where they sum to 1."""
    one, value, collection = editor.one, getattr(editor.one, name), editor.collection
    grades = collection.grades[collection.aspect_index(getattr(one, "aspect", None))]
    if kind.each.startswith("aspect"):
        names = list(collection.aspects)
    else:
        names = [f"grade {plain(grade)}" for grade in (grades[1:] if kind.simplex else grades)]
    words = known_numbers(kind, grades, len(names))
    count = len(value) if isinstance(value, tuple) else len(names)
    if count != len(names):
        names = [f"number {i + 1}" for i in range(count)]
        if kind.simplex and (fits := fitting(type(one), collection).get(name)):
            label = f"Make {name} fit the {len(grades) - 1} grades"
            st.button(label, key=f"{editor.key(name)}.fit", on_click=editor.set, args=(name, fits))
    now = value if isinstance(value, tuple) else words.get("" if value is None else value, ())
    path = "-".join((*editor.path, name))
    with st.container(key=f"{BOX}.{editor.key(name)}", gap="small"):
        if kind.simplex and 1 < count <= MOST_HANDLES:
            st.html(shares(names, words, path))
        elif kind.nonnegative and 1 < count <= MOST_HANDLES and now:
            st.html(bars(names, words, now, kind.ascending, path))
        _draw_text(editor, name, parameter)
    if editor.draw_beside is not None and 1 < len(now) <= MOST_HANDLES:
        write = None if now == value else partial(editor.set, name, tuple(now))
        with st.container(horizontal=True, gap="xsmall", key=f"turns.{editor.key(name)}"):
            for i, word in enumerate(names, start=1):
                editor.draw_beside((*editor.path, name, str(i)), word, write)


def _draw_plane(editor: Editor, name: str, parameter: Parameter) -> None:
    """Places of the levels of aspects as text, and above it as points."""
    one, grades = editor.one, editor.collection.grades
    points: Sequence[Sequence[float]] = ()
    usual: Sequence[Sequence[float]] = ()
    with suppress(IrvizError):  # a text that does not fit the aspects is refused where the measure is computed
        points, usual = (each.space(grades).points for each in (one, one.with_value(name, None)))  # type: ignore[attr-defined]
    with st.container(key=f"{BOX}.{editor.key(name)}", gap="small"):
        if len(points) > 1 and min(map(min, points)) >= 0 and max(map(len, points)) <= MOST_HANDLES:
            words = {"": [place for places in usual for place in places]}
            st.html(plane(editor.collection.aspects, words, points, "-".join((*editor.path, name))))
        _draw_text(editor, name, parameter)


def known_numbers(kind: Numbers, grades: Sequence[float], count: int) -> dict[str, Sequence[float]]:
    """The numbers that a text in place of a list stands for: equal shares, linear or exponential gains."""
    if kind.simplex:
        return {"": even_shares(count)} if count else {}
    if kind.each.startswith("aspect"):
        return {"": (1.0,) * count}
    gains = {"linear": [max(0.0, grade) for grade in grades], "exp": [2.0**grade - 1 for grade in grades]}
    by_word = {word: numbers for word, numbers in gains.items() if word in kind.words and max(grades) < 64}
    return by_word | ({"": gains["linear"]} if by_word and kind.optional else {})


def with_pictures(key: str, options: Sequence[str], pictures: Mapping[str, str]) -> None:
    """Put a picture above each option of the widget `key`, which is drawn next, if its options have pictures."""
    button = f".st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)} [role=radiogroup] button"  # as Streamlit writes a key
    placed = "no-repeat 50% 0.3rem / auto 1.55rem"
    look = "padding: 1.9rem 0.2rem 0.1rem; height: auto; min-width: 3.6rem; border-radius: 0.4rem;"
    rules = "".join(
        f'{button}:nth-of-type({place}) {{ background: url("{pictures[option]}") {placed}; {look} }}'
        for place, option in enumerate(options, start=1)
        if option in pictures
    )
    if rules:
        st.html(f"<style>{rules}</style>")


def _help(parameter: Parameter) -> str:
    described = parameter.kind.describe()
    return f"{parameter.doc} It must {described}." if described else parameter.doc
