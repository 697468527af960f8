"""The state of one session: the texts of every control, the loaded data, and pending messages.

The texts are the single truth: widgets are set from them before they are drawn, and a
widget that is moved writes its text back.  The address bar is written from them too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from irviz.measures.language.base import Measure
from irviz.server.middleware import present_owner
from irviz.server.session_store import owner_store
from irviz.workspace.baseline import differences
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Control
from irviz.workspace.data import COLLECTION, START_DATA, scopes
from irviz.workspace.page import BEFORE, Page
from irviz.workspace.panel import Panel
from irviz.workspace.store import Share
from irviz.workspace.task import locked_names
from irviz.workspace.view import Complaint, View, settle

_KEY = "irviz"
SIDEBAR = ""  #: the scope of the sidebar's texts, beside those of the pages
SWEEP = "sweep"  #: of the same page: the parameter that is swept
ControlsByName = dict[str, Control]  #: controls under what is loaded, by name


@dataclass(frozen=True)
class Run:
    """One run of the script: its page, and what the sidebar chose for it."""

    page: Page | None = None
    context: Context | None = None  #: the data under the sidebar's choices; None without them
    missing: str | None = None  #: key of the data that the page needs and this session lacks
    #: the sidebar's controls under what is opened, and what they say
    fitted_controls: ControlsByName = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    #: the page's own controls under the context, and what they say
    page_controls: ControlsByName = field(default_factory=dict)
    page_values: dict[str, Any] = field(default_factory=dict)
    sidebar: Callable[[], Any] | None = None  #: draws it, until it is drawn


@dataclass
class PageWork:
    """The work that a page was last asked for."""

    work: str = ""  #: all that it depends on
    panel: Panel | None = None  #: the answer, once it is there
    ready: Panel | None = None  #: what of it was there last
    is_stopped: bool = False  #: a person stopped it: it is left alone until they go on or change something
    drawn: dict[str, list[Panel]] = field(default_factory=dict)  #: of the last two states, see ``Page.draw_steps``


@dataclass
class MeasureBox:
    """How the list of measures is being edited."""

    refusal: str = ""  #: the sentence about the last expression that was not understood
    shown_position: int | None = None  #: position of the measure whose parameters are on show
    draft: Measure | None = None  #: what is being built, and not yet among the measures
    draft_start: tuple[Any, ...] = ()  #: what it was begun from: the kind, the data, the smallest relevant grade
    is_built: bool = False  #: the builder was left by adding its measure, and is to be closed
    #: old label → new label of measures whose parameters were moved: a browser that is a step behind still says the old
    #: label
    new_labels: dict[str, str] = field(default_factory=dict)
    last_of_families: dict[str, Measure] = field(default_factory=dict)  #: of each that was left for another family
    #: kind of data → text: the measures that were chosen when other data were looked at: of all collections (""), and
    #: of imported scores by their key
    measures_by_data: dict[str, str | None] = field(default_factory=dict)

    def rename(self, old: str, new: str) -> None:
        """Note that a measure has another label now."""
        self.new_labels[old] = new
        self.new_labels.pop(new, None)  # so that no chain of names is a circle

    def current(self, label: str) -> str:
        """Present label of a measure."""
        while label in self.new_labels:
            label = self.new_labels[label]
        return label

    def reset(self) -> None:
        """Show the parameters of the first measures: the list is another one."""
        self.refusal, self.shown_position = "", None
        self.new_labels.clear()


@dataclass
class StateBefore:
    """The state that a page compares its own with: the last one that was seen for a while.

    Of moves in quick succession, what lay between them is not what a person compares with.
    """

    #: views; None before there is one
    now: View | None = None
    previous: View | None = None
    since: float = 0.0  #: when the present one was first seen

    @property
    def measure(self) -> str:
        """The measure that is shown; "" before there is one."""
        return "" if self.now is None else self.now.values.get("measure", "")

    def see(self, page: Page, view: View, burst: float) -> None:
        """Note the view that is shown; moves within `burst` seconds are one."""
        if self.now is None or differences(self.now, view, page):
            if self.previous is None or time.monotonic() - self.since > burst:
                self.previous = self.now
            self.since = time.monotonic()
        self.now = view

    def compare_with(self, measure: str) -> None:
        """Take the view that is shown, by a measure, as the state before, whatever was seen."""
        if self.now is not None:
            self.now = View.from_texts(self.now.page, **{**self.now.values, "measure": measure})
            self.previous, self.since = self.now, time.monotonic()


@dataclass(kw_only=True)
class Session:
    """One session: what a person chose and loaded, and what is on their screen."""

    #: scope → name → text: scopes are :data:`SIDEBAR` and the names of pages; defaults are left out
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    #: key → Dataset: collections and scores that this browser loaded, in order of use; nobody else sees them
    datasets: dict[str, Dataset] = field(default_factory=dict)
    #: what a link asked for and did not get; shown until something is changed
    complaints: list[str] = field(default_factory=list)
    #: complaints to repeat when the address is read next; None once it has been read
    arriving: list[str] | None = field(default_factory=list)
    awaited_view: View | None = None  #: the view of a link whose data are not here, to be opened when they are loaded
    run: Run = field(default_factory=Run)
    script: str = ""  #: Streamlit's name of the page that was drawn last
    page_work: PageWork = field(default_factory=PageWork)
    #: the view whose button opened another page, that page, and the sidebar's texts that the button set there
    way_back: tuple[View, str, dict[str, str]] | None = None
    box: MeasureBox = field(default_factory=MeasureBox)
    comparisons: dict[str, StateBefore] = field(default_factory=dict)  #: page → StateBefore
    pins: list[str] = field(default_factory=list)  #: the views that were pinned, which a page can be drawn over
    #: key → page and bounds, and how often: where the last whole run drew each widget that it set, and where the
    #: present one does
    drawn_widgets: dict[str, tuple[tuple[Any, ...], int]] = field(default_factory=dict)
    drawing: dict[str, tuple[tuple[Any, ...], int]] = field(default_factory=dict)
    measure: str = ""  #: the measure in hand, which goes along to another page; "" where the page's own counts
    forgotten: int = 0  #: how often the person had asked to be forgotten when this was last looked at
    at_start: bool = False  #: the start page is shown
    written_link: tuple[str, dict[str, str]] = ("", {})  #: the page whose address was written last, and what it says
    #: how many uploads were loaded; whether the person came to load their own data
    uploads: int = 0
    brings_data: bool = False
    loaded: tuple[str, str] = ("", "")  #: key of the data that were loaded last, and what is said of them
    came: Share | None = None  #: the share by which this session came, for its title and note
    #: key → Dataset, list of str: data of others, and the ids of the shares they came by
    lent: dict[str, tuple[Dataset, list[str]]] = field(default_factory=dict)
    #: shares of this session, each with the title of its data; why one could not be withdrawn
    shares: list[tuple[Share, str]] = field(default_factory=list)
    refused_share: str = ""
    #: views of the report; views that came with a file, and what is wrong with others
    report: list[View] = field(default_factory=list)
    offered: tuple[list[View], list[str]] = ([], [])

    @property
    def comparison(self) -> StateBefore:
        """The state before of the present page."""
        return self.comparisons.setdefault("" if self.run.page is None else self.run.page.name, StateBefore())

    def scope(self, name: str) -> dict[str, str]:
        return self.texts.setdefault(name, {})

    def put(self, scope: str, name: str, text: str | None) -> None:
        """Remember a text; None for the default. What an exercise locks stays as its link says."""
        texts = self.scope(scope)
        if name in locked_names(texts):
            return
        if text is None:
            texts.pop(name, None)
        else:
            texts[name] = text

    def locked_controls(self, scope: str) -> frozenset[str]:
        """The controls of a page that its exercise locks."""
        return locked_names(self.scope(scope))

    def settle(
        self, scope: str, fitted_controls: ControlsByName, context: Any
    ) -> tuple[dict[str, Any], list[Complaint]]:
        """The values of controls that are fitted to `context`; texts that mean nothing there are forgotten."""
        values, complaints = settle(fitted_controls.values(), self.scope(scope), context)
        for complaint in complaints:
            control, value = fitted_controls[complaint.key], values[complaint.key]
            self.put(scope, complaint.key, None if value == control.default else control.format(value))
        return values, complaints

    def settle_page(self, page: Page) -> list[Complaint]:
        """Fit the controls of the page to the run's data, and read their values."""
        context = self.run.context
        fitted = {control.name: control.fit(context) for control in page.controls_for(self.scope(page.name))}
        values, complaints = self.settle(page.name, fitted, context)
        self.run = replace(self.run, page_controls=fitted, page_values=values)
        return complaints

    def rename(self, old: str, new: str) -> None:
        """A measure has changed its label: controls of pages that chose it follow."""
        self.box.rename(old, new)
        for scope, texts in self.texts.items():
            if scope != SIDEBAR:
                texts.update({name: new for name, text in texts.items() if text == old and name != BEFORE.name})

    def show(self, page: Page, view: View) -> None:
        """Take over the texts of a view of a page, and what is wrong with them as complaints."""
        self.texts[SIDEBAR], self.texts[page.name], complaints = scopes(page, view.values)
        self.complaints, self.measure = [str(complaint) for complaint in complaints], ""

    def forget_complaints(self) -> None:
        """A person changed something, so what the link asked for is history."""
        self.complaints.clear()
        self.box.refusal = ""


def state() -> Session:
    """The session's own state."""
    if _KEY not in st.session_state:
        owner = present_owner()
        times = owner_store().times_forgotten(owner)
        st.session_state[_KEY] = Session(datasets={**START_DATA, **owner_store().datasets_of(owner)}, forgotten=times)
    return st.session_state[_KEY]


def obey_forgetting(session: Session) -> None:
    """Let go of what this session loaded if its owner asked to be forgotten, here or on another page."""
    times = owner_store().times_forgotten(present_owner())
    if times != session.forgotten:
        if session.scope(SIDEBAR).get(COLLECTION.name) in session.datasets.keys() - START_DATA.keys():
            session.put(SIDEBAR, COLLECTION.name, None)
        session.forgotten, session.page_work, session.datasets = times, PageWork(), dict(START_DATA)


def present_page() -> Page:
    """The page that the address asks for."""
    page = state().run.page
    assert page is not None  # irviz/ui/main.py sets it before the script of the page runs
    return page
