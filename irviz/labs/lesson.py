"""What a lab teaches, beside what it shows: readings that goals are about, and challenges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irviz.labs.goals import Challenge, Readings
from irviz.workspace.page import Page, Values


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesson:
    """What a lab teaches.

    Attributes
    ----------
    readings : callable
        The numbers and words that the values of the lab's controls make, by the names people see.
    challenges : tuple of Challenge
    """

    readings: Callable[[Values], Readings]
    challenges: tuple[Challenge, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LabPage(Page):
    """A page that teaches; its panel returns a :class:`~irviz.workspace.panel.Lab`."""

    lesson: Lesson
    lab: bool = True
    measured: bool = False
