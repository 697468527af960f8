"""Lists of numbers as handles: a bar for each, one bar whose parts sum to 1, or points of a plane.

A handle is a range input of the browser, which fingers, arrow keys and screen readers reach.  The numbers are those of
the text box in the same container: ``browser/handles.js`` sets the handles from it, and writes it when one is let go.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape

BOX = "handles"  #: start of the key of a container that holds handles and their text box


def bars(
    names: Sequence[str], words: Mapping[str, Sequence[float]], now: Sequence[float], rising: bool, path: str
) -> str:
    """One upright bar per number, as HTML.

    `words` are texts of the box that stand for numbers, with these numbers; where the numbers are `rising`, none is
    below the one before; `path` is the parameter's, with dashes in the place of points.
    """
    limits = _limits(now)
    each = [
        f'<label><output></output><input type="range" {limits} aria-label="{escape(name)}"><span>{escape(name)}</span>'
        "</label>"
        for name in names
    ]
    return _whole("bars", words, "".join(each), rising, path)


def plane(
    aspects: Sequence[str], words: Mapping[str, Sequence[float]], points: Sequence[Sequence[float]], path: str
) -> str:
    """Places of the levels of aspects, as HTML: a handle each on the aspect's axis, and the plane of the first two.

    `words` are texts of the box with the places that they stand for, of one aspect after the other; `points` are the
    present places, by aspect and level.
    """
    limits = _limits([place for places in points for place in places])
    axes = ""
    for aspect, places in zip(map(escape, aspects), points, strict=True):
        levels = range(len(places))
        each = "".join(f'<input type="range" {limits} aria-label="{aspect}, level {level}">' for level in levels)
        axes += f"<div data-track>{each}<span>{aspect}</span></div>"
    dots = "".join(f'<i data-levels="{x},{y}"></i>' for x in range(len(points[0])) for y in range(len(points[1])))
    return _whole("plane", words, f'<div class="irviz-dots">{dots}</div>{axes}', True, path)


def _limits(now: Sequence[float]) -> str:
    top = 2.0 ** math.floor(1 + math.log2(max([1.0, *now])))
    return f'min="0" max="{top:g}" step="{10.0 ** math.floor(math.log10(top)) / 20:g}"'


def shares(names: Sequence[str], words: Mapping[str, Sequence[float]], path: str) -> str:
    """One bar divided into a part per name, as HTML; a handle stands between two parts."""
    parts = "".join(f"<span>{escape(name)} <output></output></span>" for name in names)
    inputs = "".join(
        f'<input type="range" min="0" max="1" step="0.01" aria-label="{escape(before)} against {escape(after)}">'
        for before, after in zip(names, names[1:], strict=False)
    )
    return _whole("shares", words, f'<div class="irviz-parts">{parts}</div>{inputs}', False, path)


def _whole(kind: str, words: Mapping[str, Sequence[float]], content: str, rising: bool, path: str) -> str:
    known = escape(json.dumps({word: list(numbers) for word, numbers in words.items()}))
    return (
        f'<div class="irviz-handles irviz-{kind}" data-kind="{kind}" data-rising="{int(rising)}" data-path="{path}" '
        f'data-words="{known}">{content}</div>'
    )
