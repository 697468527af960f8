"""Equal steps: what changes if the values of a measure are spaced evenly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.figures.axes import chart, padded_range, round_values, row_names, spaced_places
from irviz.figures.ranking import slope
from irviz.figures.theme import BLUE, GREEN, PATTERNS, VERMILION, bar, figure, note, plotly_escape, row_height, scatter
from irviz.measures import measure
from irviz.measures.interval import Interval, equal_steps_of, values_of, with_one_normaliser
from irviz.multiverse.dimensions import FAMILIES, TESTS
from irviz.multiverse.equal_steps import EqualSteps, equal_steps
from irviz.stats.correlation import movers, shared_ranks, tie_tolerance
from irviz.stats.scores import Scores
from irviz.stats.users import satisfaction
from irviz.workspace.analyses import EQUAL_STEPS, Snippet
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number, one_measure
from irviz.workspace.data import in_place_of
from irviz.workspace.facts import Fact
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table

_POINTS = 400  #: of the staircase
_MOVING = 6  #: systems that stand out
_COLOURS = {"lost": VERMILION, "gained": BLUE, "reversed": GREEN}  #: of decisions that change

STUDY = "tiangong"  #: the bundled field study that is quoted where no users are loaded
#: of it, as they are quoted where no users are loaded
STUDIES = ("RR@10", "nDCG(gains=[0,1,1,1,1])@10", "RBP(p=0.8,rel=1)@10", "AP@10")

CONTROLS = (
    one_measure("measure", "Measure"),
    Choice(
        name="lists",
        label="Values of",
        few=True,
        default="any",
        options=(("any", "all lists"), ("topic", "lists that the topic allows")),
        help="Which values count: those of any list of grades, or of lists that the topic's judged documents allow.",
    ),
    *EQUAL_STEPS.controls,
    Number(
        name="cutoff",
        label="Documents per list",
        help="For measures without a cutoff; at most 20 with two grades, 10 with four.",
        low=1,
        high=20,
        step=1,
        whole=True,
        default=10,
        aside=True,
    ),
)


def panel(context: Context, values: Values) -> Panel:
    """The values of a measure against their places; both rankings; all decisions before and after."""
    intervals, left_out = _intervals(context, values)
    if not intervals:
        return Panel("None of the chosen measures can be given equal steps.", notes=_notes(left_out))
    chosen = intervals.get(values["measure"]) or next(iter(intervals.values()))
    people = _users(context, intervals, values)
    users = people or _study(context, values)
    levels = _levels(chosen, _grades(context, chosen))
    if len(context.systems) < 2 or len(context.topics) < 2:  # no decisions
        return Panel(
            "There are no decisions to compare: they need two systems and two topics.",
            ({"staircase": _staircase(context.label(str(chosen.base)), levels)},),
            {"Values": _values_table(str(chosen.base), levels), "Users": users},
            _notes(left_out),
            _user_facts(users.frame) if people else (),
        )
    comparison = context.remember(
        equal_steps,
        context.collection,
        tuple(dict.fromkeys(intervals.values())),
        **EQUAL_STEPS.arguments(context, values),
        workers=-1,
    )
    m = comparison.mapped.index(str(chosen))
    ranks = shared_ranks(comparison.means[:2, m], tie_tolerance(comparison.means[:2, m]))
    staircase = _staircase(context.label(comparison.measures[m]), levels)
    changed = int(comparison.frame()["changed"][m])
    test = "randomised Tukey HSD" if comparison.family == "all_systems" else TESTS[comparison.test]
    return Panel(
        sentence=f"Equal steps of `{context.label(comparison.measures[m])}` change {changed:,} of "
        f"{comparison.pairs:,} decisions.",
        facts=_facts(comparison, m),
        drawings=(
            {"staircase": staircase, "decisions": decisions(comparison)},
            {"slope": _slope(comparison, m, ranks, context)},
        ),
        tables={**_tables(comparison, m, ranks, levels), "Users": users},
        notes=(f"Decisions: {test}, p < {comparison.alpha:g}. {FAMILIES[comparison.family]}.", *_notes(left_out)),
    )


def _users(context: Context, intervals: Mapping[str, Interval], values: Values) -> Table | None:
    """How equal steps change the correlation with users' satisfaction, and what of it the topics' normalisers do."""
    people = context.collection.satisfaction
    if people is None:
        return None
    after = list(dict.fromkeys(intervals.values()))
    before = [replace(interval.base, aspect=interval.aspect) for interval in after]
    scores = context.scores([str(measure) for measure in (*before, *after)])
    how = {"coefficient": "pearson", "trials": values["trials"], "seed": values["seed"]}
    correlations = context.remember(satisfaction, scores, people, **how, workers=-1)
    names = [str(measure) for measure in before]
    first, second = (correlations.values[[str(measure) for measure in side]].to_numpy() for side in (before, after))
    samples = dict(zip(correlations.values.index, correlations.samples.T, strict=True))
    changes = np.stack([samples[str(b)] - samples[str(a)] for a, b in zip(before, after, strict=True)])
    low, high = np.quantile(changes, [0.025, 0.975], axis=1)  # NaN where a sample has no r
    frame = pd.DataFrame(
        {"measure": names, "before": first, "after": second, "change": second - first, "low": low, "high": high}
    )
    anywhere = [replace(interval, attainable="any") for interval in after]
    cube = context.scores([str(interval) for interval in anywhere])
    fixed = np.stack(
        [
            with_one_normaliser(cube.matrix(str(interval)), interval.base, _grades(context, interval))
            for interval in anywhere
        ]
    )
    between = satisfaction(
        Scores(fixed, tuple(names), cube.topics, cube.systems), people, coefficient="pearson", trials=2
    )
    frame.insert(2, "one normaliser", between.values.to_numpy())
    about = "One row per measure: Pearson's r with users' satisfaction before and after equal steps, between them "
    about += "with one normaliser for all topics, and the 95% bootstrap interval over topics of the whole change."
    return Table(frame, about)


def _user_facts(users: pd.DataFrame) -> tuple[Fact, ...]:
    """The change of r of the first measures."""
    why = "Undefined if satisfaction or the scores are constant."
    return tuple(
        Fact("change of r with satisfaction", row.change, (row.measure,), low=row.low, high=row.high, why=why)
        for row in users.head(7).itertuples()
    )


def _study(context: Context, values: Values) -> Table:
    """The same change in a bundled field study, for data without users."""
    users = _users(in_place_of(context, STUDY), {name: Interval(base=measure(name)) for name in STUDIES}, values)
    assert users is not None  # the study has users
    return replace(users, about=f"TianGong-FSD. {users.about}")


def _grades(context: Context, one: Interval) -> tuple[float, ...]:
    return tuple(context.collection.grades[context.collection.aspect_index(one.aspect)])


# -- Which measures have equal steps here ----------------------------------------------------------


def _intervals(context: Context, values: Values) -> tuple[dict[str, Interval], dict[str, str]]:
    """By measure of the sidebar, what it is compared with; or why it is left out."""
    intervals, left_out = {}, {}
    for name in context.measures:
        try:
            interval = _interval(name, values)
            if (why := interval.misfit(context.collection)) is not None:
                raise why
        except IrvizError as error:
            left_out[name] = str(error)
        else:
            intervals[name] = interval
    return intervals, left_out


def _interval(name: str, values: Values) -> Interval:
    base = measure(name)
    if base.cutoff is None and base.cut == "optional":
        base = replace(base, cutoff=values["cutoff"])
    return replace(equal_steps_of(base), attainable=values["lists"])


def _notes(left_out: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"`{name}` is left out: {why}" for name, why in left_out.items())


# -- Facts -----------------------------------------------------------------------------------------


def _facts(comparison: EqualSteps, m: int) -> tuple[Fact, ...]:
    """Decisions by what happens to them, how alike the rankings are, and which part the topics' normalisers make."""
    counts = {word: int(number[m]) for word, number in comparison.decisions().items()}
    facts = [Fact(f"significant pairs {word}", count, of=comparison.pairs) for word, count in counts.items()]
    facts.append(
        Fact("rankings before and after", float(comparison.tau[m]), unit="τ", why="Undefined if all systems tie.")
    )
    if comparison.normalised[m]:
        frame = comparison.normaliser_frame()
        parts = frame.loc[frame["measure"] == comparison.measures[m], "changed"].tolist()
        why = "It divides by a number of each topic, such as the recall base or the ideal list."
        facts.append(Fact("changed by one normaliser for all topics", parts[1], of=comparison.pairs, why=why))
        facts.append(Fact("changed by equal steps after that", parts[2], of=comparison.pairs))
    return tuple(facts)


