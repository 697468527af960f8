"""Glossary and column headings: plain words for the names that programs use.

Downloads keep the names of the API, so that a program finds in them what the library returns.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import pandas as pd

from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.catalogue import measures
from irviz.multiverse.dimensions import DIMENSIONS, OPTIONS, option_words
from irviz.workspace.panel import Panel, Table

# -- What terms mean and measures are called: one glossary for pages, tooltips and reports ---------

_ROWS_READ = 60  #: of a table that are looked through for names of measures


@dataclass(frozen=True)
class Term:
    """A word of the field: how it is found in a text, and what it means, in a sentence."""

    word: str
    pattern: str
    meaning: str


#: a term and its pattern, and below it what it means
_TERMS = r"""
τ = τ
    Kendall's τ: the agreement of two rankings, from −1 (reversed) through 0 (as many pairs in the opposite as in
    the same order) to 1 (the same).
AP correlation = τ_AP|\bAP correlation\b
    A rank correlation like Kendall's τ that gives more weight to the top ranks; also written τ_AP.
run = \bruns?\b
    The output of one system: a ranked list of documents for every topic.
pool = \bpools?\b
    The documents of a topic that were judged; all others are unjudged.
condensed list = \bcondensed\b
    A ranked list without its unjudged documents and those judged below zero.
residual = \bresiduals?\b
    How much higher a score could be if all unjudged documents of the list had the best grade.
grade = \bgrades?\b
    How good a document was judged to be on an aspect, usually relevance; 0 is not relevant.
gain = \bgains?\b(?! (?:or lose|significance|in τ|in consistency))
    The value that a measure assigns to a document of a given grade.
cutoff = \bcutoffs?\b|@\d+
    The last rank that a measure takes into account: 10 in P@10.
total order = \btotal orders?\b
    An order of all judged runs in which one of any two different runs is better (Ferrante et al. 2019, section
    3.1).
scale type = \b(?:interval|ordinal|ratio) scale|\bscale type
    Which statements about scores are meaningful: on an ordinal scale those about their order, on an interval scale
    also about their differences, on a ratio scale also about their ratios.
p-value = \bp-values?\b|\bp <[ ]
    The probability of a difference at least as large as the observed one if the systems did not differ.
Tukey HSD = \bTukey HSD\b
    Tukey's honestly significant difference: a test of all pairs of systems at once; if no systems differ, the
    probability of finding any difference significant is at most α.
ASL = \bASLs?\b|\b[Aa]chieved significance level
    Achieved significance level: the p-value of a pair of systems. An ASL curve shows the p-values of all pairs,
    smallest first.
confidence interval = \bconfidence intervals?\b|\b95% intervals?\b
    A range of plausible values: over repeated samples, 95% of such intervals contain the true value.
discriminative power = \b[Dd]iscriminative power\b|\bseparates? .{0,40}pairs of systems
    The share of the pairs of systems between which a measure finds a significant difference.
world = \bworlds?\b
    One combination of choices (measure, average, test, …) under which a claim is checked.
κ = κ
    Cohen's κ: the agreement of two judges beyond chance; 1 is perfect agreement, 0 is that expected by chance.
Krippendorff's α = Krippendorff
    The agreement of any number of judges beyond chance; 1 is perfect agreement, 0 is that expected by chance.
aspect = \baspects?\b
    A property for which documents were judged: relevance, credibility, readability …
