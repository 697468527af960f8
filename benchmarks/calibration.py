"""``python -m benchmarks.calibration``: error rates and coverage of what irviz prints, simulated; some minutes."""

from __future__ import annotations

import numpy as np

from irviz.stats.judges import ALPHA, exchange_test, rank_gains
from irviz.stats.scores import Scores


def favoured_by_nobody(topics: int, systems: int, repeats: int) -> tuple[float, float, float]:
    """Shares of systems, of repeats with any system and of repeats with any family of five that a judge favours.

    The two judges differ by noise only: nobody is favoured.
    """
    found = np.zeros((repeats, 3))
    for repeat in range(repeats):
        rng = np.random.Generator(np.random.PCG64((topics, systems, repeat)))
        base = np.linspace(0, 0.6, systems) + 0.3 * rng.normal(size=(1, topics, systems))
        names = tuple(map(str, range(topics))), tuple(map(str, range(systems)))
        pair = [Scores(base + 0.5 * rng.normal(size=base.shape), ("m",), *names) for _ in range(2)]
        gained = rank_gains(pair[0], pair[1], 0, repeat)
        chance, p = exchange_test(gained)
        p_families = exchange_test(gained.reshape(len(gained), -1, 5).sum(axis=2))[1]
        found[repeat] = (np.abs(gained[0]) > chance).mean(), (p < ALPHA).any(), (p_families < ALPHA).any()
    return tuple(found.mean(axis=0).tolist())


def main() -> None:
    """Print a table of every simulation; nominal are 5% of errors and 95% of coverage."""
    print("judges who favour nobody: topics, systems; share of systems favoured, any system, any family of five")
    for systems in (10, 40):
        for topics in (2, 3, 4, 5, 6, 8, 10, 15, 25, 50):
            print(topics, systems, *(f"{share:.3f}" for share in favoured_by_nobody(topics, systems, 500)))


if __name__ == "__main__":
    main()
