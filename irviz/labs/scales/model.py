"""Runs in a total order and in the undisputed one, a measure over them, and the numbers of the lab's steps.

A run is better beyond dispute if it can be reached by giving documents a higher grade, or, where order matters, by
letting a better document change places with a worse one above it (Ferrante, Ferro & Maistro 2015: replacement and
swap).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import numpy as np

from irviz.errors import join_words
from irviz.labs.lab import judged_lists
from irviz.labs.step import in_groups
from irviz.measures import measure
from irviz.measures.language.base import Measure
from irviz.stats.aggregate import aggregate
from irviz.stats.scales import Run, ScaleType, scale_type
from irviz.workspace.control import plain
from irviz.workspace.page import Values
from irviz.workspace.phrases import number

MOST_DRAWN = 1100  #: the most that are enumerated and drawn while a slider moves
PAIR = ((1, 0, 0, 0), (0, 1, 1, 1))
EXAMPLE_RUNS = {"a": (1, 0, 0, 0), "b": (0, 1, 1, 1), "c": (0, 1, 1, 0), "d": (0, 0, 1, 1)}
OTHER_MEASURES = ("P@4", "RR")  #: measures whose orders are shown
DAYS = {"Pisa": (11.0, 12.0, 13.0, 14.0, 15.0), "Riga": (1.0, 2.0, 18.0, 30.0, 39.0)}  #: degrees Celsius in two cities
ZERO_FAHRENHEIT = -32 / 1.8  #: in degrees Celsius
HITS = {"A": (1, 2, 4), "B": (2, 2, 2)}  #: ranks of the first relevant document of two systems on three topics
LENGTH = 4  #: documents in the lists of `HITS`


@dataclass(frozen=True, eq=False)
class PartialOrder:
    """The undisputed order of some runs; each is its position in their list.

    Attributes
    ----------
    reachable : bool, runs × runs
        ``reachable[a, b]``: b can be reached from a, and is not a.
    edges : list of pairs (lower, higher) with no run between them
    heights : by run, the longest chain down to the worst
    """

    reachable: np.ndarray
    edges: list[tuple[int, int]]
    heights: list[int]

    @property
    def disputed_pairs(self) -> int:
        """How many pairs cannot be compared."""
        n = len(self.reachable)
        return n * (n - 1) // 2 - int(self.reachable.sum())


@lru_cache(maxsize=64)
def partial_order(runs: tuple[Run, ...], ranks_matter: bool) -> PartialOrder:
    """The order that replacements (and swaps, where the rank matters) make of all judged runs, given in total order."""
    place = {run: i for i, run in enumerate(runs)}
    top = max(max(run) for run in runs)
    below = np.zeros((len(runs), len(runs)), dtype=bool)
    for run, a in place.items():
        for better in _one_step(run, top, ranks_matter):
            below[a, place[better]] = True
    for middle in range(len(runs)):  # everything reachable in more steps
        below |= below[:, [middle]] & below[[middle], :]
    direct = below & ~((below.astype(np.int32) @ below.astype(np.int32)) > 0)
    heights: list[int] = []
    for b in range(len(runs)):  # the total order is an extension: what is below comes first
        heights.append(1 + max((heights[a] for a in np.flatnonzero(below[:, b])), default=-1))
    return PartialOrder(below, [(int(a), int(b)) for a, b in np.argwhere(direct)], heights)


def _one_step(run: Run, top: int, ranks_matter: bool) -> list[Run]:
    """The runs that one replacement or swap makes of `run`; sets are written highest grade first."""
    improved = []
    for i, grade in enumerate(run):
        if grade < top:
            raised = (*run[:i], grade + 1, *run[i + 1 :])
            improved.append(raised if ranks_matter else tuple(sorted(raised, reverse=True)))
    if ranks_matter:
        for i, j in combinations(range(len(run)), 2):
            if run[i] < run[j]:
                swapped = list(run)
                swapped[i], swapped[j] = run[j], run[i]
                improved.append(tuple(swapped))
    return improved


def equal_gains(values: np.ndarray, order: PartialOrder) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two undisputed improvements (before, after) of equal gain; the second climbs as many more ranks as possible.

    If no two differ, both are the same improvement.
    """
    moves = [(int(a), int(b)) for a, b in np.argwhere(order.reachable)]
    best = (moves[0], moves[0])
    for one, other in product(moves, moves):
        alike = abs((values[one[1]] - values[one[0]]) - (values[other[1]] - values[other[0]])) <= 1e-9
        further, most = ((b[1] - b[0]) - (a[1] - a[0]) for a, b in ((one, other), best))  # ranks that the second climbs
        if alike and further > most:
            best = (one, other)
    return best


