"""Would my conclusion change?  One claim about systems, in every reasonable way to measure it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.significance import significance
from irviz.collection.model import TIE_RULES, Collection
from irviz.conclusions import Conclusion, conclusion, worlds
from irviz.conclusions.choices.dimensions import (
    AVERAGES,
    DIMENSIONS,
    FAMILIES,
    MISSING_RULES,
    OPTION_NAMES,
    TESTS,
    TOPIC_SETS,
    UNJUDGED_RULES,
    has_unjudged,
    lacks_topics,
)
from irviz.conclusions.choices.worlds import Worlds
from irviz.conclusions.claims import quoted
from irviz.errors import listed
from irviz.explore.conclusion import folds, ways
from irviz.explore.conclusion.figures import Curve, share_bars, sign_grid, specification_curve
from irviz.links.control import Choice, Names, Number
from irviz.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.page import Page, Recipe, Values
from irviz.workspace.pair import one_of_pair
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.randomness import ALPHA, SEED

CLAIMS = {"pair": "A is ahead of B", "best": "A is best", "top": "A is among the best k"}
_SETTINGS = {
    "average": ("averages", "Averages over topics"),
    "test": ("tests", "Tests"),
    "ties": ("rules", "Tie rules"),
    "unjudged": ("unjudged", "Unjudged documents"),
    "missing": ("missing", "Topics a run lacks"),
    "judge": ("judges", "Judges or aspects"),
    "topics": ("sets", "Sets of topics"),
    "family": ("families", "P-values corrected for"),
}  #: dimension → name of its control, label
_WORDS: dict[str, Mapping[str, str]] = {
    "average": AVERAGES,
    "test": TESTS,
    "ties": TIE_RULES,
    "unjudged": UNJUDGED_RULES,
    "missing": MISSING_RULES,
    "topics": TOPIC_SETS,
    "family": FAMILIES,
}
_USUAL = {"family": ("pair",)}  #: where no choice means something else on this page than usually


def _most(context: Context) -> int:
    """The largest k there is a question about."""
    return max(2, len(context.systems) - 1)


def _several(dimension: str) -> Names:
    """All or some of the options of one dimension."""
    name, label = _SETTINGS[dimension]

    def offers(context: Context) -> dict[str, Any]:
        options = _options(context, dimension)
        words = _WORDS.get(dimension, {})
        return {"options": options, "words": tuple((one, words.get(one, one)) for one in options)}

    return Names(
        name=name,
        label=label,
        help="Every option that is chosen here makes worlds of its own. Where none is chosen: "
        + ("this pair alone." if dimension == "family" else "the usual ones."),
        empty="this pair alone" if dimension == "family" else "the usual ones",
        offers=offers,
        aside=True,
    )


def _options(context: Context, dimension: str) -> tuple[str, ...]:
    """What can be chosen on a dimension, for these data; fewer than two is no choice."""
    data = context.opened.collection
    if dimension in ("unjudged", "missing"):
        there = data is not None and (has_unjudged(data) if dimension == "unjudged" else lacks_topics(data))
        return tuple(_WORDS[dimension]) if there else ()
    if dimension == "ties":
        return () if data is None or data.again is None else tuple(TIE_RULES)
    if dimension == "judge":
        seen = () if data is None else data.judges or data.aspects
        return seen if len(seen) > 1 else ()
    if dimension == "topics" and len(context.topics) < 10:
        return ()
    return tuple(_WORDS[dimension])


CONTROLS = (
    Choice(
        name="claim",
        label="Claim",
        few=True,
        default="pair",
        options=tuple(CLAIMS.items()),
        help="What is looked at in every world: every reasonable combination of the settings below.",
    ),
    Choice(
        name="a", label="A", help="Type to search. By default the system with the best mean AP.", offers=one_of_pair(0)
    ),
    Choice(
        name="b",
        label="B",
        help="Type to search. By default the system with the second best mean AP.",
        offers=one_of_pair(1),
        shown_if=lambda values: values["claim"] == "pair",
    ),
    Number(
        name="k",
        label="k",
        low=2,
        whole=True,
        step=1,
        slider=False,
        default=5,
        offers=lambda context: {"high": _most(context), "default": min(5, _most(context))},
        shown_if=lambda values: values["claim"] == "top",
    ),
    *(_several(dimension) for dimension in _SETTINGS),
    ALPHA,
    Number(
        name="trials",
        label="Draws of the bootstrap and the randomisation test",
        low=100,
        high=10_000,
        step=100,
        whole=True,
        default=1000,
        quick=100,
        slider=False,
        aside=True,
    ),
    SEED,
    Number(
        name="world",
        label="World looked at",
        help="Its number, as in the table of worlds. Or click a point of the curve, or a cell of the grid.",
        low=1,
        high=5000,
        step=1,
        whole=True,
        default=1,
        slider=False,
        aside=True,
    ),
)


def claim_text(values: Values) -> str:
    """The claim as :func:`irviz.conclusion` reads it."""
    a = quoted(values["a"])
    if values["claim"] == "pair":
        return f"{a} > {quoted(values['b'])}"
    return f"{a} is best" if values["claim"] == "best" else f"{a} in top {values['k']}"


def data_of(context: Context) -> Collection | Scores:
    """What the worlds are made of: the collection after the filters, or imported scores."""
    return context.scores() if context.opened.collection is None else context.collection


def given(context: Context, values: Values) -> dict[str, tuple[Any, ...]]:
    """The options of every dimension that the page decides."""
    chosen: dict[str, tuple[Any, ...]] = {"measure": context.measures}
    for dimension, (name, _) in _SETTINGS.items():
        if picked := values[name] or _USUAL.get(dimension):
            chosen[dimension] = tuple(picked)
    return chosen


def worlds_of(context: Context, values: Values) -> Worlds:
    """All worlds of the page."""
    options: dict[str, Any] = dict(given(context, values))
    return worlds(data_of(context), **options, seed=values["seed"])


def conclude(context: Context, values: Values) -> Conclusion:
    """The claim in all worlds of the page; remembered, so that looking at another world computes nothing."""
    how = {name: values[name] for name in ("alpha", "trials", "seed")}
    return context.remember(conclusion, data_of(context), claim_text(values), worlds_of(context, values), **how)


def panel(context: Context, values: Values) -> Panel:
    """The sentence, the curve, the grid; topics, flips, pairs and power folded."""
    r = conclude(context, values)
    at = min(values["world"], len(r)) - 1
    order = np.argsort(r.difference, kind="stable")
    place = int(np.flatnonzero(order == at)[0])
    drawn = _curve(r, order)
    unit = "difference of the averages" if r.claim.kind == "pair" else "difference that decides"
    rows: list[dict[str, Drawing]] = [
        {
            "curve": Drawing(
                specification_curve(drawn, unit, place),
                "Every world, sorted by the difference; below, the choices it takes",
                f"The difference in {len(r):,} worlds with its interval, sorted. {r.sentence}",
                picks=("world",),
            )
        }
    ]
    if small := _beside(r, at):
        rows.append(small)
    return Panel(
        sentence=r.sentence,
        drawings=tuple(rows),
        tables={
            "Choices": Table(
                _shares(r), "One row per choice: the worlds that take it, and in which share the claim holds."
            ),
            "Worlds": Table(_table(r), "One row per world: its choices, and what it says."),
        },
        notes=(*_together(context, values, r, at), *_notes(r, at)),
        folds={
            "Which topics carry the difference": partial(folds.topics, r),
            "What flips the verdict": partial(folds.flips, r, at),
            "All pairs, and the order that no world disputes": partial(folds.pairs, context, data_of(context), r),
            "How many topics it takes": partial(folds.sample_size, context, r),
            "For a paper": partial(folds.paper, r),
        },
        ways=ways.to_scores(context, r, at),
    )


# -- figures --------------------------------------------------------------------------------


def _curve(r: Conclusion, order: NDArray[np.intp]) -> Curve:
    choices = [(name, code) for name in r.worlds.varying for code in np.unique(r.worlds.code(name)).tolist()]
    taken = np.array([r.worlds.code(name)[order] == code for name, code in choices], dtype=bool)
    return Curve(
        worlds=order + 1,
        difference=r.difference[order],
        low=r.low[order],
        high=r.high[order],
        verdict=r.verdict[order],
        significant=r.significant[order],
        words=[ways.world_words(r, row) for row in order.tolist()],
        choices=[(name, str(r.worlds.options[name][code]).replace("_", " ")) for name, code in choices],
        taken=taken.reshape(len(choices), len(order)),
    )


def _beside(r: Conclusion, at: int) -> dict[str, Drawing]:
    """The grid of signs and what decides, where there is something to compare."""
    shown = {}
    measures, averages = r.worlds.options["measure"], r.worlds.options["average"]
    if len(measures) * len(averages) > 1:
        verdict, significant, rows = _grid(r, at)
        shown["grid"] = Drawing(
            sign_grid(measures, [AVERAGES.get(name, name) for name in averages], verdict, significant, rows + 1),
            "Measures × averages: + holds, − reversed, = tie, * significantly",
            f"The verdict by measure and average, all else as in world {at + 1}.",
            picks=("world",),
        )
    shares = r.attribution
    if len(r) > 1 and np.isfinite(shares).all():
        names = [DIMENSIONS.get(str(name), str(name)) for name in shares.index]
        shown["decides"] = Drawing(
            share_bars(names, shares.to_numpy(), "share of the variance"),
            "What decides how large the difference is",
            "Share of the variance of the standardised difference that each choice explains. "
            + "; ".join(f"{name} {share:.0%}" for name, share in zip(names, shares, strict=True)),
        )
    return shown


def _grid(r: Conclusion, at: int) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.intp]]:
    """Verdict, significance and row of the world for every measure and average, all else as in the world `at`."""
    places = [list(DIMENSIONS).index(name) for name in ("measure", "average")]
    rest = [place for place in range(len(DIMENSIONS)) if place not in places]
    same = np.flatnonzero((r.worlds.codes[:, rest] == r.worlds.codes[at, rest]).all(axis=1))
    shape = (len(r.worlds.options["measure"]), len(r.worlds.options["average"]))
    verdict, sure, rows = np.full(shape, np.nan), np.zeros(shape, dtype=bool), np.full(shape, -1)
    cell = tuple(r.worlds.codes[same][:, places].T)
    verdict[cell], sure[cell], rows[cell] = r.verdict[same], r.significant[same], same
    return verdict, sure, rows


# -- words and numbers ------------------------------------------------------------------------


def _table(r: Conclusion) -> pd.DataFrame:
    frame = r.frame()
    constant = [name for name in DIMENSIONS if name not in r.worlds.varying]
    frame = frame.drop(columns=constant)
    frame.insert(0, "world", np.arange(1, len(r) + 1))
    return frame


def _shares(r: Conclusion) -> pd.DataFrame:
    """For every choice, in how many of its worlds the claim holds or is reversed."""
    sure = r.significant
    what = {"holds": r.verdict > 0, "reversed": r.verdict < 0}
    what |= {f"{name}, significantly": some & sure for name, some in what.items()}
    rows = [{"choice": "any", "worlds": len(r), **{name: float(some.mean()) for name, some in what.items()}}]
    for name in r.worlds.varying:
        for code in np.unique(r.worlds.code(name)).tolist():
            here = r.worlds.code(name) == code
            label = f"{DIMENSIONS[name]}: {str(r.worlds.options[name][code]).replace('_', ' ')}"
            shares = {about: float(some[here].mean()) for about, some in what.items()}
            rows.append({"choice": label, "worlds": int(here.sum()), **shares})
    return pd.DataFrame(rows)


def _together(context: Context, values: Values, r: Conclusion, at: int) -> tuple[str, ...]:
    """What becomes of the pair's p-value when all systems in play are tested together."""
    if r.claim.kind != "pair" or len(context.systems) < 3 or len(context.topics) < 2:
        return ()
    label = str(r.worlds.options["measure"][r.worlds.code("measure")[at]])
    how = {name: values[name] for name in ("alpha", "trials", "seed")}
    found = context.remember(significance, context.scores([label])[label], "randomised_tukey", **how)
    p = float(found.p_values[r.claim.pairs[0]])
    return (
        f"A p-value depends on who is tested: with all {len(context.systems)} systems tested together (randomised "
        f"Tukey HSD, mean {label}, all topics in play) this pair has p = {p:.3g}. "
        f"The worlds here test {_family(values)}.",
    )


