"""The choices that make up a world: what can be chosen, in which words, and what is usual.

The multiverse of a claim (Steegen, Tuerlinckx, Gelman & Vanpaemel 2016) is the product of its dimensions.  The first
option of each is the usual one; the first options together are the world that others are compared with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import TIE_RULES
from irviz.collection.lint import TIES_MATTER
from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, is_number
from irviz.measures import measure
from irviz.stats.aggregate import SUMMARIES, complete
from irviz.stats.nuggets import nugget_handles, nuggets_name
from irviz.stats.prediction_powered import people_and_machine
from irviz.stats.scores import Scores

DIMENSIONS = {
    "measure": "measure",
    "average": "average over topics",
    "test": "test",
    "ties": "tie rule",
    "unjudged": "unjudged documents",
    "missing": "topics a run lacks",
    "judge": "judge or aspect",
    "topics": "topics",
    "depth": "depth",
    "family": "family of tests",
    "steps": "steps between values",
    "partial": "credit of partial support",
    "okay": "weight of okay nuggets",
}  #: every dimension, with the words for it, in the order of a table

TESTS = {
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "bootstrap": "paired bootstrap",
    "randomisation": "sign-flip randomisation test",
}
PAIRED_TESTS = ("t", "wilcoxon", "sign")  #: tests of the mean of the per-topic differences
UNJUDGED_RULES = {"not_relevant": "unjudged not relevant", "condensed": "unjudged removed"}
MISSING_RULES = {"zero": "topics a run lacks score 0", "left_out": "topics a run lacks left out"}
TOPIC_SETS = {
    "all": "all topics",
    "random_half": "a random half of the topics",
    "without_hardest_tenth": "all but the hardest tenth of the topics",
}
FAMILIES = {
    "pair": "each pair alone",
    "holm": "Holm's correction over the measures",
    "all_systems": "all loaded systems (randomised Tukey HSD)",
}
STEPS = {"as_it_is": "steps of the measure", "equal": "equal steps"}
AVERAGES = {**SUMMARIES, "standardised": "mean of standardised scores"}
CORRECTED = "corrected"  #: a judge: a machine, corrected by people (:func:`irviz.prediction_powered`, λ = 1)
NUGGETS = ("partial", "okay")  #: dimensions of scores of nuggets, which together are their measure
AS_GIVEN = "as_given"  #: of score matrices: the choice that was made with them
OPTIONS: dict[str, Mapping[str, str]] = {
    "average": AVERAGES,
    "test": TESTS,
    "ties": TIE_RULES,
    "unjudged": UNJUDGED_RULES,
    "missing": MISSING_RULES,
    "topics": TOPIC_SETS,
    "family": FAMILIES,
    "steps": STEPS,
}  #: of dimensions that have the same options on all data, with the words for them

OPTION_NAMES = {"measure": "measures", "topics": "topic-sets", "depth": "depths", "ties": "tie-rules"}
#: what a dimension is called on the command line, where its own name means a part of the data

CERTAINTY_ONLY = ("test", "family")  #: dimensions that decide how sure a difference is, never how large
READ_AGAIN = 2_000_000  #: lines of runs that are read once more without being asked: a second or two
_USUAL = ("AP", "nDCG@10", "nDCG", "P@10", "RBP(p=0.8)", "RR", "Rprec")


@dataclass(frozen=True)
class Average:
    """An average over topics: `how` and `eps` as :func:`irviz.summarise` takes them, of standardised scores or not."""

    how: str
    eps: float | None = None
    standardised: bool = False


def average(name: str) -> Average:
    """The average that a name such as ``geometric`` or ``harmonic(eps=0)`` stands for.

    >>> average("harmonic(eps=0)")
    Average(how='harmonic', eps=0.0, standardised=False)
    """
    match = re.fullmatch(r"(\w+)(?:\(eps=([0-9.eE+-]+)\))?", str(name))
    kind = choose("average", match[1] if match else str(name), tuple(AVERAGES))
    if kind == "standardised":
        return Average("mean", standardised=True)
    if match is None or match[2] is None:
        return Average(kind)
    try:
        return Average(kind, float(match[2]))
    except ValueError as problem:
        raise IrvizError(f"`{name}`: `eps` must be a number, as in geometric(eps=0.01).") from problem


_FIRST_TO_GO = ("topics", "missing", "unjudged", "judge")


def usable(c: Collection | Scores) -> Collection | Scores:
    """The collection, or the scores on the topics that every system has under every measure; refused if neither."""
    if not isinstance(c, (Collection, Scores)):
        raise IrvizError(f"A collection or scores are needed; got {type(c).__name__}.")
    return complete(c) if isinstance(c, Scores) else c


def options(c: Collection | Scores, choices: Mapping[str, Any], most: int) -> dict[str, tuple[Any, ...]]:
    """Every dimension's options: those given, else the usual ones.

    If these make more than `most` worlds, dimensions that were not given keep the first, one after the other.
    """
    chosen: dict[str, tuple[Any, ...]] = {}
    split = choices.get("measure") is None and isinstance(c, Scores) and nugget_handles(c.measures)
    for dimension, words in DIMENSIONS.items():
        asked = choices.get(dimension)
        if not split and dimension in NUGGETS:
            if asked is not None and not (isinstance(asked, tuple) and asked == (AS_GIVEN,)):
                raise IrvizError(
                    f"`{dimension}` is a choice of scores of nuggets, if no measure is named. Load them with "
                    "irviz.load_nuggets(file, partial=[0, 0.5], okay=[0, 1])."
                )
            chosen[dimension] = (AS_GIVEN,)
            continue
        chosen[dimension] = usual_options(c, dimension) if asked is None else _check_options(c, dimension, asked)
        if not chosen[dimension]:
            raise IrvizError(f"No {words} is given. Name at least one, or leave `{dimension}` out.")
    for dimension in _FIRST_TO_GO:
        if prod(map(len, chosen.values())) > most and choices.get(dimension) is None:
            chosen[dimension] = chosen[dimension][:1]
    return chosen


def usual_options(c: Collection | Scores, dimension: str) -> tuple[Any, ...]:
    """The default options of a dimension."""
    handles = nugget_handles(c.measures) if isinstance(c, Scores) else ()
    if handles and dimension in ("measure", *NUGGETS):
        return ("nuggets",) if dimension == "measure" else handles[NUGGETS.index(dimension)]
    return (AS_GIVEN,) if isinstance(c, Scores) and dimension in _OF_LISTS else _USUAL_OF[dimension](c)


def judges_of(c: Collection) -> tuple[str, ...]:
    """The judges that a world can have, or aspects; the last may be `CORRECTED`."""
    corrected = CORRECTED not in c.judges and people_and_machine(c) is not None
    return (*(c.judges or c.aspects), *([CORRECTED] if corrected else []))


def usual_measures(c: Collection | Scores) -> tuple[str, ...]:
    """The measures that most papers report, as far as the grades and the judgments of this collection bear them."""
    if isinstance(c, Scores):
        return c.measures
    grades = c.grades[0]
    more = [f"AP(rel={grades[2]:g})", "ERR@20"] if len(grades) > 2 else []
    passed_over = ["Bpref"] if has_unjudged(c) else []
    return tuple(str(measure(name)) for name in (*_USUAL, *more, *passed_over))


def has_unjudged(c: Collection) -> bool:
    """True if any list holds a document that a condensed list does not: without a judgment, or judged below zero."""
    if (c.ranking.judged.counts < c.ranking.lengths).any():
        return True
    row, _, document = c.ranking.places
    return bool((c.labels.take(row // len(c.systems), document) < 0).any())


def lacks_topics(c: Collection, systems: NDArray[np.intp] | slice = slice(None)) -> bool:
    """True if any of the runs lacks a topic."""
    return bool((c.ranking.lengths[:, systems] == 0).any())


def _ties_matter(c: Collection) -> bool:
    """True if the tie rule changes scores, and the files can be read again soon enough."""
    return (
        c.again is not None
        and any(TIES_MATTER in finding.message for finding in c.findings)
        and int(c.ranking.lengths.sum()) <= READ_AGAIN
    )


_OPPOSITE = {"trec_eval": "trec_eval_ascending"}
_OF_LISTS = ("ties", "unjudged", "missing", "judge", "depth", "steps")  #: dimensions that score matrices do not have
_USUAL_OF: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "measure": usual_measures,
    "average": lambda c: tuple(name for name in AVERAGES if name != "geometric_threshold"),
    "test": lambda c: tuple(TESTS),
    "ties": lambda c: (c.ties, _OPPOSITE.get(c.ties, "trec_eval")) if _ties_matter(c) else (c.ties,),
    "unjudged": lambda c: tuple(UNJUDGED_RULES) if has_unjudged(c) else ("not_relevant",),
    "missing": lambda c: tuple(MISSING_RULES) if lacks_topics(c) else ("zero",),
    "judge": lambda c: c.judges or c.aspects,
    "topics": lambda c: tuple(TOPIC_SETS) if len(c.topics) >= 10 else ("all",),
    "depth": lambda c: (c.depth,),
    "family": lambda c: ("pair",),
    "steps": lambda c: ("as_it_is",),
    **dict.fromkeys(NUGGETS, lambda c: (AS_GIVEN,)),
}


def measure_of(choices: Mapping[str, Any]) -> str:
    """The measure of a world, that of nuggets from its two choices."""
    handles = [choices.get(name, AS_GIVEN) for name in NUGGETS]
    return str(choices["measure"]) if AS_GIVEN in handles else nuggets_name(*handles)


def _check_options(c: Collection | Scores, dimension: str, choice: Any) -> tuple[Any, ...]:
    """One option may be given by itself; a mapping stands for its keys."""
    if isinstance(c, Scores) and dimension in _OF_LISTS:
        raise IrvizError(
            f"Score matrices contain no lists, so `{dimension}` cannot be chosen. Leave it out, or load qrels and runs."
        )
    single = isinstance(choice, (str, int, float)) or not isinstance(choice, Iterable)
    return tuple(dict.fromkeys(_option(c, dimension, option) for option in ([choice] if single else choice)))


def _option(c: Collection | Scores, dimension: str, one: Any) -> Any:
    if dimension == "measure":
        return c.measures[c.index(one)] if isinstance(c, Scores) else str(measure(one))
    if dimension == "average":
        average(one)
        return one
    if dimension in NUGGETS:
        handles = {f"{each:g}": each for each in usual_options(c, dimension)}
        return handles[choose(DIMENSIONS[dimension], f"{one:g}" if is_number(one) else one, handles)]
    if dimension in ("judge", "depth"):
        assert isinstance(c, Collection)  # score matrices were refused above
        known = judges_of(c)
        return _depth(c, one) if dimension == "depth" else choose("judge" if c.judges else "aspect", one, known)
    return choose(DIMENSIONS[dimension], one, OPTIONS[dimension])


def _depth(c: Collection, one: Any) -> int:
    is_whole = is_number(one) and not isinstance(one, bool) and one == int(one)
    if not is_whole or not 1 <= one <= c.depth:
        raise IrvizError(
            f"A depth must be a whole number from 1 to {c.depth}, the longest list of this collection; got {one!r}."
        )
    return int(one)


# -- Choices in words ----------------------------------------------------------------------------


def option_words(dimension: str, option: Any) -> str:
    """A choice by itself, as a table or an axis shows it; what bears a name of the data, or of a tool, keeps it.

    >>> option_words("unjudged", "not_relevant"), option_words("test", "wilcoxon"), option_words("judge", "o_1")
    ('not relevant', 'Wilcoxon', 'o_1')
    """
    if dimension in ("measure", "judge", "ties", *NUGGETS):
        return f"{option:g}" if isinstance(option, float) else str(option)
    return "Wilcoxon" if option == "wilcoxon" else str(option).replace("_", " ")


def choice_words(dimension: str, option: Any) -> str:
    """A choice in words that name what is chosen.

    >>> choice_words("average", "median"), choice_words("unjudged", "condensed"), choice_words("ties", "trec_eval")
    ('median', 'unjudged removed', 'trec_eval')
    """
    if isinstance(option, float):
        return f"{DIMENSIONS[dimension]} {option:g}"
    return str(option) if dimension == "ties" else OPTIONS.get(dimension, {}).get(option, str(option))
