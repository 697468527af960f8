"""Measures are hashable values, named by an expression that parses back to an equal value."""

from __future__ import annotations

from irviz.errors import IrvizError
from irviz.measures.catalogue import load_packages, measures, register
from irviz.measures.language.base import Measure
from irviz.measures.language.grammar import parse

__all__ = ["Measure", "measure", "measures", "register"]


def is_foreign(expression: object) -> bool:
    """True if something is a measure of ir_measures, whose text irviz reads."""
    return type(expression).__module__.split(".")[0] == "ir_measures" and not isinstance(expression, (list, tuple))


def measure(expression: str | Measure) -> Measure:
    """The measure an expression names, such as ``RBP(p=0.8)@10``.

    Parameters
    ----------
    expression : str or Measure
        ``Name(key=value,…)@cutoff``, also in names of trec_eval and ir_measures (``map``, ``ndcg_cut_10``, ``MRR@10``);
        a measure is returned as it is, and one of ir_measures is read by its text.

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
    parsed = parse(str(expression) if is_foreign(expression) else expression)
    if not isinstance(parsed, Measure):
        raise IrvizError(f"`{expression}` is not a measure.")
    return parsed


load_packages()  # last: they import what is above
