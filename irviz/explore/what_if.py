"""What if: one move of a measure, and its four consequences side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from irviz.errors import IrvizError, join_words, number_of, verb
from irviz.explore.aspects import aspects_fold
from irviz.explore.what_if_figures import (
    asl_states,
    distribution,
    option_words,
    pool_states,
    sweep_curves,
    tau_rows,
    trade,
)
from irviz.figures.significance import P_VALUES
from irviz.figures.theme import Floats, common_ending, labels
from irviz.measures import measure
from irviz.measures.language.base import Expression, Measure
from irviz.measures.language.parameters import Numbers, OneOf, Real, Subexpression, value_text
from irviz.stats.aggregate import aggregate
from irviz.stats.consistency import halves_correlated, topics_resampled
from irviz.stats.correlation import kendall_tau, shared_ranks
from irviz.stats.incompleteness import RATES, PoolReduction, kept_judgments, pool_reduction
from irviz.stats.significance import DiscriminativePower, Significance, discriminative_power
from irviz.stats.similarity import overall
from irviz.stats.sweep import (
    RATE,
    SLOT,
    SPLITS,
    USERS,
    Sweep,
    agreement_with_users,
    others_of,
    parse_sweep,
    sweep_from_analyses,
)
from irviz.workspace.baseline import Moves, moves
from irviz.workspace.context import MOST_HIGHLIGHTED, Context
from irviz.workspace.control import (
    SYMBOLS,
    Choice,
    Number,
    PreviousMeasure,
    SweptParameters,
    join_names,
    widget_range,
)
from irviz.workspace.controls import ALPHA, SEED, repeats, trials
from irviz.workspace.measure_facts import options_compared, parts_of
from irviz.workspace.page import Page, RowByRow, Snippet, Values, average_words, eps_argument
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.permissible import scale_note
from irviz.workspace.phrases import highest, join_clauses, lowest, quote_names, spell
from irviz.workspace.view import View

_CUTOFFS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000)
NOBODY = ""
_TABLE = "Properties"
_SUBSCRIPTS = str.maketrans("-0123456789", "₋₀₁₂₃₄₅₆₇₈₉")
_GRADE = "rel"  #: the parameter that is a grade of the judgments: the smallest that counts as relevant


def _measure_options(context: Context) -> dict[str, Any]:
    """The measures of the sidebar; by default the first with a parameter."""
    options = tuple((name, context.short_name(name)) for name in context.measures)
    turned = (name for name in context.measures if "=" in name)
    return {"options": options, "default": next(turned, context.measures[0]) if options else ""}


def _known_measures(context: Context) -> dict[str, Any]:
    scores = context.dataset.imported_scores
    return {} if scores is None else {"imported_names": scores.measures}


def _swept_parameter(values: Values) -> Knob | None:
    """The parameter that is swept, on data of several grades."""
    knobs = parameters_of(values["measure"], grades=(1.0, 2.0)) if values["sweep"] else ()
    return next((knob for knob in knobs if knob.path == values["sweep"]), None)


def _along_numbers(values: Values) -> bool:
    """True if a number is swept of which not all values are tried, as those of options and grades are."""
    knob = _swept_parameter(values)
    return knob is not None and knob.numeric and not knob.path.endswith(_GRADE)


def _system(name: str, label: str) -> Choice:
    def options(context: Context) -> dict[str, Any]:
        ending = common_ending(context.systems)
        return {"options": ((NOBODY, "none"), *((system, system.removesuffix(ending)) for system in context.systems))}

    return Choice(
        name=name,
        label=label,
        help="Marked in all four figures. A click on the figure of scores or of p-values sets it, too.",
        from_context=options,
        aside=True,
        shown_if=lambda values: _swept_parameter(values) is None,
    )


CONTROLS = (
    Choice(
        name="measure",
        measure=True,
        label="Measure",
        help="One of the measures of the sidebar, where its parameters are.",
        from_context=_measure_options,
    ),
    PreviousMeasure(name="before", label="Compared with", from_context=_known_measures, widget=False),
    _system("a", "Mark a system"),
    _system("b", "and another"),
    SweptParameters(
        name="sweep",
        label="Sweep",
        most=80,
        widget=False,
        paths=lambda context, values: {knob.path for knob in _parameters(context, values)},
    ),
    Number(
        name="points",
        label="Values of a sweep",
        help="How many values of the parameter are tried.",
        low=3,
        high=60,
        default=19,
        step=1,
        whole=True,
        slider=False,
        shown_if=_along_numbers,
    ),
    trials(2000, 20_000),
    repeats(5),
    ALPHA,
    SEED,
)


@dataclass(frozen=True, eq=False)
class Bench:
    """The numbers of the measure at hand, and of the state before if there is one.

    Attributes
    ----------
    now, previous : expressions; "" if there is no state before
    averages : expression → by system
    rank_moves : the two rankings; None without a state before, or with one system
    names : the measures of the set
    orders : by these, and by a state before that is not among them: what systems are ranked by
    power : None below two systems or two topics
    pools : None below two systems, and of imported scores
    """

    now: str
    previous: str
    averages: Mapping[str, Floats]
    rank_moves: Moves | None
    names: tuple[str, ...]
    orders: Floats
    power: DiscriminativePower | None = None
    pools: PoolReduction | None = None

    @property
    def states(self) -> tuple[str, ...]:
        """The measure at hand, and the state before if there is one."""
        return (self.now, self.previous) if self.previous else (self.now,)

    @cached_property
    def taus(self) -> Floats:
        """Kendall's τ between the rows of `orders`; 0 × 0 below two systems."""
        return kendall_tau(self.orders) if self.orders.shape[1] > 1 else np.zeros((0, 0))

    def significance(self, name: str) -> Significance | None:
        """The test under one of the two measures."""
        if self.power is None or name not in self.power.measures:
            return None
        return self.power.results[self.power.measures.index(name)]

    def agreement(self, name: str) -> float:
        """τ with a tenth of the pool under one of the two measures."""
        assert self.pools is not None
        return float(self.pools.tau[self.pools.measures.index(name), self.pools.rates.index(RATE)])

    @property
    def tenth(self) -> str:
        """The share of the judgments that is kept where a tenth is asked for: more, if topics have few."""
        assert self.pools is not None
        return f"{self.pools.kept[self.pools.rates.index(RATE)]:.0%}"

    def mean_tau(self, name: str) -> float:
        """Mean τ of one of the two with the other measures of the set: those that are neither of them."""
        names = [*self.names, *([self.previous] if len(self.taus) > len(self.names) else [])]
        others = [i for i, other in enumerate(self.names) if other not in (self.now, self.previous)]
        row = self.taus[names.index(name), others]
        known = row[np.isfinite(row)]
        return float(known.mean()) if known.size else np.nan

    @property
    def others(self) -> int:
        """How many measures of the set are neither of the two."""
        return len(set(self.names) - {self.now, self.previous})


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """Scores and τ of one measure, now and before; then p-values and reduced pools."""
    now, previous, problem = _states(context, values)
    if knob := swept_knob(context, values):
        swept_over = sweep_panel(context, values, knob)
        list_note = (_LIST_NOTE,) if knob.moving_numbers else ()
        yield replace(swept_over, notes=(*list_note, *swept_over.notes, *scale_note(context, now)))
        return
    bench, marked = _bench(context, now, previous), _marked_places(context, values)
    first_row = _first_row(context, bench, marked)
    yield Panel("", (first_row,))
    bench = _add_tests(bench, context, values)
    tables = {}
    if bench.power is not None and bench.pools is not None:
        both = _properties(context, values, bench.states, bench.states, bench.pools)
        about = "One row per state, the present one first: its properties, each with the ends of its band."
        tables[_TABLE] = _table(values, both, about, f"Properties of {quote_names(bench.states)}")
    yield Panel(
        sentence=_sentence(context, values, bench),
        drawings=tuple(filter(None, (first_row, _second_row(context, bench, marked)))),
        tables=tables,
        notes=tuple(filter(None, (problem, *_notes(context, bench), *scale_note(context, now)))),
        folds=aspects_fold(context, now),
    )


