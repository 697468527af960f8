"""What Ferrante, Ferro and Maistro 2014 claim: average precision for graded relevance."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.gallery.paper import Answer, Evidence, case, each, positive
from irviz.gallery.tables import prepared, self_tau, table_of
from irviz.workspace.phrases import TOLERANCE

GRADED_MEASURES = ("GAP", "xGAP", "eGAP")
_OTHERS = {"AP": "AP", "nDCG": "nDCG", "RBP": "RBP(p=0.8,rel=1)", "Bpref": "Bpref"}


def _pools(on: Evidence, which: str) -> pd.DataFrame:
    """Self-τ of Figure 1, where most users ask for more than the lowest relevant grade."""
    context, _ = on.once(prepared, "3", "", "best", which)
    measures = {kind: f"{kind}(g=[0.1,0.9])" for kind in GRADED_MEASURES} | _OTHERS
    return self_tau(on, context.collection, measures, "stratified")


def one_weight(on: Evidence) -> Answer:
    v = table_of(on, "graded.table2")
    tau = [v[g, k, "GAP", "all"] for g in ("0.0 1.0", "1.0 0.0") for k in ("xGAP", "eGAP")]
    tau += [v["1.0 0.0", k, "AP", "all"] for k in GRADED_MEASURES]
    return min(tau) - 1, f"Lowest of {len(tau)} values of τ: {min(tau):.4f}.", min(tau) > 1 - TOLERANCE


def gap_near_ap(on: Evidence) -> Answer:
    v, words, gaps = table_of(on, "graded.table2"), [], []
    for topics in ("all", "few_highly_relevant"):
        gap, x, e = (v["0.1 0.9", k, "AP", topics] for k in GRADED_MEASURES)
        gaps.append(gap - max(x, e))
        words.append(f"{topics.replace('_', ' ')}: GAP {gap:.2f}, xGAP {x:.2f}, eGAP {e:.2f}")
    return positive(min(gaps), f"τ with AP at g = (.1, .9), {'; '.join(words)}.")


def rising(on: Evidence) -> Answer:
    v = table_of(on, "graded.table2")
    shares = [f"{i / 10:.1f} {1 - i / 10:.1f}" for i in range(11)]
    falls = {k: float(min(np.diff([v[g, k, "AP", "all"] for g in shares]))) for k in ("xGAP", "eGAP")}
    words = ", ".join(
        f"{k} from {v[shares[0], k, 'AP', 'all']:.2f}, steepest fall {max(0, -x):.3f}" for k, x in falls.items()
    )
    rise = [v[shares[-1], k, "AP", "all"] - v[shares[0], k, "AP", "all"] for k in falls]
    case([0, *rise, *falls.values()], "all its coefficients are equal")
    steepest = min(falls.values())
    return positive(min([*rise, *([steepest] if steepest <= -0.01 else [])]), f"τ with AP: {words}.")


def ndcg_robust(on: Evidence) -> Answer:
    mean = _pools(on, "").mean(axis=1).sort_values(ascending=False)
    two = ["nDCG", "Bpref"]
    gap = float(np.min(mean[two].to_numpy()) - np.max(mean.drop(two).to_numpy()))
    return positive(gap, f"Mean self-τ: {each(mean, 2)}.")


def xgap_shallow(on: Evidence) -> Answer:
    few = _pools(on, "few2")[["10%", "5%"]]
    gap = float(np.min((few.loc[["xGAP", "eGAP"]] - few.loc["GAP"]).to_numpy()))
    words = [f"{share} kept: {each(few.loc[list(GRADED_MEASURES), share], 2)}" for share in few]
    return positive(gap, "; ".join(words) + ".")
