"""Commands that analyse scores, each of which prints the table of one result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, get_type_hints

import pandas as pd

import irviz
from irviz.cli import data
from irviz.cli.main import Command
from irviz.cli.options import add_options, given
from irviz.collection.people import as_preferences, as_satisfaction
from irviz.errors import IrvizError
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.users import satisfaction_by_score
from irviz.workspace.analyses import ANALYSES, SIGNIFICANCE, SIMILARITY, Analysis
from irviz.workspace.control import plain, split_names

# -- Analyses that are declared: options, data and table from the declaration ----------------------


def _add(analysis: Analysis, parser: argparse.ArgumentParser) -> None:
    add_options(parser, analysis.function, *analysis.positional)
    data.add_data(parser)
    if analysis.has_measures:
        data.add_measures(parser)
    if analysis.needs != "Collection":
        data.add_matrices(parser)
    add_options(parser, analysis.function, *_names(analysis), flags=analysis.flags)
    if analysis.frame:
        add_options(parser, get_type_hints(analysis.function)["return"].frame, *analysis.frame)


def _names(analysis: Analysis) -> list[str]:
    return [name for name in analysis.parameters if name not in analysis.positional]


def _run(analysis: Analysis, arguments: argparse.Namespace) -> pd.DataFrame:
    """The table of the result; of a function of one measure, that of all measures."""
    function, how = analysis.function, given(arguments, analysis.function, *_names(analysis))
    words = [getattr(arguments, name) for name in analysis.positional]
    if analysis.needs == "Collection":
        words = [data.asked_measures(arguments), *words] if analysis.has_measures else words
        return _table_of(function(data.chosen_collection(arguments), *words, **how), analysis, arguments)
    if analysis.needs == "Scores":
        return _table_of(function(data.scores(arguments), *words, **how), analysis, arguments)
    if analysis.needs == "ScoreMatrix":
        cube = data.scores(arguments)
        calls = {name: (cube.select([name]), *words) for name in cube}
    else:
        opened = data.scores(arguments) if arguments.scores else data.chosen_collection(arguments)
        names = opened.measures if isinstance(opened, Scores) else data.asked_measures(arguments)
        calls = {name: (opened, name, *words) for name in names}
    return stacked({name: _table_of(function(*call, **how), analysis, arguments) for name, call in calls.items()})


def _table_of(result: Any, analysis: Analysis, arguments: argparse.Namespace) -> pd.DataFrame:
    if isinstance(result, pd.DataFrame):
        return result
    table: pd.DataFrame = result.frame(*(getattr(arguments, name) for name in analysis.frame))
    return table


def stacked(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Tables of measures, one below another, with a column that says whose a row is."""
    return pd.concat(tables, names=["measure"]).reset_index().drop(columns="level_1", errors="ignore")


def _add_similarity(parser: argparse.ArgumentParser) -> None:
    _add(SIMILARITY, parser)
    what = "what to print: a row per pair of measures (default), or a square"
    parser.add_argument("--part", choices=["pairs", "matrix"], default="pairs", help=what)


def _similarity(arguments: data.Arguments) -> pd.DataFrame:
    if arguments.part == "pairs":
        return _run(SIMILARITY, arguments)
    how = given(arguments, SIMILARITY.function, *_names(SIMILARITY))
    matrix: pd.DataFrame = SIMILARITY.function(data.scores(arguments), **how).matrix()
    return matrix.rename_axis("measure").reset_index()


def _add_significance(parser: argparse.ArgumentParser) -> None:
    _add(SIGNIFICANCE, parser)
    what = "print one row per measure with the number of separated pairs, instead of one row per pair"
    parser.add_argument("--counts", action="store_true", help=what)


def _significance(arguments: data.Arguments) -> pd.DataFrame:
    if not arguments.counts:
        return _run(SIGNIFICANCE, arguments)
    how = given(arguments, SIGNIFICANCE.function, *_names(SIGNIFICANCE))
    return discriminative_power(data.scores(arguments), **how).frame()


# -- Others ----------------------------------------------------------------------------------------


_COMPARE = ("test", "correction", "trials", "alpha", "seed", "groups")


