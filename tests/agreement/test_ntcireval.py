"""NTCIREVAL's sample: one topic, four retrieved documents, grades L0 to L3."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import irviz


@pytest.fixture(scope="module")
def sample(collections: Path, tmp_path_factory) -> tuple[irviz.collection.model.Collection, Path]:
    """The sample as TREC files: level Lx is grade x, and the list is given by its order."""
    source, target = collections / "ntcireval-sample", tmp_path_factory.mktemp("ntcir")
    judged = [line.split() for line in (source / "sample.rel").read_text().splitlines()]
    (target / "qrels").write_text("".join(f"1 0 {document} {level[1:]}\n" for document, level in judged))
    ranked = (source / "sample.res").read_text().split()
    lines = [f"1 Q0 {document} {i} {-i} run\n" for i, document in enumerate(ranked, start=1)]
    (target / "run").write_text("".join(lines))
    return irviz.load_collection(target / "qrels", target / "run"), source


def printed(path: Path) -> dict[str, float]:
    pairs = (line.split("=") for line in path.read_text().splitlines() if "= " in line)
    return {name.strip(): float(value) for name, value in pairs}


def one(c, expression: str) -> float:
    return float(irviz.score(c, expression).values[0, 0, 0])


def ideal_dcg(c, gains: list[float], k: int) -> float:
    """Järvelin and Kekäläinen's discount: none up to rank 2, for base 2."""
    levels = sorted(c.labels[0, :, 0].tolist(), reverse=True)[:k]
    return sum(gains[level] / max(1, math.log2(i)) for i, level in enumerate(levels, start=1))


# The gains x/(x_max + 1) that NTCIREVAL takes as ERR's probabilities are (2^y − 1)/2^y_max for y = log2(x + 1).
@pytest.mark.parametrize(
    ("file", "gains"), [("res_test_compute.txt", [0, 1, 2, 3]), ("res_test_compute_grade.txt", [0, 1, 4, 9])]
)
def test_the_printed_values(sample, file: str, gains: list[float]):
    c, source = sample
    expected = printed(source / file)
    stops = [math.log2(x + 1) for x in gains]
    ours = {
        "RR": one(c, "RR"),
        "AP": one(c, "AP"),
        "P@1000": one(c, "P@1000"),
        "RBP": one(c, f"RBP(p=0.95,gains={gains})"),
        "ERR": one(c, f"ERR(gains={stops})"),
        "MSnDCG@1000": one(c, f"nDCG(gains={gains})@1000"),
        "Q-measure": one(c, f"Q(gains={gains})"),
        "Q@1000": one(c, f"Q(gains={gains})@1000"),
        "nERR@1000": one(c, f"nERR(gains={stops})@1000"),
        "nDCG@1000": one(c, f"DCG(gains={gains})@1000") / ideal_dcg(c, gains, 1000),
    }
    assert {name: round(value, 4) for name, value in ours.items()} == pytest.approx(
        {name: expected[name] for name in ours}, abs=1.01e-4
    )


def test_under_a_cutoff(sample):
    c, source = sample
    expected = printed(source / "res_test_compute_cutoff.txt")
    assert one(c, "Q@2") == pytest.approx(expected["Q@0002"], abs=0.5001e-4)
    assert one(c, f"nERR(gains={[math.log2(x + 1) for x in range(4)]})@2") == pytest.approx(
        expected["nERR@0002"], abs=0.5001e-4
    )
    assert one(c, "nDCG@2") == pytest.approx(expected["MSnDCG@0002"], abs=0.5001e-4)
    assert one(c, "DCG@2") / ideal_dcg(c, [0, 1, 2, 3], 2) == pytest.approx(expected["nDCG@0002"], abs=0.5001e-4)
