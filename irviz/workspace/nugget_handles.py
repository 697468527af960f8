"""Two handles of scores of nuggets: they choose which of the loaded scores comes first."""

from __future__ import annotations

from functools import partial
from itertools import product

from irviz.stats.nuggets import load_nuggets, nugget_handles, nuggets_name
from irviz.stats.scores import Scores
from irviz.workspace.control import Number

_STEPS = (0.5, 0.0, 1.0, 0.25, 0.75)
USUAL_NUGGETS = tuple(nuggets_name(*pair) for pair in product(_STEPS[:3], repeat=2))  #: the measures of pages
#: :func:`irviz.load_nuggets` at every place of the handles
all_nuggets = partial(load_nuggets, partial=_STEPS, okay=_STEPS)


def are_nuggets(scores: Scores | None) -> bool:
    """True of what `all_nuggets` gives."""
    return scores is not None and nugget_handles(scores.measures) == (_STEPS, _STEPS)


def _handle(name: str, label: str, help: str) -> Number:
    return Number(
        name=name,
        label=label,
        help=help,
        step=0.25,
        default=0.5,
        from_context=lambda opened: {"shown_if": lambda values: are_nuggets(opened.imported_scores)},
    )


NUGGET_HANDLES = (
    _handle("partial", "Credit of partial support", "Of a nugget that an answer supports in part; 0 is strict."),
    _handle("okay", "Weight of okay nuggets", "A vital nugget weighs 1."),
)
