"""A page as one value: what it asks, its controls, its panel, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from irviz.errors import IrvizError, choose
from irviz.measures import measure
from irviz.multiverse.power import few_topics
from irviz.workspace.analyses import Snippet
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Choice, Control, PreviousMeasure
from irviz.workspace.panel import Panel, with_before
from irviz.workspace.view import View

Values = Mapping[str, Any]  #: what the controls of a page say, by their names
#: what a page may use, and what that means
USES = {
    "measures": "the sidebar's measures, which are shown beside it",
    "average": "the sidebar's average over topics",
    "highlights": "the selected systems, which stand out on its figures",
    "groups": "the sidebar's groups of topics, where these are independent",
    "baseline": "it is drawn over its state before, and its views can be pinned as that",
    "turns": "it turns one measure, and draws the state before in its own way",
    "lists": "rankings and judgments; with scores alone it has nothing to choose from",
    "judges": "several judges; with one it has nothing to choose from",
    "holes": "topics on which some of imported scores are missing; others leave them out",
    "users": "what users said; without it, it has nothing to choose from",
}


@dataclass(frozen=True, eq=False)
class Before:
    """A state of a page before the present one."""

    view: View
    changed: str  #: what has changed since; "" for nothing
    was: str  #: what that was
    measure: str  #: the measure that the page was about; "" where it is about all of them
    complaints: tuple[str, ...]  #: what its link asks for and does not get
    context: Context = field(repr=False)
    values: Values = field(repr=False)
    refusal: str = ""  #: why nothing of it is drawn: it does not have the measure; else ""

    def __str__(self) -> str:
        return self.was


#: of every page with a state before: what differs in that, in the page's link
BEFORE = PreviousMeasure(
    name="before",
    label="Before",
    from_context=lambda context: {"imported_names": getattr(context.dataset.imported_scores, "measures", ())},
    widget=False,
    shown_if=lambda values: values["before"] != "",
)


@dataclass(frozen=True)
class RowByRow:
    """``steps(context, values)`` yields panels: first with the figures that are ready, at last the whole one."""

    steps: Callable[[Any, Values], Iterator[Panel]]

    def __call__(self, context: Any, values: Values) -> Panel:
        *_, whole = self.steps(context, values)
        return whole


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the dashboard."""

    name: str  #: its address
    #: what it is called, and what it answers
    title: str
    question: str
    #: ``panel(context, values)``, a pure function; a lab's is given None where no data are open.  A :class:`RowByRow`
    #: gives its first rows of figures before the others.
    panel: Callable[[Any, Values], Panel]
    controls: tuple[Control, ...] = ()  #: what makes the values
    snippet: Snippet | None = None  #: how its numbers are computed without it, where one public function computes them
    #: what of the sidebar and the data makes a difference to it, and what can be done with its views
    uses: frozenset[str] = frozenset({"measures", "average"})
    lab: ClassVar[bool] = False  #: True for a :class:`~irviz.labs.lab.Lab`

    def __post_init__(self) -> None:
        for use in self.uses:
            choose("use of a page", use, tuple(USES))
        if "baseline" in self.uses:
            object.__setattr__(self, "controls", (*self.controls, BEFORE))

    @property
    def focus(self) -> str:
        """The control that names the one measure a page is about; "" where it is about all of them."""
        choices = (control for control in self.controls if isinstance(control, Choice))
        return next((control.name for control in choices if control.measure), "")

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
        """The panel with the notes of its data, over the state before."""
        *_, whole = self.draw_steps(context, values)
        return whole

    def draw_steps(self, context: Any, values: Values, drawn: dict[str, list[Panel]] | None = None) -> Iterator[Panel]:
        """The panel as it grows, last of all as :meth:`draw_panel` returns it; before, only its figures count.

        `drawn` keeps the panels of a session's last two states without what was before, for the next one's.
        """
        before, drawn = values.get(BEFORE.name), {} if drawn is None else drawn
        earlier: Iterator[Panel] = iter(())
        then: Panel | None = None
        was, bare = "", []
        if isinstance(before, Before) and before.changed and "turns" not in self.uses:
            every = {**before.values, **({"every": True} if "every" in before.values else {})}  # rows that now may show
            was = self._state(before.context, every)
            earlier = self._steps_before(replace(before, values=every), drawn.get(was))
        for panel in self._steps(context, values):
            bare.append(panel)
            then = next(earlier, then)
            yield self._noted(context, values, panel if then is None else with_before(panel, then))
        kept = {was: drawn[was]} if was in drawn else {}
        drawn.clear()
        drawn |= {**kept, self._state(context, values): bare}

    def _state(self, context: Any, values: Values) -> str:
        """All that the panel depends on, but for the state before."""
        own = {name: value for name, value in values.items() if name != BEFORE.name}
        return repr((self.name, own, None if context is None else context.mark))

    def _steps(self, context: Any, values: Values) -> Iterator[Panel]:
        if isinstance(self.panel, RowByRow):
            return self.panel.steps(context, values)
        return iter((self.panel(context, values),))

    def _steps_before(self, before: Before, drawn: Iterable[Panel] | None) -> Iterator[Panel]:
        """The panel of the state before as it grows, or as it was `drawn`; a page that refuses it says why."""
        if before.refusal:
            yield Panel("", since=f"{before.changed}, not drawn: {before.refusal}.")
            return
        changed = ". ".join((before.changed, *before.complaints))
        try:
            for panel in self._steps(before.context, before.values) if drawn is None else drawn:
                yield replace(panel, since=changed)
        except IrvizError as error:
            yield Panel("", since=f"{changed}, not drawn: {error}")

    def _fewer_draws(self, context: Context, values: Values) -> list[str]:
        """A note on draws that are fewer than usual by default, because the data are large."""
        return [
            f"{control.label}: {values[control.name]:,} instead of {control.default:,}: the data are large."
            for control in self.controls
            if control.name == "trials"
            and control.matters(values)
            and values[control.name] == control.fit(context).default < control.default
        ]

    def _noted(self, context: Any, values: Values, panel: Panel) -> Panel:
        if context is None:
            return panel
        shown = "measures" in self.uses
        about = (*few_topics(len(context.topics)), *context.missing) if shown else ()
        notes = (*self._aspect(context, panel), *about, *self._fewer_draws(context, values), *panel.notes)
        return replace(panel, notes=tuple(dict.fromkeys(notes)))

    def _aspect(self, context: Context, panel: Panel) -> list[str]:
        """A note on the aspect of measures that name none, where the collection has several."""
        collection = context.dataset.collection
        if collection is None or len(collection.aspects) < 2 or len(panel.aspects) > 1:
            return []
        measures = map(measure, context.measures if "measures" in self.uses else ())
        if not panel.aspects and not any(one.aspect is None and not one.several_aspects for one in measures):
            return []
        return [f"Measures without an aspect use {(panel.aspects or collection.aspects)[0]}."]


# -- what a page shows where the data have nothing for it ------------------------------------


def lacking(context: Context, what: str, page: str, example: str) -> Panel:
    """A panel on missing data, with ways to data that have them: one's own, or bundled ones."""
    own, others = View.from_texts("collection", **context.texts), View.from_texts(page, collection=example)
    ways = (("Load data", own), ("Show an example", others))
    return Panel(f"`{context.dataset.title}` has no {what}.", ways=ways)
