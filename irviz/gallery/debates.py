"""Claims of debates that the five papers leave open: equal steps, users' satisfaction, judgments by machines.

Of their sources an abstract or a table was read, as ``data/published/papers.toml`` says; no item of the gallery has
their numbers.
"""

from __future__ import annotations

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.gallery.paper import Answer, Evidence, falls
from irviz.gallery.tables import with_degrees
from irviz.multiverse.equal_steps import equal_steps
from irviz.stats.judges import judges
from irviz.stats.users import SatisfactionAgreement, satisfaction

CHANGED_SHARE = 0.25  #: share of the decisions that the abstract reports
ALIKE = 0.9  #: a τ that is customarily called high
LENGTHS = (5, 10, 20, 30)
STEP_MEASURES = ("P@10", "R@10", "AP@10", "DCG(base=2)@10", "RBP(p=0.8)@10", "RR@10")
OFFLINE = ("P@10", "RR", "AP", "nDCG@10", "RBP(p=0.8)", "ERR@10")
BPM = {"BPM": "CWLA(C=BPM,A=ERG)@10", "DCG": "DCG(discount='log2')@10", "RBP": "RBP(p=0.8)@10"}
RANKING_MEASURES = ("nDCG@20", "nDCG@100", "R@100")


def _binary(on: Evidence, depth: int) -> Collection:
    """The first `depth` ranks, every grade above 0 relevant."""
    collection = with_degrees(on.context.collection, 2)
    if collection.depth < depth:
        raise IrvizError(f"It needs lists of {depth} documents, and the longest here has {collection.depth}.")
    return collection.subset(depth=depth)


def decisions_change(on: Evidence) -> Answer:
    changed = equal_steps(_binary(on, 10), STEP_MEASURES).frame().set_index("measure")["changed_share"]
    share = changed[np.isfinite(changed)]
    if share.empty:
        raise IrvizError("No two systems differ significantly here, before or after.")
    mean = float(share.mean())
    return mean - CHANGED_SHARE, {"mean": mean} | share.to_dict(), mean >= CHANGED_SHARE


def rr_order(on: Evidence) -> Answer:
    lengths = [n for n in LENGTHS if n <= on.context.collection.depth]
    if len(lengths) < 2:
        raise IrvizError("It needs lists of 10 documents.")
    tau = {f"N = {n}": equal_steps(_binary(on, n), f"RR@{n}").frame()["tau"].iloc[0] for n in lengths}
    return falls(tau, strictly=True)


def _agreement(on: Evidence, measures: tuple[str, ...]) -> SatisfactionAgreement:
    answers = on.context.collection.satisfaction
    assert answers is not None
    return satisfaction(on.context.scores(measures), answers, trials=on.trials, seed=on.seed)


def satisfied(on: Evidence) -> Answer:
    agreement = _agreement(on, OFFLINE)
    low = {f"{name} at least": end for name, end in agreement.low.items()}
    return float(agreement.values.min()), agreement.values.to_dict() | low, bool(agreement.low.min() > 0)


def bpm_first(on: Evidence) -> Answer:
    return falls(dict(zip(BPM, _agreement(on, tuple(BPM.values())).values, strict=True)), strictly=True)


def machines_rank_alike(on: Evidence) -> Answer:
    collection = on.context.collection
    tau = judges(collection, RANKING_MEASURES, seed=on.seed).tau[:, 0, 1:].min(axis=0)
    return float(tau.min()) - ALIKE, dict(zip(collection.judges[1:], tau, strict=True)), bool(tau.min() >= ALIKE)
