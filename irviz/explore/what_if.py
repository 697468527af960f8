"""What if: one move of a measure, and its four consequences side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError, counted, verb
from irviz.explore.what_if_figures import asl_states, distribution, pool_states, sweep_curves, tau_rows, trade
from irviz.measures import measure
from irviz.measures.language.base import Expression, Measure
from irviz.measures.language.parameters import Nested, Real, declarations, written
from irviz.stats.aggregate import aggregate
from irviz.stats.consistency import halves_correlated, topics_resampled
from irviz.stats.correlation import kendall_tau
from irviz.stats.incompleteness import RATES, PoolReduction, kept_judgments, pool_reduction
from irviz.stats.significance import DiscriminativePower, Significance, discriminative_power
from irviz.stats.similarity import overall
from irviz.stats.sweep import RATE, SLOT, SPLITS, Sweep, gathered, others_of, swept
from irviz.workspace.baseline import Moves, moves
from irviz.workspace.context import Context
from irviz.workspace.control import WRITTEN, Before, Choice, Flag, OneMeasure, offered
from irviz.workspace.controls import ALPHA, SEED, repeats, trials
from irviz.workspace.page import Page, Snippet, Values, average_words, eps_argument
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.permissible import scale_note
from irviz.workspace.phrases import highest, quoted, spelled
from irviz.workspace.view import View

Floats = NDArray[np.float64]
_STEPS = 19  #: values of a sweep
_CUTOFFS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000)
NOBODY = ""


def _at_hand(context: Context) -> dict[str, Any]:
    """The measures of the sidebar; by default the first with a number to move."""
    options = tuple((name, name) for name in context.measures)
    numbers = (name for name in context.measures if "=" in name and parameters_of(name))
    return {"options": options, "default": next(numbers, context.measures[0]) if options else ""}


def _known(context: Context) -> dict[str, Any]:
    return {"known": context.opened.imported.measures} if context.opened.imported is not None else {}


def _system(name: str, label: str) -> Choice:
    def options(context: Context) -> dict[str, Any]:
        return {"options": ((NOBODY, "none"), *((one, one) for one in context.systems))}

    return Choice(
        name=name,
        label=label,
        help="Marked in the figures of scores and of p-values. A click on one of these figures sets it, too.",
        from_context=options,
        aside=True,
    )


CONTROLS = (
    OneMeasure(
        name="measure",
        label="Measure",
        help="One of the measures of the sidebar, where its parameters are.",
        from_context=_at_hand,
    ),
    Before(
        name="before",
        label="Compared with",
        help="The state before, in grey: a measure, such as RBP(p=0.5). It is set to the last one shown, unless kept.",
        from_context=_known,
        empty="nothing yet: move a parameter",
    ),
    Flag(name="keep", label="Keep", help="Keep comparing with this measure, whatever is moved."),
    _system("a", "Mark a system"),
    _system("b", "and another"),
    trials(2000, 20_000, "Shuffles of the randomised Tukey HSD. The smallest p-value is 1/(trials + 1)."),
    repeats(5, 5, "The band shows the middle 90% of the repeats.", aside=True),
    ALPHA,
    SEED,
)


@dataclass(frozen=True, eq=False)
class Bench:
    """What is computed for the measure at hand, and for the state before if there is one.

    Attributes
    ----------
    now, before : expressions; "" if there is no state before
    averages : expression → by system
    moved : the two rankings; None without a state before, or with one system
    names, taus : the measures of the set, and τ between them; a further row for a state before that is not among them
    power : None below two systems or two topics
    pools : None below two systems, and of imported scores
    """

    now: str
    before: str
    averages: Mapping[str, Floats]
    moved: Moves | None
    names: tuple[str, ...]
    taus: Floats
    power: DiscriminativePower | None
    pools: PoolReduction | None

    def tested(self, name: str) -> Significance | None:
        """The test under one of the two measures."""
        if self.power is None or name not in self.power.measures:
            return None
        return self.power.results[self.power.measures.index(name)]

    def agreement(self, name: str) -> float:
        """τ with a tenth of the pool under one of the two measures."""
        assert self.pools is not None
        return float(self.pools.tau[self.pools.measures.index(name), self.pools.rates.index(RATE)])

    def mean_tau(self, name: str) -> float:
        """Mean τ of one of the two with the other measures of the set: those that are neither of them."""
        every = [*self.names, *([self.before] if len(self.taus) > len(self.names) else [])]
        others = [i for i, one in enumerate(self.names) if one not in (self.now, self.before)]
        row = self.taus[every.index(name), others]
        known = row[np.isfinite(row)]
        return float(known.mean()) if known.size else np.nan

    @property
    def others(self) -> int:
        """How many measures of the set are neither of the two."""
        return len(set(self.names) - {self.now, self.before})


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """Scores, τ, p-values and reduced pools of one measure, now and before."""
    now, problem = values["measure"], ""
    before = "" if values["before"] == now else values["before"]
    if before:
        try:
            context.scores([before])
        except IrvizError as error:
            before, problem = "", f"No comparison with `{before}`: {error}"
    found = _computed(context, values, now, before)
    marked = [context.systems.index(one) for one in dict.fromkeys((values["a"], values["b"])) if one]
    lacking = tuple(words for words in (problem, *_lacking(context, found)) if words)
    tables = {}
    if found.power is not None and found.pools is not None:
        names = tuple(name for name in (now, before) if name)
        table = _properties(context, values, names, names, found.pools).frame()
        about = "One row per state, the present one first: four properties, each with the ends of its band."
        tables["States"] = Table(table, about)
    return Panel(
        sentence=_sentence(context, values, found),
        drawings=_drawings(context, found, marked),
        tables=tables,
        notes=(*lacking, *_notes(context, found), *scale_note(context, now)),
        ways=_ways(context, found),
        folds=_sweeps(context, values, now) if found.power is not None and found.pools is not None else {},
    )


# -- computed measure by measure, so that a move computes one ---------------------------------------


def _computed(context: Context, values: Values, now: str, before: str) -> Bench:
    names = tuple(name for name in (now, before) if name)
    every = tuple(dict.fromkeys((*context.measures, *names)))
    scores = context.scores(every)
    several = len(context.systems) > 1
    taus = kendall_tau(context.remember(overall, scores, context.summary, context.eps)) if several else np.zeros((0, 0))
    means = {name: aggregate(scores.select([name]).values, context.summary, context.eps)[0] for name in names}
    return Bench(
        now,
        before,
        means,
        moves(context, context, (before, now)) if before and several else None,
        context.measures,
        taus,
        _power(context, values, names) if several and len(context.topics) > 1 else None,
        _pools(context, values, names) if several and context.opened.collection is not None else None,
    )


def _power(context: Context, values: Values, names: tuple[str, ...]) -> DiscriminativePower:
    drawn = {"trials": values["trials"], "seed": values["seed"], "workers": -1}
    scores = context.scores(names)
    return context.remember_by_measure(discriminative_power, scores, "randomised_tukey", **drawn).at(values["alpha"])


def _pools(context: Context, values: Values, names: tuple[str, ...], rates: tuple[float, ...] = RATES) -> PoolReduction:
    asked = (rates, "stratified", values["repeats"], values["seed"], context.summary)
    memory = {"draw": partial(context.remember, kept_judgments), "full": lambda _, some: context.scores(some)}
    alone = replace(context, measures=names, few=0)
    return alone.remember_by_measure(pool_reduction, context.collection, *asked, eps=context.eps, workers=1, **memory)


def _properties(
    context: Context,
    values: Values,
    names: tuple[str, ...],
    given: tuple[float | str, ...],
    pools: PoolReduction | None = None,
) -> Sweep:
    """The numbers of :func:`irviz.sweep`, of which only those are computed that nobody has asked for."""
    others = others_of(names, context.measures)
    scores, average = context.scores(names), ("random", context.summary, context.eps)
    pools = pools or _pools(context, values, names)
    return gathered(
        given,
        _power(context, values, names),
        context.remember_by_measure(halves_correlated, scores, SPLITS, *average, seed=values["seed"], workers=-1),
        context.remember_by_measure(topics_resampled, scores, *average, seed=values["seed"], workers=-1),
        pools,
        context.remember(overall, context.scores([*names, *others]), context.summary, context.eps),
        others,
        RATE,
    )


# -- figures ---------------------------------------------------------------------------------------


def _drawings(context: Context, found: Bench, marked: list[int]) -> tuple[dict[str, Drawing], ...]:
    now, before = found.now, found.before
    own, shown = found.averages[now], list(dict.fromkeys([*marked, *context.highlighted()]))
    behind = f", `{before}` in grey" if before else ""
    axis = f"{context.average} {now} of a system"
    first = {
        "distribution": Drawing(
            distribution(context.systems, own, found.averages.get(before), shown, axis),
            f"Scores of the systems; first: {quoted(highest(dict(zip(context.systems, own, strict=True))), most=2)}",
            f"Density of the {context.average} scores of {counted(len(own), 'system')} under {now}{behind}.",
            picks=("a", "b"),
        )
    }
    if found.taus.size and len(found.names) > 1:
        extra = before if len(found.taus) > len(found.names) else None
        row = found.names.index(now)
        alt = f"Kendall's τ between {len(found.names)} measures; the row of {now} is framed."
        heat = tau_rows(found.names, found.taus, row, extra)
        first["heatmap"] = Drawing(heat, "τ with the other measures", alt, picks=("measure",))
    second = {}
    tested = found.tested(now)
    if tested is not None:
        alt = f"Falling curve of the p-values of all pairs of systems under {now}{behind}."
        drawn = asl_states(tested, found.tested(before), marked)
        second["asl"] = Drawing(drawn, "Achieved significance levels", alt, picks=("a", "b"))
    if found.pools is not None:
        place = found.pools.measures.index
        drawn = pool_states(found.pools, place(now), place(before) if before else None)
        alt = f"τ between the rankings under reduced pools and under the full one, by {now}{behind}."
        second["pools"] = Drawing(drawn, "Agreement under reduced pools", alt)
    return (first, second) if second else (first,)


def _ways(context: Context, found: Bench) -> tuple[tuple[str, View], ...]:
    """Each figure's own page, with the same choices."""
    texts, pair = context.texts, {"first": found.now}
    if found.before in context.measures:
        pair["second"] = found.before
    ways = [("Open Scores", View.of("scores", **texts, measure=found.now))]
    if len(found.names) > 1 and len(context.systems) > 1:
        ways.append(("Open Similarity", View.of("similarity", **texts, **pair)))
    if found.power is not None:
        ways.append(("Open Discriminative power", View.of("discriminative", **texts, **pair)))
    if found.pools is not None:
        ways.append(("Open Incomplete judgments", View.of("incomplete", **texts)))
    return tuple(ways)


