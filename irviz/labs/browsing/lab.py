"""Lab: browsing models.  What a reader does after each document makes the measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import join_words
from irviz.labs.browsing import model
from irviz.labs.browsing.figures import FIGURES, area, cwl_curves, score_area
from irviz.labs.browsing.model import ReaderPath
from irviz.labs.browsing.steps import FRAME, STEPS
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import HIGHEST, Grades, Lab, edits, judged_lists, never, whole
from irviz.measures import measure
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.cwla import CWLA
from irviz.measures.language.base import Expression
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, control_of, label_of, plain, takers
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, Formula, Panel, Table
from irviz.workspace.phrases import change_words, extremes, number
from irviz.workspace.view import View

#: the measure that equals this model with its own aggregation, on every list
EQUAL_MEASURES = {"P": "gP@{k}", "ERR": "ERR@{end}"}
#: the measure of the same name that is another one, and how it differs; on some lists both give the same number
NAMESAKES = {
    "RBP": ("RBP(p={p})@{end}", "whose readers may go past rank {end}, where they gain nothing; here they stop there"),
    "AP": ("AP@{end}", "that is binary and counts every grade above 0 as 1"),
    "RR": ("RR@{end}", "that gives 1/rank of the first relevant document, whatever its grade"),
}


def _parameters(
    classes: Sequence[type[Expression]], choice: str, n: str, special: Mapping[str, Mapping[str, Any]]
) -> Iterator[Control]:
    """The parameters of the option that `choice` selects."""
    for key, who in takers(classes, model.lab_key).items():
        symbols = {cls.symbol for cls, _, _ in who}
        more = {"shown_if": partial(_is_chosen, f"{choice}{n}", f"c{n}", symbols), "aside": choice == "a"}
        yield control_of(who, name=f"{key}{n}", label=label_of(*who[0][1:]), **more, **special.get(key, {}))


def _is_chosen(choice: str, user: str, symbols: set[str], values: Values) -> bool:
    return bool(values[user]) and values[choice] in symbols


def _model_controls(n: str) -> tuple[Control, ...]:
    """One reader: how they read and what they carry away; `n` is "" or "2"."""
    others = (("", "none"),) if n else ()
    which = "Second reader: " if n else ""
    special: dict[str, dict[str, Any]] = {
        "k": {"default": 5, "high": 30, "slider": True},
        "t": {"default": 2.0},
        "p": {"stops": (0.6667,)},  # three documents on average
    }
    return (
        Choice(
            name=f"c{n}",
            label=f"{which}{'how they read' if n else 'How they read'}",
            default="" if n else "RBP",
            options=(*others, *((kind.symbol, kind.title) for kind in BROWSING_MODELS)),
            help="The browsing model: the probability of reading on after the document at each rank.",
        ),
        *_parameters(BROWSING_MODELS, "c", n, special),
        Choice(
            name=f"a{n}",
            label=f"{which}{'what they carry away' if n else 'What they carry away'}",
            default="ERG",
            options=tuple((kind.symbol, f"{kind.symbol}: {kind.title.lower()}") for kind in AGGREGATIONS),
            shown_if=lambda values: bool(values[f"c{n}"]),
            help="The aggregation: what a reader who stops at a rank has gained by then.",
        ),
        *_parameters(AGGREGATIONS, "a", n, {}),
    )


CONTROLS = (
    Grades(
        name="grades",
        label="Grades of the ranking",
        default=(2, 0, 3, 1, 0, 0, 2, 0, 0, 1),
        top=HIGHEST,
        keeps_grades=True,
        help="One grade per document, from 0 (not relevant) to 3 (best), first rank first. Or drag and click them.",
    ),
    *_model_controls(""),
    *_model_controls("2"),
    whole(
        "end",
        "The list ends at rank",
        10,
        (1, 30),
        "All readers who get this far stop. Shorter rankings are filled up with documents of grade 0.",
        aside=True,
    ),
    whole("one", "Rank", 1, (1, 10), "", slider=False, shown_if=never),
    whole("other", "Rank", 3, (1, 10), "", slider=False, shown_if=never),
)


def explore(context: Context | None, values: Values) -> Panel:
    """C, W, L, A and the score of one or two readers on one list."""
    grades = values["grades"]
    measures = [model.made_measure(values, n) for n in ("", "2") if values[f"c{n}"]]
    walked = [model.walk(measure, grades) for measure in measures]
    effects = [model.one_grade_more(measure, grades) for measure in measures]
    meant, words = edits(values, grades, HIGHEST)
    curves = cwl_curves(grades, HIGHEST, walked, meant)
    single = len(measures) == 1 and walked[0].last.sum() > 0.5
    title = "The score is the area: how many stop × what they carry"
    clauses = [_effect_words(w, effect) for w, effect in zip(walked, effects, strict=True)]
    claims = [
        text
        for measure, w, clause in zip(measures, walked, clauses, strict=True)
        for text in _claims(measure, w, clause, grades)
    ]
    return Panel(
        sentence=f"{'; '.join(map(_sentence, walked))}.",
        drawings=(
            {"area": area(values) if single else Drawing(score_area(walked), title, claims[0])},
            {"curves": Drawing(curves, "The list, and what its readers do", _stops(walked), ("grades",), words)},
        ),
        tables={
            "By rank": Table(
                pd.concat(
                    [
                        model.score_by_rank(measure, grades).assign(user=model.walk(measure, grades).name)
                        for measure in measures
                    ]
                ),
                "One row per rank: the gain r, the probability of reading on (C), the attention (W), the share of "
                "readers who stop (L), the mean number of documents read (V+, if A is divided by it), what these "
                "readers carry away (A), and the area L·A; the areas add up to the score.",
            )
        },
        notes=(*claims, *_notes(grades)),
        ways=(
            ("The same reading on your collection", View.from_texts("cwla")),
            ("Which readers real users agree with", View.from_texts("users")),
        ),
        formulas=_formulas(measures),
    )


def _sentence(w: ReaderPath) -> str:
    read = w.documents_read
    reached = float(w.last.sum())
    if reached < 0.5:
        return f"`{w.name}` is {number(w.score)}: no document of this list is worth anything, and its readers see none"
    docs = "document" if number(read, 1) == "1" else "documents"
    return (
        f"`{w.name}` is {number(w.score)}: its readers see {number(read, 1)} {docs} on average, and {w.last[0]:.0%} of "
        "them stop after the first"
    )


def _claims(one: CWLA, w: ReaderPath, effect: str, grades: Sequence[int]) -> list[str]:
    """Remarks on one reader, each with its source."""
    exact = model.score_of(one, grades)
    same = abs(w.score - exact) < 1e-9
    agree = f"the number that `{one}` computes" if same else f"but `{one}` computes {number(exact, 6)}"
    return [
        f"{w.name}: the bars of the area add up to {number(w.score, 4)}, {agree}. ({FRAME}.)",
        _beyond_words(w),
        f"{effect} ({one.C.source.rstrip('.')}.)",
        *_namesake_words(one, w, grades),
    ]


def _beyond_words(w: ReaderPath) -> str:
    end = len(w.last)
    if w.share_beyond < 0.0005:
        who = "nobody" if w.share_beyond <= 1e-12 else "fewer than one reader in 2,000"
        return f"{w.name}: {who} would read on after rank {end}. ({FRAME}.)"
    gets = "get nothing, as A(i) goes to 0 there" if w.amount_beyond == 0 != w.amount[-1] else "carry away A there"
    return (
        f"{w.name}: {w.share_beyond:.1%} of the readers would read on after rank {end}. The list ends, so they stop "
        f"there and {gets}: L({end}) is {w.last[-1]:.1%} and not {max(0.0, w.last[-1] - w.share_beyond):.1%} (the "
        "hatched bar). (A list is judged to its cutoff, where C becomes 0: a convention of irviz.)"
    )


def _effect_words(w: ReaderPath, effect: NDArray[np.float64]) -> str:
    best, worst = float(effect.max()), int(np.argmin(effect))
    if best <= 1e-12:
        text = f"{w.name}: one grade more raises the score at no rank of this list"
    else:
        ranks = [str(i + 1) for i in extremes(effect, 1e-12)]
        change = change_words(w.score, w.score + best) if best >= 0.001 else f"rises by {best:.1g}"
        at = f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {join_words(ranks, joiner='and')}"
        text = f"{w.name}: one grade more counts most at {at}, where the score {change}"
    if effect[worst] < -1e-12:
        loss = -float(effect[worst])
        much = number(loss) if loss >= 0.001 else f"{loss:.1g}"
        text += f"; at rank {worst + 1} a better document lowers it by {much}"
    return text + "."


def _namesake_words(one: CWLA, w: ReaderPath, grades: Sequence[int]) -> list[str]:
    """The measure that this is on every list, if there is one; otherwise the measure of the same name on this list."""
    if one.A.symbol != one.C.canonical:
        return []
    words = {"p": plain(getattr(one.C, "p", 0)), "k": one.C.cutoff, "end": one.cutoff}
    if one.C.symbol in EQUAL_MEASURES:
        known = measure(EQUAL_MEASURES[one.C.symbol].format(**words))
        return [f"This measure is known as `{known}`, which also gives {number(w.score)}. ({known.source}.)"]
    if one.C.symbol not in NAMESAKES:
        return []
    template, which = NAMESAKES[one.C.symbol]
    other = measure(template.format(**words))
    value = float(other.evaluate(judged_lists([grades], HIGHEST))[0])
    same = abs(value - w.score) < 1e-9
    does = "gives the same number on this list, but is another measure" if same else f"gives {number(value)}"
    return [f"The measure known as `{other}` {does}: it is one {which.format(**words)}. ({other.source}.)"]


def _notes(grades: Sequence[int]) -> tuple[str, ...]:
    """Why a list without the highest grade does not reach 1."""
    best = max(grades)
    if not 0 < best < HIGHEST:
        return ()
    return (
        f"Gains are grades divided by the highest grade there is, {HIGHEST}: grade {best} is worth {best}/{HIGHEST}, "
        f"so a list without a document of grade {HIGHEST} scores below 1 even if every document is relevant.",
    )


def _stops(paths: Sequence[ReaderPath]) -> str:
    """The ranks at which readers stop most often."""
    return " ".join(
        f"{w.name}: readers stop most often at rank {int(np.argmax(w.last)) + 1} ({w.last.max():.0%})." for w in paths
    )


def _formulas(measures: Sequence[CWLA]) -> tuple[Formula, ...]:
    reading = r"W(i) = \prod_{j<i} C(j) \Big/ \sum_{i'} \prod_{j<i'} C(j)"
    formulas = [
        Formula(r"M = \sum_i L(i)\,A(i)", str(measures[0]), "Chen & Sakai 2023, eq. (1)"),
        Formula(r"L(i) = (1 - C(i)) \prod_{j<i} C(j)", "last(gains)", "Chen & Sakai 2023, eq. (2)"),
        Formula(reading, "weight(gains)", "Chen & Sakai 2023, section 2.1"),
    ]
    formulas += [
        Formula(part.formula, str(part), part.source) for measure in measures for part in (measure.C, measure.A)
    ]
    return tuple(dict.fromkeys(formulas))


def readings(values: Values) -> dict[str, Reading]:
    """Remarks on how each reader reads and what they get."""
    by_name: dict[str, Reading] = {}
    for n, of in (("", ""), ("2", " of the second user")):
        if not values[f"c{n}"]:
            continue
        measure = model.made_measure(values, n)
        w, effect = model.walk(measure, values["grades"]), model.one_grade_more(measure, values["grades"])
        by_name |= {
            f"score{of}": model.score_of(measure, values["grades"]),
            f"documents read{of}": w.documents_read,
            f"stop at rank 1{of}": float(w.last[0]),
            f"rank that counts most{of}": int(np.argmax(effect)) + 1,
            f"smallest effect of a grade more{of}": float(effect.min()),
        }
    if values["c2"]:
        first, second = model.made_measure(values), model.made_measure(values, "2")
        by_name["first minus second"] = float(by_name["score"]) - float(by_name["score of the second user"])
        by_name["same reading"] = "yes" if first.C == second.C else "no"
    else:
        by_name |= {"first minus second": 0.0, "same reading": "no"}
    return by_name


CHALLENGES = (
    Challenge(
        title="Build readers who look at between 2.9 and 3.1 documents on average, and of whom more than 30% stop at "
        "rank 1.",
        goal=Goal.read("documents read > 2.9; documents read < 3.1; stop at rank 1 > 0.3"),
        hint="RBP's readers look at about 1/(1 − p) documents, or at fewer if the list ends first.",
        solution={"p": "0.6667"},
    ),
    Challenge(
        title="Two scores of one list: let the first be at least 0.3 above the second, although both have the same "
        "readers, RBP.",
        goal=Goal.read("score > 0; first minus second >= 0.3; same reading = yes"),
        hint="What they carry away may differ: compare the best document they saw with what they found per document.",
        start={"c2": "RBP"},
        solution={"a": "max"},
    ),
    Challenge(
        title="Find a list and a reader for whom a better document makes the score lower.",
        goal=Goal.read("smallest effect of a grade more < -0.001"),
        hint="A reader who stops sooner after a good document may miss what comes below. Which readers adapt, and "
        "which of them carry away only what they saw last?",
        can_regrade=True,
        solution={"c": "ERR", "a": "fin"},
    ),
)


class BrowsingLab(Lab):
    """The lab; its first step offers three kinds of readers, and that of a link; its last those that users judged."""

    def controls_for(self, texts: Mapping[str, str]) -> tuple[Control, ...]:
        few = {"1": ("ERR", "RBP", "P", texts.get("c")), "5": model.USER_MODELS}.get(texts.get("step", "1"))
        kinds = tuple((kind.symbol, kind.title) for kind in BROWSING_MODELS if few and kind.symbol in few)
        controls: tuple[Any, ...] = super().controls_for(texts)
        return tuple(
            replace(control, options=kinds) if kinds and control.name == "c" else control for control in controls
        )


LAB = BrowsingLab(
    name="lab_browsing",
    title="Lab: browsing models",
    question="How does what a reader does after each document become a score?",
    own=CONTROLS,
    explore=explore,
    readings=readings,
    figures=FIGURES,
    steps=STEPS,
    challenges=CHALLENGES,
    wording={
        "score": "The first score",
        "documents read": "Documents per reader",
        "stop at rank 1": "The share of readers who stop at rank 1",
        "first minus second": "The first score minus the second",
        "same reading = yes": "Both readers read alike",
        "smallest effect of a grade more < -0.001": "Somewhere a better document lowers the score by more than 0.001",
    },
)
