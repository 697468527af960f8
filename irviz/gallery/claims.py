"""The table of claims: what the five papers found, where they say it, and what asks it of another collection.

A row quotes the paper; its function takes the :class:`Evidence` of a collection and answers with the numbers there.
:mod:`irviz.gallery.findings` asks them all; the page *Findings*, ``irviz findings`` and ``docs/findings.md`` show the
answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd

from irviz.errors import IrvizError
from irviz.gallery import paper
from irviz.gallery.aspects import several
from irviz.gallery.item import Found, RandomTrials
from irviz.gallery.means import low_share, metric_scores
from irviz.gallery.users import BROWSING, aggregations
from irviz.stats.bounds import upper_bounds
from irviz.stats.consistency import consistency
from irviz.stats.correlation import kendall_tau
from irviz.workspace.context import Context

TIED = 1e-9  #: two coefficients nearer than this are equal


class Answer(NamedTuple):
    """One collection's answer to one claim.

    Attributes
    ----------
    margin : float
        By how much the claim is seen (above or at 0) or not seen (below 0): the smallest slack of its inequalities,
        in units of τ or, for counts of pairs and documents, as a share from −1 to 1.
    numbers : str
        The numbers behind it.
    seen : bool
    """

    margin: float
    numbers: str
    seen: bool


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the gallery recomputes on one collection, each table or figure once."""

    context: Context
    draws: RandomTrials
    found: dict[tuple[str, str], Found] = field(default_factory=dict)

    def of(self, key: str, item: str) -> Found:
        if (key, item) not in self.found:
            self.found[key, item] = paper(key).item(item).find(self.context, self.draws)
        return self.found[key, item]

    def values(self, key: str, *items: str) -> Mapping[tuple[str, ...], float]:
        """Recomputed numbers of one or more items, by their keys; looking up a missing one refuses."""
        return _Known({k: v for item in items for k, v in self.of(key, item).values.items()})

    def curves(self, key: str, item: str) -> pd.DataFrame:
        """Self-τ under reduced pools: a row a figure and measure, a column a share."""
        return self.of(key, item).tables["Curves"].frame.set_index(["figure", "measure"])


class _Known(dict[tuple[str, ...], float]):
    """Numbers by key, all defined: a missing or undefined one means that the claim cannot be asked."""

    def __getitem__(self, key: tuple[str, ...]) -> float:
        value = self.get(key, np.nan)
        if key not in self and key and key[0] == "graded":
            raise IrvizError("It needs judgments of at least three degrees.")
        if not np.isfinite(value):
            raise IrvizError(f"{' '.join(part for part in key if part)} is undefined here, because systems tie.")
        return value


@dataclass(frozen=True, eq=False, kw_only=True)
class Claim:
    """A row of the table.

    Attributes
    ----------
    paper : str
        Its key in the gallery.
    text : str
        The claim in a few words.
    place, quote : str
        Section and table of the paper, and a part of the sentence there that makes the claim.
    printed : str
        The numbers that the paper prints for it.
    seen : str
        The condition under which it counts as seen.
    items : tuple of str
        Tables and figures of the gallery that hold the numbers; the first is the view that is opened.
    needs : {"scores", "lists", "grades", "aspects"}
        The least data that it can be asked of.
    ask : callable
    remark : str
        A reading aid, where one is needed.
    exact : bool
        Whether it is an identity, which has no margin.
    """

    paper: str
    text: str
    place: str
    quote: str
    printed: str
    seen: str
    items: tuple[str, ...]
    needs: str
    ask: Callable[[Evidence], Answer]
    remark: str = ""
    exact: bool = False


def _slack(margin: float, numbers: str) -> Answer:
    """Seen where the smallest slack is positive."""
    return Answer(float(margin), numbers, bool(margin > 0))


def _falls(numbers: Sequence[float], words: str) -> Answer:
    """Seen where numbers do not rise, from first to last."""
    slack = float(np.min(-np.diff(numbers)))
    return Answer(slack, words, slack >= -TIED)


def _each(names: Sequence[str], values: Sequence[float], digits: int = 3) -> str:
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in zip(names, values, strict=True))


# -- Ferrante, Ferro and Losiouk 2019 --------------------------------------------------------------

TOPIC, OVER, ANOVA, KRUSKAL = "topic by topic", "overall", "ANOVA", "Kruskal-Wallis"
Pair = tuple[str, tuple[str, str], tuple[str, str]]
#: of a table: the measures that share the ordinal scale of RBTO, and those on neither scale
ORDINAL: tuple[Pair, ...] = (
    ("binary", ("RBP", "p=0.2"), ("RBTO", "")),
    ("graded", ("gRBP", "p=0.2"), ("RBTO", "")),
)
NEITHER: tuple[Pair, ...] = (
    ("binary", ("RBP", "p=0.8"), ("RBTO", "")),
    ("binary", ("AP", ""), ("RBTO", "")),
    ("graded", ("gRBP", "p=0.8"), ("RBTO", "")),
    ("graded", ("DCG", ""), ("RBTO", "")),
    ("graded", ("ERR", ""), ("RBTO", "")),
)
SAME = (("Precision", "SBTO"), ("Recall", "SBTO"), ("F-measure", "SBTO"), ("gP", "gR"))
RBTO_LIKE = {"RBP(½)": ("binary", "RBP", "p=1/2"), "gRBP(⅓)": ("graded", "gRBP", "p=1/3")}
DEPARTING = {"p = ½": ("RBP", "p=1/2"), "p = .2": ("RBP", "p=0.2"), "p = .8": ("RBP", "p=0.8"), "AP": ("AP", "")}


