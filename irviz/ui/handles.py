"""Lists of numbers as handles: a bar for each, or one bar divided by handles, whose parts always sum to 1.

A handle is a range input of the browser, which fingers, arrow keys and screen readers reach.  The numbers are those of
the text box in the same container: ``browser/handles.js`` sets the handles from it, and writes it when one is let go.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape

BOX = "handles"  #: start of the key of a container that holds handles and their text box


def bars(names: Sequence[str], words: Mapping[str, Sequence[float]], now: Sequence[float], rising: bool) -> str:
    """One upright bar per number, as HTML.

    Parameters
    ----------
    names : of the numbers
    words : texts of the box that stand for numbers, and these numbers
    now : the present numbers
    rising : whether no number may be below the one before
    """
    top = 2.0 ** math.floor(1 + math.log2(max([1.0, *now])))
    step = 10.0 ** math.floor(math.log10(top)) / 20
    limits = f'min="0" max="{top:g}" step="{step:g}"'
    each = [
        f'<label><output></output><input type="range" {limits} aria-label="{escape(name)}"><span>{escape(name)}</span>'
        "</label>"
        for name in names
    ]
    return _whole("bars", words, "".join(each), rising)


def shares(names: Sequence[str], words: Mapping[str, Sequence[float]]) -> str:
    """One bar divided into a part per name, as HTML; a handle stands between two parts."""
    parts = "".join(f"<span>{escape(name)} <output></output></span>" for name in names)
    inputs = "".join(
        f'<input type="range" min="0" max="1" step="0.01" aria-label="{escape(before)} against {escape(after)}">'
        for before, after in zip(names, names[1:], strict=False)
    )
    return _whole("shares", words, f'<div class="irviz-parts">{parts}</div>{inputs}', False)


def _whole(kind: str, words: Mapping[str, Sequence[float]], content: str, rising: bool) -> str:
    known = escape(json.dumps({word: list(numbers) for word, numbers in words.items()}))
    return (
        f'<div class="irviz-handles irviz-{kind}" data-kind="{kind}" data-rising="{int(rising)}" '
        f'data-words="{known}">{content}</div>'
    )
