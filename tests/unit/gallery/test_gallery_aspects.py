"""Maistro et al. 2021 as its section 4.1 says: before AP every aspect is binary, for TOMA and for the baselines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from irviz.collection.model import Collection
from irviz.gallery.examples import expressions
from irviz.gallery.paper import Evidence
from irviz.gallery.tables import table_of
from irviz.stats.scores import score
from irviz.workspace.context import Context, Dataset
from tests.panels import context_of, opened_once


def binarised(collection: Collection) -> Collection:
    """All grades above zero as one, on every aspect, by hand."""
    grades = tuple((0.0, 1.0) for _ in collection.aspects)
    return replace(collection, grades=grades, labels=np.minimum(collection.labels, 1).astype(np.int16))


@pytest.fixture(scope="module")
def context() -> Context:
    return context_of(Dataset("multiaspect", "Multiaspect", opened_once("multiaspect")))


def test_euclid_and_manhattan_rank_alike_with_ap(context):
    """Section 4.3.1: τ = 1 "by definition"; a label tuple of zeros and ones is as far away by both."""
    values = table_of(Evidence(context), "aspects.table4").values
    assert values["measures with AP", "EUCL - MANH"] == 1.0
    assert values["measures with nDCG", "EUCL - MANH"] < 1.0


def test_with_ap_all_five_measures_see_binary_aspects(context):
    small = context.collection.subset(systems=context.systems[:5])
    by_hand = binarised(small)
    names = expressions(small, "AP")
    plain = {name: text.replace(",binary=True", "") for name, text in names.items()}
    assert all("binary=True" in text for text in names.values())
    assert np.array_equal(score(small, list(names.values())).values, score(by_hand, list(plain.values())).values)
    assert not any("binary" in text for text in expressions(small, "nDCG").values())
