"""Whose turn it is to compute, and what one request may take."""

from __future__ import annotations

import subprocess
import sys

import pytest

from irviz.workspace.job import SLICE, FirstAnswer, Job, Queue, TooLong, present_job, slots
from tests.app.driving import ROOT


class Clock:
    now = 1.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def turns(clock: Clock, slots: int = 1) -> Queue:
    return Queue(lambda: slots, clock)


def joined(place: Queue, owner: str, address: str = "") -> Job:
    """A job in the queue."""
    job = Job(owner, address=address)
    place.join(job)
    return job


def test_as_many_as_there_are_places_run_at_once(clock):
    place = turns(clock, 2)
    jobs = [joined(place, owner) for owner in "abc"]
    assert [place.may_run(one) for one in jobs] == [True, True, False]
    place.leave(jobs[0])
    assert place.may_run(jobs[2])


def test_who_has_computed_already_waits_for_who_has_not(clock):
    """One visitor's many requests do not keep another from a single one."""
    place = turns(clock)
    first = joined(place, "many")
    assert place.may_run(first)
    more = [joined(place, "many") for _ in range(5)]
    single = joined(place, "one")
    for clock.now, job in enumerate([*more, single], start=2):
        assert not place.may_run(job)
    assert place.jobs_ahead(single) == 0
    assert [place.jobs_ahead(one) for one in more] == [1, 2, 3, 4, 5]
    place.leave(first)
    assert place.may_run(single)


def test_an_address_with_many_cookies_has_the_turns_of_one(clock):
    place = turns(clock)
    many = [joined(place, f"cookie {n}", "from 192.0.2.1") for n in range(20)]
    single = joined(place, "one", "from 192.0.2.2")
    for job in (*many, single):
        place.may_run(job)
    had = []
    for _ in range(12):
        clock.now += SLICE
        had += [job for job in (*many, single) if job.state == "running"]
        for job in (*many, single):
            place.may_run(job)
    assert had.count(single) >= 5
    assert len(set(had)) == 1 + len(had) - had.count(single), "its cookies take turns among them"


def test_a_turn_ends_where_others_wait(clock):
    place = turns(clock)
    one, other = joined(place, "a"), joined(place, "b")
    assert place.may_run(one)
    clock.now = 10 * SLICE
    assert place.may_run(one), "nobody waits"
    assert not place.may_run(other)
    clock.now += SLICE
    assert not place.may_run(one)
    assert place.may_run(other)
    clock.now += SLICE
    assert not place.may_run(other)
    assert place.may_run(one)


def test_who_comes_later_does_not_keep_long_work_waiting_for_ever(clock):
    place = turns(clock)
    long, first = joined(place, "long"), joined(place, "first")
    assert place.may_run(long) and not place.may_run(first)
    clock.now += SLICE
    assert not place.may_run(long) and place.may_run(first), "first came while it had its turn"
    later = joined(place, "later")
    clock.now += 1
    assert not place.may_run(later)
    assert (place.jobs_ahead(long), place.jobs_ahead(later)) == (0, 1)
    place.leave(first)
    assert place.may_run(long)


def test_one_of_more_than_two_processors_is_left_to_what_is_soon_done(monkeypatch):
    monkeypatch.delenv("IRVIZ_TURNS", raising=False)
    for processors, places in ((None, 1), (1, 1), (2, 2), (3, 2), (8, 7)):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        assert slots() == places
    monkeypatch.setenv("IRVIZ_TURNS", "3")
    assert slots() == 3


def test_who_lets_go_of_a_turn_gives_it_to_the_next(clock):
    place = turns(clock)
    one, other = joined(place, "a"), joined(place, "b")
    assert place.may_run(one) and not place.may_run(other)
    place.release(one)
    assert place.may_run(other) and not place.may_run(one)
    place.leave(other)
    assert place.may_run(one)


def test_leaving_frees_the_turn_and_the_memory_of_it(clock):
    place = turns(clock)
    for _ in range(3):
        job = joined(place, "a")
        assert place.may_run(job)
        place.leave(job)
    assert not place._jobs and not place._last_turns


def test_alone_is_who_computes_beside_nobody(clock):
    place = turns(clock, 2)
    assert place.alone()
    one, other = joined(place, "a"), joined(place, "b")
    assert not place.alone()
    place.leave(one)
    assert place.alone()
    place.leave(other)


# -- what a job may take --------------------------------------------------------------------


@pytest.fixture
def job_of(clock):
    """``job_of(seconds, reduce)``, and ``told(job, busy, share)``: that it has come so far after `busy` seconds."""
    return lambda seconds, reduce=(), **more: Job(seconds=seconds, reduce=reduce, clock=clock, **more)


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


def test_a_job_that_has_ended_neither_waits_nor_refuses(clock, told):
    """Lazy values may still report to it."""
    place = turns(clock)
    other = joined(place, "other")
    assert place.may_run(other)
    with Job("one", place, seconds=10, clock=clock) as job:
        assert present_job() is job
    assert present_job() is None
    told(job, 1e6, 0.001)


_AT_ONCE = """
import sys
from threading import Barrier, Thread
from irviz.workers import run
from irviz.workspace.job import end_processes, processes
sys.setswitchinterval(1e-6)
done, together = [], Barrier(2)
def start(first):
    together.wait()
    first()
    done.append(first)
both = [Thread(target=start, args=(one,)) for one in (lambda: run(abs, [-1, -2], 2), processes)]
[one.start() for one in both]
[one.join() for one in both]
end_processes()
raise SystemExit(len(done) != 2)
"""


def test_two_requests_may_be_the_first_that_need_joblib():
    """Its parts import each other; without a lock, one start in three ended with half of one."""
    for _ in range(4):
        subprocess.run([sys.executable, "-c", _AT_ONCE], check=True, cwd=ROOT, timeout=120)
