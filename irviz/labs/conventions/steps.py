"""Steps: one difference between tools at a time, from a number that can be derived by hand."""

from __future__ import annotations

from irviz.labs.conventions import run
from irviz.labs.conventions.model import PRESETS
from irviz.labs.step import Question, Step

TIES_SOURCE = (
    "McSherry & Najork 2008 (the mean over all orders of tied documents); Cabanac et al. 2010 (trec_eval's tie rule)"
)
DIRECTIONS = {"a": "It falls", "b": "It stays the same", "c": "It rises"}

FOUR = {"list": "1,0,0,1", "missed": "1,1"}  #: two of four relevant documents are found
TIED_LIST = {"list": "1,(0,u,1),0,(1,u),0", "missed": "1,1"}


def with_only(**changed: str) -> dict[str, str]:
    """trec_eval on both sides, except for one convention."""
    return {"first": "trec_eval", "second": "trec_eval", **changed}


STEPS = (
    Step(
        title="Average precision by hand",
        text="A system found two relevant documents (✓) and missed two. Average precision (AP) adds up the precision "
        "at the rank of each relevant document. It divides the sum by all relevant documents, missed ones included.",
        numbers=run.of_topic,
        question=Question(
            text="What is the AP of this list?",
            answer="AP",
            tolerance=0.02,
            step=0.01,
            answer_text="{AP:4}: ({sum}) / {relevant}.",
            because={
                "by found": "This is the sum divided by the {found} found; AP divides by all {relevant} relevant "
                "documents.",
                "precision": "This is the precision of the whole list, and its recall.",
            },
        ),
        figure="topic",
        reveal="adds",
        drawn_on="y2",
        start={"first": "trec_eval", "second": "trec_eval-c", "lost": "0", **FOUR},
        source="trec_eval's map; Buckley & Voorhees 2005",
    ),
    Step(
        title="A topic without a list",
        text="Mean AP is the mean of AP over topics (search requests). For topic 2 the system returned no list. "
        "trec_eval, the usual tool, leaves this topic out; with option -c it counts every topic.",
        numbers=run.of_switch,
        question=Question(
            text="trec_eval prints a mean AP of {before:4}. What does trec_eval -c print?",
            answer="after",
            tolerance=0.01,
            step=0.01,
            answer_text="{after:4}: topic 2 counts as 0, ({before:4} + 0) / {topics}.",
            because={"before": "This is the mean without topic 2, as trec_eval prints it."},
        ),
        figure="run",
        reveal="switched",
        notice="The {relevant} relevant documents of topic 2 count now, and all of them were missed.",
        start={"first": "trec_eval", "second": "trec_eval-c", **FOUR},
        source=f"Mean AP: Buckley & Voorhees 2005; {PRESETS['trec_eval'].source}",
    ),
    Step(
        title="What is AP divided by?",
        text="trec_eval divides the sum by all relevant documents. cwl_eval, another tool, divides it by those in the "
        "list, because a user sees no others.",
        numbers=run.of_switch,
        question=Question(
            text="AP by trec_eval is {before:4}. How does it change if only the relevant documents found count?",
            answer="direction",
            options=DIRECTIONS,
            answer_text="It {moves}: {divided}.",
            because={
                "a": "The same sum is divided by a smaller number.",
                "b": "It would stay the same if no relevant document were missing from the list.",
            },
        ),
        figure="run",
        reveal="switched",
        notice="The missed documents no longer count.",
        then="make a document of the list relevant, or not.",
        start=with_only(base="retrieved", lost="0", **FOUR),
        controls=("list",),
        source="cwl_eval's AP (cwl_ap.py), which cites Harman 1992",
    ),
    Step(
        title="Shuffle the ties",
        text="The system gave some documents the same score: they are tied, and a tool must choose their order. "
        "trec_eval sorts them from z to a, cwl_eval leaves them as they are in the file.",
        numbers=run.of_ties,
        question=Question(
            text="Does AP depend on the order of the tied documents?",
            answer="range",
            options={"a": "No", "b": "Yes, by at most 0.05", "c": "Yes, by more than 0.05"},
            answer_text="{depends}.",
            because={
                "a": "It would not if tied documents were all relevant, or all not.",
                "b": "The first tie alone moves its relevant document from rank 4 to rank 2, and AP by 0.1.",
            },
        ),
        figure="tied",
        reveal="tie_range",
        notice="trec_eval's order gives {by trec_eval:4}, cwl_eval's {by file:4}; the mean over all orders is "
        "{middle:4}.",
        then="make a tied document relevant, or click a sign: > ties two documents, = unties them.",
        start=with_only(**TIED_LIST),
        controls=("list",),
        source=TIES_SOURCE,
    ),
    Step(
        title="Unjudged documents",
        text="trec_eval counts documents that nobody judged (?) as not relevant. With its option -J it removes them "
        "from the list.",
        numbers=run.of_switch,
        question=Question(
            text="How does AP change if the unjudged documents are removed?",
            answer="direction",
            options=DIRECTIONS,
            answer_text="It {moves}.",
            because={
                "a": "The documents below a removed one move up, so no precision gets lower.",
                "b": "It would stay the same if all unjudged documents were at the end of the list.",
            },
        ),
        figure="run",
        reveal="switched",
        notice="{removed}, and the documents below moved up.",
        then="change a document: relevant, unjudged or not relevant.",
        start=with_only(unjudged="removed", lost="0", **TIED_LIST),
        controls=("list",),
        source=f"Sakai 2007; {PRESETS['judged_only'].source}",
    ),
)
