"""Whatever a link says, the page opens, and says by name what it could not use."""

from __future__ import annotations

from html.parser import HTMLParser

import plotly.graph_objects as go
import pytest

from irviz.ui import handles, picture
from tests.app.driving import assert_sound, open_page, warnings

NASTY = (
    "![i](http://x)",
    "<script>alert(1)</script>",
    "$\\alpha$",
    ":red[x]",
    "'; DROP TABLE",
    "%00",
    "\x00",
    "𝔘",
    "-1",
    "1e999",
    "nan",
    "",
    "AP(" * 50,
    "RBP(p=" + "9" * 400 + ")",
    "../../etc/passwd",
    "P@0",
    "P@-1",
    "P@1.5",
    "a" * 5000,
    "[[[[",
    "{0}",
    "CWLA(C=RBP(p=0.8),A=PE(beta=2))",
    "GAP(g=[0.5,0.6])",
    "TOMA(nDCG@10)",
    "AP,AP,AP",
    ",,,",
    "\\",
    "\\,",
)


class Marks(HTMLParser):
    """The tags and the attributes of pieces of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen |= {tag, *(name for name, _ in attrs)}


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '" onfocus="alert(1)" x="', "'><img src=x onerror=y>"])
def test_no_name_is_markup_where_html_is_let_through(text):
    """Handles and the picture's button: the same tags and attributes as of harmless names."""

    def marks(name: str) -> set[str]:
        parser = Marks()
        parser.feed(handles.bars([name, name], {name: [1.0, 2.0]}, [1.0, 2.0], False, "g"))
        parser.feed(handles.shares([name, name], {name: [0.5, 0.5]}, "g"))
        parser.feed(handles.plane([name, name], {name: [0.0, 1.0]}, [[0.0, 1.0]] * 2, "g"))
        parser.feed(picture.menu(f"scores.{name}", name, name, go.Layout()))
        return parser.seen

    assert marks(text) == marks("relevance")


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_are_named(text):
    """Three controls at once, each with a complaint of its own."""
    at = open_page("scores", collection="adhoc", measures=text, show=text, summary=text)
    assert_sound(at)
    said = warnings(at)
    assert any("`measures`" in one or "left out" in one for one in said) != (text in ("AP,AP,AP", "TOMA(nDCG@10)"))
    assert all(any(f"`{key}`" in one for one in said) for key in ("show", "summary"))
