"""The recomputed side of printed numbers: which collection they are of, and the tables of pages that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz import explore
from irviz.collection.codes import ABSENT
from irviz.collection.model import Collection
from irviz.collection.ragged import Padded
from irviz.errors import IrvizError, choose
from irviz.gallery.paper import ITEMS, CellKey, Comparison, Evidence, Item, filled
from irviz.measures import measure
from irviz.places import needs_app
from irviz.stats.consistency import halves_correlated
from irviz.stats.correlation import COEFFICIENTS, defined_mean
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity as measure_similarity
from irviz.stats.topic_effects import above_first_quartile, few_highly_relevant, level_counts, standardised_scores
from irviz.stats.words import ReductionName, SimilarityLevel
from irviz.workspace.analyses import CONSISTENCY, SIGNIFICANCE, SIMILARITY
from irviz.workspace.averages import LOW, low_shares
from irviz.workspace.context import SIDEBAR_CONTROLS, Context
from irviz.workspace.control import Control, split_expressions
from irviz.workspace.data import COLLECTION
from irviz.workspace.page import Page, Values
from irviz.workspace.view import View, settle

TREC_DEPTH = 1000  #: what TREC asked for, the longest list there is
Rows = Sequence[Mapping[str, str]]  #: printed ones
_MEASURES = ("measure", "reference")  #: columns of tables that hold measures
_CHANGES = ("degrees", "depth", "systems", "which", "aspects", "standardised")  #: arguments of :func:`prepared`
_NOT_OF_THE_PAGE = ("page", "table", "degrees", "aspects", "standardised")  #: settings of a view
_OF_SIDEBAR = ("measures", "summary", "eps")  #: settings of a view for the controls of the sidebar
LEAST_SETS = 4


def recognise_collection(context: Context, collections: Mapping[str, Mapping[str, int]]) -> str:
    """Which of a paper's collections is loaded whole, by its topics, systems and relevant documents, or ""."""
    opened, loaded = context.dataset, context.dataset.collection
    is_cut = loaded is not None and context.depth < min(TREC_DEPTH, loaded.depth)
    if is_cut or (context.topics, context.systems) != (opened.topics, opened.systems):
        return ""
    for name, one in collections.items():
        topics = tuple(map(str, range(one["first"], one["last"] + 1)))
        if (opened.topics, len(opened.systems)) == (topics, one["systems"]) and (
            loaded is None or "relevant" not in one or one["relevant"] == int((loaded.labels[:, :, 0] > 0).sum())
        ):
            return name
    return ""


# -- The loaded collection as a paper has it -------------------------------------------------------
#
# Papers fix their weights, gains and g for two, three or four degrees.  A collection
# with more of them has its highest ones merged; one with fewer cannot be used.


def with_degrees(collection: Collection, degrees: int) -> Collection:
    """`collection` on its first aspect, where all levels from `degrees` − 1 on are one level; grades are 0, 1, 2, …"""
    levels = len(collection.grades[0])
    if levels < degrees:
        raise IrvizError(
            f"It needs judgments of {degrees} degrees, and {collection.name} has {levels} "
            f"({', '.join(f'{grade:g}' for grade in collection.grades[0])}). Load a collection with more grades."
        )
    labels = np.minimum(collection.labels[:, :, :1], degrees - 1).astype(np.int16)
    grades = (tuple(float(level) for level in range(degrees)),)
    return replace(collection, aspects=collection.aspects[:1], grades=grades, labels=Padded.of(labels, ABSENT))


def need_aspects(collection: Collection) -> None:
    """Refuse judgments on one aspect."""
    if len(collection.aspects) < 2:
        raise IrvizError(
            f"It needs judgments on at least two aspects, and {collection.name} has only {collection.aspects[0]}. "
            "Load a collection with several, such as the bundled one with credibility and correctness."
        )


def classes_of(collection: Collection) -> str:
    """Which label tuples there are: "dependent" where what is not relevant has the lowest label of all."""
    judged = (collection.labels != ABSENT).any(axis=2)
    levels = np.maximum(collection.labels, 0)
    loose = judged & (levels[:, :, 0] == 0) & (levels[:, :, 1:] > 0).any(axis=2)
    return "product" if loose.any() else "dependent"


def aspect_note(collection: Collection) -> str:
    """The aspects, and which label tuples there are."""
    names = ", ".join(collection.aspects)
    return f"Aspects, of equal weight: {names}. Classes of label tuples: {classes_of(collection)}."


