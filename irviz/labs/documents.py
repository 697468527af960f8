"""Documents drawn as squares, coloured and numbered by grade, and the places to which one can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irviz.figures.theme import GREY, PALETTE, SHADES, Trace, scatter

_EDGE = "#00588A"
VIOLET = PALETTE[6]  #: of what can be dragged in a figure


def shades(grades: Sequence[int], top: int) -> tuple[list[str], list[str]]:
    """Fill and ink of every document."""
    steps = [len(SHADES) - 1 - (top - grade) if grade else 0 for grade in grades]
    return [SHADES[step][0] for step in steps], [SHADES[step][1] for step in steps]


def squares(x: Any, y: Any, grades: Sequence[int], top: int, size: int, dragged: int = 0, **look: Any) -> Trace:
    """One square per document, with its grade or the `text` of `look`; −1 does not count: it is white.

    The border of the first `dragged` is violet.
    """
    fill, ink = shades([max(0, grade) for grade in grades], top)
    marker = {
        "symbol": "square",
        "size": size,
        "color": ["#FFFFFF" if grade < 0 else colour for grade, colour in zip(grades, fill, strict=True)],
        "line": {
            "color": [GREY if grade < 0 else VIOLET if n < dragged else _EDGE for n, grade in enumerate(grades)],
            "width": 3 if dragged else 1.3,
        },
    }
    usual = {
        "text": list(map(str, grades)),
        "textfont": {"color": ink, "size": min(13 if size < 40 else 16, size - 2)},
        "hoverinfo": "skip",
    }
    return scatter(x=x, y=y, mode="markers+text", marker=marker, showlegend=False, **{**usual, **look})


def moves(grades: Sequence[int], x: Sequence[float], y: float = 0.0) -> list[list[dict[str, Any]]]:
    """For every document the places to which it can be dragged, those of all ranks, and the list that this makes."""
    goals = []
    for n, grade in enumerate(grades):
        rest = [str(other) for place, other in enumerate(grades) if place != n]
        lists = [",".join([*rest[:m], str(grade), *rest[m:]]) for m in range(len(grades))]
        goals.append([{"x": float(at), "y": y, "given": [text]} for at, text in zip(x, lists, strict=False)])
    return goals
