"""Judges: would another judge change the conclusion?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.explore.corrected import PEOPLE, correction, first_pair
from irviz.figures.axes import axis, chart, line_at, named_bars, named_ticks, round_values
from irviz.figures.direct import line_style
from irviz.figures.ranking import ranking, slope
from irviz.figures.squares import coefficients, write_cells
from irviz.figures.theme import (
    SEQUENTIAL,
    Floats,
    colour_bar,
    figure,
    heatmap,
    plotly_escape,
    row_height,
    scatter,
    whiskers,
)
from irviz.stats.correlation import movers
from irviz.stats.judges import ALPHA, CHANGES, Judges, judges
from irviz.stats.replacing import MERGING_RULES, Replacement, map_grades, merge_judges, replaced
from irviz.stats.similarity import top_agreement
from irviz.workspace.cache import compute_once
from irviz.workspace.context import MOST_HIGHLIGHTED, Context
from irviz.workspace.control import Choice, Number, Text, excerpt, one_measure
from irviz.workspace.controls import SEED, repeats, trials
from irviz.workspace.facts import Fact, counted, extremes
from irviz.workspace.page import Page, Values, lacking
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import spell

# -- The figures of several judges: which grades two judges give, and τ as judgments are replaced --


def confusion_square(
    rows: Sequence[str], columns: Sequence[str], counts: NDArray[np.int64], names: tuple[str, str]
) -> go.Figure:
    """Documents by the grade of the first judge (down) and of the second (across); shade is the share of a row."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    cells = heatmap(
        z=np.round(shares.astype(np.float32), 3),
        x=list(columns),
        y=list(rows),
        zmin=0,
        zmax=1,
        colorscale=SEQUENTIAL,
        customdata=counts,
        xgap=2,
        ygap=2,
        colorbar=colour_bar("share of the row"),
        hovertemplate="grade %{y}, then %{x}: %{customdata:,} documents<extra></extra>",
    )
    fig = figure([cells], int(max(260, 110 + 48 * len(rows))), dragmode=False)
    fig.update_xaxes(
        title_text=f"grade by {plotly_escape(names[1])}", side="top", showgrid=False, **named_ticks(columns, 30)
    )
    fig.update_yaxes(
        title_text=f"grade by {plotly_escape(names[0])}", autorange="reversed", showgrid=False, **named_ticks(rows, 30)
    )
    small = "<span style='font-size:11px'>"
    texts = [
        [f"<b>{share:.0%}</b><br>{small}{count:,}</span>" for share, count in zip(*row, strict=True)]
        for row in zip(shares.tolist(), counts.tolist(), strict=True)
    ]
    return write_cells(fig, texts, shares, SEQUENTIAL, 14)


def tau_bars(measures: Sequence[str], tau: Floats, most: int = 22) -> go.Figure:
    """Kendall's τ between two rankings, one bar per name of at most so many letters; nothing where it is undefined."""
    look = {"text": [spell(value, 3) for value in tau], "insidetextfont": {"color": "#FFFFFF"}}
    hover = "%{y}: τ %{x:.4f}<extra></extra>"
    fig = named_bars(measures, tau, row_height(len(measures), 240, 30), hover, textposition="auto", **look)
    fig.update_xaxes(title_text="Kendall's τ", range=[min(0.0, float(np.nanmin(np.append(tau, 0)))) - 0.02, 1.02])
    return fig.update_yaxes(**named_ticks(measures, 60, most))


def tau_curve(
    x: Sequence[float],
    tau: Floats,
    across: dict[str, Any],
    hover: str,
    lines: Sequence[dict[str, Any]],
    low: Floats | None = None,
    high: Floats | None = None,
) -> go.Figure:
    """Kendall's τ along `x`, with whiskers from `low` to `high`; nothing where it is undefined."""
    ends = {} if low is None or high is None else {"error_y": whiskers(tau, low, high, thickness=1, width=3)}
    style = line_style(0)
    curve = scatter(x=list(x), y=round_values(tau, 4), mode="lines+markers", hovertemplate=hover, **ends, **style)
    bottom = min(0.0, float(np.nanmin(np.append(tau if low is None else low, 0.0))))
    return chart([curve], 320, across, axis("Kendall's τ", [bottom - 0.02, 1.02]), lines)


# -- Families of systems, by what their names have in common ---------------------------------------

