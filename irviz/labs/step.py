"""A step of a lab, as data: texts with ``{numbers}``, a question, one figure before and one after the prediction.

Texts name numbers that the lab's model computes: ``{score}`` is written with three decimals, ``{score:4}``
with four, ``{share:%}`` as a percentage, ``{count:document}`` with its noun; lists are joined by commas.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from string import Formatter
from typing import Any

from irviz.errors import IrvizError, join_words, number_of, unknown
from irviz.workspace.control import Text, excerpt, plain
from irviz.workspace.page import Values
from irviz.workspace.phrases import number

Guesses = tuple[tuple[str, str], ...]  #: pairs of a step and a prediction
Numbers = Mapping[str, Any]  #: what texts can name: numbers, words, and lists of them


class _Filler(Formatter):
    """Numbers as sentences say them."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Numbers) -> Any:
        if key not in kwargs:
            raise unknown("number", str(key), [str(name) for name in kwargs])
        return kwargs[str(key)]

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, list | tuple):
            return join_words([self.format_field(part, format_spec) for part in value], most=99, joiner="and")
        if format_spec == "%":
            return f"{value:.0%}"
        if format_spec and not format_spec.isdigit():
            return number_of(int(value), format_spec)
        if isinstance(value, int):
            return f"{value:,}"
        return number(float(value), int(format_spec or 3))


def fill(text: str, numbers: Numbers) -> str:
    """The text with its numbers; an :class:`IrvizError` names a number that there is not.

    >>> fill("{found:document} of {all}: {share:%}, {score:2}", {"found": 1, "all": 3, "share": 1 / 3, "score": 0.5})
    '1 document of 3: 33%, 0.5'
    """
    return _Filler().vformat(text, (), numbers)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question before the reveal: one of several answers, an order of them, or a number.

    A prediction is a short text, as a link carries it: ``b``, ``0.8`` or ``c,a,b``.

    Attributes
    ----------
    text : str
        The question, in a sentence.
    answer : str
        The name of the number that is the answer: an option or several (any of which is right), a number, or an
        order (a text such as ``c,a,b``, or groups of equally good options, best first).  In a filled question, the
        answer itself, of options a tuple.
    answer_text : str
        The answer in a sentence; a question that asks for *yes* or *no* is answered by it first.
    because : prediction → str
        Why a wrong prediction is wrong: by option, or by the name of a number that one arrives at by a
        mistake; "higher" and "lower" stand for all other numbers.
    options : option → words; empty where a number is asked for
    asks_order : bool
        Whether the options are put in an order, best first.
    open : bool
        Whether the choice is the reader's; there is no wrong answer then.
    controls_moved : bool
        Whether controls were moved since the prediction; reasons are about the values before.
    tolerance, low, high, step : float
        How near a number must be, its limits, and the steps it is given in: what is within half a step is exact.

    Examples
    --------
    >>> asked = Question(
    ...     text="Which?", answer="best", answer_text="{best}.", options={"a": "the first", "b": "the second"},
    ...     because={"a": "It has a score of {score}."},
    ... ).fill({"best": "b", "score": 0.25})
    >>> asked.is_right("b"), asked.words("a"), asked.reason("a")
    (True, 'the first', 'It has a score of 0.25.')
    """

    text: str
    answer: Any
    answer_text: str
    because: Mapping[Any, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    asks_order: bool = False
    open: bool = False
    controls_moved: bool = False
    tolerance: float = 1e-9
    low: float = 0.0
    high: float = 1.0
    step: float = 1.0

    def fill(self, numbers: Numbers) -> Question:
        """The question about these numbers."""
        answer = numbers[self.answer]
        if self.asks_order and isinstance(answer, str):
            answer = tuple((key.strip(),) for key in answer.split(","))
        elif self.options and isinstance(answer, str):  # one option, or the letters of several
            answer = (answer,) if answer in self.options else tuple(answer)
        mistakes = () if self.options else {*self.because} & {*numbers} - {"higher", "lower"}
        named = {name: numbers[name] for name in mistakes}
        return replace(
            self,
            text=fill(self.text, numbers),
            answer_text=fill(self.answer_text, numbers),
            answer=answer,
            options={key: fill(words, numbers) for key, words in self.options.items()},
            because={named.get(key, key): fill(words, numbers) for key, words in self.because.items()},
        )

    def read(self, text: str) -> str:
        """A prediction in its canonical text, or an :class:`IrvizError`."""
        if not self.options:
            return self._read_number(text)
        keys = [part.strip() for part in text.split(",")] if self.asks_order else [text]
        options = join_words(self.options, joiner="and" if self.asks_order else "or")
        if self.asks_order and sorted(keys) != sorted(self.options):
            raise IrvizError(f"`{excerpt(text)}` is not an order of {options}.")
        if not set(keys) <= set(self.options):
            raise IrvizError(f"`{excerpt(text)}` is not one of the answers {options}.")
        return ",".join(keys)

    def _read_number(self, text: str) -> str:
        try:
            over, line, under = (text.replace(",", ".") if self.high < 1000 else text).partition("/")
            guess = float(over) / (float(under) if line else 1)  # 0,5 is a half in many languages, and so is 1/2
        except (ValueError, ZeroDivisionError):
            guess = math.nan
        if not self.low <= guess <= self.high:
            raise IrvizError(f"`{excerpt(text)}` is not a number from {plain(self.low)} to {plain(self.high)}.")
        return plain(guess)

    def is_right(self, guess: str) -> bool:
        """Compare a prediction with the answer of a filled question."""
        if not self.options:
            return abs(float(guess) - self.answer) <= self.tolerance + 1e-9
        if not self.asks_order:
            return guess in self.answer
        return fits(guess.split(","), self.answer)

    def reason(self, guess: str) -> str:
        """Why a prediction is wrong, or how near a number is; "" where nothing is known about it."""
        if self.options:
            return "" if self.is_right(guess) else self.because.get(guess, "")
        if self.controls_moved or abs(float(guess) - self.answer) <= self.step / 2 + 1e-9:
            return ""
        if self.is_right(guess):
            return f"Close enough (within {plain(self.tolerance)})."
        near = [words for value, words in self.because.items() if _is_near(value, float(guess), self.tolerance)]
        side, words = ("higher", "high") if float(guess) > self.answer else ("lower", "low")
        return (
            near[0] if near else self.because.get(side, f"Too {words}; within {plain(self.tolerance)} counts as right.")
        )

    def words(self, guess: str) -> str:
        """A prediction as a person reads it."""
        if not self.options:
            return number(float(guess), 4)
        return ", ".join(self.options[key] for key in guess.split(","))

    @property
    def shuffled_options(self) -> list[str]:
        """The options in an order that is no right answer, the same for everybody."""
        keys = sorted(self.options)
        Random(self.text).shuffle(keys)
        turned = [[*keys[n:], *keys[:n]] for n in range(len(keys))]
        return next((order for order in turned if not self.is_right(",".join(order))), keys)

    @property
    def right_guess(self) -> str:
        """A right prediction to a filled question."""
        if not self.options:
            return plain(round(self.answer, 6))
        return ",".join(key for group in self.answer for key in group) if self.asks_order else self.answer[0]


def direction(previous: float, current: float) -> str:
    """The option that says what happened: "a" it falls, "b" it stays the same, "c" it rises."""
    return "a" if current < previous - 1e-9 else "c" if current > previous + 1e-9 else "b"


def fits(order: Sequence[str], groups: Iterable[Sequence[str]]) -> bool:
    """True if an order has groups of equally good things one after the other."""
    rest = list(order)
    for group in groups:
        if set(rest[: len(group)]) != set(group):
            return False
        rest = rest[len(group) :]
    return True


def in_groups(keys: Sequence[str], values: Sequence[float]) -> tuple[tuple[str, ...], ...]:
    """Keys from the highest value to the lowest, in groups of equal ones; equal but for rounding is equal.

    >>> in_groups("abc", [0.3, 0.5, 0.1 + 0.2])
    (('b',), ('a', 'c'))
    """
    order = sorted(range(len(keys)), key=lambda i: -values[i])
    groups: list[list[int]] = []
    for i in order:
        if groups and values[groups[-1][-1]] - values[i] <= 1e-9:
            groups[-1].append(i)
        else:
            groups.append([i])
    return tuple(tuple(keys[i] for i in sorted(group)) for group in groups)


def _is_near(value: Any, guess: float, tolerance: float) -> bool:
    return not isinstance(value, str) and abs(guess - value) <= tolerance + 1e-9


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of a lab: what is told, asked and shown.

    Attributes
    ----------
    title, text : str
        A few words, and what the reader is told before the question.
    question : Question
    figure, reveal : str
        Names of the lab's figures before and after the prediction; the second takes the place of the first,
        under the values that were asked about.
    source : str
        Who says so in general.
    numbers : callable, optional
        Given the values of the controls, the numbers that the texts name; the lab's readings by default.
    notice : str
        What to see in the revealed figure, beyond the answer.
    then : str
        What to try with the controls.
    drawn_on : str
        Of a question for a number: the axis of the revealed figure (x, y, y2) that has the answer, on which the
        prediction is drawn.
    start : control → text
        Where it begins; the other controls are at their defaults.
    controls : tuple of str
        Controls that can be changed after the prediction.  The question is always about the start.
    """

    title: str
    text: str
    question: Question
    figure: str
    reveal: str
    source: str
    numbers: Callable[[Values], Numbers] | None = None
    notice: str = ""
    then: str = ""
    drawn_on: str = ""
    start: Mapping[str, str] = field(default_factory=dict)
    controls: tuple[str, ...] = ()

    def fill(self, numbers: Numbers) -> Step:
        """The step with all numbers in its texts."""
        texts = {name: fill(getattr(self, name), numbers) for name in ("title", "text", "notice", "then")}
        return replace(self, question=self.question.fill(numbers), **texts)  # type: ignore[arg-type]


