"""The same few items in several orders: one column per order, one line per item, the best on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from irviz.figures.axes import chart
from irviz.figures.text import plotly_escape
from irviz.figures.theme import DASHES, MARKERS, PALETTE, scatter

Groups = Sequence[Sequence[str]]


def rank_columns(names: Mapping[str, str], orders: Mapping[str, Groups]) -> go.Figure:
    """Lines from order to order.

    Parameters
    ----------
    names : key → words of everything that is ordered
    orders : heading → groups of keys, best first; the items of a group share their place
    """
    columns = list(orders)
    places = {heading: places_of(groups) for heading, groups in orders.items()}
    traces = [
        scatter(
            x=list(range(len(columns))),
            y=[places[heading][key] for heading in columns],
            mode="lines+markers+text",
            name=plotly_escape(words),
            text=[plotly_escape(words) if i == 0 else "" for i in range(len(columns))],
            textposition="middle left",
            showlegend=False,
            cliponaxis=False,
            line={"color": PALETTE[n % len(PALETTE)], "dash": DASHES[n % len(DASHES)], "width": 2.4},
            marker={"symbol": MARKERS[n % len(MARKERS)], "size": 10},
            hovertemplate="place %{y}<extra>%{fullData.name}</extra>",
        )
        for n, (key, words) in enumerate(names.items())
    ]
    room = 0.14 + 0.05 * max(len(words) for words in names.values()) * len(columns) / 4
    x = {
        "tickvals": list(range(len(columns))),
        "ticktext": [plotly_escape(heading) for heading in columns],
        "range": [-room, len(columns) - 0.75],
        "side": "top",
        "showgrid": False,
    }
    y = {"title": {"text": "place (1 is best)"}, "range": [len(names) + 0.4, 0.6], "dtick": 1}
    return chart(traces, 90 + 55 * len(names), x, y)


def places_of(groups: Groups) -> dict[str, float]:
    """The place of every item; the items of a group share the mean of their places.

    >>> places_of([["b"], ["a", "c"]])
    {'b': 1.0, 'a': 2.5, 'c': 2.5}
    """
    found: dict[str, float] = {}
    for group in groups:
        middle = len(found) + (len(group) + 1) / 2
        found |= dict.fromkeys(group, middle)
    return found
