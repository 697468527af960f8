"""irviz: see what an IR evaluation measure does, before you trust it.

Public names are imported when they are first used, so that ``irviz --version`` and a script that only
scores import neither the pages nor plotly.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from irviz.errors import IrvizError
from irviz.places import VERSION, needs_app

__version__ = VERSION

if TYPE_CHECKING:
    from irviz.collection.catalogue import open_collection
    from irviz.collection.frames import collection_from_frames, from_ir_datasets
    from irviz.collection.load import load_collection
    from irviz.collection.people import load_preferences, load_satisfaction
    from irviz.collection.qrels import load_intents
    from irviz.gallery.findings import findings
    from irviz.measures import measure
    from irviz.measures.catalogue import measures, register
    from irviz.multiverse.against import compare
    from irviz.multiverse.equal_steps import attainable, equal_steps
    from irviz.multiverse.groups import by_group
    from irviz.multiverse.order import undisputed
    from irviz.multiverse.power import power
    from irviz.multiverse.verdicts import conclusion
    from irviz.multiverse.worlds import worlds
    from irviz.notebook import open_dashboard, show
    from irviz.stats.aggregate import summarise
    from irviz.stats.consistency import consistency
    from irviz.stats.incompleteness import pool_reduction, residual
    from irviz.stats.judges import judges
    from irviz.stats.leaderboard import leaderboard
    from irviz.stats.lists import compatibility, contributions, counts, dominance, rbo
    from irviz.stats.nuggets import load_nuggets
    from irviz.stats.prediction_powered import prediction_powered
    from irviz.stats.replacing import replaced
    from irviz.stats.scales import scale_type
    from irviz.stats.scores import load_scores, score, scores_from_frames
    from irviz.stats.significance import significance
    from irviz.stats.similarity import similarity, top_agreement
    from irviz.stats.sweep import sweep
    from irviz.stats.topic_effects import hardness, standardise
    from irviz.stats.users import preferences, satisfaction

    open = open_dashboard  # a name of this module, which an import under another name is not
else:
    #: module → the public names in it, as the imports above have them
    _HOMES = {
        "collection.catalogue": "open_collection",
        "collection.frames": "collection_from_frames from_ir_datasets",
        "collection.load": "load_collection",
        "collection.people": "load_preferences load_satisfaction",
        "collection.qrels": "load_intents",
        "gallery.findings": "findings",
        "measures": "measure",
        "measures.catalogue": "measures register",
        "multiverse.against": "compare",
        "multiverse.equal_steps": "attainable equal_steps",
        "multiverse.groups": "by_group",
        "multiverse.order": "undisputed",
        "multiverse.power": "power",
        "multiverse.verdicts": "conclusion",
        "multiverse.worlds": "worlds",
        "notebook": "open show",
        "stats.aggregate": "summarise",
        "stats.consistency": "consistency",
        "stats.incompleteness": "pool_reduction residual",
        "stats.judges": "judges",
        "stats.leaderboard": "leaderboard",
        "stats.lists": "compatibility contributions counts dominance rbo",
        "stats.prediction_powered": "prediction_powered",
        "stats.nuggets": "load_nuggets",
        "stats.replacing": "replaced",
        "stats.scales": "scale_type",
        "stats.scores": "load_scores score scores_from_frames",
        "stats.significance": "significance",
        "stats.similarity": "similarity top_agreement",
        "stats.sweep": "sweep",
        "stats.topic_effects": "hardness standardise",
        "stats.users": "preferences satisfaction",
    }
    _HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

    def __getattr__(name: str) -> Any:
        """A public name, imported on first use."""
        if name not in _HOME:
            text = f"module 'irviz' has no attribute '{name}'"
            raise AttributeError(text, name=name, obj=sys.modules[__name__])  # Python adds the nearest name
        with needs_app():
            module = import_module(f"irviz.{_HOME[name]}")
        found = getattr(module, "open_dashboard" if name == "open" else name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOME})

    class _Front(ModuleType):
        """The package; its `measures` is the function, also after the room of that name has been imported."""

        @property
        def measures(self) -> Any:
            return import_module("irviz.measures.catalogue").measures

        @measures.setter
        def measures(self, _room: ModuleType) -> None:
            """Ignore the room, which every import of it sets."""

    sys.modules[__name__].__class__ = _Front


__all__ = [
    "IrvizError",
    "attainable",
    "by_group",
    "collection_from_frames",
    "compare",
    "compatibility",
    "conclusion",
    "consistency",
    "contributions",
    "counts",
    "dominance",
    "equal_steps",
    "findings",
    "from_ir_datasets",
    "hardness",
    "judges",
    "leaderboard",
    "load_collection",
    "load_intents",
    "load_nuggets",
    "load_preferences",
    "load_satisfaction",
    "load_scores",
    "measure",
    "measures",
    "open_collection",
    "pool_reduction",
    "power",
    "prediction_powered",
    "preferences",
    "rbo",
    "register",
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
    "top_agreement",
    "undisputed",
    "worlds",
]
