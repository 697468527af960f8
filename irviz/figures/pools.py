"""The pool of judged documents: how many of each grade there are, and how stable rankings are without some of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import fitting_ticks
from irviz.figures.direct import line_style, name_ends
from irviz.figures.theme import (
    GREY,
    MOST_TOPICS,
    ON_PAPER,
    SHADES,
    Floats,
    Layout,
    bar,
    escape_names,
    figure,
    grade_ramp,
    labels,
    plotly_escape,
    scatter,
    whiskers,
)

_HEIGHT = 400
_MOST_WHISKERS = 10  # measures; those of more would take too much of the width
_WHISKER = 0.028  # of the width, between two such lines


def pool_curves(
    names: Sequence[str], shares: Sequence[float] | Floats, tau: Floats, low: Floats, high: Floats, repeats: int
) -> go.Figure:
    """τ with the full pool's ranking against the share of the pool kept (Ferrante et al. 2019, Figures 1 and 2).

    `tau`, `low` and `high` are measures × shares: the mean over the repeats, and the middle 90% of them. Right of the
    curves is each measure's mean at the smallest share; of many measures, the highest and the lowest.
    """
    order = np.argsort(-np.asarray(shares), kind="stable")
    x, least = np.round(np.asarray(shares)[order], 4), order[-1]
    known = [int(i) for i in np.argsort(-tau[:, least], kind="stable") if np.isfinite(tau[i, least])]
    several = np.nanmax(high - low, initial=0.0) > 0
    whiskered = known if len(known) <= _MOST_WHISKERS else [known[0], known[-1]]
    whiskered = whiskered if several else []
    step = (x.max() / x.min()) ** _WHISKER  # of a logarithmic axis
    traces = []
    for n, i in enumerate(whiskered):
        mean, style = tau[i, [least]], line_style(i)
        traces.append(
            scatter(
                x=[x.min() / step ** (n + 1)],
                y=np.round(mean, 4),
                mode="markers",
                marker={**style["marker"], "size": 5},
                error_y=whiskers(
                    mean, low[i, [least]], high[i, [least]], thickness=2, width=0, color=style["line"]["color"]
                ),
                legendgroup=str(i),
                showlegend=False,
                hoverinfo="skip",
            )
        )
    for i, text in enumerate(labels(names, 34)):
        between = [f"{a:.3f} to {b:.3f}" for a, b in zip(low[i, order], high[i, order], strict=True)]
        traces.append(
            scatter(
                x=x,
                y=np.round(tau[i, order], 4),
                mode="lines+markers",
                name=text,
                legendgroup=str(i),
                **line_style(i),
                customdata=between,
                showlegend=False,
                hovertemplate="%{x:.0%} of the pool: τ %{y:.3f}<br>nine repeats in ten: %{customdata}"
                "<extra>%{fullData.name}</extra>",
            )
        )
    fig = figure(traces, _HEIGHT)
    bottom = lower_end(np.concatenate([tau.ravel(), low.ravel()]))
    name_ends(fig, names, tau[:, order], bottom, 1.0, _HEIGHT)
    if whiskered:
        note = f"at {x.min():.0%}: middle 90% of {repeats} repeats"
        fig.add_annotation(text=note, x=1, y=1, **ON_PAPER, xanchor="right", yanchor="bottom", showarrow=False)
        fig.update_layout(margin={"t": 26})
    ends = np.log10([x.max() * step**2, x.min() / step ** (len(whiskered) + 1)])
    fig.update_xaxes(
        title_text="share of the judgments kept, % (log scale)",
        type="log",
        range=ends.tolist(),
        **spaced_ticks(x),
    )
    fig.update_yaxes(title_text="Kendall's τ with the ranking under the full pool", range=[bottom, 1.01])
    narrow = {f"xaxis.{name}": value for name, value in spaced_ticks(x, apart=0.15).items()}
    fig.update_layout(meta={"paper": narrow})  # a column of a paper has room for fewer ticks
    return fig


def spaced_ticks(shares: Floats, first: Sequence[float] = (), apart: float = 0.08) -> Layout:
    """Ticks in per cent on a logarithmic axis, at least the part `apart` of it apart; those of `first` come first.

    >>> spaced_ticks(np.array([0.9, 0.85, 0.5, 0.1, 0.05]))["ticktext"]
    ['5', '10', '50', '85']
    >>> spaced_ticks(np.array([0.9, 0.5, 0.1, 0.09]), first=[0.1])["ticktext"]
    ['10', '50', '90']
    """
    gap = apart * np.ptp(np.log(shares))
    tick_shares: list[float] = []
    for share in dict.fromkeys((*first, *shares[::-1].tolist())):
        if all(abs(np.log(share / other)) >= gap for other in tick_shares):
            tick_shares.append(share)
    tick_shares.sort()
    return {
        "tickvals": tick_shares,
        "ticktext": [f"{100 * share:.0f}" for share in tick_shares],
        "tickangle": 0,
        "zeroline": False,
    }


def lower_end(values: Floats) -> float:
    """The lower end of the axis: the tenth below the lowest value, .9 at most."""
    finite = values[np.isfinite(values)]
    return float(np.clip(np.floor(10 * finite.min()) / 10, -1.0, 0.9)) if finite.size else 0.0


def topic_grade_bars(topics: Sequence[str], counts: NDArray[np.integer], grades: Sequence[str]) -> go.Figure:
    """Stacked bars by topic from counts (topics × grades, lowest first); of many topics, shares of topics by count."""
    many, above = len(topics) > MOST_TOPICS, [word not in _NOT_ABOVE for word in grades]
    order = np.argsort(-counts[:, above].sum(axis=1), kind="stable").tolist()
    topics, counts = [topics[i] for i in order], counts[order]
    hover = "%{x} documents: %{y:.1%} of the topics" if many else "topic %{x}: %{y} documents"
    across, heights = _count_shares(counts) if many else (escape_names(topics), counts)
    fills = [SHADES[0][0]] * above.count(False) + grade_ramp(above.count(True))
    traces = [
        bar(
            x=across,
            y=heights[:, g],
            name=plotly_escape(word),
            marker={
                "color": fill,
                "line": {"width": 0.5, "color": GREY},
                "pattern": {"shape": "/" if word == _NOT_ABOVE[0] else "", "size": 5},
            },
            hovertemplate=hover + "<extra>%{fullData.name}</extra>",
        )
        for g, (word, fill) in enumerate(zip(grades, fills, strict=True))
    ]
    fig = figure(traces, 380, bargap=0.15, barmode="group" if many else "stack", showlegend=len(grades) > 1)
    documents = "relevant documents" if all(above) else "judged documents"
    ends = [-0.6, len(across) - 0.4]
    if many:
        fig.update_layout(bargap=max(0.15, 1 - 0.1 * len(across)))  # two bars need not fill a figure
        fig.update_xaxes(title_text=f"{documents} of a topic", range=ends, type="category", showgrid=False)
        fig.update_yaxes(title_text="share of the topics", range=[0, 1.04 * heights.max()], tickformat=".0%")
        return fig
    title = "topics, most relevant documents first"
    fig.update_xaxes(title_text=title, tickangle=-90, range=ends, **fitting_ticks(topics, 14))
    return fig.update_yaxes(title_text=documents, range=[0, 1.04 * int(counts.sum(axis=1).max(initial=1))])


_NOT_ABOVE = ("below zero", "not relevant (0)")
_MOST_BARS = 20  #: of a grade, in a figure of many topics


def _count_shares(counts: NDArray[np.integer]) -> tuple[list[str], Floats]:
    """Numbers of documents, one or several to a bar, and the share of the topics with so many: bars × grades."""
    starts = bar_starts(np.unique(counts))
    lasts = [*(start - 1 for start in starts[1:]), max(starts[-1], int(counts.max()))]
    words = [f"{a:,}" if a == b else f"{a:,}–{b:,}" for a, b in zip(starts, lasts, strict=True)]
    edges = [*starts, lasts[-1] + 1]
    return words, np.stack([np.histogram(column, edges)[0] for column in counts.T], axis=1) / len(counts)


def bar_starts(values: NDArray[np.integer]) -> list[int]:
    """The first number of each bar of a distribution, given its distinct values, ascending.

    Few numbers have a bar each; of many, large ones share wider bars.

    >>> bar_starts(np.array([0, 1, 3])), bar_starts(np.array([10, 50, 1000]))
    ([0, 1, 2, 3], [10, 20, 50, 100, 200, 500, 1000])
    >>> bar_starts(np.arange(300, 900)), bar_starts(np.arange(150))
    ([300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850], [0, 1, 2, 3, 5, 10, 20, 50, 100])
    """
    low, high = int(values[0]), int(values[-1])
    if high - low < _MOST_BARS:
        return list(range(low, high + 1))
    steps = [digit * 10**power for power in range(len(str(high))) for digit in (1, 2, 5)]
    if high > 20 * max(1, low):
        starts = [0, 1, 2, 3, *(step for step in steps if 5 <= step <= high)]
    else:
        step = next(step for step in steps if high - low < step * _MOST_BARS)
        starts = list(range(low // step * step, high + 1, step))
    return starts[bisect_right(starts, low) - 1 :]
