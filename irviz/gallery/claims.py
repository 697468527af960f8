"""The claims of papers, asked of tables that are recomputed: the functions that ``papers.toml`` names ``ask``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import get_args

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.gallery.examples import BASES, MEANS, SEVERAL
from irviz.gallery.paper import Answer, CellKey, Evidence, Numbers, case, falls, positive
from irviz.gallery.tables import need_aspects, prepared, self_tau, table_of, with_degrees
from irviz.measures import measure
from irviz.multiverse.equal_steps import equal_steps
from irviz.stats.bounds import upper_bounds
from irviz.stats.consistency import halves_correlated
from irviz.stats.correlation import defined_mean
from irviz.stats.judges import judges
from irviz.stats.scores import score
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.stats.users import SatisfactionAgreement, satisfaction
from irviz.stats.words import ReductionName
from irviz.workspace.averages import LOW, low_shares
from irviz.workspace.phrases import TOLERANCE

_NO_PAIR = "no measure separates any pair of systems"
_TIES = "Its coefficients are undefined here, because systems tie."


def _identical(tau: Numbers) -> Answer:
    """Seen where all coefficients are 1."""
    least = min(tau.values())
    return least - 1, tau, least > 1 - TOLERANCE


# -- Ferrante, Ferro and Losiouk 2019: interval scales ---------------------------------------------

_DEPTH, _DEGREES = "250", {"binary": "2", "graded": "3"}
#: by relevance, the measures of Figure 1, and those of Figure 2 in the order of robustness that is claimed
_SETS = {"binary": {"SBTO": "SBTO", "RBTO": "RBTO"}, "graded": {"SBTO": "SBTO", "RBTO": "RBTO"}}
_RANKS = {
    "binary": {"RBP(.2)": "RBP(p=0.2)", "RBTO": "RBTO", "RBP(.8)": "RBP(p=0.8)", "AP": "AP"},
    "graded": {
        "gRBP(.2)": "RBP(p=0.2)",
        "RBTO": "RBTO",
        "gRBP(.8)": "RBP(p=0.8)",
        "DCG": "DCG(base=10,gains=[0,5,10])",
    },
}
_TOPIC, _OVER, _ANOVA, _KRUSKAL = "Topic by topic", "Overall", "anova_tukey", "kruskal_tukey"
#: relevance and measures: those that share the ordinal scale of RBTO, and those on neither scale
_ORDINAL: tuple[CellKey, ...] = (("binary", "RBP", "p=0.2"), ("graded", "gRBP", "p=0.2"))
_NEITHER: tuple[CellKey, ...] = (
    ("binary", "RBP", "p=0.8"),
    ("binary", "AP", ""),
    ("graded", "gRBP", "p=0.8"),
    ("graded", "DCG", ""),
    ("graded", "ERR", ""),
)
_SAME = (("Precision", "SBTO"), ("Recall", "SBTO"), ("F-measure", "SBTO"), ("gP", "gR"))
_RBTO_LIKE = {"RBP(½)": ("binary", "RBP", "p=1/2"), "gRBP(⅓)": ("graded", "gRBP", "p=1/3")}
_DEPARTING = {"p = ½": ("RBP", "p=1/2"), "p = .2": ("RBP", "p=0.2"), "p = .8": ("RBP", "p=0.8"), "AP": ("AP", "")}


def one_scale(on: Evidence) -> Answer:
    sets, ranks = table_of(on, "scales.table1").values, table_of(on, "scales.table2")
    same = {f"{k[1]}–{k[3]}": v for k, v in sets.items() if k[-1] == _TOPIC and (k[1], k[3]) in _SAME}
    keys = {f"{name}–RBTO": (*key, "RBTO", _TOPIC) for name, key in _RBTO_LIKE.items()}
    rbp = {name: ranks[key] for name, key in keys.items() if key in ranks.values}
    low, least = min(same.values()), min(rbp.values())
    return min(low - 1, least - 0.995), same | rbp, low > 1 - TOLERANCE and least > 0.995


def recall_overall(on: Evidence) -> Answer:
    values = table_of(on, "scales.table1")
    names = ("Precision", "F-measure", "Recall")
    return falls({name: values["binary", name, "", "SBTO", _OVER] for name in names}, strictly=True)


def departing(on: Evidence) -> Answer:
    values = table_of(on, "scales.table2")
    return falls({words: values["binary", *name, "RBTO", _TOPIC] for words, name in _DEPARTING.items()})


def err_near(on: Evidence) -> Answer:
    values = table_of(on, "scales.table2")
    err, rbp = (values["graded", *name, "RBTO", _TOPIC] for name in (("ERR", ""), ("gRBP", "p=0.8")))
    return positive(err - rbp, {"ERR": err, "gRBP(.8)": rbp})


def _more(pairs: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """By how many percentage points the first of two shares is larger; no case where no pair is separated."""
    case([0, *(share for both in pairs.values() for share in both)], _NO_PAIR)
    return {name: a - b for name, (a, b) in pairs.items()}


def anova_power(on: Evidence) -> Answer:
    tables = table_of(on, "scales.table3"), table_of(on, "scales.table4")
    keys = [(values, key[:-1]) for values in tables for key in values.values if key[-1] == _ANOVA]
    more = _more({" ".join(filter(None, k)): (values[*k, _ANOVA], values[*k, _KRUSKAL]) for values, k in keys})
    return positive(min(more.values()) / 100, more)


def _power(on: Evidence, cases: Sequence[CellKey], test: str) -> dict[str, tuple[float, float]]:
    """Shares of pairs under a measure and under RBTO, in percent; graded ones only where grades are."""
    values = table_of(on, "scales.table4")
    here = [case for case in cases if (*case, test) in values.values]
    return {" ".join(case[1:]).strip(): (values[*case, test], values[case[0], "RBTO", "", test]) for case in here}


def ordinal_power(on: Evidence) -> Answer:
    anova = _more(_power(on, _ORDINAL, _ANOVA))
    kruskal = {name: a - b for name, (a, b) in _power(on, _ORDINAL, _KRUSKAL).items()}
    beyond = 0.5 - max(map(abs, kruskal.values()))  # counts only where it is exceeded: it is no effect
    slack = min([*(-more for more in anova.values()), *([beyond] if beyond <= 0 else [])]) / 100
    tests = {"ANOVA": anova, "Kruskal-Wallis": kruskal}
    return positive(slack, {f"{name} {test}": more for test, of in tests.items() for name, more in of.items()})


def neither_power(on: Evidence) -> Answer:
    more = _more(_power(on, _NEITHER, _ANOVA))
    return positive(min(more.values()) / 100, more)


def _scale_pools(on: Evidence, kinds: Mapping[str, Mapping[str, str]]) -> dict[str, pd.DataFrame]:
    """Self-τ under reduced pools: binary and, where there are grades, graded; stratified and uniform."""
    parts = {}
    for relevance, degrees in _DEGREES.items():
        try:
            context, _ = on.once(prepared, degrees, _DEPTH)
        except IrvizError:
            if relevance == "binary":
                raise
            continue  # a collection without grades has no graded half
        collection = context.collection
        measures = {name: f"{text}@{collection.depth}" for name, text in kinds[relevance].items()}
        full = score(collection, list(measures.values()))
        for method in get_args(ReductionName):
            parts[f"{relevance} {method}"] = self_tau(on, collection, measures, method, full)
    return parts


def sbto_robust(on: Evidence) -> Answer:
    pools = _scale_pools(on, _SETS)
    slacks = np.array([(tau.loc["SBTO"] - tau.loc["RBTO"]).to_numpy() for tau in pools.values()])
    case([0, *slacks.flat], "the curves are the same")
    slack = float(np.min(slacks))
    return slack, {f"{name} {m}": tau.loc[m, "5%"] for name, tau in pools.items() for m in tau.index}, slack >= 0


def rank_robust(on: Evidence) -> Answer:
    means = {name: tau.mean(axis=1) for name, tau in _scale_pools(on, _RANKS).items()}
    slack = [float(step) for mean in means.values() for step in np.diff(mean)]
    case([0, *slack], "all mean self-τ are equal")
    return min(slack), {f"{name} {m}": x for name, mean in means.items() for m, x in mean.items()}, min(slack) >= 0


# -- Chen and Sakai 2023: browsing models and aggregations -----------------------------------------

_MODELS = {"Precision": "P@10", "DCG": "DCG@10", "RBP": "RBP(p=0.8)", "INST": "INST(T=2.25)", "AP": "AP", "ERR": "ERR"}
_AGGREGATIONS = ("ETG", "ERG", "avg", "max", "fin", "PE", "ERR")
_EQUAL = (("Precision", "ETG"), ("Precision", "avg"), ("DCG", "ETG"), ("RBP", "ETG"))  #: curves equal to ERG's


@cache
def _aggregations(model: str) -> tuple[str, ...]:
    """The aggregations of one browsing model that give more than a constant (Table 1)."""
    return tuple(kind for kind in _AGGREGATIONS if not measure(_cwla(model, kind)).constant)  # type: ignore[attr-defined]


def _cwla(model: str, aggregation: str, cutoff: str = "") -> str:
    inner = "PE(beta=0.5)" if aggregation == "PE" else aggregation
    return f"CWLA(C={_MODELS[model]},A={inner}){cutoff}"


def same_rankings(on: Evidence) -> Answer:
    places = list(dict.fromkeys(name for model, kind in _EQUAL for name in ((model, "ERG"), (model, kind))))
    values = similarity(on.context.scores([_cwla(*name) for name in places])).values
    tau = {" ".join(key): float(values[places.index((key[0], "ERG")), places.index(key)]) for key in _EQUAL}
    if not np.isfinite([*tau.values()]).all():
        raise IrvizError(_TIES)
    return _identical(tau)


def _places(on: Evidence) -> dict[str, dict[str, float]]:
    """Aggregations of each browsing model with their mean τ of random halves, best first."""
    mean = table_of(on, "users.table3")
    tau = {model: {kind: mean[model, kind] for kind in _aggregations(model)} for model in _MODELS}
    return {model: dict(sorted(of.items(), key=lambda one: -one[1])) for model, of in tau.items()}


def _five_of_six(slacks: dict[str, float]) -> Answer:
    """Seen where the slack is not below 0 under at least five of six browsing models."""
    fifth = sorted(slacks.values(), reverse=True)[4]
    return fifth, slacks, fifth >= -TOLERANCE


def erg_consistent(on: Evidence) -> Answer:
    tau = _places(on)
    return _five_of_six({m: of["ERG"] - [v for k, v in of.items() if k != "ERG"][1] for m, of in tau.items()})


def max_consistent(on: Evidence) -> Answer:
    tau = _places(on)
    return _five_of_six({m: [v for k, v in of.items() if k != "max"][-2] - of["max"] for m, of in tau.items()})


def err_specialised(on: Evidence) -> Answer:
    places = _places(on)
    tau = {model: places[model] for model in ("ERR", "INST", "AP")}
    rank = {model: list(of).index("ERR") + 1 for model, of in tau.items()}
    own = {model: of.pop("ERR") for model, of in tau.items()}
    others = {model: sorted(of.values()) for model, of in tau.items()}
    slack = min(own["ERR"] - others["ERR"][-3], others["INST"][1] - own["INST"], others["AP"][1] - own["AP"])
    seen = rank["ERR"] <= 3 and rank["INST"] >= 6 and rank["AP"] >= 6
    return slack, own | {f"place of 7 under {model}": place for model, place in rank.items()}, seen


def max_weak(on: Evidence) -> Answer:
    keys = [(m, kind) for m in ("DCG", "RBP", "INST", "ERR") for kind in _aggregations(m) if (m, kind) not in _EQUAL]
    scores = on.context.scores([_cwla(*key, "@10") for key in keys])
    power = discriminative_power(scores, trials=on.trials, alpha=0.05, seed=on.seed, progress=on.context.progress)
    counts = pd.Series([result.significant for result in power.results], pd.MultiIndex.from_tuples(keys))
    pairs, slacks = power.results[0].pairs, []
    numbers: dict[str, float] = {}
    for model, of in counts.groupby(level=0, sort=False):
        of = of.droplevel(0)
        case(of, f"under {model} all aggregations separate as many pairs")
        least = of.drop("max").min()
        slacks.append((least - of["max"]) / pairs)
        numbers |= {f"{model} max": int(of["max"]), f"{model} fewest of others": int(least)}
    return min(slacks), numbers | {"all pairs": pairs}, min(slacks) >= 0


# -- Maistro et al. 2021: several aspects ----------------------------------------------------------


def _tau(on: Evidence, pairs: Iterable[str]) -> dict[str, float]:
    v = table_of(on, "aspects.table4")
    return {f"{pair} with {base}": v[f"measures with {base}", pair] for base in BASES for pair in pairs}


def euclid_manhattan(on: Evidence) -> Answer:
    tau = _tau(on, ["EUCL - MANH"])
    with_ap = tau["EUCL - MANH with AP"]
    return with_ap - 1, tau, with_ap > 1 - TOLERANCE


def nearest(on: Evidence) -> Answer:
    tau = _tau(on, ["EUCL - CAM", "EUCL - MM", "CHEB - MM", "CHEB - CAM"])
    near, far = np.reshape([*tau.values()], (-1, 2)).T  # of every two
    return positive(np.min(near - far), tau)


def never_the_same(on: Evidence) -> Answer:
    tau = _tau(on, [f"{toma} - {mean}" for toma in SEVERAL[2:] for mean in SEVERAL[:2]])
    top = max(tau.values())
    return 0.9 - top, tau, top <= 0.9


def below_one(on: Evidence) -> Answer:
    """CAM of nDCG, whose maximum is known by sorting; a mean of aspects is 1 only where all are, as MM is."""
    need_aspects(on.context.collection)
    bounds = upper_bounds(on.context.collection, ["CAM(nDCG)"]).frame().iloc[0]
    shares = {"topics on which it reaches 1": bounds.reaches_one, "topics on which no order reaches .9": bounds.below}
    return positive(0.5 - bounds.reaches_one, shares | {"mean of the maxima": bounds["mean"]})


def several_power(on: Evidence) -> Answer:
    v, slacks = table_of(on, "aspects.table4power"), []
    numbers: dict[str, float] = {}
    for base in BASES:
        share = {name: v[base, name] for name in SEVERAL}
        case([0, *share.values()], _NO_PAIR)
        best, rest = max(share["EUCL"], share["MANH"]), max(share["CAM"], share["MM"], share["CHEB"])
        slacks += [best - rest, min(x for name, x in share.items() if name != "CHEB") - share["CHEB"]]
        numbers |= {f"{name} with {base}": x for name, x in share.items()}
    return min(slacks) / 100, numbers, min(slacks) >= 0


def worthless(on: Evidence) -> Answer:
    v = table_of(on, "aspects.table5")
    total = {name: v["1-5", name] for name in SEVERAL}
    case([0, *total.values()], "the best runs have no worthless document at the top")
    others = [x for name, x in total.items() if name not in ("MANH", "CHEB")]
    slack = min(min(others) - total["MANH"], total["CHEB"] - max(others))
    return slack / 100, total, slack >= 0 and total["CHEB"] > total["MANH"]


def best_quality(on: Evidence) -> Answer:
    v, ranks = table_of(on, "aspects.table6"), ("1-25", "26-50", "51-75", "76-100")
    if not all((r, "MANH") in v.values for r in ranks):
        raise IrvizError("It needs lists of 100 documents.")
    slacks = [v[r, "MANH"] - max(v[r, name] for name in SEVERAL if name != "MANH") for r in ranks[1:]]
    return positive(min(slacks), {f"{name} at {r}": v[r, name] for r in ranks for name in SEVERAL})


# -- Ferrante, Ferro and Maistro 2014: average precision of graded relevance -----------------------

_GAP = ("GAP", "xGAP", "eGAP")
_OTHERS = {"AP": "AP", "nDCG": "nDCG", "RBP": "RBP(p=0.8,rel=1)", "Bpref": "Bpref"}


def _graded_pools(on: Evidence, which: str = "") -> pd.DataFrame:
    """Self-τ of Figure 1, where most users ask for more than the lowest relevant grade."""
    context, _ = on.once(prepared, "3", "", "best", which)
    measures = {kind: f"{kind}(g=[0.1,0.9])" for kind in _GAP} | _OTHERS
    return self_tau(on, context.collection, measures, "stratified")


def one_weight(on: Evidence) -> Answer:
    v = table_of(on, "graded.table2")
    pairs = [(g, kind, "GAP") for g in ("0.0 1.0", "1.0 0.0") for kind in _GAP[1:]]
    pairs += [("1.0 0.0", kind, "AP") for kind in _GAP]
    return _identical({f"{kind}–{other} (g_1 = {g[0]})": v[g, kind, other, "all"] for g, kind, other in pairs})


def gap_near_ap(on: Evidence) -> Answer:
    v, sets = table_of(on, "graded.table2"), {"all": "all", "few highly relevant": "few_highly_relevant"}
    tau = {name: [v["0.1 0.9", kind, "AP", topics] for kind in _GAP] for name, topics in sets.items()}
    gap = min(gap - max(others) for gap, *others in tau.values())
    return positive(gap, {f"{k} {name}": x for name, of in tau.items() for k, x in zip(_GAP, of, strict=True)})


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
    mean = _graded_pools(on).mean(axis=1).sort_values(ascending=False)
    two = ["nDCG", "Bpref"]
    return positive(np.min(mean[two].to_numpy()) - np.max(mean.drop(two).to_numpy()), mean.to_dict())


def xgap_shallow(on: Evidence) -> Answer:
    few = _graded_pools(on, "few2").loc[list(_GAP), ["10%", "5%"]]
    gap = np.min((few.loc[["xGAP", "eGAP"]] - few.loc["GAP"]).to_numpy())
    return positive(gap, {f"{kind} {share}": few.loc[kind, share] for share in few for kind in few.index})


# -- Ravana and Moffat 2009: averages over topics --------------------------------------------------

_METRICS = {"AP": "AP", "P@10": "P@10", "nDCG": "nDCG", "RBP(p=0.95,rel=1)": "RBP0.95"}  #: with the paper's names
_AVERAGES = MEANS | {"trec_eval": ("geometric_threshold", 1e-5)}
_SPLITS = ("Random", "Hard-Easy", "Middle-Rest")


def _mean_tau(on: Evidence, names: Sequence[str], average: str) -> np.ndarray:
    """Mean τ of random halves of the topics, by measure."""
    how, eps = _AVERAGES[average]
    ask = partial(on.context.remember, halves_correlated, on.context.scores(names), on.trials, seed=on.seed)
    return defined_mean(ask(summary=how, eps=eps).trials)[0]


def _gain(on: Evidence, other: str) -> pd.DataFrame:
    """A row a measure: its share of low scores, and what the ε-adjusted geometric mean gains over another."""
    imported = on.context.dataset.imported_scores
    names = [name for name in _METRICS if imported is None or name in imported.measures]
    gain = _mean_tau(on, names, "eGM") - _mean_tau(on, names, other)
    if not np.isfinite(gain).all():
        raise IrvizError(_TIES)
    low = low_shares(on.context.scores(names), LOW)[1]
    return pd.DataFrame({"low": low, "gain": gain}, [_METRICS[name] for name in names])


def geometric_gain(on: Evidence) -> Answer:
    found = _gain(on, "AM")
    cases = found["gain"][found["low"] > 0.5]
    if cases.empty:
        raise IrvizError(f"It has no case here: no measure has more than half of its scores below {LOW:g}.")
    return positive(cases.min(), {f"{name} ({row.low:.0%} low)": row.gain for name, row in found.iterrows()})


def additive(on: Evidence) -> Answer:
    gain = _gain(on, "trec_eval")["gain"]
    return positive(gain.min(), gain.to_dict())


def standardised(on: Evidence) -> Answer:
    v = table_of(on, "means.table3")
    gain = min(v[split, "AM", "SP"] - v[split, "AM", "AP"] for split in _SPLITS)
    return positive(gain, {f"{name} {split}": v[split, "AM", name] for split in _SPLITS for name in ("SP", "AP")})


def order_of_means(on: Evidence) -> Answer:
    return falls({f"{name}-AP": float(_mean_tau(on, ["AP"], name)[0]) for name in ("eGM", "eHM", "AM", "MD")})


def hard_easy(on: Evidence) -> Answer:
    v, splits = table_of(on, "means.table3"), _SPLITS[1:]
    tau = {name: [v[split, name, "AP"] for split in splits] for name in ("AM", "eGM eps=0.01")}
    numbers = {f"{name.split()[0]} {s}": x for name, of in tau.items() for s, x in zip(splits, of, strict=True)}
    return positive(min(middle - hard for hard, middle in tau.values()), numbers)


# -- Debates that the five papers leave open -------------------------------------------------------

_CHANGED = 0.25  #: share of the decisions that the abstract reports
_ALIKE = 0.9  #: a τ that is customarily called high
_STEPS = ("P@10", "R@10", "AP@10", "DCG(base=2)@10", "RBP(p=0.8)@10", "RR@10")
_OFFLINE = ("P@10", "RR", "AP", "nDCG@10", "RBP(p=0.8)", "ERR@10")
_BPM = {"BPM": "CWLA(C=BPM,A=ERG)@10", "DCG": "DCG(discount='log2')@10", "RBP": "RBP(p=0.8)@10"}


def _binary(on: Evidence, depth: int) -> Collection:
    """The first `depth` ranks, every grade above 0 relevant."""
    collection = with_degrees(on.context.collection, 2)
    if collection.depth < depth:
        raise IrvizError(f"It needs lists of {depth} documents, and the longest here has {collection.depth}.")
    return collection.subset(depth=depth)


def decisions_change(on: Evidence) -> Answer:
    changed = equal_steps(_binary(on, 10), _STEPS).frame().set_index("measure")["changed_share"]
    share = changed[np.isfinite(changed)]
    if share.empty:
        raise IrvizError("No two systems differ significantly here, before or after.")
    mean = float(share.mean())
    return mean - _CHANGED, {"mean": mean} | share.to_dict(), mean >= _CHANGED


def rr_order(on: Evidence) -> Answer:
    lengths = [n for n in (5, 10, 20, 30) if n <= on.context.collection.depth]
    if len(lengths) < 2:
        raise IrvizError("It needs lists of 10 documents.")
    tau = {f"N = {n}": equal_steps(_binary(on, n), f"RR@{n}").frame()["tau"].iloc[0] for n in lengths}
    return falls(tau, strictly=True)


def _agreement(on: Evidence, measures: Iterable[str]) -> SatisfactionAgreement:
    answers = on.context.collection.satisfaction
    assert answers is not None
    return satisfaction(on.context.scores(tuple(measures)), answers, trials=on.trials, seed=on.seed)


def satisfied(on: Evidence) -> Answer:
    agreement = _agreement(on, _OFFLINE)
    low = {f"{name} at least": end for name, end in agreement.low.items()}
    return float(agreement.values.min()), agreement.values.to_dict() | low, bool(agreement.low.min() > 0)


def bpm_first(on: Evidence) -> Answer:
    return falls(dict(zip(_BPM, _agreement(on, _BPM.values()).values, strict=True)), strictly=True)


def machines_rank_alike(on: Evidence) -> Answer:
    collection = on.context.collection
    tau = judges(collection, ("nDCG@20", "nDCG@100", "R@100"), seed=on.seed).tau[:, 0, 1:].min(axis=0)
    return float(tau.min()) - _ALIKE, dict(zip(collection.judges[1:], tau, strict=True)), bool(tau.min() >= _ALIKE)
