"""A page as one value: what it asks, its controls, its panel, and what can be done with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from irviz.errors import choose, number_of
from irviz.figures import END_ROWS
from irviz.figures.axes import LEFT_OUT
from irviz.measures import measure
from irviz.stats.aggregate import MEANS
from irviz.workspace.analyses import Snippet
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Choice, Control, PreviousMeasure
from irviz.workspace.controls import EVERY
from irviz.workspace.panel import Panel
from irviz.workspace.phrases import quote_names
from irviz.workspace.short_names import named_panel, short_systems
from irviz.workspace.view import View

Values = Mapping[str, Any]  #: what the controls of a page say, by their names
#: what a page may use, and what that means
USES = {
    "measures": "the sidebar's measures, which are shown beside it",
    "average": "the sidebar's average over topics",
    "highlights": "the systems that the sidebar highlights, which stand out on its figures",
    "baseline": "its views can be pinned as a baseline",
    "lists": "rankings and judgments; with scores alone it has nothing to choose from",
    "judges": "several judges; with one it has nothing to choose from",
    "users": "what users said; without it, it has nothing to choose from",
}


@dataclass(frozen=True)
class RowByRow:
    """A panel whose first figures are ready before the others.

    ``steps(context, values)`` yields panels: the first ones have the rows of figures that are ready, which the next
    ones repeat, and no statement; the last one is whole.
    """

    steps: Callable[[Any, Values], Iterator[Panel]]

    def __call__(self, context: Any, values: Values) -> Panel:
        *_, whole = self.steps(context, values)
        return whole


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the dashboard.

    Attributes
    ----------
    name : str
        Its address.
    title, question : str
        What it is called, and what it answers.
    panel : callable
        ``panel(context, values)``, a pure function; a lab's is given None where no data are open.  A
        :class:`RowByRow` gives its first rows of figures before the others.
    controls : tuple of Control
        What makes the values.
    snippet : Snippet, optional
        How its numbers are computed without it, where one public function computes them.
    uses : set of the words of :data:`USES`
        What of the sidebar and the data makes a difference to it, and what can be done with its views.
    """

    name: str
    title: str
    question: str
    panel: Callable[[Any, Values], Panel]
    controls: tuple[Control, ...] = ()
    snippet: Snippet | None = None
    uses: frozenset[str] = frozenset({"measures", "average"})
    lab: ClassVar[bool] = False  #: True for a :class:`~irviz.labs.lab.Lab`

    def __post_init__(self) -> None:
        for use in self.uses:
            choose("use of a page", use, tuple(USES))

    @property
    def focus(self) -> str:
        """The control that names the one measure a page is about; "" where it is about all of them."""
        choices = (control for control in self.controls if isinstance(control, Choice))
        return next((control.name for control in choices if control.measure), "")

    @property
    def previous_measure(self) -> str:
        """The control that names the measure before the last move; "" where the page compares with none."""
        return next((control.name for control in self.controls if isinstance(control, PreviousMeasure)), "")

    def offers_choices(self, dataset: Dataset) -> bool:
        """True if its controls change anything on these data."""
        collection = dataset.collection
        if "judges" in self.uses:
            return collection is not None and len(collection.judges) > 1
        if "users" in self.uses:
            return collection is not None and collection.has_users
        return collection is not None or "lists" not in self.uses

    def controls_for(self, texts: Mapping[str, str]) -> tuple[Control, ...]:
        """The controls with the defaults they have under these texts of the page."""
        return self.controls

    def draw_panel(self, context: Any, values: Values) -> Panel:
        """The panel under short names, with the aspect where there are several."""
        return self._dressed(context, values, partial(self.panel, context, values))

    def draw_steps(self, context: Any, values: Values) -> Iterator[Panel]:
        """The panel as it grows, last of all as :meth:`draw_panel` returns it; before, only its figures count."""
        if not isinstance(self.panel, RowByRow):
            yield self.draw_panel(context, values)
            return
        steps = self.panel.steps(context, values)
        with suppress(StopIteration):
            while True:
                yield self._dressed(context, values, partial(next, steps))

    def _fewer_draws(self, context: Context, values: Values) -> list[str]:
        """A note on draws that are fewer than usual by default, because the data are large."""
        size = f"{number_of(len(context.systems), 'system')}, {number_of(len(context.topics), 'topic')}"
        return [
            f"{control.label}: {values[control.name]:,}, not {control.default:,}, because of {size}."
            for control in self.controls
            if control.name == "trials"
            and control.matters(values)
            and values[control.name] == control.fit(context).default < control.default
        ]

    def _dressed(self, context: Any, values: Values, make: Callable[[], Panel]) -> Panel:
        if context is None:
            return make()

        def noted() -> Panel:
            panel = naming_aspect(context, values, make(), "measures" in self.uses)
            missing = context.missing if "measures" in self.uses else ()
            return replace(panel, notes=(*missing, *self._fewer_draws(context, values), *panel.notes))

        make_full = noted if values.get(EVERY.name, True) else partial(with_ends, noted)
        return short_systems(named_panel(make_full, context.short_names), context.dataset.systems)


