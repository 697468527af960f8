"""Runs that describe themselves: ir_metadata blocks, and folders of TIRA and TIREx."""

from __future__ import annotations

from pathlib import Path

import pytest

import irviz
from irviz.collection.text import LONGEST_METADATA, described

BLOCK = b"""# ir_metadata.start
# schema version: 0.2
# platform:
#   hardware:
#     cpu:
#       model: 'Intel Xeon'
#   software:
#     libraries:
#       - name: pyterrier
#         version: 0.11
# research goal:
#   venue:
#     name: <b>TREC</b>
# ir_metadata.end
"""
LINES = b"1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    return tmp_path / "qrels"


def folder(place: Path, *names: str) -> Path:
    for name in names:
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(LINES if "run" in file.name else b"a: b\n")
    return place


def systems(qrels: Path, runs: Path) -> tuple[str, ...]:
    return irviz.load_collection(qrels, runs).systems


def test_what_a_run_says_of_itself_is_a_note_and_changes_no_number(qrels, tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "plain").write_bytes(LINES)
    (tmp_path / "runs" / "told").write_bytes(BLOCK + LINES)
    c = irviz.load_collection(qrels, tmp_path / "runs")
    scores = irviz.score(c, ["AP"])["AP"]
    assert scores["plain"].tolist() == scores["told"].tolist() == [1.0]
    notes = [str(one) for one in c.findings if "ir_metadata" in one.message]
    assert notes == [
        "told: the run's ir_metadata: schema version 0.2; platform.hardware.cpu.model Intel Xeon; "
        "platform.software.libraries.name pyterrier; platform.software.libraries.version 0.11; "
        "research goal.venue.name <b>TREC</b>"
    ]


@pytest.mark.parametrize(
    "data", [b"", LINES, b"# ir_metadata.start\n# a: b\n" + LINES, b"# ir_metadata.end\n", BLOCK.replace(b"# ", b"")]
)
def test_without_a_whole_block_nothing_is_said(data):
    assert described(data) == ""


def test_hostile_blocks_are_cut_and_made_of_text():
    block = b"# ir_metadata.start\n" + b"# k\x1b[31m: \xff\x00v\n" * 9000 + b"# ir_metadata.end\n" + LINES
    assert described(block) == ""  # it ends too far down
    block = b"# ir_metadata.start\n" + b"#\t: ::\n# - - -\n# k: \xff\x1bv\n" * 900 + b"# ir_metadata.end\n" + LINES
    said = described(block)
    assert len(said) == LONGEST_METADATA
    assert said.isprintable()


def test_folders_name_runs_that_are_all_called_run_txt(qrels, tmp_path):
    made = "2024-05-04-12-00-00/output"
    inside = [f"touche/kestrel/{name}/{made}" for name in ("bm25", "dense")]
    runs = folder(tmp_path / "tirex", *(f"{one}/{file}" for one in inside for file in ("run.txt", "ir-metadata.yml")))
    assert systems(qrels, runs) == ("bm25", "dense")
    assert systems(qrels, runs / "touche" / "kestrel" / "bm25") == ("bm25",)
    folder(runs, "touche/kestrel/bm25/2024-05-05-12-00-00/output/run.txt")
    assert len(systems(qrels, runs)) == 3


def test_other_runs_beside_such_folders_keep_their_names(qrels, tmp_path):
    runs = folder(tmp_path / "mixed", "a/run.txt", "b/run.txt", "b/queries.jsonl", "more/osprey.run")
    assert systems(qrels, runs) == ("a", "b", "osprey.run")


def test_one_run_that_is_called_so_is_a_run_like_others(qrels, tmp_path):
    assert systems(qrels, folder(tmp_path / "flat", "run.txt", "run2.txt")) == ("run2.txt", "run.txt")
    assert systems(qrels, folder(tmp_path / "kestrel", "run.txt", "ir-metadata.yml")) == ("kestrel",)
