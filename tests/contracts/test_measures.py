"""What every measure of the catalogue promises: its text, its range, its ideal ranking, what it ignores."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import irviz
from irviz.measures.aggregation import AGGREGATIONS, Aggregation
from irviz.measures.browsing import BROWSING_MODELS, ModelOnGains
from irviz.measures.cascade import ERR
from irviz.measures.catalogue import MEASURES
from irviz.measures.cwla import CWLA
from irviz.measures.judged_lists import ExactTopic
from irviz.measures.language.base import REGISTRY, family
from tests.judged_runs import collection, judged_runs, measures, values
from tests.refusals import refused

ROOT = Path(__file__).resolve().parents[2]
ALL = measures(2)
ROUNDING = 1e-12
some = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_the_sample_covers_the_catalogue():
    sampled = {type(irviz.measure(name)) for name in ALL}
    assert sampled == set(MEASURES)
    walks = [irviz.measure(name) for name in ALL if name.startswith("CWLA")]
    assert {type(walk.C) for walk in walks} == set(BROWSING_MODELS)
    assert {type(walk.A) for walk in walks} == set(AGGREGATIONS)


def test_the_catalogues_hold_all_that_is_registered():
    assert set(family("measure").values()) == set(MEASURES)
    assert set(family("browsing model").values()) == set(BROWSING_MODELS)
    assert set(family("aggregation").values()) == set(AGGREGATIONS)


def test_everything_says_what_it_is():
    for kind in (*MEASURES, *BROWSING_MODELS, *AGGREGATIONS):
        assert kind.title and kind.formula and kind.source, kind
        assert (kind.__doc__ or "").split("\n")[0].endswith("."), kind


def test_its_text_is_its_value():
    for name in ALL:
        one = irviz.measure(name)
        again = irviz.measure(str(one))
        assert again == one and hash(again) == hash(one) and str(again) == str(one) == repr(one)
        assert irviz.measure(one) is one


@some
@given(data=judged_runs())
def test_scores_are_numbers_in_the_stated_range(data):
    runs, grades, pool = data
    names = measures(len(grades) - 1)
    for name, scores in zip(names, irviz.score(collection(runs, grades, pool), names).values, strict=True):
        low, high = irviz.measure(name).score_range(grades)
        assert np.isfinite(scores).all(), name
        assert low - ROUNDING <= scores.min() and scores.max() <= high + ROUNDING, name


@some
@given(data=judged_runs())
def test_the_ideal_ranking_scores_1(data):
    _, grades, pool = data
    for name in measures(len(grades) - 1):
        if irviz.measure(name).ideal_is_one:
            assert_ideal(name, grades, pool)


def assert_ideal(name, grades, pool):
    ideal = [level for level in range(len(grades) - 1, -1, -1) for _ in range(pool[level])]
    wanted = irviz.measure(name)
    least = getattr(wanted, "rel", None) or 1
    if not any(pool[int(least) :]):
        return
    if wanted.cutoff is not None and wanted.set_based:
        ideal, pool = ideal[: wanted.cutoff], [ideal[: wanted.cutoff].count(v) for v in range(len(grades))]
    elif name.startswith("AP") and wanted.cutoff is not None and sum(pool[int(least) :]) > wanted.cutoff:
        return  # under a cutoff the denominator stays the number of relevant documents
    elif name.startswith("GAP") and wanted.cutoff is not None and sum(pool[1:]) > wanted.cutoff:
        return
    assert values(name, [ideal], grades, pool)[0] == 1, name  # to the last bit


@some
@given(data=judged_runs(grades=3), seed=st.integers(0, 99))
def test_measures_of_sets_ignore_the_order_above_the_cutoff(data, seed):
    runs, grades, pool = data
    for name in [name for name in ALL if irviz.measure(name).set_based]:
        cut = irviz.measure(name).depth_seen(len(runs[0])) or len(runs[0])
        shuffle = np.random.default_rng(seed).permutation(cut)
        other = [[*np.array(run[:cut])[shuffle[: len(run)]].tolist(), *run[cut:]] for run in runs]
        after, before = (values(name, one, grades, pool) for one in (other, runs))
        assert after == pytest.approx(before, abs=1e-14), name


@some
@given(data=judged_runs(grades=3), tail=st.permutations(range(6)))
def test_what_stands_below_the_cutoff_does_not_matter(data, tail):
    runs, grades, pool = data
    pool = [n + 12 for n in pool]
    seen = {name: irviz.measure(name).depth_seen(1000) for name in ALL}
    for cut in sorted({depth for depth in seen.values() if depth < 10}):
        base = [[*run, *[0] * 12][:cut] for run in runs]
        names = [name for name, depth in seen.items() if depth == cut]
        below, flat = (
            irviz.score(collection([run + end for run in base], grades, pool), names).values
            for end in ([i % 3 for i in tail], [0] * 6)
        )
        np.testing.assert_allclose(below, flat, rtol=0, atol=1e-14, err_msg=f"{names}")


@pytest.mark.parametrize("name", [name for name in ALL if not name.startswith(("CAM", "MM"))])
def test_exact_arithmetic_gives_the_same_scores(name):
    levels = np.array(list(itertools.product(range(3), repeat=4)))
    topic = ExactTopic(levels, (0.0, 1.0, 2.0))
    exact = irviz.measure(name).score(topic)
    plain = values(name, levels.tolist(), (0, 1, 2), [4, 4, 4])
    assert exact.astype(float).tolist() == pytest.approx(plain, abs=1e-13)


def test_no_relevant_document_is_no_error():
    found = irviz.score(collection([[0, 0, 0]], (0.0, 1.0, 2.0), [3, 0, 0]), ALL).values[:, 0, 0]
    for name, value in zip(ALL, found, strict=True):
        constant = getattr(irviz.measure(name), "constant", False)
        assert constant or value == 0 or (name.startswith("CWLA") and name.endswith("A=ERR)@20")), name


def test_a_topic_without_any_judgment_or_list_is_no_error():
    empty = collection([[0]], (0, 1, 2))
    empty = type(empty)(
        "empty",
        ("1",),
        ("a",),
        ("relevance",),
        ((0.0, 1.0, 2.0),),
        np.full((1, 1, 3), -2, dtype=np.int32),
        np.full((1, 2, 1), -2, dtype=np.int16),
    )
    assert np.isfinite(irviz.score(empty, ALL).values).all()


@pytest.mark.parametrize("model", ["P@4", "DCG@4", "RBP(p=0.6)", "INST(T=1)", "AP", "ERR", "RR", "INSQ(T=1)", "BPM"])
@some
@given(data=judged_runs(grades=3))
def test_c_w_and_l_belong_together(model, data):
    runs, _, _ = data
    c = irviz.measure(f"CWLA(C={model},A=ERG)").C
    gains = np.array(runs) / (4 if model == "ERR" else 2)
    continuation, survival, last = (f(gains) for f in (c.continuation, c.survival, c.last))
    weight = ModelOnGains(c, gains).weight
    assert ((continuation >= 0) & (continuation <= 1)).all()
    read = np.broadcast_to(survival[:, 0] > 0, len(survival))
    assert last.sum(axis=1) == pytest.approx(read.astype(float))
    assert weight.sum(axis=1) == pytest.approx(read.astype(float))
    assert (last >= -1e-15).all()
    if c.stops_at_gains:
        assert (last[:, :-1][gains[:, :-1] == 0] == 0).all()
    # L(i) = (1 − C(i)) Π_{j<i} C(j), but for the end of the list, where everyone stops
    assert last[:, :-1] == pytest.approx(((1 - continuation) * survival)[:, :-1], abs=1e-12)
    # W(i + 1) = W(i) C(i)
    assert weight[:, 1:] == pytest.approx(weight[:, :-1] * continuation[:, :-1], abs=1e-12)


def test_a_second_measure_of_one_name_is_refused():
    assert refused(lambda: type("Other", (CWLA,), {"symbol": "ERR"})) == (
        f"There are two measures `ERR`: {ERR!r} and <class 'tests.contracts.test_measures.Other'>."
    )


def test_an_aggregation_that_does_not_say_its_scale_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(REGISTRY, "aggregation", dict(REGISTRY["aggregation"]))

    class Silent(Aggregation):
        symbol = "silent"

        def amount(self, walk):
            return walk.gains

    one = CWLA(A=Silent())
    assert irviz.score(collection([[1, 0]], (0.0, 1.0)), one).values.item() > 0
    assert (
        refused(lambda: one.scale((0.0, 1.0)))
        == "The aggregation silent does not say its scale type. Give its class a `scale`."
    )


def test_a_total_gain_has_the_range_it_reaches():
    """A user of INST on a list of nothing but the best grade reads, and gains, many documents."""
    for name in ("CWLA(C=INST(T=2.25),A=ETG)", "CWLA(C=RBP(p=0.9),A=ETG)", "CWLA(C=P@10,A=ETG)"):
        one = irviz.measure(name)
        best = values(name, [[1] * 1000], (0.0, 1.0))[0]
        assert 2 < best <= one.bounds[1] + ROUNDING
        assert one.bounds == one.score_range((0.0, 1.0))
    assert irviz.measure("CWLA(C=P@10,A=ETG)").bounds == (0, 10)
    assert irviz.measure("CWLA(C=P@10,A=ERG)").bounds == (0, 1)
