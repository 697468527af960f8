"""Results that say the same of a measure whatever others were asked for: cut apart, and put together again."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from irviz.collection.catalogue import open_collection
from irviz.errors import IrvizError
from irviz.stats.consistency import across_measures, consistency, epsilon_sweep, halves_correlated, topics_resampled
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.scores import score
from irviz.stats.significance import discriminative_power

MEASURES = ["AP", "P@5", "nDCG@10"]


def collection():
    """Ten systems on six topics of a bundled collection."""
    whole = open_collection("adhoc")
    return whole.subset(topics=whole.topics[:6], systems=whole.systems[:10])


WORKS = {
    "discriminative power": lambda c, names: discriminative_power(score(c, names), trials=30),
    "bootstrap": lambda c, names: discriminative_power(score(c, names), "paired_bootstrap", trials=30),
    "halves": lambda c, names: halves_correlated(score(c, names), trials=9),
    "resampled topics": lambda c, names: topics_resampled(score(c, names)),
    "sweep": lambda c, names: epsilon_sweep(score(c, names), [0.01, 1.0], trials=9),
    "pools": lambda c, names: pool_reduction(c, names, rates=(0.5, 0.1), repeats=2),
}


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_parts_are_what_each_measure_gives_alone_and_join_to_the_whole(work):
    c = collection()
    whole = work(c, MEASURES)
    parts = whole.parts()
    for name, part in zip(MEASURES, parts, strict=True):
        _same(part, work(c, [name]))
    _same(parts[0].joined(parts[1:]), whole)


def test_consistency_is_its_halves_and_the_test_across_measures():
    cube = score(collection(), MEASURES)
    halves, resampled = halves_correlated(cube, trials=9), topics_resampled(cube)
    _same(across_measures(halves, resamples=resampled), consistency(cube, trials=9))


def test_another_alpha_is_what_the_test_says_at_it():
    cube = score(collection(), MEASURES)
    moved, asked = (
        discriminative_power(cube, trials=50).with_alpha(0.3),
        discriminative_power(cube, trials=50, alpha=0.3),
    )
    assert moved.frame().equals(asked.frame()) and np.array_equal(moved.separated, asked.separated)
    with pytest.raises(IrvizError, match="alpha"):
        moved.with_alpha(1.5)


def _same(one, other) -> None:
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name == "results":
            assert len(a) == len(b)
            for x, y in zip(a, b, strict=True):
                _same(x, y)
        elif isinstance(a, np.ndarray):
            assert np.array_equal(a, b, equal_nan=True), field.name
        else:
            assert a == b, field.name
