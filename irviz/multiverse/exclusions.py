"""Worlds that make no sense, or that repeat others: what is left out, and why.

A rule looks at a few dimensions only, so it is asked once for each combination of their
options; the worlds are then looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.interval import Interval, equal_steps_of, step_ratio
from irviz.measures.judged import ExactTopic
from irviz.measures.language.base import Measure
from irviz.multiverse.dimensions import DIMENSIONS, PAIRED_TESTS, average, has_unjudged, lacks_topics
from irviz.stats.scores import Scores

# -- The collection of a world: with one judge, under a tie rule; and whether a measure can score it

_SEEN: WeakKeyDictionary[Collection, dict[str, Collection]] = WeakKeyDictionary()


def through_judge(c: Collection, judge: str) -> Collection:
    """The collection as one of its judges sees it; itself where `judge` is its own, or an aspect."""
    if not c.judges or judge == c.judge:
        return c
    views = _SEEN.setdefault(c, {})
    if judge not in views:
        views[judge] = c.by_judge(judge)
    return views[judge]


def as_scored(label: str, c: Collection, judge: str, steps: str) -> Measure:
    """The measure of a world: on the aspect of its judge, and with equal steps where it says so."""
    one = measure(label)
    if not c.judges and follows_aspect(one) and judge != c.aspects[0]:
        one = replace(one, aspect=judge)
    return Interval(base=one) if steps == "equal" else one


def follows_aspect(one: Measure) -> bool:
    """True if the aspect can be chosen for this measure: it is a measure of one, and names none."""
    return not one.several_aspects and one.aspect is None


def misfit(label: str, c: Collection, judge: str, steps: str) -> IrvizError | None:
    """Why the measure, with these steps, cannot score what this judge sees; None where it can."""
    try:
        return as_scored(label, c, judge, steps).misfit(through_judge(c, judge))
    except IrvizError as why:
        return why


def _even(label: str, c: Collection, judge: str) -> bool:
    """True if the values of a measure are already equal steps apart, and the same on every topic."""
    if misfit(label, c, judge, "equal") is not None:
        return False
    one, seen = equal_steps_of(as_scored(label, c, judge, "equal")), through_judge(c, judge)
    grades = tuple(seen.grades[seen.aspect_index(one.aspect)])
    if step_ratio(one.base, grades) != 1:
        return False
    best = np.full((1, one.base.cutoff or 1), len(grades) - 1)
    more = np.concatenate([best, 0 * best], axis=1)  # of a topic with twice as many documents of every grade
    return bool(one.base.score(ExactTopic(best, grades)) == one.base.score(ExactTopic(more, grades)) == 1)


# --------------------------------------------------------------------------------------------------

Options = Mapping[str, tuple[Any, ...]]


OTHER_AVERAGE = "t, Wilcoxon and sign test the mean difference, not that of another average"


class Rule(NamedTuple):
    """Leave out the combinations of some dimensions' options for which `senseless` says so."""

    reason: str
    dimensions: tuple[str, ...]
    senseless: Callable[..., bool]


def sensible(
    c: Collection | Scores, chosen: Options, codes: NDArray[np.int16], under: Mapping[str, Collection]
) -> tuple[NDArray[np.bool_], dict[str, int], NDArray[np.intp]]:
    """Which worlds stay, how many go by reason, and their numbers.

    A world that breaks several rules counts under the first.  Numbers count the worlds that a test of
    another average leaves out, as they once were there: a world that a link names keeps its number.
    `under` holds the same runs under each tie rule but the collection's own.
    """
    keep = np.ones(len(codes), dtype=bool)
    left_out: dict[str, int] = {}
    numbered = keep
    for rule in _rules(c, chosen, under):
        numbered = keep
        bad = keep & _breaks(rule, chosen, codes)
        if bad.any():
            left_out[rule.reason] = left_out.get(rule.reason, 0) + int(bad.sum())
            keep = keep & ~bad
    return keep, left_out, np.cumsum(numbered)


def _breaks(rule: Rule, chosen: Options, codes: NDArray[np.int16]) -> NDArray[np.bool_]:
    places = [list(DIMENSIONS).index(name) for name in rule.dimensions]
    known = [chosen[name] for name in rule.dimensions]
    table = np.array([rule.senseless(*combination) for combination in product(*known)], dtype=bool)
    return table.reshape([len(some) for some in known])[tuple(codes[:, place] for place in places)]