browsing model = \bbrowsing models?\b|\bCWLA\(C=
    How a user reads a ranked list: the probability of reading on after each rank.
aggregation = \baggregations\b|\bA=\w
    In C/W/L/A measures: how the gains of the documents that a user has read become one number.
V+ = V\+|V⁺
    The expected number of documents that a user of a browsing model reads.
median = \bmedian\b
    The value in the middle: as many are higher as are lower.
geometric mean = \bgeometric mean\b
    The n-th root of the product of n values; 0 where one of them is 0.
harmonic mean = \bharmonic mean\b
    The number of values divided by the sum of 1/value; low where one is low.
ε = ε
    A small number added to every score before a geometric or harmonic mean, and subtracted afterwards.
"""


def _terms(text: str) -> Iterator[Term]:
    for entry in re.split(r"\n(?=\S)", text.strip()):
        head, *meaning = entry.splitlines()
        word, _, pattern = head.partition(" = ")
        yield Term(word, pattern, " ".join(line.strip() for line in meaning))


TERMS = tuple(_terms(_TERMS))


@dataclass(frozen=True)
class Legend:
    """The terms that a page needs explained.

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


def legend_of(*drawn: Panel) -> Legend:
    """The terms and measures that the parts of a page mention.

    >>> legend_of(Panel("By `nDCG@10`, τ is 0.5.")).sentence
    'Measures: nDCG (normalised discounted cumulated gain).'
    """
    text = "\n".join(text for part in drawn for text in _texts(part))
    named = dict.fromkeys(match.group(1) for match in re.finditer(_symbols(), text))
    full = [(symbol, _in_full()[symbol]) for symbol in sorted(named, key=str.casefold)]
    terms = tuple(term for term in TERMS if re.search(term.pattern, text))
    return Legend(tuple((symbol, name) for symbol, name in full if name.casefold() != symbol.casefold()), terms)


@cache
def _in_full() -> dict[str, str]:
    """The titles of the measures in the catalogue, as they are written within a sentence, by symbol."""
    return {symbol: _glossary_lower(kind.title) for symbol, kind in measures().items()}


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


@cache
def _symbols() -> str:
    """A pattern for measures of the catalogue."""
    return rf"(?<![\w.-])({'|'.join(map(_measure_pattern, _in_full()))})"


def _measure_pattern(symbol: str) -> str:
    """A pattern for a measure as expressions are written; one letter needs a cutoff or brackets."""
    return f"{symbol}(?=@|\\([a-z])" if len(symbol) == 1 else rf"{symbol}(?![\w-])"


def _glossary_lower(title: str) -> str:
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


# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    """The heading of a column, and the sentence of its tooltip, or ""."""

    words: str
    help: str = ""


def _term(word: str) -> str:
    """The meaning of a term of the glossary."""
    return next(term.meaning for term in TERMS if term.word == word)


_END = "{} end of the 95% interval."
#: columns whose heading is more than their name with a capital letter
_OTHER = {
    "A": Heading("A(i)", "The amount of gain that a user who stops at this rank has collected."),
    "C": Heading("C(i)", "The probability of reading on after this rank."),
    "L": Heading("L(i)", "The probability that this rank is the last one read."),
    "V+": Heading("V⁺", _term("V+")),
    "W": Heading("W(i)", "The weight of this rank: its share of all that users read."),
    "adds": Heading("Adds", "What this row adds to the total."),
    "ahead": Heading("Ahead", "The system that is ahead, or the share of combinations in which the first one is."),
    "agg_a": Heading("Aggregation", _term("aggregation")),
    "agg_b": Heading("Compared with"),
    "agreement": Heading("τ, reduced pool", "τ between the rankings with some of the judgments and with all of them."),
    "agreement_low": Heading("τ of pool, low", "Lower end of the middle 90% of the repeats."),
    "agreement_high": Heading("τ of pool, high", "Upper end of the middle 90% of the repeats."),
    "alpha": Heading("Krippendorff's α", _term("Krippendorff's α")),
    "area": Heading("Area", "L(i) times A(i): what the users who stop at this rank contribute to the score."),
    "arithmetic": Heading("Arithmetic mean"),
    "beats": Heading("Better than", "How many of the others it exceeds significantly."),
    "below": Heading("Not reaching 0.9", "Share of topics on which no order reaches 0.9."),
    "best rank": Heading("Best rank", "Over all combinations of choices; tied systems share the better one."),
    "better": Heading("Better", "The system with the higher average."),
    "browsing": Heading("Browsing model", _term("browsing model")),
    "browsing model": Heading("Browsing model", _term("browsing model")),
    "canonical": Heading("Own name", "Whether the combination is the measure that has the browsing model's name."),
    "ci_high": Heading("Printed high", _END.format("Upper")),
    "ci_low": Heading("Printed low", _END.format("Lower")),
    "chance": Heading("By chance", "95% of exchanges of the two judges on random topics stay within this many ranks."),
    "classes": Heading("Classes", "How many classes of label tuples the order has."),
    "consistency": Heading("Consistency", "Mean τ between the rankings on two random halves of the topics."),
    "consistency_low": Heading("Consistency, low", _END.format("Lower")),
    "consistency_high": Heading("Consistency, high", _END.format("Upper")),
    "correctness_embedding": Heading("Correctness embedded as"),
    "dcg": Heading("DCG", "The sum of the gains divided by their discounts, down to this rank."),
    "decided_by": Heading("Decided by", "The choice that explains the most about which system is ahead."),
    "deviation": Heading("Standard deviation", "Of the differences, over topics."),
    "difference_first": Heading("Difference, first judge"),
    "difference_second": Heading("Difference, second judge"),
    "eps": Heading("ε", _term("ε")),
    "exact": Heading("Maximum known", "Share of topics on which the highest possible score is known."),
    "explained": Heading("Explained", "Share of the variance that the deciding choice explains."),
    "flipped": Heading("Pairs reversed", "Pairs of systems in the opposite order."),
    "g": Heading("g", "The shares of users for whom each grade is the lowest relevant one."),
    "g1": Heading("g₁", "The share of users for whom grade 1 is enough."),
    "gain r": Heading("Gain r(i)", _term("gain")),
    "family": Heading("Family", "Systems whose names have something in common."),
    "first_behind": Heading("First behind from", "The first rank at which it holds fewer documents of some grade."),
    "second_behind": Heading("Second behind from", "The first rank at which it holds fewer documents of some grade."),
    "gains": Heading("Gain significance", "Pairs that are significant under the second judge only."),
    "geometric": Heading("Geometric mean"),
    "harmonic": Heading("Harmonic mean"),
    "high": Heading("High", _END.format("Upper")),
    "ideal_dcg": Heading("Ideal DCG", "The same sum for the ideal list, down to this rank."),
    "judge": Heading("Judge", "The set of judgments; of a collection with several aspects, the aspect."),
    "raw_agreement": Heading("Raw agreement", "Share of the documents that both judged with one grade."),
    "gap": Heading("Raw agreement − κ", "What chance adds to the agreement of two judges."),
    "kappa": Heading("Cohen's κ", _term("κ")),
    "kappa_binary": Heading("κ, relevant or not", "Cohen's κ of judgments as relevant or not relevant."),
    "kappa_quadratic": Heading(
        "κ, quadratic weights", "Cohen's κ in which a disagreement counts by the squared distance of the grades."
    ),
    "left": Heading("Judgments left", "How many judgments are still those of the first judge."),
    "loses": Heading("Lose significance", "Pairs that are significant under the first judge only."),
    "low": Heading("Low", _END.format("Lower")),
    "mean τ": Heading("Mean τ", _term("τ")),
    "p_adjusted": Heading(
        "p-value, corrected", "The p-value, corrected for testing all systems, or all families, together."
    ),
    "measure_a": Heading("Measure"),
    "measure_b": Heading("Compared with"),
    "met": Heading("Condition met"),
    "metric": Heading("Measure"),
    "mode": Heading("How", "On each topic and then averaged, or after averaging over topics."),
    "never_one": Heading("Not reaching 1", "Share of topics on which no order reaches 1."),
    "p": Heading("p-value", _term("p-value")),
    "params": Heading("Parameters"),
    "one normaliser": Heading("One normaliser", "Before equal steps, with one normaliser for all topics."),
    "p before": Heading("p-value, before", _term("p-value")),
    "p after": Heading("p-value, after", _term("p-value")),
    "p_first": Heading("p-value, first judge", _term("p-value")),
    "p_second": Heading("p-value, second judge", _term("p-value")),
    "pairs gained": Heading("Pairs gained", "Pairs of systems that become significant."),
    "pairs lost": Heading("Pairs lost", "Pairs of systems that are no longer significant."),
    "permissible": Heading("Permissible", _term("scale type")),
    "present": Heading("Present", "Share of the topics on which it has a score."),
    "published": Heading("Printed"),
    "rate": Heading("Share kept", "The share of the judgments that is kept."),
    "reaches_one": Heading("Reaching 1", "Share of topics on which 1 is reached."),
    "scale": Heading("Scale type", _term("scale type")),
    "score": Heading("Score"),
    "shift": Heading("Ranks gained"),
    "part": Heading("Part", "Tenths of the answers by score, the lowest first."),
    "turned": Heading("Turned", "Pairs whose order is the other on the other half of the topics."),
    "answer": Heading("Answer", "Seen, not seen, or why it cannot be asked."),
    "effect": Heading(
        "Effect", "How far the condition of the finding holds, with its 95% interval; below 0 it does not."
    ),
    "changed_share": Heading("Share changed", "Of the pairs that are significant before or after."),
    "significant_before": Heading("Significant as it is", "Pairs that are significant with the measure as it is."),
    "significant_after": Heading("Significant with equal steps", "Pairs that are significant with equal steps."),
    "step_ratio": Heading("Step ratio", "The largest step between neighbouring values over the smallest."),
    "values": Heading("Values", "How many different values the measure can take; the most on a topic."),
    "significant_low": Heading("Significant, low", "Lower end of the band of 95% of other draws of the test."),
    "significant_high": Heading("Significant, high", "Upper end of the band of 95% of other draws of the test."),
    "significant_first": Heading("Significant, first judge"),
    "significant_second": Heading("Significant, second judge"),
    "smallest": Heading(
        "Smallest difference", "The smallest difference that these topics can show with a power of 0.8."
    ),
    "tau": Heading("τ", _term("τ")),
    "tau_low": Heading("τ, lowest", "The lowest τ with one of the other measures."),
    "tau_high": Heading("τ, highest", "The highest τ with one of the other measures."),
    "tau_ap": Heading("τ_AP", _term("AP correlation")),
    "trec_eval GM": Heading("trec_eval's geometric mean"),
    "tuple": Heading("Label tuple", "The grade of every aspect."),
    "turns": Heading("Change order", "Pairs of systems that change their order."),
    "world": Heading("World", _term("world")),
    "worse": Heading("Worse", "The system with the lower average."),
    "Kendall's τ": Heading("Kendall's τ", _term("τ")),
    "AP correlation": Heading("AP correlation", _term("AP correlation")),
    "α of all judges": Heading("α of all judges", _term("Krippendorff's α")),
    "κ of the grades": Heading("κ of the grades", _term("κ")),
    "ρ": Heading("ρ", "The number of the run in the total order, 0 is the worst."),
    "τ": Heading("τ", _term("τ")),
    "τ of the systems": Heading("τ of the systems", _term("τ")),
    "worst rank": Heading("Worst rank", "Over all combinations of choices; tied systems share the better one."),
}
#: columns that need nothing but a capital letter
_SAME = """
A by the other measure|adds to AP|adds to the difference of the means|after|against|aggregation|and|AP is divided by
aspect|average|average before|average now|B by the other measure|base|before|behind|below zero|best|change|changed to
changes|choice|class|collection|compared with|constant|convention|correctness|correctness embedded as|counts in|depth
difference|differs|distance|document|documents of grade 1 on top|effect on scores|embedded correctness
embedded relevance|expected|falls short by|figure|file|files|findings|first|gain|Gain of a grade x|gain on the topic
grade|group|highest
Highest grade of ERR|holds|holds, significantly|Ideal list of nDCG|judged|Kendall's τ on the topic|kind|largest change
largest rank change|line|list|lowest|mark|mean|mean change|mean gain|measure|median|members|message|missing|name|note
now|observed|order|pair
pairs|Pearson's r|picked by GAP|picked by xGAP|precision|predicted|rank|rank before|rank now|rank of A
rank of B|ranking|ranks|ranks climbed|reads|recall|recomputed|reference|relevance|relevant|Relevant from|repeat
reversed|reversed, significantly|run|scores|scores at 0|second|seed|sentence|separated|severity|share|share below 0.1
significance|significant|source|Spearman's ρ|split|statistic|step to the next|system|systems|systems moved|test|text
the first one|tie|Tie rule|ties|topic|topics|Topics a run lacks|total|total so far|trials|unjudged|Unjudged documents
up by|user|users who find it relevant|value|verdict|view|weight|why|worlds|worst|zero
changed|decision|difference after|equal steps|first dominates|gained|kept|lost|place|second dominates
from|to|answers|satisfaction|number|paper|finding|seen|printed|quote|condition|numbers|standardised
"""
HEADINGS = {name: Heading(name[:1].upper() + name[1:]) for name in re.split(r"[|\n]", _SAME.strip())} | _OTHER
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
    series = {name: table.frame[name].replace(words) for name, words in wordings.items()}
    if "sentence" in table.frame and "sentence" not in table.names:
        series["sentence"] = table.frame["sentence"].str.replace("`", "")  # which set off names where text is marked up
    return table.frame.assign(**series)


def heading(column: str, table: Table | None = None) -> Heading:
    """The heading of a column; a name of the data is its own heading.

    >>> heading("tau_ap").words, heading("topic").words, heading("rank, arithmetic").words
    ('τ_AP', 'Topic', 'Rank by arithmetic mean')
    """
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