def _table(values: Values, sweep: Sweep, about: str, what: str, word: str = "") -> Table:
    """The table of properties; for a paper without bands, and with what they are.

    Parameters
    ----------
    what : whose properties they are
    word : the name of the parameter, where one is swept
    """
    frame, others = sweep.frame(), sweep.others
    shown = {
        "significant": f"share of pairs of systems with p < {values['alpha']:g} (randomised Tukey HSD of "
        f"means, {values['trials']:,} shuffles)",
        "consistency": "mean τ of the rankings by two random halves of the topics",
        "agreement": f"mean τ between the rankings with {sweep.kept:.0%} of the pool and with all of it",
        "tau": f"mean τ with {', '.join(f'`{name}`' for name in others)}" if others else "",
        USERS: "agreement with users",
    }
    kept = {name: words for name, words in shown.items() if words and name in frame}
    caption = f"{what}: {join_clauses(list(kept.values()))}."
    heads = _heads(sweep) | ({"value": word} if word else {})
    return Table(frame, about, heads=heads, paper=(("value" if word else "measure", *kept), caption))


def _heads(sweep: Sweep) -> dict[str, str]:
    """Headings of columns of properties."""
    return {"tau": "τ, other measures", "consistency": "τ, two halves", "agreement": f"τ, {sweep.kept:.0%} of pool"}


def _states(context: Context, values: Values) -> tuple[str, str, str]:
    """The measure at hand, the state before where there is one, and what is wrong with it."""
    now, previous = values["measure"], values["before"]
    if previous in ("", now):
        return now, "", ""
    try:
        context.scores([previous])
    except IrvizError as error:
        return now, "", f"No comparison with `{previous}`: {error}"
    return now, previous, ""


