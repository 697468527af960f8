"""A lab's steps in a real browser: predict, read what is revealed, go on; a challenge solved.

The steps of the other labs are taken without a browser (`tests/app/test_exercise.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviz.labs.step import Question
from irviz.menu import page_named
from tests.app.browser.rest import follow, idle
from tests.panels import STEPPED
from tests.unit.labs.test_steps_of_labs import asked, guesses

pytestmark = pytest.mark.browser
WAIT = 90_000


@pytest.fixture
def page(person) -> Iterator:
    """Of someone who wants less motion, but where a test is of it."""
    with person(1280, 800, known=True) as page:
        page.emulate_media(reduced_motion="reduce")
        yield page


def predict(page, question: Question) -> None:
    """Answer with what irviz computes, by the widgets of the question."""
    form = page.locator('[data-testid="stForm"]')
    form.wait_for(timeout=WAIT)
    if question.asks_order:
        for key in reversed(question.right_guess.split(",")):  # each to the left, the best one last
            card = form.get_by_role("button", name=question.options[key], exact=True)
            card.focus()
            for _ in question.options:
                card.press("ArrowLeft")
    elif question.options:
        form.get_by_text(question.words(question.right_guess), exact=True).click()
    else:
        form.get_by_role("textbox").fill(question.right_guess)
    form.get_by_role("button", name="Predict").click()
    page.get_by_text("Your prediction").wait_for(timeout=WAIT)
    idle(page)


def test_an_order_and_a_number_are_predicted_and_the_last_step_leads_to_all_of_a_lab(page, server):
    lab = page_named("lab_aspects")
    last = len(lab.steps)
    for n in (2, last - 1, last):
        if n != last:  # which the step before leads to
            follow(page, f"{server.url}/{lab.name}?step={n}")
        page.get_by_text(f"Step {n} of {last}").wait_for(timeout=WAIT)
        idle(page)
        predict(page, asked(lab, step=str(n)))
        assert page.locator(".js-plotly-plot").count() == 1
        assert f"{n}:" in page.url.replace("%3A", ":")
        page.locator(".st-key-lesson-on button").click()
        idle(page)
    page.get_by_text("Why, and more").wait_for(timeout=WAIT)
    assert "step=free" in page.url and not page.locator('[data-testid="stException"]').count()


def test_back_shows_what_was_predicted_and_a_reload_keeps_it(page, server):
    follow(page, f"{server.url}/lab_browsing?step=2&guess=1:92")
    page.get_by_role("button", name="← Back").click()
    page.get_by_text("Your prediction").first.wait_for(timeout=WAIT)
    idle(page)
    page.reload()
    page.get_by_text("Your prediction").wait_for(timeout=WAIT)


def test_a_challenge_is_solved_by_clicks_and_says_so(page, server):
    follow(page, f"{server.url}/lab_conventions?step=free")
    page.get_by_role("button", name="Challenges").or_(page.get_by_role("radio", name="Challenges")).first.click()
    page.get_by_text("Challenge 1 of 3").wait_for(timeout=WAIT)
    check = page.locator(".st-key-lesson-goal")
    check.get_by_text("The second tool's number should be 0.8095: now 0.2429").wait_for(timeout=WAIT)
    for label, option in (("Second tool", "trec_eval"), ("AP is divided by", "relevant documents retrieved")):
        page.get_by_role("combobox", name=label).click()
        page.get_by_role("option", name=option, exact=True).click()
        idle(page)
    page.get_by_text("Done: the goal is reached.").wait_for(timeout=WAIT)
    check.get_by_text("The second tool's number should be 0.8095: now 0.8095 ✓").wait_for(timeout=WAIT)
    page.wait_for_function("() => document.querySelector('.irviz-solved').dataset.done === 'Solved: ✓ ○ ○'")


def test_the_goal_of_a_challenge_stays_in_sight_on_a_phone(person, server):
    with person(390, 844, known=True) as page:
        follow(page, f"{server.url}/lab_browsing?step=c1")
        page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=WAIT)
        idle(page)
        page.get_by_text("Why, and more").scroll_into_view_if_needed()
        goal, control = page.locator(".st-key-lesson-goal"), page.get_by_role("slider").first
        boxes = [one.bounding_box() for one in (goal, control)]
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= 844 for box in boxes)
        assert goal.get_by_text("Documents per reader").evaluate(
            "one => { const { x, y } = one.getBoundingClientRect();"
            "  return document.elementFromPoint(x + 5, y + 5).closest('.st-key-lesson-goal') !== null; }"
        ), "nothing lies on it"


def test_a_term_shows_its_own_meaning_and_opens_no_page(page, server):
    follow(page, f"{server.url}/lab_browsing?step=2&guess=2:a")
    link = page.locator('.st-key-lesson-step a[href$="#terms"]').first
    link.focus()
    page.keyboard.press("Enter")
    page.locator("#irviz-term").filter(has_text=link.get_attribute("title")).wait_for(timeout=WAIT)
    page.keyboard.press("Escape")
    assert not page.locator("#irviz-term").is_visible() and len(page.context.pages) == 1


FITS = """height => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth &&
  [...document.querySelectorAll(
    '.js-plotly-plot, .irviz-motion, .st-key-lesson-verdict, .st-key-lesson-on, .st-key-lesson-try')]
    .map((one) => one.getBoundingClientRect()).every((box) => box.bottom <= height && box.right <= innerWidth)"""
SCREENS = ((1440, 900), (1024, 768), (390, 844))
#: predictions that are answered at length
LONGEST = {
    "lab_aggregation": [("5", "a")],
    "lab_aspects": [("2", "d3,d2,d1")],
}


@pytest.mark.parametrize("lab", STEPPED, ids=lambda lab: lab.name)
def test_every_answer_of_a_lab_fits_three_screens(page, server, lab):
    """The figure, its control, the reason, the answer and the way on are seen without scrolling, in any direction.

    With the last of the wrong predictions, before anything is tried; where the answer is long, what can be tried, too.
    Figures do not move as they come: they are looked at as they end, beside the button that plays them.
    """
    last = [(place, guesses(asked(lab, step=place))[-1]) for place in lab.places if place.isdigit()]
    longest, screens = LONGEST.get(lab.name, []), SCREENS
    for place, guess in dict.fromkeys(last + longest):
        page.emulate_media(reduced_motion="reduce")
        follow(page, f"{server.url}/{lab.name}?step={place}&guess={place}:{guess}")
        page.get_by_text("Your prediction").wait_for(timeout=WAIT)
        page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=WAIT)
        page.emulate_media(reduced_motion="no-preference")
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(FITS, arg=height, timeout=WAIT)
        screens = screens[::-1]  # the next answer begins on the screen where this one ends
        if (place, guess) in longest and page.locator(".st-key-lesson-try").count():
            assert_tried_on_a_phone(page)


def assert_tried_on_a_phone(page) -> None:
    """The controls to try hide neither the way on nor, when they are unfolded, the figure."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(FITS, arg=844, timeout=WAIT)
    tried = page.locator(".irviz-try")
    way_on = page.locator(".st-key-lesson-on").bounding_box()
    assert way_on["y"] + way_on["height"] <= tried.bounding_box()["y"]
    assert not page.locator(".st-key-lesson-try [data-testid=stWidgetLabel]").first.is_visible()
    tried.click()
    page.wait_for_function(FITS, arg=844, timeout=WAIT)
    assert page.locator(".st-key-lesson-try [data-testid=stWidgetLabel]").first.is_visible()
    figure = page.locator(".irviz-motion, .js-plotly-plot").last.bounding_box()
    assert tried.bounding_box()["y"] >= figure["y"] + figure["height"]


