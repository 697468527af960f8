"""Lists and numbers as the text of a link, and back.

A link is read by people and typed by hand, so lists are separated by plain commas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_OPEN, _CLOSE = "([", ")]"


def split_expressions(text: str) -> list[str]:
    """The expressions of a comma-separated list; commas inside brackets or quotes do not separate.

    >>> split_expressions("AP, CWLA(C=RBP(p=0.8),A=ERG), GAP(g=[0.1,0.9])")
    ['AP', 'CWLA(C=RBP(p=0.8),A=ERG)', 'GAP(g=[0.1,0.9])']
    """
    parts, depth, quote, start = [], 0, "", 0
    for i, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and text[i - 1] != "\\" else quote
        elif sign in "'\"":
            quote = sign
        elif sign in _OPEN:
            depth += 1
        elif sign in _CLOSE:
            depth = max(0, depth - 1)
        elif sign == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def join_names(names: Iterable[str]) -> str:
    r"""Names as one text; a comma or backslash within a name is escaped.

    >>> print(join_names(["401", "a,b", "c\\d"]))
    401,a\,b,c\\d
    """
    return ",".join(re.sub(r"([\\,])", r"\\\1", name) for name in names)


def split_names(text: str) -> list[str]:
    r"""The names that :func:`join_names` joined.

    >>> split_names("401,a\\,b,c\\\\d")
    ['401', 'a,b', 'c\\d']
    """
    if not text:
        return []
    names = [""]
    escaped = False
    for sign in text:
        if escaped or sign not in "\\,":
            names[-1] += sign
            escaped = False
        elif sign == "\\":
            escaped = True
        else:
            names.append("")
    return names


def plain(number: float) -> str:
    """A number without needless digits; what reads it back gets the same number.

    >>> plain(0.80), plain(10.0), plain(1e-06)
    ('0.8', '10', '1e-06')
    """
    value = float(number)
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def shown(text: str, most: int = 60) -> str:
    """A text from a link as a complaint quotes it: on one line, cut when long.

    >>> shown("a\\nb" + "c" * 80, most=6)
    'a bccc…'
    """
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    return line if len(line) <= most else line[:most] + "…"
