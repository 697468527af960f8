"""The catalogue of aggregations, in the order they are offered.  One line an aggregation."""

from irviz.measures.aggregation.erg import ExpectedRateOfGain  # isort: skip
from irviz.measures.aggregation.etg import ExpectedTotalGain  # isort: skip
from irviz.measures.aggregation.avg import AverageRelevance  # isort: skip
from irviz.measures.aggregation.max import MaximumRelevance  # isort: skip
from irviz.measures.aggregation.fin import FinalRelevance  # isort: skip
from irviz.measures.aggregation.pe import PeakEnd  # isort: skip
from irviz.measures.aggregation.err import ReciprocalRank  # isort: skip

AGGREGATIONS = (
    ExpectedRateOfGain,
    ExpectedTotalGain,
    AverageRelevance,
    MaximumRelevance,
    FinalRelevance,
    PeakEnd,
    ReciprocalRank,
)
