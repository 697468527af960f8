"""What irviz computes, as one digest an item: `python -m tests.digests` prints them as JSON.

Run under different processor settings, the digests must be the same
(tests/property/test_same_bits.py).
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import irviz
from irviz.collection.model import Collection
from irviz.stats.aggregate import SUMMARIES
from irviz.stats.bounds import best_runs, upper_bounds
from irviz.stats.consistency import epsilon_sweep
from irviz.stats.intervals import summary_interval
from irviz.stats.replacing import merge_judges
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.topic_effects import HARDNESS
from tests.judged_runs import measures, taken_apart

COMPARED = ("AP", "P@10", "nDCG@10", "RBP(p=0.8)", "RBTO@20")
SETTINGS_OF_MEASURES = tuple(
    """
    nDCG(gains=[0,0.1,0.35,2.5]) gR(gains='exp')@50 gP(gains=[0,0.1,0.3,0.7]) DCG(base=2.5)@50 DCG(gains='exp')
    RBP(p=0.95) ERR(gains=[0,0.5,1.5,2]) Bpref(rel=2) RBTO(weights=[0,0.5,1,3])@30 CWLA(C=RBP(p=0.97),A=avg)
    CWLA(C=DCG@50,A=PE(beta=0.7)) CWLA(C=INSQ(T=3),A=ETG) ERR(gmax=4)@20 INST(T=0.7)
""".split()
)
SETTINGS_OF_ASPECTS = tuple(
    """
    TOMA(AP) TOMA(nDCG@10,distance='manhattan') TOMA(nDCG@10,distance='chebyshev',classes='observed')
    TOMA(RBP(p=0.8),embedding=[[0,1,2,3.5],[0,1.5,3],[0,1,2]],classes='dependent') TOMA(AP,binary=True)
    CAM(nDCG@10,binary=True) CAM(nDCG@10,p=[0.5,0.3,0.2]) MM(ERR,p=[0.5,0.3,0.2]) CAM(AP)
    AP(aspect='credibility')
