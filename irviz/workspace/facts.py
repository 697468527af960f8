"""Facts: labelled numbers, the same in the dashboard, a report, a notebook and a terminal.

A number with a label needs no grammar: a tie is a longer list of names, an undefined value is "undefined".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from typing import Any

import numpy as np

from irviz.errors import percent, rounded
from irviz.measures.labels import labels_of
from irviz.portable import mean
from irviz.stats.topic_effects import known_reversals
from irviz.workspace.phrases import highest, lowest

_MOST_NAMES = 3  #: names of one fact that are shown; the others are counted
UNDEFINED = "undefined"


@dataclass(frozen=True)
class Fact:
    """A number and its label.

    >>> print(Fact("most alike", 0.97, ("AP", "Bpref"), unit="τ", low=0.95, high=0.98, digits=2).text)
    most alike: τ 0.97 (0.95 to 0.98), AP, Bpref
    >>> print(Fact("significant pairs", 654, of=1953).text)
    significant pairs: 654 of 1,953
    >>> print(Fact("agreement", float("nan"), unit="τ", why="all systems tie").text)
    agreement: undefined, all systems tie
    """

    label: str  #: what the number is, a few words
    value: float | str = np.nan  #: NaN is undefined; a text stands where the answer is a name or a word
    names: tuple[str, ...] = ()  #: of which systems, measures … it is; several where they tie
    unit: str = ""  #: a symbol before the number (τ, p), or "%" for a share, which is shown in percent
    #: ends of its 95% interval; NaN for none
    low: float = np.nan
    high: float = np.nan
    of: int | None = None  #: of how many a count is
    digits: int = 3  #: decimal places of a number that is no count
    why: str = ""  #: what it means, or why it is undefined: its tooltip
    before: float = np.nan  #: the number of the state it is compared with; NaN for none

    @property
    def is_defined(self) -> bool:
        """False where there is no number to show."""
        return isinstance(self.value, str) or bool(np.isfinite(self.value))

    @property
    def number(self) -> str:
        """The value with its unit."""
        if isinstance(self.value, str):
            return self.value
        if not self.is_defined:
            return UNDEFINED
        text = self._spell(self.value)
        text = text if self.unit in ("", "%") else f"{self.unit} {text}"
        return text if self.of is None else f"{text} of {self.of:,}"

    @property
    def interval(self) -> str:
        """The ends of the interval; "" without one."""
        known = self.is_defined and np.isfinite(self.low) and np.isfinite(self.high)
        return f"{self._spell(self.low)} to {self._spell(self.high)}" if known else ""

    @property
    def earlier(self) -> str:
        """The number before; "" without one."""
        return f"before {self._spell(self.before)}" if np.isfinite(self.before) else ""

    @property
    def who(self) -> str:
        """The names, the first few of many."""
        rest = len(self.names) - _MOST_NAMES
        return ", ".join(self.names[:_MOST_NAMES]) + (f" and {rest:,} more" if rest > 0 else "")

    @property
    def text(self) -> str:
        """All of it as one line of plain text."""
        number = f"{self.number} ({self.interval})" if self.interval else self.number
        more = (self.earlier, self.who, "" if self.is_defined else self.why)
        return ", ".join((f"{self.label}: {number}", *filter(None, more)))

    def _spell(self, value: float) -> str:
        """A whole number as a count, a share in percent, any other number with the fact's decimals."""
        if isinstance(value, int | np.integer) and self.unit != "%":
            return f"{value:,}".replace("-", "−")
        if self.unit == "%":
            return percent(value).replace("-", "−")
        text = rounded(value, self.digits) if abs(value) <= 1 else f"{value:,.{self.digits}f}"
        return text.replace("-", "−" if any(digit in text for digit in "123456789") else "")

    def data(self) -> dict[str, Any]:
        """The fact as plain data, undefined numbers as None."""
        return {name: None if value != value else value for name, value in asdict(self).items()}