# -- in words --------------------------------------------------------------------------------------


def move_words(before: str, now: str) -> str:
    """What was moved: one parameter, or the whole measure.

    >>> move_words("RBP(p=0.8)", "RBP(p=0.95)"), move_words("nDCG@10", "nDCG@20"), move_words("AP", "P@10")
    ('p 0.8 → 0.95', 'cutoff 10 → 20', '`AP` → `P@10`')
    """
    try:
        found = _moved(measure(before), measure(now))
    except IrvizError:  # names of imported scores
        found = None
    return found or f"`{before}` → `{now}`"


def _moved(before: Expression, now: Expression) -> str | None:
    """The one parameter in which two expressions of a kind differ."""
    if type(before) is not type(now):
        return None
    names = [one.name for one in fields(now) if getattr(before, one.name) != getattr(now, one.name)]
    if len(names) != 1:
        return None
    old, new = getattr(before, names[0]), getattr(now, names[0])
    if isinstance(old, Expression) and isinstance(new, Expression):
        return _moved(old, new) or f"{names[0]} `{old}` → `{new}`"
    word = names[0] if names[0] == "cutoff" else WRITTEN.get(names[0], names[0])
    return f"{word} {_value(old)} → {_value(new)}"


def _value(value: Any) -> str:
    return "none" if value is None else written(value).replace("'", "").replace("-", "−")


