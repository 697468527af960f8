"""Running one command of the command line.

Results go to standard output, everything else to standard error.  The exit status is 0,
or 2 with one line that says what is wrong.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from irviz.cli.parser import COMMANDS, parser
from irviz.collection.catalogue import known_folders
from irviz.errors import IrvizError, choose, visible


def irviz() -> int:
    """The command ``irviz``: one of the words, or else the dashboard on what is named."""
    given = sys.argv[1:]
    named = given and (given[0] in (*COMMANDS, "-h", "--help", "--version") or _mistyped(given[0]))
    return main(given if named else ["app", *given], "irviz")


def _mistyped(word: str) -> bool:
    """Whether a word that is no command is more like one than like anything that the dashboard could open."""
    if os.path.exists(word) or not word.replace("-", "").replace("_", "").isalpha():
        return False
    nearest = difflib.get_close_matches(word.casefold(), [*known_folders(), *COMMANDS], n=1)
    return bool(nearest) and nearest[0] in COMMANDS


def main(arguments: Sequence[str] | None = None, program: str = "python -m irviz") -> int:
    """Run one command; the exit status."""
    try:
        words = sys.argv[1:] if arguments is None else arguments
        if words and not words[0].startswith("-"):
            choose("command", words[0], tuple(COMMANDS))
        given = parser(program).parse_args(words)
        table = COMMANDS[given.command].run(given)
        if table is not None:
            _print(table, given.format)
        sys.stdout.flush()
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


def _refuse(why: str) -> int:
    """One line on standard error; the exit status of a refusal."""
    line = f"irviz: {visible(' '.join(why.split()))}\n"
    sys.stderr.write(line.encode("utf-8", "backslashreplace").decode("utf-8"))
    return 2


def _discard_output() -> None:
    """What is still to be printed goes nowhere, so that nothing is complained about at the end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(table: pd.DataFrame, form: str) -> None:
    """Write a table; names are as they are in a file or a pipe, and harmless on a terminal."""
    held = io.StringIO() if sys.stdout.isatty() else None
    out = held or sys.stdout
    if form == "csv":
        table.to_csv(out, index=False)
    else:
        rows = table.astype(object).where(table.notna(), None).to_dict(orient="records")
        json.dump(rows, out, default=_plain, ensure_ascii=False, allow_nan=False, indent=1)
        out.write("\n")
    if held is not None:
        sys.stdout.write(visible(held.getvalue()))


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
