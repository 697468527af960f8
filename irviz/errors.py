"""The one kind of error a user of irviz meets, and the sentences it is made of.

Every refusal says what is wrong, where, what was found, and what to do.  This
module imports nothing of irviz: every floor may raise from here.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Iterable, Sized
from numbers import Real
from typing import Any

LONGEST_MESSAGE, LONGEST_NAME = 2_000, 200  #: characters; the middle of longer ones is left out


_CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class IrvizError(ValueError):
    """Input that irviz refuses; ``str(error)`` is a sentence for the person who gave it."""

    def __init__(self, message: str) -> None:
        super().__init__(cut(visible(message), LONGEST_MESSAGE))


class FileProblem(IrvizError):
    """A refusal tied to a place in a file, as ``file:line: message``."""

    def __init__(self, file: str, line: int | None, message: str) -> None:
        self.file, self.line, self.message = file, line, message
        place = file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {message}")


class TooLarge(IrvizError):
    """Data that would take more memory than they may; no single file of them is at fault."""


def visible(text: str) -> str:
    r"""`text` with control characters written out, which a terminal would obey; line ends and tabs stay.

    >>> visible("a\x1b[31mb\x9b\u202e\n")
    'a\\x1b[31mb\\x9b\\u202e\n'
    """
    return _CONTROLS.sub(lambda sign: ascii(sign[0])[1:-1], text)


def cut(text: str, most: int = LONGEST_NAME) -> str:
    """`text`, or where it is longer than `most` its beginning and its end.

    >>> cut("abcdefghij", most=5)
    'abc…j'
    """
    tail = most // 3
    return text if len(text) <= most else f"{text[: most - tail - 1]}…{text[-tail:]}"


def join_words(names: Iterable[object], most: int = 6, joiner: str = "or") -> str:
    """Names as a phrase: ``a, b or c``; past `most`, the rest is counted.

    >>> join_words(["tau", "tau_ap", "pearson"])
    'tau, tau_ap or pearson'
    >>> join_words("abcd", most=2)
    'a, b … (4 in all)'
    """
    all_names = list(names)
    texts = [cut(str(name)) for name in all_names[: most + 1]]
    if len(all_names) > most:
        return ", ".join(texts[:most]) + f" … ({len(all_names)} in all)"
    if len(texts) < 2:
        return "".join(texts)
    return ", ".join(texts[:-1]) + f" {joiner} {texts[-1]}"


def number_of(count: int, one: str, several: str = "") -> str:
    """A number of things; the plural of `one` has an s, if it is not given.

    >>> number_of(1, "pair"), number_of(1200, "pair"), number_of(2, "class", "classes")
    ('1 pair', '1,200 pairs', '2 classes')
    """
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def percent(share: float) -> str:
    """A share in whole percent; with a digit where that would be 0 or 100 and it is not.

    >>> percent(0.052), percent(0.004), percent(0.9996), percent(1.0), percent(0.0), percent(0.0001)
    ('5%', '0.4%', '99.9%', '100%', '0%', '<0.1%')
    """
    if 0.005 <= share <= 0.995 or share in (0, 1):
        return f"{share:.0%}"
    return "<0.1%" if share < 0.0005 else f"{min(share, 0.999):.1%}"


def rounded(value: float, digits: int) -> str:
    """A finite number with so many decimal places; with more where it would be 1 or −1 and is not, but for rounding.

    >>> rounded(0.5, 2), rounded(0.9992, 2), rounded(-0.99999, 2), rounded(1 - 1e-12, 2)
    ('0.50', '0.999', '-0.99999', '1.00')
    """
    text = f"{value:.{digits}f}"
    return rounded(value, digits + 1) if abs(float(text)) == 1 and 1 - abs(value) > 1e-9 else text


def check_length(what: str, entries: Sized, many: int, things: str, advice: str, each: str = "number") -> None:
    """Refuse a list that is not as long as there are things, which `things` counts.

    >>> check_length("`gains` lists", [0, 1], 1, "1 grade level", "Give one number per level.")
    Traceback (most recent call last):
    irviz.errors.IrvizError: `gains` lists 2 numbers, for 1 grade level. Give one number per level.
    """
    if len(entries) != many:
        raise IrvizError(f"{what} {number_of(len(entries), each)}, for {things}. {advice}")


def unknown(what: str, name: str, names: Collection[str]) -> IrvizError:
    """The error for a name that is not there, with the nearest names suggested.

    >>> print(unknown("measure", "NDCG", ["nDCG", "DCG", "AP"]))
    There is no measure `NDCG`. Did you mean nDCG or DCG?
    >>> print(unknown("aspect", "trust", ["relevance"]))
    There is no aspect `trust`. Known: relevance.
    """
    name = cut(name)
    folded = {candidate.casefold(): candidate for candidate in names}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.6)
    if close:
        return IrvizError(f"There is no {what} `{name}`. Did you mean {join_words(folded[c] for c in close)}?")
    return IrvizError(f"There is no {what} `{name}`. Known: {join_words(names, most=40, joiner='and')}.")


def choose(what: str, value: object, options: Collection[str]) -> str:
    """`value` if it is one of `options`, else an :class:`IrvizError` that lists them."""
    if isinstance(value, str) and value in options:
        return value
    raise unknown(what, str(value), options)


def is_number(value: object) -> bool:
    """True if `value` is a real number, of Python's or of NumPy's."""
    return isinstance(value, Real)


def is_finite(value: object) -> bool:
    """True if `value` is a finite number, of Python's or of NumPy's; True and False are none."""
    if isinstance(value, bool) or not is_number(value):
        return False
    try:
        return math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


def probability(name: str, value: Any, usual: float) -> float:
    """`value` if it is a number strictly between 0 and 1, else an :class:`IrvizError` that says what is usual.

    >>> probability("alpha", 0.05, usual=0.05)
    0.05
    """
    if not is_number(value) or not 0 < value < 1:
        written = f"{value:g}" if is_number(value) else repr(value)
        raise IrvizError(f"`{name}` must lie in (0, 1); got {written}. Usual is {usual:g}.")
    return float(value)


def whole_number(name: str, value: object, least: int = 1) -> int:
    """`value` if it is an integer of at least `least`, else an :class:`IrvizError`."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) < least:
        raise IrvizError(f"`{name}` must be a whole number of at least {least}; got {value!r}.")
    return int(value)
