"""From topics to systems: averages over topics, standardisation, topic hardness.

May import :mod:`irviz.errors` and :mod:`irviz.scores`; knows nothing of collections
or measures, so that imported score matrices are treated as computed ones are.
"""

from __future__ import annotations

from irviz.summary.aggregate import SUMMARIES, aggregate, summarise
from irviz.summary.hardness import HARDNESS, hardness
from irviz.summary.standardise import standardise, standardised_scores

__all__ = ["HARDNESS", "SUMMARIES", "aggregate", "hardness", "standardise", "standardised_scores", "summarise"]
