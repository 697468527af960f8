"""What stands above the columns of tables."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from irviz.publish.draw import draw
from irviz.publish.export import to_csv
from irviz.workspace.data import library
from irviz.workspace.glossary import Heading, heading, in_words
from irviz.workspace.panel import Table
from irviz.workspace.view import View


def test_a_name_of_the_data_stays_as_it_is():
    """A system may be called like a column of irviz; its heading is its name."""
    frame = pd.DataFrame({"topic": ["1"], "tau": [0.5], "kappa": [0.5]})
    table = Table(frame, "One row per topic.", names=("tau", "kappa"))
    assert [heading(column, table).words for column in frame] == ["Topic", "tau", "kappa"]
    assert [heading(column).words for column in frame] == ["Topic", "τ", "Cohen's κ"]


def test_measures_are_read_by_their_labels_and_downloaded_by_their_expressions():
    long = "CWLA(C=RBP(p=0.8),A=ERG)@10"
    frame = pd.DataFrame({"measure": ["AP", long], "system": ["AP", "s"], "AP": [1.0, 0.5], long: [0.5, 1.0]})
    table = Table(frame, "Pairs.", names=("AP", long))
    assert in_words(table)["measure"].tolist() == ["AP", "RBP(.8) · ERG@10"]
    assert heading(long, table) == Heading("RBP(.8) · ERG@10", long)
    assert table.frame is frame and long in to_csv(frame).decode()


# Where a collection has several aspects, a note says which one the numbers are of.


OPENER = library()
FEW = {"trials": "100", "topics": "1,2,3,4,5,6", "measures": "AP,P@5"}


def panel(name: str, **texts: str):
    few = {key: text for key, text in FEW.items() if key != "trials" or name in ("consistency", "discriminative")}
    return draw(View.from_texts(name, **{"collection": "multiaspect", **few, **texts}), OPENER).panel


def aspects_named(notes):
    return [re.findall(r"\w+", note)[-1] for note in notes if note.startswith("Measures without an aspect")]


def test_measures_of_all_aspects_and_of_a_named_one_need_no_note():
    several, named = "CAM(AP,p=[0.5,0.3,0.2])", "AP(aspect='credibility')"
    for name in (several, named):
        assert not aspects_named(panel("scores", measures=name).notes)
    assert aspects_named(panel("similarity", measures=f"AP,{several}").notes) == ["relevance"]


@pytest.mark.parametrize(
    ("judges", "aspects"), [("", []), ("credibility", ["credibility"]), ("relevance,credibility", [])]
)
def test_worlds_of_several_aspects_are_not_said_to_be_of_one(judges, aspects):
    found = panel("conclusion", trials="100", tests="t", sets="all", **({"judges": judges} if judges else {}))
    assert aspects_named(found.notes) == aspects
