"""Lab: aggregation.  Four systems, five topics, and a winner that depends on the mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import listed, verb
from irviz.labs.aggregation.figures import along_eps, by_mean, standardised_rows
from irviz.labs.aggregation.halves import DEALS
from irviz.labs.aggregation.model import GRID, handovers, six_means, winners
from irviz.labs.aggregation.step_figures import score_dots
from irviz.labs.aggregation.yours import on_collection
from irviz.labs.deals import deal_control
from irviz.labs.lab import YOURS, Row, on_yours
from irviz.stats.aggregate import aggregate
from irviz.stats.intervals import smoothed
from irviz.stats.topic_effects import standardise
from irviz.workspace.averages import LOW
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number
from irviz.workspace.panel import Drawing, Formula, Lab, LabClaim, Panel, Table
from irviz.workspace.phrases import number

SOURCE = "Ravana & Moffat 2009"
SYSTEMS, TOPICS = ("S1", "S2", "S3", "S4"), ("t1", "t2", "t3", "t4", "t5")
ROW_CONTROLS = tuple(name.lower() for name in SYSTEMS)  #: names of the controls that hold their scores
#: the paper's Table 1
TABLE_1 = ((0.1, 0.1, 0.3, 0.8, 0.1), (0.0, 0.4, 0.2, 0.4, 0.3), (0.1, 0.5, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.2, 0.2))
#: share of AP scores of at most 0.1 (Table 2 and section 5.2), and τ of εGM (ε = 0.01) minus τ of AM (Table 3)
PUBLISHED = {"TREC-9": (0.56, 0.071), "TREC 2001": (0.49, 0.036), "TREC-8": (0.36, -0.018)}
Floats = NDArray[np.float64]

CONTROLS = (
    *(
        Row(
            name=name.lower(),
            label=f"Scores of {name} on the five topics",
            default=scores,
            length=len(TOPICS),
            help="Five numbers from 0 to 1, with commas or blanks between them.",
        )
        for name, scores in zip(SYSTEMS, TABLE_1, strict=True)
    ),
    Number(
        name="log",
        label="ε as a power of ten",
        default=-2,
        low=-6,
        high=2,
        step=0.1,
        help="ε is 10 to this power: −6 is 0.000001, 2 is 100.",
    ),
    Choice(
        name="along",
        label="Along ε",
        default="geometric",
        few=True,
        options=(("geometric", "geometric"), ("harmonic", "harmonic")),
        help="The ε-adjusted mean that the figure over ε shows.",
    ),
    Choice(
        name="who",
        label="A click on the scores moves",
        default="s1",
        few=True,
        options=tuple((name.lower(), name) for name in SYSTEMS),
        help="The system whose dot moves to the place you click.",
        shown_if=lambda values: not values["step"].isdigit(),
    ),
    Number(
        name="hard",
        label="Share of topics with scores near zero",
        default=0,
        low=0,
        high=0.9,
        step=0.1,
        help="On this share of the topics of the collection, all scores are multiplied by 0.05.",
        shown_if=lambda values: values["step"].isdigit(),
    ),
    deal_control(DEALS),
    YOURS,
)


def panel(context: Context | None, values: Mapping[str, Any]) -> Lab:
    """Six averages of four systems, the winners along ε, and the same after standardising."""
    scores = table_of(values)
    eps = 10.0 ** values["log"]
    means = six_means(scores, eps)
    won = {name: winners(row) for name, row in means.items()}
    how = values["along"]
    return Lab(
        panel=Panel(
            sentence=_sentence(won),
            drawings=(
                {"scores": dots_drawing(scores, values["who"]), "means": means_drawing(scores, eps)},
                {"eps": eps_drawing(scores, how, eps), "standard": _standardised(scores)},
            ),
            tables={
                "Means": Table(
                    _means_table(means), "One row per average, one column per system.", digits=3, names=SYSTEMS
                ),
                "Standardised": Table(
                    _standard_table(scores),
                    "One row per topic: its z-scores through the normal distribution function.",
                    digits=3,
                    names=SYSTEMS,
                ),
            },
        ),
        how="Change a score, or move ε, and see whether the winner changes.",
        formulas=_formulas(eps),
        claims=_claims(scores, eps, how, won),
        yours=on_yours(context, values, lambda opened: on_collection(opened, how, eps)),
    )


def table_of(values: Mapping[str, Any]) -> Floats:
    """The scores, topics × systems."""
    return np.array([values[name.lower()] for name in SYSTEMS]).T


MEAN_WORDS = {
    "AM": "the arithmetic mean",
    "GM": "the geometric mean",
    "εGM": "the ε-geometric mean",
    "HM": "the harmonic mean",
    "εHM": "the ε-harmonic mean",
    "median": "the median",
}


# -- figures ----------------------------------------------------------------------------------


def dots_drawing(scores: Floats, who: str) -> Drawing:
    """The scores as dots to drag; a click moves those of `who`."""
    chosen = ROW_CONTROLS.index(who)
    told = "; ".join(f"{name} {', '.join(number(x) for x in scores[:, s])}" for s, name in enumerate(SYSTEMS))
    hint = f"drag a dot, or click in a column to move {SYSTEMS[chosen]} there"
    drawn = score_dots(scores, SYSTEMS, TOPICS, chosen, movable=True)
    return Drawing(drawn, "The scores of the topics", f"Scores by topic: {told}.", ROW_CONTROLS, hint)


def means_drawing(scores: Floats, eps: float) -> Drawing:
    means = six_means(scores, eps)
    won = {name: winners(row) for name, row in means.items()}
    drawn = by_mean(list(means), SYSTEMS, np.stack(list(means.values())), list(won.values()))
    return Drawing(drawn, "Which system wins by which average: the ring marks the winner", _means_alt(means, won))


def eps_drawing(scores: Floats, how: str, eps: float) -> Drawing:
    curve = np.stack([aggregate(scores, how, float(e)) for e in GRID])
    curve = np.where(np.abs(curve) < 1e-12, 0.0, curve)  # ε − ε is 0
    drawn = along_eps(GRID, SYSTEMS, curve, aggregate(scores, "mean"), eps)
    return Drawing(drawn, f"The ε-{how} mean from small to large ε", _handover_words(scores, how))


def _standardised(scores: Floats) -> Drawing:
    standard = standardise(_frame(scores)).to_numpy()
    curves = topic_densities(scores, standard)
    drawn = standardised_rows(TOPICS, scores, standard, SYSTEMS, curves)
    return Drawing(drawn, "Every topic before and after standardising", _spread_words(scores, standard))


def topic_densities(raw: Floats, standard: Floats) -> Floats:
    """2 × topics × points: smoothed densities of the topics' scores over [0, 1]."""
    grid = np.linspace(0, 1, 61)
    return np.stack([np.stack([smoothed(row, grid) for row in values]) for values in (raw, standard)])


