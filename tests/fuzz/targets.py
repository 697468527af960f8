"""Every target, by importing the modules that register them."""

from __future__ import annotations

from tests.fuzz import classroom, degenerate, files, looking, pages, shapes, words
from tests.fuzz.engine import TARGETS

__all__ = ["TARGETS", "classroom", "degenerate", "files", "looking", "pages", "shapes", "words"]
