"""irviz without a browser: ``python -m irviz score --collection adhoc --measures "AP,nDCG@10"``.

Results go to standard output, everything else to standard error.  The exit status is 0,
or 2 with one line that says what is wrong.  May import every floor except the interface.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

import numpy as np
import pandas as pd

import irviz
from irviz.analysis.pools import METHODS as REDUCTIONS
from irviz.analysis.significance import METHODS as TESTS
from irviz.analysis.similarity import COEFFICIENTS
from irviz.analysis.splits import SPLITS
from irviz.collection.model import TIE_RULES, Collection
from irviz.errors import IrvizError
from irviz.scores import Scores
from irviz.summary import SUMMARIES
from irviz.views.render import add_options, render
from irviz.views.text import split_expressions, split_names

Arguments: TypeAlias = argparse.Namespace
Result: TypeAlias = pd.DataFrame


@dataclass(frozen=True)
class Command:
    """One word of the command line: what it is for, its own options, and the table it prints.

    One that writes its own result, in one of its own `formats`, has no table.
    """

    help: str
    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Arguments], Result]
    formats: tuple[str, ...] = ("csv", "json")


# -- where the data come from --------------------------------------------------------------


def _add_data(parser: argparse.ArgumentParser) -> None:
    data = parser.add_argument_group("data")
    data.add_argument("--collection", metavar="NAME", help="a bundled or saved collection, a folder or an .irviz file")
    data.add_argument(
        "--qrels",
        metavar="FILE",
        action="append",
        help="judgments; once an aspect as ASPECT=FILE where there are several",
    )
    data.add_argument("--runs", metavar="PATH", nargs="+", help="a folder, an archive or the files of the runs")
    data.add_argument("--ties", choices=list(TIE_RULES), default=None, help="how equal scores are ordered")
    data.add_argument("--depth", type=int, default=1000, help="ranks kept of every list (default 1000)")
    data.add_argument("--topics", metavar="LIST", help="only these topics, such as 401,402")
    data.add_argument("--systems", metavar="LIST", help="only these systems, such as bm25,dense")


def _add_scores(parser: argparse.ArgumentParser) -> None:
    _add_data(parser)
    parser.add_argument("--scores", metavar="NAME=FILE", action="append", help="a score matrix (CSV) in place of runs")
    parser.add_argument("--measures", metavar="LIST", help='such as "AP,nDCG@10,RBP(p=0.8)"')


def _collection(given: Arguments) -> Collection:
    if given.collection and (given.qrels or given.runs):
        raise IrvizError("Give either --collection, or --qrels and --runs; not both.")
    if given.collection:
        return irviz.open_collection(given.collection, ties=given.ties, depth=given.depth)
    if not given.qrels or not given.runs:
        raise IrvizError("No data are given. Use --collection NAME, or --qrels FILE --runs PATH.")
    qrels: Any = given.qrels[0]
    if len(given.qrels) > 1 or ("=" in qrels and not os.path.exists(qrels)):
        qrels = dict(_pair(text, "--qrels", "ASPECT=FILE") for text in given.qrels)
    runs = given.runs[0] if len(given.runs) == 1 else given.runs
    return irviz.load_collection(qrels, runs, ties=given.ties or "trec_eval", depth=given.depth)


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not (key and sign and value):
        raise IrvizError(f"{option} takes {form}; got `{text}`.")
    return key, value


def _chosen(given: Arguments) -> Collection:
    """The collection with the topics and systems asked for."""
    return _collection(given).subset(*_some(given))


def _some(given: Arguments) -> tuple[list[str] | None, list[str] | None]:
    """The topics and the systems asked for; None for all."""
    topics, systems = (split_names(text) if text else None for text in (given.topics, given.systems))
    return topics, systems


def _measures(given: Arguments) -> list[str]:
    if not given.measures:
        raise IrvizError('No measure is given. Use --measures "AP,nDCG@10".')
    return split_expressions(given.measures)


def _scores(given: Arguments) -> Scores:
    if not given.scores:
        return irviz.score(_collection(given), _measures(given)).select(None, *_some(given))
    if given.collection or given.qrels or given.runs:
        raise IrvizError("Give either --scores, or a collection; not both.")
    loaded = irviz.load_scores(dict(_pair(text, "--scores", "NAME=FILE") for text in given.scores))
    return loaded.select(_measures(given) if given.measures else None, *_some(given))


# -- the commands --------------------------------------------------------------------------


def _lint(given: Arguments) -> Result:
    rows = [(one.severity, one.file, one.line, one.message) for one in _collection(given).findings]
    return pd.DataFrame(rows, columns=["severity", "file", "line", "message"]).astype({"line": "Int64"})


def _score(given: Arguments) -> Result:
    scores = _scores(given)
    if given.summary is None:
        return scores.frame()
    rows = [irviz.summarise(scores[name], given.summary, eps=given.eps) for name in scores.measures]
    table = pd.DataFrame(rows, index=list(scores.measures)).rename_axis(index="measure", columns="system")
    return table.stack().rename("score").reset_index()


def _similarity(given: Arguments) -> Result:
    return irviz.similarity(
        _scores(given),
        by=given.by,
        coefficient=given.coefficient,
        summary=given.summary or "mean",
        confidence=given.confidence,
        eps=given.eps,
    ).frame()


def _consistency(given: Arguments) -> Result:
    return irviz.consistency(
        _scores(given),
        split=given.split,
        summary=given.summary or "mean",
        eps=given.eps,
        coefficient=given.coefficient,
        seed=given.seed,
        **_trials(given),
    ).frame(given.alpha)


def _significance(given: Arguments) -> Result:
    scores = _scores(given)
    tables = []
    for name in scores.measures:
        found = irviz.significance(
            scores[name], given.test, alpha=given.alpha, seed=given.seed, order=scores.order(name), **_trials(given)
        )
        tables.append(found.frame().assign(measure=name))
    table = pd.concat(tables, ignore_index=True)
    return table[["measure", *(column for column in table.columns if column != "measure")]]


def _pool_reduction(given: Arguments) -> Result:
    return irviz.pool_reduction(
        _chosen(given),
        _measures(given),
        rates=_rates(given.rates),
        method=given.method,
        repeats=given.repeats,
        seed=given.seed,
        summary=given.summary or "mean",
        eps=given.eps,
    ).frame()


def _rates(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise IrvizError(f"--rates takes numbers with commas between them, such as .9,.5,.1; got `{text}`.") from error


def _trials(given: Arguments) -> dict[str, Any]:
    """The trials asked for; nothing where the library's default holds."""
    return {} if given.trials is None else {"trials": given.trials}