def extremes(
    values: Mapping[str, float],
    labels: tuple[str, str],
    unit: str = "",
    digits: int = 3,
    why: str = "",
    of: int | None = None,
) -> tuple[Fact, ...]:
    """The highest and the lowest number (NaN aside), each with all its names; one fact if all are equal, or none known.

    >>> [fact.text for fact in extremes({"AP": 0.5, "RR": 0.2, "P@5": 0.5}, ("highest", "lowest"))]
    ['highest: 0.500, AP, P@5', 'lowest: 0.200, RR']
    """
    top, bottom = highest(values), lowest(values)
    if not top:
        return (Fact(labels[0], why=why),)
    facts = [Fact(labels[0], values[top[0]], tuple(top), unit, digits=digits, of=of)]
    if top != bottom:
        facts.append(Fact(labels[1], values[bottom[0]], tuple(bottom), unit, digits=digits, of=of))
    return tuple(facts)


def with_earlier(now: Sequence[Fact], then: Sequence[Fact]) -> tuple[Fact, ...]:
    """Facts with the numbers that facts of the same label and unit had before.

    >>> with_earlier([Fact("significant pairs", 654)], [Fact("significant pairs", 650)])[0].text
    'significant pairs: 654, before 650'
    """
    numbers = {(one.label, one.unit): one.value for one in then if not isinstance(one.value, str)}
    return tuple(replace(one, before=numbers.get((one.label, one.unit), one.before)) for one in now)


def counted(label: str, names: Sequence[str], why: str = "", of: int | None = None) -> tuple[Fact, ...]:
    """A fact with the number of names; nothing without names."""
    return (Fact(label, len(names), tuple(names), of=of, why=why),) if names else ()


def reversed_on_new_topics(measure: str, difference: float, topics: int) -> tuple[Fact, ...]:
    """The share of differences of means as large that are reversed on as many new topics; nothing if unknown."""
    found = known_reversals(measure, difference, topics)
    if found is None:
        return ()
    size = f"{found.low:.2f} to {found.high:.2f}" if np.isfinite(found.high) else f"{found.low:.2f} and more"
    why = (
        f"Differences of {size} {found.measure} on {found.topics} topics, reversed on {found.topics} others: "
        f"{percent(min(found.shares))} to {percent(max(found.shares))} on {len(found.shares)} real collections."
    )
    return (Fact("leads this large that flip on new topics", float(mean(np.array(found.shares))), unit="%", why=why),)


def facts_html(facts: Iterable[Fact], inline: bool = False) -> str:
    """Facts as a description list, or each as a line, everything escaped; "" for none."""
    shown = list(facts)
    labels = labels_of(*(fact.names for fact in shown))
    rows = "".join(
        _row(fact, replace(fact, names=tuple(labels.get(name, name) for name in fact.names))) for fact in shown
    )
    return f'<dl class="irviz-facts{" inline" if inline else ""}">{rows}</dl>' if rows else ""


def _row(fact: Fact, labelled: Fact) -> str:
    small = " · ".join(filter(None, (fact.interval, fact.earlier, labelled.who)))
    names = escape(", ".join(fact.names))
    beside = f'<dd class="of" title="{names}">{escape(small)}</dd>' if small else ""
    tooltip = f' title="{escape(fact.why)}"' if fact.why else ""
    return f"<div{tooltip}><dt>{escape(fact.label)}</dt><dd>{escape(fact.number)}</dd>{beside}</div>"


#: how :func:`facts_html` looks, in the dashboard, a report and a notebook
FACTS_CSS = """
.irviz-facts { display: flex; flex-wrap: wrap; gap: 0.5rem 1.75rem; margin: 0; font-family: inherit; }
dl.irviz-facts { padding: 0 !important; }
.irviz-facts dt { font-size: 0.82rem; opacity: 0.82; font-weight: normal; }
.irviz-facts dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.irviz-facts dd.of { font-size: 0.82rem; max-width: 18rem; overflow-wrap: anywhere; }
.irviz-facts.inline > div { display: flex; flex-wrap: wrap; gap: 0 0.5rem; align-items: baseline; }
.irviz-facts.inline dd { font-size: 1rem; }
.irviz-facts [title] > dt { text-decoration: underline dotted; cursor: help; }
"""
