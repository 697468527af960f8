"""Two users of the lab on browsing models, on the systems of the loaded collection."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from irviz.errors import IrvizError, listed
from irviz.labs.charts import system_scatter
from irviz.measures.cwla import CWLA
from irviz.stats.aggregate import aggregate
from irviz.stats.similarity import overall, similarity
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import extremes, ranked_alike


def on_collection(context: Context, made: Sequence[CWLA]) -> Panel:
    """The systems of the collection by these users, to the ranking depth."""
    if context.opened.collection is None:
        raise IrvizError("Imported scores contain no rankings for a user to read. Choose a collection in the sidebar.")
    names = [str(CWLA(C=one.C, A=one.A)) for one in made]
    pair = names if len(set(names)) == 2 else [names[0], "AP" if names[0] != "AP" else "P@10"]
    scores = context.scores(pair)
    means, order = aggregate(scores.values, "mean"), overall(scores, "mean", None)
    tau = (
        float(context.remember(similarity, scores, "overall").values[0, 1])
        if len(context.systems) > 1
        else float("nan")
    )
    first, second = (listed([f"`{context.systems[i]}`" for i in extremes(row)], joiner="and") for row in order)
    agree = f"both put {first} first" if first == second else f"the first puts {first} first, the second {second}"
    sentence = (
        f"On {context.opened.title}, `{scores.measures[0]}` and `{scores.measures[1]}` "
        f"{ranked_alike(tau, len(context.systems))}; {agree}."
    )
    drawn = system_scatter(context.systems, means[0], means[1], scores.measures)
    frame = pd.DataFrame({"system": list(context.systems), **dict(zip(scores.measures, means, strict=True))})
    return Panel(
        sentence=sentence,
        drawings=({"yours": Drawing(drawn, "Every system by the two measures", f"One dot per system. {sentence}")},),
        tables={"Systems": Table(frame, "One row per system: mean over topics.", names=scores.measures)},
        notes=("Here lists are as long as they were loaded, filled up to rank 1,000.",),
    )
