"""Controls read what they wrote, and refuse the rest in a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviz.measures.browsing import BPMModel
from irviz.measures.language.parameters import Integer, Parameter, Real
from irviz.workspace.control import (
    Choice,
    Flag,
    Measures,
    Names,
    Number,
    Text,
    control_of,
    join_names,
    split_expressions,
    split_names,
)
from tests.refusals import refused

SHOW = Choice(name="show", label="Figure", options=(("ranking", "Ranking"), ("box", "Boxes")), default="ranking")
DEPTH = Number(name="depth", label="Depth", low=1, high=200, whole=True)
TOPICS = Names(name="topics", label="Topics", options=("1", "2", "a,b", "c\\"))
MEASURES = Measures(name="measures", label="Measures")


@pytest.mark.parametrize(
    ("control", "text", "value"),
    [
        (SHOW, "box", "box"),
        (DEPTH, "10", 10),
        (Number(name="p", label="p"), "0.35", 0.35),
        (Flag(name="zero", label=""), "1", True),
        (Flag(name="zero", label=""), "0", False),
        (Choice(name="m", label="", measure=True, options=(("RBP(p=0.8)", "my RBP"),)), "RBP( p=0.80 )", "RBP(p=0.8)"),
        (TOPICS, "a\\,b,1", ("1", "a,b")),
        (TOPICS, "", ()),
        (MEASURES, "AP, RBP( p=0.80 ),AP", ("AP", "RBP(p=0.8)")),
        (Measures(name="m", label="", imported_names=("my,own",)), "my\\,own", ("my,own",)),
        (Text(name="title", label=""), "x=1&y", "x=1&y"),
    ],
)
def test_reads_a_text_and_writes_it_back(control, text, value):
    assert control.parse(text) == value
    assert control.parse(control.format(value)) == value


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (SHOW, "pie"),
        (SHOW, "x" * 20_001),
        *((DEPTH, text) for text in ("many", "1e9", "nan", "2.5")),
        (Flag(name="zero", label=""), "yes"),
        (TOPICS, "1,9,8"),
        (MEASURES, " , "),
        (MEASURES, ",".join(f"P@{k}" for k in range(1, 102))),
        (Text(name="title", label="", most=3), "abcd"),
        (Measures(name="m", label="", imported_names=("A", "B")), "C"),
    ],
)
def test_what_is_refused(control, text):
    refused(lambda: control.parse(text))


def test_a_whole_parameter_is_typed_and_takes_what_its_declaration_takes():
    declared = [
        (BPMModel, "K", Parameter(Integer(low=2), "Documents.")),
        (BPMModel, "K", Parameter(Integer(high=30), "")),
    ]
    one = control_of(declared, name="K", label="K")
    assert (one.low, one.high, one.default, one.whole, one.slider) == (2, 30, 10, True, False)
    assert control_of(declared, name="K", label="K", slider=True).slider
    assert control_of([(BPMModel, "T", Parameter(Real(low=0, high=2), ""))], name="T", label="T").slider
    alone = control_of([(BPMModel, "K", Parameter(Integer(), ""))], name="K", label="K")
    assert alone.parse(alone.format(alone.high)) == Integer().high
    for text in ("1e12", "inf"):
        refused(lambda text=text: alone.parse(text))


def test_a_refused_list_keeps_what_is_sound():
    assert TOPICS.rescue("1,9") == ("1",)
    assert MEASURES.rescue("AP,nope,P@5") == ("AP", "P@5")
    assert MEASURES.rescue("nope") == MEASURES.default
    assert SHOW.rescue("pie") == "ranking"


def test_a_choice_without_its_default_falls_to_the_first_option():
    offered = Choice(name="m", label="", from_context=lambda context: {"options": ((context, context),)})
    assert offered.fit("AP").default == "AP"


@given(st.lists(st.text(max_size=8), max_size=5).filter(lambda names: names != [""]))
def test_any_names_survive_a_link(names):
    assert split_names(join_names(names)) == names


@given(st.text(max_size=60))
def test_splitting_any_text_is_no_error(text):
    assert all(part.strip() == part and part for part in split_expressions(text))
