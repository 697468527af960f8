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
from tests.panels import drawing_of, facts_of, panel_of, selecting

SHARED = Path(__file__).resolve().parents[4] / "shared" / "collections" / "trec-dl-2021"
ORDERS = {"s": ["d1", "d2"], "t": ["d2", "d1"]}
QUICK = {"trials": "100", "repeats": "2", "measure": "nDCG@10"}


@pytest.fixture(scope="module")
def context() -> Context:
    opened = opened_bundled("adhoc")
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
    assert f"{found.tau[1, a, b]:.3f}" in panel.sentence
    facts = facts_of(panel)
    assert facts["raw agreement"].value == found.raw_agreement[a, b] and facts["κ"].value == found.kappa[a, b]
    assert facts["gap"].value == found.gap[a, b] and len(panel.facts) == 7
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
    assert f"{found.tau[1, a, b]:.3f}" in mapped.sentence
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
    needed = facts_of(part)["judgments needed for τ of .9 or more"]
    assert (needed.value, needed.of) == (again.needed("nDCG@10"), again.left[0])
    (curve,) = drawing_of(part, "replaced").figure.data
    assert list(curve.y) == pytest.approx(again.tau[1], abs=1e-4)
    assert curve.y[1] + curve.error_y.array[1] == pytest.approx(again.repeats[1, 1].max(), abs=1e-3)


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
    assert len(drawn(context).folds[FAMILIES]().tables["Families"].frame) == 11  # cobalt, harbor, …


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
    opened = opened_bundled("dl2021")
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
    assert (fitted["first"], fitted["second"]) == ("c", "b")


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
    facts = facts_of(other)
    assert facts["κ"].value == kappa["kappa_binary"]
    assert facts["gap"].value == pytest.approx(facts["raw agreement, relevant or not"].value - kappa["kappa_binary"])
    shifts = other.folds["Systems that a judge favours"]()
    assert len(shifts.tables["Shifts"].frame) == 63


def test_judges_without_a_common_topic_are_refused_one_by_one():
    files = {"one": ("1", b"1 0 a 1\n1 0 b 0\n"), "two": ("2", b"1 0 a 0\n1 0 b 1\n"), "far": ("3", b"2 0 a 1\n")}
    runs = [("x", b"1 Q0 a 1 3 x\n2 Q0 a 1 3 x\n"), ("y", b"1 Q0 b 1 3 y\n2 Q0 b 1 3 y\n")]
    opened = opened_collection(irviz.load_collection(files, runs, judges=True))
    context = Context(opened, measures=("nDCG@10",), depth=opened.depth)
    assert "corrected" not in drawn(context).drawings[0] and list(facts_of(drawn(context)))[1:3] == ["κ", "gap"]
    with pytest.raises(IrvizError, match="both `one` and `far`"):
        drawn(context, second="far")


@pytest.mark.parametrize("first", [(1, 1), (1, 0)])
def test_judges_that_tie_all_systems_have_no_tau(first: tuple[int, int]):
    qrels = pd.DataFrame({"query_id": "1", "doc_id": ["d1", "d2"], "relevance": first, "b": (1, 1)})
    runs = {name: pd.DataFrame({"query_id": "1", "doc_id": docs, "score": [2.0, 1.0]}) for name, docs in ORDERS.items()}
    opened = opened_collection(irviz.collection_from_frames(qrels, runs, judges=True))
    panel = drawn(Context(opened, measures=("RR",), depth=opened.depth), measure="RR")
    assert np.isnan(panel.tables["Judges"].frame["tau"]).all() and panel.tables["Top"].frame["tau"].isna().all()
    needed = facts_of(panel.folds["What if judgments were replaced"]())["judgments needed for τ of .9 or more"]
    assert not needed.is_defined or first == (1, 0)


# What people would find on all topics, and agreement at the top.


SAVED, ALONE = "topics saved, same width", "topics until decided, people only"
PAIR = ("cobalt-bm25-qe", "meridian-tfidf")


