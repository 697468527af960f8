"""The commands that print a table: each turns what was given into one frame."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

import irviz
from irviz.cli.data import (
    Arguments,
    add_data,
    add_scores,
    add_source,
    asked_measures,
    asked_numbers,
    chosen_collection,
    collection,
    entries,
    fetched,
    has_collection,
    scores,
)
from irviz.collection.codes import TIE_RULES
from irviz.collection.model import Collection
from irviz.collection.people import as_preferences, as_satisfaction
from irviz.errors import IrvizError, visible
from irviz.errors import listed as in_words
from irviz.measures.language.aliases import trec_eval_name
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
from irviz.multiverse.report import latex
from irviz.multiverse.verdicts import TABLES, Condition, concluded
from irviz.stats.incompleteness import RATES
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.sweep import USUAL
from irviz.stats.users import satisfaction_by_score
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
        "--part",
        choices=[*TABLES, "latex"],
        default="worlds",
        help="what to print (default: a row per world); latex is a table for a paper",
    )
    parser.add_argument(
        "--fail-unless",
        metavar="CONDITION",
        action="append",
        help="such as 'holds >= 0.8': exit with 1, and a sentence, if it is not so",
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, help="significance level: p-values below it are significant"
    )
    parser.add_argument("--trials", type=int, default=10_000, help="resamples and shuffles (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same numbers")
    parser.add_argument("--workers", default=None, help="number of workers, or the name of a joblib backend")


def run_conclusion(given: Arguments) -> pd.DataFrame | None:
    conditions = [Condition.parse(text) for text in given.fail_unless or ()]
    found = concluded(
        _data(given),
        given.claim,
        choices=_choices(given),
        alpha=given.alpha,
        trials=given.trials,
        seed=given.seed,
        workers=int(given.workers) if _is_whole(given.workers) else given.workers,
    )
    given.unmet = next(filter(None, (one.unmet(found) for one in conditions)), "")
    if given.part == "latex":
        sys.stdout.write(latex(found) + "\n")
        return None
    return TABLES[given.part](found)


def _data(given: Arguments) -> Collection | Scores:
    return scores(given) if given.scores else chosen_collection(given)


def _choices(given: Arguments) -> dict[str, Any]:
    """The options chosen on each dimension, without the usual ones."""
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
    if given.format == "trec_eval":
        return _for_trec_eval(found, given.summary)
    if given.summary is None:
        return found.frame()
    rows = [irviz.summarise(found[name], given.summary, eps=given.eps) for name in found.measures]
    table = pd.DataFrame(rows, index=list(found.measures)).rename_axis(index="measure", columns="system")
    return table.stack().rename("score").reset_index()


def _for_trec_eval(found: Scores, summary: str | None) -> ResultTable:
    """Scores in trec_eval's order and names: system by system, topic by topic, and last the mean of all topics."""
    if summary not in (None, "mean"):
        raise IrvizError("trec_eval prints means over topics: leave --summary out, or choose another --format.")
    means = pd.concat([irviz.summarise(found[name]) for name in found], keys=list(found), names=["measure", "system"])
    table = pd.concat([found.frame(), means.rename("score").reset_index().assign(topic="all")])
    places = {"system": found.systems, "topic": (*found.topics, "all"), "measure": found.measures}
    codes = [pd.Categorical(table[column], list(names)).codes for column, names in places.items()]
    table = table.iloc[np.lexsort(codes[::-1])]
    return table.assign(measure=table["measure"].map(trec_eval_name))


def run_ratings(given: Arguments) -> ResultTable:
    """The judgments of one judge or aspect."""
    table = collection(given, depth=1).ratings(given.judge)
    whole = table["grade"].map(float.is_integer).all()
    return table.set_axis(["query", "docid", "rating"], axis=1).astype({"rating": int if whole else float})


def add_ratings(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    parser.add_argument("--judge", default=None, help="the judge, or the aspect; by default the first")


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


USER_TABLES = ("satisfaction", "differences", "by-score", "preferences")


def run_users(given: Arguments) -> ResultTable:
    """Agreement of measures with satisfaction or preferences, of files or of a collection that holds them."""
    opened = chosen_collection(given) if has_collection(given) else None
    held = {} if opened is None else {"satisfaction": opened.satisfaction, "preferences": opened.preferences}
    said = {name: _users_file(getattr(given, name)) or held.get(name) for name in ("satisfaction", "preferences")}
    part = given.part or (
        "satisfaction" if said["satisfaction"] is not None or not any(said.values()) else "preferences"
    )
    needed = "preferences" if part == "preferences" else "satisfaction"
    if said[needed] is None:
        raise IrvizError(f"No {needed} of users is given. Use --{needed} FILE, or a collection that holds it.")
    how = {"trials": given.trials, "seed": given.seed, "confidence": given.confidence}
    if part == "preferences":
        chosen = as_preferences(said[needed])
        if opened is not None and not chosen.are_of(opened.systems):
            return irviz.preferences(opened, chosen).frame()
        return irviz.preferences(scores(given), chosen, **how).frame()
    rated = as_satisfaction(said[needed])
    if part == "by-score":
        return satisfaction_by_score(scores(given), rated, **how)
    found = irviz.satisfaction(scores(given), rated, given.coefficient, **how)
    if part == "satisfaction":
        return found.frame()
    return found.p_values.rename_axis("measure").reset_index()


def _users_file(text: str | None) -> Any:
    """A file or a URL; None where none is given."""
    return None if text is None else fetched([text])[0]


def run_sweep(given: Arguments) -> ResultTable:
    return irviz.sweep(
        chosen_collection(given),
        given.expression,
        [_value(text) for text in entries(given.values, split_expressions)],
        entries(given.others, split_expressions) or USUAL,
        method=given.method,
        alpha=given.alpha,
        rate=given.rate,
        repeats=given.repeats,
        summary=given.summary or "mean",
        eps=given.eps,
        seed=given.seed,
        **_trials(given),
    ).frame()


def _value(text: str) -> float | str:
    """A value of a sweep: a number where it is one, else a text as the expression takes it."""
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def run_scale(given: Arguments) -> ResultTable:
    """Scale types on the grades that are given, or on those of a collection."""
    if has_collection(given) and given.grades:
        raise IrvizError("Give either --grades, or a collection that has grades; not both.")
    opened = collection(given, depth=1) if has_collection(given) else None  # ranks do not matter, grades do
    rows = []
    for one in map(irviz.measure, asked_measures(given)):
        grades = _grades(given.grades) if opened is None else list(one.grades_in(opened))
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
