"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz
from irviz.labs.scales.challenges import CHALLENGES
from irviz.labs.scales.panel import CONTROLS, panel
from irviz.labs.scales.readings import readings
from irviz.labs.scales.steps import STEPS

#: the measures that the quiz asks about
_QUIZ_MEASURES = ("P@3", "AP", "RBP(p=0.5)", "RBP(p=0.8)", "ERR", "DCG@5")

PAGE = lab_page(
    name="lab_scales",
    title="Lab: measurement scales",
    question="Is the step from 0.2 to 0.3 as large as the step from 0.6 to 0.7?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=list_quiz(_QUIZ_MEASURES)),
)
