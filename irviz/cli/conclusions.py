"""Claims put to the test: ``conclusion`` in every world, ``findings`` of five papers on the data."""

from __future__ import annotations

import argparse
import sys

import pandas as pd

import irviz
from irviz.cli import data
from irviz.cli.analyses import add, part_of, result_of
from irviz.cli.main import Command
from irviz.cli.options import add_options, given
from irviz.errors import join_words, visible
from irviz.multiverse.dimensions import CORRECTED, DIMENSIONS, NUGGETS, OPTIONS
from irviz.multiverse.power import POWER
from irviz.multiverse.report import Conclusion, unjudged_words
from irviz.multiverse.verdicts import POWERS, TABLES, requirement
from irviz.multiverse.worlds import worlds
from irviz.workspace.analyses import CONCLUSION

#: of dimensions without usual options
_WORDS: dict[str, tuple[str, ...]] = {
    "judge": ("names of judges or aspects", CORRECTED),
    "depth": ("1000", "100"),
    **dict.fromkeys(NUGGETS, ("0", "0.5", "1")),
}


def _add_conclusion(parser: argparse.ArgumentParser) -> None:
    add(CONCLUSION, parser)
    group = parser.add_argument_group("worlds (by default, all that the collection supports)")
    known = {name: join_words(list(_WORDS.get(name) or OPTIONS[name]), 9) for name in CONCLUSION.choices}
    helps = {name: f"{DIMENSIONS[name]}: {options}" for name, options in known.items()}
    add_options(group, worlds, *CONCLUSION.choices, flags=CONCLUSION.flags, helps=helps)
    parser.add_argument(
        "--fail-unless",
        metavar="CONDITION",
        action="append",
        help="such as 'holds >= 0.8' or 'joint <= 0.05': otherwise, or if a compared system has no judged document on "
        "most topics, exit with 1, and with 3 if there is no evidence either way",
    )


def _conclusion(arguments: data.Arguments) -> pd.DataFrame:
    conditions = [requirement(text) for text in arguments.fail_unless or ()]
    opened, chosen = data.either(arguments), given(arguments, worlds, *CONCLUSION.choices, flags=CONCLUSION.flags)
    if arguments.measures and not arguments.scores:
        chosen["measures"] = data.asked_measures(arguments)
    in_worlds = worlds(opened, seed=arguments.seed, **chosen)
    conclusion: Conclusion = result_of(CONCLUSION, CONCLUSION.function, arguments, opened, worlds=in_worlds)
    unmet = next(filter(None, (condition(conclusion) for condition in conditions)), "")
    caution = unjudged_words(conclusion)
    if not unmet and caution:
        sys.stderr.write(visible(f"irviz: {caution}\n"))
    arguments.unmet = f"{unmet} {conclusion.headline}." if unmet else ""
    if unmet and not caution and conclusion.evidence not in ("holds", "does not hold"):
        arguments.unmet, arguments.status = f"{arguments.unmet} {_needed(conclusion)}", 3
    if arguments.format == "markdown":
        sys.stdout.write(visible(f"### {conclusion.headline}\n\n"))
        arguments.part = arguments.part or "summary"
    return part_of(CONCLUSION, arguments).of(conclusion)


def _needed(r: Conclusion) -> str:
    """Smallest difference that the topics show, and how many topics the observed one needs."""
    rows = TABLES["summary"](r).set_index("what")["value"]
    numbers = [f"{name}: {rows[name]:.3g}" for name in (*POWERS, "topics") if not pd.isna(rows[name])]
    return f"{'; '.join(numbers)} (paired t test, power {POWER:g})."


def _add_findings(parser: argparse.ArgumentParser) -> None:
    data.add_data(parser)
    data.add_matrices(parser)
    add_options(parser, irviz.findings, *_FINDINGS)


def _findings(arguments: data.Arguments) -> pd.DataFrame:
    """Ask the findings, with a bar of progress on standard error where that is a terminal."""
    arguments.measures = None
    how, progress = given(arguments, irviz.findings, *_FINDINGS), _bar if sys.stderr.isatty() else None
    return irviz.findings(data.either(arguments), **how, progress=progress).frame()


_FINDINGS = ("numbers", "seed", "workers")


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
