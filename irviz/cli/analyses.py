"""Commands that analyse scores, each of which prints the table of one result."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

import irviz
from irviz.cli import data
from irviz.cli.main import Command
from irviz.collection.people import as_preferences, as_satisfaction
from irviz.errors import IrvizError, number_of
from irviz.multiverse.compare import RESAMPLING_TESTS
from irviz.stats.consistency import SPLITS
from irviz.stats.correlation import COEFFICIENTS
from irviz.stats.incompleteness import RATES, REDUCTIONS
from irviz.stats.leaderboard import LEADERBOARDS
from irviz.stats.paired import CORRECTIONS, PAIRED_TESTS
from irviz.stats.significance import METHODS, discriminative_power
from irviz.stats.sweep import RATE, USUAL
from irviz.stats.users import WEIGHTED_COEFFICIENTS, satisfaction_by_score
from irviz.workspace.control import plain, split_expressions, split_names

_REPEATS = "how often judgments are sampled, independently"
_LINES = "numbers with commas between them, such as .9,.5,.1"


def _chosen_options(arguments: data.Arguments, *names: str) -> dict[str, Any]:
    """The options of these names that were given or have a default here; the others keep the library's."""
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def _method(parser: argparse.ArgumentParser) -> None:
    what = "the test of every pair of systems"
    parser.add_argument("--method", "--test", choices=[*METHODS], default="randomised_tukey", help=what)


def _coefficient(parser: argparse.ArgumentParser) -> None:
    what = "how two rankings are compared"
    parser.add_argument("--coefficient", choices=list(COEFFICIENTS), default="tau", help=what)


def _top(parser: argparse.ArgumentParser) -> None:
    what = "only systems that the first of two rankings has in so many first places, ties included"
    parser.add_argument("--top", type=int, help=what)


