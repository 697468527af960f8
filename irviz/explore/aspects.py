"""Choices of distance, weights and order of several aspects, and what they do to the ranking of systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.explore.judges import tau_bars
from irviz.measures import measure
from irviz.measures.aspect_means import CAM, MM
from irviz.measures.language.base import Measure
from irviz.measures.toma import TOMA
from irviz.stats.correlation import kendall_tau, shared_ranks
from irviz.stats.similarity import overall
from irviz.workspace.context import Context
from irviz.workspace.facts import Fact, extremes
from irviz.workspace.panel import Drawing, Panel, Table, named_rows

Steps = tuple[tuple[float, ...], ...]
_TIES = "one of the two ties all systems"


def lexicographic(counts: Sequence[int], order: Sequence[int]) -> Steps:
    """An embedding whose Manhattan distance orders label tuples aspect by aspect; `counts` are their grade levels.

    >>> lexicographic((3, 2), (1, 0))
    ((0.0, 1.0, 2.0), (0.0, 3.0))
    """
    steps = {aspect: prod(counts[later] for later in order[place + 1 :]) for place, aspect in enumerate(order)}
    return tuple(tuple(float(level * steps[aspect]) for level in range(count)) for aspect, count in enumerate(counts))


def choices_of(c: Collection, base: Measure) -> tuple[dict[str, str], dict[str, str]]:
    """Choice → measure of all aspects made of a measure of one, the Euclidean TOMA first; choice → refusal."""
    counts = [len(grades) for grades in c.grades]
    places = range(len(counts))
    make: dict[str, Callable[[], Measure]] = {
        f"{distance.title()} distance": partial(TOMA, base=base, distance=distance)
        for distance in ("euclidean", "manhattan", "chebyshev")
    }
    for place, name in enumerate(c.aspects):
        twice = tuple(
            tuple(float(level * (1 + (other == place))) for level in range(counts[other])) for other in places
        )
        make[f"{name} counts twice"] = partial(TOMA, base=base, embedding=twice)
    for place, name in enumerate(c.aspects):
        first = lexicographic(counts, [place, *(other for other in places if other != place)])
        make[f"{name} decides first"] = partial(TOMA, base=base, distance="manhattan", embedding=first)
    make |= {f"{kind} classes": partial(TOMA, base=base, classes=kind) for kind in ("dependent", "observed")}
    make["grades made binary"] = partial(TOMA, base=base, binary=True)
    make |= {"mean over aspects": partial(CAM, base=base), "harmonic mean over aspects": partial(MM, base=base)}
    expressions, refused = {}, {}
    for words, maker in make.items():
        try:
            candidate = maker()
            if (why := candidate.misfit(c)) is not None:
                raise why
            expressions[words] = str(candidate)
        except IrvizError as error:
            refused[words] = str(error)
    return expressions, refused


def base_of(context: Context, expression: str) -> Measure:
    """The measure, or its base, if that is of one unnamed aspect; else the first such of the sidebar."""
    for name in (expression, *context.measures, "nDCG@10"):
        candidate = measure(name)
        candidate = getattr(candidate, "base", candidate) if candidate.several_aspects else candidate
        if not candidate.several_aspects and candidate.aspect is None:
            return candidate
    raise AssertionError("nDCG@10 is of a single aspect")


def aspects_fold(context: Context, expression: str) -> dict[str, Callable[[], Panel]]:
    """The panel of :func:`aspects_section` as a further answer of a page; none on a single aspect."""
    collection = context.dataset.collection
    if collection is None or len(collection.aspects) < 2:
        return {}
    return {"Distance, weights and order of the aspects": partial(aspects_section, context, expression)}


def aspects_section(context: Context, expression: str) -> Panel:
    """Kendall's τ of every choice with the first, and the ranks of the systems under each."""
    c, base = context.collection, base_of(context, expression)
    expressions, refused = choices_of(c, base)
    if len(expressions) < 2:
        raise IrvizError(f"No two measures of several aspects can be made of {base} here. Compare another measure.")
    names, labels = list(expressions), list(dict.fromkeys(expressions.values()))
    order = context.remember(overall, context.scores(labels), context.summary, context.eps)
    order = order[[labels.index(label) for label in expressions.values()]]
    tau, ranks, called = kendall_tau(order)[0], shared_ranks(order), context.label(str(base))
    best = ranks == 1
    facts = (
        *extremes(dict(zip(names[1:], tau[1:].tolist(), strict=True)), ("most alike", "least alike"), "τ", why=_TIES),
        Fact("choices with another first system", int((best[1:] != best[0]).any(axis=1).sum()), of=len(names) - 1),
    )
    summed = pd.DataFrame({"choice": names, "measure": list(expressions.values()), "Kendall's τ": tau})
    systems = np.argsort(ranks[0], kind="stable")
    table = named_rows(
        pd.DataFrame(ranks[:, systems].T, columns=names), "system", [context.systems[i] for i in systems]
    )
    return Panel(
        f"{len(names)} measures of {len(c.aspects)} aspects from `{called}`, compared with `{names[0]}`.",
        ({"choices": Drawing(tau_bars(names, tau, 34), f"{called}: Kendall's τ with {names[0]}, under every choice")},),
        {
            "Choices": Table(summed, f"One row per choice: its measure, and τ with the {names[0]}."),
            "Ranks": Table(
                table, "One row per system: its rank under every choice; tied systems share their rank.", names=names
            ),
        },
        notes=(
            "If an aspect decides first, the others order only documents that it grades alike. If it counts twice, its "
            "grades are twice as far apart.",
            *(f"Left out: {words}. {why}" for words, why in refused.items()),
        ),
        facts=facts,
    )
