"""Conventions on the loaded collection: what each choice does to scores, ranking and significant pairs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.catalogue import files_of, has_files, known_folders, open_collection
from irviz.collection.load import tie_groups
from irviz.collection.model import Collection
from irviz.errors import IrvizError, number_of, verb
from irviz.figures.ranking import ranking
from irviz.labs.charts import system_scatter
from irviz.labs.conventions.model import CHOICES, Conventions, Floats, Outcome, outcome_under
from irviz.labs.conventions.run import measure_name
from irviz.labs.conventions.tied import TieBounds, tie_bounds, ties_refused
from irviz.stats.correlation import kendall_tau, shared_ranks
from irviz.stats.significance import significance
from irviz.workspace.context import Context
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import TOLERANCE, number, quote_names

_TRIALS = 300  #: shuffles of the significance test


def conventions_on(context: Context | None, values: Values, first: Conventions, second: Conventions) -> Panel:
    """Both tools on the loaded collection, every single change of the first, and the topics of one system."""
    if context is None:
        return Panel("No collection is open. Choose one in the sidebar.")
    kind, k = values["kind"], values["k"]
    before, after = outcome(context, kind, k, first), outcome(context, kind, k, second)
    name = measure_name(kind, k)
    sentence = _sentence(context, before, after, name)
    scatter = system_scatter(
        context.systems, before.means, after.means, (f"{name}, first tool", f"{name}, second tool")
    )
    drawings = {"yours": Drawing(scatter, "Every system by both tools", f"One dot per system. {sentence}")}
    tables = {
        "One change at a time": Table(
            one_by_one(context, kind, k, first, before),
            "One row per change of the first tool: what it does to the systems' means, their ranking and the "
            "significant pairs.",
        ),
        "Topics": Table(
            topic_steps(context, values, first, second),
            f"One row per topic of {values['system']}: the first number, what each convention adds, the second number.",
        ),
    }
    notes = [_test_note(first, second)]
    if not reopens(context):
        notes.append(_no_ties(context))
    elif refusal := ties_refused(kind, k, first):
        notes.append(refusal)
    else:
        drawings["tie_range"] = _tie_drawing(context, kind, k, first, name)
    return Panel(sentence, drawings=(drawings,), tables=tables, notes=tuple(notes))


def _sentence(context: Context, previous: Outcome, current: Outcome, name: str) -> str:
    change = current.means - previous.means
    if not np.any(np.abs(change) > 1e-12):
        return f"On {context.dataset.title} the mean {name} of every system is the same by both tools."
    most = int(np.abs(change).argmax())
    tau = float(kendall_tau(np.stack([previous.means, current.means]))[0, 1])
    if len(context.systems) == 1:
        by = number(float(change[0]), 4)
        return f"On {context.dataset.title} the mean {name} of `{context.systems[0]}` changes by {by}."
    alike = quote_names([context.systems[i] for i in np.flatnonzero(np.abs(change - change[most]) <= TOLERANCE)])
    text = (
        f"On {context.dataset.title} the mean {name} of a system changes by {number(float(change.mean()), 4)} on "
        f"average, most for {alike} ({number(float(change[most]), 4)})"
    )
    ranks = f"τ = {number(tau, 3)}" if np.isfinite(tau) else "no τ, as one of them ties all systems"
    if len(context.topics) == 1:
        return f"{text}; the two rankings have {ranks}. One topic is too few for a test."
    lost, gained = changed_pairs(context, previous, current)
    pairs = f"{number_of(gained, 'pair')} of systems {verb(gained, 'becomes', 'become')} significantly different"
    return f"{text}; the two rankings have {ranks}, {pairs} and {lost} {verb(lost, 'ceases', 'cease')} to be."


def outcome(context: Context, kind: str, k: int, conventions: Conventions) -> Outcome:
    """All systems of the context under `conventions`, tie rule included."""
    collection = collection_under_rule(context, conventions.ties)
    return outcome_under(collection, kind, k, conventions, context.score)


def one_by_one(context: Context, kind: str, k: int, first: Conventions, previous: Outcome) -> pd.DataFrame:
    """Every other option of every convention, by itself."""
    rows, top = [], context.collection.grades[0][-1]
    for name, (words, options, kinds) in CHOICES.items():
        for option, meaning in options.items():
            same = option == getattr(first, name) or (name == "base" and option == "cutoff" and kind == "AP")
            too_low = name == "gmax" and option.isdigit() and float(option) < top
            if kind not in kinds or same or too_low or (name == "ties" and not _has_rule(context, option)):
                continue
            current = outcome(context, kind, k, replace(first, **{name: option}))
            change = current.means - previous.means
            lost, gained = changed_pairs(context, previous, current)
            tau = float(kendall_tau(np.stack([previous.means, current.means]))[0, 1])
            rows.append(
                {
                    "convention": words,
                    "changed to": meaning,
                    "mean change": float(change.mean()),
                    "largest change": float(change[np.abs(change).argmax()]),
                    "τ": tau,
                    "pairs gained": gained,
                    "pairs lost": lost,
                }
            )
    return pd.DataFrame(rows)


def topic_steps(context: Context, values: Values, first: Conventions, second: Conventions) -> pd.DataFrame:
    """Why the two numbers of one system differ, topic by topic."""
    kind, k = values["kind"], values["k"]
    system = context.systems.index(values["system"])
    now, path = first, [outcome(context, kind, k, first)]
    columns: dict[str, Any] = {"topic": list(context.topics), "first": path[0].values[:, system]}
    for name in first.differing(second, kind):
        now = replace(now, **{name: getattr(second, name)})
        path.append(outcome(context, kind, k, now))
        columns[CHOICES[name][0]] = path[-1].values[:, system] - path[-2].values[:, system]
    columns["second"] = path[-1].values[:, system]
    left_out = path[0].is_counted[:, system] != path[-1].is_counted[:, system]
    columns["counts in"] = np.where(left_out, "one mean only", "both means")
    return pd.DataFrame(columns)


def changed_pairs(context: Context, previous: Outcome, current: Outcome) -> tuple[int, int]:
    """How many pairs of systems are separated only before, and only after."""
    if len(context.systems) < 2 or len(context.topics) < 2:
        return 0, 0
    separated = [_separated_pairs(side.values) for side in (previous, current)]
    upper = np.triu_indices(len(context.systems), 1)
    return int((separated[0] & ~separated[1])[upper].sum()), int((separated[1] & ~separated[0])[upper].sum())


def _separated_pairs(values: Floats) -> NDArray[np.bool_]:
    return significance(pd.DataFrame(values), "randomised_tukey", trials=_TRIALS).separated


# -- tie rules -----------------------------------------------------------------------------------


def reopens(context: Context) -> bool:
    """True if the collection's files are at hand, so that its ties can be broken differently."""
    return has_files(context.dataset.key)