def chosen_measure(values: Values) -> Measure:
    """The measure that the controls make."""
    name, rel = values["measure"], values["rel"]
    if name == "own":
        return measure(values["own"])
    if name == "RBP":
        return measure(f"RBP(p={plain(values['p'])})")
    if name == "DCG":
        return measure(f"DCG(base={values['base']})")
    if name in ("AP", "P", "F"):
        return measure(f"{name}(rel={min(rel, values['grades'] - 1)})")
    return measure(name)


def fitting_depth(one: Measure, grades: int, depth: int) -> int:
    """The depth asked for, or the largest below it with few enough runs."""
    runs = {n: grades**n if one.orders == "rank" else comb(grades + n - 1, n) for n in range(1, depth + 1)}
    return max(n for n, many in runs.items() if n == 1 or many <= MOST_DRAWN)


@lru_cache(maxsize=256)
def cached_scale(expression: str, grades: int, depth: int) -> ScaleType:
    """:func:`irviz.stats.scales.scale_type`, remembered; p = 1/3 is named so."""
    scale = scale_type(expression, grades=grades, depth=depth)
    return replace(scale, measure=scale.measure.replace(plain(1 / 3), "1/3"))


def chosen_scale(values: Values) -> ScaleType:
    """The chosen measure over all runs of the chosen length, or of the longest that can be drawn."""
    measure = chosen_measure(values)
    return cached_scale(str(measure), values["grades"], fitting_depth(measure, values["grades"], values["depth"]))


def texts_of(scale: ScaleType) -> list[str]:
    """All runs as texts, in the total order."""
    return [as_text(run) for run in scale.runs]


def as_text(run: tuple[int, ...]) -> str:
    """The grades of a run, first rank first."""
    return "".join(map(str, run))


def all_runs() -> tuple[ScaleType, PartialOrder]:
    """The 16 binary runs of four documents, their total order and the undisputed one."""
    scale = cached_scale("RBTO", 2, 4)
    return scale, partial_order(scale.runs, True)


def step_words(scale: ScaleType) -> str:
    """How the measure changes from run to run of the total order."""
    step = np.diff(scale.values)
    mean = float((scale.values[-1] - scale.values[0]) / len(step))
    if len(step) == 1:
        return f"There is one step up the order; it changes the measure by {number(mean, 5)}."
    if not scale.steps.sign.any():
        return f"All {len(step)} steps up the order leave the measure unchanged."
    if scale.steps.equal.all():
        does = "raise the measure by" if mean > 0 else "lower the measure by"
        return f"All {len(step)} steps up the order {does} the same {number(abs(mean), 5)}."
    ends = " and ".join(f"{end:.3g}".replace("-", "−") for end in (float(step.min()), float(step.max())))
    return f"{_unequal(scale.steps.sign)}; the steps are between {ends}."


def _unequal(sign: np.ndarray) -> str:
    """At how many steps a measure rises, falls and stays the same."""
    kinds = {"rises": sign > 0, "falls": sign < 0, "stays the same": sign == 0}
    counts = {what: int(which.sum()) for what, which in kinds.items() if which.any()}
    if len(counts) == 1:
        return f"The measure {next(iter(counts))} at all {len(sign):,} steps up the order"
    parts = join_words([f"{what} at {n:,}" for what, n in counts.items()], joiner="and")
    return f"Of the {len(sign):,} steps up the order, the measure {parts}"


def dispute_words(scale: ScaleType, order: PartialOrder) -> str:
    """How many pairs only the total order decides, with the first of them."""
    n = len(scale.runs)
    pairs = n * (n - 1) // 2
    ranked = scale.order == "rank"
    how = "a higher grade or a better document moved up" if ranked else "a higher grade"
    if not order.disputed_pairs:
        each_pair = "The only pair" if pairs == 1 else f"Each of the {pairs} pairs"
        return f"{each_pair} of lists can be compared by {how}, so the total order has nothing left to decide."
    a, b = next((a, b) for b in range(n) for a in range(b) if not order.reachable[a, b])
    first = "the first rank" if ranked else "the highest grade"
    names = texts_of(scale)
    rest = f"the other {order.disputed_pairs}, such as" if order.disputed_pairs > 1 else "the other pair,"
    return (
        f"A list gets better by {how}: this settles {pairs - order.disputed_pairs} of {pairs} pairs. The total order "
        f"decides {rest} {names[a]} and {names[b]}, by {first} where they differ: {names[b]} is better."
    )