OTHERS = "other"


def families_of(systems: Sequence[str], text: str) -> dict[str, list[str]]:
    """Systems by family, given such as ``gpt: gpt|openai; bm25: ^p_bm25``: parts of names, in any case; ^ is the start.

    The first family that fits counts; the rest are `OTHERS`. Without a text, families are the letters that names begin
    with.

    >>> families_of(["p_bm25", "p_gpt", "uogTr2", "OpenAI-1"], "")
    {'p': ['p_bm25', 'p_gpt'], 'uogTr': ['uogTr2'], 'OpenAI': ['OpenAI-1']}
    >>> families_of(["p_bm25", "p_gpt", "uogTr2", "OpenAI-1"], "llm: gpt|openai; ^p_")
    {'llm': ['p_gpt', 'OpenAI-1'], '^p_': ['p_bm25'], 'other': ['uogTr2']}
    """
    families: dict[str, list[str]] = {}
    if not text.strip():
        for name in systems:
            start = "".join(takewhile(str.isalpha, name))
            families.setdefault(start or name, []).append(name)
        return families
    parts = _family_parts(text)
    for name in systems:
        folded = name.casefold()
        fits = (family for family, patterns in parts.items() if any(part in f"^{folded}" for part in patterns))
        families.setdefault(next(fits, OTHERS), []).append(name)
    return {name: families[name] for name in dict.fromkeys((*parts, OTHERS)) if name in families}


def _family_parts(text: str) -> dict[str, list[str]]:
    """Family → what the names of its systems contain; refused where one says nothing."""
    parts: dict[str, list[str]] = {}
    for entry in filter(None, (piece.strip() for piece in text.split(";"))):
        family, colon, rest = entry.partition(":")
        patterns = [part.strip().casefold() for part in (rest if colon else entry).split("|")]
        if not family.strip() or not all(part.removeprefix("^") for part in patterns):
            raise IrvizError(f"The family `{excerpt(entry)}` lacks a name or a pattern. Write `gpt: gpt|openai; bm25`.")
        parts.setdefault(family.strip(), []).extend(patterns)
    return parts


# -- Further answers below two judges' rankings, computed when they are asked for ------------------


