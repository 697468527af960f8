"""Steps: who decides that 1000 is better than 0111, and why that matters for a mean."""

from __future__ import annotations

from itertools import permutations

from irviz.labs.scales import model
from irviz.labs.scales.model import PAIR, SORTED, as_text
from irviz.labs.step import Question, Step
from irviz.stats.scales import ORDERS

SOURCE = "Ferrante et al. 2019"
ORDER_SOURCE = f"Ferrante, Ferro & Maistro 2015; {ORDERS['rank']}"
ORDER = (6, 7, 1, 2, 3, 4, 5)  #: in which steps are taken; links know them by their numbers

STEPS = (
    Step(
        title="Which of two lists is better?",
        text="A measure puts result lists (runs) in an order. Some pairs are undisputed: a list gets better if a "
        "document is replaced by a better one, or a relevant one moves up. Look at this pair; 1 is a relevant "
        "document, and the first rank is on the left.",
        numbers=model.of_pair,
        question=Question(
            text="Which of the two runs is better?",
            answer="better",
            options={
                "a": f"Everybody must agree: {as_text(PAIR[0])}",
                "b": f"Everybody must agree: {as_text(PAIR[1])}",
                "c": "It depends on what one prefers",
            },
            told="It depends on what one prefers, here on how far one reads: neither can be made from the other by "
            "better documents or by moving a better one up.",
            because={
                "a": "Somebody who reads all four ranks finds three relevant documents in the other run.",
                "b": "Somebody who reads one rank finds nothing in it.",
            },
        ),
        figure="pair",
        reveal="pair-found",
        notice="Measures disagree, too: {says}.",
        source=ORDER_SOURCE,
    ),
    Step(
        title="Your own order",
        text="Before steps can be equal, we need an order. Measures imply different orders, and people prefer "
        "different ones.",
        numbers=model.of_sorting,
        question=Question(
            text="Sort the four runs, the best first, as you would.",
            answer="order",
            options={key: as_text(run) for key, run in SORTED.items()},
            ordered=True,
            open=True,
            told="Nobody is right. RBTO, for one, compares two runs at the first rank where they differ: {RBTO}.",
            because={",".join(keys): f"{{yours {','.join(keys)}}}" for keys in permutations(SORTED)},
        ),
        figure="runs",
        reveal="columns",
        source=ORDER_SOURCE,
    ),
    Step(
        title="Does RBP rise at every step?",
        text="A total order puts all {runs} runs in a row: at the first rank where two differ, the better document "
        "wins (RBTO). RBP adds up the weights of the ranks with a relevant document, {weights} from rank 1 on: after "
        "each rank, 8 of 10 readers go on.",
        numbers=model.of_steps,
        question=Question(
            text="Walk up this order from {worst} to {best}. Does {measure} rise at every step?",
            answer="rises",
            options={"a": "Yes, by equal steps", "b": "Yes, by unequal steps", "c": "No"},
            told="{answer}. {steps}",
            because={
                "a": "The slider below the figure is p: only at one value are all steps equal.",
                "b": "Compare {witness}: add up the weights of their relevant documents.",
                "c": "At this p every step goes up.",
            },
        ),
        figure="all",
        reveal="stairs",
        notice="A measure that rises at every step is on an ordinal scale; by equal steps, on an interval scale. "
        "{measure} is {kind}.",
        then="find the p of equal steps with the slider of the figure; then take three grades.",
        start={"p": "0.8"},
        controls=("grades", "depth"),
        source=f"{SOURCE}, section 3.3, Theorem 1 and section 4.3",
    ),
    Step(
        title="Two improvements",
        text="Equal steps matter because a mean over topics adds up gains from different places of the order. Here "
        "are the runs of four systems on one topic. ERR is what readers gain on average: half of those who reach a "
        "relevant document stop there, and gain 1/rank.",
        numbers=model.of_gains,
        question=Question(
            text="B is better than A ({before 1} → {after 1}), and D better than C ({before 2} → {after 2}). {measure} "
            "is higher by {gain:4} both times. Which improvement climbs more places of the order of all runs?",
            answer="further",
            options={"a": "From A to B", "b": "From C to D", "c": "Both climb equally many"},
            told="{named}: B is {ranks 1:place} above A and D {ranks 2:place} above C, for the same gain.",
            because={
                "a": "Count the runs between them in the order: there are fewer between A and B.",
                "b": "Count the runs between them in the order: there are fewer between C and D.",
                "c": "The gains are equal, but the steps of {measure} are not.",
            },
        ),
        figure="pairs",
        reveal="climbs",
        notice="{measure} is {kind} over these runs: a mean adds up its gains as if equal gains were equal "
        "improvements.",
        start={"measure": "ERR"},
        source=f"Stevens 1946; {SOURCE}, section 3.3",
    ),
    Step(
        title="Longer runs",
        text="So far all runs had 4 documents, and ERR rose at every step of their order, though by unequal steps. Its "
        "reader may stop at every relevant document.",
        numbers=model.of_longer,
        question=Question(
            text="Now the runs have {documents:document}. Does {measure} still rise at every step of the order?",
            answer="still",
            options={"a": "Yes", "b": "No"},
            told="{told}",
            because={
                "a": "Further down, several documents together come to outweigh one further up.",
                "b": "It rises at every step here.",
            },
        ),
        figure="all",
        reveal="walk",
        notice="The measure falls to the orange crosses. Whether its scale is ordinal may depend on how long runs are.",
        then="make the runs shorter, or try other measures and numbers of grades.",
        start={"measure": "ERR", "depth": "5"},
        controls=("measure", "p", "base", "rel", "grades", "depth"),
        source=f"{SOURCE}, section 3.3 and Theorem 1",
    ),
    Step(
        title="Which place is warmer?",
        text="Five days at two places: P {P} °C, R {R} °C. By the arithmetic mean {by AM} is warmer ({arithmetic R "
        "C:2} against {arithmetic P C:2}), by the geometric mean, the fifth root of the product, {by GM} ({geometric "
        "P C:2} against {geometric R C:2}).",
        numbers=model.of_days,
        question=Question(
            text="Now all thermometers show °F, whose zero is at −17.8 °C. Which place is warmer by the geometric "
            "mean?",
            answer="warmer",
            options={"a": "P, as before", "b": "R"},
            told="{in F}: its geometric mean is {geometric R F:2} °F, that of P {geometric P F:2} °F, so {does}.",
            because={
                "a": "A geometric mean depends on where 0 is, and 0 °F is another temperature than 0 °C.",
                "b": "The order of the geometric means stays here.",
            },
        ),
        figure="days",
        reveal="degrees",
        notice="No day got warmer, only the zero moved. The arithmetic means keep their order, {arithmetic R F:2} "
        "against {arithmetic P F:2} °F: differences of temperature do not depend on the zero, ratios do.",
        source="Idea: Stevens 1946; the temperatures are made up",
    ),
    Step(
        title="First hits",
        text="RR, the reciprocal rank, is 1/rank of the first relevant document. On three topics system A has it at "
        "ranks {hits A}, and system B at ranks {hits B}. Mean RR is {RR A} for A and {RR B} for B. But the steps of RR "
        "are unequal: on lists of {length} it can be {values}.",
        numbers=model.of_hits,
        question=Question(
            text="Put these values at equal distances from 0 to 1, in the same order. Which system has the higher "
            "mean?",
            answer="first",
            options={"a": "A, as by RR", "b": "B"},
            told="{then}: {equal A} for A and {equal B} for B.",
            because={
                "a": "RR's step from rank 2 to rank 1 is half of its range; now it is a quarter.",
                "b": "The mean of A is still the higher one.",
            },
        ),
        figure="hits",
        reveal="staircase",
        notice="The values keep their order, and the winner is another. Who is right? Some argue for equal steps; to "
        "others 1/rank is what a reader gains.",
        source="Idea: Fuhr, SIGIR Forum 2017; Ferrante, Ferro & Fuhr 2021; the other side: Sakai 2020, Moffat 2022",
    ),
)
QUIZ = Step(
    title="On which scale?",
    text="All {runs} runs of {documents:document} with the grades {levels}, in {order}. Ordinal: the measure rises "
    "at every step. Interval: it rises by equal steps.",
    numbers=model.of_quiz,
    question=Question(
        text="On which scale is {measure} over these runs?",
        answer="scale",
        options={"interval": "An interval scale", "ordinal": "An ordinal scale", "neither": "Neither"},
        told="{named}. {steps}",
    ),
    drawn=model.drawn_scale,
    figure="all",
    reveal="stairs",
    source=f"{SOURCE}, section 3.3 and Theorem 1",
)
