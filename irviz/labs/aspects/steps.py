"""Steps: the aspects leave a partial order; the distance that decides the rest is a value judgement."""

from __future__ import annotations

from irviz.labs.aspects import model
from irviz.labs.aspects.model import DISTANCES
from irviz.labs.step import Question, Step

SOURCE = "Maistro et al. 2021"
FIRST = {"scale": "equal"}  #: the first embedding of the paper's Table 1
DOCUMENTS = ("d1", "d2", "d3")

STEPS = (
    Step(
        title="Two documents, two aspects",
        text="Documents can be judged on several aspects, here relevance and correctness. Often one document is more "
        "relevant, and another more correct.",
        numbers=model.of_pair,
        question=Question(
            text="{documents}. Which should come first?",
            answer="first",
            options={"a": "d1, for everybody", "b": "d2, for everybody", "c": "It depends on what one values"},
            answer_text="{verdict}.",
        ),
        figure="documents",
        reveal="regions",
        notice="With a weight of {share:%} for relevance {weighed}. Documents on the dashed line are as good as d1.",
        then="change the weight. Then drag d2 into the green area, and into the grey one.",
        start={"relevance": "1,3", "correctness": "2,0"},
        controls=("relevance", "correctness", "p"),
        source=f"Idea: {SOURCE}, section 3.1 and eq. (8); the two documents are made up",
    ),
    Step(
        title="How far from the best?",
        text="The best possible document is highly relevant and correct. One way to put documents in order: the nearer "
        "to the best, the earlier.",
        numbers=model.of_distances,
        question=Question(
            text="{documents}. Sort them as you would, the best first.",
            answer="euclidean",
            options={key: key for key in DOCUMENTS},
            asks_order=True,
            open=True,
            answer_text="There is no right order. By the straight line to the best document it is {order}.",
        ),
        figure="documents",
        reveal="planes",
        notice="All documents on a dotted line are equally far from the best. They form a class.",
        then="drag a triangle: how far is partially correct from correct? The paper has three answers.",
        start={**FIRST, "relevance": "1,2,1", "correctness": "2,1,1"},
        controls=("scale", "c1", "c2"),
        source=f"Idea: {SOURCE}, eq. (2) and (3); numbers: its Table 1",
    ),
    Step(
        title="Where does fake news go?",
        text="There are three usual distances from the best. Euclidean: the straight line. Manhattan: the sum of what "
        "both aspects lack. Chebyshev: what the worse aspect lacks. What is not relevant counts as not correct, so "
        "{pairs} documents are possible.",
        numbers=model.of_fake,
        question=Question(
            text="d1 is {fake}: fake news. By which distance is it in the last class of these {pairs}?",
            answer="lowest",
            options={**DISTANCES, "none": "None of them"},
            answer_text="{named}. Fake news is in class {classes}; class 0 is the last.",
            because={
                "euclidean": "It is not correct at all, but fully relevant, and that counts, too.",
                "manhattan": "Its relevance makes up for a part of what correctness lacks.",
                "none": "By the worse aspect alone, nothing is worse than a document that is not correct.",
            },
        ),
        figure="documents",
        reveal="fake",
        notice="The number of a document is its class.",
        then="drag a triangle, or put the labels of correctness at 0, 1, 2, then at 0, 2, 6.",
        start={**FIRST, "relevance": "3", "correctness": "0"},
        controls=("scale", "c1", "c2"),
        source=f"Idea and numbers: {SOURCE}, section 3.4 and Table 1, first embedding",
    ),
    Step(
        title="How high can CAM get?",
        text="CAM (convex aggregating measure) is the mean of a list's scores on each aspect. The scores are {base}, "
        "which is 1 for a list in the best order for the aspect.",
        numbers=model.of_orders,
        question=Question(
            text="{documents}. What does their best order score by CAM?",
            answer="highest CAM",
            tolerance=0.03,
            step=0.01,
            answer_text="{highest CAM}: {CAM because}",
            because={
                "one": "One order would have to be the best for both aspects.",
                "half": "The order that is worst for one aspect still scores more than 0 on it.",
            },
        ),
        figure="documents",
        reveal="orders",
        drawn_on="x2",
        then="drag a document, or let relevance weigh more.",
        controls=("relevance", "correctness", "p", "base"),
        source=f"Idea: {SOURCE}, sections 4.1 and 4.2, Table 3; the three documents are made up",
    ),
    Step(
        title="An aspect that scores 0",
        text="MM (multidimensional measure) takes the harmonic mean of the scores on the two aspects, as F1 does of "
        "precision and recall.",
        numbers=model.of_orders,
        question=Question(
            text="{documents}. What does the best order score by MM?",
            answer="MM reaches",
            options={"a": "1, the maximum", "b": "Something in between", "c": "0"},
            answer_text="{highest MM}: {MM because}.",
            because={
                "a": "The order may be perfect for relevance, but on correctness every order scores 0.",
                "b": "A harmonic mean with a zero is 0, however high the other score is.",
            },
        ),
        figure="documents",
        reveal="harmonic",
        then="drag one document up, so that it is correct.",
        start={"relevance": "3,2,1", "correctness": "0,0,0"},
        controls=("relevance", "correctness"),
        source=f"{SOURCE}, section 4.2, problem 1",
    ),
)
