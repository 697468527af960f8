"""The collection of a world: with one judge, under a tie rule; and whether a measure can score it."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures import Measure

_SEEN: WeakKeyDictionary[Collection, dict[str, Collection]] = WeakKeyDictionary()


def through_judge(c: Collection, judge: str) -> Collection:
    """The collection as one of its judges sees it; itself where `judge` is its own, or an aspect."""
    if not c.judges or judge == c.judge:
        return c
    views = _SEEN.setdefault(c, {})
    if judge not in views:
        views[judge] = c.by_judge(judge)
    return views[judge]


def of_aspect(one: Measure, c: Collection, judge: str) -> Measure:
    """The measure on the aspect that `judge` names, where it leaves that open."""
    if c.judges or not follows_aspect(one) or judge == c.aspects[0]:
        return one
    return replace(one, aspect=judge)


def follows_aspect(one: Measure) -> bool:
    """Whether the aspect can be chosen for this measure: it is a measure of one, and names none."""
    return not one.several_aspects and one.aspect is None


def misfit(one: Measure, c: Collection, judge: str) -> IrvizError | None:
    """Why the measure cannot score what this judge sees; None where it can."""
    return of_aspect(one, c, judge).misfit(through_judge(c, judge))
