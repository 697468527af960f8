"""A query log's shape: 10,000 topics × 5 runs × 100 ranks, about one relevant document a topic, as MS MARCO has.

Written once into ``benchmarks/.cache`` (not kept in git) and reused.
"""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import numpy as np

import irviz
from irviz.collection.model import Collection

FOLDER = Path(__file__).parent / ".cache"
RUNS, DEPTH, PASSAGES = 5, 100, 8_841_823


@cache
def folder(topics: int = 10_000) -> Path:
    """The folder of qrels and runs, written where it is missing."""
    made = FOLDER / f"queries-{topics}-{RUNS}-{DEPTH}"
    if not made.is_dir():
        unfinished = FOLDER / "unfinished-queries"
        shutil.rmtree(unfinished, ignore_errors=True)
        (unfinished / "runs").mkdir(parents=True)
        _write(unfinished, topics)
        unfinished.rename(made)
    return made


def _write(place: Path, topics: int) -> None:
    """In a tenth of the topics two passages are relevant; a run finds each in two topics of three, sooner or later."""
    rng = np.random.default_rng(topics)
    names = rng.permutation(1_200_000)[:topics]
    relevant = [rng.choice(PASSAGES, size=1 + (rng.random() < 0.1), replace=False) for _ in range(topics)]
    lines = (f"{name} 0 {passage} 1\n" for name, found in zip(names, relevant, strict=True) for passage in found)
    (place / "qrels").write_text("".join(lines))
    for run in range(RUNS):
        with (place / "runs" / f"run{run}").open("w") as file:
            for name, found in zip(names, relevant, strict=True):
                passages = found[:0]
                while len(np.unique(passages)) < DEPTH:
                    passages = rng.integers(PASSAGES, size=DEPTH)
                    for passage in found[rng.random(len(found)) < 2 / 3]:
                        passages[min(DEPTH - 1, int(rng.exponential(8 + run)))] = passage
                scores = 30 - np.cumsum(rng.random(DEPTH)) / 5
                file.writelines(
                    f"{name} Q0 {passage} {rank} {score:.5f} run{run}\n"
                    for rank, (passage, score) in enumerate(zip(passages, scores, strict=True), start=1)
                )


def qrels(topics: int = 10_000) -> dict[str, Path]:
    """The qrels file by aspect."""
    return {"relevance": folder(topics) / "qrels"}


def runs(topics: int = 10_000) -> list[Path]:
    """The run files."""
    return sorted((folder(topics) / "runs").iterdir())


def load(topics: int = 10_000) -> Collection:
    """Parse and compile the files."""
    return irviz.load_collection(qrels(topics), folder(topics) / "runs")


@cache
def collection(topics: int = 10_000) -> Collection:
    """The compiled collection."""
    return load(topics)