def _sentence(context: Context, values: Values, found: Bench) -> str:
    systems = counted(len(context.systems), "system")
    if not found.before:
        return f"By `{found.now}`, {_present(context, found, systems)}."
    start = move_words(found.before, found.now)
    if found.moved is None:
        old, new = (spelled(float(found.averages[name][0]), 3) for name in (found.before, found.now))
        return f"{start}: the only system scores {new}, {old} before; with one system there is no ranking to change."
    parts = [_places(found.moved, systems), *_tau_change(found), *_pair_change(found), *_pool_change(found)]
    return f"{start}: {_joined(parts)}."


def _joined(parts: list[str]) -> str:
    """Clauses as one.

    >>> _joined(["a", "b", "c"]), _joined(["a"])
    ('a, b, and c', 'a')
    """
    return f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 1 else parts[0]


def _present(context: Context, found: Bench, systems: str) -> str:
    """The four numbers of the measure at hand, where there is nothing to compare it with."""
    own = found.averages[found.now]
    if len(own) == 1:
        return f"the only system scores {spelled(float(own[0]), 3)}; with one system there is no ranking to look at"
    if float(np.ptp(own)) == 0:
        scores = f"all {systems} score {spelled(float(own[0]), 3)}"
    else:
        scores = f"{systems} score from {spelled(float(own.min()), 3)} to {spelled(float(own.max()), 3)}"
    parts = [scores]
    if found.others:
        mean = spelled(found.mean_tau(found.now), 2)
        parts.append(f"τ with the {counted(found.others, 'other measure')} is {mean} on average")
    tested = found.tested(found.now)
    if tested is not None:
        parts.append(f"{tested.significant:,} of {counted(tested.pairs, 'pair')} are significant")
    if found.pools is not None:
        parts.append(f"with 10% of the pool τ is {spelled(found.agreement(found.now), 2)}")
    return _joined(parts)


