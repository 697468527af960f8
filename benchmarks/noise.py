"""How often each published finding is seen where nothing is to be found: ``python -m benchmarks.noise [COLLECTIONS]``.

Asks all findings of collections of pure noise (14 by default), and writes the counts to ``data/findings/noise.csv``,
from which ``python -m benchmarks.findings`` writes its column on noise.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.random import Generator

from irviz.collection.model import Collection
from irviz.collection.people import Satisfaction
from irviz.gallery import CLAIMS
from irviz.gallery.findings import ALL, NOISE, answers_on

COLLECTIONS, SYSTEMS, TOPICS, DEPTH, JUDGED = 14, 20, 30, 100, 150
SHARES = (0.6, 0.2, 0.12, 0.08)  #: of the grades of a judged document


def noise(rng: Generator, aspects: Sequence[str]) -> Collection:
    """A collection in which the lists are random orders of documents, half of them judged, and grades are random."""
    ranking = np.argsort(rng.random((TOPICS, SYSTEMS, 2 * JUDGED)), axis=2)[:, :, :DEPTH].astype(np.int32)
    ranking[ranking >= JUDGED] = -1
    labels = rng.choice(len(SHARES), (TOPICS, JUDGED, len(aspects)), p=SHARES).astype(np.int16)
    topics, systems = (tuple(f"{n:02}" for n in range(count)) for count in (TOPICS, SYSTEMS))
    grades = (tuple(map(float, range(len(SHARES)))),) * len(aspects)
    return Collection("noise", topics, systems, tuple(aspects), grades, ranking, labels)


def asked(seed: int) -> dict[int, bool | None]:
    """True or False for each finding on one draw, None where it is not applicable.

    Those about judges are asked of random judges, all others of a collection of two aspects.
    """
    rng = np.random.default_rng(seed)
    pairs = [(topic, system) for topic in range(TOPICS) for system in range(SYSTEMS)]
    answers = Satisfaction(
        tuple(f"{topic:02}" for topic, _ in pairs),
        tuple(f"{system:02}" for _, system in pairs),
        rng.integers(1, 6, len(pairs)).astype(float),
    )
    of_judges = [n for n in ALL if CLAIMS[n].needs == "judges"]
    several = noise(rng, ("one", "another")).seen_by("one")
    whole = noise(rng, ("relevance", "credibility")).attached(satisfaction=answers)
    known = answers_on(several, of_judges) | answers_on(whole, sorted({*ALL} - {*of_judges}))
    return {number: bool(answer[2]) if isinstance(answer, tuple) else None for number, answer in known.items()}


def main(arguments: Sequence[str]) -> int:
    draws = [asked(seed) for seed in range(int(arguments[0]) if arguments else COLLECTIONS)]
    rows = [
        (number, sum(draw[number] is not None for draw in draws), sum(draw[number] is True for draw in draws))
        for number in ALL
    ]
    frame = pd.DataFrame(rows, columns=["number", "asked", "seen"])
    frame.to_csv(NOISE, index=False)
    print(frame.to_string(index=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
