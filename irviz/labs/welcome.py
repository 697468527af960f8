"""The figure of the start page: which system is best changes with how far a user reads."""

from __future__ import annotations

from functools import cache

import numpy as np

from irviz.collection.catalogue import open_collection
from irviz.errors import verb
from irviz.figures.axes import axis, chart
from irviz.figures.motion import moving
from irviz.figures.theme import PALETTE, plotly_escape, short
from irviz.labs.charts import silent
from irviz.stats.scores import score
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import extremes, quote_names

PATIENCE = np.round(np.linspace(0.1, 0.95, 18), 2)  #: probabilities of reading on, from a hasty user to a patient one
BEST = 6  #: systems of a hasty, and of a patient user


@cache
def welcome(collection: str) -> Drawing:
    """Mean RBP of some systems of a bundled collection, against that of the best; frames move p, the patience."""
    scores = score(open_collection(collection), [f"RBP(p={p:g})" for p in PATIENCE])
    means = scores.values.mean(axis=1)
    orders = np.argsort(-means, axis=1, kind="stable")
    chosen = list(dict.fromkeys([*orders[0, :BEST].tolist(), *orders[-1, :BEST].tolist()]))
    systems, means = [scores.systems[i] for i in chosen], means[:, chosen]
    share = means / means.max(axis=1, keepdims=True)
    place = np.argsort(np.argsort(-means, axis=1, kind="stable"), axis=1) + 1
    first = [[systems[i] for i in extremes(row)] for row in means]
    frames, captions = [], []
    for n, p in enumerate(PATIENCE):
        for t in (0.2, 0.4, 0.6, 0.8, 1.0):  # systems pass each other between two values of p
            x, y = ((1 - t) * of[max(0, n - 1)] + t * of[n] for of in (share, place))
            frames.append([{"x": np.round(x, 4), "y": np.round(y, 3)}])
            captions.append(f"p = {p:.2f}: {', '.join(first[n])} first")
    low, last = float(share.min()), len(systems)
    dots = silent(
        share[-1].round(4),
        place[-1],
        "markers+text",
        text=[f" {plotly_escape(short(name, 22))}" for name in systems],
        textposition="middle right",
        marker={"size": 14, "color": list(PALETTE[:last])},
    )
    room = [low - 0.02, 1 + 0.3 * (1.02 - low)]  # for the names, too
    x_axis = axis("mean RBP (rank-biased precision) ÷ the best one", room, nticks=5)
    y_axis = axis("", [last + 0.6, 0.4], dtick=1, showticklabels=False)  # equal systems have no places
    ends = [
        f"with p = {PATIENCE[n]:g}, {quote_names(first[n])} {verb(len(first[n]), 'is', 'are')} first" for n in (0, -1)
    ]
    fig = moving(chart([dots], 240, x_axis, y_axis), frames, [0], captions)
    return Drawing(fig, "Which system is best? Move p, the probability that a user reads on", f"{'; '.join(ends)}.")
