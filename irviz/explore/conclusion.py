"""Would my conclusion change?  One claim about systems, in every reasonable way to measure it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import compress, starmap
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.codes import TIE_RULES
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.explore.conclusion_figures import (
    choice_shares,
    hasse_diagram,
    influence_bars,
    share_bars,
    share_square,
    sign_grid,
    specification_curve,
)
from irviz.explore.score_difference import dominance_section
from irviz.figures.axes import rank_ticks
from irviz.figures.ranking import ranking
from irviz.figures.theme import short
from irviz.multiverse.dimensions import (
    AS_GIVEN,
    CORRECTED,
    DIMENSIONS,
    NUGGETS,
    OPTIONS,
    Average,
    average,
    choice_words,
    has_unjudged,
    judges_of,
    lacks_topics,
    measure_of,
    option_words,
    usual_options,
)
from irviz.multiverse.groups import ByGroup, by_group
from irviz.multiverse.order import UndisputedOrder, undisputed
from irviz.multiverse.power import Power, few_topics, power
from irviz.multiverse.report import (
    JOINT,
    VERDICTS,
    Conclusion,
    deciding_pair,
    grid,
    signed,
)
from irviz.multiverse.settings import Column
from irviz.multiverse.verdicts import conclusion
from irviz.multiverse.worlds import Worlds, as_scored, common_topics, misfit, worlds
from irviz.stats.aggregate import SUMMARIES
from irviz.stats.claims import name_in_claim
from irviz.stats.lists import dominated_shares
from irviz.stats.nuggets import nugget_handles
from irviz.stats.scores import Scores
from irviz.stats.users import satisfaction
from irviz.workspace.analyses import CONCLUSION, Snippet
from irviz.workspace.cache import compute_once
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Names, Number
from irviz.workspace.controls import every_system
from irviz.workspace.facts import Fact, counted, extremes, reversed_on_new_topics
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table, named_rows
from irviz.workspace.view import View

# -- The choices of the page on conclusions, and the claim, the worlds and the code that they make

CLAIMS = {"pair": "A is ahead of B", "best": "A is best", "top": "A is among the best k"}
_SETTINGS = {
    "average": ("averages", "Averages over topics"),
    "test": ("tests", "Tests"),
    "ties": ("rules", "Tie rules"),
    "unjudged": ("unjudged", "Unjudged documents"),
    "missing": ("missing", "Topics a run lacks"),
    "judge": ("judges", "Judges or aspects"),
    "topics": ("sets", "Sets of topics"),
    "family": ("families", "P-values corrected for"),
    "steps": ("steps", "Steps between values"),
    "partial": ("credits", "Credit of partial support"),
    "okay": ("weights", "Weight of okay nuggets"),
}  #: dimension → name of its control, label


def _most(context: Context) -> int:
    """The largest k that can be asked about."""
    return max(2, len(context.systems) - 1)


def _several(dimension: str) -> Names:
    """All or some of the options of one dimension."""
    name, label = _SETTINGS[dimension]

    def fields(context: Context) -> dict[str, Any]:
        options, words = _options(context, dimension), OPTIONS.get(dimension, {})
        usual = usual_options(context.dataset.data, dimension) if options else ()
        usual_words = ", ".join(words.get(option, str(option)) for option in usual)
        return {
            "options": options,
            "option_labels": tuple((option, words.get(option, option)) for option in options),
            "empty": f"usual ({len(usual)})",
            "help": f"Every chosen option adds combinations. Usual: {usual_words}.",
        }

    return Names(name=name, label=label, from_context=fields, aside=True)


def _options(context: Context, dimension: str) -> tuple[str, ...]:
    """The options of a dimension for these data; with fewer than two there is no choice."""
    data = context.dataset.collection
    if dimension in ("unjudged", "missing"):
        there = data is not None and (has_unjudged(data) if dimension == "unjudged" else lacks_topics(data))
        return tuple(OPTIONS[dimension]) if there else ()
    if dimension == "ties":
        return () if data is None or data.again is None else tuple(TIE_RULES)
    if dimension == "judge":
        judges = () if data is None else compute_once(judges_of, data)
        return judges if len(judges) > 1 else ()
    if dimension == "topics" and len(context.topics) < 10:
        return ()
    if dimension in NUGGETS:
        known = usual_options(context.dataset.data, dimension)
        return () if known == (AS_GIVEN,) else tuple(option_words(dimension, option) for option in known)
    if dimension == "steps":
        judge = "" if data is None else data.judge or data.aspects[0]
        maps = data is not None and any(misfit(name, data, judge, "equal") is None for name in context.measures)
        return tuple(OPTIONS[dimension]) if maps else ()
    return tuple(OPTIONS[dimension])


CONTROLS = (
    Choice(
        name="claim",
        label="Claim",
        few=True,
        default="pair",
        options=tuple(CLAIMS.items()),
        help="The claim is checked under every reasonable combination of the settings below; each is called a world.",
    ),
    Number(
        name="k",
        label="k",
        low=2,
        whole=True,
        step=1,
        slider=False,
        default=5,
        from_context=lambda context: {"high": _most(context), "default": min(5, _most(context))},
        shown_if=lambda values: values["claim"] == "top",
    ),
    *(_several(dimension) for dimension in _SETTINGS),
    Choice(
        name="users",
        label="Only measures that agree with users",
        help="Measures that correlate with the loaded users' satisfaction at least as well as the chosen one.",
        from_context=lambda context: {"options": _agreeing_options(context)},
        aside=True,
    ),
    every_system(aside=True),
    *CONCLUSION.controls,
    Number(
        name="world",
        label="Combination shown",
        help="Its number in the table of combinations. Or click a point of the curve, or a cell of the grid.",
        low=1,
        high=10_000,
        step=1,
        whole=True,
        default=1,
        slider=False,
        aside=True,
    ),
)


def claim_text(context: Context, values: Values) -> str:
    """The claim as :func:`irviz.conclusion` reads it."""
    a, b = map(name_in_claim, context.pair)
    if values["claim"] == "pair":
        return f"{a} > {b}"
    return f"{a} is best" if values["claim"] == "best" else f"{a} in top {values['k']}"


def data_of(context: Context) -> Collection | Scores:
    """The data of the worlds: the collection after the filters, or imported scores; of nuggets all there are."""
    imported = context.dataset.imported_scores
    if imported is None:
        return context.collection
    if not nugget_handles(imported.measures):
        return context.scores()
    first = dict.fromkeys((*context.measures[:1], *imported.measures))
    return imported.select(first, context.topics, context.systems).common()


def options_of(context: Context, values: Values) -> dict[str, tuple[Any, ...]]:
    """The options of every dimension that the page decides."""
    chosen: dict[str, tuple[Any, ...]] = {}
    if usual_options(context.dataset.data, "okay") == (AS_GIVEN,):
        chosen["measure"] = agreeing(context, values)
    for dimension, (name, _) in _SETTINGS.items():
        if values[name]:
            chosen[dimension] = tuple(values[name])
    return chosen


def _agreeing_options(context: Context) -> tuple[tuple[str, str], ...]:
    """Measures that others can be compared with by their users; none where no users are loaded."""
    loaded = context.dataset.collection
    if loaded is None or loaded.satisfaction is None or len(context.measures) < 2:
        return ()
    return (("", "all measures"), *((name, f"at least as well as {name}") for name in context.measures))


def agreeing(context: Context, values: Values) -> tuple[str, ...]:
    """The measures that agree with users at least as well as the chosen one."""
    chosen = values["users"]
    people = context.collection.satisfaction if chosen else None
    if people is None:
        return context.measures
    how = {"trials": 1, "seed": values["seed"]}
    correlations = context.remember(satisfaction, context.scores(), people, **how).values
    if not np.isfinite(correlations[chosen]):
        raise IrvizError(f"`{chosen}` has no correlation with users' satisfaction. Choose another measure, or all.")
    return tuple(name for name in context.measures if correlations[name] >= correlations[chosen] - 1e-12)


def worlds_of(context: Context, values: Values) -> Worlds:
    options: dict[str, Any] = dict(options_of(context, values))
    return worlds(data_of(context), **options, seed=values["seed"], progress=context.progress)


def conclude(context: Context, values: Values) -> Conclusion:
    """The claim in all worlds of the page; remembered, so that looking at another world computes nothing."""
    how = CONCLUSION.arguments(context, values)
    worlds = worlds_of(context, values)
    of = (data_of(context), claim_text(context, values), worlds)
    return context.remember(conclusion, *of, **how, workers=-1, groups=context.units)


def _given(context: Context, values: Values) -> dict[str, Any]:
    """The claim and the worlds, as code says them."""
    options = {
        "measures" if name == "measure" else name: list(chosen) for name, chosen in options_of(context, values).items()
    }
    return {"claim": claim_text(context, values), **options}


# -- One world in words, and as a view of the page *Scores* ----------------------------------------


def world_words(r: Conclusion, row: int) -> str:
    """The name of a world: its choices on the dimensions on which worlds differ."""
    options = r.worlds.choices(row)
    return ", ".join(choice_words(name, options[name]) for name in r.worlds.varying) or "the only one"


def ways_to_scores(context: Context, r: Conclusion, row: int) -> tuple[tuple[str, View], ...]:
    """The link to this world on *Scores*, as far as that page has its choices."""
    option = r.worlds.choices(row)
    how: Average = average(str(option["average"]))
    label, loaded = _scored_as(context, option), context.dataset.collection
    shown = replace(
        context,
        measures=tuple(dict.fromkeys((*context.measures, label))),
        topics=_topics(context, r, option),
        highlight=r.claim.names,
        depth=context.depth if loaded is None else option["depth"],
        summary=how.how,
        eps=how.eps,
    )
    texts = shown.texts | {"measure": label, "ties": str(option["ties"])}
    if texts["ties"] not in context.dataset.rules or texts["ties"] == "trec_eval":
        del texts["ties"]
    beyond = how.standardised or {"condensed", "left_out", CORRECTED} & {
        option["unjudged"],
        option["missing"],
        option["judge"],
    }
    words = "Nearest settings on Scores" if beyond else "Open these settings on Scores"
    return ((words, View.from_texts("scores", **texts)),)


def _scored_as(context: Context, option: dict[str, Any]) -> str:
    """The measure of a world, with equal steps where it has them."""
    if option["steps"] != "equal":
        return measure_of(option)
    return str(as_scored(str(option["measure"]), context.collection, str(option["judge"]), "equal"))


def _topics(context: Context, r: Conclusion, option: dict[str, Any]) -> tuple[str, ...]:
    data = context.dataset.collection
    topics = data_of(context).topics
    if data is not None and data.judges:
        topics = common_topics(context.collection, tuple(map(str, r.worlds.options["judge"])))[0]
    kept = np.ones(len(topics), dtype=bool)
    if option["topics"] == "random_half":
        kept = r.worlds.random_half(topics)
    elif option["topics"] == "without_hardest_tenth":
        values = _scores(context, _scored_as(context, option)).select(topics=topics).values[0]
        kept = Column(values, topics, np.ones(values.shape, dtype=bool)).easier
    return tuple(compress(topics, kept))


def _scores(context: Context, label: str) -> Scores:
    """The scores of one measure of a world."""
    data = data_of(context)
    return data.select([label]) if isinstance(data, Scores) else context.scores([label])


# -- Further answers below the curve, computed when they are asked for: topics, flips, pairs, power, words for a paper

DISPUTE = "What no measure can dispute"


def topics_section(r: Conclusion) -> Panel:
    """Per-topic differences, and how few of them decide."""
    adds, fewest, exact = r.topics, r.fewest_topics, r.first.exact
    first, other = r.first.names
    fig = influence_bars(list(adds.index), adds.to_numpy(), f"adds to {short(first, 14)} − {short(other, 14)}")
    frame = pd.DataFrame({"topic": list(adds.index), "adds": adds.to_numpy(), "total so far": np.cumsum(adds)})
    return Panel(
        f"`{first}` and `{other}` topic by topic, under the first combination.",
        ({"topics": Drawing(fig, "What each topic adds to the difference")},),
        {"Topics": Table(frame, "One row per topic, what it adds to the difference, largest first.", digits=5)},
        facts=(
            Fact("topics ahead", int((adds > 0).sum()), of=len(adds)),
            Fact("topics behind", int((adds < 0).sum()), of=len(adds)),
            _removals("sign", fewest["sign"], exact["sign"], 1),
            _removals("significance", fewest["significance"], exact["significance"], 2),
        ),
    )


def _removals(what: str, count: int | None, exact: bool, left: int) -> Fact:
    """How many topics must be removed for something to be lost."""
    label = f"removals until the {what} is lost{'' if exact else ', at most'}"
    return Fact(label, np.nan if count is None else count, why=f"not as long as topics are left: {left}")


def nearest_flips(r: Conclusion, row: int) -> Panel:
    """The worlds nearest to the one shown that have another verdict."""
    here = r.worlds.choices(row)
    flips = r.flips(here)
    if flips.empty:
        return Panel("Every combination of choices has the verdict of the one shown.")
    nearest, count = flips.iloc[0], int(flips["changes"].iloc[0])
    changed = tuple(option_words(name, nearest[name]) for name in here if nearest[name] != here[name])
    least = int((flips["changes"] == count).sum())
    columns = [name for name in flips.columns if name not in DIMENSIONS or name in r.worlds.varying]
    about = "One row per combination with another verdict, fewest changes first; all its changes are needed."
    facts = (
        Fact("changes that are enough", count, changed),
        Fact("combinations with as few changes", least, of=len(flips)),
    )
    table = Table(flips[columns], about)
    return Panel("The fewest changes of choices that flip the verdict.", tables={"Flips": table}, facts=facts)


def pairs_section(context: Context, worlds: Worlds, r: Conclusion, every: bool) -> Panel:
    """The share of worlds in which one system is ahead of another, and the undisputed order.

    Many systems, or an order without a pair, have ranges of ranks in the place of the diagram.
    """
    data = data_of(context)
    if len(data.systems) < 2:
        return Panel("There is only one system, so there is no pair to compare.")
    partial_order = context.remember(undisputed, data, worlds, alpha=r.alpha, groups=context.units)
    wedge = len(partial_order.systems) >= MANY_SYSTEMS or not partial_order.edges
    best, middle, worst = partial_order.ranks
    order = np.lexsort((worst, best, middle) if wedge else (-partial_order.share.sum(axis=1), partial_order.levels))
    names = [partial_order.systems[i] for i in order]
    shares, marked = partial_order.share[np.ix_(order, order)], _standing_out(context, r, names)
    square = share_square(names, shares, marked, every=every)
    chosen = context.highlighted_positions(partial_order.systems)
    if not wedge:
        hasse = hasse_diagram(
            partial_order.systems, partial_order.levels, partial_order.edges, set(r.claim.names), chosen
        )
        first = Drawing(hasse, "Pairs ordered the same way by every combination")
    else:
        first = _rank_ranges(partial_order, order.tolist(), marked, every)
    edges = pd.DataFrame(list(partial_order.edges), columns=["ahead", "behind"])
    ranks = pd.DataFrame(
        {"system": partial_order.systems, "best rank": best, "median rank": middle, "worst rank": worst}
    )
    return Panel(
        f"{partial_order.undisputed:,} of {partial_order.pairs:,} pairs have one order in all {len(worlds):,} worlds.",
        (
            {"order": first},
            {"share": Drawing(square, "Which systems are ahead of which others, over all combinations")},
        ),
        {
            "Disputed pairs": Table(partial_order.disputed, "One row per disputed pair, the most disputed first."),
            "Undisputed order": Table(edges, "One row per pair: ahead under every combination, with no third between."),
            "Ranks": Table(
                ranks.sort_values(["median rank", "best rank", "worst rank"], kind="stable", ignore_index=True),
                "One row per system: its best, median and worst rank over all combinations.",
            ),
        },
        notes=(
            *(() if wedge else ("A line leads from a system down to one that it beats under every combination.",)),
            "A disputed pair is decided by the choice that explains the most about which system is ahead.",
        ),
        facts=(
            Fact("pairs ordered alike by all", partial_order.undisputed, of=partial_order.pairs),
            Fact("pairs that tie in all", partial_order.tied, of=partial_order.pairs),
        ),
    )


MANY_SYSTEMS = 25  #: systems from which a diagram of their order is a wedge of lines


def _rank_ranges(partial_order: UndisputedOrder, order: list[int], marked: list[int], every: bool) -> Drawing:
    """Every system from its best to its worst rank, with a dot at the median."""
    best, middle, worst = partial_order.ranks
    names = [partial_order.systems[i] for i in order]
    ends = (middle[order], best[order], worst[order])
    fig = ranking(names, *ends, "rank", np.arange(1, len(names) + 1), marked, every=every)
    fig.update_xaxes(**rank_ticks(len(names)))
    return Drawing(fig, "Best, median and worst rank over all combinations, best median first")


def _standing_out(context: Context, r: Conclusion, names: list[str]) -> list[int]:
    """Positions of the highlighted systems and of those that the claim is about."""
    return [i for i, name in enumerate(names) if name in {*context.highlight, *r.claim.names}]


def dispute_section(context: Context, r: Conclusion, every: bool) -> Panel:
    """Topics on which one list dominates the other, for the claim's pair and for all pairs."""
    c = context.collection
    aspect = c.aspects[0]
    pair = dominance_section(c, *r.first.names, aspect)
    shares = context.remember(dominated_shares, c, aspect)
    first, second = np.triu_indices(len(c.systems), k=1)
    either = shares[first, second] + shares[second, first]
    order = np.argsort(-shares.sum(axis=1), kind="stable")
    names = [c.systems[i] for i in order]
    square = share_square(names, shares[np.ix_(order, order)], _standing_out(context, r, names), "topics", every)
    decided = np.rint(either * len(c.topics)).astype(int)
    counts = {"every topic": int((decided == len(c.topics)).sum()), "no topic": int((decided == 0).sum())}
    systems = np.array(c.systems, dtype=object)
    table = pd.DataFrame({"first": systems[first], "second": systems[second]})
    table["first dominates"], table["second dominates"] = shares[first, second], shares[second, first]
    about = "One row per pair of systems: the share of topics on which each dominates the other."
    title = "On how many of the topics each system dominates others, whatever the measure"
    return Panel(
        pair.sentence,
        ({"dominated": Drawing(square, title)},),
        {**pair.tables, "All pairs": Table(table, about)},
        notes=pair.notes,
        facts=(
            *pair.facts,
            Fact("topics with a dominating list, mean of all pairs", float(either.mean()), unit="%"),
            *(Fact(f"pairs with one on {where}", count, of=len(either)) for where, count in counts.items()),
        ),
    )


