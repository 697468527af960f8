"""Steps: a hundred readers walk down a list; what they carry away when they stop is the score."""

from __future__ import annotations

from irviz.labs.browsing import model
from irviz.labs.step import Question, Step

FRAME = "Chen & Sakai 2023, eq. (1) and (2)"
LIST = {"grades": "2,0,3,1,0,0,2,0,0,1"}

STEPS = (
    Step(
        title="Who stops where",
        text="A measure imagines readers who go down a list of documents. After every document some of them stop, and "
        "the others go on.",
        numbers=model.of_stopping,
        question=Question(
            text="100 readers start at rank 1. Grade 1 stops 1 of 8 readers of the document, grade 2 stops 3 of 8 and "
            "grade 3 stops 7 of 8. How many stop at rank 1, 2 or 3?",
            answer="by 3",
            tolerance=1,
            high=100,
            answer_text="{by 3} of 100: {at 1} stop at rank 1, {at 2} at rank 2 and {at 3} at rank 3.",
            because={
                "at 1": "These stop at rank 1. Of those who go on, most stop at rank 3.",
                "at 3": "These stop at rank 3 itself. Those who stopped before count, too.",
                "of 100 at 3": "7 of 8 of those who reach rank 3 stop there; those who stopped at rank 1 count, too.",
                "higher": "Some go on even after the best document.",
                "lower": "Count those who stop at rank 1, too: three of 8.",
            },
        ),
        figure="list",
        reveal="readers",
        notice="{beyond} reach the end and would read on. Readers of {reader} see {documents read:1} documents on "
        "average.",
        then="change a grade, or choose other readers. RBP's and P's ignore grades.",
        start={**LIST, "c": "ERR"},
        controls=("c", "p", "k", "grades"),
        source=FRAME,
    ),
    Step(
        title="What they carry away",
        text="Readers who stop carry something away: the best document they saw (max), or the sum of what they saw, "
        "divided by the {documents:1} documents that readers see on average (ERG). A document is worth a third of its "
        "grade.",
        numbers=model.of_carrying,
        question=Question(
            text="After each document 8 of 10 readers go on. On average over all readers, which is more?",
            answer="higher",
            options={**model.NAMES, "c": "Both are the same"},
            answer_text="{winner}. On average the best document is worth {best}, and the gain per document is {rate}.",
            because={
                "a": "Documents of grade 0 add nothing to the sum, but count among the {documents:1} that divide it.",
                "c": "They would be the same if every document were worth the same.",
            },
        ),
        figure="list",
        reveal="carried",
        then="change a grade.",
        start=LIST,
        controls=("grades",),
        source=FRAME,
    ),
    Step(
        title="The score is an area",
        text="The score is what readers carry away on average. Here they stop as follows: {stops}. So they see "
        "{seen} documents on average.",
        numbers=model.of_area,
        question=Question(
            text="With ERG, readers add up the grades they saw, divide by 3, then by {documents}. What is the average "
            "over all readers?",
            answer="score",
            high=9,
            tolerance=0.03,
            step=0.01,
            answer_text="{score:4}. The widths times the heights are {sum}.",
            because={
                "undivided": "This is what a reader finds on average; ERG divides it by the {documents} documents that "
                "are read.",
                "at the end": "Those who stop last carry this away, but most readers stop earlier.",
                "plain": "This is the mean worth of the documents. ERG divides by {documents} for everybody.",
            },
        ),
        figure="list",
        reveal="area",
        drawn_on="y2",
        notice="{high}",
        then="change the readers and watch the bars.",
        start={"grades": "1,2,3", "p": "0.5", "end": "3"},
        controls=("c", "p", "k", "a", "grades"),
        source=FRAME,
    ),
    Step(
        title="Which scores notice a swap?",
        text="Four scores of a list, before and after two documents change places. `RBP · max` means: go on as "
        "RBP's readers do, and carry away the best document.",
        numbers=model.of_swap,
        question=Question(
            text="The documents at ranks 1 and 3 change places. Whose score stays the same?",
            answer="same",
            options={
                "a": "P@5 · ERG: all read five documents",
                "b": "RBP · ERG: 8 of 10 go on each time",
                "c": "RBP · max: the same readers, the best they saw",
                "d": "ERR: they stop at good documents, and gain 1/rank",
            },
            answer_text="{stays}.",
            because={
                "b": "A fifth of these readers stop at rank 1, and now find a better document there: "
                "{before b} → {after b}.",
                "c": "Who stops early has now seen the best document already: {before c} → {after c}.",
                "d": "Now more of them are satisfied at rank 1: {before d} → {after d}.",
            },
        ),
        figure="swap",
        reveal="swapped",
        then="drag a document of the first row onto another. Which swap changes all four scores?",
        start=LIST,
        controls=("one", "other"),
        source=FRAME,
    ),
    Step(
        title="What do users say?",
        text="In a field study, users rated {answers} lists of one search engine from 0 to 4, and then the documents "
        "in them. Spearman's ρ says how well a score puts the lists in the order of these ratings (1: exactly).",
        numbers=model.of_users,
        question=Question(
            text="With RBP's readers, which score agrees better with the users' ratings?",
            answer="higher",
            options={**model.NAMES, "c": "Both equally well, within 0.01"},
            answer_text="{winner}. ρ is {rate} with ERG and {best} with max.",
            because={
                "a": "ERG counts all documents; these users' ratings follow the best one more.",
                "c": "Of two lists with the same best document, ERG prefers the one with more; that matters less here.",
            },
        ),
        figure="asked",
        reveal="agreement",
        then="choose other readers. Do users agree more with max again?",
        controls=("c",),
        source="TianGong-SS-FSD, the field study of Zhang et al. 2020",
    ),
)
