"""irviz: see what an IR evaluation measure does, before you trust it."""

from typing import Any

from irviz.analysis.consistency import consistency
from irviz.analysis.incompleteness import pool_reduction
from irviz.analysis.judging.judges import judges
from irviz.analysis.judging.replacing import replaced
from irviz.analysis.scales import scale_type
from irviz.analysis.significance import significance
from irviz.analysis.similarity import similarity
from irviz.collection.catalogue import open_collection
from irviz.collection.datasets import from_ir_datasets
from irviz.collection.frames import collection_from_frames
from irviz.collection.load import load_collection
from irviz.conclusions import conclusion, power, undisputed, worlds
from irviz.contributions import contributions
from irviz.errors import IrvizError
from irviz.measures import measure, measures
from irviz.places import VERSION
from irviz.residuals import residual
from irviz.scores import load_scores, score
from irviz.summary import hardness, standardise, summarise

__version__ = VERSION


def __getattr__(name: str) -> Any:
    """``show`` and ``open`` import plotly and every page, so they are imported only when they are used."""
    if name in ("show", "open"):
        from irviz import notebook

        return notebook.show if name == "show" else notebook.open_dashboard
    raise AttributeError(f"module 'irviz' has no attribute '{name}'")


__all__ = [
    "IrvizError",
    "collection_from_frames",
    "conclusion",
    "consistency",
    "contributions",
    "from_ir_datasets",
    "hardness",
    "judges",
    "load_collection",
    "load_scores",
    "measure",
    "measures",
    "open_collection",
    "pool_reduction",
    "power",
    "replaced",
    "residual",
    "scale_type",
    "score",
    "show",
    "significance",
    "similarity",
    "standardise",
    "summarise",
    "undisputed",
    "worlds",
]
