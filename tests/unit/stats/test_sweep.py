"""A sweep gives, value by value, what the analyses of one measure give, on draws that all values share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

import irviz
from benchmarks.calibration import sweep_coverage
from irviz.collection.catalogue import open_collection
from irviz.errors import IrvizError
from irviz.stats.significance import discriminative_power
from irviz.stats.sweep import share_margins, shares, sweep

OTHERS = ("AP", "nDCG@10", "RBP(p=0.8)")
FEW = {"trials": 60, "splits": 40, "repeats": 3, "others": OTHERS}


def collection(topics: int = 8, systems: int = 9):
    whole = open_collection("adhoc")
    return whole.subset(topics=whole.topics[:topics], systems=whole.systems[:systems])


def test_every_property_is_the_one_of_its_own_analysis():
    c = collection()
    found = sweep(c, "RBP(p={})", (0.5, 0.8), **FEW)
    assert found.measures == ("RBP(p=0.5)", "RBP(p=0.8)") and found.others == ("AP", "nDCG@10")
    for i, name in enumerate(found.measures):
        s = irviz.score(c, [name])
        halves = irviz.consistency(s, trials=40)
        pools = irviz.pool_reduction(c, [name], rates=[0.1], repeats=3)
        tau = irviz.similarity(irviz.score(c, [name, *found.others])).values[0, 1:]
        assert found.significant[i] == irviz.significance(s[name], trials=60).ratio
        assert found.consistency[i] == halves.mean[0]
        assert (found.low["consistency"][i], found.high["consistency"][i]) == (halves.low[0], halves.high[0])
        assert found.agreement[i] == pools.tau[0, 0]
        assert found.tau[i] == pytest.approx(tau.mean(), abs=1e-15)
        assert (found.low["tau"][i], found.high["tau"][i]) == (tau.min(), tau.max())


def test_a_value_has_the_same_numbers_in_any_sweep_and_with_any_workers():
    c = collection()
    one, several = sweep(c, "RBP(p={})", [0.6], **FEW), sweep(c, "RBP(p={})", [0.3, 0.6, 0.9], workers=2, **FEW)
    for name in one.properties:
        assert getattr(one, name)[0] == getattr(several, name)[1]
        assert one.low[name][0] == several.low[name][1] and one.high[name][0] == several.high[name][1]


@pytest.mark.parametrize(("topics", "systems", "trials", "repeats"), [(50, 20, 400, 30), (30, 10, 1000, 60)])
def test_the_band_holds_other_draws_and_the_interval_of_a_gain_the_gain(topics, systems, trials, repeats):
    """Nominal 95 %; once the first band held 90 % and the second interval 84 %."""
    others, gains = sweep_coverage(topics, systems, trials, repeats)
    assert others >= 0.95 and gains >= 0.93


def test_differences_of_two_values_have_intervals_over_the_draws_that_they_share():
    c = collection(topics=20, systems=20)
    found = sweep(c, "RBP(p={})", (0.5, 0.51, 0.9), **{**FEW, "trials": 400})
    against = found.against(0.5)
    s = irviz.score(c, found.measures)
    for name in ("significant", "consistency", "agreement"):
        values, margins = getattr(found, name), found.margins[name]
        assert against[name].tolist() == (values - values[0]).tolist()
        assert np.array_equal(margins, margins.T) and not margins.diagonal().any()
        assert (against[f"{name}_high"] - against[name]).to_numpy() == pytest.approx(margins[:, 0])
        assert margins[0, 1] < margins[0, 2]  # what is nearly the same has nearly the same noise
    halves = irviz.consistency(s, trials=40)
    assert against.consistency_low[2] == pytest.approx(halves.lead_low[2, 0])
    repeats = irviz.pool_reduction(c, found.measures, rates=[0.1], repeats=3).repeats[:, 0]
    interval = ttest_rel(repeats[2], repeats[0]).confidence_interval(0.95)
    assert (against.agreement_low[2], against.agreement_high[2]) == pytest.approx((interval.low, interval.high))
    assert np.isnan(found.margins["tau"]).all()
    with pytest.raises(IrvizError, match="is not among the values of the sweep"):
        found.against(0.7)


def test_a_test_without_shared_draws_has_the_sum_of_the_bands_and_one_without_draws_no_margin():
    s = irviz.score(collection(), ["AP", "P@10"])
    assert not share_margins(discriminative_power(s, "anova_tukey")).any()
    power = discriminative_power(s, "paired_bootstrap", trials=200)
    found, low, high = shares(power)
    reach = np.maximum(found - low, high - found)
    assert share_margins(power)[0, 1] == reach[0] + reach[1]


def test_without_other_measures_their_tau_is_undefined_and_ties_stay_undefined():
    found = sweep(collection(), "RBP(p={})", [0.8], **{**FEW, "others": ["RBP(p=0.8)"]})
    assert found.others == () and np.isnan([found.tau[0], found.low["tau"][0], found.high["tau"][0]]).all()
    c = collection()
    tied = sweep(c.with_labels(np.zeros_like(c.labels)), "P@{}", [5], **FEW)
    assert tied.significant[0] == 0 and np.isnan([tied.consistency[0], tied.agreement[0], tied.tau[0]]).all()


@pytest.mark.parametrize("kind", ["satisfaction", "preferences"])
def test_agreement_with_users_is_that_of_its_own_analysis(kind):
    c = collection()
    rows = [(topic, system, 5 - i % 4) for topic in c.topics for i, system in enumerate(c.systems[:4])]
    pairs = [(topic, c.systems[i], c.systems[i + 1], c.systems[i]) for topic in c.topics for i in range(3)]
    said = {
        "satisfaction": pd.DataFrame(rows, columns=["topic", "system", "satisfaction"]),
        "preferences": pd.DataFrame(pairs, columns=["topic", "a", "b", "winner"]),
    }[kind]
    given = getattr(irviz, f"load_{kind}")(said)
    found = sweep(c.attached(**{kind: given}), "RBP(p={})", (0.5, 0.8), **FEW)
    alone = getattr(irviz, kind)(irviz.score(c, found.measures), given)
    assert found.users.tolist() == alone.values.tolist()
    assert found.high["users"].tolist() == alone.high.tolist() and "users" in found.frame()
    assert sweep(c, "RBP(p={})", (0.5,), **FEW).users is None


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("RBP", [0.5]),
        ("CWLA(C=RBP(p={}),A=ERG)@{}", [0.5]),
        *(("RBP(p={})", values) for values in ([], "0.5", [0.5, 0.5], [1.5], [None])),
    ],
)
def test_refusals(expression, values):
    with pytest.raises(IrvizError):
        sweep(collection(), expression, values, **FEW)


def test_one_system_and_one_topic_are_refused():
    for c in (collection(topics=1), collection(systems=1)):
        with pytest.raises(IrvizError, match="at least two"):
            sweep(c, "RBP(p={})", [0.5], **FEW)