def one_scale(evidence: Evidence) -> Answer:
    same = {k: v for k, v in evidence.values("scales", "table1").items() if k[-1] == TOPIC and (k[1], k[3]) in SAME}
    ranks = evidence.values("scales", "table2")
    rbp = {name: ranks[*k, "RBTO", TOPIC] for name, k in RBTO_LIKE.items() if (*k, "RBTO", TOPIC) in ranks}
    sets = ", ".join(f"{k[1]}–{k[3]} {v:.4f}" for k, v in same.items())
    like = ", ".join(f"{name}–RBTO {v:.4f}" for name, v in rbp.items())
    low, least = min(same.values()), min(rbp.values())
    return Answer(min(low - 1, least - 0.995), f"τ topic by topic: {sets}; {like}.", low > 1 - TIED and least > 0.995)


def recall_overall(evidence: Evidence) -> Answer:
    values, names = evidence.values("scales", "table1"), ("Precision", "F-measure", "Recall")
    tau = [values["binary", name, "", "SBTO", OVER] for name in names]
    return _slack(min(-np.diff(tau)), f"τ with SBTO overall: {_each(names, tau, 4)}.")


def departing(evidence: Evidence) -> Answer:
    values = evidence.values("scales", "table2")
    tau = [values["binary", *name, "RBTO", TOPIC] for name in DEPARTING.values()]
    return _falls(tau, f"τ with RBTO topic by topic: {_each(tuple(DEPARTING), tau)}.")


def err_near(evidence: Evidence) -> Answer:
    values = evidence.values("scales", "table2")
    err, rbp = (values["graded", *name, "RBTO", TOPIC] for name in (("ERR", ""), ("gRBP", "p=0.8")))
    return _slack(err - rbp, f"τ with RBTO topic by topic: ERR {err:.3f}, gRBP(.8) {rbp:.3f}.")


def anova_power(evidence: Evidence) -> Answer:
    values = evidence.values("scales", "table3", "table4")
    pairs = [(values[k], values[*k[:-1], KRUSKAL], k) for k in values if k[-1] == ANOVA]
    less = [f"{k[1]} {k[2]}".strip() + f" ({k[0]}: {a:.1f} against {b:.1f}%)" for a, b, k in pairs if a <= b]
    words = f"More pairs in {len(pairs) - len(less)} of {len(pairs)} cases"
    return _slack(min(a - b for a, b, _ in pairs) / 100, f"{words}{'; not with ' * bool(less)}{', '.join(less)}.")


def _power(evidence: Evidence, cases: Sequence[Pair], test: str) -> list[tuple[str, float, float]]:
    """Shares of pairs under a measure and under RBTO, in percent; graded ones only where grades are."""
    values = evidence.values("scales", "table4")
    return [
        (" ".join(a).strip(), values[r, *a, test], values[r, *b, test]) for r, a, b in cases if (r, *a, test) in values
    ]


def _shares(cases: Sequence[tuple[str, float, float]]) -> str:
    return ", ".join(f"{name} {a:.1f} against {b:.1f}%" for name, a, b in cases)


def ordinal_power(evidence: Evidence) -> Answer:
    less, same = _power(evidence, ORDINAL, ANOVA), _power(evidence, ORDINAL, KRUSKAL)
    slack = min(*(b - a for _, a, b in less), 0.5 - max(abs(a - b) for _, a, b in same)) / 100
    words = f"Under ANOVA, compared with RBTO: {_shares(less)}; under Kruskal-Wallis: {_shares(same)}."
    return _slack(slack, words)


def neither_power(evidence: Evidence) -> Answer:
    cases = _power(evidence, NEITHER, ANOVA)
    return _slack(min(a - b for _, a, b in cases) / 100, f"Under ANOVA, compared with RBTO: {_shares(cases)}.")


def _kind(figure: str) -> str:
    """Relevance and sampling of a figure of reduced pools: "binary stratified"."""
    relevance, sampling = figure.lower().split(", ")
    return f"{relevance.split()[0]} {sampling.split()[0]}"


def sbto_robust(evidence: Evidence) -> Answer:
    curves = evidence.curves("scales", "figure1")
    cases = [(f, curves.loc[(f, "SBTO")], curves.loc[(f, "RBTO")]) for f in curves.index.unique(0)]
    words = "; ".join(f"{_kind(f)}: SBTO {a['5%']:.2f}, RBTO {b['5%']:.2f}" for f, a, b in cases)
    slack = float(np.min([(a - b).to_numpy() for _, a, b in cases]))
    return Answer(slack, f"Self-τ with 5% of the pool: {words}.", slack >= 0)


