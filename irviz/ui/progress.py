"""Long work on a page: a progress bar, and a button that stops it."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from irviz.limits import SECONDS, limit
from irviz.ui.text import as_markdown
from irviz.workspace.job import Job


class PageJob(Job):
    """A job that a page shows: nothing while it is soon done, then a bar, whose `place` is empty again at the end.

    `on_stop` is called when a person presses Stop; without it there is no such button.  `on_report` is called at every
    report: work that makes none is soon done.
    """

    def __init__(
        self,
        place: DeltaGenerator | None = None,
        on_stop: Callable[[], None] | None = None,
        on_report: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(limit(SECONDS))
        self._place, self._on_stop, self._on_report = st.empty() if place is None else place, on_stop, on_report
        self._bar: DeltaGenerator | None = None

    def __call__(self, share: float, text: str) -> None:
        if self._on_report is not None:
            self._on_report()
        super().__call__(share, text)

    def show(self, share: float, text: str) -> None:
        if self._bar is None:
            with self._place.container(horizontal=True, vertical_alignment="bottom"):
                self._bar = st.empty()
                if self._on_stop is not None:
                    st.button("Stop", key="progress.stop", on_click=self._on_stop)
        self._bar.progress(min(1.0, max(0.0, share)), as_markdown(text))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self._on_report = None
        if self._bar is not None and (kind is None or issubclass(kind, Exception)):
            self._place.empty()
