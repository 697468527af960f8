"""The lab as a page of the menu: what goals can be about, and its challenges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.graded_ap.panel import CONTROLS, graded_scores, panel, shares, whole_list
from irviz.labs.graded_ap.steps import STEPS
from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The scores of the whole list, for whom, and what it holds."""
    g, grades = shares(values), whole_list(values)
    scores = graded_scores(grades, g)
    return {
        **scores,
        "GAP minus eGAP": scores["GAP"] - scores["eGAP"],
        **{f"g{k}": share for k, share in enumerate(g, start=1)},
        "documents": len(grades),
        "relevant documents": sum(grade > 0 for grade in grades),
        "highest grade at rank": grades.index(max(grades)) + 1,
    }


CHALLENGES = (
    Challenge(
        title="Find users and a list on which GAP and eGAP differ: GAP above 0.9 while eGAP is below 0.2.",
        goal=Goal.read("GAP > 0.9; eGAP < 0.2"),
        hint="Let only a few users be content with grade 1, and put many documents of grade 1 on top.",
        start={"grades": "1,1,1,2"},
        solution={"top": "150"},
    ),
    Challenge(
        title="Nine of ten users want grade 2. Bring eGAP above 0.9 without making everything relevant.",
        goal=Goal.read("g2 = 0.9; eGAP > 0.9; relevant documents <= 4"),
        hint="What do the nine find at the first ranks? Click documents to change their grades.",
        start={"grades": "1,1,0,2,1,1"},
        solution={"grades": "2,2,1,0,0,0"},
    ),
    Challenge(
        title="Make GAP lower than the average of the users' AP by more than 0.05.",
        goal=Goal.read("g1 > 0; g2 > 0; GAP minus eGAP < -0.05"),
        hint="GAP follows the documents that many users want. Let most users be content with grade 1, and look at "
        "the ranks of the documents of grade 2.",
        start={"grades": "1,1,1,2"},
        solution={"grades": "2,0,0,1,1", "g1": "0.3", "g2": "0.7"},
    ),
)
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
