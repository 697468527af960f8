"""What if: one move of a measure, and its four consequences side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import compress
from typing import Any

import numpy as np

from irviz.errors import IrvizError
from irviz.explore.aspects import aspects_fold
from irviz.explore.incomplete import KEPT
from irviz.explore.what_if_figures import (
    asl_states,
    distribution,
    option_words,
    pool_states,
    sweep_curves,
    tau_rows,
    trade,
)
from irviz.figures.axes import spaced_places
from irviz.figures.significance import P_VALUES
from irviz.figures.theme import VERMILION, Floats, labels
from irviz.figures.unchecked import traces_of
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
from irviz.workspace.analyses import SWEEP, Snippet
from irviz.workspace.baseline import Moves, change_words, moves, moves_panel
from irviz.workspace.context import Context
from irviz.workspace.control import (
    SYMBOLS,
    Choice,
    Number,
    SweptParameters,
    widget_range,
)
from irviz.workspace.facts import Fact, extremes
from irviz.workspace.measure_facts import as_reader, browsing_of, parts_of
from irviz.workspace.page import Before, Page, RowByRow, Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.permissible import scale_note
from irviz.workspace.phrases import highest, spell
from irviz.workspace.view import View

_CUTOFFS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000)
_TABLE = "Properties"
_MOST_RANKS = 3  #: selected systems whose ranks are written into figures
_SUBSCRIPTS = str.maketrans("-0123456789", "₋₀₁₂₃₄₅₆₇₈₉")
_GRADE = "rel"  #: the parameter that is a grade of the judgments: the smallest that counts as relevant


def _measure_options(context: Context) -> dict[str, Any]:
    """The measures of the sidebar; by default the first with a reader, else the first with a parameter."""
    options = tuple((name, context.label(name)) for name in context.measures)
    readers = () if context.dataset.collection is None else map(as_reader, map(measure, context.measures))
    turned = [name for name, one in zip(context.measures, readers, strict=False) if browsing_of(one) is not None]
    turned += [name for name in context.measures if "=" in name]
    return {"options": options, "default": next(iter(turned), context.measures[0]) if options else ""}


def _along_numbers(values: Values) -> bool:
    """True if the sweep is along a number, of which only some values are tried."""
    knobs = _knobs(values["measure"], grades=(1.0, 2.0)) if values["sweep"] else ()
    return any(knob.numeric and not knob.path.endswith(_GRADE) for knob in knobs if knob.path == values["sweep"])


CONTROLS = (
    Choice(
        name="measure",
        measure=True,
        label="Measure",
        help="One of the measures of the sidebar, where its parameters are.",
        from_context=_measure_options,
    ),
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
    *SWEEP.controls,
)


@dataclass(frozen=True, eq=False)
class State:
    """A measure under some choices, and its numbers, each computed on demand."""

    context: Context
    values: Values
    measure: str
    changed: str = ""  #: what has changed since
    words: str = ""  #: what that was

    @cached_property
    def averages(self) -> Floats:
        """By system."""
        context = self.context
        return aggregate(context.scores([self.measure]).values, context.summary, context.eps)[0]

    @cached_property
    def test(self) -> Significance | None:
        """None below two systems, or two topics with a score of all."""
        common = self.context.scores([self.measure]).common_topics
        known = min(len(self.context.systems), len(common)) > 1
        return _power(self.context, self.values, (self.measure,)).results[0] if known else None

    @cached_property
    def pools(self) -> PoolReduction | None:
        """None below two systems, and of imported scores."""
        known = self.context.dataset.collection is not None and len(self.context.systems) > 1
        return _pools(self.context, self.values, (self.measure,)) if known else None

    @property
    def agreement(self) -> float:
        """τ with a tenth of the pool."""
        assert self.pools is not None
        return float(self.pools.tau[0, self.pools.rates.index(RATE)])


@dataclass(frozen=True, eq=False)
class Bench:
    """The state at hand, and the one before if there is one."""

    now: State
    before: State | None
    rank_moves: Moves | None  #: the two rankings; None without a state before, or with one system in common
    names: tuple[str, ...]  #: the measures of the set
    orders: Floats  #: what systems are ranked by, by these; last by a state before that is not among them

    @property
    def states(self) -> tuple[State, ...]:
        """The state at hand, and the one before if there is one."""
        return (self.now,) if self.before is None else (self.now, self.before)

    @cached_property
    def taus(self) -> Floats:
        """Kendall's τ between the rows of `orders`; 0 × 0 below two systems."""
        return kendall_tau(self.orders) if self.orders.shape[1] > 1 else np.zeros((0, 0))

    def mean_tau(self, state: State) -> float:
        """Mean τ of a state with the measures of the set that are in neither; NaN where it has no row."""
        has_row = len(self.taus) > len(self.names)
        if state is self.before and not has_row and (state.context is not self.now.context):
            return np.nan
        row = len(self.names) if state is self.before and has_row else self.names.index(state.measure)
        others = [i for i, name in enumerate(self.names) if name not in [state.measure for state in self.states]]
        known = self.taus[row, others]
        known = known[np.isfinite(known)]
        return float(known.mean()) if known.size else np.nan


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """A sweep, if there is one; scores and τ of one measure, now and before; then p-values and reduced pools."""
    now, knob, swept_over = values["measure"], swept_knob(context, values), Panel("")
    if knob:
        swept_over = sweep_panel(context, values, knob)
        yield swept_over
    before, problem = _before(context, values)
    bench, marked = _bench(State(context, values, now), before), context.highlighted_positions()
    first_row, headline = _first_row(bench, marked), _headline(bench)
    yield Panel(headline, (*swept_over.drawings, first_row))
    drawings, tables = (*swept_over.drawings, *filter(None, (first_row, _second_row(bench, marked)))), {}
    yield Panel(headline, drawings)  # the tables take longer
    if knob:
        list_note = (_LIST_NOTE,) if knob.moving_numbers else ()
        notes = (*list_note, *swept_over.notes, *scale_note(context, now))
        yield replace(swept_over, drawings=drawings, notes=notes)
        return
    if bench.now.test is not None and bench.now.pools is not None:
        names = tuple(state.measure for state in bench.states if state.context is context)
        about = "One row per state, the present one first: its properties, each with the ends of its band."
        properties = _properties(context, values, names, names)
        tables[_TABLE] = _table(properties, about)
    ranks = {} if bench.rank_moves is None else {"Ranks before and now": partial(moves_panel, bench.rank_moves)}
    yield Panel(
        sentence=headline,
        drawings=drawings,
        tables=tables,
        notes=tuple(filter(None, (problem, *_notes(bench), *scale_note(context, now)))),
        folds={**ranks, **aspects_fold(context, now)},
    )