def swaps_section(comparison: Judges, first: str, second: str) -> Panel:
    """Pairs of systems about which the two judges disagree."""
    if len(comparison.common(first, second)) < 2:
        raise IrvizError(f"Only one topic was judged by both `{first}` and `{second}`; a significance test needs two.")
    rows = comparison.flips  # whichever judge was named first when they were computed
    rows = rows[rows["first"].isin((first, second)) & rows["second"].isin((first, second))].reset_index(drop=True)
    counts = rows.groupby(["measure", "change"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(index=list(comparison.measures), columns=list(CHANGES), fill_value=0)
    counts = counts.rename_axis(index="measure", columns=None).reset_index()
    systems = len(comparison.systems)
    total = systems * (systems - 1) // 2 * len(comparison.measures)
    words = ("change their order", "gain significance", "lose significance")
    why = f"over all measures; randomised Tukey HSD over all {systems} systems, α = {comparison.level:g}"
    changes = zip(words, counts[list(CHANGES)].sum().tolist(), strict=True)
    return Panel(
        "",
        facts=tuple(Fact(f"pairs that {word}", count, of=total, why=why) for word, count in changes),
        tables={
            "By measure": Table(
                counts, "One row per measure: pairs that change their order, gain or lose significance."
            ),
            "Pairs": Table(rows, "One row per pair of systems that changes."),
        },
    )


#: what `irviz.stats.judges.exchange_test` returns
_TESTED = "by chance (95% of exchanges of the judges on random topics), p corrected for all rows of the judge (maxT)"


def favoured_section(context: Context, comparison: Judges, m: int, first: str, second: str) -> Panel:
    """How many ranks every system gains under the second judge, and by chance."""
    reference, rows = comparison.judges[0], comparison.favoured
    judge = second if first == reference else first
    rows = rows[(rows["measure"] == comparison.measures[m]) & (rows["judge"] == judge)]
    rows = rows.sort_values("shift", ascending=False, kind="stable")
    if rows.empty:
        return Panel(
            f"Shifts are counted against `{reference}`, the first judge; choose another judge to compare with it."
        )
    shift, chance, p = rows[["shift", "chance", "p_adjusted"]].to_numpy(dtype=float).T
    moved = Fact(
        f"systems that {judge} moves by more ranks than chance",
        int((np.abs(shift) > chance).sum()),
        of=len(rows),
        why=f"compared with {reference}; expected, if none is favoured: at most {ALPHA * len(rows):.2g}",
    )
    sure = Fact("significantly", int((p < ALPHA).sum()), of=len(rows), why="p < .05, corrected for all systems")
    axis = f"ranks gained under {judge}, by {context.label(comparison.measures[m])}"
    drawn = _gained(list(rows["system"]), rows, axis, context.highlighted_positions(list(rows["system"])))
    frame = rows.assign(topics=[", ".join(topics) for topics in rows["topics"]])
    about = f"One row per system: the ranks it gains, {_TESTED}; and the topics that drive it."
    return Panel("", ({"shift": drawn},), {"Shifts": Table(frame, about)}, facts=(moved, sure))


def _gained(names: Sequence[str], rows: pd.DataFrame, axis: str, highlights: Sequence[int] = ()) -> Drawing:
    """Ranks gained by systems or families, a row each, ± by chance."""
    shift, chance = rows[["shift", "chance"]].to_numpy(dtype=float).T
    fig = ranking(
        names, shift, shift - chance, shift + chance, axis, np.arange(1, len(rows) + 1), highlights, zero=True
    )
    return Drawing(fig, "Ranks gained ± by chance; an open circle where that includes zero")


def families_section(context: Context, comparison: Judges, m: int, first: str, second: str, text: str) -> Panel:
    """How many ranks families of systems gain under each judge against the first of the two that are compared."""
    families = families_of(comparison.systems, text)
    rows = comparison.by_family(comparison.measures[m], families, first)
    second_rows = rows[rows["judge"] == second]
    rows = pd.concat([second_rows, rows[rows["judge"] != second]], ignore_index=True)
    gains = dict(zip(second_rows["family"], second_rows["shift"], strict=True))
    sure = second_rows[second_rows["p_adjusted"] < ALPHA]["family"]
    empty = [name for name in _family_parts(text) if name not in families]
    facts = [
        *extremes(gains, ("most ranks gained", "fewest"), digits=1),
        Fact("significantly", len(sure), tuple(sure), of=len(gains), why="p < .05, corrected for all families"),
        *counted("families without a system", empty, "no name fits, or an earlier one"),
    ]
    about = f"One row per judge and family: how many systems it has, the ranks they gain on average, {_TESTED}."
    members = pd.DataFrame([(family, name) for family, names in families.items() for name in names])
    names = [f"{family} ({size})" for family, size in zip(second_rows["family"], second_rows["systems"], strict=True)]
    axis = f"mean ranks gained under {second} against {first}, by {context.label(comparison.measures[m])}"
    return Panel(
        "",
        ({"families": _gained(names, second_rows, axis)},),
        {
            "Families": Table(rows, about),
            "Members": Table(members.set_axis(["family", "system"], axis=1), "One row per system: its family."),
        },
        notes=("Chance is over topics, not over other systems of these families.",),
        facts=tuple(facts),
    )


def topic_by_topic(comparison: Judges, m: int, pair: tuple[int, int]) -> Panel:
    """τ of the systems and κ of the grades, one row per topic."""
    a, b = pair
    frame = pd.DataFrame(
        {
            "topic": list(comparison.topics),
            "τ of the systems": comparison.tau_by_topic[m, :, a, b],
            "κ of the grades": comparison.kappa_by_topic[:, a, b],
            "α of all judges": comparison.alpha_by_topic,
        }
    )[comparison.judged[a] & comparison.judged[b]]
    taus = frame["τ of the systems"].dropna()
    why = "no topic orders the systems under both judges"
    median = Fact("median", float(taus.median()) if len(taus) else np.nan, unit="τ", digits=2, why=why)
    ordered = frame.sort_values("τ of the systems", kind="stable")
    return Panel("", tables={"Topics": Table(ordered, "One row per topic, least agreement first.")}, facts=(median,))


def replacement_curve(agreement: Replacement, m: int) -> go.Figure:
    """τ by a measure against the share of judgments replaced, from the lowest to the highest of the repeats."""
    tau, repeated = agreement.tau[m], agreement.repeats[m]
    low, high = (np.where(np.isfinite(tau), end(repeated, axis=1), tau) for end in (np.fmin.reduce, np.fmax.reduce))
    across = axis("share of the judgments replaced", [-0.03, 1.03], tickformat=".0%")
    hover = "%{x:.0%} replaced: τ %{y:.3f}<extra></extra>"
    return tau_curve(agreement.shares, tau, across, hover, [line_at(y=0.9)], low, high)


def replacing_section(
    context: Context, whole: Collection, first: str, second: str, values: Values, measure: str
) -> Panel:
    """τ against the share of judgments taken from the second judge."""
    how = {"repeats": values["repeats"], "seed": values["seed"], "unit": values["unit"], "summary": context.summary}
    agreement = context.remember(replaced, whole, context.measures, first, second, **how)
    m = agreement.measures.index(measure)
    needed, fall = agreement.needed(measure), agreement.falls(measure)
    defined = np.isfinite(agreement.tau[m]).any()
    why = "τ is never that high" if defined else "all systems tie"
    facts = [Fact("judgments needed for τ of .9 or more", np.nan if needed is None else needed, why=why)]
    if needed is not None:
        facts = [replace(facts[0], of=int(agreement.left[0]), why=f"judgments of {first}, the others of {second}")]
    if fall is not None:
        facts.append(Fact(f"with {fall[0]:.0%} replaced", fall[1], unit="τ", why="all systems tie"))
    span = f"lowest to highest of repeats: {values['repeats']}"
    fig = replacement_curve(agreement, m)
    about = "One row per measure, share and repeat: τ, pairs in the opposite order, judgments left."
    return Panel(
        "",
        ({"replaced": Drawing(fig, f"Agreement as judgments are replaced (line: mean, whisker: {span})")},),
        {"Replaced": Table(agreement.frame(), about)},
        facts=tuple(facts),
    )


# --------------------------------------------------------------------------------------------------

EXAMPLE = "adhoc"  #: a bundled collection with two judges
OFF, MERGED = "off", "merged judge"
FEW_GRADES = 20  #: up to this many grades, a slider stops at each
THRESHOLDS = ("from", "from2", "from3")  #: controls of the lowest grades that are mapped to 1, 2 and 3
MERGING = {
    OFF: "none",
    "majority": "the most frequent grade",
    "mean": "the mean grade",
    "lowest": "the lowest grade",
    "highest": "the highest grade",
}
assert set(MERGING) - {OFF} == set(MERGING_RULES)


def _judge(position: int) -> Any:
    def fields(context: Context) -> dict[str, Any]:
        collection = context.dataset.collection
        if collection is None or collection.jury is None or len(collection.judges) < 2:
            return {"options": (), "default": ""}
        options = tuple((name, name) for name in (*collection.judges, MERGED))
        return {"options": options, "default": compute_once(first_pair, collection.jury)[position]}

    return fields


def _grades_as_stops(context: Context) -> dict[str, Any]:
    """A slider over the grades that judges gave, where these are few; else a field for a number."""
    collection = context.dataset.collection
    grades = () if collection is None else tuple(sorted({grade for scale in collection.grades for grade in scale}))
    return {"stops": grades, "step": 0.0, "slider": True} if 0 < len(grades) <= FEW_GRADES else {}


def _threshold(level: int) -> Number:
    """The lowest grade that is mapped to `level`."""
    return Number(
        name=THRESHOLDS[level - 1],
        label=f"Count as {('relevant' if level == 1 else level)} from grade",
        help=f"The second judge's grades from this one on become {level}. Leftmost: none.",
        low=0,
        high=100,
        step=1,
        default=None,
        empty="as they are" if level == 1 else "none",
        slider=False,
        from_context=_grades_as_stops,
        aside=True,
        shown_if=None if level == 1 else lambda values: values[THRESHOLDS[level - 2]] is not None,
    )


def _asks_for_merged(values: Values) -> bool:
    return MERGED in (values["first"], values["second"])


TOP = Number(
    name="top",
    label="First k systems",
    help="Among how many of the best systems the two rankings are compared.",
    low=2,
    high=2,
    whole=True,
    default=2,
    from_context=lambda context: {
        "high": max(2, len(context.systems)),
        "default": max(2, min(10, len(context.systems))),
    },
)
CONTROLS = (
    one_measure("measure", "Measure"),
    Choice(name="first", label="First judge", help="The reference, such as people.", from_context=_judge(0)),
    Choice(
        name="second",
        label="Second judge",
        help="The judge who is compared with the first, such as a machine.",
        from_context=_judge(1),
    ),
    *PEOPLE,
    TOP,
    Choice(
        name="merge",
        label="Grade of the merged judge",
        default="majority",
        options=tuple((name, words) for name, words in MERGING.items() if name != OFF),
        help="How all judges' grades of a document become one. Of equally frequent grades, the lowest is taken.",
        shown_if=_asks_for_merged,
    ),
    *(_threshold(level) for level in (1, 2, 3)),
    Text(
        name="families",
        label="Families of systems",
        help="Parts of names by family: gpt: gpt|openai; bm25: ^p_bm25 (^: at the start). The first that fits counts.",
        most=2000,
        empty="by the letters that names begin with",
        aside=True,
    ),
    trials(1000, 10_000, low=100),
    repeats(5, high=50),
    Choice(
        name="unit",
        label="Replaced judgments",
        default="documents",
        options=(("documents", "a share of every topic's documents"), ("topics", "whole topics")),
        aside=True,
    ),
    SEED,
)


def panel(context: Context, values: Values) -> Panel:
    """Two judges' rankings and their grades; the details where they are asked for."""
    if not PAGE.offers_choices(context.dataset):
        return lacking(context, "judgments of a second judge", "judges", EXAMPLE)
    if len(context.systems) < 2:
        raise IrvizError("Judges are compared by their rankings of systems; there is only one. Choose more.")
    if values["first"] == values["second"]:
        raise IrvizError(f"Both judges are `{values['first']}`. Choose another one to compare it with.")
    collection, first, second = with_derived_judges(context, values)
    drawn = {"seed": values["seed"], "trials": values["trials"]}
    comparison = context.remember(judges, collection, context.measures, summary=context.summary, **drawn)
    pair = (comparison.judges.index(first), comparison.judges.index(second))
    if not comparison.common(first, second):
        raise IrvizError(f"No topic was judged by both `{first}` and `{second}`. Choose another judge.")
    m = comparison.measures.index(values["measure"]) if values["measure"] in comparison.measures else 0
    measure, names = comparison.measures[m], (first, second)
    called = context.label(measure)
    ranks = np.stack([comparison.ranks[m, pair[0], pair[1]], comparison.ranks[m, pair[1], pair[0]]])
    moved = [i for i in movers(ranks) if comparison.systems[i] not in context.highlight]
    named = [*context.highlighted_positions(comparison.systems), *moved][:MOST_HIGHLIGHTED]
    top, top_table = at_the_top(context, ranks, names, values["top"])
    tau = Fact("τ", comparison.tau[m, pair[0], pair[1]])
    corrected = correction(context, collection, values, names, measure)
    return Panel(
        sentence=f"`{first}` and `{second}`: τ {tau.number} of {len(comparison.systems)} systems by `{called}`; "
        f"common topics: {len(comparison.common(first, second)):,}.",
        drawings=(
            *corrected.drawings,
            {
                "ranks": Drawing(
                    slope(comparison.systems, ranks[0], ranks[1], (first, second), named),
                    f"Ranks by {called} under both judges",
                ),
                "grades": _confusion(comparison, first, second),
            },
            {"best": top, **_taus(context, comparison, m, pair)},
        ),
        tables={
            **corrected.tables,
            "Judges": Table(
                comparison.frame(),
                "One row per measure and pair of judges, on their common topics; the first is the reference of τ_AP.",
            ),
            "Ranks": Table(
                comparison.rank_changes(measure, first, second).rename(columns={"first": first, "second": second}),
                "One row per system: its rank under both judges, largest change first.",
                digits=0 if (ranks == ranks.round()).all() else 1,  # systems that tie share the mean of their ranks
                names=(first, second),
            ),
            "Top": top_table,
        },
        notes=corrected.notes,
        facts=(*corrected.facts, *_agreement(comparison, *pair)),
        folds={
            "Pairs of systems that change order, gain or lose significance": partial(swaps_section, comparison, *names),
            "Systems that a judge favours": partial(favoured_section, context, comparison, m, *names),
            "Families of systems that a judge favours": partial(
                families_section, context, comparison, m, *names, values["families"]
            ),
            "Topic by topic": partial(topic_by_topic, comparison, m, pair),
            "What if judgments were replaced": partial(replacing_section, context, collection, *names, values, measure),
        },
    )


def _agreement(comparison: Judges, a: int, b: int) -> tuple[Fact, ...]:
    """Raw agreement, κ and their gap: of grades, or of relevant or not where the judges give different grades."""
    what, raw, kappa, why = "", comparison.raw_agreement[a, b], comparison.kappa[a, b], "of the grades"
    if comparison.grades_differ(comparison.judges[a], comparison.judges[b]):
        what, raw, kappa = ", relevant or not", comparison.raw_binary[a, b], comparison.kappa_binary[a, b]
        why = f"different grades: relevant is above {comparison.lowest[a]:g} and above {comparison.lowest[b]:g}"
    numbers = {f"raw agreement{what}": raw, "κ": kappa, "gap": raw - kappa}
    return tuple(Fact(label, float(value), digits=2, why=why) for label, value in numbers.items())


# -- Agreement at the top, here and between measures -----------------------------------------------


def tau_by_k(systems: Sequence[str], ranks: Floats) -> pd.DataFrame:
    """:func:`irviz.top_agreement` of two rankings, 2 × systems."""
    return top_agreement(*(pd.Series(-row, index=list(systems)) for row in ranks))


def at_the_top(context: Context, ranks: Floats, names: tuple[str, str], k: int) -> tuple[Drawing, Table]:
    """τ of two rankings (2 × systems) among the first k systems of the first one, for every k."""
    agreement = context.remember(tau_by_k, context.systems, ranks)
    tau = Fact(f"with {names[1]}, k = {k}", float(agreement["tau"][k - 2]), unit="τ", why="tied")
    about = f"One row per k: the first k systems by {names[0]} with those that tie, and τ with {names[1]} among them."
    title = f"Kendall's τ among the first k systems by {names[0]}"
    across = axis("k", [1, len(agreement) + 2])
    curve = tau_curve(
        agreement["k"].tolist(), agreement["tau"].to_numpy(), across, "k = %{x}: τ %{y:.3f}", [line_at(x=k)]
    )
    return Drawing(curve, title, facts=(tau,)), Table(agreement, about)


def with_derived_judges(context: Context, values: Values) -> tuple[Collection, str, str]:
    """The collection with the judges that are made here, and the names of the two that are compared."""
    collection = context.collection
    first, second = values["first"], values["second"]
    if _asks_for_merged(values):
        collection = merge_judges(collection, values["merge"], name=MERGED)
    if limits := list(takewhile(lambda limit: limit is not None, (values[name] for name in THRESHOLDS))):
        name = f"{second}, mapped: " + ", ".join(f"{grade} from {limit:g}" for grade, limit in enumerate(limits, 1))
        collection, second = map_grades(collection, second, limits, name=name), name
    return collection, first, second


def _confusion(comparison: Judges, first: str, second: str) -> Drawing:
    counts = comparison.confusion(first, second)
    nonempty = counts.loc[counts.sum(axis=1) > 0, counts.sum(axis=0) > 0]
    rows, columns = ([str(name) for name in names] for names in (nonempty.index, nonempty.columns))
    return Drawing(
        confusion_square(rows, columns, nonempty.to_numpy(), (first, second)), "Which grades the two judges give"
    )


def _taus(context: Context, comparison: Judges, m: int, pair: tuple[int, int]) -> dict[str, Drawing]:
    """τ of the two judges by every measure; and between all judges, where there are more."""
    first, second = (comparison.judges[place] for place in pair)
    title = f"Kendall's τ between {first} and {second}, under every measure"
    tau = comparison.tau[:, pair[0], pair[1]]
    order = np.argsort(-tau, kind="stable")
    rows = {"tau": Drawing(tau_bars([comparison.measures[i] for i in order], tau[order]), title)}
    if len(comparison.judges) > 2:
        square = coefficients(comparison.judges, comparison.tau[m], "Kendall's τ")
        rows["all"] = Drawing(square, f"Kendall's τ between all judges, by {context.label(comparison.measures[m])}")
    return rows


PAGE = Page(
    name="judges",
    title="Judges",
    question="Would another judge change the conclusion?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "highlights", "baseline", "judges"}),
)
