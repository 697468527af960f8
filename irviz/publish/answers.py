"""The answers of a class: irviz computes from each answer's view whether it meets the exercise's condition."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.errors import IrvizError, join_words, number_of, verb
from irviz.figures.axes import axis, chart, line_at, padded_range
from irviz.figures.theme import BLUE, GREEN, bar, plotly_escape, scatter, short
from irviz.labs.lab import QUIZ, Lab
from irviz.labs.step import Question
from irviz.menu import page_named
from irviz.publish.exercise import check_goal, read_exercise, readings_of, settle_page
from irviz.workspace.control import excerpt
from irviz.workspace.data import scopes
from irviz.workspace.page import Page
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number, quote_names
from irviz.workspace.task import FARTHEST, Exercise, without_task
from irviz.workspace.view import View

# -- ``answer.json``: what a student hands in, written and read; nothing of it is believed but its texts
#
# It holds the last view, the prediction, a few words, and a name where one was given.
# Whether the condition is met is not in it: that is computed from the view.

_KIND, _VERSION = "answer", 1
LARGEST_ANSWER = 64 * 1024  #: bytes of a file
_LONGEST = {"name": 120, "text": 4_000}  #: characters


@dataclass(frozen=True)
class Answer:
    """One student's answer.

    Attributes
    ----------
    view : View
        Where they ended.
    prediction : float or None
        What they answered to the exercise's question before they moved anything.
    text, name : str
    """

    view: View
    prediction: float | None = None
    text: str = ""
    name: str = ""

    @property
    def seed(self) -> str:
        """The seed of a quiz or of drawn numbers, where the view names one."""
        return self.view.values.get("seed", "")

    @property
    def predictions(self) -> dict[str, str]:
        """The predictions: for the exercise's question, and at each step of the lab.

        >>> Answer(View.from_texts("lab_scales", guess="1:b/2:0.8"), prediction=0.5).predictions
        {'exercise': '0.5', 'step 1': 'b', 'step 2': '0.8'}
        """
        by_question = {} if self.prediction is None else {"exercise": f"{self.prediction:g}"}
        parts = (part.partition(":") for part in self.view.values.get("guess", "").split("/"))
        return by_question | {f"step {step}": guess for step, colon, guess in parts if colon and step and guess}


def write_answer(answer: Answer) -> bytes:
    """The file to download."""
    content = {
        "irviz": _KIND,
        "version": _VERSION,
        "name": answer.name[: _LONGEST["name"]],
        "text": answer.text[: _LONGEST["text"]],
        "prediction": answer.prediction,
        "predictions": answer.predictions,
        "seed": answer.seed,
        "view": json.loads(answer.view.to_json()),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def answer_file(name: str) -> str:
    """The name of a student's file.

    >>> answer_file("Zoë <i> Li"), answer_file("")
    ('answer-Zoë-i-Li.json', 'answer.json')
    """
    words = "-".join(re.findall(r"\w+", name))[:60]
    return f"answer-{words}.json" if words else "answer.json"


def read_answer(file: str, data: bytes) -> Answer:
    """Read the answer in a file; an :class:`IrvizError` names a file without one."""
    try:
        return _answer(data)
    except IrvizError as error:
        raise IrvizError(f"`{excerpt(file)}`: {error}") from error


def _answer(data: bytes) -> Answer:
    if len(data) > LARGEST_ANSWER:
        raise IrvizError(f"it has {len(data):,} bytes; an answer has at most {LARGEST_ANSWER:,}.")
    try:
        read = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise IrvizError("it is not JSON in UTF-8. Use the file from *Download answer*.") from error
    if not isinstance(read, dict) or read.get("irviz") != _KIND:
        raise IrvizError("it is not an answer of irviz. Use the file from *Download answer*.")
    if read.get("version") != _VERSION or isinstance(read.get("version"), bool):
        raise IrvizError(
            f"it is an answer of version {excerpt(str(read.get('version')), 20)}; this irviz reads {_VERSION}."
        )
    view = View.from_json(json.dumps(read.get("view")))
    return Answer(view, _prediction(read.get("prediction")), _text(read, "text"), _text(read, "name"))


def _no_number(word: str) -> float:
    raise ValueError(word)


def _prediction(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise IrvizError(f"its prediction, {excerpt(str(value), 20)}, is not a number.")
    if not abs(value) <= FARTHEST:
        raise IrvizError("its prediction is beyond ±1e15.")
    return float(value)


def _text(read: dict[str, Any], name: str) -> str:
    text = read.get(name, "")
    if not isinstance(text, str):
        raise IrvizError(f"its {name} is not text.")
    if len(text) > _LONGEST[name]:
        raise IrvizError(f"its {name} has {len(text):,} characters; at most {_LONGEST[name]:,} are read.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise IrvizError(f"its {name} contains halves of characters, which are not valid text.") from error
    return text


# --------------------------------------------------------------------------------------------------

MOST_FILES = 300  #: files of a class
LONGEST_LABEL = 20  #: signs of a prediction that is a word


@dataclass(frozen=True)
class MarkedAnswer:
    """One answer, and what irviz makes of it.

    Attributes
    ----------
    file : str
    answer : Answer
    is_met : bool or None
        True if its view meets the condition with all locked controls as they were; None where nothing was asked for.
    words : str
        What the page reads there.
    note : str
        What is odd about the view.
    """

    file: str
    answer: Answer
    is_met: bool | None
    words: str
    note: str


@dataclass(frozen=True)
class ClassAnswers:
    """All answers to one exercise of a page, and why files were left out."""

    page: Page
    exercise: Exercise
    answers: tuple[MarkedAnswer, ...]
    refusals: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """How many there are, and how many solved it."""
        count = len(self.answers)
        if not count:
            return "There is no answer yet."
        text = number_of(count, "answer")
        if self.exercise.goal:
            solved = sum(marked.is_met is True for marked in self.answers)
            text += f"; {solved} {verb(solved, 'meets', 'meet')} the condition `{excerpt(self.exercise.goal, 120)}`"
        return f"{text}."

    def frame(self) -> pd.DataFrame:
        """One row per answer."""
        rows = [
            {
                "file": marked.file,
                "name": marked.answer.name,
                "met": {True: "yes", False: "no", None: ""}[marked.is_met],
                "reads": marked.words,
                **{f"predicted, {question}": prediction for question, prediction in marked.answer.predictions.items()},
                "text": marked.answer.text,
                "seed": marked.answer.seed,
                "note": marked.note,
                "view": marked.answer.view.to_url(),
            }
            for marked in self.answers
        ]
        frame = pd.DataFrame(rows).fillna("")
        last = [name for name in ("text", "seed", "note", "view") if name in frame]
        return frame[[name for name in frame if name not in last] + last]

    def questions(self) -> list[str]:
        """The predictions, that for the exercise's question first."""
        questions = dict.fromkeys(question for marked in self.answers for question in marked.answer.predictions)
        return sorted(questions, key=lambda question: (question != "exercise", len(question), question))

    @property
    def repeated_names(self) -> list[str]:
        """Names that several files have, each with its files."""
        files: dict[str, list[str]] = {}
        for marked in self.answers:
            files.setdefault(" ".join(marked.answer.name.casefold().split()), []).append(marked.file)
        return [
            f"{len(several)} files have the name `{excerpt(name)}`: {quote_names(several)}."
            for name, several in files.items()
            if name and len(several) > 1
        ]

    def prediction_drawing(self, key: str, truth: float | None = None) -> Drawing:
        """The predictions under a key of :meth:`questions`: numbers with their median and the true value, or options.

        `truth` is the true value of the exercise's own question; that of a step is computed.
        """
        predictions = [marked.answer.predictions[key] for marked in self.answers if key in marked.answer.predictions]
        question = question_at(self.page, key)
        about = question.text if question else self.exercise.ask or f"Predictions at {key}"
        if question is not None and question.options:
            fig, summary = _options_drawn(predictions, question)
        else:
            truth = truth if question is None else float(question.answer)
            numbers = sorted(value for value in map(_as_number, predictions) if math.isfinite(value))
            fig, summary = _numbers_drawn(numbers, truth)
        return Drawing(fig, excerpt(about, 160), f"{number_of(len(predictions), 'prediction')}; {summary}.")


