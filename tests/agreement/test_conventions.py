"""The conventions named after tools give the numbers that those tools print, topic by topic and in the mean.

Measured on the bundled collection ``adhoc``: runs with ties, short lists, and topics
without an answer.
"""

from __future__ import annotations

import gzip
import logging
import pkgutil
import shutil
import subprocess
from collections import defaultdict
from dataclasses import replace

import ir_measures
import numpy as np
import pytest
import pytrec_eval

from irviz.collection.catalogue import files_of, known_folders, open_collection
from irviz.collection.codes import BEYOND
from irviz.labs.conventions.model import PRESETS, Outcome, outcome_under

SYSTEMS = 6


class Tools:
    """The same data as the tools take them, for the runs that have most ties and gaps."""

    def __init__(self) -> None:
        files = files_of(known_folders()["adhoc"])
        self.qrels: dict[str, dict[str, int]] = defaultdict(dict)
        qrels = files["qrels"]["relevance"]
        for topic, _, document, grade in lines(qrels):
            self.qrels[topic][document] = int(grade)
        collection = open_collection("adhoc")
        gaps = (collection.ranking == BEYOND).all(axis=2).sum(axis=0)
        self.systems = [collection.systems[i] for i in np.argsort(-gaps, kind="stable")[:SYSTEMS]]
        self.runs: dict[str, list[tuple[str, str, float]]] = {}
        for name in self.systems:
            rows = lines(files["runs"] / f"{name}.gz")
            self.runs[name] = [(topic, document, float(score)) for topic, _, document, _, score, _ in rows]

    def run(self, name: str) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for topic, document, score in self.runs[name]:
            found[topic][document] = score
        return found


def lines(path) -> list[list[str]]:
    with gzip.open(path, "rt") as text:
        return [line.split() for line in text]


@pytest.fixture(scope="module")
def tools() -> Tools:
    return Tools()


def outcome(preset: str, kind: str, tools: Tools) -> tuple[Outcome, tuple[str, ...]]:
    conventions = PRESETS[preset].conventions
    collection = open_collection("adhoc", ties=conventions.ties).subset(systems=tools.systems)
    return outcome_under(collection, kind, 10, conventions), collection.systems


@pytest.mark.parametrize(
    ("kind", "theirs"), [("AP", "map"), ("AP@k", "map_cut_10"), ("nDCG@k", "ndcg_cut_10"), ("P@k", "P_10")]
)
def test_trec_eval_averages_over_answered_topics(tools, kind, theirs):
    found, systems = outcome("trec_eval", kind, tools)
    evaluator = pytrec_eval.RelevanceEvaluator(tools.qrels, {"map", "map_cut.10", "ndcg_cut.10", "P.10"})
    some_gap = False
    for s, name in enumerate(systems):
        printed = evaluator.evaluate(tools.run(name))
        some_gap |= len(printed) < len(tools.qrels)
        assert found.means[s] == pytest.approx(np.mean([one[theirs] for one in printed.values()]), abs=1e-9)
    assert some_gap, "a run without a gap tells nothing"


@pytest.mark.parametrize(
    ("preset", "kind", "theirs"),
    [
        ("ir_measures", "AP", "AP"),
        ("ir_measures", "nDCG@k", "nDCG@10"),
        ("ir_measures", "P@k", "P@10"),
        ("judged_only", "AP", "AP(judged_only=True)"),
        ("judged_only", "nDCG@k", "nDCG(judged_only=True)@10"),
        ("judged_only", "P@k", "P(judged_only=True)@10"),
    ],
)
def test_ir_measures_adds_zeros(tools, preset, kind, theirs):
    found, systems = outcome(preset, kind, tools)
    measure = ir_measures.parse_measure(theirs)
    for s, name in enumerate(systems):
        printed = ir_measures.calc_aggregate([measure], tools.qrels, tools.run(name))[measure]
        assert found.means[s] == pytest.approx(printed, abs=1e-9)


@pytest.mark.parametrize(("kind", "column"), [("nDCG@k", 2), ("ERR@k", 3)])
def test_gdeval_takes_4_for_the_highest_grade(tools, kind, column, tmp_path):
    """gdeval.pl itself, as ir_measures brings it; it prints five decimals."""
    if shutil.which("perl") is None:
        pytest.skip("perl is absent: gdeval is a Perl script")
    script, qrels, run = tmp_path / "gdeval.pl", tmp_path / "qrels", tmp_path / "run"
    script.write_bytes(pkgutil.get_data("ir_measures", "bin/gdeval.pl") or b"")
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, judged in tools.qrels.items() for d, g in judged.items()))
    found, systems = outcome("gdeval", kind, tools)
    for s, name in list(enumerate(systems))[:2]:
        run.write_text("".join(f"{t} Q0 {d} 1 {score!r} x\n" for t, d, score in tools.runs[name]))
        rows = [
            line.split(",") for line in subprocess.check_output(["perl", script, qrels, run, "10"], text=True).split()
        ]
        printed = {row[1]: float(row[column]) for row in rows[1:]}
        ours = dict(zip(open_collection("adhoc").topics, found.values[:, s], strict=True))
        assert {topic: ours[topic] for topic in printed} == pytest.approx(printed, abs=6e-6) and len(printed) > 40
        assert found.means[s] == pytest.approx(np.mean(list(printed.values())), abs=6e-6)


def test_cwl_evals_ap_divides_by_what_was_retrieved(tools):
    from cwl.ruler.cwl_ruler import APCWLMetric
    from cwl.ruler.ranking import RankingMaker
    from cwl.seeker.trec_qrel_handler import TrecQrelHandler

    logging.getLogger("cwl").disabled = True
    found, systems = outcome("cwl_eval", "AP", tools)
    topics = open_collection("adhoc").topics
    handler = TrecQrelHandler(None)
    for topic, judged in tools.qrels.items():
        for document, grade in judged.items():
            handler.put_value(topic, document, float(grade > 0))
    for s, name in list(enumerate(systems))[:2]:  # its C takes time quadratic in the depth
        by_topic: dict[str, list[str]] = defaultdict(list)
        for topic, document, _ in tools.runs[name]:
            by_topic[topic].append(document)
        for topic in list(by_topic)[:3]:
            maker = RankingMaker(topic, handler, max_n=1000)
            for document in by_topic[topic]:
                maker.add(document, "_")
            printed = APCWLMetric().measure(maker.get_ranking())
            assert found.values[topics.index(topic), s] == pytest.approx(printed, abs=1e-9), (name, topic)


def test_the_discount_of_the_best_ideal_list_is_ir_measures_scaled_dcg(tools):
    conventions = replace(PRESETS["ir_measures"].conventions, ideal="best")
    collection = open_collection("adhoc", ties="file").subset(systems=tools.systems)  # as it sorts: by score, then so
    found = outcome_under(collection, "nDCG@k", 10, conventions)
    measure = ir_measures.SDCG(max_rel=3) @ 10
    for s, name in list(enumerate(collection.systems))[:2]:
        printed = {
            one.query_id: one.value
            for one in ir_measures.iter_calc([measure], tools.qrels, tools.run(name))
            if one.query_id in {topic for topic, _, _ in tools.runs[name]}
        }
        ours = dict(zip(collection.topics, found.values[:, s], strict=True))
        assert {topic: ours[topic] for topic in printed} == pytest.approx(printed, abs=1e-9)