def _rules(c: Collection | Scores, chosen: Options, under: Mapping[str, Collection]) -> list[Rule]:
    lists = [*_of_lists(c, chosen), _of_ties(c, chosen["ties"], under)] if isinstance(c, Collection) else []
    return [*_of_tests(c, chosen), *lists, _TESTS_OF_MEANS]


_TESTS_OF_MEANS = Rule(
    OTHER_AVERAGE,
    ("average", "test"),
    lambda name, test: test in PAIRED_TESTS and average(name).how != "mean",
)


def _of_ties(c: Collection, rules: tuple[str, ...], under: Mapping[str, Collection]) -> Rule:
    seen = [under.get(rule, c).fingerprint for rule in rules] if len(rules) > 1 else [""]
    return Rule(
        "the tie rule orders these runs as an earlier one does",
        ("ties",),
        lambda ties: seen.index(seen[rules.index(ties)]) < rules.index(ties),
    )


def _of_tests(c: Collection | Scores, chosen: Options) -> list[Rule]:
    alone = len(chosen["measure"]) == 1 and "pair" in chosen["family"]
    return [
        Rule(
            "all systems together are tested by randomised Tukey HSD, which is the randomisation test",
            ("test", "family"),
            lambda test, family: family == "all_systems" and test != "randomisation",
        ),
        Rule(
            "the randomised Tukey HSD compares means",
            ("average", "family"),
            lambda name, family: family == "all_systems" and average(name).how != "mean",
        ),
        Rule(
            "all systems together are tested on one set of topics, so none can be left out for a pair",
            ("missing", "family"),
            lambda missing, family: family == "all_systems" and missing == "left_out",
        ),
        Rule(
            "Holm's correction over one measure changes nothing", ("family",), lambda family: alone and family == "holm"
        ),
        Rule(
            "there are too few topics to leave some out",
            ("topics",),
            lambda topics: topics != "all" and len(c.topics) < 4,
        ),
    ]


def _of_lists(c: Collection, chosen: Options) -> list[Rule]:
    kinds = {name: measure(name) for name in chosen["measure"]}
    nothing_unjudged = (
        "not_relevant" in chosen["unjudged"] and "condensed" in chosen["unjudged"] and not has_unjudged(c)
    )
    nothing_lacks = "zero" in chosen["missing"] and "left_out" in chosen["missing"] and not lacks_topics(c)
    first = chosen["judge"][0]
    unfit = {some: misfit(some[0], c, *some[1:]) for some in product(kinds, chosen["judge"], chosen["steps"])}
    both = len(chosen["steps"]) > 1
    even = {pair: both and _even(pair[0], c, pair[1]) for pair in product(kinds, chosen["judge"])}
    return [
        *(_unfit(problem, unfit) for problem in dict.fromkeys(str(one) for one in unfit.values() if one is not None)),
        Rule(
            "the values of the measure are equal steps apart already",
            ("measure", "judge", "steps"),
            lambda name, judge, steps: steps == "equal" and even[name, judge],
        ),
        Rule(
            "Bpref already ignores unjudged documents",
            ("measure", "unjudged"),
            lambda name, unjudged: unjudged == "condensed" and kinds[name].ignores_unjudged,
        ),
        Rule(
            "every document of the lists is judged at or above zero, so condensing changes nothing",
            ("unjudged",),
            lambda unjudged: unjudged == "condensed" and nothing_unjudged,
        ),
        Rule(
            "no run lacks a topic, so leaving topics out changes nothing",
            ("missing",),
            lambda missing: missing == "left_out" and nothing_lacks,
        ),
        Rule(
            "the measure names its aspect, or uses all of them",
            ("measure", "judge"),
            lambda name, judge: not c.judges and judge != first and not follows_aspect(kinds[name]),
        ),
        Rule(
            "the measure uses fewer ranks than either depth keeps",
            ("measure", "unjudged", "depth"),
            lambda name, unjudged, depth: unjudged == "not_relevant" and _repeats(kinds[name], depth, chosen["depth"]),
        ),
    ]


def _unfit(problem: str, unfit: Mapping[tuple[str, str, str], IrvizError | None]) -> Rule:
    return Rule(problem.rstrip("."), ("measure", "judge", "steps"), lambda *some: str(unfit[some]) == problem)


def _repeats(one: Measure, depth: int, depths: tuple[int, ...]) -> bool:
    """True if a depth given before this one leaves the measure the same ranks."""
    return any(one.depth_seen(other) == one.depth_seen(depth) for other in depths[: depths.index(depth)])
