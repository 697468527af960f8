"""Topic and system filters: the rules of Ferrante et al. 2014, section 6."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from irviz.collection.codes import ABSENT
from irviz.collection.model import Collection
from irviz.stats.subsets import above_first_quartile, by_hardness, few_highly_relevant, level_counts
from irviz.stats.topic_effects import hardness
from tests.refusals import refused


def judged(*counts):
    """A collection whose topics have these numbers of documents at levels 1, 2, 3."""
    size = max(sum(c) for c in counts)
    labels = np.full((len(counts), size, 1), ABSENT, dtype=np.int16)
    for t, c in enumerate(counts):
        labels[t, : sum(c), 0] = np.repeat([1, 2, 3], c)
    names = tuple(f"t{i}" for i in range(len(counts)))
    ranking = np.zeros((len(counts), 1, 1), dtype=np.int32)
    return Collection("c", names, ("s",), ("relevance",), ((0.0, 1.0, 2.0, 3.0),), ranking, labels)


COLLECTION = judged((20, 2, 1), (20, 3, 0), (19, 2, 2), (30, 0, 3), (40, 1, 4))


def test_counts_by_level():
    counts = level_counts(COLLECTION)
    assert counts.to_numpy().tolist() == [[20, 2, 1], [20, 3, 0], [19, 2, 2], [30, 0, 3], [40, 1, 4]]
    assert list(counts.index) == ["t0", "t1", "t2", "t3", "t4"]


def test_few_highly_relevant_and_few_key():
    assert few_highly_relevant(COLLECTION) == ("t0", "t4")  # t3 has none at all: R(2) ≠ 0 fails
    assert few_highly_relevant(COLLECTION, level=3) == ("t0", "t3", "t4")
    assert few_highly_relevant(COLLECTION, ratio=9) == ("t0", "t2", "t4")


def test_few_highly_relevant_needs_a_higher_level():
    binary = Collection("b", ("t",), ("s",), ("r",), ((0.0, 1.0),), COLLECTION.ranking[:1], COLLECTION.labels[:1])
    assert refused(lambda: few_highly_relevant(binary)) == (
        "Few highly relevant documents: the collection has no level above relevant. Choose all topics."
    )
    assert (
        refused(lambda: few_highly_relevant(COLLECTION, level=4))
        == "`level` must be between 2 and 3, the highest; got 4."
    )


def test_quarters_by_hardness_part_the_topics():
    matrix = pd.DataFrame(np.random.default_rng(0).random((10, 5)), index=[f"t{i}" for i in range(10)])
    quarters = [by_hardness(matrix, q) for q in (1, 2, 3, 4)]
    assert sorted(sum(quarters, ())) == sorted(matrix.index)
    assert [len(q) for q in quarters] == [3, 3, 2, 2]
    hard = hardness(matrix)
    assert all(hard[list(a)].max() <= hard[list(b)].min() for a, b in zip(quarters, quarters[1:], strict=False))
    assert refused(lambda: by_hardness(matrix, 0)) == "`quarter` must be 1 (easiest), 2, 3 or 4 (hardest); got 0."


@pytest.mark.parametrize(("systems", "kept"), [(95, 71), (74, 55), (27, 20)])
def test_systems_above_the_first_quartile_as_many_as_in_table_1(systems, kept):
    scores = np.random.default_rng(systems).random((5, systems))
    matrix = pd.DataFrame(scores, columns=[f"s{i}" for i in range(systems)])
    chosen = above_first_quartile(matrix)
    assert len(chosen) == kept
    dropped = [s for s in matrix.columns if s not in chosen]
    assert matrix[dropped].mean().max() < matrix[list(chosen)].mean().min()


def test_nobody_is_below_the_quartile_when_all_tie():
    assert above_first_quartile(pd.DataFrame(np.full((3, 4), 0.5), columns=list("abcd"))) == tuple("abcd")
