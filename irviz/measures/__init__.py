"""Measures are hashable values, named by an expression that parses back to an equal value."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

from irviz.errors import IrvizError
from irviz.measures.catalogue import load_packages, measures, register
from irviz.measures.language.aliases import IR_MEASURES_DEFAULTS
from irviz.measures.language.base import Measure
from irviz.measures.language.grammar import parse

__all__ = ["Measure", "measure", "measures", "register"]


def is_foreign(expression: object) -> bool:
    """True for a measure of ir_measures."""
    return type(expression).__module__.split(".")[0] == "ir_measures" and not isinstance(expression, (list, tuple))


def measure(expression: str | Measure) -> Measure:
    """The measure an expression names, such as ``RBP(p=0.8)@10``.

    Parameters
    ----------
    expression : str or Measure
        ``Name(key=value,…)@cutoff``, also in names of trec_eval and ir_measures (``map``, ``ndcg_cut_10``, ``MRR@10``);
        a measure is returned unchanged, and an object of ir_measures is read with its own defaults.

    Returns
    -------
    Measure
        A hashable value; ``str`` of it parses back to an equal one.

    Raises
    ------
    IrvizError
        For an unknown name (with the nearest ones), a parameter outside its domain, or
        text outside the grammar.

    Examples
    --------
    >>> measure("RBP( p = 0.80 )@10")
    RBP(p=0.8)@10
    >>> measure("AP") == measure("AP(rel=1)")
    True
    """
    if isinstance(expression, Measure):
        return expression
    foreign: Any = expression if is_foreign(expression) else None
    parsed = parse(expression if foreign is None else str(foreign))
    if not isinstance(parsed, Measure):
        raise IrvizError(f"`{expression}` is not a measure.")
    if foreign is None:
        return parsed
    defaults = IR_MEASURES_DEFAULTS.get(foreign.NAME, {})
    changes = {name: value for name, value in defaults.items() if name not in foreign.params}
    if "gains" in foreign.params:
        changes["gains"] = foreign.params["gains"]  # its text leaves some out
    if foreign.NAME == "SetF" and "beta" in foreign.params:
        changes["beta"] = sqrt(foreign.params["beta"])  # given to trec_eval, whose parameter is beta²
    return replace(parsed, **changes)


load_packages()  # last: they import what is above
