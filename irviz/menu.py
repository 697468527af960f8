"""The pages, in the order of the menu: navigation, tests, reports and the command line read this list.

A new page needs a module with a ``PAGE`` and a line here; see ``docs/adding-a-page.md``.
"""

from __future__ import annotations

from irviz.errors import unknown
from irviz.explore import (
    aggregation,
    collection,
    conclusion,
    consistency,
    discriminative,
    equal_steps,
    incomplete,
    judges,
    scores,
    similarity,
    topics,
    user_models,
    users,
    what_if,
)
from irviz.gallery import page as findings
from irviz.labs import aspects, averages, browsing, conventions, graded_ap, scales
from irviz.labs.screen import Screen
from irviz.workspace.page import Page

#: the menu: headings with the pages below them; those under no heading stand by themselves
SECTIONS: dict[str, tuple[Page, ...]] = {
    "": (
        conclusion.PAGE,
        what_if.PAGE,
        scores.PAGE,
        similarity.PAGE,
        collection.PAGE,
    ),
    "Experiments": (
        topics.PAGE,
        user_models.PAGE,
        users.PAGE,
        consistency.PAGE,
        discriminative.PAGE,
        equal_steps.PAGE,
        incomplete.PAGE,
        judges.PAGE,
        aggregation.PAGE,
        findings.PAGE,
    ),
    "Labs": (
        conventions.LAB,
        browsing.LAB,
        scales.LAB,
        graded_ap.LAB,
        aspects.LAB,
        averages.LAB,
    ),
}
PAGES: tuple[Page, ...] = tuple(page for pages in SECTIONS.values() for page in pages)
LABS: tuple[Screen, ...] = tuple(page for page in PAGES if isinstance(page, Screen))
PINNABLE = {page.name: page for page in PAGES if "baseline" in page.uses}  #: the pages whose views can be a baseline


def page_named(name: str) -> Page:
    """The page at an address."""
    for one in PAGES:
        if one.name == name:
            return one
    raise unknown("page", name, [one.name for one in PAGES])
