"""A lab: a page that teaches one idea with a small example, which needs no collection.

``lab.py`` of a lab's folder has its controls, what it shows when it is explored freely, and the readings that
goals are about; ``steps.py`` its steps as data; ``figures.py`` its figures by name; ``model.py`` what is computed.
Where a reader is in a lab is a control of its page, ``step``: a step's number, ``free`` (all of the lab), or a
challenge (``c1``, ``c2`` …).  What a step or a challenge starts from takes the place of the
controls' defaults, so a link contains only what was changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from irviz.errors import IrvizError, number_of
from irviz.figures.axes import with_prediction
from irviz.figures.unchecked import layout_of
from irviz.labs.documents import DRAG_A_DOCUMENT
from irviz.labs.goals import Challenge, Readings
from irviz.labs.step import Predictions, Question, Step
from irviz.measures.judged_lists import JudgedLists
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Number, Text, excerpt
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel
from irviz.workspace.view import settle

FREE = "free"
HIGHEST = 3  #: the highest grade of the labs' rankings
LONGEST_LIST = 15  #: documents of a ranking that can be edited by hand


def never(values: Values) -> bool:
    """False: a control that has no widget, because a figure sets it."""
    return False


@dataclass(frozen=True, kw_only=True)
class Lab(Page):
    """A page that teaches.

    Attributes
    ----------
    own : tuple of Control
        The controls of the lab itself.
    explore : callable
        Given the context (None where nothing is loaded) and the values of the controls, all that the lab shows; the
        panel's sentence is the headline, about its first figure.
    readings : callable
        Given the values, the numbers and words that texts, challenges and exercises name.
    figures : name → callable
        Given the values, a figure that steps show.
    steps : tuple of Step
        In the order in which they are taken.
    challenges : tuple of Challenge
    wording : reading or condition → words
        How goals of the challenges name a reading, or say a whole condition, where its own name is no plain word.
    rows : int
        Rows of figures that are seen while one explores; further ones are folded up.
    """

    own: tuple[Control, ...]
    explore: Callable[[Context | None, Values], Panel]
    readings: Callable[[Values], Readings]
    figures: Mapping[str, Callable[[Values], Drawing]]
    steps: tuple[Step, ...]
    challenges: tuple[Challenge, ...] = ()
    wording: Mapping[str, str] = field(default_factory=dict)
    rows: int = 1
    lab: ClassVar[bool] = True
    uses: frozenset[str] = frozenset({"average"})
    panel: Any = None  #: made of the others

    def __post_init__(self) -> None:
        object.__setattr__(self, "controls", self.controls or (*self._position(), *self.own))
        object.__setattr__(self, "panel", self.panel or self._panel)

    @property
    def places(self) -> dict[str, str]:
        """Values of the control `step`, each with its name."""
        steps = {str(n): f"Step {n} of {len(self.steps)}" for n in range(1, len(self.steps) + 1)}
        challenges = {f"c{n}": f"Challenge {n} of {len(self.challenges)}" for n in range(1, len(self.challenges) + 1)}
        return {**steps, FREE: "Explore freely", **challenges}

    def step(self, place: str) -> Step | None:
        """The step at a place."""
        return self.steps[int(place) - 1] if place.isdigit() else None

    def challenge(self, place: str) -> Challenge | None:
        """The challenge at a place."""
        return self.challenges[int(place[1:]) - 1] if place[:1] == "c" else None

    def controls_for(self, texts: Mapping[str, str]) -> tuple[Control, ...]:
        """The controls at the beginning of a step or a challenge."""
        place = texts.get("step", self.controls[0].default)
        known = place in self.places
        beginning = (self.step(place) or self.challenge(place)) if known else None
        return tuple(_with_default(control, beginning.start if beginning else {}) for control in self.controls)

    def filled_step(self, values: Values) -> tuple[Step, str]:
        """The step at the reader's place with its numbers, and the prediction.

        The question is about the values at the beginning of the step; after a change the text is about those now, and
        the answer says which of the two it is about.
        """
        step, start, now = self._beginning(values)
        numbers, guess = step.numbers or self.readings, self.prediction(values)
        asked = step.fill(numbers(start))
        if guess and now != start:
            asked = _step_after_change(asked, step.fill(numbers(now)))
        return asked, guess

    def prediction(self, values: Values) -> str:
        """The reader's prediction at this place; "" if there is none, or it cannot be read."""
        step, text = self.step(values["step"]), dict(values["guess"]).get(values["step"], "")
        try:
            return step.question.read(text) if step and text else ""
        except IrvizError:
            return ""

    def is_at_start(self, values: Values) -> bool:
        """True as long as a step's controls are as they were when its question was asked."""
        _, start, now = self._beginning(values)
        return start == now

    def _beginning(self, values: Values) -> tuple[Step, Values, Values]:
        """The step at a place, and the values at its beginning and now."""
        step = self.step(values["step"])
        assert step is not None
        start, _ = settle([_with_default(control, step.start) for control in self.own], {}, None)
        now = {**start, **{name: values[name] for name in step.controls}}
        return step, start, now

    def _panel(self, context: Context | None, values: Values) -> Panel:
        """A step, or all of the lab, with a challenge among its notes where one was chosen."""
        place = values["step"]
        if self.step(place) is not None:
            return _still(self._step_panel(values))
        challenge = self.challenge(place)
        values = {**values, "kept": challenge is not None and not challenge.can_regrade}
        panel = self.explore(context, values)
        if challenge is None:
            return _still(panel)
        readings = self.readings(values)
        done = " – done." if challenge.goal.is_met(readings) else "."
        note = f"Challenge: {challenge.title} {challenge.goal.words(readings, self.wording)}{done}"
        drawings = panel.drawings
        if name := challenge.figure:
            drawings = ({name: self.figures[name](values)}, *(row for row in drawings if name not in row))
        return _still(replace(panel, drawings=drawings, notes=(note, *panel.notes)))

    def _step_panel(self, values: Values) -> Panel:
        """A step with its one figure: that of the question, or in its place what is revealed."""
        step, guess = self.filled_step(values)
        _, start, now = self._beginning(values)
        name = step.reveal if guess else step.figure
        drawing = self.figures[name]({**(now if guess else start), "predicted": guess})
        if not guess or not set(drawing.picks) <= set(step.controls):
            drawing = replace(drawing, picks=())
        if guess and step.drawn_on:
            drawing = replace(drawing, figure=with_prediction(drawing.figure, step.drawn_on, float(guess)))
        title = step.title if step.title.endswith("?") else f"{step.title}."
        notes = [f"Question: {step.question.text}"]
        if guess:
            remarks = [verdict(step.question, guess), *([step.notice] if step.notice else [])]
            notes += [*(remarks[::-1] if step.question.controls_moved else remarks), f"Source: {step.source}."]
        elif text := dict(values["guess"]).get(values["step"], ""):
            notes.append(f"The prediction in the link cannot be used: {excerpt(text)}.")
        return Panel(
            f"{self.places[values['step']]}. {title} {step.text}", drawings=({name: drawing},), notes=tuple(notes)
        )

    def _position(self) -> tuple[Control, ...]:
        """The reader's step and predictions."""
        places = tuple(self.places.items())
        return (
            Choice(name="step", label="Part of the lab", default=places[0][0], options=places),
            Predictions(name="guess", label="Predictions"),
        )


