"""Names from files, made safe to stand in a figure.

Plotly reads a subset of HTML and, between dollar signs, TeX.  A name is neither: every
sign that could mean something to plotly is written as a character reference, which
plotly turns back into the sign.
"""

from __future__ import annotations

from collections.abc import Sequence

_REFERENCES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%": "&#37;", "{": "&#123;", "}": "&#125;"}
    | {chr(code): " " for code in (*range(32), 127)}
)


def plotly_escape(text: str) -> str:
    """`text` as plotly shows it, sign for sign.

    >>> plotly_escape('<b>x</b> & $y$')
    '&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;'
    """
    return text.translate(_REFERENCES)


def short(text: str, most: int = 26) -> str:
    """`text`, with its middle left out where it is longer than `most`.

    >>> short("harbor-rerank-noprior", most=11)
    'harbo…prior'
    """
    if len(text) <= most:
        return text
    head = most // 2
    return text[:head] + "…" + text[len(text) - (most - head - 1) :]


def labels(names: Sequence[str], most: int = 26) -> list[str]:
    """Names as tick labels: shortened and escaped."""
    return [plotly_escape(short(name, most)) for name in names]


def ticks(names: Sequence[str], room: int, most: int = 26) -> dict[str, list]:
    """Tick positions 0, 1, … with the labels of `names`; only every n-th where more than `room` would crowd."""
    step = max(1, -(-len(names) // max(1, room)))
    return {"tickvals": list(range(0, len(names), step)), "ticktext": labels(names, most)[::step]}


def named_ticks(names: Sequence[str], room: int, most: int = 26) -> dict[str, object]:
    """The same for an axis of categories that are the escaped names (which may look like numbers)."""
    step = max(1, -(-len(names) // max(1, room)))
    chosen = names[::step]
    return {"type": "category", "tickvals": [plotly_escape(name) for name in chosen], "ticktext": labels(chosen, most)}


def fitting_ticks(names: Sequence[str], room: int, most: int = 26) -> dict[str, object]:
    """The same for an axis as wide as the screen: plotly leaves out what would overlap, unless a name is too long.

    >>> fitting_ticks(["401", "402"], 60, 14)
    {'type': 'category'}
    """
    return named_ticks(names, room, most) if max(map(len, names), default=0) > most else {"type": "category"}