def _places(moved: Moves, systems: str) -> str:
    if not np.isfinite(moved.tau):
        return f"all {systems} tie in one of the two rankings, so τ with before is not defined"
    tau = f"(τ {spelled(moved.tau, 2)} with before)"
    if not moved.moved:
        return f"no system changes place {tau}"
    words = f"{counted(moved.moved, 'system')} {verb(moved.moved, 'changes', 'change')} place {tau}"
    old, new = ([name for name, rank in zip(moved.systems, row, strict=True) if rank == 1] for row in moved.ranks)
    return words if old == new else f"{words}, first place goes from {quoted(old, most=2)} to {quoted(new, most=2)}"


def _tau_change(found: Bench) -> list[str]:
    if not found.others:
        return []
    words = f"mean τ with the {counted(found.others, 'other measure')}"
    return [f"{words} {_change(found.mean_tau(found.before), found.mean_tau(found.now))}"]


def _pair_change(found: Bench) -> list[str]:
    before, now = found.tested(found.before), found.tested(found.now)
    if before is None or now is None:
        return []
    gained, lost = (
        int(change.sum()) // 2 for change in (now.separated & ~before.separated, before.separated & ~now.separated)
    )
    if not gained and not lost:
        return ["no pair gains or loses significance"]
    if not lost:
        return [f"{counted(gained, 'pair')} {verb(gained, 'gains', 'gain')} significance and none loses it"]
    if not gained:
        return [f"no pair gains significance and {lost:,} {verb(lost, 'loses', 'lose')} it"]
    verbs = verb(gained, "gains", "gain"), verb(lost, "loses", "lose")
    return [f"{counted(gained, 'pair')} {verbs[0]} significance and {lost:,} {verbs[1]} it"]


def _pool_change(found: Bench) -> list[str]:
    if found.pools is None:
        return []
    change = _change(found.agreement(found.before), found.agreement(found.now))
    return [f"agreement with 10% of the pool {change}"]


def _change(before: float, now: float) -> str:
    """What happened to a coefficient.

    >>> _change(0.714, 0.82), _change(0.7, 0.7001), _change(float("nan"), 0.5)
    ('rises from 0.71 to 0.82', 'stays at 0.70', 'is 0.50 and was undefined')
    """
    old, new = spelled(before, 2), spelled(now, 2)
    if old == new:
        return f"stays {'undefined' if old == 'undefined' else f'at {old}'}"
    if not np.isfinite(before) or not np.isfinite(now):
        return f"is {new} and was {old}"
    return f"{'rises' if now > before else 'falls'} from {old} to {new}"


