"""One reader on one list: C, W, L and A by rank, the score, one grade more; and the numbers of the lab's steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.catalogue import open_collection
from irviz.errors import join_words
from irviz.labs.lab import HIGHEST, judged_lists
from irviz.measures import measure
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.cwla import CWLA
from irviz.portable import total
from irviz.stats.scores import score
from irviz.stats.users import satisfaction
from irviz.workspace.control import build_expression
from irviz.workspace.page import Values
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]
READERS = 100
NAMES = {"a": "The gain per document (ERG)", "b": "The best document (max)"}  #: what they carry away
STUDY = "tiangong"  #: the field study whose users are asked
#: browsing models that their satisfaction is compared with
USER_MODELS = {"P": "P@10", "DCG": "DCG@10", "RBP": "RBP", "INST": "INST", "AP": "AP", "ERR": "ERR"}
#: the readers who may notice that two documents change places
EXAMPLES = (
    "CWLA(C=P@5,A=ERG)@10",
    "CWLA(C=RBP(p=0.8),A=ERG)@10",
    "CWLA(C=RBP(p=0.8),A=max)@10",
    "CWLA(C=ERR,A=ERR)@10",
)


@dataclass(frozen=True, eq=False)
class ReaderPath:
    """One reader on one list: all by rank, as far as the reader may go.

    Attributes
    ----------
    name : str
    continuation, weight, last, amount : by rank
    share_beyond : float
        The share of readers who stop at the last rank only because the list ends.
    amount_beyond : float
        What these readers carry away.
    """

    name: str
    continuation: Floats
    weight: Floats
    last: Floats
    amount: Floats
    share_beyond: float
    amount_beyond: float

    @property
    def score(self) -> float:
        """Σ L(i) A(i)."""
        rest = self.share_beyond * (self.amount_beyond - self.amount[-1])
        return float(total(self.last * self.amount) + rest)

    @property
    def documents_read(self) -> float:
        """The mean number of documents read: Σ i L(i)."""
        return float(total(np.arange(1, len(self.last) + 1) * self.last))


def lab_key(name: str) -> str:
    """The name of a parameter in links; the cutoff of P and DCG and BPM's K are one choice."""
    return {"cutoff": "k", "K": "k", "beta": "b"}.get(name, name.lower())


def made_measure(values: Values, n: str = "") -> CWLA:
    """The measure that the choices of reader `n` ("" or "2") make; nobody reads past the end of the list."""
    models = {model.symbol: model for model in BROWSING_MODELS}
    sums = {kind.symbol: kind for kind in AGGREGATIONS}
    model, end = models[values[f"c{n}"]], int(values["end"])
    here = {**values, f"k{n}": min(values[f"k{n}"], end)} if model.cut == "required" else values
    reader = build_expression(model, here, lambda name: lab_key(name) + n)
    return CWLA(C=reader, A=build_expression(sums[values[f"a{n}"]], values, lambda name: lab_key(name) + n), cutoff=end)


def reader(text: str) -> CWLA:
    """The reader that an expression means."""
    return cast(CWLA, measure(text))


def short_name(one: CWLA) -> str:
    """How they read and what they carry away."""
    return f"{one.C} · {one.A}"


def walk(one: CWLA, grades: Sequence[int]) -> ReaderPath:
    """C, W, L and A by rank, down to where this reader may go; A is divided by V+ if it is a rate."""
    judged = judged_lists([grades], HIGHEST)
    steps, reading = one.walk(judged), one.reading(judged)
    amount = np.broadcast_to(one.A.amount(steps), steps.gains.shape)[0]
    rest = amount[-1] if one.A.amount_at_cutoff is None else one.A.amount_at_cutoff
    share = 1 / documents_divided_by(one, grades)
    return ReaderPath(
        short_name(one),
        one.C.continuation(steps.gains)[0],
        reading.weight[0],
        reading.last[0],
        amount * share,
        float(reading.unfinished_mass[0]),
        float(rest * share),
    )


