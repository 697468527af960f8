"""Steps: the mean picks the winner; with many low scores the choice of the ε-geometric mean is more consistent."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviz.labs.aggregation.halves import (
    AM,
    DEALS,
    EPS,
    FACTOR,
    GM,
    HALVED,
    MEASURE,
    SHARES,
    Repeated,
    repeated_rankings,
)
from irviz.labs.aggregation.model import six_means, winners
from irviz.labs.aggregation.panel import (
    ROW_CONTROLS,
    SOURCE,
    SYSTEMS,
    TOPICS,
    eps_drawing,
    means_drawing,
    pull_words,
    quoted_systems,
    table_of,
    zero_words,
)
from irviz.labs.aggregation.step_figures import score_dots, tau_lines
from irviz.labs.deals import Deals, better_worse_alike, deal_drawing, tau_boxes
from irviz.labs.questions import Amount, MultipleChoice
from irviz.labs.steps import Revealed, Scene, Step
from irviz.stats.aggregate import aggregate
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim
from irviz.workspace.phrases import number

SYSTEM_OPTIONS = tuple((name.lower(), name) for name in SYSTEMS)


def dots(values: Values, movable: bool = False) -> Drawing:
    """The scores; in a step with their controls, dots to drag."""
    scores = table_of(values)
    told = "; ".join(f"{name} {', '.join(number(x) for x in scores[:, s])}" for s, name in enumerate(SYSTEMS))
    drawn, picks = score_dots(scores, SYSTEMS, TOPICS, movable=movable), ROW_CONTROLS if movable else ()
    return Drawing(drawn, "Four systems on five topics", f"Scores by topic: {told}.", picks, "drag a dot")


# -- 1 and 2: the arithmetic mean, and one topic ---------------------------------------------------------


def _winner(values: Values) -> Scene:
    scores = table_of(values)
    means = scores.mean(axis=0)
    won = winners(means)
    told = ", ".join(f"{name} {number(mean)}" for name, mean in zip(SYSTEMS, means, strict=True))
    question = MultipleChoice(
        text="Which system has the highest arithmetic mean over the five topics?",
        told=f"{told}.",
        options=SYSTEM_OPTIONS,
        correct=tuple(ROW_CONTROLS[i] for i in won),
    )
    return Scene(
        text="A measure gives every system a score on every topic. To say which system is best, the scores of all "
        "topics are combined into one number. Look at the dots first, without computing.",
        question=question,
        shown=({"dots": dots(values)},),
        reveal=lambda guess: _pull(scores, values),
    )


def _without(values: Values) -> Scene:
    scores = table_of(values)
    first = winners(scores.mean(axis=0))[0]
    topic = int(np.argmax(scores[:, first]))
    left = np.delete(scores, topic, axis=0).mean(axis=0)
    told = ", ".join(f"{name} {number(mean)}" for name, mean in zip(SYSTEMS, left, strict=True))
    question = MultipleChoice(
        text=f"{SYSTEMS[first]} wins. Leave out one topic, {TOPICS[topic]}: which system has the highest arithmetic "
        "mean now?",
        told=f"Without {TOPICS[topic]} the means are {told}.",
        options=SYSTEM_OPTIONS,
        correct=tuple(ROW_CONTROLS[i] for i in winners(left)),
    )
    return Scene(
        text="The arithmetic mean adds up scores, so a single high score has a large influence.",
        question=question,
        shown=({"dots": dots(values)},),
        reveal=lambda guess: _pull(scores, values),
    )


def _pull(scores: np.ndarray, values: Values) -> Revealed:
    """All averages, and how far one score pulls the arithmetic mean."""
    return Revealed(
        drawings=({"means": means_drawing(scores, 10.0 ** values["log"])},),
        claims=(LabClaim(pull_words(scores), f"{SOURCE}, section 2 and Table 1"),),
    )


# -- 3 and 4: other averages, and zeros -----------------------------------------------------------------------


def _how_many(values: Values) -> Scene:
    scores = table_of(values)
    won = {name: winners(row) for name, row in six_means(scores, 10.0 ** values["log"]).items()}
    told = "; ".join(f"{name}: {quoted_systems(first)}" for name, first in won.items())
    different = len({tuple(first) for first in won.values()})
    question = Amount(
        text="Arithmetic, geometric and harmonic mean, the latter two also with ε, and the median: how many different "
        "outcomes (a winner or a tie) do these six give?",
        told=f"{different}. {told}.",
        value=different,
        low=1,
        high=6,
    )
    reveal = Revealed(
        drawings=({"means": means_drawing(scores, 10.0 ** values["log"])},),
        claims=(
            LabClaim(f"The same scores, {different} different outcomes: {told}.", f"{SOURCE}, section 2 and Table 1"),
        ),
    )
    return Scene(
        text="The same scores, other averages. Afterwards, drag the dots: make one system win by every average.",
        question=question,
        shown=({"dots": dots(values, movable=True)},),
        reveal=lambda guess: reveal,
    )


def _zero(values: Values) -> Scene:
    scores = table_of(values)
    s = int(np.flatnonzero((scores == 0).any(axis=0))[0]) if (scores == 0).any() else 1
    plain = float(aggregate(scores, "geometric", 0.0)[s])
    saved = float(aggregate(scores, "geometric", 10.0 ** values["log"])[s])
    question = Amount(
        text=f"{SYSTEMS[s]} scores {', '.join(number(x) for x in scores[:, s])}. What is its geometric mean, the fifth "
        "root of the product?",
        told=f"{number(plain)}: one factor is 0. With ε = {10.0 ** values['log']:.3g} added to every score and "
        f"subtracted from the mean, it is {number(saved)}.",
        value=plain,
        within=0.01,
        step=0.01,
    )

    def reveal(guess: str) -> Revealed:
        return Revealed(
            drawings=({"eps": eps_drawing(scores, values["along"], 10.0 ** values["log"])},),
            claims=(LabClaim(zero_words(scores, 10.0 ** values["log"]), f"{SOURCE}, section 2"),),
        )

    return Scene(
        text="The geometric mean multiplies scores, so low scores have a large influence. Afterwards, move ε and see "
        "from which value on another system wins.",
        question=question,
        shown=({"dots": dots(values)},),
        reveal=reveal,
    )


# -- 5: which ranking is reproduced? ----------------------------------------------------------------------------


def _halves(values: Values) -> Scene:
    found, deal = repeated_rankings(), int(values["deal"])
    at = int(np.abs(SHARES - values["hard"]).argmin())
    am, gm = found.curves[AM], found.curves[GM]
    dealt = {name: every[at] for name, every in found.dealt.items()}
    told = (
        f"With {SHARES[at]:.0%} hard topics, mean τ between the halves is {number(am[at])} for the arithmetic and "
        f"{number(gm[at])} for the ε-geometric mean."
    )
    question = MultipleChoice(
        text=f"On {SHARES[at]:.0%} of the topics all scores are near zero. Over {DEALS} splits like this one, which "
        "mean's ranking is reproduced better on the other half?",
        told=told,
        options=(("a", "That of the arithmetic mean"), ("b", f"That of the ε-geometric mean (ε = {EPS:g})")),
        correct=("a" if am[at] >= gm[at] else "b",),
    )

    def reveal(guess: str) -> Revealed:
        many = tau_boxes({name: one.tau for name, one in dealt.items()})
        alt = "Mean τ: " + "; ".join(
            f"{name} from {number(curve[0])} to {number(curve[-1])}" for name, curve in found.curves.items()
        )
        curves = tau_lines(SHARES, found.curves, float(SHARES[at]))
        return Revealed(
            drawings=(
                {"deal-gm": deal_drawing(dealt[GM], deal, GM)},
                {
                    "many": Drawing(many, f"{DEALS} splits", share_words(dealt)),
                    "halves": Drawing(curves, "Which ranking is reproduced", alt),
                },
            ),
            claims=(
                LabClaim(share_words(dealt), f"The {DEALS} splits of this page"),
                LabClaim(f"{told} {over_words(found, at)}", f"{SOURCE}, section 5.2; here: {setup_words(found)}"),
            ),
        )

    return Scene(
        text="Which mean is right? One test: a meaningful ranking is reproduced on other topics. Here the "
        "topics of a real collection are split into two halves once; every dot is a system, and dots on the line keep "
        "their ranks. Afterwards, split again, and move the share of hard topics until the ε-geometric mean overtakes.",
        question=question,
        shown=({"deal": deal_drawing(dealt[AM], deal, AM)},),
        reveal=reveal,
    )


def share_words(dealt: Mapping[str, Deals]) -> str:
    """How often each ranking is reproduced better, and how often a system wins both halves."""
    am, gm = dealt[AM], dealt[GM]
    first, second, alike = better_worse_alike(am.tau, gm.tau)
    return (
        f"In {second} of {DEALS} splits the ranking of the {GM} is reproduced better, in {first} that of the {AM}, and "
        f"in {alike} both alike. One system wins both halves in {am.same_winner:.0%} of the splits by the {AM}, and in "
        f"{gm.same_winner:.0%} by the {GM}."
    )


def over_words(found: Repeated, at: int) -> str:
    """The share of hard topics from which on the ε-geometric mean is ahead."""
    am, gm = found.curves[AM], found.curves[GM]
    over = next((i for i in range(len(SHARES)) if (gm[i:] > am[i:]).all()), None)
    if over is None:
        return f"The ε-geometric mean is never ahead for good; here, {found.low[at]:.0%} of all scores are below 0.1."
    where = f"from a share of {SHARES[over]:.0%} on"
    return f"The ε-geometric mean is ahead {where}; there, {found.low[over]:.0%} of all scores are below 0.1."


def setup_words(found: Repeated) -> str:
    """The collection and the splits."""
    return (
        f"{MEASURE} of {found.systems} systems on the {found.topics} topics of the bundled collection {HALVED}; on the "
        f"hard topics, drawn once, all scores are multiplied by {FACTOR:g}; {DEALS} random halves"
    )


STEPS = (
    Step(title="Who wins?", scene=_winner),
    Step(title="Without one topic", scene=_without),
    Step(title="Six averages", scene=_how_many, controls=(*ROW_CONTROLS, "log")),
    Step(title="A zero", scene=_zero, controls=("log", "along")),
    Step(title="Which ranking is reproduced?", scene=_halves, start={"hard": "0.7"}, controls=("deal", "hard")),
)
