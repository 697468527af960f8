"""The papers and the atlas of findings: what papers print and claim, recomputed on any collection.

Papers, their tables and figures, and their claims are rows of ``data/published/papers.toml``; from it the page
*Findings*, ``docs/findings.md``, ``irviz.findings`` and ``irviz findings`` are drawn.
"""

from __future__ import annotations

import tomllib

from irviz.errors import choose
from irviz.gallery import claims, examples
from irviz.gallery.paper import FOLDER, Comparison, Evidence, Item, Paper, PaperClaim, read_paper

__all__ = ["CLAIMS", "PAPERS", "SOURCES", "Comparison", "Evidence", "Item", "Paper", "PaperClaim", "paper"]

with (FOLDER / "papers.toml").open("rb") as _file:
    #: every paper with an item or a claim, in the order of the table
    SOURCES = tuple(read_paper(row, vars(claims) | vars(examples)) for row in tomllib.load(_file)["paper"])
PAPERS = tuple(one for one in SOURCES if one.items)  #: those with tables or figures
CLAIMS = tuple((one, claim) for one in SOURCES for claim in one.claims)  #: with their papers; numbered from 1


def paper(key: str) -> Paper:
    """The paper of this name.

    >>> paper("means").cite
    'Ravana & Moffat 2009'
    """
    choose("paper", key, [paper.key for paper in PAPERS])
    return next(paper for paper in PAPERS if paper.key == key)
