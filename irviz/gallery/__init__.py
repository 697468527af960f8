"""The papers and the atlas of findings: what papers print and claim, recomputed on any collection.

Papers, their tables and figures, and their claims are rows of ``data/published/papers.toml``; from it the page
*Findings*, ``docs/findings.md``, ``irviz.findings`` and ``irviz findings`` are drawn.
"""

from __future__ import annotations

import tomllib

from irviz.gallery import claims, examples
from irviz.gallery.paper import FOLDER, read_paper

with (FOLDER / "papers.toml").open("rb") as _file:
    _ROWS = tomllib.load(_file)["paper"]
PAPERS = {row["key"]: read_paper(row, vars(claims) | vars(examples)) for row in _ROWS}  #: in the order of the table
CLAIMS = tuple((one, claim) for one in PAPERS.values() for claim in one.claims)  #: with their papers; numbered from 1
