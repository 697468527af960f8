"""The classes that irviz's functions return and take, for annotations."""

from irviz.collection.model import Collection
from irviz.collection.people import Preferences, Satisfaction
from irviz.measures.language.base import Measure
from irviz.multiverse.equal_steps import EqualSteps
from irviz.multiverse.order import UndisputedOrder
from irviz.multiverse.power import Power
from irviz.multiverse.verdicts import Conclusion
from irviz.multiverse.worlds import Worlds
from irviz.stats.consistency import Consistency
from irviz.stats.dominance import Dominance
from irviz.stats.incompleteness import PoolReduction
from irviz.stats.judges import Judges
from irviz.stats.overlap import Overlap
from irviz.stats.replacing import Replacement
from irviz.stats.scales import ScaleType
from irviz.stats.scores import Scores
from irviz.stats.significance import Significance
from irviz.stats.similarity import Similarity
from irviz.stats.sweep import Sweep
from irviz.stats.users import GradePreferences, PreferenceAgreement, SatisfactionAgreement

__all__ = [
    "Collection",
    "Conclusion",
    "Consistency",
    "Dominance",
    "EqualSteps",
    "GradePreferences",
    "Judges",
    "Measure",
    "Overlap",
    "PoolReduction",
    "Power",
    "PreferenceAgreement",
    "Preferences",
    "Replacement",
    "Satisfaction",
    "SatisfactionAgreement",
    "ScaleType",
    "Scores",
    "Significance",
    "Similarity",
    "Sweep",
    "UndisputedOrder",
    "Worlds",
]
