"""Judges: would another judge change the conclusion?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np
import pandas as pd

from irviz.analysis.judging.judges import Judges, judges
from irviz.analysis.judging.merging import MERGING_RULES, mapped, merged
from irviz.analysis.ranking.ranks import movers
from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted
from irviz.explore.collection.panel import grade_counts
from irviz.explore.judges import folds
from irviz.explore.judges.figures import confusion_square, tau_bars
from irviz.figures.pools import topic_grade_bars
from irviz.figures.slope import slope
from irviz.figures.squares import coefficients
from irviz.links.control import Choice, Number, one_measure
from irviz.links.view import View
from irviz.workspace.context import MOST_HIGHLIGHTED, Context, Opened
from irviz.workspace.controls import SEED, repeats, trials
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.words import spelled

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


def judge_names(opened: Opened) -> tuple[str, ...]:
    """The judges of the open collection; () where there is one set of judgments."""
    return () if opened.collection is None else opened.collection.judges


def _several(opened: Opened) -> bool:
    return len(judge_names(opened)) > 1


def _judge(position: int) -> Any:
    def fields(context: Context) -> dict[str, Any]:
        found = judge_names(context.opened)
        options = tuple((name, name) for name in found)
        if len(found) > 1:
            options += ((MERGED, MERGED),)
        return {"options": options, "default": found[min(position, len(found) - 1)] if found else ""}

    return fields


def _grades_as_stops(context: Context) -> dict[str, Any]:
    """A slider over the grades that judges gave, where these are few; else a field for a number."""
    whole = context.opened.collection
    grades = () if whole is None else tuple(sorted({grade for given in whole.grades for grade in given}))
    return {"stops": grades, "step": 0.0, "slider": True} if 0 < len(grades) <= FEW_GRADES else {}


def _threshold(level: int) -> Number:
    """From which of its own grades on a document has grade `level` by the other judge's mapped judgments."""
    return Number(
        name=THRESHOLDS[level - 1],
        label=f"Lowest grade of the second judge that becomes {level}",
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


def _asks_merged(values: Mapping[str, Any]) -> bool:
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
        shown_if=_asks_merged,
    ),
    *(_threshold(level) for level in (1, 2, 3)),
    trials(1000, 10_000, "Shuffles of the randomised Tukey HSD.", low=100, quick=None),
    repeats(5, help="How often the replaced judgments are sampled, independently.", high=50, quick=None, aside=True),
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
    """Two judges' rankings and their grades; the details are folded."""
    if context.opened.collection is None:
        raise IrvizError("Judges are compared by their judgments, and these are imported scores. Load qrels and runs.")
    if not _several(context.opened):
        return _alone(context)
    if len(context.systems) < 2:
        raise IrvizError("Judges are compared by their rankings of systems; there is only one. Choose more.")
    if values["first"] == values["second"]:
        raise IrvizError(f"Both judges are `{values['first']}`. Choose another one to compare it with.")
    whole, first, second = with_made(context, values)
    found = context.remember(judges, whole, context.measures, summary=context.summary, **_drawn(values))
    pair = (found.judges.index(first), found.judges.index(second))
    if not found.common(first, second):
        raise IrvizError(f"{found.pair_sentence(first, second)} Choose another judge.")
    m = found.measures.index(values["measure"])
    ranks = np.stack([found.ranks[m, pair[0], pair[1]], found.ranks[m, pair[1], pair[0]]])
    moved = [i for i in movers(ranks) if found.systems[i] not in context.highlight]
    named = [*context.highlighted(found.systems), *moved][:MOST_HIGHLIGHTED]
    sentence = _sentence(found, m, first, second)
    return Panel(
        sentence=sentence,
        drawings=(
            {
                "ranks": Drawing(
                    slope(found.systems, ranks[0], ranks[1], (first, second), named),
                    f"Ranks by {values['measure']} under both judges",
                    sentence,
                ),
                "grades": _confusion(found, first, second),
            },
            _taus(found, m, pair),
        ),
        tables={
            "Judges": Table(
                found.frame(),
                "One row per measure and pair of judges, on their common topics; the first is the reference of τ_AP.",
            ),
            "Ranks": Table(
                found.rank_changes(values["measure"], first, second).rename(columns={"first": first, "second": second}),
                "One row per system: its rank under both judges, largest change first.",
                digits=_rank_digits(ranks),
                names=(first, second),
            ),
        },
        notes=_notes(found, pair),
        folds={
            "Pairs of systems that change order, gain or lose significance": partial(folds.swaps, found, first, second),
            "Systems that a judge favours": partial(folds.favoured, context, found, m, first, second),
            "Topic by topic": partial(folds.topic_by_topic, found, m, pair),
            "What if judgments were replaced": partial(folds.replacing, context, whole, first, second, values),
        },
    )


def with_made(context: Context, values: Values) -> tuple[Collection, str, str]:
    """The collection with the judges that are made here, and the names of the two that are compared."""
    whole = context.collection
    first, second = values["first"], values["second"]
    if _asks_merged(values):
        whole = merged(whole, values["merge"], name=MERGED)
    if limits := _thresholds(values):
        name = f"{second}, mapped: " + ", ".join(f"{grade} from {limit:g}" for grade, limit in enumerate(limits, 1))
        whole, second = mapped(whole, second, limits, name=name), name
    return whole, first, second


def _thresholds(values: Values) -> list[float]:
    """The thresholds that are given, up to the first that is not."""
    return list(takewhile(lambda limit: limit is not None, (values[name] for name in THRESHOLDS)))


