"""Novelty and diversity as ndeval computes them: its values, of pyndeval 0.0.8, on two topics made at random.

ndeval does not divide alpha-nDCG@1 and ERR-IA@1 (its normalisation starts at rank 2); they are left out here."""

from __future__ import annotations

import csv
import gzip
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

import irviz
from irviz.collection.load import load_collection
from irviz.collection.model import Collection

QRELS = """
1 1 d0:0 d1:0 d3:1 d5:1 d7:0 d8:0 d9:0 d11:0
1 2 d1:0 d3:1 d5:0 d9:0 d10:0
1 3 d0:1 d1:0 d2:0 d3:0 d4:1
1 4 d1:0 d6:0 d8:1 d11:0
2 1 d0:1 d1:0 d3:0 d4:0 d5:0 d7:0 d8:1 d10:1 d11:0
2 2 d0:1 d2:0 d4:0 d5:0 d10:0
2 3 d0:0 d2:0 d3:0 d5:0 d7:0 d8:0 d9:0 d11:0
2 4 d2:0 d4:1 d5:1 d7:1 d9:0 d11:1
"""
RUN = """
1 d4 d3 d5 d2 d6 u1 d7 d0 u3 d8 d1 u2
2 u2 d3 d7 d2 d1 d8 d5 u1 u3 d4 d0 d6
"""
#: pyndeval.RelevanceEvaluator(qrels, names, alpha=…, beta=…): α, β, the measure, and topics 1 and 2
PRINTED = """
0.5 0.5 alpha_nDCG@5 0.709626 0.156593
0.5 0.5 alpha_nDCG@10 0.835851 0.329494
0.5 0.5 alpha_nDCG@20 0.835851 0.455382
0.5 0.5 ERR_IA@5 0.393343 0.080686
0.5 0.5 ERR_IA@10 0.420085 0.143428
0.5 0.5 ERR_IA@20 0.420035 0.176199
0.5 0.5 nERR_IA@5 0.708447 0.117302
0.5 0.5 nERR_IA@10 0.761580 0.205581
0.5 0.5 nERR_IA@20 0.761580 0.252583
0.5 0.5 AP_IA 0.452083 0.145611
0.5 0.5 NRBP 0.399536 0.072754
0.5 0.5 StRecall@5 0.750000 0.333333
0.5 0.5 StRecall@10 1.000000 0.666667
0.5 0.5 P_IA@5 0.200000 0.066667
0.5 0.5 P_IA@10 0.150000 0.133333
0.5 0.5 P_IA@20 0.075000 0.100000
0.2 0.8 alpha_nDCG@5 0.703274 0.138005
0.2 0.8 alpha_nDCG@10 0.846324 0.325205
0.2 0.8 alpha_nDCG@20 0.846324 0.450052
0.2 0.8 ERR_IA@5 0.310800 0.060941
0.2 0.8 ERR_IA@10 0.312459 0.114560
0.2 0.8 ERR_IA@20 0.306886 0.139662
0.2 0.8 nERR_IA@5 0.709812 0.107712
0.2 0.8 nERR_IA@10 0.772443 0.207143
0.2 0.8 nERR_IA@20 0.772443 0.257117
0.2 0.8 NRBP 0.307259 0.174788
"""


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def parameters(symbol: str, alpha: str, beta: str) -> str:
    if symbol in ("StRecall", "P_IA", "AP_IA"):
        return ""
    return f"(alpha={alpha}{f',beta={beta}' if symbol == 'NRBP' else ''})"


def made(intents: int = 4) -> irviz.collection.model.Collection:
    lines = [f"{t} {s} {one.replace(':', ' ')}\n" for t, s, *judged in rows(QRELS) for one in judged]
    qrels = irviz.load_intents(("diversity", "".join(np.random.default_rng(1).permutation(lines)).encode()))
    qrels = dict(list(qrels.items())[:intents])
    run = "".join(f"{t} Q0 {d} 0 {-i} x\n" for t, *ranked in rows(RUN) for i, d in enumerate(ranked))
    return irviz.load_collection(qrels, [("run", run.encode())])


@pytest.fixture(scope="module")
def c() -> irviz.collection.model.Collection:
    return made()


@pytest.mark.parametrize("line", rows(PRINTED), ids=" ".join)
def test_the_printed_values(c, line: list[str]):
    alpha, beta, name, *expected = line
    symbol, at, cutoff = name.partition("@")
    found = irviz.score(c, symbol + parameters(symbol, alpha, beta) + at + cutoff).values[0, :, 0]
    assert found.tolist() == pytest.approx(list(map(float, expected)), abs=0.51e-6)


def test_one_intent_is_the_measure_of_that_name():
    one = made(intents=1)
    names = {
        "P_IA@5": "P@5",
        "MAP-IA": "AP",
        "StRecall@5": "Success@5",
        "alpha_nDCG(alpha=0)@5": "nDCG@5",
        "NRBP(alpha=0)": "RBP(p=0.5)",
    }
    for ours, plain in names.items():
        assert irviz.score(one, ours).values == pytest.approx(irviz.score(one, plain).values, abs=1e-15)


def test_the_greedy_ideal_is_near_the_best_order(c):
    """By all orders of the relevant documents of topic 1."""
    judged = {d: i for i, d in enumerate(c.documents.names(c.documents.pool[0])) if d}
    relevant = [d for d in judged if (c.labels[0, judged[d]] > 0).any()]
    lists = [
        ("".join(f"1 Q0 {d} 0 {-i} x\n" for i, d in enumerate(o)), k)
        for k, o in enumerate(itertools.permutations(relevant))
    ]
    lines = [f"{t} {s} {one.replace(':', ' ')}\n" for t, s, *known in rows(QRELS) for one in known]
    every = irviz.load_collection(
        irviz.load_intents(("q", "".join(lines).encode())), [(f"r{k}", text.encode()) for text, k in lists]
    )
    assert 0.95 < irviz.score(every, "alpha_nDCG@3")["alpha_nDCG@3"].loc["1"].max() <= 1 + 1e-12


