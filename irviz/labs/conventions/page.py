"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.conventions.challenges import CHALLENGES
from irviz.labs.conventions.panel import CONTROLS, panel
from irviz.labs.conventions.readings import readings
from irviz.labs.conventions.steps import STEPS
from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz

#: the measures that the quiz asks about
_QUIZ_MEASURES = ("AP", "AP(rel=2)@3", "nDCG@5", "nDCG(dcg='exp-log2')@5", "P@3", "ERR")

PAGE = lab_page(
    name="lab_conventions",
    title="Lab: conventions",
    question="Two tools, one run, one measure, two numbers: which convention makes the difference?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=list_quiz(_QUIZ_MEASURES)),
)
