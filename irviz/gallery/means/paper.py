"""Ravana and Moffat 2009: which average over topics?"""

from __future__ import annotations

from irviz.analysis.consistency import consistency
from irviz.figures.epsilon import low_score_bars
from irviz.gallery.item import CellKey, Found, Item, Paper, Printed, RandomTrials
from irviz.gallery.means import figures
from irviz.gallery.means.metrics import PAPER_METRICS, metric_scores
from irviz.gallery.published import published
from irviz.gallery.tolerance import of_means
from irviz.scores import Scores
from irviz.summary import summarise
from irviz.workspace.averages import LOW, low_shares
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing
from irviz.workspace.words import falling, highest, spelled, together, verb

_MEANS = {
    "AM": ("mean", None),
    "GM": ("geometric", 0.0),
    "eGM": ("geometric", 0.01),
    "HM": ("harmonic", 0.0),
    "eHM": ("harmonic", 0.01),
    "MD": ("median", None),
}
PRINTED_MEANS = {
    "AM": ("mean", None),
    "eGM eps=0.01": ("geometric", 0.01),
    "eGM_trec_eval eps=1e-5": ("geometric_threshold", 1e-5),
}
IN_WORDS = {
    "AM": "AM",
    "eGM eps=0.01": "eGM with ε = 0.01",
    "eGM_trec_eval eps=1e-5": "trec_eval's GM with ε = 0.00001",
}
_PAPER_SPLITS = 10_000
PRINTED_SPLITS = {"Random": "random", "Hard-Easy": "hard_easy", "Middle-Rest": "middle_rest"}
_NEEDED_RUNS = (
    "the runs of the TREC-9 Web (105 systems), TREC 2001 Web (97) and TREC-8 Ad Hoc (129) tracks, which NIST gives "
    "to participants only"
)


def printed_examples() -> Printed:
    rows = published("aggregation_examples").drop(columns=["x1", "x2", "x3", "x4", "x5"])
    rows = rows.melt("system", var_name="mean", value_name="published")
    return Printed(rows, ("system", "mean"), "central tendency of five scores")


def examples(context: Context, draws: RandomTrials) -> Found:
    """Table 1: six averages of four systems' scores on five topics."""
    rows = published("aggregation_examples").set_index("system")[["x1", "x2", "x3", "x4", "x5"]].astype(float)
    found = {name: summarise(rows.T, how, eps) for name, (how, eps) in _MEANS.items()}
    values: dict[CellKey, float] = {
        (system, name): float(x) for name, row in found.items() for system, x in row.items()
    }
    best = {name: row.index[row.to_numpy() >= row.max() - 1e-9] for name, row in found.items()}
    words = ", ".join(f"{' and '.join(names)} by {name}" for name, names in best.items())
    return Found(f"Which of the four systems is best depends on the average: {words}.", values)


def printed_low() -> Printed:
    rows = published("aggregation_low_scores").rename(columns={"pct_zero": "zero", "pct_le_0.1": "below 0.1"})
    rows = rows.melt("metric", var_name="scores", value_name="published").assign(collection="TREC9")
    return Printed(rows, ("metric", "scores"), "% of all scores")


def low(context: Context, draws: RandomTrials) -> Found:
    """Table 2: how many scores are zero, and how many are low."""
    scores = metric_scores(context)
    zero, below = low_shares(scores, LOW)
    values: dict[CellKey, float] = {
        (name, kind): float(100 * share)
        for kind, shares in (("zero", zero), ("below 0.1", below))
        for name, share in zip(scores.measures, shares, strict=True)
    }
    share = dict(zip(scores.measures, below.tolist(), strict=True))
    most = highest(share)
    drawn = low_score_bars(scores.measures, zero, below, LOW)
    start = (
        f"{together(most)} {verb(len(most), 'has', 'have')} the largest share of scores below {LOW:g}, "
        f"{share[most[0]]:.0%}"
        if len(most) < len(share)
        else f"All measures have the same share of scores below {LOW:g}, {share[most[0]]:.0%}"
    )
    sentence = f"{start}; of standardised AP (SP) it is {share['SP']:.0%}."
    alt = f"One bar per measure: shares of scores that are zero, and that are below {LOW:g}. {sentence}"
    drawing = Drawing(drawn, "Scores that are zero or low", alt)
    return Found(sentence, values, ({"low": drawing},), notes=_missing(scores))


def printed_split_consistency() -> Printed:
    rows = published("aggregation_consistency").rename(columns={"tau": "published"})
    keys = ("split", "aggregation", "metric")
    return Printed(
        rows[["collection", *keys, "published"]],
        keys,
        "Kendall's τ of two topic sets",
        "split",
        words={"aggregation": IN_WORDS},
    )


def split_consistency(context: Context, draws: RandomTrials) -> Found:
    """Table 3: agreement of two halves of the topics under three means and three splits."""
    scores = metric_scores(context, ("AP",))
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    for split, kind in PRINTED_SPLITS.items():
        for name, (how, eps) in PRINTED_MEANS.items():
            found = consistency(scores, draws.trials, kind, how, eps, seed=draws.seed)
            keys = [(split, name, metric) for metric in scores.measures]
            values |= dict(zip(keys, found.mean.tolist(), strict=True))
            tolerance |= dict(zip(keys, of_means(found.trials, _PAPER_SPLITS).tolist(), strict=True))
        if context.progress is not None:
            context.progress((list(PRINTED_SPLITS).index(split) + 1) / len(PRINTED_SPLITS), f"{split} split")
    by_ap = {words: values["Random", name, "AP"] for name, words in IN_WORDS.items()}
    sentence = (
        f"Mean τ of random halves by AP, from the most consistent average: {falling(by_ap, 3)}; by standardised AP "
        f"with the arithmetic mean: {spelled(values['Random', 'AM', 'SP'], 3)}."
    )
    return Found(sentence, values, tolerance=tolerance)


def _missing(scores: Scores) -> tuple[str, ...]:
    absent = [name for name in PAPER_METRICS if name not in scores.measures]
    return (f"These scores contain no {' and no '.join(absent)}.",) if absent else ()


PAPER = Paper(
    "means",
    "Ravana & Moffat 2009",
    "averages",
    (
        Item(
            "table1",
            "Table 1",
            "Six averages of four systems",
            examples,
            printed_examples,
            notes=(
                "A worked example: it must be reproduced as printed. The paper leaves the harmonic mean of S2 "
                "undefined, because one of its scores is zero; here it is 0, the limit.",
            ),
        ),
        Item(
            "table2",
            "Table 2",
            "How many scores are low",
            low,
            printed_low,
            _NEEDED_RUNS,
            notes=(
                "The printed column is headed ≤ 0.1, but P@10 has the same share as of zeros, so below 0.1 "
                "is meant. RBP is computed on binary relevance.",
            ),
        ),
        Item(
            "table3",
            "Table 3",
            "Consistency under three means",
            split_consistency,
            printed_split_consistency,
            _NEEDED_RUNS,
            draws="trials",
            paper_draws=f"{_PAPER_SPLITS:,} random splits",
            notes=(
                "Hard-Easy and Middle-Rest are one split each. Topics are ranked by surprise, the paper's eq. (2).",
            ),
        ),
        *figures.items(_NEEDED_RUNS),
    ),
    ("TREC9", "TREC2001", "TREC8"),
)
