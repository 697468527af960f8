"""A folder of linked pages: whole, small, safe, and read by a browser from the disk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs

import irviz
from irviz.cli.main import main
from irviz.menu import PAGES

EVIL = "</script><img src=x onerror=alert(1)>"
MOST = 10_000_000  # bytes of 40 systems × 8 pages


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Every page of the bundled collection: 40 systems."""
    place = tmp_path_factory.mktemp("site") / "new" / "pages"
    assert main(["render", "--site", str(place), "--collection", "adhoc", "--title", EVIL]) == 0
    return place


def test_every_page_but_the_labs_is_there_once_with_plotly_once(folder: Path):
    pages = {f"{page.name}.html" for page in PAGES if not page.lab}
    assert len(pages) >= 8
    assert {file.name for file in folder.iterdir()} == pages | {"index.html", "plotly.min.js"}
    assert sum(file.stat().st_size for file in folder.iterdir()) < MOST
    assert not [file.name for file in folder.glob("*.html") if get_plotlyjs()[:1000] in file.read_text()]


def test_the_first_page_has_all_measures_with_intervals_and_ranks(folder: Path):
    index = (folder / "index.html").read_text()
    scores = irviz.score(irviz.open_collection("adhoc"), ["AP", "P@10"])
    best = irviz.summarise(scores["AP"], "mean").sort_values(ascending=False, kind="stable")
    rows = re.findall(r"<tr>(.*?)</tr>", index)
    heads, first = (re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", row) for tag, row in (("th", rows[0]), ("td", rows[1])))
    assert heads[:6] == ["System", "Best rank", "Worst rank", "AP", "AP low", "AP high"]
    low, high = (first[heads.index(f"AP {end}")] for end in ("low", "high"))
    assert (first[0], first[3]) == (best.index[0], f"{best.iloc[0]:.4f}")
    assert float(low) < best.iloc[0] < float(high)
    assert len(rows) == 1 + len(best) and int(first[1]) == 1 <= int(first[2])
    systems = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows[1:]]
    by_precision = irviz.summarise(scores["P@10"], "mean").rank(ascending=False, method="min")
    assert all(int(one[1]) <= by_precision[one[0]] <= int(one[2]) for one in systems)


def test_links_lead_to_pages_and_names_are_text(folder: Path):
    for file in folder.glob("*.html"):
        text = file.read_text()
        targets = re.findall(r'(?:href|src)="([^"#:]+)"', text)
        assert targets
        assert [target for target in targets if not (folder / target).is_file()] == []
        assert EVIL not in text
        assert "default-src 'none'" in text


def test_a_page_that_refuses_the_data_is_named_with_its_reason(tmp_path, capsys):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "only").write_text("1 Q0 a 1 2.0 t\n")
    source = ["--qrels", str(tmp_path / "qrels"), "--runs", str(tmp_path / "only"), "--measures", "AP,RR"]
    assert main(["render", "--site", str(tmp_path / "site"), *source]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].endswith(f"open {tmp_path / 'site' / 'index.html'}")
    index = (tmp_path / "site" / "index.html").read_text()
    assert "Not drawn: " in index
    assert "RR" in (tmp_path / "site" / "scores.html").read_text()
    (tmp_path / "taken").write_text("")
    assert main(["render", "--site", str(tmp_path / "taken"), *source]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"irviz: {tmp_path / 'taken'}: cannot be written (")


@pytest.mark.browser
def test_a_browser_draws_it_from_the_disk(tmp_path: Path, browser):
    """Of few systems and topics: a browser reads the same scripts, policies and links."""
    folder, whole = tmp_path / "pages", irviz.open_collection("adhoc")
    saved = whole.subset(whole.topics[:5], whole.systems[:4]).save(tmp_path / "few.irviz")
    assert (
        main(["render", "--site", str(folder), "--collection", str(saved), "--measures", "AP,RR", "--title", EVIL]) == 0
    )
    page = browser.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto((folder / "index.html").as_uri())
    page.get_by_role("link", name="Similarity", exact=True).click()
    page.locator(".figure .main-svg").first.wait_for(timeout=60_000)
    page.get_by_role("link", name="Scores", exact=True).click()
    page.locator(".figure .main-svg").first.wait_for(timeout=60_000)
    assert page.locator("[aria-current]").inner_text() == "Scores"
    assert problems == []
    page.close()
