"""A folder of linked pages: what views show, or all labs, without irviz behind it.

Every view is a page beside ``plotly.min.js``, which all share.  The pages fetch nothing else.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from gzip import compress
from html import escape
from itertools import product
from typing import Any

from plotly.offline import get_plotlyjs
from plotly.utils import PlotlyJSONEncoder

from irviz.figures.motion import MOTION, MOTION_STYLE
from irviz.figures.unchecked import layout_of, parts_of
from irviz.labs.screen import DONE, DRAG, OFFLINE, SCREEN, SCREEN_STYLE, Screen
from irviz.publish.draw import ViewContent
from irviz.publish.report import DRAW, date_and_versions, document, folded_table, script_digest, section, to_html
from irviz.workspace.page import Values
from irviz.workspace.panel import LEADERBOARD
from irviz.workspace.view import settle

PLOTLY = "plotly.min.js"
INDEX = "index.html"
#: not every browser counts a page on a disk as 'self', so `file:` is allowed, too
_ALLOWED_SCRIPTS = f"'self' file: {script_digest(DRAW)}"


def site(
    view_contents: Sequence[ViewContent], left_out: Mapping[str, str], title: str, note: str = ""
) -> dict[str, str]:
    """The files of the folder, by name; `left_out` has the title of a page → why it is not drawn."""
    names = _names(view_contents)
    files = {PLOTLY: get_plotlyjs(), INDEX: _index(view_contents, names, left_out, title, note)}
    for place, (name, view) in enumerate(zip(names, view_contents, strict=True), start=1):
        scripts = f'<script src="{PLOTLY}"></script><script>{DRAW}</script>'
        heading = f"{view.page.title} · {title}"
        body = _menu(title, {file: each.page.title for file, each in zip(names, view_contents, strict=True)}, name)
        body += section(place, view)
        files[name] = document(heading, body + scripts, _ALLOWED_SCRIPTS)
    return files


def _names(view_contents: Sequence[ViewContent]) -> list[str]:
    """A file name for every view: its page's address, and its number among the views of that page."""
    counts: Counter[str] = Counter()
    names = []
    for view in view_contents:
        counts[view.page.name] += 1
        number = counts[view.page.name]
        names.append(f"{view.page.name}{'' if number == 1 else f'-{number}'}.html")
    return names


def _menu(title: str, pages: Mapping[str, str], here: str) -> str:
    """Links to all pages, whose titles are given by file; the one that is open is marked."""
    links = "".join(
        f'<li><a href="{escape(file)}"{" aria-current=page" if file == here else ""}>{escape(words)}</a></li>'
        for file, words in pages.items()
    )
    return f'<nav class="menu"><a href="{INDEX}">{escape(title)}</a><ul>{links}</ul></nav>'


def _index(
    view_contents: Sequence[ViewContent], names: Sequence[str], left_out: Mapping[str, str], title: str, note: str
) -> str:
    """The first page: what each of the others shows, in its own sentence."""
    rows = "".join(
        f'<dt><a href="{escape(name)}">{escape(view.page.title)}</a></dt>'
        f"<dd>{escape(view.page.question)} {to_html(view.panel.sentence)}"
        f' <span class="note">{escape(view.context.dataset.title)}</span></dd>'
        for name, view in zip(names, view_contents, strict=True)
    )
    missing = "".join(f"<dt>{escape(page)}</dt><dd>Not drawn: {to_html(why)}</dd>" for page, why in left_out.items())
    boards = "".join(_leaderboard(view) for view in view_contents if LEADERBOARD in view.panel.folds)
    body = f'<h1>{escape(title)}</h1><p>{escape(note)}</p><p class="note">{escape(date_and_versions())}</p>'
    return document(title, f"{body}<dl>{rows}{missing}</dl>{boards}", "'none'")


def _leaderboard(one: ViewContent) -> str:
    """The systems under all measures, open on the first page."""
    panel = one.panel.folds[LEADERBOARD]()
    tables = "".join(folded_table(one.page.name, name, held, is_open=True) for name, held in panel.tables.items())
    return f"<h2>{escape(one.context.dataset.title)}</h2><p>{to_html(panel.sentence)}</p>{tables}"


# -- labs ------------------------------------------------------------------------------------------

