"""Questions of a lab: one of several, a number, or an order; the answer is computed by irviz.

A prediction is a short text, as a link carries it: ``b``, ``0.8`` or ``c,a,b``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from irviz.errors import IrvizError, listed
from irviz.workspace.control import plain, shown
from irviz.workspace.phrases import number


@dataclass(frozen=True, kw_only=True)
class Question(ABC):
    """What is asked before anything is revealed.

    Attributes
    ----------
    text : str
        The question, in a sentence.
    told : str
        What irviz computes, in a sentence.
    open : bool
        Whether the choice is the reader's: irviz's answer is then another one, not the right one.
    """

    text: str
    told: str
    open: bool = False

    @abstractmethod
    def read(self, text: str) -> str:
        """A prediction in its canonical text, or an :class:`IrvizError`."""

    @abstractmethod
    def right(self, guess: str) -> bool:
        """Whether a prediction is what irviz computes."""

    @abstractmethod
    def words(self, guess: str) -> str:
        """A prediction as a person reads it."""

    @property
    @abstractmethod
    def answer(self) -> str:
        """A right prediction."""


@dataclass(frozen=True, kw_only=True)
class MultipleChoice(Question):
    """One of a few options.

    >>> options = (("a", "the first"), ("b", "the second"))
    >>> one = MultipleChoice(text="Which?", told="Both.", options=options, correct=("b",))
    >>> one.right("b"), one.words("a")
    (True, 'the first')
    """

    options: tuple[tuple[str, str], ...]
    correct: tuple[str, ...]

    def read(self, text: str) -> str:
        if text in dict(self.options):
            return text
        raise IrvizError(f"`{shown(text)}` is not one of the answers {listed(key for key, _ in self.options)}.")

    def right(self, guess: str) -> bool:
        return guess in self.correct

    def words(self, guess: str) -> str:
        return dict(self.options)[guess]

    @property
    def answer(self) -> str:
        return self.correct[0]


@dataclass(frozen=True, kw_only=True)
class Amount(Question):
    """A number; a prediction within `within` of it is right.

    >>> one = Amount(text="How many?", told="Three.", value=3, high=10)
    >>> one.read("3.0"), one.right("3"), one.right("4")
    ('3', True, False)
    """

    value: float
    within: float = 1e-9
    low: float = 0.0
    high: float = 1.0
    step: float = 1.0

    def read(self, text: str) -> str:
        try:
            guess = float(text)
        except ValueError:
            guess = math.nan
        if not self.low <= guess <= self.high:
            raise IrvizError(f"`{shown(text)}` is not a number from {plain(self.low)} to {plain(self.high)}.")
        return plain(guess)

    def right(self, guess: str) -> bool:
        return abs(float(guess) - self.value) <= self.within + 1e-9

    def words(self, guess: str) -> str:
        return number(float(guess), 4)

    @property
    def answer(self) -> str:
        return plain(round(self.value, 6))


@dataclass(frozen=True, kw_only=True)
class InOrder(Question):
    """Items from best to worst; equally good ones form one group of the answer and may be given in any order.

    >>> items = (("a", "1000"), ("b", "0111"), ("c", "0011"))
    >>> one = InOrder(text="Sort them.", told="…", items=items, groups=(("a",), ("b", "c")))
    >>> one.right("a,c,b"), one.right("b,a,c"), one.words("a,c,b")
    (True, False, '1000, 0011, 0111')
    """

    items: tuple[tuple[str, str], ...]
    groups: tuple[tuple[str, ...], ...]

    def read(self, text: str) -> str:
        keys = [part.strip() for part in text.split(",")]
        if sorted(keys) != sorted(key for key, _ in self.items):
            every = listed((key for key, _ in self.items), joiner="and")
            raise IrvizError(f"`{shown(text)}` is not an order of {every}.")
        return ",".join(keys)

    def right(self, guess: str) -> bool:
        keys = guess.split(",")
        for group in self.groups:
            if set(keys[: len(group)]) != set(group):
                return False
            keys = keys[len(group) :]
        return True

    def words(self, guess: str) -> str:
        named = dict(self.items)
        return ", ".join(named[key] for key in guess.split(","))

    @property
    def answer(self) -> str:
        return ",".join(key for group in self.groups for key in group)


def groups_of(keys: Sequence[str], values: Sequence[float]) -> tuple[tuple[str, ...], ...]:
    """Keys from the highest value to the lowest; equal but for rounding is equal.

    >>> groups_of("abc", [0.3, 0.5, 0.1 + 0.2])
    (('b',), ('a', 'c'))
    """
    order = sorted(range(len(keys)), key=lambda i: -values[i])
    found: list[list[int]] = []
    for i in order:
        if found and values[found[-1][-1]] - values[i] <= 1e-9:
            found[-1].append(i)
        else:
            found.append([i])
    return tuple(tuple(keys[i] for i in sorted(group)) for group in found)
