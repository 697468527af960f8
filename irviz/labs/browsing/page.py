"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.browsing.challenges import CHALLENGES
from irviz.labs.browsing.panel import CONTROLS, panel
from irviz.labs.browsing.readings import readings
from irviz.labs.browsing.steps import STEPS
from irviz.labs.lesson import Lesson, lab_page

PAGE = lab_page(
    name="lab_browsing",
    title="Lab: browsing models",
    question="How does what a user does after each document become a score?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES),
)
