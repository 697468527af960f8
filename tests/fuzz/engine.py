"""What a fuzzer is: a target makes one hostile case from a generator and runs it; only a named error may come out.

Every case has its own seed, ``"<seed>/<target>/<number>"``, so that one that failed is
run again by its number alone, whatever ran before it.
"""

from __future__ import annotations

import random
import signal
import time
import traceback
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from irviz.errors import LONGEST_MESSAGE, IrvizError

Target = Callable[[random.Random], None]
TARGETS: dict[str, Target] = {}
PATIENCE = 10  #: seconds of computing after which a case counts as hanging


@dataclass
class Report:
    """The results of one target's cases."""

    target: str
    seed: int
    cases: int = 0
    refused: int = 0
    slowest: tuple[float, int] = (0.0, 0)  #: seconds, and the number of the case
    failures: dict[int, str] = field(default_factory=dict)

    def __str__(self) -> str:
        seconds, number = self.slowest
        return (
            f"{self.target:24}{self.cases:9,} cases{self.refused:9,} refused, slowest {seconds:6.2f} s ({number:,}), "
            f"{len(self.failures)} failed"
        )


class Hang(BaseException):
    """A case that does not end; no ``except Exception`` can hide it."""


def target(function: Target) -> Target:
    """Register a target under its function's name."""
    assert function.__name__ not in TARGETS, function.__name__
    TARGETS[function.__name__] = function
    return function


def generator(seed: int, name: str, number: int) -> random.Random:
    """The source of everything that is random in one case."""
    return random.Random(f"{seed}/{name}/{number}")


def run(name: str, seed: int, numbers: Iterator[int] | range, most_failures: int = 20) -> Report:
    """The cases of the target called `name`; stops after `most_failures`."""
    report = Report(name, seed)
    for number in numbers:
        began = time.process_time()
        failure = _failure(name, seed, number, report)
        report.cases += 1
        report.slowest = max(report.slowest, (time.process_time() - began, number))
        if failure:
            report.failures[number] = failure
            if len(report.failures) >= most_failures:
                break
    return report


def _failure(name: str, seed: int, number: int, report: Report) -> str:
    """Why a case failed; nothing where it ended well or in a named error of a length one can read."""
    try:
        with warnings.catch_warnings(), patience():
            warnings.simplefilter("error")
            TARGETS[name](generator(seed, name, number))
    except IrvizError as error:
        report.refused += 1
        said = str(error)
        return "" if said.strip() and len(said) <= LONGEST_MESSAGE else f"the message has {len(said)} characters"
    except (Exception, Hang):  # noqa: BLE001  whatever else comes out is what is looked for
        return traceback.format_exc(limit=-4)
    return ""


@contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    """End what computes for longer, however much time other programs take meanwhile."""

    def give_up(*_: object) -> None:
        raise Hang(f"no end after {seconds} s of computing")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def memory(most: int) -> Iterator[None]:
    """Fail if Python and NumPy held more than `most` bytes at any time in between."""
    tracemalloc.start()
    try:
        yield
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak <= most, f"{peak >> 20} MB were held, {most >> 20} are allowed"
