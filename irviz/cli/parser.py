"""The commands of the command line and their options."""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import irviz
from irviz.cli import tables
from irviz.cli import tables as conclusions
from irviz.cli.dashboard import add_app, start_dashboard
from irviz.cli.data import Arguments, add_data, add_measures, add_scores, add_source
from irviz.cli.render import add_render, render
from irviz.cli.tables import ResultTable
from irviz.errors import IrvizError
from irviz.stats.aggregate import SUMMARIES
from irviz.stats.consistency import SPLITS
from irviz.stats.correlation import COEFFICIENTS
from irviz.stats.incompleteness import RATES, REDUCTIONS
from irviz.stats.significance import METHODS
from irviz.stats.sweep import RATE, USUAL
from irviz.stats.users import WEIGHTED

_RATES = ",".join(f"{rate:g}".removeprefix("0") for rate in RATES)  #: as somebody would type them
_TEST = "the test of every pair of systems"
_REPEATS = "how often judgments are sampled, independently"


@dataclass(frozen=True)
class Command:
    """One command: what it is for, its own options, and the table it prints.

    A command that writes its own result, in one of its own `formats`, has no table.
    """

    help: str
    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Arguments], ResultTable | None]
    formats: tuple[str, ...] = ("csv", "json")


def _add(parser: argparse.ArgumentParser, *names: str) -> None:
    """Those of `_OPTIONS` that are named."""
    for name in names:
        parser.add_argument(f"--{name}", **_OPTIONS[name])


def _options(*names: str) -> Callable[[argparse.ArgumentParser], None]:
    """The options of scores, and those of `_OPTIONS` that are named."""

    def add(parser: argparse.ArgumentParser) -> None:
        add_scores(parser)
        _add(parser, *names)

    return add


def _significance_options(parser: argparse.ArgumentParser) -> None:
    add_scores(parser)
    parser.add_argument("--method", "--test", choices=[*METHODS], default="randomised_tukey", help=_TEST)
    parser.add_argument(
        "--counts",
        action="store_true",
        help="print one row per measure with the number of separated pairs, instead of one row per pair",
    )
    _add(parser, "trials", "alpha", "seed")


def _reduction_options(parser: argparse.ArgumentParser) -> None:
    add_data(parser)
    add_measures(parser)
    _add(parser, "summary", "eps", "seed")
    parser.add_argument(
        "--rates", metavar="LIST", action="append", help=f"shares of the pool that are kept (default {_RATES})"
    )
    parser.add_argument(
        "--method", choices=list(REDUCTIONS), default="stratified", help="how the kept judgments are sampled"
    )
    parser.add_argument("--repeats", type=int, default=1, help=_REPEATS)


def _sweep_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("expression", help='a measure with {} in the place of the value, such as "RBP(p={})"')
    add_data(parser)
    parser.add_argument(
        "--values", metavar="LIST", action="append", required=True, help="the values of the parameter, such as .5,.8"
    )
    parser.add_argument(
        "--others",
        metavar="LIST",
        action="append",
        help=f"measures to compare rankings with (default {','.join(USUAL)})",
    )
    parser.add_argument("--method", "--test", choices=[*METHODS], default="randomised_tukey", help=_TEST)
    _add(parser, "trials", "alpha")
    parser.add_argument("--rate", type=float, default=RATE, help=f"share of the pool that is kept (default {RATE:g})")
    parser.add_argument("--repeats", type=int, default=5, help=_REPEATS)
    _add(parser, "summary", "eps", "seed")


