"""Claims: sentences about systems that a world confirms, leaves open or reverses.

``A > B``, ``A > B > C``, ``A is best`` and ``A in top 5`` are read as comparisons of two systems.  All comparisons of
a chain must hold; for a top *k*, k − 1 may fail.  The claim holds if enough comparisons do, and is reversed if too
many point the other way.  The deciding comparison lies in between: for "A in top 5", the one with the fifth best of
the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose

Floats = NDArray[np.float64]
_LONGEST_CLAIM = 2000  #: characters of a claim: it may come from a hostile link
EXAMPLES = "Write `A > B`, `A > B > C`, `A is best` or `A in top 5`, names with spaces or signs in backticks."

_TOKEN = re.compile(r"\s*(?:`(?P<quoted>[^`]*)`|(?P<sign>>)|(?P<bare>[^\s>`][^\s>]*))")


@dataclass(frozen=True)
class Claim:
    """A claim about some systems.

    Attributes
    ----------
    kind : {"pair", "chain", "best", "top"}
    names : tuple of str
        The systems that the sentence names, in its order.
    pairs : tuple of (ahead, behind)
        The comparisons, by the systems' places in the collection.
    spare : int
        How many of the comparisons may fail.
    """

    kind: str
    names: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    spare: int = 0

    def __str__(self) -> str:
        first = name_in_claim(self.names[0])
        if self.kind == "best":
            return f"{first} is best"
        if self.kind == "top":
            return f"{first} in top {self.spare + 1}"
        return " > ".join(map(name_in_claim, self.names))


def name_in_claim(name: str) -> str:
    """The name as written in a claim: in backticks unless it is one plain word.

    >>> name_in_claim("bm25"), name_in_claim("my run")
    ('bm25', '`my run`')
    """
    return name if re.fullmatch(r"[^\s>`][^\s>]*", name) else f"`{name}`"


def read_claim(text: str, systems: Sequence[str]) -> Claim:
    """The claim in `text` about some of `systems`; errors give the place, or the nearest names.

    >>> read_claim("b > `a c`", ["a c", "b"]).pairs
    ((1, 0),)
    >>> print(read_claim("b  in top 1", ["a c", "b"]))
    b is best
    """
    words = _words(text)
    if len(words) == 3 and [word for _, word in words[1:]] == ["is", "best"] and words[1][0] == words[2][0] == "bare":
        return _top_claim(_system(text, words[0], systems), 1, systems)
    if len(words) == 4 and [word for _, word in words[1:3]] == ["in", "top"]:
        return _top_claim(_system(text, words[0], systems), _place(text, words[3][1], systems), systems)
    return _chain(text, words, systems)


def _words(text: object) -> list[tuple[str, str]]:
    """(kind, word) of every token: "quoted", "bare" or "sign"."""
    if not isinstance(text, str):
        raise IrvizError(f"A claim is written as text; got {type(text).__name__}. {EXAMPLES}")
    if len(text) > _LONGEST_CLAIM:
        raise IrvizError(f"This claim is {len(text)} characters long; at most {_LONGEST_CLAIM} are read.")
    words, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise IrvizError(f"`{text}`: the backtick at character {text.index('`', at) + 1} is not closed. {EXAMPLES}")
        kind = str(match.lastgroup)
        words.append((kind, match[kind]))
        at = match.end()
    return words


def _chain(text: str, words: list[tuple[str, str]], systems: Sequence[str]) -> Claim:
    signs = [kind == "sign" for kind, _ in words]
    if len(words) < 3 or signs != [bool(i % 2) for i in range(len(words))] or signs[-1]:
        raise IrvizError(f"`{text}` is not a claim that can be read. {EXAMPLES}")
    places = [_system(text, word, systems) for word in words[::2]]
    names = tuple(systems[i] for i in places)
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if len(systems) == 1:
        raise IrvizError(f"A claim compares systems, and {name_in_claim(systems[0])} is the only one. Load more runs.")
    if twice:
        raise IrvizError(f"`{text}` names {name_in_claim(twice[0])} twice. Compare different systems.")
    pairs = tuple(zip(places, places[1:], strict=False))
    return Claim("pair" if len(pairs) == 1 else "chain", names, pairs)


def _top_claim(system: int, k: int, systems: Sequence[str]) -> Claim:
    """`system` is among the best `k`."""
    others = tuple((system, i) for i in range(len(systems)) if i != system)
    if not others:
        raise IrvizError(f"{systems[0]} is the only system, so there is nothing to compare it with. Load another.")
    return Claim("best" if k == 1 else "top", (systems[system],), others, k - 1)


def _system(text: str, word: tuple[str, str], systems: Sequence[str]) -> int:
    kind, name = word
    if kind == "sign":
        raise IrvizError(f"`{text}`: expected a system, found `>`. {EXAMPLES}")
    choose("system", name, systems)
    return list(systems).index(name)


def _place(text: str, word: str, systems: Sequence[str]) -> int:
    most = max(1, len(systems) - 1)
    if not (word.isascii() and word.isdigit()) or len(word) > 9 or not 1 <= int(word) <= most:
        which = f"from 1 to {most}" if most > 1 else "1"
        raise IrvizError(
            f"`{text}`: `top` takes a whole number {which}, with {len(systems)} systems loaded; got {word}."
        )
    return int(word)


# -- The p-value of a claim ----------------------------------------------------------------------


def claim_p(
    p: Floats, direction: NDArray[np.int8], verdict: NDArray[np.int8], spare: int, is_corrected: bool = False
) -> tuple[Floats, NDArray[np.int8]]:
    r"""p of the claim if it holds, or of its reverse if it is reversed (Benjamini & Heller 2008, eq. (2)).

    That at least *r* of *m* comparisons point one way, each with a p of its own (1 where
    the test points the other way), has

    .. math:: p = \min\{1, (m - r + 1)\, p_{(r)}\}

    A claim without exceptions has r = m, the largest p: the intersection–union test (Berger 1982).  Its reverse has r
    = 1, the smallest p times m (Bonferroni).  If p `is_corrected` for all pairs together, it is not multiplied.

    `p` and `direction` are … × pairs.  A claim about one pair has the direction of its test; one about several, that
    of the verdict, and p = 1 for a tie.
    """
    m = p.shape[-1]
    if m == 1:
        return p[..., 0], direction[..., 0]
    holds = _partial(np.where(direction > 0, p, 1.0), m - spare, is_corrected)
    reverse = _partial(np.where(direction < 0, p, 1.0), spare + 1, is_corrected)
    chosen = np.where(verdict > 0, holds, np.where(verdict < 0, reverse, 1.0))
    return chosen, np.broadcast_to(verdict, chosen.shape)


def _partial(p: Floats, r: int, is_corrected: bool) -> Floats:
    """p that at least `r` of the hypotheses along the last axis are false."""
    smallest = np.sort(p, axis=-1)[..., r - 1]
    return smallest if is_corrected else np.minimum(1.0, (p.shape[-1] - r + 1) * smallest)
