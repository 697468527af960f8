"""A person's ways through the dashboard, in a real browser: from files to a claim, a share and a report."""

from __future__ import annotations

import io
import json
import re
import struct
import tarfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urlencode
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

import irviz
from irviz.ui.picture import DOTS, POINTS
from irviz.workspace.data import bundled_titles
from irviz.workspace.view import SCHEMA
from tests.app.browser.rest import follow, idle, said_in, turn_to
from tests.app.driving import ROOT

pytestmark = pytest.mark.browser
DRAWN = ".js-plotly-plot .main-svg .trace"
FIGURES = """() => [...document.querySelectorAll('.js-plotly-plot')].map(
  plot => JSON.stringify(plot.data.map(trace => [trace.type, trace.name, trace.x, trace.y, trace.z])))"""
SENTENCE = '[class*="st-key-sentence"]'
LINK = re.compile(r"http://\S+\?s=[\w-]{22}(?![\w-])")
HOSTILE = ("<b>x</b>", "<img src=y onerror=alert(1)>", "![i](http://127.0.0.1:9/p.png)", "$\\alpha$", ":red[z]")


@pytest.fixture
def page(person, server) -> Iterator:
    """A page of a new visitor, which asks nobody but its server and has nothing to complain of on the console."""
    with person(asking=True) as opened:
        yield opened
        assert [url for url in opened.asked if not url.startswith((server.url, "data:", "blob:"))] == []
        assert [text for text in opened.errors if "404" not in text] == []


def visit(page, url: str) -> None:
    """Follow a link, and wait until its figures are drawn."""
    follow(page, url)
    page.wait_for_selector(DRAWN, state="attached")
    idle(page)


def button(page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def open_by_menu(page, name: str, title: str = "") -> None:
    """Go to a page by its name in the menu, and wait until its figures are drawn."""
    page.get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", name=title or name, exact=True).wait_for()
    page.wait_for_selector(DRAWN, state="attached")
    idle(page)


def upload(page, server, files: list[dict], name: str) -> None:
    """Load files as a collection called `name`."""
    follow(page, f"{server.url}/collection?collection=adhoc")
    page.get_by_text("Open your own data").click()
    page.locator('input[type="file"]').set_input_files(files)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Name", exact=True).press("Enter")
    idle(page)
    page.get_by_role("button", name=re.compile(r"^Load \d")).click()
    page.get_by_text(f"Loaded {name.partition('http')[0]}").first.wait_for()
    idle(page)


def packed(runs: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in runs.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def upload_twelve(page, server) -> None:
    """Twelve systems of the bundled collection, as somebody's own files."""
    folder = ROOT / "data" / "adhoc"
    runs = {path.name: path.read_bytes() for path in sorted((folder / "runs").iterdir())[:12]}
    files = [
        {"name": "qrels.gz", "mimeType": "application/gzip", "buffer": (folder / "qrels.relevance.gz").read_bytes()},
        {"name": "runs.tar.gz", "mimeType": "application/gzip", "buffer": packed(runs)},
    ]
    upload(page, server, files, "mine")


def test_own_files_are_loaded_looked_at_and_a_parameter_is_moved_and_moved_back(page, server):
    upload_twelve(page, server)
    assert page.get_by_text("12 systems").count()
    open_by_menu(page, "What if")
    first = page.evaluate(FIGURES)
    slider = page.get_by_role("slider", name="p · persistence")
    slider.focus()
    for _ in range(4):  # quicker than the page is drawn
        page.keyboard.press("ArrowLeft")
    said_in(page, "before=RBP(p=0.8)")
    said_in(page, "RBP(p=0.6)")
    page.wait_for_function(f"first => JSON.stringify(({FIGURES})()) !== JSON.stringify(first)", arg=first)
    page.reload()  # the data are the session's, and the address says the rest
    slider.wait_for()
    idle(page)
    assert slider.input_value() == "0.6"
    for _ in range(4):  # a slow page has some of the four moves in its history
        if "before" in page.url:
            here = page.url
            page.go_back()
            page.wait_for_function("here => location.href !== here", arg=here)
            idle(page)
    assert "before" not in page.url


def test_figures_move_with_a_handle_and_the_exact_ones_follow(page, server):
    lines = "() => [...document.querySelectorAll('.js-plotly-plot .js-line')].map(line => line.getAttribute('d'))"
    said = (
        "() => [...document.querySelectorAll('.st-key-bench .irviz-facts')].map(all => all.dataset.at ?? all.innerText)"
    )
    visit(page, f"{server.url}/what_if?collection=adhoc&measures=AP,nDCG@10,RBP(p=0.8)&measure=RBP(p=0.8)")
    page.locator(".irviz-frames", has_text=re.compile(r'"frames": ?\[\{')).first.wait_for(state="attached")
    idle(page)
    before, slider = page.evaluate(lines), page.get_by_role("slider", name="p · persistence")
    page.get_by_test_id("stSlider").filter(has=slider).scroll_into_view_if_needed()
    box = page.get_by_test_id("stSlider").filter(has=slider).bounding_box()
    thumb = page.get_by_test_id("stSliderThumbValue").bounding_box()
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] + 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 0.2 * box["width"], y, steps=5)
    value = slider.input_value()
    page.wait_for_function("now => document.querySelectorAll(`[data-at^='p = ${now} ']`).length === 4", arg=value)
    moved, facts = page.evaluate(lines), page.evaluate(said)
    assert moved != before
    page.mouse.move(x, y, steps=5)
    page.wait_for_function("() => !document.querySelector('[data-at]')")
    assert page.evaluate(lines) == before  # and nothing was asked
    page.mouse.move(x - 0.2 * box["width"], y, steps=5)
    page.mouse.up()
    said_in(page, f"measure=RBP(p={value})")
    page.wait_for_function("() => !document.querySelector('[data-at]')")
    exact = page.evaluate(said)
    assert [re.findall(r"\d+(?:[.,]\d+)*", text) for text in exact] == [
        re.findall(r"\d+(?:[.,]\d+)*", text)[1:] for text in facts
    ]


