"""Waiting, made bearable: progress, a first answer early, and a way to stop.

Nothing is shown for work that is soon done.  Streamlit can stop a run only where the
script calls it, so every report of progress is also the place where stale work ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

import streamlit as st

from irviz.ui.text import sentence

PATIENCE = 0.4  # seconds before anything is shown
PAUSE = 0.1  # between two looks


class LateProgress:
    """``progress(share, text)``; use as a context manager, which takes everything away again.

    Parameters
    ----------
    on_stop : callable, optional
        Called when a person presses Stop; without it there is no such button.
    first : callable, optional
        Draws a first answer, once, when the work turns out to take long.
    """

    def __init__(self, on_stop: Callable[[], None] | None = None, first: Callable[[], None] | None = None) -> None:
        self._place = st.empty()
        self._on_stop, self._first = on_stop, first
        self._next = time.monotonic() + PATIENCE
        self._room = self._place
        self._bar: st.delta_generator.DeltaGenerator | None = None

    def __call__(self, share: float, text: str) -> None:
        if self._tell(share, text) and self._first is not None:
            first, self._first = self._first, None
            with self._room:
                first()

    def before_first(self, share: float, text: str) -> None:
        """The same for work that a first answer needs as well, and which it therefore must wait for."""
        self._tell(share, text)

    def _tell(self, share: float, text: str) -> bool:
        """Show how far the work is, if it is time to; whether it was."""
        if time.monotonic() < self._next:
            return False
        if self._bar is None:
            self._room = self._place.container()
            with self._room:
                self._bar = st.empty()
                if self._on_stop is not None:
                    st.button("Stop", key="progress.stop", on_click=self._on_stop)
        self._bar.progress(min(1.0, max(0.0, share)), sentence(text))
        self._next = time.monotonic() + PAUSE
        return True

    def __enter__(self) -> LateProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None and kind is None:
            self._place.empty()
