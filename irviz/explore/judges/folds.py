"""What is folded below two judges' rankings, computed only when it is opened."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.analysis.judging.favoured import CONFIDENCE
from irviz.analysis.judging.judges import Judges
from irviz.analysis.judging.replacing import replaced
from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted, verb
from irviz.explore.judges.figures import replacing_lines
from irviz.figures.ranking import ranking
from irviz.workspace.context import Context
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.words import spelled


def swaps(found: Judges, first: str, second: str) -> Panel:
    """Pairs of systems about which the two judges disagree."""
    if len(found.common(first, second)) < 2:
        raise IrvizError(f"{found.pair_sentence(first, second)} A significance test needs at least two topics.")
    rows = _of(found.flips, first, second)
    counts = rows.groupby(["measure", "change"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(index=list(found.measures), columns=["turns", "gains", "loses"], fill_value=0)
    counts = counts.rename_axis(index="measure", columns=None).reset_index()
    total = len(found.systems) * (len(found.systems) - 1) // 2
    turned = int(counts["turns"].sum())
    sentence = (
        f"Over {counted(len(found.measures), 'measure')}, {turned:,} of {total * len(found.measures):,} pairs of "
        f"systems change their order from `{first}` to `{second}`, {int(counts['gains'].sum()):,} gain significance "
        f"and {int(counts['loses'].sum()):,} lose it."
    )
    return Panel(
        sentence,
        tables={
            "By measure": Table(
                counts, "One row per measure: pairs that change their order, gain or lose significance."
            ),
            "Pairs": Table(rows, "One row per pair of systems that changes."),
        },
        notes=(f"Tested by randomised Tukey HSD over all {len(found.systems)} systems, α = {found.level:g}.",),
    )


def _of(frame: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """The rows of one pair of judges, whichever was named first when they were computed."""
    straight = (frame["first"] == first) & (frame["second"] == second)
    crossed = (frame["first"] == second) & (frame["second"] == first)
    return frame[straight | crossed].reset_index(drop=True)


def favoured(context: Context, found: Judges, m: int, first: str, second: str) -> Panel:
    """How many ranks every system gains under the second judge, with its interval."""
    reference = found.judges[0]
    judge = second if first == reference else first
    rows = found.favoured
    rows = rows[(rows["measure"] == found.measures[m]) & (rows["judge"] == judge)].sort_values(
        "shift", ascending=False, kind="stable"
    )
    if rows.empty:
        return Panel(
            f"Shifts are counted against `{reference}`, the first judge; choose another judge to compare with it."
        )
    sure = int(((rows["low"] > 0) | (rows["high"] < 0)).sum())
    corrected = int((rows["p_adjusted"] < 1 - CONFIDENCE).sum())
    chance = (1 - CONFIDENCE) * len(rows)
    sentence = (
        f"Compared with `{reference}`, `{judge}` moves {sure} of {len(rows)} systems by a number of ranks whose "
        f"95% interval over topics excludes zero; if none were favoured, up to {chance:.2g} would be expected. "
        f"Corrected for {counted(len(rows), 'system')}, {corrected or 'none'} {verb(corrected, 'moves', 'move')} "
        "significantly (p < .05)."
    )
    systems = list(rows["system"])
    drawn = ranking(
        systems,
        rows["shift"].to_numpy(dtype=float),
        rows["low"].to_numpy(dtype=float),
        rows["high"].to_numpy(dtype=float),
        f"ranks gained under {judge}, by {found.measures[m]}",
        np.arange(1, len(rows) + 1),
        context.highlighted(systems),
    )
    frame = rows.assign(topics=[", ".join(topics) for topics in rows["topics"]])
    about = (
        "One row per system: the ranks it gains, their 95% interval, p corrected for all systems together (maxT over "
        "the same resampled topics), and the topics that drive it."
    )
    return Panel(
        sentence,
        (
            {
                "shift": Drawing(drawn, "Ranks gained", sentence),
            },
        ),
        {"Shifts": Table(frame, about)},
    )


def topic_by_topic(found: Judges, m: int, pair: tuple[int, int]) -> Panel:
    """τ of the systems and κ of the grades, one row per topic."""
    a, b = pair
    frame = pd.DataFrame(
        {
            "topic": list(found.topics),
            "τ of the systems": found.tau_by_topic[m, :, a, b],
            "κ of the grades": found.kappa_by_topic[:, a, b],
            "α of all judges": found.alpha_by_topic,
        }
    )[found.judged[a] & found.judged[b]]
    taus = frame["τ of the systems"]
    known = taus[np.isfinite(taus)]
    sentence = (
        f"Topic by topic, τ by `{found.measures[m]}` is {spelled(float(known.median()), 2)} on the median topic."
        if len(known)
        else f"By `{found.measures[m]}`, no topic orders the systems under both judges."
    )
    return Panel(
        sentence,
        tables={
            "Topics": Table(
                frame.sort_values("τ of the systems", kind="stable"), "One row per topic, least agreement first."
            )
        },
    )


def replacing(context: Context, whole: Collection, first: str, second: str, values: Values) -> Panel:
    """τ against the share of judgments taken from the second judge."""
    how = {"repeats": values["repeats"], "seed": values["seed"], "unit": values["unit"], "summary": context.summary}
    found = context.remember(replaced, whole, context.measures, first, second, **how)
    with np.errstate(all="ignore"):
        known = np.isfinite(found.repeats)
        low = np.where(known, found.repeats, np.inf).min(axis=2)
        high = np.where(known, found.repeats, -np.inf).max(axis=2)
    low, high = (np.where(np.isfinite(end), end, found.tau) for end in (low, high))
    needed = found.needed(values["measure"])
    judgments = f"{int(found.left[0]):,} judgments of `{first}`"
    if needed is None:
        sentence = f"By `{values['measure']}`, τ is never .9 or more, even with all {judgments}."
    else:
        sentence = (
            f"By `{values['measure']}`, τ with `{first}` alone stays at .9 or more down to {needed:,} of the "
            f"{judgments}, the others being those of `{second}`{_then(found.falls(values['measure']))} "
            f"({len(found.shares)} shares tried, 0 to {max(found.shares):.0%})."
        )
    drawn = replacing_lines(found.measures, found.shares, found.tau, low, high)
    return Panel(
        sentence,
        ({"replaced": Drawing(drawn, "Agreement as judgments are replaced", sentence)},),
        {
            "Replaced": Table(
                found.frame(),
                "One row per measure, share and repeat: τ, pairs in the opposite order, judgments left.",
            )
        },
    )


def _then(fall: tuple[float, float] | None) -> str:
    """What happens at the first share at which τ is not high enough."""
    if fall is None:
        return ""
    share, tau = fall
    return f"; with {share:.0%} replaced it is {f'{tau:.3f}' if np.isfinite(tau) else 'undefined'}"
