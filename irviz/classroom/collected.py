"""The answers of a class: irviz computes from each answer's view whether it meets the exercise's condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from irviz.classroom.answers import Answer, read_answer
from irviz.classroom.exercise import checked, read_exercise, readings_of, settled
from irviz.errors import IrvizError, listed
from irviz.figures.theme import BLUE, bar, figure
from irviz.links.task import Exercise, without
from irviz.links.text import shown
from irviz.links.view import View
from irviz.menu import page_named
from irviz.workspace.page import Page
from irviz.workspace.panel import Drawing
from irviz.workspace.resolve import scopes
from irviz.workspace.words import counted, verb

MOST_FILES = 300  #: files of a class
BINS = 12  #: bars, where more predictions differ
LABELLED = 20  #: signs of a prediction that is a word


@dataclass(frozen=True)
class MarkedAnswer:
    """One answer, and what irviz makes of it.

    Attributes
    ----------
    file : str
    answer : Answer
    met : bool or None
        Whether its view meets the condition with all locked controls as they were; None where nothing was asked for.
    words : str
        What the page reads there.
    note : str
        What is odd about the view.
    """

    file: str
    answer: Answer
    met: bool | None
    words: str
    note: str


@dataclass(frozen=True)
class Collected:
    """All answers to one exercise, and why files were left out."""

    exercise: Exercise
    answers: tuple[MarkedAnswer, ...]
    refused: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """How many there are, and how many solved it."""
        count = len(self.answers)
        if not count:
            return "There is no answer yet."
        text = counted(count, "answer")
        if self.exercise.goal:
            solved = sum(one.met is True for one in self.answers)
            text += f"; {solved} {verb(solved, 'meets', 'meet')} the condition `{shown(self.exercise.goal, 120)}`"
        return f"{text}."

    def frame(self) -> pd.DataFrame:
        """One row per answer."""
        rows = [
            {
                "file": one.file,
                "name": one.answer.name,
                "met": {True: "yes", False: "no", None: ""}[one.met],
                "reads": one.words,
                **{f"predicted, {question}": said for question, said in one.answer.predictions.items()},
                "text": one.answer.text,
                "seed": one.answer.seed,
                "note": one.note,
                "view": one.answer.view.to_url(),
            }
            for one in self.answers
        ]
        frame = pd.DataFrame(rows).fillna("")
        last = [name for name in ("text", "seed", "note", "view") if name in frame]
        return frame[[name for name in frame if name not in last] + last]

    def questions(self) -> list[str]:
        """What was predicted, the exercise's question first."""
        asked = dict.fromkeys(question for one in self.answers for question in one.answer.predictions)
        return sorted(asked, key=lambda question: (question != "exercise", len(question), question))

    def predicted(self, question: str) -> Drawing:
        """How often each prediction was made."""
        said = [one.answer.predictions[question] for one in self.answers if question in one.answer.predictions]
        bars = counts(said)
        drawn = figure(
            [bar(x=list(bars), y=list(bars.values()), marker_color=BLUE, hovertemplate="%{x}: %{y}<extra></extra>")],
            300,
            xaxis={"title": {"text": "prediction"}, "type": "category"},
            yaxis={"title": {"text": "answers"}, "rangemode": "tozero", "dtick": max(1, round(max(bars.values()) / 5))},
        )
        most = max(bars.values())
        often = listed((f"{name} ({most})" for name, n in bars.items() if n == most), most=3, joiner="and")
        about = self.exercise.ask if question == "exercise" and self.exercise.ask else f"Predictions at {question}"
        return Drawing(drawn, shown(about, 120), f"{counted(len(said), 'prediction')}; most often {often}.")


def collect(link: str, files: Iterable[tuple[str, bytes]]) -> Collected:
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
            answers.append(_judged(page, exercise, start, file, data))
        except IrvizError as error:
            refused.append(str(error))
    return Collected(exercise, tuple(answers), tuple(refused))


def _judged(page: Page, exercise: Exercise, start: dict[str, str], file: str, data: bytes) -> MarkedAnswer:
    answer = read_answer(file, data)
    if answer.view.page != page.name:
        raise IrvizError(f"`{shown(file)}`: it is about the page `{shown(answer.view.page, 30)}`, not {page.title}.")
    _, own, unknown = scopes(page, answer.view.values)
    theirs, _ = Exercise.read(own, [control.name for control in page.controls])
    if theirs != exercise:
        title = "no exercise" if theirs is None else f"the exercise `{shown(theirs.title or 'without a title', 60)}`"
        raise IrvizError(f"`{shown(file)}`: it answers {title}, which is not the exercise of this link.")
    values, complaints = settled(page, without(own))
    moved = [name for name in exercise.lock if own.get(name) != start.get(name)]
    found = checked(exercise.goal, readings_of(page, values))
    notes = [str(one) for one in (*unknown, *complaints)]
    if moved:
        names = listed((f"`{name}`" for name in moved), joiner="and")
        differ = verb(len(moved), "was locked and differs", "were locked and differ")
        notes.insert(0, f"{names} {differ} here.")
    met = found.met if not moved else False if exercise.goal else None
    return MarkedAnswer(shown(file), answer, met, found.words, " ".join(notes))


def counts(said: list[str]) -> dict[str, int]:
    """Predictions and how often each was made; many different numbers in bins of equal width.

    >>> counts(["b", "a", "b"])
    {'a': 1, 'b': 2}
    >>> counts(["0.5", "0.25", "0.5"])
    {'0.25': 1, '0.5': 2}
    """
    try:
        numbers = sorted(float(one) for one in said)
    except ValueError:
        words = Counter(shown(one, LABELLED) for one in said)
        return dict(sorted(words.items()))
    distinct = Counter(f"{number:g}" for number in numbers)
    if len(distinct) <= BINS:
        return dict(distinct)
    low, width = numbers[0], (numbers[-1] - numbers[0]) / BINS
    bins = Counter(min(BINS - 1, int((number - low) / width)) for number in numbers)
    return {f"{low + n * width:.3g} to {low + (n + 1) * width:.3g}": bins[n] for n in range(BINS)}
