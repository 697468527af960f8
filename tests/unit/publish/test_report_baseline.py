"""A view with a baseline shows the comparison wherever it is drawn: report, JSON, command line."""

from __future__ import annotations

import base64
import json
import re
from html import unescape

import pandas as pd
import pytest

from irviz.cli.main import main
from irviz.menu import page_named
from irviz.publish.draw import ViewContent, draw
from irviz.publish.provenance import plain_data
from irviz.publish.report import marked, report
from irviz.workspace.baseline import Side, against, bare, side_before
from irviz.workspace.data import library, opened_collection
from irviz.workspace.store import Store
from irviz.workspace.view import View

OPENER = library()
BEFORE = View.of("scores", collection="adhoc", measure="AP", topics="401,402,403,404,405,406")
AFTER = {"measure": "ERR@20", "topics": "401,402,403,404,405,406"}


def compared(**more: str) -> ViewContent:
    return draw(View.of("scores", collection="adhoc", **AFTER, baseline=BEFORE.to_url()[1:], **more), OPENER)


def test_the_comparison_is_that_of_the_page():
    shown, page = compared(), page_named("scores")
    before = side_before(BEFORE, page, {}, OPENER)
    after = Side(bare(shown.view), page, shown.context, shown.values)
    panels = (page.panel(before.context, before.values), shown.panel)
    expected = against(before, after, lambda: panels)
    assert shown.baseline is not None and shown.complaints == ()
    assert (shown.baseline.sentence, shown.baseline.notes) == (expected.sentence, expected.notes)
    assert "by `AP` then and `ERR@20` now" in shown.baseline.sentence
    assert list(shown.baseline.tables) == list(expected.tables)
    for name, table in expected.tables.items():
        pd.testing.assert_frame_equal(shown.baseline.tables[name].frame, table.frame)


def test_a_report_shows_sentence_figures_and_tables_of_the_baseline():
    shown = compared()
    assert shown.baseline is not None
    text = report([shown])
    assert f'<p class="against">{marked(shown.baseline.sentence)}</p>' in text
    assert text.index('class="against"') < text.index('id="f1-1-1') < text.index("<h3>Compared with the baseline</h3>")
    for name, drawing in shown.baseline.drawings[0].items():
        found = re.search(rf'id="f1-baseline-1-{name}-data">(.*?)</script>', text)
        assert found is not None
        assert json.loads(found[1])["data"] == json.loads(drawing.figure.to_json())["data"]
    for name, table in shown.baseline.tables.items():
        file = f"scores-baseline-{name}.csv".lower().replace(" ", "-")
        packed = re.search(rf'download="{re.escape(file)}" href="data:text/csv;base64,([^"]+)"', unescape(text))
        assert packed is not None, file
        assert base64.b64decode(packed[1]).decode() == table.frame.to_csv(index=False, lineterminator="\n")
    for note in shown.baseline.notes:
        assert marked(note) in text
    places = re.findall(r' id="([^"]+)"', text)
    assert len(set(places)) == len(places)


def test_without_a_baseline_nothing_is_said_of_one():
    shown = draw(View.of("scores", collection="adhoc", **AFTER), OPENER)
    assert shown.baseline is None
    assert 'class="against"' not in report([shown]) and "Compared with the baseline" not in report([shown])
    assert plain_data([shown])[0]["baseline"] is None


def test_the_same_view_is_one_sentence():
    shown = draw(View("scores", (*BEFORE.items, ("baseline", BEFORE.to_url()[1:]))), OPENER)
    text = report([shown])
    assert "This view is the baseline." in text and "<h3>Compared with the baseline</h3>" not in text


@pytest.mark.parametrize(
    ("baseline", "reason"),
    [
        ("labs?v=1", "`labs` is not a page that can be a baseline"),
        (
            "scores?v=1&collection=multiaspect",
            "The baseline and this view have fewer than two systems in common. Pin another baseline",
        ),
    ],
)
def test_a_baseline_that_cannot_be_shown_is_a_complaint(baseline, reason):
    shown = draw(View.of("scores", collection="adhoc", baseline=baseline), OPENER)
    assert shown.baseline is None
    assert [str(one) for one in shown.complaints] == [
        f"The link's `baseline` cannot be used: {reason}. There is no baseline now."
    ]
    assert shown.panel.tables["Systems"].frame.shape[0] == 40
    assert "There is no baseline now." in report([shown])


def test_what_the_baselines_link_says_in_vain_is_a_note():
    shown = draw(View.of("scores", collection="adhoc", baseline="scores?v=1&depth=0&measure=RR"), OPENER)
    assert shown.baseline is not None
    assert shown.baseline.notes[1:3] == (
        "In the baseline: The link's `depth` cannot be used: `0` is not between 1 and 200. `200` is used instead.",
        "In the baseline: The link's `measure` cannot be used: `RR` is none of AP, nDCG@10, P@10, RBP(p=0.8), ERR@20 "
        "or Bpref. `AP` is used instead.",
    )


def test_a_page_without_baselines_ignores_it():
    shown = draw(View.of("lab_browsing", collection="adhoc", baseline=BEFORE.to_url()[1:]), OPENER)
    assert shown.baseline is None and shown.complaints == ()


def test_the_command_prints_the_numbers_of_the_baseline(capsys):
    link = View.of("scores", collection="adhoc", **AFTER, baseline=BEFORE.to_url()[1:]).to_url()
    assert main(["render", link, "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    shown = compared()
    assert shown.baseline is not None
    assert found["baseline"]["sentence"] == shown.baseline.sentence
    assert found["baseline"]["link"] == BEFORE.to_url()
    assert list(found["baseline"]["tables"]) == list(shown.baseline.tables)
    moved = shown.baseline.tables["Systems against the baseline"].frame
    assert [row["up by"] for row in found["baseline"]["tables"]["Systems against the baseline"]] == list(moved["up by"])


def test_a_shared_view_finds_the_data_of_its_baseline(tmp_path):
    """Both sides are on data that only the share brings."""
    store, mine = Store(tmp_path), opened_collection(OPENER("adhoc", "trec_eval").collection.subset(depth=10))
    before = View.of("scores", collection=mine.key, measure="P@10")
    view = View.of("scores", collection=mine.key, measure="AP", baseline=before.to_url()[1:])
    receipt = store.share(view, data=mine.collection)
    shown = draw(View.of("scores", s=receipt.id), OPENER, store=lambda: store)
    assert shown.baseline is not None and shown.complaints == ()
    assert "by `P@10` then and `AP` now" in shown.baseline.sentence