def turning_point(one: Measure, scale: ScaleType) -> float | None:
    """G/(G + 1) for RBP over evenly spaced gains, where its scale type changes; None for other measures."""
    if one.persistence is None or one != measure(f"{one.symbol}(p={plain(one.persistence)})"):
        return None
    grades = np.array(scale.grades)
    gap = float(np.diff(grades).min() / grades[-1])
    return gap / (gap + 1)


def _scores(name: str, runs: Iterable[Run]) -> list[float]:
    """A measure of runs that share a pool: the relevant documents that a run lacks are missed."""
    return [
        float(measure(name).evaluate(judged_lists([run], 1, missed_grades=(1,) * (3 - sum(run))))[0]) for run in runs
    ]


def by_measure(name: str) -> tuple[tuple[str, ...], ...]:
    """The four runs of the second step in the order of a measure."""
    return in_groups(list(EXAMPLE_RUNS), _scores(name, EXAMPLE_RUNS.values()))


def by_total_order() -> tuple[tuple[str, ...], ...]:
    """The four runs of the second step in the total order."""
    scale, _ = all_runs()
    return in_groups(list(EXAMPLE_RUNS), [float(scale.rho[scale.runs.index(run)]) for run in EXAMPLE_RUNS.values()])


# -- numbers of the steps -----------------------------------------------------------------------------


def fahrenheit(degrees: Sequence[float]) -> tuple[float, ...]:
    """Degrees Fahrenheit."""
    return tuple(1.8 * x + 32 for x in degrees)


def two_means(fahrenheit_too: bool = False) -> dict[str, dict[str, float]]:
    """The arithmetic and the geometric mean of both cities."""
    rows = np.array([fahrenheit(days) if fahrenheit_too else days for days in DAYS.values()]).T
    means = {"arithmetic": aggregate(rows, "mean"), "geometric": aggregate(rows, "geometric", 0.0)}
    return {name: dict(zip(DAYS, map(float, row), strict=True)) for name, row in means.items()}


def of_days(values: Values) -> dict[str, Any]:
    """Which of two cities is warmer, by which mean and in which unit."""
    celsius, other = two_means(), two_means(True)
    rows = (celsius["arithmetic"], celsius["geometric"], other["geometric"])
    by_am, by_gm, in_f = (max(DAYS, key=row.__getitem__) for row in rows)
    return {
        **{f"geometric {city} F": x for city, x in other["geometric"].items()},
        "by AM": by_am,
        "by GM": by_gm,
        "in F": in_f,
        "warmer": ({"Pisa": "a", "Riga": "b"}[in_f],),
    }


def steps_of_rr() -> tuple[list[float], list[float]]:
    """The values of RR on lists of `LENGTH` documents, from 0 upwards, and as many equally spaced ones."""
    values = sorted({0.0, *(1 / rank for rank in range(1, LENGTH + 1))})
    return values, [n / (len(values) - 1) for n in range(len(values))]


def of_hits(values: Values) -> dict[str, Any]:
    """Mean RR of two systems, and the same with equal steps between its values."""
    steps, equal = steps_of_rr()
    moved = dict(zip(steps, equal, strict=True))
    readings: dict[str, Any] = {"length": LENGTH}
    readings |= {"values": [number(x) for x in reversed(steps)], "equal values": [number(x) for x in reversed(equal)]}
    for name, ranks in HITS.items():
        readings[f"RR {name}"] = float(np.mean([1 / rank for rank in ranks]))
        readings[f"equal {name}"] = float(np.mean([moved[1 / rank] for rank in ranks]))
    first = max(HITS, key=lambda name: readings[f"equal {name}"])
    return {**readings, "then": first, "first": (first.lower(),)}


def of_pair(values: Values) -> dict[str, Any]:
    """Two runs, and what some measures say of them."""
    scale, order = all_runs()
    a, b = (scale.runs.index(run) for run in PAIR)
    known = "a" if order.reachable[b, a] else "b" if order.reachable[a, b] else "c"
    readings = {"better": (known,), "first": as_text(PAIR[0]), "second": as_text(PAIR[1])}
    for name in OTHER_MEASURES:
        first, second = _scores(name, PAIR)
        readings[name] = as_text(PAIR[0 if first > second else 1])
    return readings


