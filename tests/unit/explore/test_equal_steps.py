"""The page on equal steps, and what no measure can dispute on *Topics* and *Conclusion*."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import irviz
from irviz.measures.interval import with_one_normaliser
from irviz.multiverse.equal_steps import equal_steps
from irviz.stats.lists import dominance
from irviz.stats.scores import Scores
from irviz.workspace.data import opened_bundled
from tests.panels import check_headings, context_of, drawing_of, facts_of, numbers_in, panel_of, selecting

DISPUTE = "What no measure can dispute"


@pytest.fixture(scope="module")
def context():
    return context_of(opened_bundled("adhoc"), measures="RR@10,AP,P@10,Bpref")


@pytest.fixture(scope="module")
def panel(context):
    return panel_of(context, "equal_steps")


def test_the_facts_and_the_tables_are_those_of_the_library(context):
    panel = panel_of(context, "equal_steps", measure="RR@10", family="holm")
    found = equal_steps(context.collection, ["RR@10", "AP@10", "P@10"], family="holm")
    row = found.frame().iloc[0]
    counts = found.decisions()
    facts = facts_of(panel)
    assert numbers_in(panel.sentence) == [row.changed, row.pairs]
    for word, by_measure in counts.items():
        assert facts[f"significant pairs {word}"].value == by_measure[0]
    assert facts["rankings before and after"].value == row.tau
    assert panel.tables["Measures"].frame[list(found.frame())].equals(found.frame())
    pairs = panel.tables["Pairs"].frame
    assert (pairs.decision == "lost").sum() == counts["lost"][0]
    assert panel.tables["Values"].frame["value"].tolist() == pytest.approx(irviz.attainable("RR@10").tolist())
    check_headings(panel, "equal steps")


def test_measures_without_a_cutoff_get_the_pages(context, panel):
    frame = panel_of(context, "equal_steps", cutoff="5").tables["Measures"].frame
    assert frame.measure.tolist() == ["RR@10", "AP@5", "P@10"]
    (why,) = (note for note in panel.notes if note.startswith("`Bpref`"))
    assert why.endswith("Bpref takes none.")


def test_the_recall_base_is_named(context):
    panel = panel_of(context, "equal_steps", measure="AP")
    frame = panel.tables["Normalisers"].frame
    assert frame.measure.tolist() == ["AP@10"] * 3
    assert frame.changed[1] > frame.changed[2]
    facts = facts_of(panel)
    assert facts["changed by one normaliser for all topics"].value == frame.changed[1]
    assert facts["changed by equal steps after that"].value == frame.changed[2]


def test_what_has_equal_steps_already(context):
    panel = panel_of(context, "equal_steps", measure="P@10")
    facts = facts_of(panel)
    assert [facts[f"significant pairs {word}"].value for word in ("lost", "gained", "reversed")] == [0, 0, 0]
    ranks = panel.tables["Systems"].frame
    assert ranks["rank before"].tolist() == ranks["rank now"].tolist()


def test_the_staircase_jumps_where_rr_does(context):
    staircase, straight = drawing_of(panel_of(context, "equal_steps", measure="RR@10"), "staircase").figure.data
    assert staircase.y == pytest.approx(irviz.attainable("RR@10"), abs=1e-5)
    assert staircase.line.shape == "hv" and list(straight.y) == [0, 1]


def test_bars_of_decisions_are_what_is_lost_left_of_0_and_gained_right_of_it(context, panel):
    bars, frame = drawing_of(panel, "decisions").figure, panel.tables["Measures"].frame
    drawn = {one.name: list(one.x) for one in bars.data}
    assert drawn.get("reversed", [0] * len(frame)) == frame["reversed"].tolist()
    assert drawn["lost"] == (-frame["lost"]).tolist() and drawn["gained"] == frame["gained"].tolist()
    assert [note.text for note in bars.layout.annotations] == ["kept", *(f"{one:,}" for one in frame["kept"])]


def test_users_are_nearer_to_equal_steps_of_rr_only(collections, panel):
    """Pearson's r with satisfaction on TianGong-FSD: the numbers of the page's table and of docs/reference.md."""
    folder = collections / "tiangong-fsd"
    c = irviz.load_collection(str(folder / "qrels.txt.gz"), [str(folder / "shown.run.gz")])
    people = irviz.load_satisfaction(str(folder / "satisfaction.tsv"))
    bases = ["RR@10", "nDCG(gains=[0,1,1,1,1])@10", "RBP(p=0.8,rel=1)@10", "AP@10"]
    after = irviz.score(c, [f"Interval({name})" for name in bases])
    plain = [
        with_one_normaliser(after.values[m], irviz.measure(name), tuple(c.grades[0])) for m, name in enumerate(bases)
    ]
    before = Scores(np.stack(plain), tuple(bases), c.topics, c.systems)
    found = [irviz.satisfaction(s, people, coefficient="pearson", trials=10).values for s in (before, after)]
    digits = [[f"{r:.3f}".lstrip("0") for r in values] for values in found]
    assert digits == [[".526", ".396", ".391", ".306"], [".594", ".181", ".201", ".225"]]
    table = panel.tables["Users"].frame
    page = " ".join((Path(__file__).parents[3] / "docs" / "reference.md").read_text().split())
    for m, (first, second) in enumerate(zip(*digits, strict=True)):
        assert f"{first} to {second}" in page
        assert [f"{table[part][m]:.3f}" for part in ("one normaliser", "after")] == [f"0{first}", f"0{second}"]


def test_users_are_asked_where_they_are_loaded():
    """One system: no decisions, but its users' satisfaction; intervals of the change as a bootstrap of one's own."""
    opened = opened_bundled("tiangong")
    panel = panel_of(context_of(opened, measures="RR@10,RBP(p=0.8,rel=1)@10,nDCG@10"), "equal_steps")
    frame = panel.tables["Users"].frame
    assert frame.measure.tolist() == ["RR@10", "RBP(p=0.8,rel=1)@10"]
    c = opened.collection
    scores = irviz.score(c, ["RR@10", "Interval(RR@10)"]).values[:, :, 0]
    said = dict(zip(c.satisfaction.topics, c.satisfaction.values.tolist(), strict=True))
    people = np.array([said[topic] for topic in c.topics])
    wanted = [np.corrcoef(one, people)[0, 1] for one in scores]
    assert frame.loc[0, ["before", "after"]].tolist() == pytest.approx(wanted, abs=1e-12)
    draws = np.random.default_rng(5).integers(0, len(people), size=(1000, len(people)))
    changes = [np.corrcoef(scores[1][d], people[d])[0, 1] - np.corrcoef(scores[0][d], people[d])[0, 1] for d in draws]
    assert frame.loc[0, ["low", "high"]].tolist() == pytest.approx(np.quantile(changes, [0.025, 0.975]), abs=0.004)
    changes = {fact.names[0]: fact for fact in panel.facts}
    assert changes["RR@10"].low > 0 and changes["RBP(p=0.8,rel=1)@10"].high < 0
    for row in frame.itertuples():
        assert (changes[row.measure].value, changes[row.measure].low) == (row.change, row.low)
    check_headings(panel, "equal steps of one system")


def test_what_the_recall_base_does_to_users_is_apart_from_equal_steps():
    """AP's r falls from .532 to .225, most of it by the recall base: .306 without."""
    panel = panel_of(context_of(opened_bundled("tiangong"), measures="RR,AP"), "equal_steps")
    frame = panel.tables["Users"].frame.set_index("measure").round(3)
    assert frame.loc["AP@10", ["before", "one normaliser", "after"]].tolist() == [0.532, 0.306, 0.225]
    assert frame.loc["RR@10", "one normaliser"] == frame.loc["RR@10", "before"]


