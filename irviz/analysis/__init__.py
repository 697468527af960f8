"""Statistics on the cube of scores: similarity, consistency, significance, incomplete judgments.

May import collections, measures, scores and summaries; knows nothing of figures or pages.
Results are frozen; what draws at random takes a seed and gives the same numbers for it.
"""

from __future__ import annotations

from irviz.analysis.consistency import Consistency, EpsilonSweep, consistency, epsilon_sweep
from irviz.analysis.diagnostics import BestRuns, UpperBounds, best_runs, ideal_rankings, upper_bounds
from irviz.analysis.discrimination import DiscriminativePower, discriminative_power
from irviz.analysis.incompleteness import PoolReduction, pool_reduction
from irviz.analysis.significance import METHODS, Significance, significance
from irviz.analysis.similarity import COEFFICIENTS, Similarity, similarity
from irviz.analysis.splits import SPLITS

__all__ = [
    "COEFFICIENTS",
    "METHODS",
    "SPLITS",
    "BestRuns",
    "Consistency",
    "DiscriminativePower",
    "EpsilonSweep",
    "PoolReduction",
    "Significance",
    "Similarity",
    "UpperBounds",
    "best_runs",
    "consistency",
    "discriminative_power",
    "epsilon_sweep",
    "ideal_rankings",
    "pool_reduction",
    "significance",
    "similarity",
    "upper_bounds",
]