def prepared(
    on: Evidence,
    degrees: str = "",
    depth: str = "",
    systems: str = "",
    which: str = "",
    aspects: str = "",
    standardised: str = "",
) -> tuple[Context, tuple[str, ...]]:
    """The context on the collection as a paper has it, and notes; "" changes nothing.

    `degrees` merges the highest grades, `depth` cuts the lists; `systems` "best" drops runs below the first quartile by
    mean AP; `which` "few2" or "few3" keeps topics with few documents of that level; `aspects` "several" refuses
    judgments on one; `standardised` "AP" is scores by AP alone, standardised by topic.
    """
    context = on.context
    notes: list[str] = []
    if aspects:
        need_aspects(context.collection)
        notes.append(aspect_note(context.collection))
    if standardised:
        scores = standardised_scores(context.scores([standardised]))
        context = replace(context, dataset=replace(context.dataset, collection=None, imported_scores=scores))
    if degrees or depth:
        whole = context.whole
        whole = whole if whole.systems == context.systems else whole.subset(systems=context.systems)
        if depth:
            whole = whole if whole.depth <= int(depth) else whole.subset(depth=int(depth))
            notes.append(f"Lists are read to rank {whole.depth:,}; in the paper to {int(depth):,}.")
        if degrees and len(whole.grades[0]) != int(degrees):
            last = int(degrees) - 1
            notes.append("Every grade above 0 counts as one." if last == 1 else f"Grades from {last} on count as one.")
        whole = with_degrees(whole, int(degrees)) if degrees else whole
        context = replace(context, dataset=replace(context.dataset, collection=whole), depth=whole.depth)
    if systems == "best":
        kept = above_first_quartile(context.scores(["AP"])["AP"])
        notes.append(f"Runs above the first quartile by mean AP: {len(kept)} of {len(context.systems)}.")
        context = replace(context, systems=kept)
    if which.startswith("few"):
        topics, note = few(context.collection, int(which[-1]))
        notes.append(note)
        context = replace(context, topics=topics)
    return context, tuple(notes)


