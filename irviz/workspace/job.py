"""Long work: how far it is, whose turn it is, what it may take, and a first answer before it.

Work that is soon done never asks.  Work that takes longer waits for a turn, and gives it back after a while where
others wait: one visitor's hundred measures do not keep another from a single one, nor do
one address's hundred visitors.
"""

from __future__ import annotations

import logging
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextvars import ContextVar, Token
from importlib import import_module
from threading import Condition, Lock
from types import TracebackType
from typing import Any, Self

from irviz.errors import IrvizError, join_words, number_of
from irviz.limits import limit
from irviz.workers import Workers, import_joblib

logger = logging.getLogger("irviz")
PATIENCE = 0.3  #: seconds of work before it needs a turn and is shown
PAUSE = 0.05  #: seconds after which work that waits looks again, at the latest
SHOWN_EVERY = 0.25  #: seconds between two reports to the person, each of which is sent
MOST_PROCESSES, IDLE = 4, 300.0  #: processes that compute beside this one, and seconds after which an idle one ends
SLICE = 2.0  #: seconds that a turn lasts where others wait
FORESEE_AFTER, FORESEE_FROM = 2.0, 0.02  #: seconds, and share of the work, from which a guess is worth something
_AT_MOST_WRONG = 3.0  #: times that an estimate made before the work may be too high; see `irviz.workers.takes`
_TOLERANCE = 1.2  #: times the limit that a guess may come to before it counts
_FIRST = 0.12  #: seconds that work must take for a first answer to be worth its own time
_FIRST_IN_A_CROWD = 2.0  #: the same where others compute, who wait for the first answer as well; foreseen, not met
ELSEWHERE = "Waiting for what another page is computing just now"
_IDLE, _WAITING, _RUNNING = "idle", "waiting", "running"

Clock = Callable[[], float]


class TooLong(IrvizError):
    """Work that would take longer than this server allows one request."""


class FirstAnswer(Exception):
    """Work is broken off, once, so that a preliminary answer comes before it."""


