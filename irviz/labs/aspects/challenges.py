"""Challenges: a value judgement is a distance."""

from __future__ import annotations

from irviz.labs.goals import Challenge, Goal

CHALLENGES = (
    Challenge(
        title="Put fake news last: a highly relevant document that is not correct is no better than one that is "
        "neither.",
        goal=Goal.read("class of fake news = 0; classes > 2"),
        hint="A distance that looks only at the worse of two aspects punishes a single failure most. How large must "
        "the steps of correctness be for that?",
        solution={"distance": "chebyshev", "c1": "1.5", "c2": "1.5"},
    ),
    Challenge(
        title="Now put fake news in between: better than the worst document, but worse than a marginally relevant and "
        "partially correct one.",
        goal=Goal.read("class of fake news > 0; fake news minus marginal and partial < 0"),
        hint="Let both aspects count, and give correctness enough weight.",
        start={"distance": "chebyshev", "c1": "1.5", "c2": "1.5"},
        solution={"distance": "euclidean"},
    ),
    Challenge(
        title="Let CAM reach 1 although the aspects disagree about some documents.",
        goal=Goal.read("highest CAM >= 1; disputed pairs >= 1"),
        hint="CAM is a weighted mean over aspects. With which weights does the best order of one aspect score 1?",
        solution={"p": "1"},
    ),
)
