"""Lab: browsing models.  What a user does after each document makes the measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import listed
from irviz.labs.browsing.figures import cwl_curves, effect_bars, score_area
from irviz.labs.browsing.model import Walked, one_grade_more, score_of, walk
from irviz.labs.browsing.yours import on_collection
from irviz.labs.deals import deal_control
from irviz.labs.documents import CLICK_A_DOCUMENT
from irviz.labs.lab import HIGHEST, YOURS, Grades, bumped, judged_lists, on_yours
from irviz.measures import measure
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.cwla import CWLA
from irviz.measures.language.base import Expression
from irviz.portable import total
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Number, built, control_of, label_of, plain, takers
from irviz.workspace.panel import Drawing, Formula, Lab, LabClaim, Panel, Table
from irviz.workspace.phrases import extremes, moved, number

TIMES_DEALT = 100  #: how often topics are split into halves
FRAME = "Chen & Sakai 2023, eq. (1) and (2)"
#: the measure that equals this model with its own aggregation, on every list
EQUAL_MEASURES = {"P": "gP@{k}", "ERR": "ERR@{end}"}
#: the measure of the same name that is another one, and how it differs; on some lists both give the same number
NAMESAKES = {
    "RBP": ("RBP(p={p})@{end}", "whose users may read past rank {end}, where they gain nothing; here they stop at it"),
    "AP": ("AP@{end}", "that is binary and counts every grade above 0 as 1"),
    "RR": ("RR@{end}", "that gives 1/rank of the first relevant document, whatever its grade"),
}


def lab_key(name: str) -> str:
    """The name of a parameter in links; the cutoff of P and DCG and BPM's K are one choice."""
    return {"cutoff": "k", "K": "k", "beta": "b"}.get(name, name.lower())


def _parameters(
    classes: Sequence[type[Expression]], choice: str, n: str, special: Mapping[str, Mapping[str, Any]]
) -> Iterator[Control]:
    """The parameters of the option that `choice` selects."""
    for key, who in takers(classes, lab_key).items():
        symbols = {cls.symbol for cls, _, _ in who}
        shown = partial(_is_chosen, f"{choice}{n}", f"c{n}", symbols)
        yield control_of(who, name=f"{key}{n}", label=label_of(*who[0][1:]), shown_if=shown, **special.get(key, {}))


def _is_chosen(choice: str, user: str, symbols: set[str], values: Mapping[str, Any]) -> bool:
    return bool(values[user]) and values[choice] in symbols


def _model_controls(n: str) -> tuple[Control, ...]:
    """One user: how they read and what they carry away; `n` is "" or "2"."""
    others = (("", "none"),) if n else ()
    which = "Second user" if n else "User"
    lists: dict[str, dict[str, Any]] = {"k": {"default": 5, "high": 30, "slider": True}, "t": {"default": 2.0}}
    return (
        Choice(
            name=f"c{n}",
            label=f"{which}: browsing model C",
            default="" if n else "RBP",
            options=(*others, *((model.symbol, model.title) for model in BROWSING_MODELS)),
            help="The browsing model: the probability C(i) of reading on after the document at rank i.",
        ),
        *_parameters(BROWSING_MODELS, "c", n, lists),
        Choice(
            name=f"a{n}",
            label=f"{which}: aggregation A",
            default="ERG",
            options=tuple((kind.symbol, kind.title) for kind in AGGREGATIONS),
            shown_if=lambda values: bool(values[f"c{n}"]),
            help="The aggregation: what a user who stops at rank i has gained from ranks 1 to i.",
        ),
        *_parameters(AGGREGATIONS, "a", n, {}),
    )


CONTROLS = (
    Grades(
        name="grades",
        label="Grades of the ranking",
        default=(2, 0, 3, 1, 0, 0, 2, 0, 0, 1),
        top=HIGHEST,
        help="One grade per document, from 0 (not relevant) to 3 (best), first rank first. Or click a document.",
    ),
    *_model_controls(""),
    *_model_controls("2"),
    Number(
        name="end",
        label="The list ends at rank",
        default=10,
        low=1,
        high=30,
        step=1,
        whole=True,
        help="All users who get this far stop. Shorter rankings are filled up with documents of grade 0.",
    ),
    deal_control(TIMES_DEALT),
    YOURS,
)


