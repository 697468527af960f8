"""The paper gallery: every table and figure of the five papers that can be recomputed, ready to be viewed.

A paper is a module with a ``PAPER``; a page, a report and the tests read the list here.
"""

from __future__ import annotations

from irviz.errors import choose
from irviz.gallery import aspects, graded, means, scales, users
from irviz.gallery.item import Found, Item, Paper, Printed, RandomTrials
from irviz.workspace.view import View

PAPERS: tuple[Paper, ...] = tuple(module.PAPER for module in (scales, users, aspects, graded, means))

__all__ = ["PAPERS", "Found", "Item", "Paper", "Printed", "RandomTrials", "paper", "views"]


def paper(key: str) -> Paper:
    """The paper named `key` in a link.

    >>> paper("means").cite
    'Ravana & Moffat 2009'
    """
    choose("paper", key, [one.key for one in PAPERS])
    return next(one for one in PAPERS if one.key == key)


def views() -> tuple[View, ...]:
    """The prepared views: one per table or figure.

    >>> views()[1].to_url()
    '/gallery?v=3&scales=table2'
    """
    return tuple(_view(one, item) for one in PAPERS for item in one.items)


def _view(one: Paper, item: Item) -> View:
    texts = {} if one is PAPERS[0] else {"paper": one.key}
    if item is not one.items[0]:
        texts[one.key] = item.key
    return View.of("gallery", **texts)
