"""Worlds: every reasonable way to look at the same runs, as a table of choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from math import prod
from operator import eq
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.display import Displayable
from irviz.errors import IrvizError, is_number, number_of
from irviz.measures import measure
from irviz.measures.interval import Interval, equal_steps_of, step_ratio
from irviz.measures.judged_lists import ExactTopic
from irviz.measures.language.base import Measure
from irviz.multiverse.dimensions import (
    AS_GIVEN,
    CORRECTED,
    DIMENSIONS,
    NUGGETS,
    PAIRED_TESTS,
    Average,
    average,
    has_unjudged,
    lacks_topics,
    options,
    usable,
)
from irviz.stats.prediction_powered import people_and_machine
from irviz.stats.resampling import generator
from irviz.stats.scores import Scores
from irviz.stats.words import Family, MissingRule, PairedTest, Steps, TopicSet, UnjudgedRule
from irviz.workers import Listener, Progress, listener

MOST_WORLDS = 5000  #: worlds that are looked at; of larger products this many are drawn
_LARGEST_PRODUCT = 2_000_000  #: worlds of a product that is looked through
_DRAWN, _HALF = 0, 1  #: numbers of the streams that the caller's seed is split into


@dataclass(frozen=True, eq=False)
class Worlds(Displayable):
    """Choices on every dimension, one row per world.

    Attributes
    ----------
    options : mapping of dimension to tuple
        What can be chosen; the first of each is the usual one.
    codes : int16, worlds × dimensions
        The option of each world.
    product : int
        Number of combinations.
    left_out : mapping of str to int
        Combinations left out because they make no sense, or repeat others, by reason.
    seed : int
        Of the draw, if there are more than `most` worlds, and of the random half of the topics.
    collections : mapping of tie rule to Collection
        The same runs under other tie rules, if these were given.
    numbers : by world, from 1
        What links call it.  Combinations of a test with an average that it does not test have
        numbers too, so that the others keep theirs.
    """

    options: Mapping[str, tuple[str | int | float, ...]]
    codes: NDArray[np.int16]
    product: int
    left_out: Mapping[str, int]
    seed: int
    collections: Mapping[str, Collection] = field(default_factory=dict)
    numbers: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def __post_init__(self) -> None:
        if len(self.numbers) != len(self.codes):
            object.__setattr__(self, "numbers", np.arange(1, len(self.codes) + 1))
        self.codes.setflags(write=False)

    def __len__(self) -> int:
        return len(self.codes)

    def _summary(self) -> str:
        return f"{len(self):,} of {number_of(self.product, 'combination')}, seed {self.seed}"

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The worlds as dicts of choices."""
        yield from map(self.choices, range(len(self)))

    def choices(self, row: int) -> dict[str, Any]:
        """The choices of one world."""
        codes = dict(zip(DIMENSIONS, self.codes[row].tolist(), strict=True))
        return {name: self.options[name][codes[name]] for name in self.dimensions}

    @property
    def dimensions(self) -> tuple[str, ...]:
        """All dimensions; those of nuggets only where they are chosen."""
        return tuple(name for name in DIMENSIONS if name not in NUGGETS or self.options[name] != (AS_GIVEN,))

    @property
    def sensible(self) -> int:
        """Combinations that are not left out."""
        return self.product - sum(self.left_out.values())

    @property
    def drawn(self) -> bool:
        """True if these are a random sample of the sensible combinations."""
        return len(self) < self.sensible

    @cached_property
    def varying(self) -> tuple[str, ...]:
        """The dimensions on which these worlds differ."""
        return tuple(name for i, name in enumerate(DIMENSIONS) if np.ptp(self.codes[:, i]) > 0)

    def code(self, dimension: str) -> NDArray[np.int16]:
        """Which option of one dimension each world takes."""
        return self.codes[:, list(DIMENSIONS).index(dimension)]

    def frame(self) -> pd.DataFrame:
        """One row per world, one column per dimension."""
        columns = {}
        for name in self.dimensions:
            dtype = np.int64 if name == "depth" and isinstance(self.options[name][0], int) else object
            columns[name] = np.array(self.options[name], dtype=dtype)[self.code(name)]
        return pd.DataFrame(columns)

    def keep(self, rows: NDArray[Any], left_out: Mapping[str, int]) -> Worlds:
        """These `rows` only; `left_out` is added to what was left out before."""
        together = dict(self.left_out)
        for reason, count in left_out.items():
            together[reason] = together.get(reason, 0) + count
        how = (self.options, self.codes[rows], self.product, together, self.seed, self.collections)
        return Worlds(*how, self.numbers[rows])

    def random_half(self, topics: Sequence[str]) -> NDArray[np.bool_]:
        """Which of `topics` belong to the random half: ⌊t/2⌋ of them, the same for all worlds."""
        return generator(self.seed, _HALF).permutation(len(topics)) < len(topics) // 2