def few(collection: Collection, level: int) -> tuple[tuple[str, ...], str]:
    """Topics with few documents of a level by the paper's rule; if too few topics fit it, the quarter nearest to it."""
    chosen = names = few_highly_relevant(collection, level)
    if len(chosen) < LEAST_SETS:
        counts = level_counts(collection)
        ratio = (counts[1] / counts[level].where(counts[level] > 0)).sort_values(ascending=False, kind="stable")
        near = ratio.dropna().iloc[: max(LEAST_SETS, len(counts) // 4)]
        if not len(near):
            raise IrvizError(f"It needs topics with documents of level {level}; there are none here. Remove filters.")
        names = tuple(topic for topic in collection.topics if topic in set(near.index))
    return (
        names,
        f"Topics with R(1) ≥ 10·R({level}): {len(chosen)}. Used, of the highest R(1)/R({level}): {len(names)}.",
    )


# -- A view's table, joined with the printed numbers -----------------------------------------------


def compared(on: Evidence, item: Item) -> Comparison:
    """The recomputed numbers of an item; parts that these data do not allow are noted, and raised if all are."""
    if item.needs and len(on.context.systems) < item.systems:
        raise IrvizError("It compares systems, and there is only one. Load at least two, or remove filters.")
    if item.paper_draws and len(on.context.topics) < 2:
        raise IrvizError("It compares sets of topics, and there is only one topic. Load more, or remove filters.")
    if item.recompute is not None:
        return item.recompute(on)
    parts: dict[tuple[tuple[str, str], ...], list[dict[str, str]]] = {}
    patterns = {**item.view, "table": item.table}
    for row in item.printed.to_dict("records"):
        parts.setdefault(tuple((name, filled(text, row)) for name, text in patterns.items()), []).append(row)
    values: dict[CellKey, float] = {}
    tolerance: dict[CellKey, float] = {}
    notes: list[str] = []
    refusals: list[IrvizError] = []
    for number, (key, rows) in enumerate(parts.items(), start=1):
        settings = dict(key)
        try:
            context, changes = on.once(prepared, *(settings.get(name, "") for name in _CHANGES))
            frame = _view_table(on, context, item, settings, rows)
        except IrvizError as refusal:
            refusals.append(refusal)
            continue
        notes += changes
        names = [choose("column of the table", name, list(frame)) for name in item.join]
        known = {tuple(str(one[name]) for name in names): one for one in frame.to_dict("records")}
        if len(known) < len(frame):
            raise IrvizError("Several rows of the table of the page fit `join`. Join more of its columns.")
        for row in rows:
            if found := known.get(tuple(_expressions(item, row, context).values())):
                cell, column = tuple(row[name] for name in item.keys), filled(item.value, row)
                values[cell] = item.scale * found[choose("column of the table", column, tuple(found))]
                tolerance[cell] = item.scale * found.get("room", 0.0)
        if on.context.progress is not None:
            on.context.progress(number / len(parts), item.name)
    if not values and refusals:
        raise refusals[0]
    notes += [f"Left out: {refusal}" for refusal in refusals]
    return Comparison(values, tuple(dict.fromkeys(notes)), {cell: room for cell, room in tolerance.items() if room})


def table_of(on: Evidence, name: str) -> Comparison:
    """The recomputed numbers of an item such as "scales.table1", computed once."""
    return on.once(compared, ITEMS[name])


def _expressions(item: Item, row: Mapping[str, str], context: Context) -> dict[str, str]:
    """By column of the table, the text that a printed row is joined with."""
    texts = {}
    for column, pattern in item.join.items():
        text = filled(pattern, row)
        text = item.codes.get("names", {}).get(text, text).replace("@N", f"@{context.depth}")
        text = text.replace("@C", context.remember(classes_of, context.collection)) if "@C" in text else text
        texts[column] = str(measure(text)) if column in _MEASURES else text
    return texts


def _view_table(on: Evidence, context: Context, item: Item, settings: dict[str, str], rows: Rows) -> pd.DataFrame:
    """The table of the page of a view, of the measures of the rows."""
    page, name, texts = settings["page"], settings["table"], _page_texts(on, item, settings)
    averages = {name: text for name, text in texts.items() if name in _OF_SIDEBAR}
    sidebar, complaints = settle(SIDEBAR_CONTROLS, averages, context.dataset)
    measures = _measures(item, rows, context)
    context = replace(context, measures=measures, summary=sidebar["summary"], eps=sidebar["eps"])
    controls, table = TABLES.get((page, name), ((), None))
    if table is None:
        choose("page", page, [one.name for one in iter_modules(explore.__path__)])
        with needs_app():
            found: Page = import_module(f"irviz.explore.{page}").PAGE
        controls = found.controls
    for setting in settings:
        choose("setting", setting, [*_NOT_OF_THE_PAGE, *_CHANGES, *_OF_SIDEBAR, *(one.name for one in controls)])
    values, more = settle(controls, texts, context)
    if complaints + more:
        raise IrvizError(f"papers.toml, {item.key}: {str((complaints + more)[0]).rpartition('. ')[0]}.")
    if table is not None:
        return table(context, values, item.paper_draws)
    panel = found.panel(context, values)
    return panel.tables[choose(f"table of the page {page}", name, tuple(panel.tables))].frame


def _page_texts(on: Evidence, item: Item, settings: Mapping[str, str]) -> dict[str, str]:
    """The settings of a view that are the page's, with how much is drawn."""
    texts = {name: text for name, text in settings.items() if text and name not in _NOT_OF_THE_PAGE}
    return texts | ({"trials": str(on.trials), "seed": str(on.seed)} if item.paper_draws else {})


def _measures(item: Item, rows: Rows, context: Context) -> tuple[str, ...]:
    """The measures of the rows that these data can have; without any, the reason is raised."""
    if item.join:
        every = [_expressions(item, row, context) for row in rows]
        needed = [[texts[column] for column in _MEASURES if column in texts] for texts in every]
    else:
        needed = [split_expressions(item.view["measures"].replace("@N", f"@{context.depth}"))]
    asked, imported = tuple(dict.fromkeys(chain.from_iterable(needed))), context.dataset.imported_scores
    refused = replace(context, measures=asked).refusals()
    if imported is not None:
        refused = {name: f"It needs scores by {name}." for name in asked if name not in imported.measures}
    known = [names for names in needed if not refused.keys() & set(names)]
    if refused and not known:
        raise IrvizError(next(iter(refused.values())))
    return tuple(dict.fromkeys(chain.from_iterable(known)))


def view_of_item(on: Evidence, item: Item) -> tuple[View, bool] | None:
    """The item's view on the loaded data that fits their grades best, and whether it does; None if it has no page."""
    if not item.view:
        return None
    loaded, every = on.context.dataset.collection, item.printed.to_dict("records") if item.csv else [{}]
    degrees = "" if loaded is None else str(len(loaded.grades[0]))
    all_settings = [{name: filled(pattern, row) for name, pattern in item.view.items()} for row in every]
    settings = next((one for one in all_settings if one.get("degrees", "") == degrees), all_settings[0])
    context = replace(on.context, depth=min(on.context.depth, int(settings.get("depth", TREC_DEPTH))))
    texts = {COLLECTION.name: context.dataset.key} | _page_texts(on, item, settings)
    rows = [row for row, one in zip(every, all_settings, strict=True) if one == settings]
    try:
        texts["measures"] = ",".join(_measures(item, rows, context))
    except IrvizError:
        return None  # they have none of its measures
    if "depth" in settings:
        texts["depth"] = str(context.depth)
    return View.from_texts(settings["page"], **texts), settings.get("degrees", degrees) == degrees


# The tables of pages that claims ask again and again, without the figures of their pages.


def _similarity(by: SimilarityLevel, context: Context, values: Values, paper_draws: int) -> pd.DataFrame:
    found = measure_similarity(context.scores(), **SIMILARITY.arguments(context, values) | {"by": by})
    return found.frame().rename(columns={"value": COEFFICIENTS[values["coefficient"]].label})


def _consistency(context: Context, values: Values, paper_draws: int) -> pd.DataFrame:
    trials = halves_correlated(context.scores(), **CONSISTENCY.arguments(context, values)).trials
    room = mean_tolerance(trials, paper_draws) if paper_draws else 0.0
    return pd.DataFrame({"measure": context.measures, "mean": defined_mean(trials)[0], "room": room})


def _discriminative(context: Context, values: Values, paper_draws: int) -> pd.DataFrame:
    power = discriminative_power(context.scores(), progress=context.progress, **SIGNIFICANCE.arguments(context, values))
    share = [result.ratio for result in power.results]
    draws = (values["alpha"], values["trials"], paper_draws)
    room = [share_tolerance(result.asl, *draws) if paper_draws else 0.0 for result in power.results]
    return pd.DataFrame({"measure": power.measures, "share": share, "room": room})


def _low_scores(context: Context, values: Values, paper_draws: int) -> pd.DataFrame:
    zero, low = low_shares(context.scores(), LOW)
    return pd.DataFrame({"measure": context.measures, "zero": zero, f"below {LOW:g}": low})


TABLES: dict[tuple[str, str], tuple[Sequence[Control], Callable[[Context, Values, int], pd.DataFrame]]] = {
    ("similarity", "Overall"): (SIMILARITY.controls, partial(_similarity, "overall")),
    ("similarity", "Topic by topic"): (SIMILARITY.controls, partial(_similarity, "topic")),
    ("consistency", "Measures"): (CONSISTENCY.controls, _consistency),
    ("discriminative", "Measures"): (SIGNIFICANCE.controls, _discriminative),
    ("aggregation", "Low scores"): ((), _low_scores),
}


def self_tau(
    on: Evidence, collection: Collection, measures: Mapping[str, str], method: ReductionName, full: Scores | None = None
) -> pd.DataFrame:
    """τ with the ranking under the full pool: a row a measure (expressions by name), a column a share such as "5%"."""
    found = pool_reduction(
        collection,
        list(measures.values()),
        method=method,
        repeats=on.repeats,
        seed=on.seed,
        progress=on.context.progress,
        _full=None if full is None else lambda *_: full,
    )
    return pd.DataFrame(found.tau, list(measures), [f"{rate:.0%}" for rate in found.rates])


# -- How far two estimates of one number may lie apart by chance -----------------------------------
#
# The paper drew at random and so does irviz: from the same data both print estimates of one number.  Their difference
# has the variance of two means, s²/B + s²/B', and stays within so many standard deviations in 99 of 100 cells.

_DEVIATIONS_OF_99 = 2.5758  #: standard deviations that hold 99% of a normal distribution


def mean_tolerance(trials: NDArray[np.float64], paper_trials: int) -> NDArray[np.float64]:
    """By row, for means over trials: irviz's are the columns, the paper has `paper_trials`; 0 for a single trial.

    >>> round(float(mean_tolerance(np.array([[0.0, 1.0] * 50]), 100)[0]), 3)
    0.183
    """
    known = [row[np.isfinite(row)] for row in trials]
    spread = [np.std(row, ddof=1) if len(row) > 1 else 0.0 for row in known]
    counts = np.array([max(len(row), 1) for row in known])
    return _DEVIATIONS_OF_99 * np.array(spread) * np.sqrt(1 / counts + 1 / paper_trials)


def share_tolerance(p_values: NDArray[np.float64], alpha: float, trials: int, paper_trials: int) -> float:
    """For a share of p-values below `alpha`: the part of those that may fall on either side of it by chance.

    >>> share_tolerance(np.array([0.0, 0.01, 0.5, 1.0]), 0.01, 1000, 10_000)
    0.25
    """
    room = _DEVIATIONS_OF_99 * np.sqrt(alpha * (1 - alpha) * (1 / trials + 1 / paper_trials))
    return float((np.abs(p_values - alpha) <= room).mean()) if len(p_values) else 0.0