def rank_robust(evidence: Evidence) -> Answer:
    curves = evidence.curves("scales", "figure2").mean(axis=1)
    slack, words = [], []
    for figure in curves.index.unique(0):
        mean = curves.loc[figure]
        prefix, best = ("RBP", "AP") if "RBP p=0.2" in mean.index else ("gRBP", "DCG")
        order = [mean[f"{prefix} p=0.2"], mean["RBTO"], mean[f"{prefix} p=0.8"], mean[best]]
        slack.append(np.min(np.diff(order)))
        words.append(f"{_kind(figure)}: " + ", ".join(f"{tau:.2f}" for tau in order))
    numbers = f"Mean self-τ over the shares, in the order claimed: {'; '.join(words)}."
    least = float(np.min(slack))
    return Answer(least, numbers, least >= 0)


# -- Chen and Sakai 2023 ---------------------------------------------------------------------------


def same_rankings(evidence: Evidence) -> Answer:
    v = evidence.values("users", "figure1")
    tau = [v[model, "ERG", "ETG"] for model in ("Precision", "DCG", "RBP")] + [v["Precision", "ERG", "avg"]]
    return Answer(min(tau) - 1, f"τ: {', '.join(f'{x:.3f}' for x in tau)}.", min(tau) > 1 - TIED)


def _places(evidence: Evidence) -> dict[str, list[tuple[str, float]]]:
    """Aggregations of each browsing model with their consistency, best first."""
    v = evidence.values("users", "table3")
    return {m: sorted(((k, v[m, k]) for k in aggregations(m)), key=lambda kv: -kv[1]) for m in BROWSING}


def _fifth(slacks: Sequence[float]) -> float:
    """The slack of "under at least five of six": the fifth largest."""
    return sorted(slacks, reverse=True)[4]


def erg_consistent(evidence: Evidence) -> Answer:
    places = _places(evidence)
    slacks = [dict(order)["ERG"] - [v for k, v in order if k != "ERG"][1] for order in places.values()]
    top = sum(slack >= -TIED for slack in slacks)
    listed = "; ".join(f"{m}: " + ", ".join(f"{k} {v:.3f}" for k, v in order) for m, order in places.items())
    words = f"Most or second most consistent under {top} of 6 browsing models. {listed}."
    return Answer(_fifth(slacks), words, top >= 5)


def max_consistent(evidence: Evidence) -> Answer:
    places = _places(evidence)
    slacks = {m: [v for k, v in order if k != "max"][-2] - dict(order)["max"] for m, order in places.items()}
    low = [model for model, slack in slacks.items() if slack >= -TIED]
    words = f"Least or second least consistent under {len(low)} of 6: {', '.join(low)}."
    return Answer(_fifth(list(slacks.values())), words, len(low) >= 5)


def err_specialised(evidence: Evidence) -> Answer:
    places = _places(evidence)
    rank = {model: [kind for kind, _ in places[model]].index("ERR") + 1 for model in ("ERR", "INST", "AP")}
    words = ", ".join(f"{model} {dict(places[model])['ERR']:.3f} (place {n} of 7)" for model, n in rank.items())
    others = {model: sorted(v for k, v in places[model] if k != "ERR") for model in rank}
    own = {model: dict(places[model])["ERR"] for model in rank}
    slack = min(own["ERR"] - others["ERR"][-3], others["INST"][1] - own["INST"], others["AP"][1] - own["AP"])
    return Answer(slack, f"Mean τ: {words}.", rank["ERR"] <= 3 and rank["INST"] >= 6 and rank["AP"] >= 6)


def max_weak(evidence: Evidence) -> Answer:
    frame = evidence.of("users", "figure2").tables["Pairs separated"].frame
    low, words, slacks, pairs = 0, [], [], frame["pairs"].iloc[0]
    for model in ("DCG", "RBP", "INST", "ERR"):
        counts = frame[frame["browsing"] == model].set_index("aggregation")["separated"]
        low += int(counts["max"] == counts.min())
        slacks.append((counts.drop("max").min() - counts["max"]) / pairs)
        words.append(f"{model}: max {counts['max']}, fewest {counts.idxmin()} {counts.min()}, ERG {counts['ERG']}")
    return Answer(min(slacks), f"Fewest pairs under {low} of 4. {'; '.join(words)} of {pairs:,} pairs.", low == 4)


# -- Maistro et al. 2021 ---------------------------------------------------------------------------

NAMES = ("CAM", "MM", "EUCL", "MANH", "CHEB")
BASES = ("nDCG", "AP")


def _tau(evidence: Evidence) -> Callable[[str, str], float]:
    v = evidence.values("aspects", "table4")
    return lambda base, pair: v[f"measures with {base}", pair]


def euclid_manhattan(evidence: Evidence) -> Answer:
    tau = {base: _tau(evidence)(base, "EUCL - MANH") for base in BASES}
    words = f"τ topic by topic with AP {tau['AP']:.3f}, with nDCG {tau['nDCG']:.3f}."
    return Answer(tau["AP"] - 1, words, tau["AP"] > 1 - TIED)


