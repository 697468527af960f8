"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.graded_ap.challenges import CHALLENGES
from irviz.labs.graded_ap.panel import CONTROLS, panel
from irviz.labs.graded_ap.readings import readings
from irviz.labs.graded_ap.steps import STEPS
from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz

#: the measures that the quiz asks about
_QUIZ_MEASURES = ("AP", "AP(rel=2)", "GAP(g=[0.1,0.9])", "eGAP(g=[0.1,0.9])", "eGAP(g=[0.5,0.5])")

PAGE = lab_page(
    name="lab_graded_ap",
    title="Lab: graded AP",
    question="If users disagree about what is relevant, how should average precision count grades?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=list_quiz(_QUIZ_MEASURES)),
)
