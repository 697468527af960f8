"""Identities between measures, over random judged runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import irviz
from irviz.measures.judged_lists import Topics
from tests.judged_runs import collection, judged_runs, values

many = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
some = settings(many, max_examples=8)  #: of each browsing model
MODELS = ("P@5", "DCG@5", "RBP(p=0.7)", "INST(T=1.5)", "AP", "ERR", "RR", "INSQ(T=1)", "BPM(T=1.5,K=6)")
probability = st.sampled_from([0.1, 0.3, 1 / 3, 0.5, 0.8, 0.95])


def close(one, other, tolerance=1e-12):
    assert one == pytest.approx(other, abs=tolerance, rel=tolerance)


#: two expressions of one measure, on how many grades (any: None), of a cutoff and a probability
SAME = (
    ("CWLA(C=P@{k},A=ERG)", "P@{k}", 2),
    ("CWLA(C=P@{k},A=ERG)", "gP@{k}", None),
    ("CWLA(C=RBP(p={p}),A=ERG)", "RBP(p={p})", None),  # the user of C/W/L/A stops at rank 1000: weights sum to 1
    ("CWLA(C=INST(T={k}),A=ERG)", "INST(T={k})", None),
    ("CWLA(C=INST(T=0.5),A=ERG)", "INST(T=0.5)", None),
    ("CWLA(C=ERR,A=ERR)", "ERR", None),
    ("CWLA(C=ERR,A=ERR)@{k}", "ERR@{k}", None),
    ("CWLA(C=AP,A=ERG)", "AP", 2),
    ("CWLA(C=RR,A=ERR)", "RR", 2),
    ("SBTO", "P", 2),
    ("gP@{k}", "P@{k}", 2),
    ("gR@{k}", "R@{k}", 2),
    ("RBP(p={p},rel=1)", "RBP(p={p})", 2),
)


@pytest.mark.parametrize(("one", "other", "grades"), SAME)
@many
@given(draw=st.data(), k=st.integers(1, 12), p=probability)
def test_two_expressions_are_one_measure(one, other, grades, draw, k, p):
    data = draw.draw(judged_runs() if grades is None else judged_runs(grades=grades))
    close(values(one.format(k=k, p=p), *data), values(other.format(k=k, p=p), *data))


@many
@given(data=judged_runs())
def test_inst_by_the_definition(data):
    runs, grades, _ = data
    by_hand = []
    for run in runs:
        gains = [x / grades[-1] for x in run] + [0.0] * (60 - len(run))
        missing, survival, read, gained = 2.25, 1.0, 0.0, 0.0
        for i, gain in enumerate(gains, start=1):
            read, gained, missing = read + survival, gained + survival * gain, missing - gain
            survival *= ((i - 1 + 2.25 + missing) / (i + 2.25 + missing)) ** 2
        by_hand.append(gained / read)
    close(values("INST(T=2.25)@60", *data), by_hand)


@many
@given(data=judged_runs(), k=st.integers(1, 12))
def test_cwla_of_dcg_is_dcg_over_its_discounts(data, k):
    runs, grades, _ = data
    discount = 1 / np.log2(np.arange(2, k + 2))
    by_hand = [(np.array(run[:k]) / grades[-1]) @ discount[: len(run[:k])] / discount.sum() for run in runs]
    close(values(f"CWLA(C=DCG@{k},A=ERG)", *data), by_hand)


@pytest.mark.parametrize("model", MODELS)
@some
@given(data=judged_runs())
def test_total_gain_is_rate_of_gain_times_items(model, data):

    topic = Topics(collection(*data), [0])
    rate, total = (irviz.measure(f"CWLA(C={model},A={a})") for a in ("ERG", "ETG"))
    items = rate.expected_items(topic.aspect(None))
    close(total.score(topic).tolist(), (items * rate.score(topic)).tolist())


@pytest.mark.parametrize("model", MODELS)
@some
@given(data=judged_runs(), beta=st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_peak_end_lies_between_peak_and_end(model, data, beta):
    peak, end, both = (np.array(values(f"CWLA(C={model},A={a})", *data)) for a in ("max", "fin", f"PE(beta={beta})"))
    assert (end <= peak + 1e-12).all()
    close(both.tolist(), (beta * peak + (1 - beta) * end).tolist())


@pytest.mark.parametrize("model", MODELS)
@some
@given(data=judged_runs())
def test_cwla_by_its_definition(model, data):
    """Σ_{i<N} (1 − C(i)) Π C(j) A(i), and at the last rank everyone who got there."""
    c = collection(*data)
    for aggregation in ("ERG", "ETG", "avg", "max", "fin", "PE(beta=0.3)", "ERR"):
        assert_defined(model, aggregation, data, c)


def assert_defined(model, aggregation, data, c):
    one = irviz.measure(f"CWLA(C={model},A={aggregation})@15")
    judged = Topics(c, [0]).aspect(None)
    gains = np.zeros((len(data[0]), 15))
    table = np.array(one.table(judged))
    gains[:, : c.depth] = table[np.array(data[0])]
    continuation = np.broadcast_to(one.C.continuation(gains), gains.shape)
    items = np.broadcast_to(one.expected_items(judged), len(gains))
    for run in range(len(gains)):
        r, survival, total = gains[run], 1.0, 0.0
        for i in range(1, 16):
            amount = {
                "ERG": r[:i].sum() / (items[run] or 1),
                "ETG": r[:i].sum(),
                "avg": r[:i].mean(),
                "max": r[:i].max(),
                "fin": r[i - 1],
                "PE(beta=0.3)": 0.3 * r[:i].max() + 0.7 * r[i - 1],
                "ERR": 1 / i,
            }[aggregation]
            leaves = 1 - continuation[run, i - 1]
            if i == 15 and aggregation != "ERR":
                leaves = 1.0
            total += survival * leaves * amount
            survival *= continuation[run, i - 1]
        if model == "AP" and not r.any():
            total = 0.0
        assert one.score(Topics(c, [0]))[run] == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize("grades", [2, 3])
@many
@given(draw=st.data())
def test_rbto_is_linear_in_rbp_of_one_over_the_grades(grades, draw):
    data = draw.draw(judged_runs(grades=grades))
    n = len(data[0][0])
    close(values("RBTO", *data), (np.array(values(f"RBP(p=1/{grades})", *data)) / (1 - float(grades) ** -n)).tolist())


@many
@given(data=judged_runs(), g=st.lists(st.integers(0, 5), min_size=3, max_size=3))
def test_egap_is_the_expectation_of_ap(data, g):
    c = len(data[1]) - 1
    if not any(g[:c]):
        return
    shares = [x / sum(g[:c]) for x in g[:c]]
    expected = sum(share * np.array(values(f"AP(rel={k})", *data)) for k, share in enumerate(shares, start=1))
    close(values(f"eGAP(g={shares})", *data), expected.tolist())


@many
@given(data=judged_runs(), k=st.integers(1, 3))
def test_one_threshold_makes_the_three_graded_aps_equal_to_ap(data, k):
    c = len(data[1]) - 1
    k = min(k, c)
    g = [float(j == k) for j in range(1, c + 1)]
    for name in ("GAP", "xGAP", "eGAP"):
        close(values(f"{name}(g={g})", *data), values(f"AP(rel={k})", *data))


@many
@given(data=judged_runs(grades=3), g1=st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]))
def test_graded_aps_by_their_equations(data, g1):
    runs, _, pool = data
    g = [0.0, g1, 1 - g1]
    r, big = np.array(pool), np.cumsum(pool[::-1])[::-1]
    if not any(share and n for share, n in zip(g[1:], big[1:], strict=True)):
        return
    sums = np.cumsum(g)
    gap, xgap = [], []
    for run in runs:
        first = second = 0.0
        for n, level in enumerate(run, start=1):
            shared = sum(sums[min(level, above)] for above in run[:n])
            first += shared / n
            if sums[level]:
                picked = sum(g[k] / big[k] for k in range(1, level + 1))
                second += picked / sums[level] * shared / n
        gap.append(first / (r[1:] * sums[1:]).sum())
        xgap.append(second)
    close(values(f"GAP(g={g[1:]})", *data), gap)
    close(values(f"xGAP(g={g[1:]})", *data), xgap)


@many
@given(data=judged_runs(grades=2), k=st.integers(1, 12))
def test_f_is_the_harmonic_mean_of_precision_and_recall(data, k):
    p, r = (np.array(values(f"{name}@{k}", *data)) for name in ("P", "R"))
    both = np.divide(2 * p * r, p + r, out=np.zeros_like(p), where=p + r > 0)
    close(values(f"F@{k}", *data), both.tolist())


@many
@given(data=judged_runs(grades=3, same_length=False))
def test_a_short_list_is_as_good_as_one_that_ends_without_relevance(data):
    runs, grades, pool = data
    depth = max(map(len, runs))
    filled = [run + [0] * (depth - len(run)) for run in runs]
    pool = [pool[0] + depth, *pool[1:]]
    for name in ("P", "P@5", "AP", "RR", "nDCG", "nDCG@4", "DCG", "RBP", "ERR", "SBTO", "RBTO", "INST", "Rprec"):
        close(values(name, filled, grades, pool), values(name, runs, grades, pool))
