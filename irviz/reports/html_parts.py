"""A view as HTML: sentence, figures, tables, settings.  Every name is escaped."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from html import escape

import pandas as pd

from irviz.figures.theme import dress
from irviz.reports.draw import Shown
from irviz.reports.export import to_csv
from irviz.reports.provenance import origin, parts_of, settings
from irviz.workspace.panel import Drawing, Panel, Table, decimals
from irviz.workspace.words.glossary import legend_of
from irviz.workspace.words.headings import Heading, heading, in_words

_MOST_SHOWN = 300  #: of a table that are shown; its CSV holds all
MOST_CSV = 2_000_000  #: bytes of a table that travel with the report


def section(place: int, one: Shown) -> str:
    parts = parts_of(one)
    return "".join(
        (
            f'<section id="view-{place}"><h2>{place}. {escape(one.page.title)}</h2>',
            f'<p class="note">{escape(one.page.question)}</p>',
            *(f'<p class="complaint">{marked(str(complaint))}</p>' for complaint in one.complaints),
            "" if one.baseline is None else f'<p class="against">{marked(one.baseline.sentence)}</p>',
            *(_part(f"{place}-{n}", one.page.name, part) for n, part in enumerate(parts, start=1)),
            _against(place, one),
            _explained(parts),
            _settings(one),
            "</section>",
        )
    )


def _explained(parts: Sequence[Panel]) -> str:
    """The measures in full, and what the terms of the view mean."""
    key = legend_of(*parts)
    terms = "".join(f"<dt>{escape(term.word)}</dt><dd>{escape(term.meaning)}</dd>" for term in key.terms)
    names = f'<p class="note">{escape(key.sentence)}</p>' if key.names else ""
    return names + (f'<details class="terms"><summary>Terms</summary><dl>{terms}</dl></details>' if terms else "")


def _against(place: int, one: Shown) -> str:
    """Which systems moved since the baseline; its sentence stands above the page's own figures, as on the page."""
    if one.baseline is None or not one.baseline.drawings:
        return ""
    part = _part(f"{place}-baseline", f"{one.page.name}-baseline", replace(one.baseline, sentence=""))
    return f"<h3>Compared with the baseline</h3>{part}"


def _part(place: str, name: str, panel: Panel) -> str:
    """A panel; `name` starts the names of its files."""
    numbers = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in panel.key_numbers
    )
    rows = []
    for n, row in enumerate(panel.drawings, start=1):
        drawn = "".join(_figure(f"f{place}-{n}-{key}", f"{name}-{key}", it) for key, it in row.items())
        rows.append(f'<div class="row">{drawn}</div>')
    return "".join(
        (
            f'<p class="sentence">{marked(panel.sentence)}</p>' if panel.sentence else "",
            f'<dl class="numbers">{numbers}</dl>' if numbers else "",
            *rows,
            *(f'<p class="note">{marked(note)}</p>' for note in panel.notes),
            *(f"<h3>{escape(key)}</h3><pre>{escape(text)}</pre>" for key, text in panel.texts.items()),
            *(_table(name, key, table) for key, table in panel.tables.items()),
            *(
                _fold(f"{place}-fold{n}", name, key, make())
                for n, (key, make) in enumerate(panel.folds.items(), start=1)
            ),
        )
    )


def _fold(place: str, name: str, heading: str, panel: Panel) -> str:
    return f"<h3>{escape(heading)}</h3>{_part(place, name, panel)}"


def _figure(place: str, name: str, drawing: Drawing) -> str:
    place = escape(place.replace(" ", "-"))
    data = dress(drawing.figure, dark=False).to_json().replace("<", "\\u003c")  # nothing in it ends the script
    return (
        f"<figure><h3>{marked(drawing.title)}</h3>"
        f'<div class="figure" id="{place}" data-name="irviz-{escape(name)}" role="img" '
        f'aria-label="{escape(drawing.alt.replace("`", ""))}"></div>'
        f'<script type="application/json" id="{place}-data">{data}</script></figure>'
    )


def _table(page: str, name: str, table: Table) -> str:
    frame, csv = table.frame, to_csv(table.frame)
    numeric = [pd.api.types.is_numeric_dtype(frame.iloc[:, i]) for i in range(frame.shape[1])]
    digits = [decimals(table, column) if number else 0 for number, column in zip(numeric, frame.columns, strict=True)]
    kinds = [' class="number"' if number else "" for number in numeric]
    head = "".join(_heading(kind, heading(column, table)) for kind, column in zip(kinds, frame.columns, strict=True))
    body = []
    for row in in_words(table).head(_MOST_SHOWN).itertuples(index=False, name=None):
        cells = zip(kinds, row, digits, strict=True)
        body.append("<tr>" + "".join(f"<td{kind}>{_cell(cell, places)}</td>" for kind, cell, places in cells) + "</tr>")
    about = marked(table.about)
    if len(frame) > _MOST_SHOWN:
        about += f" The first {_MOST_SHOWN} of {len(frame):,} rows."
    if len(csv) <= MOST_CSV:
        packed = base64.b64encode(csv).decode()
        file = escape(f"{page}-{name}.csv".lower().replace(" ", "-"))
        about += f' <a download="{file}" href="data:text/csv;base64,{packed}">CSV</a>'
    return (
        f'<details><summary>{escape(name)}</summary><p class="note">{about}</p>'
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div></details>"
    )


def _heading(kind: str, above: Heading) -> str:
    title = f' title="{escape(above.help)}"' if above.help else ""
    return f"<th{kind}{title}>{escape(above.words)}</th>"


def _cell(cell: object, digits: int) -> str:
    if isinstance(cell, float):
        return "" if cell != cell else f"{cell:.{digits}f}"
    return "" if cell is None or cell is pd.NA else escape(str(cell))


def _settings(one: Shown) -> str:
    data = {key.capitalize(): str(text) for key, text in origin(one).items()}
    pairs = {**data, **settings(one), "Link": one.view.to_url()}
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in pairs.items())
    return f"<details><summary>Data and settings</summary><dl>{rows}</dl></details>"


def marked(text: str) -> str:
    """A sentence of irviz as HTML: what stands between backticks as code, everything escaped.

    >>> marked("By `<b>` & more")
    'By <code>&lt;b&gt;</code> &amp; more'
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(f"<code>{escape(part)}</code>" if i % 2 else escape(part) for i, part in enumerate(parts))
