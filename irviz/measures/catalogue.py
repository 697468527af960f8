"""The ordered catalogue of measures: one line per measure.

Pickers, parameter widgets, the reference page, the grammar's names and the contract
tests read this list and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from irviz.measures.aspect_means import CAM, MM
from irviz.measures.average_precision import AP, RR, Bpref, RPrecision
from irviz.measures.cascade import ERR, RBP
from irviz.measures.cumulated_gain import DCG, NDCG
from irviz.measures.cwla import CWLA, INST
from irviz.measures.graded_ap import EGAP, GAP, XGAP
from irviz.measures.interval import Interval
from irviz.measures.language.base import Measure
from irviz.measures.peers import InterpolatedPrecision, JudgedShare, SetF, SetPrecision, SetRecall, Success
from irviz.measures.sets import FMeasure, GeneralisedPrecision, GeneralisedRecall, Precision, Recall
from irviz.measures.toma import TOMA
from irviz.measures.total_orders import RBTO, SBTO

MEASURES: tuple[type[Measure], ...] = (
    Precision,
    Recall,
    FMeasure,
    GeneralisedPrecision,
    GeneralisedRecall,
    SetPrecision,
    SetRecall,
    SetF,
    JudgedShare,
    SBTO,
    RBTO,
    Interval,
    AP,
    RR,
    RPrecision,
    Bpref,
    Success,
    InterpolatedPrecision,
    NDCG,
    DCG,
    RBP,
    ERR,
    GAP,
    XGAP,
    EGAP,
    CWLA,
    INST,
    TOMA,
    CAM,
    MM,
)


def measures() -> Mapping[str, type[Measure]]:
    """Every kind of measure that irviz knows, by its name in expressions, in the order of the menus.

    Each has ``title``, ``group``, ``formula`` (LaTeX), ``source`` and a docstring that explains it;
    :func:`irviz.measure` makes a measure with parameters.

    >>> "nDCG" in measures(), measures()["nDCG"].title
    (True, 'Normalised discounted cumulated gain')
    """
    return MappingProxyType({kind.symbol: kind for kind in MEASURES})
