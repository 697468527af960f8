"""Steps: one difference between tools at a time, from a number that can be derived by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.errors import counted
from irviz.labs.conventions.listing import TieGroups, in_printed_order, missing, names
from irviz.labs.conventions.model import CHOICES, PRESETS
from irviz.labs.conventions.panel import AP_DIVISORS, steps_drawing, topics_drawing
from irviz.labs.conventions.step_figures import adds, two_topics
from irviz.labs.conventions.ties import TIES_SOURCE, tie_words, ties_drawing, toy_bounds
from irviz.labs.conventions.tools import both, mean_score
from irviz.labs.lab import HIGHEST
from irviz.labs.questions import Amount, MultipleChoice
from irviz.labs.steps import Revealed, Scene, Step
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim, Table
from irviz.workspace.phrases import moved, number

_TREC_EVAL_MAP = "trec_eval's map; Buckley and Voorhees 2005"


def ap_by_rank(documents: list[tuple[str, int]], relevant: int) -> pd.DataFrame:
    """AP rank by rank: the precision at every relevant document, divided by the number of relevant documents."""
    hit = np.array([grade > 0 for _, grade in documents])
    found, rank = np.cumsum(hit), np.arange(1, len(hit) + 1)
    return pd.DataFrame(
        {
            "rank": rank,
            "document": [name for name, _ in documents],
            "relevant": ["yes" if one else "" for one in hit],
            "precision": np.where(hit, found / rank, np.nan),
            "adds to AP": np.where(hit, found / rank / max(1, relevant), 0.0),
        }
    )


def ap_words(table: pd.DataFrame, relevant: int) -> str:
    """AP of a list as a sum of fractions."""
    hits = [int(rank) for rank, yes in zip(table["rank"], table["relevant"], strict=True) if yes]
    parts = " + ".join(f"{n}/{rank}" for n, rank in enumerate(hits, start=1))
    return f"({parts or '0'}) / {relevant} = {number(float(table['adds to AP'].sum()), 4)}"


# -- 1: one topic by hand -----------------------------------------------------------------------------


def _topic(values: Values) -> Scene:
    documents = in_printed_order(values["list"])
    relevant = sum(grade > 0 for _, grade in documents) + len(missing(values["list"], values["missed"]))
    table = ap_by_rank(documents, relevant)
    exact = mean_score({**values, "lost": 0}, PRESETS["trec_eval-c"].conventions)
    question = Amount(
        text="AP adds the precision at every relevant document that is retrieved, and divides by the number of "
        "relevant documents. What is AP of topic 1?",
        told=f"{ap_words(table, relevant)}. A guess within 0.02 counts as right.",
        value=exact,
        within=0.02,
        step=0.01,
    )
    alt = f"What every rank adds to AP: {ap_words(table, relevant)}."
    reveal = Revealed(
        drawings=({"adds": Drawing(adds(table), "What every rank adds", alt)},),
        claims=(LabClaim(f"AP of topic 1 is {ap_words(table, relevant)}.", _TREC_EVAL_MAP),),
        tables={"By hand": Table(table, "One row per rank of topic 1, in trec_eval's order of tied documents.")},
    )
    return Scene(
        text="A run with two topics. Every box is a document with its grade; grade 1 or more is relevant, ? means "
        "unjudged.",
        question=question,
        shown=({"topics": topics_drawing(values)},),
        reveal=lambda guess: reveal,
    )


# -- 2, 3 and 5: one convention ------------------------------------------------------------------------


def _one_difference(values: Values) -> tuple[float, float, str]:
    """The numbers of both sides, and the convention in which they differ."""
    first, second = both(values)
    (name,) = first.differing(second, values["kind"])
    options = CHOICES[name][1]
    words = f"{CHOICES[name][0]}: {options[getattr(first, name)]}, or {options[getattr(second, name)]}"
    return mean_score(values, first), mean_score(values, second), words


def _dash_c(values: Values) -> Scene:
    before, after, words = _one_difference(values)
    question = Amount(
        text=f"trec_eval prints a mean AP of {number(before, 4)}. What does trec_eval -c print, which counts every "
        "topic of the judgments?",
        told=f"{number(after, 4)}: the topic without an answer counts as 0, and the sum is divided by "
        f"{values['lost'] + 1}. A guess within 0.01 counts as right.",
        value=after,
        within=0.01,
        step=0.01,
    )
    reveal = Revealed(
        drawings=({"steps": steps_drawing(values)},),
        claims=(
            LabClaim(f"{words}. Mean AP {moved(before, after)}.", PRESETS["trec_eval"].source),
            LabClaim("The number of ir_measures is that of trec_eval -c.", PRESETS["ir_measures"].source),
        ),
    )
    return Scene(
        text="The run has no lines for topic 2: perhaps the system found nothing.",
        question=question,
        shown=({"topics": topics_drawing(values)},),
        reveal=lambda guess: reveal,
    )


def _direction(values: Values, text: str, asks: str, source: str) -> Scene:
    before, after, words = _one_difference(values)
    question = MultipleChoice(
        text=asks,
        told=f"Mean AP {moved(before, after)}.",
        options=(("a", "It falls"), ("b", "It stays the same"), ("c", "It rises")),
        correct=("a" if after < before - 1e-9 else "c" if after > before + 1e-9 else "b",),
    )
    reveal = Revealed(
        drawings=({"steps": steps_drawing(values)},),
        claims=(LabClaim(f"{words}. Mean AP {moved(before, after)}.", source),),
    )
    return Scene(text=text, question=question, shown=({"topics": topics_drawing(values)},), reveal=lambda guess: reveal)


def _divided(values: Values) -> Scene:
    lacking = counted(len(missing(values["list"], values["missed"])), "relevant document")
    return _direction(
        values,
        "trec_eval divides by all relevant documents, cwl_eval's AP by those in the list: its user knows of no others.",
        f"The list lacks {lacking}. How does the mean AP change if it is divided by the number of retrieved ones?",
        AP_DIVISORS["retrieved"][1],
    )


def _unjudged(values: Values) -> Scene:
    return _direction(
        values,
        "Nobody judged the documents marked with a question mark. trec_eval counts them as not relevant; option -J "
        "removes them from the list.",
        "How does the mean AP change if unjudged documents are removed?",
        PRESETS["judged_only"].source,
    )


# -- 4: ties -----------------------------------------------------------------------------------------------


def _ties(values: Values) -> Scene:
    first = PRESETS["trec_eval-c"].conventions
    bounds = toy_bounds(values, first)
    low, high = float(bounds.lowest[0, 0]), float(bounds.highest[0, 0])
    open_ = high - low
    tied = _tied(values["list"])
    question = MultipleChoice(
        text=f"The documents {', '.join(tied)} share their scores with a neighbour, so a tool must choose an order. "
        "By how much can two tools differ in AP of topic 1?",
        told=f"{tie_words(values, first)}",
        options=(("a", "Not at all"), ("b", "By at most 0.05"), ("c", "By more than 0.05")),
        correct=("a" if open_ < 1e-9 else "b" if open_ <= 0.05 else "c",),
    )

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=({"shuffled": _shuffled(values)}, ties_drawing(values, first)),
            claims=(LabClaim(tie_words(values, first), TIES_SOURCE),),
        )

    return Scene(
        text="Scores in a run are often equal. trec_eval sorts tied documents by their identifiers in descending "
        "order; cwl_eval keeps the order of the lines. Afterwards, shuffle the ties.",
        question=question,
        shown=({"topics": topics_drawing(values)},),
        reveal=reveal,
    )


def _tied(groups: TieGroups) -> list[str]:
    """The documents that tie with another one."""
    sizes = [len(group) for group in groups for _ in group]
    return [name for name, size in zip(names(groups), sizes, strict=True) if size > 1]


def _shuffled(values: Values) -> Drawing:
    """The list after a shuffle of its ties, and what it scores."""
    documents = in_printed_order(values["list"], int(values["shuffle"]))
    relevant = sum(grade > 0 for _, grade in documents) + len(missing(values["list"], values["missed"]))
    order = ", ".join(name for name, _ in documents)
    words = ap_words(ap_by_rank(documents, relevant), relevant)
    which = f"after shuffle {values['shuffle']}" if values["shuffle"] else "as trec_eval orders it"
    drawn = two_topics(documents, missing(values["list"], values["missed"]), 0, HIGHEST)
    return Drawing(drawn, f"The list {which}: AP is {words}", f"The order is {order}; AP is {words}.")


def with_only(**changed: str) -> dict[str, str]:
    """trec_eval -c on both sides, except for one convention."""
    return {"first": "trec_eval-c", "second": "trec_eval-c", **changed}


STEPS = (
    Step(title="One topic by hand", scene=_topic, start={"first": "trec_eval", "second": "trec_eval-c"}),
    Step(title="trec_eval or trec_eval -c?", scene=_dash_c, start={"first": "trec_eval", "second": "trec_eval-c"}),
    Step(title="What AP is divided by", scene=_divided, start=with_only(base="retrieved")),
    Step(title="Shuffle the ties", scene=_ties, start=with_only(), controls=("shuffle",)),
    Step(title="Unjudged documents", scene=_unjudged, start=with_only(unjudged="removed")),
)
