"""Extended inferred AP against the published estimator, written out: Yilmaz, Kanoulas and Aslam 2008, section 3."""

from __future__ import annotations

import numpy as np
import pytest

import irviz

TINY = 1e-5


def by_definition(ranking: list[str], stratum: dict[str, int], grade: dict[str, int]) -> float:
    """`grade` is -1 for documents that were not sampled from their stratum."""
    rate, size = {}, {}
    for s in set(stratum.values()):
        members = [d for d in stratum if stratum[d] == s]
        size[s] = len(members)
        rate[s] = sum(grade[d] >= 0 for d in members) / len(members)
    relevant = sum(1 / rate[stratum[d]] for d in stratum if grade[d] > 0)
    found = 0.0
    for rank, document in enumerate(ranking, start=1):
        if grade.get(document, 0) <= 0:
            continue
        above = ranking[: rank - 1]
        expected = 0.0
        for s in size:
            here = [d for d in above if stratum.get(d) == s]
            judged = [d for d in here if grade[d] >= 0]
            good = sum(grade[d] > 0 for d in judged)
            expected += len(here) * (good + TINY) / (len(judged) + 2 * TINY)
        found += (1 + expected) / rank / rate[stratum[document]]
    return found / relevant


@pytest.mark.parametrize("seed", range(4))
def test_strata_are_an_aspect(seed: int):
    rng = np.random.default_rng(seed)
    documents = [f"d{i:02}" for i in range(40)]
    stratum = {d: int(rng.integers(1, 4)) for d in documents}
    grade = {d: int(rng.random() < 0.3) if rng.random() < 0.3 * stratum[d] else -1 for d in documents}
    ranking = rng.permutation([*documents[:30], *(f"u{i}" for i in range(10))]).tolist()
    qrels = "".join(f"1 0 {d} {grade[d]} {stratum[d]}\n" for d in documents).encode()
    run = "".join(f"1 Q0 {d} 0 {-i} x\n" for i, d in enumerate(ranking)).encode()
    c = irviz.load_collection(("q", qrels), [("run", run)])
    value = irviz.score(c, f"xinfAP(by='{c.aspects[1]}')").values.item()
    assert value == pytest.approx(by_definition(ranking, stratum, grade), abs=1e-12)
    assert irviz.score(c, "xinfAP").values.item() == pytest.approx(irviz.score(c, "infAP").values.item(), abs=1e-12)
    assert value != irviz.score(c, "infAP").values.item()


def test_the_estimate_is_near_the_truth():
    """Over samples of a judged pool, its mean is the average precision of all judgments."""
    rng = np.random.default_rng(1)
    documents = [f"d{i:03}" for i in range(150)]
    truth = {d: int(rng.random() < 0.7 - 0.004 * i) for i, d in enumerate(documents)}
    run = ("run", "".join(f"1 Q0 {d} 0 {-i} x\n" for i, d in enumerate(documents)).encode())

    def value(name: str, grade: dict[str, int]) -> float:
        lines = "".join(f"1 0 {d} {grade[d]} {1 + (i >= 50)}\n" for i, d in enumerate(documents))
        c = irviz.load_collection(("q", lines.encode()), [run])
        return irviz.score(c, name.replace("BY", f"by='{c.aspects[1]}'")).values.item()

    rates = np.where(np.arange(150) < 50, 0.9, 0.3)  # unequal: the plain estimator is biased here
    samples = [
        {d: g if use else -1 for (d, g), use in zip(truth.items(), rng.random(150) < rates, strict=True)}
        for _ in range(60)
    ]
    whole = value("AP", truth)
    means = {name: np.mean([value(name, sample) for sample in samples]) for name in ("xinfAP(BY)", "infAP")}
    assert abs(means["xinfAP(BY)"] - whole) < 0.01 < abs(means["infAP"] - whole)
