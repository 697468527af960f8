"""Aggregation: how does the way of averaging over topics change the ranking of the systems?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.names import natural_order
from irviz.errors import IrvizError
from irviz.figures.densities import epsilon_curves, low_score_bars, step_shares
from irviz.figures.ranking import bump_chart, ranking, slope
from irviz.figures.squares import coefficients
from irviz.stats.aggregate import MEANS, SUMMARIES, summarise
from irviz.stats.consistency import EpsilonSweep, epsilon_sweep
from irviz.stats.correlation import movers, shared_ranks
from irviz.stats.leaderboard import LEADERBOARDS, leaderboard, without_one
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import standardised_scores
from irviz.workspace.averages import (
    EPS_SWEPT,
    Rankings,
    below_zero,
    low_shares,
    rankings,
)
from irviz.workspace.context import MOST_HIGHLIGHTED, Context
from irviz.workspace.control import Choice, Number, one_measure
from irviz.workspace.controls import SEED, eps_control, trials
from irviz.workspace.data import bundled_scores
from irviz.workspace.facts import Fact, extremes
from irviz.workspace.page import Page, RowByRow, Values
from irviz.workspace.panel import Drawing, Panel, Table, square_table
from irviz.workspace.permissible import permissibility
from irviz.workspace.phrases import lowest, written_out
from irviz.workspace.view import View

_RULES = {
    "mean": "mean",
    "median": "median",
    "geometric": "geometric mean",
    "standardised": "standardised mean",
    "wins": "share of wins",
    "borda": "Borda",
    "bradley_terry": "Bradley-Terry",
}  #: of a leaderboard, in words

CONTROLS = (
    one_measure("measure", "Measure"),
    eps_control(
        "epsilon",
        "ε of the geometric and harmonic means",
        "Added to every score before averaging, subtracted afterwards. The smaller it is, the more low scores decide.",
        MEANS["geometric"].eps,
    ),
    Choice(
        name="sweep",
        label="Mean for the sweep of ε",
        default="geometric",
        options=tuple((name, mean.label) for name, mean in MEANS.items() if mean.eps is not None),
        help="The sweep shows how alike two halves of the topics rank the systems, for ε from 0.000001 to 100.",
        aside=True,
    ),
    Number(
        name="low",
        label="Low scores are below",
        help="Scores below this value count as low. Ravana and Moffat use 0.1.",
        low=0.0,
        high=1.0,
        step=0.01,
        default=0.1,
        aside=True,
    ),
    Choice(
        name="rule",
        label="Rule of the leaderboard",
        default="borda",
        options=tuple(_RULES.items()),
        help="Wins, Borda and Bradley-Terry compare systems by topic: without one system, others may change places.",
        aside=True,
    ),
    Choice(
        name="without",
        label="Without the system",
        help="The leaderboard without one system; by default, the one without which most others change places.",
        from_context=lambda context: {
            "options": (("", "most others turn"), *((system, system) for system in context.systems))
        },
        aside=True,
    ),
    Choice(
        name="over",
        label="Leaderboard over",
        default="topics",
        options=(("topics", "topics"), ("groups", "groups of topics")),
        help="A group of topics, such as a task, counts as one topic: by its mean.",
        from_context=lambda context: {"shown_if": lambda values: bool(context.groups)},
        aside=True,
    ),
    trials(200, 5000),
    SEED,
)

_ABOUT_SWEEP = "One row per measure and ε: mean τ of two topic halves; reference is the arithmetic mean's."
#: the other thing that is called an aggregation, of what one user read
_WAYS = (("How a user sums up a list: browsing models and their aggregations", View.from_texts("cwla")),)


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """Ranks under every summary; then their τ, the sweep of ε, low scores, and what standardising does."""
    label, limit = values["measure"], values["low"]
    scores = context.scores()
    chosen_scores = scores.select([label])
    ranked = context.remember(rankings, chosen_scores, values["epsilon"])
    shift = {"shift": _shift(context, label, ranked)}
    yield Panel("", (shift,))
    sweep = _sweep(context, scores, values)
    zero, low = low_shares(scores, limit)
    square = coefficients(ranked.ways, ranked.tau, "Kendall's τ")
    pairs = {"tau": Drawing(square, f"Kendall's τ between the rankings by {context.label(label)}")}
    if sweep:
        fig = epsilon_curves(sweep.measures, sweep.eps, sweep.mean, sweep.reference, values["epsilon"], "τ")
        pairs["sweep_of_eps"] = Drawing(fig, f"Consistency of the {SUMMARIES[sweep.summary]} against ε")
    ranked_scores = _rows_of(context, label, values["over"])
    board, refused = _leaderboard(context, ranked_scores, values)
    without, changed = _without(context, ranked_scores, board, values)
    mean = permissibility(context, "the arithmetic mean", "interval", [label])
    other = permissibility(context, "geometric and harmonic means", "ratio", [label])
    yield Panel(
        sentence=f"Systems that come first under one of {len(ranked.ways)} averages of `{context.label(label)}`: "
        f"{int((ranked.ranks == 1).any(axis=0).sum())}.",
        facts=_facts(context, ranked, sweep, label, _leaders(context, chosen_scores)),
        drawings=(
            shift,
            *(
                []
                if board is None or board["rank"].isna().all()
                else [{"leaderboard": _intervals(context, board, values["rule"]), **without}]
            ),
            pairs,
            {
                "zeros": Drawing(low_score_bars(scores.measures, zero, low, limit), "Scores at or near zero"),
                "standardised": _standardisation(context.label(label), chosen_scores),
            },
        ),
        tables={
            "Systems": Table(
                _system_table(context, ranked),
                f"{label}: one row per system, its average and rank by every way to average.",
            ),
            "Correlations": Table(
                square_table(ranked.ways, ranked.tau, "average"),
                f"{label}: Kendall's τ between the rankings of two ways to average.",
            ),
            "Low scores": Table(
                pd.DataFrame({"measure": scores.measures, "zero": zero, f"below {limit:g}": low}),
                "One row per measure: shares of all scores.",
            ),
            **({"Sweep of ε": Table(sweep.frame(), _ABOUT_SWEEP)} if sweep else {}),
            **({} if board is None else {"Leaderboard": Table(board.reset_index(), _ABOUT_BOARD)}),
            **({} if changed is None else {"Without one": Table(changed, _ABOUT_WITHOUT)}),
            "Scales": mean.table(),
        },
        notes=(mean.note, other.note, _MEANS_NOTE[len(ranked.ways) == 6], *refused),
        ways=_WAYS if context.dataset.collection is not None else (),
        folds={FIVE_TASKS: partial(five_tasks, label, values["rule"])},
    )


FIVE_TASKS = "TREC Deep Learning 2019–2023 as five tasks"


def five_tasks(label: str, rule: str) -> Panel:
    """The systems that took part in two years or more, by their means of each year; a year without one is missing."""
    years = {str(year): bundled_scores(f"trec-dl/{year}") for year in range(2019, 2024)}
    name = label if all(label in scores for scores in years.values()) else "AP"
    means = pd.DataFrame({year: summarise(scores.select([name])) for year, scores in years.items()}).T
    several = means.loc[:, means.notna().sum() > 1]
    tasks = several.dropna(how="all")
    rules = [one for one in LEADERBOARDS if one != "bradley_terry"]  # some never lose
    boards = {one: leaderboard(tasks, one, trials=1) for one in rules}  # type: ignore[arg-type]
    shown = rule if rule in boards else "borda"
    first = {_RULES[one]: tuple(board.index[board["rank"] == 1]) for one, board in boards.items()}
    ranks = np.stack([board["rank"].reindex(tasks.columns).to_numpy(np.int64) for board in boards.values()])
    alone = tuple(year for year in several.index if year not in tasks.index)
    drawn = bump_chart([_RULES[one] for one in boards], list(tasks.columns), ranks, movers(ranks))
    return Panel(
        f"`{name}`: a mean of the years that a system has depends on which they are; Borda compares within a year.",
        ({"tasks": Drawing(drawn, f"Ranks over years by mean {name}, by rule")},),
        tables={
            "Tasks": Table(
                boards[shown][["score", "rank", "present"]].join(tasks.T).reset_index(),
                f"One row per system: score and rank over years by {_RULES[shown]}, and its mean {name} of each year.",
                names=tuple(tasks.index),
            )
        },
        notes=("Runs of one name are taken as one system.",),
        facts=(
            Fact("systems of two years or more", several.shape[1], of=means.shape[1]),
            Fact("years without such a system", len(alone), alone, of=len(years)),
            *_first_by(first),
        ),
    )


def _sweep(context: Context, scores: Scores, values: Values) -> EpsilonSweep | None:
    """The sweep of every measure that has it; None where nothing can be swept or split."""
    names = [name for name, below in zip(scores.measures, below_zero(scores), strict=True) if not below]
    swept = scores.select(names)
    if not names or len(swept.common_topics) < 2 or len(scores.systems) < 2:
        return None
    settings = (EPS_SWEPT, values["sweep"], values["trials"])
    return context.remember_by_measure(epsilon_sweep, swept, *settings, seed=values["seed"], workers=-1)


_ABOUT_BOARD = "One row per system: score and rank by the chosen rule; 95% of its ranks on resampled topics."
_ABOUT_WITHOUT = "One row per topic (or group) and system left out: pairs of others that change places; their first."


def _rows_of(context: Context, label: str, over: str) -> Scores:
    """The scores of one measure by topic, or their means by group of topics."""
    scores = context.scores([label])
    if over == "topics" or not context.groups:
        return scores
    members: dict[str, list[str]] = {}
    for topic in scores.topics:
        if topic in context.groups:
            members.setdefault(context.groups[topic], []).append(topic)
    names = natural_order(members)
    means = [summarise(scores.select(topics=members[name])).to_numpy() for name in names]
    return Scores(np.stack(means)[None], (label,), tuple(names), scores.systems)


def _without(
    context: Context, one: Scores, board: pd.DataFrame | None, values: Values
) -> tuple[dict[str, Drawing], pd.DataFrame | None]:
    """Ranks with and without one system, and the changes without any row or system."""
    if board is None or len(one.systems) < 3:
        return {}, None
    changes = context.remember(without_one, one, values["rule"])
    systems = changes[changes["without"] == "system"]
    gone = values["without"] or str(systems["name"].iloc[int(systems["turns"].to_numpy().argmax())])
    others = [name for name in one.systems if name != gone]
    after = context.remember(leaderboard, one.select(systems=others), values["rule"], trials=1)
    places = (frame["rank"].reindex(others).to_numpy(np.float64, na_value=len(others)) for frame in (board, after))
    ranks = np.stack([shared_ranks(-own) for own in places])
    turned = int(systems["turns"][systems["name"] == gone].iloc[0])
    title = f"Ranks by {_RULES[values['rule']]} without {gone}; pairs of the others turned: {turned:,}"
    fig = slope(others, ranks[0], ranks[1], ("all systems", f"without {gone}"), movers(ranks), prefix="rank,")
    return {"turned": Drawing(fig, title)}, changes


def _leaderboard(context: Context, one: Scores, values: Values) -> tuple[pd.DataFrame | None, tuple[str, ...]]:
    """The leaderboard under the chosen rule, or the reason why there is none."""
    try:
        groups = context.units if values["over"] == "topics" else None
        drawn = {"trials": values["trials"], "seed": values["seed"], "groups": groups}
        return context.remember(leaderboard, one, values["rule"], **drawn), ()
    except IrvizError as problem:
        return None, (str(problem),)


def _leaders(context: Context, one: Scores) -> dict[str, tuple[str, ...]]:
    """First systems under the rules that are no averages of scores; none where there is nothing to compare."""
    boards = {rule: context.remember(leaderboard, one, rule, trials=1) for rule in ("wins", "borda")}
    leaders = {_RULES[rule]: tuple(board.index[board["rank"] == 1]) for rule, board in boards.items()}
    return {rule: names for rule, names in leaders.items() if names}


def _intervals(context: Context, board: pd.DataFrame, rule: str) -> Drawing:
    board = board.dropna(subset="rank")
    rank, low, high = (board[name].to_numpy(np.float64, na_value=np.nan) for name in ("rank", "low", "high"))
    highlights = [i for i, name in enumerate(board.index) if name in context.highlight]
    fig = ranking(list(board.index), rank, low, high, "rank", rank.astype(np.intp), highlights)
    return Drawing(fig, f"Ranks by {_RULES[rule]}, and where 95% of them lie on topics drawn with replacement")


def _shift(context: Context, label: str, averages: Rankings) -> Drawing:
    leaders = np.flatnonzero((averages.ranks == 1).any(axis=0)).tolist()[:2]
    highlighted = list(dict.fromkeys([*context.highlighted_positions(), *leaders, *movers(averages.ranks)]))[
        :MOST_HIGHLIGHTED
    ]
    fig = bump_chart(averages.ways, context.systems, averages.ranks, highlighted)
    title = f"Ranks by {context.label(label)} and average; in colour: selected, best and most moving systems"
    return Drawing(fig, title)


def _standardisation(label: str, one: Scores) -> Drawing:
    samples = [cube.values[~np.isnan(cube.values)] for cube in (one, standardised_scores(one))]
    low, high = min(0.0, float(samples[0].min())), max(1.0, float(samples[0].max()))
    fig = step_shares([label, f"{label}, standardised"], samples, "score of a system on a topic", low, high)
    return Drawing(fig, "What standardising does to the scores")


#: whether all six averages are defined → what a reader should know about them
_MEANS_NOTE = {
    True: "trec_eval GM is trec_eval's geometric mean: scores below 0.00001 count as 0.00001.",
    False: "Some scores are below zero, where geometric and harmonic means are not defined; they are left out.",
}


def _first_by(leaders: Mapping[str, tuple[str, ...]]) -> list[Fact]:
    """The first systems by rule; rules with the same ones together."""
    rules: dict[tuple[str, ...], list[str]] = {}
    for rule, names in leaders.items():
        rules.setdefault(names, []).append(rule)
    return [Fact(f"first by {', '.join(some)}", names[0], names[1:]) for names, some in rules.items()]


def _facts(
    context: Context, averages: Rankings, sweep: EpsilonSweep | None, label: str, leaders: dict[str, tuple[str, ...]]
) -> tuple[Fact, ...]:
    """First systems by average or rule, the averages that differ most, the widest change of rank, the best ε."""
    first = {
        way: tuple(name for name, rank in zip(context.systems, ranks, strict=True) if rank == 1)
        for way, ranks in zip(averages.ways, averages.ranks, strict=True)
    }
    rows, columns = np.triu_indices(len(averages.ways), 1)
    pairs = {
        f"{averages.ways[i]} – {averages.ways[j]}": float(averages.tau[i, j])
        for i, j in zip(rows, columns, strict=True)
    }
    between = dict(zip(context.systems, np.ptp(averages.ranks, axis=0).tolist(), strict=True))
    facts = _first_by(first | leaders)
    least = lowest(pairs)
    tau = pairs[least[0]] if least else np.nan
    facts.append(Fact("averages least alike", tau, tuple(least), "τ", digits=2, why="none if all systems tie"))
    facts += extremes(between, ("largest change of rank", ""))[:1]
    if sweep is not None and label in sweep.measures:
        m = sweep.measures.index(label)
        taus = {"arithmetic mean": float(sweep.reference[m])}
        taus |= {f"ε = {written_out(eps)}": tau for eps, tau in zip(sweep.eps, sweep.mean[m].tolist(), strict=True)}
        facts += extremes(taus, ("topic halves most alike", ""), "τ", why="each ties all systems")[:1]
    return tuple(facts)


def _system_table(context: Context, averages: Rankings) -> pd.DataFrame:
    columns: dict[str, Any] = {"system": list(context.systems)}
    for way, values, ranks in zip(averages.ways, averages.values, averages.ranks, strict=True):
        columns[way], columns[f"rank, {way}"] = values, ranks
    return pd.DataFrame(columns).iloc[np.argsort(averages.ranks[0], kind="stable")].reset_index(drop=True)


PAGE = Page(
    name="aggregation",
    title="Aggregation",
    question="Does the way of averaging over topics change which system is best?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "highlights", "baseline", "groups", "holes"}),
)
