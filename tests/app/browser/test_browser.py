"""The dashboard in a real browser: upload, look, change, copy the link, come back."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import expect

from tests.app.browser.rest import follow, idle, turn_to

pytestmark = pytest.mark.browser
HEATMAP = "() => JSON.stringify(document.querySelector('.js-plotly-plot').data[0].z)"
MANY = [f"{name}@{k}" for name in ("nDCG", "P", "ERR", "R") for k in (5, 20)]
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
    page.wait_for_selector(".js-plotly-plot .main-svg .trace", state="attached")
    idle(page)


def upload(page, server, files: list[dict], name: str) -> None:
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


def test_back_undoes_a_change_and_the_pair_is_chosen_by_keyboard_and_by_a_click_on_its_cell(page, server):
    visit(page, f"{server.url}/similarity?measures=AP,nDCG@10,P@10,RBP(p=0.8),ERR@20,Bpref")
    first = page.evaluate(HEATMAP)
    page.get_by_role("slider", name="p · persistence").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"before => ({HEATMAP})() !== before", arg=first)
    idle(page)
    page.go_back()
    page.wait_for_function(f"first => ({HEATMAP})() === first", arg=first)
    idle(page)
    page.get_by_role("combobox", name="with").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("Bpref")
    page.keyboard.press("Enter")
    page.locator(".ytitle", has_text="Bpref").first.wait_for()
    idle(page)
    assert "first=P" not in page.url
    plot = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    page.mouse.click(plot["x"] + plot["width"] * 2.5 / 5, plot["y"] + plot["height"] * 4.5 / 5)  # P@10, Bpref
    page.wait_for_url("**first=P%4010**")
    page.locator(".ytitle", has_text="Bpref").first.wait_for()
    idle(page)
    assert "first=P%4010" in page.url and "second=Bpref" in page.url


def test_hostile_names_are_shown_sign_for_sign(page, server):
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
            page.get_by_role("link", name=name, exact=True).click()
            page.get_by_role("heading", name=name, exact=True).wait_for()
            page.wait_for_selector(".js-plotly-plot .main-svg .trace", state="attached")
            idle(page)
        assert page.locator('[data-testid="stMain"] img[src^="http"], .js-plotly-plot a, .main-svg b').count() == 0
    ticks = page.locator(".js-plotly-plot .ytick text").all_text_contents()
    assert "<b>x<∕b>" in ticks and ":red[z]" in ticks


def test_a_hostile_link_is_answered_with_named_complaints(page, server):
    """All at once; each alone, and many more, without a browser in `tests/app/test_hostile_links.py`."""
    link = {
        "show": "pie",
        "measures": "<script>alert(1)</script>",
        "depth": "1e999",
    }
    visit(page, f"{server.url}/scores?{urlencode(link)}")
    said = "\n".join(page.locator('[data-testid="stAlert"]').all_inner_texts())
    for key in link:
        assert key in said
    assert "Traceback" not in page.content()
    follow(page, f"{server.url}/scores?{urlencode({'collection': '![i](http://127.0.0.1:9/x.png)'})}")
    page.get_by_text("which is not here").wait_for()
    assert page.get_by_text("![i](http://127.0.0.1:9/x.png)").count() == 1, "shown as text, not as a picture"


def test_long_work_can_be_stopped_and_resumed(page, server):
    turn_to(page, f"{server.url}/discriminative?method=paired_bootstrap&trials=20000&measures={quote(','.join(MANY))}")
    stop = page.locator(".st-key-progress-stop button")
    stop.click()
    page.get_by_text("Stopped before it was done").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_text("The numbers").wait_for(timeout=120_000)


def test_what_is_folded_away_is_there_when_it_is_unfolded(page, server):
    visit(page, f"{server.url}/scores")
    depth = page.get_by_role("spinbutton", name="Ranking depth")
    assert depth.count() == 0
    page.get_by_text("Topics, averages and conventions").click()
    depth.wait_for()
    idle(page)
    depth.fill("20")
    depth.press("Enter")
    page.wait_for_url("**/*depth=20*")
    idle(page)
    assert depth.input_value() == "20"  # it stays unfolded
    page.goto(f"{server.url}/scores?v=8&collection=adhoc&depth=20")
    idle(page)
    expect(depth).to_have_value("20")  # unfolded for who comes by a link; a number shows its least at first


def test_an_export_of_quepid_becomes_a_conclusion(page, server):
    """Ratings and snapshots as they come: two files, *Load*, and the claim about the two snapshots is there."""
    queries, documents = [f"blue shoes {i}" for i in range(8)], [f"d{i}" for i in range(6)]
    ratings = [f"{q},{d},{(i * k) % 4}" for k, q in enumerate(queries, 1) for i, d in enumerate(documents)]
    lists = {"before": documents, "after": documents[::-1]}
    positions = [
        f"{name},2026-01-01,7,{q},{d},{i}" for name in lists for q in queries for i, d in enumerate(lists[name], 1)
    ]
    header = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position"
    tables = {"ratings.csv": ["query,docid,rating", *ratings], "snapshots.csv": [header, *positions]}
    files = [
        {"name": name, "mimeType": "text/csv", "buffer": "\n".join(lines).encode()} for name, lines in tables.items()
    ]
    page.goto(f"{server.url}/collection")
    page.get_by_text("Open your own data").click()
    page.locator('input[type="file"]').set_input_files(files)
    page.get_by_text("Found 1 qrels file and 1 run file.").wait_for()
    idle(page)
    page.get_by_role("button", name="Load 1 run file").click()
    page.get_by_text("Loaded ratings: 2 systems, 8 topics").wait_for()
    idle(page)
    page.get_by_role("link", name="Conclusion").click()
    page.get_by_text(re.compile("combinations of choices (before|after) is ahead of (before|after)")).first.wait_for()