def question_at(page: Page, key: str) -> Question | None:
    """The lab's question that predictions under a key answer, with its answer; None for the exercise's own."""
    place = key.removeprefix("step ")
    if not isinstance(page, Lab) or place == key:
        return None
    texts = {"step": QUIZ, "seed": place[1:]} if place[:1] == "q" else {"step": place}
    values, complaints = settle_page(page, texts)
    return None if complaints or page.step(values["step"]) is None else page.filled_step(values)[0].question


def _as_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if abs(value) <= FARTHEST else math.nan


def _numbers_drawn(numbers: list[float], truth: float | None) -> tuple[go.Figure, str]:
    """One dot per prediction, equal ones above each other; lines at the median and the true value."""
    if not numbers:
        return chart([], 300, {"visible": False}, {"visible": False}), "none of them is a number"
    heights = [numbers[:n].count(value) + 1 for n, value in enumerate(numbers)]
    dots = scatter(x=numbers, y=heights, mode="markers", marker={"size": 12, "color": BLUE}, showlegend=False)
    marked = {"median": float(np.median(numbers))} | ({} if truth is None else {"true value": truth})
    lines = [line_at(x=value, dash=dash) for value, dash in zip(marked.values(), ("dot", "solid"), strict=False)]
    labels = [f"{name} {number(value, 4)}" for name, value in marked.items()]
    words = [
        {"x": value, "y": 1.02 + 0.08 * n, "yref": "paper", "yanchor": "bottom", "showarrow": False, "text": text}
        for n, (value, text) in enumerate(zip(marked.values(), labels, strict=True))
    ]
    low, high = padded_range(np.array([*numbers, *marked.values()]), 0.08)
    x = axis("prediction", [low, high])
    y = axis("answers", [0, max(heights) + 0.6], dtick=max(1, round(max(heights) / 5)))
    fig = chart([dots], 320, x, y, lines, annotations=words, margin={"t": 50})
    return fig, "; ".join(labels)