""".split()
)


def scored() -> Iterator[tuple[str, Any]]:
    """Scores, residuals and summaries."""
    adhoc, several = _smaller("adhoc", 8, 12), _smaller("multiaspect", 6, 10)
    for collection, names in (
        (adhoc, (*measures(3), *SETTINGS_OF_MEASURES)),
        (several, (*measures(3), *SETTINGS_OF_ASPECTS)),
    ):
        names = [name for name in names if collection is several or not name.startswith(("TOMA", "CAM", "MM"))]
        found = irviz.score(collection, names)
        for name in found.measures:
            yield f"{collection.name}: {name}", found.values[found.index(name)]
    left = irviz.residual(adhoc, COMPARED)
    for name in left.measures:
        yield f"residual of {name}", left.values[left.index(name)]
    matrix = irviz.score(adhoc, "nDCG@10")["nDCG@10"]
    for how in SUMMARIES:
        yield f"summary: {how}", irviz.summarise(matrix, how)
    yield "standardise", irviz.standardise(matrix)
    for kind in HARDNESS:
        yield f"hardness: {kind}", irviz.hardness(matrix, kind)
    for name in ("nDCG@3", "RBP(p=0.4)", "SBTO", "ERR", "CWLA(C=DCG@4,A=avg)"):
        found_type = irviz.scale_type(name, grades=3, depth=4)
        yield f"scale type: {name}", found_type.values
        yield f"scale type: {name}, kind and witness", [found_type.kind, str(found_type.witness)]


def analysed() -> Iterator[tuple[str, Any]]:
    """Everything that compares systems or measures."""
    adhoc = _smaller("adhoc", 20, 12)
    scores = irviz.score(adhoc, COMPARED)
    for coefficient in ("tau", "tau_ap", "pearson", "spearman"):
        for by in ("overall", "topic"):
            yield f"similarity: {coefficient} by {by}", irviz.similarity(scores, by=by, coefficient=coefficient).values
    interval = irviz.similarity(scores)
    yield "similarity: intervals", np.stack([interval.low, interval.high])
    for split in ("random", "hard_easy", "middle_rest"):
        for summary in ("mean", "geometric"):
            found = irviz.consistency(scores, trials=50, split=split, summary=summary)
            yield f"consistency: {split}, {summary}", found.trials
            yield f"consistency: {split}, {summary}, p", found.p_values
    for method in ("randomised_tukey", "paired_bootstrap", "anova_tukey", "kruskal_tukey"):
        tested = irviz.significance(scores["nDCG@10"], method, trials=200)
        yield f"significance: {method}", tested.p_values
        yield f"significance: {method}, number of pairs", np.array([tested.significant])
    large = np.round(np.random.default_rng(0).random((4, 40, 90)) ** 2, 2)  # enough for several threads of a library
    cube = Scores(large, *(tuple(map(str, range(n))) for n in large.shape))
    for summary in ("mean", "geometric"):
        found = irviz.consistency(cube, trials=300, summary=summary)
        yield f"consistency of many scores: {summary}", found.trials
        yield f"consistency of many scores: {summary}, p", found.p_values
    for method in ("randomised_tukey", "paired_bootstrap"):
        yield f"significance of many scores: {method}", irviz.significance(cube["0"], method, trials=1000).p_values
    for by in ("overall", "topic"):
        yield f"similarity of many scores by {by}", irviz.similarity(cube, by=by).values
    yield (
        "discriminative power, all measures at once",
        discriminative_power(scores, "paired_bootstrap", trials=200).p_values,
    )
    yield "sweep of ε", epsilon_sweep(scores, [0.001, 0.1], trials=30).mean
    several = _smaller("multiaspect", 2, 4)
    bounds = upper_bounds(several, ["CAM(nDCG)", "MM(nDCG)", "CAM(AP)", "MM(AP,binary=True)", "CAM(ERR@5)", "TOMA(AP)"])
    yield "upper bounds", np.stack([bounds.highest, bounds.limit])
    shown = best_runs(several, ["CAM(nDCG@5)", "TOMA(AP)"], ranks=10)
    yield "best runs", np.stack([shown.documents, shown.zeros, shown.label_sums])
    for how in SUMMARIES:
        yield f"interval of the {how}", np.stack(summary_interval(scores.matrix("P@10"), how))
    for method in ("stratified", "uniform"):
        reduced = irviz.pool_reduction(adhoc, COMPARED, rates=(0.5, 0.1), method=method)
        yield f"pool reduction: {method}", reduced.tau


def concluded() -> Iterator[tuple[str, Any]]:
    """The texts about claims, judges and lists."""
    adhoc = _smaller("adhoc", 12, 6)
    first, second = adhoc.systems[:2]
    families = ["pair", "holm", "all_systems"]
    w = irviz.worlds(adhoc, measure=COMPARED[:4], judge=adhoc.judges[0], topics=["all", "random_half"], family=families)
    found = irviz.conclusion(adhoc, f"`{first}` > `{second}`", w, trials=100)
    yield "conclusion", found.frame().select_dtypes("number")
    yield "conclusion: words", [found.headline, *found.frame()["verdict"], *found.flips({})["changes"]]
    assert found.joint is not None
    yield "conclusion: joint", found.joint.to_numpy().T
    yield "conclusion: band", found.band
    yield "conclusion: attribution", found.attribution
    yield "conclusion: topics", [*found.topics, found.fewest_topics]
    yield "conclusion: best", irviz.conclusion(adhoc, f"`{first}` is best", w, trials=50).p
    order = irviz.undisputed(adhoc, w)
    yield "undisputed", np.stack([order.share, order.significant, order.explained])
    yield "power", irviz.power(irviz.score(adhoc, "AP")["AP"]).frame().select_dtypes("number")
    yield from judged(adhoc)
    for name in (*measures(3), *SETTINGS_OF_MEASURES):
        if taken_apart(name) and (not name.startswith("CWLA") or "A=PE" in name):
            parts = irviz.contributions(adhoc, name, adhoc.topics[0], first)
            yield f"contributions: {name}", parts.select_dtypes("number")
    low, high = summary_interval(irviz.score(adhoc, "AP").values[0], "geometric", samples=100)
    yield "interval of a summary", np.stack([low, high])


def judged(collection: Collection) -> Iterator[tuple[str, Any]]:
    """How judges differ."""
    found = irviz.judges(collection, COMPARED, seed=1, trials=100)
    for part in ("tau", "tau_ap", "tau_by_topic", "kappa_linear", "kappa_quadratic", "alphas", "alpha_by_topic"):
        yield f"judges: {part}", getattr(found, part)
    for part in ("flips", "favoured"):
        yield f"judges: {part}", getattr(found, part).select_dtypes("number")
    yield "judges: order of flips and topics", [found.flips.change.tolist(), found.favoured.topics.tolist()]
    few = irviz.prediction_powered(collection, "nDCG@10", topics=5)
    yield "prediction-powered", np.stack([few.estimate, few.low, few.high, few.weight])
    yield "prediction-powered: coverage", few.coverage(50).select_dtypes("number")
    mixed = irviz.replaced(collection, COMPARED, "people", "machine", shares=(0.3, 0.7), repeats=2)
    yield "replaced", mixed.repeats
    voted = merge_judges(collection, "mean", name="both").by_judge("both")
    yield "a merged judge", irviz.score(voted, COMPARED).values


_opened = cache(irviz.open_collection)


def _smaller(name: str, topics: int, systems: int) -> Collection:
    whole = _opened(name)
    return whole.subset(whole.topics[:topics], whole.systems[:systems])


def digest(result: Any) -> str:
    """Of the bytes of the numbers."""
    if isinstance(result, list):
        return hashlib.sha256(json.dumps(result).encode()).hexdigest()[:16]
    return hashlib.sha256(np.ascontiguousarray(result, dtype=np.float64).tobytes()).hexdigest()[:16]


def digests() -> dict[str, str]:
    """By item."""
    return {name: digest(result) for name, result in (*scored(), *analysed(), *concluded())}


if __name__ == "__main__":
    json.dump(digests(), sys.stdout)