def _marked_places(context: Context, values: Values) -> list[int]:
    return [context.systems.index(system) for system in dict.fromkeys((values["a"], values["b"])) if system]


# -- computed measure by measure, so that a move computes one ---------------------------------------


def _bench(context: Context, now: str, previous: str) -> Bench:
    """The averages by both measures, and the rankings by all of them."""
    measures = tuple(dict.fromkeys((*context.measures, *filter(None, (now, previous)))))
    scores = context.scores(measures)
    orders = context.remember(overall, scores, context.summary, context.eps)
    means = {
        name: aggregate(scores.select([name]).values, context.summary, context.eps)[0]
        for name in filter(None, (now, previous))
    }
    rank_moves = moves(context, context, (previous, now)) if previous and len(context.systems) > 1 else None
    return Bench(now, previous, means, rank_moves, context.measures, orders)


def _add_tests(bench: Bench, context: Context, values: Values) -> Bench:
    """Add p-values and reduced pools to the numbers of the bench."""
    if len(context.systems) < 2:
        return bench
    return replace(
        bench,
        power=_power(context, values, bench.states) if len(context.topics) > 1 else None,
        pools=_pools(context, values, bench.states) if context.dataset.collection is not None else None,
    )


def _power(context: Context, values: Values, names: tuple[str, ...]) -> DiscriminativePower:
    settings = {"trials": values["trials"], "seed": values["seed"], "workers": -1}
    scores = context.scores(names)
    return context.remember_by_measure(discriminative_power, scores, "randomised_tukey", **settings).with_alpha(
        values["alpha"]
    )


def _pools(context: Context, values: Values, names: tuple[str, ...]) -> PoolReduction:
    settings = {"rates": RATES, "repeats": values["repeats"], "seed": values["seed"], "summary": context.summary}
    memory = {"_draw": partial(context.remember, kept_judgments), "_full": lambda _, measures: context.scores(measures)}
    alone = replace(context, measures=names)
    return alone.remember_by_measure(
        pool_reduction, context.collection, **settings, eps=context.eps, workers=1, **memory
    )


def _properties(
    context: Context,
    values: Values,
    names: tuple[str, ...],
    steps: tuple[float | str, ...],
    pools: PoolReduction | None = None,
) -> Sweep:
    """The numbers of :func:`irviz.sweep`, of which only those are computed that nobody has asked for."""
    others = others_of(names, context.measures)
    scores, average = context.scores(names), ("random", context.summary, context.eps)
    pools = pools or _pools(context, values, names)
    return sweep_from_analyses(
        steps,
        _power(context, values, names),
        context.remember_by_measure(halves_correlated, scores, SPLITS, *average, seed=values["seed"], workers=-1),
        context.remember_by_measure(topics_resampled, scores, *average, seed=values["seed"], workers=-1),
        pools,
        context.remember(overall, context.scores([*names, *others]), context.summary, context.eps),
        others,
        RATE,
        context.remember(agreement_with_users, context.collection, scores, seed=values["seed"]),
    )


# -- figures ---------------------------------------------------------------------------------------


def _marked_systems(context: Context, marked_places: list[int]) -> list[int]:
    """The systems that stand out: marked here, or highlighted in the sidebar."""
    return list(dict.fromkeys([*marked_places, *context.highlighted_positions()]))


def _both(context: Context, bench: Bench, marked_places: list[int]) -> dict[str, str]:
    """Texts of a page that shows two measures."""
    others = (name for name in (bench.previous, *context.measures) if name in context.measures and name != bench.now)
    return {"first": bench.now, "second": next(others, bench.now), **_highlight_text(context, marked_places)}


def _highlight_text(context: Context, marked_places: list[int]) -> dict[str, str]:
    highlighted = [context.systems[i] for i in _marked_systems(context, marked_places)][:MOST_HIGHLIGHTED]
    return {"highlight": join_names(highlighted)} if marked_places else {}


def _behind(bench: Bench) -> str:
    return f"; dashed in grey: the state before, `{bench.previous}`" if bench.previous else ""


def _first_row(context: Context, bench: Bench, marked_places: list[int]) -> dict[str, Drawing]:
    now, previous = bench.now, bench.previous
    averages, behind = bench.averages[now], _behind(bench)
    axis = f"{context.average} {now} of a system"
    fig = distribution(
        context.systems, averages, bench.averages.get(previous), _marked_systems(context, marked_places), axis, previous
    )
    alt = f"Density of the {context.average} scores of {number_of(len(averages), 'system')} under `{now}`{behind}."
    first = {
        "distribution": Drawing(
            fig,
            f"Scores; first: {quote_names(highest(dict(zip(context.systems, averages, strict=True))), most=2)}",
            alt,
            caption=alt,
            picks=("a", "b"),
            opens=_own_page(context, "scores", measure=now, **_highlight_text(context, marked_places)),
        )
    }
    if bench.taus.size and len(bench.names) > 1:
        extra = previous if len(bench.taus) > len(bench.names) else None
        row = bench.names.index(now)
        alt = f"Kendall's τ between {len(bench.names)} measures; the row of `{now}` is framed"
        alt += f", the last row is that of the state before, `{previous}`." if extra else "."
        ranks = shared_ranks(bench.orders)[:, marked_places[:2]]
        short = labels(context.systems, 14) if marked_places else []
        heat = tau_rows(bench.names, bench.taus, row, extra, ranks, [short[i] for i in marked_places[:2]])
        way = _own_page(context, "similarity", **_both(context, bench, marked_places))
        first["heatmap"] = Drawing(heat, "τ with the other measures", alt, ("measure",), opens=way, caption=alt)
    return first