def documents_divided_by(one: CWLA, grades: Sequence[int]) -> float:
    """V+, the mean number of documents read, where A is divided by it; 1 otherwise."""
    items = float(one.expected_items(judged_lists([grades], HIGHEST))[0]) if one.A.per_item else 1.0
    return items if items > 0 else np.inf


def score_of(one: CWLA, grades: Sequence[int]) -> float:
    """The measure itself on this list."""
    return float(one.evaluate(judged_lists([grades], HIGHEST))[0])


def one_grade_more(one: CWLA, grades: Sequence[int]) -> Floats:
    """By rank: how the score changes with one grade more there; 0 where there is no higher grade."""
    now = score_of(one, grades)
    higher = [(*grades[:i], min(HIGHEST, grade + 1), *grades[i + 1 :]) for i, grade in enumerate(grades)]
    return np.array([score_of(one, changed) - now for changed in higher])


def score_by_rank(one: CWLA, grades: Sequence[int]) -> pd.DataFrame:
    """The parts of one reader's score: by rank the grade, gain, C, W, L, V+, what is carried away, and the area."""
    w = walk(one, grades)
    depth = len(w.last)
    at_end = np.arange(depth) == depth - 1
    items = documents_divided_by(one, grades)
    return pd.DataFrame(
        {
            "rank": np.arange(1, depth + 1),
            "grade": [*grades, *[0] * depth][:depth],
            "gain r": one.walk(judged_lists([grades], HIGHEST)).gains[0],
            "C": w.continuation,
            "W": w.weight,
            "L": w.last,
            "V+": np.full(depth, items if np.isfinite(items) else 0.0),
            "A": w.amount,
            "area": w.last * w.amount - w.share_beyond * (w.amount - w.amount_beyond) * at_end,
        }
    )


def area_words(table: pd.DataFrame) -> str:
    """The sum of the areas of all ranks where readers stop."""
    reached = table[table["L"] > 1e-9]
    parts = " + ".join(
        f"{number(share)} × {number(area / share)}" for share, area in zip(reached["L"], reached["area"], strict=True)
    )
    return f"{parts or '0'} = {number(float(total(table['area'].to_numpy())), 4)}"


def stopping(w: ReaderPath) -> list[int]:
    """How many of 100 readers stop at each rank, and last how many would read on; no number depends on later ranks."""
    shares = np.append(w.last, w.share_beyond)
    shares[-2] -= w.share_beyond
    passed = np.floor(READERS * np.cumsum(shares) + 0.5 + 1e-9).astype(int)
    return [int(n) for n in np.diff(passed, prepend=0)]


# -- numbers of the steps -----------------------------------------------------------------------------


def of_stopping(values: Values) -> dict[str, Any]:
    """Readings: how many readers stop at which ranks."""
    measure = made_measure(values)
    w = walk(measure, values["grades"])
    counts = [*stopping(w), 0, 0, 0]
    return {
        "by 3": sum(counts[:3]),
        "at 1": counts[0],
        "at 2": counts[1],
        "at 3": counts[2],
        "of 100 at 3": READERS * (1 - float([*w.continuation, 1, 1][2])),
        "beyond": stopping(w)[-1],
        "reader": str(measure.C),
        "documents read": w.documents_read,
    }


def of_carrying(values: Values) -> dict[str, Any]:
    """Two things that the same readers may carry away, and which of them is more."""
    rate = made_measure(values)
    best = replace(rate, A=reader(EXAMPLES[2]).A)
    comparison = compare(score_of(rate, values["grades"]), score_of(best, values["grades"]))
    return {**comparison, "documents": documents_divided_by(rate, values["grades"])}


def compare(rate: float, best: float, tolerance: float = 1e-9, alike: str = "Neither") -> dict[str, Any]:
    """Which of two things to carry away has the higher number."""
    higher = "a" if rate > best + tolerance else "b" if best > rate + tolerance else "c"
    return {"higher": (higher,), "rate": rate, "best": best, "winner": {**NAMES, "c": alike}[higher]}