def _still(panel: Panel) -> Panel:
    """The panel with figures that a drag does not zoom: in a lab dots and sliders are dragged, and pages swiped."""
    for drawing in (picture for row in panel.drawings for picture in row.values()):
        layout: dict[str, Any] = layout_of(drawing.figure)  # as it is: plotly's own way checks every property
        for name in {"xaxis", "yaxis", *(key for key in layout if key[1:5] == "axis")}:
            layout[name] = {**layout.get(name, {}), "fixedrange": True}
    return panel


def _step_after_change(step: Step, now: Step) -> Step:
    """The step after a control was moved: its text and the answer now, what else is new, and the answer before."""
    if step.question.answer_text == now.question.answer_text:
        return now
    notice = now.notice if now.notice != step.notice else ""  # what always holds is not news
    step = replace(step, text=now.text)
    question = replace(step.question, because={}, controls_moved=True)
    return replace(step, question=question, notice=f"Now: {now.question.answer_text} {notice}".rstrip())


def verdict(question: Question, guess: str) -> str:
    """The prediction beside the answer, and why it is wrong where that is known."""
    mark = "irviz" if question.open else "Right" if question.is_right(guess) else "Not right"
    reason, when = question.reason(guess), "At the start: " if question.controls_moved else ""
    return f"{when}Predicted: {question.words(guess)}. {mark}: {f'{reason} ' if reason else ''}{question.answer_text}"


def _with_default(control: Control, start: Mapping[str, str]) -> Control:
    """The control with what `start` says as its default."""
    return replace(control, default=control.parse(start[control.name])) if control.name in start else control


def whole(name: str, label: str, default: int, ends: tuple[int, int], help: str, **more: Any) -> Number:
    """A whole number, in steps of 1."""
    low, high = ends
    return Number(name=name, label=label, default=default, low=low, high=high, step=1, whole=True, help=help, **more)


@dataclass(frozen=True, kw_only=True)
class DocumentList(Text):
    """A list of documents, by their grades."""

    keeps_grades: bool = False  #: in a challenge they keep their grades
    required_list: Any = ()  #: the list whose documents it must hold, in any order, if they keep their grades

    def check_kept(self, value: Any) -> Any:
        before, after = (sorted(filter(str.isalnum, self.format(grades))) for grades in (self.required_list, value))
        if self.keeps_grades and before and before != after:
            raise IrvizError("in a challenge the documents keep their grades; change their order")
        return value


