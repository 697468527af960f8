"""An exercise: what a teacher adds to the link of a page, so that the link is all that a class needs.

Its keys are the page's own: they stay on that page, and are gone from the address of every
other.  All of it is text that people read; nothing of it is markup, and nothing is believed.
A student's prediction stands beside it in their own address, so that a reload keeps it;
it goes into no link that is handed on.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from irviz.errors import IrvizError, join_words
from irviz.workspace.control import Text, excerpt, join_names, split_names
from irviz.workspace.view import Complaint

TITLE = Text(name="task", label="Title", most=120)
TEXT = Text(name="task.text", label="Task", most=1500)
ASK = Text(name="task.ask", label="A number to predict", most=200)
GOAL = Text(name="task.goal", label="Solved when", most=400)
LOCK = Text(name="task.lock", label="Locked controls", most=300)
PARTS: tuple[Text, ...] = (TITLE, TEXT, ASK, GOAL, LOCK)
PREDICTION = Text(name="task.said", label="Predicted", most=30)  #: of a student, in their own address alone
FARTHEST = 1e15  #: predictions lie between minus this and this


@dataclass(frozen=True)
class Exercise:
    """A task that a link sets its reader.

    >>> one = Exercise(title="Fool GAP", goal="GAP > 0.9", lock=("c", "g1"))
    >>> one.texts()
    {'task': 'Fool GAP', 'task.goal': 'GAP > 0.9', 'task.lock': 'c,g1'}
    >>> Exercise.read(one.texts())[0] == one
    True
    """

    #: what is to be done; lines of `text` are paragraphs
    title: str = ""
    text: str = ""
    ask: str = ""  #: a question that a number answers, to be predicted before any result is shown
    goal: str = ""  #: conditions on what the page reads, see :mod:`irviz.labs.goals`
    lock: tuple[str, ...] = ()  #: names of controls that stay as the link says

    @classmethod
    def read(cls, texts: Mapping[str, str], controls: Collection[str] = ()) -> tuple[Exercise | None, list[Complaint]]:
        """The exercise in the texts of a page, if any, and what cannot be used, such as locks that `controls` lack."""
        parts, complaints = _check_parts(PARTS, texts)
        lock = tuple(split_names(parts[LOCK.name]))
        if unknown := [name for name in lock if controls and name not in controls]:
            names = join_words((f"`{excerpt(name, 30)}`" for name in unknown), most=3, joiner="and")
            complaints.append(Complaint(LOCK.name, f"The exercise locks {names}, which this page does not have."))
        lock = tuple(name for name in lock if not controls or name in controls)
        title, text, ask, goal = (parts[part.name] for part in (TITLE, TEXT, ASK, GOAL))
        exercise = cls(title, text, ask, goal, lock)
        content = exercise.title or exercise.text or exercise.ask or exercise.goal
        return (exercise if content else None), complaints

    def texts(self) -> dict[str, str]:
        """The text that :meth:`read` reads back, without empty parts."""
        values = (self.title, self.text, self.ask, self.goal, join_names(self.lock))
        return {part.name: text for part, text in zip(PARTS, values, strict=True) if text}


def prediction_in(texts: Mapping[str, str]) -> tuple[float | None, list[Complaint]]:
    """The prediction in the texts of a page, within ±1e15; None without one, with a complaint if it cannot be used."""
    parts, complaints = _check_parts([PREDICTION], texts)
    text = parts[PREDICTION.name]
    try:
        prediction = float(text or "nan")
    except ValueError:
        prediction = math.nan
    if abs(prediction) <= FARTHEST:
        return prediction, complaints
    if text:
        why = f"The link's prediction, `{excerpt(text, 20)}`, is not a number within ±1e15."
        complaints.append(Complaint(PREDICTION.name, why))
    return None, complaints


def _check_parts(parts: Collection[Text], texts: Mapping[str, str]) -> tuple[dict[str, str], list[Complaint]]:
    """The text of every part, "" where it is too long, and a complaint for each of these."""
    checked, complaints = {}, []
    for part in parts:
        try:
            checked[part.name] = part.check(texts.get(part.name, ""))
        except IrvizError as error:
            checked[part.name] = ""
            complaints.append(Complaint(part.name, f"The exercise's `{part.name}` is left out: {error}."))
    return checked, complaints


def without_task(texts: Mapping[str, str], parts: Collection[Text] = (*PARTS, PREDICTION)) -> dict[str, str]:
    """The texts of a page without these parts: by default its exercise and the prediction."""
    names = {part.name for part in parts}
    return {name: text for name, text in texts.items() if name not in names}


def locked_names(texts: Mapping[str, str]) -> frozenset[str]:
    """The controls that the texts of a page lock."""
    parts, _ = _check_parts([LOCK], texts)
    return frozenset(split_names(parts[LOCK.name]))
