"""A folder of linked pages: what views show, for a web server or a disk, without irviz behind it.

Every view is a page beside ``plotly.min.js``, which all share.  The pages fetch nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from plotly.offline import get_plotlyjs

from irviz.publish.draw import Shown
from irviz.publish.report import DRAW, document, made, marked, script_digest, section

PLOTLY = "plotly.min.js"
INDEX = "index.html"
#: a page on a disk is no site of its own to every browser, so `file:` is named beside 'self'
_ALLOWED_SCRIPTS = f"'self' file: {script_digest(DRAW)}"


def site(shown: Sequence[Shown], left_out: Mapping[str, str], title: str, note: str = "") -> dict[str, str]:
    """The files of the folder, by name.

    Parameters
    ----------
    shown : from :func:`irviz.publish.draw.draw`
    left_out : mapping of a page's title to the sentence that says why it is not drawn
    title, note : str
        Plain text.
    """
    names = _names(shown)
    files = {PLOTLY: get_plotlyjs(), INDEX: _index(shown, names, left_out, title, note)}
    for place, (name, one) in enumerate(zip(names, shown, strict=True), start=1):
        scripts = f'<script src="{PLOTLY}"></script><script>{DRAW}</script>'
        heading = f"{one.page.title} · {title}"
        body = _menu(shown, names, name, title) + section(place, one)
        files[name] = document(heading, body + scripts, _ALLOWED_SCRIPTS)
    return files


def _names(shown: Sequence[Shown]) -> list[str]:
    """A file name for every view: its page's address, and its number among the views of that page."""
    seen: Counter[str] = Counter()
    names = []
    for one in shown:
        seen[one.page.name] += 1
        number = seen[one.page.name]
        names.append(f"{one.page.name}{'' if number == 1 else f'-{number}'}.html")
    return names


def _menu(shown: Sequence[Shown], names: Sequence[str], here: str, title: str) -> str:
    """Links to all pages; the one that is open is marked."""
    links = "".join(
        f'<li><a href="{escape(name)}"{" aria-current=page" if name == here else ""}>{escape(one.page.title)}</a></li>'
        for name, one in zip(names, shown, strict=True)
    )
    return f'<nav class="menu"><a href="{INDEX}">{escape(title)}</a><ul>{links}</ul></nav>'


def _index(shown: Sequence[Shown], names: Sequence[str], left_out: Mapping[str, str], title: str, note: str) -> str:
    """The first page: what each of the others shows, in its own sentence."""
    rows = "".join(
        f'<dt><a href="{escape(name)}">{escape(one.page.title)}</a></dt>'
        f"<dd>{escape(one.page.question)} {marked(one.panel.sentence)}"
        f' <span class="note">{escape(one.context.opened.title)}</span></dd>'
        for name, one in zip(names, shown, strict=True)
    )
    missing = "".join(f"<dt>{escape(page)}</dt><dd>Not drawn: {marked(why)}</dd>" for page, why in left_out.items())
    said = f"<p>{escape(note)}</p>" if note else ""
    body = f'<h1>{escape(title)}</h1>{said}<p class="note">{escape(made())}</p><dl>{rows}{missing}</dl>'
    return document(title, body, "'none'")
