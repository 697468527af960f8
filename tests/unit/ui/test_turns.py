"""Whose turn it is to compute, and what one request may take."""

from __future__ import annotations

import pytest

from irviz.server.queue import SLICE, Budget, OverBudget, Turns, slots


class Clock:
    now = 1.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def turns(clock: Clock, slots: int = 1) -> Turns:
    return Turns(lambda: slots, clock)


def test_as_many_as_there_are_places_run_at_once(clock):
    place = turns(clock, 2)
    tickets = [place.join(owner) for owner in "abc"]
    assert [place.may_run(one) for one in tickets] == [True, True, False]
    place.leave(tickets[0])
    assert place.may_run(tickets[2])


def test_who_has_computed_already_waits_for_who_has_not(clock):
    """One visitor's many requests do not keep another from a single one."""
    place = turns(clock)
    first = place.join("many")
    assert place.may_run(first)
    more = [place.join("many") for _ in range(5)]
    single = place.join("one")
    for clock.now, ticket in enumerate([*more, single], start=2):
        assert not place.may_run(ticket)
    assert place.before(single) == 0
    assert [place.before(one) for one in more] == [1, 2, 3, 4, 5]
    place.leave(first)
    assert place.may_run(single)


def test_a_turn_ends_where_others_wait(clock):
    place = turns(clock)
    one, other = place.join("a"), place.join("b")
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
    long, first = place.join("long"), place.join("first")
    assert place.may_run(long) and not place.may_run(first)
    clock.now += SLICE
    assert not place.may_run(long) and place.may_run(first), "first came while it had its turn"
    later = place.join("later")
    clock.now += 1
    assert not place.may_run(later)
    assert (place.before(long), place.before(later)) == (0, 1)
    place.leave(first)
    assert place.may_run(long)


def test_one_processor_is_left_to_what_is_soon_done(monkeypatch):
    monkeypatch.delenv("IRVIZ_TURNS", raising=False)
    for processors, places in ((None, 1), (1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        assert slots() == places
    monkeypatch.setenv("IRVIZ_TURNS", "3")
    assert slots() == 3


def test_who_lets_go_of_a_turn_gives_it_to_the_next(clock):
    place = turns(clock)
    one, other = place.join("a"), place.join("b")
    assert place.may_run(one) and not place.may_run(other)
    place.release(one)
    assert place.may_run(other) and not place.may_run(one)
    place.leave(other)
    assert place.may_run(one)


def test_leaving_frees_the_turn_and_the_memory_of_it(clock):
    place = turns(clock)
    for _ in range(3):
        ticket = place.join("a")
        assert place.may_run(ticket)
        place.leave(ticket)
    assert not place._tickets and not place._served


def test_alone_is_who_computes_beside_nobody(clock):
    place = turns(clock, 2)
    assert place.alone()
    one, other = place.join("a"), place.join("b")
    assert not place.alone()
    place.leave(one)
    assert place.alone()
    place.leave(other)


# -- budgets -----------------------------------------------------------------------------


def test_what_takes_too_long_is_foreseen():
    budget = Budget(60, ["fewer than 40 measures", "a smaller number under Trials (20,000)"])
    budget.check(1.9, 0.001)  # too early to tell
    budget.check(30, 0.5)
    budget.check(31, 0.1)  # the next part
    with pytest.raises(OverBudget) as refused:
        budget.check(51, 0.2)
    assert str(refused.value) == (
        "This would take about 2 minutes here; one request may compute for 60 seconds. "
        "Reduce it: fewer than 40 measures or a smaller number under Trials (20,000)."
    )


def test_what_would_take_far_too_long_is_refused_before_it_begins():
    budget = Budget(60, ["less under Repeats (100)"])
    budget.expect(busy=1, seconds=170)  # the estimate may be three times too high
    with pytest.raises(OverBudget) as refused:
        budget.expect(busy=1, seconds=240)
    assert str(refused.value) == (
        "This would take about 4 minutes here; one request may compute for 60 seconds. "
        "Reduce it: less under Repeats (100)."
    )
    Budget(0).expect(busy=1, seconds=1e9)


def test_what_has_taken_too_long_ends():
    budget = Budget(10)
    budget.check(9.9, 0.99)
    with pytest.raises(OverBudget) as refused:
        budget.check(10.1, 0.995)
    assert str(refused.value) == "This would take about 10 seconds here; one request may compute for 10 seconds."


def test_what_is_left_follows_from_how_far_the_present_part_has_come():
    budget = Budget(0)
    assert budget.left(1.0, 0.0) == 0.0, "nothing is known yet"
    budget.check(1.0, 0.25)
    assert budget.left(1.0, 0.25) == 3.0
    budget.check(4.0, 1.0)
    budget.check(4.5, 0.5)  # the next part, which began when the last one was done
    assert budget.left(5.0, 0.5) == 0.5


def test_no_limit_is_none():
    Budget(0).check(1e9, 0.001)
