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
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from irviz.cli.parser import COMMANDS, command, parser
from irviz.errors import IrvizError, choose, visible
from irviz.places import needs_app

if TYPE_CHECKING:
    import pandas as pd


def irviz() -> int:
    """The command ``irviz``: one of the words, or else the dashboard on what is named."""
    given = sys.argv[1:]
    named = given and (given[0] in (*COMMANDS, "-h", "--help", "--version") or _mistyped(given[0]))
    return main(given if named else ["app", *given], "irviz")


def _mistyped(word: str) -> bool:
    """True if an unknown word looks more like a misspelt command than like data for the dashboard."""
    if os.path.exists(word) or not word.replace("-", "").replace("_", "").isalpha():
        return False
    from irviz.collection.catalogue import known_folders

    nearest = difflib.get_close_matches(word.casefold(), [*known_folders(), *COMMANDS], n=1)
    return bool(nearest) and nearest[0] in COMMANDS


def main(arguments: Sequence[str] | None = None, program: str = "python -m irviz") -> int:
    """Run one command; the exit status: 0, 2 for a refusal, 1 where a condition of --fail-unless is not met."""
    try:
        words = sys.argv[1:] if arguments is None else arguments
        if words and not words[0].startswith("-"):
            choose("command", words[0], tuple(COMMANDS))
        with needs_app():
            given = parser(program, words[:1]).parse_args(words)
            table = command(given.command).run(given)
        if table is not None:
            _print(table, given.format)
        sys.stdout.flush()
        if getattr(given, "unmet", ""):
            return _refuse(given.unmet, 1)
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
    elif form == "trec_eval":
        out.writelines(_trec_eval_lines(table))
    elif form == "qrels":
        out.writelines(_qrels_lines(table))
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
            yield f"{name:<22}\t{topic}\t{score:6.4f}\n"


def _qrels_lines(table: pd.DataFrame) -> Iterator[str]:
    """Lines of qrels; identifiers with blanks, which these cannot hold, are refused."""
    for query, doc in zip(table["query"], table["docid"], strict=True):
        if query.split() != [query] or doc.split() != [doc]:
            raise IrvizError(f"`{query}`, `{doc}`: qrels hold no identifier with blanks. Use --format csv.")
    for query, doc, grade in table.itertuples(index=False):
        yield f"{query} 0 {doc} {grade}\n"
