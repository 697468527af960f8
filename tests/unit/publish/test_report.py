"""A report is one sound file: offline, plotly once, everything escaped, the numbers of the views."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from plotly.offline import get_plotlyjs

from irviz.cli.main import main
from irviz.collection.bundle import bundled_views
from irviz.collection.catalogue import open_collection
from irviz.collection.frames import collection_from_frames
from irviz.collection.saving import save
from irviz.publish.draw import ViewContent, draw
from irviz.publish.provenance import plain_data, settings, versions
from irviz.publish.report import DRAW, report, to_html
from irviz.workspace.data import library, opened_collection
from irviz.workspace.store import Store
from irviz.workspace.view import View
from tests.panels import opened_once

OPENER = library()
EVIL = "</script><img src=http://x/y onerror=alert(1)>"


def drawn(*links: str) -> list[ViewContent]:
    return [draw(View.from_url(link), OPENER) for link in links]


class Reader(HTMLParser):
    """Tags, attributes and scripts of a page, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.inside = True
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "script"

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1] += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    return reader


@pytest.fixture(scope="module")
def page() -> tuple[list[ViewContent], str, Reader]:
    shown = drawn("/scores?collection=adhoc", "/scores?show=box", "/similarity?coefficient=pearson", "/lab_graded_ap")
    text = report(shown, "A <title>", "A note & more")
    return shown, text, read(text)


def test_plotly_is_there_once_and_nothing_is_fetched(page):
    _, text, reader = page
    assert text.count(get_plotlyjs()[:2000]) == 1
    fetched = [value for _, attrs in reader.tags for key, value in attrs.items() if key in ("src", "srcset", "action")]
    assert fetched == []
    links = {attrs["href"].partition(":")[0][:5] for _, attrs in reader.tags if "href" in attrs}
    assert {link[0] for link in links} <= {"#", "d"}  # places in the page, and data:


def test_the_policy_lets_only_its_two_scripts_run(page):
    _, _, reader = page
    policy = next(attrs["content"] for tag, attrs in reader.tags if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    kinds = [attrs.get("type") for tag, attrs in reader.tags if tag == "script"]
    running = [script for script, kind in zip(reader.scripts, kinds, strict=True) if kind is None]
    assert len(running) == 2 and running[1] == DRAW
    for script in running:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy


def test_the_figures_are_those_of_the_views(page):
    shown, _, reader = page
    kinds = [attrs.get("type") for tag, attrs in reader.tags if tag == "script"]
    data = [json.loads(text) for text, kind in zip(reader.scripts, kinds, strict=True) if kind == "application/json"]
    figures = [drawing.figure for one in shown for row in one.panel.drawings for drawing in row.values()]
    assert len(data) == len(figures) > 5
    for found, figure in zip(data, figures, strict=True):
        assert found["data"] == json.loads(figure.to_json())["data"]


def test_settings_data_and_versions_are_written_down(page):
    shown, text, _ = page
    plain = unescape(text)
    assert shown[0].context.dataset.collection.fingerprint in plain
    for name, number in versions().items():
        assert f"{name} {number}" in plain
    assert settings(shown[2])["Coefficient"] == "Pearson's r"
    assert shown[2].view.to_url() in plain
    assert "<title>A &lt;title&gt;</title>" in text and "A note &amp; more" in text


def test_a_table_travels_whole_as_csv(page):
    shown, text, _ = page
    packed = re.search(r'download="scores-systems.csv" href="data:text/csv;base64,([^"]+)"', text)
    frame = shown[0].panel.tables["Systems"].frame
    assert base64.b64decode(packed[1]).decode() == frame.to_csv(index=False, lineterminator="\n")


def test_names_from_files_stay_text():
    qrels = pd.DataFrame({"query_id": ["1", "1", "2"], "doc_id": ["a", "b", "a"], "relevance": [1, 0, 1]})
    runs = {
        name: pd.DataFrame({"query_id": ["1", "1", "2"], "doc_id": order, "score": [3.0, 2.0, 1.0]})
        for name, order in ((EVIL, ["a", "b", "a"]), ("plain", ["b", "a", "a"]))
    }
    opened = opened_collection(collection_from_frames(qrels, runs))
    views = [
        View.from_texts(name, collection=opened.key, measures="AP,P@1")
        for name in ("scores", "similarity", "collection")
    ]
    shown = [draw(view, library([opened])) for view in views]
    reader = read(report(shown, EVIL, EVIL))
    assert not [tag for tag, _ in reader.tags if tag == "img"]
    assert not [attrs for _, attrs in reader.tags if any(key.startswith("on") for key in attrs)]
    assert EVIL.split(">")[1].split("<")[-1] in unescape(report(shown))


# -- the command -----------------------------------------------------------------------


def test_render_writes_what_the_views_show(tmp_path, capsys):
    out = tmp_path / "report.html"
    views = tmp_path / "views.txt"
    saved = [View.from_texts("scores", show="box"), View.from_texts("similarity", measures="AP,P@10")]
    views.write_text("\n".join(view.to_url() for view in saved))
    assert (
        main(["render", "http://host/scores?collection=adhoc&depth=0", str(views), "-o", str(out), "--title", "Mine"])
        == 0
    )
    reader = read(out.read_text())
    assert [attrs["id"] for tag, attrs in reader.tags if tag == "section"] == ["view-1", "view-2", "view-3"]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "irviz: The link's `depth` cannot be used: `0` is not between 1 and 200. `200` is used instead.\n"
    )


