"""Goals over the readings of a lab: ``GAP > 0.9; eGAP < 0.2``, read from a text, written back, and checked.

A reading is a number or a text that a lab computes from its controls, under a name that
people see.  A challenge, and a teacher's exercise, asks for conditions on them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from irviz.errors import IrvizError, number_of, unknown
from irviz.workspace.control import excerpt, plain
from irviz.workspace.phrases import TOLERANCE, number

Reading = float | int | str
Readings = Mapping[str, Reading]

MOST_CONDITIONS = 8
_SAME = 0.5e-4  #: numbers are equal where four decimals show no difference
_PARTS = re.compile(r"([^<>=!;]+?)\s*(>=|<=|!=|>|<|=)\s*([^<>=!;\s][^;]*)")
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?", re.IGNORECASE)
_OTHER_SIGNS = str.maketrans({"≥": ">=", "≤": "<=", "≠": "!=", "−": "-"})
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda found, wanted: found > wanted + TOLERANCE,
    ">=": lambda found, wanted: found >= wanted - TOLERANCE,
    "<": lambda found, wanted: found < wanted - TOLERANCE,
    "<=": lambda found, wanted: found <= wanted + TOLERANCE,
    "=": lambda found, wanted: abs(found - wanted) <= _SAME,
    "!=": lambda found, wanted: abs(found - wanted) > _SAME,
}

IS = {">": "above ", ">=": "at least ", "<": "below ", "<=": "at most ", "=": "", "!=": "not "}  #: after *is*
_IS = {"=": "should be ", "!=": "should be "}  #: where the word cannot be left out


@dataclass(frozen=True)
class Condition:
    """A reading, how it is compared, and with what.

    Examples
    --------
    >>> one = Condition.read("GAP>.9")
    >>> one.format(), one.is_met({"GAP": 0.91})
    ('GAP > 0.9', True)
    >>> Condition.read("winner = S2").is_met({"winner": "S1"})
    False
    """

    reading: str
    operator: str
    value: float | str

    @classmethod
    def read(cls, text: str) -> Condition:
        """The condition that a text states; an :class:`IrvizError` if it states none."""
        line = " ".join(text.translate(_OTHER_SIGNS).split())
        parts = _PARTS.fullmatch(line)
        if parts is None or not line.isprintable():
            raise IrvizError(
                f"`{excerpt(text)}` is not a condition. Write a reading, one of > >= < <= = !=, and a number or a "
                "word, such as GAP > 0.9."
            )
        reading, operator, value = (part.strip() for part in parts.groups())
        return cls(reading, operator, _value(value, operator, text))

    def format(self) -> str:
        """The text that :meth:`read` reads back."""
        return f"{self.reading} {self.operator} {self.value_text}"

    @property
    def value_text(self) -> str:
        """The number or word it compares with, as a text."""
        return self.value if isinstance(self.value, str) else plain(self.value)

    def reading_in(self, readings: Readings) -> Reading:
        """The value of the reading; an :class:`IrvizError` if the lab has no such reading."""
        if self.reading not in readings:
            raise unknown("reading", self.reading, list(readings))
        return readings[self.reading]

    def is_met(self, readings: Readings) -> bool:
        """True if the readings meet the condition; an undefined number meets none."""
        return self._holds(self.reading_in(readings))

    def _holds(self, current: Reading) -> bool:
        if isinstance(current, str):
            if self.operator not in ("=", "!="):
                raise IrvizError(f"`{self.reading}` is a word, now `{excerpt(current)}`; compare it with = or !=.")
            return (current.casefold() == self.value_text.casefold()) == (self.operator == "=")
        if isinstance(self.value, str):
            raise IrvizError(f"`{self.reading}` is a number, now {number(current, 4)}; `{excerpt(self.value)}` is not.")
        return not math.isnan(current) and _COMPARISONS[self.operator](current, self.value)

    def digits(self, current: float) -> int:
        """The decimals that are needed to see whether a number meets the condition, at least those of the condition."""
        least = len(self.value_text.partition(".")[2])
        enough = (
            n
            for n in (3, 4, 6)
            if math.isfinite(current)
            and self._holds(round(current, n)) == self._holds(current)
            and (self.operator not in "<>" or round(current, n) != self.value or current == self.value)
        )
        return max(least, next(enough, 9))


def _value(text: str, operator: str, whole: str) -> float | str:
    if not _NUMBER.fullmatch(text):
        if operator in ("=", "!="):
            return text
        raise IrvizError(
            f"`{excerpt(whole)}` compares with `{excerpt(text)}`, which is not a number. Use = or != for words."
        )
    value = float(text)
    if not math.isfinite(value):
        raise IrvizError(f"`{excerpt(whole)}` compares with a number that is too large to compute with.")
    return value


@dataclass(frozen=True)
class Goal:
    """Conditions that must hold together.

    Examples
    --------
    >>> goal = Goal.read("GAP > 0.9; eGAP < 0.2")
    >>> goal.words({"GAP": 0.91, "eGAP": 0.24}), goal.is_met({"GAP": 0.91, "eGAP": 0.24})
    ('GAP above 0.9: now 0.91 ✓; eGAP below 0.2: now 0.24', False)
    """

    conditions: tuple[Condition, ...]

    @classmethod
    def read(cls, text: str) -> Goal:
        """Conditions with semicolons between them."""
        parts = [part for part in text.split(";") if part.strip()]
        if not parts:
            raise IrvizError("This goal has no condition. Write one such as GAP > 0.9.")
        if len(parts) > MOST_CONDITIONS:
            raise IrvizError(f"This goal has {number_of(len(parts), 'condition')}; at most {MOST_CONDITIONS} are read.")
        return cls(tuple(Condition.read(part) for part in parts))

    def format(self) -> str:
        """The text that :meth:`read` reads back."""
        return "; ".join(condition.format() for condition in self.conditions)

    def is_met(self, readings: Readings) -> bool:
        """True if all conditions hold."""
        return all(condition.is_met(readings) for condition in self.conditions)

    def words(self, readings: Readings) -> str:
        """A part a reading: ``GAP above 0.9: now 0.91 ✓; eGAP below 0.2: now 0.24``."""
        by_reading: dict[str, list[Condition]] = {}
        for condition in self.conditions:
            by_reading.setdefault(condition.reading, []).append(condition)
        return "; ".join(_words(conditions, readings) for conditions in by_reading.values())


def _words(conditions: Sequence[Condition], readings: Readings) -> str:
    """The conditions on a reading and the reading now, with a tick where it meets them.

    >>> _words([Condition.read("read > 2.9"), Condition.read("read < 3.1")], {"read": 4.46})
    'read above 2.9 and below 3.1: now 4.46'
    """
    reading = conditions[0].reading_in(readings)
    met = all(condition.is_met(readings) for condition in conditions)
    text = (
        reading
        if isinstance(reading, str)
        else number(reading, max(condition.digits(reading) for condition in conditions))
    )
    if any(
        condition.operator in "<>" and reading != text and abs(float(reading) - float(condition.value)) <= TOLERANCE
        for condition in conditions
    ):
        text = f"exactly {text}"
    wanted = " and ".join(
        f"{_IS.get(condition.operator, '')}{IS[condition.operator]}{condition.value_text}" for condition in conditions
    )
    return f"{conditions[0].reading} {wanted.replace('-', '−')}: now {text}{' ✓' if met else ''}"


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """A task in a lab.

    Attributes
    ----------
    title : str
        What to do, in a sentence.
    goal : Goal
        When it is done.
    now : str
        How far one is, with readings in braces; "" if nothing but done or not can be said.
    settings : int
        How many of the first conditions are settings, without which `now` would be of something else and is not said.
    why : str
        What shows that it is done, with readings in braces.
    hint : str
    solution : control → text
        One way to do it.
    """

    title: str
    goal: Goal
    now: str = ""
    settings: int = 0
    why: str
    hint: str
    solution: Mapping[str, str] = field(default_factory=dict)

    def shown(self, readings: Readings) -> str:
        """How far one is by these readings, or what shows that it is done."""
        is_set = all(condition.is_met(readings) for condition in self.goal.conditions[: self.settings])
        text = self.why if self.goal.is_met(readings) else self.now if is_set else ""
        return text.format_map(readings).replace("-", "−")

    def longest(self, readings: Readings) -> str:
        """The longest line of it by about these readings, whose room it keeps whatever is reached."""
        now, why = (text.format_map(readings) for text in (self.now, self.why))
        return f"{self.title} {max(f'{now} __hint__', f'Then: {why}', key=len)}"
