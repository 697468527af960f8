"""Commands that analyse scores, each of which prints the table of one result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from inspect import Parameter, signature
from typing import Any, get_type_hints

import pandas as pd

import irviz
from irviz.cli import data
from irviz.cli.main import Command
from irviz.cli.options import add_options, given
from irviz.collection.people import load_preferences, load_satisfaction
from irviz.errors import IrvizError
from irviz.stats.scores import Scores
from irviz.workspace.analyses import ANALYSES, SCALE, TABLE, USERS, Analysis, Part, parameters_of
from irviz.workspace.control import plain

# -- What every command takes from its declaration: options, data, and what it prints --------------


def add(analysis: Analysis, parser: argparse.ArgumentParser) -> None:
    """Add the options of an analysis."""
    function, positional = analysis.function, analysis.positional
    add_options(parser, function, *positional, flags=dict.fromkeys(positional, ()))
    data.add_data(parser)
    if analysis.has_measures:
        data.add_measures(parser)
    if "Score" in analysis.needs:
        data.add_matrices(parser)
    options = [name for name in analysis.parameters if name not in positional]
    add_options(parser, function, *options, flags=analysis.flags)
    if analysis.frame:
        add_options(parser, get_type_hints(function)["return"].frame, *analysis.frame)
    if analysis.parts:
        usual = next(iter(analysis.parts))
        parser.add_argument("--part", choices=[*analysis.parts], help=f"what is printed (default {usual})")


def part_of(analysis: Analysis, arguments: argparse.Namespace) -> Part:
    """The part that is asked for, or the usual one."""
    return analysis.parts[arguments.part or next(iter(analysis.parts))] if analysis.parts else Part()


def result_of(
    analysis: Analysis, function: Callable[..., Any], arguments: argparse.Namespace, *inputs: Any, **more: Any
) -> Any:
    """The result of the function of an analysis, or of one of its parts."""
    names = [name for name in parameters_of(function) if name in analysis.parameters]
    return function(*inputs, **given(arguments, function, *names, flags=analysis.flags), **more)


def run(analysis: Analysis, arguments: argparse.Namespace, *inputs: Any) -> pd.DataFrame:
    """What is asked for of the result; of a function of one measure, the tables of all, one below another."""
    part = part_of(analysis, arguments)
    function, frame = part.function or analysis.function, [getattr(arguments, name) for name in analysis.frame]
    calls = [("", inputs)] if inputs else _inputs(analysis.needs, function, arguments)
    made = {name: part.of(result_of(analysis, function, arguments, *call), *frame) for name, call in calls}
    if "" in made:
        return made[""]
    return pd.concat(made, names=["measure"]).reset_index().drop(columns="level_1", errors="ignore")


def _inputs(
    needs: str, function: Callable[..., Any], arguments: argparse.Namespace
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The data and measures of a call by measure, or of a single call without a name."""
    known = signature(function).parameters
    opened = data.either(arguments) if "Collection" in needs else data.scores(arguments)
    if isinstance(opened, Scores) and next(iter(known.values())).annotation == "ScoreMatrix":
        yield from ((name, (opened.select([name]),)) for name in opened)
    elif "measure" in known or any(one.kind is Parameter.VAR_POSITIONAL for one in known.values()):
        names = opened.measures if isinstance(opened, Scores) else map(irviz.measure, data.asked_measures(arguments))
        yield from ((name, (opened, name)) for name in map(str, names))
    else:
        yield "", (opened, data.asked_measures(arguments)) if "measures" in known else (opened,)


# -- Those that take more --------------------------------------------------------------------------


def _table(arguments: data.Arguments) -> pd.DataFrame | None:
    scores, how = data.scores(arguments), given(arguments, irviz.compare, *TABLE.parameters)
    found = irviz.compare(scores, **how).table() if "baseline" in how else scores.table()
    if arguments.format in ("latex", "markdown"):
        sys.stdout.write((found.latex() if arguments.format == "latex" else found.markdown()) + "\n")
        return None
    return found.frame().reset_index()


def _add_users(parser: argparse.ArgumentParser) -> None:
    add(USERS, parser)
    columns = "columns topic, satisfaction and, for several systems, system"
    parser.add_argument("--satisfaction", metavar="FILE", help=columns)
    parser.add_argument("--preferences", metavar="FILE", help="columns topic, a, b, winner: of systems or of documents")


def _users(arguments: data.Arguments) -> pd.DataFrame:
    """Agreement of measures with satisfaction or preferences, of files or of a collection that holds them."""
    opened = data.chosen_collection(arguments) if data.has_collection(arguments) else None
    told: dict[str, Any] = {}
    for kind, read in (("satisfaction", load_satisfaction), ("preferences", load_preferences)):
        file = getattr(arguments, kind)
        told[kind] = getattr(opened, kind, None) if file is None else read(data.fetch_all([file])[0])
    usual = next((kind for kind, answers in told.items() if answers is not None), "satisfaction")
    arguments.part = arguments.part or usual
    kind = "preferences" if arguments.part == "preferences" else "satisfaction"
    if told[kind] is None:
        raise IrvizError(f"No {kind} of users is given. Use --{kind} FILE, or a collection that holds it.")
    of_documents = kind == "preferences" and opened is not None and not told[kind].are_of(opened.systems)
    return run(USERS, arguments, opened if of_documents else data.scores(arguments), told[kind])


def _add_scale(parser: argparse.ArgumentParser) -> None:
    data.add_source(parser)
    data.add_measures(parser)
    add_options(parser, SCALE.function, *SCALE.parameters, flags=SCALE.flags)


def _scale(arguments: data.Arguments) -> pd.DataFrame:
    """Scale types on the grades that are given, or on those of a collection."""
    if data.has_collection(arguments) and arguments.grades:
        raise IrvizError("Give either --grades, or a collection that has grades; not both.")
    # ranks do not matter, grades do
    opened = data.collection(arguments, depth=1) if data.has_collection(arguments) else None
    how = {"grades": 2} | given(arguments, SCALE.function, *SCALE.parameters, flags=SCALE.flags)
    rows = []
    for measure in map(irviz.measure, data.asked_measures(arguments)):
        if opened is not None:
            how["grades"] = list(measure.grades_in(opened))
        of_one = measure if opened is None or measure.aspect is None else replace(measure, aspect=None)
        scale = irviz.scale_type(of_one, **how)
        witness = ["" if run is None else " ".join(map(str, run)) for run in scale.witness or (None, None)]
        grades = how["grades"] if isinstance(how["grades"], int) else " ".join(map(plain, how["grades"]))
        rows.append((str(measure), grades, how["depth"], scale.kind, *witness, scale.theory.kind, scale.theory.reason))
    columns = ["measure", "grades", "depth", "scale", "witness_a", "witness_b", "any_depth", "why"]
    return pd.DataFrame(rows, columns=columns)


COMMANDS = {one.name: Command(partial(add, one), partial(run, one)) for one in ANALYSES} | {
    "table": Command(partial(add, TABLE), _table, ("table", "csv", "json", "latex", "markdown")),
    "users": Command(_add_users, _users),
    "scale": Command(_add_scale, _scale),
}
