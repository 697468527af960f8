"""A quiz of any length: which list wins by a measure?  The seed draws the lists; irviz answers, rank by rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.contributions import contributions
from irviz.figures.axes import chart, padded_range
from irviz.figures.text import plotly_escape
from irviz.figures.theme import DASHES, MARKERS, PALETTE, scatter
from irviz.labs.documents import run_rows
from irviz.labs.questions import MultipleChoice
from irviz.labs.steps import Revealed, Scene, Step
from irviz.measures import measure
from irviz.scores import score
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, Formula, LabClaim, Table
from irviz.workspace.words import number

_LIST_NAMES = ("A", "B", "C")
_RANKS, _TOP = 5, 2
Lists = tuple[tuple[int, ...], ...]


def list_quiz(measures: Sequence[str]) -> Callable[[int], Step]:
    """The quiz of a lab: three lists of the same documents, and one of its measures."""

    def quiz(seed: int) -> Step:
        return Step(title="Which list wins?", scene=partial(_scene, tuple(measures), seed))

    return quiz


def drawn_lists(measures: Sequence[str], seed: int) -> tuple[str, Lists]:
    """A measure and three different orders of the same documents; the same for the same seed, on any machine."""
    draw = np.random.default_rng(seed)
    name = measures[int(draw.integers(len(measures)))]
    pool = np.array([_TOP, *draw.integers(0, _TOP + 1, _RANKS - 1)])
    if (pool == _TOP).all():
        pool[-1] = 0
    lists: list[tuple[int, ...]] = []
    for _ in range(100):
        one = tuple(int(grade) for grade in draw.permutation(pool))
        if one not in lists:
            lists.append(one)
        if len(lists) == len(_LIST_NAMES):
            break
    return name, tuple(lists)


def of_lists(lists: Lists) -> Collection:
    """A collection of one topic and one system per list."""
    pool = sorted(lists[0], reverse=True)
    places = [[pool.index(grade) + one[:n].count(grade) for n, grade in enumerate(one)] for one in lists]
    return Collection(
        name="quiz",
        topics=("1",),
        systems=_LIST_NAMES[: len(lists)],
        aspects=("relevance",),
        grades=(tuple(float(grade) for grade in range(_TOP + 1)),),
        ranking=np.array([places], dtype=np.int32),
        labels=np.array(pool, dtype=np.int16)[None, :, None],
    )


def _scene(measures: tuple[str, ...], seed: int, values: Values) -> Scene:
    name, lists = drawn_lists(measures, seed)
    collection = of_lists(lists)
    scores = score(collection, [name]).values[0, 0]
    best = [key for key, value in zip("abc", scores, strict=False) if value >= scores.max() - 1e-9]
    parts = {one: contributions(collection, name, "1", one) for one in collection.systems}
    told = ", ".join(f"{one} {number(float(value), 4)}" for one, value in zip(collection.systems, scores, strict=True))
    question = MultipleChoice(
        text=f"Which list wins by `{name}`?",
        told=f"{name}: {told}.",
        options=tuple((key, f"List {one}") for key, one in zip("abc", collection.systems, strict=False)),
        correct=tuple(best),
    )
    words = ", ".join(f"{one} {''.join(map(str, row))}" for one, row in zip(collection.systems, lists, strict=True))
    shown = Drawing(run_rows(lists, [f"list {one}" for one in collection.systems], _TOP), "Three lists", f"{words}.")
    return Scene(
        text=f"The same documents in three orders; grades go from 0 to {_TOP}, and there are no other relevant "
        f"documents.",
        question=question,
        shown=({"lists": shown},),
        reveal=lambda guess: _revealed(name, parts, told),
    )


def _revealed(name: str, parts: dict[str, pd.DataFrame], told: str) -> Revealed:
    """What every rank of every list adds."""
    one = measure(name)
    sums = "; ".join(
        f"{key} = {' + '.join(number(float(x)) for x in part['adds'] if abs(x) > 1e-12) or '0'}"
        for key, part in parts.items()
    )
    table = pd.concat([part.assign(list=key) for key, part in parts.items()], ignore_index=True)
    table.insert(0, "list", table.pop("list"))
    totals = {f"list {key}": part["total"].to_numpy() for key, part in parts.items()}
    figure = running_totals(totals)
    return Revealed(
        drawings=({"totals": Drawing(figure, "What the ranks add up to", f"{name}, rank by rank: {sums}.")},),
        claims=(LabClaim(f"What the ranks add to `{name}`: {sums}.", one.source),),
        formulas=(Formula(one.formula, str(one), one.source),),
        tables={
            "Rank by rank": Table(
                table, "One row per rank and list: its gain, its weight and what it adds to the score."
            )
        },
    )


def running_totals(totals: Mapping[str, NDArray[np.float64]]) -> go.Figure:
    """One line per list, from rank to rank; the highest at the end wins."""
    lines = [
        scatter(
            x=list(range(1, len(total) + 1)),
            y=np.round(total, 5),
            mode="lines+markers",
            name=plotly_escape(name),
            line={"color": PALETTE[n], "dash": DASHES[n], "width": 2.4, "shape": "hv"},
            marker={"symbol": MARKERS[n], "size": 8},
            hovertemplate="rank %{x}: %{y:.4f}<extra>%{fullData.name}</extra>",
        )
        for n, (name, total) in enumerate(totals.items())
    ]
    y = {"title": {"text": "score up to this rank"}, "range": padded_range(np.concatenate(list(totals.values())), 0.08)}
    longest = max(map(len, totals.values()))
    return chart(lines, 320, {"title": {"text": "rank"}, "dtick": 1, "range": [0.7, longest + 0.3]}, y)
