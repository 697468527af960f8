"""Settings: the choices that decide how large a difference is; each is scored once, whatever worlds share it.

A setting is a column of scores (one measure, with one way to read the lists), a set of topics and the rule for topics
that a run lacks.  Averages and tests are arrays over settings, so worlds that differ in these only share everything
else.  Computed columns are kept as long as their collection is, up to `KEPT_BYTES` each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection, condense_lists
from irviz.collection.ragged import Lists
from irviz.measures.language.base import Measure
from irviz.multiverse.dimensions import DIMENSIONS, NUGGETS, measure_of
from irviz.multiverse.worlds import Worlds, as_scored, judges_behind, sensible, through_judge
from irviz.stats.aggregate import finite
from irviz.stats.prediction_powered import corrected_scores
from irviz.stats.results import stages
from irviz.stats.scores import Scores, score
from irviz.stats.significance import Significance, discriminative_power
from irviz.stats.topic_effects import standardised_scores, topic_hardness
from irviz.workers import Progress, Workers

Floats = NDArray[np.float64]
KEPT_BYTES = 1 << 27
FEWEST_TOPICS = 2  #: topics that a test needs

ColumnKey: TypeAlias = tuple[str, str, str, int, str, str]
"""Measure, judge, rule for unjudged documents, depth, tie rule, steps: the choices that decide about scores."""

Reading: TypeAlias = tuple[int, bool, int | None]
"""Ranks of the lists that are read, whether they are condensed, and by which aspect's judgments (None: by any)."""


class Setting(NamedTuple):
    """One combination of the choices that decide how large a difference is, except the average over topics."""

    measure: str
    judge: str
    unjudged: str
    depth: int
    ties: str
    steps: str
    topics: str
    missing: str

    @property
    def key(self) -> ColumnKey:
        """Key of its column of scores."""
        return self[:6]


