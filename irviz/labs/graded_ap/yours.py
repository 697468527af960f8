"""Graded AP on the loaded collection: how similar each measure is to AP, along g."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, counted, listed, verb
from irviz.labs.graded_ap.figures import along_g
from irviz.measures.graded_ap import EGAP, GAP, XGAP, GradedAP
from irviz.stats.similarity import similarity
from irviz.stats.subsets import few_highly_relevant
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import number

GRADED_APS: dict[str, type[GradedAP]] = {"GAP": GAP, "xGAP": XGAP, "eGAP": EGAP}
SHARES_OF_USERS = np.round(np.linspace(0, 1, 11), 2)
SOURCE = "Ferrante et al. 2014"


def on_collection(context: Context, g: tuple[float, ...]) -> Panel:
    """τ against AP along g_1, on all topics and on those with few highly relevant documents."""
    collection = context.collection
    above = len(collection.grades[0]) - 1
    if above < 2:
        raise IrvizError(
            f"This collection has {'one grade' if above else 'no grade'} above zero, so GAP, xGAP and eGAP "
            f"{'all are AP' if above else 'are all 0'}. Choose another one."
        )
    path = [(float(x), *[round(float(1 - x) / (above - 1), 9)] * (above - 1)) for x in SHARES_OF_USERS]
    names = {name: [str(kind(g=_whole(point))) for point in path] for name, kind in GRADED_APS.items()}
    few = few_highly_relevant(collection)
    curves = _taus(context, names, None)
    if few:
        curves |= {f"{name}, few highly relevant": y for name, y in _taus(context, names, few).items()}
    sentence = _yours_sentence(context, curves, len(few))
    axis = "g₁: users for whom grade 1 is enough"
    drawn = along_g(SHARES_OF_USERS, curves, g[0], axis, "τ with AP")
    frame = pd.DataFrame({"g1": SHARES_OF_USERS, **curves})
    return Panel(
        sentence=sentence,
        drawings=({"yours": Drawing(drawn, "Similarity of each measure to AP, over g₁", sentence)},),
        tables={"τ with AP": Table(frame, "One row per value of g₁.", names=curves)},
        notes=(
            f"The other users ask for grade 2{' or a higher one, in equal shares' * (above > 2)}.",
            f"Few highly relevant: at least ten documents of grade 1 for each of the next grade ({SOURCE}, section 6).",
        ),
    )


def _whole(g: Sequence[float]) -> tuple[float, ...]:
    """g with the rest of 1 as its last share."""
    return (*g[:-1], round(1 - sum(g[:-1]), 9))


def _taus(
    context: Context, names: Mapping[str, list[str]], topics: Sequence[str] | None
) -> dict[str, NDArray[np.float64]]:
    flat = list(dict.fromkeys(["AP", *(one for several in names.values() for one in several)]))
    scores = context.scores(flat).select(topics=topics)
    tau = context.remember(similarity, scores, "overall", "tau", context.summary, eps=context.eps)
    against = dict(zip(scores.measures, tau.values[0], strict=True))
    return {name: np.array([against[one] for one in several]) for name, several in names.items()}


def _yours_sentence(context: Context, curves: Mapping[str, NDArray[np.float64]], few: int) -> str:
    at_step = {name: float(curves[name][1]) for name in GRADED_APS}
    told = ", ".join(f"{number(at_step[name], 2)} for {name}" for name in GRADED_APS)
    if not all(np.isfinite(tau) for tau in at_step.values()):
        return f"On {context.opened.title} there is no τ with AP, because all systems tie."
    lowest = [name for name, tau in at_step.items() if tau <= min(at_step.values()) + 1e-9]
    least = (
        f"{lowest[0]} is the least similar to AP"
        if len(lowest) == 1
        else f"{listed(lowest, joiner='and')} are {'the least' if len(lowest) < len(at_step) else 'equally'} similar "
        "to AP"
    )
    text = f"On {context.opened.title}, with g₁ = {number(SHARES_OF_USERS[1])}, τ with AP is {told}: {least}"
    if not few:
        return text + ". No topic has few highly relevant documents."
    key = ", few highly relevant"
    return text + (
        f". On {'the one' if few == 1 else few} of {counted(len(context.topics), 'topic')} that "
        f"{verb(few, 'has', 'have')} few highly relevant documents, it is "
        + ", ".join(f"{number(curves[name + key][1], 2)} for {name}" for name in GRADED_APS)
        + "."
    )
