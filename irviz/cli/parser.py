"""The commands of the command line; only the one that is asked for is imported."""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from irviz.errors import IrvizError
from irviz.places import VERSION

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Command:
    """Options of a command and the table it prints.

    A command that writes its own result, in one of its own `formats`, has no table.
    """

    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], pd.DataFrame | None]
    formats: tuple[str, ...] = ("csv", "json")


#: word → what it is for, and the module of irviz.cli whose `COMMANDS` has it
COMMANDS = {
    "lint": ("warnings about the files", "tables"),
    "score": ("scores per topic, or per system with --summary", "tables"),
    "ratings": ("the judgments of a judge or an aspect", "tables"),
    "pseudonyms": ("a saved copy whose systems are System 01, …, and the table of who they are", "tables"),
    "similarity": ("how alike measures rank the systems", "analyses"),
    "consistency": ("how alike each measure ranks systems on two halves of the topics", "analyses"),
    "significance": ("which pairs of systems each measure separates", "analyses"),
    "pool-reduction": ("how rankings of systems change when judgments are removed", "analyses"),
    "sweep": ("four properties of a measure for every value of a parameter", "analyses"),
    "conclusion": ("whether a claim about systems holds, in every world", "conclusions"),
    "users": ("which measures agree with what users said", "analyses"),
    "equal-steps": ("what equal steps between the values of measures change", "conclusions"),
    "findings": ("whether the published findings hold on a collection", "conclusions"),
    "scale": ("the scale type of measures, by enumeration", "analyses"),
    "render": ("shared views as a report, or their numbers", "render"),
    "app": ("the dashboard, in a browser", "dashboard"),
}


def command(word: str) -> Command:
    """The command behind a word of `COMMANDS`."""
    found: Command = import_module(f"irviz.cli.{COMMANDS[word][1]}").COMMANDS[word]
    return found


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        words = message.removeprefix("unrecognized arguments: ").split()
        if message.startswith("unrecognized arguments: ") and words[0].startswith("--"):
            known = [option for one in _commands(self) for option in one._option_string_actions]
            near = difflib.get_close_matches(words[0].partition("=")[0], known, n=1)
            if near:
                raise IrvizError(f"There is no option `{words[0]}`. Did you mean {near[0]}? (see `{self.prog} --help`)")
        elif message.startswith("unrecognized arguments: ") and os.path.exists(words[0]):
            advice = "Use --qrels FILE --runs PATH, or --collection NAME."
            if len(words) > 1 and all(map(os.path.exists, words)):
                advice = f"Did you mean --qrels {words[0]} --runs {' '.join(words[1:])}?"
            raise IrvizError(f"`{words[0]}` names no option. {advice}")
        raise IrvizError(f"{message} (see `{self.prog} --help`)")


def _commands(top: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of the commands."""
    found = [one for one in top._actions if isinstance(one, argparse._SubParsersAction)]
    return list(found[0].choices.values()) if found else [top]


def parser(program: str, words: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line with the options of `words`; the other commands are only named."""
    top = _Parser(prog=program, description="See what an IR evaluation measure does, before you trust it.")
    top.add_argument("--version", action="version", version=f"irviz {VERSION}")
    every = top.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    for word, (purpose, _) in COMMANDS.items():
        one = every.add_parser(word, help=purpose, description=purpose)
        if word in words:
            chosen = command(word)
            chosen.options(one)
            if chosen.formats:
                one.add_argument("--format", choices=chosen.formats, default=chosen.formats[0], help="output format")
    return top
