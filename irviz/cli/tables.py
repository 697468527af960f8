"""The commands that print a table: each turns what was given into one frame."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import pandas as pd

import irviz
from irviz.cli.data import (
    Arguments,
    add_data,
    add_scores,
    asked_measures,
    asked_numbers,
    chosen_collection,
    collection,
    entries,
    has_collection,
    scores,
)
from irviz.collection.codes import TIE_RULES
from irviz.collection.model import Collection
from irviz.errors import IrvizError, visible
from irviz.errors import listed as in_words
from irviz.measures.language.base import Measure
from irviz.measures.toma import TOMA
from irviz.multiverse.dimensions import (
    AVERAGES,
    DIMENSIONS,
    FAMILIES,
    MISSING_RULES,
    OPTION_NAMES,
    TESTS,
    TOPIC_SETS,
    UNJUDGED_RULES,
)
from irviz.multiverse.tables import TABLES, conclusion_table
from irviz.stats.incompleteness import RATES
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.workspace.control import plain, split_expressions

# -- The command ``conclusion``: a claim about systems, in every world -----------------------------

_KNOWN = {
    "average": tuple(AVERAGES),
    "test": tuple(TESTS),
    "ties": tuple(TIE_RULES),
    "unjudged": tuple(UNJUDGED_RULES),
    "missing": tuple(MISSING_RULES),
    "judge": ("names of judges or aspects",),
    "topics": tuple(TOPIC_SETS),
    "depth": ("1000", "100"),
    "family": tuple(FAMILIES),
}  #: dimension → what can be chosen


def add_conclusion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", help="'A > B', 'A > B > C', 'A is best' or 'A in top 5'; unusual names in `backticks`")
    add_scores(parser)
    worlds = parser.add_argument_group("worlds (by default, all that the collection supports)")
    for dimension, known in _KNOWN.items():
        option = f"--{OPTION_NAMES.get(dimension, dimension)}"
        worlds.add_argument(
            option, metavar="LIST", action="append", help=f"{DIMENSIONS[dimension]}: {in_words(known, 9)}"
        )
    parser.add_argument(
        "--part", choices=list(TABLES), default="worlds", help="what to print (default: a row per world)"
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, help="significance level: p-values below it are significant"
    )
    parser.add_argument("--trials", type=int, default=10_000, help="resamples and shuffles (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same numbers")
    parser.add_argument("--workers", default=None, help="number of workers, or the name of a joblib backend")


def run_conclusion(given: Arguments) -> pd.DataFrame:
    return conclusion_table(
        _data(given),
        given.claim,
        given.part,
        choices=_choices(given),
        alpha=given.alpha,
        trials=given.trials,
        seed=given.seed,
        workers=int(given.workers) if _is_whole(given.workers) else given.workers,
    )


def _data(given: Arguments) -> Collection | Scores:
    return scores(given) if given.scores else chosen_collection(given)


def _choices(given: Arguments) -> dict[str, Any]:
    """What was chosen on each dimension; nothing where the usual options are."""
    found: dict[str, Any] = {}
    if given.measures and not given.scores:
        found["measure"] = entries(given.measures, split_expressions)
    for dimension in _KNOWN:
        texts = getattr(given, OPTION_NAMES.get(dimension, dimension).replace("-", "_"))
        if texts and dimension == "depth":
            found[dimension] = [
                int(number) for number in asked_numbers(texts, "--depths", "numbers of ranks, such as 1000,100")
            ]
        elif texts:
            found[dimension] = entries(texts, split_expressions)
    return found


def _is_whole(text: str | None) -> bool:
    return text is not None and text.lstrip("-").isdigit()


# -- The command ``findings``: what five papers found, asked of the data ---------------------------


def add_findings(parser: argparse.ArgumentParser) -> None:
    add_data(parser)
    parser.add_argument("--scores", metavar="NAME=FILE", action="append", help="a score matrix (CSV) instead of runs")
    parser.add_argument("--numbers", metavar="LIST", action="append", help="only these findings, such as 1,5,27")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same numbers")
    parser.add_argument("--workers", default=None, help="number of workers, or the name of a joblib backend")


def run_findings(given: Arguments) -> pd.DataFrame:
    """Ask the findings, with a bar of progress on standard error where that is a terminal."""
    given.measures = None
    chosen = given.numbers and [
        int(number) for number in asked_numbers(given.numbers, "--numbers", "numbers of findings, such as 1,5,27")
    ]
    shown = _bar if sys.stderr.isatty() else None
    workers = int(given.workers) if _is_whole(given.workers) else given.workers
    found = irviz.findings(_data(given), given.seed, numbers=chosen, workers=workers, progress=shown)
    return found.frame()


def _bar(share: float, words: str) -> None:
    """A bar of progress that is written over itself, and ends its line when the work is done."""
    done = round(30 * share)
    end = "\n" if share >= 1 else ""
    sys.stderr.write(visible(f"[{'#' * done}{'.' * (30 - done)}] {share:4.0%}  {words[:40]:<40}").join(("\r", end)))
    sys.stderr.flush()


# --------------------------------------------------------------------------------------------------

ResultTable: TypeAlias = pd.DataFrame


def run_lint(given: Arguments) -> ResultTable:
    rows = [(one.severity, one.file, one.line, one.message) for one in collection(given, given.depth).findings]
    return pd.DataFrame(rows, columns=["severity", "file", "line", "message"]).astype({"line": "Int64"})


def run_score(given: Arguments) -> ResultTable:
    found = scores(given)
    if given.summary is None:
        return found.frame()
    rows = [irviz.summarise(found[name], given.summary, eps=given.eps) for name in found.measures]
    table = pd.DataFrame(rows, index=list(found.measures)).rename_axis(index="measure", columns="system")
    return table.stack().rename("score").reset_index()


def run_similarity(given: Arguments) -> ResultTable:
    return irviz.similarity(
        scores(given),
        by=given.by,
        coefficient=given.coefficient,
        summary=given.summary or "mean",
        confidence=given.confidence,
        eps=given.eps,
    ).frame()


def run_consistency(given: Arguments) -> ResultTable:
    return irviz.consistency(
        scores(given),
        split=given.split,
        summary=given.summary or "mean",
        eps=given.eps,
        coefficient=given.coefficient,
        seed=given.seed,
        **_trials(given),
    ).frame(given.alpha)


def run_significance(given: Arguments) -> ResultTable:
    cube = scores(given)
    if given.counts:
        chosen = {"alpha": given.alpha, "seed": given.seed, **_trials(given)}
        return discriminative_power(cube, given.method, **chosen).frame()
    tables = []
    for name in cube.measures:
        found = irviz.significance(
            cube[name], given.method, alpha=given.alpha, seed=given.seed, order=cube.order(name), **_trials(given)
        )
        tables.append(found.frame().assign(measure=name))
    table = pd.concat(tables, ignore_index=True)
    return table[["measure", *(column for column in table.columns if column != "measure")]]


def _trials(given: Arguments) -> dict[str, Any]:
    """The trials asked for; nothing where the library's default holds."""
    return {} if given.trials is None else {"trials": given.trials}


