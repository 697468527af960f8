"""From topics to systems: averages over topics, standardisation, topic hardness.

It knows nothing of collections or measures: imported score matrices are treated as computed ones are.
"""

from __future__ import annotations

from irviz.summary.aggregate import SUMMARIES, aggregate, summarise
from irviz.summary.hardness import HARDNESS, hardness
from irviz.summary.standardise import standardise, standardised_scores

__all__ = ["HARDNESS", "SUMMARIES", "aggregate", "hardness", "standardise", "standardised_scores", "summarise"]
