"""Where the files are that come with irviz but are no modules of it.

In the repository they stand at its top; an installed irviz carries them within.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
WITHIN = "files"  #: the folder of the installed package that holds them; the repository has none
TOP = PACKAGE / WITHIN if (PACKAGE / WITHIN).is_dir() else PACKAGE.parent

APP = TOP / "app.py"  #: the front door
PAGES = TOP / "pages"
DATA = TOP / "data"  #: bundled collections, the papers' published tables