def _second_row(context: Context, bench: Bench, marked_places: list[int]) -> dict[str, Drawing]:
    now, previous, behind = bench.now, bench.previous, _behind(bench)
    second = {}
    tested = bench.significance(now)
    if tested is not None:
        alt = f"Falling curve of the {P_VALUES} of all pairs of systems under `{now}`{behind}."
        fig = asl_states(tested, bench.significance(previous), marked_places, previous)
        way = _own_page(context, "discriminative", **_both(context, bench, marked_places))
        second["asl"] = Drawing(fig, P_VALUES, alt, ("a", "b"), opens=way, caption=alt)
    if bench.pools is not None:
        place = bench.pools.measures.index
        fig = pool_states(
            bench.pools, place(now), place(previous) if previous else None, context.systems, marked_places, RATE
        )
        alt = f"τ between the rankings under reduced pools and under the full one, by `{now}`{behind}."
        order = _order_kept(bench, marked_places) if len(marked_places) == 2 else ""
        way = _own_page(context, "incomplete")
        second["pools"] = Drawing(fig, f"τ under reduced pools{order}", alt, opens=way, caption=alt)
    return second


def _order_kept(bench: Bench, marked_places: list[int]) -> str:
    """Under which reduced pools the two marked systems stand the other way round, by their mean ranks."""
    assert bench.pools is not None
    ranks = bench.pools.ranks[bench.pools.measures.index(bench.now)][:, marked_places]
    first, second = shared_ranks(bench.orders)[bench.names.index(bench.now), marked_places]
    if first == second:
        return "; the marked systems tie under the full pool"
    turned = np.flatnonzero((first - second) * (ranks[:, 0] - ranks[:, 1]) < 0)
    shares = join_words((f"{bench.pools.kept[i]:.0%}" for i in turned), joiner="and")
    return f"; the marked systems change places at {shares}" if shares else "; the marked systems keep their order"


def _own_page(context: Context, name: str, **texts: str) -> tuple[str, View]:
    """The page of a figure, with the same choices."""
    return "Open on its own page", View.from_texts(name, **context.texts | texts)


# -- in words --------------------------------------------------------------------------------------


def move_words(previous: str, now: str) -> str:
    """Name the move: one parameter, or the whole measure.

    >>> move_words("RBP(p=0.8)", "RBP(p=0.95)"), move_words("nDCG@10", "nDCG@20"), move_words("AP", "P@10")
    ('p 0.8 → 0.95', 'cutoff 10 → 20', '`AP` → `P@10`')
    """
    try:
        move = _changed_parameter(measure(previous), measure(now))
    except IrvizError:  # names of imported scores
        move = None
    return move or f"`{previous}` → `{now}`"


def _changed_parameter(previous: Expression, now: Expression) -> str | None:
    """The one parameter in which two expressions of a kind differ."""
    if type(previous) is not type(now):
        return None
    names = [field.name for field in fields(now) if getattr(previous, field.name) != getattr(now, field.name)]
    if len(names) != 1:
        return None
    old, new = getattr(previous, names[0]), getattr(now, names[0])
    if isinstance(old, Expression) and isinstance(new, Expression):
        return _changed_parameter(old, new) or f"{names[0]} `{old}` → `{new}`"
    word = names[0] if names[0] == "cutoff" else SYMBOLS.get(names[0], names[0])
    return f"{word} {_value(old)} → {_value(new)}"


def _value(value: Any) -> str:
    return "none" if value is None else value_text(value).replace("'", "").replace("-", "−")


def _sentence(context: Context, values: Values, bench: Bench) -> str:
    systems = number_of(len(context.systems), "system")
    if not bench.previous:
        return f"By `{bench.now}`, {_present(context, bench, systems)}."
    start = move_words(bench.previous, bench.now)
    if bench.rank_moves is None:
        old, new = (spell(float(bench.averages[name][0]), 3) for name in (bench.previous, bench.now))
        return f"{start}: the only system scores {new}, {old} before; with one system there is no ranking to change."
    sentence = f"{start}: {join_clauses([_places(bench.rank_moves, systems), *_changes(bench)])}."
    if start != f"`{bench.previous}` → `{bench.now}`":
        return sentence
    return f"{sentence} Before: the measure shown last or, for one just added, the chosen one most like it."