def nearest(evidence: Evidence) -> Answer:
    tau, words, slacks = _tau(evidence), [], []
    for base in BASES:
        a = {name: tau(base, name) for name in ("EUCL - CAM", "EUCL - MM", "CHEB - CAM", "CHEB - MM")}
        slacks += [a["EUCL - CAM"] - a["EUCL - MM"], a["CHEB - MM"] - a["CHEB - CAM"]]
        words.append(f"{base}: " + ", ".join(f"{name} {x:.2f}" for name, x in a.items()))
    return _slack(min(slacks), "; ".join(words) + ".")


def never_the_same(evidence: Evidence) -> Answer:
    read = _tau(evidence)
    pairs = [(base, f"{toma} - {mean}") for base in BASES for toma in NAMES[2:] for mean in NAMES[:2]]
    tau = {pair: read(*pair) for pair in pairs}
    top, low = max(tau, key=tau.__getitem__), min(tau, key=tau.__getitem__)
    words = " to ".join(f"{tau[key]:.2f} ({key[1]} with {key[0]})" for key in (low, top))
    return Answer(0.9 - tau[top], f"τ topic by topic from {words}.", tau[top] <= 0.9)


def below_one(evidence: Evidence) -> Answer:
    """CAM of nDCG, whose maximum is known by sorting; a mean of aspects is 1 only where all are, as MM is."""
    found = upper_bounds(several(evidence.context), ["CAM(nDCG)"]).frame().iloc[0]
    words = (
        f"CAM with nDCG reaches 1 on {found.reaches_one:.0%} of the topics, and so does MM; on {found.below:.0%} no "
        f"order reaches .9; the mean of the maxima is {found['mean']:.3f}"
    )
    return _slack(0.5 - found.reaches_one, f"{words}.")


def several_power(evidence: Evidence) -> Answer:
    v, slacks, words = evidence.values("aspects", "table4power"), [], []
    for base in BASES:
        share = {name: v[base, name] for name in NAMES}
        best, rest = max(share["EUCL"], share["MANH"]), max(share["CAM"], share["MM"], share["CHEB"])
        slacks += [best - rest, min(x for name, x in share.items() if name != "CHEB") - share["CHEB"]]
        words.append(f"{base}: " + ", ".join(f"{name} {x:.1f}%" for name, x in share.items()))
    return Answer(min(slacks) / 100, "; ".join(words) + ".", min(slacks) >= 0)


def worthless(evidence: Evidence) -> Answer:
    v = evidence.values("aspects", "table5")
    total = {name: v["1-5", name] for name in NAMES}
    others = [x for name, x in total.items() if name not in ("MANH", "CHEB")]
    slack = min(min(others) - total["MANH"], total["CHEB"] - max(others))
    words = ", ".join(f"{name} {x:.2f}%" for name, x in total.items())
    seen = slack >= 0 and total["CHEB"] > total["MANH"]
    return Answer(slack / 100, f"{words} of the first five documents of the best runs.", seen)


def quality(evidence: Evidence) -> Answer:
    v, ranks = evidence.values("aspects", "table6"), ("1-25", "26-50", "51-75", "76-100")
    if not all((r, "MANH") in v for r in ranks):
        raise IrvizError("It needs lists of 100 documents.")
    slacks = [v[r, "MANH"] - max(v[r, name] for name in NAMES if name != "MANH") for r in ranks[1:]]
    words = "; ".join(f"{r}: " + ", ".join(f"{name} {v[r, name]:.2f}" for name in NAMES) for r in ranks)
    return _slack(min(slacks), f"{words}.")


# -- Ferrante, Ferro and Maistro 2014 --------------------------------------------------------------

KINDS = ("GAP", "xGAP", "eGAP")
FEW = (
    "Where fewer than four topics satisfy the paper's rule for few highly relevant documents, R(1) ≥ 10·R(2), the "
    "quarter of the topics with the highest R(1)/R(2) is used instead."
)


def one_weight(evidence: Evidence) -> Answer:
    v = evidence.values("graded", "table2")
    tau = [v[g, k, "GAP", "all"] for g in ("0.0 1.0", "1.0 0.0") for k in ("xGAP", "eGAP")]
    tau += [v["1.0 0.0", k, "AP", "all"] for k in KINDS]
    return Answer(min(tau) - 1, f"Lowest of {len(tau)} values of τ: {min(tau):.4f}.", min(tau) > 1 - TIED)


def gap_near_ap(evidence: Evidence) -> Answer:
    v, words, slacks = evidence.values("graded", "table2"), [], []
    for topics in ("all", "few_highly_relevant"):
        gap, x, e = (v["0.1 0.9", k, "AP", topics] for k in KINDS)
        slacks.append(gap - max(x, e))
        words.append(f"{topics.replace('_', ' ')}: GAP {gap:.2f}, xGAP {x:.2f}, eGAP {e:.2f}")
    return _slack(min(slacks), f"τ with AP at g = (.1, .9), {'; '.join(words)}.")


