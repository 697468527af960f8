"""How worlds read the lists: tie rules, condensed lists and judges agree with collections that were loaded so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

import irviz
from irviz.collection.model import condense_lists
from tests.refusals import refused

RNG = np.random.default_rng(17)
TOPICS = [str(t) for t in range(1, 13)]
MEASURES = ["AP", "nDCG@5", "RR"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two judges' qrels, and three runs with many equal scores and documents that nobody judged."""
    folder = tmp_path_factory.mktemp("files")
    for judge in ("people", "machine"):
        lines = [f"{t} 0 d{i} {RNG.integers(-2, 3)}\n" for t in TOPICS for i in range(12)]
        (folder / judge).write_text("".join(lines))
    (folder / "runs").mkdir()
    for run in "abc":
        rows = [(t, f"d{i}", int(RNG.integers(0, 5))) for t in TOPICS for i in range(16)]
        (folder / "runs" / run).write_text("".join(f"{t} Q0 {d} 1 {score} x\n" for t, d, score in rows))
    return folder


@pytest.fixture(scope="module")
def c(files: Path) -> irviz.collection.model.Collection:
    return irviz.load_collection(files / "people", files / "runs")


def differences(r: irviz.multiverse.report.Conclusion, **choices: object) -> dict[str, float]:
    """By measure, the mean difference in the worlds with these choices."""
    frame = r.frame()
    for name, option in choices.items():
        frame = frame[frame[name] == option]
    return frame.set_index("measure").difference.to_dict()


def expected(c: irviz.collection.model.Collection, pair: tuple[str, str] = ("a", "b")) -> dict[str, float]:
    s = irviz.score(c, MEASURES)
    means = {name: irviz.summarise(s[name]) for name in s.measures}
    return {name: means[name][pair[0]] - means[name][pair[1]] for name in s.measures}


PLAIN = {"measure": MEASURES, "average": "mean", "test": "t", "topics": "all", "family": "pair", "missing": "zero"}


def test_tie_rules_read_the_files_again(c, files):
    rules = ["trec_eval", "trec_eval_ascending", "file"]
    w = irviz.worlds(c, **PLAIN, unjudged="not_relevant", ties=rules)
    r = irviz.conclusion(c, "a > b", w)
    for rule in rules:
        loaded = irviz.load_collection(files / "people", files / "runs", ties=rule)
        assert differences(r, ties=rule) == pytest.approx(expected(loaded), abs=1e-15)
    assert len({differences(r, ties=rule)["AP"] for rule in rules}) == 3


def test_a_part_of_the_collection_stays_a_part_under_other_rules(c, files):
    some = c.subset(topics=["2", "3", "5", "7"], systems=["a", "c"], depth=8)
    r = irviz.conclusion(some, "a > c", irviz.worlds(some, **PLAIN, unjudged="not_relevant", ties="file"))
    loaded = irviz.load_collection(files / "people", files / "runs", ties="file", depth=8)
    assert differences(r) == pytest.approx(expected(loaded.subset(["2", "3", "5", "7"]), ("a", "c")), abs=1e-15)


def test_a_tie_rule_that_orders_the_runs_as_another_does_makes_no_worlds(tmp_path):
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{i} {i % 2}\n" for t in range(1, 5) for i in range(6)))
    runs = tmp_path / "runs"
    runs.mkdir()
    for name, step in (("a", 1), ("b", 5)):  # 5 and 6 share no factor: another order of the same documents
        lines = [f"{t} Q0 d{i * step % 6} {i + 1} {10 - i} {name}\n" for t in range(1, 5) for i in range(6)]
        (runs / name).write_text("".join(lines))
    c = irviz.load_collection(tmp_path / "qrels", runs)
    alone = irviz.worlds(c, **PLAIN)
    w = irviz.worlds(c, **PLAIN, ties=["trec_eval", "file", "rank"])
    assert len(w) == len(alone)
    assert w.left_out["the tie rule orders these runs as an earlier one does"] == 2 * len(alone)


def test_the_opposite_order_is_usual_where_ties_matter(c, files):
    assert irviz.worlds(c).options["ties"] == ("trec_eval", "trec_eval_ascending")
    assert irviz.worlds(c.renamed(findings=())).options["ties"] == ("trec_eval",)
    other = irviz.load_collection(files / "people", files / "runs", ties="file")
    assert irviz.worlds(other).options["ties"] == ("file", "trec_eval")


def test_collections_may_be_given_by_rule(c, files, tmp_path):
    saved = irviz.open_collection(c.save(tmp_path / "saved.irviz"))
    other = irviz.load_collection(files / "people", files / "runs", ties="rank")
    w = irviz.worlds(saved, **PLAIN, unjudged="not_relevant", ties={"trec_eval": saved, "rank": other})
    r = irviz.conclusion(saved, "a > b", w)
    assert differences(r, ties="rank") == pytest.approx(expected(other), abs=1e-15)
    assert irviz.worlds(saved).options["ties"] == ("trec_eval",)
    refused(lambda: irviz.worlds(saved, ties=["file"]))


def test_judgments_that_changed_since_are_refused(tmp_path, files):
    qrels = tmp_path / "qrels"
    qrels.write_text((files / "people").read_text())
    c = irviz.load_collection(qrels, files / "runs", name="mine")
    qrels.write_text((files / "machine").read_text())
    message = refused(lambda: c.under("file"))
    assert message == "The judgments of mine have changed since they were read. Load the files again."


