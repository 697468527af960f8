"""The pages, in the order of the menu: navigation, tests, reports and the command line read this list.

A page is a module with ``TITLE``, ``QUESTION``, ``CONTROLS`` and
``panel(context, values)``; adding one is that module, a line here and a thin file in
``pages/``.  See ``docs/adding-a-page.md``.
"""

from __future__ import annotations

from irviz.errors import unknown
from irviz.views.panel import Page
from irviz.views.panels import (
    aggregation,
    collection,
    consistency,
    cwla,
    discriminative,
    gallery,
    incomplete,
    lab_aggregation,
    lab_aspects,
    lab_browsing,
    lab_conventions,
    lab_graded_ap,
    lab_scales,
    scores,
    similarity,
)

LABS = (lab_scales, lab_browsing, lab_graded_ap, lab_aspects, lab_aggregation, lab_conventions)
#: the menu: pages that stand by themselves, and headings with the pages below them
MENU = {
    "": (scores, similarity, collection),
    "Experiments": (cwla, consistency, discriminative, incomplete, aggregation, gallery),
    "Labs": LABS,
}
SECTIONS: dict[str, tuple[Page, ...]] = {
    heading: tuple(Page.of(module) for module in modules) for heading, modules in MENU.items()
}
PAGES: tuple[Page, ...] = tuple(page for pages in SECTIONS.values() for page in pages)


def page(name: str) -> Page:
    """The page at an address."""
    for one in PAGES:
        if one.name == name:
            return one
    raise unknown("page", name, [one.name for one in PAGES])
