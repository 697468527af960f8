"""Findings of Ferrante et al. 2014."""

from __future__ import annotations

import numpy as np

from benchmarks.findings.data import RUNS, Data, Finding, each

CITE = "Ferrante et al. 2014"
KINDS = ("GAP", "xGAP", "eGAP")
FEW = (
    "Almost no topic here satisfies the paper's rule for few highly relevant documents, R(1) ≥ 10·R(2); the quarter of "
    "the topics with the highest R(1)/R(2) is used instead."
)


def one_weight(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "graded", "table2").values
        tau = [v[g, k, "GAP", "all"] for g in ("0.0 1.0", "1.0 0.0") for k in ("xGAP", "eGAP")]
        tau += [v["1.0 0.0", k, "AP", "all"] for k in ("GAP", "xGAP", "eGAP")]
        return min(tau) > 1 - 1e-9, f"Lowest of {len(tau)} values of τ: {min(tau):.4f}."

    return Finding(
        CITE,
        "with all weight on one grade, GAP, xGAP and eGAP are equal, and equal to AP if it is the lowest grade",
        each(RUNS, ask),
    )


def gap_near_ap(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "graded", "table2").values
        words, seen = [], []
        for topics in ("all", "few_highly_relevant"):
            gap, x, e = (v["0.1 0.9", k, "AP", topics] for k in KINDS)
            seen.append(gap > max(x, e))
            words.append(f"{topics.replace('_', ' ')}: GAP {gap:.2f}, xGAP {x:.2f}, eGAP {e:.2f}")
        return all(seen), f"τ with AP at g = (.1, .9), {'; '.join(words)} (TREC10: .84, .73, .72; few: .80, .48, .45)."

    return Finding(
        CITE,
        "with g = (.1, .9), GAP agrees more with AP than xGAP and eGAP do, on all topics and on those with few highly "
        "relevant documents",
        each(RUNS, ask),
        FEW,
    )


def rising(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "graded", "table2").values
        shares = [f"{i / 10:.1f} {1 - i / 10:.1f}" for i in range(11)]
        falls = {k: float(min(np.diff([v[g, k, "AP", "all"] for g in shares]))) for k in ("xGAP", "eGAP")}
        words = ", ".join(
            f"{k} from {v[shares[0], k, 'AP', 'all']:.2f}, steepest fall {max(0, -x):.3f}" for k, x in falls.items()
        )
        return min(falls.values()) > -0.01, f"τ with AP: {words}."

    return Finding(CITE, "the τ of xGAP and eGAP with AP increases with g_1", each(RUNS, ask))


def ndcg_robust(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        curves = data.curves(where, "graded", "figure1").mean(axis=1).loc["All topics"].sort_values(ascending=False)
        words = ", ".join(f"{name} {tau:.2f}" for name, tau in curves.items())
        return set(curves.index[:2]) == {"nDCG", "bpref"}, f"Mean self-τ: {words}."

    return Finding(CITE, "nDCG and bpref are the most robust to reduced pools", each(RUNS, ask))


def xgap_shallow(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        few = data.curves(where, "graded", "figure1").loc["Few highly relevant", ["10%", "5%"]]
        seen = all(few.loc[k, share] > few.loc["GAP", share] for k in ("xGAP", "eGAP") for share in few)
        words = [f"{share} kept: " + ", ".join(f"{k} {few.loc[k, share]:.2f}" for k in KINDS) for share in few]
        return seen, "; ".join(words) + "."

    return Finding(
        CITE,
        "in pools of 10 and 5%, xGAP and eGAP are more robust than GAP on topics with few highly relevant documents",
        each(RUNS, ask),
        f"The differences are at most a few hundredths. {FEW}",
    )


CLAIMS = (one_weight, gap_near_ap, rising, ndcg_robust, xgap_shallow)