def run_pool_reduction(given: Arguments) -> ResultTable:
    form = "numbers with commas between them, such as .9,.5,.1"
    return irviz.pool_reduction(
        chosen_collection(given),
        asked_measures(given),
        rates=asked_numbers(given.rates, "--rates", form) if given.rates else RATES,
        method=given.method,
        repeats=given.repeats,
        seed=given.seed,
        summary=given.summary or "mean",
        eps=given.eps,
    ).frame()


def run_scale(given: Arguments) -> ResultTable:
    """Scale types on the grades that are given, or on those of a collection."""
    if has_collection(given) and given.grades:
        raise IrvizError("Give either --grades, or a collection that has grades; not both.")
    opened = collection(given, depth=1) if has_collection(given) else None  # ranks do not matter, grades do
    rows = []
    for one in map(irviz.measure, asked_measures(given)):
        grades = _grades(given.grades) if opened is None else _grades_of(opened, one)
        plain_one = one if opened is None or one.aspect is None else replace(one, aspect=None)
        found = irviz.scale_type(plain_one, grades=grades, depth=given.depth)
        witness = ["" if run is None else " ".join(map(str, run)) for run in found.witness or (None, None)]
        shown = grades if isinstance(grades, int) else " ".join(map(plain, grades))
        rows.append((str(one), shown, given.depth, found.kind, *witness, found.theory.kind, found.theory_sentence))
    columns = ["measure", "grades", "depth", "scale", "witness_a", "witness_b", "any_depth", "why"]
    return pd.DataFrame(rows, columns=columns)


def _grades(texts: Sequence[str] | None) -> int | list[float]:
    """How many grades there are, or which; 2 by default."""
    found = asked_numbers(
        texts or ["2"], "--grades", "how many grades there are, such as 3, or the grades, such as 0,1,3"
    )
    return int(found[0]) if len(found) == 1 and found[0].is_integer() else found


def _grades_of(opened: Collection, one: Measure) -> list[float]:
    """The grades of the measure's aspect; for TOMA, a grade for every class."""
    if isinstance(one, TOMA):
        return [float(number) for number in range(one.count(opened))]
    return list(opened.grades[opened.aspect_index(one.aspect)])
