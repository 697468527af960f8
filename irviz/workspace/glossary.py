"""Glossary and column headings: plain words for the names that programs use.

Downloads keep the names of the API, so that a program finds in them what the library returns.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from irviz.multiverse.dimensions import DIMENSIONS, OPTIONS, option_words
from irviz.workspace.panel import Table

_FILE = tomllib.loads((Path(__file__).parent / "glossary.toml").read_text(encoding="utf-8"))
TERMS: dict[str, str] = _FILE["terms"]  #: word of the field → its meaning, in a sentence
WORKS: dict[str, str] = _FILE["works"]  #: DOI of a work, or its reference in full if it has none


@dataclass(frozen=True)
class Heading:
    """The heading of a column, and the sentence of its tooltip, or ""."""

    words: str
    help: str = ""


HEADINGS = {
    name: Heading(entry["words"], TERMS[entry["term"]] if "term" in entry else entry.get("help", ""))
    for name, entry in _FILE["headings"].items()
}


#: by column, options of worlds as programs write them, with the words for them
_OPTIONS = {
    "decided_by": DIMENSIONS,
    **{name: {one: option_words(name, one) for one in words} for name, words in OPTIONS.items()},
}


def in_words(table: Table) -> pd.DataFrame:
    """The rows of a table as they are read: options in words; a download has the frame itself."""
    wordings = {name: words for name, words in _OPTIONS.items() if name in table.frame and name not in table.names}
    wordings |= {
        name: {**wordings.get(name, {}), **words} for name, words in table.words.items() if name in table.frame
    }
    frame = table.frame.replace(table.labels) if table.labels else table.frame
    series = {name: frame[name].replace(words) for name, words in wordings.items()}
    return frame.assign(**series)


def heading(column: str, table: Table | None = None) -> Heading:
    """The heading of a column; a name of the data is its own heading.

    >>> heading("tau_ap").words, heading("topic").words, heading("rank, arithmetic").words
    ('τ_AP', 'Topic', 'Rank, arithmetic')
    """
    if table is not None and column in table.names:
        label = table.heads.get(column) or table.labels.get(column, column)
        return Heading(label, column if label != column else "")
    own = column.strip()
    known = HEADINGS.get(own, Heading(own[:1].upper() + own[1:] if own.isascii() else own))
    return known if table is None or column not in table.heads else replace(known, words=table.heads[column])
