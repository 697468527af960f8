"""Lab: aggregation.  Four systems, five topics, and a winner that depends on the mean."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.errors import join_words
from irviz.labs.aggregation import model
from irviz.labs.aggregation.figures import FIGURES, handover_words, medals, over_eps
from irviz.labs.aggregation.steps import SOURCE, STEPS
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import Lab, NumberList, never
from irviz.workspace.averages import LOW
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number
from irviz.workspace.page import Values
from irviz.workspace.panel import Formula, Panel, Table
from irviz.workspace.phrases import extremes
from irviz.workspace.view import View

#: the paper's Table 1
TABLE_1 = ((0.1, 0.1, 0.3, 0.8, 0.1), (0.0, 0.4, 0.2, 0.4, 0.3), (0.1, 0.5, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.2, 0.2))

CONTROLS = (
    *(
        NumberList(
            name=name.lower(),
            label=f"Scores of {name} on the five topics",
            default=scores,
            length=len(model.TOPICS),
            help="Five numbers from 0 to 1, with commas or blanks between them.",
        )
        for name, scores in zip(model.SYSTEMS, TABLE_1, strict=True)
    ),
    Number(
        name="log",
        power=True,
        label="ε",
        default=model.LOG,
        low=-6,
        high=2,
        step=0.1,
        help="Added to every score before the mean, and subtracted from it; links have its power of ten.",
    ),
    Choice(
        name="along",
        label="Along ε",
        default="geometric",
        few=True,
        aside=True,
        options=(("geometric", "geometric"), ("harmonic", "harmonic")),
        help="The ε-adjusted mean that the figure over ε shows.",
    ),
    Choice(
        name="out",
        label="Left out",
        options=(("", "the best topic of the winner"), *((one, one) for one in model.TOPICS), ("none", "no topic")),
        shown_if=never,
    ),
)


def explore(context: Context | None, values: Values) -> Panel:
    """The winners by six averages while dots are dragged, and along ε."""
    scores, eps = model.table_of(values), 10.0 ** values["log"]
    by_average = model.six_means(scores, eps)
    means = pd.DataFrame(
        {"mean": list(by_average), **dict(zip(model.SYSTEMS, np.array([*by_average.values()]).T, strict=True))}
    )
    return Panel(
        sentence=_sentence(values),
        drawings=({"medals": medals(values)}, {"eps": over_eps(values)}),
        tables={
            "Means": Table(means, "One row per average, one column per system.", digits=3, names=model.SYSTEMS),
        },
        notes=_claims(values),
        ways=(("The same averages on your collection", View.from_texts("aggregation")),),
        formulas=_formulas(eps),
    )


def _sentence(values: Values) -> str:
    outcome = model.of_six(values)
    if outcome["different"] == 1:
        return f"All six averages have the same winner: {outcome['won'].partition(' by ')[0]}."
    return f"The same scores, {outcome['different']} different outcomes: {outcome['won']}."


def _claims(values: Values) -> tuple[str, ...]:
    """Remarks on what is seen, each with its source."""
    along = handover_words(model.table_of(values), values["along"])
    return (
        f"{pull_words(values)} ({SOURCE}, section 2 and Table 1.)",
        f"{along} ({SOURCE}, section 2: as ε grows, the ε-adjusted means approach the AM.)",
    )


def pull_words(values: Values) -> str:
    """How much of the arithmetic winner's total comes from one topic."""
    outcome = model.of_mean({**values, "out": ""})
    won, without = (join_words(outcome[name], joiner="and") for name in ("winner", "winner without"))
    if len(outcome["winner"]) > 1:
        return f"{won} share the win by the arithmetic mean, whatever they score on single topics."
    would = f"{without} would {'win' if len(outcome['winner without']) == 1 else 'tie'}"
    consequence = "it still wins" if without == won else would
    return (
        f"{won} wins by the arithmetic mean and has {outcome['share']:.0%} of its total from one topic, "
        f"{outcome['topic']}; without that topic {consequence}."
    )


def _formulas(eps: float) -> tuple[Formula, ...]:
    at, added = f"{SOURCE}, section 2", f"eps={eps:.3g}"
    geometric = r"\epsilon\mathrm{GM} = \exp\Bigl(\tfrac1t\sum_i \log(x_i + \epsilon)\Bigr) - \epsilon"
    harmonic = r"\epsilon\mathrm{HM} = \frac{t}{\sum_i 1/(x_i + \epsilon)} - \epsilon"
    return (
        Formula(r"\mathrm{AM} = \tfrac1t \sum_i x_i", 'summarise(matrix, "mean")', at),
        Formula(geometric, f'summarise(matrix, "geometric", {added})', at),
        Formula(harmonic, f'summarise(matrix, "harmonic", {added})', at),
    )


def readings(values: Values) -> dict[str, Reading]:
    """The winner by each mean, how often each system wins alone, and how many scores are low."""
    scores, eps = model.table_of(values), 10.0 ** values["log"]
    won = {name: [model.SYSTEMS[i] for i in extremes(row)] for name, row in model.six_means(scores, eps).items()}
    return {
        **{f"winner by {name}": " and ".join(first) for name, first in won.items()},
        **{f"means won by {system}": sum(first == [system] for first in won.values()) for system in model.SYSTEMS},
        "different outcomes": len({tuple(first) for first in won.values()}),
        "share of low scores": float((scores < LOW).mean()),
        "zeros": int((scores == 0).sum()),
        "ε": eps,
    }


CHALLENGES = (
    Challenge(
        title="Change scores so that S1 wins alone under exactly two of the six averages.",
        goal=Goal.read("means won by S1 = 2"),
        hint="S1 wins by the arithmetic mean because of one topic. Which average depends on the middle score only?",
        solution={"s1": "0.1,0.35,0.35,0.8,0"},
    ),
    Challenge(
        title="Without changing a score, let S1 win by the ε-geometric mean, too.",
        goal=Goal.read("winner by εGM = S1; winner by median = S2; winner by GM = S3"),
        hint="As ε grows, the ε-geometric mean approaches the arithmetic one.",
        solution={"log": "1"},
    ),
    Challenge(
        title="Let all six averages agree on S4.",
        goal=Goal.read("different outcomes = 1; means won by S4 = 6"),
        hint="A system that is better on every topic wins by every average.",
        solution={"s4": "0.9,0.9,0.9,0.9,0.9"},
    ),
)
LAB = Lab(
    name="lab_aggregation",
    title="Lab: averaging over topics",
    question="Five scores become one number: does the choice of the mean decide which system wins?",
    own=CONTROLS,
    explore=explore,
    readings=readings,
    figures=FIGURES,
    steps=STEPS,
    challenges=CHALLENGES,
    wording={
        **{f"means won by {name}": f"The number of averages by which {name} wins alone" for name in model.SYSTEMS},
        **{f"winner by {name}": f"The winner by {words}" for name, words in model.MEAN_WORDS.items()},
        "different outcomes": "The number of different outcomes",
    },
)