def power_section(context: Context, r: Conclusion) -> Panel:
    """How small a difference these topics show, and how many topics the observed one needs, by measure."""
    first, second = r.first.names
    both = context.scores().select(systems=[first, second])
    power_analysis = context.remember(power, both, alpha=r.alpha)
    frame = power_analysis.frame()
    return Panel(
        f"A paired t test of {power_analysis.topics:,} topics (α = {r.alpha:g}, power {power_analysis.power:g}) shows "
        f"differences of {power_analysis.effect:.2f} standard deviations.",
        facts=_topics_needed(power_analysis),
        tables={
            "Topics needed": Table(
                frame,
                "One row per measure: difference of means, its SD, the smallest that these topics show, topics needed.",
            )
        },
        notes=("By the paired t test, from the variance that was observed (Sakai 2016, topic set size design).",),
    )


def _topics_needed(power_analysis: Power) -> tuple[Fact, ...]:
    """Topics that the observed difference needs: by the measures that need fewest and most, and those without one."""
    found = dict(zip(power_analysis.measures, power_analysis.needed[:, 0, 1].tolist(), strict=True))
    needed = {name: int(topics) for name, topics in found.items() if np.isfinite(topics)}
    never = tuple(name for name in found if name not in needed)
    facts = extremes(needed, ("most topics needed", "fewest"), why="no measure has a difference")
    return (*facts, *counted("measures without a difference", never))


