"""Short names stand wherever an expression stood, mean nothing else, and are in the link."""

from __future__ import annotations

import json
import re

import pytest

from irviz.errors import IrvizError
from irviz.menu import page_named
from irviz.workspace.context import SIDEBAR_CONTROLS, Dataset
from irviz.workspace.control import ShortNames
from irviz.workspace.short_names import renamer
from irviz.workspace.view import settle
from tests.panels import context_of, opened_once

LONG = "CWLA(C=RBP(p=0.8),A=ERG)@10"
NAMES = f"patient=RBP(p=0.8),long user={LONG},ten=P@10"


@pytest.mark.parametrize(
    "page", ["what_if", "similarity", "discriminative", "consistency", "incomplete", "aggregation"]
)
def test_no_figure_table_or_sentence_has_the_expression_of_a_named_measure(page):
    context = context_of(
        Dataset("adhoc", "A", opened_once("adhoc")), measures=f"AP,P@10,RBP(p=0.8),{LONG}", names=NAMES
    )
    few = {name: text for name, text in (("trials", "50"), ("repeats", "1")) if name in _controls(page)}
    values, _ = settle(
        page_named(page).controls, few | ({"measure": LONG} if "measure" in _controls(page) else {}), context
    )
    panel = page_named(page).shown(context, values)
    drawn = [one for row in panel.drawings for one in row.values()]
    texts = [json.dumps([one.title, one.alt, one.figure.to_json()]) for one in drawn]
    texts += [panel.sentence, *(one.frame.to_csv() for one in panel.tables.values())]
    assert not re.search(r"RBP\(p|P@10|CWLA", " ".join(texts)) and "long user" in " ".join(texts)
    assert f"long user is `{LONG}`" in panel.notes[-1]
    assert context_of(context.opened, **{**context.texts, "collection": ""}).names == context.names


def _controls(page: str) -> set[str]:
    return {control.name for control in page_named(page).controls}


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("mean AP of a system", "mean map of a system"),
        ("AP correlation, CAP, AP@10, TOMA(AP,distance='euclidean'), A=AP", None),
        ("(AP), [AP] and AP.", "(map), [map] and map."),
    ],
)
def test_only_whole_expressions_are_renamed(text, renamed):
    assert renamer({"AP": "map"})(text) == (renamed or text)


@pytest.mark.parametrize(
    "text",
    ["nDCG@10=AP", "a=AP,a=P@10", "<b>=AP", "`x`=AP", "x" * 25 + "=AP", "patient", "a=nothing", "=AP", "![i]=AP"],
)
def test_a_name_that_says_something_else_is_refused(text):
    control = ShortNames(name="names", label="Short names")
    with pytest.raises(IrvizError):
        control.parse(text)
    assert control.parse("deep=nDCG( )@100") == (("nDCG@100", "deep"),)
    assert control.format(control.parse(NAMES)) == NAMES


def test_a_link_whose_names_are_refused_shows_expressions():
    values, complaints = settle(SIDEBAR_CONTROLS, {"names": "<b>=AP"}, Dataset("adhoc", "A", opened_once("adhoc")))
    assert values["names"] == () and [one.key for one in complaints] == ["names"]
