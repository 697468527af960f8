"""Steps: the mean picks the winner; with many low scores the choice of the ε-geometric mean is more consistent."""

from __future__ import annotations

from irviz.labs.aggregation import model
from irviz.labs.aggregation.model import ROW_CONTROLS, SYSTEMS
from irviz.labs.step import Question, Step

SOURCE = "Ravana & Moffat 2009"
WHO = dict(zip(ROW_CONTROLS, SYSTEMS, strict=True))

STEPS = (
    Step(
        title="Who wins?",
        text="A measure gives every system a score on every topic (one search request). The arithmetic mean adds up "
        "the scores of a system and divides by their number.",
        numbers=model.of_mean,
        question=Question(
            text="Without computing: which system has the highest arithmetic mean?",
            answer="wins",
            options=WHO,
            answer_text="{winner}: the means are {AM S1} (S1), {AM S2} (S2), {AM S3} (S3) and {AM S4} (S4).",
            because=dict.fromkeys(("s2", "s3", "s4"), "None of its scores is near that of {winner} on {topic}."),
        ),
        figure="dots",
        reveal="gathered",
        notice="{largest part}.",
        then="drag dots until S4 wins.",
        controls=ROW_CONTROLS,
        source=f"{SOURCE}, section 2 and Table 1",
    ),
    Step(
        title="Without one topic",
        text="How much does a winner owe to one topic?",
        then="click a dot to leave out its topic, and again to put it back.",
        controls=("out",),
        numbers=model.of_mean,
        question=Question(
            text="{winner} has the highest arithmetic mean. Which system has it without {topic}?",
            answer="wins without",
            options=WHO,
            answer_text="{winner without}: {left out} the means are {left S1} (S1), {left S2} (S2), {left S3} (S3) and "
            "{left S4} (S4).",
            because={
                "s1": "What put it ahead is gone.",
                "s2": "It loses one of its two best scores.",
                "s4": "Its scores are even, and none is high.",
            },
        ),
        figure="dots",
        reveal="without",
        source=f"{SOURCE}, section 2 and Table 1",
    ),
    Step(
        title="Six averages",
        text="Other averages: the median, the geometric mean (GM: the fifth root of the product), the harmonic mean "
        "(HM: 5 divided by the sum of reciprocals). εGM and εHM add ε to every score and subtract it from the mean.",
        numbers=model.of_six,
        question=Question(
            text="With the arithmetic mean (AM) these are six averages. How many different winners do they name?",
            answer="answer",
            options={"1": "One", "2": "Two", "3": "Three", "4": "Four"},
            answer_text="{systems}: {won}.",
            because={
                **dict.fromkeys("23", "AM rewards high scores, the median middle ones, HM punishes low ones."),
                "1": "An average of logarithms or reciprocals punishes low scores, the arithmetic mean does not.",
            },
        ),
        figure="dots",
        reveal="medals",
        notice="{low}",
        then="drag the dots until one system wins by every average.",
        controls=(*ROW_CONTROLS, "log"),
        source=f"{SOURCE}, section 2 and Table 1",
    ),
    Step(
        title="A zero",
        text="The geometric mean of five scores is the fifth root of their product.",
        numbers=model.of_zero,
        question=Question(
            text="{system} scores {scores}. What is its geometric mean?",
            answer="plain",
            tolerance=0.01,
            step=0.01,
            answer_text="{plain} by the {along} mean: {zero}. By the ε-{along} mean (ε = {ε}) it is {adjusted}.",
            because={
                "AM": "This is the arithmetic mean.",
                "of the others": "This is the geometric mean of the other four scores.",
                "higher": "Look at the first score: what does it do to a product?",
            },
        ),
        figure="dots",
        reveal="eps",
        drawn_on="y",
        notice="The winner by the ε-{along} mean as ε grows: {winners}.",
        then="move the slider of the figure: ε grows. Then take the harmonic mean.",
        controls=("along",),
        source=f"{SOURCE}, section 2",
    ),
)
