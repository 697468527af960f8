"""Steps: who decides that 1000 is better than 0111, and why that matters for a mean."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd

from irviz.errors import counted, verb
from irviz.labs.charts import Groups, rank_columns
from irviz.labs.documents import run_columns, run_rows
from irviz.labs.lab import judged_lists
from irviz.labs.questions import InOrder, MultipleChoice, groups_of
from irviz.labs.scales.figures import climbs
from irviz.labs.scales.model import PartialOrder, equal_gains
from irviz.labs.scales.panel import (
    SOURCE,
    chosen_measure,
    dispute_words,
    enumerated,
    fitting_depth,
    main_drawing,
    orders_drawing,
    partial,
    step_words,
    turning_claim,
)
from irviz.labs.steps import Revealed, Scene, Step
from irviz.measures import measure
from irviz.stats.scales import ORDERS, ScaleType
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim, Table
from irviz.workspace.permissible import KINDS
from irviz.workspace.phrases import number

PAIR = ((1, 0, 0, 0), (0, 1, 1, 1))
SORTED = {"a": (1, 0, 0, 0), "b": (0, 1, 1, 1), "c": (0, 1, 1, 0), "d": (0, 0, 1, 1)}
ORDER_SOURCE = f"Ferrante, Ferro & Maistro 2015; {ORDERS['rank']}"
_BESIDE_YOURS = ("P@4", "RBP(p=0.3)", "RBP(p=0.8)")  #: measures whose orders are shown beside the reader's


def as_text(run: tuple[int, ...]) -> str:
    return "".join(map(str, run))


def at(found: ScaleType, run: tuple[int, ...]) -> int:
    """The place of a run in the total order, from 0."""
    return found.runs.index(run)


def all_runs() -> tuple[ScaleType, PartialOrder]:
    """The 16 binary runs of four documents, their total order and the undisputed one."""
    found = enumerated("RBTO", 2, 4)
    return found, partial(found.runs, True)


# -- 1: a pair that nobody can order ------------------------------------------------------------


def _pair(values: Values) -> Scene:
    found, order = all_runs()
    a, b = (at(found, run) for run in PAIR)
    known = "a" if order.below[b, a] else "b" if order.below[a, b] else "c"
    told = {
        name: _preferred(float(measure(name).evaluate(judged_lists([run], 1, missed=_missed(run)))[0]) for run in PAIR)
        for name in _BESIDE_YOURS
    }
    says = "; ".join(f"{name} prefers {who}" for name, who in told.items())
    question = MultipleChoice(
        text="1 is a relevant document, and the first rank is on the left. Which of the two runs is better?",
        told="Neither can be made from the other by better documents or by moving a better document up, so their "
        f"order is a choice. {says}."
        if known == "c"
        else f"{as_text(PAIR[0 if known == 'a' else 1])} is better whatever one prefers.",
        options=(
            ("a", "1000 is better, whatever one prefers"),
            ("b", "0111 is better, whatever one prefers"),
            ("c", "It depends on what one prefers"),
        ),
        correct=(known,),
    )
    names = [as_text(run) for run in PAIR]
    shown = Drawing(
        run_rows(PAIR, names, 1),
        "Two runs of the same four ranks",
        f"{names[0]} has its only relevant document first; {names[1]} has three, from rank 2 on.",
    )
    reveal = Revealed(
        drawings=({"orders": orders_drawing(found, order)},),
        claims=(LabClaim(dispute_words(found, order, (min(a, b), max(a, b)) if known == "c" else None), ORDER_SOURCE),),
    )
    return Scene(
        text="A measure puts result lists in an order. Some pairs are undisputed: more relevant documents, or "
        "the same ones further up, are better. Look at this pair first.",
        question=question,
        shown=({"pair": shown},),
        reveal=lambda guess: reveal,
    )


def _missed(run: tuple[int, ...]) -> tuple[int, ...]:
    return (1,) * (3 - sum(run))


def _preferred(scores: Any) -> str:
    first, second = scores
    if abs(first - second) <= 1e-9:
        return f"neither ({number(first)})"
    winner = as_text(PAIR[0 if first > second else 1])
    return f"{winner} ({number(max(first, second))} against {number(min(first, second))})"


# -- 2: the reader's own order --------------------------------------------------------------------


def _sort(values: Values) -> Scene:
    found, order = all_runs()
    rho = [int(found.rho[at(found, run)]) for run in SORTED.values()]
    question = InOrder(
        text="Sort the four runs, the best first, as you would.",
        told="RBTO, which compares two runs at the first rank where they differ, orders them "
        + ", ".join(as_text(SORTED[key]) for group in groups_of(list(SORTED), rho) for key in group)
        + ". It is one choice among several.",
        items=tuple((key, as_text(run)) for key, run in SORTED.items()),
        groups=groups_of(list(SORTED), rho),
        open=True,
    )
    names = [as_text(run) for run in SORTED.values()]
    shown = Drawing(run_rows(list(SORTED.values()), names, 1), "Four runs", f"The runs {', '.join(names)}.")

    def reveal(guess: str) -> Revealed:
        orders: dict[str, Groups] = {"yours": [[key] for key in guess.split(",")], "RBTO": question.groups}
        orders |= {name: _by_measure(name) for name in _BESIDE_YOURS}
        drawn = rank_columns({key: as_text(run) for key, run in SORTED.items()}, orders)
        alt = "The four runs from best to worst: " + "; ".join(
            f"{name} {', '.join('='.join(as_text(SORTED[key]) for key in group) for group in groups)}"
            for name, groups in orders.items()
        )
        return Revealed(
            drawings=({"yours": Drawing(drawn, "Your order beside others", f"{alt}.")},),
            claims=(LabClaim(_agreement(guess, found, order), ORDER_SOURCE),),
        )

    return Scene(
        text="Equal steps presuppose an order. Different measures imply different orders, and people prefer "
        "different ones.",
        question=question,
        shown=({"runs": shown},),
        reveal=reveal,
    )


def _by_measure(name: str) -> Groups:
    scores = [float(measure(name).evaluate(judged_lists([run], 1, missed=_missed(run)))[0]) for run in SORTED.values()]
    return groups_of(list(SORTED), scores)


def _agreement(guess: str, found: ScaleType, order: PartialOrder) -> str:
    """In how many pairs the reader's order is RBTO's, and where it contradicts the undisputed order."""
    runs = [at(found, SORTED[key]) for key in guess.split(",")]
    pairs = list(combinations(runs, 2))  # the better of the two first, for the reader
    alike = sum(a > b for a, b in pairs)
    against = [(a, b) for a, b in pairs if order.below[a, b]]
    open_ = sum(not order.below[a, b] and not order.below[b, a] for a, b in pairs)
    name = [as_text(run) for run in found.runs]
    text = (
        f"Your order and RBTO agree on {alike} of {len(pairs)} pairs. The order of {open_} of them is a matter of "
        f"preference"
    )
    if not against:
        return f"{text}; on all the others your order is the undisputed one."
    a, b = against[0]
    return f"{text}; but {name[b]} is better than {name[a]} beyond dispute, and your order reverses them."


def runs_in_order(found: ScaleType, top: int) -> Drawing:
    """All runs in the total order, from the worst to the best, along which a measure should rise."""
    ends = f"from {as_text(found.runs[0])} to {as_text(found.runs[-1])}"
    words = f"All {len(found.runs)} runs in the order of RBTO, {ends}"
    return Drawing(
        run_columns(found.runs, top), words, f"{words}: two runs are compared at the first rank where they differ."
    )


# -- 3: does it rise? ------------------------------------------------------------------------------


def _rises(values: Values) -> Scene:
    one = chosen_measure(values)
    found = enumerated(str(one), values["grades"], fitting_depth(one, values["grades"], values["depth"]))
    falls = bool((found.steps.sign <= 0).any())
    question = MultipleChoice(
        text=f"Walk up the total order from {as_text(found.runs[0])} to {as_text(found.runs[-1])}. Does {one} rise at "
        "every step?",
        told=f"{step_words(found)} So over these runs it is {KINDS[found.kind]}.",
        options=(("a", "Yes, by equal steps"), ("b", "Yes, by unequal steps"), ("c", "No")),
        correct=("c" if falls else "a" if found.kind == "interval" else "b",),
    )

    def reveal(guess: str) -> Revealed:
        more = turning_claim(one, found)
        return Revealed(
            drawings=({"order": main_drawing(found)},),
            claims=(LabClaim(step_words(found), f"{SOURCE}, section 3.3 and Theorem 1"), *([more] if more else [])),
        )

    return Scene(
        text="Take RBTO as the order of all 16 runs. A measure that rises at every step of it keeps the order (an "
        "ordinal scale); one that rises by equal steps also measures distances (an interval scale). Afterwards, "
        "move p until all steps are equal, and try it with three grades.",
        question=question,
        shown=({"runs": runs_in_order(found, values["grades"] - 1)},),
        reveal=reveal,
    )


# -- 4: equal gains, unequal climbs ------------------------------------------------------------------


def _gains(values: Values) -> Scene:
    found = enumerated(str(chosen_measure(values)), values["grades"], values["depth"])
    order = partial(found.runs, True)
    first, second = equal_gains(found.values, order)
    gain = float(found.values[first[1]] - found.values[first[0]]) / 2
    climbs_of = [int(found.rho[b] - found.rho[a]) for a, b in (first, second)]
    name = [as_text(run) for run in found.runs]
    four = [found.runs[i] for i in (*first, *second)]
    moves = [f"from {name[a]} to {name[b]}" for a, b in (first, second)]
    pairs = f"B is better than A {moves[0]}, and D better than C {moves[1]}."
    question = MultipleChoice(
        text=f"On one of two topics B is better than A ({moves[0]}), and D is better than C ({moves[1]}); on the "
        f"other topic they are equal. The mean {found.measure} is higher by {number(gain, 4)} in both cases. Which of "
        "the two improvements climbs more ranks of the order?",
        told=f"B is {counted(climbs_of[0], 'rank')} above A and D is {counted(climbs_of[1], 'rank')} above C, for the "
        "same gain in the mean.",
        options=(("a", "From A to B"), ("b", "From C to D"), ("c", "Both climb equally many")),
        correct=("a" if climbs_of[0] > climbs_of[1] else "b" if climbs_of[0] < climbs_of[1] else "c",),
    )
    drawn = climbs(found.rho, found.values, name, {"A to B": first, "C to D": second})
    table = pd.DataFrame(
        {
            "pair": ["A to B", "C to D"],
            "before": [name[first[0]], name[second[0]]],
            "after": [name[first[1]], name[second[1]]],
            "gain on the topic": [2 * gain] * 2,
            "mean gain": [gain] * 2,
            "ranks climbed": climbs_of,
        }
    )
    words = (
        f"{found.measure} keeps the order of these {len(name)} runs ({KINDS[found.kind]}), yet a gain of "
        f"{number(2 * gain, 4)} is {climbs_of[0]} {verb(climbs_of[0], 'rank', 'ranks')} here and {climbs_of[1]} there. "
        "A mean adds gains as if equal gains were equal improvements; on an interval scale they are."
    )
    reveal = Revealed(
        drawings=({"climbs": Drawing(drawn, "Equal gains, unequal climbs", words)},),
        claims=(LabClaim(words, f"Stevens 1946; {SOURCE}, section 3.3"),),
        tables={"Two pairs": Table(table, "One row per pair of systems.")},
    )
    return Scene(
        text="Equal steps matter because a mean over topics adds up gains from different places of the order. "
        "Here are two pairs of systems, A and B, C and D, on two topics.",
        question=question,
        shown=({"pairs": Drawing(run_rows(four, [*"ABCD"], values["grades"] - 1), "The topic", pairs)},),
        reveal=lambda guess: reveal,
    )


# -- 5: longer runs -----------------------------------------------------------------------------------


def _longer(values: Values) -> Scene:
    one, grades = chosen_measure(values), values["grades"]
    depth = fitting_depth(one, grades, values["depth"])
    found = enumerated(str(one), grades, depth)
    longer = (n for n in range(depth, 9) if fitting_depth(one, grades, n) == n)
    last = next((n for n in longer if enumerated(str(one), grades, n).kind == "neither"), None)
    told = (
        f"{found.sentence} With {last} documents it is no longer kept. {enumerated(str(one), grades, last).sentence}"
        if last and last > depth
        else found.sentence
    )
    question = MultipleChoice(
        text=f"{one} is {KINDS[found.kind]} over runs of {counted(depth, 'document')}. Is it still ordinal over runs "
        "of eight?",
        told=told,
        options=(("a", "Yes, at every length"), ("b", "No, not with more documents")),
        correct=("a" if last is None else "b",),
    )
    reveal = Revealed(
        drawings=({"order": main_drawing(found)},),
        claims=(
            LabClaim(step_words(found), f"{SOURCE}, section 3.3 and Theorem 1"),
            LabClaim(found.theory.reason, found.theory.source),
        ),
    )
    return Scene(
        text="ERR's user may stop at every relevant document. Whether that keeps the order depends on how long the "
        "runs are. Afterwards, try more documents, and other measures.",
        question=question,
        shown=({"runs": runs_in_order(found, grades - 1)},),
        reveal=lambda guess: reveal,
    )


STEPS = (
    Step(title="Which of two lists is better?", scene=_pair),
    Step(title="Your own order", scene=_sort),
    Step(title="Does RBP rise at every step?", scene=_rises, start={"p": "0.8"}, controls=("p", "grades", "depth")),
    Step(title="Equal gains, unequal climbs", scene=_gains, start={"measure": "ERR"}),
    Step(
        title="Try more documents",
        scene=_longer,
        start={"measure": "ERR", "depth": "4"},
        controls=("measure", "p", "base", "rel", "grades", "depth"),
    ),
)
