"""Judges: would another judge change the conclusion?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations, takewhile
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError, number_of, verb
from irviz.figures.axes import named_bars, named_ticks, round_values, row_names
from irviz.figures.direct import line_style, name_ends
from irviz.figures.ranking import ranking, slope
from irviz.figures.squares import coefficients, write_cells
from irviz.figures.theme import (
    GREY,
    SEQUENTIAL,
    Floats,
    colour_bar,
    escape_names,
    figure,
    heatmap,
    plotly_escape,
    row_height,
    scatter,
    whiskers,
)
from irviz.stats.correlation import movers
from irviz.stats.judges import ALPHA, Judges, judged_topics, judges
from irviz.stats.replacing import MERGING_RULES, map_grades, merge_judges, replaced
from irviz.workspace.cache import compute_once
from irviz.workspace.context import MOST_HIGHLIGHTED, Context
from irviz.workspace.control import Choice, Number, Text, excerpt, one_measure
from irviz.workspace.controls import SEED, repeats, trials
from irviz.workspace.page import Page, Values, lacking
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import quote_names, spell

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


def replacing_lines(
    measures: Sequence[str], shares: Sequence[float], tau: Floats, low: Floats, high: Floats
) -> go.Figure:
    """τ with the first judge alone against the share of judgments replaced; the whisker spans the repeats.

    The lines of measures stand a little apart, so that their whiskers do, and are named at their ends.

    Parameters
    ----------
    tau, low, high : measures × shares; NaN where undefined
    """
    traces = []
    apart = 0.03 / max(len(measures) - 1, 3)
    for i, name in enumerate(measures):
        traces.append(
            scatter(
                x=[share + (i - (len(measures) - 1) / 2) * apart for share in shares],
                y=round_values(tau[i], 4),
                mode="lines+markers",
                customdata=list(shares),
                showlegend=False,
                name=plotly_escape(name),
                error_y=whiskers(tau[i], low[i], high[i], thickness=1, width=3),
                hovertemplate="%{customdata:.0%} replaced: τ %{y:.3f}<extra>" + plotly_escape(name) + "</extra>",
                **line_style(i),
            )
        )
    fig = figure(traces, 400)
    fig.add_hline(y=0.9, line={"color": GREY, "width": 1, "dash": "dot"})
    fig.add_annotation(text="τ 0.9", x=0, xref="paper", xanchor="left", y=0.9, yanchor="top", showarrow=False)
    fig.update_xaxes(title_text="share of the judgments replaced", tickformat=".0%", range=[-0.03, 1.03])
    bottom = max(-1.05, float(np.nanmin(np.append(low, 0.88))) - 0.04)
    fig.update_yaxes(title_text="Kendall's τ with the first judge alone", range=[bottom, 1.02])
    name_ends(fig, measures, tau, bottom, 1.0, 400)
    return fig


def family_gains(rows: pd.DataFrame, reference: str, measure: str) -> go.Figure:
    """Ranks gained on average by families of systems, a row each; every judge has its colour and sign.

    Parameters
    ----------
    rows : as :meth:`irviz.stats.judges.Judges.by_family` returns them, families in the order of the figure
    """
    sizes = dict(zip(rows["family"], rows["systems"], strict=True))
    names, written = list(sizes), [f"{name} ({size})" for name, size in sizes.items()]
    judged = list(dict.fromkeys(rows["judge"]))
    height = row_height(len(names), 280, 18 + 10 * len(judged))
    traces = []
    for i, judge in enumerate(judged):
        judge_rows = rows[rows["judge"] == judge].set_index("family").loc[names]
        offset = (i - (len(judged) - 1) / 2) * 0.7 / len(judged)
        shift, chance = judge_rows["shift"], judge_rows["chance"]
        traces.append(
            scatter(
                x=shift.round(4).tolist(),
                y=(np.arange(len(names)) + offset).tolist(),
                mode="markers",
                name=plotly_escape(judge),
                error_x=whiskers(*map(np.asarray, (shift, shift - chance, shift + chance)), thickness=1.5, width=0),
                marker=line_style(i)["marker"],
                customdata=list(zip(escape_names(written), judge_rows["p_adjusted"], strict=True)),
                hovertemplate="%{customdata[0]}: %{x:+.2f} ranks, corrected p %{customdata[1]:.3~g}"
                f"<extra>{plotly_escape(judge)}</extra>",
            )
        )
    fig = figure(traces, height + 60, margin={"t": 100})
    fig.add_vline(x=0, line={"color": GREY, "width": 2})
    title = f"mean ranks gained against {plotly_escape(reference)}, by {plotly_escape(measure)}"
    fig.update_xaxes(title_text=title, side="top")
    return row_names(fig, written)


# -- Families of systems, by what their names have in common ---------------------------------------

OTHERS = "other"


def families_of(systems: Sequence[str], text: str) -> dict[str, list[str]]:
    """Systems by family.

    Parameters
    ----------
    text : str
        Such as ``gpt: gpt|openai; bm25: ^p_bm25``: a family, and what the names of its systems contain, whatever
        the case; after ``^`` what they begin with.  The first family that fits counts; the rest are `OTHERS`.  A name
        alone is also what its systems contain.  Empty: by the letters that names begin with.

    Examples
    --------
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
        fits = (family for family, patterns in parts.items() if any(_contains(folded, part) for part in patterns))
        families.setdefault(next(fits, OTHERS), []).append(name)
    return {name: families[name] for name in dict.fromkeys((*parts, OTHERS)) if name in families}


