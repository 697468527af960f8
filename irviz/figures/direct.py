"""Curves named where they end, so that no legend and no colour is needed to read them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.ranking import LEADER, LONGEST_LABEL, side_margin, spread
from irviz.figures.theme import DASHES, MARKERS, PALETTE, Floats, note, plotly_escape, shorten_names

_LINE = 15  # the height of a label, in pixels, about
_ALIKE = 0.012  # of the height of a figure, which is about as much as the width of two lines
_APART = (0, 1, 2, 3, 4, 7, 6, 5)  # the palette with its second blue last, so that few curves differ in hue


def line_style(i: int) -> dict[str, Any]:
    """Line and marker of the i-th curve; the first 24 differ without colour.

    >>> [line_style(i)["line"]["dash"] for i in (0, 1, 8)]
    ['solid', 'dash', 'dot']
    """
    colour = PALETTE[_APART[i % len(_APART)]]
    return {
        "line": {"color": colour, "dash": DASHES[i % 6], "width": 2},
        "marker": {"color": colour, "symbol": MARKERS[i % len(MARKERS)], "size": 7},
    }


def name_ends(fig: go.Figure, names: Sequence[str], curves: Floats, low: float, high: float, height: int) -> None:
    """Write each curve's name right of the figure, level with its end on the axis from `low` to `high`.

    `curves` is curves × points; those that end in NaN are not named. Nearly equal curves share one label, which says
    how far apart they are at most. Labels that would overlap are moved, with a line to the end of the curve; a curve
    that ends below the axis has its number.
    """
    known = np.flatnonzero(np.isfinite(curves[:, -1])).tolist()
    named = dict(zip(known, shorten_names([names[i] for i in known], LONGEST_LABEL), strict=True))
    alike: list[list[int]] = []
    for i in known:
        named[i] += f": {below_axis(curves[i, -1])}" if curves[i, -1] < low else ""
        near = (group for group in alike if _largest_gap(curves[[group[0], i]]) <= _ALIKE * (high - low))
        group = next(near, [])
        alike += [] if group else [group]
        group.append(i)
    label_lines = [_lines([named[i] for i in group], _largest_gap(curves[group])) for group in alike]
    ends = [max(low, float(curves[group[0], -1])) for group in alike]
    gap = (high - low) * _LINE / max(height - 90, 1)
    lines = spread([end for end, text in zip(ends, label_lines, strict=True) for _ in text], gap, low, high)
    for group, end, text in zip(alike, ends, label_lines, strict=True):
        place = sum(lines[: len(text)]) / len(text)
        lines = lines[len(text) :]
        fig.add_annotation(**_label("<br>".join(map(plotly_escape, text)), end, place, group[0]))
    fig.update_layout(margin={"r": side_margin([line for text in label_lines for line in text])})


def below_axis(number: float) -> str:
    """A number that lies below the axis.

    >>> below_axis(-0.634)
    '↓ −0.63'
    """
    return f"↓ {number:.2f}".replace("-", "−")


def _largest_gap(curves: Floats) -> float:
    """How far apart curves are at most, at the points where all are defined."""
    shared = curves[:, np.isfinite(curves).all(axis=0)]
    return float(np.ptp(shared, axis=0).max())


def _lines(names: Sequence[str], apart: float) -> list[str]:
    r"""The label of curves that are nearly equal, or the name of one.

    >>> _lines(["mean", "median"], 0.0), _lines(["AP", "RR"], 0.0123), _lines(["AP"], 0.0)
    (['mean, median: equal'], ['AP, RR: within\xa00.012'], ['AP'])
    """
    all_names = ", ".join(name.replace(" ", "\u00a0") for name in names)  # no line ends within a name
    words = "equal" if apart < 5e-5 else f"within\u00a0{apart:.2g}"
    return wrap(f"{all_names}: {words}", LONGEST_LABEL, break_on_hyphens=False) if len(names) > 1 else [*names]


def _label(text: str, end: float, place: float, i: int) -> dict[str, Any]:
    """A curve's name at `place`, with a line to the curve's `end`."""
    leader = {"ax": LEADER, "axref": "pixel", "ay": place, "ayref": "y", "showarrow": True, "arrowhead": 0}
    colour = {"arrowwidth": 2, "arrowcolor": line_style(i)["line"]["color"]}
    return note(text, 1, end, xref="paper", xanchor="left", yref="y", align="left") | leader | colour
