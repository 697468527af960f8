"""What flips a conclusion: the nearest worlds with another verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose, listed
from irviz.multiverse.decided import Decided
from irviz.multiverse.dimensions import DIMENSIONS, UNTOUCHED
from irviz.multiverse.words import choice_words, surely_words, verdict_words
from irviz.multiverse.worlds import Worlds

_UNTOUCHED = [list(DIMENSIONS).index(name) for name in UNTOUCHED]


def flips(r: Decided, current: Mapping[str, Any], significantly: bool = False) -> pd.DataFrame:
    """The worlds nearest to `current` with another verdict, fewest changes first.

    Parameters
    ----------
    current : mapping of dimension to option
        Dimensions that are not mentioned are as in the first world.
    significantly : bool, default False
        Whether a world that differs only in significance counts as well.

    Returns
    -------
    DataFrame
        One row per world: its choices, ``verdict``, ``significant``, ``changes`` (how many choices
        differ) and ``sentence``.  A world is left out if some of its changes alone flip the
        verdict.  The test and its family change no verdict, so they count as changes
        only if `significantly`.
    """
    here = world_at(r.worlds, current)
    codes, other = r.worlds.codes.copy(), r.verdict != r.verdict[here]
    if significantly:
        other = other | (r.significant != r.significant[here])
    else:
        codes[:, _UNTOUCHED] = codes[here, _UNTOUCHED]
    changed = codes != codes[here]
    rows = np.flatnonzero(other)
    rows = rows[np.argsort(changed[rows].sum(axis=1), kind="stable")]
    rows = rows[_irreducible(codes[rows], changed[rows])]
    frame = r.frame().iloc[rows][[*DIMENSIONS, "verdict", "significant"]].reset_index(drop=True)
    sentences = [_sentence(r, row, changed[row], significantly) for row in rows.tolist()]
    return frame.assign(changes=changed[rows].sum(axis=1), sentence=pd.Series(sentences, dtype=object))


def world_at(w: Worlds, current: Mapping[str, Any]) -> int:
    """The row of the world with these choices, all others being those of the first world."""
    wanted = w.codes[0].copy()
    for name, option in current.items():
        choose("choice", name, tuple(DIMENSIONS))
        if option not in w.options[name]:
            known = listed(w.options[name], most=40, joiner="and")
            raise IrvizError(f"`{option}` is no {DIMENSIONS[name]} of these worlds. There are {known}.")
        wanted[list(DIMENSIONS).index(name)] = w.options[name].index(option)
    found = np.flatnonzero((w.codes == wanted).all(axis=1))
    if not len(found):
        said = ", ".join(f"{name} {w.options[name][code]}" for name, code in zip(DIMENSIONS, wanted, strict=True))
        why = "it was not drawn" if w.drawn else "it was left out"
        raise IrvizError(f"This world is not among the {len(w):,}: {why} ({said}). Choose one of the frame's rows.")
    return int(found[0])


def _irreducible(codes: NDArray[np.int16], changed: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Rows of which no part of the changes makes a row of its own; rows come fewest changes first."""
    kept: list[int] = []
    for i in range(len(codes)):
        part = (~changed[kept] | (changed[i] & (codes[kept] == codes[i]))).all(axis=1)
        if not part.any():
            kept.append(i)
    return np.array(kept, dtype=np.intp)


def _sentence(r: Decided, row: int, changed: NDArray[np.bool_], significantly: bool) -> str:
    names = [name for name, differs in zip(DIMENSIONS, changed, strict=True) if differs]
    options = [r.worlds.options[name][r.worlds.code(name)[row]] for name in names]
    changes = listed([choice_words(name, option) for name, option in zip(names, options, strict=True)], 10, "and")
    surely = f" {surely_words(r, row)}" if significantly else ""
    return f"With {changes}, {verdict_words(r, row)}{surely}."