def of_sorting(values: Values) -> dict[str, Any]:
    """The four runs in the order of RBTO, and how each other order agrees with it."""
    scale, order = all_runs()
    groups = by_total_order()
    readings = {"order": groups, "RBTO": ", ".join(as_text(EXAMPLE_RUNS[key]) for group in groups for key in group)}
    return readings | {f"yours {','.join(keys)}": _agreement(keys, scale, order) for keys in permutations(EXAMPLE_RUNS)}


def _agreement(keys: Sequence[str], scale: ScaleType, order: PartialOrder) -> str:
    """In how many pairs an order is RBTO's, and where it contradicts the undisputed order."""
    runs = [scale.runs.index(EXAMPLE_RUNS[key]) for key in keys]
    pairs = list(combinations(runs, 2))  # the better of the two first, for the reader
    alike = sum(a > b for a, b in pairs)
    against = [(a, b) for a, b in pairs if order.reachable[a, b]]
    name = texts_of(scale)
    open_ = sum(not order.reachable[a, b] and not order.reachable[b, a] for a, b in pairs)
    text = f"You and RBTO agree on {alike} of {len(pairs)} pairs; {open_} of the {len(pairs)} have no right answer"
    if not against:
        return f"{text}."
    a, b = against[0]
    return f"{text}. One of yours is wrong: {name[b]} has more relevant documents than {name[a]}, or has them higher."


def of_steps(values: Values) -> dict[str, Any]:
    """How a measure climbs the total order."""
    measure, scale = chosen_measure(values), chosen_scale(values)
    falls = bool((scale.steps.sign <= 0).any())
    rises = "c" if falls else "a" if scale.kind == "interval" else "b"
    witness, p = scale.witness, measure.persistence
    return {
        "documents": scale.depth,
        "runs": len(scale.runs),
        "worst": as_text(scale.runs[0]),
        "best": as_text(scale.runs[-1]),
        "rises": (rises,),
        "answer": {"a": "Yes, by equal steps", "b": "Yes, by unequal steps", "c": "No"}[rises],
        "steps": f"{_unequal(scale.steps.sign)}.",
        "p": "" if p is None else p,
        "witness": "" if witness is None or not falls else f"{as_text(witness[0])} and {as_text(witness[1])}",
        "weights": [] if p is None else [(1 - p) * p**n for n in range(scale.depth)],
    }


def of_gains(values: Values) -> dict[str, Any]:
    """Two improvements of equal gain, and how many ranks of the order they climb."""
    scale, first, second = improvements(values)
    gain = float(scale.values[first[1]] - scale.values[first[0]])
    one, other = (int(scale.rho[b] - scale.rho[a]) for a, b in (first, second))
    further = "a" if one > other else "b" if one < other else "c"
    named = {"a": "From A to B", "b": "From C to D", "c": "Neither"}[further]
    return {"gain": gain, "ranks 1": one, "ranks 2": other, "further": (further,), "named": named}


def improvements(values: Values) -> tuple[ScaleType, tuple[int, int], tuple[int, int]]:
    """The runs, and two improvements of equal gain that climb as differently as possible."""
    scale = cached_scale(str(chosen_measure(values)), values["grades"], values["depth"])
    return scale, *equal_gains(scale.values, partial_order(scale.runs, True))


def of_longer(values: Values) -> dict[str, Any]:
    """True if a measure rises at every step of the order of longer runs."""
    scale = chosen_scale(values)
    falls = scale.kind == "neither"
    readings = {"documents": scale.depth, "still": ("b" if falls else "a",)}
    readings["fact"] = f"No, {scale.measure} does not: {fall_words(scale)}." if falls else f"Yes, {scale.measure} does."
    for name, run in zip(("low", "high"), scale.witness or scale.runs[:2], strict=True):
        ranks = [rank for rank, grade in enumerate(run, start=1) if grade]
        readings |= {name: as_text(run), f"{name} ranks": ranks, f"{name} value": scale.values[scale.runs.index(run)]}
    return readings


def fall_words(scale: ScaleType) -> str:
    """A step of the order at which the measure does not rise, where there is one."""
    (a, x), (b, y) = (
        (as_text(run), number(scale.values[scale.runs.index(run)], 4)) for run in scale.witness or scale.runs[:2]
    )
    return f"from {a} to {b}, a better list in this order, it {f'stays at {x}' if x == y else f'falls from {x} to {y}'}"
