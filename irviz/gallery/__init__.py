"""The papers and the atlas of findings: what papers print and claim, recomputed on any collection.

Papers, their tables and figures, and their claims are rows of ``data/published/papers.toml``; from it the page
*Findings*, ``docs/findings.md``, ``irviz.findings`` and ``irviz findings`` are drawn.
"""

from __future__ import annotations

import tomllib

from irviz.gallery import claims, examples
from irviz.gallery.paper import FOLDER, ITEMS, read_paper

with (FOLDER / "papers.toml").open("rb") as _file:
    _PAPERS = [read_paper(row, vars(claims) | vars(examples), ITEMS) for row in tomllib.load(_file)["paper"]]
CLAIMS = dict(enumerate((claim for asked in _PAPERS for claim in asked), start=1))  #: by number
