"""``python -m benchmarks.calibration``: error rates and coverage of what irviz prints, simulated; some minutes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.stats.aggregate import SUMMARIES, aggregate
from irviz.stats.intervals import summary_interval
from irviz.stats.judges import ALPHA, exchange_test, rank_gains
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.sweep import share_margins, shares


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


def interval_coverage(topics: int, how: str, repeats: int, shape: str = "smooth") -> float:
    """Share of the repeats in which an interval of the average `how` of one system holds the true average; NaN does.

    Scores are logistic normal; "tenths" are rounded, of "zeros" 15% are 0.
    """

    def scores(seed: int, *size: int) -> NDArray[np.float64]:
        rng = np.random.Generator(np.random.PCG64((topics, seed)))
        drawn = 1 / (1 + np.exp(1 - rng.normal(0, 1.4, size)))
        if shape == "tenths":
            return np.round(drawn, 1)
        return np.where(rng.random(size) < 0.15, 0.0, drawn) if shape == "zeros" else drawn

    truth = aggregate(scores(0, 500_000, 1), how)[0]
    low, high = summary_interval(scores(1, topics, repeats), how, samples=999)
    return float((np.isnan(low) | ((low <= truth) & (truth <= high))).mean())


def sweep_coverage(topics: int, systems: int, trials: int, repeats: int) -> tuple[float, float]:
    """Shares of other draws of the test that are within the band of a sweep, and of its intervals that hold the gain.

    A gain is the difference of the shares of separated pairs of two measures with 20,000 trials.
    """
    rng = np.random.Generator(np.random.PCG64((topics, systems)))
    quality = np.linspace(0, 0.3, systems) + 0.3 * rng.normal(size=(topics, 1))
    cube = quality + 0.15 * rng.normal(size=(topics, systems)) + 0.15 * rng.normal(size=(4, topics, systems))
    s = Scores(cube, tuple("abcd"), tuple(map(str, range(topics))), tuple(map(str, range(systems))))
    draws = [discriminative_power(s, trials=trials, seed=seed) for seed in range(1, repeats + 1)]
    found, low, high = np.moveaxis([shares(power) for power in draws], 1, 0)
    within = (low[:, None] <= found) & (found <= high[:, None])
    share = shares(discriminative_power(s, trials=20_000))[0]
    off = np.abs((found[:, :, None] - found[:, None]) - (share[:, None] - share))
    margins = np.stack([share_margins(power, seed) for seed, power in enumerate(draws)])
    pairs, others = np.triu_indices(len(share), k=1), ~np.eye(repeats, dtype=bool)
    return float(within[others].mean()), float((off <= margins + 1e-12)[:, *pairs].mean())


def main() -> None:
    """Print a table of every simulation; nominal are 5% of errors and 95% of coverage."""
    print("judges who favour nobody: topics, systems; share of systems favoured, any system, any family of five")
    for systems in (10, 40):
        for topics in (2, 3, 4, 5, 6, 8, 10, 15, 25, 50):
            print(topics, systems, *(f"{share:.3f}" for share in favoured_by_nobody(topics, systems, 500)))
    print("intervals that hold the true average: scores, average; share with 6, 8, 10, 15, 25, 50, 100 topics")
    for shape in ("smooth", "tenths", "zeros"):
        for how in SUMMARIES:
            found = (interval_coverage(topics, how, 1000, shape) for topics in (6, 8, 10, 15, 25, 50, 100))
            print(shape, how, *(f"{share:.3f}" for share in found))
    print("sweep: topics, systems, trials; other draws within the band, intervals of a gain that hold it")
    for topics, systems in ((20, 6), (30, 10), (50, 20), (50, 40)):
        for trials in (200, 1000, 2000):
            found = sweep_coverage(topics, systems, trials, 60)
            print(topics, systems, trials, *(f"{share:.3f}" for share in found))


if __name__ == "__main__":
    main()
