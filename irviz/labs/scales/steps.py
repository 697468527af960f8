"""Steps: who decides that 1000 is better than 0111, and why that matters for a mean."""

from __future__ import annotations

from itertools import permutations

from irviz.labs.scales import model
from irviz.labs.scales.model import EXAMPLE_RUNS, PAIR, as_text
from irviz.labs.step import Question, Step
from irviz.stats.scales import ORDERS

SOURCE = "Ferrante et al. 2019"
ORDER_SOURCE = f"Ferrante, Ferro & Maistro 2015; {ORDERS['rank']}"

STEPS = (
    Step(
        title="Which of two lists is better?",
        text="A measure says which of two lists of documents is better. Here 1 is a relevant document, 0 another one, "
        "and rank 1 is on the left.",
        numbers=model.of_pair,
        question=Question(
            text="Which of the two lists is better?",
            answer="better",
            options={
                "a": f"Everybody must agree: {as_text(PAIR[0])}",
                "b": f"Everybody must agree: {as_text(PAIR[1])}",
                "c": "It depends on what one prefers",
            },
            answer_text="It depends on how far one reads: {first} is ahead at rank 1, {second} from rank 3 on.",
            because={
                "a": "Somebody who reads all four ranks finds three relevant documents in the other list.",
                "b": "Somebody who reads only rank 1 finds nothing in that list.",
            },
        ),
        figure="pair",
        reveal="pair-found",
        notice="Measures disagree, too. P@4 (precision at rank 4) prefers {P@4}. RR (1 divided by the rank of the "
        "first relevant document) prefers {RR}.",
        source=ORDER_SOURCE,
    ),
    Step(
        title="Your own order",
        text="People and measures put the same lists in different orders. RBTO (rank-based total order) looks only at "
        "the first rank where two lists differ: the better document there decides.",
        numbers=model.of_sorting,
        question=Question(
            text="Sort the four lists, the best first, as you would.",
            answer="order",
            options={key: as_text(run) for key, run in EXAMPLE_RUNS.items()},
            asks_order=True,
            open=True,
            answer_text="There is no right order. RBTO's order is {RBTO}.",
            because={",".join(keys): f"{{yours {','.join(keys)}}}" for keys in permutations(EXAMPLE_RUNS)},
        ),
        figure="runs",
        reveal="columns",
        source=ORDER_SOURCE,
    ),
    Step(
        title="Does RBP rise at every step?",
        text="Here are all {runs} lists of {documents:document} in the order of RBTO, worst first. RBP (rank-biased "
        "precision) adds up the weights of the relevant documents' ranks. A user reads on with probability p = {p}: "
        "rank 1 weighs 1 − p, and every rank p times the one before, {weights}.",
        numbers=model.of_steps,
        question=Question(
            text="Walk up this order from {worst} to {best}. Does RBP with p = {p} rise at every step?",
            answer="rises",
            options={"a": "Yes, by equal steps", "b": "Yes, by unequal steps", "c": "No"},
            answer_text="{answer}, with p = {p}. {steps}",
            because={
                "a": "Only one p makes all steps equal.",
                "b": "Compare {witness}: add up the weights of their relevant documents.",
                "c": "With these weights every step goes up.",
            },
        ),
        figure="all",
        reveal="stairs",
        notice="A measure that rises at every step is on an ordinal scale. If all steps are equal, it is on an "
        "interval scale: find this p with the slider.",
        start={"p": "0.8"},
        source=f"{SOURCE}, section 3.3, Theorem 1 and section 4.3",
    ),
    Step(
        title="Two improvements",
        text="Four systems answer one topic (a search request). ERR (expected reciprocal rank) scores their lists: the "
        "earlier the relevant documents come, the higher it is.",
        numbers=model.of_gains,
        question=Question(
            text="ERR rises by {gain:4} from A to B, and by as much from C to D. Which of the two climbs more places "
            "in RBTO's order of all lists?",
            answer="further",
            options={"a": "From A to B", "b": "From C to D", "c": "Both climb equally many"},
            answer_text="{named}: B is {ranks 1:place} above A and D {ranks 2:place} above C, for the same rise.",
            because={
                "a": "Count the lists between them in the order: there are fewer between A and B.",
                "b": "Count the lists between them in the order: there are fewer between C and D.",
                "c": "Both scores rise by {gain:4}, but past a different number of lists.",
            },
        ),
        figure="pairs",
        reveal="climbs",
        notice="So a step of a score need not be as large as another one. A mean over topics treats both as equal. "
        "Move the slider to count the places.",
        start={"measure": "ERR"},
        source=f"Stevens 1946; {SOURCE}, section 3.3",
    ),
    Step(
        title="Longer lists",
        text="So far all lists had 4 documents, and ERR rose at every step. ERR imagines a user who stops at a "
        "relevant document with probability 1/2; stopping at rank r is worth 1/r.",
        numbers=model.of_longer,
        question=Question(
            text="Does ERR still rise at every step where lists have {documents:document}?",
            answer="still",
            options={"a": "Yes", "b": "No"},
            answer_text="{fact}",
            because={
                "a": "In {low}, ranks {low ranks} together are worth {low value:4}; in {high}, rank {high ranks} alone "
                "{high value:4}.",
                "b": "It rises at every step here.",
            },
        ),
        figure="all",
        reveal="walk",
        notice="An orange cross is where the measure falls. So a measure can be on an ordinal scale for short "
        "lists only.",
        then="make the lists shorter, or try another measure.",
        start={"measure": "ERR", "depth": "5"},
        controls=("measure", "p", "depth"),
        source=f"{SOURCE}, section 3.3 and Theorem 1",
    ),
    Step(
        title="Which city is warmer?",
        text="Why scales matter: the temperatures of two cities on five days, in °C. {by AM} is warmer by the "
        "arithmetic mean, {by GM} by the geometric mean (the fifth root of the product).",
        numbers=model.of_days,
        question=Question(
            text="Measure the same days in °F, whose zero is at −17.8 °C. Which city is warmer by the geometric mean?",
            answer="warmer",
            options={"a": "Pisa, as before", "b": "Riga"},
            answer_text="{in F}: its geometric mean is {geometric Riga F:2} °F, that of Pisa is {geometric Pisa F:2} "
            "°F.",
            because={
                "a": "A geometric mean depends on where 0 is, and 0 °F is another temperature than 0 °C.",
                "b": "The order of the geometric means stays here.",
            },
        ),
        figure="days",
        reveal="degrees",
        notice="No day got warmer: only the zero moves. This does not change the order of the arithmetic means.",
        source="Idea: Stevens 1946; the temperatures are made up",
    ),
    Step(
        title="First hits",
        text="RR (reciprocal rank) is 1 divided by the rank of the first relevant document. In a list of {length} "
        "documents it is {values}. Its mean over three topics is {RR A} for system A and {RR B} for B.",
        numbers=model.of_hits,
        question=Question(
            text="Replace the values of RR by {equal values}. Which system has the higher mean?",
            answer="first",
            options={"a": "A, as by RR", "b": "B"},
            answer_text="{then}: the means are now {equal A} for A and {equal B} for B.",
            because={
                "a": "RR's step from rank 2 to rank 1 is half of its range; now it is a quarter.",
                "b": "The mean of A is still the higher one.",
            },
        ),
        figure="hits",
        reveal="staircase",
        notice="Some researchers want equal steps. Others say that 1/rank is what a user really gets.",
        source="Idea: Fuhr 2017; Ferrante, Ferro & Fuhr 2021; the other side: Sakai 2020, Moffat 2022",
    ),
)