def test_one_press_is_one_rank_and_playing_is_paused(page, server):
    page.emulate_media(reduced_motion="no-preference")
    follow(page, f"{server.url}/lab_conventions?step=1&guess=1:0.81")
    slider = page.get_by_role("slider", name="Move the picture")
    slider.wait_for(timeout=WAIT)
    page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=WAIT)
    idle(page)
    page.wait_for_function(f"() => ({MOVING})()[3] === ({MOVING})()[0] - 1", timeout=WAIT)
    slider.focus()
    page.keyboard.press("Home")
    for rank in range(1, 5):
        page.keyboard.press("ArrowRight")
        page.get_by_text(f"rank {rank}: ").wait_for(timeout=WAIT)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("rank 3: ").wait_for(timeout=WAIT)
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for(timeout=WAIT)
    assert page.evaluate(MOVING)[3] < page.evaluate(MOVING)[0] - 1


def test_a_question_that_is_asked_again_is_about_the_start(page, server):
    follow(page, f"{server.url}/lab_aspects?step=4&guess=4:0.8&p=0.95")
    page.get_by_text("the weighted mean").first.wait_for(timeout=WAIT)
    page.get_by_role("button", name="Predict again").click()
    predict(page, asked(page_named("lab_aspects"), step="4"))
    assert "p=0.95" not in page.url and not page.get_by_text("weighted mean").count()


