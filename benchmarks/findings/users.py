"""Findings of Chen & Sakai 2023."""

from __future__ import annotations

import numpy as np

from benchmarks.findings.data import RUNS, Data, Finding, each
from irviz.gallery.users import BROWSING, aggregations

CITE = "Chen & Sakai 2023"


def same_rankings(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "users", "figure1").values
        tau = [v[model, "ERG", "ETG"] for model in ("Precision", "DCG", "RBP")] + [v["Precision", "ERG", "avg"]]
        return min(tau) == 1.0, f"τ: {', '.join(f'{x:.3f}' for x in tau)}."

    return Finding(
        CITE,
        "ERG and ETG rank systems identically under precision, DCG and RBP; under precision, avg does too",
        each(RUNS, ask),
    )


def _places(data: Data, where: str) -> dict[str, list[tuple[str, float]]]:
    """Aggregations of each browsing model with their consistency, best first."""
    v = data.gallery(where, "users", "table3").values
    return {
        m: sorted(((k, v[m, k]) for k in aggregations(m)), key=lambda kv: -np.nan_to_num(kv[1], nan=-2.0))
        for m in BROWSING
    }


def _listed(places: dict[str, list[tuple[str, float]]]) -> str:
    return "; ".join(
        f"{model}: " + ", ".join(f"{kind} {value:.3f}" for kind, value in order) for model, order in places.items()
    )


def erg_consistent(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        places = _places(data, where)
        top = [m for m, order in places.items() if dict(order)["ERG"] >= order[1][1] - 1e-9]
        return len(
            top
        ) >= 5, f"Most or second most consistent under {len(top)} of 6 browsing models. {_listed(places)}."

    return Finding(
        CITE,
        "ERG is the most or second most consistent aggregation (in the paper, except INST on one collection)",
        each(RUNS, ask),
    )


def max_consistent(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        places = _places(data, where)
        low = [m for m, order in places.items() if "max" in [kind for kind, _ in order[-2:]]]
        return len(low) >= 5, f"Least or second least consistent under {len(low)} of 6: {', '.join(low)}."

    return Finding(
        CITE,
        "the maximum is the least or second least consistent (in the paper, except precision on one collection)",
        each(RUNS, ask),
    )


def err_specialised(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        places = _places(data, where)
        rank = {model: [kind for kind, _ in places[model]].index("ERR") + 1 for model in ("ERR", "INST", "AP")}
        words = ", ".join(f"{model} {dict(places[model])['ERR']:.3f} (place {n} of 7)" for model, n in rank.items())
        return rank["ERR"] <= 3 and rank["INST"] >= 6 and rank["AP"] >= 6, f"Mean τ: {words}."

    claim = "A_ERR is consistent with ERR's browsing model, and among the two least consistent with INST's and AP's"
    return Finding(CITE, claim, each(RUNS, ask))


def max_weak(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        frame = data.gallery(where, "users", "figure2").tables["Pairs separated"].frame
        low, words = 0, []
        for model in ("DCG", "RBP", "INST", "ERR"):
            counts = frame[frame["browsing"] == model].set_index("aggregation")["separated"]
            low += int(counts["max"] == counts.min())
            words.append(f"{model}: max {counts['max']}, fewest {counts.idxmin()} {counts.min()}, ERG {counts['ERG']}")
        return low == 4, f"Fewest pairs under {low} of 4. {'; '.join(words)} of {frame['pairs'].iloc[0]:,} pairs."

    return Finding(CITE, "the maximum separates the fewest pairs under DCG, RBP, INST and ERR", each(RUNS, ask))


CLAIMS = (same_rankings, erg_consistent, max_consistent, err_specialised, max_weak)
