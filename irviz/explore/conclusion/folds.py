"""What is folded below the curve, computed only when it is opened: topics, flips, pairs, power, words for a paper."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.conclusions import Conclusion, Power, power, undisputed
from irviz.conclusions.choices.dimensions import DIMENSIONS
from irviz.conclusions.telling.paper import latex, paragraph
from irviz.errors import counted, listed, verb
from irviz.explore.conclusion.fold_figures import hasse_diagram, influence_bars, share_square
from irviz.figures.text import short
from irviz.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table

MOST_FLIPS = 8  #: flips that are told one by one; the table has all


def topics(r: Conclusion) -> Panel:
    """Per-topic differences, and how few of them decide."""
    adds = r.topics
    one, other = r.first.names
    helps = int((adds.to_numpy() > 0).sum())
    sentence = (
        f"In the first world `{one}` is ahead of `{other}` on {helps} of {counted(len(adds), 'topic')} "
        f"and behind on {int((adds.to_numpy() < 0).sum())}. {_fewest(r)}"
    )
    drawn = influence_bars(list(adds.index), adds.to_numpy(), f"adds to {short(one, 14)} − {short(other, 14)}")
    frame = pd.DataFrame({"topic": list(adds.index), "adds": adds.to_numpy(), "total so far": np.cumsum(adds)})
    return Panel(
        sentence,
        (
            {
                "topics": Drawing(drawn, "What each topic adds to the difference", sentence),
            },
        ),
        {"Topics": Table(frame, "One row per topic, what it adds to the difference, largest first.", digits=5)},
    )


def _fewest(r: Conclusion) -> str:
    fewest = r.fewest_topics
    exact = r.first.exact
    return " ".join(
        (_sign(fewest["sign"], exact["sign"]), _significance(fewest["significance"], exact["significance"]))
    ).strip()


def _sign(count: int | None, exact: bool) -> str:
    if count is None:
        return f"No removal of topics changes the sign{'' if exact else ' as far as was looked'}."
    if count == 0:
        return "The difference is zero."
    return f"Without {_at_most(count, exact)} the sign is lost."


def _significance(count: int | None, exact: bool) -> str:
    if count is None:
        return f"It stays significant whatever topics are removed{'' if exact else ', as far as was looked'}."
    if count == 0:
        return "It is not significant."
    return f"Without {_at_most(count, exact)} significance is lost."


def _at_most(count: int, exact: bool) -> str:
    """A number of topics; where it is not proven the least, it says so."""
    return f"{'' if exact else 'at most '}{count} {verb(count, 'topic', 'of the topics')}"


def nearest_flips(r: Conclusion, at: int) -> Panel:
    """The worlds nearest to the one shown that have another verdict."""
    here = {name: r.worlds.options[name][code] for name, code in zip(DIMENSIONS, r.worlds.codes[at], strict=True)}
    found = r.flips(here)
    if found.empty:
        return Panel(f"Every world has the verdict of world {r.worlds.numbers[at]}.")
    nearest = int(found["changes"].iloc[0])
    changes = counted(nearest, "change")
    sentence = f"From world {r.worlds.numbers[at]}, {changes} of the settings {verb(nearest, 'is', 'are')} enough."
    told = tuple(str(text) for text in found["sentence"].head(MOST_FLIPS))
    if len(found) > MOST_FLIPS:
        told += (f"The table has {len(found) - MOST_FLIPS:,} more.",)
    columns = [name for name in found.columns if name not in DIMENSIONS or name in r.worlds.varying]
    about = "One row per world with another verdict, fewest changes first; none of its changes can be left out."
    return Panel(sentence, tables={"Flips": Table(found[columns], about)}, notes=told)


def pairs(context: Context, data: Collection | Scores, r: Conclusion) -> Panel:
    """The share of the worlds in which one system is ahead of another, and the order that no world disputes."""
    if len(data.systems) < 2:
        return Panel("There is only one system, so there is no pair to compare.")
    found = context.remember(undisputed, data, r.worlds, alpha=r.alpha)
    order = np.lexsort((-found.share.sum(axis=1), found.levels))
    names = [found.systems[i] for i in order]
    square = share_square(names, found.share[np.ix_(order, order)], context.highlighted(names))
    chosen = context.highlighted(found.systems)
    hasse = hasse_diagram(found.systems, found.levels, found.edges, set(r.claim.names), chosen)
    seen = f"A square of the systems: the share of the worlds, 0 to 1, in which the row is ahead. {found.sentence}"
    edges = pd.DataFrame(list(found.edges), columns=["ahead", "behind"])
    return Panel(
        found.sentence,
        (
            {"order": Drawing(hasse, "The order that no world disputes", f"A Hasse diagram. {found.sentence}")},
            {"share": Drawing(square, "Share of the worlds in which the row is ahead", seen)},
        ),
        {
            "Disputed pairs": Table(found.disputed, "One row per disputed pair, the most disputed first."),
            "Undisputed order": Table(edges, "One row per line of the diagram: ahead in every world."),
        },
        notes=(
            "A line leads from a system down to one that it beats in every world. A disputed pair is decided by "
            "the choice that explains the most about which system is ahead.",
        ),
    )


def sample_size(context: Context, r: Conclusion) -> Panel:
    """How small a difference these topics show, and how many topics the observed one needs, by measure."""
    first, second = r.first.names
    both = context.scores().select(systems=[first, second])
    found = context.remember(power, both, alpha=r.alpha)
    frame = found.frame()
    return Panel(
        f"{_needed(found)} {found.sentence}",
        tables={
            "Topics needed": Table(
                frame,
                "One row per measure: the difference of the means, its standard deviation over topics, the "
                "smallest difference that these topics can show with a power of 0.8, and how many topics the observed "
                "one needs.",
            )
        },
        notes=("By the paired t test, from the variance that was observed (Sakai 2016, topic set size design).",),
    )


def _needed(found: Power) -> str:
    """How many topics the observed difference needs, by measure."""
    first, second = found.systems
    needed = found.needed[:, 0, 1]
    known = [f"{n:,.0f} by {name}" for name, n in zip(found.measures, needed, strict=True) if np.isfinite(n)]
    never = [name for name, n in zip(found.measures, needed, strict=True) if not np.isfinite(n)]
    least = f"no number of topics shows a difference by {listed(never, 10, 'and')}, which have none" if never else ""
    if not known:
        return f"Between `{first}` and `{second}` {least}."
    topics = "topic" if len(known) == 1 and known[0].startswith("1 ") else "topics"
    needs = f"To show the observed difference of `{first}` and `{second}` with a power of {found.power:g} takes"
    return f"{needs} {known[0].replace(' by ', f' {topics} by ', 1)}{_more(known[1:])}{f'; {least}' if least else ''}."


def _more(known: list[str]) -> str:
    if not known:
        return ""
    return (", " + ", ".join(known[:-1]) if known[:-1] else "") + f" and {known[-1]}"


def words_for_paper(r: Conclusion) -> Panel:
    """A paragraph and a LaTeX table."""
    return Panel(
        "Words and a table for a paper; check them against what you did.",
        texts={"Paragraph": paragraph(r), "LaTeX table": latex(r)},
    )
