"""The difference of two systems by people, by a machine, and by the machine corrected by people (*Judges*)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import percent
from irviz.figures.axes import line_at, padded_range
from irviz.figures.direct import line_style
from irviz.figures.theme import GREY, Floats, figure, plotly_escape, scatter, whiskers
from irviz.portable import mean
from irviz.stats.claims import name_in_claim
from irviz.stats.judges import judged_topics
from irviz.stats.prediction_powered import METHODS, PredictionPowered, coverage, prediction_powered
from irviz.stats.scores import Scores, score
from irviz.workspace.cache import compute_once
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number
from irviz.workspace.facts import Fact
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, Panel, Table

RANDOM = "random"
SHOWN = {"people": "people only", "machine": "machine only", "ppi++": "corrected"}  #: methods of the figure
DRAWS, MOST_PAIRS, FEW_PAIRS = 100, 20_000, 500  #: for the coverage


def first_pair(jury: Collection) -> tuple[str, str]:
    """The first two judges with a common topic, or the first two; who judged fewer topics before the other."""
    judged = judged_topics(jury)
    pairs = list(combinations(range(len(jury.aspects)), 2))
    pair = next(((a, b) for a, b in pairs if (judged[a] & judged[b]).any()), pairs[0])
    a, b = sorted(pair, key=lambda judge: int(judged[judge].sum()))
    return jury.aspects[a], jury.aspects[b]


def _numbers_of_topics(context: Context) -> dict[str, Any]:
    """From 2 to all that both judges judged; fewer than the machine judged, or the intervals have no width."""
    collection = context.collection if context.dataset.collection is not None else None
    if collection is None or collection.jury is None or len(collection.judges) < 2:
        return {}
    pair = compute_once(first_pair, collection.jury)
    people, machine = (judged_topics(collection.jury)[collection.jury.aspects.index(name)] for name in pair)
    both, many = int((people & machine).sum()), int(machine.sum())
    high = max(2, min(both, many - 1))
    return {"high": high, "default": high if both < many else max(2, min(10, many // 2))}


PEOPLE = (
    Number(
        name="judged",
        label="Topics that people judge",
        help="So many of the topics that both judged; the first judge is the people, the second the machine.",
        low=2,
        high=2,
        whole=True,
        default=2,
        from_context=_numbers_of_topics,
    ),
    Choice(
        name="order",
        label="Which topics first",
        default=RANDOM,
        options=((RANDOM, "random"), ("easiest", "easiest first")),
        help="Easiest: the highest mean score of all systems by people. The correction assumes random ones.",
        few=True,
    ),
)


def intervals(found: PredictionPowered, covered: Floats, truth: float, axis: str) -> go.Figure:
    """The three intervals of a difference, and their ends at other numbers of topics.

    `covered` is the coverage by method, `truth` the difference by people on all topics; NaN where unknown.
    """
    n, topics, halves = len(found.judged), np.arange(2, len(found.topics) + 1), found.half_widths()[:, 0]
    traces, seen = [], [0.0, *([truth] if np.isfinite(truth) else [])]
    for i, (method, name) in enumerate(SHOWN.items()):
        place, style = METHODS.index(method), line_style(i)
        middle, half = float(found.estimate[place, 0]), halves[place]
        seen += [middle - 1.3 * half[n - 2], middle + 1.3 * half[n - 2]]
        name += f", covers {percent(covered[place])}" if np.isfinite(covered[place]) else ""
        ends = scatter(
            x=[*topics.tolist(), None, *topics.tolist()],
            y=[*(middle + half).round(5).tolist(), None, *(middle - half).round(5).tolist()],
            mode="lines",
            line={**style["line"], "width": 1.5},
            showlegend=False,
            hovertemplate=f"%{{x}} topics: %{{y:.3f}}<extra>{name}</extra>",
        )
        interval = scatter(
            x=[n + 0.012 * len(topics) * (i - 1)],
            y=[round(middle, 5)],
            mode="lines+markers",
            name=name,
            error_y=whiskers([middle], [middle - half[n - 2]], [middle + half[n - 2]], thickness=2.5, width=5),
            hovertemplate=f"{n} topics: %{{y:.3f}}<extra>{name}</extra>",
            **style,
        )
        traces += [ends, interval]
    if np.isfinite(truth):
        level = {
            "x": [1, len(found.topics) + 1],
            "y": [round(truth, 5)] * 2,
            "hovertemplate": "%{y:.3f}<extra></extra>",
        }
        line = {"color": GREY, "dash": "dot", "width": 1.5}
        traces.append(scatter(**level, mode="lines", name=f"people, all {len(found.topics)} topics", line=line))
    fig = figure(traces, 400, margin={"t": 80}, shapes=[line_at(y=0, dash="solid"), line_at(x=n)])
    fig.update_xaxes(title_text="topics that people judge", range=[1, len(found.topics) + 1])
    return fig.update_yaxes(title_text=plotly_escape(axis), range=padded_range(np.array(seen)))


def scores_of_both(collection: Collection, measure: str, people: str, machine: str) -> tuple[Scores, Scores]:
    """The scores of all systems under two judges, on all topics of each."""
    return score(collection.by_judge(people), [measure]), score(collection.by_judge(machine), [measure])


def pairs_covered(everything: PredictionPowered, n: int, is_random: bool, seed: int) -> tuple[Floats, int]:
    """By method, the share of pairs whose interval holds their difference by people; and the number of pairs.

    The machine's is of all pairs, up to `MOST_PAIRS`. Others are means of `DRAWS` draws of `n` common topics over some
    pairs, or of the `n` easiest over all; NaN if these are all topics.
    """
    both = everything.judged
    a, b = np.triu_indices(len(everything.systems), 1)
    kept = np.unique(np.linspace(0, len(a) - 1, MOST_PAIRS).astype(np.int64))
    x, y = (scores[both][:, a[kept]] - scores[both][:, b[kept]] for scores in (everything.people, everything.machine))
    held = coverage(x, y, n, 1, everything.confidence)[0].mean(axis=1)
    others = np.arange(len(METHODS)) != METHODS.index("machine")
    few = slice(None, None, 1 + len(kept) // FEW_PAIRS if is_random else 1)
    drawn = n if is_random or n == len(both) else easiest(everything, n)
    covered = coverage(x[:, few], y[:, few], drawn, DRAWS, everything.confidence, seed)[0].mean(axis=1)
    held[others] = covered[others] if n < len(both) else np.nan
    return held, len(kept)


def easiest(everything: PredictionPowered, n: int) -> NDArray[np.intp]:
    """Places of the `n` easiest of the topics that both judged: those of the highest mean score by people."""
    means = mean(everything.people[everything.judged], axis=1)
    return np.argsort(-means, kind="stable")[:n]


_FORECAST = (
    "Until the 95% interval excludes 0, were difference and spread those of these topics; undefined if the difference "
    "is 0. At all topics, a finite set, the interval has no width, so a number near it is no evidence."
)


def correction(context: Context, collection: Collection, values: Values, names: tuple[str, str], measure: str) -> Panel:
    """The difference of two systems by people, by the machine, and corrected; nothing where topics are too few."""
    people, machine = context.remember(scores_of_both, collection, measure, *names)
    both, many = len(set(people.topics) & set(machine.topics)), len(machine.topics)
    n = min(values["judged"], both, many - 1)
    if n < 2:
        return Panel("", notes=("A correction needs two topics that both judged, and one more by the second judge.",))
    everything = context.remember(prediction_powered, people, machine, measure)
    is_random = values["order"] == RANDOM
    chosen = n if is_random else [everything.topics[everything.judged[i]] for i in easiest(everything, n)]
    a, b = context.pair
    claim = f"{name_in_claim(a)} > {name_in_claim(b)}"
    found = prediction_powered(people, machine, measure, claim, topics=chosen, seed=values["seed"])
    covered, pairs = context.remember(pairs_covered, everything, n, is_random, values["seed"])
    truth = float(mean(found.people[:, 0])) if both == many else np.nan
    halves, topics = found.half_widths()[:, 0], np.arange(2, many + 1)
    of = {method: METHODS.index(method) for method in SHOWN}
    decided = {
        method: next((int(k) for k in topics if halves[place, k - 2] < abs(found.estimate[place, 0])), np.nan)
        for method, place in of.items()
    }
    alone = int(topics[(halves[of["people"]] <= halves[of["ppi++"], n - 2]).argmax()])
    middle, low, high = (ends[of["ppi++"], 0] for ends in (found.estimate, found.low, found.high))
    lead = Fact(f"corrected by {n} of {many} topics", middle, low=low, high=high)
    difference = f"{a} − {b}"
    return Panel(
        "",
        (
            {
                "corrected": Drawing(
                    intervals(found, covered, truth, f"difference of mean {context.label(measure)}"),
                    f"{difference}: mean {context.label(measure)}, 95% intervals, by the number of topics judged",
                    facts=(lead,),
                )
            },
        ),
        {
            "Corrected": Table(
                found.frame().drop(columns=["n", "N"]).assign(coverage=covered),
                f"One row per method: {difference}, {n} of {many} topics by people; λ as weight; coverage of pairs.",
                words={"method": {**SHOWN, "ppi": "corrected, λ = 1"}},
            ),
            "Half-widths": Table(
                pd.DataFrame({"topics": topics, **{SHOWN[method]: halves[place] for method, place in of.items()}}),
                "One row per number of topics that people judge: half the width of the 95% interval.",
                names=tuple(SHOWN.values()),
            ),
        },
        notes=(
            "Assumed: the topics that people judge are a random part of those that the machine judged.",
            "What breaks it: easy or decisive topics judged first. Compare the coverage with “easiest first”.",
        ),
        facts=(
            Fact(
                "coverage, machine only",
                float(covered[of["machine"]]),
                unit="%",
                why=f"share of {pairs:,} pairs of systems whose difference by people is in the machine's 95% interval",
            ),
            Fact("topics until decided, people only", decided["people"], of=many, why=_FORECAST),
            Fact("topics until decided, corrected", decided["ppi++"], of=many, why=_FORECAST),
            Fact(
                "topics saved, same width",
                max(0, alone - n),
                why=f"people only need {alone} for the width of the corrected interval of {n}",
            ),
        ),
    )
