"""Would my conclusion change?  One claim about systems, in every reasonable way to measure it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from irviz.analysis.significance import significance
from irviz.conclusions import Conclusion
from irviz.conclusions.choices.dimensions import AVERAGES, DIMENSIONS, FAMILIES, TESTS
from irviz.conclusions.sample_size import few_topics
from irviz.conclusions.telling.grids import Grid, curve, grid
from irviz.conclusions.telling.paper import JOINT
from irviz.conclusions.telling.words import option_words
from irviz.errors import listed
from irviz.explore.conclusion import folds, ways
from irviz.explore.conclusion.controls import CONTROLS, RECIPE, USUAL_CHOICES, conclude, data_of, looked_at
from irviz.explore.conclusion.figures import share_bars, sign_grid, specification_curve
from irviz.workspace.context import Context
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table


def panel(context: Context, values: Values) -> Panel:
    """The sentence, the curve, the grid; topics, flips, pairs and power folded."""
    r = conclude(context, values)
    at, missing = _shown(r, values["world"])
    sorted_worlds = curve(r)
    unit = "difference of the averages" if r.claim.kind == "pair" else "difference that decides"
    rows: list[dict[str, Drawing]] = [
        {
            "curve": Drawing(
                specification_curve(sorted_worlds, partial(ways.world_words, r), unit, at, _judges(context)),
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
                _shares(r),
                "One row per choice: the worlds with this choice, and the share of them in which the claim holds.",
            ),
            **_joint(r),
            "Worlds": Table(_table(r), "One row per world: its choices and its result.", digits=_digits(r)),
        },
        notes=(*missing, *_together(context, values, r, at), *_notes(r, at)),
        folds={
            "Which topics carry the difference": partial(folds.topics, r),
            "What flips the verdict": partial(folds.nearest_flips, r, at),
            "All pairs, and the order that no world disputes": partial(folds.pairs, context, data_of(context), r),
            "How many topics are needed": partial(folds.sample_size, context, r),
            "For a paper": partial(folds.words_for_paper, r),
        },
        ways=ways.to_scores(context, r, at),
    )


def _shown(r: Conclusion, number: int) -> tuple[int, tuple[str, ...]]:
    """The row of the world with a number, or the first, with the reason."""
    found = np.flatnonzero(r.worlds.numbers == number)
    if len(found):
        return int(found[0]), ()
    numbers = r.worlds.numbers
    why = f"the last is {numbers[-1]:,}" if number > numbers[-1] else "it was left out"
    reasons = f" ({listed(r.left_out, 10, 'or')})" if number < numbers[-1] and r.left_out else ""
    return 0, (f"There is no world {number:,}: {why}{reasons}. World {numbers[0]} is shown.",)


def _instead(found: Grid) -> str:
    """The tests of averages that the world's own does not test, as a clause."""
    others = [f"{_AVERAGES.get(name, name)} by the {TESTS[test]}" for name, test in found.others.items()]
    return f", but {listed(others, 10, 'and')}" if others else ""


def _judges(context: Context) -> str:
    """What several sets of judgments are called here."""
    loaded = context.opened.collection
    return "judge" if loaded is None or loaded.judges else "aspect"


_AVERAGES = {**AVERAGES, "standardised": "standardised"}  # short, as names of columns

# -- figures --------------------------------------------------------------------------------


def _beside(r: Conclusion, at: int) -> dict[str, Drawing]:
    """The grid of signs and what decides, where there is something to compare."""
    shown = {}
    found = grid(r, at)
    if found.verdict.size > 1:
        shown["grid"] = Drawing(
            sign_grid(found, [_AVERAGES.get(name, name) for name in found.averages]),
            "Measures × averages: + holds, − reversed, = tie, * significantly",
            f"The verdict by measure and average, all else as in world {r.worlds.numbers[at]}{_instead(found)}.",
            picks=("world",),
        )
    shares = r.attribution
    shares = shares[[name in r.worlds.varying or name not in DIMENSIONS for name in shares.index]]
    if len(r) > 1 and np.isfinite(shares).all():
        names = [DIMENSIONS.get(str(name), "combinations of choices") for name in shares.index]
        shown["decides"] = Drawing(
            share_bars(names, shares.to_numpy(), "share of the variance"),
            "What decides the size of the difference",
            "Share of the variance of the standardised difference that each choice explains. "
            + "; ".join(f"{name} {share:.0%}" for name, share in zip(names, shares, strict=True)),
        )
    return shown