def _options_drawn(predictions: list[str], question: Question) -> tuple[go.Figure, str]:
    """How often each option, or order of them, was predicted; right ones are green and hatched."""
    counts: Counter[str] = Counter()
    right: set[str] = set()
    for text in predictions:
        try:
            guess = question.read(text)
        except IrvizError:
            counts[excerpt(text, LONGEST_LABEL)] += 1
            continue
        counts[question.words(guess)] += 1
        right |= {question.words(guess)} if question.is_right(guess) and not question.open else set()
    names = sorted(counts)
    marker = {
        "color": [GREEN if name in right else BLUE for name in names],
        "pattern": {"shape": ["/" if name in right else "" for name in names]},
    }
    labels = [plotly_escape(short(f"✓ {name}" if name in right else name, 48)) for name in names]
    bars = bar(x=[counts[name] for name in names], y=labels, orientation="h", marker=marker, showlegend=False)
    x = {"title": {"text": "answers"}, "rangemode": "tozero", "dtick": max(1, round(max(counts.values()) / 5))}
    fig = chart([bars], 120 + 44 * len(names), x, {"type": "category", "autorange": "reversed"})
    clauses = [f"{name} ({counts[name]}{', right' if name in right else ''})" for name in names]
    return fig, join_words(clauses, joiner="and")


def collect(link: str, files: Iterable[tuple[str, bytes]]) -> ClassAnswers:
    """The answers in some files to the exercise of a link.

    Parameters
    ----------
    link : str
        The teacher's own: what an answer says of the exercise is only compared with it.
    files : pairs of name and content
        Those that cannot be read are refused by name, and the others are counted all the same.
    """
    task = View.from_url(link)
    page = page_named(task.page)
    exercise, start = read_exercise(page, task)
    answers, refused = [], []
    for place, (file, data) in enumerate(files):
        if place >= MOST_FILES:
            refused.append(f"Only the first {MOST_FILES} files are read.")
            break
        try:
            answers.append(_mark_answer(page, exercise, start, file, data))
        except IrvizError as error:
            refused.append(str(error))
    return ClassAnswers(page, exercise, tuple(answers), tuple(refused))


def _mark_answer(page: Page, exercise: Exercise, start: dict[str, str], file: str, data: bytes) -> MarkedAnswer:
    answer = read_answer(file, data)
    if answer.view.page != page.name:
        raise IrvizError(
            f"`{excerpt(file)}`: it is about the page `{excerpt(answer.view.page, 30)}`, not {page.title}."
        )
    _, page_texts, unknown = scopes(page, answer.view.values)
    answered_exercise, _ = Exercise.read(page_texts, [control.name for control in page.controls])
    if answered_exercise != exercise:
        title = (
            "no exercise"
            if answered_exercise is None
            else f"the exercise `{excerpt(answered_exercise.title or 'without a title', 60)}`"
        )
        raise IrvizError(f"`{excerpt(file)}`: it answers {title}, which is not the exercise of this link.")
    values, complaints = settle_page(page, without_task(page_texts))
    moved = [name for name in exercise.lock if page_texts.get(name) != start.get(name)]
    words, met = check_goal(exercise.goal, readings_of(page, values))
    notes = [str(complaint) for complaint in (*unknown, *complaints)]
    if moved:
        names = join_words((f"`{name}`" for name in moved), joiner="and")
        differ = verb(len(moved), "was locked and differs", "were locked and differ")
        notes.insert(0, f"{names} {differ} here.")
        met = False if exercise.goal else None
    return MarkedAnswer(excerpt(file), answer, met, words, " ".join(notes))
