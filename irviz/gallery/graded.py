"""What Ferrante, Ferro and Maistro 2014 claim: average precision for graded relevance."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.gallery.paper import Answer, Evidence, case, positive
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
    pairs = [(g, kind, "GAP") for g in ("0.0 1.0", "1.0 0.0") for kind in GRADED_MEASURES[1:]]
    pairs += [("1.0 0.0", kind, "AP") for kind in GRADED_MEASURES]
    tau = {f"{kind}–{other} (g_1 = {g[0]})": v[g, kind, other, "all"] for g, kind, other in pairs}
    least = min(tau.values())
    return least - 1, tau, least > 1 - TOLERANCE


def gap_near_ap(on: Evidence) -> Answer:
    v, sets = table_of(on, "graded.table2"), {"all": "all", "few highly relevant": "few_highly_relevant"}
    tau = {name: [v["0.1 0.9", kind, "AP", topics] for kind in GRADED_MEASURES] for name, topics in sets.items()}
    gap = min(gap - max(others) for gap, *others in tau.values())
    return positive(
        gap, {f"{k} {name}": x for name, of in tau.items() for k, x in zip(GRADED_MEASURES, of, strict=True)}
    )


def rising(on: Evidence) -> Answer:
    v = table_of(on, "graded.table2")
    shares = [f"{i / 10:.1f} {1 - i / 10:.1f}" for i in range(11)]
    tau = {kind: [v[g, kind, "AP", "all"] for g in shares] for kind in ("xGAP", "eGAP")}
    rise, steps = [of[-1] - of[0] for of in tau.values()], np.diff([*tau.values()])
    case([0, *rise, *steps.min(axis=1)], "all its coefficients are equal")
    least = float(steps.min())
    numbers = {f"{kind} from": of[0] for kind, of in tau.items()} | {"smallest step": least}
    return positive(min([*rise, *([least] if least <= -0.01 else [])]), numbers)


def ndcg_robust(on: Evidence) -> Answer:
    mean = _pools(on, "").mean(axis=1).sort_values(ascending=False)
    two = ["nDCG", "Bpref"]
    return positive(np.min(mean[two].to_numpy()) - np.max(mean.drop(two).to_numpy()), mean.to_dict())


def xgap_shallow(on: Evidence) -> Answer:
    few = _pools(on, "few2").loc[list(GRADED_MEASURES), ["10%", "5%"]]
    gap = np.min((few.loc[["xGAP", "eGAP"]] - few.loc["GAP"]).to_numpy())
    return positive(gap, {f"{kind} {share}": few.loc[kind, share] for share in few for kind in few.index})