def _drawn(values: Values) -> dict[str, Any]:
    return {"seed": values["seed"], "trials": values["trials"]}


def _sentence(found: Judges, m: int, first: str, second: str) -> str:
    a, b = found.judges.index(first), found.judges.index(second)
    tau, differ = found.tau[m, a, b], found.grades_differ(first, second)
    kappa = found.kappa_binary[a, b] if differ else found.kappa[a, b]
    top = [_best(found.ranks[m, a, b], found.systems), _best(found.ranks[m, b, a], found.systems)]
    start = f"By `{found.measures[m]}`, `{first}` and `{second}` rank {len(found.systems)} systems with "
    start += f"τ = {spelled(tau, 3)}" if np.isfinite(tau) else "an undefined τ, as one of them ties all systems"
    same = f"`{first}` puts {top[0]} first, `{second}` {top[1]}"
    if all(len(set(ranks)) == 1 for ranks in (found.ranks[m, a, b], found.ranks[m, b, a])):
        same = "both tie all systems"
    elif top[0] == top[1]:
        same = f"both put {top[0]} first"
    agreed = "they agree on relevant or not" if differ else "their grades agree"
    agree = f"; {agreed} with κ = {spelled(kappa, 2)}" if np.isfinite(kappa) else ""
    return f"{start}; {same}{agree}."


def _best(ranks: np.ndarray, systems: tuple[str, ...]) -> str:
    best = np.flatnonzero(ranks == ranks.min())
    return f"`{systems[best[0]]}`" if len(best) == 1 else f"{len(best)} systems"


def _confusion(found: Judges, first: str, second: str) -> Drawing:
    counts = found.confusion(first, second)
    kept_rows, kept_columns = counts.sum(axis=1) > 0, counts.sum(axis=0) > 0
    shown = counts.loc[kept_rows, kept_columns]
    drawn = confusion_square(
        [str(name) for name in shown.index], [str(name) for name in shown.columns], shown.to_numpy(), (first, second)
    )
    return Drawing(drawn, "Which grades the two judges give", f"Documents by the grade of {first} and of {second}.")


def _taus(found: Judges, m: int, pair: tuple[int, int]) -> dict[str, Drawing]:
    """τ of the two judges by every measure; and between all judges, where there are more."""
    first, second = (found.judges[place] for place in pair)
    by_measure = f"Kendall's τ between {first} and {second}, under every measure"
    rows = {
        "tau": Drawing(tau_bars(found.measures, found.tau[:, pair[0], pair[1]]), by_measure, f"{by_measure}: bars.")
    }
    if len(found.judges) > 2:
        title = f"Kendall's τ between all judges, by {found.measures[m]}"
        square = coefficients(found.judges, found.tau[m], "Kendall's τ")
        rows["all"] = Drawing(square, title, f"{title}, as a square of colours.")
    return rows


def _notes(found: Judges, pair: tuple[int, int]) -> tuple[str, ...]:
    a, b = pair
    first, second = found.judges[a], found.judges[b]
    binary = f"Cohen's κ of relevant or not ({_split(found, a, b)}) {_plain(found.kappa_binary[a, b])}"
    grades = (
        f"of the grades as they are {_plain(found.kappa[a, b])}, weighted by the squared distance "
        f"{_plain(found.kappa_quadratic[a, b])}, Krippendorff's α (ordinal) {_plain(found.alphas[a, b])}"
    )
    warned = ": the two judges give different grades, so these compare scales as well as opinions"
    differ = found.grades_differ(first, second)
    return found.pair_sentence(first, second), f"Agreement: {binary}; {grades}{warned if differ else ''}."


def _split(found: Judges, a: int, b: int) -> str:
    """Which grades are relevant in the binary κ."""
    lowest = [f"{found.lowest[place]:g}" for place in (a, b)]
    if lowest[0] == lowest[1]:
        return f"grades above {lowest[0]}"
    return f"above {lowest[0]} by {found.judges[a]}, above {lowest[1]} by {found.judges[b]}"


def _rank_digits(ranks: np.ndarray) -> int:
    """None for whole ranks; systems that tie share the mean of their ranks."""
    return 0 if bool((ranks == ranks.round()).all()) else 1


def _plain(value: float) -> str:
    return spelled(value, 3)


def _alone(context: Context) -> Panel:
    """One set of judgments: what it is, and how to get a second one."""
    whole = context.collection
    counts, words = grade_counts(whole, whole.aspects[0])  # those below zero were judged, too
    below = ["below zero"] * (len(words) - len(whole.grades[0]))
    names = below + [f"{grade:g}" for grade in whole.grades[0]]
    frame = pd.DataFrame(counts, columns=names)
    frame.insert(0, "topic", list(whole.topics))
    drawn = topic_grade_bars(whole.topics, counts, below + [f"grade {name}" for name in names[len(below) :]])
    documents = int(counts.sum())
    sentence = (
        f"This collection has one judge, who graded {counted(documents, 'document')}. "
        "To compare judges, load several qrels as judges on the Collection page."
    )
    return Panel(
        sentence,
        ({"grades": Drawing(drawn, f"Judged documents by grade of {whole.aspects[0]}", sentence)},),
        {"Grades": Table(frame, "One row per topic: its judged documents by grade.")},
        ways=(("See two judges on the bundled ad hoc collection", View.of("judges", collection="adhoc")),),
    )


PAGE = Page(
    name="judges",
    title="Judges",
    question="Would another judge change the conclusion?",
    controls=CONTROLS,
    panel=panel,
    focus="measure",
    pinnable=True,
    highlights=True,
    chooses_from=_several,
)
