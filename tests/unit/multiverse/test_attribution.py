"""What decides: shares of the variance are those of the analysis of variance, or of all orders of least squares."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from irviz.multiverse.dimensions import DIMENSIONS
from irviz.multiverse.influence import attribution, main_effects
from irviz.multiverse.worlds import Worlds

RNG = np.random.default_rng(8)
SIZES = {"measure": 4, "average": 3, "unjudged": 2, "topics": 3}


def codes(sizes: dict[str, int]) -> np.ndarray:
    shape = [sizes.get(name, 1) for name in DIMENSIONS]
    return np.indices(shape, dtype=np.int16).reshape(len(shape), -1).T


def effects(which: np.ndarray) -> np.ndarray:
    """Main effects of two dimensions, an interaction, and noise."""
    return which[:, 0] ** 1.5 + (which[:, 1] == 2) + which[:, 0] * which[:, 4] + RNG.normal(size=len(which))


def explained(which: np.ndarray, values: np.ndarray, columns: tuple[int, ...]) -> float:
    """R² of the additive model, by least squares."""
    marks = [which[:, j] == option for j in columns for option in np.unique(which[:, j])]
    design = np.stack([np.ones(len(which)), *marks], axis=1)
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return float(((fitted - values.mean()) ** 2).sum() / ((values - values.mean()) ** 2).sum())


def test_of_all_combinations_it_is_the_analysis_of_variance():
    which = codes(SIZES)
    values = effects(which)
    shares, rest = main_effects(which, values)
    for j in range(len(DIMENSIONS)):
        means = np.array([values[which[:, j] == code].mean() for code in which[:, j]])
        expected = ((means - values.mean()) ** 2).sum() / ((values - values.mean()) ** 2).sum()
        assert shares[j] == pytest.approx(expected, abs=1e-12)
    assert shares.sum() + rest == pytest.approx(1, abs=1e-12)
    assert rest > 0.05


def test_of_some_combinations_it_is_the_mean_over_all_orders():
    which = codes(SIZES)
    which = which[RNG.permutation(len(which))[:40]]
    which = which[~((which[:, 0] == 3) & (which[:, 4] == 1))]  # a measure that makes no sense with an option
    values = effects(which)
    shares, rest = main_effects(which, values)
    varying = [0, 1, 4, 7]
    expected = dict.fromkeys(varying, 0.0)
    orders = list(permutations(varying))
    for order in orders:
        for place, j in enumerate(order):
            before = explained(which, values, order[:place]) if place else 0.0
            expected[j] += (explained(which, values, order[: place + 1]) - before) / len(orders)
    assert {j: shares[j] for j in varying} == pytest.approx(expected, abs=1e-10)
    assert rest == pytest.approx(1 - sum(expected.values()), abs=1e-10)


def worlds(which: np.ndarray) -> Worlds:
    options = {name: tuple(range(which[:, i].max() + 1)) for i, name in enumerate(DIMENSIONS)}
    return Worlds(options, which, len(which), {}, 0)


def test_tests_and_families_decide_nothing_however_often_they_are_counted():
    which = codes({**SIZES, "test": 3, "family": 2})
    which = which[(which[:, 9] == 0) | ((which[:, 2] == 1) & (which[:, 1] != 2))]  # for one test and some averages
    values = effects(codes(SIZES))[np.ravel_multi_index(tuple(which[:, [0, 1, 4, 7]].T), tuple(SIZES.values()))]
    found = attribution(worlds(which), values)
    assert (found["test"], found["family"]) == (0, 0)
    assert list(found.index) == [*DIMENSIONS, "interactions"]
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()


def test_infinite_differences_are_left_out_and_equal_ones_decide_nothing():
    which = codes(SIZES)
    values = effects(which)
    some = values.copy()
    some[5] = np.inf
    rest = np.delete(np.arange(len(which)), 5)
    assert attribution(worlds(which), some).to_numpy() == pytest.approx(
        [*main_effects(which[rest], values[rest])[0], main_effects(which[rest], values[rest])[1]]
    )
    assert attribution(worlds(which), np.full(len(which), 0.1 + 0.2)).isna().all()


def test_of_no_world_nothing_is_explained():
    shares, rest = main_effects(np.empty((0, len(DIMENSIONS)), dtype=np.int16), np.empty(0))
    assert np.isnan(shares).all() and np.isnan(rest)
