"""How right the estimates are by which a server refuses work before it begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import irviz
from benchmarks import trec8
from benchmarks.parts.analyses import SWEPT, TEN
from benchmarks.timing import Row
from irviz.stats.consistency import across_measures, epsilon_sweep, halves_correlated
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.significance import discriminative_power
from irviz.workers import seconds_of

WRONG = 3.0  #: times that an estimate may be too high or too low


def rows() -> Iterator[Row]:
    """Processor time of one thread against the estimate, for a large and a small collection."""
    for name, c in (("TREC-8's size", trec8.collection()), ("adhoc", irviz.open_collection("adhoc"))):
        for what, function, arguments, named in _works(c):
            yield _row(f"{name}: {what}", function, arguments, named)


def _works(c: irviz.Collection) -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    cube, orders = irviz.score(c, TEN), [f"RBTO@{k}" for k in range(100, 110)]
    yield "scores of ten measures", irviz.score, (c, TEN), {}
    yield "scores of ten total orders", irviz.score, (c, orders), {}
    yield "pool reduction", pool_reduction, (c, TEN), {"repeats": 1}
    yield "split halves", halves_correlated, (cube,), {}
    yield "split halves, median", halves_correlated, (cube,), {"summary": "median", "trials": 200}
    yield "test across measures", across_measures, (halves_correlated(cube), None), {}
    yield "sweep of ε", epsilon_sweep, (cube, SWEPT), {"trials": 200}
    yield "randomised Tukey HSD", discriminative_power, (cube,), {}
    yield "paired bootstrap", discriminative_power, (cube, "paired_bootstrap"), {}


def _row(what: str, function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Row:
    start = time.process_time()
    function(*arguments, **named)
    taken, expected = time.process_time() - start, seconds_of(function, arguments, named)
    ratio = expected / taken
    met = bool(np.exp(abs(np.log(ratio))) <= WRONG)
    return Row(what, f"{taken:.3f} s", f"estimated {expected:.3f} s", f"{ratio:.2f}", f"1/{WRONG:g} to {WRONG:g}", met)
