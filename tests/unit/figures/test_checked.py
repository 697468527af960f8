"""What plotly has not checked is what it makes of the same: tests have figures checked, a dashboard does not wait."""

from __future__ import annotations

import json

import pytest

from irviz.figures import theme
from irviz.menu import PAGES
from irviz.publish.draw import draw
from irviz.workspace.data import library
from irviz.workspace.view import View

SEVERAL = {"conclusion": {"trials": "100"}}
OPENER = library()


def pictures(name: str) -> dict[str, object]:
    """The figures of a page on a bundled collection, as a browser is sent them."""
    one = next(page for page in PAGES if page.name == name)
    texts = {"step": "free"} if one.lab else {"collection": "adhoc", **SEVERAL.get(name, {})}
    found = draw(View.of(name, **texts), OPENER).panel
    sent = {f"{i} {key}": one.figure.to_json() for i, row in enumerate(found.drawings) for key, one in row.items()}
    return {key: _without_nothing(json.loads(text)) for key, text in sent.items()}


def _without_nothing(part: object) -> object:
    """A figure without empty lists and nothing at all: plotly's check takes these out."""
    if isinstance(part, dict):
        inner = {key: _without_nothing(one) for key, one in part.items()}
        return {key: one for key, one in inner.items() if one is not None and one != []}
    return [_without_nothing(one) for one in part] if isinstance(part, list) else part


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_figures_are_the_same_checked_or_not(name, monkeypatch):
    checked = pictures(name)
    monkeypatch.setattr(theme, "CHECKED", False)
    unchecked = pictures(name)
    assert checked and list(checked) == list(unchecked)
    for key, picture in checked.items():
        assert unchecked[key] == picture, key
