"""The catalogue of measures, in the order of modules and of classes.

Pickers, parameter widgets, the reference page, the grammar's names and the contract
tests read this list and nothing else.  Measures of other packages come last; they are found by the entry point
``irviz.measures``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType

from irviz.errors import IrvizError
from irviz.measures.language.base import Measure, registered_classes

GROUP = "irviz.measures"  #: the entry point of packages with measures, and the place of irviz's own
_MODULES = (
    "sets",
    "total_orders",
    "interval",
    "average_precision",
    "cumulated_gain",
    "cascade",
    "overlap",
    "graded_ap",
    "cwla",
    "toma",
    "aspect_means",
    "intents",
)  #: in the order of the menus
_PLACES = {import_module(f"{GROUP}.{name}").__name__: place for place, name in enumerate(_MODULES)}
#: all measures there are, in the order of the menus
MEASURES: list[type[Measure]] = sorted(registered_classes(Measure), key=lambda kind: _PLACES[kind.__module__])


def register(kind: type[Measure]) -> type[Measure]:
    """Add a measure to all lists of measures; a decorator of its class.

    Parameters
    ----------
    kind : subclass of irviz.measures.Measure
        A frozen dataclass with a ``symbol``, a ``title`` and ``evaluate``.

    Returns
    -------
    type
        The class itself.

    Raises
    ------
    IrvizError
        If it is no measure, or has no symbol of its own.
    """
    if not (isinstance(kind, type) and issubclass(kind, Measure) and kind.symbol and kind.title):
        raise IrvizError(f"A measure is a subclass of irviz.measures.Measure with a symbol and a title; got {kind!r}.")
    MEASURES[:] = [known for known in MEASURES if known.symbol != kind.symbol] + [kind]
    return kind


def load_packages() -> None:
    """Import the measures of installed packages, and list them."""
    for point in entry_points(group=GROUP):
        before = set(registered_classes(Measure))
        try:
            loaded = point.load()
        except Exception as error:
            where = f"{point.value} (entry point `{point.name}` of {GROUP})"
            raise IrvizError(f"The measures of {where} cannot be imported: {error}. Fix or uninstall it.") from error
        new = [kind for kind in registered_classes(Measure) if kind not in before]
        for kind in [loaded] if isinstance(loaded, type) else new:
            register(kind)


def measures() -> Mapping[str, type[Measure]]:
    """Every kind of measure that irviz knows, by its name in expressions, in the order of the menus.

    Each has ``title``, ``group``, ``formula`` (LaTeX), ``source`` and a docstring that explains it;
    :func:`irviz.measure` makes a measure with parameters.

    >>> "nDCG" in measures(), measures()["nDCG"].title
    (True, 'Normalised discounted cumulated gain')
    """
    return MappingProxyType({kind.symbol: kind for kind in MEASURES})
