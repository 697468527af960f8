"""Sharing between people: separate browsers, one server, the same figures as data, and nobody else."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

import pytest

from irviz.workspace.data import bundled_titles
from irviz.workspace.view import SCHEMA
from tests.app.browser.rest import follow, idle
from tests.app.browser.test_browser import packed, upload, visit
from tests.app.driving import ROOT

pytestmark = pytest.mark.browser
FIGURES = """() => [...document.querySelectorAll('.js-plotly-plot')].map(
  plot => JSON.stringify(plot.data.map(trace => [trace.type, trace.name, trace.x, trace.y, trace.z])))"""
LINK = re.compile(r"http://\S+\?s=[\w-]{22}(?![\w-])")


def button(page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def settled(page, text: str) -> list[str]:
    """The data of all figures, once `text` is there."""
    page.get_by_text(text).first.wait_for()
    idle(page)
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot').length >= 5")
    idle(page)
    return page.evaluate(FIGURES)


def upload_mine(page, server) -> None:
    folder = ROOT / "data" / "adhoc"
    runs = {path.name: path.read_bytes() for path in sorted((folder / "runs").iterdir())[:12]}
    files = [
        {"name": "qrels.gz", "mimeType": "application/gzip", "buffer": (folder / "qrels.relevance.gz").read_bytes()},
        {"name": "runs.tar.gz", "mimeType": "application/gzip", "buffer": packed(runs)},
    ]
    upload(page, server, files, "mine")


def share_with_data(page) -> str:
    """Press Share, and then the button that gives the data away; the link."""
    button(page, "Share").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Your data stay with you.").wait_for()
    page.get_by_text("Share with its data").first.click()
    page.get_by_label("Title").fill("Twelve <b>systems</b>")
    page.get_by_label("Note to the reader").fill("Look at p.")
    page.get_by_label("Note to the reader").press("Control+Enter")
    idle(page)
    page.get_by_role("button", name="Share with its data").click(delay=100)  # nothing moves while a person presses
    return link_of_share(page)


def link_of_share(page) -> str:
    """The link that a share was given."""
    page.get_by_text("My shares of this session").wait_for()
    shown = page.locator("code", has_text=re.compile(r"\?s="))
    shown.wait_for()
    idle(page)
    return LINK.search(shown.inner_text())[0]


def test_one_uploads_pins_and_shares_and_another_sees_the_same(person, server):
    with person() as owner, person() as reader:
        upload_mine(owner, server)
        owner.get_by_role("link", name="Similarity").click()
        owner.get_by_text("rank 12 systems").wait_for()
        idle(owner)
        button(owner, "Pin as baseline").click()
        owner.get_by_text("This view is the baseline").wait_for()
        idle(owner)
        owner.get_by_role("slider", name="p · persistence").focus()
        owner.keyboard.press("ArrowLeft")
        owner.wait_for_url("**RBP*0.75*")
        idle(owner)
        adjusted = re.search(r"RBP\(p=0\.\d+\)", unquote(owner.url))
        assert adjusted is not None and adjusted[0] != "RBP(p=0.8)"
        follow(owner, f"{owner.url}&first={quote(adjusted[0])}")
        seen = settled(owner, "Compared with the baseline, by")
        assert len(seen) == 5  # two heatmaps, the slope, and against the baseline who moved and which pairs

        reader.goto(owner.url)  # the address alone gives nothing away
        reader.get_by_text("It is not loaded here.").wait_for()
        idle(reader)
        assert reader.get_by_test_id("stAlert").filter(has_text="mine: 12 systems, 50 topics").count() == 1
        assert "mine" not in reader.get_by_test_id("stSidebar").inner_text()

        link = share_with_data(owner)
        follow(reader, link)
        assert settled(reader, "Compared with the baseline, by") == seen
        assert (
            reader.get_by_text("Twelve <b>systems</b>").count() == 1 and reader.get_by_text("Look at p.").count() == 1
        )
        assert reader.get_by_text("not loaded here").count() == 0
        reader.reload()
        assert settled(reader, "Compared with the baseline, by") == seen

        owner.get_by_text("Withdraw", exact=True).click()
        button(owner, "Withdraw this share").click()
        owner.get_by_text("My shares of this session").wait_for(state="detached")
        assert list((server.home / "collections").iterdir()) == []

        assert reader.get_by_text("rank 12 systems").count() == 1  # what is on the screen stays there
        reader.get_by_role("link", name="Scores").click()
        reader.get_by_text("was shared with you, and its owner has withdrawn it.").wait_for()
        idle(reader)
        assert reader.locator(".js-plotly-plot").count() == 0, "nothing is drawn in the place of withdrawn data"
        reader.get_by_role("combobox", name=re.compile("Collection")).click()
        assert reader.get_by_role("option").count() == len(bundled_titles())


def test_score_matrices_are_shared_with_their_numbers(person, server):
    rows = [f"{t},{t / 10},{t * 7 % 10 / 10},{t * 3 % 7 / 7}" for t in range(1, 9)]
    other = [f"{t},{t / 30},{t * 5 % 9 / 9},{t * 2 % 7 / 7}" for t in range(1, 9)]
    files = [
        {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": "\n".join(["topic,a,b,c", *lines]).encode()}
        for name, lines in (("AP", rows), ("mine", other))
    ]
    with person() as owner, person() as reader:
        owner.goto(f"{server.url}/collection")
        owner.get_by_text("Open your own data").click()
        owner.locator('input[type="file"]').set_input_files(files)
        owner.get_by_role("button", name="Load the scores").click()
        owner.get_by_text("2 measures of 3 systems on 8 topics").wait_for()
        idle(owner)
        owner.get_by_role("link", name="Similarity").click()
        owner.get_by_text("rank 3 systems").wait_for()
        idle(owner)
        seen = owner.evaluate(FIGURES)
        link = share_with_data(owner)
        visit(reader, link)
        reader.get_by_text("rank 3 systems").wait_for()
        idle(reader)
        assert len(seen) > 1 and reader.evaluate(FIGURES) == seen
        owner.get_by_text("Withdraw", exact=True).click()
        button(owner, "Withdraw this share").click()
        owner.get_by_text("My shares of this session").wait_for(state="detached")
        assert list((server.home / "collections").iterdir()) == []
        button(reader, "Report").click()  # only a part of the page is drawn anew for this
        reader.get_by_text("was shared with you, and its owner has withdrawn it.").wait_for()


def test_views_are_collected_into_a_report(person, file_page, server, tmp_path):
    with person() as page:
        visit(page, f"{server.url}/scores?v={SCHEMA}&show=box")
        for _ in range(2):  # the same view is added once
            button(page, "Report").click()
            page.get_by_role("button", name="Add this view").click()
            page.get_by_text("1. Scores (Figure: Boxes)").wait_for()
            idle(page)
            page.keyboard.press("Escape")
            idle(page)
        button(page, "Report").click()
        for name, file in (("Report (HTML)", "report.html"), ("Data and views (.irviz)", "d.irviz")):
            with page.expect_download() as download:
                button(page, name).click()
            download.value.save_as(tmp_path / file)
        page.keyboard.press("Escape")
        idle(page)
        follow(page, f"{server.url}/collection?collection=adhoc")
        page.get_by_text("Open your own data").click()
        page.locator('input[type="file"]').set_input_files(tmp_path / "d.irviz")
        idle(page)
        page.get_by_test_id("stBaseButton-primary").filter(has_text="Open").click()
        page.get_by_text("Views saved with the collection (1)").wait_for()
        idle(page)
        page.get_by_role("button", name="Scores (Figure: Boxes)").click()
        page.wait_for_function("() => document.querySelector('.js-plotly-plot')?.data?.[0]?.type === 'box'")
    with file_page() as report:
        report.goto((tmp_path / "report.html").as_uri())
        report.wait_for_selector(".js-plotly-plot .main-svg", state="attached")
        assert report.evaluate("() => document.querySelector('.js-plotly-plot').data[0].type") == "box"
        assert [url for url in report.asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_long_state_is_kept_under_a_short_link(person, server):
    measures = [f"CWLA(C=RBP(p=0.{n}),A=PE(beta=0.5))@10" for n in range(10, 70)]
    with person(known=True) as page, person() as reader:
        visit(page, f"{server.url}/scores?v=8&collection=adhoc&measures={','.join(measures)}&measure={measures[-1]}")
        button(page, "Share").click()
        page.get_by_text("Keep the view on the server to get a short link.").wait_for()
        page.get_by_role("button", name="Keep on the server").click()
        link = link_of_share(page)
        visit(reader, link)
        assert reader.get_by_text("CWLA(C=RBP(p=0.69)").count() > 0
        assert reader.evaluate(FIGURES) == page.evaluate(FIGURES)


def test_the_link_of_a_page_whose_name_ends_in_another_s_opens_it(person, server):
    with person() as page:
        visit(page, f"{server.url}/lab_aggregation?v=8&step=2")
        button(page, "Share").click()
        link = page.locator("code", has_text="step=2").first.inner_text().strip()
        assert link.startswith(f"{server.url}/lab_aggregation?")
        visit(page, link)
        page.get_by_role("heading", level=3).wait_for()
