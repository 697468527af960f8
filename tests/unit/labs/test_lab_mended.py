"""What was wrong with the labs: an expression that opens on an error, axes in nano, numbers without a reason."""

from __future__ import annotations

import json

import pytest

from irviz.labs.browsing.model import READERS, made_measure, stopping, walk
from irviz.labs.scales.lab import CONTROLS as SCALES
from irviz.menu import LABS, page_named
from irviz.publish.draw import draw
from irviz.publish.report import report
from irviz.ui.widgets import stops
from irviz.workspace.data import library
from irviz.workspace.view import View, settle
from tests.panels import drawing_of, lab, numbers_in


@pytest.mark.parametrize("grades", ["2", "3", "4"])
def test_an_expression_of_your_own_opens_on_a_measure(grades):
    assert "RBP(p=0.3,gains='exp')" in lab("lab_scales", measure="own", grades=grades).panel.sentence
    old = View.from_url("/lab_scales?v=2&measure=own").values
    assert old["own"] == "RBP(p=0.3,gains=[0,1,3])", "as old links meant it"


def test_a_list_of_one_grade_says_why_it_falls_short():
    notes = lab("lab_browsing", grades="1,1,1,1,1,1,1,1,1,1").panel.notes
    note = notes[-1]
    assert numbers_in(note)[:4] == [3, 1, 1, 3], "grade 1 is worth 1/3"
    for other in (lab("lab_browsing"), lab("lab_browsing", grades="0,0")):
        assert note.partition(":")[0] not in " ".join(other.panel.notes)


def test_the_slider_of_p_reaches_one_third_and_steps_as_everywhere():
    p = next(one for one in SCALES if one.name == "p")
    found = stops(p, 0.5)
    assert 1 / 3 in found and {0.25, 0.3, 0.35, 0.5} <= set(found) and found == sorted(found)
    exact = lab("lab_scales", p=p.format(1 / 3), grades="3")
    assert drawing_of(exact.panel, "order").title == "A straight line: equal steps everywhere"


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("lab_aggregation", dict.fromkeys(("s1", "s2", "s3", "s4"), "0,0,0,0,0")),
        ("lab_browsing", {"grades": "0,0,0"}),
        ("lab_browsing", {"grades": "0,0,0", "c2": "ERR", "a2": "max"}),
        ("lab_conventions", {"list": "0,0,u", "missed": ""}),
        ("lab_graded_ap", {"grades": "0,0,0"}),
        ("lab_aspects", {"relevance": "0,0", "correctness": "0,0"}),
        ("lab_scales", {"measure": "AP", "depth": "2"}),
    ],
)
def test_nothing_but_zeros_gives_axes_that_can_be_read(name, texts):
    """A range of nano-scores has ticks such as 0.2n."""
    for row in lab(name, **texts).panel.drawings:
        for key, drawing in row.items():
            layout = json.loads(drawing.figure.to_json())["layout"]
            for axis, said in layout.items():
                if axis.startswith(("xaxis", "yaxis")) and "range" in said:
                    low, high = said["range"]
                    assert abs(high - low) > 1e-3, (key, axis, said["range"])


@pytest.mark.parametrize("one", LABS, ids=lambda one: one.name)
def test_a_report_asks_for_no_click(one):
    html = report([draw(View.of(one.name, step="free"), library())]).split("<script")[0]
    assert "click" not in html.lower()


@pytest.mark.parametrize("p", ["0.05", "0.35", "0.8", "0.95"])
def test_a_hundred_readers_are_a_hundred(p):
    values, _ = settle(page_named("lab_browsing").controls, {"p": p}, None)
    counts = stopping(walk(made_measure(values), values["grades"]))
    assert sum(counts) == READERS and all(count >= 0 for count in counts)
