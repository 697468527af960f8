"""The page on judges shows what irviz.judges and irviz.replaced find."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.explore import judges as page
from irviz.workspace.context import Context
from irviz.workspace.data import opened_bundled, opened_collection, opened_scores
from irviz.workspace.view import settle
from tests.panels import drawing_of

SHARED = Path(__file__).resolve().parents[4] / "shared" / "collections" / "trec-dl-2021"
ORDERS = {"s": ["d1", "d2"], "t": ["d2", "d1"]}
QUICK = {"trials": "100", "repeats": "2", "measure": "nDCG@10"}


@pytest.fixture(scope="module")
def context() -> Context:
    opened = opened_bundled("adhoc", "trec_eval")
    return Context(opened, measures=("AP", "nDCG@10"), depth=opened.depth)


@cache  # a panel changes nowhere, and several tests look at one
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
    assert dict(zip(bars.y, bars.x, strict=True)) == dict(
        zip(["AP", "nDCG@10"], np.round(found.tau[:, a, b], 4), strict=True)
    )
    assert list(bars.x) == sorted(bars.x, reverse=True)
    assert panel.tables["Judges"].frame["tau"].tolist() == found.frame()["tau"].tolist()
    _, written = drawing_of(panel, "grades").figure.data
    counts = found.confusion("people", "machine").to_numpy()
    told = [text.partition("px'>")[2].partition("<")[0] for text in written.text]
    assert sum(int(text.replace(",", "")) for text in told) == counts.sum()


def test_grades_are_mapped_by_as_many_thresholds_as_are_given(context):
    mapped = drawn(context, **{"from": "1", "from2": "3"})
    whole = irviz.stats.replacing.map_grades(context.collection, "machine", [1, 3], name="machine from 1, 3")
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
    figure = drawing_of(part, "replaced").figure
    places = [one.x[1] for one in figure.data]
    assert len(set(places)) == len(places) and all(one.customdata[1] == 0.1 for one in figure.data)
    assert {"AP", "nDCG@10"} <= {note.text for note in figure.layout.annotations}
    whisker = figure.data[0].error_y
    found = again.repeats[0, 1]
    assert figure.data[0].y[1] + whisker.array[1] == pytest.approx(found.max(), abs=1e-3)


FAMILIES = "Families of systems that a judge favours"


def test_families_are_named_by_a_text_and_show_what_the_function_finds(context):
    text = "learned: LTR|colbert; ^cobalt"
    panel = drawn(context, families=text)
    part = panel.folds[FAMILIES]()
    families = page.families_of(context.systems, text)
    assert list(families) == ["learned", "^cobalt", "other"] and sum(map(len, families.values())) == 40
    assert all("ltr" in name or "colbert" in name for name in families["learned"])
    found = irviz.judges(context.collection, ["AP", "nDCG@10"], trials=100)
    expected = found.by_family("nDCG@10", families, "people")
    assert part.tables["Families"].frame.equals(expected)
    (points,) = drawing_of(part, "families").figure.data
    np.testing.assert_allclose(points.x, expected["shift"], atol=1e-4)
    assert f"turning the order of {found.turned('nDCG@10', 'people', 'machine')} of 780 pairs" in panel.sentence
    assert len(drawn(context).folds[FAMILIES]().tables["Families"].frame) == 11  # cobalt, harbor, …


def test_a_pattern_that_fits_no_system_is_named(context):
    (note,) = (one for one in drawn(context, families="gpt: gpt|openai; ^cobalt").notes if "no system" in one)
    assert note.startswith("The family `gpt` has no system: no name fits the pattern")
    assert any("lacks a name or a pattern" in one for one in drawn(context, families="gpt:").notes)
    assert not any("no system" in one for one in drawn(context, families="^cobalt").notes)


@pytest.mark.parametrize("text", [": gpt", "gpt:", "gpt: a||b", "x: ^", "bm25; : "])
def test_a_family_without_name_or_pattern_is_refused(text: str):
    with pytest.raises(IrvizError, match="lacks a name or a pattern"):
        page.families_of(["a", "b"], text)


def test_a_family_called_like_an_element_of_a_page_is_text(context):
    part = drawn(context, families="<b>x</b>: ^c").folds[FAMILIES]()
    labels = drawing_of(part, "families").figure.layout.yaxis.ticktext
    assert not any("<b>" in label for label in labels) and any("&lt;b&gt;" in label for label in labels)


def test_a_merged_judge_and_mapped_grades_are_judges(context):
    merged = drawn(context, second="merged judge", merge="highest")
    assert "`merged judge`" in merged.sentence
    counts = np.array(drawing_of(merged, "grades").figure.data[0].z)
    assert np.tril(counts, -1).sum() == 0  # the highest grade is never below one of its judges'
    mapped = drawn(context, **{"from": "1"})
    assert drawing_of(mapped, "grades").figure.data[0].x == ("0", "1") or "from 1" in mapped.sentence


def test_data_of_one_judge_show_no_other_data_and_lead_to_some():
    opened = opened_bundled("dl2021", "trec_eval")
    scores = irviz.stats.scores.Scores(np.ones((1, 2, 2)), ("mine",), ("1", "2"), ("a", "b"))
    for one in (opened, opened_scores(scores)):
        own = Context(one, measures=("mine",))
        panel = page.panel(own, {})
        assert not panel.drawings and not panel.tables and not panel.facts
        load, example = (way for _, way in panel.ways)
        assert load.page == "collection" and load.values.get("collection") == own.texts.get("collection")
        assert example.page == "judges" and example.values == {"collection": "adhoc"}


def test_the_first_two_judges_of_common_topics_are_compared():
    qrels = {"a": ("a", b"1 0 d1 1\n"), "b": ("b", b"2 0 d1 1\n3 0 d2 1\n"), "c": ("c", b"3 0 d1 1\n")}
    runs = [(name, "".join(f"{t} Q0 {d} 1 {-i} x\n" for t in "123" for i, d in enumerate(docs)).encode())
            for name, docs in ORDERS.items()]  # fmt: skip
    opened = opened_collection(irviz.load_collection(qrels, runs, judges=True))
    fitted = {control.name: control.fit(Context(opened, depth=2)).default for control in page.CONTROLS}
    assert (fitted["first"], fitted["second"]) == ("b", "c")


def test_one_judge_cannot_be_compared_with_itself(context):
    with pytest.raises(IrvizError, match="Both judges are `people`"):
        drawn(context, second="people")


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
    assert len(shifts.tables["Shifts"].frame) == 63


def test_judges_without_a_common_topic_are_refused_one_by_one():
    files = {"one": ("1", b"1 0 a 1\n1 0 b 0\n"), "two": ("2", b"1 0 a 0\n1 0 b 1\n"), "far": ("3", b"2 0 a 1\n")}
    runs = [("x", b"1 Q0 a 1 3 x\n2 Q0 a 1 3 x\n"), ("y", b"1 Q0 b 1 3 y\n2 Q0 b 1 3 y\n")]
    opened = opened_collection(irviz.load_collection(files, runs, judges=True))
    context = Context(opened, measures=("nDCG@10",), depth=opened.depth)
    assert "on the 1 topic that both judged" in drawn(context).notes[0]
    with pytest.raises(IrvizError, match=r"one \(1 topic\) and far \(1\) have no common topic\. Choose another judge"):
        drawn(context, second="far")


@pytest.mark.parametrize(
    ("first", "second", "said"), [((1, 1), (1, 1), "both tie all systems"), ((1, 0), (1, 1), "`b` ties all systems")]
)
def test_judges_that_tie_all_systems_have_no_tau(first: tuple[int, int], second: tuple[int, int], said: str):
    qrels = pd.DataFrame({"query_id": "1", "doc_id": ["d1", "d2"], "relevance": first, "b": second})
    runs = {name: pd.DataFrame({"query_id": "1", "doc_id": docs, "score": [2.0, 1.0]}) for name, docs in ORDERS.items()}
    opened = opened_collection(irviz.collection_from_frames(qrels, runs, judges=True))
    panel = drawn(Context(opened, measures=("RR",), depth=opened.depth), measure="RR")
    assert "an undefined τ" in panel.sentence and said in panel.sentence
    replacing = panel.folds["What if judgments were replaced"]().sentence
    assert ("there is no τ with them" in replacing) == (first == (1, 1)) and "never" not in replacing