def rising(evidence: Evidence) -> Answer:
    v = evidence.values("graded", "table2")
    shares = [f"{i / 10:.1f} {1 - i / 10:.1f}" for i in range(11)]
    falls = {k: float(min(np.diff([v[g, k, "AP", "all"] for g in shares]))) for k in ("xGAP", "eGAP")}
    words = ", ".join(
        f"{k} from {v[shares[0], k, 'AP', 'all']:.2f}, steepest fall {max(0, -x):.3f}" for k, x in falls.items()
    )
    return _slack(min(falls.values()) + 0.01, f"τ with AP: {words}.")


def ndcg_robust(evidence: Evidence) -> Answer:
    mean = evidence.curves("graded", "figure1").mean(axis=1).loc["All topics"].sort_values(ascending=False)
    words, two = ", ".join(f"{name} {tau:.2f}" for name, tau in mean.items()), ["nDCG", "Bpref"]
    slack = float(np.min(mean[two].to_numpy()) - np.max(mean.drop(two).to_numpy()))
    return _slack(slack, f"Mean self-τ: {words}.")


def xgap_shallow(evidence: Evidence) -> Answer:
    few = evidence.curves("graded", "figure1").loc["Few highly relevant", ["10%", "5%"]]
    slack = float(np.min((few.loc[["xGAP", "eGAP"]] - few.loc["GAP"]).to_numpy()))
    words = [f"{share} kept: " + ", ".join(f"{k} {few.loc[k, share]:.2f}" for k in KINDS) for share in few]
    return _slack(slack, "; ".join(words) + ".")


# -- Ravana and Moffat 2009 ------------------------------------------------------------------------


def _gain(evidence: Evidence, how: str, eps: float | None) -> tuple[list[str], np.ndarray, np.ndarray]:
    """By measure without SP: name, share of low scores, and what the ε-adjusted geometric mean gains over another."""
    scores, draws = metric_scores(evidence.context), evidence.draws
    if len(scores.topics) < 2 or len(scores.systems) < 2:
        raise IrvizError("It compares rankings of systems on two sets of topics; it needs two of each at least.")
    means = [
        consistency(scores, draws.trials, "random", h, e, seed=draws.seed).mean
        for h, e in (("geometric", 0.01), (how, eps))
    ]
    gain, keep = means[0] - means[1], [i for i, name in enumerate(scores.measures) if name != "SP"]
    if not np.isfinite(gain[keep]).all():
        raise IrvizError("Its coefficients are undefined here, because systems tie.")
    return [scores.measures[i] for i in keep], low_share(scores)[keep], gain[keep]


def geometric_gain(evidence: Evidence) -> Answer:
    names, low, gain = _gain(evidence, "mean", None)
    words = ", ".join(f"{name} {x:.0%} low, {y:+.3f}" for name, x, y in zip(names, low, gain, strict=True))
    tau = kendall_tau(np.stack([low, gain]))[0, 1] if len(names) > 2 else np.nan
    more = f"; τ between the share of low scores and the gain {tau:.2f}" if np.isfinite(tau) else ""
    right = np.where(low > 0.5, gain, -gain)
    return Answer(float(right.min()), f"{words}{more}.", bool(((gain > 0) == (low > 0.5)).all()))


def additive(evidence: Evidence) -> Answer:
    names, _, gain = _gain(evidence, "geometric_threshold", 1e-5)
    return _slack(gain.min(), ", ".join(f"{name} {x:+.3f}" for name, x in zip(names, gain, strict=True)) + ".")


def standardised(evidence: Evidence) -> Answer:
    v = evidence.values("means", "table3")
    cases = [(split, v[split, "AM", "SP"], v[split, "AM", "AP"]) for split in ("Random", "Hard-Easy", "Middle-Rest")]
    return _slack(min(a - b for _, a, b in cases), ", ".join(f"{s}: SP {a:.3f}, AP {b:.3f}" for s, a, b in cases) + ".")


def order_of_means(evidence: Evidence) -> Answer:
    trials = evidence.of("means", "figure2").tables["Trials"].frame.mean()
    order = [float(trials[f"{name}-AP"]) for name in ("eGM", "eHM", "AM", "MD")]
    return _falls(order, ", ".join(f"{name} {x:.3f}" for name, x in trials.items()) + ".")


def hard_easy(evidence: Evidence) -> Answer:
    v = evidence.values("means", "table3")
    cases = [(v["Hard-Easy", a, "AP"], v["Middle-Rest", a, "AP"], a.split()[0]) for a in ("AM", "eGM eps=0.01")]
    words = ", ".join(f"{n}: {a:.3f} against {b:.3f}" for a, b, n in cases)
    return _slack(min(b - a for a, b, _ in cases), f"{words}.")


# -- the table -------------------------------------------------------------------------------------