def _present(context: Context, bench: Bench, systems: str) -> str:
    """The four numbers of the measure at hand, where there is nothing to compare it with."""
    averages = bench.averages[bench.now]
    if len(averages) == 1:
        return f"the only system scores {spell(float(averages[0]), 3)}; with one system there is no ranking to look at"
    if float(np.ptp(averages)) == 0:
        scores = f"all {systems} score {spell(float(averages[0]), 3)}"
    else:
        scores = f"{systems} score from {spell(float(averages.min()), 3)} to {spell(float(averages.max()), 3)}"
    parts = [scores]
    if bench.others:
        mean = spell(bench.mean_tau(bench.now), 2)
        average = " on average" if bench.others > 1 else ""
        parts.append(f"τ with the {_others(bench)} is {mean}{average}")
    tested = bench.significance(bench.now)
    if tested is not None:
        parts.append(f"{tested.significant:,} of {number_of(tested.pairs, 'pair')} of means are significant")
    if bench.pools is not None:
        parts.append(f"with {bench.tenth} of the pool τ is {spell(bench.agreement(bench.now), 2)}")
    return join_clauses(parts)


def _places(rank_moves: Moves, systems: str) -> str:
    if not np.isfinite(rank_moves.tau):
        return f"all {systems} tie in one of the two rankings, so τ with before is not defined"
    tau = f"(τ {spell(rank_moves.tau, 2)} with before)"
    if not rank_moves.moved_systems:
        return f"no system changes place {tau}"
    old, new = (
        [name for name, rank in zip(rank_moves.systems, row, strict=True) if rank == 1] for row in rank_moves.ranks
    )
    ties = " together" if len(new) > 1 else ""
    first = (
        f"stays with {quote_names(new, 2)}"
        if old == new
        else f"goes from {quote_names(old, 2)} to {quote_names(new, 2)}{ties}"
    )
    movers = number_of(rank_moves.moved_systems, "system")
    return f"{movers} {verb(rank_moves.moved_systems, 'changes', 'change')} place {tau}, first place {first}"


def _others(bench: Bench) -> str:
    return "other measure" if bench.others == 1 else number_of(bench.others, "other measure")


def _changes(bench: Bench) -> list[str]:
    """Clauses on what the move does to τ with other measures, to significant pairs, and to τ with reduced pools."""
    said, both = [], (bench.previous, bench.now)
    if bench.others:
        what = f"{'mean τ' if bench.others > 1 else 'τ'} with the {_others(bench)}"
        said.append(f"{what} {_change(*map(bench.mean_tau, both))}")
    before, now = map(bench.significance, both)
    if before is not None and now is not None:
        gained = int((now.separated & ~before.separated).sum()) // 2
        lost = int((before.separated & ~now.separated).sum()) // 2
        said.append(f"pairs of means that gain significance: {gained:,}, that lose it: {lost:,}")
    if bench.pools is not None:
        said.append(f"τ with {bench.tenth} of the pool {_change(*map(bench.agreement, both))}")
    return said


def _change(previous: float, now: float) -> str:
    """Describe how a coefficient changed.

    >>> _change(0.714, 0.82), _change(0.7, 0.7001), _change(float("nan"), 0.5)
    ('rises from 0.71 to 0.82', 'stays at 0.70', 'is 0.50 and was undefined')
    """
    old, new = spell(previous, 2), spell(now, 2)
    if old == new:
        return f"stays {'undefined' if old == 'undefined' else f'at {old}'}"
    if not np.isfinite(previous) or not np.isfinite(now):
        return f"is {new} and was {old}"
    return f"{'rises' if now > previous else 'falls'} from {old} to {new}"


def _notes(context: Context, bench: Bench) -> list[str]:
    """Which figures are missing and why, and what the draws are."""
    notes = []
    if len(context.systems) < 2:
        notes.append("τ, p-values and reduced pools compare systems, and only one is chosen.")
    elif bench.power is None:
        notes.append("A test of significance needs two topics, and only one is chosen.")
    if context.dataset.collection is None:
        notes.append("Reduced pools need rankings and judgments; these are imported scores.")
    if bench.previous:
        notes.append("Only the measure differs: both states have the other choices of now.")
    if bench.previous and bench.power is not None:
        notes.append("Both states have the same draws. p-values are corrected for all pairs of these systems.")
    return notes if bench.pools is None else [*notes, *_pool_note(bench.pools)]


def _pool_note(pools: PoolReduction) -> list[str]:
    """Say how much of the pool a tenth is, where it is more."""
    share = float(pools.kept[pools.rates.index(RATE)])
    if share <= 1.1 * RATE:
        return []
    return [
        f"Every topic keeps one document of each grade and ten that are not relevant: where 10% of the pool is asked "
        f"for, {share:.0%} of the judgments are kept here."
    ]


# -- the sweep along one parameter ------------------------------------------------------------------


