"""Who works, and how many at a time, changes no bit of what is drawn or scored."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.stats.consistency import epsilon_sweep
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power

VALUES = np.random.default_rng(1).random((2, 12, 20))
CUBE = Scores(VALUES, ("M0", "M1"), tuple(f"t{i}" for i in range(12)), tuple(f"s{i}" for i in range(20)))
MEASURES = ["AP", "nDCG@10", "SBTO@20"]
WORK = {
    "randomised Tukey": lambda c, workers: irviz.significance(CUBE["M0"], trials=700, workers=workers).p_values,
    "bootstrap": lambda c, workers: discriminative_power(CUBE, "paired_bootstrap", 2500, workers=workers).p_values,
    "consistency": lambda c, workers: (
        irviz.consistency(CUBE, trials=1100, coefficient="pearson", workers=workers).trials
    ),
    "its test": lambda c, workers: irviz.consistency(CUBE, trials=50, workers=workers).p_values,
    "sweep": lambda c, workers: epsilon_sweep(CUBE, [0.01, 1.0], trials=60, workers=workers).mean,
    "reduced pools": lambda c, workers: (
        irviz.pool_reduction(c, MEASURES, rates=(0.6, 0.2), repeats=3, workers=workers).repeats
    ),
}


@pytest.fixture(scope="module")
def collection():
    return irviz.open_collection("adhoc").subset(topics=[str(t) for t in irviz.open_collection("adhoc").topics[:4]])


@pytest.fixture(scope="module")
def alone(collection):
    return {name: work(collection, 1) for name, work in WORK.items()}


@pytest.mark.parametrize("workers", [None, 2, 3, "threading"])
@pytest.mark.parametrize("name", list(WORK))
def test_no_bit_depends_on_the_workers(name, workers, collection, alone):
    np.testing.assert_array_equal(WORK[name](collection, workers), alone[name], strict=True)


@pytest.mark.slow
def test_no_bit_depends_on_the_processes(collection, alone):
    for name, work in WORK.items():
        np.testing.assert_array_equal(work(collection, "loky"), alone[name], strict=True)


def test_workers_have_a_domain(collection):
    for name, work in WORK.items():
        with pytest.raises(irviz.IrvizError, match="workers"):
            work(collection, 0)
        assert name
