"""Conventions of the lab, on two topics of ``adhoc``, are what a tool prints.

Those of whole presets are compared with their tools in ``tests/agreement/test_conventions.py``.
"""

from __future__ import annotations

import gzip
import logging
from collections import defaultdict
from typing import Any

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from cwl.ruler.cwl_ruler import APCWLMetric
from cwl.ruler.ranking import RankingMaker
from cwl.seeker.trec_qrel_handler import TrecQrelHandler

from irviz.collection.catalogue import files_of, known_folders, open_collection
from irviz.collection.codes import BEYOND
from irviz.labs.conventions.model import CHOICES, PRESETS, Conventions, outcome_under
from tests.panels import opened_once

K = 10


class Data:
    """The run of `adhoc` with most gaps, as the tools take it."""

    def __init__(self) -> None:
        files, collection = files_of(known_folders()["adhoc"]), opened_once("adhoc")
        self.system = collection.systems[int((collection.ranking == BEYOND).sum(axis=(0, 2)).argmax())]
        qrels = files["qrels"]["relevance"]
        self.qrels: dict[str, dict[str, int]] = defaultdict(dict)
        for topic, _, document, grade in _lines(qrels):
            self.qrels[topic][document] = int(grade)
        self.run: dict[str, dict[str, float]] = defaultdict(dict)
        for topic, _, document, _, score, _ in _lines(files["runs"] / f"{self.system}.gz"):
            self.run[topic][document] = float(score)
        self.topics = [topic for topic in collection.topics if topic in self.run][:2]

    def explained(self, kind: str, **changed: str) -> list[float]:
        """The scores of the two topics under these conventions."""
        conventions = Conventions(**changed)
        collection = open_collection("adhoc", ties=conventions.ties)
        values = outcome_under(collection, kind, K, conventions).values[:, collection.systems.index(self.system)]
        return [float(values[collection.topics.index(topic)]) for topic in self.topics]

    def trec_eval(self, measure: str, run: Any = None, **options: Any) -> list[float]:
        found = pytrec_eval.RelevanceEvaluator(self.qrels, {measure}, **options).evaluate(run or self.run)
        return [found[topic][measure.replace(".", "_")] for topic in self.topics]

    def first_documents(self, topic: str) -> dict[str, float]:
        """The first K documents by trec_eval's rule: score in single precision, then identifier, both descending."""
        ranked = sorted(self.run[topic].items(), key=lambda one: (np.float32(one[1]), one[0].encode()), reverse=True)
        return dict(ranked[:K])


def _lines(path) -> list[list[str]]:
    with gzip.open(path, "rt") as text:
        return [line.split() for line in text]


@pytest.fixture(scope="module")
def data() -> Data:
    return Data()


def test_option_j_takes_unjudged_documents_out(data):
    """Of AP at a cutoff; the other measures are in `tests/agreement/test_conventions.py`."""
    printed = data.trec_eval("map_cut.10", judged_docs_only_flag=True)
    assert data.explained("AP@k", unjudged="removed") == pytest.approx(printed, abs=1e-12)


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize(("kind", "theirs"), [("AP", "map"), ("AP@k", "map_cut.10"), ("P@k", "P.10")])
def test_option_l_raises_the_threshold(data, kind, theirs, level):
    printed = data.trec_eval(theirs, relevance_level=level)
    assert data.explained(kind, rel=str(level)) == pytest.approx(printed, abs=1e-12)


def test_option_l_does_not_touch_ndcg(data):
    assert data.trec_eval("ndcg_cut.10", relevance_level=3) == data.trec_eval("ndcg_cut.10")
    assert "nDCG@k" not in CHOICES["rel"][2]


def test_ndcg_of_a_run_cut_at_k_keeps_the_whole_ideal_list(data):
    cut = {topic: data.first_documents(topic) for topic in data.topics}
    assert data.explained("nDCG@k", ideal="pool") == pytest.approx(data.trec_eval("ndcg", cut), abs=1e-12)


def test_other_gains_are_other_qrels(data):
    measure = ir_measures.parse_measure("nDCG(gains={0:0,1:1,2:3,3:7})@10")
    printed = {one.query_id: one.value for one in ir_measures.iter_calc([measure], data.qrels, data.run)}
    ours = data.explained("nDCG@k", gain="exp")
    assert ours == pytest.approx([printed[topic] for topic in data.topics], abs=1e-12)


def test_apk_divides_by_the_smaller_of_k_and_all_relevant(data):
    """The definition of ml_metrics' apk: hits/rank summed over the first k, over min(relevant, k)."""
    wanted = []
    for topic in data.topics:
        relevant = {document for document, grade in data.qrels[topic].items() if grade > 0}
        hit = np.array([document in relevant for document in data.first_documents(topic)])
        wanted.append(float((hit * hit.cumsum() / np.arange(1, len(hit) + 1)).sum()) / min(len(relevant), K))
    assert data.explained("AP@k", base="cutoff") == pytest.approx(wanted, abs=1e-12)


def cwl_eval(data: Data, highest: float) -> list[float]:
    """AP of cwl_eval, documents in the order of the lines; relevant documents gain 1, or their grade over `highest`."""
    logging.getLogger("cwl").disabled = True
    handler, found = TrecQrelHandler(None), []
    for topic, judged in data.qrels.items():
        for document, grade in judged.items():
            handler.put_value(topic, document, min(max(grade, 0) / highest, 1.0))
    for topic in data.topics:
        maker = RankingMaker(topic, handler, max_n=1000)
        for document in data.run[topic]:
            maker.add(document, "_")
        found.append(float(APCWLMetric().measure(maker.get_ranking())))
    return found


def test_cwl_evals_ap_is_the_presets_where_every_relevant_document_gains_1(data):
    preset = PRESETS["cwl_eval"].conventions
    ours = data.explained("AP", ties=preset.ties, base=preset.base)
    assert ours == pytest.approx(cwl_eval(data, 1), abs=1e-9)
    assert ours != pytest.approx(cwl_eval(data, 3), abs=1e-3), "with graded gains it is another number"


def test_cwl_eval_refuses_grades_as_gains():
    handler = TrecQrelHandler(None)
    handler.put_value("1", "a", 2)
    with pytest.raises(ValueError, match="greater than the maximum"):
        handler.validate_gains()