def panel(context: Context | None, values: Mapping[str, Any]) -> Lab:
    """C, W, L, A and the score of one or two users on one ranking."""
    grades = values["grades"]
    made = [made_measure(values, n) for n in ("", "2") if values[f"c{n}"]]
    walked = [walk(one, grades) for one in made]
    effects = [one_grade_more(one, grades) for one in made]
    sentence = " ".join(_sentence(one, w) for one, w in zip(made, walked, strict=True))
    return Lab(
        panel=Panel(
            sentence=sentence,
            drawings=(
                {
                    "curves": Drawing(
                        cwl_curves(grades, HIGHEST, walked, bumped(grades, HIGHEST)),
                        "The ranking, and what its readers do",
                        _curves_alt(grades, walked),
                        ("grades",),
                        CLICK_A_DOCUMENT,
                    ),
                    "area": Drawing(
                        score_area(walked), "The score is the area: L(i) wide, A(i) high", _area_alt(walked)
                    ),
                },
                {
                    "effect": Drawing(
                        effect_bars(effects, [w.name for w in walked]),
                        "How one grade more at a rank changes the score",
                        " ".join(_effect_words(w, e, grades) for w, e in zip(walked, effects, strict=True)),
                    )
                },
            ),
            tables={
                "By rank": Table(
                    _table(grades, made, walked),
                    "One row per rank: the gain r, the probability of reading on (C), the attention (W), the share of "
                    "users who stop (L), the mean number of documents read (V+, if A is divided by it), what these "
                    "users carry away (A), and the area L·A; the areas add up to the score.",
                )
            },
            notes=_notes(grades),
        ),
        how="Click a document to change its grade, or type the grades; move a parameter; add a second user to compare.",
        formulas=_formulas(made),
        claims=tuple(c for one, w, e in zip(made, walked, effects, strict=True) for c in _claims(one, w, e, grades)),
        yours=on_yours(context, values, lambda opened: on_collection(opened, made)),
    )


def made_measure(values: Mapping[str, Any], n: str = "") -> CWLA:
    """The measure that the choices of user `n` make; nobody reads past the end of the list."""
    models = {model.symbol: model for model in BROWSING_MODELS}
    sums = {one.symbol: one for one in AGGREGATIONS}
    model, end = models[values[f"c{n}"]], int(values["end"])
    here = {**values, f"k{n}": min(values[f"k{n}"], end)} if model.cut == "required" else values
    user = built(model, here, lambda name: lab_key(name) + n)
    return CWLA(C=user, A=built(sums[values[f"a{n}"]], values, lambda name: lab_key(name) + n), cutoff=end)


# -- words ------------------------------------------------------------------------------------


def _sentence(one: CWLA, w: Walked) -> str:
    read = documents_read(w)
    reached = float(w.last.sum())
    if reached < 0.5:
        return (
            f"`{one}` is {number(w.score)}: no document of this list gives any gain, and these users read none of it."
        )
    docs = "document" if number(read, 1) == "1" else "documents"
    return (
        f"`{one}` is {number(w.score)}: these users read {number(read, 1)} {docs} on average, and "
        f"{w.last[0]:.0%} of them stop after the first."
    )


def documents_read(w: Walked) -> float:
    """How many documents are read on average: Σ i L(i)."""
    return float(total(np.arange(1, len(w.last) + 1) * w.last))


def _claims(one: CWLA, w: Walked, effect: NDArray[np.float64], grades: Sequence[int]) -> list[LabClaim]:
    total, exact = w.score, score_of(one, grades)
    same = abs(total - exact) < 1e-9
    agree = f"the number that `{one}` computes" if same else f"but `{one}` computes {number(exact, 6)}"
    claims = [
        LabClaim(f"{w.name}: the bars of the area add up to {number(total, 4)}, {agree}.", FRAME),
        _beyond_claim(w),
        LabClaim(_effect_words(w, effect, grades), one.C.source),
    ]
    namesake = _namesake_claim(one, w, grades)
    return claims + ([namesake] if namesake else [])


def _beyond_claim(w: Walked) -> LabClaim:
    end = len(w.last)
    if w.beyond < 0.0005:
        who = "nobody" if w.beyond <= 1e-12 else "fewer than one user in 2,000"
        return LabClaim(f"{w.name}: {who} would read on after rank {end}.", FRAME)
    gets = "get nothing, as A(i) goes to 0 there" if w.amount_beyond == 0 != w.amount[-1] else "carry away A there"
    return LabClaim(
        f"{w.name}: {w.beyond:.1%} of the users would read on after rank {end}. The list ends, so they stop there and "
        f"{gets}: L({end}) is {w.last[-1]:.1%} and not {max(0.0, w.last[-1] - w.beyond):.1%} (the hatched bar).",
        "irviz's convention: a list is judged to its cutoff, where C becomes 0; " + FRAME,
    )


def _effect_words(w: Walked, effect: NDArray[np.float64], grades: Sequence[int]) -> str:
    if not np.any(np.abs(effect) > 1e-12):
        return f"{w.name}: one grade more changes the score at no rank of this list."
    best, worst = float(effect.max()), int(np.argmin(effect))
    if best <= 1e-12:
        text = f"{w.name}: one grade more raises the score at no rank of this list"
    else:
        ranks = [str(i + 1) for i in extremes(effect, 1e-12)]
        change = moved(w.score, w.score + best) if best >= 0.001 else f"rises by {best:.1g}"
        at = f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {listed(ranks, joiner='and')}"
        text = f"{w.name}: one grade more counts most at {at}, where the score {change}"
    if effect[worst] < -1e-12:
        loss = -float(effect[worst])
        much = number(loss) if loss >= 0.001 else f"{loss:.1g}"
        text += f"; at rank {worst + 1} a better document lowers it by {much}"
    return text + "."


