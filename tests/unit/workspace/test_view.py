"""A view survives a link and JSON; a link's mistakes are named, one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviz.errors import IrvizError
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
    assert View.from_url("http://127.0.0.1:8501" + view.to_url()) == view == View.from_json(view.to_json())


def test_a_link_reads_as_a_person_would_write_it():
    view = View.from_texts("scores", measures="AP,RBP(p=0.8)@10", topics="401,402")
    assert view.to_url() == "/scores?v=8&measures=AP,RBP(p=0.8)@10&topics=401,402"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "This saved view does not name its page."),
        ('{"page": "scores", "schema": 8, "values": {"a": 1}}', "The values of this saved view are not texts by name."),
        (
            '{"page": "scores", "schema": 7}',
            "This link is of version `7`; this irviz reads links of version 8. None of its settings are used.",
        ),
    ],
)
def test_a_broken_saved_view_is_refused(text, message):
    with pytest.raises(IrvizError) as caught:
        View.from_json(text)
    assert str(caught.value) == message


def test_unknown_keys_are_named():
    texts, complaints = known_keys({"v": "8", "show": "box", "shwo": "x"}, CONTROLS)
    assert texts == {"show": "box"}
    assert [str(one) for one in complaints] == ["The link sets `shwo`, which this page does not know; it is left out."]


def test_many_unknown_keys_are_counted():
    _, complaints = known_keys({f"k{i}": "" for i in range(40)}, CONTROLS)
    assert len(complaints) == 11
    assert str(complaints[-1]) == "The link sets 30 more unknown things: `k10`, `k11`, `k12` … (30 in all)."


def test_what_cannot_be_used_is_named_and_replaced():
    values, complaints = settle(CONTROLS, {"show": "pie", "depth": "0", "topics": "2,9"}, ("1", "2"))
    assert values == {"show": "ranking", "depth": 200, "topics": ("2",)}
    assert [str(one) for one in complaints] == [
        "The link's `show` cannot be used: `pie` is none of ranking or box. `ranking` is used instead.",
        "The link's `depth` cannot be used: `0` is not between 1 and 200. `200` is used instead.",
        "The link's `topics` cannot be used: `9` is not here. `2` is used instead.",
    ]


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


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"page":' * 100_000,
        '{"page": "scores", "values": {"a": ' + "[" * 100_000,
        "{",
        "1",
        '{"page": 1}',
    ],
    ids=range(6),
)
def test_what_is_no_saved_view_is_refused_by_name(text):
    with pytest.raises(IrvizError, match="This saved view"):
        View.from_json(text)


@pytest.mark.parametrize("values", ['{"a": "\\ud800"}', '{"\\udc80": "a"}'])
def test_halves_of_characters_are_no_view(values):
    """They would be kept, and break whatever writes them."""
    with pytest.raises(IrvizError) as refused:
        View.from_json(f'{{"page": "scores", "values": {values}}}')
    assert (
        str(refused.value) == "This saved view contains halves of characters, which are not valid text. Save it again."
    )


def test_a_link_that_is_no_text_is_read_as_text():
    view = View.from_url("/scores?show=b\udcffx")
    assert view.values == {"show": "b?x"}
    assert View.from_url(view.to_url()) == view
