"""Glossary and column headings: plain words for the names that programs use.

Downloads keep the names of the API, so that a program finds in them what the library returns.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.catalogue import measures
from irviz.multiverse.dimensions import DIMENSIONS, OPTIONS, option_words
from irviz.workspace.panel import Table

# -- What terms mean and measures are called: one glossary for pages, tooltips and reports ---------


@dataclass(frozen=True)
class Term:
    """A word of the field: how it is found in a text, and what it means, in a sentence."""

    word: str
    pattern: str
    meaning: str


_FILE = tomllib.loads((Path(__file__).parent / "glossary.toml").read_text(encoding="utf-8"))
TERMS = tuple(Term(word, **entry) for word, entry in _FILE["terms"].items())
WORKS: dict[str, str] = _FILE["works"]  #: DOI of a work, or its reference in full if it has none


@cache
def measure_terms() -> tuple[Term, ...]:
    """The measures of the catalogue and the aggregations called by initials, with their definition."""
    kinds = {
        **{aggregation.symbol: aggregation for aggregation in AGGREGATIONS if aggregation.symbol.isupper()},
        **measures(),
    }
    definitions = {symbol: (inspect.getdoc(kind) or "").partition("\n\n")[0] for symbol, kind in kinds.items()}
    return tuple(
        Term(symbol, rf"(?<![\w.-]){_measure_pattern(symbol)}(?:@\w+)?", " ".join(text.replace("``", "").split()))
        for symbol, text in definitions.items()
    )


def _measure_pattern(symbol: str) -> str:
    """A pattern for a measure as expressions are written; one letter needs a cutoff or brackets."""
    return f"{symbol}(?=@|\\([a-z])" if len(symbol) == 1 else rf"{symbol}(?![\w-])"


def _glossary_lower(title: str) -> str:
    """A title within a sentence; abbreviations keep their capitals."""
    return title if title[1:2].isupper() or title[1:2] == "/" else title[:1].lower() + title[1:]


# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    """The heading of a column, and the sentence of its tooltip, or ""."""

    words: str
    help: str = ""


def _headings() -> Iterator[tuple[str, Heading]]:
    """By column, the headings of the file."""
    meanings = {term.word: term.meaning for term in TERMS}
    for name in _FILE["headings"]["plain"]:
        yield name, Heading(name[:1].upper() + name[1:])
    for name, entry in _FILE["headings"]["other"].items():
        yield name, Heading(entry["words"], meanings[entry["term"]] if "term" in entry else entry.get("help", ""))


HEADINGS = dict(_headings())
_MakeHeading = Callable[[re.Match[str]], Heading]
#: columns whose names are made of others, of numbers, or of names of data
HEADING_PATTERNS: tuple[tuple[str, _MakeHeading], ...] = (
    (r"(.+) (before|now|change)", lambda found: Heading(f"{heading(found[1]).words}, {found[2]}")),
    (r"rank, (.+)", lambda found: Heading(f"Rank by {_glossary_lower(heading(found[1]).words)}")),
    (r"predicted, (.+)", lambda found: Heading(f"Predicted: {found[1]}")),
    (r"-?\d+(?:\.\d+)?", lambda found: Heading(f"Grade {found[0]}")),
    (r"[AB]: .+|\d+%|τ, .+", lambda found: Heading(found[0])),
    (
        r"(?:grade|not relevant|judged in first|below|scores below|mean|median|geometric mean|harmonic mean) .+",
        lambda found: Heading(found[0][:1].upper() + found[0][1:]),
    ),
)


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
    if "sentence" in table.frame and "sentence" not in table.names:
        series["sentence"] = table.frame["sentence"].str.replace("`", "")  # which set off names where text is marked up
    return frame.assign(**series)


def heading(column: str, table: Table | None = None) -> Heading:
    """The heading of a column; a name of the data is its own heading.

    >>> heading("tau_ap").words, heading("topic").words, heading("rank, arithmetic").words
    ('τ_AP', 'Topic', 'Rank by arithmetic mean')
    """
    if table is not None and column in table.names and table.labels.get(column, column) != column:
        return Heading(table.labels[column], column)
    known_heading = None if table is not None and column in table.names else own_heading(column.strip())
    if table is not None and column in table.heads:
        return Heading(table.heads[column], known_heading.help if known_heading else "")
    return known_heading or Heading(column)


def own_heading(column: str) -> Heading | None:
    """The heading of a column of irviz's own; None for any other word."""
    if column in HEADINGS:
        return HEADINGS[column]
    matches = ((re.fullmatch(pattern, column, re.DOTALL), make) for pattern, make in HEADING_PATTERNS)
    return next((make(match) for match, make in matches if match), None)
