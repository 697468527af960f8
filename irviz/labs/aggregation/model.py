"""Six averages of a few systems' scores, the ε at which the winner changes, halves of topics; numbers of the steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.errors import join_words
from irviz.stats.aggregate import aggregate
from irviz.workspace.averages import LOW
from irviz.workspace.page import Values
from irviz.workspace.phrases import extremes, number, written_out

Floats = NDArray[np.float64]
SYSTEMS, TOPICS = ("S1", "S2", "S3", "S4"), ("t1", "t2", "t3", "t4", "t5")
ROW_CONTROLS = tuple(name.lower() for name in SYSTEMS)  #: names of the controls that hold their scores
GRID = 10.0 ** np.linspace(-6, 2, 81)  #: the values of ε in the lab
LOG = -2  #: ε as a power of ten
MEAN_WORDS = {
    "AM": "the arithmetic mean",
    "GM": "the geometric mean",
    "εGM": "the ε-geometric mean",
    "HM": "the harmonic mean",
    "εHM": "the ε-harmonic mean",
    "median": "the median",
}


def table_of(values: Values) -> Floats:
    """The scores, topics × systems."""
    return np.array([values[name.lower()] for name in SYSTEMS]).T


def six_means(scores: Floats, eps: float) -> dict[str, Floats]:
    """AM, GM, εGM, HM, εHM and the median of every system; scores: topics × systems.

    The harmonic mean of scores with a zero among them is undefined; its limit, 0, is used instead.
    """
    means = {
        "AM": aggregate(scores, "mean"),
        "GM": aggregate(scores, "geometric", 0.0),
        "εGM": aggregate(scores, "geometric", eps),
        "HM": aggregate(scores, "harmonic", 0.0),
        "εHM": aggregate(scores, "harmonic", eps),
        "median": aggregate(scores, "median"),
    }
    return {name: np.where(np.abs(values) < 1e-12, 0.0, values) for name, values in means.items()}  # ε − ε is 0


def handovers(scores: Floats, how: str) -> list[tuple[float, list[int]]]:
    """The winners along ε, each with the smallest ε from which it is first."""
    changes: list[tuple[float, list[int]]] = []
    for eps in GRID:
        first = extremes(aggregate(scores, how, float(eps)))
        if not changes or first != changes[-1][1]:
            changes.append((float(eps), first))
    return changes


def quoted_systems(systems: Sequence[int]) -> str:
    return join_words([f"`{SYSTEMS[i]}`" for i in systems], joiner="and")


# -- numbers of the steps -----------------------------------------------------------------------------


def top_topic(scores: Floats, out: str = "") -> int | None:
    """The topic that is left `out`; by default the one on which the winner by the arithmetic mean is best."""
    best = int(np.argmax(scores[:, extremes(scores.mean(axis=0))[0]]))
    return best if not out else TOPICS.index(out) if out in TOPICS else None


def of_mean(values: Values) -> dict[str, Any]:
    """The arithmetic mean, with all topics and without the winner's best one."""
    scores = table_of(values)
    first, topic = extremes(scores.mean(axis=0)), top_topic(scores, values["out"])
    remaining = scores if topic is None else np.delete(scores, topic, axis=0)
    without = extremes(remaining.mean(axis=0))
    winner_scores = scores[:, first[0]]
    best = [TOPICS[t] for t in extremes(winner_scores)]
    gives = (
        f"One topic, {best[0]}, gives" if len(best) == 1 else f"The topics {join_words(best, joiner='and')} each give"
    )
    share = float(winner_scores.max() / winner_scores.sum()) if winner_scores.sum() else 0.0
    return {
        **{f"AM {name}": float(x) for name, x in zip(SYSTEMS, scores.mean(axis=0), strict=True)},
        **{f"left {name}": float(x) for name, x in zip(SYSTEMS, remaining.mean(axis=0), strict=True)},
        "winner": [SYSTEMS[i] for i in first],
        "largest part": f"{gives} {share:.0%} of the total of {SYSTEMS[first[0]]}",
        "wins": tuple(ROW_CONTROLS[i] for i in first),
        "topic": "no topic" if topic is None else TOPICS[topic],
        "left out": "with all topics" if topic is None else f"without {TOPICS[topic]}",
        "share": share,
        "winner without": [SYSTEMS[i] for i in without],
        "wins without": tuple(ROW_CONTROLS[i] for i in without),
    }


def of_six(values: Values) -> dict[str, Any]:
    """The winner by each of the six averages."""
    scores, eps = table_of(values), 10.0 ** values["log"]
    won: dict[str, list[str]] = {}
    for name, row in six_means(scores, eps).items():
        won.setdefault(join_words([SYSTEMS[i] for i in extremes(row)], joiner="and"), []).append(name)
    ties = {first: " (a tie)" if " and " in first else "" for first in won}
    clauses = [f"{first} by {join_words(names, joiner='and')}{ties[first]}" for first, names in won.items()]
    systems = sum(any(name in first for first in won) for name in SYSTEMS)
    low = "A score near 0 brings GM and HM far down"
    low += f", εGM and εHM (ε = {written_out(eps)}) less so." if eps >= LOW / 10 else "."
    return {
        "different": len(won),
        "systems": systems,
        "answer": (str(systems),),
        "won": "; ".join(clauses),
        "low": low if scores.min() < LOW else "No score is near 0.",
    }


def of_zero(values: Values) -> dict[str, Any]:
    """The mean of the first system with a zero, without and with ε."""
    scores, eps, along = table_of(values), 10.0 ** values["log"], values["along"]
    s = int(np.flatnonzero((scores == 0).any(axis=0))[0]) if (scores == 0).any() else 1
    changes = handovers(scores, along)
    rest = [x for x in scores[:, s] if x > 0]
    return {
        "system": SYSTEMS[s],
        "scores": ", ".join(number(x) for x in scores[:, s]),
        "plain": float(six_means(scores, eps)["GM" if along == "geometric" else "HM"][s]),
        "zero": "one factor is 0, and so is the product" if along == "geometric" else "the reciprocal of 0 is infinite",
        "adjusted": float(aggregate(scores, along, eps)[s]),
        "of the others": float(np.prod(rest) ** (1 / len(rest))) if rest else 0.0,
        "AM": float(scores[:, s].mean()),
        "ε": written_out(eps),
        "along": along,
        "winners": ", then ".join(quoted_systems(first) for _, first in changes),
    }
