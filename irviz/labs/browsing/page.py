"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.browsing.panel import CONTROLS, panel
from irviz.labs.browsing.readings import readings
from irviz.labs.lesson import LabPage, Lesson

PAGE = LabPage(
    name="lab_browsing",
    title="Lab: browsing models",
    question="How does what a user does after each document become a score?",
    controls=CONTROLS,
    panel=panel,
    lesson=Lesson(readings=readings),
)
