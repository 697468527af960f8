"""Steps: one difference between tools at a time, from a number that can be derived by hand."""

from __future__ import annotations

from irviz.labs.conventions import run
from irviz.labs.conventions.model import PRESETS
from irviz.labs.step import Question, Step

TIES_SOURCE = (
    "McSherry & Najork, ECIR 2008 (the mean over all orders of tied documents); Cabanac, Hubert, Boughanem & "
    "Chrisment, CLEF 2010 (trec_eval's tie rule)"
)
DIRECTIONS = {"a": "It falls", "b": "It stays the same", "c": "It rises"}


def with_only(**changed: str) -> dict[str, str]:
    """trec_eval -c on both sides, except for one convention."""
    return {"first": "trec_eval-c", "second": "trec_eval-c", **changed}


STEPS = (
    Step(
        title="One topic by hand",
        text="One run, two tools, two numbers: {one tool:4} and {other tool:4}. Who is wrong? First by hand, for one "
        "topic, a search. Every box is a document, its name and grade: 1 or more is relevant; a circle was judged by "
        "nobody. AP: at each relevant document in the list, note the precision so far. Add these up and divide by "
        "all relevant documents, {relevant} here, found or not.",
        numbers=run.of_topic,
        question=Question(
            text="What is AP of this list?",
            answer="AP",
            within=0.02,
            step=0.01,
            told="{AP:4}: ({sum}) / {relevant}.",
            because={
                "by found": "This is the sum divided by the {found} found; AP divides by all {relevant} relevant "
                "documents.",
                "precision": "This is the precision of the whole list.",
                "recall": "This is the recall of the list.",
            },
        ),
        figure="topic",
        reveal="adds",
        drawn_on="y2",
        start={"first": "trec_eval", "second": "trec_eval-c", "lost": "0"},
        source="trec_eval's map; Buckley and Voorhees 2005",
    ),
    Step(
        title="A topic without an answer",
        text="Mean AP is the mean over topics. For topic 2 the system found nothing. trec_eval, the program that TREC "
        "uses, leaves such a topic out of the mean; with its option -c it counts every topic.",
        numbers=run.of_switch,
        question=Question(
            text="trec_eval prints a mean AP of {before:4}. What does trec_eval -c print?",
            answer="after",
            within=0.01,
            step=0.01,
            told="{after:4}: topic 2 counts as 0, ({before:4} + 0) / {topics}.",
            because={"before": "This is the mean without topic 2, as trec_eval prints it."},
        ),
        figure="run",
        reveal="switched",
        notice="All five relevant documents of topic 2 count now, and none of them was found. ir_measures, another "
        "program, prints this number, too.",
        start={"first": "trec_eval", "second": "trec_eval-c"},
        source=PRESETS["trec_eval"].source,
    ),
    Step(
        title="What AP is divided by",
        text="trec_eval divides by all relevant documents; another program, cwl_eval, divides by those in the list, "
        "since a reader of the list sees no others.",
        numbers=run.of_switch,
        question=Question(
            text="How does AP change if it is divided by the relevant documents in the list?",
            answer="direction",
            options=DIRECTIONS,
            told="It {moves}, from {before:4} to {after:4}: the sum is divided by {found} instead of {relevant}.",
            because={
                "a": "The same sum is divided by a smaller number.",
                "b": "It would stay the same if no relevant document were missing from the list.",
            },
        ),
        figure="run",
        reveal="switched",
        notice="Relevant documents that are missing no longer count.",
        then="let other documents be missing.",
        start=with_only(base="retrieved", lost="0"),
        controls=("missed",),
        source="cwl_eval's AP (cwl_ap.py), which cites Harman 1992",
    ),
    Step(
        title="Shuffle the ties",
        text="A system scores documents, and often two scores are equal: a tie. trec_eval then sorts by the documents' "
        "names, z before a; cwl_eval keeps the order in which the system's file lists them.",
        numbers=run.of_ties,
        question=Question(
            text="The documents {tied} share their scores with a neighbour. How far apart are the lowest and the "
            "highest AP that the order of the ties can give?",
            answer="range",
            options={"a": "They are equal", "b": "At most 0.05", "c": "More than 0.05"},
            told="{open}: over all orders AP lies between {low:4} and {high:4}.",
            because={
                "a": "They would be equal if tied documents had the same grade.",
                "b": "Each tie moves AP a little; together they move it by more.",
            },
        ),
        figure="tied",
        reveal="ties",
        notice="trec_eval's order gives {by trec_eval:4}, cwl_eval's {by file:4}; the mean over all orders is "
        "{middle:4}.",
        then="change the brackets, which hold documents of the same score; the box has the order of the file.",
        start=with_only(),
        controls=("list",),
        source=TIES_SOURCE,
    ),
    Step(
        title="Unjudged documents",
        text="Nobody judged the documents marked with a question mark. trec_eval counts them as not relevant; option "
        "-J removes them from the list.",
        numbers=run.of_switch,
        question=Question(
            text="How does AP change if unjudged documents are removed?",
            answer="direction",
            options=DIRECTIONS,
            told="It {moves}, from {before:4} to {after:4}.",
            because={
                "a": "What stands below a removed document moves up, so no precision gets lower.",
                "b": "It would stay the same if all unjudged documents were at the end of the list.",
            },
        ),
        figure="run",
        reveal="switched",
        notice="{removed:document} left the list, and what stood below moved up.",
        then="judge a document; u is unjudged.",
        start=with_only(unjudged="removed", lost="0"),
        controls=("list",),
        source=PRESETS["judged_only"].source,
    ),
)
QUIZ = Step(
    title="Which convention?",
    text="trec_eval -c prints a mean AP of {before:4} for this run. Another tool prints {after:4}. They differ in one "
    "convention.",
    numbers=run.of_quiz,
    question=Question(
        text="What does the other tool do?",
        answer="switch",
        options={key: f"It {{does {key}}}" for key in run.SWITCHES},
        told="It {does}: {before:4} becomes {after:4}.",
        because={key: f"That would give {{after {key}:4}}." for key in run.SWITCHES},
    ),
    drawn=run.drawn_run,
    figure="run",
    reveal="switched",
    source="trec_eval (github.com/usnistgov/trec_eval) and cwl_eval (github.com/ireval/cwl)",
)
