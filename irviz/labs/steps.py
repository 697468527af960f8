"""Steps of a lab: a sentence and a question first; what irviz computes only after a prediction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from irviz.errors import IrvizError, counted
from irviz.labs.questions import Question
from irviz.workspace.control import Typed, shown
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, Formula, Lab, LabClaim, Panel, Table

Drawings = tuple[dict[str, Drawing], ...]
Guesses = tuple[tuple[str, str], ...]  #: pairs of a step and a prediction


@dataclass(frozen=True, eq=False, kw_only=True)
class Revealed:
    """What is shown below a question after its answer was predicted."""

    drawings: Drawings = ()
    claims: tuple[LabClaim, ...] = ()
    formulas: tuple[Formula, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Scene:
    """One step under some values.

    Attributes
    ----------
    text : str
        What the reader is told before the question.
    question : Question
    shown : rows of drawings
        What is seen before and after the prediction.
    reveal : callable
        Given the prediction, what is seen after it.
    """

    text: str
    question: Question
    reveal: Callable[[str], Revealed]
    shown: Drawings = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of a lab.

    Attributes
    ----------
    title : str
        A few words.
    scene : callable
        What it shows under the values of the lab's controls.
    start : control → text
        Where it begins; the other controls are at their defaults.
    controls : tuple of str
        Those that can be changed after the prediction.  The question is always about the start.
    """

    title: str
    scene: Callable[[Values], Scene]
    start: Mapping[str, str] = field(default_factory=dict)
    controls: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Staged(Lab):
    """A lab within its lesson: at a step, in a challenge, or in the quiz.

    Attributes
    ----------
    title, text : str
        The heading and what the reader is told.
    question : Question or None
        In a step and in the quiz.
    before : int
        How many rows of the panel's drawings come before the question.
    key : str
        Under which name the prediction is kept.
    guess : str
        The prediction; "" before it is made.
    controls : tuple of str
        The controls that are shown, if not all of them are.
    check : str
        In a challenge, which conditions are met: ``GAP 0.91 ✓, eGAP 0.24 ✗``.
    met : bool
    hint : str
    """

    title: str
    text: str
    question: Question | None = None
    before: int = 0
    key: str = ""
    guess: str = ""
    controls: tuple[str, ...] = ()
    check: str = ""
    met: bool = False
    hint: str = ""


def staged(place: str, key: str, step: Step, start: Values, values: Values, guess: str) -> Staged:
    """A step as it is now; what is revealed belongs to it only after a readable prediction.

    Parameters
    ----------
    place : str
        Such as "Step 2 of 5".
    start, values : the values at its beginning, and now
    """
    asked = step.scene(start)
    question = asked.question
    notes: list[str] = []
    try:
        guess = question.read(guess) if guess else ""
    except IrvizError as error:
        guess, notes = "", [f"The prediction in the link cannot be used: {error}"]
    scene = step.scene({**start, **{name: values[name] for name in step.controls}}) if guess else asked
    found = scene.reveal(guess) if guess else Revealed()
    told = [f"Question: {question.text}", *verdict(question, guess), *notes]
    panel = Panel(
        sentence=f"{place}. {ended(step.title)} {asked.text}",
        drawings=_clickable((*scene.shown, *found.drawings), step.controls if guess else ()),
        tables=found.tables,
        notes=tuple(told),
    )
    return Staged(
        panel=panel,
        claims=found.claims,
        formulas=found.formulas,
        title=step.title,
        text=asked.text,
        question=question,
        before=len(scene.shown),
        key=key,
        guess=guess,
        controls=step.controls if guess else (),
    )


def _clickable(drawings: Drawings, controls: Sequence[str]) -> Drawings:
    """The drawings; those whose clicks would change other controls accept none."""
    return tuple(
        {name: one if set(one.picks) <= set(controls) else replace(one, picks=()) for name, one in row.items()}
        for row in drawings
    )


def ended(title: str) -> str:
    """A title as a sentence.

    >>> ended("Who wins?"), ended("A zero")
    ('Who wins?', 'A zero.')
    """
    return title if title.endswith("?") else f"{title}."


def verdict(question: Question, guess: str) -> Sequence[str]:
    """The prediction beside what irviz computes; nothing before it is made."""
    if not guess:
        return ()
    mark = "irviz" if question.open else "Right" if question.right(guess) else "Not right"
    return (f"Predicted: {question.words(guess)}. {mark}: {question.told}",)


# -- predictions in a link ---------------------------------------------------------------

_KEY, _GUESS = re.compile(r"[a-z0-9]{1,12}"), re.compile(r"[\w.,+-]{1,60}")


@dataclass(frozen=True, kw_only=True)
class Predictions(Typed):
    """The predictions of all steps, such as ``1:b/2:0.8/3:c,a,b``."""

    default: Guesses = ()
    most: int = 60

    def read(self, text: str) -> Guesses:
        pairs = [part.partition(":") for part in text.split("/") if part]
        return tuple((key, guess) for key, _, guess in pairs)

    def check(self, value: Guesses) -> Guesses:
        for key, guess in value:
            if not _KEY.fullmatch(key) or not _GUESS.fullmatch(guess):
                raise IrvizError(f"`{shown(f'{key}:{guess}')}` is not a prediction such as 1:b or 2:0.8")
        if len(value) > self.most:
            raise IrvizError(f"it holds {counted(len(value), 'prediction')}; at most {self.most} are read")
        return tuple(dict(value).items())

    def format(self, value: Guesses) -> str:
        return "/".join(f"{key}:{guess}" for key, guess in value)


def with_guess(guesses: Guesses, key: str, guess: str) -> Guesses:
    """The predictions with one more; the oldest are dropped if there are too many.

    >>> with_guess((("1", "b"),), "2", "0.8")
    (('1', 'b'), ('2', '0.8'))
    """
    return tuple({**dict(guesses), key: guess}.items())[-Predictions.most :]