def words_for_paper(context: Context, r: Conclusion, row: int) -> Panel:
    """Settings and numbers by label, and the differences by measure and average."""
    size = {"systems": f"{len(context.systems):,}", "data": context.dataset.title}
    labelled = {"evidence": r.headline} | r.facts | size | r.settings
    cells, (first, second) = grid(r, row), r.first.names
    tests = "".join(f" Test of {name}: {test}." for name, test in cells.others.items())
    about = (
        f"Averages of {first} minus {second}, other choices as in combination {r.worlds.numbers[row]}.{tests} "
        "* p < .05, ** p < .01, *** p < .001."
    )
    return Panel(
        "Settings, numbers and a table for a paper.",
        tables={"Differences": Table(signed(cells).reset_index(), about)},
        texts={"Settings and numbers": "\n".join(f"{label}: {value}" for label, value in labelled.items())},
    )


# --------------------------------------------------------------------------------------------------


def panel(context: Context, values: Values) -> Panel:
    """The sentence, the curve, the grid; topics, flips, pairs and power where they are asked for."""
    r = conclude(context, values)
    row, missing = _world_row(r, values["world"])
    rows = [{"curve": all_worlds(r, row)}]
    if r.worlds.varying:
        shares = choice_shares(r)
        rows.append({"shares": Drawing(shares, "In how many combinations of each choice the claim holds")})
    rows += [_comparison_drawings(r, row)]
    disputed = context.dataset.collection is not None and len(context.systems) > 1
    groups = _by_group(context, values, r, row)
    if groups is not None:
        rows.append({"groups": differences_by_group(groups, context.label(groups.measure))})
    return Panel(
        sentence=f"{r.headline}.",
        facts=(
            *counted("systems without judged documents", tuple(r.unjudged_topics), "Check their identifiers."),
            *starmap(Fact, r.facts.items()),
        ),
        drawings=tuple(filter(None, rows)),
        tables={
            "Choices": Table(
                _shares(r),
                "One row per choice: its combinations (worlds), and the share of them in which the claim holds.",
            ),
            "Joint test": _joint(r),
            "Worlds": Table(
                _table(r), "One row per combination (world): its choices and its result.", digits=_digits(r)
            ),
            **({"Groups": Table(groups.frame(), _ABOUT_GROUPS)} if groups else {}),
        },
        notes=(*missing, *_notes(r, row)),
        folds={
            "Which topics carry the difference": partial(topics_section, r),
            "What flips the verdict": partial(nearest_flips, r, row),
            "Pairs ordered the same way by every combination": partial(
                pairs_section, context, worlds_of(context, values), r, values["every"]
            ),
            **({DISPUTE: partial(dispute_section, context, r, values["every"])} if disputed else {}),
            **({} if r.in_groups else {"How many topics are needed": partial(power_section, context, r)}),
            "For a paper": partial(words_for_paper, context, r, row),
        },
        ways=ways_to_scores(context, r, row),
        aspects=values["judges"] or usual_options(context.dataset.data, "judge"),
    )


