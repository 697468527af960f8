"""A measure of the lab on scales, on the systems of the loaded collection."""

from __future__ import annotations

from irviz.errors import IrvizError, verb
from irviz.labs.charts import system_scatter
from irviz.measures import measure
from irviz.stats.aggregate import aggregate
from irviz.stats.correlation import kendall_tau
from irviz.stats.scales import ScaleType
from irviz.stats.similarity import overall
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel
from irviz.workspace.permissible import permissibility
from irviz.workspace.phrases import ranked_alike


def on_collection(context: Context, found: ScaleType) -> Panel:
    """The scales of the chosen measures on the loaded grades; this measure's ranking beside that of the total order."""
    if context.opened.collection is None:
        raise IrvizError("Imported scores do not say on which grades they were measured, so their scale is not known.")
    reference = measure(f"{'RBTO' if found.order == 'rank' else 'SBTO'}@{min(found.depth, context.depth)}")
    name = str(measure(found.measure).at_depth(min(found.depth, context.depth)))
    scores = context.scores(list(dict.fromkeys([name, str(reference)])))
    means = aggregate(scores.values, "mean")
    tau = float(kendall_tau(overall(scores, "mean", None)[[0, -1]])[0, 1])
    scales = permissibility(context, "the mean over topics", "interval")
    good, known = len(scales.permissible), sum(scale is not None for scale in scales.scales.values())
    sentence = (
        f"On {context.opened.title}, the mean of `{scores.measures[0]}` and that of the interval scale "
        f"`{scores.measures[-1]}` {ranked_alike(tau, len(context.systems))}. {_scale_words(good, known)}"
    )
    drawn = system_scatter(context.systems, means[0], means[-1], (scores.measures[0], scores.measures[-1]))
    return Panel(
        sentence=sentence,
        drawings=(
            {
                "yours": Drawing(
                    drawn, "Every system by the measure and by the total order", f"One dot per system. {sentence}"
                )
            },
        ),
        tables={"Scales of your measures": scales.table()},
    )


def _scale_words(good: int, known: int) -> str:
    """How many measures of the sidebar are on an interval scale."""
    if not known:
        return "The scale of the measures in the sidebar is not known."
    if known == 1:
        return (
            f"The one measure of the sidebar whose scale is known is {'' if good else 'not '}on an interval scale "
            "there."
        )
    which = good or "none"
    return (
        f"Of the {known} measures of the sidebar whose scale is known, {which} {verb(good, 'is', 'are')} on an "
        "interval scale there."
    )
