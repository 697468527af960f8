"""The classes that irviz's functions return and take, for annotations, as ``types.pyi`` lists them."""

from importlib import import_module
from typing import Any

from irviz.places import needs_app, stub_names

_HOME = stub_names(__file__)
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'irviz.types' has no attribute '{name}'")
    with needs_app():
        return getattr(import_module(_HOME[name]), name)