def test_the_difference_is_corrected_as_the_function_does(context):
    panel = drawn(selecting(context, *PAIR), judged="20", seed="3")
    claim = " > ".join(PAIR)
    found = irviz.prediction_powered(context.collection, "nDCG@10", claim, topics=20, seed=3)
    table = panel.tables["Corrected"].frame
    columns = ["estimate", "low", "high", "weight"]
    pd.testing.assert_frame_equal(table[["method", *columns]], found.frame()[["method", *columns]])
    intervals = [trace for trace in drawing_of(panel, "corrected").figure.data if trace.error_y.array]
    shown = [(one.y[0], one.y[0] + one.error_y.array[0]) for one in intervals]
    rows = found.frame().set_index("method").loc[["people", "machine", "ppi++"], ["estimate", "high"]]
    np.testing.assert_allclose(shown, rows.to_numpy(), atol=2e-5)
    facts = facts_of(panel)
    for label, method in ((ALONE, "people"), ("topics until decided, corrected", "ppi++")):
        decided = abs(rows.loc[method, "estimate"]) > rows.loc[method, "high"] - rows.loc[method, "estimate"]
        assert (facts[label].value <= 20) == decided and 2 <= facts[label].value <= 50
    widths = panel.tables["Half-widths"].frame.set_index("topics")
    needed = 20 + facts[SAVED].value
    assert widths["people only"][needed] <= widths["corrected"][20] < widths["people only"][needed - 1]


def test_easy_topics_first_break_the_correction(context):
    random, easiest = (drawn(context, judged="20", order=order) for order in ("random", "easiest"))
    covered = [one.tables["Corrected"].frame.set_index("method")["coverage"] for one in (random, easiest)]
    assert covered[0]["ppi++"] > 0.9 and covered[1]["ppi++"] < 0.8
    assert covered[0]["machine"] == covered[1]["machine"] == facts_of(random)["coverage, machine only"].value
    scores = irviz.score(context.collection.by_judge("people"), ["nDCG@10"])["nDCG@10"]
    chosen = scores.mean(axis=1).sort_values(ascending=False, kind="stable").index[:20]
    a, b = context.two_best
    found = irviz.prediction_powered(context.collection, "nDCG@10", f"{a} > {b}", topics=chosen)
    assert easiest.tables["Corrected"].frame["estimate"].tolist() == found.frame()["estimate"].tolist()


def test_people_who_judged_a_part_are_corrected_by_all_that_the_machine_judged():
    """Two files of one's own: all topics of people are used, and what people say of the others is not known."""
    rng = np.random.default_rng(5)
    grades = rng.integers(0, 2, (2, 12, 6))
    lines = [
        [f"{t} 0 d{d} {grade}\n" for t, row in enumerate(judge) for d, grade in enumerate(row)] for judge in grades
    ]
    files = {"people": ("p", "".join(lines[0][:24]).encode()), "machine": ("m", "".join(lines[1]).encode())}
    runs = []
    for name in "xyz":
        lists = [f"{t} Q0 d{d} 1 {-i} x\n" for t in range(12) for i, d in enumerate(rng.permutation(6))]
        runs.append((name, "".join(lists).encode()))
    c = irviz.load_collection(files, runs, judges=True)
    own = opened_collection(c)
    panel = drawn(Context(own, ("AP",), highlight=("x", "z"), depth=own.depth), measure="AP")
    table = panel.tables["Corrected"].frame
    assert table["estimate"].tolist() == irviz.prediction_powered(c, "AP", "x > z").frame()["estimate"].tolist()
    assert table.set_index("method")["coverage"].notna().tolist() == [False, True, False, False]
    assert facts_of(panel)[ALONE].of == 12 and len(panel.tables["Half-widths"].frame) == 11


def test_agreement_at_the_top_is_that_of_the_function(context):
    panel = drawn(context, top="5")
    by = [irviz.score(context.collection.by_judge(name), ["nDCG@10"])["nDCG@10"] for name in ("people", "machine")]
    expected = irviz.top_agreement(*(scores.mean() for scores in by))
    pd.testing.assert_frame_equal(panel.tables["Top"].frame, expected)
    (line,) = drawing_of(panel, "best").figure.layout.shapes
    assert line.x0 == 5 and drawing_of(panel, "best").facts[0].value == expected["tau"][3]
    alike = panel_of(context, "similarity", first="AP", second="nDCG@10")
    means = [irviz.score(context.collection, [name])[name].mean() for name in ("AP", "nDCG@10")]
    pd.testing.assert_frame_equal(alike.tables["Top"].frame, irviz.top_agreement(*means))
