"""The ordered catalogue of measures: one line per measure.

Pickers, parameter widgets, the reference page, the grammar's names and the contract
tests read this list and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from irviz.measures.aspect_means import CAM, MM
from irviz.measures.average_precision import (
    AP,
    RR,
    Bpref,
    ExtendedInferredAP,
    InferredAP,
    InterpolatedPrecision,
    RPrecision,
    Success,
)
from irviz.measures.cascade import ERR, NERR, RBP
from irviz.measures.cumulated_gain import DCG, NDCG
from irviz.measures.cwla import BPM, CWLA, INSQ, INST
from irviz.measures.graded_ap import EGAP, GAP, XGAP, QMeasure
from irviz.measures.intents import NRBP, AlphaNDCG, IntentERR, IntentPrecision, SubtopicRecall
from irviz.measures.interval import Interval
from irviz.measures.language.base import Measure
from irviz.measures.overlap import Compatibility
from irviz.measures.sets import (
    FMeasure,
    GeneralisedPrecision,
    GeneralisedRecall,
    JudgedShare,
    Precision,
    Recall,
    SetF,
    SetPrecision,
    SetRecall,
)
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
    InferredAP,
    ExtendedInferredAP,
    NDCG,
    DCG,
    RBP,
    ERR,
    NERR,
    Compatibility,
    GAP,
    XGAP,
    EGAP,
    QMeasure,
    CWLA,
    INST,
    INSQ,
    BPM,
    TOMA,
    CAM,
    MM,
    AlphaNDCG,
    IntentERR,
    NRBP,
    SubtopicRecall,
    IntentPrecision,
)


def measures() -> Mapping[str, type[Measure]]:
    """Every kind of measure that irviz knows, by its name in expressions, in the order of the menus.

    Each has ``title``, ``group``, ``formula`` (LaTeX), ``source`` and a docstring that explains it;
    :func:`irviz.measure` makes a measure with parameters.

    >>> "nDCG" in measures(), measures()["nDCG"].title
    (True, 'Normalised discounted cumulated gain')
    """
    return MappingProxyType({kind.symbol: kind for kind in MEASURES})