def _namesake_claim(one: CWLA, w: Walked, grades: Sequence[int]) -> LabClaim | None:
    """The measure that this is on every list, if there is one; otherwise the measure of the same name on this list."""
    if one.A.symbol != one.C.canonical:
        return None
    words = {"p": plain(getattr(one.C, "p", 0)), "k": one.C.cutoff, "end": one.cutoff}
    if one.C.symbol in EQUAL_MEASURES:
        known = measure(EQUAL_MEASURES[one.C.symbol].format(**words))
        return LabClaim(f"This measure is known as `{known}`, which also gives {number(w.score)}.", known.source)
    if one.C.symbol not in NAMESAKES:
        return None
    template, which = NAMESAKES[one.C.symbol]
    other = measure(template.format(**words))
    value = float(other.evaluate(judged_lists([grades], HIGHEST))[0])
    same = abs(value - w.score) < 1e-9
    does = "gives the same number on this list, but is another measure" if same else f"gives {number(value)}"
    return LabClaim(f"The measure known as `{other}` {does}: it is one {which.format(**words)}.", other.source)


def _notes(grades: Sequence[int]) -> tuple[str, ...]:
    """Why a list without the highest grade does not reach 1."""
    best = max(grades)
    if not 0 < best < HIGHEST:
        return ()
    return (
        f"Gains are grades divided by the highest grade there is, {HIGHEST}: grade {best} is worth {best}/{HIGHEST}, "
        f"so a list without a document of grade {HIGHEST} scores below 1 even if every document is relevant.",
    )


def _curves_alt(grades: Sequence[int], walked: Sequence[Walked]) -> str:
    stops = " ".join(
        f"{w.name}: users stop most often at rank {int(np.argmax(w.last)) + 1} ({w.last.max():.0%}), "
        f"C runs from {number(w.continuation[0], 2)} at rank 1 to {number(w.continuation[-1], 2)} at rank "
        f"{len(w.last)}."
        for w in walked
    )
    return f"Grades {', '.join(map(str, grades))} as squares; below them curves of C, W and L by rank. {stops}"


def _area_alt(walked: Sequence[Walked]) -> str:
    parts = []
    for w in walked:
        area = w.last * w.amount
        best = int(np.argmax(area))
        parts.append(
            f"{w.name}: bars that add up to {number(w.score)}; the largest belongs to rank {best + 1}, "
            f"{number(w.last[best], 2)} wide and {number(w.amount[best], 2)} high."
        )
    return " ".join(parts)


def _formulas(made: Sequence[CWLA]) -> tuple[Formula, ...]:
    found = [
        Formula(r"M = \sum_i L(i)\,A(i)", str(made[0]), "Chen & Sakai 2023, eq. (1)"),
        Formula(r"L(i) = (1 - C(i)) \prod_{j<i} C(j)", "last(gains)", "Chen & Sakai 2023, eq. (2)"),
        Formula(
            r"W(i) = \prod_{j<i} C(j) \Big/ \sum_{i'} \prod_{j<i'} C(j)",
            "weight(gains)",
            "Chen & Sakai 2023, section 2.1",
        ),
    ]
    for one in made:
        found.append(Formula(one.C.formula, str(one.C), one.C.source))
        found.append(Formula(one.A.formula, str(one.A), one.A.source))
    return tuple(dict.fromkeys(found))


def _table(grades: Sequence[int], made: Sequence[CWLA], walked: Sequence[Walked]) -> pd.DataFrame:
    """The numbers that the score can be checked with: one row per rank and user."""
    parts = []
    for one, w in zip(made, walked, strict=True):
        frame = score_by_rank(one, grades)
        frame.insert(0, "user", w.name)
        parts.append(frame)
    return pd.concat(parts, ignore_index=True)


def score_by_rank(one: CWLA, grades: Sequence[int]) -> pd.DataFrame:
    """The parts of one user's score: by rank the gain, C, W, L, V+, what they carry away, and the area.

    V+ is the expected number of documents read if A is divided by it, and 1 otherwise.
    """
    w, judged = walk(one, grades), judged_lists([grades], HIGHEST)
    depth = len(w.last)
    padded = [*grades, *[0] * depth][:depth]
    items = float(one.expected_items(judged)[0]) if one.A.per_item else 1.0
    return pd.DataFrame(
        {
            "rank": np.arange(1, depth + 1),
            "grade": padded,
            "gain r": one.walk(judged).gains[0],
            "C": w.continuation,
            "W": w.weight,
            "L": w.last,
            "V+": np.full(depth, items),
            "A": w.amount,
            "area": w.last * w.amount - (w.beyond * (w.amount - w.amount_beyond)) * (np.arange(depth) == depth - 1),
        }
    )


def area_words(table: pd.DataFrame) -> str:
    """The sum of the areas of all ranks where users stop."""
    seen = table[table["L"] > 1e-9]
    parts = " + ".join(
        f"{number(share)}·{number(area / share if share else 0.0)}"
        for share, area in zip(seen["L"], seen["area"], strict=True)
    )
    v = float(table["V+"].iloc[0])
    return f"with V+ = {number(v)}, Σ L(i)·A(i) = {parts} = {number(float(total(table['area'].to_numpy())), 4)}."
