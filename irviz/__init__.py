"""irviz: see what an IR evaluation measure does, before you trust it.

Public names are those of ``__init__.pyi``, each imported when it is first used, so that ``irviz --version`` and
a script that only scores import neither the pages nor plotly.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from irviz.places import VERSION, needs_app, stub_names

__version__ = VERSION
_HOME = stub_names(__file__)
__all__ = list(_HOME)
_HOME["open"] = "irviz.notebook"  # not in `__all__`: `import *` leaves Python's own alone


def __getattr__(name: str) -> Any:
    """A public name, or the module `types`, imported on first use."""
    if name == "types":
        return import_module("irviz.types")
    if name not in _HOME:
        text = f"module 'irviz' has no attribute '{name}'"
        raise AttributeError(text, name=name, obj=sys.modules[__name__])  # Python adds the nearest name
    with needs_app():
        module = import_module(_HOME[name])
    found = getattr(module, "open_dashboard" if name == "open" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, "types"})


class _Front(ModuleType):
    """The package; its `measures` is the function, also after the room of that name has been imported."""

    @property
    def measures(self) -> Any:
        return import_module("irviz.measures.catalogue").measures

    @measures.setter
    def measures(self, _room: ModuleType) -> None:
        """Ignore the room, which every import of it sets."""


sys.modules[__name__].__class__ = _Front
