"""A view as HTML: sentence, figures, tables, settings.  Every name is escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape

import pandas as pd
from plotly.offline import get_plotlyjs

from irviz.errors import rounded
from irviz.figures.theme import dress
from irviz.publish.draw import ViewContent
from irviz.publish.export import to_csv
from irviz.publish.provenance import origin, settings, versions
from irviz.workspace.facts import FACTS_CSS, facts_html
from irviz.workspace.glossary import Heading, heading, in_words
from irviz.workspace.panel import Drawing, Panel, Table, decimals

# -- What a content security policy says of scripts ------------------------------------------------


def script_digest(script: str) -> str:
    """A script as a policy names it: by its text, so that no other runs.

    >>> script_digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


# --------------------------------------------------------------------------------------------------

_MOST_SHOWN = 300  #: of a table that are shown; its CSV holds all
MOST_CSV = 2_000_000  #: bytes of a table that travel with the report


def section(place: int, one: ViewContent) -> str:
    return "".join(
        (
            f'<section id="view-{place}"><h2>{place}. {escape(one.page.title)}</h2>',
            f'<p class="note">{escape(one.page.question)}</p>',
            *(f'<p class="complaint">{to_html(str(complaint))}</p>' for complaint in one.complaints),
            f'<p class="against">{to_html(f"In grey, before: {one.panel.since}")}</p>' if one.panel.since else "",
            _part(f"{place}-1", one.page.name, one.panel),
            _settings(one),
            "</section>",
        )
    )


def _part(place: str, name: str, panel: Panel) -> str:
    """A panel; `name` starts the names of its files."""
    rows = []
    for n, row in enumerate(panel.drawings, start=1):
        figures = "".join(_figure(f"f{place}-{n}-{key}", f"{name}-{key}", it) for key, it in row.items())
        rows.append(f'<div class="row">{figures}</div>')
    return "".join(
        (
            f'<p class="sentence">{to_html(panel.sentence)}</p>' if panel.sentence else "",
            facts_html(panel.facts),
            *rows,
            *(f'<p class="note">{to_html(note)}</p>' for note in panel.notes),
            *(f"<h3>{escape(key)}</h3><pre>{escape(text)}</pre>" for key, text in panel.texts.items()),
            *(folded_table(name, key, table) for key, table in panel.tables.items()),
            *(
                f"<h3>{escape(key)}</h3>{_part(f'{place}-fold{n}', name, make())}"
                for n, (key, make) in enumerate(panel.folds.items(), start=1)
                if panel.unfolded in (None, n - 1)
            ),
        )
    )


def _figure(place: str, name: str, drawing: Drawing) -> str:
    """A figure under its facts, with its data in a script, which nothing in them ends."""
    fig_json = dress(drawing.figure, dark=False).to_json().replace("<", "\\u003c")
    place, alt = escape(place.replace(" ", "-")), escape(drawing.alt.replace("`", ""))
    return (
        f"<figure><h3>{to_html(drawing.title)}</h3>{facts_html(drawing.facts, inline=True)}"
        f'<div class="figure" id="{place}" data-name="irviz-{escape(name)}" role="img" aria-label="{alt}"></div>'
        f'<script type="application/json" id="{place}-data">{fig_json}</script></figure>'
    )


def folded_table(page: str, name: str, table: Table, is_open: bool = False) -> str:
    """A table to unfold, with its CSV."""
    frame, csv = table.frame, to_csv(table.frame)
    numeric = [pd.api.types.is_numeric_dtype(frame.iloc[:, i]) for i in range(frame.shape[1])]
    digits = [decimals(table, column) if number else 0 for number, column in zip(numeric, frame.columns, strict=True)]
    kinds = [' class="number"' if number else "" for number in numeric]
    head = "".join(_heading(kind, heading(column, table)) for kind, column in zip(kinds, frame.columns, strict=True))
    body = []
    for row in in_words(table).head(_MOST_SHOWN).itertuples(index=False, name=None):
        cells = zip(kinds, row, digits, strict=True)
        body.append("<tr>" + "".join(f"<td{kind}>{_cell(cell, places)}</td>" for kind, cell, places in cells) + "</tr>")
    about = to_html(table.about)
    if len(frame) > _MOST_SHOWN:
        about += f" The first {_MOST_SHOWN} of {len(frame):,} rows."
    if len(csv) <= MOST_CSV:
        packed = base64.b64encode(csv).decode()
        file = escape(f"{page}-{name}.csv".lower().replace(" ", "-"))
        about += f' <a download="{file}" href="data:text/csv;base64,{packed}">CSV</a>'
    return (
        f'<details{" open" if is_open else ""}><summary>{escape(name)}</summary><p class="note">{about}</p>'
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div></details>"
    )


