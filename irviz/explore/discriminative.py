"""Discriminative power: how many pairs of systems does each measure separate, and which?"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import padded_range, rank_ticks, row_names
from irviz.figures.significance import P_VALUES, asl_curves, pair_height, pair_margin, pair_matrix
from irviz.figures.squares import MOST_CELLS
from irviz.figures.theme import BLUE, GREY, Floats, bar, escape_names, figure, plotly_escape, scatter
from irviz.stats.significance import METHODS, DiscriminativePower, Significance, discriminative_power
from irviz.workspace.analyses import SIGNIFICANCE, Snippet
from irviz.workspace.context import Context
from irviz.workspace.control import one_measure
from irviz.workspace.controls import EVERY
from irviz.workspace.facts import Fact, extremes
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table, square_table
from irviz.workspace.permissible import permissibility
from irviz.workspace.phrases import highest

# -- Systems in order, with a bar over the ranks that a test does not separate from each ------------

_DOT = 0.04  #: radius of a dot, as a share of an axis half as wide as a column of a paper
Runs = Sequence[tuple[int, int]]


def grouped_ranking(
    systems: Sequence[str],
    centres: Floats,
    runs: Runs,
    axis: str,
    highlights: Sequence[int] = (),
    every: bool = True,
) -> go.Figure:
    """One dot per system at its centre, best on top; right of it, a bar over the ranks not separated from its own.

    `runs` are the first and last positions of groups.
    """
    count, rows, names = len(systems), np.arange(len(systems)), escape_names(systems)
    first, last = reach(runs, count)
    look = {"showlegend": False, "y": rows}
    dot = {"mode": "markers", "marker": {"color": BLUE, "size": 8}, "cliponaxis": False, **look}
    words = [
        f"rank {i + 1}, not separated from others: {b - a}, ranks {a + 1} to {b + 1}"
        for i, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True))
    ]
    hover = "%{customdata}<br>%{x:.4f}<extra></extra>"
    dots = scatter(x=np.round(centres, 5), customdata=names, hovertemplate=hover, **dot)
    bars = bar(
        base=(first + 0.5).tolist(),
        x=last - first + 1,
        orientation="h",
        width=4 * count / pair_height(count),  # about four pixels: a line under the dot, seen on it in both themes
        xaxis="x2",
        marker={"color": GREY, "line": {"width": 0}},
        customdata=[[name, text] for name, text in zip(names, words, strict=True)],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
        **look,
    )
    rank_dots = scatter(x=rows + 1, xaxis="x2", hoverinfo="skip", **dot)
    fig = figure([dots, bars, rank_dots], pair_height(count), margin=pair_margin(count))
    fig.update_layout(
        xaxis={"domain": [0, 0.44], "title": {"text": plotly_escape(axis)}, "range": padded_range(centres)},
        xaxis2={
            "domain": [0.52, 1],
            "title": {"text": "ranks not separated"},
            "range": [0.5 - _DOT * count, count + 0.5 + _DOT * count],
            "zeroline": False,
            "tickangle": 0,
            **rank_ticks(count, most=8 if count < 10 else 3),
        },
    )
    fig.update_xaxes(side="top" if count > MOST_CELLS else "bottom")  # the top is seen first
    return row_names(fig, systems, highlights, every)


def reach(runs: Runs, count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """By position, the first and the last of the positions that share a group with it; its own without a group.

    >>> [ends.tolist() for ends in reach([(0, 2), (1, 3)], 5)]
    [[0, 0, 0, 1, 4], [2, 3, 3, 3, 4]]
    """
    first, last = np.arange(count), np.arange(count)
    for start, end in runs:
        group = slice(start, end + 1)
        first[group], last[group] = np.minimum(first[group], start), np.maximum(last[group], end)
    return first, last


# --------------------------------------------------------------------------------------------------


CONTROLS = (
    *SIGNIFICANCE.controls,
    one_measure("first", "Pairs and groups by", 0),
    one_measure("second", "compared with", 1),
    EVERY,
)


def panel(context: Context, values: Values) -> Panel:
    """ASL curves of all measures; one measure's groups; two measures' pairs."""
    method = METHODS[values["method"]]
    settings = {"trials": values["trials"], "seed": values["seed"], "workers": -1, "groups": context.units}
    tested = context.remember_by_measure(discriminative_power, context.scores(), values["method"], **settings)
    power = tested.with_alpha(values["alpha"])
    first = power.results[power.measures.index(values["first"])]
    family = f"all pairs of the {len(power.systems)} systems" if method.familywise else "none"
    groups = {"groups": groups_drawing(context.label(values["first"]), first, context.highlight, values["every"])}
    rows: tuple[dict[str, Drawing], ...] = (groups,)
    separate_all = all(1 < result.pairs == result.significant for result in power.results)
    if not separate_all:  # where every curve would lie on the axis, and all cells would be alike
        if values["first"] != values["second"]:
            rows = ({"matrix": _matrix(power, (values["first"], values["second"]), context, values["every"])} | groups,)
        curves = asl_curves(power.measures, power.asl, values["alpha"])
        of = "p-values of mean ranks" if values["method"] == "kruskal_tukey" else P_VALUES
        title = f"{of}: the further right a curve crosses α, the more pairs"
        rows = ({"asl": Drawing(curves, title)}, *rows)
    scales = permissibility(context, f"the test ({method.label})", method.scale)
    groups_of_first = [
        {"group": n, "systems": len(group), "best": group[0], "worst": group[-1], "members": ", ".join(group)}
        for n, group in enumerate(first.groups, start=1)
    ]
    return Panel(
        sentence=f"Pairs of systems that `{context.label(values['first'])}` separates: {first.significant:,} of "
        f"{first.pairs:,} ({method.label}, α = {values['alpha']:g}).",
        facts=_facts(power, first),
        drawings=rows,
        tables={
            "Measures": Table(
                power.frame().rename(columns={"ratio": "share"}),
                "One row per measure: pairs of systems with p < α, of all pairs.",
            ),
            "Pairs": Table(
                power.pair_frame().reset_index(),
                "One row per pair of systems, one column per measure: p-values.",
                names=power.measures,
            ),
            "Pairs in common": Table(
                square_table(power.measures, power.agreement()),
                "Pairs that the row and the column both separate; on the diagonal, that the measure separates.",
                names=power.measures,
            ),
            "Groups": Table(
                pd.DataFrame(groups_of_first),
                f"{values['first']}: one row per group, a longest stretch of the ranking without a separated pair.",
            ),
            "Scales": scales.table(),
        },
        notes=(
            scales.note,
            f"Correction of p-values: {family}; for the number of measures: none.",
            "Separating many pairs does not prove the separations correct.",
        ),
    )


def pair_kinds(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Floats:
    """systems × systems: 0 neither, 1 only the first, 2 only the second, 3 both; NaN below the diagonal and on it."""
    kinds = first.astype(np.float64) + 2.0 * second
    kinds[np.tril_indices(len(kinds))] = np.nan
    return kinds


def _matrix(power: DiscriminativePower, names: tuple[str, str], context: Context, every: bool) -> Drawing:
    styles = (power.measures.index(names[0]), power.measures.index(names[1]))
    first, second = (power.results[place] for place in styles)
    order = first.ranking
    kinds = pair_kinds(*(result.separated[np.ix_(order, order)] for result in (first, second)))
    systems = [first.systems[i] for i in order]
    fig = pair_matrix(systems, kinds, names, context.highlighted_positions(systems), styles, every)
    few = "Which pairs are separated by which measure"
    return Drawing(fig, few if len(systems) <= MOST_CELLS else "From how many others each system is separated")


def groups_drawing(name: str, result: Significance, highlighted: Collection[str] = (), every: bool = False) -> Drawing:
    """Every system with the ranks that are not separated from its own."""
    order = result.ranking
    systems = [result.systems[i] for i in order]
    place = {system: i for i, system in enumerate(systems)}
    runs = [(place[group[0]], place[group[-1]]) for group in result.groups if len(group) > 1]
    centre = "mean rank by" if result.method == "kruskal_tukey" else "mean"
    highlights = [i for i, system in enumerate(systems) if system in highlighted]
    fig = grouped_ranking(systems, result.centres[order], runs, f"{centre} {name}", highlights, every)
    return Drawing(fig, f"By {name}: ranks not separated (line) and a system's own (dot)")


def _facts(power: DiscriminativePower, result: Significance) -> tuple[Fact, ...]:
    """Measures that separate most and fewest pairs, and what the measure in hand says of the first system."""
    counts = dict(zip(power.measures, (each.significant for each in power.results), strict=True))
    centres = dict(zip(result.systems, result.centres.tolist(), strict=True))
    leaders = tuple(highest(centres))
    facts = [*extremes(counts, ("most pairs separated", "fewest"), of=result.pairs)]
    facts.append(Fact("first system", centres[leaders[0]], leaders))
    if len(leaders) == 1 and len(centres) > 1:
        others = len(centres) - 1
        facts.append(Fact("separated from the first", others - len(result.not_separated_from(leaders[0])), of=others))
    if not METHODS[result.method].familywise:
        why = "Each pair is tested by itself: so many would be separated if no two systems differed."
        facts.append(Fact("pairs separated by chance, about", round(result.alpha * result.pairs), why=why))
    if result.across:
        why = "Pairs that are not separated although systems between them are; no line in the figure shows them."
        facts.append(Fact("not separated across others", len(result.across), why=why))
    return tuple(facts)


PAGE = Page(
    name="discriminative",
    title="Discriminative power",
    question="How many pairs of systems does each measure separate?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "highlights", "baseline", "groups"}),
    snippet=Snippet(SIGNIFICANCE, "Measures", part="counts"),
)
