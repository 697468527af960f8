"""Users: which measure agrees with what people said, how satisfied they were and what they preferred?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.people import Preferences, Satisfaction
from irviz.errors import IrvizError
from irviz.explore.user_models import BROWSING, CUTOFF, Combinations, combine
from irviz.figures.axes import line_at, padded_range, row_names
from irviz.figures.direct import line_style
from irviz.figures.ranking import interval_text, ranking
from irviz.figures.squares import combination_grid
from irviz.figures.theme import (
    BLUE,
    GREY,
    PATTERNS,
    STAR,
    VERMILION,
    Floats,
    band,
    bar,
    figure,
    labels,
    plotly_escape,
    row_height,
    scatter,
    whiskers,
)
from irviz.measures import measure
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.language.parameters import declarations
from irviz.portable import exp, log
from irviz.stats.consistency import halves_correlated
from irviz.stats.correlation import defined_mean, shared_ranks
from irviz.stats.resampling import FEWEST_TOPICS
from irviz.stats.users import (
    GradePreferences,
    PreferenceAgreement,
    SatisfactionAgreement,
    preferences,
    satisfaction,
    satisfaction_by_score,
)
from irviz.workspace.analyses import OF_SATISFACTION as COEFFICIENTS
from irviz.workspace.analyses import USERS
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number, one_measure, plain
from irviz.workspace.controls import ALPHA
from irviz.workspace.data import in_place_of
from irviz.workspace.facts import Fact, extremes
from irviz.workspace.page import Page, RowByRow, Values, lacking
from irviz.workspace.panel import Drawing, Panel, Table, square_table
from irviz.workspace.phrases import TOLERANCE, highest
from irviz.workspace.view import View

STUDY = "tiangong"  #: a bundled field study
COLLECTION_WITH_SYSTEMS = "dl2021"  #: where consistency is computed, where the open data have one system
MODELS = ("P", "DCG", "RBP", "INST", "AP", "ERR", "RR", "INSQ", "BPM")  #: browsing models of the grid
HALVES = 500  #: random splits of the topics for consistency
_AS_WRITTEN = "own"
_ALL_EQUAL = "all scores or all answers are equal"  #: why there is no coefficient
_NO_INTERVAL = f"There is no interval below {FEWEST_TOPICS} topics, nor where resampling them changes nothing."
_GRADES_BY_USERS = "The same users gave the grades, after the session. Documents that nobody saw count as 0."


# -- figures: satisfaction along a parameter and by score; preferences ------------------------------

HEIGHT = 380  #: pixels of a figure beside another one
#: agree, disagree, same_grade and unjudged, as a legend says them, and their colours
_PREFERENCES = {"as the grades": BLUE, "against the grades": VERMILION, "same grade": GREY, "unjudged": "#B9BEC4"}


def spread_of(values: Floats, *more: Floats) -> list[float]:
    """The range of an axis around all numbers, with a little room; it need not have 0.

    >>> spread_of(np.array([0.5, 0.6]), np.array([0.7]))
    [0.488, 0.712]
    """
    known = np.concatenate([numbers[np.isfinite(numbers)].ravel() for numbers in (values, *more)])
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.05
    return [round(low - room, 6), round(high + room, 6)]


def parameter_curve(points: Floats, value: Floats, low: Floats, high: Floats, axis: str, unit: str) -> go.Figure:
    """Agreement with users along a parameter, with its interval; a line at the highest."""
    known = np.isfinite(value)
    line = scatter(
        x=points[known],
        y=np.round(value[known], 4),
        mode="lines+markers",
        line={"color": BLUE, "width": 2},
        marker={"color": BLUE, "size": 6},
        customdata=[interval_text(*ends) for ends in zip(low[known], high[known], strict=True)],
        hovertemplate="%{x}: %{y:.3f} %{customdata}<extra></extra>",
        showlegend=False,
    )
    fig = figure([band(points[known], low[known], high[known]), line], HEIGHT)
    fig.update_xaxes(title_text=plotly_escape(axis), range=spread_of(points))
    fig.update_yaxes(title_text=plotly_escape(unit), range=spread_of(value, low, high))
    if known.any():
        best = float(points[np.nanargmax(value)])
        side, shift = ("right", -5) if best > points.mean() else ("left", 5)
        place = {"x": best, "y": 1, "yref": "y domain", "yanchor": "top", "xanchor": side, "xshift": shift}
        fig.add_annotation(text=f"highest, at {best:g}", showarrow=False, **place)
        fig.add_shape(**line_at(x=best))
    return fig


def by_score(
    tenths: pd.DataFrame, names: Sequence[str], places: Sequence[int], scale: tuple[float, float]
) -> go.Figure:
    """Mean satisfaction by tenth of the score, a line a measure with intervals; `places` give the colours."""
    traces, called = [], labels(names, 40)
    for i, name in enumerate(names):
        part = tenths[(tenths["measure"] == name) & (tenths["answers"] > 0)]
        value, low, high = part[["satisfaction", "low", "high"]].to_numpy().T
        style = line_style(places[i])
        traces.append(
            scatter(
                x=part["part"].to_numpy() + 0.12 * (i - (len(names) - 1) / 2),
                y=np.round(value, 4),
                mode="lines+markers",
                name=called[i],
                **style,
                error_y=whiskers(value, low, high, thickness=1.2, width=0, color=style["line"]["color"]),
                customdata=[
                    [f"{a:.3f}", f"{b:.3f}", n, interval_text(lo, hi)]
                    for a, b, n, lo, hi in part[["from", "to", "answers", "low", "high"]].itertuples(index=False)
                ],
                hovertemplate="scores %{customdata[0]} to %{customdata[1]}: %{y:.2f} %{customdata[3]}<br>"
                "%{customdata[2]} answers<extra>%{fullData.name}</extra>",
            )
        )
    fig = figure(traces, HEIGHT, margin={"t": 36})
    parts = int(tenths["part"].max())
    fig.update_xaxes(title_text="tenth of the measure's range of scores", range=[0.5, parts + 0.5], dtick=1)
    fig.update_yaxes(title_text="mean satisfaction", range=spread_of(np.array(scale)))
    return fig


def shares_of(frame: pd.DataFrame) -> go.Figure:
    """Share of the preferences between systems that every measure has, with its interval; a line at chance."""
    names, tie_counts = frame["measure"].tolist(), frame["ties"].tolist()
    value, low, high = frame[["value", "low", "high"]].to_numpy().T
    trace = scatter(
        x=np.round(value, 4),
        y=np.arange(len(names)),
        mode="markers",
        marker={"color": BLUE, "size": 8},
        error_x=whiskers(value, low, high, thickness=1.5, width=0, color=BLUE),
        customdata=[[plotly_escape(name), ties] for name, ties in zip(names, tie_counts, strict=True)],
        hovertemplate="%{customdata[0]}<br>%{x:.3f}, %{customdata[1]} ties<extra></extra>",
        showlegend=False,
    )
    fig = figure([trace], row_height(len(names), least=180, each=24), shapes=[line_at(x=0.5)])
    ends = padded_range(np.append(value, high))
    fig.update_xaxes(title_text="share of preferences with the sign of the scores", range=ends)
    return row_names(fig, names)


def graded_preferences(names: Sequence[str], counts: NDArray[np.int64]) -> go.Figure:
    """Preferences between documents beside grades (names × agree, disagree, same grade, unjudged) as stacked bars."""
    traces = [
        bar(
            x=counts[:, i],
            y=np.arange(len(names)),
            orientation="h",
            name=word,
            marker={"color": colour, "pattern": {"shape": PATTERNS[i]}},
            text=[f"{count:,}" if count else "" for count in counts[:, i].tolist()],
            textposition="inside",
            insidetextanchor="middle",
            hovertemplate="%{x:,} " + word + "<extra></extra>",
        )
        for i, (word, colour) in enumerate(_PREFERENCES.items())
    ]
    fig = figure(traces, row_height(len(names), least=190, each=40), barmode="stack", margin={"t": 48})
    fig.update_xaxes(title_text="preferences", range=[0, int(counts.sum(axis=1).max(initial=1))])
    return row_names(fig, names)


# -- one parameter of a measure, and what it is at many values ---------------------------------------


class CurveParameter(NamedTuple):
    """A parameter that a curve follows: its name, its values, and the measure at one of them under some grades."""

    label: str
    points: tuple[float, ...]
    expression: Callable[[float, Sequence[float]], str]


def _steps(low: float, high: float, step: float) -> tuple[float, ...]:
    return tuple(round(low + step * i, 6) for i in range(round((high - low) / step) + 1))


def _powers(power: float, grades: Sequence[float]) -> str:
    """DCG whose gain is the grade to a power."""
    gains = [0.0, *exp(power * log(np.array(grades[1:], dtype=np.float64))).tolist()]
    return f"DCG(gains=[{','.join(f'{gain:.9g}' for gain in gains)}])@10"


def _thresholds(share: float, grades: Sequence[float]) -> str:
    """GAP for users of whom a share wants the highest grade; the others are spread evenly over the lower grades."""
    others = len(grades) - 2
    if others < 1:
        raise IrvizError("The threshold probabilities g need at least two grades above 0. Choose another parameter.")
    parts = [round((1 - share) / others, 12)] * others
    return f"GAP(g=[{','.join(plain(part) for part in [*parts, round(1 - sum(parts), 12)])}])"


PARAMETERS = {
    "p": CurveParameter("p of RBP", _steps(0.05, 0.95, 0.05), lambda p, _: f"RBP(p={p})"),
    "T": CurveParameter("T of INST", _steps(0.5, 8, 0.5), lambda t, _: f"INST(T={t})"),
    "beta": CurveParameter("β of PE, read as RBP", _steps(0, 1, 0.1), lambda b, _: f"CWLA(C=RBP,A=PE(beta={b}))@10"),
    "exponent": CurveParameter("exponent of the grade in DCG@10", _steps(0.25, 5, 0.25), _powers),
    "g": CurveParameter("g of the highest grade in GAP", _steps(0, 1, 0.1), _thresholds),
}


# -- controls --------------------------------------------------------------------------------------

CONTROLS = (
    *USERS.controls,
    Choice(
        name="gains",
        label="Gains of all measures",
        default=_AS_WRITTEN,
        options=((_AS_WRITTEN, "as written"), ("linear", "linear"), ("exp", "exponential")),
        few=True,
        help="What a grade is worth: the grade, or 2 to its power less 1. Applies to measures that have gains.",
    ),
    Number(
        name="rel",
        label="Threshold of binary measures",
        low=1,
        high=100,
        step=1,
        default=None,
        empty="as written",
        slider=False,
        help="The lowest grade that counts as relevant, for all measures that look at two grades only, such as AP.",
    ),
    one_measure("first", "Score of", 0, "Satisfaction by tenth of the score is shown for this measure."),
    one_measure("second", "and of", 4, "Satisfaction by tenth of the score is shown for this measure, too."),
    Choice(
        name="parameter",
        label="Parameter",
        default="p",
        options=tuple((name, one.label) for name, one in PARAMETERS.items()),
        help="The parameter along which agreement with users is drawn.",
    ),
    replace(BROWSING, default=MODELS),
    CUTOFF,
    ALPHA,
)


# -- the page --------------------------------------------------------------------------------------


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """Measures by agreement with users; the grid of user models; a parameter; satisfaction by score; preferences."""
    if not PAGE.offers_choices(context.dataset):
        yield lacking(context, "satisfaction or preferences of users", "users", STUDY)
        return
    collection = context.collection
    parts: list[Panel] = []
    if collection.satisfaction is not None:
        agreement = _ranked_measures(context, values)[1]
        yield Panel("", (agreement_ranking(agreement),))
        parts.append(_satisfaction_panel(context, values, collection.satisfaction))
    if collection.preferences is not None:
        of_systems = collection.preferences.are_of(collection.systems)
        parts.append((_between_systems if of_systems else _between_documents)(context, values, collection.preferences))
    sentences = [part.sentence for part in parts if part.sentence]
    if not sentences:
        raise IrvizError("No answer of users is about the chosen topics and systems. Choose more in the sidebar.")
    yield Panel(
        sentence=sentences[0],
        facts=tuple(fact for part in parts for fact in part.facts),
        drawings=tuple(row for part in parts for row in part.drawings),
        tables={name: table for part in parts for name, table in part.tables.items()},
        notes=(*sentences[1:], *(note for part in parts for note in part.notes)),
        ways=(("How these user models compare systems", View.from_texts("cwla", **context.texts)),),
        aspects=collection.aspects[:1],
    )


def adjust(name: str, values: Values) -> str:
    """A measure with the gains and the threshold that the page asks for, where it has any."""
    parsed = measure(name)
    known = declarations(type(parsed))
    changes: dict[str, Any] = {}
    if values["gains"] != _AS_WRITTEN and "dcg" in known:
        changes["dcg"] = "exp-log2" if values["gains"] == "exp" else "log2"
    elif values["gains"] != _AS_WRITTEN and "gains" in known:
        changes["gains"] = values["gains"]
    if values["rel"] is not None and getattr(parsed, "rel", None) is not None:
        changes["rel"] = values["rel"]
    return str(replace(parsed, **changes)) if changes else name


def _satisfaction_panel(study: Context, values: Values, ratings: Satisfaction) -> Panel:
    unit, alpha = f"{COEFFICIENTS[values['coefficient']]} with satisfaction", values["alpha"]
    names, agreement, frame = _ranked_measures(study, values)
    grid, curve, sure = _grid(study, values), _curve(study, values), f"{agreement.confidence:.0%}"
    both = tuple(dict.fromkeys(adjust(values[which], values) for which in ("first", "second")))
    how = {"trials": values["trials"], "seed": values["seed"], "groups": study.units}
    tenths = study.remember(satisfaction_by_score, study.scores(both), ratings, **how)
    places = [names.index(name) for name in both]
    lines = by_score(tenths, both, places, (float(ratings.values.min()), float(ratings.values.max())))
    by_tenth = Drawing(lines, f"How satisfied users were at which score, {sure} intervals")
    top, *level = leaders(agreement, alpha, f"highest {unit}")
    best = replace(top, names=tuple(map(study.label, top.names))).who or "no measure"
    return Panel(
        sentence=f"Highest {unit}: {top.number}, `{best}`; rated lists: {agreement.items:,}.",
        facts=(
            top,
            *level,
            *grid.facts,
            *curve.facts,
            *([Fact("answers without scores", agreement.unused)] if agreement.unused else []),
        ),
        drawings=(agreement_ranking(agreement), *grid.drawings, {**curve.drawings[0], "tenths": by_tenth}),
        tables={
            "Measures": Table(frame, f"One row per measure: {unit}, and the ends of its {sure} interval."),
            "Differences": Table(
                square_table(names, agreement.p_values.to_numpy()),
                "p-values of the paired bootstrap over topics: do two measures have the same coefficient?",
                names=names,
            ),
            **grid.tables,
            **curve.tables,
            "By score": Table(tenths, "One row per measure and tenth of its range of scores: mean satisfaction."),
        },
        notes=(*grid.notes, *_limits(study)),
    )


def _ranked_measures(study: Context, values: Values) -> tuple[tuple[str, ...], SatisfactionAgreement, pd.DataFrame]:
    """The measures as the page asks for them, their agreement, and a row for each, the best first."""
    names = tuple(dict.fromkeys(adjust(name, values) for name in study.measures))
    agreement = _agreement(study, values, names)
    return names, agreement, best_first(agreement)


def best_first(agreement: SatisfactionAgreement | PreferenceAgreement) -> pd.DataFrame:
    """A row for each measure, the one that agrees most with users first."""
    order = np.argsort(-agreement.values.fillna(-2).to_numpy(), kind="stable")
    return agreement.frame().iloc[order].reset_index(drop=True)


def agreement_ranking(agreement: SatisfactionAgreement) -> dict[str, Drawing]:
    """Measures by their agreement with satisfaction."""
    frame = best_first(agreement)
    value, low, high = frame[["value", "low", "high"]].to_numpy().T
    unit = f"{COEFFICIENTS[agreement.coefficient]} with satisfaction"
    fig = ranking(frame["measure"].tolist(), value, low, high, unit, shared_ranks(value, TOLERANCE))
    return {"measures": Drawing(fig, f"Measures by their agreement with users, {agreement.confidence:.0%} intervals")}


def _agreement(study: Context, values: Values, names: Sequence[str]) -> SatisfactionAgreement:
    how = USERS.arguments(study, values) | {"groups": study.units}
    return study.remember(satisfaction, study.scores(names), study.collection.satisfaction, **how, workers=-1)


def leaders(agreement: SatisfactionAgreement, alpha: float, label: str) -> tuple[Fact, ...]:
    """The highest coefficient, or why there is none, and the measures not separated from the best."""
    top, level = agreement.best(alpha)
    if not top:
        return (Fact(label, why=_ALL_EQUAL),)
    value, low, high = (float(part[top[0]]) for part in (agreement.values, agreement.low, agreement.high))
    others, why = int(agreement.values.count()) - len(top), f"Paired bootstrap over topics, p ≥ {alpha:g}, uncorrected"
    return (
        Fact(label, value, tuple(top), low=low, high=high),
        Fact("measures not separated from it", len(level), tuple(level), of=others, why=why),
    )


def _limits(study: Context) -> list[str]:
    return [
        "A coefficient over lists does not say whether a measure ranks systems as users would.",
        f"Intervals and p-values resample topics; p-values are not corrected for the number of pairs. {_NO_INTERVAL}",
        f"{STAR}: with this aggregation, the browsing model gives the measure of its name (gains as chosen above).",
        *([_GRADES_BY_USERS] if study.dataset.key == STUDY else []),
    ]


# -- the grid of user models -------------------------------------------------------------------------


def grid_of(values: Values) -> Combinations:
    """Browsing models × aggregations, each with its own defaults and with the gains that the page asks for."""
    known, cutoff = {model.symbol: model for model in BROWSING_MODELS}, values["cutoff"]
    models = [known[symbol] for symbol in values["models"] or MODELS]
    cut_models = [model(cutoff=cutoff) if model.cut == "required" else model() for model in models]
    grid = combine(cut_models, [kind() for kind in AGGREGATIONS], cutoff)
    labels = np.array([[adjust(str(name), values) for name in row] for row in grid.labels], dtype=object)
    return replace(grid, labels=labels)


def _grid(study: Context, values: Values) -> Panel:
    """Agreement with users, and consistency, of every combination."""
    unit = COEFFICIENTS[values["coefficient"]]
    grid = grid_of(values)
    names = list(dict.fromkeys(grid.varying()))
    agreement = _agreement(study, values, names)
    value, low, high = (grid.place(series.to_dict()) for series in (agreement.values, agreement.low, agreement.high))
    ranked = study
    if len(study.systems) < 2 or len(study.topics) < 4:
        ranked = in_place_of(study, COLLECTION_WITH_SYSTEMS)
    scores = ranked.scores(names)
    how = (HALVES, "random", ranked.summary, ranked.eps)
    halves = ranked.remember_by_measure(halves_correlated, scores, *how, seed=values["seed"])
    means = defined_mean(halves.trials)[0].tolist()
    consistency = grid.place(dict(zip(scores.measures, means, strict=True)))
    frame = grid.frame(value, unit)
    frame["low"], frame["high"], frame["consistency"] = low.ravel(), high.ravel(), consistency.ravel()
    where = f"`{ranked.dataset.title}`"
    title, framed = "Consistency of the same combinations", "framed: the highest of a row"
    liked, steady = (
        combination_grid(grid.called, grid.aggregations, cells, grid.canonical, grid.constant, about)
        for about, cells in ((unit, value), ("mean τ of two topic halves", consistency))
    )
    about = f"One row per combination: {unit} with satisfaction, its interval, and the mean τ of two halves of the "
    about += f"topics of {where}."
    return Panel(
        "",
        (
            {
                "grid": Drawing(liked, f"{unit} with satisfaction, every combination; {framed}"),
                "consistency": Drawing(steady, f"{title}; {framed}"),
            },
        ),
        {"Combinations": Table(frame, about)},
        (f"Consistency is of {where} ({HALVES} random halves), not of what users rated.",),
        max_facts(grid, agreement, consistency, values["alpha"]),
    )


def max_facts(
    grid: Combinations, agreement: SatisfactionAgreement, consistency: Floats, alpha: float
) -> tuple[Fact, ...]:
    """How often A = max agrees best with users, and is least consistent, where other aggregations have numbers, too."""
    j = grid.aggregations.index("max")
    rows = np.flatnonzero(~grid.constant[:, j]).tolist()
    rho, better = agreement.values, []
    for best, rest in ((str(grid.labels[i, j]), grid.varying(i)) for i in rows):
        others = [label for label in rest if label != best and np.isfinite(rho[label])]
        if np.isfinite(rho[best]) and others:
            p = agreement.p_values.loc[best, others]
            better.append(bool(((rho[best] > rho[others]) & (p < alpha)).all()))
    numbers = consistency[rows][np.isfinite(consistency[rows, j])]
    numbers = numbers[np.isfinite(numbers).sum(axis=1) > 1]
    least = numbers[:, j] <= np.nanmin(numbers, axis=1, initial=np.inf) + TOLERANCE
    why = f"Every other aggregation agrees less, p < {alpha:g}, uncorrected"
    return (
        Fact("browsing models by which max agrees best", sum(better), of=len(better), why=why),
        Fact("browsing models by which max is least consistent", int(least.sum()), of=len(least), why="Ties included"),
    )


# -- a parameter, and satisfaction by score ----------------------------------------------------------


def _curve(study: Context, values: Values) -> Panel:
    """Agreement with users along one parameter."""
    chosen, unit = PARAMETERS[values["parameter"]], COEFFICIENTS[values["coefficient"]]
    grades = study.collection.grades[0]
    names = [str(measure(chosen.expression(point, grades))) for point in chosen.points]
    if values["parameter"] != "exponent":  # a curve of gains has its own
        names = [adjust(name, values) for name in names]
    agreement = _agreement(study, values, list(dict.fromkeys(names)))
    value, low, high = (series[names].to_numpy() for series in (agreement.values, agreement.low, agreement.high))
    frame = agreement.frame().set_index("measure").loc[names].reset_index()
    frame.insert(0, chosen.label, np.array(chosen.points))
    highest_value = extremes(
        dict(zip(map(plain, chosen.points), value.tolist(), strict=True)),
        (f"highest {unit} along the {chosen.label}", ""),
        why=_ALL_EQUAL,
    )[0]
    fig = parameter_curve(np.array(chosen.points), value, low, high, chosen.label, f"{unit} with satisfaction")
    about = f"One row per value of the {chosen.label}: {unit} with satisfaction."
    return Panel(
        "",
        ({"curve": Drawing(fig, f"{unit} along the {chosen.label}, {agreement.confidence:.0%} interval")},),
        {"Parameter": Table(frame, about, names=(chosen.label,))},
        facts=(highest_value,),
    )


# -- preferences -------------------------------------------------------------------------------------


def _between_systems(study: Context, values: Values, user_preferences: Preferences) -> Panel:
    """How many of the preferences between systems every measure shares."""
    names = tuple(dict.fromkeys(adjust(name, values) for name in study.measures))
    how = {"trials": values["trials"], "seed": values["seed"], "groups": study.units}
    shares = study.remember(preferences, study.scores(names), user_preferences, **how)
    assert isinstance(shares, PreferenceAgreement)
    frame = best_first(shares)
    top = highest(shares.values.to_dict())
    value, low, high = frame[["value", "low", "high"]].to_numpy().T
    fig = shares_of(frame)
    return Panel(
        f"Measures against {shares.preferences:,} preferences between systems.",
        ({"systems": Drawing(fig, "Preferences between systems that the scores share")},),
        {"Preferences": Table(frame, "One row per measure: share of preferences with the sign of its scores; ties.")},
        (f"Left out: {shares.neither:,} for neither system, {shares.unused:,} without scores. {_NO_INTERVAL}",),
        (
            Fact(
                "most preferences with the sign of the scores",
                float(value[0]),
                tuple(top),
                "%",
                float(low[0]),
                float(high[0]),
                why="Equal scores count half",
            ),
        ),
    )


def _between_documents(study: Context, values: Values, user_preferences: Preferences) -> Panel:
    """How many of the preferences between documents the grades of every aspect or judge share."""
    collection = study.collection
    if (collection if collection.jury is None else collection.jury).documents is None:
        why = "There are preferences between documents, and no identifiers to find them by. Load the files with the "
        return Panel("", notes=(f"{why}identifiers of judged documents.",))
    agreement = study.remember(preferences, collection, user_preferences)
    assert isinstance(agreement, GradePreferences)
    fig = graded_preferences(list(agreement.names), agreement.counts)
    agree, against = agreement.counts[0, :2].tolist()
    return Panel(
        f"Grades against {int(agreement.counts[0].sum()):,} preferences between documents.",
        ({"documents": Drawing(fig, "Preferences between documents and their grades")},),
        {
            "Grades": Table(
                agreement.frame(),
                f"One row per {agreement.by}: preferences as its grades, against them, of one grade, or unjudged.",
            )
        },
        (f"Preferences for neither document, left out: {agreement.neither:,}.",) if agreement.neither else (),
        (
            Fact(
                "preferences as the grades",
                agree,
                agreement.names[:1],
                of=agree + against,
                why="Of those between judged documents of different grades",
            ),
        ),
    )


PAGE = Page(
    name="users",
    title="Users",
    question="Which measure do users agree with?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "groups", "users"}),
)
