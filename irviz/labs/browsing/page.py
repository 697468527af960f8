"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.browsing.challenges import CHALLENGES
from irviz.labs.browsing.panel import CONTROLS, panel
from irviz.labs.browsing.readings import readings
from irviz.labs.browsing.steps import STEPS
from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz

#: the measures that the quiz asks about
_QUIZ_MEASURES = ("CWLA(C=RBP(p=0.8),A=ERG)", "CWLA(C=RBP(p=0.8),A=max)", "CWLA(C=P@3,A=ERG)", "ERR", "AP")

PAGE = lab_page(
    name="lab_browsing",
    title="Lab: browsing models",
    question="How does what a user does after each document become a score?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=list_quiz(_QUIZ_MEASURES)),
)