def _has_rule(context: Context, rule: str) -> bool:
    loaded = context.dataset.collection
    return reopens(context) or (loaded is not None and loaded.ties == rule)


def collection_under_rule(context: Context, rule: str) -> Collection:
    """The context's collection with ties broken by `rule`."""
    if context.dataset.collection is None:
        raise IrvizError("Imported scores hold no rankings, so no convention can be changed. Choose a collection.")
    if reopens(context):
        again = open_with_rule(context.dataset.key, rule)
        return again.subset(topics=context.topics, systems=context.systems, depth=context.depth)
    return context.collection  # by the rule that it was loaded with: the note says so


@lru_cache(maxsize=8)
def open_with_rule(name: str, rule: str) -> Collection:
    """A named collection under another tie rule."""
    return open_collection(name, ties=rule)


@lru_cache(maxsize=4)
def tied_documents(name: str) -> NDArray[np.int32]:
    """Which documents of a named collection tie."""
    files = files_of(known_folders()[name])
    return tie_groups(files["qrels"], files["runs"], levels=files["levels"])


def collection_bounds(context: Context, kind: str, k: int, conventions: Conventions) -> TieBounds:
    """Lowest, expected and highest scores of the loaded collection over all orders of tied documents."""
    full_collection = open_with_rule(context.dataset.key, "trec_eval")
    rows = [full_collection.topics.index(topic) for topic in context.topics]
    columns = [full_collection.systems.index(system) for system in context.systems]
    collection = collection_under_rule(context, "trec_eval")
    groups = tied_documents(context.dataset.key)[np.ix_(rows, columns)][:, :, : collection.ranking.shape[2]]
    return tie_bounds(collection, groups, kind, k, conventions, context.score)


def _tie_drawing(context: Context, kind: str, k: int, conventions: Conventions, name: str) -> Drawing:
    bounds = collection_bounds(context, kind, k, conventions)
    low, middle, high = (x.mean(axis=0) for x in (bounds.lowest, bounds.expectation, bounds.highest))
    order = np.argsort(-middle, kind="stable")
    systems = [context.systems[i] for i in order]
    ranks = shared_ranks(middle[order], TOLERANCE)
    fig = ranking(systems, middle[order], low[order], high[order], f"mean {name}: lowest, expected, highest", ranks)
    widest, open_to = int((high - low).argmax()), int(bounds.open.any(axis=0).sum())
    words = f"The order of tied documents matters for {open_to} of {number_of(len(context.systems), 'system')}"
    if open_to:
        ends = f"{number(float(low[widest]), 4)} to {number(float(high[widest]), 4)}"
        words += f", most for `{context.systems[widest]}`: {ends}"
    words += "."
    return Drawing(fig, "What ties leave open", words)


def _no_ties(context: Context) -> str:
    loaded = context.dataset.collection
    rule = "" if loaded is None else f" It stays as it was loaded: `{loaded.ties}`."
    return (
        "The tie rule and the bounds over ties need the scores in the run files, which are at hand for the bundled "
        f"collections only.{rule}"
    )


def _test_note(first: Conventions, second: Conventions) -> str:
    note = (
        f"Significant pairs: randomised Tukey HSD, {_TRIALS} shuffles, α = 0.05, over all topics; p-values are "
        "corrected for all pairs of the systems."
    )
    if "skip" in (first.missing, second.missing):
        note += " The test compares systems topic by topic, so a topic without an answer counts as 0 there in any case."
    return note
