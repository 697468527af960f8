"""Agreement with trec_eval: pytrec_eval on every run of TREC-COVID, and trec_eval 10's own printed output."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import irviz

PAIRS = {
    "AP": "map",
    "P@10": "P_10",
    "R@100": "recall_100",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "Bpref": "bpref",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "AP@100": "map_cut_100",
}
NAMES = {  # as `trec_eval -m all_trec` prints them: what irviz calls them
    **{"map": "AP", "Rprec": "Rprec", "bpref": "Bpref", "recip_rank": "RR", "ndcg": "nDCG", "infAP": "infAP"},
    **{
        "rbp": "RBP(p=0.9)",
        "set_P": "SetP",
        "set_recall": "SetR",
        "set_F": "SetF",
        "gm_map": "AP",
        "gm_bpref": "Bpref",
    },
    "ndcg_1=3,2=9,4=4.5": "nDCG(gains=[0,3])",  # of binary grades
}
CUT = {"P": "P@", "recall": "R@", "ndcg_cut": "nDCG@", "map_cut": "AP@", "success": "Success@"}
COUNTS = ("num_ret", "num_rel", "num_rel_ret")
#: expected output, qrels, run, smallest relevant grade, depth, and how many of its numbers are compared
OUTPUTS = [
    ("out.test", "qrels.test", "results.test", 1, 1000, 28),
    ("out.test.a", "qrels.test", "results.test", 1, 1000, 69),  # -m all_trec
    ("out.test.aq", "qrels.test", "results.test", 1, 1000, 270),  # -m all_trec -q
    ("out.test.aqc", "qrels.test", "results.trunc", 1, 1000, 270),  # -m all_trec -q -c
    ("out.test.aqcM", "qrels.test", "results.trunc", 1, 100, 270),  # -m all_trec -q -c -M100
    ("out.test.aql", "qrels.rel_level", "results.test", 2, 1000, 254),  # -m all_trec -q -l2
    ("out.test.meas_params", "qrels.test", "results.test", 1, 1000, 72),
    ("out.comment.test", "qrels.comment.test", "results.comment.test", 1, 1000, 28),
]


@pytest.mark.slow
def test_every_third_run_of_trec_covid(collections: Path):
    folder = collections / "trec-covid-round1"
    c = irviz.load_collection(folder / "qrels.txt", sorted((folder / "runs").iterdir())[::3])
    ours = irviz.score(c, list(PAIRS))
    with (folder / "qrels.txt").open() as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), _requests(PAIRS.values()))
    theirs = np.zeros_like(ours.values)  # a topic without a list scores 0: trec_eval -c
    for s, system in enumerate(c.systems):
        with gzip.open(folder / "runs" / f"{system}.gz", "rt") as lines:
            run = pytrec_eval.parse_run(" ".join(line.split()) for line in lines)
        for topic, scores in evaluator.evaluate(run).items():
            theirs[:, c.topics.index(topic), s] = [scores[name] for name in PAIRS.values()]
    assert len(c.systems) == 16
    difference = np.abs(ours.values - theirs).max(axis=(1, 2))
    assert dict(zip(PAIRS, difference, strict=True)) == pytest.approx(dict.fromkeys(PAIRS, 0), abs=1e-9)


def _requests(names) -> set[str]:
    """pytrec_eval asks for measures with cutoffs as map_cut.100."""
    return {name.rpartition("_")[0] + "." + name.rpartition("_")[2] if name[-1].isdigit() else name for name in names}


@pytest.mark.parametrize(("printed", "qrels", "run", "rel", "depth", "compared"), OUTPUTS)
def test_trec_eval_s_own_output(
    collections: Path, printed: str, qrels: str, run: str, rel: int, depth: int, compared: int
):
    folder = collections / "trec_eval-tests"
    c = irviz.load_collection(folder / qrels, folder / run, ties="trec_eval10", depth=depth)
    numbers = irviz.score(c, ["NumRet", f"NumRel(rel={rel})", f"NumRet(rel={rel})"])
    counts = pd.DataFrame(numbers.values[:, :, 0].T.astype(int), index=list(c.topics), columns=list(COUNTS))
    wrong, number = [], 0
    for name, values in _read(folder / printed).items():
        head, _, rest = name.rpartition("_")
        if name in COUNTS:
            column, all_topics = counts[name], counts[name].sum()
        elif head == "iprec_at_recall" or name.startswith("11pt"):
            recalls = [float(rest)] if head == "iprec_at_recall" else RECALLS[name]
            wanted = [f"IPrec(recall={recall},rel={rel},trec_eval='10')" for recall in recalls]
            column = pd.Series(irviz.score(c, wanted).values[:, :, 0].mean(axis=0), index=list(c.topics))
            all_topics = column.mean()
        elif head == "unj" and rel == 1:
            judged = irviz.score(c, f"Judged@{rest}")
            column = 1 - judged[judged.measures[0]].iloc[:, 0].where(counts.num_ret > 0, 1)
            all_topics = column.mean()
        elif head in CUT or (name in NAMES and (name != "rbp" or rel == 1)):
            matrix = irviz.score(c, _ours(name, rel))
            column = matrix[matrix.measures[0]].iloc[:, 0]
            all_topics = column.mean()
            if head == "gm":
                all_topics = irviz.summarise(matrix, "geometric_threshold").iloc[0]
                column = np.log(np.maximum(column, 1e-5))
        else:
            continue  # irviz does not have it
        for topic, value in values.items():
            mine = all_topics if topic == "all" else column[topic]
            number += 1
            if abs(mine - value) > 0.5001e-4:
                wrong.append((name, topic, value, mine))
    assert (wrong, number) == ([], compared)


RECALLS = {"11pt_avg": [i / 10 for i in range(11)], "11pt_avg_.25,.5,.75": [0.25, 0.5, 0.75]}


def test_the_rounding_of_recalls_is_the_only_difference_to_trec_eval_s_own_output(collections: Path):
    """irviz rounds as trec_eval up to 9 and pytrec_eval: `test_ir_measures` compares the two."""
    folder = collections / "trec_eval-tests"
    c = irviz.load_collection(folder / "qrels.test", folder / "results.test", ties="trec_eval10")
    expected = _read(folder / "out.test.aq")
    differ = {
        (recall, topic)
        for recall in RECALLS["11pt_avg"]
        for topic, mine in irviz.score(c, f"IPrec@{recall}")[f"IPrec@{recall}"].iloc[:, 0].items()
        if abs(mine - expected[f"iprec_at_recall_{recall:.2f}"][topic]) > 0.5001e-4
    }
    assert differ == {(0.1, "301"), (0.6, "302")}


def test_graded_rbp_divides_by_the_collection_s_highest_grade_here_and_by_the_topic_s_in_trec_eval(collections: Path):
    c = irviz.load_collection(*_of_levels(collections), ties="trec_eval10")
    grades = c.ratings().groupby("topic")["grade"].max()
    mine = irviz.score(c, "RBP(p=0.9)")["RBP(p=0.9)"].iloc[:, 0] * c.grades[0][-1] / grades
    expected = _read(collections / "trec_eval-tests" / "out.test.aql")["rbp"]
    assert mine.to_dict() == pytest.approx({topic: expected[topic] for topic in c.topics}, abs=0.5001e-4)


def test_a_document_judged_below_zero_is_judged_here_and_unjudged_for_unj_of_trec_eval(collections: Path):
    c = irviz.load_collection(*_of_levels(collections), ties="trec_eval10")
    expected = _read(collections / "trec_eval-tests" / "out.test.aql")
    for k in (5, 10, 20):
        first = {topic: c.list(topic, c.systems[0]).iloc[:k, -1] for topic in c.topics}
        mine = {topic: float((grades.isna() | (grades < 0)).mean()) for topic, grades in first.items()}
        assert mine == pytest.approx({topic: expected[f"unj_{k}"][topic] for topic in c.topics}, abs=0.5001e-4)
        assert irviz.score(c, f"Judged@{k}").values[0, :, 0].tolist() == [1 - g.isna().mean() for g in first.values()]


@pytest.mark.parametrize(
    ("printed", "run", "depth"), [(out, run, depth) for out, _, run, rel, depth, _ in OUTPUTS[2:5]]
)
def test_ranks_past_the_end_of_a_list_are_in_the_residual_of_trec_eval_and_not_here(
    collections: Path, printed: str, run: str, depth: int
):
    folder = collections / "trec_eval-tests"
    c = irviz.load_collection(folder / "qrels.test", folder / run, ties="trec_eval10", depth=depth)
    kept = irviz.score(c, "NumRet")["NumRet"].iloc[:, 0]
    mine = irviz.residual(c, "RBP(p=0.9)")["RBP(p=0.9)"].iloc[:, 0] + (0.9**kept).where(kept > 0, 0)
    expected = _read(folder / printed)["rbp_resid"]
    assert mine.to_dict() == pytest.approx({topic: expected[topic] for topic in c.topics}, abs=0.5001e-4)


def _of_levels(collections: Path) -> tuple[Path, Path]:
    folder = collections / "trec_eval-tests"
    return folder / "qrels.rel_level", folder / "results.test"


def _ours(name: str, rel: int) -> str:
    head, _, k = name.rpartition("_")
    expression = NAMES.get(name) or CUT[head] + k
    if rel == 1 or expression.startswith("nDCG"):
        return expression
    symbol, at, k = expression.partition("@")
    return f"{symbol}(rel={rel}){at}{k}"


def _read(path: Path) -> dict[str, dict[str, float]]:
    """measure → topic → value, as printed."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        name, topic, value = line.split("\t")
        if not name.startswith(("runid", "relstring")):
            found.setdefault(name.strip(), {})[topic] = float(value)
    return found