CLAIMS: tuple[Claim, ...] = (
    Claim(
        paper="scales",
        text="measures on one interval scale have τ = 1 topic by topic",
        place="section 5.2.1, Table 1",
        quote="the topic-by-topic correlation among precision, recall, F-measure, and SBTO is 1.00, since they are all "
        "on the same interval scale",
        printed="T08: 1.0000 for precision, recall and F with SBTO, and for RBP(½) with RBTO",
        seen="τ is 1 for measures of sets, and above .995 for RBP",
        items=("table1", "table2"),
        needs="lists",
        ask=one_scale,
        exact=True,
        remark="For RBP only τ above .995 is required: its sums are doubles, which tie lists that differ only below "
        "rank 53, while RBTO is compared in exact integers.",
    ),
    Claim(
        paper="scales",
        text="averaged over topics, recall disagrees with SBTO most, F less, and precision not at all",
        place="section 5.2.1, Table 1",
        quote="F-measure, being the harmonic mean of precision and recall, falls somehow in-between",
        printed="T08: precision .9998, F-measure .9670, recall .8591",
        seen="overall τ with SBTO falls from precision to F-measure to recall",
        items=("table1",),
        needs="lists",
        ask=recall_overall,
    ),
    Claim(
        paper="scales",
        text="the further a measure is from an interval scale, the lower its topic-by-topic τ with RBTO",
        place="section 5.2.2, Table 2",
        quote="this shows how departing from an interval scale lowers more and more the correlation",
        printed="T08: RBP(½) 1.0000, RBP(.2) .9985, RBP(.8) .8553, AP .6099",
        seen="τ does not rise from RBP(½) to RBP(.2), RBP(.8) and AP",
        items=("table2",),
        needs="lists",
        ask=departing,
    ),
    Claim(
        paper="scales",
        text="although ERR is on neither scale, its topic-by-topic τ with RBTO is high",
        place="section 5.2.2, Table 2",
        quote="despite the fact that ERR is not even an ordinal scale",
        printed="T26: ERR .9468, gRBP(.8) .7420",
        seen="τ with RBTO is higher for ERR than for gRBP(.8), which is on neither scale either",
        items=("table2",),
        needs="grades",
        ask=err_near,
    ),
    Claim(
        paper="scales",
        text="ANOVA separates more pairs of systems than Kruskal-Wallis, under every measure",
        place="section 5.3.1, Tables 3 and 4",
        quote="this number increases when ANOVA is used, since it is a more powerful test than Kruskal-Wallis",
        printed="T08: AP 3,320 against 1,824 of 8,256 pairs",
        seen="more pairs under every measure of Tables 3 and 4",
        items=("table3", "table4"),
        needs="lists",
        ask=anova_power,
    ),
    Claim(
        paper="scales",
        text="ordinal RBP(.2) separates fewer pairs than RBTO under ANOVA, and as many under Kruskal-Wallis",
        place="section 5.3.2, Table 4",
        quote="it detects more or less the same number of significantly different pairs while for ANOVA, being "
        "provided with a less powerful scale than the one assumed, it detects less significantly different pairs",
        printed="T08: ANOVA 26.62 against 34.65%, Kruskal-Wallis 20.29 against 20.31%",
        seen="fewer pairs under ANOVA, and less than half a percentage point apart under Kruskal-Wallis",
        items=("table4",),
        needs="lists",
        ask=ordinal_power,
    ),
    Claim(
        paper="scales",
        text="measures on neither scale (RBP(.8), AP, DCG, ERR) separate more pairs than RBTO",
        place="section 5.3.2, Table 4",
        quote="gRBP with p = 0.8, DCG, and ERR are neither ordinal nor interval scales and, as it happened before, "
        "they tend to detect a higher number of significantly different pairs",
        printed="T08, ANOVA: RBP(.8) 42.10, AP 40.21, RBTO 34.65%",
        seen="more pairs under ANOVA with each of them",
        items=("table4",),
        needs="lists",
        ask=neither_power,
        remark="In the paper's own table ERR is an exception under Kruskal-Wallis only (248 against 254 pairs); under "
        "ANOVA, which is asked here, it separates more than RBTO (566 against 551).",
    ),
    Claim(
        paper="scales",
        text="RBTO is less robust to reduced pools than SBTO, at every share",
        place="section 5.4.1, Figure 1",
        quote="the self-correlation of RBTO is substantially lower than the one of SBTO",
        printed="curves without numbers",
        seen="self-τ of SBTO is at least that of RBTO at every share, in all figures",
        items=("figure1",),
        needs="lists",
        ask=sbto_robust,
    ),
    Claim(
        paper="scales",
        text="robustness increases in the order RBP(.2), RBTO, RBP(.8), AP (graded: DCG)",
        place="section 5.4.2, Figure 2",
        quote="have a higher self-correlation than RBTO",
        printed="curves without numbers",
        seen="self-τ, averaged over the shares, does not fall in this order, in all figures",
        items=("figure2",),
        needs="lists",
        ask=rank_robust,
    ),
    Claim(
        paper="users",
        text="ERG and ETG rank systems identically under precision, DCG and RBP; under precision, avg does too",
        place="section 4, Figure 1",
        quote="for Precision, DCG and RBP, the system ranking list returned by A_{ERG} and A_{ETG} "
        "are exactly the same",
        printed="the same lists; τ is left out",
        seen="all four τ are 1",
        items=("figure1",),
        needs="lists",
        ask=same_rankings,
        exact=True,
    ),
    Claim(
        paper="users",
        text="ERG is the most or second most consistent aggregation (in the paper, except INST on one collection)",
        place="section 5, Table 3",
        quote="has the best or the second best system ranking consistency in all but one cases (INST on TR19DL)",
        printed="WWW3: .755 under precision, .763 under DCG",
        seen="most or second most consistent under at least five of six browsing models",
        items=("table3",),
        needs="lists",
        ask=erg_consistent,
    ),
    Claim(
        paper="users",
        text="the maximum is the least or second least consistent (in the paper, except precision on one collection)",
        place="section 5, Table 3",
        quote="It is in the last place or the penultimate in terms of system ranking consistency in all but one cases "
        "(Precision on TR19DL)",
        printed="last or last but one in 11 of 12 columns",
        seen="least or second least consistent under at least five of six browsing models",
        items=("table3",),
        needs="lists",
        ask=max_consistent,
    ),
    Claim(
        paper="users",
        text="A_ERR is consistent with ERR's browsing model, and falters with INST's and AP's",
        place="section 5, Table 3",
        quote="has a outstanding performance in system ranking consistency under the browsing model of ERR, but its "
        "performance falters when it is combined with the browsing model of INST and AP",
        printed="a table of mean τ",
        seen="among the three most consistent under ERR, and among the two least under INST and AP",
        items=("table3",),
        needs="lists",
        ask=err_specialised,
    ),
    Claim(
        paper="users",
        text="the maximum separates the fewest pairs under DCG, RBP, INST and ERR",
        place="section 6, Figure 2",
        quote="It is in the last place in terms of discriminative power under the browsing model of DCG, RBP, INST and "
        "ERR",
        printed="curves without numbers",
        seen="no other aggregation separates fewer pairs, under each of the four",
        items=("figure2",),
        needs="lists",
        ask=max_weak,
    ),
    Claim(
        paper="aspects",
        text="with AP, EUCL and MANH give the same rankings: τ = 1",
        place="section 4.3.1, Table 4",
        quote="The RoS corresponding to EUCL - MANH are equivalent",
        printed="1.00 on all ten tracks",
        seen="τ topic by topic is 1",
        items=("table4",),
        needs="aspects",
        ask=euclid_manhattan,
        exact=True,
        remark="True by definition: with AP every aspect is binary first (the paper's section 4.1), and a tuple of "
        "zeros and ones is equally far from the best by both distances.",
    ),
    Claim(
        paper="aspects",
        text="EUCL agrees more with CAM than with MM, CHEB more with MM than with CAM",
        place="section 4.3.1, Table 4",
        quote="EUCL and MANH may be more similar to CAM (mean), while CHEB may be more similar to MM (harmonic mean)",
        printed="true in 20 and in 14 of the paper's 20 columns",
        seen="both, with nDCG and with AP",
        items=("table4",),
        needs="aspects",
        ask=nearest,
    ),
    Claim(
        paper="aspects",
        text="no TOMA measure has a τ above .9 with CAM or MM",
        place="section 4.3.1, Table 4",
        quote="values between TOMA and the baselines are never above",
        printed="up to .76 (CAM) and .88 (MM)",
        seen="no τ topic by topic is above .9, with nDCG or with AP",
        items=("table4",),
        needs="aspects",
        ask=never_the_same,
    ),
    Claim(
        paper="aspects",
        text="however documents are ranked, CAM and MM stay below 1 on most topics",
        place="section 4.2, Figure 2",
        quote="with real data CAM and MM can be upper bounded by a value",
        printed="Decision 2019, by ideal rankings: CAM reaches 1 on 2% of the topics and stays below .9 on 26%",
        seen="with nDCG, no order of the judged documents reaches 1 on more than half of the topics",
        items=("figure2",),
        needs="aspects",
        ask=below_one,
    ),
    Claim(
        paper="aspects",
        text="EUCL or MANH separates the most pairs, CHEB the fewest",
        place="section 4.3.2, Table 4",
        quote="CHEB is the least discriminative measure, followed by MM",
        printed="true in 16 and in 15 of the paper's 20 columns (paired bootstrap, α = .01)",
        seen="both, with nDCG and with AP",
        items=("table4power",),
        needs="aspects",
        ask=several_power,
    ),
    Claim(
        paper="aspects",
        text="the best runs under MANH have the fewest worthless documents at the top, those under CHEB the most",
        place="section 4.3.3, Table 5",
        quote="MANH is associated with the lowest amount of zero-aspect documents, closely followed by EUCL",
        printed="MANH 7.25%, CHEB 20.92% of the first five",
        seen="no measure has fewer than MANH or more than CHEB, and the two differ",
        items=("table5",),
        needs="aspects",
        ask=worthless,
    ),
    Claim(
        paper="aspects",
        text="below rank 25, the documents of the best runs under MANH have the highest sum of labels",
        place="section 4.3.4, Table 6",
        quote="document quality is overall, albeit marginally, the best, at ranks 26-100",
        printed="ranks 26–50: MANH .94, EUCL .91, CAM .85",
        seen="the highest sum at ranks 26–50, 51–75 and 76–100",
        items=("table6",),
        needs="aspects",
        ask=quality,
    ),
    Claim(
        paper="graded",
        text="with all weight on one grade, GAP, xGAP and eGAP are equal, and equal to AP if it is the lowest grade",
        place="section 6, Tables 2 and 3",
        quote="The correlation among GAP, xGAP, and eGAP is always 1 when only one",
        printed="1.00",
        seen="all seven τ are 1",
        items=("table2",),
        needs="grades",
        ask=one_weight,
        exact=True,
    ),
    Claim(
        paper="graded",
        text="with g = (.1, .9), GAP agrees more with AP than xGAP and eGAP do, on all topics and on those with few "
        "highly relevant documents",
        place="section 6, Table 2",
        quote="the correlation between GAP and AP suddenly becomes quite high, even if it should not",
        printed="TREC10: GAP .84, xGAP .73, eGAP .72; few: .80, .48, .45",
        seen="τ with AP is highest for GAP, on both sets of topics",
        items=("table2",),
        needs="grades",
        ask=gap_near_ap,
        remark=FEW,
    ),
    Claim(
        paper="graded",
        text="the τ of xGAP and eGAP with AP increases with g_1",
        place="section 6, Table 2",
        quote="the correlation between AP, xGAP, and eGAP increases",
        printed="TREC10, g_1 from .1 to .3: xGAP .73 to .80, eGAP .72 to .78",
        seen="no step of .1 lowers τ by .01 or more",
        items=("table2",),
        needs="grades",
        ask=rising,
    ),
    Claim(
        paper="graded",
        text="nDCG and bpref are the most robust to reduced pools",
        place="section 6, Figure 1",
        quote="In this respect, nDCG and bpref exhibit the best behaviour",
        printed="curves without numbers",
        seen="the two highest self-τ, averaged over the shares",
        items=("figure1",),
        needs="grades",
        ask=ndcg_robust,
    ),
    Claim(
        paper="graded",
        text="in pools of 10 and 5%, xGAP and eGAP are more robust than GAP on topics with few highly relevant "
        "documents",
        place="section 6, Figure 1",
        quote="This behaviour is even more evident when it comes to topics with few highly relevant documents",
        printed="curves without numbers",
        seen="higher self-τ than GAP at both shares",
        items=("figure1",),
        needs="grades",
        ask=xgap_shallow,
        remark=f"The differences are at most a few hundredths. {FEW}",
    ),
    Claim(
        paper="means",
        text="where there are many low scores, the ε-adjusted geometric mean is more consistent than the "
        "arithmetic one",
        place="section 5.3, Figure 9",
        quote="gives more consistent system orderings than does AM",
        printed="points without numbers",
        seen="more consistent under exactly the measures with more than half of the scores below 0.1",
        items=("figure9",),
        needs="scores",
        ask=geometric_gain,
        remark="The signed numbers are the gain: mean τ of topic halves under the geometric mean (ε = 0.01) minus that "
        "under the arithmetic mean.",
    ),
    Claim(
        paper="means",
        text="adding ε is more consistent than trec_eval's threshold, for every measure but SP",
        place="section 5.4, Figure 10",
        quote="We can see no basis for persisting with the thresholding version of GM-AP provided by",
        printed="in all of twelve cases; AP on TREC9 .819 against .798",
        seen="a gain under every measure",
        items=("figure10",),
        needs="scores",
        ask=additive,
    ),
    Claim(
        paper="means",
        text="standardised AP is more consistent than AP under the arithmetic mean, under every split",
        place="section 5.4, Table 3",
        quote="the AM-SP combination of effectiveness metric and aggregation method is uniformly better than the AM-AP "
        "combination",
        printed="TREC9: .798 against .748, .704 against .694, .820 against .722",
        seen="higher τ under all three splits",
        items=("table3",),
        needs="scores",
        ask=standardised,
    ),
    Claim(
        paper="means",
        text="for AP, consistency decreases in the order eGM, eHM, AM, median (TREC9)",
        place="section 5.1, Figure 2",
        quote="Analysis of the paired differences shows that all of the relationships shown are significant",
        printed="densities without numbers",
        seen="mean τ does not rise in this order",
        items=("figure2",),
        needs="scores",
        ask=order_of_means,
        remark="The paper itself does not find this order on TREC-8 and TREC 2001 (section 5.2).",
    ),
    Claim(
        paper="means",
        text="hard and easy topics agree less than topics of medium hardness and the rest",
        place="section 5.4, Table 3",
        quote="is more likely to lead to different system orderings than is the Middle/Rest topics split",
        printed="TREC9: AM .694 against .722, eGM .779 against .826",
        seen="lower τ for the hard-easy split, under AM and eGM",
        items=("table3",),
        needs="scores",
        ask=hard_easy,
    ),
)
