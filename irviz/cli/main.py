"""The command line: its commands, and running one of them.

Only the command that is asked for is imported.  Results go to standard output, everything else to standard
error.  The exit status is 0, or 2 with one line that says what is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from irviz.errors import IrvizError, choose, visible
from irviz.places import VERSION, needs_app

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Command:
    """Options of a command and the table it prints.

    A command that writes its own result, in one of its own `formats`, has no table.
    """

    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], pd.DataFrame | None]
    formats: tuple[str, ...] = ("table", "csv", "json", "latex")


#: word → what it is for, and the module of irviz.cli whose `COMMANDS` has it
COMMANDS = {
    "lint": ("warnings about the files", "tables"),
    "score": ("scores per topic, or per system with --summary", "tables"),
    "nuggets": ("scores of answers from the nuggets that they support", "tables"),
    "ratings": ("the judgments of a judge or an aspect", "tables"),
    "pseudonyms": ("a saved copy whose systems are System 01, …, and the table of who they are", "tables"),
    "similarity": ("how alike measures rank the systems", "analyses"),
    "consistency": ("how alike each measure ranks systems on two halves of the topics", "analyses"),
    "table": ("mean scores of systems as a table for a paper", "analyses"),
    "significance": ("which pairs of systems each measure separates", "analyses"),
    "leaderboard": ("systems ranked over topics or tasks, under one of seven rules", "analyses"),
    "pool-reduction": ("how rankings of systems change when judgments are removed", "analyses"),
    "sweep": ("four properties of a measure for every value of a parameter", "analyses"),
    "conclusion": ("whether a claim about systems holds, in every world", "conclusions"),
    "by-group": ("the difference of two systems in every group of topics", "analyses"),
    "users": ("which measures agree with what users said", "analyses"),
    "power": ("how many topics the difference of two systems needs", "analyses"),
    "judges": ("how alike judges order systems and grade documents", "analyses"),
    "prediction-powered": ("a machine's judgments of all topics, corrected by people's of some", "analyses"),
    "equal-steps": ("what equal steps between the values of measures change", "analyses"),
    "findings": ("whether the published findings hold on a collection", "conclusions"),
    "scale": ("the scale type of measures, by enumeration", "analyses"),
    "render": ("shared views as a report, or their numbers", "render"),
    "app": ("the dashboard, in a browser", "dashboard"),
}


def command(word: str) -> Command:
    """The command behind a word of `COMMANDS`."""
    loaded: Command = import_module(f"irviz.cli.{COMMANDS[word][1]}").COMMANDS[word]
    return loaded


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        words = message.removeprefix("unrecognized arguments: ").split()
        if message.startswith("unrecognized arguments: ") and words[0].startswith("--"):
            groups = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
            parsers = groups[0].choices.values() if groups else [self]
            known = [option for one in parsers for option in one._option_string_actions]
            near = difflib.get_close_matches(words[0].partition("=")[0], known, n=1)
            if near:
                raise IrvizError(f"There is no option `{words[0]}`. Did you mean {near[0]}? (see `{self.prog} --help`)")
        elif message.startswith("unrecognized arguments: ") and os.path.exists(words[0]):
            advice = "Use --qrels FILE --runs PATH, or --collection NAME."
            if len(words) > 1 and all(map(os.path.exists, words)):
                advice = f"Did you mean --qrels {words[0]} --runs {' '.join(words[1:])}?"
            raise IrvizError(f"`{words[0]}` names no option. {advice}")
        raise IrvizError(f"{message} (see `{self.prog} --help`)")


def parser(program: str, words: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line with the options of `words`; the other commands are only named."""
    top = _Parser(prog=program, description="See what an IR evaluation measure does, before you trust it.")
    top.add_argument("--version", action="version", version=f"irviz {VERSION}")
    subparsers = top.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    for word, (purpose, _) in COMMANDS.items():
        subparser = subparsers.add_parser(word, help=purpose, description=purpose)
        if word in words:
            chosen = command(word)
            chosen.options(subparser)
            if chosen.formats:
                usual = chosen.formats[int(chosen.formats[0] == "table" and not sys.stdout.isatty())]
                words_of = "output format" + " (default: table on a terminal, else csv)" * ("table" in chosen.formats)
                words_of += "; trec_eval: a topic without a list counts 0, as with -c" * ("trec_eval" in chosen.formats)
                subparser.add_argument("--format", choices=chosen.formats, default=usual, help=words_of)
    return top


def irviz() -> int:
    """The command ``irviz``: a command by its name, or else the dashboard on the data that are named."""
    arguments = sys.argv[1:]
    named = arguments and (arguments[0] in (*COMMANDS, "-h", "--help", "--version") or _is_mistyped(arguments[0]))
    return main(arguments if named else ["app", *arguments], "irviz")


