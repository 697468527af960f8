"""A class in a real browser: a teacher makes and prints, students solve on a phone, the teacher collects."""

from __future__ import annotations

import io
import json
import re
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.app.browser.test_browser import idle, visit

pytestmark = pytest.mark.browser
NAME = "Zoë <i> is still writing"
PHONE = {"width": 390, "height": 844, "touched": True}
PLACE = """(rank) => { const plot = document.querySelector('.js-plotly-plot'), l = plot._fullLayout;
  plot.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const r = plot.getBoundingClientRect(), x = l.xaxis2 ?? l.xaxis, y = l.yaxis2 ?? l.yaxis;  // the list above the bars
  return [r.x + x._offset + x.l2p(rank), r.y + y._offset + y.l2p(0)]; }"""


def write(page, label: str, text: str) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Control+Enter" if box.evaluate("e => e.tagName") == "TEXTAREA" else "Enter")
    idle(page)


def make(page, server) -> str:
    """Share → Exercise; the link that it shows."""
    visit(page, f"{server.url}/lab_graded_ap?v=8&step=free&grades=0,1")
    page.get_by_role("button", name="Share", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_text("Exercise", exact=True).click()
    page.get_by_text("Give the exercise a title or a text.").wait_for()
    write(page, "Title of the exercise", "Fool <b>GAP</b>")
    write(page, "Task", "Bring GAP above 0.9.\nOne <img src=x onerror=alert(1)> tap is enough.")
    write(page, "A number to predict first", "How many taps?")
    write(page, "Condition", "GAP > 0.9")
    page.get_by_text("At this start: GAP above 0.9: now 0.5").wait_for()
    write(page, "Hint", "Begin at the top.")
    box = page.get_by_role("combobox", name=re.compile("Locked controls"))
    box.click()
    page.get_by_role("option", name="g₁").click()
    page.keyboard.press("Escape")
    idle(page)
    code = page.locator("code", has_text="task.lock=g1")
    code.wait_for()
    return code.inner_text().strip()


def tap(page, rank: int) -> None:
    page.touchscreen.tap(*page.evaluate(PLACE, rank))
    idle(page)


def hand_in(page, prediction: str, words: str) -> bytes:
    """Predict, answer, download."""
    box = page.get_by_role("spinbutton", name=re.compile("How many taps"))
    box.fill(prediction)
    box.press("Enter")
    idle(page)
    page.get_by_text("Hand in", exact=True).click()
    write(page, "Your answer in words", words)
    idle(page, 300)  # the button leads to a file of the last run
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download answer").click()
    assert waiting.value.suggested_filename == "answer.json"
    return waiting.value.path().read_bytes()


def sheet_of(teacher, folder: Path) -> Path:
    """Share → Exercise → Sheet to print; its key is another file."""
    teacher.get_by_text("Sheet to print").click()
    write(teacher, "Solution, for the key only", "Tap the first document.")
    idle(teacher, 300)
    with teacher.expect_download() as waiting:
        teacher.get_by_role("button", name="Sheet (HTML)").click()
    sheet = folder / "exercise.html"
    sheet.write_bytes(waiting.value.path().read_bytes())
    return sheet


def assert_printed(browser, sheet: Path, link: str) -> None:
    """It prints on one page, and its code opens the exercise."""
    with closing(browser.new_context(device_scale_factor=4)) as context:
        page = context.new_page()
        page.goto(sheet.as_uri())
        page.locator(".main-svg").first.wait_for(timeout=60_000)
        code = Image.open(io.BytesIO(page.locator(".open svg").screenshot())).convert("L")
        assert [one.text for one in zxingcpp.read_barcodes(np.asarray(code))] == [link]
        printed = page.pdf(prefer_css_page_size=True)
        pages = len(re.findall(rb"/Type\s*/Page\b", printed))
        assert pages <= 2
        assert re.findall(rb"/MediaBox \[0 0 (\d+)\.\d+ (\d+)", printed) == [(b"594", b"841")] * pages  # A4, in points


def test_a_teacher_makes_students_solve_on_a_phone_and_the_teacher_collects(person, browser, server, tmp_path):
    with person(1440, 900) as teacher:
        link = make(teacher, server)
        assert_printed(browser, sheet_of(teacher, tmp_path), link)
        with person(**PHONE) as student:
            visit(student, link)
            for words in ("Exercise: Fool <b>GAP</b>", "One <img src=x onerror=alert(1)> tap is enough."):
                student.get_by_text(words).wait_for()
            assert student.get_by_role("slider", name="g₁").is_disabled()
            assert student.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
            student.get_by_text("GAP above 0.9: now 0.5").wait_for()
            tap(student, 1)
            student.get_by_text("Solved: GAP above 0.9: now 1 ✓").wait_for()
            student.reload()  # which keeps the exercise and what was done
            student.get_by_text("Solved: GAP above 0.9: now 1 ✓").wait_for()
            idle(student)
            answers = {"a": hand_in(student, "1", "Words of a")}
        content = json.loads(answers["a"])
        assert content["prediction"] == 1 and content["text"] == "Words of a"
        assert content["view"]["values"]["grades"] == "1,1"
        content["view"]["values"]["grades"] = "0,1"  # as it begins, of somebody who has not tapped
        answers["b"] = json.dumps({**content, "prediction": 3, "text": "Words of b"}).encode()

        teacher.get_by_role("button", name="Collect answers").click()
        teacher.get_by_role("heading", name="Answers").wait_for()
        files = [
            {"name": f"{name}.json", "mimeType": "application/json", "buffer": data} for name, data in answers.items()
        ]
        files.append({"name": "bad.json", "mimeType": "application/json", "buffer": b"[" * 9_000})
        teacher.locator('input[type="file"]').set_input_files(files)
        teacher.get_by_text("2 answers; 1 meets the condition").wait_for()
        teacher.get_by_text("bad.json: it is not JSON in UTF-8.").wait_for()
        idle(teacher)
        assert teacher.locator(".js-plotly-plot").evaluate("plot => [plot.data[0].x, plot._fullData[0].y]") == [
            [1, 3],
            [1, 1],
        ]
        with teacher.expect_download() as waiting:
            teacher.get_by_role("button", name="CSV", exact=True).click()
        table = waiting.value.path().read_text().splitlines()
        assert len(table) == 3 and "Words of b" in table[2] and table[0].startswith("file,name,met,reads")


def test_what_a_student_wrote_survives_a_reload_and_goes_into_no_link_but_their_own(person, server):
    hostile = "Because <b>d1</b>\nis $x$ & more."
    words = hostile + "語" * (2000 - len(hostile))  # as long as an answer may be
    link = f"{server.url}/lab_graded_ap?v=8&step=free&task=Fool&task.ask=How%20many%20taps%3F"
    with person(**PHONE) as page:
        visit(page, link)
        page.get_by_text("Hand in", exact=True).click()
        write(page, "Your answer in words", words)
        box = page.get_by_role("spinbutton", name=re.compile("How many taps"))
        box.fill("0.25")
        box.press("Enter")
        page.wait_for_url(re.compile("task.said=0.25"))
        page.get_by_label("Your name, if the file should contain it").click()
        for typed, last in (
            ("Zoë <i> is", "[+]is"),
            (" still writing", "still[+]writing"),
        ):  # kept before the box is left
            page.keyboard.type(typed)
            page.wait_for_url(re.compile(last))
        page.reload()
        page.get_by_label("Your answer in words").wait_for()
        idle(page)
        assert page.get_by_label("Your answer in words").input_value() == words
        assert page.get_by_label("Your name, if the file should contain it").input_value() == NAME
        expect(page.get_by_role("spinbutton", name=re.compile("How many taps"))).to_have_value("0.25")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download answer").click()
        content = json.loads(waiting.value.path().read_text())
        assert (content["prediction"], content["text"], content["name"]) == (0.25, words, NAME)
        assert content["view"]["values"] == {"step": "free", "task": "Fool", "task.ask": "How many taps?"}
        page.get_by_role("button", name="Share", exact=True).focus()
        page.keyboard.press("Enter")
        page.locator("code", has_text="task=Fool").wait_for()
        assert "task.said" not in page.locator("code", has_text="task=Fool").inner_text()
