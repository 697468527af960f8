"""Steps: the aspects leave a partial order; the distance that decides the rest is a value judgement."""

from __future__ import annotations

from itertools import permutations

from irviz.labs.aspects import model
from irviz.labs.aspects.model import DISTANCES
from irviz.labs.step import Question, Step

SOURCE = "Maistro et al. 2021"
FIRST = {"scale": "equal"}  #: the first embedding of the paper's Table 1
RULES = (
    "Euclidean: as the crow flies. Manhattan: what is missing on both aspects, added up. Chebyshev: only what is "
    "missing on the worse aspect."
)
DOCUMENTS = ("d1", "d2", "d3")

STEPS = (
    Step(
        title="Two documents, two aspects",
        text="Documents can be judged on several aspects, here relevance and correctness. A document that is better on "
        "both is better; others are better on one aspect and worse on the other.",
        numbers=model.of_pair,
        question=Question(
            text="{documents}. Which should come first?",
            answer="first",
            options={"a": "d1, for everybody", "b": "d2, for everybody", "c": "It depends on what one values"},
            told="It depends: {told}.",
            because={
                "a": "d1 is the more correct one, but d2 is more relevant.",
                "b": "d2 is the more relevant one, but d1 is more correct.",
            },
        ),
        figure="documents",
        reveal="regions",
        notice="Documents on the dashed line are as good as d1. The line turns as relevance counts more, and d2 comes "
        "to lie on either side of it.",
        start={"relevance": "1,3", "correctness": "2,0"},
        source=f"Idea: {SOURCE}, section 3.1 and eq. (8); the two documents are made up",
    ),
    Step(
        title="Three documents, three distances",
        text=f"To put all documents in one order, TOMA measures how far each is from the best possible one, "
        f"highly relevant and correct. {RULES}",
        numbers=model.of_distances,
        question=Question(
            text="{documents}. Sort them as you would, the best first.",
            answer="euclidean",
            options={key: key for key in DOCUMENTS},
            ordered=True,
            open=True,
            told="Each distance has its own: {orders}.",
            because={",".join(order): f"{{yours {','.join(order)}}}" for order in permutations(DOCUMENTS)},
        ),
        figure="documents",
        reveal="planes",
        notice="Documents on one dotted line are equally good. What is not relevant cannot be correct: it has no dot.",
        then="drag the triangles: how bad is it to be one grade short? Maistro et al. have three answers.",
        start={**FIRST, "relevance": "1,2,1", "correctness": "2,1,1"},
        controls=("scale", "c1", "c2"),
        source=f"Idea: {SOURCE}, eq. (2) and (3); numbers: its Table 1",
    ),
    Step(
        title="Where does fake news go?",
        text=f"How far from the best document? {RULES} Documents that are equally far are a class; class 0 is the "
        "worst, and has all documents that are not relevant.",
        numbers=model.of_fake,
        question=Question(
            text="d1 is {fake}: fake news. Which distance puts it into the lowest class?",
            answer="lowest",
            options=DISTANCES,
            told="{named}. Euclidean puts it into class {class euclidean} of 0 to {top euclidean}, Manhattan into "
            "class {class manhattan} of 0 to {top manhattan}, Chebyshev into class {class chebyshev} of 0 to "
            "{top chebyshev}.",
            because={
                "euclidean": "It is class {class euclidean} there: correctness is all missing, but relevance is not.",
                "manhattan": "It is class {class manhattan} there: relevance makes up for a part.",
                "chebyshev": "It is class {class chebyshev} there.",
            },
        ),
        figure="documents",
        reveal="fake",
        notice="Chebyshev makes the fewest classes, {classes chebyshev}: it looks only at the worse aspect.",
        then="choose other places: with 0, 1, 2 relevance weighs more, with 0, 2, 6 correctness does.",
        start={**FIRST, "relevance": "3,1", "correctness": "0,1"},
        controls=("scale", "c1", "c2"),
        source=f"Idea and numbers: {SOURCE}, section 3.4 and Table 1, first embedding",
    ),
    Step(
        title="How high can CAM get?",
        text="CAM scores each aspect by itself and averages the two scores. Here the score is nDCG: the worth of the "
        "documents, less at later ranks, divided by that of the best order.",
        numbers=model.of_orders,
        question=Question(
            text="{documents}. How high is the CAM of the best of all their orders?",
            answer="highest CAM",
            within=0.03,
            step=0.01,
            told="{highest CAM:4}, by the order {best CAM}.",
            because={
                "one": "No order is best for both aspects.",
                "half": "The order that is worst for one aspect still scores more than 0 on it.",
            },
        ),
        figure="documents",
        reveal="orders",
        drawn_on="x2",
        notice="MM, the harmonic mean of the two, as F1 is of precision and recall, reaches {highest MM:4}; "
        "TOMA, one measure over the classes, {highest TOMA:4}.",
        then="change the documents and the weight of relevance.",
        controls=("relevance", "correctness", "p", "base"),
        source=f"Idea: {SOURCE}, section 4.2 and Table 3; the three documents are made up",
    ),
    Step(
        title="An aspect that scores 0",
        text="MM is the harmonic mean of the scores on the two aspects. Here no document is correct.",
        numbers=model.of_orders,
        question=Question(
            text="{documents}. What does the best order score by MM?",
            answer="MM reaches",
            options={"a": "1, the maximum", "b": "Something in between", "c": "0"},
            told="{highest MM:4}: {MM because}.",
            because={
                "a": "The order may be perfect for relevance, but on correctness every order scores 0.",
                "b": "A harmonic mean with a zero is 0, however high the other score is.",
            },
        ),
        figure="documents",
        reveal="orders",
        notice="{zero orders} of {orders} orders score 0. TOMA reaches {highest TOMA}: it compares with the best "
        "order of these documents, however good they are.",
        then="make one document correct.",
        start={"relevance": "3,2,1", "correctness": "0,0,0"},
        controls=("relevance", "correctness"),
        source=f"{SOURCE}, section 4.2, problem 1",
    ),
)
QUIZ = Step(
    title="Which document comes first?",
    text="The labels of relevance are at 0, 1, 2 and 3, those of correctness at 0, 1.5 and 3. The best document is "
    "highly relevant and correct.",
    numbers=model.of_quiz,
    question=Question(
        text="Which document comes first by the {distance} distance, {rule}?",
        answer="first",
        options={key: f"{key}: {{{key}}}" for key in DOCUMENTS},
        told="d1 is {far d1} from the best document, d2 {far d2} and d3 {far d3}; the nearest comes first.",
    ),
    drawn=model.drawn_documents,
    figure="documents",
    reveal="plane",
    source=f"{SOURCE}, eq. (2) and (3)",
)
