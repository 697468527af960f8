"""What the suites of ir_measures (16347d2 and before) and ranx (de056e3) expect: their data, not their code.

A line of `CASES` is the qrels (by topic, ``document:grade``), a measure, and what the suite expects on each topic.  In
all suites the list is the order below; numbers with fewer decimals are those that the suite compares.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import irviz

RUNS = {
    "ir_measures": ("D0:.8 D2:.7 D3:.4 D1:.3 D4:.1", "D1:.8 D3:.7 D2:.4 D4:.3"),
    "ir_measures, D4 before D3": ("D0:.8 D2:.7 D3:.4 D1:.3 D4:.1", "D1:.8 D4:.7 D2:.4 D3:.3"),
    "ranx": ("2 4 3 1 5 6 7", "2 4 3 1 5 6 7"),
    "ranx, dcg": ("1 2 3 4 5", "10 5 2 4 3"),
    "ranx, bpref": ("1 2 3 4", "1 2 3 4 5 6", "1 2 3 4 5 6 7 8", "1 2 3 4 6 7 8"),
}
GRADED = ("D0:0 D1:1 D2:1 D3:2 D4:0", "D0:1 D3:2 D5:2")
FEWER = ("D0:0 D1:1 D2:2 D3:2 D4:0", "D0:1 D3:2 D5:0")
MORE = ("D0:1 D1:1 D2:2 D3:2 D4:0", "D0:1 D3:2 D5:0")
SAMPLED = ("D0:1 D1:-1 D2:0 D3:2 D4:0", "D0:1 D3:2 D4:-1 D5:0")
TWO = ("1:1 2:1 3:1", "1:1 2:1")
BURGES = ("2:5 4:4 5:3 10:2",) * 2
BPREF = (
    "2:1 5:1 1:0 4:0",
    "2:1 5:1 1:0 6:0",
    "2:1 5:1 7:1 1:0 6:0 8:0",
    "2:1 4:1 6:1 9:1 1:0 3:0 7:0 8:0",
)
LOG = [0, 1, 1.5849625007211562, 2, 2.321928094887362, 2.584962500721156]  # log2(i + 1)
ONE, OTHER = 5 / LOG[2] + 4 / LOG[4] + 3 / LOG[5], 2 / LOG[1] + 3 / LOG[2] + 5 / LOG[3] + 4 / LOG[4]
BEST = 5 / LOG[1] + 4 / LOG[2] + 3 / LOG[3] + 2 / LOG[4]
B_ONE, B_OTHER = 31 / LOG[2] + 15 / LOG[4] + 7 / LOG[5], 3 / LOG[1] + 7 / LOG[2] + 31 / LOG[3] + 15 / LOG[4]
B_BEST = 31 / LOG[1] + 15 / LOG[2] + 7 / LOG[3] + 3 / LOG[4]

CASES: list[tuple[str, Sequence[str], str, Sequence[float], float]] = [
    ("ir_measures, D4 before D3", FEWER, "Success@2", (1, 0), 0),
    ("ir_measures, D4 before D3", FEWER, "Success(rel=2)@2", (1, 0), 0),
    ("ir_measures, D4 before D3", FEWER, "Success(rel=3)@2", (0, 0), 0),
    ("ir_measures, D4 before D3", FEWER, "SetP", (0.6, 0.25), 0),
    ("ir_measures, D4 before D3", FEWER, "SetP(rel=2)", (0.4, 0.25), 0),
    ("ir_measures, D4 before D3", FEWER, "SetP(rel=3)", (0, 0), 0),
    ("ir_measures, D4 before D3", FEWER, "SetR", (1, 0.5), 0),
    ("ir_measures, D4 before D3", FEWER, "SetR(rel=2)", (1, 1), 0),
    ("ir_measures, D4 before D3", FEWER, "SetR(rel=3)", (0, 0), 0),
    ("ir_measures, D4 before D3", MORE, "IPrec@0.25", (1, 0.25), 0),
    ("ir_measures, D4 before D3", MORE, "IPrec@0.5", (1, 0.25), 0),
    ("ir_measures, D4 before D3", MORE, "IPrec@0.75", (1, 0), 0),
    ("ir_measures, D4 before D3", MORE, "IPrec(rel=2)@0.1", (0.6667, 0.25), 5e-5),
    ("ir_measures, D4 before D3", MORE, "IPrec(rel=2)@0.25", (0.6667, 0.25), 5e-5),
    ("ir_measures, D4 before D3", MORE, "IPrec(rel=2)@0.5", (0.6667, 0.25), 5e-5),
    ("ir_measures, D4 before D3", MORE, "IPrec(rel=2)@0.75", (0.6667, 0.25), 5e-5),
    ("ir_measures, D4 before D3", SAMPLED, "AP", (0.8333, 0.125), 5e-5),
    ("ir_measures, D4 before D3", SAMPLED, "infAP", (0.8333, 0.1875), 5e-5),
    ("ir_measures, D4 before D3", SAMPLED, "AP(rel=2)", (0.3333, 0.25), 5e-5),
    ("ir_measures, D4 before D3", SAMPLED, "infAP(rel=2)", (0.3333, 0.375), 5e-5),
    ("ir_measures", GRADED, "nDCG(dcg='exp-log2')@20", (0.6201, 0.35099), 1e-5),  # gdeval
    ("ir_measures", GRADED, "nDCG(dcg='exp-log2')@2", (0.17377, 0.38685), 1e-5),
    ("ir_measures", GRADED, "ERR(gmax=4)@20", (0.10175, 0.09375), 1e-5),
    ("ir_measures", GRADED, "ERR(gmax=4)@2", (0.03125, 0.09375), 1e-5),
    ("ir_measures", GRADED, "Judged@1000", (1, 1 / 4), 1e-12),
    ("ir_measures", GRADED, "Judged@3", (1, 1 / 3), 1e-12),
    ("ir_measures", GRADED, "Judged@1", (1, 0), 0),
    ("ranx", TWO, "Rprec", (2 / 3, 1 / 2), 1e-12),
    ("ranx", TWO, "Recall@2", (1 / 3, 1 / 2), 1e-12),
    ("ranx, dcg", BURGES, "DCG(discount='log2')@10", (ONE, OTHER), 1e-12),
    ("ranx, dcg", BURGES, "nDCG@10", (ONE / BEST, OTHER / BEST), 1e-12),
    ("ranx, dcg", BURGES, "nDCG(dcg='exp-log2')@10", (B_ONE / B_BEST, B_OTHER / B_BEST), 1e-12),
    ("ranx, dcg", BURGES, "DCG(discount='log2',gains=[0,3,7,15,31])@10", (B_ONE, B_OTHER), 1e-12),
    ("ranx, bpref", BPREF, "Bpref", (1 / 4, 1 / 2, 5 / 9, 7 / 16), 1e-12),
]


def files(of: Sequence[str], line: str) -> bytes:
    """Qrels or a run; a document without a score comes after those before it."""
    found = []
    for topic, items in enumerate(of):
        for i, item in enumerate(items.split()):
            document, _, number = item.partition(":")
            found.append(line.format(topic=topic, document=document, number=number or -i))
    return "".join(found).encode()


@pytest.mark.parametrize(("run", "qrels", "measure", "expected", "rounding"), CASES, ids=lambda one: str(one)[:40])
def test_what_the_suites_expect(run: str, qrels: Sequence[str], measure: str, expected, rounding: float):
    c = irviz.load_collection(
        ("qrels", files(qrels, "{topic} 0 {document} {number}\n")),
        [("run", files(RUNS[run], "{topic} Q0 {document} 0 {number} x\n"))],
    )
    assert irviz.score(c, measure).values[0, :, 0].tolist() == pytest.approx(list(expected), abs=rounding or 1e-15)


def test_intents_of_ir_measures():
    lines = b"0 0 D0 0\n0 0 D1 1\n0 0 D2 1\n0 1 D2 1\n0 1 D3 2\n0 0 D4 0\n1 0 D0 1\n1 0 D3 2\n1 1 D5 2\n"
    run = ("run", files(RUNS["ir_measures"], "{topic} Q0 {document} 0 {number} x\n"))
    c = irviz.load_collection(irviz.load_intents(("qrels", lines)), [run])
    assert irviz.score(c, "ERR_IA@20").values[0, :, 0].tolist() == pytest.approx([0.4659, 0.1803], abs=5e-5)


class TestExplainedDifferences:
    """Where irviz and a peer differ on purpose, each by its reason."""

    def test_a_topic_that_a_run_lacks_is_0_here_and_is_left_out_by_trec_eval_without_c(self):
        c = irviz.load_collection(("q", b"1 0 a 1\n2 0 a 1\n"), [("run", b"1 Q0 a 1 1 x\n")])
        assert irviz.score(c, "AP").values[0, :, 0].tolist() == [1, 0]

    def test_the_highest_grade_of_err_is_the_collections_here_and_4_in_gdeval(self):
        c = irviz.load_collection(("q", b"1 0 a 2\n"), [("run", b"1 Q0 a 1 1 x\n")])
        assert irviz.score(c, ["ERR", "ERR(gmax=4)"]).values.ravel().tolist() == [3 / 4, 3 / 16]

    def test_ndeval_does_not_normalise_the_first_rank(self):
        lines = b"1 1 a 1\n1 2 a 1\n"
        c = irviz.load_collection(irviz.load_intents(("q", lines)), [("run", b"1 Q0 a 1 1 x\n")])
        assert irviz.score(c, "ERR_IA@1").values.item() == 1  # ndeval prints 2, the number of intents

    def test_equal_scores_are_ordered_by_document_here_and_as_given_in_ranx(self):
        run = [("run", b"1 Q0 a 1 1 x\n1 Q0 b 2 1 x\n")]
        by_rule = {ties: irviz.load_collection(("q", b"1 0 a 1\n"), run, ties=ties) for ties in ("trec_eval", "file")}
        assert {ties: irviz.score(c, "RR").values.item() for ties, c in by_rule.items()} == {
            "trec_eval": 0.5,
            "file": 1,
        }

    def test_documents_judged_twice_or_listed_twice_are_counted_once(self):
        """ranx's own test of reciprocal rank lists a document three times."""
        c = irviz.load_collection(("q", b"1 0 b 1\n"), [("run", b"1 Q0 a 1 9 x\n1 Q0 a 2 8 x\n1 Q0 b 3 7 x\n")])
        assert irviz.score(c, "RR").values.item() == 0.5 and c.findings