def worlds(
    c: Collection | Scores,
    *,
    measures: Iterable[str | Measure] | str | Measure | None = None,
    average: Iterable[str] | str | None = None,
    test: Iterable[PairedTest] | PairedTest | None = None,
    ties: Mapping[str, Collection] | Iterable[str] | str | None = None,
    unjudged: Iterable[UnjudgedRule] | UnjudgedRule | None = None,
    missing: Iterable[MissingRule] | MissingRule | None = None,
    judge: Iterable[str] | str | None = None,
    topics: Iterable[TopicSet] | TopicSet | None = None,
    depth: Iterable[int] | int | None = None,
    family: Iterable[Family] | Family | None = None,
    steps: Iterable[Steps] | Steps | None = None,
    partial: Iterable[float] | float | None = None,
    okay: Iterable[float] | float | None = None,
    measure: Iterable[str | Measure] | str | Measure | None = None,
    most: int = MOST_WORLDS,
    seed: int = 0,
    progress: Listener = None,
) -> Worlds:
    """The worlds in which a conclusion about a collection can be checked (Steegen et al. 2016).

    Parameters
    ----------
    c : Collection or Scores
        Score matrices have worlds too; `ties`, `unjudged`, `missing`, `judge`, `depth` and `steps`
        are then fixed by the scores.
    measures (or measure) : list of expressions, optional
        Parameters included: ``["RBP(p=0.8)", "RBP(p=0.95)"]``.  Default: the measures most
        papers report, if the grades and judgments allow them.
    average : list of {"mean", "median", "geometric", "harmonic", "geometric_threshold", "standardised"}, optional
        As in :func:`irviz.summarise`, with its ε (``"harmonic(eps=0)"`` for another), or the
        mean of :func:`irviz.standardise`.  Default: all but trec_eval's threshold.
    test : list of {"t", "wilcoxon", "sign", "bootstrap", "randomisation"}, optional
        Default: all.  See :func:`irviz.conclusion`.
    ties : list of tie rules, or mapping of tie rule to Collection, optional
        For rules other than the collection's own, its files are read again if they are on disk; otherwise give the
        collections.  Default: the collection's own rule, and the opposite order of tied documents if lint found that it
        changes scores and at most 2,000,000 lines have to be read.
    unjudged : list of {"not_relevant", "condensed"}, optional
        Condensed: unjudged documents, and those judged below zero, are taken out of the lists.
        Default: both, if there are any.
    missing : list of {"zero", "left_out"}, optional
        A topic that one of two compared runs lacks scores 0, or is left out for both.
        Default: both, if a run lacks a topic.
    judge : list of judges or aspects, optional
        Default: all.  ``"corrected"``, where one of two judges judged fewer topics: the other, the machine, corrected
        by it (:func:`irviz.prediction_powered`, λ = 1) on all topics of the machine.
    topics : list of {"all", "random_half", "without_hardest_tenth"}, optional
        The random half is drawn once, with `seed`; hardness is
        :func:`irviz.hardness` (surprise) under the world's own scores.  Default: all three,
        from ten topics on.
    depth : list of int, optional
        Ranks of the lists that are used.  Default: all.
    family : list of {"pair", "holm", "all_systems"}, optional
        What p-values are corrected for: nothing; the number of measures (Holm 1979); all pairs of loaded systems
        (randomised Tukey HSD, which shuffles the scores of all of them and therefore takes longest).  Default: nothing.
    steps : list of {"as_it_is", "equal"}, optional
        The values of the measures as they are, or equal steps apart, for those that
        :class:`~irviz.measures.interval.Interval` can map.  Default: as they are.
    partial, okay : lists of float, optional
        Credit of partial support, and weight of okay nuggets, of scores by :func:`irviz.load_nuggets`.  Default: all
        that are there, unless measures are named.
    most : int, default 5,000
        If there are more worlds, this many are drawn with `seed`: the first one, and others with equal probability.
    progress : callable, or True for a bar, optional
        Called with the share done and a sentence while files are read again.

    Returns
    -------
    Worlds
        In the order of the product, the last dimension fastest.

    Notes
    -----
    If the defaults would make more than `most` worlds, those of `topics`, `missing`,
    `unjudged` and `judge`, in this order, are reduced to their first option, so
    that worlds are drawn at random only if the given options make too many.

    Combinations that make no sense or repeat others are left out, and counted by reason in
    ``left_out``: bpref on condensed lists; a depth beyond the measure's cutoff; a tie rule that
    orders these runs as an earlier one does; an aspect for a measure of all aspects; equal steps for
    a measure without a cutoff, or with equal steps already; a randomised Tukey HSD of medians; of corrected judgments
    everything but means of all topics, tested by *t*, bootstrap or randomisation.
    """
    given = locals()
    progress = listener(progress)
    if None not in (measures, measure):
        raise IrvizError("`measures` and `measure` name the same choice. Leave one of them out.")
    choices = {name: given[name] for name in DIMENSIONS} | ({} if measures is None else {"measure": measures})
    c = usable(c)
    for name, value in (("most", most), ("seed", seed)):
        if not is_number(value) or isinstance(value, bool) or value != int(value) or value < (name == "most"):
            raise IrvizError(f"`{name}` must be a whole number of at least {int(name == 'most')}; got {value!r}.")
    most, seed = int(most), int(seed)
    chosen = options(c, choices, most)
    collections = _collections(c, chosen["ties"], ties, progress) if isinstance(c, Collection) else {}
    shape = [len(chosen[name]) for name in DIMENSIONS]
    many = prod(shape)
    if many > _LARGEST_PRODUCT:
        raise IrvizError(
            f"These choices make {many:,} combinations; at most {_LARGEST_PRODUCT:,} are examined. "
            "Choose fewer options on some dimension."
        )
    codes = np.indices(shape, dtype=np.int16).reshape(len(shape), -1).T
    keep, left_out, numbers = sensible(c, chosen, codes, collections)
    rows = np.flatnonzero(keep)
    if not len(rows):
        reasons = "; ".join(f"{reason} ({count:,})" for reason, count in left_out.items())
        raise IrvizError(f"None of {many:,} combinations of choices is left: {reasons}. Choose other options.")
    if len(rows) > most:
        rows = np.append(rows[0], np.sort(generator(seed, _DRAWN).permutation(rows[1:])[: most - 1]))
        numbers[rows] = np.arange(1, most + 1)
    codes = np.ascontiguousarray(codes[rows])
    return Worlds(chosen, codes, many, left_out, seed, collections, numbers[rows])


