"""irviz in a notebook: pages as figures, and the dashboard on data at hand."""

from __future__ import annotations

import urllib.request
from urllib.error import URLError

import plotly.graph_objects as go
import pytest

import irviz
from benchmarks.notebook import displaying
from irviz.menu import PAGES
from irviz.notebook import FIGURE
from irviz.workspace.view import View


@pytest.fixture(scope="module")
def small():
    whole = irviz.open_collection("multiaspect")
    return whole.subset(systems=whole.systems[:6], topics=whole.topics[:8])


@pytest.mark.parametrize("page", ["scores", "similarity", "lab_scales"])
def test_a_page_is_shown_by_its_name_or_its_link(page: str):
    assert page in {one.name for one in PAGES}
    view = View.from_texts(page, **({} if page.startswith("lab") else {"collection": "adhoc"}))
    by_view, by_link = irviz.show(view), irviz.show(f"http://host:8501{view.to_url()}")
    assert by_view.sentence == by_link.sentence
    assert by_view.figures
    assert all(isinstance(one, go.Figure) for one in by_view.figures.values())


def test_data_at_hand_are_shown_where_the_link_names_none(small):
    shown = irviz.show("/scores?measures=P@10", small)
    best = irviz.summarise(irviz.score(small, "P@10")["P@10"], "mean").idxmax()
    assert best in shown.sentence
    assert {name for table in shown.tables.values() for name in table.get("system", [])} <= set(small.systems)
    assert irviz.show("/scores?measures=P@10&collection=adhoc", small).sentence != shown.sentence
    scores = irviz.score(small, ["AP", "P@10"])
    assert irviz.show("similarity", scores).facts[0].names == ("AP – P@10",)


def test_a_notebook_is_given_text_then_figures(small):
    given: list[dict] = []
    shown = irviz.show("similarity", small)
    with displaying(given):
        shown._ipython_display_()
    figures = [place for place, one in enumerate(given) if FIGURE in one]
    assert len(figures) == len(shown.figures)
    assert all("Plotly.newPlot" in "".join(given[place]["text/html"]) for place in figures)  # for `nbconvert --to html`
    assert 0 not in figures
    alone: list[dict] = []
    with displaying(alone):
        next(iter(shown.figures.values())).update_layout(width=340)._ipython_display_()
    assert "Plotly.newPlot" in "".join(alone[0]["text/html"]) and alone[0][FIGURE]["layout"]["width"] == 340
    assert repr(shown).startswith("<irviz: ")
    assert "\n" not in repr(shown)


def test_settings_stand_beside_the_page_and_data_may_come_first(small):
    one, other = (
        irviz.show(small, "similarity", coefficient="tau_ap"),
        irviz.show("similarity?coefficient=tau_ap", small),
    )
    assert [fact.text for fact in one.facts] == [fact.text for fact in other.facts]
    assert [fact.text for fact in one.facts] != [fact.text for fact in irviz.show(small, "similarity").facts]


def test_a_misspelt_setting_is_refused_unless_it_may_be_a_note(small):
    with pytest.raises(irviz.IrvizError, match="coefficent"):
        irviz.show(small, "similarity", coefficent="tau_ap")
    assert "coefficent" in irviz.show(small, "similarity", coefficent="tau_ap", strict=False).notes[0]
    with pytest.raises(irviz.IrvizError, match="No data are named"):
        irviz.show("similarity")


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(irviz.IrvizError, match=r"^There is no page `similarty`\. Did you mean similarity\?$"):
        irviz.show("similarty")
    with pytest.raises(irviz.IrvizError, match=r"`mine~2x2~"):
        irviz.show("/scores?collection=mine~2x2~00")
    with pytest.raises(irviz.IrvizError, match=r"^A collection or scores are opened; got str\.$"):
        irviz.open("adhoc")


@pytest.mark.slow
def test_the_dashboard_opens_on_a_collection_and_stops(small):
    opened = irviz.open(small)
    try:
        with urllib.request.urlopen(opened.url) as answer:
            assert answer.status == 200
        assert opened.url in repr(opened)
        assert f'href="{opened.url}"' in opened._repr_html_()
    finally:
        opened.stop()
    assert repr(opened).endswith(", stopped>")
    with pytest.raises(URLError):
        urllib.request.urlopen(opened.url)


@pytest.mark.slow
def test_a_dashboard_that_does_not_start_says_why(small):
    opened = irviz.open(irviz.score(small, ["AP"]))
    port = int(opened.url.rpartition(":")[2])
    with pytest.raises(irviz.IrvizError, match=rf"^Nothing can answer at 127.0.0.1 port {port} \(Address already"):
        irviz.open(small, port=port)
    opened.stop()