# -- words and numbers ------------------------------------------------------------------------


def _joint(r: Conclusion) -> dict[str, Table]:
    """The joint test as a table; none in a preliminary result."""
    if r.joint is None or r.null is None:
        return {}
    of = "" if len(r.claim.pairs) == 1 else " For each statistic, the comparison with the largest p."
    about = (
        f"All worlds tested together: what was observed, the median of {r.null.exchanges:,} exchanges of the two "
        f"systems on random topics in all worlds at once, and how often they reach what was observed (p).{of}"
    )
    return {"Joint test": Table(r.joint.reset_index(), about, words={"statistic": JOINT})}


def _digits(r: Conclusion) -> int:
    """Decimal places with which the smallest difference shows two digits."""
    sizes = np.abs(r.difference[r.difference != 0])
    return 4 if not len(sizes) else int(np.clip(1 - np.floor(np.log10(sizes.min())), 4, 10))


def _table(r: Conclusion) -> pd.DataFrame:
    frame = r.frame()
    constant = [name for name in DIMENSIONS if name not in r.worlds.varying]
    frame = frame.drop(columns=constant)
    frame.insert(0, "world", r.worlds.numbers)
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
            label = f"{DIMENSIONS[name]}: {option_words(name, r.worlds.options[name][code])}"
            shares = {about: float(some[here].mean()) for about, some in what.items()}
            rows.append({"choice": label, "worlds": int(here.sum()), **shares})
    return pd.DataFrame(rows)


def _together(context: Context, values: Values, r: Conclusion, at: int) -> tuple[str, ...]:
    """The pair's p-value when all chosen systems are tested together."""
    if r.claim.kind != "pair" or len(context.systems) < 3 or len(context.topics) < 2:
        return ()
    label = str(r.worlds.options["measure"][r.worlds.code("measure")[at]])
    draws = {name: values[name] for name in ("trials", "seed")}  # α decides nothing about p-values
    found = context.remember(significance, context.scores([label])[label], "randomised_tukey", **draws)
    p = float(found.p_values[r.claim.pairs[0]])
    return (
        f"A p-value depends on the systems that are tested: with all {len(context.systems)} systems tested together "
        f"(randomised Tukey HSD, mean {label}, all chosen topics) this pair has p = {p:.3g}. The worlds here test "
        f"{_family(values)}.",
    )


def _family(values: Values) -> str:
    chosen = values["families"] or USUAL_CHOICES["family"]
    return listed([FAMILIES[one] for one in chosen], joiner="and")


def _notes(r: Conclusion, at: int) -> tuple[str, ...]:
    sizes = [f"{len(np.unique(r.worlds.code(name)))} × {DIMENSIONS[name]}" for name in r.worlds.varying]
    notes = [f"World {r.worlds.numbers[at]}: {ways.world_words(r, at)}; {ways.verdict_of(r, at)}."]
    if sizes:
        notes.append(f"{r.worlds.sentence.rstrip('.')}. They differ in: {', '.join(sizes)}.")
    notes += [f"{count:,} left out: {reason}." for reason, count in r.left_out.items()]
    notes += few_topics(len(r.first.topics), r.alpha)
    if r.joint is not None and len(r) > 1:
        notes.append(
            "A count of worlds is no evidence by itself: all worlds look at the same topics, and of two equal systems "
            "one is ahead in most of them. The joint test therefore lets the two systems change places on random "
            "topics, in all worlds at once (Simonsohn et al. 2020). It is evidence if the smallest of its three "
            "p-values, times three, is below α."
        )
    notes.append(
        "Differences of different measures are in different units; what decides is judged on the standardised "
        "difference (difference over the standard deviation of the per-topic differences)."
    )
    return tuple(notes)


PAGE = Page(
    name="conclusion",
    title="Would my conclusion change?",
    question="Does a claim about systems hold under every reasonable way to measure it?",
    controls=CONTROLS,
    panel=panel,
    averaged=False,
    highlights=True,
    looks_at=looked_at,
    pinnable=True,
    recipe=RECIPE,
)
