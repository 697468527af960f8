"""The state of one session: the texts of every control, the loaded data, and pending messages.

The texts are the single truth: widgets are set from them before they are drawn, and a
widget that is moved writes its text back.  The address bar is written from them too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from irviz.measures.language.base import Measure
from irviz.server.middleware import present_owner
from irviz.server.session_store import belongings
from irviz.workspace.context import Context, Opened
from irviz.workspace.control import Control
from irviz.workspace.data import COLLECTION, MODE, STARTED
from irviz.workspace.page import Page
from irviz.workspace.panel import Panel
from irviz.workspace.task import locked
from irviz.workspace.view import Complaint, View, settle

_KEY = "irviz"
SIDEBAR = ""  #: the scope of the sidebar's texts, beside those of the pages
BEFORE, KEEP = "before", "keep"  #: of a page that compares: the measure before, and whether a person keeps it
PRESENTED_FIRST = "present"  #: what `mode` says of the first figure; of the second present-2
_PRESENTED = re.compile(rf"{PRESENTED_FIRST}(?:-([1-9]\d?))?", re.ASCII)
Fitted = dict[str, Control]  #: controls under what is loaded, by name


@dataclass(frozen=True)
class Early:
    """A first answer, all it depends on, and what it is in words."""

    work: str
    panel: Panel
    words: str


@dataclass
class State:
    """One session.

    Attributes
    ----------
    texts : scope → name → text
        Scopes are :data:`SIDEBAR` and the names of pages; defaults are left out.
    loaded : key → Opened
        Collections and scores that this browser loaded, in order of use.  Nobody else sees them.
    complaints : list of str
        What a link asked for and did not get; shown until something is changed.
    refused : str
        The sentence about the last expression that was not understood.
    adjusted : int
        Position, among the measures, of the one whose parameters are on show.
    page : Page or None
        The page that is drawn next.
    context : Context or None
        What the sidebar chose, for the page that is drawn next.
    sidebar : pair of controls by name and values by name
        The sidebar's controls under what is opened, and what they say, for the page that is drawn next.
    missing : str or None
        Key of the data that the page to be drawn needs and this session lacks.
    awaited : View or None
        The view of a link whose data are not here, to be opened when they are loaded.
    said : list of str
        Complaints about the data that were just loaded, to be repeated where the awaited view is opened.
    started : bool
        Whether the link that the session was opened by has been read.
    uploads : int
        How many uploads were loaded.
    numbers : bool
        Whether the person last left the tables below the figures unfolded.
    drawn : pair of str and Panel, or None
        What was last computed, and all it depends on: shown again while nothing of that has changed.
    early : Early or None
        The first answer to what is computed, or was stopped.
    stopped : str
        The work that a person stopped, to be left alone until they go on or change something.
    anyway : str
        The work that a person wants though it takes longer than one request may.
    back, visited : View or None, str
        The view whose button opened another page, and that page: from there a button leads back.
    opened_with : dict
        The sidebar's texts that this button set: while they stay so, the menu leads back to the view, too.
    forgotten : int
        How often the person had asked to be forgotten when this was last looked at.
    left : kind of data → text
        The measures that were chosen when other data were looked at: of all collections (""), and of imported
        scores by their key.
    settled : pair of data and label
        The measure that was last shown in full on a page that compares with the one before, and on which data.
    draft : Measure or None
        What is being built, and not yet among the measures.
    renamed : old label → new label
        Measures whose parameters were moved: a browser that is a step behind still says the old label.
    """

    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    loaded: dict[str, Opened] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)
    refused: str = ""
    adjusted: int | None = None
    page: Page | None = None
    context: Context | None = None
    sidebar: tuple[Fitted, dict[str, Any]] = field(default_factory=lambda: ({}, {}))
    missing: str | None = None
    awaited: View | None = None
    said: list[str] = field(default_factory=list)
    started: bool = False
    uploads: int = 0
    numbers: bool = False
    drawn: tuple[str, Panel] | None = None
    early: Early | None = None
    stopped: str = ""
    anyway: str = ""
    back: View | None = None
    visited: str = ""
    opened_with: dict[str, str] = field(default_factory=dict)
    forgotten: int = 0
    left: dict[str, str | None] = field(default_factory=dict)
    settled: tuple[str, str] = ("", "")
    draft: Measure | None = None
    renamed: dict[str, str] = field(default_factory=dict)

    @property
    def presented(self) -> int | None:
        """Which figure is presented, from 0; None where the page is shown as usual."""
        said = _PRESENTED.fullmatch(self.scope(SIDEBAR).get(MODE.name, ""))
        return int(said[1] or 1) - 1 if said else None

    def scope(self, name: str) -> dict[str, str]:
        return self.texts.setdefault(name, {})

    def put(self, scope: str, name: str, text: str | None) -> None:
        """Remember a text; None for the default. What an exercise locks stays as its link says."""
        texts = self.scope(scope)
        if name in locked(texts):
            return
        if text is None:
            texts.pop(name, None)
        else:
            texts[name] = text

    def locked(self, scope: str) -> frozenset[str]:
        """The controls of a page that its exercise locks."""
        return locked(self.scope(scope))

    def settle(self, scope: str, fitted: Fitted, context: Any) -> tuple[dict[str, Any], list[Complaint]]:
        """The values of controls that are fitted to `context`; texts that mean nothing there are forgotten."""
        values, complaints = settle(fitted.values(), self.scope(scope), context)
        for complaint in complaints:
            control, value = fitted[complaint.key], values[complaint.key]
            self.put(scope, complaint.key, None if value == control.default else control.format(value))
        return values, complaints

    def look_at(self, key: str) -> Opened:
        """The loaded data behind a key, which are the last ones used from now on."""
        opened = self.loaded.pop(key)
        self.loaded[key] = opened
        belongings().use(present_owner(), key)
        return opened

    def rename(self, old: str, new: str) -> None:
        """A measure has changed its label: controls of pages that chose it follow."""
        self.renamed[old] = new
        self.renamed.pop(new, None)  # so that no chain of names is a circle
        for scope, texts in self.texts.items():
            if scope != SIDEBAR:
                texts.update({name: new for name, text in texts.items() if text == old and name != BEFORE})

    def current(self, label: str) -> str:
        """What a measure is called now."""
        while label in self.renamed:
            label = self.renamed[label]
        return label

    def stop(self, work: str) -> None:
        """A person does not want to wait for this work."""
        self.stopped = work

    def resume(self) -> None:
        """They do after all."""
        self.stopped = ""

    def compute_anyway(self, work: str) -> None:
        """This work may take as long as it takes."""
        self.anyway = work

    def touched(self) -> None:
        """A person changed something, so what the link asked for is history."""
        self.complaints.clear()
        self.refused = ""


def state() -> State:
    """The session's own state."""
    if _KEY not in st.session_state:
        owner = present_owner()
        times = belongings().times_forgotten(owner)
        st.session_state[_KEY] = State(loaded={**STARTED, **belongings().of(owner)}, forgotten=times)
    return st.session_state[_KEY]


def obey_forgetting(session: State) -> None:
    """Let go of what this session loaded if its owner asked to be forgotten, here or on another page."""
    times = belongings().times_forgotten(present_owner())
    if times != session.forgotten:
        if session.scope(SIDEBAR).get(COLLECTION.name) in session.loaded.keys() - STARTED.keys():
            session.put(SIDEBAR, COLLECTION.name, None)
        session.forgotten, session.drawn, session.loaded = times, None, dict(STARTED)


def present_page() -> Page:
    """The page that the address asks for."""
    page = state().page
    assert page is not None  # irviz/ui/main.py sets it before the script of the page runs
    return page
