"""The classes that irviz's functions return and take, for annotations; two of them need the dashboard."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from irviz.collection.codes import Finding
from irviz.collection.model import Collection
from irviz.collection.people import Preferences, Satisfaction
from irviz.collection.sources import Limits
from irviz.gallery.findings import Findings
from irviz.measures.language.base import Measure, Scale
from irviz.multiverse.against import Comparisons
from irviz.multiverse.equal_steps import EqualSteps
from irviz.multiverse.groups import ByGroup
from irviz.multiverse.order import UndisputedOrder
from irviz.multiverse.power import Power
from irviz.multiverse.verdicts import Conclusion
from irviz.multiverse.worlds import Worlds
from irviz.places import needs_app
from irviz.stats.claims import Claim
from irviz.stats.consistency import Consistency
from irviz.stats.incompleteness import PoolReduction
from irviz.stats.judges import Judges
from irviz.stats.lists import Dominance, Overlap
from irviz.stats.prediction_powered import PredictionPowered
from irviz.stats.replacing import Replacement
from irviz.stats.scales import ScaleType
from irviz.stats.scores import Scores
from irviz.stats.significance import Significance
from irviz.stats.similarity import Similarity
from irviz.stats.sweep import Sweep
from irviz.stats.tables import SystemTable
from irviz.stats.users import GradePreferences, PreferenceAgreement, SatisfactionAgreement

if TYPE_CHECKING:
    from irviz.notebook import Dashboard, ViewOutput
else:

    def __getattr__(name: str) -> Any:
        if name not in ("Dashboard", "ViewOutput"):
            raise AttributeError(f"module 'irviz.types' has no attribute '{name}'")
        with needs_app():
            return getattr(import_module("irviz.notebook"), name)


__all__ = [
    "ByGroup",
    "Claim",
    "Collection",
    "Comparisons",
    "Conclusion",
    "Consistency",
    "Dashboard",
    "Dominance",
    "EqualSteps",
    "Finding",
    "Findings",
    "GradePreferences",
    "Judges",
    "Limits",
    "Measure",
    "Overlap",
    "PoolReduction",
    "Power",
    "PredictionPowered",
    "PreferenceAgreement",
    "Preferences",
    "Replacement",
    "Satisfaction",
    "SatisfactionAgreement",
    "Scale",
    "ScaleType",
    "Scores",
    "Significance",
    "Similarity",
    "Sweep",
    "SystemTable",
    "UndisputedOrder",
    "ViewOutput",
    "Worlds",
]
