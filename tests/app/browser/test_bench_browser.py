"""The bench in a browser: handles by keys and mouse, and four figures with their knobs on one screen of a laptop."""

from __future__ import annotations

import math
from urllib.parse import unquote

import pytest

from tests.app.browser.rest import idle
from tests.app.browser.test_browser import visit

pytestmark = pytest.mark.browser


@pytest.fixture
def page(person):
    with person(known=True) as found:
        yield found


INSIDE = """() => ['.js-plotly-plot', '.st-key-knobs [data-testid=stSlider]'].map(kind =>
  [...document.querySelectorAll(kind)].map(one => one.getBoundingClientRect())
    .filter(box => box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth).length)"""
SCROLLED = "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollHeight - m.clientHeight }"


def shares(page) -> list[float]:
    """The value of g in the address."""
    text = unquote(page.url).partition("GAP(g=[")[2].partition("]")[0]
    return [float(part) for part in text.split(",")]


def test_handles_move_by_keys_and_mouse_and_always_sum_to_one(page, server):
    visit(page, f"{server.url}/what_if?v=8&collection=adhoc&measures=AP,GAP(g=[0.2,0.3,0.5])&trials=50&repeats=1")
    handle = page.get_by_role("slider", name="grade 1 against grade 2")
    page.wait_for_function("() => document.querySelector('.irviz-shares input')?.value === '0.2'")
    handle.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert handle.get_attribute("aria-valuetext") == "0.24 against 0.26"
    page.wait_for_function("() => decodeURIComponent(location.search).includes('AP,GAP(g=[0.24,0.26,0.5])')")
    idle(page)
    assert page.evaluate("() => document.activeElement.ariaLabel") == "grade 1 against grade 2"
    box = handle.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8 + 0.24 * (box["width"] - 16), y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, y, steps=4)  # beyond its neighbour, which it does not pass
    page.mouse.up()
    page.wait_for_function("() => decodeURIComponent(location.search).includes('AP,GAP(g=[0.5,0,0.5])')")
    idle(page)
    assert math.fsum(shares(page)) == pytest.approx(1)


def test_one_press_of_back_undoes_a_move(page, server):
    visit(page, f"{server.url}/what_if?v=8&collection=adhoc&measures=AP,RBP(p=0.5)&trials=50&repeats=1")
    page.get_by_role("slider", name="p · persistence").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => decodeURIComponent(location.search).includes('before=RBP(p=0.5)')")
    idle(page)
    page.go_back()
    page.wait_for_function("() => !location.search.includes('before')")


#: where the point of a measure stands in the figure of a sweep
POINT = """(label) => { for (const plot of document.querySelectorAll('.js-plotly-plot'))
for (const one of plot._fullData) {
  const i = (one.customdata ?? []).findIndex((own) => own[0] === label);
  if (i < 0) continue;
  plot.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = plot.getBoundingClientRect(), { xaxis: x, yaxis: y } = plot._fullLayout;
  return [box.x + x._offset + x.d2p(one.x[i]), box.y + y._offset + y.d2p(one.y[i])];
} }"""


def test_a_click_on_a_sweep_takes_its_value(page, server):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(
        page, f"{server.url}/what_if?v=8&collection=adhoc&measures=AP,RBP(p=0.5)&sweep=p&points=5&trials=50&repeats=1"
    )
    idle(page, 300)
    page.mouse.click(*page.evaluate(POINT, "RBP(p=0.05)"))
    page.wait_for_function("() => decodeURIComponent(location.search).includes('measures=AP,RBP(p=0.05)')")
    assert "before=RBP(p=0.5)" in unquote(page.url)


def test_the_builder_adds_its_measure_and_no_longer_lies_over_the_figures(page, server):
    visit(page, f"{server.url}/what_if?v=8&collection=adhoc&measures=AP,RBP(p=0.5)&trials=50&repeats=1")
    page.get_by_role("button", name="Build a measure").click()
    page.get_by_role("radio", name="User models").click()
    page.get_by_text("How the user sums up what was read").wait_for()
    page.get_by_role("button", name="Add to the measures").click()
    page.wait_for_function("() => decodeURIComponent(location.search).includes('CWLA(')")
    idle(page)
    assert not page.get_by_role("button", name="Add to the measures").count()


def test_gains_are_bars_that_do_not_fall(page, server):
    visit(page, f"{server.url}/scores?v=8&collection=adhoc&measures=ERR(gains=[0,1,2,3])@20")
    page.get_by_text("More parameters of ERR").click()
    bar = page.get_by_role("slider", name="grade 1")
    page.wait_for_function("() => document.querySelectorAll('.irviz-bars input')[1]?.value === '1'")
    bar.focus()
    page.keyboard.press("End")
    page.wait_for_function("() => decodeURIComponent(location.search).includes('gains=[0,4,4,4]')")


def test_the_bench_fits_a_laptop_two_low_screens_and_is_a_column_on_a_phone(page, server):
    def until(size: tuple[int, int], holds: str) -> None:
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        idle(page)
        page.wait_for_function(f"() => {holds}")

    page.set_viewport_size({"width": 1440, "height": 900})
    cwla = "CWLA(C=INST(T=2.25),A=PE(beta=0.5))"  # with the most pictures and sliders
    few = "collection=adhoc&trials=50&repeats=1&before=RBP(p=0.5)"
    visit(page, f"{server.url}/what_if?v=8&{few}&measures=AP,nDCG@10,{cwla}&measure={cwla}")
    page.locator(".st-key-facts-weights .main-svg").first.wait_for()
    until((1440, 900), f"({SCROLLED})() <= 0 && ({INSIDE})()[0] >= 4 && ({INSIDE})()[1] >= 2")
    assert page.locator(".st-key-sidebar-remove").bounding_box()["y"] < 900 - 40
    until((1024, 768), f"({SCROLLED})() <= 768")
    until((390, 844), "document.documentElement.scrollWidth <= 390")
    tops = page.evaluate(
        "() => ['.js-plotly-plot', '.st-key-knobs', '.st-key-rest'].map(one => "
        "document.querySelector(one).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