# -- Scores -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Column:
    """topics × systems scores of one measure, and which runs answer which topics."""

    values: Floats
    topics: tuple[str, ...]
    is_answered: NDArray[np.bool_]

    @cached_property
    def standardised_values(self) -> Floats:
        """:func:`irviz.standardise` over all systems."""
        return standardised_scores(numbered_scores(self.values[None])).values[0]

    @cached_property
    def easier(self) -> NDArray[np.bool_]:
        """Mask of the topics that are not among the hardest tenth (one at least), by surprise."""
        order = np.argsort(-topic_hardness(self.values), kind="stable")
        easy = np.ones(len(self.topics), dtype=bool)
        easy[order[: max(1, len(order) // 10)]] = False
        return easy

    def scores(self, standardised: bool) -> Floats:
        """topics × systems, standardised or not."""
        return self.standardised_values if standardised else self.values


_COLUMNS: WeakKeyDictionary[Collection, dict[tuple[str, Reading], Column]] = WeakKeyDictionary()


def columns(
    c: Collection | Scores,
    keys: Iterable[ColumnKey],
    collections: Mapping[str, Collection],
    workers: Workers = None,
    progress: Progress | None = None,
) -> dict[ColumnKey, Column]:
    """Score the columns; `collections` holds the same runs under other tie rules."""
    if isinstance(c, Scores):
        everything = np.ones(c.values.shape[1:], dtype=bool)
        return {key: Column(c.matrix(key[0]), c.topics, everything) for key in keys}
    behind = {key: [(key[0], judge, *key[2:]) for judge in judges_behind(c, key[1])] for key in keys}
    readings: dict[tuple[str, str, Reading], dict[ColumnKey, Measure]] = {}
    for key in chain.from_iterable(behind.values()):
        label, judge, unjudged, depth, ties, steps = key
        measure = as_scored(label, c, judge, steps)
        aspect = c.aspect_index(measure.aspect) if unjudged == "condensed" and not measure.several_aspects else None
        reading = (depth, unjudged == "condensed", aspect)
        readings.setdefault((ties, judge if c.judges else "", reading), {})[key] = measure
    scored: dict[ColumnKey, Column] = {}
    steps_of_work = stages(progress, len(readings))
    for heard, ((ties, judge, reading), wanted) in zip(steps_of_work, readings.items(), strict=True):
        source = through_judge(collections.get(ties, c), judge)
        by_label = _score_measures(source, set(wanted.values()), reading, workers, heard)
        scored |= {key: by_label[str(measure)] for key, measure in wanted.items()}
    return _on_common_topics({key: _corrected(*(scored[one] for one in some)) for key, some in behind.items()})


def _corrected(first: Column, machine: Column | None = None) -> Column:
    """One judge's column; of people and a machine, the machine's corrected on the topics that both judged."""
    if machine is None:
        return first
    both = [topic for topic in first.topics if topic in set(machine.topics)]
    people = first.values[[first.topics.index(topic) for topic in both]]
    judged = np.array([machine.topics.index(topic) for topic in both])
    return Column(corrected_scores(people, machine.values, judged), machine.topics, machine.is_answered)


def _on_common_topics(scored: dict[ColumnKey, Column]) -> dict[ColumnKey, Column]:
    """Columns of the topics that all of them have: judges may have judged others."""
    first, *others = dict.fromkeys(column.topics for column in scored.values())
    if not others:
        return scored
    shared = [topic for topic in first if all(topic in other for other in others)]
    cut = {}
    for key, column in scored.items():
        rows = [column.topics.index(topic) for topic in shared]
        cut[key] = Column(column.values[rows], tuple(shared), column.is_answered[rows])
    return cut


def _score_measures(
    c: Collection, measures: set[Measure], reading: Reading, workers: Workers, progress: Progress | None
) -> dict[str, Column]:
    """By the measures' labels, what is known of their scores; computed where it is not kept."""
    remembered = _COLUMNS.setdefault(c, {})
    known = {str(measure): remembered.get((str(measure), reading)) for measure in measures}
    by_label = {name: column for name, column in known.items() if column is not None}
    missing = sorted(str(measure) for measure in measures if str(measure) not in by_label)
    if missing:
        cube = score(c, missing, progress=progress, workers=workers, _lists=partial(_read, reading))
        finite(cube)
        answered = c.ranking.lengths > 0
        for name in missing:
            by_label[name] = remembered[name, reading] = Column(cube.matrix(name).copy(), c.topics, answered)
        each = 2 * by_label[missing[0]].values.nbytes  # scores, and the same standardised
        while len(remembered) * each > KEPT_BYTES and len(remembered) > 1:
            remembered.pop(next(iter(tuple(remembered))), None)
    return by_label


def _read(reading: Reading, lists: Lists, labels: NDArray[np.int16]) -> Lists:
    """Cut and condense lists, topics × systems × ranks."""
    depth, condense, aspect = reading
    top = lists.subset(slice(None), depth=depth)
    return condense_lists(top, labels, aspect) if condense else top


# -- The settings of worlds -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Settings:
    """The settings that some worlds need, each once, with their scores."""

    worlds: Worlds
    settings: list[Setting]
    own: NDArray[np.intp]  #: by world, the number of its setting
    #: Holm worlds × measures: the settings that differ from the world's in the measure only; −1 if there is none
    mates: NDArray[np.intp]
    columns: dict[ColumnKey, Column]  #: scores of the settings

    @classmethod
    def from_worlds(
        cls,
        c: Collection | Scores,
        w: Worlds,
        mates: bool = True,
        workers: Workers = None,
        progress: Progress | None = None,
    ) -> Settings:
        """Find and score the settings; `mates` only for p-values that may be corrected over the measures."""
        names = (*Setting._fields, *NUGGETS)
        places = [list(DIMENSIONS).index(name) for name in names]
        options = [w.options[name] for name in names]
        shape = [len(choices) for choices in options]
        setting_of_world = np.ravel_multi_index(tuple(w.codes[:, places].T.astype(np.intp)), shape)
        by_measure = _mates(c, w, places, shape) if mates else np.empty((0, shape[0]), dtype=np.intp)
        needed = np.unique(np.concatenate([setting_of_world, by_measure[by_measure >= 0]]))
        rows = np.stack(np.unravel_index(needed, shape), axis=1).tolist()
        choices = [{name: w.options[name][i] for name, i in zip(names, row, strict=True)} for row in rows]
        listed = [Setting(measure_of(own), *(own[name] for name in Setting._fields[1:])) for own in choices]
        keys = list(dict.fromkeys(setting.key for setting in listed))
        scored = columns(c, keys, w.collections, workers, progress)
        corrected = np.where(by_measure < 0, -1, np.searchsorted(needed, by_measure))
        return cls(w, listed, np.searchsorted(needed, setting_of_world), corrected, scored)

    def merge_equal(self) -> Settings:
        """The same with one setting for all that have the same scores and topics: their numbers are the same."""
        contents = {key: (one.values.tobytes(), one.is_answered.tobytes()) for key, one in self.columns.items()}
        numbers: dict[tuple[tuple[bytes, bytes], str, str], int] = {}
        alike = ((contents[setting.key], setting.topics, setting.missing) for setting in self.settings)
        which = np.array([numbers.setdefault(setting, len(numbers)) for setting in alike], dtype=np.intp)
        listed = [self.settings[k] for k in np.unique(which, return_index=True)[1]]
        mates = np.where(self.mates < 0, -1, which[self.mates])
        return Settings(self.worlds, listed, which[self.own], mates, self.columns)

    def __len__(self) -> int:
        return len(self.settings)

    def column(self, k: int) -> Column:
        """Scores of setting `k`."""
        return self.columns[self.settings[k].key]

    def topics(self, k: int) -> NDArray[np.bool_]:
        """Mask of the topics of setting `k`, before any is left out that a run lacks."""
        column = self.column(k)
        if self.settings[k].topics == "random_half":
            return self.worlds.random_half(column.topics)
        if self.settings[k].topics == "without_hardest_tenth":
            return column.easier
        return np.ones(len(column.topics), dtype=bool)

    def counts(self, k: int, systems: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.bool_]:
        """topics × systems: the topics of setting `k` on which each of these systems is compared."""
        answered = self.column(k).is_answered[:, systems]
        return self.topics(k)[:, None] & (answered | (self.settings[k].missing != "left_out"))

    def common(self, k: int, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.bool_]:
        """topics × pairs: the topics of setting `k` on which each pair of systems is compared."""
        return self.counts(k, first) & self.counts(k, second)

    def views(
        self, members: Sequence[tuple[int, NDArray[np.intp]]], systems: NDArray[np.intp], flags: set[bool]
    ) -> dict[bool, Floats]:
        """Settings × topics × systems of settings on topics of theirs, by whether they are standardised."""
        return {
            view: np.stack([self.column(k).scores(view)[rows][:, systems] for k, rows in members]) for view in flags
        }

    def takes(self, dimension: str, option: str) -> NDArray[np.bool_]:
        """Mask of the worlds that take an option."""
        known = self.worlds.options[dimension]
        return self.worlds.code(dimension) == (known.index(option) if option in known else -1)


def _mates(c: Collection | Scores, w: Worlds, places: list[int], shape: list[int]) -> NDArray[np.intp]:
    """For each Holm-corrected world: its setting under each measure, as a place in the product; −1 if left out."""
    rows = np.flatnonzero([w.options["family"][code] == "holm" for code in w.code("family")])
    many = shape[0]
    if not len(rows):
        return np.empty((0, many), dtype=np.intp)
    codes = np.repeat(w.codes[rows], many, axis=0)
    codes[:, places[0]] = np.tile(np.arange(many), len(rows))
    flat = np.ravel_multi_index(tuple(codes[:, places].T.astype(np.intp)), shape)
    return np.where(sensible(c, w.options, codes, w.collections)[0], flat, -1).reshape(len(rows), many)


# -- All loaded systems tested together -------------------------------------------------------------

Together: TypeAlias = tuple[int, bool]
"""A setting, and whether its scores are standardised."""


def tukey(
    s: Settings,
    keys: Sequence[Together],
    trials: int,
    seed: int,
    units: NDArray[np.intp] | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> dict[Together, Significance]:
    """Randomised Tukey HSD of all systems; settings of the same topics share shuffles. `units` are groups by topic."""
    groups: dict[bytes, list[Together]] = {}
    for together in dict.fromkeys(keys):
        groups.setdefault(s.topics(together[0]).tobytes(), []).append(together)
    tests: dict[Together, Significance] = {}
    for heard, members in zip(stages(progress, len(groups)), groups.values(), strict=True):
        cube = numbered_scores(np.stack([s.column(k).scores(view)[s.topics(k)] for k, view in members]))
        shuffled: dict[str, str] | None = None
        if units is not None:
            own = units[s.topics(members[0][0])]
            shuffled = {topic: str(unit) for topic, unit in zip(cube.topics, own.tolist(), strict=True)}
        power = discriminative_power(cube, trials=trials, seed=seed, progress=heard, workers=workers, groups=shuffled)
        tests |= dict(zip(members, power.results, strict=True))
    return tests


def numbered_scores(values: Floats) -> Scores:
    """A cube whose measures, topics and systems have numbers for names."""
    measures, topics, systems = (tuple(map(str, range(n))) for n in values.shape)
    return Scores(values, measures, topics, systems)
