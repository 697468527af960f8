"""The paper gallery and the atlas of findings: what papers print and claim, recomputed on any collection.

Papers, their tables and figures, and their claims are rows of ``data/published/papers.toml``; from it the gallery, the
page *Findings*, ``docs/findings.md``, ``irviz.findings`` and ``irviz findings`` are drawn.
"""

from __future__ import annotations

import tomllib

from irviz.errors import choose
from irviz.gallery import aspects, debates, graded, means, scales, users
from irviz.gallery.paper import FOLDER, Comparison, Evidence, Item, Paper, PaperClaim, read_paper
from irviz.workspace.view import View

__all__ = ["CLAIMS", "PAPERS", "SOURCES", "Comparison", "Evidence", "Item", "Paper", "PaperClaim", "paper", "views"]

_MODULES = {"scales": scales, "users": users, "aspects": aspects, "graded": graded, "means": means}
with (FOLDER / "papers.toml").open("rb") as _file:
    #: every paper with a claim, in the order of the table
    SOURCES = tuple(read_paper(row, vars(_MODULES.get(row["key"], debates))) for row in tomllib.load(_file)["paper"])
PAPERS = tuple(one for one in SOURCES if one.items)  #: those of the gallery
CLAIMS = tuple((one, claim) for one in SOURCES for claim in one.claims)  #: with their papers; numbered from 1


def paper(key: str) -> Paper:
    """The paper named `key` in a link.

    >>> paper("means").cite
    'Ravana & Moffat 2009'
    """
    choose("paper", key, [paper.key for paper in PAPERS])
    return next(paper for paper in PAPERS if paper.key == key)


def views() -> tuple[View, ...]:
    """The prepared views: one per table or figure.

    >>> views()[1].to_url()
    '/gallery?v=8&scales=table2'
    """
    return tuple(_view(paper, item) for paper in PAPERS for item in paper.items)


def _view(one: Paper, item: Item) -> View:
    texts = {} if one is PAPERS[0] else {"paper": one.key}
    if item is not one.items[0]:
        texts[one.key] = item.key
    return View.from_texts("gallery", **texts)
