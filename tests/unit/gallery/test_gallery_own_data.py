"""A paper's own collection is recognised by what identifies it, and only its numbers can come out as printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from irviz.collection.catalogue import open_collection
from irviz.collection.model import Collection
from irviz.gallery.comparison import agreement_counts, comparison_table
from irviz.gallery.page import _item
from irviz.gallery.paper import ITEMS, Evidence
from irviz.gallery.tables import mean_tolerance, recognise_collection, share_tolerance, table_of
from irviz.stats.scores import Scores
from irviz.workspace.context import Dataset
from tests.panels import context_of, opened_once

SCALES = ("table1", "table2", "table3", "table4")
T08 = ITEMS["scales.table2"].collections


@pytest.fixture(scope="module")
def trec8(collections) -> Collection:
    return open_collection(str(collections / "trec8-adhoc.irviz"))


@pytest.fixture
def like_trec8() -> Scores:
    """Score matrices with TREC-8's topics and as many systems."""
    topics = tuple(str(number) for number in range(401, 451))
    systems = tuple(f"s{i}" for i in range(129))
    return Scores(np.random.default_rng(0).random((1, 50, 129)), ("AP",), topics, systems)


def frame_of(context, name, *own):
    return comparison_table(ITEMS[name], table_of(Evidence(context), name), own)


def test_all_cells_of_trec8_come_out_again(trec8):
    """36 deterministic cells: τ within .0003, counts of pairs within 3 of 8,256."""
    context = context_of(Dataset("trec8", "TREC-8", trec8))
    cells = 0
    for table in SCALES:
        frame = frame_of(context, f"scales.{table}", "T08")
        mine = frame[frame["collection"] == "T08"]
        room = 3 / 82.56 + 0.005 if "test" in mine else 0.0003 + 0.00005
        assert mine["difference"].abs().max() <= room
        cells += len(mine)
        assert set(frame.loc[frame["collection"] == "T26", "mark"]) == {"– not here"}
    assert cells == 36


def test_the_papers_own_collection_is_counted_as_printed(trec8):
    context = context_of(Dataset("trec8", "TREC-8", trec8))
    assert recognise_collection(context, T08) == "T08"
    frame = frame_of(context, "scales.table1", "T08")
    known = {fact.label: (fact.value, fact.of) for fact in agreement_counts(frame, ("T08",))}
    assert known["= as printed"] == (8, 10)


def test_it_is_recognised_under_another_name_and_for_another_paper(trec8):
    context = context_of(Dataset("x", "X", replace(trec8, name="something else")))
    assert recognise_collection(context, ITEMS["means.table2"].collections) == "TREC8"
    assert recognise_collection(context, ITEMS["graded.table2"].collections) == ""


def test_other_judgments_or_systems_are_another_collection(trec8):
    none = replace(trec8, labels=np.where(trec8.labels > 0, 0, trec8.labels))
    assert recognise_collection(context_of(Dataset("x", "X", none)), T08) == ""
    fewer = trec8.subset(systems=trec8.systems[:128])
    assert recognise_collection(context_of(Dataset("x", "X", fewer)), T08) == ""


def test_a_part_of_it_cannot_repeat_the_numbers(trec8):
    context = context_of(Dataset("trec8", "TREC-8", trec8), depth="10")
    assert recognise_collection(context, T08) == ""
    frame = next(iter(_item(context, ITEMS["scales.table1"], 0).tables.values())).frame
    assert not {"= as printed", "≈ within chance"} & set(frame["mark"])


def test_score_matrices_are_recognised_by_topics_and_systems(like_trec8):
    context = context_of(Dataset("m", "Mine", imported_scores=like_trec8))
    assert recognise_collection(context, T08) == "T08"


def test_a_number_of_other_data_is_never_as_printed():
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")))
    (table,) = _item(context, ITEMS["scales.table1"], 0).tables.values()
    assert not {"= as printed", "≈ within chance"} & set(table.frame["mark"])
    assert {fact.of for fact in agreement_counts(table.frame, ())} == {len(table.frame), None}


def test_only_what_is_drawn_has_room_for_chance(like_trec8):
    context = context_of(Dataset("m", "Mine", imported_scores=like_trec8))
    found = table_of(Evidence(context, 50), "means.table3")
    random = {key for key in found.values if key[0] == "Random"}
    assert random < set(found.values) and set(found.tolerance) == random and min(found.tolerance.values()) > 0


def test_the_room_for_chance_shrinks_with_both_numbers_of_trials():
    """Against theory: two means of B and B' draws of standard deviation s differ by s·sqrt(1/B + 1/B')."""
    draws = np.random.default_rng(3).normal(0, 2.0, (1, 4000))
    expected = 2.5758 * np.std(draws, ddof=1) * np.sqrt(1 / 4000 + 1 / 1000)
    assert mean_tolerance(draws, 1000)[0] == pytest.approx(expected, rel=1e-12)
    assert mean_tolerance(draws[:, :100], 1000)[0] > mean_tolerance(draws, 1000)[0] > mean_tolerance(draws, 10_000)[0]
    assert mean_tolerance(np.full((1, 3), np.nan), 10)[0] == 0.0


def test_the_room_of_a_share_covers_what_another_seed_gives():
    rng = np.random.default_rng(5)
    true = rng.random(2000)
    shares = [float((rng.binomial(1000, true) / 1000 < 0.05).mean()) for _ in range(20)]
    room = share_tolerance(rng.binomial(1000, true) / 1000, 0.05, 1000, 1000)
    assert 0 < max(shares) - min(shares) <= 2 * room < 0.2