class Job:
    """Long work of one request: ``job(share, text)`` tells it how far the work is, ``with job:`` makes it the present.

    A page can be stopped only where the script calls Streamlit, so every report of progress is also the place where
    work waits for its turn, where its time is checked, and where stale work ends.  Work comes in parts, each of which
    reports from 0 to 1: a share that falls begins the next one.

    Parameters
    ----------
    owner : str
        Whose request it is.
    queue : Queue, optional
        In which it takes turns while it is the present job; without one it never waits.
    seconds : float
        What it may take of its own computing; waiting for a turn is free.  0 is without end.
    reduce : sequence of str
        What the person could ask for less of.
    preliminary : bool
        A first answer can be given: work that is expected, or turns out, to take long is then broken off
        once, by :class:`FirstAnswer`.
    clock : callable
        Seconds, for tests.
    address : str
        From where it is asked for.

    Attributes
    ----------
    state, since : str, float
        Of its queue: "idle", "waiting" or "running", and when that began.
    busy : float
        Seconds of its own computing so far.
    """

    def __init__(
        self,
        owner: str = "",
        queue: Queue | None = None,
        seconds: float = 0.0,
        reduce: Sequence[str] = (),
        preliminary: bool = False,
        clock: Clock = time.monotonic,
        address: str = "",
    ) -> None:
        self.owner, self.queue, self.seconds, self.reduce = owner, queue, seconds, reduce
        self.whose = (address, owner)
        self.state, self.since, self.busy = _IDLE, 0.0, 0.0
        self._preliminary, self._clock = preliminary, clock
        self._last_count = clock()
        self._show_at = self._last_count + PATIENCE
        self._share, self._part_began = 0.0, 0.0
        self._previous_job: Token[Job | None] | None = None

    def show(self, share: float, text: str) -> None:
        """Show how far the work is; called now and then, once it takes long."""

    def __call__(self, share: float, text: str) -> None:
        self.before_first(share, text)
        if self.busy > PATIENCE and self.seconds_left() > PATIENCE:
            if self.alone():
                self._break_off()
            self._preliminary = False  # later, more work would be lost

    def before_first(self, share: float, text: str) -> None:
        """Report progress of work that a first answer needs as well, and that is therefore never broken off for it."""
        self._count()
        self._check(share)
        while self.busy > PATIENCE and self.queue is not None and not self.queue.may_run(self):
            self._look(share, _queue_words(self.queue.jobs_ahead(self)))
            self.queue.wait(PAUSE)
        self._look(share, text)
        self._last_count = self._clock()

    def expect(self, seconds: float, first: bool = True) -> None:
        """Hear about how many seconds the work will take that is about to begin.

        It is refused where it would take too long even if the estimate is three times too high.  `first` is False
        for work that a first answer needs as well.
        """
        self._count()
        if self.seconds and self.busy + seconds > self.seconds * _AT_MOST_WRONG:
            raise TooLong(self._refusal(self.busy + seconds))
        if first and seconds > (_FIRST if self.alone() else _FIRST_IN_A_CROWD):
            self._break_off()
        if seconds > PATIENCE:
            self._show_at = min(self._show_at, self._clock())

    def wait(self) -> None:
        """Wait a little for what somebody else computes; meanwhile others have the turn."""
        self._count()
        if self.queue is not None:
            self.queue.release(self)
        self._look(self._share, ELSEWHERE)
        time.sleep(PAUSE)
        self._last_count = self._clock()

    def alone(self) -> bool:
        """True unless others compute, too."""
        return self.queue is None or self.queue.alone()

    def workers(self, wanted: Workers) -> Workers:
        """Workers for the work that begins now: those asked for, or the server's processes while other jobs compute."""
        return wanted if wanted == 1 or self.alone() else processes() or 1

    def seconds_left(self) -> float:
        """About how many seconds until the present part will be done."""
        return (self.busy - self._part_began) * (1 - self._share) / self._share if self._share else 0.0

    def _count(self) -> None:
        now = self._clock()
        self.busy, self._last_count = self.busy + now - self._last_count, now

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
        if self.queue is not None:
            self.queue.join(self)
        self._previous_job = _PRESENT.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.queue is not None:
            self.queue.leave(self)
        # what still reports to it neither waits, nor is refused, nor shown
        self.queue, self.seconds, self._preliminary, self._show_at = None, 0.0, False, math.inf
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


class Queue:
    """Jobs that compute, and those that wait to.

    Parameters
    ----------
    slots : callable
        How many may compute at a time; asked whenever a turn is given.
    clock : callable
        Seconds, for tests.
    """

    def __init__(self, slots: Callable[[], int], clock: Clock = time.monotonic) -> None:
        self._slots, self._clock = slots, clock
        self._jobs: list[Job] = []
        self._last_turns: dict[str, float] = {}  # when the last turn ended of an owner or address that is here
        self._lock = Condition()  # notified when a turn may have become free

    def join(self, job: Job) -> None:
        """Take in a job, which waits for nothing yet."""
        with self._lock:
            self._jobs.append(job)

    def leave(self, job: Job) -> None:
        """Let go of a job that is done, or whose answer nobody wants any more."""
        with self._lock:
            self._put(job, _IDLE)
            self._jobs.remove(job)
            for gone in {*job.whose}.difference(*(other.whose for other in self._jobs)):
                self._last_turns.pop(gone, None)

    def wait(self, seconds: float) -> None:
        """Wait for a turn to become free, so long at most."""
        with self._lock:
            self._lock.wait(seconds)

    def release(self, job: Job) -> None:
        """Note that a job does not compute for the time being."""
        with self._lock:
            self._put(job, _IDLE)

    def may_run(self, job: Job) -> bool:
        """True if it is the job's turn, or becomes so now."""
        with self._lock:
            others = any(other.state == _WAITING for other in self._jobs)
            over = job.state == _RUNNING and others and self._clock() - job.since >= SLICE
            if job.state == _IDLE or over:
                self._put(job, _WAITING)
            while (line := self._line()) and self._running() < max(1, self._slots()):
                self._put(line[0], _RUNNING)
            return job.state == _RUNNING

    def alone(self) -> bool:
        """True if there is at most one job just now."""
        with self._lock:
            return len(self._jobs) <= 1

    def jobs_ahead(self, job: Job) -> int:
        """Number of jobs whose turn will come before this one's."""
        with self._lock:
            line = self._line()
            return line.index(job) if job in line else 0

    def _running(self) -> int:
        return sum(job.state == _RUNNING for job in self._jobs)

    def _put(self, job: Job, state: str) -> None:
        if job.state == _RUNNING:
            self._last_turns |= dict.fromkeys(job.whose, self._clock())
            self._lock.notify_all()
        job.state, job.since = state, self._clock()

    def _line(self) -> list[Job]:
        """Waiting jobs by turn: whose address, then whose owner computes least now; of equals, who has waited longest.

        An owner is a cookie, of which an address has as many as it likes: the others' turns do not depend on that.
        """
        running = Counter(whose for job in self._jobs if job.state == _RUNNING for whose in job.whose)

        def place(job: Job) -> list[float]:
            served = [self._last_turns.get(whose, 0.0) for whose in job.whose]
            waits = [max(job.since, last) for last in served]
            return [*(running[whose] for whose in job.whose), *waits, *served, job.since]

        return sorted((job for job in self._jobs if job.state == _WAITING), key=place)


