"""irviz's own scripts, and the style sheets of its pages, as the browser gets them.

The content security policy names each script by its digest.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from irviz.figures.motion import MOTION, MOTION_STYLE
from irviz.labs.screen import DONE, DRAG, SCREEN, SCREEN_STYLE
from irviz.server.internals import early_scripts
from irviz.ui.handles import BOX
from irviz.ui.picture import VALUES
from irviz.workspace.facts import FACTS_CSS
from irviz.workspace.page import Page

_FILES = Path(__file__).parent / "browser"


@cache
def _file(name: str) -> str:
    """A script or a sheet, without the lines that are for its readers alone."""
    return re.sub("^//.*\n", "", (_FILES / name).read_text(encoding="utf-8"), flags=re.MULTILINE)


EARLY = early_scripts()
#: The script of figures is made ready while the server computes the first one, not when it has come.
READY = "".join(f'import("./static/js/{name}");' for name in EARLY[:1])

_NAMES = ("touch", "history", "theme", "handles", "frames", "term", "pictures", "pick")
_VALUES = {**VALUES, "BOX": BOX}  #: words of the scripts that stand for values


def _script(name: str) -> str:
    return re.sub("|".join(_VALUES), lambda word: _VALUES[word[0]], _file(f"{name}.js"))


OWN_SCRIPTS = (READY, MOTION, SCREEN, DRAG, DONE, *map(_script, _NAMES))
#: what runs them, in one element: every element of a page takes its time; a digest is that of the text between two tags
ALL_SCRIPTS = "".join(f"<script>{script}</script>" for script in OWN_SCRIPTS)


# -- How the dashboard looks beside its theme: a sheet for all pages, one of a kind of page ---
#
# Rules of a kind of page have a sheet that only it gets.  As descendants of what `:has` something of it they would have
# the browser look at every text and button again whenever a figure gets a mark; as descendants of `[class*=…]`,
# whenever an element is drawn again.  Such a rule sets a variable, which its descendants use, or names the page.


def _sheet(*parts: str) -> str:
    """Rules as one line of markup, of which every run searches every line."""
    return f"<style>{' '.join(line.strip() for part in parts for line in part.splitlines())}</style>"


APP_STYLE = _sheet(_file("app.css"), FACTS_CSS, MOTION_STYLE, _file("handles.css"), _file("pictures.css"), SCREEN_STYLE)


@cache
def _sheet_of(name: str, kind: str) -> str:
    return _sheet(_file("page.css"), _file(kind) if kind else "").replace("PAGE", name)


def style_of(page: Page | None, start: bool) -> str:
    """The sheet of a page, by its name and its kind: a lab, one that turns a measure, another one; the start page."""
    if page is None:
        return _sheet(_file("start.css") if start else "")
    return _sheet_of(page.name, "lab.css" if page.lab else "bench.css" if "turns" in page.uses else "")
