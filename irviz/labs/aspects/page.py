"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.aspects.challenges import CHALLENGES
from irviz.labs.aspects.panel import CONTROLS, panel
from irviz.labs.aspects.quiz import distance_quiz
from irviz.labs.aspects.readings import readings
from irviz.labs.aspects.steps import STEPS
from irviz.labs.lesson import Lesson, lab_page

PAGE = lab_page(
    name="lab_aspects",
    title="Lab: several aspects",
    question="One document is more relevant, the other more correct: which should come first, and what decides that?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=distance_quiz),
)
