"""Figures for a paper, made in a browser: each button reached by keys, each file as wide as it says."""

from __future__ import annotations

import re
import struct
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from irviz.ui.picture import DOTS, PAGE, POINTS
from tests.app.browser.test_browser import visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(person, server):
    with person(scheme="dark", known=True) as found:
        found.set_default_timeout(20_000)
        visit(found, f"{server.url}/similarity?v=8&collection=adhoc&measures=AP,nDCG@10,P@10")
        yield found
        assert [text for text in found.errors if "404" not in text] == []


def made(page, form: str, width: str, figure: str = "similarity-overall", place: int = 0) -> bytes:
    """Open a figure's menu by keys, and press one of its buttons by a key."""
    page.get_by_role("button", name="Figure for a paper").nth(place).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"{form}, {width} inches wide").first.focus()
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert found.value.suggested_filename == f"irviz-{figure}-{width}in.{form.lower()}"
    return found.value.path().read_bytes()


@pytest.mark.parametrize("width", ["3.3", "7"])
def test_the_svg_is_as_wide_as_it_says_with_dark_type_of_eight_points(page, width):
    svg = ElementTree.fromstring(made(page, "SVG", width))
    assert svg.get("width") == f"{width}in"
    assert float(svg.get("viewBox").split()[2]) == pytest.approx(float(width) * 96)
    texts = [one for one in svg.iter("{http://www.w3.org/2000/svg}text") if "".join(one.itertext()).strip()]
    sizes = {size for one in texts for size in re.findall(r"font-size: ([\d.]+)px", one.get("style"))}
    assert sizes and all(float(size) * 72 / 96 == pytest.approx(POINTS, abs=0.01) for size in sizes)
    assert any("rgb(27, 31, 36)" in one.get("style") for one in texts)  # of the light template, on a dark page
    assert page.evaluate("document.querySelector('.js-plotly-plot').layout.template.layout.font.size") == 13


#: left, right, top and bottom of all that a selector finds in a figure
EDGES = """found => { const boxes = [...document.querySelectorAll(found)].map((one) => one.getBoundingClientRect());
  return [Math.min(...boxes.map((one) => one.left)), Math.max(...boxes.map((one) => one.right)),
          Math.min(...boxes.map((one) => one.top)), Math.max(...boxes.map((one) => one.bottom))]; }"""

ROWS = """all => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])
  .sort((a, b) => a[0] - b[0])"""

LINES = """all => all.flatMap((one) => [...one.querySelectorAll("text > tspan, text:not(:has(tspan))")])
  .map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"""


@pytest.mark.parametrize("width", ["3.3", "7"])
def test_a_legend_stands_below_the_points_and_within_the_figure(person, server, browser, width):
    with person(known=True) as page:
        visit(page, f"{server.url}/similarity?v=8&collection=dl2021&measures=AP,nDCG@10")
        other = browser.new_page()
        other.set_content(made(page, "SVG", width, "similarity-slope", 2).decode())
        points, legend, whole = (other.evaluate(EDGES, of) for of in (".points path", ".legend", "svg.main-svg"))
        other.close()
    assert points[3] < legend[2] < legend[3] <= whole[3] and legend[1] <= whole[1]


def test_a_high_figure_fits_on_a_page_with_the_names_that_have_room_the_chosen_ones_among_them(person, server, browser):
    with person(known=True) as page:
        visit(page, f"{server.url}/scores?v=8&collection=trec7&show=heatmap&highlight=run28")
        names = page.evaluate("[...document.querySelector('.js-plotly-plot').layout.yaxis.ticktext]")
        svg = made(page, "SVG", "7", "scores-heatmap").decode()
        other = browser.new_page()
        other.set_content(svg)
        rows, kept = other.locator(".ytick text").evaluate_all(ROWS), other.locator(".ytick text").all_text_contents()
        other.close()
    assert float(ElementTree.fromstring(svg).get("height").removesuffix("in")) == PAGE
    assert all(above[1] <= below[0] + 1 for above, below in pairwise(rows)), "no name lies on another"
    assert {names[0], names[-1], "▸ run28"} <= set(kept) and len(kept) < len(names)


def test_findings_are_offered_for_the_width_that_they_need_with_all_collections(person, server, browser):
    with person(known=True) as page:
        visit(page, f"{server.url}/findings?v=8&collection=dl2020")
        collections = page.evaluate("document.querySelector('.js-plotly-plot').layout.xaxis2.ticktext.length")
        svg = made(page, "SVG", "7", "findings-squares").decode()
        assert page.get_by_role("button", name="3.3 inches wide", include_hidden=True).count() == 0
        other = browser.new_page()
        other.set_content(svg)
        lines = other.locator(".annotation").evaluate_all(LINES)
        assert other.locator(".x2tick text").count() == collections
        other.close()
    assert float(ElementTree.fromstring(svg).get("height").removesuffix("in")) <= PAGE
    assert all(above[1] <= below[0] + 2 for above, below in pairwise(sorted(lines))), "no line lies on another"


def test_the_png_has_the_pixels_of_a_printer_and_says_so(page):
    data = made(page, "PNG", "3.3")
    width, height = struct.unpack(">II", data[16:24])
    assert (width, data[37:41]) == (round(3.3 * DOTS), b"pHYs") and height > DOTS
    assert struct.unpack(">II", data[41:49]) == (round(DOTS / 0.0254),) * 2


def test_the_pdf_is_one_page_of_the_size_of_the_figure(page, browser):
    page.get_by_role("button", name="Figure for a paper").first.click()
    page.get_by_role("button", name="PDF, 7 inches wide").first.click()
    page.wait_for_function("document.getElementById('irviz-print')?.contentDocument.querySelector('svg')")
    sheet = page.evaluate("document.getElementById('irviz-print').contentDocument.documentElement.outerHTML")
    page.keyboard.press("Escape")
    other = browser.new_page()
    other.set_content(sheet)
    pdf = other.pdf(prefer_css_page_size=True)
    other.close()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert len(boxes) == 1 and float(boxes[0][0]) == pytest.approx(7 * 72, abs=0.5)


def test_caption_and_code_stand_beside_the_figure(page):
    page.get_by_role("button", name="Figure for a paper").first.click()
    menu = page.locator(".irviz-figure-menu:popover-open")
    assert "systems, 50 topics" in menu.locator(".irviz-caption").inner_text()
    assert "irviz.similarity(" in menu.locator("pre").inner_text()
    page.keyboard.press("Escape")


def test_the_caption_is_copied(person, server):
    with person(known=True) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        visit(page, f"{server.url}/similarity?v=8&collection=adhoc&measures=AP,nDCG@10")
        page.get_by_role("button", name="Figure for a paper").first.click()
        page.get_by_role("button", name="Copy the caption").first.click()
        caption = page.locator(".irviz-figure-menu:popover-open .irviz-caption").inner_text()
        assert caption and page.evaluate("navigator.clipboard.readText()") == caption
