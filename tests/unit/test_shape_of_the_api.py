"""What other libraries call things and hand over is understood: names, numbers, files, frames, mistakes."""

from __future__ import annotations

import io
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

import irviz
from irviz.cli.main import main
from irviz.errors import IrvizError

QRELS, RUN = b"401 0 a 1\n401 0 b 0\n402 0 a 2\n", b"401 Q0 b 1 2 x\n401 Q0 a 2 1 x\n402 Q0 a 1 1 x\n"


@pytest.fixture
def c() -> irviz.collection.model.Collection:
    return irviz.load_collection(("q", QRELS), {"bm25": ("r", RUN), "7": ("s", RUN)})


@pytest.mark.parametrize(
    ("other", "ours"),
    [
        ("map", "AP"),
        ("map_cut_100", "AP@100"),
        ("recip_rank", "RR"),
        ("MRR@10", "RR@10"),
        ("ndcg", "nDCG"),
        ("ndcg_cut_10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("P_5", "P@5"),
        ("recall_1000", "R@1000"),
        ("Recall@100", "R@100"),
        ("Precision(rel=2)@5", "P(rel=2)@5"),
        ("bpref", "Bpref"),
        ("success_5", "Success@5"),
        ("iprec_at_recall_0.10", "IPrec(recall=0.1)"),
        ("IPrec(rel=2)@0.1", "IPrec(recall=0.1,rel=2)"),
        ("set_F", "SetF"),
        ("alpha-nDCG@20", "alpha_nDCG@20"),
        ("ERR-IA@20", "ERR_IA@20"),
        ("P-IA@10", "P_IA@10"),
        ("strec@10", "StRecall@10"),
        ("Q-measure", "Q"),
        ("MSnDCG@10", "nDCG@10"),
        ("CAM(Q-measure)", "CAM(Q)"),
        ("AP(aspect='P-IA')", "AP(aspect='P-IA')"),
    ],
)
def test_names_of_other_tools_are_answered_with_ours(other: str, ours: str) -> None:
    assert str(irviz.measure(other)) == ours


def test_every_measure_of_ir_measures_that_irviz_has_is_read_as_an_object(c) -> None:
    given = [ir_measures.AP, ir_measures.nDCG @ 10, ir_measures.RR(rel=2), ir_measures.Rprec, ir_measures.Bpref]
    assert irviz.score(c, given).measures == ("AP", "nDCG@10", "RR(rel=2)", "Rprec", "Bpref")
    assert irviz.score(c, ir_measures.P @ 5).measures == ("P@5",)


def test_several_measures_in_one_text_get_a_hint(c) -> None:
    with pytest.raises(IrvizError, match=r"more than one measure. Give a list"):
        irviz.score(c, "AP,nDCG@10")


def test_topics_and_systems_may_be_numbers(c) -> None:
    assert c.list(401, 7)["document"].tolist() == ["b", "a"]
    assert c.subset([402], [7]).topics == ("402",)
    s = irviz.score(c, ["AP"])
    assert s.select(topics=[402], systems=[7]).values.tolist() == [[[1.0]]]
    assert irviz.contributions(c, "AP", 401, 7)["adds"].sum() == 0.5


def test_scores_are_like_a_mapping(c) -> None:
    s = irviz.score(c, ["AP", "nDCG@10"])
    assert (list(s), len(s), "ndcg_cut_10" in s, "RR" in s) == (["AP", "nDCG@10"], 2, True, False)


@pytest.mark.parametrize("work", [irviz.summarise, irviz.hardness, irviz.standardise, irviz.significance])
def test_scores_of_one_measure_are_a_matrix(c, work) -> None:
    s = irviz.score(c, ["AP", "nDCG@10"])
    with pytest.raises(IrvizError, match=r"2 measures.*s\['AP'\]"):
        work(s)
    one, matrix = work(s.select(["AP"])), work(s["AP"])
    if work is irviz.significance:
        one, matrix = one.p_values, matrix.p_values
    np.testing.assert_array_equal(np.asarray(one), np.asarray(matrix))


def test_open_files_and_runs_by_name(tmp_path: Path, c) -> None:
    (tmp_path / "r.txt").write_bytes(RUN)
    with (tmp_path / "r.txt").open() as text, (tmp_path / "r.txt").open("rb") as binary:
        found = irviz.load_collection(io.BytesIO(QRELS), {"bm25": text, 7: binary})
    assert (found.systems, found.fingerprint) == (c.systems, c.fingerprint)
    again = irviz.load_collection(("q", QRELS), {"bm25": tmp_path / "r.txt", "7": str(tmp_path / "r.txt")})
    assert again.fingerprint == c.fingerprint


def test_named_tuples_and_lazy_frames(tmp_path: Path, c) -> None:
    run = list(ir_measures.read_trec_run(RUN.decode()))
    qrels = ir_measures.read_trec_qrels(QRELS.decode())
    lazy = pl.LazyFrame([dict(zip(one._fields, one, strict=True)) for one in run])
    found = irviz.collection_from_frames(qrels, {"bm25": iter(run), "7": lazy})
    assert found.fingerprint == c.fingerprint
    with pytest.raises(IrvizError, match="Give its system a name"):
        irviz.collection_from_frames(ir_measures.read_trec_qrels(QRELS.decode()), run)


def test_scores_from_frames(c) -> None:
    s = irviz.score(c, ["AP", "nDCG@10"])
    shuffled = s["nDCG@10"].iloc[::-1, ::-1]
    again = irviz.scores_from_frames({"map": s["AP"], "nDCG@10": pl.from_pandas(shuffled.reset_index())})
    assert (again.measures, again.topics, again.systems) == (s.measures, s.topics, s.systems)
    np.testing.assert_array_equal(again.values, s.values)
    with pytest.raises(IrvizError, match="RR: its topics are not those of AP: it lacks 401"):
        irviz.scores_from_frames({"AP": s["AP"], "RR": s["AP"].iloc[1:]})
    with pytest.raises(IrvizError, match="topic 1, system a: 'x' is no finite number"):
        irviz.scores_from_frames({"AP": pd.DataFrame({"a": ["x"]}, index=[1])})


def test_mistakes_on_the_way_to_data_get_a_hint(tmp_path: Path, capsys) -> None:
    (tmp_path / "qrels.txt").write_bytes(QRELS)
    with pytest.raises(IrvizError, match=r"holds judgments, not a saved collection. Use irviz.load_collection"):
        irviz.open_collection(tmp_path / "qrels.txt")
    assert main(["score", str(tmp_path / "qrels.txt"), "runs/"]) == 2
    assert "Use --qrels FILE --runs PATH" in capsys.readouterr().err
    assert main(["score", "--colection", "adhoc"]) == 2
    assert "Did you mean --collection?" in capsys.readouterr().err