def _family(values: Values) -> str:
    chosen = values["families"] or _USUAL["family"]
    return listed([FAMILIES[one] for one in chosen], joiner="and")


def _notes(r: Conclusion, at: int) -> tuple[str, ...]:
    sizes = [f"{len(np.unique(r.worlds.code(name)))} × {DIMENSIONS[name]}" for name in r.worlds.varying]
    notes = [f"World {at + 1}: {ways.world_words(r, at)}; {ways.verdict_of(r, at)}."]
    if sizes:
        notes.append(f"{r.worlds.sentence.rstrip('.')}. They differ in: {', '.join(sizes)}.")
    notes += [f"{count:,} left out: {reason}." for reason, count in r.left_out.items()]
    notes.append(
        "Differences of different measures are in different units; what decides is judged on the standardised "
        "difference (difference over the standard deviation of the per-topic differences)."
    )
    return tuple(notes)


# -- the same without the page ------------------------------------------------------------


def _python(context: Context, values: Values) -> list[str]:
    data = "s" if context.opened.collection is None else "c"
    options = "".join(f",\n    {name}={list(chosen)!r}" for name, chosen in given(context, values).items())
    return [
        f"w = irviz.worlds({data}{options},\n    seed={values['seed']})",
        f"r = irviz.conclusion({data}, {claim_text(values)!r}, w, alpha={values['alpha']!r}, "
        f"trials={values['trials']}, seed={values['seed']})",
        "table = r.frame()",
    ]


def _command(context: Context, values: Values) -> list[str]:
    words = ["conclusion", claim_text(values)]
    for name, chosen in given(context, values).items():
        words += [f"--{OPTION_NAMES.get(name, name)}", ",".join(map(str, chosen))]
    return [*words, "--alpha", f"{values['alpha']:g}", "--trials", str(values["trials"]), "--seed", str(values["seed"])]


PAGE = Page(
    name="conclusion",
    title="Would my conclusion change?",
    question="Does a claim about systems hold under every reasonable way to measure it?",
    controls=CONTROLS,
    panel=panel,
    pinnable=True,
    recipe=Recipe(table="Worlds", python=_python, command=_command, scored=False),
)
