"""What terms mean and measures are called: one glossary for pages, tooltips and reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pandas as pd

from irviz.measures import measures
from irviz.workspace.panel import Lab, Panel, told

_ROWS_READ = 60  #: of a table that are looked through for names of measures


@dataclass(frozen=True)
class Term:
    """A word of the field: how it is found in a text, and what it means, in a sentence."""

    word: str
    pattern: str
    meaning: str


TERMS = (
    Term(
        "τ",
        r"τ",
        "Kendall's τ: the agreement of two rankings, from −1 (reversed) through 0 (as many pairs in the opposite as "
        "in the same order) to 1 (the same).",
    ),
    Term(
        "AP correlation",
        r"τ_AP|\bAP correlation\b",
        "A rank correlation like Kendall's τ that gives more weight to the top ranks; also written τ_AP.",
    ),
    Term("run", r"\bruns?\b", "The output of one system: a ranked list of documents for every topic."),
    Term("pool", r"\bpools?\b", "The documents of a topic that were judged; all others are unjudged."),
    Term(
        "condensed list", r"\bcondensed\b", "A ranked list without its unjudged documents and those judged below zero."
    ),
    Term(
        "residual",
        r"\bresiduals?\b",
        "How much higher a score could be if all unjudged documents of the list had the best grade.",
    ),
    Term(
        "grade",
        r"\bgrades?\b",
        "How good a document was judged to be on an aspect, usually relevance; 0 is not relevant.",
    ),
    Term(
        "gain",
        r"\bgains?\b(?! (?:or lose|significance|in τ|in consistency))",
        "The value that a measure assigns to a document of a given grade.",
    ),
    Term("cutoff", r"\bcutoffs?\b|@\d", "The last rank that a measure takes into account: 10 in P@10."),
    Term(
        "total order",
        r"\btotal orders?\b",
        "An order of all judged runs in which one of any two different runs is better (Ferrante et al. 2019, section "
        "3.1).",
    ),
    Term(
        "scale type",
        r"\b(?:interval|ordinal|ratio) scale|\bscale type",
        "Which statements about scores are meaningful: on an ordinal scale those about their order, on an interval "
        "scale also about their differences, on a ratio scale also about their ratios.",
    ),
    Term(
        "p-value",
        r"\bp-values?\b|\bp < ",
        "The probability of a difference at least as large as the observed one if the systems did not differ.",
    ),
    Term(
        "Tukey HSD",
        r"\bTukey HSD\b",
        "Tukey's honestly significant difference: a test of all pairs of systems at once; if no systems differ, the "
        "probability of finding any difference significant is at most α.",
    ),
    Term(
        "ASL",
        r"\bASLs?\b|\b[Aa]chieved significance level",
        "Achieved significance level: the p-value of a pair of systems. An ASL curve shows the p-values of all pairs, "
        "largest first.",
    ),
    Term(
        "confidence interval",
        r"\bconfidence intervals?\b|\b95% intervals?\b",
        "A range of plausible values: over repeated samples, 95% of such intervals contain the true value.",
    ),
    Term(
        "discriminative power",
        r"\b[Dd]iscriminative power\b|\bseparates? .{0,40}pairs of systems",
        "The share of the pairs of systems between which a measure finds a significant difference.",
    ),
    Term(
        "world",
        r"\bworlds?\b",
        "One combination of choices (measure, average, test, …) under which a claim is checked.",
    ),
    Term(
        "κ",
        r"κ",
        "Cohen's κ: the agreement of two judges beyond chance; 1 is perfect agreement, 0 is that expected by chance.",
    ),
    Term(
        "Krippendorff's α",
        r"Krippendorff",
        "The agreement of any number of judges beyond chance; 1 is perfect agreement, 0 is that expected by chance.",
    ),
    Term(
        "aspect", r"\baspects?\b", "A property for which documents were judged: relevance, credibility, readability …"
    ),
    Term(
        "browsing model",
        r"\bbrowsing models?\b|\bCWLA\(C=",
        "How a user reads a ranked list: the probability of reading on after each rank.",
    ),
    Term(
        "aggregation",
        r"\baggregations\b|\bA=\w",
        "In C/W/L/A measures: how the gains of the documents that a user has read become one number.",
    ),
    Term("V+", r"V\+|V⁺", "The expected number of documents that a user of a browsing model reads."),
    Term(
        "ε", r"ε", "A small number added to every score before a geometric or harmonic mean, and subtracted afterwards."
    ),
)


@dataclass(frozen=True)
class Legend:
    """What a page needs explained.

    Attributes
    ----------
    names : pairs of a measure's symbol and its name in full
    terms : those of :data:`TERMS` that the page uses
    """

    names: tuple[tuple[str, str], ...]
    terms: tuple[Term, ...]

    @property
    def sentence(self) -> str:
        """The measures in full, as one line; empty where the page names none."""
        return f"Measures: {', '.join(f'{symbol} ({name})' for symbol, name in self.names)}." if self.names else ""


def legend_of(*drawn: Panel | Lab) -> Legend:
    """The terms and measures that the parts of a page mention.

    >>> legend_of(Panel("By `nDCG@10`, τ is 0.5.")).sentence
    'Measures: nDCG (normalised discounted cumulated gain).'
    """
    text = "\n".join(text for part in drawn for text in _texts(told(part)))
    named = dict.fromkeys(match.group(1) for match in re.finditer(_symbols(), text))
    full = [(symbol, _in_full()[symbol]) for symbol in sorted(named, key=str.casefold)]
    terms = tuple(term for term in TERMS if re.search(term.pattern, text))
    return Legend(tuple((symbol, name) for symbol, name in full if name.casefold() != symbol.casefold()), terms)


@cache
def _in_full() -> dict[str, str]:
    """The titles of the measures in the catalogue, as they are written within a sentence, by symbol."""
    return {symbol: _lower(kind.title) for symbol, kind in measures().items()}


@cache
def _symbols() -> str:
    """A pattern for measures of the catalogue as expressions are written; one letter needs a cutoff or brackets."""
    names = [f"{symbol}(?=@|\\([a-z])" if len(symbol) == 1 else rf"{symbol}(?![\w-])" for symbol in _in_full()]
    return rf"(?<![\w.-])({'|'.join(names)})"


def _lower(title: str) -> str:
    """A title within a sentence; abbreviations keep their capitals."""
    return title if title[1:2].isupper() or title[1:2] == "/" else title[:1].lower() + title[1:]


def _texts(panel: Panel) -> Iterator[str]:
    yield panel.sentence
    yield from panel.notes
    for row in panel.drawings:
        for drawing in row.values():
            yield from (drawing.title, drawing.alt)
    for table in panel.tables.values():
        yield from (table.about, *map(str, table.frame.columns))
        yield from _cells(table.frame)


def _cells(frame: pd.DataFrame) -> Iterator[str]:
    """The texts in the first column of a table."""
    if len(frame.columns) and not pd.api.types.is_numeric_dtype(frame.iloc[:, 0]):
        yield from map(str, frame.iloc[:_ROWS_READ, 0])
