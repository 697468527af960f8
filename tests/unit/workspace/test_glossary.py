"""One glossary explains the terms of a page, and names its measures in full once."""

from __future__ import annotations

from irviz.measures.catalogue import measures
from irviz.publish.draw import draw
from irviz.publish.report import report
from irviz.workspace.context import Dataset
from irviz.workspace.data import library
from irviz.workspace.glossary import legend_of
from irviz.workspace.panel import Panel
from irviz.workspace.view import View
from tests.panels import context_of, drawn, opened_once


def test_every_measure_has_a_name_in_full():
    for name in measures():
        if name not in ("INST", "CWLA"):
            written = f"{name}@10" if len(name) == 1 else name
            (found,) = legend_of(Panel(f"By `{written}` all systems tie.")).names
            assert found[0] == name and len(found[1]) > len(name)


def test_names_within_words_and_expressions_are_told_apart():
    assert legend_of(Panel("A map of Paris, RAP and xAPx; R2D2 and P < 0.1.")).names == ()
    assert [symbol for symbol, _ in legend_of(Panel("`P@10` and P(rel=2), not P; nDCG, not DCG")).names] == [
        "DCG",
        "nDCG",
        "P",
    ]


def test_pages_name_their_measures_once_each():
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")))
    key = legend_of(drawn(context, "similarity"))
    assert [symbol for symbol, _ in key.names] == ["AP", "Bpref", "ERR", "nDCG", "P", "RBP"]
    assert "τ" in {term.word for term in key.terms}
    assert key.sentence.startswith("Measures: AP (average precision), Bpref (binary preference), ")


def test_a_report_explains_what_it_names():
    text = report([draw(View.from_texts("similarity"), library())])
    assert "nDCG (normalised discounted cumulated gain)" in text and "<dt>τ</dt>" in text


def test_a_gain_in_consistency_is_not_the_gain_of_a_document():
    assert legend_of(Panel("3 pairs gain significance; the gain in consistency is 0.1.")).terms == ()
    assert [term.word for term in legend_of(Panel("Its gain is 2/3.")).terms] == ["gain"]