def test_what_is_drawn_at_a_key_are_the_figures_of_its_link(page, server):
    figures = """() => [...document.querySelectorAll('.st-key-bench .js-plotly-plot')].map(
      ({ data, layout }) => JSON.stringify([data, { ...layout, template: null }]))"""
    visit(page, f"{server.url}/what_if?collection=adhoc&measures=AP,nDCG@10,RBP(p=0.8)&measure=RBP(p=0.8)")
    page.wait_for_selector(".irviz-frames", state="attached")
    idle(page)
    told = [json.loads(text)["exact"] for text in page.locator(".irviz-frames").all_text_contents()]
    page.get_by_role("slider", name="p · persistence").press("ArrowLeft")
    said_in(page, "before=RBP(p=0.8)")
    page.wait_for_function("() => !document.querySelector('[data-at]')")
    sent = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('.irviz-drawn')].map(
      one => [one.dataset.of, one.textContent]))""")
    *_, beside = [exact for some in told for exact in some if exact["place"] == 0.75]
    assert {f"what_if-{name}": figure["drawn"] for name, figure in beside["figures"].items()}.items() <= sent.items()
    drawn, numbers = page.evaluate(figures), [json.loads(text)["data"] for text in sent.values()]
    assert [json.loads(text)[0] for text in drawn[: len(sent)]] == numbers
    page.reload()
    page.wait_for_selector(DRAWN, state="attached")
    idle(page)
    assert page.evaluate(figures) == drawn


def test_an_export_of_quepid_becomes_a_claim(page, server):
    queries, documents = [f"blue shoes {i}" for i in range(8)], [f"d{i}" for i in range(6)]
    ratings = [f"{q},{d},{(i * k) % 4}" for k, q in enumerate(queries, 1) for i, d in enumerate(documents)]
    lists = {"before": documents, "after": documents[::-1]}
    positions = [
        f"{name},2026-01-01,7,{q},{d},{i}" for name in lists for q in queries for i, d in enumerate(lists[name], 1)
    ]
    header = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position"
    tables = {"ratings.csv": ["query,docid,rating", *ratings], "snapshots.csv": [header, *positions]}
    page.goto(f"{server.url}/collection")
    page.get_by_text("Open your own data").click()
    page.locator('input[type="file"]').set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": "\n".join(lines).encode()} for name, lines in tables.items()]
    )
    page.get_by_role("button", name="Load 1 run file").click()
    page.get_by_text("2 systems, 8 topics").first.wait_for()
    idle(page)
    page.get_by_role("link", name="Conclusion").click()
    sentence = page.locator(SENTENCE).first
    for system in ("before", "after"):
        expect(sentence).to_contain_text(system)


def test_a_claim_is_chosen_answered_and_one_of_its_worlds_opened(page, server):
    """Systems clicked on Scores are A and B; the answer is the library's; a world is opened, both ways lead back."""
    measures, a, b = ["AP", "nDCG@10", "P@10"], "NLE_P_v1", "pash_f3"
    visit(page, f"{server.url}/scores?v={SCHEMA}&collection=dl2021&measures={','.join(measures)}")
    for name in (a, b):
        place = page.locator(".ytick text").filter(has_text=re.compile(f"{name}$")).bounding_box()
        page.mouse.click(place["x"] + 4, place["y"] + place["height"] / 2)
        page.wait_for_function("name => location.search.includes(name)", arg=name)
        idle(page)
    visit(page, page.url.replace("/scores", "/conclusion") + "&trials=100")
    sentence = page.locator(SENTENCE).first
    for name in (a, b):
        expect(sentence).to_contain_text(name)
    idle(page)
    c = irviz.open_collection("dl2021")
    r = irviz.conclusion(c, f"{a} > {b}", irviz.worlds(c, measure=measures, family=["pair"]), trials=100)
    said = sentence.inner_text()
    assert said.split() == f"{r.headline}.".replace("`", "").split()
    visit(page, f"{page.url}&world=3")
    for role, name in (("button", "Back to Would my conclusion change?"), ("link", "Conclusion")):
        page.get_by_role("button", name="Open these settings on Scores").click()
        page.get_by_role("heading", name="Scores", exact=True).wait_for()
        idle(page)
        page.get_by_role(role, name=name).click()
        page.get_by_role("heading", name="Would my conclusion change?").wait_for()
        expect(sentence).to_have_text(said, use_inner_text=True)
        idle(page)
        assert "world=3" in page.url and "topics=" not in page.url


