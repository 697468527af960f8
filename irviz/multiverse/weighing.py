"""From comparisons of pairs to a verdict on a claim.

A claim is a number of comparisons, of which a few may fail.  It holds if enough of them do; it
is reversed if too many point the other way.  The comparison that decides is the one in
between: of the claim "A in top 5" that with the fifth best of the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.multiverse.outcomes import Outcomes

Floats = NDArray[np.float64]


class Weighed(NamedTuple):
    """averages × columns; `low`, `high`, `p` and `toward` averages × tests × columns.

    `pair` is the comparison that decides, `verdict` 1 where the claim holds, 0 for a tie and −1
    where it is reversed; `toward` says whether the test points where the verdict does.
    """

    difference: Floats
    standardised: Floats
    pair: NDArray[np.intp]
    verdict: NDArray[np.int8]
    undefined: NDArray[np.int8]
    low: Floats
    high: Floats
    p: Floats
    toward: NDArray[np.bool_]


def weighed(found: Outcomes, spare: int) -> Weighed:
    """The claim of which `spare` comparisons may fail."""
    pair = np.argsort(found.difference, axis=-1, kind="stable")[..., spare]
    plain = [np.take_along_axis(numbers, pair[..., None], axis=-1)[..., 0] for numbers in found[:2]]
    limits = [np.take_along_axis(numbers, pair[:, None, :, None], axis=-1)[..., 0] for numbers in found[2:4]]
    verdict = np.sign(np.nan_to_num(plain[0])).astype(np.int8)
    p, toward = claim_p(found.p, found.direction, verdict[:, None], spare)
    return Weighed._make([*plain, pair, verdict, found.undefined, *limits, p, toward])


def claim_p(
    p: Floats, direction: NDArray[np.int8], verdict: NDArray[np.int8], spare: int, corrected: bool = False
) -> tuple[Floats, NDArray[np.bool_]]:
    r"""p of the claim where it holds, or of its reverse where it is reversed (Benjamini & Heller 2008, eq. (2)).

    That at least *r* of *m* comparisons point one way, each with a p of its own (1 where
    the test points the other way), has

    .. math:: p = \min\{1, (m - r + 1)\, p_{(r)}\}

    For a claim without exceptions, r = m: the largest p, the intersection–union test
    (Berger 1982); its reverse needs one comparison, r = 1: the smallest p times m (Bonferroni).

    Parameters
    ----------
    p, direction : … × pairs
    verdict : …
    corrected : bool
        The p-values hold for all pairs together already: nothing is multiplied.

    Returns
    -------
    p, and whether the test points where the verdict does; a single pair keeps its p either way,
    and a tie of several has p = 1.
    """
    m = p.shape[-1]
    if m == 1:
        one_way = np.broadcast_to(verdict, p.shape[:-1])
        return p[..., 0], (direction[..., 0] == one_way) & (one_way != 0)
    holds = _partial(np.where(direction > 0, p, 1.0), m - spare, corrected)
    reverse = _partial(np.where(direction < 0, p, 1.0), spare + 1, corrected)
    chosen = np.where(verdict > 0, holds, np.where(verdict < 0, reverse, 1.0))
    return chosen, np.broadcast_to(verdict != 0, chosen.shape)


def _partial(p: Floats, r: int, corrected: bool) -> Floats:
    """p that at least `r` of the hypotheses along the last axis are false."""
    smallest = np.sort(p, axis=-1)[..., r - 1]
    return smallest if corrected else np.minimum(1.0, (p.shape[-1] - r + 1) * smallest)


def holm(p: Floats) -> Floats:
    """Holm's (1979) step-down correction along the last axis; NaN stands for a hypothesis that is not there.

    >>> holm(np.array([0.01, 0.04, np.nan, 0.03])).round(3).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    order = np.argsort(p, axis=-1, kind="stable")  # NaN last
    ordered = np.take_along_axis(p, order, axis=-1)
    left = np.isfinite(p).sum(axis=-1, keepdims=True) - np.arange(p.shape[-1])
    stepped = np.minimum(np.maximum.accumulate(np.where(left > 0, ordered * left, 0.0), axis=-1), 1.0)
    out = np.empty_like(p)
    np.put_along_axis(out, order, np.where(left > 0, stepped, np.nan), axis=-1)
    return out