@dataclass(frozen=True)
class Knob:
    """A parameter of a measure that a sweep can turn: a number in a range, or a choice.

    Attributes
    ----------
    path : names of the parameters that lead to it, joined by points, such as ``C.p``
    template : the expression with ``{}`` in the place of the value
    present : its value, as a number or as it is written
    values : what it can be, the present one among them; numbers rise
    word : its name
    moving_numbers : of a list, the number that moves under each of its values; the path ends in its place, from 1
    left_out : options that are left out, as all lists would score the same
    """

    path: str
    template: str
    present: float | str
    values: tuple[float | str, ...]
    word: str
    moving_numbers: tuple[float, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """True if it is a number."""
        return bool(self.moving_numbers) or not isinstance(self.present, str)


@lru_cache(maxsize=64)
def parameters_of(
    expression: str, depth: int = 1000, points: int = 19, grades: tuple[float, ...] = ()
) -> tuple[Knob, ...]:
    """The parameters of a measure that a sweep can turn: its own, those of its parts, the parts, and cutoffs.

    >>> [(knob.path, knob.template) for knob in parameters_of("CWLA(C=RBP(p=0.8),A=ERG)@10")][:2]
    [('C', 'CWLA(C={},A=ERG)@10'), ('C.p', 'CWLA(C=RBP(p={}),A=ERG)@10')]
    """
    try:
        parsed = measure(expression)
    except IrvizError:  # a name of imported scores
        return ()
    knobs = (_knob(parsed, *turnable) for turnable in _turnable(parsed, depth, points, grades))
    return tuple(knob for knob in knobs if knob is not None)


def _turnable(
    one: Measure, depth: int, points: int, grades: Sequence[float]
) -> Iterator[tuple[str, Sequence[Any], str, int | None]]:
    """Paths of parameters that can be changed, values to try, names, and which number moves where it is a list."""
    for path, declared in one.paths().items():
        value, name = one.value_at(path), path.rpartition(".")[2]
        kind, word = None if declared is None else declared.kind, SYMBOLS.get(name, name)
        if kind is None and value is not None:
            yield path, _spread([k for k in _CUTOFFS if k <= depth], points), "the cutoff", None
        elif isinstance(kind, Subexpression) and isinstance(value, Expression):
            if kind.family != "measure":
                yield path, parts_of(kind.family, value), f"the {kind.family} {name}", None
        elif isinstance(kind, OneOf):
            yield path, kind.options, word, None
        elif isinstance(kind, Real) and isinstance(value, float) and np.isfinite(widget_range(kind)).all():
            yield path, [round(float(step), 4) for step in np.linspace(*widget_range(kind), points)], word, None
        elif name == _GRADE and isinstance(value, float):
            yield path, [grade for grade in grades if grade > 0], word, None
        elif isinstance(kind, Numbers) and not kind.nested and isinstance(value, tuple) and len(value) > 1:
            grade_marks = () if kind.each.startswith("aspect") else grades[1:] if kind.simplex else grades
            marks = grade_marks if len(grade_marks) == len(value) else range(1, len(value) + 1)
            for i, mark in enumerate(marks):
                yield path, moved_number(value, i, kind, points), f"{word}{f'{mark:g}'.translate(_SUBSCRIPTS)}", i


def moved_number(value: tuple[float, ...], i: int, kind: Numbers, points: int) -> list[tuple[float, ...]]:
    """The lists in which one number moves: others stay, or keep their proportions where all sum to 1.

    >>> moved_number((0.2, 0.2, 0.6), 2, Numbers(simplex=True), 3)
    [(0.5, 0.5, 0.0), (0.25, 0.25, 0.5), (0.0, 0.0, 1.0)]
    >>> moved_number((0.0, 1.0, 3.0), 1, Numbers(ascending=True, nonnegative=True), 4)
    [(0.0, 0.0, 3.0), (0.0, 1.0, 3.0), (0.0, 2.0, 3.0), (0.0, 3.0, 3.0)]
    """
    if kind.simplex:
        rest = sum(value) - value[i]
        parts = [part / rest if rest else 1 / (len(value) - 1) for part in value]
        return [_share_moved(parts, i, round(float(share), 4)) for share in np.linspace(0, 1, points)]
    top = min(kind.most, 2 * max(1.0, *value))
    low, high = value[i - 1] if i and kind.ascending else 0.0, top
    if kind.ascending and i + 1 < len(value):
        high = value[i + 1]
    steps = [round(float(step), 4) for step in np.linspace(low, high, points)]
    return [(*value[:i], step, *value[i + 1 :]) for step in steps]


def _share_moved(parts: Sequence[float], i: int, share: float) -> tuple[float, ...]:
    """Shares with four digits that sum to 1: one is given, the others are parts of what it leaves."""
    shares = [share if j == i else round(part * (1 - share), 4) for j, part in enumerate(parts)]
    last = max(j for j in range(len(parts)) if j != i)
    shares[last] = max(0.0, round(1 - sum(other for j, other in enumerate(shares) if j != last), 4))
    return tuple(shares)


def _spread(steps: Sequence[Any], points: int) -> list[Any]:
    """At most so many of the steps, evenly."""
    return [steps[i] for i in sorted({round(x) for x in np.linspace(0, len(steps) - 1, points)})] if steps else []


def _knob(one: Measure, path: str, steps: Sequence[Any], word: str, i: int | None) -> Knob | None:
    """The knob; None where it has one value alone.

    The values may be lists in which the number at place `i` rises.
    """
    present = one.value_at(path)
    texts, left_out = {}, []
    rising = (lambda step: step) if i is None else (lambda step: step[i])
    for step in steps if present in steps else sorted([*steps, present], key=rising):
        try:
            turned = one.with_value(path, step)
        except IrvizError:  # a value that does not fit the other parameters
            continue
        if step == present or not getattr(turned, "constant", False):  # all lists score the same
            texts[str(turned)] = step
        elif not isinstance(step, int | float | tuple):
            left_out.append(value_text(step))
    if len(texts) < 2:
        return None
    values = {step: step if isinstance(step, int | float) else value_text(step) for step in texts.values()}
    place = path if i is None else f"{path}.{i + 1}"
    moving_numbers = () if i is None else tuple(float(step[i]) for step in texts.values())
    written = tuple(values.values())
    return Knob(place, one.template(path), values[present], written, word, moving_numbers, tuple(left_out))


def _parameters(context: Context, values: Values) -> tuple[Knob, ...]:
    """The parameters of the measure at hand that these data let a sweep turn."""
    return parameters_of(values["measure"], context.depth, values["points"], context.collection.grades[0])


def swept_knob(context: Context, values: Values) -> Knob | None:
    """The parameter of the measure at hand that is swept; None if it does not have that one, or nothing is compared."""
    if not values["sweep"] or context.dataset.collection is None or min(len(context.systems), len(context.topics)) < 2:
        return None
    return next((knob for knob in _parameters(context, values) if knob.path == values["sweep"]), None)


def sweep_panel(context: Context, values: Values, knob: Knob) -> Panel:
    """The properties along a parameter, and the trade between agreement and significance."""
    names, steps = parse_sweep(knob.template, knob.values)
    listed_by = sweep = _properties(context, values, names, steps)
    place, x, y = steps.index(knob.present), "significant", "agreement"
    if knob.moving_numbers:
        sweep = replace(sweep, values=knob.moving_numbers)
    if knob.numeric:
        sentence = _sweep_sentence(sweep, knob.word, place, x, y)
    else:
        options = list(map(option_words, sweep.values))
        share = dict(zip(options, sweep.significant.tolist(), strict=True))
        ends = [f"{share[by[0]]:.1%} by {quote_names(by, most=2)}" for by in (lowest(share), highest(share))]
        sentence = options_compared(context, sweep.measures, options, knob.word)
        sentence += f" The share of significant pairs lies between {' and '.join(ends)}."
        if knob.left_out:
            sentence += f" Without {quote_names(knob.left_out)}, which would give every list the same score."
    what = f"Properties of {knob.template.replace(SLOT, knob.word.split()[-1])} along {knob.word}"
    about = "One row per value: its properties, each with the ends of its band."
    clicked: dict[str, Any] = {"picks": ("measure",), "hint": "click a point to take its value"}
    alt = f"The properties over {knob.word}, each with a band: {sentence}"
    curves = Drawing(sweep_curves(sweep, knob.word, place), f"Along {knob.word}", alt, **clicked)
    drawn = trade(sweep, place, x, y)
    return Panel(
        sentence=sentence,
        notes=_sweep_notes(context, values, sweep),
        drawings=(
            {
                "curves": curves,
                "trade": Drawing(drawn, "The trade: up and to the right is better", sentence, **clicked),
            },
        ),
        tables={
            _TABLE: _table(values, listed_by, about, what, knob.word),
            "Differences": Table(
                listed_by.against(knob.present),
                f"One row per value: how far its properties are above those at {option_words(knob.present)}, each with "
                "the ends of the 95% interval over the draws.",
                heads=_heads(sweep) | {"value": knob.word},
            ),
        },
    )


_LIST_NOTE = (
    "One number of the list moves; numbers that sum to 1 keep their proportions to one another, others stay, each "
    "between its neighbours where they must not fall."
)


def _sweep_notes(context: Context, values: Values, sweep: Sweep) -> tuple[str, ...]:
    users = " and of the agreement with users" if USERS in sweep.properties else ""
    return (
        "Bands: of the share of significant pairs, 95% of other shuffles of the test; of τ of two halves"
        f"{users}, the 95% interval over resampled topics; of {sweep.word('agreement')}, the middle 90% of its "
        "repeats; of τ with the other measures, from the lowest to the highest.",
        "All values have the same draws, and the 95% interval of a gain is over these draws (shuffles of the test on "
        "these topics, resampled topics, reduced pools). It is of one value: the best of many is partly luck.",
        *_pool_note(_pools(context, values, sweep.measures)),
    )


def _sweep_sentence(sweep: Sweep, word: str, place: int, x: str, y: str) -> str:
    """The two properties along the range and at the present value, and which values are better on both."""
    rows = {name: getattr(sweep, name) for name in (x, y)}
    if not all(np.isfinite(row).any() for row in rows.values()):
        return f"Along {word}, one of the two properties is undefined for every value: each ties all systems."
    ends = {name: [_property_text(name, end) for end in (np.nanmin(row), np.nanmax(row))] for name, row in rows.items()}
    spans = [f"the {sweep.word(name)} lies between {low} and {high}" for name, (low, high) in ends.items()]
    now = " and ".join(_property_text(name, row[place]) for name, row in rows.items())
    start = f"Along {word} from {sweep.values[0]:g} to {sweep.values[-1]:g}, {' and '.join(spans)}; "
    start += f"at {word} = {sweep.values[place]:g} {verb(len(spans), 'it is', 'they are')} {now}."
    if len(sweep.values) < 2 or not np.isfinite([row[place] for row in rows.values()]).all():
        return start
    return f"{start} {_better(sweep, word, place, x, y)}"


def _better(sweep: Sweep, word: str, place: int, x: str, y: str) -> str:
    """The values that exceed the present one on both sides, and whether the best does so by more than noise."""
    gains = {name: getattr(sweep, name) - getattr(sweep, name)[place] for name in (x, y)}
    least = {name: gain - sweep.margins[name][:, place] for name, gain in gains.items()}
    better = [i for i in range(len(sweep.values)) if all(gain[i] > 0 for gain in gains.values())]
    both, others = "both" if len(gains) > 1 else "it", len(sweep.values) - 1
    if not better:
        return f"Of {number_of(others, 'other value')} tried, none exceeds {both}."
    best = max(better, key=lambda i: (sum(low[i] > 0 for low in least.values()), gains[y][i], gains[x][i]))
    by = " and ".join(_gain(name, gains[name][best], sweep.margins[name][best, place]) for name in gains)
    start = (
        f"Of {number_of(others, 'other value')} tried, {len(better)} {verb(len(better), 'exceeds', 'exceed')} {both}"
    )
    start += f", {word} = {sweep.values[best]:g} by {by}"
    within = [sweep.word(name) for name, low in least.items() if low[best] <= 0]
    if within:
        return f"{start}; the gain in {' and in '.join(within)} is within the noise of the draws."
    beyond_noise = np.isfinite([low[best] for low in least.values()]).all()
    return f"{start}{', more than the noise of the draws' if beyond_noise else ''}."


def _gain(name: str, gain: float, margin: float) -> str:
    """A difference of a property, with its 95% interval where there is one.

    >>> _gain("significant", 0.012, 0.004), _gain("tau", 0.05, float("nan"))
    ('1.20 percentage points (0.80 to 1.60)', '0.050')
    """
    scale, digits, unit = (100, 2, " percentage points") if name == "significant" else (1, 3, "")
    ends = [spell(scale * end, digits) for end in (gain - margin, gain + margin)]
    interval = f" ({' to '.join(ends)})" if np.isfinite(margin) else ""
    return f"{spell(scale * gain, digits)}{unit}{interval}"


def _property_text(name: str, value: float) -> str:
    """A property as a sentence says it: a share in percent, a coefficient with two places."""
    return f"{value:.1%}" if name == "significant" else spell(float(value), 2)


# -- the same without the page ---------------------------------------------------------------------


def _table_request(context: Context, values: Values) -> tuple[str, list[Any]]:
    """Expression and values of the sweep that gives the table of the page."""
    if knob := swept_knob(context, values):
        return knob.template, list(knob.values)
    return SLOT, list(dict.fromkeys(name for name in (values["measure"], values["before"]) if name))


def _python(context: Context, values: Values) -> list[str]:
    expression, steps = _table_request(context, values)
    chosen = f"trials={values['trials']}, alpha={values['alpha']!r}, repeats={values['repeats']}"
    average = f"summary={context.summary!r}{eps_argument(context)}, seed={values['seed']}"
    call = f"irviz.sweep(c, {expression!r}, {steps!r}, others={list(context.measures)!r}, {chosen}, {average})"
    return [f"table = {call}.frame()"]


def _command(context: Context, values: Values) -> list[str]:
    expression, steps = _table_request(context, values)
    words = ["sweep", expression, "--values", ",".join(map(str, steps)), "--others", ",".join(context.measures)]
    words += ["--trials", str(values["trials"]), "--alpha", repr(values["alpha"])]
    words += ["--repeats", str(values["repeats"]), "--seed", str(values["seed"])]
    return [*words, *average_words(context)]


PAGE = Page(
    name="what_if",
    title="What if",
    question="What does one move of a measure change?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "baseline"}),
    snippet=Snippet(table=_TABLE, python=_python, command=_command, uses_scores=False),
)