def with_ends(make: Callable[[], Panel]) -> Panel:
    """The panel that `make` returns, with the ends of figures that have many rows, and a note that says so."""
    left_out: list[int] = []
    token = LEFT_OUT.set(left_out)
    try:
        panel = make()
    finally:
        LEFT_OUT.reset(token)
    note = (
        f"The figure leaves out {number_of(max(left_out, default=0), 'system')}, where ⋮ stands. It has the first "
        f"{END_ROWS}, the last {END_ROWS}, the one in the middle and the highlighted ones; tables have all of them, "
        f"and so has the figure with “{EVERY.label}”."
    )
    folds = {title: partial(with_ends, fold) for title, fold in panel.folds.items()}
    return replace(panel, notes=(*([note] if any(left_out) else []), *panel.notes), folds=folds)


# -- what a page shows where the data have nothing for it ------------------------------------


def lacking(context: Context, what: str, page: str, example: str) -> Panel:
    """What the open data do not have, and the ways to data that have it: one's own, or bundled ones."""
    ways = (
        ("Load data", View.from_texts("collection", **context.texts)),
        (
            "Show an example",
            View.from_texts(page, collection=example),
        ),
    )
    return Panel(f"{quote_names([context.dataset.title])} has no {what}.", ways=ways)


# -- what recipes say about the average over topics ------------------------------------------


def eps_argument(context: Context) -> str:
    """The ε of the sidebar as a further argument of a Python call."""
    return "" if context.eps is None else f", eps={context.eps!r}"


def average_words(context: Context) -> list[str]:
    """The sidebar's average over topics as words of the command line."""
    has_eps = context.eps is not None and MEANS[context.summary].eps is not None
    return ["--summary", context.summary, *(["--eps", repr(context.eps)] if has_eps else [])]


def naming_aspect(context: Context, values: Mapping[str, Any], panel: Panel, is_about_measures: bool) -> Panel:
    """The panel with the aspect named, where the collection has several and a measure looks at one of them.

    Parameters
    ----------
    panel : with the aspects that it takes for a measure that names none; the first one where it says none.
        A panel that takes several says itself where it looks at which.
    is_about_measures : whether the page is about the chosen measures; otherwise its own ones name no aspect
    """
    collection = context.dataset.collection
    has_aspect = is_about_measures or len(panel.aspects) == 1
    if collection is None or len(collection.aspects) < 2 or len(panel.aspects) > 1 or not has_aspect:
        return panel
    alone = "measure" in values and "before" not in values  # not beside the others, nor beside the state before
    names = (values["measure"],) if alone else context.measures
    of_first = [_is_of_first(name) for name in names] if is_about_measures else [True]
    if not any(of_first):
        return panel
    aspect = panel.aspects[0] if panel.aspects else collection.aspects[0]
    if not all(of_first):
        return replace(panel, sentence=f"{panel.sentence} Measures that name no aspect look at {aspect}.")
    rows = tuple(
        {key: replace(drawing, title=_with_aspect(drawing.title, aspect)) for key, drawing in row.items()}
        for row in panel.drawings
    )
    return replace(panel, sentence=f"{panel.sentence} The aspect is {aspect}.", drawings=rows)


def _with_aspect(title: str, aspect: str) -> str:
    """Add the aspect to a title, before its full stop; a title that names it already stays.

    >>> _with_aspect("`x` moves most.", "relevance"), _with_aspect("Documents by relevance grade", "relevance")
    ('`x` moves most (relevance).', 'Documents by relevance grade')
    >>> _with_aspect("Which beats which (α = 0.05)", "relevance")
    'Which beats which (α = 0.05, relevance)'
    """
    if re.search(rf"\b{re.escape(aspect)}\b", title):
        return title
    if re.search(r" \([^()]+\)$", title):
        return f"{title[:-1]}, {aspect})"
    stop = "." if title.endswith(".") else ""
    return f"{title.removesuffix('.')} ({aspect}){stop}"


def _is_of_first(name: str) -> bool:
    """True for a measure that looks at the first aspect alone."""
    parsed = measure(name)
    return parsed.aspect is None and not parsed.several_aspects
