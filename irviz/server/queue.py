"""Turns of computing: one processor is reserved for short requests, visitors take turns, and requests have a budget.

Work that is soon done never asks.  Work that takes longer asks for a turn, and gives it
back after a while where others wait: one visitor's hundred measures do not keep another
from a single one.

What one request may take is its budget: its time is estimated before, foreseen from how far it has
come, and measured.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from irviz.errors import IrvizError, counted, listed
from irviz.limits import limit

SLICE = 2.0  #: seconds that a turn lasts where others wait
_IDLE, _WAITING, _RUNNING = "idle", "waiting", "running"
FORESEE_AFTER, FORESEE_FROM = 2.0, 0.02  #: seconds, and share of the work, from which a guess is worth something
_AT_MOST_WRONG = 3.0  #: times that an estimate made before the work may be too high; see `irviz.workers.takes`
_TOLERANCE = 1.2  #: times the limit that a guess may come to before it counts


@dataclass(eq=False)
class Ticket:
    """One request's place among the others; ``since`` is when it last began to wait, or to run."""

    owner: str
    state: str = _IDLE
    since: float = field(default_factory=time.monotonic)


class Turns:
    """Requests that compute, and those that wait to.

    Parameters
    ----------
    slots : callable
        How many may compute at a time; asked whenever a turn is given.
    clock : callable
        Seconds, for tests.
    """

    def __init__(self, slots: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._slots, self._clock = slots, clock
        self._tickets: list[Ticket] = []
        self._served: dict[str, float] = {}  # when the last turn of an owner who is here ended
        self._lock = Lock()

    def join(self, owner: str) -> Ticket:
        """A ticket for one request; it waits for nothing yet."""
        ticket = Ticket(owner)
        with self._lock:
            self._tickets.append(ticket)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """The request is done, or nobody wants its answer any more."""
        with self._lock:
            self._put(ticket, _IDLE)
            self._tickets.remove(ticket)
            if all(other.owner != ticket.owner for other in self._tickets):
                self._served.pop(ticket.owner, None)

    def release(self, ticket: Ticket) -> None:
        """Note that a request does not compute for the time being."""
        with self._lock:
            self._put(ticket, _IDLE)

    def may_run(self, ticket: Ticket) -> bool:
        """Whether it is the request's turn, or becomes so now."""
        with self._lock:
            others = any(other.state == _WAITING for other in self._tickets)
            over = ticket.state == _RUNNING and others and self._clock() - ticket.since >= SLICE
            if ticket.state == _IDLE or over:
                self._put(ticket, _WAITING)
            self._fill()
            return ticket.state == _RUNNING

    def alone(self) -> bool:
        """Whether there is at most one request just now."""
        with self._lock:
            return len(self._tickets) <= 1

    def before(self, ticket: Ticket) -> int:
        """How many wait for a turn that will come before this request's."""
        with self._lock:
            queue = self._queue()
            return queue.index(ticket) if ticket in queue else 0

    def _fill(self) -> None:
        """Give every free place to the request that is next."""
        while queue := self._queue():
            if sum(other.state == _RUNNING for other in self._tickets) >= max(1, self._slots()):
                return
            self._put(queue[0], _RUNNING)

    def _put(self, ticket: Ticket, state: str) -> None:
        """From now on the request is in this state."""
        if ticket.state == _RUNNING:
            self._served[ticket.owner] = self._clock()
        ticket.state, ticket.since = state, self._clock()

    def _queue(self) -> list[Ticket]:
        """Those that wait: first who computes least already, then whose owner has waited longest since a turn."""
        running = Counter(other.owner for other in self._tickets if other.state == _RUNNING)

        def place(ticket: Ticket) -> tuple[float, ...]:
            served = self._served.get(ticket.owner, 0.0)
            return running[ticket.owner], max(ticket.since, served), served, ticket.since

        return sorted((other for other in self._tickets if other.state == _WAITING), key=place)


def slots() -> int:
    """How many requests compute at a time: threads share Python's lock, and one more would slow all of them."""
    return limit("IRVIZ_TURNS") or max(1, (os.cpu_count() or 1) - 1)


TURNS = Turns(slots)  #: those of this process


class OverBudget(IrvizError):
    """Work that would take longer than this server allows one request."""


class Budget:
    """The time of one request, in seconds of its own computing; waiting for a turn is free.

    Parameters
    ----------
    most : float
        Seconds it may take; 0 is without end.
    reduce : sequence of str
        What the person could ask for less of.
    """

    def __init__(self, most: float, reduce: Sequence[str] = ()) -> None:
        self.most, self.reduce = most, reduce
        self._part_began, self._last_share = 0.0, 0.0

    def expect(self, busy: float, seconds: float) -> None:
        """Refuse work before it begins, where it would take too long even if the estimate is three times too high."""
        if self.most and busy + seconds > self.most * _AT_MOST_WRONG:
            raise OverBudget(self._words(busy + seconds))

    def check(self, busy: float, share: float) -> None:
        """Refuse work that has taken too long, or foreseeably will.

        Work comes in parts, each of which reports from 0 to 1: a share that falls begins
        the next one.
        """
        if share < self._last_share:
            self._part_began = busy
        self._last_share = share
        if not self.most:
            return
        foreseen = self._foreseen(busy, share)
        if busy > self.most or foreseen > self.most * _TOLERANCE:
            raise OverBudget(self._words(max(busy, foreseen)))

    def left(self, busy: float, share: float) -> float:
        """About how many seconds until the present part will be done."""
        return (busy - self._part_began) * (1 - share) / share if share else 0.0

    def _foreseen(self, busy: float, share: float) -> float:
        """Seconds until the present part will be done."""
        if busy - self._part_began < FORESEE_AFTER or share < FORESEE_FROM:
            return busy
        return self._part_began + (busy - self._part_began) / share

    def _words(self, seconds: float) -> str:
        less = f" Reduce it: {listed(self.reduce, joiner='or')}." if self.reduce else ""
        return f"This would take about {span(seconds)} here; one request may compute for {span(self.most)}.{less}"


def request_seconds() -> float:
    """How long one request may compute."""
    return float(limit("IRVIZ_REQUEST_SECONDS"))


def span(seconds: float) -> str:
    """A time as people say it.

    >>> span(1.2), span(60), span(89), span(150), span(9000)
    ('1 second', '60 seconds', '89 seconds', '2 minutes', '2 hours')
    """
    if seconds < 100:
        return counted(max(1, round(seconds)), "second")
    return counted(round(seconds / 60), "minute") if seconds < 90 * 60 else counted(round(seconds / 3600), "hour")
