"""A report: views with everything they show, in one file that needs neither server nor network.

The page holds plotly once, every figure as data, and every table; a content security
policy lets nothing in it run but its own two scripts, by their digests, and fetches
nothing.  Names from files are escaped wherever they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape

from plotly.offline import get_plotlyjs

from irviz.reports.draw import Shown
from irviz.reports.html_parts import section
from irviz.reports.policy import script_digest
from irviz.reports.provenance import versions

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
.numbers { display: flex; flex-wrap: wrap; gap: 1.5rem; }
a { color: #005A94; } nav ol { margin: 0.3rem 0; }
.menu ul { display: inline; padding: 0; } .menu li { display: inline; margin-left: 1rem; }
.menu [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
"""


def report(shown: Sequence[Shown], title: str = "irviz report", note: str = "") -> str:
    """A whole HTML page with what the views show.

    Parameters
    ----------
    shown : from :func:`irviz.reports.draw.draw`
    title, note : str
        Plain text.

    Returns
    -------
    str
        One file; plotly is in it once.
    """
    parts = [section(place, one) for place, one in enumerate(shown, start=1)]
    contents = "".join(
        f'<li><a href="#view-{place}">{escape(one.page.title)}</a>: {escape(one.context.opened.title)}</li>'
        for place, one in enumerate(shown, start=1)
    )
    body = "".join(
        (
            f"<h1>{escape(title)}</h1>",
            f"<p>{escape(note)}</p>" if note else "",
            f'<p class="note">{escape(made())}</p>',
            f"<nav><ol>{contents}</ol></nav>",
            *parts,
            f"<script>{get_plotlyjs()}</script><script>{DRAW}</script>",
        )
    )
    return document(title, body, _own_scripts())


def made() -> str:
    """When, and by what."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    names = ", ".join(f"{name} {number}" for name, number in versions().items())
    return f"Made {now} with {names}."


def document(title: str, body: str, scripts: str) -> str:
    """A page of its own: nothing is fetched, and only `scripts`, sources of a content security policy, run."""
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    return "".join(
        (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>{body}</body></html>\n",
        )
    )


@cache
def _own_scripts() -> str:
    return f"{script_digest(get_plotlyjs())} {script_digest(DRAW)}"
