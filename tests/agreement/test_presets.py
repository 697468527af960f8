"""What the tests of Quepid, the Search Relevance Workbench and Elasticsearch's `_rank_eval` expect: data, no code.

Quepid's `javascript_scorer_test.rb`; `EvaluationTests` of the Workbench, from before it had thresholds, which compare
numbers rounded to two decimals; `RecallAtKTests`, `MeanReciprocalRankTests`, `DiscountedCumulativeGainTests` and
`ExpectedReciprocalRankTests` of `_rank_eval`.  And gdeval itself.
"""

from __future__ import annotations

import gzip
import pkgutil
import shutil
import subprocess

import pytest

import irviz
from irviz.collection.catalogue import files_of, known_folders, open_collection
from irviz.ui.measure_picker import TOOLS

THIRDS = " ".join(str(i % 3) for i in range(1, 21))  #: the Workbench's twenty documents
IDEAL_OF_RETRIEVED = "nDCG(dcg='exp-log2',ideal='retrieved')@10"

#: tool, measure, grades of the list (u: unrated), those rated elsewhere, what the tool's test expects, and how exactly
CASES = [
    ("Quepid", "AP@10", "0 1", "1", 0.25, 0.001),
    ("Quepid", "nDCG(dcg='exp-log2')@10", "0 3 1", "", 0.64, 0.005),
    ("Quepid", "ERR(gmax=3)@10", "3 0 u", "2", 0.88, 0.006),
    ("Quepid", "RR@10", "0 0 1", "", 0.33, 0.005),
    ("", "AP@20", THIRDS, "", 0.76, 0.005),
    ("", "AP@5", THIRDS[:9], THIRDS[10:], 0.25, 0.005),
    ("", "nDCG(dcg='exp-log2')@20", THIRDS, "", 0.76, 0.005),
    ("", "nDCG(dcg='exp-log2')@5", THIRDS[:9], THIRDS[10:], 0.51, 0.005),
    ("_rank_eval", "RR@10", "0 0 0 1 0", "", 1 / 4, 1e-12),
    ("_rank_eval", "R@10", "1 1 1 1 0", "", 1, 1e-5),
    ("_rank_eval", "R@10", "1 1 0", "1 1", 2 / 4, 1e-5),
    ("_rank_eval", IDEAL_OF_RETRIEVED, "3 2 3 0 1 2", "", 13.84826362927298 / 14.595390756454922, 1e-5),
    ("_rank_eval", IDEAL_OF_RETRIEVED, "3 2 3 u 1 u", "", 12.779642067948913 / 13.347184833073591, 1e-5),
    ("_rank_eval", IDEAL_OF_RETRIEVED, "3 2 3 u", "1", 12.392789260714371 / 13.347184833073591, 1e-5),
    ("_rank_eval", IDEAL_OF_RETRIEVED, "1", "1 1 1 1", 1.0, 1e-12),
    ("_rank_eval", IDEAL_OF_RETRIEVED, "0 0 0 0 0 1 1 1 1 1", "", 0.5409945177788987, 1e-12),
    ("", "ERR@3", "3 2 0 1", "", 0.8984375, 1e-13),
    ("_rank_eval", "ERR@10", "3 2 0 1", "", 0.8984375 + 0.00244140625, 1e-13),
    ("_rank_eval", "ERR@10", "3 u 0 1", "", 0.875 + 0.00390625, 1e-13),
]


@pytest.mark.parametrize(("tool", "label", "listed", "rated", "expected", "within"), CASES)
def test_measures_give_the_numbers_of_the_tools_own_tests(tool, label, listed, rated, expected, within):
    grades = [*listed.split(), *rated.split()]
    qrels = "".join(f"q 0 d{i} {grade}\n" for i, grade in enumerate(grades) if grade != "u")
    run = "".join(f"q Q0 d{i} {i + 1} {-i} r\n" for i in range(len(listed.split())))
    c = irviz.load_collection(("qrels", qrels.encode()), [("run", run.encode())], ties="file")
    assert irviz.score(c, label).values.item() == pytest.approx(expected, abs=within)
    assert not tool or any(offered.startswith(tool) and label in measures for offered, measures in TOOLS.items())


@pytest.mark.parametrize("measures", TOOLS.values())
def test_a_bundle_holds_measures_in_the_form_that_is_printed(measures):
    assert all(str(irviz.measure(label)) == label for label in measures)


def test_gdeval_takes_4_for_the_highest_grade(tmp_path):
    """gdeval.pl itself, as ir_measures brings it; it prints five decimals."""
    if shutil.which("perl") is None:
        pytest.skip("perl is absent: gdeval is a Perl script")
    script, qrels, run = tmp_path / "gdeval.pl", tmp_path / "qrels", tmp_path / "run"
    script.write_bytes(pkgutil.get_data("ir_measures", "bin/gdeval.pl") or b"")
    files, c = files_of(known_folders()["adhoc"]), open_collection("adhoc", ties="trec_eval10")
    qrels.write_bytes(gzip.decompress(files["qrels"]["relevance"].read_bytes()))
    ours = irviz.score(c, ["nDCG(dcg='exp-log2')@10", "ERR(gmax=4)@10"])
    for name in c.systems[:2]:
        run.write_bytes(gzip.decompress((files["runs"] / f"{name}.gz").read_bytes()))
        printed = subprocess.check_output(["perl", script, qrels, run, "10"], text=True).split()[1:]
        rows = {topic: list(map(float, numbers)) for _, topic, *numbers in (row.split(",") for row in printed)}
        found = ours.values[:, :, c.systems.index(name)].T
        assert len(rows) > 40
        for topic, numbers in rows.items():
            if topic in c.topics:
                assert found[c.topics.index(topic)] == pytest.approx(numbers, abs=6e-6)