def _table(sweep: Sweep, about: str, word: str = "") -> Table:
    """The table of properties, along the parameter `word` where one is swept."""
    frame = sweep.frame()
    kept = [name for name in ("significant", "consistency", "agreement", "tau", USERS) if name in frame]
    heads = _heads(sweep) | ({"value": word} if word else {})
    return Table(frame, about, heads=heads, paper=("value" if word else "measure", *kept))


def _heads(sweep: Sweep) -> dict[str, str]:
    """Headings of columns of properties."""
    return {"tau": "τ, other measures", "consistency": "τ, two halves", "agreement": f"τ, {sweep.kept:.0%} of pool"}


def _before(context: Context, values: Values) -> tuple[State | None, str]:
    """The state before, if any, and what is wrong with it."""
    before = values["before"]
    if isinstance(before, Before) and before.refusal:
        return None, f"No comparison with the state before: {before.refusal}."
    if isinstance(before, Before):
        only = before.measure != values["measure"] and before.context.mark == context.mark
        words = context.label(before.measure) if only else before.was
        texts = {**before.values, "measure": before.measure}
        return State(before.context, texts, before.measure, before.changed, words), ""
    if before in ("", values["measure"]):
        return None, ""
    try:
        context.scores([before])
    except IrvizError as error:
        return None, f"No comparison with `{before}`: {error}"
    changed = change_words([("", before, values["measure"])], context)
    return State(context, values, before, changed, context.label(before)), ""


# -- computed measure by measure, so that a move computes one ---------------------------------------


def _bench(now: State, before: State | None) -> Bench:
    """The two states, and the rankings by all measures, and by the state before if it has the systems."""
    context = now.context
    scores = context.scores(tuple(dict.fromkeys((*context.measures, now.measure))))
    orders = context.remember(overall, scores, context.summary, context.eps)
    if before is None:
        return Bench(now, None, None, context.measures, orders)
    then, shared = before.context, set(before.context.systems) & set(context.systems)
    known = then is context and before.measure in scores.measures
    if not known and set(context.systems) <= shared:
        one = then.scores([before.measure]).select(systems=context.systems)
        orders = np.concatenate([orders, then.remember(overall, one, then.summary, then.eps)])
    rank_moves = moves(then, context, (before.measure, now.measure)) if len(shared) > 1 else None
    return Bench(now, before, rank_moves, context.measures, orders)


