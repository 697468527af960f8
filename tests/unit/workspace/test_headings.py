"""What stands above the columns of tables."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from irviz.menu import PAGES
from irviz.publish.draw import draw
from irviz.publish.export import to_csv
from irviz.publish.report import folded_table
from irviz.stats.consistency import EpsilonSweep
from irviz.workspace.averages import ARITHMETIC, best_eps
from irviz.workspace.data import library, opened_bundled
from irviz.workspace.glossary import Heading, heading, in_words
from irviz.workspace.panel import Table, decimals
from irviz.workspace.view import View
from tests.panels import check_headings, context_of, panel_of


@pytest.mark.parametrize("page", ["conclusion", "topics", "judges"])
def test_tables_of_folds_have_headings(page):
    """Those of the pages themselves are looked at with their sentences, in `check_grammar`."""
    panel = panel_of(context_of(opened_bundled("adhoc")), page)
    found = {name: make() for name, make in panel.folds.items()}
    assert any(part.tables for part in found.values())
    for name, part in found.items():
        check_headings(part, f"{page}, {name}")


def test_a_name_of_the_data_stays_as_it_is():
    """A system may be called like a column of irviz; its heading is its name."""
    frame = pd.DataFrame({"topic": ["1"], "tau": [0.5], "kappa": [0.5]})
    table = Table(frame, "One row per topic.", names=("tau", "kappa"))
    assert [heading(column, table).words for column in frame] == ["Topic", "tau", "kappa"]
    assert [heading(column).words for column in frame] == ["Topic", "τ", "Cohen's κ"]


def test_a_report_shows_headings_and_its_csv_has_the_columns_of_the_api():
    table = Table(pd.DataFrame({"measure": ["AP"], "tau_ap": [0.25], "<b>": [np.nan]}), "Judges.", names=("<b>",))
    drawn = folded_table("judges", "Judges", table)
    assert re.findall(r"<th(?: [^>]*)?>(.*?)</th>", drawn) == ["Measure", "τ_AP", "&lt;b&gt;"]
    assert 'title="A rank correlation like' in drawn
    assert to_csv(table.frame).startswith(b"measure,tau_ap,<b>\n")


def test_options_are_read_as_words_and_downloaded_as_they_are():
    frame = pd.DataFrame({"test": ["t", "wilcoxon"], "unjudged": ["condensed", "not_relevant"], "not_relevant": [1, 2]})
    table = Table(frame, "Worlds.", names=("not_relevant",))
    assert in_words(table)["test"].tolist() == ["t", "Wilcoxon"]
    assert in_words(table)["unjudged"].tolist() == ["condensed", "not relevant"]
    assert table.frame is frame and to_csv(frame).startswith(b"test,unjudged,not_relevant\nt,condensed,1\n")
    named = Table(frame, "Systems.", names=tuple(frame))
    assert in_words(named).equals(frame)


def test_ranks_are_whole_numbers_and_means_of_ranks_are_not():
    ranks, others = [1.0, np.nan, 3.0], {"mean rank": [1.0, 2.5, 3.0], "score": [1.0, 0.0, 1.0]}
    table = Table(pd.DataFrame({"rank": ranks, **others, "topics": [37.0, np.inf, 41.0]}), "Numbers.", 4)
    assert [decimals(table, name) for name in table.frame] == [0, 4, 4, 0]


def test_measures_are_read_by_their_labels_and_downloaded_by_their_expressions():
    long = "CWLA(C=RBP(p=0.8),A=ERG)@10"
    frame = pd.DataFrame({"measure": ["AP", long], "system": ["AP", "s"], "AP": [1.0, 0.5], long: [0.5, 1.0]})
    table = Table(frame, "Pairs.", names=("AP", long))
    assert in_words(table)["measure"].tolist() == ["AP", "RBP(.8) · ERG@10"]
    assert heading(long, table) == Heading("RBP(.8) · ERG@10", long)
    assert table.frame is frame and long in to_csv(frame).decode()


# What is said of averages.


def test_where_the_arithmetic_mean_ties_all_systems_no_gain_is_said():
    mean = np.array([[0.2, 0.4], [0.2, 0.4], [np.nan, 0.4], [np.nan, np.nan], [0.2, 0.1]])
    reference = np.array([0.1, np.nan, np.nan, np.nan, 0.3])
    sweep = EpsilonSweep(tuple("abcde"), np.array([0.01, 1.0]), mean, reference, "geometric", "tau")
    assert best_eps(sweep) == ["ε = 1 (+0.300)", "ε = 1", "ε = 1", ARITHMETIC, ARITHMETIC]


# Where a collection has several aspects, a note says which one the numbers are of.


OPENER = library()
#: the pages whose numbers are of one aspect, among them one that chooses its measures itself
OTHERS = ("conclusion", "judges", "users")  #: have several, or need judges or sessions
MEASURED = [page.name for page in PAGES if "measures" in page.uses and not page.lab and page.name not in OTHERS]
MEASURED.append("cwla")
FEW = {"trials": "100", "topics": "1,2,3,4,5,6", "measures": "AP,P@5"}


def panel(name: str, **texts: str):
    few = {key: text for key, text in FEW.items() if key != "trials" or name in ("consistency", "discriminative")}
    return draw(View.from_texts(name, **{"collection": "multiaspect", **few, **texts}), OPENER).panel


def aspects_named(notes):
    return [re.findall(r"\w+", note)[-1] for note in notes if note.startswith("Measures without an aspect")]


@pytest.mark.parametrize("name", MEASURED)
def test_a_note_names_the_aspect(name):
    assert aspects_named(panel(name).notes) == ["relevance"]


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