def slots() -> int:
    """How many jobs compute at a time: threads share Python's lock, which NumPy gives back for much of the time.

    Beside 16 visitors and five attackers on two processors, p95 of the pages that compute most was 2.4 s with two, and
    3.3 s with one.
    """
    processors = os.cpu_count() or 1
    return limit("IRVIZ_TURNS") or max(min(2, processors), processors - 1)


QUEUE = Queue(slots)  #: the one of this process


# -- processes beside this one -----------------------------------------------------------

_FIRST_TASKS: dict[Any, Future[object]] = {}  # what is done once the first process of the executor has started
_STARTING = Lock()


def processes() -> Executor | None:
    """Processes that compute while this one draws pages; None until they have been started, as they are now.

    Python runs one thread of a process at a time.  Beside 16 visitors and five attackers on two processors, p95 of the
    pages that compute most was .6 and .9 s with them, and 1.2 to 4.4 s without.
    """
    import_joblib()
    from joblib.externals.loky import ProcessPoolExecutor

    most = limit("IRVIZ_TURNS") or (os.cpu_count() or 1) - 1
    with _STARTING:
        try:
            if not any(
                pool._flags.broken is None for pool in _FIRST_TASKS
            ):  # there is none, or a process of it has ended
                _FIRST_TASKS.clear()
                new: Executor = ProcessPoolExecutor(min(max(1, most), MOST_PROCESSES), timeout=IDLE)
                _FIRST_TASKS[new] = new.submit(import_module, "irviz.stats.consistency")
        except OSError:
            logger.warning("No further process can be started, so pages wait for what is computed", exc_info=True)
        return next(
            (pool for pool, started in _FIRST_TASKS.items() if started.done() and not started.exception()), None
        )


def end_processes() -> None:
    """End them at once, whatever they compute."""
    with _STARTING:
        while _FIRST_TASKS:
            pool, _ = _FIRST_TASKS.popitem()
            pool.shutdown(wait=True, kill_workers=True)


def span(seconds: float) -> str:
    """A time as people say it.

    >>> span(1.2), span(60), span(89), span(150), span(9000)
    ('1 second', '60 seconds', '89 seconds', '2 minutes', '2 hours')
    """
    if seconds < 100:
        return number_of(max(1, round(seconds)), "second")
    return number_of(round(seconds / 60), "minute") if seconds < 90 * 60 else number_of(round(seconds / 3600), "hour")


def _queue_words(jobs_ahead: int) -> str:
    if jobs_ahead == 0:
        return "Waiting for a turn: yours is next"
    return f"Waiting for a turn: {number_of(jobs_ahead, 'request is', 'requests are')} before yours"