def _collections(c: Collection, rules: Sequence[str], ties: Any, progress: Progress | None) -> dict[str, Collection]:
    """The same runs under each tie rule but the collection's own."""
    known = ties if isinstance(ties, Mapping) else {}
    under = {}
    for rule in rules:
        if rule in known and known[rule] is not c:
            under[rule] = known[rule].subset(c.topics, c.systems, min(c.depth, known[rule].depth))
        elif rule != c.ties:
            under[rule] = c.under(rule, progress)
    return under


def without_doubles(c: Collection | Scores, w: Worlds, systems: NDArray[np.intp]) -> Worlds:
    """The worlds without those that leave missing topics out, if none of the compared `systems` lacks a topic."""
    options = w.options["missing"]
    if isinstance(c, Scores) or len(options) < 2 or lacks_topics(c.jury or c, systems):
        return w
    double = w.code("missing") == options.index("left_out")
    why = {"no compared system lacks a topic, so leaving topics out changes nothing": int(double.sum())}
    return w.keep(np.flatnonzero(~double), why) if 0 < double.sum() < len(w) else w


# -- The collection of a world: with one judge, under a tie rule; and whether a measure can score it

_BY_JUDGE: WeakKeyDictionary[Collection, dict[str, Collection]] = WeakKeyDictionary()