# -- predictions in a link ---------------------------------------------------------------

_KEY, _GUESS = re.compile(r"[a-z0-9]{1,12}"), re.compile(r"[\w.,+-]{1,60}")


@dataclass(frozen=True, kw_only=True)
class Predictions(Text):
    """The predictions of all steps, such as ``1:b/2:0.8/3:c,a,b``."""

    default: Guesses = ()
    longest: int = 60  #: predictions

    def read(self, text: str) -> Guesses:
        pairs = [part.partition(":") for part in text.split("/") if part]
        return tuple((key, guess) for key, _, guess in pairs)

    def check(self, value: Guesses) -> Guesses:
        for key, guess in value:
            if not _KEY.fullmatch(key) or not _GUESS.fullmatch(guess):
                raise IrvizError(f"`{excerpt(f'{key}:{guess}')}` is not a prediction such as 1:b or 2:0.8")
        if len(value) > self.longest:
            raise IrvizError(f"it holds {number_of(len(value), 'prediction')}; at most {self.longest} are read")
        return tuple(dict(value).items())

    def format(self, value: Guesses) -> str:
        return "/".join(f"{key}:{guess}" for key, guess in value)


def with_guess(guesses: Guesses, key: str, guess: str) -> Guesses:
    """The predictions with one more; the oldest are dropped if there are too many.

    >>> with_guess((("1", "b"),), "2", "0.8")
    (('1', 'b'), ('2', '0.8'))
    """
    return tuple({**dict(guesses), key: guess}.items())[-Predictions.longest :]