def _heading(kind: str, column_heading: Heading) -> str:
    title = f' title="{escape(column_heading.help)}"' if column_heading.help else ""
    return f"<th{kind}{title}>{escape(column_heading.words)}</th>"


def _cell(cell: object, digits: int) -> str:
    if isinstance(cell, float):
        return "" if cell != cell else rounded(cell, digits)
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:,}"
    return "" if cell is None or cell is pd.NA else escape(str(cell))


def _settings(one: ViewContent) -> str:
    data = {key.capitalize(): str(text) for key, text in origin(one).items()}
    pairs = {**data, **settings(one), "Link": one.view.to_url()}
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in pairs.items())
    return f"<details><summary>Data and settings</summary><dl>{rows}</dl></details>"


def to_html(text: str) -> str:
    """A sentence of irviz as HTML: what stands between backticks as code, everything escaped.

    >>> to_html("By `<b>` & more")
    'By <code>&lt;b&gt;</code> &amp; more'
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(f"<code>{escape(part)}</code>" if i % 2 else escape(part) for i, part in enumerate(parts))


# -- A report: views with everything they show, in one file that needs neither server nor network --
#
# The page holds plotly once, every figure as data, and every table; a content security
# policy lets nothing in it run but its own two scripts, by their digests, and fetches
# nothing.  Names from files are escaped wherever they stand.

DRAW = """
for (const place of document.querySelectorAll(".figure")) {
  const drawn = JSON.parse(document.getElementById(place.id + "-data").textContent);
  Plotly.newPlot(place, drawn.data, drawn.layout, {responsive: true, displaylogo: false,
    toImageButtonOptions: {format: "svg", filename: place.dataset.name}});
}
"""
_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 "Source Sans 3", "Helvetica Neue", Arial, sans-serif; color: #1B1F24; background: #FFFFFF;
  max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; }
h2 { font-size: 1.35rem; border-top: 1px solid #D9DEE3; padding-top: 1.2rem; margin-top: 2.4rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 0.3rem; } code { background: #F1F3F5; border-radius: 3px; padding: 0 0.25em; }
.sentence { font-size: 1.1rem; } .against { background: #E8F1F8; border-radius: 4px; padding: 0.5rem 0.8rem; }
.note { color: #4A525A; font-size: 0.92rem; } .complaint { color: #8A3B00; }
pre { white-space: pre-wrap; background: #F1F3F5; padding: 0.5rem 0.7rem; font-size: 0.85rem; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; } .row > figure { flex: 1 1 26rem; min-width: 0; margin: 0; }
.scroll { overflow: auto; max-height: 32rem; } table { border-collapse: collapse; font-size: 0.88rem; }
th, td { padding: 0.15rem 0.6rem; border-bottom: 1px solid #E6EAEE; text-align: left; white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
thead th { position: sticky; top: 0; background: #FFFFFF; } dt { font-weight: 600; } dl { margin: 0.4rem 0; }
dd { margin: 0 0 0.3rem 0; overflow-wrap: anywhere; } summary { cursor: pointer; }
.updatemenu-container { display: none; }
a { color: #005A94; } nav ol { margin: 0.3rem 0; }
.menu ul { display: inline; padding: 0; } .menu li { display: inline; margin-left: 1rem; }
.menu [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
"""


def report(view_contents: Sequence[ViewContent], title: str = "irviz report", note: str = "") -> str:
    """An HTML page with what the views show, and plotly; `title` and `note` are plain text."""
    parts = [section(place, view) for place, view in enumerate(view_contents, start=1)]
    contents = "".join(
        f'<li><a href="#view-{place}">{escape(view.page.title)}</a>: {escape(view.context.dataset.title)}</li>'
        for place, view in enumerate(view_contents, start=1)
    )
    body = "".join(
        (
            f"<h1>{escape(title)}</h1>",
            f"<p>{escape(note)}</p>",
            f'<p class="note">{escape(date_and_versions())}</p>',
            f"<nav><ol>{contents}</ol></nav>",
            *parts,
            f"<script>{get_plotlyjs()}</script><script>{DRAW}</script>",
        )
    )
    return document(title, body, _own_scripts())


def date_and_versions() -> str:
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    names = ", ".join(f"{name} {number}" for name, number in versions().items())
    return f"Made {now} with {names}."


def document(title: str, body: str, scripts: str) -> str:
    """A page that fetches nothing and runs only `scripts`, sources of a content security policy."""
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    return "".join(
        (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{_STYLE}{FACTS_CSS}</style></head><body>{body}</body></html>\n",
        )
    )


@cache
def _own_scripts() -> str:
    return f"{script_digest(get_plotlyjs())} {script_digest(DRAW)}"
