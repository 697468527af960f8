"""Scale types that follow from a measure's formula, for any depth of the judged runs.

The total order of judged runs is a ladder: the run right above (u, l − 1, c, …, c) is
(u, l, 0, …, 0), for every beginning u.  A measure is on an ordinal scale if and only if
each such step goes up, and on an interval scale if and only if all steps are equally
high; for many formulas that is an inequality about weights and gains.  Everything is
computed in fractions; `margin` is what irrational weights leave uncertain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from irviz.measures.language.base import Scale

GainTable = Sequence[Fraction]  # the gain of every level

SECTION_4_3 = "Ferrante et al. 2019, section 4.3"
SECTION_4_2 = "Ferrante et al. 2019, section 4.2"
BY_FORMULA = "by the formula"  #: the paper's section treats only RBP, AP, DCG and ERR
LOWER_RANKS_OUTWEIGH = "Relevant documents lower down can outweigh one higher up."
ALIKE = Scale("neither", "It treats two grades alike.", BY_FORMULA)

CONSTANT = Scale("neither", "Every run has the same value.", "Chen & Sakai 2023, Table 1")
SINGLE = Scale("neither", "There is only one grade, so every run scores the same.", BY_FORMULA)


def only_grade(table: Sequence[Any]) -> Scale | None:
    """The scale type of any measure if there is a single grade; None otherwise."""
    return SINGLE if len(table) == 1 else None


def alike(table: GainTable) -> Scale | None:
    """Why the table is no scale of the grades; None where every grade has a gain of its own."""
    return only_grade(table) or (ALIKE if min(steps(table)) <= 0 else None)


def steps(table: GainTable) -> list[Fraction]:
    """The rise of the gain from level to level."""
    return [b - a for a, b in zip(table, table[1:], strict=False)]


def one_rank(table: GainTable) -> Scale:
    """The scale type of a value that grows with the gain of the only document."""
    if scale := alike(table):
        return scale
    if len(set(steps(table))) == 1:
        return Scale("interval", "With one document it is the gain, and the gains are equal steps apart.", BY_FORMULA)
    return Scale("ordinal", "With one document it is the gain, and the gains are unequal steps apart.", BY_FORMULA)


def set_scale(table: GainTable, depth: int | None) -> Scale:
    """Σ g over a set of `depth` documents, against the set-based total order."""
    if scale := only_grade(table):
        return scale
    if min(steps(table)) <= 0:
        return Scale("neither", "It treats two grades alike.", SECTION_4_2)
    if len(table) == 2:
        return Scale("interval", "On two grades it is a constant times the total order's rank function.", SECTION_4_2)
    if depth == 1:
        return one_rank(table)
    if depth is not None and all(b > depth * a for a, b in zip(table, table[1:], strict=False)):
        return Scale("ordinal", f"A document outweighs {depth} of the next lower grade.", SECTION_4_2)
    return Scale("neither", "Many documents of a low grade outweigh one of a higher grade.", SECTION_4_2)


def weighted_scale(
    upwards: Iterable[Fraction],
    ranks: int,
    table: GainTable,
    margin: Fraction | int = 0,
    source: str = BY_FORMULA,
) -> Scale:
    """Σ w_i g(r_i): ordinal if the smallest step at each rank outweighs all that can follow.

    `upwards` gives the weights from the last of the `ranks` to the first, and is read up to a rank that breaks the
    order.
    """
    if scale := alike(table):
        return scale
    least, top, below, last = min(steps(table)), table[-1], Fraction(0), Fraction(0)
    falling = True
    for i, w in zip(range(ranks, 0, -1), upwards, strict=True):
        if w * least - below * top <= margin * w:
            reason = f"One grade more at rank {i} is outweighed, or balanced, by what can follow below."
            return Scale("neither", reason, source)
        falling = falling and (i == ranks or abs(w - len(table) * last) <= margin * w)
        below, last = below + w, w
    if falling and len(set(steps(table))) == 1:
        reason = "Gains are equal steps apart and weights fall by the number of grades: it is the rank function."
        return Scale("interval", reason, source)
    return Scale("ordinal", "One grade more at a rank outweighs all below it, by steps of unequal size.", source)


def geometric_scale(p: Fraction, table: GainTable, depth: int | None) -> Scale:
    """Σ p^{i−1} g(r_i): gRBP of the paper, with G the smallest step over the highest gain."""
    if depth == 1 or alike(table):
        return one_rank(table)
    gap = min(steps(table)) / table[-1]
    tail = p / (1 - p) * (1 - (p ** (depth - 1) if depth is not None else 0))
    if (tail > gap) if depth is None else (tail >= gap):
        where = f"p > G/(G + 1) = {gap / (gap + 1)}" if depth is None else f"p is too large for {depth} ranks"
        reason = f"{where}: documents further down outweigh one grade more (G = {gap}, the smallest step of the gain)."
        return Scale("neither", reason, SECTION_4_3)
    if p == Fraction(1, len(table)) and len(set(steps(table))) == 1:
        reason = f"p = G/(G + 1) = {p} and gains are equal steps apart: it is the rank function times a constant."
        return Scale("interval", reason, SECTION_4_3)
    return Scale("ordinal", f"A grade more outweighs all that follows, but p is not 1/{len(table)} with equal steps.")


def cascade_scale(stops: GainTable, depth: int | None) -> Scale:
    """Σ (1/i) x_i Π (1 − x_j): ERR, with x the stopping probability of each level."""
    if depth == 1 or alike(stops):
        return one_rank(stops)
    if depth is None or stops[-1] == 1:
        reason = "Several documents further down can lead to an earlier stop than one grade more."
        return Scale("neither", reason, f"{SECTION_4_3}, shown on 5 ranks and 3 grades")
    best = Fraction(0)  # of the ranks below
    for i in range(depth, 0, -1):
        if any(b / i + (1 - b) * 0 <= a / i + (1 - a) * best for a, b in zip(stops, stops[1:], strict=False)):
            return Scale("neither", f"One grade more at rank {i} is outweighed by what can follow below.", SECTION_4_3)
        best = max(x / i + (1 - x) * best for x in stops)
    return Scale("ordinal", "Only few ranks follow, and one grade more outweighs them.", BY_FORMULA)


def precision_scale(
    table: GainTable, depth: int | None, two: str, reason: str = LOWER_RANKS_OUTWEIGH, source: str = BY_FORMULA
) -> Scale:
    """AP and its kin on two grades, by the number of ranks; `two` is the kind at depth 2.

    `reason` says why deeper runs break the total order, and `source` where this is stated.
    """
    if depth == 1 or alike(table):
        return one_rank(table)
    if depth == 2 and len(table) == 2 and two == "ordinal":
        return Scale("ordinal", "With two documents it keeps the total order, in unequal steps.", source)
    return Scale("neither", reason, source)


def peak_scale(last: Sequence[Fraction], beta: Fraction, table: GainTable, margin: Fraction | int = 0) -> Scale:
    """Σ L(i) (β max + (1 − β) r_i) with L the same for every run."""
    if len(last) == 1 or alike(table):
        return one_rank(table)
    top, after = table[-1], Fraction(0)
    for i in range(len(last), 0, -1):
        for peak in table if i > 1 else table[:1]:
            for low, high in zip(table, table[1:], strict=False):
                up = beta * (max(peak, high) - max(peak, low)) + (1 - beta) * (high - low)
                if last[i - 1] * up - after * (top - beta * max(peak, high)) <= margin:
                    reason = f"One grade more at rank {i} is outweighed, or balanced, by what can follow below."
                    return Scale("neither", reason, BY_FORMULA)
        after += last[i - 1]
    return Scale("ordinal", "One grade more outweighs all that can follow, by steps of unequal size.", BY_FORMULA)