def _is_mistyped(word: str) -> bool:
    """True if an unknown word looks more like a misspelt command than like data for the dashboard."""
    if os.path.exists(word) or not word.replace("-", "").replace("_", "").isalpha():
        return False
    from irviz.collection.catalogue import known_folders

    nearest = difflib.get_close_matches(word.casefold(), [*known_folders(), *COMMANDS], n=1)
    return bool(nearest) and nearest[0] in COMMANDS


def main(arguments: Sequence[str] | None = None, program: str = "python -m irviz") -> int:
    """Run one command; the exit status: 0, 2 for a refusal; where a condition of --fail-unless is not met 1, or 3.

    3 if the claim is undecided.
    """
    try:
        words = sys.argv[1:] if arguments is None else arguments
        if words and not words[0].startswith("-"):
            choose("command", words[0], tuple(COMMANDS))
        with needs_app():
            options = parser(program, words[:1]).parse_args(words)
            table = command(options.command).run(options)
        if table is not None:
            _print(table, options.format)
        sys.stdout.flush()
        if getattr(options, "unmet", ""):
            return _refuse(options.unmet, getattr(options, "status", 1))
    except BrokenPipeError:
        _discard_output()  # the reader has seen enough
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _discard_output()
        return _refuse(f"{error.filename or 'standard output'}: {error.strerror or error}.")
    except MemoryError:
        return _refuse("There is not enough memory for this. Take fewer systems, topics or ranks (--depth).")
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        return _refuse(f"Standard output is {error.encoding}, which has no {sign!a}. Set PYTHONIOENCODING=utf-8.")
    except IrvizError as error:
        return _refuse(str(error))
    return 0


def _refuse(why: str, status: int = 2) -> int:
    """One line on standard error; the exit status of a refusal, or of a condition that is not met."""
    line = f"irviz: {visible(' '.join(why.split()))}\n"
    sys.stderr.write(line.encode("utf-8", "backslashreplace").decode("utf-8"))
    return status


def _discard_output() -> None:
    """Send the rest of the output nowhere, so that Python does not complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(table: pd.DataFrame, form: str) -> None:
    """Write a table; names are as they are in a file or a pipe, and harmless on a terminal."""
    out = io.StringIO()
    if form == "csv":
        table.to_csv(out, index=False)
    elif form in _LINES:
        out.writelines(_LINES[form](table))
    elif form == "latex":
        from irviz.publish.export import to_latex

        out.write(to_latex(table).decode() + "\n")
    else:
        rows = table.astype(object).where(table.notna(), None).to_dict(orient="records")
        json.dump(rows, out, default=lambda number: number.item(), ensure_ascii=False, allow_nan=False, indent=1)
        out.write("\n")
    text = out.getvalue()
    sys.stdout.write(visible(text) if sys.stdout.isatty() else text)


def _trec_eval_lines(table: pd.DataFrame) -> Iterator[str]:
    """``measure  topic  score`` as ``trec_eval -q`` prints them; of several systems each begins with its runid."""
    several = table["system"].nunique() > 1
    for system, rows in table.groupby("system", sort=False):
        if several:
            yield f"{'runid':<22}\tall\t{system}\n"
        for name, topic, score in zip(rows["measure"], rows["topic"], rows["score"], strict=True):
            yield f"{name:<22}\t{topic}\t{score:{'.0f' if name.startswith('num_') else '6.4f'}}\n"


def _cells(table: pd.DataFrame) -> list[list[str]]:
    """The heads of a table and its rows as text, numbers of four digits; a missing one is empty."""
    known = table.astype(object).where(table.notna(), "")
    rows = [list(table.columns), *known.itertuples(index=False)]
    return [[f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]


def _aligned_lines(table: pd.DataFrame) -> Iterator[str]:
    """A table for a terminal: numbers to the right, names to the left."""
    cells, right = _cells(table), [kind.kind in "biuf" for kind in table.dtypes]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        each = zip(row, widths, right, strict=True)
        line = (cell.rjust(width) if is_number else cell.ljust(width) for cell, width, is_number in each)
        yield "  ".join(line).rstrip() + "\n"


def _markdown_lines(table: pd.DataFrame) -> Iterator[str]:
    """A table of GitHub's Markdown; names are text."""
    for number, row in enumerate(_cells(table)):
        line = " | ".join(re.sub(r"([][<>*_`|])", r"\\\1", " ".join(cell.split())) for cell in row)
        yield f"| {line} |\n"
        if not number:
            yield f"|{' --- |' * len(row)}\n"


def _qrels_lines(table: pd.DataFrame) -> Iterator[str]:
    """Lines of qrels; identifiers with blanks, which these cannot hold, are refused."""
    for query, doc in zip(table["query"], table["docid"], strict=True):
        if query.split() != [query] or doc.split() != [doc]:
            raise IrvizError(f"`{query}`, `{doc}`: qrels hold no identifier with blanks. Use --format csv.")
    for query, doc, grade in table.itertuples(index=False):
        yield f"{query} 0 {doc} {grade}\n"


_LINES = {"table": _aligned_lines, "trec_eval": _trec_eval_lines, "qrels": _qrels_lines, "markdown": _markdown_lines}
