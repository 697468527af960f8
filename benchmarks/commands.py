"""``docs/command-line.md``: every command with its options, from the parser itself.

``python -m benchmarks.commands > docs/command-line.md`` makes the file again.
"""

from __future__ import annotations

import argparse
import sys

from irviz.cli.main import COMMANDS, parser


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parser of every word."""
    words = next(one for one in parser("irviz")._actions if isinstance(one, argparse._SubParsersAction))
    return {name: words.choices[name] for name in COMMANDS}


def command_options(one: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options of a command, without its help."""
    return [action for action in one._actions if not isinstance(action, argparse._HelpAction)]


def command_markdown() -> str:
    """The words as one Markdown document."""
    parts = [
        "# The command line\n\nMade from the parser by `python -m benchmarks.commands > docs/command-line.md`; do not "
        "edit.\n\n`irviz` is short for `python -m irviz`, and by itself opens the dashboard (`app`). Results go to "
        "standard output, everything else to standard error; the exit status is 0, or 2 with one line "
        "that says what is wrong."
    ]
    parts += [_section(name, one) for name, one in commands().items()]
    return "\n\n".join(parts) + "\n"


def _section(name: str, one: argparse.ArgumentParser) -> str:
    rows = [f"| {_option_words(action)} | {_default(action)} | {_meaning(action)} |" for action in command_options(one)]
    table = ["| | default | meaning |", "| --- | --- | --- |", *rows]
    return f"## `irviz {name}`\n\n{_sentence(COMMANDS[name][0])}\n\n" + "\n".join(table)


def _option_words(action: argparse.Action) -> str:
    return ", ".join(f"`{name}`" for name in action.option_strings) or f"`{action.metavar or action.dest}`"


def _default(action: argparse.Action) -> str:
    """The default, unless the meaning says it."""
    shown = action.default not in (None, False, "", [], argparse.SUPPRESS) and "default" not in (action.help or "")
    return f"`{action.default}`" if shown else ""


def _meaning(action: argparse.Action) -> str:
    text = (action.help or "").replace("%%", "%").replace("|", "\\|")
    words = f" ({', '.join(f'`{one}`' for one in action.choices)})" if action.choices is not None else ""
    return f"{text}{words}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


if __name__ == "__main__":
    sys.stdout.write(command_markdown())
