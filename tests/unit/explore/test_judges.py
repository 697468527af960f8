"""The page on judges shows what irviz.judges and irviz.replaced find."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.explore.judges import panel as page
from irviz.links.view import settle
from irviz.workspace.context import Context
from irviz.workspace.resolve import opened_bundled, opened_collection, opened_scores
from tests.panels import drawing_of

SHARED = Path(__file__).resolve().parents[4] / "shared" / "collections" / "trec-dl-2021"
QUICK = {"trials": "100", "repeats": "2", "measure": "nDCG@10"}


@pytest.fixture(scope="module")
def context() -> Context:
    opened = opened_bundled("adhoc", "trec_eval")
    return Context(opened, measures=("AP", "nDCG@10"), depth=opened.depth)


def drawn(context: Context, **texts: str):
    values, complaints = settle(page.CONTROLS, {**QUICK, **texts}, context)
    assert not complaints
    return page.panel(context, values)


def test_the_first_visit_compares_people_and_machine(context):
    panel = drawn(context)
    found = irviz.judges(context.collection, ["AP", "nDCG@10"], trials=100)
    a, b = (found.judges.index(name) for name in ("people", "machine"))
    assert f"τ = {found.tau[1, a, b]:.3f}" in panel.sentence and f"κ = {found.kappa[a, b]:.2f}" in panel.sentence
    bars = drawing_of(panel, "tau").figure.data[0]
    assert list(bars.y) == ["AP", "nDCG@10"]
    np.testing.assert_allclose(np.array(bars.x, dtype=float), np.round(found.tau[:, a, b], 4))
    assert panel.tables["Judges"].frame["tau"].tolist() == found.frame()["tau"].tolist()
    texts = np.array(drawing_of(panel, "grades").figure.data[0].text)
    counts = found.confusion("people", "machine").to_numpy()
    assert sum(int(text.replace(",", "")) for text in texts.ravel()) == counts.sum()


def test_grades_are_mapped_by_as_many_thresholds_as_are_given(context):
    mapped = drawn(context, **{"from": "1", "from2": "3"})
    whole = irviz.analysis.judging.merging.mapped(context.collection, "machine", [1, 3], name="machine from 1, 3")
    found = irviz.judges(whole, ["AP", "nDCG@10"], trials=100)
    a, b = found.judges.index("people"), found.judges.index("machine from 1, 3")
    assert f"τ = {found.tau[1, a, b]:.3f}" in mapped.sentence
    with pytest.raises(IrvizError, match="`thresholds` must be in ascending order"):
        drawn(context, **{"from": "2", "from2": "1"})
    assert (
        "machine, mapped: 1 from 2`" in drawn(context, **{"from": "2", "from3": "3"}).sentence
    )  # the second is not given


def test_the_folds_show_what_the_functions_find(context):
    panel = drawn(context)
    found = irviz.judges(context.collection, ["AP", "nDCG@10"], trials=100)
    turns = panel.folds["Pairs of systems that change order, gain or lose significance"]()
    assert turns.tables["By measure"].frame["turns"].tolist() == found.flip_counts["turns"].tolist()
    shifts = panel.folds["Systems that a judge favours"]().tables["Shifts"].frame
    assert len(shifts) == 40 and shifts["shift"].is_monotonic_decreasing
    topics = panel.folds["Topic by topic"]().tables["Topics"].frame
    assert len(topics) == len(found.topics) and topics["τ of the systems"].dropna().is_monotonic_increasing
    part = panel.folds["What if judgments were replaced"]()
    again = irviz.replaced(context.collection, ["AP", "nDCG@10"], "people", "machine", repeats=2)
    assert part.tables["Replaced"].frame["tau"].tolist() == again.frame()["tau"].tolist()
    assert f"{again.needed('nDCG@10'):,} of the" in part.sentence


def test_a_merged_judge_and_mapped_grades_are_judges(context):
    merged = drawn(context, second="merged judge", merge="highest")
    assert "`merged judge`" in merged.sentence
    counts = np.array(drawing_of(merged, "grades").figure.data[0].z)
    assert np.tril(counts, -1).sum() == 0  # the highest grade is never below one of its judges'
    mapped = drawn(context, **{"from": "1"})
    assert drawing_of(mapped, "grades").figure.data[0].x == ("0", "1") or "from 1" in mapped.sentence


def test_one_judge_is_shown_with_the_way_to_a_second():
    opened = opened_bundled("dl2021", "trec_eval")
    panel = drawn(Context(opened, measures=("nDCG@10",), depth=opened.depth))
    assert panel.sentence.startswith("This collection has one judge, who graded 10,828 documents.")
    assert panel.ways[0][1].values == {"collection": "adhoc"}
    bars = panel.drawings[0]["grades"].figure.data
    assert len({bar.marker.color for bar in bars}) == len(bars) == 4, "as on Collection"
    assert not any(bar.marker.opacity for bar in bars), "a legend shows what the bars show"


def test_what_cannot_be_compared_is_refused(context):
    with pytest.raises(IrvizError, match="Both judges are `people`"):
        drawn(context, second="people")
    scores = irviz.scores.Scores(np.ones((1, 2, 2)), ("nDCG@10",), ("1", "2"), ("a", "b"))
    with pytest.raises(IrvizError, match="these are imported scores"):
        drawn(Context(opened_scores(scores), measures=("nDCG@10",)))


@pytest.mark.slow
def test_five_judges_of_trec_2021_deep_learning_as_the_collection_says():
    if not SHARED.is_dir():
        pytest.skip(f"needs {SHARED}, which is not here")
    files = {"people": SHARED / "qrels.nist.txt", **{f.stem: f for f in sorted((SHARED / "judges").iterdir())}}
    c = irviz.load_collection(files, SHARED / "runs", judges=True)
    opened = opened_collection(c)
    panel = drawn(Context(opened, measures=("nDCG@10",), depth=opened.depth))
    frame = panel.tables["Judges"].frame
    taus = frame[frame["first"] == "people"]["tau"].round(3).tolist()
    assert sorted(taus) == [0.790, 0.845, 0.896, 0.924]
    kappa = frame[(frame["first"] == "people") & (frame["second"] == "binary-gpt4")].iloc[0]
    assert (round(kappa["kappa"], 2), round(kappa["kappa_binary"], 2)) == (0.27, 0.61)
    other = drawn(Context(opened, measures=("nDCG@10",), depth=opened.depth), second="binary-gpt4")
    assert "relevant or not with κ = 0.61" in other.sentence and "0.27" not in other.sentence
    shifts = other.folds["Systems that a judge favours"]()
    assert "of 63 systems" in shifts.sentence and "up to 3.2 would be expected" in shifts.sentence


def test_judges_without_a_common_topic_are_refused_one_by_one():
    files = {"one": ("1", b"1 0 a 1\n1 0 b 0\n"), "two": ("2", b"1 0 a 0\n1 0 b 1\n"), "far": ("3", b"2 0 a 1\n")}
    runs = [("x", b"1 Q0 a 1 3 x\n2 Q0 a 1 3 x\n"), ("y", b"1 Q0 b 1 3 y\n2 Q0 b 1 3 y\n")]
    opened = opened_collection(irviz.load_collection(files, runs, judges=True))
    context = Context(opened, measures=("nDCG@10",), depth=opened.depth)
    assert "on the 1 topic that both judged" in drawn(context).notes[0]
    with pytest.raises(IrvizError, match=r"one \(1 topic\) and far \(1\) have no common topic\. Choose another judge"):
        drawn(context, second="far")