_ABOUT_GROUPS = "One row per group of topics: mean difference, 95% interval, p of the paired t test, Holm-corrected."


def _by_group(context: Context, values: Values, r: Conclusion, row: int) -> ByGroup | None:
    """The pair's difference by the measure of one combination in every group of topics; None without groups."""
    if r.claim.kind != "pair" or not context.groups:
        return None
    label = measure_of(r.worlds.choices(row))
    scores, claim = _scores(context, label), claim_text(context, values)
    return context.remember(by_group, scores, label, claim, groups=context.groups)


def differences_by_group(groups: ByGroup, called: str) -> Drawing:
    frame = groups.frame()
    why = "Groups in which the sign of the mean difference is not that of all topics."
    turns = Fact("groups of topics in which it turns", len(groups.turns), groups.turns, of=len(groups.groups), why=why)
    names = [f"{name} ({count:,} topics)" for name, count in zip(frame.group, groups.topics, strict=True)]
    axis, places = f"mean difference in {called}", np.arange(1, len(names) + 1)
    fig = ranking(names, groups.difference, groups.low, groups.high, axis, places, zero=True)
    title = f"The difference in {called} by group of topics, with 95% intervals; all topics last"
    return Drawing(fig, title, facts=(turns,))


def _world_row(r: Conclusion, number: int) -> tuple[int, tuple[str, ...]]:
    """The row of the world with a number, or the first, with the reason."""
    rows = np.flatnonzero(r.worlds.numbers == number)
    if len(rows):
        return int(rows[0]), ()
    last, first = r.worlds.numbers[-1], r.worlds.numbers[0]
    return 0, (f"There is no combination {number:,} (the last is {last:,}); combination {first} is shown.",)


