"""Without a browser: the start page, what an address at the door means, labs without the sidebar."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from irviz.menu import LABS
from irviz.workspace import data as started
from irviz.workspace.data import COLLECTION, library
from tests.app.driving import MAIN, assert_sound, figures, open_page, warnings


def at_the_door(**link: str):
    """The dashboard without a page, with nothing but `link` in its address."""
    at = AppTest.from_file(str(MAIN), default_timeout=60)
    for name, text in link.items():
        at.query_params[name] = text
    return at.run()


def keys(at, kind: str) -> list[str]:
    return [str(one.key) for one in at.get(kind)]


def test_who_comes_without_a_link_sees_the_start_page():
    at = at_the_door()
    assert_sound(at)
    assert at.header[0].value == "irviz" and not warnings(at)
    assert keys(at, "button")[1:] == ["start.what_if", "start.collection", "start.labs"]
    (moving,) = figures(at)
    moments = {json.dumps(frame["data"]) for frame in moving["frames"]}
    assert len(moments) > 4, "phrases of the first lab move it"


@pytest.mark.parametrize(
    ("link", "title", "collection"),
    [
        ({"highlight": "p_f10_mdt53b"}, "What if", COLLECTION.default),
        ({"collection": "multiaspect"}, "What if", "multiaspect"),
    ],
)
def test_an_address_at_the_door_that_says_something_keeps_its_meaning(link, title, collection):
    at = at_the_door(**link)
    assert_sound(at)
    assert at.header[0].value == title
    assert at.selectbox(key="sidebar.collection").value == collection


def test_what_the_server_was_started_with_is_shown_at_once(monkeypatch):
    opened = library()("multiaspect", "trec_eval")
    monkeypatch.setattr(started, "START_DATA", {opened.key: opened})
    monkeypatch.setattr("irviz.ui.navigation.START_DATA", started.START_DATA)
    at = at_the_door()
    assert at.header[0].value == "What if"
    assert at.selectbox(key="sidebar.collection").value == opened.key


@pytest.mark.parametrize("page", LABS, ids=lambda page: page.name)
def test_a_lab_has_no_sidebar(page):
    alone = open_page(page.name)
    assert_sound(alone)
    assert "sidebar.collection" not in keys(alone, "selectbox")


def test_a_lab_does_not_miss_data_that_it_does_not_look_at():
    at = open_page("lab_scales", collection="mine~40x50~0123456789abcdef")
    assert not warnings(at) and figures(at)
    assert "not loaded here" in warnings(open_page("scores", collection="mine~40x50~0123456789abcdef"))[0]


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("start.what_if", "What if"),
        ("start.collection", "Collection"),
        ("start.labs", "Learn"),
    ],
)
def test_each_way_in_leads_somewhere(key, title):
    at = at_the_door()
    at.button(key=key).click().run()
    assert_sound(at)
    assert at.header[0].value == title and not warnings(at)
    box = [one.proto.expanded for one in at.expander if one.label == "Open your own data"]
    assert box == ([True] if title == "Collection" else [])
