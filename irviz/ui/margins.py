"""Margins that fit the labels of the axes, known before a figure is drawn.

Plotly's ``automargin`` draws a figure, looks for labels that reach beyond it, and draws it again,
which takes a browser two to three times as long.  What the labels are is known here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import unescape
from math import cos, floor, log10, radians, sin
from typing import Any

import plotly.graph_objects as go

from irviz.figures.axes import Axis

_TICK, _TITLE = 11, 13  # pixels of type, as the template has them
_LINE = 1.3  # height of a line, in sizes of its type
_BESIDE, _STANDOFF = 8, 10  # pixels from axis to label, and from label to title
_END = 20  # pixels that half a number reaches beyond the end of an axis
#: width of letters in sizes of the type; those not named are as wide as most
_NARROW, _SLIM, _BROAD, _WIDE = frozenset(" ijlI'|.,:;!·"), frozenset('()[]{}-frt/\\"'), frozenset("mwMW%@…"), 1.0
_MOST, _CAPITAL = 0.54, 0.63


def with_margins(drawn: go.Figure) -> go.Figure:
    """Set a figure's margins at the sides where all that stands beside the axes is known; `automargin` stays elsewhere.

    Known are labels that are given, and numbers; not whether labels along a horizontal axis will be turned for want
    of room.  Margins of the figure are kept where they are wider.  For the type of the template: who draws a figure in
    another type turns `automargin` on again.
    """
    layout: dict[str, Any] = drawn._layout  # read and written as it is: plotly's own way checks every property
    for name in ("xaxis", "yaxis"):
        layout.setdefault(name, {})
    axes = {name: axis for name, axis in layout.items() if re.match(r"[xy]axis", name)}
    sides: dict[str, list[tuple[str, float | None]]] = {}
    for name, axis in axes.items():
        if axis.get("automargin", True) and axis.get("visible", True):
            side = axis.get("side") or ("bottom" if name.startswith("x") else "left")
            room = _room(name, axis, side, _names(name, drawn._data)) if _at_the_edge(name, axis, side, axes) else None
            sides.setdefault(side, []).append((name, room))
    margin = {"l": 8, "r": 12, "t": 8, "b": 8, **layout.get("margin", {})}
    for side, found in sides.items():
        rooms = [room for _, room in found if room is not None]
        if len(rooms) < len(found):
            continue
        margin[side[0]] = max(margin[side[0]], round(max(rooms)))
        for name, _ in found:
            axes[name]["automargin"] = False
            if name.startswith("x"):
                left, right = _ends(axes[name], _labels(axes[name], _names(name, drawn._data)))
                margin["l"], margin["r"] = max(margin["l"], left), max(margin["r"], right)
    layout["margin"] = margin
    return drawn


def text_width(text: str, size: float = _TICK) -> float:
    """About how wide a text is in the type of the page, in pixels; rather too wide than too narrow.

    Parameters
    ----------
    text : as plotly gets it: with references for signs, and with markup of its own

    >>> text_width("nDCG@10") < text_width("<b>nDCG@10</b>") < text_width("網頁nDCG@10")
    True
    """
    bare = re.sub(r"<[^<>]*>", "", text)
    bold = 1.08 if "<b>" in text else 1.0
    return bold * size * sum(map(_letter, unescape(bare)))


def _letter(sign: str) -> float:
    if not sign.isascii():
        wide = unicodedata.east_asian_width(sign) in "WF" or unicodedata.category(sign) == "So"
        return 0.0 if unicodedata.combining(sign) else _WIDE if wide else _CAPITAL
    if sign in _NARROW:
        return 0.26
    if sign in _SLIM:
        return 0.35
    return 0.8 if sign in _BROAD else _CAPITAL if sign.isupper() else _MOST


def _at_the_edge(name: str, axis: Axis, side: str, axes: dict[str, Axis]) -> bool:
    """Whether an axis stands where the figure's margin begins."""
    crossing = "y" if name.startswith("x") else "x"
    anchor = axis.get("anchor", crossing)
    if anchor == "free" or not str(anchor).startswith(crossing):
        return False
    low, high = axes.get(f"{crossing}axis{str(anchor)[1:]}", {}).get("domain", (0, 1))
    return bool(low <= 0.001 if side in ("left", "bottom") else high >= 0.999)


def _room(name: str, axis: Axis, side: str, names: Sequence[str]) -> float | None:
    """Pixels between an axis and what stands furthest out; None where that depends on the width of the figure."""
    labels = _labels(axis, names) if axis.get("showticklabels", True) else ()
    size = axis.get("tickfont", {}).get("size", _TICK)
    wide = max((text_width(line, size) for text in labels for line in text.split("<br>")), default=0.0)
    high = _LINE * size * max((text.count("<br>") + 1 for text in labels), default=0)
    angle = axis.get("tickangle") if names or axis.get("ticktext") is not None else 0
    if name.startswith("y"):
        beside = wide
    elif angle is not None and (angle or wide <= 2 * _END):
        turn = radians(abs(angle))
        beside = wide * sin(turn) + high * cos(turn)
    elif labels:
        return None
    else:
        beside = 0.0
    title = str((axis.get("title") or {}).get("text") or "")
    said = _STANDOFF + (title.count("<br>") + 1) * _LINE * _TITLE if title else 0.0
    return _BESIDE + beside + said


def _ends(axis: Axis, labels: Sequence[str]) -> tuple[int, int]:
    """Pixels that labels of a horizontal axis reach beyond its left and its right end."""
    angle = axis.get("tickangle") or 0
    if angle in (0, -90, 90):
        return _END, _END
    reach = round(cos(radians(angle)) * max(map(text_width, labels), default=0.0))
    return (max(_END, reach), _END) if angle < 0 else (_END, max(_END, reach))


def _names(name: str, traces: Sequence[dict[str, Any]]) -> list[str]:
    """What the traces on an axis have in the place of numbers: categories, which are its labels if none are given."""
    letter, found = name[0], []
    for trace in traces:
        values = trace.get(letter)
        if trace.get(f"{letter}axis", letter) == name.replace("axis", "") and values is not None and len(values):
            found += [str(value) for value in values] if isinstance(values[0], str) else []
    return found


def _labels(axis: Axis, names: Sequence[str]) -> Sequence[str]:
    """The labels of an axis; of one with numbers, what is about as wide as the widest that plotly will choose."""
    if axis.get("ticktext") is not None:
        return [str(text) for text in axis["ticktext"]]
    if names:
        return names
    low, high = axis.get("range") or (None, None)
    if low is None or high is None or axis.get("type") == "log":
        return ["−0.0000"]
    step = abs(high - low) / 8
    digits = max(0, -floor(log10(step))) if step > 0 else 1
    return [f"{end:,.{min(digits, 6)}f}{axis.get('ticksuffix', '')}" for end in (low, high)]
