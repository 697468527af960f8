"""Long work of one page: how far it is, what it may take, and a first answer before it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

from irviz.errors import IrvizError, join_words, number_of

PATIENCE = 0.3  #: seconds of work before it is shown
PAUSE = 0.05  #: seconds after which work that waits looks again
SHOWN_EVERY = 0.25  #: seconds between two reports to the person, each of which is sent
FORESEE_AFTER, FORESEE_FROM = 2.0, 0.02  #: seconds, and share of the work, from which a guess is worth something
_AT_MOST_WRONG = 3.0  #: times that an estimate made before the work may be too high; see `irviz.workers.takes`
_TOLERANCE = 1.2  #: times the limit that a guess may come to before it counts
_FIRST = 0.12  #: seconds that work must take for a first answer to be worth its own time
ELSEWHERE = "Waiting for what another page is computing just now"

Clock = Callable[[], float]


class TooLong(IrvizError):
    """Work that would take longer than this server allows one request."""


class FirstAnswer(Exception):
    """Work is broken off, once, so that a preliminary answer comes before it."""


class Job:
    """Long work of one request: ``job(share, text)`` tells it how far the work is, ``with job:`` makes it the present.

    A page can be stopped only where the script calls Streamlit, so every report of progress is also the place where
    its time is checked, and where stale work ends.  Work comes in parts, each of which reports from 0 to 1: a share
    that falls begins the next one.

    Parameters
    ----------
    seconds : float
        What it may take; 0 is without end.
    reduce : sequence of str
        What the person could ask for less of.
    preliminary : bool
        A first answer can be given: work that is expected, or turns out, to take long is then broken off
        once, by :class:`FirstAnswer`.
    clock : callable
        Seconds, for tests.
    """

    def __init__(
        self,
        seconds: float = 0.0,
        reduce: Sequence[str] = (),
        preliminary: bool = False,
        clock: Clock = time.monotonic,
    ) -> None:
        self.seconds, self.reduce = seconds, reduce
        self._preliminary, self._clock = preliminary, clock
        self._began = clock()
        self._show_at = self._began + PATIENCE
        self._share, self._part_began = 0.0, 0.0
        self._previous_job: Token[Job | None] | None = None

    @property
    def busy(self) -> float:
        """Seconds since it began."""
        return self._clock() - self._began

    def show(self, share: float, text: str) -> None:
        """Show how far the work is; called now and then, once it takes long."""

    def __call__(self, share: float, text: str) -> None:
        self.before_first(share, text)
        if self.busy > PATIENCE and self.seconds_left() > PATIENCE:
            self._break_off()
            self._preliminary = False  # later, more work would be lost

    def before_first(self, share: float, text: str) -> None:
        """Report progress of work that a first answer needs as well, and that is therefore never broken off for it."""
        self._check(share)
        self._look(share, text)

    def expect(self, seconds: float, first: bool = True) -> None:
        """Hear about how many seconds the work will take that is about to begin.

        It is refused where it would take too long even if the estimate is three times too high.  `first` is False
        for work that a first answer needs as well.
        """
        if self.seconds and self.busy + seconds > self.seconds * _AT_MOST_WRONG:
            raise TooLong(self._refusal(self.busy + seconds))
        if first and seconds > _FIRST:
            self._break_off()
        if seconds > PATIENCE:
            self._show_at = min(self._show_at, self._clock())

    def wait(self) -> None:
        """Wait a little for what somebody else computes."""
        self._check(self._share)
        self._look(self._share, ELSEWHERE)
        time.sleep(PAUSE)

    def seconds_left(self) -> float:
        """About how many seconds until the present part will be done."""
        return (self.busy - self._part_began) * (1 - self._share) / self._share if self._share else 0.0

    def _check(self, share: float) -> None:
        """Refuse work that has taken too long, or foreseeably will."""
        if share < self._share:
            self._part_began = self.busy
        self._share = share
        spent, foreseen = self.busy - self._part_began, self.busy
        if spent >= FORESEE_AFTER and share >= FORESEE_FROM:
            foreseen = self._part_began + spent / share
        if self.seconds and (self.busy > self.seconds or foreseen > self.seconds * _TOLERANCE):
            raise TooLong(self._refusal(max(self.busy, foreseen)))

    def _refusal(self, seconds: float) -> str:
        less = f" Reduce it: {join_words(self.reduce, joiner='or')}." if self.reduce else ""
        return f"This would take about {span(seconds)} here; one request may compute for {span(self.seconds)}.{less}"

    def _break_off(self) -> None:
        if self._preliminary:
            self._preliminary = False
            raise FirstAnswer

    def _look(self, share: float, text: str) -> None:
        """Show how far the work is, if it is time to."""
        if self._clock() >= self._show_at:
            self.show(share, text)
            self._show_at = self._clock() + SHOWN_EVERY

    def __enter__(self) -> Self:
        self._previous_job = _PRESENT.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # what still reports to it is neither refused nor shown
        self.seconds, self._preliminary, self._show_at = 0.0, False, math.inf
        if self._previous_job is not None:
            _PRESENT.reset(self._previous_job)


_PRESENT: ContextVar[Job | None] = ContextVar("present job", default=None)


def present_job() -> Job | None:
    """The job of the work that is done here; None where nobody looks at it."""
    return _PRESENT.get()


def wait_elsewhere() -> None:
    """Wait a little for what somebody else computes."""
    job = present_job()
    if job is None:
        time.sleep(0.02)
    else:
        job.wait()


def span(seconds: float) -> str:
    """A time as people say it.

    >>> span(1.2), span(60), span(89), span(150), span(9000)
    ('1 second', '60 seconds', '89 seconds', '2 minutes', '2 hours')
    """
    if seconds < 100:
        return number_of(max(1, round(seconds)), "second")
    return number_of(round(seconds / 60), "minute") if seconds < 90 * 60 else number_of(round(seconds / 3600), "hour")