@dataclass(frozen=True, kw_only=True)
class Grades(DocumentList):
    """The grades of a ranking, first rank first, such as ``2,0,1,0,0``."""

    default: tuple[int, ...] = ()
    top: int = HIGHEST  #: highest grade
    least: int = 1
    longest: int = LONGEST_LIST  #: grades

    def read(self, text: str) -> tuple[int, ...]:
        parts = text.replace(",", " ").split()
        if len(parts) == 1 and len(text.strip()) > 1:
            parts = list(text.strip())
        try:
            return tuple(int(part) for part in parts)
        except ValueError as error:
            raise IrvizError(f"`{excerpt(text)}` is not a list of grades such as 2,0,1,0,0") from error

    def check(self, value: Sequence[int]) -> tuple[int, ...]:
        if not self.least <= len(value) <= self.longest:
            raise IrvizError(f"it lists {number_of(len(value), 'grade')}; {self.least} to {self.longest} can be given")
        for grade in value:
            if not 0 <= grade <= self.top:
                raise IrvizError(f"the grade {grade} does not lie between 0 and {self.top}")
        return self.check_kept(tuple(value))

    def format(self, value: Sequence[int] | str) -> str:
        """Grades as a text; a text, as a click on a figure carries it, as it is."""
        return value if isinstance(value, str) else ",".join(str(grade) for grade in value)


@dataclass(frozen=True, kw_only=True)
class NumberList(Text):
    """A few numbers in [low, high], such as the scores of a system on some topics."""

    default: tuple[float, ...] = ()
    length: int = 5
    low: float = 0.0
    high: float = 1.0

    def read(self, text: str) -> tuple[float, ...]:
        try:
            return tuple(float(part) for part in text.replace(",", " ").split())
        except ValueError as error:
            raise IrvizError(f"`{excerpt(text)}` is not a list of numbers such as 0.1,0.5,0.3") from error

    def check(self, value: Sequence[float]) -> tuple[float, ...]:
        if len(value) != self.length:
            raise IrvizError(f"it lists {number_of(len(value), 'number')}; {self.length} are needed")
        for number in value:
            if not self.low <= number <= self.high:
                raise IrvizError(f"{number:g} does not lie between {self.low:g} and {self.high:g}")
        return tuple(float(number) for number in value)

    def format(self, value: Sequence[float]) -> str:
        return ",".join(f"{number:g}" for number in value)


def judged_lists(lists: Sequence[Sequence[int]], top: int, missed_grades: Sequence[int] = ()) -> JudgedLists:
    """Rankings of equal length as a measure sees them; `missed_grades` are judged documents that no list retrieved.

    All lists are rankings of documents of their own; the pool is that of the first one.

    >>> judged_lists([[2, 0, 1]], top=2).levels().tolist()
    [[2, 0, 1]]
    """
    first = list(lists[0])
    if any(sorted(grades) != sorted(first) for grades in lists):
        raise IrvizError("These lists do not contain the same documents, so they share no pool.")
    labels = np.array([*first, *missed_grades], dtype=np.int16)
    ranking = np.stack([_places(first, grades) for grades in lists]).astype(np.int32)
    return JudgedLists(ranking, labels, tuple(float(grade) for grade in range(top + 1)))


def _places(pool: list[int], grades: Sequence[int]) -> np.ndarray:
    """For every grade of `grades` a document of `pool` that has it, each used once."""
    free = {grade: [i for i, other in enumerate(pool) if other == grade] for grade in set(pool)}
    return np.array([free[grade].pop(0) for grade in grades])


def edits(values: Values, grades: Sequence[int], top: int) -> tuple[list[str | None], str]:
    """The list after a click on each document, None where grades are kept, and what can be done with documents."""
    if has_fixed_grades(values):
        return [None] * len(grades), DRAG_A_DOCUMENT
    return [*regrade_texts(grades, top)], f"{DRAG_A_DOCUMENT}, or click to regrade"


def has_fixed_grades(values: Values) -> bool:
    """True in a challenge about the documents that are given: they keep their grades."""
    return bool(values.get("kept"))


def regrade_texts(grades: Sequence[int], top: int) -> list[str]:
    """For every rank, the text of the ranking after its grade was raised by one, or reset from the highest grade to 0.

    >>> regrade_texts((2, 0), top=2)
    ['0,0', '2,1']
    """
    texts = []
    for place, grade in enumerate(grades):
        changed = [*grades[:place], (grade + 1) % (top + 1), *grades[place + 1 :]]
        texts.append(",".join(str(level) for level in changed))
    return texts