def _lacking(context: Context, found: Bench) -> list[str]:
    """Which figures are missing, and why."""
    notes = []
    if len(context.systems) < 2:
        notes.append("τ, p-values and reduced pools compare systems, and only one is chosen.")
    elif found.power is None:
        notes.append("A test of significance needs two topics, and only one is chosen.")
    if found.pools is None and context.opened.collection is None:
        notes.append("Reduced pools need rankings and judgments; these are imported scores.")
    return notes


def _notes(context: Context, found: Bench) -> list[str]:
    notes = []
    if found.before and found.power is not None:
        notes.append(
            "Both states have the same shuffles of the randomised Tukey HSD and the same reduced pools: what differs "
            "is due to the measures, not to the draws. p-values are corrected for all pairs of these systems."
        )
    if found.pools is not None:
        kept = float(found.pools.kept[found.pools.rates.index(RATE)])
        if kept > 1.1 * RATE:
            notes.append(
                f"Every topic keeps one document of each grade and ten that are not relevant, so “10% of the pool” "
                f"is {kept:.0%} of the judgments here."
            )
    return notes


# -- the sweep along one parameter -----------------------------------------------------------------


@dataclass(frozen=True)
class Knob:
    """A parameter of a measure that a sweep can turn.

    Attributes
    ----------
    name : as it is written
    template : the expression with ``{}`` in the place of the value
    present : its value
    values : rising, the present one among them
    """

    name: str
    template: str
    present: float
    values: tuple[float, ...]


def parameters_of(expression: str, depth: int = 1000) -> tuple[Knob, ...]:
    """The parameters of a measure that are numbers in a range: its own, of its parts, and its cutoff.

    >>> [(knob.name, knob.template) for knob in parameters_of("CWLA(C=RBP(p=0.8),A=ERG)@10")]
    [('p', 'CWLA(C=RBP(p={}),A=ERG)@10'), ('cutoff', 'CWLA(C=RBP(p=0.8),A=ERG)@{}')]
    """
    try:
        one = measure(expression)
    except IrvizError:  # a name of imported scores
        return ()
    knobs = []
    for path, parameter, value in _numbers(one, ()):
        low, high = offered(parameter)
        if np.isfinite([low, high]).all():
            steps = [round(float(step), 4) for step in np.linspace(low, high, _STEPS)]
            knobs.append(_knob(one, path, value, steps))
    if one.cutoff is not None:
        knobs.append(_knob(one, ("cutoff",), one.cutoff, [k for k in _CUTOFFS if k <= depth]))
    return tuple(knob for knob in knobs if knob is not None)


def _numbers(one: Expression, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], Real, float]]:
    """Where the numbers of an expression are, what they may be, and what they are."""
    found = []
    for name, declared in declarations(type(one)).items():
        value = getattr(one, name)
        if isinstance(declared.kind, Nested) and isinstance(value, Expression):
            found += _numbers(value, (*path, name))
        elif isinstance(declared.kind, Real) and isinstance(value, float):
            found.append(((*path, name), declared.kind, value))
    return found


def _set(one: Any, path: tuple[str, ...], value: Any) -> Any:
    """The expression with the number at the end of a path set."""
    name, *rest = path
    return replace(one, **{name: _set(getattr(one, name), tuple(rest), value) if rest else value})


def _knob(one: Measure, path: tuple[str, ...], present: float, steps: list[float]) -> Knob | None:
    """The knob; None where the place of the number cannot be told from the expression."""
    values = []
    for step in sorted({*steps, present}):
        try:
            _set(one, path, step)
        except IrvizError:  # an end of the range that does not fit the other parameters
            continue
        values.append(step)
    kind = int if path[-1] == "cutoff" else float
    other = next((value for value in values if value != present), None)
    if other is None:
        return None
    old, new = str(one), str(_set(one, path, kind(other)))
    before, after = written(kind(present)), written(kind(other))
    for start in range(len(old)):
        if old.startswith(before, start) and old[:start] + after + old[start + len(before) :] == new:
            template = f"{old[:start]}{SLOT}{old[start + len(before) :]}"
            return Knob(path[-1], template, present, tuple(kind(value) for value in values))
    return None