def settled(page, text: str, least: int) -> list[str]:
    """The data of all figures, once `text` and so many figures are there."""
    page.get_by_text(text).first.wait_for()
    page.wait_for_function("least => document.querySelectorAll('.js-plotly-plot').length >= least", arg=least)
    idle(page)
    return page.evaluate(FIGURES)


def share_with_data(page) -> str:
    """Press Share, and then the button that gives the data away; the link."""
    button(page, "Share").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Share with its data").first.click()
    page.get_by_label("Title", exact=True).fill("Twelve <b>systems</b>")
    page.get_by_label("Note to the reader").fill("Look at p.")
    page.get_by_label("Note to the reader").press("Control+Enter")
    idle(page)
    page.get_by_role("button", name="Share with its data").click()
    shown = page.locator("code", has_text=re.compile(r"\?s="))
    shown.wait_for()
    idle(page)
    return LINK.search(shown.inner_text())[0]


def test_a_baseline_is_pinned_and_shared_with_its_data_and_withdrawn(person, server):
    with person() as owner, person() as reader:
        upload_twelve(owner, server)
        open_by_menu(owner, "Similarity")
        button(owner, "Before").click()
        button(owner, "Pin this view").click()
        said_in(owner, "baseline=similarity")
        owner.keyboard.press("Escape")
        owner.get_by_role("button", name=re.compile("Settings of")).click()
        owner.get_by_role("slider", name="p · persistence").focus()
        owner.keyboard.press("ArrowLeft")
        said_in(owner, "RBP(p=0.75)")
        follow(owner, f"{owner.url}&first={quote('RBP(p=0.75)')}")
        seen = settled(owner, "In grey, before:", 4)

        reader.goto(owner.url)  # the address alone gives nothing away
        reader.get_by_text("not loaded here:").wait_for()
        idle(reader)
        assert "mine" not in reader.get_by_test_id("stSidebar").inner_text()

        follow(reader, share_with_data(owner))
        assert settled(reader, "In grey, before:", 4) == seen
        assert reader.get_by_text("Twelve <b>systems</b>").count() == reader.get_by_text("Look at p.").count() == 1
        reader.reload()
        assert settled(reader, "In grey, before:", 4) == seen

        owner.get_by_text("Withdraw", exact=True).click()
        button(owner, "Withdraw this share").click()
        owner.get_by_text("My shares of this session").wait_for(state="detached")
        assert list((server.home / "collections").iterdir()) == []
        reader.get_by_role("link", name="Scores").click()
        reader.get_by_text("its owner has withdrawn it.").wait_for()
        idle(reader)
        assert reader.locator(".js-plotly-plot").count() == 0, "nothing is drawn in the place of withdrawn data"
        reader.get_by_role("combobox", name=re.compile("Collection")).click()
        assert reader.get_by_role("option").count() == len(bundled_titles())


