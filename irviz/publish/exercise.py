"""Exercises in links: what of a page one may lock, whether a condition is met, and the view to hand out."""

from __future__ import annotations

from irviz.errors import IrvizError
from irviz.labs.goals import Goal, Readings
from irviz.workspace.control import Control
from irviz.workspace.data import BASELINE, SHARED_NAMES
from irviz.workspace.page import BEFORE, Page
from irviz.workspace.task import Exercise, without_task
from irviz.workspace.view import View

GUESS = "guess"  #: the control of a lab that no exercise locks


def check_goal(goal: str, readings: Readings) -> tuple[str, bool | None]:
    """A condition compared with readings, as ``GAP 0.91 ✓, eGAP 0.24 ✗``, and whether it is met; None if undecided."""
    if not goal.strip():
        return "", None
    if not readings:
        return "This page computes nothing that a condition can refer to; the labs do.", None
    try:
        read = Goal.read(goal)
        return read.words(readings), read.is_met(readings)
    except IrvizError as error:
        return str(error), None


def lockable(page: Page) -> tuple[Control, ...]:
    """The controls that an exercise may lock."""
    return tuple(control for control in page.controls if control.name != GUESS)


def exercise_view(page: Page, view: View, exercise: Exercise) -> View:
    """The view to hand out: the present one without what is the teacher's own."""
    not_handed_out = {BASELINE.name, BEFORE.name, GUESS, *(SHARED_NAMES if page.lab else ())}
    texts = {key: text for key, text in view.items if key not in not_handed_out}
    return View(page.name, (*without_task(texts).items(), *exercise.texts().items()))