# -- figures --------------------------------------------------------------------------------


def all_worlds(r: Conclusion, row: int) -> Drawing:
    unit = f"{'difference' if r.claim.kind == 'pair' else 'deciding difference'} ÷ its SD over topics"
    title = "Combinations by standardised difference: the claim holds above 0; ticks below mark significant ones"
    fig = specification_curve(r, partial(world_words, r), unit, row)
    return Drawing(fig, title, picks=("world",), facts=_flips(r, row))


def _comparison_drawings(r: Conclusion, row: int) -> dict[str, Drawing]:
    """The grid of signs and what decides, where there is something to compare."""
    drawings = {}
    signs = grid(r, row)
    if signs.verdict.size > 1:
        drawn = sign_grid(signs, [SUMMARIES.get(name, name) for name in signs.averages])
        drawings["grid"] = Drawing(drawn, "The verdict by measure and average", picks=("world",))
    shares = r.attribution
    shares = shares[[name in r.worlds.varying or name not in DIMENSIONS for name in shares.index]]
    if len(r) > 1 and np.isfinite(shares).all():
        names = [DIMENSIONS.get(str(name), "how choices combine") for name in shares.index]
        drawn = share_bars(names, shares.to_numpy(), "share of the variance")
        drawings["decides"] = Drawing(drawn, "What decides the size of the difference")
    return drawings


