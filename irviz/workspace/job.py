"""Long work of one request: how far it is, and what it may take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

from irviz.errors import IrvizError, number_of

PATIENCE = 0.5  #: seconds of work before it is shown
SHOWN_EVERY = 0.25  #: seconds between two reports to the person, each of which is sent


class Job:
    """Long work of one request: ``job(share, text)`` reports how far it is, ``with job:`` makes it the present one.

    A page can be stopped only where the script calls Streamlit, so every report of progress is also the place where
    its time is checked, and where stale work ends.  It may take some `seconds`; 0 is without end.
    """

    def __init__(self, seconds: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._clock, self._began = seconds, clock, clock()
        self._show_at = self._began + PATIENCE
        self._previous_job: Token[Job | None] | None = None

    def show(self, share: float, text: str) -> None:
        """Show how far the work is; called now and then, once it takes long."""

    def __call__(self, share: float, text: str) -> None:
        if self.seconds and self._clock() - self._began > self.seconds:
            raise IrvizError(
                f"This takes longer than {number_of(round(self.seconds), 'second')}, which one computation may take "
                "here. Choose fewer measures, systems, topics or random draws."
            )
        if self._clock() >= self._show_at:
            self.show(share, text)
            self._show_at = self._clock() + SHOWN_EVERY

    def __enter__(self) -> Self:
        self._previous_job = _PRESENT.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds, self._show_at = 0.0, math.inf  # what still reports to it is neither refused nor shown
        if self._previous_job is not None:
            _PRESENT.reset(self._previous_job)


_PRESENT: ContextVar[Job | None] = ContextVar("present job", default=None)


def present_job() -> Job | None:
    """The job of the work that is done here; None where nobody looks at it."""
    return _PRESENT.get()
