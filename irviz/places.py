"""The version of irviz, and the places of the files that come with it but are not modules.

In the repository they are at the top; an installed irviz contains them in its package.
"""

from __future__ import annotations

from pathlib import Path

VERSION = "0.1.0"

PACKAGE = Path(__file__).resolve().parent
WITHIN = "files"  #: the folder of the installed package that holds them; the repository has none
TOP = PACKAGE / WITHIN if (PACKAGE / WITHIN).is_dir() else PACKAGE.parent

APP = TOP / "app.py"  #: the front door
SCRIPTS = TOP / "pages"  #: of the pages
DATA = TOP / "data"  #: bundled collections, the papers' published tables
