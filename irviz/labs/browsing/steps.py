"""Steps: 100 readers walk down a list; what they carry away when they stop is the score."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from irviz.collection.catalogue import open_collection
from irviz.errors import counted
from irviz.labs.browsing.figures import score_area
from irviz.labs.browsing.model import score_of, walk
from irviz.labs.browsing.panel import FRAME, TIMES_DEALT, area_words, documents_read, made_measure, score_by_rank
from irviz.labs.browsing.step_figures import READERS, carried, readers, stopping, swap_bars
from irviz.labs.deals import Deals, better_worse_alike, deal_drawing, deals, tau_boxes
from irviz.labs.documents import run_rows
from irviz.labs.lab import HIGHEST
from irviz.labs.questions import Amount, MultipleChoice
from irviz.labs.steps import Revealed, Scene, Step
from irviz.measures import measure
from irviz.measures.cwla import CWLA
from irviz.stats.consistency import defined_mean
from irviz.stats.scores import score
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim, Table
from irviz.workspace.phrases import number

SOURCE = "Chen & Sakai 2023"
LIST = {"grades": "2,0,3,1,0,0,2,0,0,1"}
#: the users of the question which scores notice a swap
WATCHED = ("CWLA(C=P@5,A=ERG)@10", "CWLA(C=RBP(p=0.8),A=ERG)@10", "CWLA(C=RBP(p=0.8),A=max)@10", "CWLA(C=ERR,A=ERR)@10")
DEALT = "dl2021"  #: the collection whose topics are split into halves
SPLIT = ("CWLA(C=RBP(p=0.8),A=ERG)", "CWLA(C=RBP(p=0.8),A=avg)", "CWLA(C=RBP(p=0.8),A=max)")


def short_name(one: CWLA) -> str:
    """How they read and what they carry away."""
    return f"{one.C} · {one.A}"


def reader(text: str) -> CWLA:
    """The measure that an expression means."""
    one = measure(text)
    assert isinstance(one, CWLA)
    return one


def the_list(values: Values) -> Drawing:
    grades = values["grades"]
    words = f"A list with the grades {', '.join(map(str, grades))}, first rank first."
    return Drawing(run_rows([grades], ["grades"], HIGHEST), "The list", words)


# -- 1: who stops where ----------------------------------------------------------------------------


def _stops(values: Values) -> Scene:
    one = made_measure(values)
    w = walk(one, values["grades"])
    counts = stopping(w)
    third = float(READERS * w.last[0])
    at_most = sum(counts[:3])
    question = Amount(
        text=f"{READERS} readers start at rank 1. After each document, 8 of 10 read on. How many have stopped by rank "
        f"3?",
        told=f"{at_most} of {READERS}: {counts[0]} stop at rank 1, {counts[1]} at rank 2 and {counts[2]} at rank 3; "
        f"{counts[-1]} would read on after rank {len(w.last)}. A guess within 10 counts as right.",
        value=at_most,
        within=10,
        high=READERS,
    )
    drawn = readers(values["grades"], HIGHEST, w)
    stops = ", ".join(map(str, counts[:-1]))
    alt = f"Of {READERS} readers, by the rank where they stop: {stops}; {counts[-1]} read on."
    words = (
        f"{one.C}: {number(third, 1)} of {READERS} readers stop at rank 1, and a reader looks at "
        f"{number(documents_read(w), 1)} documents on average."
    )
    reveal = Revealed(
        drawings=({"readers": Drawing(drawn, f"{READERS} readers", alt)},),
        claims=(LabClaim(words, f"{one.C.source}; {FRAME}"),),
    )
    return Scene(
        text="A measure models readers who walk down the list: after each document they read on or stop. "
        "Afterwards, choose other readers; some adapt to what they found.",
        question=question,
        shown=({"list": the_list(values)},),
        reveal=lambda guess: reveal,
    )


# -- 2: what they carry --------------------------------------------------------------------------------


def _carries(values: Values) -> Scene:
    grades = values["grades"]
    rate = made_measure(values)
    best = replace(rate, A=reader(SPLIT[2]).A)
    scores = [score_of(one, grades) for one in (rate, best)]
    names = ["what they found, divided by what they read", "the best document they saw"]
    question = MultipleChoice(
        text="The same readers carry away either what they found per document read (ERG), or only the best document "
        "they saw (max). Which score is higher?",
        told=f"{short_name(rate)} is {number(scores[0])} and {short_name(best)} {number(scores[1])}.",
        options=(("a", f"ERG: {names[0]}"), ("b", f"max: {names[1]}"), ("c", "Both are the same")),
        correct=("a" if scores[0] > scores[1] + 1e-9 else "b" if scores[1] > scores[0] + 1e-9 else "c",),
    )
    walks = [walk(one, grades) for one in (rate, best)]
    words = (
        "They stop at the same ranks, but carry away different amounts: at rank 3, "
        + " and ".join(f"{number(float(w.amount[2]))} by {one.A}" for w, one in zip(walks, (rate, best), strict=True))
        + "."
    )
    reveal = Revealed(
        drawings=(
            {"carried": Drawing(carried(walks, [short_name(rate), short_name(best)]), "What they carry away", words)},
        ),
        claims=(LabClaim(words, FRAME),),
    )
    return Scene(
        text="When readers stop, they carry something away: this is the second half of a measure.",
        question=question,
        shown=({"list": the_list(values)},),
        reveal=lambda guess: reveal,
    )


# -- 3: the score is an area ---------------------------------------------------------------------------


def _area(values: Values) -> Scene:
    grades, one = values["grades"], made_measure(values)
    w = walk(one, grades)
    table = score_by_rank(one, grades)
    exact = score_of(one, grades)
    question = Amount(
        text=f"All readers of {one.C} read three documents and stop. Grades are worth 0, 1/3, 2/3 and 1. With ERG a "
        "reader carries away the sum of what they saw, divided by V+, the mean number of documents read, "
        f"here {number(documents_read(w), 1)}. What is the score?",
        told=f"{number(exact, 4)}: {area_words(table)} A guess within 0.02 counts as right.",
        value=exact,
        within=0.02,
        step=0.01,
    )
    drawings = (
        {
            "area": Drawing(
                score_area([w]), "The score is the area: L(i) wide, A(i) high", f"The bars: {area_words(table)}"
            )
        },
    )
    reveal = Revealed(
        drawings=drawings,
        claims=(LabClaim(f"{short_name(one)}: {area_words(table)}", FRAME),),
        tables={
            "By hand": Table(
                table, "One row per rank: its gain, the share of readers who stop there, and what they carry away."
            )
        },
    )
    return Scene(
        text="Now both halves together: the share of readers who stop at a rank, times what they carry away, summed "
        "over ranks. Afterwards, change the reader and check the number against the table.",
        question=question,
        shown=({"list": the_list(values)},),
        reveal=lambda guess: reveal,
    )


# -- 4: who notices? -------------------------------------------------------------------------------------


def _notices(values: Values) -> Scene:
    grades = values["grades"]
    swapped = (grades[2], grades[1], grades[0], *grades[3:])
    users = [reader(text) for text in WATCHED]
    before = np.array([score_of(one, grades) for one in users])
    after = np.array([score_of(one, swapped) for one in users])
    names = [short_name(one) for one in users]
    blind = [key for key, a, b in zip("abcd", before, after, strict=True) if abs(a - b) <= 1e-9]
    told = "; ".join(f"{name} {number(a)} → {number(b)}" for name, a, b in zip(names, before, after, strict=True))
    question = MultipleChoice(
        text="The documents at ranks 1 and 3 change places. Whose score stays the same?",
        told=f"{told}.",
        options=tuple(zip("abcd", names, strict=True)),
        correct=tuple(blind),
    )
    lists = run_rows([grades, swapped], ["before", "after"], HIGHEST)
    shown = Drawing(lists, "The list before and after", f"Grades {_text(grades)}, then {_text(swapped)}.")
    told_by = f"All readers of {users[0].C} pass ranks 1 to 3, so their order makes no difference to the score. {told}."
    reveal = Revealed(
        drawings=({"swap": Drawing(swap_bars(names, before, after), "Before and after the swap", told)},),
        claims=(LabClaim(told_by, FRAME),),
    )
    return Scene(
        text="Four readers look at the same list.",
        question=question,
        shown=({"lists": shown},),
        reveal=lambda guess: reveal,
    )


def _text(grades: tuple[int, ...]) -> str:
    return ", ".join(map(str, grades))


# -- 5: is the ranking reproduced? ------------------------------------------------------------------------


@cache
def split_topics() -> tuple[str, dict[str, Deals]]:
    """The bundled collection, and for every measure its systems on two halves of the topics, split by split."""
    collection = open_collection(DEALT)
    scores = score(collection, list(SPLIT))
    size = f"{counted(len(collection.systems), 'system')} on {counted(len(collection.topics), 'topic')}"
    return size, {name: deals(scores, TIMES_DEALT, m) for m, name in enumerate(scores.measures)}


def _repeats(values: Values) -> Scene:
    size, dealt = split_topics()
    deal = int(values["deal"])
    named = {short_name(reader(name)): found for name, found in dealt.items()}
    means = {name: float(defined_mean(found.tau)[0]) for name, found in named.items()}
    told = ", ".join(f"{name} {number(mean)}" for name, mean in means.items())
    rate, _, best = means.values()
    question = MultipleChoice(
        text=f"Split the topics of a real collection into two halves and rank the systems on both, {TIMES_DEALT} "
        "times. Which reader's ranking is reproduced better on the other half?",
        told=f"Mean τ between the halves ({size}, {TIMES_DEALT} splits): {told}.",
        options=(
            ("a", "ERG: what they found per document read"),
            ("b", "max: the best they saw"),
            ("c", "Both equally well, within 0.01"),
        ),
        correct=("a" if rate > best + 0.01 else "b" if best > rate + 0.01 else "c",),
    )
    first, _, last = named
    better, worse, alike = better_worse_alike(named[first].tau, named[last].tau)
    words = (
        f"In {better} of {TIMES_DEALT} splits the ranking of {first} is reproduced better, in {worse} that of {last}, "
        f"and in {alike} both alike."
    )
    boxes = tau_boxes({name: found.tau for name, found in named.items()})

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=(
                {"deal-max": deal_drawing(named[last], deal, last)},
                {"halves": Drawing(boxes, f"τ between two halves of the topics, {TIMES_DEALT} splits", question.told)},
            ),
            claims=(
                LabClaim(
                    f"{words} {question.told}",
                    f"{SOURCE}, section 5 and Table 3: ERG is among the most consistent, max among the least",
                ),
                LabClaim(
                    "With max, the documents after the best one add nothing to what a reader carries away, so the "
                    "scores separate systems less well.",
                    f"{SOURCE}, section 7",
                ),
            ),
        )

    return Scene(
        text="Two readers stop at the same ranks and carry away different things. Each ranks the systems; a meaningful "
        "ranking should be reproduced on other topics. Here is one split of the topics into two halves: "
        "every dot is a system, and dots on the line keep their ranks. Afterwards, split again.",
        question=question,
        shown=({"deal": deal_drawing(named[first], deal, first)},),
        reveal=reveal,
    )


STEPS = (
    Step(title="Who stops where", scene=_stops, start=LIST, controls=("c", "p", "k", "t", "grades")),
    Step(title="What they carry away", scene=_carries, start=LIST, controls=("grades",)),
    Step(
        title="The score is an area",
        scene=_area,
        start={"grades": "2,0,3", "c": "P", "k": "3", "end": "3"},
        controls=("c", "p", "k", "a", "grades"),
    ),
    Step(title="Which scores notice a swap?", scene=_notices, start=LIST),
    Step(title="Is the ranking reproduced?", scene=_repeats, controls=("deal",)),
)