def test_a_view_is_collected_into_a_report_and_comes_back_with_its_data(page, file_page, server, tmp_path):
    visit(page, f"{server.url}/scores?v={SCHEMA}&collection=adhoc&show=box")
    button(page, "Report").click()
    page.get_by_role("button", name="Add this view").click()
    page.get_by_text("1. Scores").wait_for()
    idle(page)
    for name, file in (("Report (HTML)", "report.html"), ("Data and views (.irviz)", "d.irviz")):
        with page.expect_download() as download:
            button(page, name).click()
        download.value.save_as(tmp_path / file)
    page.keyboard.press("Escape")
    follow(page, f"{server.url}/collection?collection=adhoc")
    page.get_by_text("Open your own data").click()
    page.locator('input[type="file"]').set_input_files(tmp_path / "d.irviz")
    idle(page)
    page.get_by_test_id("stBaseButton-primary").filter(has_text="Open").click()
    page.get_by_role("button", name=re.compile("Figure: Boxes")).click()
    page.wait_for_function("() => document.querySelector('.js-plotly-plot')?.data?.[0]?.type === 'box'")
    with file_page() as report:
        report.goto((tmp_path / "report.html").as_uri())
        report.wait_for_selector(".js-plotly-plot .main-svg", state="attached")
        assert report.evaluate("() => document.querySelector('.js-plotly-plot').data[0].type") == "box"
        assert [url for url in report.asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_two_judges_are_compared_by_another_measure_and_with_other_grades(page, server):
    """What the page opens on without a choice, and numbers as the library computes them."""
    c = irviz.open_collection("adhoc")
    page.goto(f"{server.url}/judges?collection=adhoc")
    for measure in ("AP", "nDCG@10"):
        if measure != "AP":
            page.get_by_role("combobox", name="Measure", exact=True).focus()
            page.keyboard.type(measure)
            page.keyboard.press("Enter")
        found = irviz.judges(c, [measure])
        a, b = (found.judges.index(name) for name in ("people", "machine"))
        page.get_by_text(f"{found.tau[0, a, b]:.3f}").first.wait_for()
        idle(page)
    page.get_by_role("slider", name="Topics that people judge").press("ArrowRight")
    said_in(page, "judged=11")
    page.get_by_text("More choices").click()
    slider = page.get_by_role("slider", name="Count as relevant from grade")
    slider.wait_for()
    idle(page)
    slider.press("ArrowRight")
    said_in(page, "from=0")
    slider.press("Home")
    page.wait_for_function("() => !location.search.includes('from=')")


def made(page, form: str, width: str) -> Path:
    """Open the first figure's menu by keys, and press one of its buttons by a key; the file."""
    page.get_by_role("button", name="Figure for a paper").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"{form}, {width} inches wide").first.focus()
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    return found.value.path()


