"""Agreement with cwl_eval (package ``cwl``): expected and expected total utility at its depth of 1,000."""

from __future__ import annotations

import numpy as np
import pytest
from cwl.ruler.measures.cwl_ap import APCWLMetric
from cwl.ruler.measures.cwl_bpm import BPMCWLMetric
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.ranking import Ranking

import irviz
from tests.judged_runs import collection

MODELS = {
    "P@10": PrecisionCWLMetric(10),
    "P@100": PrecisionCWLMetric(100),
    "DCG@10": NDCGCWLMetric(10),
    "DCG@500": NDCGCWLMetric(500),
    "RBP(p=0.5)": RBPCWLMetric(0.5),
    "RBP(p=0.8)": RBPCWLMetric(0.8),
    "RBP(p=0.999)": RBPCWLMetric(0.999),
    "INST(T=1)": INSTCWLMetric(1.0),
    "INST(T=2.25)": INSTCWLMetric(2.25),
    "INSQ(T=2.25)": INSQCWLMetric(2.25),
    "AP": APCWLMetric(),
    "RR": RRCWLMetric(),
    "BPM(T=2.5,K=40)": BPMCWLMetric(2.5, 40),
}
DENSITIES = [0, 0.002, 0.02, 0.3]  # of documents with any gain; 0.3 of a thousand gives long lists of gain


def runs(length: int) -> list[list[int]]:
    rng = np.random.default_rng(7)
    return [(rng.integers(1, 4, length) * (rng.random(length) < density)).tolist() for density in DENSITIES]


def cwl_eval(metric, levels: list[int]) -> tuple[float, float, float]:
    """EU and ETU, and the ETU of those who would read on after rank 1,000.

    cwl_eval's user goes on after the last rank and gains nothing more there; ours stops, and takes along
    what was gained: survival × C × cumulated gain at rank 1,000 is added before the two are compared.
    """
    ranking = Ranking("1", np.array(levels) / 3, np.ones(len(levels)))
    metric.measure(ranking)
    continuation = metric.c_vector(ranking)
    unfinished = float(np.prod(continuation)) * float(ranking.get_gain_vector().sum())
    return float(metric.expected_utility), float(metric.expected_total_utility), unfinished


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("length", [1000, 37])
def test_expected_utility_and_total_utility(model: str, length: int):
    rows = runs(length)
    for row in rows:
        # every relevant document is retrieved: cwl_eval's AP divides by what the list holds, ours by the pool
        c = collection([row], (0, 1, 2, 3))
        rate, total = irviz.score(c, [f"CWLA(C={model},A=ERG)", f"CWLA(C={model},A=ETG)"]).values[:, 0, 0]
        utility, total_utility, unfinished = cwl_eval(MODELS[model], row)
        assert rate == pytest.approx(utility, abs=1e-6)
        if model == "AP" and not any(row):
            continue  # both are 0 here, and nothing is read
        assert total == pytest.approx(total_utility + unfinished, abs=1e-6)


def test_the_share_that_is_added_matters_only_to_patient_users():
    row = runs(1000)[3]
    assert cwl_eval(MODELS["RBP(p=0.8)"], row)[2] < 1e-90
    assert cwl_eval(MODELS["RBP(p=0.999)"], row)[2] > 10
    assert cwl_eval(MODELS["INSQ(T=2.25)"], row)[2] > 1e-6