# -- Figures ---------------------------------------------------------------------------------------


def _levels(one: Interval, grades: tuple[float, ...]) -> NDArray[np.float64]:
    """The values of a measure in order; of those too many to list, which are even, the ends."""
    try:
        return values_of(one.base, tuple(grades))
    except IrvizError:
        return np.array([0.0, 1.0])


def _staircase(name: str, levels: NDArray[np.float64]) -> Drawing:
    """The values of a measure against their places."""
    at = spaced_places(len(levels), _POINTS)
    top = float(levels[-1]) or 1.0
    values = scatter(
        x=at,
        y=round_values(levels[at]),
        mode="lines" + ("+markers" if len(levels) <= 40 else ""),
        line={"color": BLUE, "width": 2, "shape": "hv" if len(levels) <= 40 else "linear"},
        name=plotly_escape(name),
        hovertemplate="value number %{x:,}<br>%{y:.4f}<extra></extra>",
    )
    even = scatter(
        x=[0, len(levels) - 1],
        y=[0, top],
        mode="lines",
        line={"color": VERMILION, "width": 2, "dash": "dash"},
        name="equal steps",
        hoverinfo="skip",
    )
    x = {"title": {"text": "place among the values"}, "range": padded_range(np.array([len(levels) - 1.0]))}
    y = {"title": {"text": f"value of {plotly_escape(name)}"}, "range": padded_range(np.array([top]))}
    fig = chart([values, even], 380, x, y, margin={"t": 34})
    return Drawing(fig, f"The values of `{name}` and their places")


