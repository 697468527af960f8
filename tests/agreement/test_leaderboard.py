"""The official means of TREC-COVID round 1, to all four printed decimals."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import irviz

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
