"""irviz: see what an IR evaluation measure does, before you trust it."""

from typing import TYPE_CHECKING, Any

from irviz.collection.catalogue import open_collection
from irviz.collection.datasets import from_ir_datasets
from irviz.collection.frames import collection_from_frames
from irviz.collection.load import load_collection
from irviz.collection.people import load_preferences, load_satisfaction
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.catalogue import measures
from irviz.multiverse.equal_steps import attainable, equal_steps
from irviz.multiverse.order import undisputed
from irviz.multiverse.power import power
from irviz.multiverse.verdicts import conclusion
from irviz.multiverse.worlds import worlds
from irviz.places import VERSION
from irviz.stats.aggregate import summarise
from irviz.stats.compatibility import compatibility
from irviz.stats.consistency import consistency
from irviz.stats.contributions import contributions
from irviz.stats.dominance import dominance
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.judges import judges
from irviz.stats.replacing import replaced
from irviz.stats.residuals import residual
from irviz.stats.scales import scale_type
from irviz.stats.scores import load_scores, score, scores_from_frames
from irviz.stats.significance import significance
from irviz.stats.similarity import similarity
from irviz.stats.sweep import sweep
from irviz.stats.topic_effects import hardness, standardise
from irviz.stats.users import preferences, satisfaction

__version__ = VERSION


if TYPE_CHECKING:
    from irviz.gallery.findings import findings
    from irviz.notebook import open_dashboard as open  # noqa: F401
    from irviz.notebook import show
else:

    def __getattr__(name: str) -> Any:
        """``show``, ``open`` and ``findings`` import plotly, so they are imported only when they are used."""
        if name in ("show", "open"):
            from irviz import notebook

            return notebook.show if name == "show" else notebook.open_dashboard
        if name == "findings":
            from irviz.gallery.findings import findings

            return findings
        raise AttributeError(f"module 'irviz' has no attribute '{name}'")


__all__ = [
    "IrvizError",
    "attainable",
    "collection_from_frames",
    "compatibility",
    "conclusion",
    "consistency",
    "contributions",
    "dominance",
    "equal_steps",
    "findings",
    "from_ir_datasets",
    "hardness",
    "judges",
    "load_collection",
    "load_preferences",
    "load_satisfaction",
    "load_scores",
    "measure",
    "measures",
    "open_collection",
    "pool_reduction",
    "power",
    "preferences",
    "replaced",
    "residual",
    "satisfaction",
    "scale_type",
    "score",
    "scores_from_frames",
    "show",
    "significance",
    "similarity",
    "standardise",
    "summarise",
    "sweep",
    "undisputed",
    "worlds",
]
