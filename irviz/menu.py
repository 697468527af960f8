"""The pages, in the order of the menu: navigation, tests, reports and the command line read this list.

A page is a module with ``TITLE``, ``QUESTION``, ``CONTROLS`` and
``panel(context, values)``; adding one is that module, a line here and a thin file in
``pages/``.  See ``docs/adding-a-page.md``.
"""

from __future__ import annotations

from irviz.errors import unknown
from irviz.explore import consistency, incomplete
from irviz.explore.aggregation import panel as aggregation
from irviz.explore.collection import panel as collection
from irviz.explore.discriminative import panel as discriminative
from irviz.explore.scores import panel as scores
from irviz.explore.similarity import panel as similarity
from irviz.explore.user_models import panel as user_models
from irviz.gallery import page as gallery
from irviz.labs.aggregation import panel as lab_aggregation
from irviz.labs.aspects import panel as lab_aspects
from irviz.labs.browsing import panel as lab_browsing
from irviz.labs.conventions import panel as lab_conventions
from irviz.labs.graded_ap import panel as lab_graded_ap
from irviz.labs.scales import panel as lab_scales
from irviz.workspace.panel import Page

#: the menu: headings with the pages below them, by their addresses; those under no heading stand by themselves
SECTIONS: dict[str, tuple[Page, ...]] = {
    "": (
        Page.of("scores", scores),
        Page.of("similarity", similarity),
        Page.of("collection", collection),
    ),
    "Experiments": (
        Page.of("cwla", user_models),
        Page.of("consistency", consistency),
        Page.of("discriminative", discriminative),
        Page.of("incomplete", incomplete),
        Page.of("aggregation", aggregation),
        Page.of("gallery", gallery),
    ),
    "Labs": (
        Page.of("lab_scales", lab_scales),
        Page.of("lab_browsing", lab_browsing),
        Page.of("lab_graded_ap", lab_graded_ap),
        Page.of("lab_aspects", lab_aspects),
        Page.of("lab_aggregation", lab_aggregation),
        Page.of("lab_conventions", lab_conventions),
    ),
}
PAGES: tuple[Page, ...] = tuple(page for pages in SECTIONS.values() for page in pages)
LABS: tuple[Page, ...] = SECTIONS["Labs"]


def page(name: str) -> Page:
    """The page at an address."""
    for one in PAGES:
        if one.name == name:
            return one
    raise unknown("page", name, [one.name for one in PAGES])