def _scale(given: Arguments) -> Result:
    rows = []
    for expression in split_expressions(given.measures or ""):
        found = irviz.scale_type(expression, grades=given.grades, depth=given.at)
        witness = ["" if run is None else " ".join(map(str, run)) for run in found.witness or (None, None)]
        rows.append((str(irviz.measure(expression)), given.grades, given.at, found.kind, *witness))
    if not rows:
        raise IrvizError('No measure is given. Use --measures "RBP(p=0.5),AP".')
    return pd.DataFrame(rows, columns=["measure", "grades", "depth", "scale", "witness_a", "witness_b"])


def _options(*names: str, scores: bool = True) -> Callable[[argparse.ArgumentParser], None]:
    """The data options, and those of `OPTIONS` that are named."""

    def add(parser: argparse.ArgumentParser) -> None:
        (_add_scores if scores else _add_data)(parser)
        for name in names:
            parser.add_argument(f"--{name}", **OPTIONS[name])

    return add


def _reduction_options(parser: argparse.ArgumentParser) -> None:
    _options("summary", "eps", "seed", scores=False)(parser)
    parser.add_argument("--measures", metavar="LIST", help='such as "AP,nDCG@10"')
    parser.add_argument("--rates", default=".9,.7,.5,.3,.1,.05", help="shares of the pool that are kept")
    parser.add_argument("--method", choices=list(REDUCTIONS), default="stratified")
    parser.add_argument("--repeats", type=int, default=1)


def _scale_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--measures", metavar="LIST", help='such as "RBP(p=0.5),AP"')
    parser.add_argument("--grades", type=int, default=2, help="grade levels, the lowest included (default 2)")
    parser.add_argument("--at", metavar="DEPTH", type=int, default=5, help="length of the judged runs (default 5)")


OPTIONS: dict[str, dict[str, Any]] = {
    "summary": {"choices": list(SUMMARIES), "default": None, "help": "from topics to one number a system"},
    "eps": {"type": float, "default": None, "help": "ε of the geometric and harmonic means"},
    "by": {"choices": ["overall", "topic"], "default": "overall"},
    "coefficient": {"choices": list(COEFFICIENTS), "default": "tau"},
    "confidence": {"type": float, "default": 0.95},
    "trials": {"type": int, "default": None, "help": "random splits (default 1000) or shuffles (default 2000)"},
    "split": {"choices": list(SPLITS), "default": "random"},
    "test": {"choices": list(TESTS), "default": "randomised_tukey"},
    "alpha": {"type": float, "default": 0.05},
    "seed": {"type": int, "default": 0},
}

COMMANDS = {
    "lint": Command("what the files hold that a person should know", _add_data, _lint),
    "score": Command("scores per topic, or per system with --summary", _options("summary", "eps"), _score),
    "similarity": Command(
        "how alike measures rank the systems",
        _options("by", "coefficient", "summary", "eps", "confidence"),
        _similarity,
    ),
    "consistency": Command(
        "how alike each measure ranks systems on two halves of the topics",
        _options("trials", "split", "summary", "eps", "coefficient", "alpha", "seed"),
        _consistency,
    ),
    "significance": Command(
        "which pairs of systems each measure separates",
        _options("test", "trials", "alpha", "seed"),
        _significance,
    ),
    "pool-reduction": Command("how rankings hold when judgments are taken away", _reduction_options, _pool_reduction),
    "scale": Command("the scale type of measures, by enumeration", _scale_options, _scale),
    "render": Command("shared views as a report, or their numbers", add_options, render, ("html", "json")),
}


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise IrvizError(f"{message} (see `{self.prog} --help`)")


def parser() -> argparse.ArgumentParser:
    """The command line, made from `COMMANDS`."""
    top = _Parser(prog="python -m irviz", description="See what an IR evaluation measure does, before you trust it.")
    words = top.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    for name, command in COMMANDS.items():
        one = words.add_parser(name, help=command.help, description=command.help)
        command.options(one)
        one.add_argument("--format", choices=list(command.formats), default=command.formats[0])
    return top


def _print(table: pd.DataFrame, form: str) -> None:
    if form == "csv":
        table.to_csv(sys.stdout, index=False)
        return
    rows = table.astype(object).where(table.notna(), None).to_dict(orient="records")
    json.dump(rows, sys.stdout, default=_plain, ensure_ascii=False, allow_nan=False, indent=1)
    sys.stdout.write("\n")


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    try:
        given = parser().parse_args(arguments)
        table = COMMANDS[given.command].run(given)
        if table is not None:
            _print(table, given.format)
    except IrvizError as error:
        print(f"irviz: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
    return 0


if __name__ == "__main__":
    sys.exit(main())
