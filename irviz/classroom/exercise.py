"""An exercise on its page: what the page computes, whether it meets the condition, and the link to hand out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from irviz.errors import IrvizError
from irviz.labs.goals import Goal, Readings
from irviz.labs.lab import YOURS, Lab
from irviz.labs.lesson import FREE, LabPage
from irviz.links.control import Control
from irviz.links.task import Exercise, without
from irviz.links.view import Complaint, View, settle
from irviz.workspace.page import Page
from irviz.workspace.resolve import BASELINE, MODE, SHARED, scopes

_STEP = "step"  #: where in a lab somebody is
NEVER = (_STEP, "guess", "seed", YOURS.name)  #: controls that no exercise locks


@dataclass(frozen=True)
class Checked:
    """What became of the condition of an exercise.

    Attributes
    ----------
    words : str
        ``GAP 0.91 ✓, eGAP 0.24 ✗``, or why the condition cannot be decided.
    met : bool or None
        None where it cannot be decided, or nothing is asked for.
    """

    words: str
    met: bool | None


def readings_of(page: Page, values: Mapping[str, Any]) -> Readings:
    """What the page computes that a condition can be about; nothing where it is not a lab."""
    return page.lesson.readings(values) if isinstance(page, Lab | LabPage) else {}


def checked(goal: str, readings: Readings) -> Checked:
    """A condition compared with readings; errors in it are reported, never raised."""
    if not goal.strip():
        return Checked("", None)
    if not readings:
        return Checked("This page computes nothing that a condition can refer to; the labs do.", None)
    try:
        read = Goal.read(goal)
        return Checked(read.words(readings), read.met(readings))
    except IrvizError as error:
        return Checked(str(error), None)


def lockable(page: Page) -> tuple[Control, ...]:
    """The controls that an exercise may lock."""
    return tuple(control for control in page.controls if control.name not in NEVER)


def exercise_view(page: Page, view: View, exercise: Exercise) -> View:
    """The view to hand out: the present one as the start, without what is the teacher's own.

    A lab that looks at no collection needs none, so that nobody misses the teacher's.
    """
    _, own, _ = scopes(page, view.values)
    alone = isinstance(page, Lab | LabPage) and own.get(YOURS.name) != YOURS.format(True)
    kept = {
        key: text
        for key, text in view.items
        if key not in (BASELINE.name, MODE.name, "guess") and not (alone and key in SHARED)
    }
    if any(control.name == _STEP for control in page.controls):
        kept[_STEP] = kept.get(_STEP, FREE)  # an exercise starts with all of it
    return View(page.name, (*without(kept).items(), *exercise.texts().items()))


def read_exercise(page: Page, view: View) -> tuple[Exercise, dict[str, str]]:
    """The exercise of a link and what the link says to its page; a link without one is refused."""
    _, own, _ = scopes(page, view.values)
    exercise, _ = Exercise.read(own, [control.name for control in page.controls])
    if exercise is None:
        raise IrvizError("This link contains no exercise. Use the link that Share → Exercise shows.")
    return exercise, without(own)


def settled(page: Page, own: Mapping[str, str]) -> tuple[dict[str, Any], list[Complaint]]:
    """The values that the texts of a lab mean, and what of them cannot be used."""
    return settle(page.controls_for(own), own, None)
