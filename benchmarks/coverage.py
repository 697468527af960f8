"""``python -m benchmarks.coverage [FOLDER]``: how often intervals from a few judgments by people hold, as a table.

Of all pairs of systems of the bundled ad hoc collection, and of a folder with ``qrels.nist.txt``, ``judges/`` and
``runs/`` (TREC DL 2021).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import irviz
from irviz.collection.model import Collection
from irviz.stats.prediction_powered import METHODS, coverage

MEASURES, TOPICS = ("nDCG@10", "AP"), (5, 10, 20)


def rows(c: Collection, name: str, draws: int = 500) -> list[str]:
    """A row a measure, machine judge and number of topics: coverage and median width by method, over all pairs."""
    first, second = np.triu_indices(len(c.systems), k=1)
    found = []
    for measure in MEASURES:
        cubes = [irviz.score(c.by_judge(judge), measure).values[0] for judge in c.judges]
        people, *machines = (cube[:, first] - cube[:, second] for cube in cubes)
        for judge, machine in zip(c.judges[1:], machines, strict=True):
            for n in TOPICS:
                held, width = (part.mean(axis=1) for part in coverage(people, machine, n, draws))
                cells = [f"{share:.3f}, {size:.3f}" for share, size in zip(held, width, strict=True)]
                found.append(" | ".join((f"| {name}, {measure}", judge, f"{n} of {len(people)}", *cells)) + " |")
    return found


def main(arguments: Sequence[str]) -> None:
    table = rows(irviz.open_collection("adhoc"), "adhoc")
    for folder in map(Path, arguments):
        judges = {"people": folder / "qrels.nist.txt", **{one.stem: one for one in sorted(folder.glob("judges/*"))}}
        table += rows(irviz.load_collection(judges, folder / "runs", judges=True, documents="none"), folder.name)
    print(f"| data | machine | topics by people | {' | '.join(METHODS)} |\n|{' --- |' * (3 + len(METHODS))}")
    print("\n".join(table))


if __name__ == "__main__":
    main(sys.argv[1:])
