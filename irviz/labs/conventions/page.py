"""The lab as a page of the menu."""

from __future__ import annotations

from irviz.labs.conventions.panel import CONTROLS, panel
from irviz.labs.conventions.readings import readings
from irviz.labs.lesson import Lesson, lab_page

PAGE = lab_page(
    name="lab_conventions",
    title="Lab: conventions",
    question="Two tools, one run, one measure, two numbers: which convention makes the difference?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings),
)
