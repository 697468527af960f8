"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.aggregation.challenges import CHALLENGES
from irviz.labs.aggregation.panel import CONTROLS, panel
from irviz.labs.aggregation.quiz import mean_quiz
from irviz.labs.aggregation.readings import readings
from irviz.labs.aggregation.steps import STEPS
from irviz.labs.lesson import Lesson, lab_page

PAGE = lab_page(
    name="lab_aggregation",
    title="Lab: averaging over topics",
    question="Five scores become one number: does the choice of the mean decide which system wins?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=mean_quiz),
    measured=True,
)
