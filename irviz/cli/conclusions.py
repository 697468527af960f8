"""Claims put to the test: ``conclusion`` in every world, ``findings`` of five papers on the data."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import pandas as pd

import irviz
from irviz.cli import data
from irviz.cli.main import Command
from irviz.cli.options import add_options, given
from irviz.collection.model import Collection
from irviz.errors import join_words, visible
from irviz.multiverse import dimensions
from irviz.multiverse.power import POWER
from irviz.multiverse.report import Conclusion, unjudged_words
from irviz.multiverse.verdicts import POWERS, TABLES, conclusion_from_choices, requirement
from irviz.stats.scores import Scores
from irviz.workspace.control import split_expressions

#: of dimensions without usual options
_WORDS = {"judge": ("names of judges or aspects", dimensions.CORRECTED), "depth": ("1000", "100")}
_DIMENSIONS = [name for name in dimensions.DIMENSIONS if name != "measure"]


def _data(arguments: data.Arguments) -> Collection | Scores:
    return data.scores(arguments) if arguments.scores else data.chosen_collection(arguments)


_HOW = ("alpha", "groups", "trials", "seed", "workers")


def _add_conclusion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", help="'A > B', 'A > B > C', 'A is best' or 'A in top 5'; unusual names in `backticks`")
    data.add_scores(parser)
    worlds = parser.add_argument_group("worlds (by default, all that the collection supports)")
    for name in _DIMENSIONS:
        known = join_words(list(_WORDS.get(name) or dimensions.OPTIONS[name]), 9)
        what = f"{dimensions.DIMENSIONS[name]}: {known}"
        worlds.add_argument(f"--{dimensions.OPTION_NAMES.get(name, name)}", metavar="LIST", action="append", help=what)
    parser.add_argument(
        "--part",
        choices=list(TABLES),
        help="what to print (default: a row per world, in markdown the summary)",
    )
    parser.add_argument(
        "--fail-unless",
        metavar="CONDITION",
        action="append",
        help="such as 'holds >= 0.8' or 'joint <= 0.05': otherwise, or if a compared system has no judged document on "
        "most topics, exit with 1, and with 3 if there is no evidence either way",
    )
    add_options(parser, irviz.conclusion, *_HOW)


def _conclusion(arguments: data.Arguments) -> pd.DataFrame:
    conditions = [requirement(text) for text in arguments.fail_unless or ()]
    conclusion = conclusion_from_choices(
        _data(arguments),
        arguments.claim,
        choices=_choices(arguments),
        **given(arguments, irviz.conclusion, *_HOW),
    )
    unmet = next(filter(None, (condition(conclusion) for condition in conditions)), "")
    caution = unjudged_words(conclusion)
    if not unmet and caution:
        sys.stderr.write(visible(f"irviz: {caution}\n"))
    arguments.unmet = f"{unmet} {conclusion.headline}." if unmet else ""
    if unmet and not caution and conclusion.evidence not in ("holds", "does not hold"):
        arguments.unmet, arguments.status = f"{arguments.unmet} {_needed(conclusion)}", 3
    if arguments.format == "markdown":
        sys.stdout.write(visible(f"### {conclusion.headline}\n\n"))
    return TABLES[arguments.part or ("summary" if arguments.format == "markdown" else "worlds")](conclusion)


def _needed(r: Conclusion) -> str:
    """Smallest difference that the topics show, and how many topics the observed one needs."""
    rows = TABLES["summary"](r).set_index("what")["value"]
    numbers = [f"{name}: {rows[name]:.3g}" for name in (*POWERS, "topics") if not pd.isna(rows[name])]
    return f"{'; '.join(numbers)} (paired t test, power {POWER:g})."


def _choices(arguments: data.Arguments) -> dict[str, Any]:
    """The options chosen on each dimension, without the usual ones."""
    choices: dict[str, Any] = {}
    if arguments.measures and not arguments.scores:
        choices["measure"] = data.entries(arguments.measures, split_expressions)
    for dimension in _DIMENSIONS:
        texts = getattr(arguments, dimensions.OPTION_NAMES.get(dimension, dimension).replace("-", "_"))
        if texts and dimension == "depth":
            numbers = data.asked_numbers(texts, "--depths", "numbers of ranks, such as 1000,100")
            choices[dimension] = [int(number) for number in numbers]
        elif texts:
            choices[dimension] = data.entries(texts, split_expressions)
    return choices


def _add_findings(parser: argparse.ArgumentParser) -> None:
    data.add_data(parser)
    data.add_matrices(parser)
    parser.add_argument("--numbers", metavar="LIST", action="append", help="only these findings, such as 1,5,27")
    add_options(parser, irviz.findings, "seed", "workers")


def _findings(arguments: data.Arguments) -> pd.DataFrame:
    """Ask the findings, with a bar of progress on standard error where that is a terminal."""
    arguments.measures = None
    chosen = arguments.numbers and [
        int(number)
        for number in data.asked_numbers(arguments.numbers, "--numbers", "numbers of findings, such as 1,5,27")
    ]
    progress = _bar if sys.stderr.isatty() else None
    findings = irviz.findings(
        _data(arguments), seed=arguments.seed, numbers=chosen, workers=arguments.workers, progress=progress
    )
    return findings.frame()


def _bar(share: float, words: str) -> None:
    """A bar of progress that is written over itself, and ends its line when the work is done."""
    done = round(30 * share)
    end = "\n" if share >= 1 else ""
    sys.stderr.write(visible(f"[{'#' * done}{'.' * (30 - done)}] {share:4.0%}  {words[:40]:<40}").join(("\r", end)))
    sys.stderr.flush()


COMMANDS = {
    "conclusion": Command(_add_conclusion, _conclusion, ("table", "csv", "json", "latex", "markdown")),
    "findings": Command(_add_findings, _findings),
}
