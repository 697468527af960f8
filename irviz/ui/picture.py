"""The *Figure* button beside a figure: SVG, PNG and PDF for a paper, and its caption.

All is made in the visitor's browser, by the plotly that drew the figure; no server needs a browser for it.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from html import escape

import plotly.graph_objects as go

from irviz.figures.theme import CHOICE_MARK, LIGHT

WIDTHS = (3.3, 7)  #: inches: a column of a paper, and its page
PAGE = 9  #: inches that a figure on a page can be high
POINTS = 8  #: size of all type
DOTS = 300  #: pixels an inch of a PNG
_FORMS = ("SVG", "PNG", "PDF")


def menu(key: str, title: str, caption: str, layout: go.Layout) -> str:
    """The button of the figure `key`, and behind it downloads and caption, as HTML."""
    wide, inches = (layout.meta or {}).get("wide"), (layout.height or 0) / 96
    widths = WIDTHS[1:] if wide else WIDTHS
    long = f" It needs a width of {WIDTHS[1]} in." if wide else ""
    if not wide and inches > PAGE:
        long = (
            f" The picture is {PAGE} inches high, not {inches:.0f}: names without room are left out. Choose fewer "
            "systems in the sidebar to fit all names."
        )
    name, place = f"irviz-{key.replace('.', '-')}", "figure-" + re.sub(r"\W+", "-", key)
    buttons = "".join(
        f'<button type="button" data-form="{form}" data-inches="{width}" data-file="{escape(name)}" '
        f'aria-label="{form}, {width} inches wide">{form}</button>'
        for width in widths
        for form in _FORMS
    )
    return (
        f'<button type="button" class="irviz-figure-button" popovertarget="{place}" '
        f'aria-label="Figure for a paper: {escape(title)}">Figure</button>'
        f'<div popover id="{place}" class="irviz-figure-menu"><p>For a paper, with type of {POINTS} pt. '
        f"PDF opens the print dialogue, which saves it.{long}</p>"
        f"<div>{''.join(f'<span>{width} in</span>' for width in widths)}{buttons}</div>"
        '<p><b>Caption</b> <button type="button" data-copies aria-label="Copy the caption">Copy</button></p>'
        f'<p class="irviz-caption">{escape(caption)}</p></div>'
    )


def _density() -> str:
    """The chunk of a PNG that says how many of its pixels are an inch, as hexadecimal digits."""
    chunk = b"pHYs" + struct.pack(">IIB", *2 * (round(DOTS / 0.0254),), 1)
    return (struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk))).hex()


#: words of ``browser/pictures.js`` that stand for values
VALUES = {
    "LIGHT": json.dumps(LIGHT.to_plotly_json()),
    "POINTS": str(POINTS),
    "PAGE": str(PAGE),
    "DOTS": str(DOTS),
    "DENSITY": _density(),
    "CHOSEN": CHOICE_MARK,
}
