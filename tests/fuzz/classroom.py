"""Exercises in links, what students write beside them, and ``answer.json`` as strangers make them."""

from __future__ import annotations

import json
import random
from functools import cache

from irviz.errors import LONGEST_MESSAGE
from irviz.menu import LABS, PAGES, page_named
from irviz.publish.answers import Answer, ClassAnswers, collect, read_answer, write_answer
from irviz.publish.exercise import check_goal, code_of, exercise_view, lockable, read_exercise, readings_of, settle_page
from irviz.workspace.data import scopes
from irviz.workspace.page import Page
from irviz.workspace.task import ATTEMPT_TEXTS, PARTS, Attempt, Exercise, without_task
from irviz.workspace.view import View
from tests.fuzz.engine import target
from tests.fuzz.files import json_changed
from tests.fuzz.mutate import bytes_changed
from tests.fuzz.pages import TEXTS
from tests.fuzz.words import NUMBERS, text_changed

OPERATORS = (">", ">=", "<", "<=", "=", "!=", "≥", "", "> >", "==")
MARKUP = (
    "<b>x</b>",
    "![i](http://127.0.0.1:9/x.png)",
    "$\\alpha$",
    ":red[z]",
    "a\u202eb",
    "’" * 50,
    "=cmd()",
    "\n\n",
    "语",
)


def any_text(r: random.Random) -> str:
    return "".join(r.choice((*TEXTS, *MARKUP)) for _ in range(r.choice((1, 1, 1, 2, 40))))


@cache
def _readings(page: str) -> list[str]:
    found = page_named(page)
    return list(readings_of(found, settle_page(found, {"step": "free"})[0]))


def condition(page: Page, r: random.Random) -> str:
    """Texts a teacher may type as a condition on this page."""
    names = (*(_readings(page.name) if page.lab else ()), any_text(r))
    parts = [
        f"{r.choice(names)} {r.choice(OPERATORS)} {r.choice((*NUMBERS, *names))}" for _ in range(r.choice((1, 1, 3)))
    ]
    return r.choice(("; ", ";", " ", ";;")).join(parts)


def exercise(page: Page, r: random.Random) -> Exercise:
    """An exercise with a part or two of any kind."""
    known = [control.name for control in lockable(page)]
    lock = tuple(r.choice((*known, any_text(r))) for _ in range(r.choice((0, 1, 3)))) if known else ()
    title, text, ask, hint = (any_text(r) if r.random() < 0.5 else "T" for _ in range(4))
    return Exercise(title, text, ask, condition(page, r) if r.random() < 0.7 else "", lock, hint)


def _view(page: Page, r: random.Random) -> View:
    """A view of the page with a few texts of any kind."""
    keys = [control.name for control in page.controls] + [part.name for part in (*PARTS, *ATTEMPT_TEXTS)]
    texts = {key: r.choice((*TEXTS, *MARKUP)) for key in r.sample(keys, min(len(keys), r.choice((0, 1, 3))))}
    return View(page.name, tuple(texts.items()))


@target
def exercise_links(r: random.Random) -> None:
    """A link is read, written and read again as the same exercise, and its condition never raises."""
    page = r.choice(PAGES)
    url = exercise_view(page, _view(page, r), exercise(page, r)).to_url()
    view, _ = View.read_url(text_changed(url, r) if r.random() < 0.5 else url)
    page = page_named(view.page)
    _, own, _ = scopes(page, view.values)
    attempt, complaints = Attempt.read(own)
    assert (
        Attempt.read(attempt.texts()) == (attempt, [])
        and not attempt.texts().keys() & without_task(own, ATTEMPT_TEXTS).keys()
    )
    assert all(len(str(one)) <= LONGEST_MESSAGE for one in complaints)
    found, _ = read_exercise(page, view)
    again = View.from_url(exercise_view(page, view, found).to_url())
    assert read_exercise(page, again)[0] == found
    if page in LABS:
        values, _ = settle_page(page, own)
        words, _ = check_goal(found.goal, readings_of(page, values))
        assert words or not found.goal.strip()
    code_of(f"http://a{again.to_url()}")


@cache
def _asked() -> tuple[str, View]:
    page = page_named("lab_graded_ap")
    start = exercise_view(page, View(page.name), Exercise("T", "Do.", "How large?", "GAP > 0.5", ("c",)))
    return start.to_url(), start


@target
def answer_files(r: random.Random) -> None:
    """Answers that are read are written as what reads as the same; whatever else is there is refused by name."""
    link, start = _asked()
    page = page_named(start.page)
    moved = {**start.values, **(_view(page, r).values if r.random() < 0.7 else {})}
    said = r.choice((None, 0.0, -0.0, 1e15, 0.5, 1e-320))
    data = write_answer(Answer(View(page.name, tuple(moved.items())), said, any_text(r)[:4_000], any_text(r)[:120]))
    if r.random() < 0.6:
        data = json.dumps(json_changed(json.loads(data), r)).encode("utf-8", "surrogatepass")
    if r.random() < 0.3:
        data = bytes_changed(data, r)
    name = r.choice(("a.json", "<b>.json", "x" * 300, "\u202e.json", ""))
    _consistent(collect(link, [(name, data), ("good.json", write_answer(Answer(start, 0.25, "Yes.", "B")))]))
    answer = read_answer(name, data)
    assert read_answer(name, write_answer(answer)) == answer


def _consistent(found: ClassAnswers) -> None:
    """The good answer counts, the other counts or is refused, and what is shown can be shown."""
    assert 1 <= len(found.answers) <= 2 and len(found.answers) + len(found.refusals) == 2
    assert all(why.strip() and len(why) <= LONGEST_MESSAGE for why in found.refusals)
    frame = found.frame()
    assert len(frame) == len(found.answers) and found.sentence
    frame.to_csv(index=False).encode()
    for question in found.questions():
        drawn = found.prediction_drawing(question)
        assert drawn.alt and drawn.title
        drawn.figure.to_json().encode()