def test_condensed_lists_are_trec_evals(c, files):
    """trec_eval -J: documents judged below zero are taken out as unjudged ones are."""
    with (files / "people").open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    assert {-1, -2} < {grade for judged in qrels.values() for grade in judged.values()}
    r = irviz.conclusion(c, "a > b", irviz.worlds(c, **PLAIN, unjudged="condensed", ties="trec_eval"))
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.5", "recip_rank"}, judged_docs_only_flag=True)
    means = {}
    for run in "ab":
        with (files / "runs" / run).open() as lines:
            found = evaluator.evaluate(pytrec_eval.parse_run(lines))
        means[run] = {m: np.mean([found[t][m] for t in TOPICS]) for m in ("map", "ndcg_cut_5", "recip_rank")}
    theirs = {m: means["a"][m] - means["b"][m] for m in means["a"]}
    assert list(differences(r).values()) == pytest.approx(list(theirs.values()), abs=1e-9)


def test_documents_judged_below_zero_alone_make_condensed_lists(tmp_path):
    """The lab of conventions, worlds and Bpref have one rule; nothing here is unjudged."""
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{i} {(i + t) % 3 - 1}\n" for t in range(1, 5) for i in range(6)))
    runs = tmp_path / "runs"
    runs.mkdir()
    for name, step in (("a", 1), ("b", 5)):
        lines = [f"{t} Q0 d{i * step % 6} {i + 1} {10 - i} {name}\n" for t in range(1, 5) for i in range(6)]
        (runs / name).write_text("".join(lines))
    c = irviz.load_collection(tmp_path / "qrels", runs)
    w = irviz.worlds(c, **PLAIN)
    assert w.options["unjudged"] == ("not_relevant", "condensed") and not w.left_out
    condensed = replace(c, ranking=condense_lists(c.ranking, c.labels[:]))
    assert not np.array_equal(condensed.ranking, c.ranking)
    assert differences(irviz.conclusion(c, "a > b", w), unjudged="condensed") == expected(condensed)
    assert irviz.score(condensed, "Bpref").values.tobytes() == irviz.score(c, "Bpref").values.tobytes()


def test_judges_are_collections_of_their_own(files):
    several = {"people": files / "people", "machine": files / "machine"}
    c = irviz.load_collection(several, files / "runs", judges=True)
    w = irviz.worlds(c, **PLAIN, unjudged="not_relevant", ties="trec_eval_ascending")
    assert w.options["judge"] == ("people", "machine")
    r = irviz.conclusion(c, "a > b", w)
    for judge in ("people", "machine"):
        alone = irviz.load_collection(files / judge, files / "runs", ties="trec_eval_ascending")
        assert differences(r, judge=judge) == pytest.approx(expected(alone), abs=1e-15)


def test_aspects_are_measures_of_them():
    c = irviz.open_collection("multiaspect")
    a, b = c.systems[:2]
    r = irviz.conclusion(c, f"{a} > {b}", irviz.worlds(c, **PLAIN, unjudged="not_relevant", ties=c.ties))
    for aspect in c.aspects:
        names = [f"{name.partition('@')[0]}(aspect='{aspect}'){''.join(name.partition('@')[1:])}" for name in MEASURES]
        s = irviz.score(c, names)
        expected = [irviz.summarise(s[name])[a] - irviz.summarise(s[name])[b] for name in s.measures]
        assert list(differences(r, judge=aspect).values()) == pytest.approx(expected, abs=1e-15)


def test_a_measure_that_does_not_fit_is_left_out_with_its_reason():
    c = irviz.open_collection("multiaspect")
    w = irviz.worlds(c, **{**PLAIN, "measure": ["AP", "GAP(g=[0.1,0.9])"]}, judge=c.aspects[0], unjudged="not_relevant")
    assert set(w.frame().measure) == {"AP"}
    (reason,) = w.left_out
    assert "grade levels" in reason or "`g`" in reason


def test_judges_are_compared_on_their_common_topics(tmp_path):
    """The second judge judged other topics, too; the third none of them."""
    rng, documents = np.random.default_rng(0), [f"d{i}" for i in range(8)]
    (tmp_path / "runs").mkdir()
    for name in "abc":
        lists = {topic: rng.permutation(documents) for topic in range(40)}
        lines = [f"{t} Q0 {d} {i} {-i} x\n" for t, docs in lists.items() for i, d in enumerate(docs)]
        (tmp_path / "runs" / name).write_text("".join(lines))
    for name, topics in (("p", range(12)), ("m", range(4, 20)), ("z", range(30, 33))):
        lines = [f"{topic} 0 {d} {rng.integers(3)}\n" for topic in topics for d in documents]
        (tmp_path / name).write_text("".join(lines))
    c = irviz.load_collection({name: tmp_path / name for name in "pmz"}, tmp_path / "runs", judges=True)
    w = irviz.worlds(c, measure=["AP"], average=["mean", "standardised"], test=["t"], topics=["all"])
    assert any("judge z" in reason for reason in w.left_out) and irviz.undisputed(c, w).pairs == 3
    r = irviz.conclusion(c, "a > b", w, trials=99)
    common = [str(topic) for topic in range(4, 12)]
    assert sorted(r.topics.index) == sorted(common) and r.joint is not None
    for judge in "pm":
        scores = irviz.score(c.by_judge(judge).subset(topics=common), ["AP"])["AP"]
        exact = [(one.a - one.b).mean() for one in (scores, irviz.standardise(scores))]
        found = r.frame()[r.frame().judge == judge].set_index("average").difference
        assert found[["mean", "standardised"]].tolist() == pytest.approx(exact)
