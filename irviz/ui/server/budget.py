"""What one request may take: its time is estimated before, foreseen from how far it has come, and measured."""

from __future__ import annotations

from collections.abc import Sequence

from irviz.errors import IrvizError, counted, listed
from irviz.limits import limit

FORESEE_AFTER, FORESEE_FROM = 2.0, 0.02  #: seconds, and share of the work, from which a guess is worth something
_AT_MOST_WRONG = 3.0  #: times that an estimate made before the work may be too high; see `irviz.workers.takes`
_TOLERANCE = 1.2  #: times the limit that a guess may come to before it counts


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