def test_diversity_qrels_keep_their_line_numbers():
    found = irviz.load_intents(("q", b"1 2 a 1\n1 1 a 1\n1 10 b 0\n1 1 b x\n"))
    assert list(found) == ["1", "2", "10"] and found["1"][1] == b"\n1 1 a 1\n\n1 1 b x"
    with pytest.raises(irviz.IrvizError, match=r"^q:4: "):
        irviz.load_collection(found, [("run", b"1 Q0 a 1 1 x\n")])


def test_many_values_in_the_second_column_are_no_intents():
    lines = "".join(f"1 {i} d 1\n" for i in range(101)).encode()
    with pytest.raises(irviz.IrvizError, match=r"^q: 101 different values in the second column"):
        irviz.load_intents(("q", lines))


# NTCIREVAL's sample: one topic, four retrieved documents, grades L0 to L3.


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
def test_ntcireval_the_printed_values(sample, file: str, gains: list[float]):
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


# Compiled rankings agree with trec_eval's, through pytrec_eval, on real runs.
#
# P@10, P@1000 and reciprocal rank need nothing but the order of judged documents, so
# they are computed here from the arrays alone.  All runs of TREC-COVID: `test_trec_eval.py`.


MEASURES = {"P_10", "P_1000", "recip_rank"}


def relevant(collection: Collection) -> np.ndarray:
    """topics × systems × ranks: whether the document there is relevant."""
    labels = collection.labels[:, :, 0] > 0
    hit = np.take_along_axis(labels[:, None, :], np.maximum(collection.ranking, 0), axis=2)
    return hit & (collection.ranking >= 0)


def scores(collection: Collection) -> dict[str, np.ndarray]:
    hits = relevant(collection)
    first = np.argmax(hits, axis=2) + 1.0
    return {
        "P_10": hits[:, :, :10].sum(axis=2) / 10,
        "P_1000": hits[:, :, :1000].sum(axis=2) / 1000,
        "recip_rank": np.where(hits.any(axis=2), 1 / first, 0.0),
    }


def reference(qrels: Path, run: Path) -> dict[str, dict[str, float]]:
    """pytrec_eval's scores; of a document listed twice it would keep the last score, so such runs are not given."""
    judged: dict[str, dict[str, int]] = {}
    for line in qrels.read_text().splitlines():
        topic, _, doc, grade = line.split()[:4]
        judged.setdefault(topic, {})[doc] = int(float(grade))
    ranked: dict[str, dict[str, float]] = {}
    data = run.read_bytes()
    for line in (gzip.decompress(data) if run.suffix == ".gz" else data).decode().splitlines():
        topic, _, doc, _, score = line.split()[:5]
        ranked.setdefault(topic, {})[doc] = float(score)
    return pytrec_eval.RelevanceEvaluator(judged, MEASURES).evaluate(ranked)


def assert_agree(qrels: Path, runs: list[Path]) -> None:
    collection = load_collection(qrels, runs)
    ours = scores(collection)
    names = {run.name.removesuffix(".gz"): run for run in runs}
    for s, system in enumerate(collection.systems):
        theirs = reference(qrels, names[system])
        for t, topic in enumerate(collection.topics):
            for measure in MEASURES:
                expected = theirs.get(topic, {}).get(measure, 0.0)
                assert ours[measure][t, s] == pytest.approx(expected, abs=1e-9), (system, topic, measure)


def test_trec_evals_own_files(collections: Path) -> None:
    folder = collections / "trec_eval-tests"
    assert_agree(folder / "qrels.test", [folder / "results.test"])
    assert_agree(folder / "qrels.test", [folder / "results.trunc"])
    assert_agree(folder / "qrels.rel_level", [folder / "results.test"])
    assert_agree(folder / "qrels-302.test", [folder / "results-302.test"])


def test_every_line_has_different_spacing(collections: Path) -> None:
    folder = collections / "odd-formats" / "clef-tar-2017"
    assert_agree(folder / "qrels.abstract.txt", [folder / f"{run}.gz" for run in ("ecnu.run2", "iiit.run1")])


# The official means of TREC-COVID round 1, to all four printed decimals.


COLUMNS = {"ndcg@10": "nDCG@10", "p@5": "P@5", "bpref": "Bpref", "MAP": "AP", "RBP(p=.5)": "RBP(p=0.5)"}


@pytest.mark.slow
def test_official_means(collections: Path):
    folder = collections / "trec-covid-round1"
    c = irviz.load_collection(folder / "qrels.txt", folder / "runs")
    means = irviz.score(c, list(COLUMNS.values())).values.mean(axis=1)
    with (folder / "scores" / "official_leaderboard_means.csv").open() as file:
        official = {row["run"]: row for row in csv.DictReader(file)}
    wrong, compared = [], 0
    for s, system in enumerate(c.systems):
        for m, column in enumerate(COLUMNS):
            value = float(official[system][column])
            compared += 1
            if abs(means[m, s] - value) > 0.5001e-4:
                wrong.append((system, column, value, float(means[m, s])))
    assert compared == 48 * len(COLUMNS)
    assert wrong == []


# Extended inferred AP against the published estimator, written out: Yilmaz, Kanoulas and Aslam 2008, section 3.


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
