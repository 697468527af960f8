"""A new judge made from several judges, or from another judge's grades on another scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.collection.several.jury import judged_grades, with_judge
from irviz.errors import IrvizError, choose, is_number, unknown
from irviz.portable import total

Floats = NDArray[np.float64]


def _majority(grades: Floats) -> Floats:
    """The grade that most of the judges gave; of several such the lowest."""
    scale = np.unique(grades[~np.isnan(grades)])
    votes = (grades[..., None] == scale).sum(axis=2)
    return scale[np.argmax(votes, axis=-1)]  # the first of equals is the lowest


def _mean(grades: Floats) -> Floats:
    given = ~np.isnan(grades)
    return total(np.where(given, grades, 0.0), axis=2) / np.maximum(given.sum(axis=2), 1)


def _lowest(grades: Floats) -> Floats:
    return np.where(np.isnan(grades), np.inf, grades).min(axis=2)


def _highest(grades: Floats) -> Floats:
    return np.where(np.isnan(grades), -np.inf, grades).max(axis=2)


MERGING_RULES: dict[str, Callable[[Floats], Floats]] = {
    "majority": _majority,
    "mean": _mean,
    "lowest": _lowest,
    "highest": _highest,
}  #: every way to merge judges, in the order of a menu


def merged(c: Collection, how: str, judges: Sequence[str] | None = None, name: str | None = None) -> Collection:
    """The collection with one more judge, made of others.

    Parameters
    ----------
    c : Collection
        Loaded with ``judges=True``.
    how : {"majority", "mean", "lowest", "highest"}
        Applied to the grades that a document was given; a judge who left it out does not count.  If
        several grades are equally frequent, the majority is the lowest of them.
    judges : names of judges, optional
        All of them by default.
    name : str, optional
        The name of the new judge; by default it is made from `how` and the judges' names.

    Returns
    -------
    Collection
        With the same judge selected as before; ``by_judge(name)`` selects the new one.
    """
    choose("way to merge judges", how, tuple(MERGING_RULES))
    chosen = c.judges if judges is None else tuple(judges)
    if len(set(chosen)) < 2 or len(set(chosen)) != len(chosen):
        raise IrvizError("Merging takes two or more different judges.")
    places = [_place(c, judge) for judge in chosen]
    grades = judged_grades(c)[:, :, places]
    given = ~np.isnan(grades).all(axis=2)
    made = np.where(given, MERGING_RULES[how](grades), np.nan)
    return with_judge(c, name or f"{how} of {', '.join(chosen)}", made)


def mapped(
    c: Collection,
    judge: str,
    thresholds: Sequence[float],
    name: str | None = None,
    grades: Sequence[float] | None = None,
) -> Collection:
    """The collection with one more judge: another's judgments on a scale of their own.

    Parameters
    ----------
    thresholds : numbers, rising
        A grade of at least the first becomes 1, of at least the second 2, and so on; a
        lower one becomes 0.
    grades : numbers above 0, rising, optional
        What they become instead of 1, 2, …

    Examples
    --------
    Grades 0 to 3 become binary by ``mapped(c, "people", [2])``.
    """
    limits = _rising("thresholds", thresholds)
    targets = _rising("grades", range(1, len(limits) + 1) if grades is None else grades)
    if len(targets) != len(limits) or targets[0] <= 0:
        raise IrvizError(
            f"`grades` must be {len(limits)} numbers above 0, one for each threshold; got {list(targets)}."
        )
    old = judged_grades(c)[:, :, _place(c, judge)]
    scale = np.array([0.0, *targets])
    new = np.where(np.isnan(old), np.nan, scale[np.searchsorted(limits, np.nan_to_num(old), side="right")])
    steps = ", ".join(f"{limit:g}" for limit in limits)
    return with_judge(c, name or f"{judge} from {steps}", new)


def _place(c: Collection, judge: str) -> int:
    if judge not in c.judges:
        raise unknown("judge", judge, c.judges)
    return c.judges.index(judge)


def _rising(what: str, numbers: Sequence[float]) -> tuple[float, ...]:
    found = tuple(numbers)
    if not found or not all(is_number(n) and np.isfinite(n) for n in found):
        raise IrvizError(f"`{what}` must be one or more numbers; got {numbers!r}.")
    if any(a >= b for a, b in zip(found, found[1:], strict=False)):
        raise IrvizError(f"`{what}` must be in ascending order; got {list(found)}.")
    return tuple(map(float, found))