def test_topics_says_which_list_dominates_and_where_it_ends(context):
    c = context.collection
    a, b = c.systems[:2]
    found = dominance(c, a, b)
    for verdict in set(found.verdicts):
        t = found.verdicts.index(verdict)
        panel = panel_of(selecting(context, a, b), "topics", topic=c.topics[t])
        fact = facts_of(panel)["dominates"]
        assert fact.value == {"first": a, "second": b, "equal": "both are equal", "undecided": "neither"}[verdict]
        assert numbers_in(fact.why.partition("nowhere")[2])[-2:] == [found.first_behind[t], found.second_behind[t]]
    fold = panel.folds[DISPUTE]()
    assert fold.tables["Dominance"].frame.equals(found.frame())
    assert [fact.value for fact in fold.facts] == list(map(found.count, ("first", "second", "equal", "undecided")))
    check_headings(fold, "topics")


def test_conclusion_counts_what_no_measure_disputes(context):
    panel = panel_of(context, "conclusion", trials="100")
    fold = panel.folds[DISPUTE]()
    pairs = fold.tables["All pairs"].frame
    decided = pairs["first dominates"] + pairs["second dominates"]
    assert len(pairs) == len(context.systems) * (len(context.systems) - 1) // 2
    assert any(fact.value == pytest.approx(decided.mean()) for fact in fold.facts)
    others = np.sum([bars.x for bars in drawing_of(fold, "dominated").figure.data], axis=0)
    np.testing.assert_allclose(others, 1, atol=2e-4)  # three shares, drawn with four digits