# -- words ------------------------------------------------------------------------------------


def quoted_systems(systems: Sequence[int]) -> str:
    return listed([f"`{SYSTEMS[i]}`" for i in systems], joiner="and")


def _sentence(won: Mapping[str, list[int]]) -> str:
    by_winner: dict[tuple[int, ...], list[str]] = {}
    for name, first in won.items():
        by_winner.setdefault(tuple(first), []).append(MEAN_WORDS[name])
    if len(by_winner) == 1:
        only = next(iter(by_winner))
        return f"All six averages agree: {quoted_systems(only)} {'wins' if len(only) == 1 else 'share the win'}."
    parts = [
        f"{quoted_systems(several)} {'wins' if len(several) == 1 else 'tie'} by {listed(names, joiner='and')}"
        for several, names in by_winner.items()
    ]
    return f"The same scores, {len(by_winner)} different outcomes: {'; '.join(parts)}."


def _claims(scores: Floats, eps: float, how: str, won: Mapping[str, list[int]]) -> tuple[LabClaim, ...]:
    standard = standardise(_frame(scores)).to_numpy()
    return (
        LabClaim(pull_words(scores), f"{SOURCE}, section 2 and Table 1"),
        LabClaim(zero_words(scores, eps), f"{SOURCE}, section 2"),
        LabClaim(
            _handover_words(scores, how), f"{SOURCE}, section 2: as ε grows, the ε-adjusted means approach the AM"
        ),
        LabClaim(low_words(scores), f"{SOURCE}, section 5.2, Tables 2 and 3 (AP, random halves)"),
        LabClaim(_spread_words(scores, standard), f"{SOURCE}, section 5.3; Webber, Moffat & Zobel 2008"),
        LabClaim(_standard_winner(scores, standard, won), f"{SOURCE}, section 5.3"),
    )


def pull_words(scores: Floats) -> str:
    """How much of the arithmetic winner's total comes from one topic."""
    won = winners(scores.mean(axis=0))
    if len(won) > 1:
        return f"{quoted_systems(won)} share the win by the arithmetic mean, whatever they score on single topics."
    own = scores[:, won[0]]
    topic = int(np.argmax(own))
    without = winners(np.delete(scores, topic, axis=0).mean(axis=0))
    kept = (
        "it still wins"
        if without == won
        else f"{quoted_systems(without)} would win"
        if len(without) == 1
        else f"{quoted_systems(without)} would tie"
    )
    return (
        f"`{SYSTEMS[won[0]]}` wins by the arithmetic mean and has {own[topic] / own.sum():.0%} of its total from one "
        f"topic, {TOPICS[topic]}; without that topic {kept}."
    )


def zero_words(scores: Floats, eps: float) -> str:
    hit = np.flatnonzero((scores == 0).any(axis=0))
    if not len(hit):
        return (
            "No system scores 0 anywhere, so the geometric and the harmonic mean of every system are above 0 "
            "without any ε."
        )
    saved = aggregate(scores, "geometric", eps)
    parts = ", ".join(f"`{SYSTEMS[i]}` (with ε = {eps:.3g}: {number(saved[i])})" for i in hit)
    return (
        f"One zero makes a geometric mean 0, whatever the other topics say: that happens to {parts}. The harmonic mean "
        "has no value there, as it divides by 0; its limit, 0, is used here."
    )