def _sweeps(context: Context, values: Values, now: str) -> dict[str, Any]:
    """A part for every knob of the measure at hand; computed when it is unfolded."""
    knobs = parameters_of(now, context.depth)
    words = [WRITTEN.get(knob.name, knob.name) if knob.name != "cutoff" else "the cutoff" for knob in knobs]
    twice = {word for word in words if words.count(word) > 1}
    labels = [
        f"{word} in {knob.template.replace(SLOT, '…')}" if word in twice else word
        for word, knob in zip(words, knobs, strict=True)
    ]
    return {
        f"Sweep {label}": partial(sweep_panel, context, values, knob) for label, knob in zip(labels, knobs, strict=True)
    }


def sweep_panel(context: Context, values: Values, knob: Knob) -> Panel:
    """The four properties along one parameter, and its trade."""
    names, given = swept(knob.template, knob.values)
    found = _properties(context, values, names, given)
    place = given.index(knob.present) if knob.present in given else None
    word = WRITTEN.get(knob.name, knob.name)
    sentence = _sweep_sentence(found, word, place)
    curves = sweep_curves(found, word, knob.present)
    alt = f"Four curves over {word}, each with a band: {sentence}"
    return Panel(
        sentence=sentence,
        drawings=(
            {
                "curves": Drawing(curves, f"Along {word}", alt),
                "trade": Drawing(trade(found, place), "The trade: up and to the right is better", sentence),
            },
        ),
        tables={"Sweep": Table(found.frame(), "One row per value: four properties, each with the ends of its band.")},
        notes=(
            "Bands: of the share of pairs, what other draws of the test could give; of the consistency, the 95% "
            "interval over resampled topics; of the agreement, the middle 90% of the repeats; of τ, from the lowest to "
            "the highest. All values have the same draws.",
        ),
    )


def _sweep_sentence(found: Sweep, word: str, place: int | None) -> str:
    """Which values are better than the present one on both sides of the trade."""
    x, y = found.significant, found.agreement
    if not np.isfinite(y).any():
        return f"Along {word}, no value ranks the systems under a tenth of the pool: each ties them all."
    span = f"Along {word} from {found.values[0]:g} to {found.values[-1]:g}, the share of separated pairs runs from "
    span += f"{x.min():.1%} to {x.max():.1%} and τ with 10% of the pool from "
    span += f"{spelled(float(np.nanmin(y)), 2)} to {spelled(float(np.nanmax(y)), 2)}. "
    if place is None or not np.isfinite(y[place]):
        return span.rstrip()
    better = [i for i in range(len(x)) if x[i] > x[place] and y[i] > y[place]]
    now = f"{word} = {found.values[place]:g}"
    if not better:
        return f"{span}No value tried is both more discriminative and more robust than {now}."
    best = max(better, key=lambda i: (y[i], x[i]))
    many = f"{len(better)} of {len(x)} values tried {verb(len(better), 'is', 'are')}"
    top = f"such as {found.values[best]:g} ({x[best]:.1%} of pairs, τ {spelled(float(y[best]), 2)})"
    return f"{span}{many} both more discriminative and more robust than {now}, {top}."


# -- the same without the page ---------------------------------------------------------------------


def _states(values: Values) -> list[str]:
    return list(dict.fromkeys(name for name in (values["measure"], values["before"]) if name))


def _python(context: Context, values: Values) -> list[str]:
    chosen = f"trials={values['trials']}, alpha={values['alpha']!r}, repeats={values['repeats']}"
    average = f"summary={context.summary!r}{eps_argument(context)}, seed={values['seed']}"
    call = f"irviz.sweep(c, {SLOT!r}, {_states(values)!r}, {list(context.measures)!r}, {chosen}, {average})"
    return [f"table = {call}.frame()"]


def _command(context: Context, values: Values) -> list[str]:
    words = ["sweep", SLOT, "--values", ",".join(_states(values)), "--others", ",".join(context.measures)]
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
    snippet=Snippet(table="States", python=_python, command=_command, scored=False),
)
