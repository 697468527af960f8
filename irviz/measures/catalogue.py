"""The ordered catalogue of measures: those of some modules, in the order of modules and of classes.

Pickers, parameter widgets, the reference page, the grammar's names and the contract
tests read this list and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from irviz.measures import (
    aspect_means,
    average_precision,
    cascade,
    cumulated_gain,
    cwla,
    graded_ap,
    intents,
    interval,
    overlap,
    sets,
    toma,
    total_orders,
)
from irviz.measures.language.base import Measure, registered_classes

MEASURES = registered_classes(
    Measure,
    sets,
    total_orders,
    interval,
    average_precision,
    cumulated_gain,
    cascade,
    overlap,
    graded_ap,
    cwla,
    toma,
    aspect_means,
    intents,
)


def measures() -> Mapping[str, type[Measure]]:
    """Every kind of measure that irviz knows, by its name in expressions, in the order of the menus.

    Each has ``title``, ``group``, ``formula`` (LaTeX), ``source`` and a docstring that explains it;
    :func:`irviz.measure` makes a measure with parameters.

    >>> "nDCG" in measures(), measures()["nDCG"].title
    (True, 'Normalised discounted cumulated gain')
    """
    return MappingProxyType({kind.symbol: kind for kind in MEASURES})