def _handover_words(scores: Floats, how: str) -> str:
    changes = handovers(scores, how)
    text = f"With the smallest ε the ε-{how} mean puts {quoted_systems(changes[0][1])} first"
    if len(changes) == 1:
        return f"{text}, and so it does for every ε up to 100."
    later = [f"{quoted_systems(first)} from ε ≈ {eps:.3g}" for eps, first in changes[1:]]
    best = quoted_systems(winners(scores.mean(axis=0)))
    return f"{text}; then {', '.join(later)}. The arithmetic mean puts {best} first."


def low_words(scores: Floats) -> str:
    zero, low = float((scores == 0).mean()), float((scores < LOW).mean())
    near = min(PUBLISHED, key=lambda name: abs(PUBLISHED[name][0] - low))
    share, gain = PUBLISHED[near]
    side = "about as many as" if abs(share - low) < 0.02 else "more than" if low > share else "fewer than"
    effect = "higher" if gain > 0 else "lower"
    return (
        f"{zero:.0%} of these {scores.size} scores are 0 and {low:.0%} are below {LOW:g}, {side} on {near} "
        f"({share:.0%}), the nearest of the paper's three collections: there τ between halves of the topics was "
        f"{number(abs(gain))} {effect} with εGM than with AM."
    )


def _spread_words(raw: Floats, standard: Floats) -> str:
    wide, even = raw.std(axis=1, ddof=1), standard.std(axis=1, ddof=1)
    telling = wide > 1e-12
    if not telling.any():
        return "On every topic all systems score the same, so standardising has nothing to spread."
    alike = [TOPICS[i] for i in np.flatnonzero(~telling)]
    a, b = int(wide.argmax()), int(np.where(telling, wide, np.inf).argmin())
    kept = even[telling]
    if a == b or wide[a] - wide[b] < 1e-9:
        text = f"As they are, the topics spread the systems alike (standard deviation {number(wide[a])})"
    else:
        text = (
            f"As they are, {TOPICS[a]} spreads the systems most (standard deviation {number(wide[a])}) and {TOPICS[b]} "
            f"least ({number(wide[b])})"
        )
    after = (
        f"the spread is {number(kept.min())}"
        if kept.max() - kept.min() < 5e-4
        else f"the spreads lie between {number(kept.min())} and {number(kept.max())}"
    )
    if not alike:
        return f"{text}; standardised, {after}, so every topic counts alike."
    none = f"{listed(alike, joiner='and')} {verb(len(alike), 'does', 'do')} not separate the systems"
    return f"{text}; standardised, {after}. {none}, before or after."


def _standard_winner(raw: Floats, standard: Floats, won: Mapping[str, list[int]]) -> str:
    after, before = winners(standard.mean(axis=0)), won["AM"]
    outcome = "wins" if len(after) == 1 else "tie"
    if after == before:
        outcome = f"still {outcome}"
    else:
        outcome += f"; by that of the scores as they are, {quoted_systems(before)} {verb(len(before), 'wins', 'tie')}"
    return f"By the arithmetic mean of the standardised scores {quoted_systems(after)} {outcome}."


def _means_alt(means: Mapping[str, Floats], won: Mapping[str, list[int]]) -> str:
    parts = [f"{name}: {quoted_systems(won[name])} with {number(float(row.max()))}" for name, row in means.items()]
    return f"Four systems under six averages; the winners: {'; '.join(parts)}."


def _formulas(eps: float) -> tuple[Formula, ...]:
    at = f"{SOURCE}, section 2"
    return (
        Formula(r"\mathrm{AM} = \tfrac1t \sum_i x_i", 'summarise(matrix, "mean")', at),
        Formula(
            r"\epsilon\mathrm{GM} = \exp\Bigl(\tfrac1t\sum_i \log(x_i + \epsilon)\Bigr) - \epsilon",
            f'summarise(matrix, "geometric", eps={eps:.3g})',
            at,
        ),
        Formula(
            r"\epsilon\mathrm{HM} = \frac{t}{\sum_i 1/(x_i + \epsilon)} - \epsilon",
            f'summarise(matrix, "harmonic", eps={eps:.3g})',
            at,
        ),
        Formula(
            r"e_{ts} = \Phi\Bigl(\frac{x_{ts} - \bar x_t}{sd_t}\Bigr)", "standardise(matrix)", f"{SOURCE}, section 5.3"
        ),
    )


def _frame(scores: Floats) -> pd.DataFrame:
    return pd.DataFrame(scores, index=list(TOPICS), columns=list(SYSTEMS))


def _means_table(means: Mapping[str, Floats]) -> pd.DataFrame:
    frame = pd.DataFrame(np.stack(list(means.values())), columns=list(SYSTEMS))
    frame.insert(0, "mean", list(means))
    return frame


def _standard_table(scores: Floats) -> pd.DataFrame:
    return standardise(_frame(scores)).rename_axis(index="topic").reset_index().rename_axis(columns=None)
