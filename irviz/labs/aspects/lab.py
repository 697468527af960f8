"""Lab: several aspects.  A document can be better on one aspect and worse on another; which comes first?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from irviz.errors import join_words, number_of, verb
from irviz.labs.aspects import model
from irviz.labs.aspects.figures import FIGURES, all_orders, the_plane
from irviz.labs.aspects.model import Floats, Pair
from irviz.labs.aspects.steps import SOURCE, STEPS
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import Grades, Lab
from irviz.measures import measure
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Flag, Number
from irviz.workspace.page import Values
from irviz.workspace.panel import Formula, Panel, Table
from irviz.workspace.phrases import number
from irviz.workspace.view import View


def _step(name: str, label: str, default: float, words: str) -> Number:
    return Number(
        name=name,
        label=label,
        default=default,
        low=0,
        high=model.STEEPEST,
        step=0.25,
        help=words,
        shown_if=None if name == "r" else lambda values: values["scale"] == "own",
        aside=name == "r",
    )


CONTROLS = (
    Grades(
        name="relevance",
        label="Relevance of d1, d2, …",
        default=(1, 2, 3),
        top=3,
        longest=4,
        help="0 not, 1 marginally, 2 fairly, 3 highly relevant; one grade per document.",
    ),
    Grades(
        name="correctness",
        label="Correctness of d1, d2, …",
        default=(2, 1, 0),
        top=2,
        longest=4,
        help="0 not, 1 partially, 2 correct; one grade per document.",
    ),
    Choice(
        name="distance",
        label="Distance from the best",
        default="euclidean",
        options=tuple(model.DISTANCES.items()),
        help="How the two aspects are combined into the distance of a document from the best one.",
    ),
    Choice(
        name="scale",
        label="Labels of correctness are at",
        default="own",
        options=(
            ("own", "your own"),
            *((name, ", ".join(f"{x:g}" for x in places)) for name, places in model.EMBEDDINGS.items()),
        ),
        help="Where not, partially and fully correct are; Maistro et al. 2021, Table 1 has three choices.",
        aside=True,
    ),
    _step("c1", "From not to partially correct", 0.75, "The distance between these two labels."),
    _step("c2", "From partially to fully correct", 1.75, "The distance between these two labels."),
    Number(
        name="p",
        label="Weight of relevance",
        default=0.5,
        low=0,
        high=1,
        step=0.05,
        help="In CAM and MM; correctness gets the rest.",
        aside=True,
    ),
    _step("r", "A step of relevance", 1.0, "The distance between neighbouring grades of relevance."),
    Flag(
        name="dependent",
        label="What is not relevant is not correct",
        default=True,
        help="A document that is not relevant then also has the lowest label of correctness.",
        aside=True,
    ),
    Choice(
        name="base",
        label="Measure",
        default="nDCG",
        few=True,
        options=(("nDCG", "nDCG"), ("AP", "AP")),
        help="AP needs relevant and other documents. In CAM and MM, relevant means at least fairly relevant on the one "
        "aspect and correct on the other. In TOMA it means the better half of the classes.",
        aside=True,
    ),
)


def explore(context: Context | None, values: Values) -> Panel:
    """The plane of labels, its classes, and all orders of the documents by CAM, MM and TOMA."""
    labels, table = model.documents(values), model.classes_table(values)
    names, scores = model.order_names(len(labels)), model.order_scores(values, labels)
    return Panel(
        sentence=order_words(values, labels, table),
        drawings=({"plane": the_plane(values)}, {"orders": all_orders(values)}),
        tables={
            "Classes": Table(_readable(table), "One row per pair of labels, best first; class 0 is the worst."),
            "Orders": Table(
                pd.DataFrame({"order": names, **scores}), "One row per order of the documents.", names=scores
            ),
        },
        notes=(*_notes(values), *_claims(labels, model.classes_of_pairs(values), names, scores)),
        ways=(
            (
                "CAM, MM and TOMA on your collection",
                View.from_texts("similarity", measures="CAM(nDCG),MM(nDCG),TOMA(nDCG)"),
            ),
        ),
        formulas=_formulas(values),
    )


def best_words(names: Sequence[str], scores: Mapping[str, Floats]) -> str:
    """The highest scores that an order of the documents reaches, and which order, if it matters."""
    best = {name: f"{number(float(row.max()), 4)} by {name}" for name, row in scores.items()}
    which = {name: f" ({names[int(row.argmax())]})" for name, row in scores.items() if float(np.ptp(row)) > 1e-9}
    clause = join_words([words + which.get(name, "") for name, words in best.items()], joiner="and")
    return f"The best order scores {clause}."


def _claims(
    labels: Sequence[Pair], classes: Mapping[Pair, int], names: Sequence[str], scores: Mapping[str, Floats]
) -> tuple[str, ...]:
    """Remarks on what is seen, each with its source."""
    return (
        f"{conflict_words(labels)} ({SOURCE}, section 3.1 and eq. (8).)",
        f"{fake_words(classes)} ({SOURCE}, section 3.4 and Table 1.)",
        f"{best_words(names, scores)} ({SOURCE}, section 4.2 and Table 3.)",
        f"{mm_zero_words(names, scores)} ({SOURCE}, section 4.2, problem 1.)",
    )


def conflict_words(labels: Sequence[Pair]) -> str:
    pairs = model.incomparable(labels)
    if len(labels) == 1:
        return "There is one document, so there is no order to dispute."
    if not pairs:
        return "Of any two of these documents one is at least as good on both aspects, so their order is undisputed."
    disputed = "; ".join(f"d{i + 1} and d{j + 1}" for i, j in pairs)
    return f"The aspects disagree about {number_of(len(pairs), 'pair')}: {disputed}."


def order_words(values: Values, labels: Sequence[Pair], table: pd.DataFrame) -> str:
    distance = f"The {model.DISTANCES[values['distance']]} distance"
    far = {f"d{i}": number(float(table["distance"][pair]), 2) for i, pair in enumerate(labels, start=1)}
    groups = model.by_distance(values, values["distance"])
    if len(labels) == 1:
        return f"{distance} of d1 from the best labels is {far['d1']}."
    if len(groups) == 1:
        return f"{distance} makes all equally good: they are {far['d1']} from the best labels."
    order = " before ".join(" and ".join(group) for group in groups)
    distances = join_words([far[name] for group in groups for name in group], joiner="and")
    return f"{distance} puts {order}: they are {distances} from the best labels."


def fake_words(classes: Mapping[Pair, int]) -> str:
    """The class of a highly relevant document that is not correct, in words."""
    fake, weak, best = classes[model.FAKE], classes[1, 1], max(classes.values())
    if best == 0:
        return "All pairs of labels are in one class: no document is better than another, correct or not."
    relation = "as good as" if fake == weak else "better than" if fake > weak else "worse than"
    worst = ", no better than one that is neither" if fake == 0 else ""
    return (
        f"A highly relevant document that is not correct is in class {fake} of 0 to {best}{worst}: "
        f"{relation} one that is marginally relevant and partially correct (class {weak})."
    )


def mm_zero_words(names: Sequence[str], scores: Mapping[str, Floats]) -> str:
    zero = int((scores["MM"] == 0).sum())
    if not zero:
        return "No order has an aspect that scores 0, so MM is defined for all of them."
    zeros = f"{zero} of {len(names)} orders {verb(zero, 'scores', 'score')}"
    which = zeros if zero < len(names) else "Every order scores" if zero > 1 else "The only order scores"
    return f"{which} 0 on an aspect; MM is 0 there, whatever the other aspect says."


def _notes(values: Values) -> tuple[str, ...]:
    notes = []
    a, b = len(values["relevance"]), len(values["correctness"])
    if a != b:
        notes.append(
            f"{number_of(a, 'grade')} of relevance and {b} of correctness {verb(a + b, 'is', 'are')} given; the first "
            f"{number_of(min(a, b), 'document')} {verb(min(a, b), 'is', 'are')} used."
        )
    changed = [
        f"d{i + 1}"
        for i, (first, second) in enumerate(zip(values["relevance"], values["correctness"], strict=False))
        if values["dependent"] and not first and second
    ]
    if changed:
        count = verb(len(changed), "is not relevant and counts", "are not relevant and count")
        notes.append(f"{join_words(changed, joiner='and')} {count} as not correct.")
    return tuple(notes)


def _formulas(values: Values) -> tuple[Formula, ...]:
    written = model.chosen_expressions(values)
    return tuple(Formula(parsed.formula, str(parsed), parsed.source) for parsed in map(measure, written.values()))


def _readable(table: pd.DataFrame) -> pd.DataFrame:
    frame = table.reset_index()
    for aspect, words in zip(model.ASPECTS, model.LABEL_NAMES, strict=True):
        frame[aspect] = [f"{words[int(level)]} ({int(level)})" for level in frame[aspect]]
    return frame


def readings(values: Values) -> dict[str, Reading]:
    """The class of every document (0 is the worst), that of fake news, and the highest scores that can be reached."""
    labels, of = model.documents(values), model.classes_of_pairs(values)
    scores = model.order_scores(values, labels)
    return {
        **{f"class of d{i}": of[pair] for i, pair in enumerate(labels, start=1)},
        "classes": max(of.values()) + 1,
        "class of fake news": of[model.FAKE],
        "fake news minus marginal and partial": of[model.FAKE] - of[1, 1],
        "disputed pairs": len(model.incomparable(labels)),
        **{f"highest {name}": float(row.max()) for name, row in scores.items()},
    }


CHALLENGES = (
    Challenge(
        title="Put fake news last: a highly relevant document that is not correct is no better than one that is "
        "neither.",
        goal=Goal.read("class of fake news = 0; classes > 2"),
        hint="A distance that looks only at the worse of two aspects punishes a single failure most. How large must "
        "the steps of correctness be for that?",
        solution={"distance": "chebyshev", "c1": "1.5", "c2": "1.5"},
    ),
    Challenge(
        title="Now put fake news in between: better than the worst document, but worse than a marginally relevant and "
        "partially correct one.",
        goal=Goal.read("class of fake news > 0; fake news minus marginal and partial < 0"),
        hint="Let both aspects count, and make the steps of correctness larger.",
        solution={"c1": "1.5", "c2": "1.5"},
    ),
    Challenge(
        title="Let CAM reach 1 although the aspects disagree about some documents.",
        goal=Goal.read("highest CAM >= 1; disputed pairs >= 1"),
        hint="CAM is a weighted mean over aspects. With which weights does the best order of one aspect score 1?",
        figure="orders",
        controls=("relevance", "correctness", "p", "base"),
        solution={"p": "1"},
    ),
)
LAB = Lab(
    name="lab_aspects",
    title="Lab: several aspects",
    question="One document is more relevant, the other more correct: which should come first, and what decides that?",
    own=CONTROLS,
    explore=explore,
    readings=readings,
    figures=FIGURES,
    steps=STEPS,
    challenges=CHALLENGES,
    wording={
        "class of fake news": "The class of fake news",
        "classes > 2": "There are more than two classes",
        "fake news minus marginal and partial < 0": "Fake news is in a lower class than a marginally relevant, "
        "partially correct document",
        "highest CAM": "CAM of the best order",
        "disputed pairs": "The number of pairs about which the aspects disagree",
    },
)