def _scale_options(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    add_measures(parser)
    parser.add_argument(
        "--grades",
        metavar="LIST",
        action="append",
        help="instead of a collection's grades: their number, counting the lowest (default 2), or a list such as 0,1,3",
    )
    parser.add_argument(
        "--depth", "--at", metavar="DEPTH", type=int, default=5, help="length of the judged runs (default 5)"
    )


def _users_options(parser: argparse.ArgumentParser) -> None:
    add_scores(parser)
    parser.add_argument(
        "--satisfaction", metavar="FILE", help="columns topic, satisfaction and, for several systems, system"
    )
    parser.add_argument("--preferences", metavar="FILE", help="columns topic, a, b, winner: of systems or of documents")
    parser.add_argument(
        "--part",
        choices=list(tables.USER_TABLES),
        help="the table to print; by default agreement with satisfaction, or else with preferences",
    )
    parser.add_argument(
        "--coefficient", choices=list(WEIGHTED), default="spearman", help="between scores and satisfaction"
    )
    parser.add_argument("--trials", type=int, default=2000, help="bootstrap samples of topics (default 2000)")
    _add(parser, "confidence", "seed")


_OPTIONS: dict[str, dict[str, Any]] = {
    "summary": {"choices": list(SUMMARIES), "default": None, "help": "from topics to one number per system"},
    "eps": {"type": float, "default": None, "help": "ε of the geometric and harmonic means"},
    "by": {
        "choices": ["overall", "topic"],
        "default": "overall",
        "help": "average over topics first, or topic by topic",
    },
    "coefficient": {"choices": list(COEFFICIENTS), "default": "tau", "help": "how two rankings are compared"},
    "confidence": {"type": float, "default": 0.95, "help": "confidence level of the intervals"},
    "trials": {"type": int, "default": None, "help": "random splits (default 1000) or shuffles (default 2000)"},
    "split": {"choices": list(SPLITS), "default": "random", "help": "how the topics are split"},
    "alpha": {"type": float, "default": 0.05, "help": "significance level: p-values below it are significant"},
    "seed": {"type": int, "default": 0, "help": "the same seed gives the same numbers"},
}

_SCORES = ("csv", "json", "trec_eval")
_RATINGS = ("csv", "json", "qrels")

COMMANDS = {
    "lint": Command("warnings about the files", add_data, tables.run_lint),
    "score": Command(
        "scores per topic, or per system with --summary", _options("summary", "eps"), tables.run_score, _SCORES
    ),
    "ratings": Command("the judgments of a judge or an aspect", tables.add_ratings, tables.run_ratings, _RATINGS),
    "similarity": Command(
        "how alike measures rank the systems",
        _options("by", "coefficient", "summary", "eps", "confidence"),
        tables.run_similarity,
    ),
    "consistency": Command(
        "how alike each measure ranks systems on two halves of the topics",
        _options("trials", "split", "summary", "eps", "coefficient", "alpha", "seed"),
        tables.run_consistency,
    ),
    "significance": Command(
        "which pairs of systems each measure separates",
        _significance_options,
        tables.run_significance,
    ),
    "pool-reduction": Command(
        "how rankings of systems change when judgments are removed", _reduction_options, tables.run_pool_reduction
    ),
    "sweep": Command("four properties of a measure for every value of a parameter", _sweep_options, tables.run_sweep),
    "conclusion": Command(
        "whether a claim about systems holds, in every world", conclusions.add_conclusion, conclusions.run_conclusion
    ),
    "users": Command("which measures agree with what users said", _users_options, tables.run_users),
    "findings": Command(
        "whether the published findings hold on a collection", tables.add_findings, tables.run_findings
    ),
    "scale": Command("the scale type of measures, by enumeration", _scale_options, tables.run_scale),
    "render": Command("shared views as a report, or their numbers", add_render, render, ("html", "json")),
    "app": Command("the dashboard, in a browser", add_app, start_dashboard, ()),
}


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        word = message.removeprefix("unrecognized arguments: ").split()[0]
        if word != message.split()[0] and word.startswith("--"):
            known = [option for one in _commands(self) for option in one._option_string_actions]
            near = difflib.get_close_matches(word.partition("=")[0], known, n=1)
            if near:
                raise IrvizError(f"There is no option `{word}`. Did you mean {near[0]}? (see `{self.prog} --help`)")
        elif word != message.split()[0] and os.path.exists(word):
            raise IrvizError(f"`{word}` names no option. Use --qrels FILE --runs PATH, or --collection NAME.")
        raise IrvizError(f"{message} (see `{self.prog} --help`)")


def _commands(top: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of the commands."""
    found = [one for one in top._actions if isinstance(one, argparse._SubParsersAction)]
    return list(found[0].choices.values()) if found else [top]


def parser(program: str) -> argparse.ArgumentParser:
    """The command line, made from `COMMANDS`."""
    top = _Parser(prog=program, description="See what an IR evaluation measure does, before you trust it.")
    top.add_argument("--version", action="version", version=f"irviz {irviz.__version__}")
    words = top.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    for name, command in COMMANDS.items():
        one = words.add_parser(name, help=command.help, description=command.help)
        command.options(one)
        if command.formats:
            one.add_argument(
                "--format", choices=list(command.formats), default=command.formats[0], help="output format"
            )
    return top
