"""Figures for a paper, made in a browser: each button reached by keys, each file as wide as it says."""

from __future__ import annotations

import re
import struct
from xml.etree import ElementTree

import pytest

from irviz.ui.picture import DOTS, POINTS
from tests.app.browser.test_browser import visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(person, server):
    with person(scheme="dark", known=True) as found:
        found.set_default_timeout(20_000)
        visit(found, f"{server.url}/similarity?v=4&collection=adhoc&measures=AP,nDCG@10,P@10")
        yield found
        assert [text for text in found.errors if "404" not in text] == []


def made(page, form: str, width: str) -> bytes:
    """Open the first figure's menu by keys, and press one of its buttons by a key."""
    page.get_by_role("button", name="Figure for a paper").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"{form}, {width} inches wide").first.focus()
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert found.value.suggested_filename == f"irviz-similarity-overall-{width}in.{form.lower()}"
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
