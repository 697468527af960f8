"""Long work on a page: a progress bar, a preliminary answer before it, and a button that stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from irviz.limits import SECONDS, limit
from irviz.ui.text import as_markdown
from irviz.workspace.job import Job

LET_DRAW = 0.06  #: seconds for part of a first answer to leave the server, and be drawn, before more follows


class PageJob(Job):
    """A job that a page shows: nothing while it is soon done, then a bar, whose place is empty again at the end.

    Parameters
    ----------
    place : an empty element, optional
        Where it is shown; by default here.
    on_stop : callable, optional
        Called when a person presses Stop; without it there is no such button.
    reduce, preliminary
        As in :class:`~irviz.workspace.job.Job`.

    Attributes
    ----------
    answered : str
        Words for the first answer that was drawn; "" without one.
    """

    def __init__(
        self,
        place: DeltaGenerator | None = None,
        on_stop: Callable[[], None] | None = None,
        reduce: Sequence[str] = (),
        preliminary: bool = False,
    ) -> None:
        super().__init__(limit(SECONDS), reduce, preliminary)
        self._place, self._on_stop, self.answer_words = st.empty() if place is None else place, on_stop, ""
        self._room: DeltaGenerator | None = None
        self._bar: DeltaGenerator | None = None

    def show(self, share: float, text: str) -> None:
        if self._bar is None:
            with self._container().container(horizontal=True, vertical_alignment="bottom"):
                self._bar = st.empty()
                if self._on_stop is not None:
                    st.button("Stop", key="progress.stop", on_click=self._on_stop)
        self._bar.progress(min(1.0, max(0.0, share)), as_markdown(text))

    def answer(self, words: str) -> None:
        """Say what the first answer is that is drawn now."""
        self.answer_words = words
        self._container().caption(f"{words}; computing the full one …")

    def _container(self) -> DeltaGenerator:
        if self._room is None:
            self._room = self._place.container()
        return self._room

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        if self._room is not None and (kind is None or issubclass(kind, Exception)):
            self._place.empty()
            if kind is not None and self.answer_words:
                self._place.caption(f"{self.answer_words}.")  # which is all there is
