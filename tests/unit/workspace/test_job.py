"""What a job shows, and what it may take."""

from __future__ import annotations

import pytest

from irviz.errors import IrvizError
from irviz.workspace.job import PATIENCE, SHOWN_EVERY, Job, present_job


class Timed(Job):
    """A job whose seconds a test sets, and that keeps what it showed."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.now, self.shown = 100.0, []
        super().__init__(seconds, clock=lambda: self.now)

    def show(self, share: float, text: str) -> None:
        self.shown.append(share)

    def at(self, busy: float, share: float) -> None:
        """Report `share` after `busy` seconds."""
        self.now = 100.0 + busy
        self(share, "")


def test_work_is_shown_once_it_takes_long_and_then_now_and_again():
    job = Timed()
    job.at(0.9 * PATIENCE, 0.1)
    job.at(PATIENCE, 0.2)
    job.at(PATIENCE + 0.5 * SHOWN_EVERY, 0.3)
    job.at(PATIENCE + SHOWN_EVERY, 0.4)
    assert job.shown == [0.2, 0.4]


def test_what_takes_longer_than_its_limit_ends():
    job = Timed(seconds=10)
    job.at(9.9, 0.01)
    with pytest.raises(IrvizError, match="10 seconds"):
        job.at(10.1, 0.99)
    Timed(seconds=0).at(1e9, 0.01)  # no limit


def test_a_job_that_has_ended_refuses_and_shows_nothing():
    """Lazy values may still report to it."""
    with Timed(seconds=10) as job:
        assert present_job() is job
    assert present_job() is None
    job.at(1e6, 0.5)
    assert not job.shown
