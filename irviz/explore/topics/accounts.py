"""Why one list scores less than another: which documents are ranked lower, and how much the score loses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from irviz.errors import listed
from irviz.explore.topics.lists import RankedList
from irviz.workspace.words import counted, number, verb

_MOST_NAMED = 3  #: documents that a sentence names


@dataclass(frozen=True)
class Lower:
    """A document that is lower in one list than in another.

    Attributes
    ----------
    grade : float
    rank : int or None
        In the list that loses; None if it is not there.
    instead : int
        In the other list.
    loses : float
        How much more it adds to the other list's score.
    """

    grade: float
    rank: int | None
    instead: int
    loses: float


@dataclass(frozen=True)
class Account:
    """What a list loses to another: the documents that lose most by being lower, and all others together."""

    loses: float
    named: tuple[Lower, ...]
    others: float

    @property
    def mostly(self) -> bool:
        """True if the named documents make more than half of it, beyond rounding."""
        return sum(one.loses for one in self.named) > self.loses / 2 + 1e-12


def account(behind: RankedList, ahead: RankedList) -> Account:
    """Where `behind` loses against `ahead`: the differences of what each document adds to the two scores.

    Every judged document adds to both scores what its rank adds, nothing if it is not listed; so the
    differences add up to that of the scores.
    """
    here, there = behind.adds, ahead.adds
    loses = {place: there.get(place, 0.0) - here.get(place, 0.0) for place in sorted({*here, *there})}
    whole = sum(loses.values())
    ranks, instead = behind.ranks, ahead.ranks
    grades = dict(zip(ahead.index.tolist(), ahead.grades.tolist(), strict=True))
    lower = [
        Lower(grades[place], ranks.get(place), instead[place], worth)
        for place, worth in loses.items()
        if worth > 0 and place in instead and ranks.get(place, instead[place] + 1) > instead[place]
    ]
    lower.sort(key=lambda one: (-one.loses, one.instead))
    named: list[Lower] = []
    for one in lower[:_MOST_NAMED]:
        if sum(some.loses for some in named) < whole / 2 or len(named) < 1:
            named.append(one)
    return Account(whole, tuple(named), whole - sum(one.loses for one in named))


def because(found: Account, of: str = "") -> str:
    """The end of a sentence that says why; empty if no document is lower.

    `of` names what grades are about, where there are several aspects.
    """
    if not found.named:
        return ""
    ranked = sorted(found.named, key=lambda one: (one.rank is None, -one.grade, one.instead))
    clauses = [_clause(list(some), of) for _, some in groupby(ranked, key=lambda one: (one.rank is None, one.grade))]
    start = "mainly because" if found.mostly else "among other things because"
    worth = sum(one.loses for one in found.named)
    they = "That document adds" if len(found.named) == 1 else "These documents add"
    rest = "all others together make no difference"
    others = found.others
    if min(abs(found.loses), worth) >= 0.0005:  # so that what is printed adds up
        others = round(round(found.loses, 3) - round(worth, 3), 3)
    if abs(others) > 5e-5:
        rest = f"all others together {score_words(abs(others))} {'less' if others > 0 else 'more'}"
    return f", {start} {listed(clauses, joiner='and')}. {they} {score_words(worth)} less, {rest}"


def _clause(documents: list[Lower], of: str) -> str:
    count = len(documents)
    one = "one document" if count == 1 else counted(count, "document")
    what = f"{one} of {of}grade {number(documents[0].grade, 6)}"
    instead = listed([f"{some.instead:,}" for some in documents], joiner="and")
    if documents[0].rank is None:
        return f"{what} {verb(count, 'is', 'are')} missing instead of being at {verb(count, 'rank', 'ranks')} {instead}"
    at = listed([f"{some.rank:,}" for some in documents], joiner="and")
    return f"{what} {verb(count, 'is', 'are')} at {verb(count, 'rank', 'ranks')} {at} instead of {instead}"


def score_words(value: float) -> str:
    """A score or a difference in a sentence: three digits, more where they would all be zero."""
    text = f"{value:.3f}" if abs(value) >= 0.0005 or value == 0 else f"{value:.1e}"
    return text.replace("-", "−")
