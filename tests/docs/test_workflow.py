"""The workflow for pull requests, run as it is written."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from irviz.cli.main import main

WORKFLOW = Path(__file__).resolve().parents[2] / "docs" / "pull-request.yml"
STEPS = [shlex.split(line) for line in re.findall(r"^ *- run: (.*)$", WORKFLOW.read_text(), re.MULTILINE)]


@pytest.mark.parametrize(("better", "status"), [("new", 0), ("old", 1)])
def test_a_pull_request_fails_where_the_claim_does_not_hold(tmp_path, monkeypatch, capsys, better: str, status: int):
    install, (program, *words) = STEPS
    assert (install, program) == (["pip", "install", "irviz"], "irviz")
    monkeypatch.chdir(tmp_path)
    queries = [f"shoes {i}" for i in range(6)]
    rated = [f"{query},d{grade},{grade}\n" for query in queries for grade in range(3)]
    Path("judgments.csv").write_text("query,docid,rating\n" + "".join(rated))
    orders = {"new": (2, 1, 0), "old": (0, 1, 2)} if better == "new" else {"new": (0, 1, 2), "old": (2, 1, 0)}
    ranked = [
        f"{query},d{grade},{place},{system}\n"
        for system, grades in orders.items()
        for query in queries
        for place, grade in enumerate(grades, start=1)
    ]
    Path("results.csv").write_text("query,docid,position,system\n" + "".join(ranked))
    assert main(words) == status
    said = capsys.readouterr()
    assert said.out.startswith("what,value\n")
    assert ("holds >= 0.8" in said.err) == (status == 1)