def _power(context: Context, values: Values, names: tuple[str, ...]) -> DiscriminativePower:
    settings = {"trials": values["trials"], "seed": values["seed"], "workers": -1, "groups": context.units}
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


def _properties(context: Context, values: Values, names: tuple[str, ...], steps: tuple[float | str, ...]) -> Sweep:
    """The numbers of :func:`irviz.sweep`; only new ones are computed."""
    others = others_of(names, context.measures)
    scores, average = context.scores(names), ("random", context.summary, context.eps)
    return sweep_from_analyses(
        steps,
        _power(context, values, names),
        context.remember_by_measure(halves_correlated, scores, SPLITS, *average, seed=values["seed"], workers=-1),
        context.remember_by_measure(topics_resampled, scores, *average, seed=values["seed"], workers=-1),
        _pools(context, values, names),
        context.remember(overall, context.scores([*names, *others]), context.summary, context.eps),
        others,
        RATE,
        context.remember(agreement_with_users, context.collection, scores, values["seed"], context.units),
    )


# -- figures ---------------------------------------------------------------------------------------


def _both(bench: Bench) -> dict[str, str]:
    """Texts of a page that shows two measures."""
    wanted = [state.measure for state in bench.states[1:]]
    others = (name for name in (*wanted, *bench.names) if name in bench.names and name != bench.now.measure)
    return {"first": bench.now.measure, "second": next(others, bench.now.measure)}


def _first_row(bench: Bench, marked_places: list[int]) -> dict[str, Drawing]:
    now, before, context = bench.now, bench.before, bench.now.context
    axis, words = f"{context.average} {context.label(now.measure)} of a system", before.words if before else ""
    fig = distribution(context.systems, now.averages, bench.rank_moves, marked_places, axis, words)
    way, facts = _own_page(context, "scores", measure=now.measure), (_score_fact(bench),)
    first = {"distribution": Drawing(fig, f"Scores by `{context.label(now.measure)}`", opens=way, facts=facts)}
    if bench.taus.size and len(bench.names) > 1:
        extra = before.words if before is not None and len(bench.taus) > len(bench.names) else None
        row = bench.names.index(now.measure)
        ranks = shared_ranks(bench.orders)[:, marked_places[:_MOST_RANKS]]
        short = labels(context.systems, 14) if marked_places else []
        heat = tau_rows(bench.names, bench.taus, row, extra, ranks, [short[i] for i in marked_places[:_MOST_RANKS]])
        mean = Fact(
            "mean with the others",
            bench.mean_tau(now),
            unit="τ",
            digits=2,
            before=np.nan if before is None else bench.mean_tau(before),
            why="no other measure, or one ties all systems",
        )
        title, way = "τ with the other measures", _own_page(context, "similarity", **_both(bench))
        first["heatmap"] = Drawing(heat, title, picks=("measure",), opens=way, facts=(mean,))
    return _with_pale_rest(first) if marked_places else first


def _second_row(bench: Bench, marked_places: list[int]) -> dict[str, Drawing]:
    now, before, context = bench.now, bench.before, bench.now.context
    words, label, second = "" if before is None else before.words, context.label(now.measure), {}
    if now.test is not None:
        previous = None if before is None else before.test
        fig, fact = asl_states(now.test, previous, marked_places, words), _test_fact(now.test, previous)
        way = _own_page(context, "discriminative", **_both(bench))
        second["asl"] = Drawing(fig, f"{P_VALUES} by `{label}`", opens=way, facts=(fact,))
    if now.pools is not None:
        pools = None if before is None else before.pools
        fig = pool_states(now.pools, pools, context.systems, marked_places[:_MOST_RANKS], RATE, words)
        way, facts = _own_page(context, "incomplete"), _pool_facts(bench, marked_places)
        second["pools"] = Drawing(fig, f"τ by `{label}` under reduced pools and the full one", opens=way, facts=facts)
    return _with_pale_rest(second) if marked_places else second


def _with_pale_rest(row: dict[str, Drawing]) -> dict[str, Drawing]:
    """The figures with lines and dots pale that have not the colour of selected systems."""
    for trace in (trace for drawing in row.values() for trace in traces_of(drawing.figure)):
        colours = [trace.get(part, {}).get("color") for part in ("line", "marker")]
        if trace["type"] == "scatter" and VERMILION not in colours and "text" not in trace.get("mode", ""):
            trace["opacity"] = 0.4
    return row


def _own_page(context: Context, name: str, **texts: str) -> tuple[str, View]:
    """The page of a figure, with the same choices."""
    return "Open on its own page", View.from_texts(name, **context.texts | texts)