def _add_similarity(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    what = "average over topics first, or topic by topic"
    parser.add_argument("--by", choices=["overall", "topic"], default="overall", help=what)
    _coefficient(parser)
    what = "what to print: a row per pair of measures (default), or a square for a paper"
    parser.add_argument("--part", choices=["pairs", "latex"], default="pairs", help=what)
    _top(parser)
    data.add_option(parser, "summary", "eps", "confidence")


def _similarity(arguments: data.Arguments) -> pd.DataFrame | None:
    chosen = _chosen_options(arguments, "by", "coefficient", "summary", "confidence", "eps", "top")
    given_scores = data.scores(arguments)
    similarity = irviz.similarity(given_scores, **chosen)
    if arguments.part == "latex":
        sys.stdout.write(similarity.latex(number_of(len(given_scores.systems), "system")) + "\n")
        return None
    return similarity.frame()


def _add_consistency(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    data.add_option(parser, "trials")
    parser.add_argument("--split", choices=list(SPLITS), default="random", help="how the topics are split")
    data.add_option(parser, "summary", "eps")
    _coefficient(parser)
    data.add_option(parser, "alpha", "seed")


def _consistency(arguments: data.Arguments) -> pd.DataFrame:
    chosen = _chosen_options(arguments, "split", "summary", "eps", "coefficient", "seed", "trials")
    return irviz.consistency(data.scores(arguments), **chosen).frame(arguments.alpha)


def _add_significance(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    _method(parser)
    parser.add_argument(
        "--counts",
        action="store_true",
        help="print one row per measure with the number of separated pairs, instead of one row per pair",
    )
    data.add_option(parser, "trials", "alpha", "seed")
    data.add_groups(parser, "whole groups are drawn or shuffled")


def _significance(arguments: data.Arguments) -> pd.DataFrame:
    cube, chosen = data.scores(arguments), _chosen_options(arguments, "alpha", "seed", "trials")
    chosen["groups"] = data.groups(arguments)
    if arguments.counts:
        return discriminative_power(cube, arguments.method, **chosen).frame()
    tables = {
        name: irviz.significance(cube.select([name]), arguments.method, **chosen).frame() for name in cube.measures
    }
    return pd.concat(tables, names=["measure"]).reset_index("measure").reset_index(drop=True)


def _add_table(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    parser.add_argument("--baseline", metavar="SYSTEM", help="mark systems that differ significantly from this one")
    parser.add_argument("--test", choices=[*PAIRED_TESTS, *RESAMPLING_TESTS], default="t", help="the paired test")
    corrections = list(CORRECTIONS)
    parser.add_argument("--correction", choices=corrections, default="holm", help="of the p-values of a measure")
    data.add_option(parser, "trials", "alpha", "seed")


def _table(arguments: data.Arguments) -> pd.DataFrame | None:
    cube, chosen = data.scores(arguments), _chosen_options(arguments, "test", "correction", "alpha", "seed", "trials")
    base = arguments.baseline
    found = cube.table() if base is None else irviz.compare(cube, base, **chosen).table()
    if arguments.format in ("latex", "markdown"):
        sys.stdout.write((found.latex() if arguments.format == "latex" else found.markdown()) + "\n")
        return None
    return found.frame().reset_index()


def _add_leaderboard(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    what = "from topics, or tasks, to a rank per system"
    parser.add_argument("--method", choices=list(LEADERBOARDS), default="mean", help=what)
    data.add_option(parser, "trials", "seed")


def _leaderboard(arguments: data.Arguments) -> pd.DataFrame:
    cube, chosen = data.scores(arguments), _chosen_options(arguments, "method", "trials", "seed")
    tables = {name: irviz.leaderboard(cube.select([name]), **chosen) for name in cube.measures}
    return pd.concat(tables, names=["measure"]).reset_index()


def _add_reduction(parser: argparse.ArgumentParser) -> None:
    data.add_data(parser)
    data.add_measures(parser)
    data.add_option(parser, "summary", "eps", "seed")
    usual = ",".join(f"{rate:g}".removeprefix("0") for rate in RATES)  # as somebody would type them
    parser.add_argument(
        "--rates", metavar="LIST", action="append", help=f"shares of the pool that are kept (default {usual})"
    )
    parser.add_argument(
        "--method", choices=list(REDUCTIONS), default="stratified", help="how the kept judgments are sampled"
    )
    parser.add_argument("--repeats", type=int, default=1, help=_REPEATS)


def _reduction(arguments: data.Arguments) -> pd.DataFrame:
    rates = data.asked_numbers(arguments.rates, "--rates", _LINES) if arguments.rates else RATES
    chosen = _chosen_options(arguments, "method", "repeats", "seed", "summary", "eps")
    return irviz.pool_reduction(
        data.chosen_collection(arguments), data.asked_measures(arguments), rates=rates, **chosen
    ).frame()


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("expression", help='a measure with {} in the place of the value, such as "RBP(p={})"')
    data.add_data(parser)
    parser.add_argument(
        "--values", metavar="LIST", action="append", required=True, help="the values of the parameter, such as .5,.8"
    )
    parser.add_argument(
        "--others",
        metavar="LIST",
        action="append",
        help=f"measures to compare rankings with (default {','.join(USUAL)})",
    )
    _method(parser)
    data.add_option(parser, "trials", "alpha")
    parser.add_argument("--rate", type=float, default=RATE, help=f"share of the pool that is kept (default {RATE:g})")
    parser.add_argument("--repeats", type=int, default=5, help=_REPEATS)
    data.add_option(parser, "summary", "eps", "seed")


def _sweep(arguments: data.Arguments) -> pd.DataFrame:
    values = [_value(text) for text in data.entries(arguments.values, split_expressions)]
    others = data.entries(arguments.others, split_expressions) or USUAL
    chosen = _chosen_options(arguments, "method", "alpha", "rate", "repeats", "summary", "eps", "seed", "trials")
    return irviz.sweep(data.chosen_collection(arguments), arguments.expression, values, others=others, **chosen).frame()


def _value(text: str) -> float | str:
    """A value of a sweep: a number where it is one, else a text as the expression takes it."""
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


_USER_TABLES = ("satisfaction", "differences", "by-score", "preferences")


def _add_users(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    parser.add_argument(
        "--satisfaction", metavar="FILE", help="columns topic, satisfaction and, for several systems, system"
    )
    parser.add_argument("--preferences", metavar="FILE", help="columns topic, a, b, winner: of systems or of documents")
    parser.add_argument(
        "--part",
        choices=_USER_TABLES,
        help="the table to print; by default agreement with satisfaction, or else with preferences",
    )
    parser.add_argument(
        "--coefficient", choices=list(WEIGHTED_COEFFICIENTS), default="spearman", help="between scores and satisfaction"
    )
    parser.add_argument("--trials", type=int, default=2000, help="bootstrap samples of topics (default 2000)")
    data.add_option(parser, "confidence", "seed")


def _users(arguments: data.Arguments) -> pd.DataFrame:
    """Agreement of measures with satisfaction or preferences, of files or of a collection that holds them."""
    opened = data.chosen_collection(arguments) if data.has_collection(arguments) else None
    held = {} if opened is None else {"satisfaction": opened.satisfaction, "preferences": opened.preferences}
    answers = {
        name: _users_file(getattr(arguments, name)) or held.get(name) for name in ("satisfaction", "preferences")
    }
    part = arguments.part or (
        "satisfaction" if answers["satisfaction"] is not None or not any(answers.values()) else "preferences"
    )
    needed = "preferences" if part == "preferences" else "satisfaction"
    if answers[needed] is None:
        raise IrvizError(f"No {needed} of users is given. Use --{needed} FILE, or a collection that holds it.")
    how = _chosen_options(arguments, "trials", "seed", "confidence")
    if part == "preferences":
        chosen = as_preferences(answers[needed])
        if opened is not None and not chosen.are_of(opened.systems):
            return irviz.preferences(opened, chosen).frame()
        return irviz.preferences(data.scores(arguments), chosen, **how).frame()
    rated = as_satisfaction(answers[needed])
    if part == "by-score":
        return satisfaction_by_score(data.scores(arguments), rated, **how)
    agreement = irviz.satisfaction(data.scores(arguments), rated, coefficient=arguments.coefficient, **how)
    if part == "satisfaction":
        return agreement.frame()
    return agreement.p_values.rename_axis("measure").reset_index()


def _users_file(text: str | None) -> Any:
    """A file or a URL; None where none is given."""
    return None if text is None else data.fetch_all([text])[0]


def _add_judges(parser: argparse.ArgumentParser) -> None:
    data.add_data(parser)
    data.add_measures(parser)
    _top(parser)
    data.add_option(parser, "summary")


def _judges(arguments: data.Arguments) -> pd.DataFrame:
    chosen = _chosen_options(arguments, "summary", "top")
    return irviz.judges(data.chosen_collection(arguments), data.asked_measures(arguments), **chosen).frame()


def _add_prediction_powered(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", nargs="?", help="'A > B'; without it, every system's mean")
    data.add_data(parser)
    data.add_measures(parser)
    parser.add_argument("--people", default="people", help="the judge of some topics (default people)")
    parser.add_argument("--machine", default="machine", help="the judge of all topics (default machine)")
    what = "how many topics people judged, drawn at random, or which, such as 401,402 (default: all that they judged)"
    parser.add_argument("--judged", metavar="LIST", action="append", help=what)
    parser.add_argument("--coverage", metavar="DRAWS", type=int, help="print coverage over so many draws instead")
    data.add_option(parser, "confidence", "seed")


def _prediction_powered(arguments: data.Arguments) -> pd.DataFrame:
    """Estimates of the measures asked for, or the coverage of their intervals, one under another."""
    c, judged = data.chosen_collection(arguments), data.entries(arguments.judged, split_names)
    topics = int(judged[0]) if len(judged) == 1 and judged[0].isdecimal() else judged or None
    chosen = _chosen_options(arguments, "people", "machine", "confidence", "seed")
    tables = {}
    for measure in data.asked_measures(arguments):
        found = irviz.prediction_powered(c, measure, arguments.claim, topics=topics, **chosen)
        tables[found.measure] = found.frame() if arguments.coverage is None else found.coverage(arguments.coverage)
    return pd.concat(tables, names=["measure"]).reset_index("measure").reset_index(drop=True)


def _add_scale(parser: argparse.ArgumentParser) -> None:
    data.add_source(parser)
    data.add_measures(parser)
    parser.add_argument(
        "--grades",
        metavar="LIST",
        action="append",
        help="instead of a collection's grades: their number, counting the lowest (default 2), or a list such as 0,1,3",
    )
    parser.add_argument(
        "--depth", "--at", metavar="DEPTH", type=int, default=5, help="length of the judged runs (default 5)"
    )


def _scale(arguments: data.Arguments) -> pd.DataFrame:
    """Scale types on the grades that are given, or on those of a collection."""
    if data.has_collection(arguments) and arguments.grades:
        raise IrvizError("Give either --grades, or a collection that has grades; not both.")
    # ranks do not matter, grades do
    opened = data.collection(arguments, depth=1) if data.has_collection(arguments) else None
    rows = []
    for measure in map(irviz.measure, data.asked_measures(arguments)):
        grades = _grades(arguments.grades) if opened is None else list(measure.grades_in(opened))
        plain_measure = measure if opened is None or measure.aspect is None else replace(measure, aspect=None)
        scale = irviz.scale_type(plain_measure, grades=grades, depth=arguments.depth)
        witness = ["" if run is None else " ".join(map(str, run)) for run in scale.witness or (None, None)]
        grades_text = grades if isinstance(grades, int) else " ".join(map(plain, grades))
        rows.append(
            (str(measure), grades_text, arguments.depth, scale.kind, *witness, scale.theory.kind, scale.theory_sentence)
        )
    columns = ["measure", "grades", "depth", "scale", "witness_a", "witness_b", "any_depth", "why"]
    return pd.DataFrame(rows, columns=columns)


def _grades(texts: Sequence[str] | None) -> int | list[float]:
    """How many grades there are, or which; 2 by default."""
    form = "how many grades there are, such as 3, or the grades, such as 0,1,3"
    numbers = data.asked_numbers(texts or ["2"], "--grades", form)
    return int(numbers[0]) if len(numbers) == 1 and numbers[0].is_integer() else numbers


COMMANDS = {
    "similarity": Command(_add_similarity, _similarity),
    "consistency": Command(_add_consistency, _consistency),
    "table": Command(_add_table, _table, ("csv", "json", "latex", "markdown")),
    "significance": Command(_add_significance, _significance),
    "leaderboard": Command(_add_leaderboard, _leaderboard),
    "pool-reduction": Command(_add_reduction, _reduction),
    "sweep": Command(_add_sweep, _sweep),
    "users": Command(_add_users, _users),
    "judges": Command(_add_judges, _judges),
    "prediction-powered": Command(_add_prediction_powered, _prediction_powered),
    "scale": Command(_add_scale, _scale),
}
