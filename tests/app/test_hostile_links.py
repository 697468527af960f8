"""Whatever a link says, the page opens, and says by name what it could not use."""

from __future__ import annotations

from html.parser import HTMLParser

import plotly.graph_objects as go
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irviz.figures.motion import motion_control
from irviz.ui import handles, picture
from irviz.workspace.view import SCHEMA
from tests.app.driving import assert_sound, open_page, warnings

KNOWN = ("collection", "measures", "summary", "eps", "depth", "topics", "ties", "measure", "show", "systems", "v")
SIGNS = st.characters(exclude_categories=["Cs"])  #: all of Unicode; hypothesis takes seconds to find that by itself
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
    """Handles, the picture's button and the control of frames: the same tags and attributes as of harmless names."""

    def marks(name: str) -> set[str]:
        drawn = go.Figure(frames=[{}, {}], layout={"meta": {"said": [name, name]}})
        parser = Marks()
        parser.feed(handles.bars([name, name], {name: [1.0, 2.0]}, [1.0, 2.0], rising=False))
        parser.feed(handles.shares([name, name], {name: [0.5, 0.5]}))
        parser.feed(picture.menu(f"scores.{name}", name, name, name, go.Layout()))
        parser.feed(motion_control(drawn))
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


@pytest.mark.parametrize("text", [NASTY[0], NASTY[1], "", "../../etc/passwd", "a" * 5000])
def test_a_collection_that_nobody_has_is_named(text):
    at = open_page("scores", collection=text)
    assert_sound(at)
    assert any("collection" in one for one in warnings(at))


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        (
            {"depth": "0"},
            "The link's `depth` cannot be used: `0` is not between 1 and 200. `200` is used instead.",
        ),
        ({"topics": "401,999"}, "The link's `topics` cannot be used: `999` is not here. `401` is used instead."),
        (
            {"summary": "mode"},
            "The link's `summary` cannot be used: `mode` is none of mean, median, geometric, harmonic or "
            "geometric_threshold. `mean` is used instead.",
        ),
        ({"shwo": "box"}, "The link sets `shwo`, which this page does not know; it is left out."),
        (
            {"collection": "mine~40x50~0123456789abcdef"},
            "The link shows `mine`: 40 systems, 50 topics, fingerprint `0123456789abcdef`. It is not loaded here. "
            "Load its qrels (of several judges all, by the same names) and runs, or its .irviz file, on the Collection "
            "page, under any name; the link then opens automatically.",
        ),
        (
            {"collection": "nope"},
            "The link shows the collection `nope`, which is not here. Choose one in the sidebar.",
        ),
        (
            {"v": "99"},
            f"This link is of version `99`; this irviz reads links of version {SCHEMA}. None of its settings are used.",
        ),
    ],
)
def test_the_whole_complaint(link, complaint):
    assert warnings(open_page("scores", **link)) == [complaint]


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.one_of(
            st.sampled_from(KNOWN),
            st.text(SIGNS, min_size=1, max_size=12).filter(lambda key: not key.startswith("embed")),
        ),
        st.one_of(st.sampled_from(NASTY), st.text(SIGNS, max_size=40), st.floats().map(str)),
        max_size=5,
    )
)
def test_any_link_opens_a_page(link):
    assert_sound(open_page("scores", **link))
