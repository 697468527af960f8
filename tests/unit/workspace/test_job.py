"""What a job may take, and when it is broken off for a first answer."""

from __future__ import annotations

import pytest

from irviz.workspace.job import FirstAnswer, Job, TooLong, present_job


class Clock:
    """Seconds that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def job_of(clock):
    """``job_of(seconds, reduce)``, and ``told(job, busy, share)``: that it has come so far after `busy` seconds."""
    return lambda seconds, reduce=(), **more: Job(seconds, reduce, clock=clock, **more)


@pytest.fixture
def told(clock):
    start = clock.now

    def tell(job: Job, busy: float, share: float) -> None:
        clock.now = start + busy
        job(share, "")

    return tell


def test_what_takes_too_long_is_foreseen(job_of, told):
    job = job_of(60, ["fewer than 40 measures", "a smaller number under Trials (20,000)"])
    told(job, 1.9, 0.001)  # too early to tell
    told(job, 30, 0.5)
    told(job, 31, 0.1)  # the next part
    with pytest.raises(TooLong) as refused:
        told(job, 51, 0.2)
    assert str(refused.value) == (
        "This would take about 2 minutes here; one request may compute for 60 seconds. "
        "Reduce it: fewer than 40 measures or a smaller number under Trials (20,000)."
    )


def test_what_would_take_far_too_long_is_refused_before_it_begins(job_of, told):
    job = job_of(60, ["less under Repeats (100)"])
    told(job, 1, 0.0)
    job.expect(170)  # the estimate may be three times too high
    with pytest.raises(TooLong) as refused:
        job.expect(240)
    assert str(refused.value) == (
        "This would take about 4 minutes here; one request may compute for 60 seconds. "
        "Reduce it: less under Repeats (100)."
    )
    job_of(0).expect(1e9)


def test_what_has_taken_too_long_ends(job_of, told):
    job = job_of(10)
    told(job, 9.9, 0.99)
    with pytest.raises(TooLong) as refused:
        told(job, 10.1, 0.995)
    assert str(refused.value) == "This would take about 10 seconds here; one request may compute for 10 seconds."


def test_what_is_left_follows_from_how_far_the_present_part_has_come(job_of, told):
    job = job_of(0)
    told(job, 1.0, 0.0)
    assert job.seconds_left() == 0.0, "nothing is known yet"
    told(job, 1.0, 0.25)
    assert job.seconds_left() == 3.0
    told(job, 4.0, 1.0)
    told(job, 4.5, 0.5)  # the next part, which began when the last one was reported on
    assert job.seconds_left() == 0.0
    told(job, 5.0, 0.5)
    assert job.seconds_left() == 0.5


def test_no_limit_is_none(job_of, told):
    told(job_of(0), 1e9, 0.001)


def test_a_first_answer_is_asked_for_once_and_not_where_the_full_one_is_nearly_there(job_of, told):
    job = job_of(0, preliminary=True)
    told(job, 1.0, 0.9)  # a tenth of a second is left
    told(job, 1.0, 0.1)  # the next part
    with pytest.raises(FirstAnswer):
        told(job, 2.0, 0.2)
    told(job, 3.0, 0.3)
    job.expect(100.0)


def test_a_job_that_has_ended_refuses_nothing(clock, told):
    """Lazy values may still report to it."""
    with Job(seconds=10, clock=clock) as job:
        assert present_job() is job
    assert present_job() is None
    told(job, 1e6, 0.001)