def _add_table(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    parser.add_argument("--baseline", metavar="SYSTEM", help="mark systems that differ significantly from this one")
    add_options(parser, irviz.compare, *_COMPARE)


def _table(arguments: data.Arguments) -> pd.DataFrame | None:
    cube, base = data.scores(arguments), arguments.baseline
    how = given(arguments, irviz.compare, *_COMPARE)
    found = cube.table() if base is None else irviz.compare(cube, base, **how).table()
    if arguments.format in ("latex", "markdown"):
        sys.stdout.write((found.latex() if arguments.format == "latex" else found.markdown()) + "\n")
        return None
    return found.frame().reset_index()


def _add_users(parser: argparse.ArgumentParser) -> None:
    data.add_scores(parser)
    parser.add_argument(
        "--satisfaction", metavar="FILE", help="columns topic, satisfaction and, for several systems, system"
    )
    parser.add_argument("--preferences", metavar="FILE", help="columns topic, a, b, winner: of systems or of documents")
    parser.add_argument(
        "--part",
        choices=("satisfaction", "differences", "by-score", "preferences"),
        help="the table to print; by default agreement with satisfaction, or else with preferences",
    )
    add_options(parser, irviz.satisfaction, "coefficient", "trials", "confidence", "seed", "groups")


def _users(arguments: data.Arguments) -> pd.DataFrame:
    """Agreement of measures with satisfaction or preferences, of files or of a collection that holds them."""
    opened = data.chosen_collection(arguments) if data.has_collection(arguments) else None
    answers = {name: getattr(opened, name, None) for name in ("satisfaction", "preferences")}
    files = {name: getattr(arguments, name) for name in answers}
    answers |= {name: data.fetch_all([file])[0] for name, file in files.items() if file is not None}
    part = arguments.part or next((name for name, told in answers.items() if told is not None), "satisfaction")
    needed = "preferences" if part == "preferences" else "satisfaction"
    if answers[needed] is None:
        raise IrvizError(f"No {needed} of users is given. Use --{needed} FILE, or a collection that holds it.")
    how = given(arguments, irviz.satisfaction, "trials", "confidence", "seed", "groups")
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


_CORRECTED = ("people", "machine", "confidence", "seed")


def _add_prediction_powered(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", nargs="?", help="'A > B'; without it, every system's mean")
    data.add_data(parser)
    data.add_measures(parser)
    add_options(parser, irviz.prediction_powered, *_CORRECTED)
    what = "how many topics people judged, drawn at random, or which, such as 401,402 (default: all that they judged)"
    parser.add_argument("--judged", metavar="LIST", action="append", help=what)
    parser.add_argument("--coverage", metavar="DRAWS", type=int, help="print coverage over so many draws instead")


def _prediction_powered(arguments: data.Arguments) -> pd.DataFrame:
    """Estimates of the measures asked for, or the coverage of their intervals, one under another."""
    c, judged = data.chosen_collection(arguments), data.entries(arguments.judged, split_names)
    topics = int(judged[0]) if len(judged) == 1 and judged[0].isdecimal() else judged or None
    chosen = given(arguments, irviz.prediction_powered, *_CORRECTED)
    tables = {}
    for measure in data.asked_measures(arguments):
        found = irviz.prediction_powered(c, measure, arguments.claim, topics=topics, **chosen)
        tables[found.measure] = found.frame() if arguments.coverage is None else found.coverage(arguments.coverage)
    return stacked(tables)


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
            (str(measure), grades_text, arguments.depth, scale.kind, *witness, scale.theory.kind, scale.theory.reason)
        )
    columns = ["measure", "grades", "depth", "scale", "witness_a", "witness_b", "any_depth", "why"]
    return pd.DataFrame(rows, columns=columns)


def _grades(texts: Sequence[str] | None) -> int | list[float]:
    """How many grades there are, or which; 2 by default."""
    form = "how many grades there are, such as 3, or the grades, such as 0,1,3"
    numbers = data.asked_numbers(texts or ["2"], "--grades", form)
    return int(numbers[0]) if len(numbers) == 1 and numbers[0].is_integer() else numbers


COMMANDS = {one.name: Command(partial(_add, one), partial(_run, one)) for one in ANALYSES} | {
    "similarity": Command(_add_similarity, _similarity),
    "significance": Command(_add_significance, _significance),
    "table": Command(_add_table, _table, ("table", "csv", "json", "latex", "markdown")),
    "users": Command(_add_users, _users),
    "prediction-powered": Command(_add_prediction_powered, _prediction_powered),
    "scale": Command(_add_scale, _scale),
}
