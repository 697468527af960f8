"""Labs on one screen in a real browser: numbers and documents by mouse and keys, goals, three sizes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviz.labs import aspects, browsing
from irviz.labs.graded_ap import scores
from irviz.menu import LABS, page_named
from tests.app.browser.rest import PLACES, drag, follow, idle, said_in

pytestmark = pytest.mark.browser


@pytest.fixture
def page(person) -> Iterator:
    with person(1440, 900) as page:
        page.emulate_media(reduced_motion="reduce")
        yield page


def opened(page, url: str) -> None:
    follow(page, url)
    page.wait_for_selector(".js-plotly-plot .main-svg .trace", state="attached")
    page.locator(".irviz-goal").first.wait_for()
    idle(page)


def said(page, name: str) -> str:
    return page.locator(f'[data-said="{name}"]').first.inner_text()


def met(page) -> list[str]:
    return page.evaluate("() => [...document.querySelectorAll('.irviz-goal')].map((one) => one.dataset.met)")


def test_a_number_is_dragged_without_the_server_and_the_link_follows(page, server):
    opened(page, f"{server.url}/lab_graded_ap")
    box = page.locator('[data-name="top"]').bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 800, box["y"] + 10, steps=4)
    gap, egap = scores((1,) * 200 + (1, 1, 0, 2), 1)
    for score in (gap, egap):
        page.locator(".textpoint text", has_text=f"{score:.3f}").wait_for()
    assert met(page) == ["0", "1", "0"] and "top=" not in page.url, "it is still held"
    assert page.locator('.irviz-goal[data-reached="1"]').count() == 0, "nor is a goal reached in passing"
    number = page.locator(".textpoint text", has_text=f"{gap:.3f}")
    painted = float(number.get_attribute("y"))
    page.mouse.up()
    said_in(page, "top=200")
    drawn = float(number.get_attribute("y"))
    assert drawn == pytest.approx(painted, abs=1), "the server draws what was painted"
    page.locator('[data-name="top"]').press("Home")
    page.wait_for_function("() => !location.search.includes('top=')")
    idle(page)
    assert met(page)[1] == "0"
    page.locator('.irviz-goal[data-reached="1"]').wait_for()  # it is remembered
    for name in ("users", "users", "top"):  # more quickly than the server is told
        page.locator(f'[data-name="{name}"]').press("ArrowRight")
    said_in(page, "users=3")
    said_in(page, "top=1")
    why = page.locator(".irviz-why").nth(1)
    page.locator(".irviz-why", has_text=f"{gap:.3f}").wait_for()  # what showed it stays, whatever is drawn anew
    page.get_by_role("button", name="Reset figure").click()
    page.wait_for_function("() => !/users=|top=/.test(location.search)")
    idle(page)
    assert page.locator('.irviz-goal[data-reached="1"]').count() == 1 and f"{gap:.3f}" in why.text_content()


UNSEEN = """() => {
  window.unseen = 0;
  const look = () => {
    const wide = document.querySelector(".st-key-screen-figure").clientWidth;
    const all = [...document.querySelectorAll(".st-key-screen-figure .main-svg")];
    const seen = all.filter((one) => one.checkVisibility({ opacityProperty: true }));
    window.unseen += !seen.some((one) => Math.abs(one.clientWidth - wide) < 3);
    requestAnimationFrame(look);
  };
  look(); }"""


def test_a_choice_right_after_a_number_is_kept_and_a_figure_is_always_seen_that_agrees(page, server):
    opened(page, f"{server.url}/lab_browsing")
    page.evaluate(UNSEEN)
    for stay, takes in ((75, "fin"), (70, "ERG"), (65, "max")):
        page.locator('[data-name="stay"]').press("ArrowLeft")
        page.locator('.irviz-screen [data-name="takes"]').select_option(takes)
        page.wait_for_function(
            """takes => {
              const said = document.querySelector(".irviz-screen"), plot = document.querySelector(".js-plotly-plot");
              const state = plot?.layout?.meta?.state;
              return said.dataset.state === state && JSON.parse(state).takes === takes; }""",
            arg=takes,
        )
        idle(page)
        score = browsing.walk(browsing.FIRST, "RBP", stay, takes).score
        assert page.locator(".textpoint text", has_text=f"{score:.3f}").count() == 1
    said_in(page, "stay=65")
    assert page.evaluate("() => window.unseen") == 0


def test_documents_and_users_lead_to_the_first_goal(page, server):
    opened(page, f"{server.url}/lab_graded_ap?v=8&users=4")
    drag(page, 0, -2, 3, 1, 0)
    said_in(page, "grades=2,1,1,0")
    page.locator(".js-plotly-plot[tabindex='0']").focus()
    tick = "() => getComputedStyle(document.querySelector('.irviz-goal'), '::before').content[1]"
    words = "() => [...document.querySelectorAll('[data-said]')].map((one) => one.textContent)"
    dots = "() => document.querySelector('.js-plotly-plot').data.map(({ x, y, text }) => [x, y, text])"
    before = page.evaluate(words), page.evaluate(dots)
    for far, end, then in ((4, "Escape", "○"), (0, "Enter", "✓")):
        for key in (*["ArrowRight"] * far, "Enter", "ArrowLeft", "ArrowLeft"):
            page.keyboard.press(key)
        assert met(page)[0] == "1" and page.evaluate(tick) == "○", "while it is lifted"
        page.keyboard.press(end)
        assert page.evaluate(tick) == then
        assert ((page.evaluate(words), page.evaluate(dots)) == before) == (end == "Escape")
    said_in(page, "grades=2,0,1,1")
    assert met(page) == ["1", "0", "0"]


def test_a_guess_is_under_the_pointer_with_its_value_until_it_is_let_go(page, server):
    opened(page, f"{server.url}/lab_aggregation")
    trace = "document.querySelector('.js-plotly-plot')._fullData.at(-1)"
    mark = f"() => {{ const {{ x, y, text }} = {trace}; return [x[0], y[0], text[0]]; }}"
    lab = page_named("lab_aggregation")
    guess = lab.mark
    at = guess.place({**{control.name: control.default for control in lab.controls}, "guess": "S2"})
    start, end = page.evaluate(PLACES, [0, -1, 0, *at])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    assert page.evaluate(mark) == [*at, f"{guess.word} S2"]
    page.mouse.up()
    assert page.evaluate(mark) == [*at, "you"]


def test_a_guess_is_dragged_once_and_answered_before_the_server_is(page, server):
    opened(page, f"{server.url}/lab_aggregation")
    drag(page, 0, -1, 0, 3.17, 1.41)
    answer = page.locator(".irviz-guess output")
    then = answer.inner_text()
    assert "S4. Yes: " in then and said(page, "winner") == "S4"
    said_in(page, "average=-1")
    drag(page, 0, -1, 0, 1.17, 1.41)
    assert answer.inner_text() == then and "guess=S4&" in f"{page.url}&"
    drag(page, 0, -2, 5, 0.68, 0.5)
    said_in(page, "s2=0.5,")
    idle(page)
    assert answer.inner_text() == then, "the guess was about the scores of before"
    page.locator('[data-name="average"]').press("ArrowLeft")
    page.wait_for_function("() => !location.search.includes('average=-1&')")
    idle(page)
    marks = "() => [...document.querySelector('.js-plotly-plot')._fullData.at(-1).y]"
    assert answer.inner_text() == then and page.evaluate(marks) == [None]


def test_a_press_right_after_a_drag_keeps_what_was_dragged_and_shows_it(page, server):
    opened(page, f"{server.url}/lab_aspects")
    row = "() => [...document.querySelector('.js-plotly-plot')._fullData.at(-2).y].at(0)"
    for step, column, rule in ((0.75, 13, "chebyshev"), (2.0, 12, "euclidean")):
        there = aspects.TOP - 1.5 - step
        drag(page, 0, -2, 0, aspects.ACROSS[0], there)
        page.mouse.click(*page.evaluate(PLACES, [0, -2, column, 0, 0])[0])
        assert page.evaluate(row) == pytest.approx(there)
        assert page.locator('[data-name="c1"]').inner_text() == f"{step:g}"
        said_in(page, f"bend={rule}")
        assert f"c1={step:g}&" in f"{page.url}&" and page.evaluate(row) == pytest.approx(there)


def test_a_number_has_a_ring_for_keys_alone(person, server):
    with person(390, 844, touched=True) as page:
        opened(page, f"{server.url}/lab_aggregation")
        box = page.locator('[data-name="average"]').bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
        said_in(page, "average=0.95")
        idle(page)
        number = page.locator('[data-name="average"]:focus')
        assert number.evaluate("(one) => getComputedStyle(one).outlineStyle") == "none"
        number.press("ArrowRight")
        assert number.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"


def test_a_goal_opens_by_a_tap_on_how_far_one_is_and_stays_open(person, server):
    with person(390, 844, touched=True) as page:
        opened(page, f"{server.url}/lab_aggregation")
        box = page.locator('[data-said="goal2"]').bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator(".irviz-goal details[open]").wait_for()
        page.locator('[data-name="average"]').press("ArrowRight")
        said_in(page, "average=")
        assert page.locator(".irviz-goal details[open]").count() == 1


def test_a_square_of_the_strip_chooses_an_average(page, server):
    opened(page, f"{server.url}/lab_aggregation")
    page.mouse.click(*page.evaluate(PLACES, [0, -4, 0, 20, 2])[1])
    said_in(page, "average=0")
    assert met(page) == ["1", "0", "0"]


def test_an_end_that_is_kept_pressed_goes_on_without_the_mark_of_a_guess_about_another_setting(page, server):
    opened(page, f"{server.url}/lab_scales?guess=A&compared=AB")
    number = page.locator('[data-name="p"]')
    box, start = number.bounding_box(), int(number.get_attribute("aria-valuenow"))
    page.mouse.move(box["x"] + 8, box["y"] + 12)
    page.mouse.down()
    page.wait_for_function(
        "last => Number(document.querySelector('[data-name=p]').ariaValueNow) <= last", arg=start - 3
    )
    assert page.locator(".scatterlayer .points path").last.bounding_box()["x"] < 0
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('p=')")


def test_a_measure_and_a_length_are_chosen(page, server):
    opened(page, f"{server.url}/lab_scales")
    page.locator(".irviz-screen select").select_option("ERR")
    said_in(page, "measure=ERR")
    page.locator('[data-name="length"]').press("ArrowRight")
    said_in(page, "length=5")
    assert met(page) == ["0", "1", "0"]


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1440, 900, "light"), (1024, 768, "dark"), (390, 844, "light")]
)
def test_the_figure_has_most_of_the_height_and_its_number_is_large(person, server, width, height, scheme):
    with person(width, height, known=True, scheme=scheme) as page:
        for lab in LABS:
            opened(page, f"{server.url}/{lab.name}")
            plot = page.locator(".js-plotly-plot").bounding_box()
            assert plot["height"] >= 0.6 * height and plot["y"] + plot["height"] <= height
            texts = page.locator(".textpoint text").all()
            assert max(float(one.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) for one in texts) >= 28
            assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")