def through_judge(c: Collection, judge: str) -> Collection:
    """The collection as one of its judges sees it; of a corrected one, as the machine does."""
    judge = judges_behind(c, judge)[-1]
    if not c.judges or judge == c.judge:
        return c
    views = _BY_JUDGE.setdefault(c, {})
    if judge not in views:
        views[judge] = c.by_judge(judge)
    return views[judge]


def judges_behind(c: Collection, judge: str) -> tuple[str, ...]:
    """The judge or aspect itself; people and machine of the corrected one."""
    corrected = people_and_machine(c) if judge == CORRECTED and CORRECTED not in c.judges else None
    return corrected or (judge,)


def common_topics(c: Collection, judges: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The topics that the judges share, and the judges left out, which share none with those before."""
    whole = [judge for judge in judges if len(judges_behind(c, judge)) > 1]
    topics, left_out = through_judge(c, (*whole, *judges)[0]).topics, []
    for judge in judges:
        own = set(through_judge(c, judge).topics)
        shared = tuple(topic for topic in topics if topic in own)
        if len(shared) == len(topics) or (shared and not whole):
            topics = shared
        else:
            left_out.append(judge)
    return topics, tuple(left_out)


def as_scored(label: str, c: Collection, judge: str, steps: str) -> Measure:
    """The measure of a world: on the aspect of its judge, and with equal steps where it says so."""
    metric = measure(label)
    if not c.judges and follows_aspect(metric) and judge != c.aspects[0]:
        metric = replace(metric, aspect=judge)
    return Interval(base=metric) if steps == "equal" else metric


def follows_aspect(one: Measure) -> bool:
    """True if the aspect can be chosen for this measure: it is a measure of one, and names none."""
    return not one.several_aspects and one.aspect is None


def misfit(label: str, c: Collection, judge: str, steps: str) -> IrvizError | None:
    """Why the measure, with these steps, cannot score what this judge sees; None where it can."""
    try:
        metric = as_scored(label, c, judge, steps)
        problems = (metric.misfit(through_judge(c, one)) for one in judges_behind(c, judge))
        return next((why for why in problems if why is not None), None)
    except IrvizError as why:
        return why


def _has_equal_steps(label: str, c: Collection, judge: str) -> bool:
    """True if the values of a measure are already equal steps apart, and the same on every topic."""
    if misfit(label, c, judge, "equal") is not None:
        return False
    interval, collection = equal_steps_of(as_scored(label, c, judge, "equal")), through_judge(c, judge)
    grades = tuple(collection.grades[collection.aspect_index(interval.aspect)])
    if step_ratio(interval.base, grades) != 1:
        return False
    best = np.full((1, interval.base.cutoff or 1), len(grades) - 1)
    more = np.concatenate([best, 0 * best], axis=1)  # of a topic with twice as many documents of every grade
    return bool(interval.base.score(ExactTopic(best, grades)) == interval.base.score(ExactTopic(more, grades)) == 1)


# -- Worlds that make no sense, or that repeat others: what is left out, and why -------------------
#
# A rule looks at a few dimensions only, so it is asked once for each combination of their
# options; the worlds are then looked up.

Options = Mapping[str, tuple[Any, ...]]


class Rule(NamedTuple):
    """Leave out the combinations of some dimensions' options for which `senseless` says so."""

    reason: str
    dimensions: tuple[str, ...]
    senseless: Callable[..., bool]


def sensible(
    c: Collection | Scores, option_map: Options, codes: NDArray[np.int16], collections: Mapping[str, Collection]
) -> tuple[NDArray[np.bool_], dict[str, int], NDArray[np.intp]]:
    """Which worlds stay, how many go by the first rule that they break, and their numbers, which links keep.

    `collections` holds the same runs under each other tie rule.
    """
    keep = np.ones(len(codes), dtype=bool)
    left_out: dict[str, int] = {}
    numbered = keep
    on_lists = []
    if isinstance(c, Collection):
        on_lists = [*_rules_on_lists(c, option_map), _rule_on_ties(c, option_map["ties"], collections)]
    on_means = Rule(
        "t, Wilcoxon and sign test the mean difference, not that of another average",
        ("average", "test"),
        lambda name, test: test in PAIRED_TESTS and average(name).how != "mean",
    )
    for rule in (*_rules_on_tests(c, option_map), *on_lists, on_means):
        numbered = keep
        bad = keep & _breaks(rule, option_map, codes)
        if bad.any():
            left_out[rule.reason] = left_out.get(rule.reason, 0) + int(bad.sum())
            keep = keep & ~bad
    return keep, left_out, np.cumsum(numbered)


def _breaks(rule: Rule, option_map: Options, codes: NDArray[np.int16]) -> NDArray[np.bool_]:
    places = [list(DIMENSIONS).index(name) for name in rule.dimensions]
    known = [option_map[name] for name in rule.dimensions]
    table = np.array([rule.senseless(*combination) for combination in product(*known)], dtype=bool)
    return table.reshape([len(choices) for choices in known])[tuple(codes[:, place] for place in places)]


def _rule_on_ties(c: Collection, rules: tuple[str, ...], collections: Mapping[str, Collection]) -> Rule:
    fingerprints = [collections.get(rule, c).fingerprint for rule in rules] if len(rules) > 1 else [""]
    return Rule(
        "the tie rule orders these runs as an earlier one does",
        ("ties",),
        lambda ties: fingerprints.index(fingerprints[rules.index(ties)]) < rules.index(ties),
    )


def _rules_on_tests(c: Collection | Scores, option_map: Options) -> list[Rule]:
    alone = len(option_map["measure"]) == 1 and "pair" in option_map["family"]
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


def _rules_on_lists(c: Collection, option_map: Options) -> list[Rule]:
    kinds = {name: measure(name) for name in option_map["measure"]}
    nothing_unjudged = len(option_map["unjudged"]) > 1 and not has_unjudged(c)
    nothing_lacks = len(option_map["missing"]) > 1 and not lacks_topics(c)
    first = option_map["judge"][0]
    apart = common_topics(c, option_map["judge"])[1] if c.judges else ()
    unfit = {
        combination: misfit(combination[0], c, *combination[1:])
        for combination in product(kinds, option_map["judge"], option_map["steps"])
    }
    both = len(option_map["steps"]) > 1
    even = {pair: both and _has_equal_steps(pair[0], c, pair[1]) for pair in product(kinds, option_map["judge"])}
    corrected = {judge for judge in option_map["judge"] if len(judges_behind(c, judge)) > 1}
    return [
        *(
            _unfit(problem, unfit)
            for problem in dict.fromkeys(str(reason) for reason in unfit.values() if reason is not None)
        ),
        Rule(
            "the values of the measure are equal steps apart already",
            ("measure", "judge", "steps"),
            lambda name, judge, steps: steps == "equal" and even[name, judge],
        ),
        Rule(
            "the measure already ignores unjudged documents",
            ("measure", "unjudged"),
            lambda name, unjudged: (
                unjudged == "condensed" and (kinds[name].ignores_unjudged or kinds[name].single.judged_only)
            ),
        ),
        *(
            Rule(
                f"judge {judge} did not judge the topics of the others",
                ("judge",),
                partial(eq, judge),
            )
            for judge in apart
        ),
        Rule(
            "corrected judgments have means of all topics, and no signs or ranks of differences",
            ("average", "test", "missing", "judge", "topics"),
            lambda name, test, missing, judge, topics: (
                judge in corrected
                and (
                    average(name) != Average("mean")
                    or test in ("wilcoxon", "sign")
                    or missing == "left_out"
                    or topics != "all"
                )
            ),
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
            lambda name, unjudged, depth: (
                unjudged == "not_relevant" and _repeats(kinds[name], depth, option_map["depth"])
            ),
        ),
    ]


def _unfit(problem: str, unfit: Mapping[tuple[str, str, str], IrvizError | None]) -> Rule:
    return Rule(problem.rstrip("."), ("measure", "judge", "steps"), lambda *some: str(unfit[some]) == problem)


def _repeats(one: Measure, depth: int, depths: tuple[int, ...]) -> bool:
    """True if a depth given before this one leaves the measure the same ranks."""
    return any(one.depth_seen(other) == one.depth_seen(depth) for other in depths[: depths.index(depth)])