# -- words and numbers ------------------------------------------------------------------------


def _joint(r: Conclusion) -> Table:
    """The joint test as a table."""
    about = (
        f"All combinations tested together, {deciding_pair(r)}: the observed number, its median over {r.exchanges:,} "
        "exchanges of the two on random topics, and the share of exchanges that reach it (p)."
    )
    assert r.joint is not None  # only without exchanges there is none
    return Table(r.joint.reset_index(), about, words={"statistic": JOINT})


def _digits(r: Conclusion) -> int:
    """Decimal places with which the smallest difference shows two digits."""
    sizes = np.abs(r.difference[r.difference != 0])
    return 4 if not len(sizes) else int(np.clip(1 - np.floor(np.log10(sizes.min())), 4, 10))


def _table(r: Conclusion) -> pd.DataFrame:
    frame = r.frame()
    constant = [name for name in r.worlds.dimensions if name not in r.worlds.varying]
    frame = frame.drop(columns=constant)
    frame.insert(0, "world", r.worlds.numbers)
    return frame


def _shares(r: Conclusion) -> pd.DataFrame:
    """For every choice, in how many of its worlds the claim holds or is reversed."""
    what = {"holds": r.verdict > 0, "reversed": r.verdict < 0}
    what |= {f"{name}, significantly": mask & r.significant for name, mask in what.items()}
    choices = {"any": np.ones(len(r), dtype=bool)}
    for name in r.worlds.varying:
        for code in np.unique(r.worlds.code(name)).tolist():
            label = f"{DIMENSIONS[name]}: {option_words(name, r.worlds.options[name][code])}"
            choices[label] = r.worlds.code(name) == code
    rows = [(int(here.sum()), *(mask[here].mean() for mask in what.values())) for here in choices.values()]
    return named_rows(pd.DataFrame(rows, columns=["worlds", *what]), "choice", list(choices))


