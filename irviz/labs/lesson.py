"""What a lab teaches, beside what it shows: steps, challenges, a quiz, and readings that goals are about.

Where a reader is in a lab is a control of its page, ``step``: a step's number, ``free``
(all of the lab), a challenge (``c1``, ``c2`` …) or ``quiz``.  What a step or a challenge
starts from takes the place of the controls' defaults, so a link says only what was
changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from irviz.labs.goals import Challenge, Readings
from irviz.labs.steps import Predictions, Staged, Step, staged
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Number
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Lab
from irviz.workspace.view import settle

FREE, QUIZ = "free", "quiz"
Explore = Callable[[Context | None, Values], Lab]


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesson:
    """What a lab teaches.

    Attributes
    ----------
    readings : callable
        The numbers and words computed from the values of the lab's controls, under the names that people see.
    steps : tuple of Step
    challenges : tuple of Challenge
    quiz : callable, optional
        Given a seed, a question to answer.
    """

    readings: Callable[[Values], Readings]
    steps: tuple[Step, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    quiz: Callable[[int], Step] | None = None

    @property
    def places(self) -> dict[str, str]:
        """The values of `step`, each with its name."""
        steps = {str(n): f"Step {n} of {len(self.steps)}" for n in range(1, len(self.steps) + 1)}
        challenges = {f"c{n}": f"Challenge {n} of {len(self.challenges)}" for n in range(1, len(self.challenges) + 1)}
        return {**steps, FREE: "Explore freely", **challenges, **({QUIZ: "Quiz"} if self.quiz else {})}

    def step(self, place: str, seed: int) -> Step | None:
        """The step at a place; the quiz is a step, too."""
        if place == QUIZ and self.quiz is not None:
            return self.quiz(seed)
        return self.steps[int(place) - 1] if place.isdigit() else None

    def challenge(self, place: str) -> Challenge | None:
        """The challenge at a place."""
        return self.challenges[int(place[1:]) - 1] if place[:1] == "c" else None

    def start(self, place: str) -> Mapping[str, str]:
        """What the controls say where a place begins."""
        if place not in self.places or place == QUIZ:
            return {}
        beginning = self.step(place, 0) or self.challenge(place)
        return {} if beginning is None else beginning.start

    def controls(self) -> tuple[Control, ...]:
        """Which part the reader is at, what they predicted, and which question of the quiz they see."""
        places = tuple(self.places.items())
        seed = Number(
            name="seed", label="Question of the quiz", default=1, low=1, high=99_999, step=1, whole=True, slider=False
        )
        return (
            Choice(name="step", label="Part of the lab", default=places[0][0], options=places),
            Predictions(name="guess", label="Predictions"),
            seed,
        )


@dataclass(frozen=True, kw_only=True)
class LabPage(Page):
    """A page that teaches; its panel returns a :class:`~irviz.workspace.panel.Lab`."""

    lesson: Lesson
    lab: bool = True
    uses: frozenset[str] = frozenset({"average"})

    def controls_for(self, texts: Mapping[str, str]) -> tuple[Control, ...]:
        """The controls at the beginning of a step or a challenge."""
        start = self.lesson.start(texts.get("step", self.controls[0].default))
        return tuple(begun(control, start) for control in self.controls)


def begun(control: Control, start: Mapping[str, str]) -> Control:
    """The control with what `start` says as its default."""
    return replace(control, default=control.parse(start[control.name])) if control.name in start else control


def lab_page(*, controls: tuple[Control, ...], explore: Explore, lesson: Lesson, **named: Any) -> LabPage:
    """The page of a lab: its own controls after those of the lesson, and what it shows at every place."""
    panel = partial(taught, lesson, controls, explore)
    return LabPage(controls=(*lesson.controls(), *controls), panel=panel, lesson=lesson, **named)


def taught(
    lesson: Lesson, controls: tuple[Control, ...], explore: Explore, context: Context | None, values: Values
) -> Lab:
    """What a lab shows: a step, the quiz, or all of it, with a challenge above it where one was chosen."""
    place, seed = values["step"], values["seed"]
    step = lesson.step(place, seed)
    if step is not None:
        key = f"q{seed}" if place == QUIZ else place
        start, _ = settle([begun(control, step.start) for control in controls], {}, None)
        title = f"Question {seed} of the quiz" if place == QUIZ else lesson.places[place]
        return staged(title, key, step, start, values, dict(values["guess"]).get(key, ""))
    lab, challenge = explore(context, values), lesson.challenge(place)
    return lab if challenge is None else challenged(lab, challenge, lesson.readings(values))


def challenged(lab: Lab, challenge: Challenge, readings: Readings) -> Staged:
    """All of the lab, below the task."""
    check, met = challenge.goal.words(readings), challenge.goal.met(readings)
    said = f"Challenge: {challenge.title} {check}{' – done.' if met else '.'}"
    parts = {one.name: getattr(lab, one.name) for one in fields(Lab)}
    parts["panel"] = replace(lab.panel, notes=(said, *lab.panel.notes))
    return Staged(**parts, title=challenge.title, text="", check=check, met=met, hint=challenge.hint)
