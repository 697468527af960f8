"""Whether a statistic is licensed by the scale of a measure, in words.

Means, standard deviations and everything built on them ask for an interval scale;
medians and ranks for an ordinal one (Stevens 1946; Ferrante et al. 2019, section 3.3).
"""

from __future__ import annotations

from irviz.errors import IrvizError
from irviz.measures import Measure, measure
from irviz.measures.base import Scale
from irviz.measures.toma import TOMA
from irviz.workspace.context import Context

KINDS = {
    "interval": "an interval scale",
    "ordinal": "an ordinal scale",
    "neither": "neither an ordinal nor an interval scale",
}
MEANINGS = {
    "interval": "equal steps of the score are equal steps between result lists, so means may be compared",
    "ordinal": "a higher score is a better result list, but equal steps of the score are not equal steps between "
    "lists; means then rest on an assumption, medians and ranks do not",
    "neither": "equal steps of the score are not equal steps between lists; means are common practice all the same, "
    "and rest on that assumption",
}


def scale_found(context: Context, label: str) -> tuple[Scale | None, str]:
    """The scale type of a measure on the collection's grades (TOMA's: on its classes), or why it is not known."""
    collection = context.opened.collection
    if collection is None:
        return None, "imported scores do not say on which grades they were measured"
    try:
        one: Measure = measure(label)
        if isinstance(one, TOMA):
            return one.scale_in(collection), ""
        return one.scale(collection.grades[collection.aspect_index(one.aspect)]), ""
    except IrvizError as error:
        return None, str(error).rstrip(".")


def scale_of(context: Context, label: str) -> Scale | None:
    """The scale type of a measure; None where it is not known, for the reason :func:`scale_found` gives."""
    return scale_found(context, label)[0]


def scale_note(context: Context, label: str) -> tuple[str, ...]:
    """What the measure's scale says about averaging it, as a note for a page."""
    scale, why = scale_found(context, label)
    if scale is None:
        return (f"Scale: that of `{label}` is not known: {why}.",)
    where = "on its classes" if isinstance(measure(label), TOMA) else "under these grades"
    return (f"Scale: {where} `{label}` is on {KINDS[scale.kind]}: {MEANINGS[scale.kind]}. "
            f"{scale.reason} ({scale.source}.)",)  # fmt: skip
