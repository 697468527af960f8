"""Names from files, made safe to show in a figure.

Plotly reads a subset of HTML and, between dollar signs, TeX.  A name is neither: every
sign that could mean something to plotly is written as a character reference, which
plotly turns back into the sign.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

_REFERENCES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%": "&#37;", "{": "&#123;", "}": "&#125;"}
    | {chr(code): " " for code in (*range(32), 127)}
)
STAR = "★"  #: before the aggregation that gives the measure of a browsing model's name
_FEW = 4  #: a common start of fewer letters is not mentioned


def plotly_escape(text: str) -> str:
    """`text` as plotly shows it, sign for sign.

    >>> plotly_escape('<b>x</b> & $y$')
    '&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;'
    """
    return text.translate(_REFERENCES)


def short(text: str, most: int = 26, share: int = 2) -> str:
    """`text`, with its middle left out where it is longer than `most`; one in `share` letters are of its start.

    >>> short("harbor-rerank-noprior", most=11)
    'harbo…prior'
    """
    if len(text) <= most:
        return text
    head = most // share
    return text[:head] + "…" + text[len(text) - (most - head - 1) :]


def labels(names: Sequence[str], most: int = 26) -> list[str]:
    """Names as tick labels: escaped, and shortened no further than leaves them different.

    >>> labels(["P@10", "nDCG(base=2,at=5)@10", "nDCG(base=3,at=5)@10"], most=9)
    ['P@10', 'nDC…2,at=5)@10', 'nDC…3,at=5)@10']
    """
    return [plotly_escape(name) for name in shortened(names, most)]


def shortened(names: Sequence[str], most: int = 26) -> list[str]:
    """Names reduced to what differs: without their common start, then each without its middle.

    Those that would become equal keep as much as distinguishes them.

    >>> shortened(["Task1__ielab_01.txt", "Task1__ielab_02.txt", "Task1__bm25.txt"], most=14)
    ['…ielab_01.txt', '…ielab_02.txt', '…bm25.txt']
    """
    start = common_start(names, most)
    left = [f"…{name[len(start) :]}" if start else name for name in names]
    begins = Counter(name[: most // 2] for name in set(left) if len(name) > most)
    shares = [4 if begins[name[: most // 2]] > 1 else 2 for name in left]  # what begins alike differs later
    shown = [short(name, most, share) for name, share in zip(left, shares, strict=True)]
    alike = Counter(shown)
    for text in [text for text, often in alike.items() if often > 1]:
        places = [i for i, one in enumerate(shown) if one == text]
        room, different = most, len({left[i] for i in places})
        while len({short(left[i], room, shares[i]) for i in places}) < different:
            room += 1
        for i in places:
            shown[i] = short(left[i], room, shares[i])
    return shown


def common_start(names: Sequence[str], most: int = 26) -> str:
    """What all names begin with, up to a separator, where one of them is longer than `most`; "" for a few letters.

    Expressions such as those of measures are not taken apart.

    >>> common_start(["IRTask1__CUNI__en.run3", "IRTask1__baselines__indri_okapi"])
    'IRTask1__'
    """
    if len(set(names)) < 2 or max(map(len, names)) <= most:
        return ""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*(name[:-1] for name in names), strict=False))
    found = re.match(r"[^(=]*[-_./: ]", "".join(letters[0] for letters in alike))
    return found.group() if found and len(found.group()) >= _FEW else ""
