"""Challenges: users described by what they do."""

from __future__ import annotations

from irviz.labs.goals import Challenge, Goal

CHALLENGES = (
    Challenge(
        title="Build readers who look at between 2.9 and 3.1 documents on average, and of whom more than 30% stop at "
        "rank 1.",
        goal=Goal.read("documents read > 2.9; documents read < 3.1; stop at rank 1 > 0.3"),
        hint="RBP's readers look at about 1/(1 − p) documents, or at fewer if the list ends first.",
        solution={"p": "0.68"},
    ),
    Challenge(
        title="Two readers of one list: let the first score at least 0.3 more than the second, although both read "
        "with the same RBP.",
        goal=Goal.read("score > 0; first minus second >= 0.3; same reading = yes"),
        hint="What they carry away may differ: compare the best document they saw with what they found per document.",
        start={"c2": "RBP"},
        solution={"a": "max"},
    ),
    Challenge(
        title="Find a list and a reader for whom a better document makes the score lower.",
        goal=Goal.read("smallest effect of a grade more < -0.001"),
        hint="A reader who stops sooner after a good document may miss what comes below. Which readers adapt, and "
        "which of them carry away only what they saw last?",
        solution={"c": "ERR", "a": "fin"},
    ),
)