def test_figures_of_a_dark_page_are_files_for_a_paper(person, server, browser):
    """SVG and PNG of the width and resolution that they say, a PDF of one page."""
    with person(scheme="dark") as page:
        visit(page, f"{server.url}/similarity?v={SCHEMA}&collection=adhoc&measures=AP,nDCG@10,P@10")
        svg = ElementTree.fromstring(made(page, "SVG", "3.3").read_text())
        assert svg.get("width") == "3.3in"
        texts = [one for one in svg.iter("{http://www.w3.org/2000/svg}text") if "".join(one.itertext()).strip()]
        sizes = {size for one in texts for size in re.findall(r"font-size: ([\d.]+)px", one.get("style"))}
        assert sizes and all(float(size) * 72 / 96 == pytest.approx(POINTS, abs=0.01) for size in sizes)
        assert any("rgb(27, 31, 36)" in one.get("style") for one in texts)  # of the light template
        png = made(page, "PNG", "3.3").read_bytes()
        assert struct.unpack(">I", png[16:20]) == (round(3.3 * DOTS),)
        page.get_by_role("button", name="Figure for a paper").first.click()
        menu = page.locator(".irviz-figure-menu:popover-open")
        assert menu.locator(".irviz-caption").inner_text()
        page.get_by_role("button", name="PDF, 7 inches wide").first.click()
        page.wait_for_function("document.getElementById('irviz-print')?.contentDocument.querySelector('svg')")
        sheet = page.evaluate("document.getElementById('irviz-print').contentDocument.documentElement.outerHTML")
    other = browser.new_page()
    other.set_content(sheet)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", other.pdf(prefer_css_page_size=True))
    other.close()
    assert len(boxes) == 1 and float(boxes[0][0]) == pytest.approx(7 * 72, abs=0.5)


def test_hostile_names_and_links_are_text(page, server):
    judgments = "".join(f"{t} 0 d{d} {(t + d) % 3}\n" for t in range(1, 6) for d in range(9))
    runs = {
        name.replace("/", "∕"): "".join(
            f"{t} Q0 d{(d + s) % 9} {d} {9 - d} x\n" for t in range(1, 6) for d in range(9)
        ).encode()
        for s, name in enumerate(HOSTILE)
    }
    files = [
        {"name": "<i>q</i>.qrels", "mimeType": "text/plain", "buffer": judgments.encode()},
        {"name": "runs.tar.gz", "mimeType": "application/gzip", "buffer": packed(runs)},
    ]
    upload(page, server, files, "![n](http://127.0.0.1:9/n.png)")
    for name in ("Collection", "Similarity", "Scores"):
        if name != "Collection":  # where one is after an upload
            open_by_menu(page, name)
        assert page.locator('[data-testid="stMain"] img[src^="http"], .js-plotly-plot a, .main-svg b').count() == 0
    ticks = page.locator(".js-plotly-plot .ytick text").all_text_contents()
    assert "<b>x<∕b>" in ticks and ":red[z]" in ticks
    link = {"show": "pie", "measures": "<script>alert(1)</script>", "depth": "1e999"}
    visit(page, f"{server.url}/scores?{urlencode(link)}")
    said = "\n".join(page.locator('[data-testid="stAlert"]').all_inner_texts())
    assert all(key in said for key in link)
    follow(page, f"{server.url}/scores?{urlencode({'collection': '![i](http://127.0.0.1:9/x.png)'})}")
    page.get_by_text("![i](http://127.0.0.1:9/x.png)").wait_for()  # as text, not as a picture


def test_long_work_is_stopped_and_taken_up_again(page, server):
    many = ",".join(f"{name}@{k}" for name in ("nDCG", "P", "ERR", "R") for k in (5, 20))
    turn_to(page, f"{server.url}/discriminative?method=paired_bootstrap&trials=20000&measures={quote(many)}")
    stop = page.locator(".st-key-progress-stop button")
    stop.click()
    page.get_by_role("button", name="Resume").click()
    stop.click()
    page.get_by_role("button", name="Resume").wait_for()
    assert "nDCG@5" in unquote(page.url)
