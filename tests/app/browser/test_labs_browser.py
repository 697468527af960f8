"""Every lab through its central moment, in a real browser: by keyboard, by click, by link, on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.browser.rest import follow, idle

pytestmark = pytest.mark.browser
SAYS = ".st-key-lab h3"  # the lab's sentence


@pytest.fixture
def page(person) -> Iterator:
    with person(1280, 720, known=True) as page:
        page.emulate_media(reduced_motion="reduce")
        yield page


def visit(page, url: str) -> str:
    """The sentence of the lab at `url`, once all is drawn."""
    follow(page, url)
    page.wait_for_selector(".js-plotly-plot .main-svg .trace", state="attached")
    return page.locator(SAYS).first.inner_text()


def await_sentence(page, part: str) -> str:
    """The sentence, once it holds `part`."""
    page.locator(SAYS).filter(has_text=part).first.wait_for()
    idle(page)
    return page.locator(SAYS).first.inner_text()


def click_point(page, figure: int, point: int) -> None:
    page.locator(".js-plotly-plot").nth(figure).locator(".point").nth(point).click(force=True)


PLACES = """([figure, trace, point, x, y]) => {
  const plot = document.querySelectorAll('.js-plotly-plot')[figure], from = plot._fullData.at(trace);
  const box = plot.getBoundingClientRect();
  const [xaxis, yaxis] = ["x", "y"].map((one) => plot._fullLayout[`${one}axis${from[`${one}axis`].slice(1)}`]);
  return [[from.x[point], from.y[point]], [x, y]].map(([a, b]) =>
    [box.x + xaxis._offset + xaxis.l2p(a), box.y + yaxis._offset + yaxis.l2p(b)]); }"""


#: the lines have grown: the last frame is shown
GROWN = """() => document.querySelector('.js-plotly-plot')._transitionData._frames.length - 1 ===
  Number(document.querySelector('.irviz-motion input').value)"""


def drag(page, figure: int, trace: int, point: int, x: float, y: float) -> None:
    """Press the mouse on a point, move it, let go."""
    page.locator(".js-plotly-plot").nth(figure).scroll_into_view_if_needed()
    start, end = page.evaluate(PLACES, [figure, trace, point, x, y])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] - 12)
    page.mouse.move(*end)
    page.mouse.up()


def drag_by_finger(page, figure: int, trace: int, point: int, x: float, y: float) -> None:
    page.locator(".js-plotly-plot").nth(figure).scroll_into_view_if_needed()
    start, end = page.evaluate(PLACES, [figure, trace, point, x, y])
    fingers = page.context.new_cdp_session(page)
    way = [[a + (b - a) * n / 6 for a, b in zip(start, end, strict=True)] for n in range(7)]
    for n, (across, down) in enumerate(way):
        kind = "touchStart" if n == 0 else "touchMove"
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": across, "y": down}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def drawn_at(page, figure: int, trace: int, point: int, x: float, y: float) -> None:
    """Wait until a point of a figure is drawn where it was dragged to."""
    page.wait_for_function(
        """([figure, trace, point, x, y]) => {
          const from = document.querySelectorAll('.js-plotly-plot')[figure]?._fullData?.at(trace);
          return from && Math.abs(from.x[point] - x) < 0.2 && Math.abs(from.y[point] - y) < 1e-6; }""",
        arg=[figure, trace, point, x, y],
    )


def said_in(page, text: str) -> None:
    """Wait until the address says `text`."""
    page.wait_for_function("text => decodeURIComponent(location.search).includes(text)", arg=text)
    idle(page)


def test_aggregation_a_dot_is_dragged_and_nothing_zooms(page, server):
    visit(page, f"{server.url}/lab_aggregation?step=free")
    drag(page, 0, -4, 2, 2.0, 0.97)  # S3 on t3, to the nearest place
    said_in(page, "s3=0.1,0.5,0.95,0.2,0.2")
    drawn_at(page, 0, -4, 2, 2.0, 0.95)
    ends = "() => document.querySelector('.js-plotly-plot')._fullLayout.yaxis.range.join()"
    before, (_, end) = page.evaluate(ends), page.evaluate(PLACES, [0, 0, 0, 0.5, 0.5])
    page.mouse.move(*end)  # beside all dots
    page.mouse.down()
    page.mouse.move(end[0] + 60, end[1] + 60)
    page.mouse.up()
    idle(page)
    assert page.evaluate(ends) == before
    assert not page.locator('[data-testid="stException"]').count()


MEDALS = (
    "() => [...document.querySelectorAll('.js-plotly-plot .textpoint text')].map((one) => one.textContent).join('; ')"
)


def test_medals_are_redrawn_while_a_dot_is_dragged(page, server):
    """Step 3 of averaging: S2 is lifted on t1 and wins by another average before it is let go."""
    follow(page, f"{server.url}/lab_aggregation?step=3&guess=3:4")
    page.locator(".js-plotly-plot .textpoint text").first.wait_for()
    before = page.evaluate(MEDALS)
    assert "AM: S1" in before
    start, end = page.evaluate(PLACES, [0, 1, 0, 0, 1.0])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] - 12)
    page.mouse.move(*end)
    page.wait_for_function(f"before => ({MEDALS})() !== before && ({MEDALS})().includes('AM: S2')", arg=before)
    assert "s2=" not in page.url, "it is still held"
    page.mouse.up()
    said_in(page, "s2=1,0.4,0.2,0.4,0.3")


def test_aggregation_a_topic_is_left_out_and_put_back_by_clicks(page, server):
    follow(page, f"{server.url}/lab_aggregation?step=2&guess=2:s2")
    page.locator(".irviz-motion input").wait_for()
    page.wait_for_function(GROWN)
    for said in ("out=none", "out=t4", "out=none"):
        idle(page)
        (dot, _) = page.evaluate(PLACES, [0, 0, 12, 0, 0.8])  # S1 on t4
        page.mouse.click(*dot)
        said_in(page, said)


HEADINGS = "plot => plot._fullData.flatMap((one) => [...(one.text ?? [])]).join()"


def test_aspects_a_label_is_dragged_along_its_axis(page, server):
    follow(page, f"{server.url}/lab_aspects?step=3&guess=3:chebyshev")
    page.locator(".irviz-motion input").wait_for()
    page.wait_for_function(GROWN)
    idle(page)
    start, end = page.evaluate(PLACES, [0, -1, 0, 0, 0.5])  # partially correct, from 1.5
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] + 12)
    held = page.locator(".js-plotly-plot").evaluate(HEADINGS)
    page.mouse.move(start[0], end[1])
    page.wait_for_function(f"held => ({HEADINGS})(document.querySelector('.js-plotly-plot')) !== held", arg=held)
    assert "scale=own" not in page.url, "the classes are those of its place while it is held"
    page.mouse.up()
    said_in(page, "scale=own&c1=0.5&c2=2.5")


def test_a_finger_drags_a_dot_and_the_page_stays(person, server):
    with person(390, 844, touched=True, known=True) as page:
        visit(page, f"{server.url}/lab_aggregation?step=free")
        page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
        before = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
        drag_by_finger(page, 0, 0, 0, 0.0, 0.9)  # S1 on t1
        said_in(page, "s1=0.9,0.1,0.3,0.8,0.1")
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == before


def test_aspects_a_document_is_dragged_to_other_labels(page, server):
    visit(page, f"{server.url}/lab_aspects?step=free")
    drag(page, 0, -1, 0, 2, 2.5)  # d3 becomes fairly relevant and correct
    said_in(page, "relevance=1,2,2&correctness=2,1,2")
    drawn_at(page, 0, -1, 0, 2, 2.5)


def test_browsing_a_changed_grade_moves_the_area_and_mistakes_in_typed_ones_are_told(page, server):
    assert "is 0.38:" in visit(page, f"{server.url}/lab_browsing?step=free")
    click_point(page, 0, 0)
    await_sentence(page, "is 0.455:")
    assert page.locator(".js-plotly-plot").evaluate(
        "plot => { const { x, y } = plot._fullData.at(-2);"
        "  return x.reduce((sum, at, i) => i ? sum + (at - x[i - 1]) * (y[i] + y[i - 1]) / 2 : 0, 0); }"
    ) == pytest.approx(0.4549, abs=0.01), "the score is the area that is drawn, of a hundred readers"
    click_point(page, 0, 0)
    await_sentence(page, "is 0.231:")
    assert "grades=0,0,3,1" in page.url.replace("%2C", ",")
    page.get_by_text("More choices").click()
    box = page.get_by_role("textbox", name="Grades of the ranking")
    box.fill("3 3 3")
    box.press("Enter")
    await_sentence(page, "RBP(p=0.8) · ERG is 0.547:")
    box.fill("3,7")
    box.press("Enter")
    page.get_by_text("the grade 7 does not lie between 0 and 3. It stays as it was.").wait_for()


def test_a_document_is_changed_and_a_dot_is_moved_by_keys(page, server):
    """The figure has the focus, also after it was drawn anew."""
    visit(page, f"{server.url}/lab_browsing?step=free")
    page.locator(".js-plotly-plot[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter", "Enter"):
        page.keyboard.press(key)
    said_in(page, "grades=2,0,0,1")
    page.wait_for_function("() => document.activeElement._fullData?.[0].text[2] === '0'")
    for key in ("Enter", "Enter"):
        page.keyboard.press(key)
    said_in(page, "grades=2,0,1,1")
    visit(page, f"{server.url}/lab_aspects?step=free")
    page.locator(".js-plotly-plot[tabindex='0']").focus()
    for key in ("ArrowRight", "Enter", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    said_in(page, "relevance=1,3,3&correctness=2,2,0")


def test_browsing_a_document_is_dragged_onto_the_one_it_changes_places_with(page, server):
    follow(page, f"{server.url}/lab_browsing?step=4&guess=4:c")
    page.wait_for_selector(".js-plotly-plot .main-svg .trace", state="attached")
    idle(page)
    drag(page, 0, -1, 5, 10, 0)
    said_in(page, "one=6&other=10")
    page.get_by_text("its readers see neither document").wait_for()


def test_conventions_a_sign_between_two_documents_ties_them(page, server):
    visit(page, f"{server.url}/lab_conventions?step=free")
    click_point(page, 0, 10)  # after eight documents and two that were missed
    said_in(page, "list=(0,u,2,1),0,(1,u),0")


@pytest.mark.parametrize(("place", "point"), [("lab_conventions?step=4&guess=4:c", 8)])
def test_a_click_on_a_document_that_stays_changes_nothing(page, server, place, point):
    """Plotly would fade all other documents until something else is clicked."""
    follow(page, f"{server.url}/{place}")
    page.wait_for_selector(".js-plotly-plot .main-svg .trace", state="attached")
    idle(page)
    documents = "plot => plot._fullData.findLast((trace) => trace.customdata?.some(([text]) => text === null))"
    plot = page.locator(".js-plotly-plot").first
    x, y = plot.evaluate(f"""plot => {{
      const from = ({documents})(plot), box = plot.getBoundingClientRect();
      const [x, y] = ["x", "y"].map((one) => plot._fullLayout[`${{one}}axis${{from[`${{one}}axis`].slice(1)}}`]);
      return [box.x + x._offset + x.l2p(from.x[{point}]), box.y + y._offset + y.l2p(from.y[{point}])]; }}""")
    page.mouse.click(x, y)
    page.wait_for_timeout(500)
    assert plot.evaluate("plot => plot._fullData.every((trace) => trace.selectedpoints === undefined)")