def test_render_opens_a_file_with_its_views(tmp_path, capsys):
    collection = opened_once("adhoc").subset(depth=10)
    view = View.from_texts("scores", collection=opened_collection(collection).key, measure="P@10")
    save(collection, tmp_path / "mine.irviz", [view.to_url()])
    assert bundled_views(tmp_path / "mine.irviz") == (view.to_url(),)
    assert open_collection(tmp_path / "mine.irviz").fingerprint == collection.fingerprint
    assert main(["render", str(tmp_path / "mine.irviz"), "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["settings"]["Measure"] == "P@10" and found["collection"]["fingerprint"] == collection.fingerprint


def test_a_link_that_names_no_data_shows_the_data_given_with_it(tmp_path, capsys):
    collection = opened_once("adhoc").subset(depth=10)
    collection.save(tmp_path / "mine.irviz")
    for link, fingerprint in (("/scores", collection.fingerprint), ("/scores?collection=multiaspect", None)):
        assert main(["render", link, "--data", str(tmp_path / "mine.irviz"), "--format", "json"]) == 0
        (found,) = json.loads(capsys.readouterr().out)
        assert found["collection"]["fingerprint"] == (fingerprint or opened_once("multiaspect").fingerprint)


@pytest.mark.parametrize(
    "link", ["/nowhere?v=8&collection=adhoc", "/scores?collection=mine~40x50~0123456789abcdef", "views.json"]
)
def test_render_says_what_is_missing(link, capsys):
    assert main(["render", link]) == 2
    assert capsys.readouterr().err.startswith("irviz: ")


# What a view is drawn over is the same wherever it is drawn.


BEFORE = View.from_texts("scores", collection="adhoc", measure="AP", topics="401,402,403,404,405,406")
AFTER = {"collection": "adhoc", "measure": "ERR@20", "topics": "401,402,403,404,405,406"}


def test_a_report_says_what_is_in_grey():
    shown = draw(View.from_texts("scores", **AFTER, baseline=BEFORE.to_url()[1:]), OPENER)
    text = report([shown])
    assert text.index('class="against"') < text.index('id="f1-1-1')
    assert unescape(to_html(shown.panel.since)) in unescape(text)
    assert plain_data([shown])[0]["since"] == shown.panel.since != ""
    assert settings(shown)["Before"] == "Measure AP"


@pytest.mark.parametrize("baseline", ["labs?v=8&collection=adhoc", "scores?v=8&collection=elsewhere"])
def test_a_baseline_that_cannot_be_shown_is_a_complaint(baseline):
    shown = draw(View.from_texts("scores", collection="adhoc", baseline=baseline), OPENER)
    assert shown.panel.since == "" and [one.key for one in shown.complaints] == ["baseline"]
    assert shown.panel.tables["Systems"].frame.shape[0] == 40


def test_a_shared_view_finds_the_data_of_its_baseline(tmp_path):
    """Both sides are on data that only the share brings."""
    store, mine = Store(tmp_path), opened_collection(OPENER("adhoc", "trec_eval").collection.subset(depth=10))
    before = View.from_texts("scores", collection=mine.key, measure="P@10")
    view = View.from_texts("scores", collection=mine.key, measure="AP", baseline=before.to_url()[1:])
    receipt = store.share(view, data=mine.collection)
    shown = draw(View.from_texts("scores", s=receipt.id), OPENER, store=lambda: store)
    assert shown.panel.since and shown.complaints == ()
    assert np.isfinite(shown.panel.facts[0].before)
