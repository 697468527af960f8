"""Every target, by importing the modules that register them."""

from __future__ import annotations

from tests.fuzz import degenerate, files, looking, pages, shapes, words
from tests.fuzz.engine import TARGETS

__all__ = ["TARGETS", "degenerate", "files", "looking", "pages", "shapes", "words"]
