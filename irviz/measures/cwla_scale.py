"""The scale types of C/W/L/A measures, as far as their formulas tell.

Where the user does not look at the gains, a measure is a weighted sum of gains, or of
peaks and ends; where the user does, only the known equivalents (ERR, AP) are settled.
May import :mod:`irviz.measures.scale_facts`, the browsing models and the aggregations.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from irviz.measures.aggregation.erg import ExpectedRateOfGain
from irviz.measures.aggregation.err import ReciprocalRank
from irviz.measures.aggregation.etg import ExpectedTotalGain
from irviz.measures.aggregation.max import MaximumRelevance
from irviz.measures.aggregation.pe import PeakEnd
from irviz.measures.arithmetic import AGREE
from irviz.measures.base import Scale
from irviz.measures.browsing.ap import APModel
from irviz.measures.browsing.dcg import DCGModel
from irviz.measures.browsing.err import ERRModel
from irviz.measures.browsing.rbp import RBPModel
from irviz.measures.judged import Judged
from irviz.measures.scale_facts import (
    cascade_scale,
    geometric_scale,
    peak_scale,
    precision_scale,
    set_scale,
    weighted_scale,
)

if TYPE_CHECKING:
    from irviz.measures.cwla import CWLA

UNPROVED = Scale(
    "neither",
    "No proof: the user adapts to the gains, so that steps of this measure differ from run to run.",
    "irviz.scale_type enumerates small depths",
    proved_from=None,
)
CONSTANT = Scale("neither", "It is the same for every run.", "Chen & Sakai 2023, Table 1")


def cwla_scale(measure: CWLA, judged: Judged, depth: int) -> Scale:
    """The scale type of a C/W/L/A measure on `depth` ranks, where its formula tells."""
    model, aggregation = measure.C, measure.A
    table = measure.table(judged)
    if measure.constant:
        return CONSTANT
    if model.adaptive:
        if isinstance(model, ERRModel) and isinstance(aggregation, ReciprocalRank):
            return cascade_scale(table, depth)
        if isinstance(model, APModel) and isinstance(aggregation, ExpectedRateOfGain) and len(judged.grades) == 2:
            return precision_scale(table, depth, "ordinal")
        return UNPROVED
    if measure.set_based and not isinstance(aggregation, MaximumRelevance):
        return set_scale(table, depth)
    if isinstance(model, RBPModel) and isinstance(aggregation, (ExpectedRateOfGain, ExpectedTotalGain)):
        return geometric_scale(judged.number(model.p), table, depth)
    margin = AGREE if isinstance(model, DCGModel) else Fraction(0)
    last = model.last(np.zeros((1, depth), dtype=object))[0]
    weights = aggregation.weights(last)
    if weights is not None:
        return weighted_scale(weights, table, margin)
    beta = aggregation.beta if isinstance(aggregation, PeakEnd) else 1
    return peak_scale(last, judged.number(beta), table, margin)