def of_area(values: Values) -> dict[str, Any]:
    """The score as a sum of rectangles."""
    measure, grades = made_measure(values), values["grades"]
    table, w = score_by_rank(measure, grades), walk(measure, grades)
    gain_sum, divided = float(table["gain r"].sum()), documents_divided_by(measure, grades)
    stops = [(rank, x) for rank, x in enumerate(w.last, 1) if x > 0.005]
    most = int(w.amount.argmax())
    high = f"The bar of rank {most + 1} is higher than 1: its readers see more than {number(divided)} documents."
    return {
        "stops": join_words([f"{x:.0%} at rank {rank}" for rank, x in stops], joiner="and") or "nobody reads",
        "seen": f"{' + '.join(f'{number(x)} × {rank}' for rank, x in stops) or 0} = {number(w.documents_read)}",
        "high": high if measure.A.per_item and w.amount[most] > 1 else "",
        "score": score_of(measure, grades),
        "sum": area_words(table),
        "documents": divided if np.isfinite(divided) else 0.0,
        "undivided": score_of(measure, grades) * divided if np.isfinite(divided) else 0.0,
        "at the end": float(w.amount[-1]),
        "plain": gain_sum / len(table),
    }


def of_swap(values: Values) -> dict[str, Any]:
    """Scores before and after two documents change places, and whose stay the same."""
    readings: dict[str, Any] = {}
    same, lists = [], swap_lists(values)
    for key, text in zip("abcd", EXAMPLES, strict=True):
        measure = reader(text)
        before, after = (score_of(measure, grades) for grades in lists.values())
        readings |= {f"reader {key}": short_name(measure), f"before {key}": before, f"after {key}": after}
        same += [key] if abs(before - after) <= 1e-9 else []
    first, last = sorted((int(values["one"]), int(values["other"])))
    alike = f"all its readers pass ranks {first} and {last}" if last <= 5 else "its readers see neither document"
    why = {"a": f"{alike}, so their order makes no difference", "c": "its readers have seen one as good before"}
    stays = "; ".join(f"`{readings[f'reader {key}']}`: {why[key]}" for key in same if key in why)
    if len(same) == len(EXAMPLES):
        stays = f"All four: the documents at ranks {first} and {last} have the same grade"
        stays = stays if first < last else "All four: no document moves"
    return {**readings, "same": tuple(same), "stays": stays or "Nobody's: all four change"}


def swap_lists(values: Values) -> dict[str, tuple[int, ...]]:
    """The list before and after two documents change places."""
    before = values["grades"]
    first, other = (int(values[name]) - 1 for name in ("one", "other"))
    places = {first: other, other: first}
    return {"before": before, "after": tuple(before[places.get(n, n)] for n in range(len(before)))}


@cache
def asked_users() -> tuple[dict[int, int], dict[str, list[float]]]:
    """How often users of the field study said which satisfaction; by readers, ρ with it of ERG and of max."""
    study = open_collection(STUDY)
    assert study.satisfaction is not None  # it is the study of users
    names = [f"CWLA(C={reads},A={kind})@10" for reads in USER_MODELS.values() for kind in ("ERG", "max")]
    rho = satisfaction(score(study, names), study.satisfaction, trials=1).values.to_numpy().reshape(-1, 2)
    steps, counts = np.unique(study.satisfaction.values, return_counts=True)
    said = dict(zip(steps.astype(int).tolist(), counts.tolist(), strict=True))
    return said, dict(zip(USER_MODELS, rho.tolist(), strict=True))


def of_users(values: Values) -> dict[str, Any]:
    """Readers beside users of a field study."""
    ratings, rho = asked_users()
    rate, best = rho[values["c"]]
    return {**compare(rate, best, 0.01), "answers": sum(ratings.values())}