def _families_note(systems: Sequence[str], text: str) -> str:
    """A sentence on families that a person names: those without a system, or that the text names none; or nothing."""
    try:
        families = families_of(systems, text)
    except IrvizError as error:
        return str(error)
    empty = [name for name in _family_parts(text) if name not in families] if text.strip() else []
    why = "no name fits the pattern, or an earlier family has those that do."
    many = verb(len(empty), "family", "families")
    return f"The {many} {quote_names(empty)} {verb(len(empty), 'has', 'have')} no system: {why}" if empty else ""


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


def _contains(name: str, part: str) -> bool:
    return name.startswith(part[1:]) if part.startswith("^") else part in name


# -- Further answers below two judges' rankings, computed when they are asked for ------------------


def swaps_section(comparison: Judges, first: str, second: str) -> Panel:
    """Pairs of systems about which the two judges disagree."""
    if len(comparison.common(first, second)) < 2:
        raise IrvizError(f"{comparison.pair_sentence(first, second)} A significance test needs at least two topics.")
    rows = comparison.flips  # whichever judge was named first when they were computed
    rows = rows[rows["first"].isin((first, second)) & rows["second"].isin((first, second))].reset_index(drop=True)
    counts = rows.groupby(["measure", "change"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(index=list(comparison.measures), columns=["turns", "gains", "loses"], fill_value=0)
    counts = counts.rename_axis(index="measure", columns=None).reset_index()
    total = len(comparison.systems) * (len(comparison.systems) - 1) // 2
    turn, gain, lose = counts[["turns", "gains", "loses"]].sum().tolist()
    sentence = (
        f"Over {number_of(len(comparison.measures), 'measure')}, {turn:,} of {total * len(comparison.measures):,} "
        f"pairs of systems change their order from `{first}` to `{second}`, {gain:,} gain significance and {lose:,} "
        "lose it."
    )
    return Panel(
        sentence,
        tables={
            "By measure": Table(
                counts, "One row per measure: pairs that change their order, gain or lose significance."
            ),
            "Pairs": Table(rows, "One row per pair of systems that changes."),
        },
        notes=(
            f"Tested by randomised Tukey HSD over all {len(comparison.systems)} systems, α = {comparison.level:g}.",
        ),
    )


#: what `irviz.stats.judges.exchange_test` returns
_TESTED = (
    "by chance (95% of exchanges of the two judges on random topics stay within this many ranks), p corrected for all "
    "rows of the judge together (maxT over the same exchanges)"
)


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
    moved, corrected = int((np.abs(shift) > chance).sum()), int((p < ALPHA).sum())
    sentence = (
        f"Compared with `{reference}`, `{judge}` moves {moved} of {len(rows)} systems by more ranks than chance "
        f"(expected, if none is favoured: at most {ALPHA * len(rows):.2g}), {corrected} of them significantly "
        f"(p < .05, corrected for {number_of(len(rows), 'system')})."
    )
    systems = list(rows["system"])
    axis, places = f"ranks gained under {judge}, by {comparison.measures[m]}", np.arange(1, len(rows) + 1)
    highlights = context.highlighted_positions(systems)
    fig = ranking(systems, shift, shift - chance, shift + chance, axis, places, highlights, zero=True)
    frame = rows.assign(topics=[", ".join(topics) for topics in rows["topics"]])
    about = f"One row per system: the ranks it gains, {_TESTED}; and the topics that drive it."
    return Panel(
        sentence,
        ({"shift": Drawing(fig, "Ranks gained ± by chance; an open circle where that includes zero")},),
        {"Shifts": Table(frame, about)},
    )


def families_section(comparison: Judges, m: int, first: str, second: str, text: str) -> Panel:
    """How many ranks families of systems gain under each judge against the first of the two that are compared."""
    families = families_of(comparison.systems, text)
    rows = comparison.by_family(comparison.measures[m], families, first)
    second_rows = rows[rows["judge"] == second]
    rows = pd.concat([second_rows, rows[rows["judge"] != second]], ignore_index=True)
    best, sure = second_rows.iloc[0], second_rows[second_rows["p_adjusted"] < ALPHA]
    gaining = "no family gains ranks"
    if best["shift"] > 0:
        family = f"the family `{best['family']}` ({number_of(int(best['systems']), 'system')})"
        gaining = f"{family} gains most, {best['shift']:.1f} ranks on average"
    moving = f"{quote_names(sure['family'])} {verb(len(sure), 'moves', 'move')}" if len(sure) else "none moves"
    sentence = (
        f"Under `{second}`, compared with `{first}`, {gaining}. Corrected for "
        f"{number_of(len(second_rows), 'family', 'families')}, {moving} significantly (p < .05)."
    )
    about = f"One row per judge and family: how many systems it has, the ranks they gain on average, {_TESTED}."
    members = pd.DataFrame([(family, name) for family, names in families.items() for name in names])
    drawn = family_gains(rows, first, comparison.measures[m])
    return Panel(
        sentence,
        ({"families": Drawing(drawn, "Ranks gained ± by chance, by family and judge")},),
        {
            "Families": Table(rows, about),
            "Members": Table(members.set_axis(["family", "system"], axis=1), "One row per system: its family."),
        },
        notes=(
            "The families are those under Families of systems, among the page's choices; chance is that of topics: "
            "nothing is said of other systems of these families.",
        ),
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
    taus = frame["τ of the systems"]
    known = taus[np.isfinite(taus)]
    sentence = (
        f"Topic by topic, τ by `{comparison.measures[m]}` is {spell(float(known.median()), 2)} on the median topic."
        if len(known)
        else f"By `{comparison.measures[m]}`, no topic orders the systems under both judges."
    )
    ordered = frame.sort_values("τ of the systems", kind="stable")
    return Panel(sentence, tables={"Topics": Table(ordered, "One row per topic, least agreement first.")})


def replacing_section(
    context: Context, whole: Collection, first: str, second: str, values: Values, measure: str
) -> Panel:
    """τ against the share of judgments taken from the second judge."""
    how = {"repeats": values["repeats"], "seed": values["seed"], "unit": values["unit"], "summary": context.summary}
    agreement = context.remember(replaced, whole, context.measures, first, second, **how)
    with np.errstate(all="ignore"):
        known = np.isfinite(agreement.repeats)
        low = np.where(known, agreement.repeats, np.inf).min(axis=2)
        high = np.where(known, agreement.repeats, -np.inf).max(axis=2)
    low, high = (np.where(np.isfinite(end), end, agreement.tau) for end in (low, high))
    needed = agreement.needed(measure)
    judgments = f"{int(agreement.left[0]):,} judgments of `{first}`"
    if not np.isfinite(agreement.tau[agreement.measures.index(measure)]).any():
        sentence = f"By `{measure}`, all systems tie with the {judgments}, so that there is no τ with them."
    elif needed is None:
        sentence = f"By `{measure}`, τ is never .9 or more, even with all {judgments}."
    else:
        sentence = (
            f"By `{measure}`, τ with `{first}` alone stays at .9 or more down to {needed:,} of the "
            f"{judgments}, the others being those of `{second}`{_fall_words(agreement.falls(measure))} "
            f"({len(agreement.shares)} shares tried, 0 to {max(agreement.shares):.0%})."
        )
    span = f"lowest to highest of {number_of(values['repeats'], 'repeat')}"
    fig = replacing_lines(agreement.measures, agreement.shares, agreement.tau, low, high)
    about = "One row per measure, share and repeat: τ, pairs in the opposite order, judgments left."
    return Panel(
        sentence,
        ({"replaced": Drawing(fig, f"Agreement as judgments are replaced (line: mean, whisker: {span})")},),
        {"Replaced": Table(agreement.frame(), about)},
    )


def _fall_words(fall: tuple[float, float] | None) -> str:
    """Describe the first share at which τ is not high enough."""
    if fall is None:
        return ""
    share, tau = fall
    return f"; with {share:.0%} replaced it is {f'{tau:.3f}' if np.isfinite(tau) else 'undefined'}"


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


def first_pair(jury: Collection) -> tuple[str, str]:
    """The first two judges with a common topic; the first two where no two have one."""
    judged = judged_topics(jury)
    pairs = list(combinations(range(len(jury.aspects)), 2))
    a, b = next(((a, b) for a, b in pairs if (judged[a] & judged[b]).any()), pairs[0])
    return jury.aspects[a], jury.aspects[b]


def _grades_as_stops(context: Context) -> dict[str, Any]:
    """A slider over the grades that judges gave, where these are few; else a field for a number."""
    collection = context.dataset.collection
    grades = () if collection is None else tuple(sorted({grade for scale in collection.grades for grade in scale}))
    return {"stops": grades, "step": 0.0, "slider": True} if 0 < len(grades) <= FEW_GRADES else {}


def _threshold(level: int) -> Number:
    """From which of its own grades on a document has grade `level` by the other judge's mapped judgments."""
    return Number(
        name=THRESHOLDS[level - 1],
        label=f"Count as {('relevant' if level == 1 else level)} from grade",
        help=f"Maps the second judge's grades: this grade and higher ones become {level}. At the left end "
        + ("grades stay as they are." if level == 1 else f"no grade becomes {level}."),
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


CONTROLS = (
    one_measure("measure", "Measure"),
    Choice(name="first", label="First judge", help="The reference of the comparison.", from_context=_judge(0)),
    Choice(
        name="second",
        label="Second judge",
        help="The judge who is compared with the first.",
        from_context=_judge(1),
    ),
    Choice(
        name="merge",
        label="Grade of the merged judge",
        default="majority",
        options=tuple((name, words) for name, words in MERGING.items() if name != OFF),
        help="How the grades of all judges are merged into one. If several grades are equally frequent, the lowest is "
        "taken.",
        shown_if=_asks_for_merged,
    ),
    *(_threshold(level) for level in (1, 2, 3)),
    Text(
        name="families",
        label="Families of systems",
        help="A family and what the names of its systems contain, such as gpt: gpt|openai; bm25: ^p_bm25. After ^ "
        "it is what they begin with. The first family that fits counts. Leave empty for the letters that names begin "
        "with.",
        most=2000,
        empty="by the letters that names begin with",
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
        raise IrvizError(f"{comparison.pair_sentence(first, second)} Choose another judge.")
    m = comparison.measures.index(values["measure"]) if values["measure"] in comparison.measures else 0
    measure, names = comparison.measures[m], (first, second)
    ranks = np.stack([comparison.ranks[m, pair[0], pair[1]], comparison.ranks[m, pair[1], pair[0]]])
    moved = [i for i in movers(ranks) if comparison.systems[i] not in context.highlight]
    named = [*context.highlighted_positions(comparison.systems), *moved][:MOST_HIGHLIGHTED]
    wrong = _families_note(comparison.systems, values["families"])
    return Panel(
        sentence=_sentence(comparison, m, first, second),
        drawings=(
            {
                "ranks": Drawing(
                    slope(comparison.systems, ranks[0], ranks[1], (first, second), named),
                    f"Ranks by {measure} under both judges",
                ),
                "grades": _confusion(comparison, first, second),
            },
            _taus(comparison, m, pair),
        ),
        tables={
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
        },
        notes=tuple(filter(None, (wrong, *_notes(comparison, pair)))),
        folds={
            "Pairs of systems that change order, gain or lose significance": partial(swaps_section, comparison, *names),
            "Systems that a judge favours": partial(favoured_section, context, comparison, m, *names),
            "Families of systems that a judge favours": partial(
                families_section, comparison, m, *names, values["families"]
            ),
            "Topic by topic": partial(topic_by_topic, comparison, m, pair),
            "What if judgments were replaced": partial(replacing_section, context, collection, *names, values, measure),
        },
    )


def with_derived_judges(context: Context, values: Values) -> tuple[Collection, str, str]:
    """The collection with the judges that are made here, and the names of the two that are compared."""
    collection = context.collection
    first, second = values["first"], values["second"]
    if _asks_for_merged(values):
        collection = merge_judges(collection, values["merge"], name=MERGED)
    if limits := _thresholds(values):
        name = f"{second}, mapped: " + ", ".join(f"{grade} from {limit:g}" for grade, limit in enumerate(limits, 1))
        collection, second = map_grades(collection, second, limits, name=name), name
    return collection, first, second


def _thresholds(values: Values) -> list[float]:
    """The thresholds that are given, up to the first that is not."""
    return list(takewhile(lambda limit: limit is not None, (values[name] for name in THRESHOLDS)))


def _sentence(comparison: Judges, m: int, first: str, second: str) -> str:
    a, b = comparison.judges.index(first), comparison.judges.index(second)
    tau, differ, systems = comparison.tau[m, a, b], comparison.grades_differ(first, second), len(comparison.systems)
    kappa = comparison.kappa_binary[a, b] if differ else comparison.kappa[a, b]
    best = [
        np.flatnonzero(ranks == ranks.min()).tolist()
        for ranks in (comparison.ranks[m, a, b], comparison.ranks[m, b, a])
    ]
    top = [f"`{comparison.systems[own[0]]}`" if len(own) == 1 else f"{len(own)} systems" for own in best]
    tied = [name for name, own in zip((first, second), best, strict=True) if len(own) == systems]
    start = f"By `{comparison.measures[m]}`, `{first}` and `{second}` rank {systems} systems with "
    start += f"τ = {spell(tau, 3)}" if np.isfinite(tau) else "an undefined τ"
    turned, pairs = comparison.turned(comparison.measures[m], first, second), systems * (systems - 1) // 2
    start += f", turning the order of {turned:,} of {number_of(pairs, 'pair')}"
    same = f"`{first}` puts {top[0]} first, `{second}` puts {top[1]} first"
    if tied:
        same = "both tie all systems" if len(tied) == 2 else f"`{tied[0]}` ties all systems"
    elif best[0] == best[1]:
        same = f"both put {top[0]} first"
    agreed = "they agree on relevant or not" if differ else "their grades agree"
    agree = f"; {agreed} with κ = {spell(kappa, 2)}" if np.isfinite(kappa) else ""
    return f"{start}; {same}{agree}."


def _confusion(comparison: Judges, first: str, second: str) -> Drawing:
    counts = comparison.confusion(first, second)
    nonempty = counts.loc[counts.sum(axis=1) > 0, counts.sum(axis=0) > 0]
    rows, columns = ([str(name) for name in names] for names in (nonempty.index, nonempty.columns))
    return Drawing(
        confusion_square(rows, columns, nonempty.to_numpy(), (first, second)), "Which grades the two judges give"
    )


def _taus(comparison: Judges, m: int, pair: tuple[int, int]) -> dict[str, Drawing]:
    """τ of the two judges by every measure; and between all judges, where there are more."""
    first, second = (comparison.judges[place] for place in pair)
    title = f"Kendall's τ between {first} and {second}, under every measure"
    tau = comparison.tau[:, pair[0], pair[1]]
    order = np.argsort(-tau, kind="stable")
    rows = {"tau": Drawing(tau_bars([comparison.measures[i] for i in order], tau[order]), title)}
    if len(comparison.judges) > 2:
        square = coefficients(comparison.judges, comparison.tau[m], "Kendall's τ")
        rows["all"] = Drawing(square, f"Kendall's τ between all judges, by {comparison.measures[m]}")
    return rows


def _notes(comparison: Judges, pair: tuple[int, int]) -> tuple[str, ...]:
    first, second = (comparison.judges[place] for place in pair)
    binary = f"Cohen's κ of relevant or not ({_split(comparison, *pair)}) {spell(comparison.kappa_binary[pair], 3)}"
    grades = (
        f"of the grades as they are {spell(comparison.kappa[pair], 3)}, weighted by the squared distance "
        f"{spell(comparison.kappa_quadratic[pair], 3)}, Krippendorff's α (ordinal) {spell(comparison.alphas[pair], 3)}"
    )
    warned = ": the two judges give different grades, so these compare scales as well as opinions"
    differ = comparison.grades_differ(first, second)
    return (
        f"Here, {comparison.pair_sentence(first, second)}",
        f"Agreement: {binary}; {grades}{warned if differ else ''}.",
    )


def _split(comparison: Judges, a: int, b: int) -> str:
    """Which grades are relevant in the binary κ."""
    lowest = [f"{comparison.lowest[place]:g}" for place in (a, b)]
    if lowest[0] == lowest[1]:
        return f"grades above {lowest[0]}"
    return f"above {lowest[0]} by {comparison.judges[a]}, above {lowest[1]} by {comparison.judges[b]}"


PAGE = Page(
    name="judges",
    title="Judges",
    question="Would another judge change the conclusion?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "highlights", "baseline", "judges"}),
)