_LAB_SCRIPTS = (MOTION, SCREEN, DRAG, OFFLINE, DONE)
_PAGE = (
    "body { padding-top: 0.5rem; } h1 { font-size: 1.2rem; margin: 0.3rem 0; } "
    ".irviz-figure .figure { height: 60.2dvh; } @media (max-width: 640px) { .menu ul { display: none; } }"
)
_LAB_STYLE = f"<style>{MOTION_STYLE}{SCREEN_STYLE} {_PAGE}</style>"


def labs_site(labs: Sequence[Screen]) -> dict[str, str]:
    """The files of a folder with one page per lab, which need neither server nor network."""
    allowed = f"'self' file: {' '.join(map(script_digest, _LAB_SCRIPTS))}"
    links = [(f"{lab.name}.html", lab) for lab in labs]
    rows = "".join(
        f'<dt><a href="{name}">{escape(lab.title)}</a></dt><dd>{escape(lab.question)}</dd>' for name, lab in links
    )
    files = {
        PLOTLY: get_plotlyjs(),
        INDEX: document(
            "irviz labs", f'<h1>Labs</h1><p class="note">{escape(date_and_versions())}</p><dl>{rows}</dl>', "'none'"
        ),
    }
    for name, lab in links:
        menu = _menu("Labs", {file: other_lab.title for file, other_lab in links}, name)
        scripts = f'<script src="{PLOTLY}"></script>' + "".join(f"<script>{script}</script>" for script in _LAB_SCRIPTS)
        head = f"{_LAB_STYLE}{menu}<h1>{escape(lab.title)}</h1>"
        files[name] = document(lab.title, head + _screen(lab) + scripts, allowed)
    return files


def places(lab: Screen) -> dict[tuple[str, ...], Values]:
    """The values of every figure of a lab without a server, by the texts of what is chosen; live numbers aside."""
    first, _ = settle(lab.controls, {}, None)
    handles = {name: handle.stops(first) for name, handle in lab.handles.items() if not handle.live}
    kept: dict[str, Sequence[Any]] = {**{name: list(options) for name, options in lab.choices.items()}, **handles}
    kept |= lab.offline
    found: dict[tuple[str, ...], Values] = {}
    for chosen in product(*kept.values()):
        values = {**first, **dict(zip(kept, chosen, strict=True))}
        if lab.mark and lab.mark.place(values)[0] is None:
            values["guess"] = first["guess"]
        found[tuple(lab.control(name).format(one) for name, one in zip(kept, chosen, strict=True))] = values
    return found


def alone(lab: Screen) -> Screen:
    """The lab with a frame for every combination of its live numbers."""
    return replace(lab, combined=tuple(name for name, handle in lab.handles.items() if handle.live))


def _screen(lab: Screen) -> str:
    first, _ = settle(lab.controls, {}, None)
    all_places, lab = places(lab), alone(lab)
    names = [*lab.choices, *(name for name, handle in lab.handles.items() if not handle.live), *lab.offline]
    different: list[Values] = []
    for values in all_places.values():
        if values not in different:
            different.append(values)
    drawings = [lab.moving_figure(values) for values in different]
    words = [(above, guess + goals) for above, guess, goals in map(lab.html, different)]
    for drawing in drawings:
        del layout_of(drawing.figure)["height"]  # the page has its own
    content = {
        "names": names,
        "first": {name: lab.control(name).format(first[name]) for name in {*names, *lab.combined, "guess"}},
        "places": {";".join(texts): different.index(values) for texts, values in all_places.items()},
        "screens": [
            {
                "words": said,
                "live": lab.strides(values),
                "figure": parts_of(drawing.figure),
            }
            for said, values, drawing in zip(words, different, drawings, strict=True)
        ],
    }
    packed = b64encode(compress(json.dumps(content, cls=PlotlyJSONEncoder).encode(), mtime=0)).decode()
    alt, again = escape(drawings[0].alt), '<button type="button" class="irviz-again">Reset figure</button>'
    return (
        f'<div class="irviz-figure"><div class="irviz-words"></div><div class="figure" role="img" aria-label="{alt}">'
        f'</div><div class="irviz-words irviz-below"></div></div>{again}'
        f'<p class="note">{to_html(lab.source)}</p><script type="text/plain" id="screens">{packed}</script>'
    )
