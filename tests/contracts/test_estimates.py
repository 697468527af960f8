"""What a page computes is estimated before it begins: functions whose results are remembered say what they take."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import irviz
import irviz.menu  # and with it every page
from irviz.collection.catalogue import open_collection
from irviz.stats.consistency import across_measures, epsilon_sweep, halves_correlated
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.scores import Scores, score
from irviz.stats.significance import METHODS, discriminative_power
from irviz.workers import _TAKES, machine, seconds_of

ROOT = Path(irviz.__file__).parent
KEEPING = ("remember", "remember_by_measure")
QUICK = {"overall", "rankings", "summary_interval", "power", "gains_of"}  #: done at once, whatever is asked for


@cache
def remembered() -> set[str]:
    """The names of all functions that are handed to ``remember`` or ``remember_by_measure``."""
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING
            if named and isinstance(node.args[0], ast.Name):
                found.add(node.args[0].id)
    return found - {"function"}


def test_every_remembered_function_says_what_it_takes():
    assert len(remembered()) > 10
    assert remembered() - {one.__name__ for one in _TAKES} - QUICK == set()


def cube(measures: int = 2, topics: int = 10, systems: int = 10) -> Scores:
    values = np.zeros((measures, topics, systems))
    return Scores(values, *(tuple(f"{a}{i}" for i in range(n)) for a, n in zip("mts", values.shape, strict=True)))


@pytest.mark.parametrize("method", METHODS)
def test_more_of_anything_takes_no_less(method):
    few = seconds_of(discriminative_power, (cube(), method), {"trials": 100})
    for more in (cube(measures=9), cube(topics=90), cube(systems=90)):
        assert seconds_of(discriminative_power, (more, method), {"trials": 100}) >= few > 0
    drawn = seconds_of(discriminative_power, (cube(), method), {"trials": 1000})
    assert drawn == pytest.approx(10 * few) if METHODS[method].draws else drawn == few


def test_the_estimate_grows_with_what_is_asked_for():
    c = open_collection("adhoc")
    assert seconds_of(score, (c, ["AP", "RR"]), {}) == pytest.approx(2 * seconds_of(score, (c, ["AP"]), {}))
    assert seconds_of(score, (c, ["RBTO@8000"]), {}) > 2 * seconds_of(score, (c, ["RBTO@20"]), {})
    one, ten = (seconds_of(pool_reduction, (c, ["AP"]), {"repeats": n}) for n in (1, 10))
    assert ten == pytest.approx(10 * one)
    once, more = (seconds_of(epsilon_sweep, (cube(), [1.0] * n), {}) for n in (1, 17))
    assert more > 5 * once
    halves = [seconds_of(halves_correlated, (cube(), 500), {"split": split}) for split in ("random", "hard_easy")]
    assert halves[0] > halves[1]
    assert seconds_of(across_measures, (halves_correlated(score(c, ["AP", "RR"]), 20), None), {}) > 0
    assert machine() > 0