# -- in words --------------------------------------------------------------------------------------


def _headline(bench: Bench) -> str:
    """How alike the rankings of both states are, or the highest score of the only one."""
    now, before = bench.now, bench.before
    if before is not None:
        tau = np.nan if bench.rank_moves is None else bench.rank_moves.tau
        return f"τ {spell(tau, 2)} with the ranking before: {before.changed}."
    highest_score = spell(float(now.averages.max()), 3)
    return f"The highest {now.context.average} score by `{now.context.label(now.measure)}` is {highest_score}."


def _score_fact(bench: Bench) -> Fact:
    """How many systems change place; without a state before, who is first."""
    now, *before = (dict(zip(state.context.systems, state.averages.tolist(), strict=True)) for state in bench.states)
    leaders = tuple(highest(now))
    if bench.rank_moves is None:
        return Fact("first", now[leaders[0]], leaders)
    why = f"First: {', '.join(leaders)}; before: {', '.join(highest(before[0]))}."
    old, new = bench.rank_moves.ranks
    return Fact("change place", int((old != new).sum()), of=len(bench.rank_moves.systems), why=why)


def _test_fact(now: Significance, previous: Significance | None) -> Fact:
    """Significant pairs of means, and how many gain or lose it."""
    label = "significant pairs of means"
    if previous is None:
        return Fact(label, now.significant, of=now.pairs)
    if now.systems != previous.systems:
        return Fact(label, now.significant, of=now.pairs, before=previous.significant)
    gained, lost = (int((a.separated & ~b.separated).sum()) // 2 for a, b in ((now, previous), (previous, now)))
    why = f"Pairs that gain significance: {gained:,}; that lose it: {lost:,}."
    return Fact(label, now.significant, of=now.pairs, before=previous.significant, why=why)


def _pool_facts(bench: Bench, marked_places: list[int]) -> tuple[Fact, ...]:
    """τ with a tenth of the pool, and in how many reduced pools two selected systems stand the other way round."""
    pools = bench.now.pools
    assert pools is not None
    before = np.nan if bench.before is None or bench.before.pools is None else bench.before.agreement
    tenth = pools.kept[pools.rates.index(RATE)]  # more than a tenth, if topics have few judgments
    label, why = f"with {tenth:.0%} of the pool", "all systems tie"
    fact = Fact(label, bench.now.agreement, unit="τ", digits=2, before=before, why=why)
    if len(marked_places) != 2:
        return (fact,)
    ranks = pools.ranks[0][:, marked_places]
    first, second = shared_ranks(bench.orders)[bench.names.index(bench.now.measure), marked_places]
    turned = (first - second) * (ranks[:, 0] - ranks[:, 1]) < 0
    count = np.nan if first == second else int(turned.sum())
    why = "they tie under the full pool"
    return (fact, Fact("pools that turn the selected systems round", count, of=len(turned), why=why))


def _notes(bench: Bench) -> list[str]:
    """Which figures are missing and why, and what the draws are."""
    test = bench.now.test
    notes = {
        "p-values need two systems and two topics.": test is None,
        "Reduced pools need two systems, with rankings and judgments.": bench.now.pools is None,
        "Both states have the same draws. p-values are corrected for all pairs of a state.": bench.before is not None
        and test is not None,
        KEPT["stratified"]: bench.now.pools is not None,
    }
    return [note for note, there in notes.items() if there]


# -- the sweep along one parameter ------------------------------------------------------------------


@dataclass(frozen=True)
class Knob:
    """A parameter of a measure that a sweep can turn: a number in a range, or a choice."""

    path: str  #: names of the parameters that lead to it, joined by points, such as ``C.p``
    template: str  #: the expression with ``{}`` in the place of the value
    present: float | str  #: its value, as a number or as it is written
    values: tuple[float | str, ...]  #: what it can be, the present one among them; numbers rise
    word: str  #: its name
    #: of a list, the number that moves under each of its values; the path ends in its place, from 1
    moving_numbers: tuple[float, ...] = ()
    left_out: tuple[str, ...] = ()  #: options that are left out, as all lists would score the same

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


def _knobs(expression: str, *data: Any, **more: Any) -> tuple[Knob, ...]:
    """The parameters of a measure, and of the parts it is made of under another name."""
    try:
        reader = str(as_reader(measure(expression)))
    except IrvizError:  # a name of imported scores
        return ()
    names = dict.fromkeys((expression, reader))
    return tuple(knob for name in names for knob in parameters_of(name, *data, **more))


def _turnable(
    one: Measure, depth: int, points: int, grades: Sequence[float]
) -> Iterator[tuple[str, Sequence[Any], str, int | None]]:
    """Paths of parameters that can be changed, values to try, names, and which number moves where it is a list."""
    for path, declared in one.paths().items():
        value, name = one.value_at(path), path.rpartition(".")[2]
        kind, word = None if declared is None else declared.kind, SYMBOLS.get(name, name)
        if kind is None and value is not None:
            known = [k for k in _CUTOFFS if k <= depth]
            yield path, [known[i] for i in spaced_places(len(known), points)], "the cutoff", None
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


def _knob(one: Measure, path: str, steps: Sequence[Any], word: str, i: int | None) -> Knob | None:
    """The knob, None if it has one value alone; values may be lists whose number at place `i` rises."""
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
    return _knobs(values["measure"], context.depth, values["points"], context.collection.grades[0])


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
    left_out = (f"Left out, because all lists would score the same: `{name}`." for name in knob.left_out)
    about = "One row per value: its properties, each with the ends of its band."
    curves = Drawing(
        sweep_curves(sweep, knob.word, place), f"Along {knob.word}; click a point to take its value", picks=("measure",)
    )
    drawn = trade(sweep, place, x, y)
    return Panel(
        sentence=f"{len(steps)} values of {knob.word}: at most {sweep.significant.max():.1%} of the pairs significant.",
        facts=_sweep_facts(sweep, place, x, y),
        notes=(
            f"Bands: {', '.join(_BANDS[name] for name in sweep.properties if name in _BANDS)}.",
            "All values have the same draws; gains have 95% intervals over these. The best of many is partly luck.",
            KEPT["stratified"],
            *left_out,
        ),
        drawings=(
            {
                "curves": curves,
                "trade": Drawing(drawn, "Significant pairs against agreement with the full pool", picks=("measure",)),
            },
        ),
        tables={
            _TABLE: _table(listed_by, about, knob.word),
            "Differences": Table(
                listed_by.against(knob.present),
                f"One row per value: differences from {option_words(knob.present)}, with 95% intervals over the draws.",
                heads=_heads(sweep) | {"value": knob.word},
            ),
        },
    )


_LIST_NOTE = "One number of the list moves; the others stay, or keep their proportions where all sum to 1."
_BANDS = {
    "significant": "significant pairs, 95% of shuffles",
    "consistency": "τ of two halves, 95% of resampled topics",
    "agreement": "τ of the reduced pool, middle 90% of its repeats",
    "tau": "τ with other measures, lowest to highest",
    USERS: "agreement with users, 95% of resampled topics",
}  #: by property


def _sweep_facts(sweep: Sweep, place: int, x: str, y: str) -> tuple[Fact, ...]:
    """Both properties where they are highest and lowest, and the values that exceed the present one in both."""
    options = list(map(option_words, sweep.values))
    share, tau = (dict(zip(options, getattr(sweep, name).tolist(), strict=True)) for name in (x, y))
    gains = {name: getattr(sweep, name) - getattr(sweep, name)[place] for name in (x, y)}
    better = np.logical_and.reduce([gain > 0 for gain in gains.values()])
    sure = better & np.logical_and.reduce([gain > sweep.margins[name][:, place] for name, gain in gains.items()])
    why = "By more than the draws vary, in both."
    return (
        *extremes(share, ("most significant pairs", "fewest"), "%"),
        *extremes(tau, (f"{sweep.word(y)}, highest", "lowest"), digits=2, why="all systems tie"),
        Fact("higher than now in both", int(better.sum()), tuple(compress(options, better)), of=len(options) - 1),
        Fact("of these beyond the noise", int(sure.sum()), tuple(compress(options, sure)), why=why),
    )


# -- the same without the page ---------------------------------------------------------------------


def _table_request(context: Context, values: Values) -> dict[str, Any]:
    """Expression and values of the sweep that gives the table of the page."""
    request: dict[str, Any] = {"others": list(context.measures)}
    if knob := swept_knob(context, values):
        return request | {"expression": knob.template, "values": list(knob.values)}
    before, _ = _before(context, values)
    names = [values["measure"], *([] if before is None or before.context is not context else [before.measure])]
    return request | {"expression": SLOT, "values": names}


PAGE = Page(
    name="what_if",
    title="What if",
    question="What does one move of a measure change?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "highlights", "baseline", "turns", "groups", "holes"}),
    snippet=Snippet(SWEEP, _TABLE, _table_request),
)
