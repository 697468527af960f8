"""From a view to all it shows, without a browser: its panel, over the state before.

A report, a snippet and the command line come by here, and the dashboard's pages are made of the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from irviz.errors import IrvizError
from irviz.menu import PINNABLE, page_named
from irviz.workspace.baseline import unusable, values_with_before
from irviz.workspace.context import Context, Dataset
from irviz.workspace.data import SHARE, Opener, context_of, opened_data, scopes, view_of_share
from irviz.workspace.page import BEFORE, Page
from irviz.workspace.panel import Panel
from irviz.workspace.store import Store
from irviz.workspace.view import Complaint, View, settle


@dataclass(frozen=True, eq=False)
class ViewContent:
    """A view with what it shows."""

    view: View
    page: Page
    context: Context
    values: Mapping[str, Any]  #: the page's controls, by name
    panel: Panel
    complaints: tuple[Complaint, ...] = ()  #: what the view asked for and did not get


def draw(view: View, opener: Opener, store: Callable[[], Store] | None = None) -> ViewContent:
    """Everything a view shows, on data from `opener`, or of a share in `store`; refusals are IrvizErrors."""
    if SHARE.name in view.values and store is not None:
        view, share = view_of_share(view, store)
        loaded = None if share is None else store().data(share)
        opener = opener if loaded is None else _with(opened_data(loaded), opener)
    page = page_named(view.page)
    shared, page_texts, complaints = scopes(page, view.values)
    context, more = context_of(shared, _without_identifiers(opener), page)
    values, others = settle(page.controls_for(page_texts), page_texts, context)
    try:
        values = values_with_before(values, page, context, shared, page_texts, _without_identifiers(opener), PINNABLE)
    except IrvizError as error:
        others = [*others, unusable(error)]
        values[BEFORE.name] = ""
    panel = page.draw_panel(context, values)
    return ViewContent(view, page, context, values, panel, (*complaints, *more, *others))


def _without_identifiers(opener: Opener) -> Opener:
    """An opener of data without names of documents in findings, since reports are handed on."""

    def open_dataset(key: str, ties: str) -> Dataset:
        dataset = opener(key, ties)
        if dataset.collection is None or all(finding.unnamed is None for finding in dataset.collection.findings):
            return dataset
        findings = tuple(
            replace(finding, message=finding.unnamed or finding.message, unnamed=None)
            for finding in dataset.collection.findings
        )
        return replace(dataset, collection=dataset.collection.renamed(findings=findings))

    return open_dataset


def _with(one: Dataset, opener: Opener) -> Opener:
    return lambda key, ties: one if key == one.key else opener(key, ties)
