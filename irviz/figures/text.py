"""Names from files, made safe to stand in a figure.

Plotly reads a subset of HTML and, between dollar signs, TeX.  A name is neither: every
sign that could mean something to plotly is written as a character reference, which
plotly turns back into the sign.
"""

from __future__ import annotations

from collections import Counter
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
    """Names as tick labels: escaped, and shortened no further than leaves them different.

    >>> labels(["P@10", "nDCG(base=2,at=5)@10", "nDCG(base=3,at=5)@10"], most=9)
    ['P@10', 'nDCG(base=2,at=5)@10', 'nDCG(base=3,at=5)@10']
    """
    return [plotly_escape(name) for name in shortened(names, most)]


def shortened(names: Sequence[str], most: int = 26) -> list[str]:
    """Names, each with its middle left out; those that would become alike keep as much as tells them apart."""
    shown = [short(name, most) for name in names]
    alike = Counter(shown)
    for text in [text for text, often in alike.items() if often > 1]:
        places = [i for i, one in enumerate(shown) if one == text]
        room, different = most, len({names[i] for i in places})
        while len({short(names[i], room) for i in places}) < different:
            room += 1
        for i in places:
            shown[i] = short(names[i], room)
    return shown
