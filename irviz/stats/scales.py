"""The scale type of a measure, by enumerating all judged runs of a small depth.

Tests compare it with the one from the formula (:meth:`irviz.measures.language.base.Measure.scale`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, product
from math import comb
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.arithmetic import AGREE
from irviz.measures.judged_lists import ExactTopic
from irviz.measures.language.base import Measure, Scale
from irviz.stats.results import FrozenArrays
from irviz.workers import Listener, listener

Run = tuple[int, ...]  # the levels of a judged run, first rank first; of a set, highest first

MOST_RUNS = 20_000
MOST_REMEMBERED = 200_000  # runs of the findings that are kept
_RUNS_A_PIECE = 500  # runs scored in fractions between two calls of `progress`
CLEAR = 1e-9  # share of the largest score beyond which two doubles differ by more than rounding
SURE = Fraction(1, 10**40)  # a larger difference is no rounding error of irrational weights
Exact = Callable[[NDArray[np.int64]], dict[int, Fraction]]  # the exact scores of some runs, by their place


class Steps(NamedTuple):
    """Every step up the total order, compared exactly."""

    sign: NDArray[np.int8]  #: 1 where the measure rises, 0 where it stays the same, −1 where it falls
    equal: NDArray[np.bool_]  #: True where the step is as high as the mean step


@dataclass(frozen=True, eq=False)
class ScaleType(FrozenArrays):
    """The scale type of a measure, found by enumerating all judged runs.

    Attributes
    ----------
    measure : str
    grades : tuple of float
        The grade of every level.
    depth : int
        Length of the runs: the depth asked for, or the measure's cutoff if smaller.
    order : "rank" or "set"
        Which total order the judged runs are in.
    kind : "interval", "ordinal" or "neither"
    witness : pair of tuples of levels, or None
        Two neighbours in the order, the lower first.  For "neither", the second does not score above the first; for
        "ordinal", the step between them differs from the mean step.
    runs : tuple of tuples of levels, in the total order
    rho : int array
        The rank function of the total order: 0, 1, 2, …
    values : float64 array
        The measure at each of the runs.
    fact : Scale
        The scale type according to the measure's formula, at this depth.
    theory : Scale
        The same for runs of any depth.  A measure may keep the order of short runs and
        break that of longer ones, as ERR does from 5 ranks on.
    """

    measure: str
    grades: tuple[float, ...]
    depth: int
    order: str
    kind: str
    witness: tuple[Run, Run] | None
    runs: tuple[Run, ...]
    rho: NDArray[np.int64]
    values: NDArray[np.float64]
    fact: Scale
    theory: Scale

    @cached_property
    def steps(self) -> Steps:
        """The sign of every step of the order; computed on first use."""
        return _steps(self)


def scale_type(
    expression: str | Measure,
    *,
    grades: int | Sequence[float] = 2,
    depth: int = 5,
    progress: Listener = None,
) -> ScaleType:
    r"""The scale type of a measure, by enumeration in exact arithmetic.

    All judged runs of `depth` documents are put into the total order of Ferrante et al. 2019 (eq. (4) for measures of
    rankings, eq. (1) for measures of sets), whose rank function is the reference interval scale.  The measure is on an
    ordinal scale if it rises at every step of that order, on an interval scale if it rises equally.

    Parameters
    ----------
    expression : expression or measure
    grades : int or list of numbers
        How many grades there are, counting 0 (2 is binary), or the grades themselves.
    depth : int
        Length of the runs.  Nothing follows them: a C/W/L/A measure stops there.
    progress : callable, or True for a bar, optional
        Called with the share done (0 to 1) and a sentence; an exception from it stops the work.

    Returns
    -------
    ScaleType

    Notes
    -----
    The measure's own code runs in doubles and, where these do not differ clearly, in fractions; a parameter is then the
    simplest fraction that equals the double (0.3333333333333333 is 1/3).  Logarithms are correct to 60 decimals.
    Differences above 10⁻⁴⁰ are therefore certain; those below 10⁻⁵⁰ count as 0, which for irrational weights is a
    convention, not a proof; the measure is refused if any lies in between.  The pool contains `depth` documents of
    every grade, so every run is possible.

    Examples
    --------
    >>> scale_type("RBP(p=0.5)").kind
    'interval'
    >>> found = scale_type("AP", depth=3)
    >>> found.kind, found.witness
    ('neither', ((0, 1, 1), (1, 0, 0)))
    """
    progress = listener(progress)
    metric, levels = measure(expression), _grades(grades)
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise IrvizError(f"`depth` must be a whole number of at least 1; got {depth!r}.")
    ranks = metric.depth_seen(depth) or depth
    key = (metric, levels, ranks)
    scale = _CACHE.get(key)
    if scale is None:
        scale = _enumerate_runs(metric, levels, ranks, progress)
        with _LOCK:  # the oldest results are dropped if too many runs are kept
            _CACHE[key] = scale
            while sum(len(kept.runs) for kept in _CACHE.values()) > MOST_REMEMBERED and len(_CACHE) > 1:
                del _CACHE[next(iter(_CACHE))]
    return scale


_CACHE: dict[tuple[Measure, tuple[float, ...], int], ScaleType] = {}
_LOCK = Lock()


def _enumerate_runs(
    one: Measure, levels: tuple[float, ...], ranks: int, progress: Callable[[float, str], object] | None
) -> ScaleType:
    runs = _runs(one.orders, len(levels), ranks)
    truncated, table = one.at_depth(ranks), np.array(runs, dtype=np.int64)
    values = truncated.score(ExactTopic(table, levels, exact=False)).astype(np.float64)
    kind, place = _kind(values, _exact_scorer(truncated, table, levels, progress), one)
    rho = np.arange(len(runs))
    for array in (values, rho):
        array.setflags(write=False)
    witness = None if place is None else (runs[place], runs[place + 1])
    fact, theory = one.scale(levels, ranks), one.scale(levels)
    return ScaleType(str(one), levels, ranks, one.orders, kind, witness, tuple(runs), rho, values, fact, theory)


def _exact_scorer(
    metric: Measure,
    table: NDArray[np.int64],
    levels: tuple[float, ...],
    progress: Callable[[float, str], object] | None = None,
) -> Exact:
    """A function that computes exact scores of some of the runs in `table`."""

    def exact(places: NDArray[np.int64]) -> dict[int, Fraction]:
        scores: dict[int, Fraction] = {}
        for start in range(0, len(places), _RUNS_A_PIECE):
            piece = places[start : start + _RUNS_A_PIECE]
            scores.update(zip(piece.tolist(), metric.score(ExactTopic(table[piece], levels)).tolist(), strict=True))
            if progress is not None:
                progress(len(scores) / len(places), f"Compared {len(scores):,} judged runs exactly")
        return scores

    return exact


def _grades(grades: int | Sequence[float]) -> tuple[float, ...]:
    if isinstance(grades, int) and not isinstance(grades, bool):
        if grades < 2:
            raise IrvizError(f"`grades` counts the grades, 0 among them: at least 2; got {grades}.")
        return tuple(float(x) for x in range(min(grades, MOST_RUNS + 1)))  # more are refused below
    if isinstance(grades, (str, bool)) or not isinstance(grades, Sequence):
        raise IrvizError(f"`grades` must be a number of grades or a list of them; got {grades!r}.")
    rising = tuple(float(x) for x in grades)
    if rising == (0.0,):
        raise IrvizError("There is no grade above 0, so all judged runs are alike. Give `grades` with two at least.")
    if len(rising) < 2 or rising[0] != 0 or any(not a < b < float("inf") for a, b in pairwise(rising)):
        raise IrvizError(f"`grades` must rise from 0, as in [0, 1, 2]; got {list(grades)}.")
    return rising


def _runs(order: str, grades: int, depth: int) -> list[Run]:
    """All judged runs in the total order, worst first."""
    few = depth <= 1000 and grades <= MOST_RUNS
    number = (grades**depth if order == "rank" else comb(grades + depth - 1, depth)) if few else MOST_RUNS + 1
    if number > MOST_RUNS:
        raise IrvizError(
            f"There are more than {MOST_RUNS:,} judged runs or sets of depth {depth:,} with {grades:,} grades. Take a "
            "smaller depth or fewer grades."
        )
    if order == "rank":
        return list(product(range(grades), repeat=depth))
    return sorted(combinations_with_replacement(range(grades - 1, -1, -1), depth))


def _kind(values: NDArray[np.float64], exact: Exact, one: Measure) -> tuple[str, int | None]:
    """The scale type of values in the total order, and where the first offending step starts."""
    steps, clear = np.diff(values), _clear(values)
    falls = _first(steps < -clear)
    near = np.flatnonzero(np.abs(steps[:falls]) <= clear)
    step = _exact_steps(near, exact, one)
    for place in near.tolist():
        if step[place] <= AGREE:
            return "neither", place
    if falls is not None:
        return "neither", falls
    mean = (values[-1] - values[0]) / len(steps)
    uneven = _first(np.abs(steps - mean) > clear)
    near = np.arange(len(steps) if uneven is None else uneven)
    if not len(near):
        return "ordinal", uneven
    ends = exact(np.array([0, len(values) - 1]))
    exact_mean = (ends[len(values) - 1] - ends[0]) / len(steps)
    step = _exact_steps(near, exact, one)
    for place in near.tolist():
        if abs(step[place] - exact_mean) > AGREE:
            return "ordinal", place
    return ("interval", None) if uneven is None else ("ordinal", uneven)


def _clear(values: NDArray[np.float64]) -> float:
    """The difference from which on doubles can be trusted."""
    return CLEAR * float(np.abs(values).max())


def _steps(scale: ScaleType) -> Steps:
    """The sign of every step, and whether it equals the mean step; in fractions where doubles are too close."""
    values, metric = scale.values, measure(scale.measure)
    step, clear = np.diff(values), _clear(values)
    mean = (values[-1] - values[0]) / len(step)
    exact = _exact_scorer(metric.at_depth(scale.depth), np.array(scale.runs, dtype=np.int64), scale.grades)
    sign, equal = np.sign(step).astype(np.int8), np.zeros(len(step), dtype=np.bool_)
    for place, x in _exact_steps(np.flatnonzero(np.abs(step) <= clear), exact, metric).items():
        sign[place] = 0 if abs(x) <= AGREE else 1 if x > 0 else -1
    if scale.kind == "interval":
        equal[:] = True
    elif len(near := np.flatnonzero(np.abs(step - mean) <= clear)):
        ends = exact(np.array([0, len(step)]))
        exact_mean = (ends[len(step)] - ends[0]) / len(step)
        for place, x in _exact_steps(near, exact, metric).items():
            equal[place] = abs(x - exact_mean) <= AGREE
    sign.setflags(write=False)
    equal.setflags(write=False)
    return Steps(sign, equal)


def _first(which: NDArray[np.bool_]) -> int | None:
    return int(which.argmax()) if which.any() else None


def _exact_steps(places: NDArray[np.int64], exact: Exact, one: Measure) -> dict[int, Fraction]:
    """The rise of the measure from each place to the next."""
    score = exact(np.union1d(places, places + 1))
    steps = {place: score[place + 1] - score[place] for place in places.tolist()}
    if any(AGREE < abs(x) < SURE for x in steps.values()):
        raise IrvizError(f"Two values of {one} are too close to be distinguished. Take a smaller depth.")
    return steps
