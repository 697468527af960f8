"""Waiting, made bearable: progress, a first answer early, a turn for everybody, and a way to stop.

Nothing is shown for work that is soon done.  Streamlit can stop a run only where the
script calls it, so every report of progress is also the place where work waits for its
turn, where its budget is checked, and where stale work ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import TracebackType

import streamlit as st

from irviz.errors import counted
from irviz.server.limits import present_session
from irviz.server.middleware import present_owner
from irviz.server.queue import TURNS, Budget, Ticket, request_seconds
from irviz.ui.text import as_markdown
from irviz.workers import Workers
from irviz.workspace.cache import WHILE_WAITING

PATIENCE = 0.3  # seconds before progress is shown, and before work needs a turn
_EARLY = 0.12  # seconds that work must take for a first answer to be worth its own time
EARLY_IN_A_CROWD = 1.0  # the same where others compute, who wait for the first answer as well
LET_DRAW = 0.06  # seconds for part of a first answer to leave the server, and be drawn, before more follows
PAUSE = 0.1  # between two looks
ELSEWHERE = "Waiting for what another page is computing just now"


class TakesLong(Exception):
    """The work will take long, and is broken off: a first answer comes before it."""


class LateProgress:
    """``progress(share, text)``; use as a context manager, which takes its own words away again.

    Attributes
    ----------
    answered : str
        What the first answer is that was drawn; "" where none was.

    Parameters
    ----------
    place : an empty element, optional
        Where its words stand; by default here.
    on_stop : callable, optional
        Called when a person presses Stop; without it there is no such button.
    early : bool
        Whether there is a first answer: work that is expected, or turns out, to take long is broken off once,
        by :class:`TakesLong`, so that it can be given.
    budget : Budget, optional
        What the work may take; by default what one request may.
    """

    def __init__(
        self,
        place: st.delta_generator.DeltaGenerator | None = None,
        on_stop: Callable[[], None] | None = None,
        early: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self._place = st.empty() if place is None else place
        self._on_stop, self._early = on_stop, early
        self._budget = budget or Budget(request_seconds())
        self._next = time.monotonic() + PATIENCE
        self.answered = ""
        self._words: st.delta_generator.DeltaGenerator | None = None
        self._bar: st.delta_generator.DeltaGenerator | None = None
        self._busy, self._since = 0.0, time.monotonic()
        self._share = 0.0
        self._ticket = Ticket("")
        self._token: Token[Callable[[], None]] | None = None
        self._present: Token[LateProgress | None] | None = None

    def __call__(self, share: float, text: str) -> None:
        self._tell(share, text)
        if self._busy > PATIENCE and self._budget.left(self._busy, share) > PATIENCE:
            self._break_off()

    def before_first(self, share: float, text: str) -> None:
        """The same for work that a first answer needs as well, and which it therefore must wait for."""
        self._tell(share, text)

    def expect(self, seconds: float, first: bool = True) -> None:
        """Work of about this many seconds is about to begin; what one request may not take is refused.

        Of work that will be long it need not be waited for that it turns out to be.  `first` is
        False for work that a first answer needs as well.
        """
        self._count()
        self._budget.expect(self._busy, seconds)
        if first and seconds > (_EARLY if TURNS.alone() else EARLY_IN_A_CROWD):
            self._break_off()
        if seconds > PATIENCE:
            self._next = min(self._next, time.monotonic())

    def answer(self, words: str) -> None:
        """Say what the first answer is that is drawn now."""
        self.answered = words
        self._room().caption(f"{words}; computing the full one …")

    def workers(self, asked: Workers) -> Workers:
        """Who may do the work that begins now: all who are asked for, or one where others compute, too."""
        return asked if TURNS.alone() else 1

    def elsewhere(self) -> None:
        """Somebody else computes what is needed here: let others have the turn meanwhile."""
        self._count()
        TURNS.release(self._ticket)
        self._show(self._share, ELSEWHERE)
        time.sleep(PAUSE / 2)
        self._since = time.monotonic()

    def _break_off(self) -> None:
        """Let a first answer be given, once."""
        if self._early:
            self._early = False
            raise TakesLong

    def _tell(self, share: float, text: str) -> None:
        """Count the work, wait for a turn, and show how far it is if it is time to."""
        self._count()
        self._share = share
        self._budget.check(self._busy, share)
        if self._busy > PATIENCE:
            while not TURNS.may_run(self._ticket):
                self._show(share, _queue_words(TURNS.before(self._ticket)))
                time.sleep(PAUSE / 2)
        self._show(share, text)
        self._since = time.monotonic()

    def _count(self) -> None:
        self._busy += time.monotonic() - self._since
        self._since = time.monotonic()

    def _room(self) -> st.delta_generator.DeltaGenerator:
        """Where its words stand."""
        if self._words is None:
            self._words = self._place.container()
        return self._words

    def _show(self, share: float, text: str) -> None:
        """Show how far the work is, if it is time to."""
        if time.monotonic() < self._next:
            return
        if self._bar is None:
            with self._room().container(horizontal=True, vertical_alignment="bottom"):
                self._bar = st.empty()
                if self._on_stop is not None:
                    st.button("Stop", key="progress.stop", on_click=self._on_stop)
        self._bar.progress(min(1.0, max(0.0, share)), as_markdown(text))
        self._next = time.monotonic() + PAUSE

    def __enter__(self) -> LateProgress:
        self._ticket = TURNS.join(present_owner() or present_session())
        self._token, self._present = WHILE_WAITING.set(self.elsewhere), _PRESENT.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        TURNS.leave(self._ticket)
        if self._token is not None:
            WHILE_WAITING.reset(self._token)
        if self._present is not None:
            _PRESENT.reset(self._present)
        if self._words is not None and (kind is None or issubclass(kind, Exception)):
            self._place.empty()
            if kind is not None and self.answered:
                self._place.caption(f"{self.answered}.")  # which is all there is


_PRESENT: ContextVar[LateProgress | None] = ContextVar("present progress", default=None)


class Tell:
    """How far the work is, said to whatever shows it now; nothing where nothing does.

    A panel's folds are computed long after the panel, when its own progress has ended and
    its place in the queue is given up; what they are given must find the one that shows them.
    """

    def __call__(self, share: float, text: str) -> None:
        present = _PRESENT.get()
        if present is not None:
            present(share, text)

    def before_first(self, share: float, text: str) -> None:
        """See :meth:`LateProgress.before_first`."""
        present = _PRESENT.get()
        if present is not None:
            present.before_first(share, text)

    def expect(self, seconds: float, first: bool = True) -> None:
        """See :meth:`LateProgress.expect`."""
        present = _PRESENT.get()
        if present is not None:
            present.expect(seconds, first)

    def workers(self, asked: Workers) -> Workers:
        """See :meth:`LateProgress.workers`."""
        present = _PRESENT.get()
        return asked if present is None else present.workers(asked)


def _queue_words(before: int) -> str:
    if before == 0:
        return "Waiting for a turn: yours is next"
    return f"Waiting for a turn: {counted(before, 'request is', 'requests are')} before yours"
