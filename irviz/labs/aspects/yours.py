"""Several aspects on the loaded collection: how near 1 the measures come, and how they rank the systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, listed
from irviz.labs.aspects.figures import highest_boxes, rank_lines
from irviz.stats.bounds import upper_bounds
from irviz.stats.correlation import shared_ranks
from irviz.stats.similarity import overall, similarity
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import ranked_alike

SOURCE = "Maistro et al. 2021"


def on_collection(context: Context, values: Mapping[str, Any]) -> Panel:
    """How near 1 the measures can come on each topic, and how they rank the systems."""
    collection = context.collection
    if len(collection.aspects) < 2:
        raise IrvizError(
            f"{context.opened.title} has one aspect ({collection.aspects[0]}). Choose a collection with several, such "
            "as the bundled one, in the sidebar."
        )
    base = values["base"]
    labels = {"CAM": f"CAM({base})", "MM": f"MM({base})", "TOMA": f"TOMA({base},distance='{values['distance']}')"}
    scores = context.scores(list(labels.values()))
    best = context.remember(upper_bounds, collection, scores.measures).found.T
    ranks = shared_ranks(overall(scores, context.summary, context.eps))
    tau = context.remember(similarity, scores, "overall", "tau", context.summary, eps=context.eps).values
    shift = np.ptp(ranks, axis=0)
    marked = [int(i) for i in np.argsort(-shift, kind="stable")[:3]]
    names = list(labels)
    sentence = (
        f"On {context.opened.title}, {_reach_words(names, best >= 1 - 1e-9)}; CAM and TOMA "
        f"{ranked_alike(float(tau[0, 2]), len(context.systems))}, MM and TOMA "
        f"{ranked_alike(float(tau[1, 2]), len(context.systems))}. {_moves(context, ranks, marked[0])}"
    )
    frame = pd.DataFrame({"system": list(context.systems), **dict(zip(scores.measures, ranks, strict=True))})
    shown = listed([f"`{name}`" for name in scores.measures], joiner="and")
    return Panel(
        sentence=sentence,
        drawings=(
            {
                "bounds": Drawing(highest_boxes(names, best), "How high a score can get, topic by topic", sentence),
                "ranks": Drawing(
                    rank_lines(context.systems, names, ranks, marked), "The systems' ranks side by side", sentence
                ),
            },
        ),
        tables={
            "Ranks": Table(
                frame,
                "One row per system: its rank by each measure; tied systems share their rank.",
                names=scores.measures,
            )
        },
        notes=(
            f"The measures here: {shown}. Highest scores are over all orders of the judged documents: proven where "
            f"CAM can be solved exactly, elsewhere found by exchanging documents until no exchange raises the score.",
        ),
    )


def _reach_words(names: Sequence[str], reached: NDArray[np.bool_]) -> str:
    """On which share of the topics each measure can reach 1; by which measures, on a single topic."""
    if len(reached) > 1:
        shares = ", ".join(f"{name} on {share:.0%}" for name, share in zip(names, reached.mean(axis=0), strict=True))
        return f"some order of the judged documents reaches 1 by {shares} of the {len(reached)} topics"
    found = listed([name for name, one in zip(names, reached[0], strict=True) if one], joiner="and")
    return f"some order reaches 1 by {found} on the only topic" if found else "no order reaches 1 on the only topic"


def _moves(context: Context, ranks: NDArray[np.int64], most: int) -> str:
    """The system whose rank depends most on the measure."""
    low, high = int(ranks[:, most].min()), int(ranks[:, most].max())
    if low == high:
        return "Every system has the same rank by all three."
    return f"No rank changes more than that of `{context.systems[most]}`, between {low} and {high}."
