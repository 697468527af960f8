"""What stands above the columns of tables."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from irviz.publish.export import to_csv
from irviz.publish.report import folded_table
from irviz.workspace.data import opened_bundled
from irviz.workspace.glossary import HEADINGS, heading, in_words
from irviz.workspace.panel import Table
from tests.panels import check_headings, context_of, panel_of

SMALL = ("g", "p-value", "trec_eval", "ε", "κ", "α", "ρ", "τ")  #: names that are written so


@pytest.mark.parametrize("page", ["conclusion", "topics", "judges"])
def test_tables_of_folds_have_headings(page):
    """Those of the pages themselves are looked at with their sentences, in `check_grammar`."""
    panel = panel_of(context_of(opened_bundled("adhoc", "trec_eval")), page)
    found = {name: make() for name, make in panel.folds.items()}
    assert any(part.tables for part in found.values())
    for name, part in found.items():
        check_headings(part, f"{page}, {name}")


def test_headings_are_words_and_no_keys():
    for column, found in HEADINGS.items():
        assert not found.words[0].islower() or found.words.startswith(SMALL), column
        assert "_" not in found.words or found.words.startswith(("τ_AP", "trec_eval")), column
        assert not found.help or found.help.endswith("."), column


def test_a_name_of_the_data_stays_as_it_is():
    """A system may be called like a column of irviz; its heading is its name."""
    frame = pd.DataFrame({"topic": ["1"], "tau": [0.5], "kappa": [0.5]})
    table = Table(frame, "One row per topic.", names=("tau", "kappa"))
    assert [heading(column, table).words for column in frame] == ["Topic", "tau", "kappa"]
    assert [heading(column).words for column in frame] == ["Topic", "τ", "Cohen's κ"]


def test_columns_made_of_others_say_what_they_are_made_of():
    assert heading("tau_ap change").words == "τ_AP, change"
    assert heading("rank, trec_eval GM").words == "Rank by trec_eval's geometric mean"
    assert heading("not relevant (0)").words == "Not relevant (0)"
    assert heading("0.5").words == "Grade 0.5"


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


def test_a_report_shows_ranks_as_whole_numbers():
    frame = pd.DataFrame({"rank": [1.0, 2.0], "score": [1.0, 0.0]})
    cells = re.findall(r"<td[^>]*>(.*?)</td>", folded_table("scores", "Systems", Table(frame, "Systems.")))
    assert cells == ["1", "1.0000", "2", "0.0000"]


def test_sentences_in_a_cell_have_no_marks():
    frame = pd.DataFrame({"sentence": ["With AP, `a` is ahead of `b`."], "decided_by": ["judge"]})
    shown = in_words(Table(frame, "Flips."))
    assert shown.iloc[0].tolist() == ["With AP, a is ahead of b.", "judge or aspect"]