def _flips(r: Conclusion, row: int) -> tuple[Fact, ...]:
    """How often differences as large as this combination's flip on new topics; of means only."""
    option = r.worlds.choices(row)
    if r.in_groups or option["average"] != "mean" or option["judge"] == CORRECTED:
        return ()
    return reversed_on_new_topics(measure_of(option), float(r.difference[row]), len(r.first.topics))


def _notes(r: Conclusion, row: int) -> tuple[str, ...]:
    verdict = f"{VERDICTS[int(r.verdict[row]) + 1]}, p = {r.p[row]:.3g}"
    notes = {
        f"Combination {r.worlds.numbers[row]} ({world_words(r, row)}): {verdict}.": True,
        "Evidence: three times the smallest p of the joint test is below α (Simonsohn et al. 2020).": len(r) > 1,
        "Counts of combinations are no evidence: all have the same topics.": len(r) > 1,
        f"Combinations: {len(r):,} of {r.worlds.product:,}, seed {r.worlds.seed}.": True,
        **{f"Combinations left out, {count:,}: {reason}.": True for reason, count in r.left_out.items()},
        **dict.fromkeys(few_topics(len(r.first.topics), r.alpha), not r.in_groups),
        "Wilcoxon and sign tests have no intervals.": np.isnan(r.low).any(),
    }
    return tuple(note for note, there in notes.items() if there)


PAGE = Page(
    name="conclusion",
    title="Would my conclusion change?",
    question="Does a claim about systems hold under other reasonable ways to measure it?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "highlights", "baseline", "groups"}),
    snippet=Snippet(CONCLUSION, "Worlds", _given),
)