def test_a_refused_text_is_told_below_its_box(page, server):
    follow(page, f"{server.url}/lab_aspects?step=5&guess=5:a")
    page.get_by_text("Type the numbers").click()
    box = page.locator(".st-key-lesson-try").get_by_role("textbox").first
    box.wait_for(timeout=WAIT)
    box.fill("2,9")
    box.press("Enter")
    page.locator(".st-key-lesson-try").get_by_text("It stays as it was.").wait_for(timeout=WAIT)
    assert not page.locator('[data-testid="stAlert"]').count()


def test_by_keyboard_the_focus_goes_from_the_question_to_the_answer_and_on(page, server):
    follow(page, f"{server.url}/lab_aggregation?step=1")
    page.locator('[data-testid="stForm"]').get_by_text("S1", exact=True).click()
    page.get_by_role("button", name="Predict").press("Enter")
    page.wait_for_function("() => document.activeElement.matches('.st-key-lesson-verdict')", timeout=WAIT)
    page.locator(".st-key-lesson-on button").press("Enter")
    page.get_by_text("Step 2 of 5").wait_for(timeout=WAIT)
    page.wait_for_function("() => document.activeElement.matches('[data-testid=stForm]')", timeout=WAIT)


MOVING = """() => { const plot = document.querySelector('.js-plotly-plot'); return [plot._transitionData._frames.length,
  plot.querySelectorAll('.scatterlayer .point').length, document.querySelector('.irviz-motion output').textContent,
  Number(document.querySelector('.irviz-motion input').value)]; }"""
PLACES = """() => [...document.querySelectorAll('.scatterlayer .point')].slice(0, 150).map(
  (one) => one.getAttribute('transform')).join()"""


def test_the_revealed_figure_moves_in_the_place_of_the_questions_and_by_keys(page, server):
    """The frames play by themselves; every one is reached by the slider, and all traces stay."""
    page.emulate_media(reduced_motion="no-preference")
    follow(page, f"{server.url}/lab_browsing?step=1")
    page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=WAIT)
    idle(page)
    asked_at = page.locator(".js-plotly-plot").bounding_box()
    predict(page, asked(page_named("lab_browsing"), step="1"))
    revealed_at = page.locator(".js-plotly-plot").bounding_box()
    assert page.locator(".js-plotly-plot").count() == 1 and abs(revealed_at["y"] - asked_at["y"]) < 30
    page.get_by_text("96 have stopped, 4 would read on").wait_for(timeout=WAIT)
    page.wait_for_function(f"() => ({MOVING})()[3] === ({MOVING})()[0] - 1", timeout=WAIT)
    ended = page.evaluate(PLACES)
    slider = page.get_by_role("slider", name="Move the picture")
    slider.focus()
    page.keyboard.press("Home")
    page.get_by_text("rank 1: 38 have stopped").wait_for(timeout=WAIT)
    page.wait_for_function(f"before => ({PLACES})() !== before", arg=ended, timeout=WAIT)
    frames, points, _, at = page.evaluate(MOVING)
    assert (frames > 60, points, at) == (True, 110, 0), "a hundred readers and ten documents"
    page.keyboard.press("End")
    page.wait_for_function(f"before => ({PLACES})() === before", arg=ended, timeout=WAIT)


def test_who_wants_less_motion_gets_none_by_itself(page, server):
    follow(page, f"{server.url}/lab_browsing?step=1&guess=1:49")
    page.locator(".irviz-motion input").wait_for(timeout=WAIT)
    page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=WAIT)
    idle(page)
    page.wait_for_timeout(700)
    assert page.evaluate(MOVING)[3] == page.evaluate(MOVING)[0] - 1
    assert not page.locator(".irviz-motion button").is_visible()
    plot, menu = (page.locator(f"{kind} >> nth=0").bounding_box() for kind in (".js-plotly-plot", ".modebar"))
    assert menu["y"] + menu["height"] <= plot["y"] + plot["height"], "plotly's menu lies on its figure"