def _slope(comparison: EqualSteps, m: int, ranks: NDArray[np.int64], context: Context) -> Drawing:
    moved = [i for i in movers(ranks, _MOVING) if i not in context.highlighted_positions()]
    highlighted = [*context.highlighted_positions(), *moved][:_MOVING]
    sides = (context.label(comparison.measures[m]), "equal steps")
    fig = slope(comparison.systems, ranks[0], ranks[1], sides, highlighted)
    return Drawing(fig, "Ranks by the measure as it is, and with equal steps")


def decisions(comparison: EqualSteps) -> Drawing:
    """Stacked bars, one row per measure: what is lost left of 0, the rest right of it; at the right, how many stay."""
    counts, rows = comparison.decisions(), np.arange(len(comparison.measures))
    traces = [
        bar(
            x=-counts[word] if word == "lost" else counts[word],
            y=rows,
            orientation="h",
            name=word,
            customdata=counts[word],
            marker={"color": colour, "pattern": {"shape": PATTERNS[k], "fillmode": "overlay", "size": 5}},
            hovertemplate="%{customdata:,} " + word + "<extra></extra>",
        )
        for k, (word, colour) in enumerate(_COLOURS.items())
        if word != "reversed" or counts[word].any()
    ]
    ends = np.stack([-counts["lost"], counts["gained"] + counts["reversed"]])
    still = (ends == 0).all(axis=0)
    right = np.where(still, "\u00a0none", [f"\u00a0+{count:,}" if count else "" for count in counts["gained"].tolist()])
    left = [f"−{count:,}\u00a0" if count else "" for count in counts["lost"].tolist()]
    for x, side, texts in ((ends[0], "left", left), (ends[1], "right", right)):
        words = {"text": list(texts), "textposition": f"middle {side}", "textfont": {"size": 11}, "cliponaxis": False}
        traces.append(scatter(x=x, y=rows, mode="text", **words, hoverinfo="skip", showlegend=False))
    height, reach = row_height(len(rows), 220, each=30), padded_range(np.append(ends, 1.0), 0.32)
    fig: go.Figure = figure(traces, height, barmode="relative", bargap=0.3, showlegend=True)
    fig.update_layout(margin={"t": 50, "r": 70}, legend={"traceorder": "normal"})
    fig.update_xaxes(title_text="significant pairs lost (−), gained (+)", range=reach)
    row_names(fig, comparison.measures)
    look = {"xref": "paper", "xanchor": "left", "xshift": 14}
    for row, text in [(-0.6, "kept"), *enumerate(f"{count:,}" for count in counts["kept"].tolist())]:
        fig.add_annotation(**note(text, 1, row, yanchor="bottom" if row < 0 else "middle", **look))
    return Drawing(fig, "Decisions with equal steps")


# -- Tables ----------------------------------------------------------------------------------------


def _tables(comparison: EqualSteps, m: int, ranks: NDArray[np.int64], levels: NDArray[np.float64]) -> dict[str, Table]:
    name = comparison.measures[m]
    systems = pd.DataFrame(
        {
            "system": comparison.systems,
            "mean before": comparison.means[0, m],
            "mean now": comparison.means[1, m],
            "rank before": ranks[0],
            "rank now": ranks[1],
        }
    )
    tables = {
        "Measures": Table(
            pd.concat([comparison.frame(), pd.DataFrame(comparison.decisions()).drop(columns="reversed")], axis=1),
            "One row per measure: its values and steps, and the decisions about pairs of systems.",
        ),
        "Systems": Table(
            systems.sort_values("rank before", kind="stable", ignore_index=True),
            f"{name}: one row per system, its mean and rank before, and with equal steps (now).",
        ),
        "Pairs": Table(
            comparison.pair_frame(name), f"{name}: one row per pair of systems, before and after equal steps."
        ),
        "Values": _values_table(name, levels),
    }
    if comparison.normalised.any():
        tables["Normalisers"] = Table(
            comparison.normaliser_frame(),
            "One row per measure that divides by a number of the topic, and part of the change.",
        )
    return tables


def _values_table(name: str, levels: NDArray[np.float64]) -> Table:
    at = spaced_places(len(levels), _POINTS)
    which = "every value" if len(at) == len(levels) else f"{len(at)} of {len(levels):,} values"
    return Table(
        pd.DataFrame({"place": at, "value": levels[at], "equal steps": at / max(1, len(levels) - 1)}),
        f"{name}: {which} in order, on a topic with as many judged documents of every grade as the list is long.",
        digits=6,
    )


def _expressions(context: Context, values: Values) -> dict[str, list[str]]:
    return {"measures": list(dict.fromkeys(map(str, _intervals(context, values)[0].values())))}


PAGE = Page(
    name="equal_steps",
    title="Equal steps",
    question="What changes if the values of a measure are equal steps apart?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "highlights", "lists", "baseline"}),
    snippet=Snippet(EQUAL_STEPS, "Measures", _expressions),
)
