"""A view survives a link and JSON; a link's mistakes are named, one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviz.workspace.control import Choice, Names, Number
from irviz.workspace.view import View, known_keys, settle
from tests.panels import texts_of

CONTROLS = (
    Choice(name="show", label="", options=(("ranking", ""), ("box", "")), default="ranking"),
    Number(name="depth", label="", low=1, high=200, whole=True, default=200),
    Names(name="topics", label="", from_context=lambda topics: {"options": topics}),
)
KEYS = st.text(min_size=1, max_size=10).filter(lambda key: key not in ("v", "embed", "embed_options"))
VIEWS = st.builds(
    lambda page, values: View(page, tuple(values.items())),
    st.from_regex(r"[a-z-]{1,12}", fullmatch=True),
    st.dictionaries(KEYS, st.text(max_size=30), max_size=6),
)


@given(VIEWS)
def test_a_view_survives_its_link_and_json(view):
    assert View.from_url("http://127.0.0.1:8501" + view.to_url()) == view


def test_unknown_keys_are_named():
    texts, complaints = known_keys({"v": "8", "show": "box", "shwo": "x"}, CONTROLS)
    assert texts == {"show": "box"}
    assert [one.key for one in complaints] == ["shwo"]


def test_what_cannot_be_used_is_named_and_replaced():
    values, complaints = settle(CONTROLS, {"show": "pie", "depth": "0", "topics": "2,9"}, ("1", "2"))
    assert values == {"show": "ranking", "depth": 200, "topics": ("2",)}
    assert [one.key for one in complaints] == ["show", "depth", "topics"]


def test_defaults_stay_out_of_a_link():
    values = {"show": "ranking", "depth": 10, "topics": ()}
    assert texts_of(CONTROLS, values, ("1", "2")) == {"depth": "10"}


@given(st.dictionaries(st.sampled_from(["show", "depth", "topics"]), st.text(max_size=40)))
def test_any_text_settles_inside_the_domain(texts):
    values, complaints = settle(CONTROLS, texts, ("1", "2"))
    assert values["show"] in ("ranking", "box") and 1 <= values["depth"] <= 200 and set(values["topics"]) <= {"1", "2"}
    assert {one.key for one in complaints} <= set(texts)
    assert texts_of(CONTROLS, settle(CONTROLS, texts_of(CONTROLS, values, ("1", "2")), ("1", "2"))[0], ("1", "2")) == (
        texts_of(CONTROLS, values, ("1", "2"))
    )


def test_a_link_that_is_no_text_is_read_as_text():
    view = View.from_url("/scores?show=b\udcffx")
    assert view.values == {"show": "b?x"}
    assert View.from_url(view.to_url()) == view
