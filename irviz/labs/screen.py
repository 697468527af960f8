"""A lab on one screen: a sentence with numbers one drags, one figure, one guess, goals, a way to real data.

A lab is one function from values to a figure.  Its frames are that figure at every stop of every live handle, and its
outcomes that figure for every place to which a document can be dragged, so that the browser needs no server for them.
``screen.js`` and ``drag.js`` are what moves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, ClassVar

from irviz.figures.motion import HOLDERS, moving
from irviz.figures.theme import Trace
from irviz.figures.unchecked import layout_of, traces_of, unchecked
from irviz.labs.charts import silent
from irviz.labs.documents import VIOLET
from irviz.labs.goals import Challenge, Readings
from irviz.workspace.context import Context
from irviz.workspace.control import Control
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel
from irviz.workspace.view import View

_FILES = Path(__file__).parent
SCREEN_STYLE = (_FILES / "screen.css").read_text(encoding="utf-8")
SCREEN, DRAG, OFFLINE, DONE = (
    re.sub("^//.*\n", "", (_FILES / name).read_text(encoding="utf-8"), flags=re.MULTILINE).replace("HOLDERS", HOLDERS)
    for name in ("screen.js", "drag.js", "offline.js", "done.js")
)
_TAG = re.compile("<[^>]+>")
_MOVED = ("x", "y", "text", "marker", "textfont")  #: what frames and outcomes change


@dataclass(frozen=True, kw_only=True)
class Handle:
    """A control as a number in the sentence.

    Attributes
    ----------
    label : str
        What it is, for who hears it.
    stops : callable
        Given the values, the values at which it stops, in their order, among them the present one.
    words : callable
        Given a value, how the sentence says it.
    live : bool
        Whether every stop has a frame; otherwise the server draws what it changes.
    """

    label: str
    stops: Callable[[Values], Sequence[Any]]
    words: Callable[[Any], str] = str
    live: bool = False


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A guess on the figure's axis, kept by the control ``guess``: a mark that is dragged once.

    Where it is let go it stays, and the figure answers; so the guess cannot follow the answer.  It is seen while the
    figure shows what was asked, the answer always.

    Attributes
    ----------
    stops : values of ``guess`` at which it can be let go, not among them its default, which is no guess
    place : callable
        Given the values, x and y of the mark, None where there is none; no live handle changes them.
    answers : control → value
        What the figure shows then.
    axes : of the mark, as plotly names them
    word : what the guess is called
    """

    stops: Sequence[Any]
    place: Callable[[Values], tuple[float | None, float | None]]
    answers: Mapping[str, Any] = field(default_factory=dict)
    axes: tuple[str, str] = ("x", "y")
    word: str = "guess"


@dataclass(frozen=True, kw_only=True)
class Screen(Page):
    """A lab on one screen.

    Attributes
    ----------
    text : str
        HTML in which ``{name}`` is the handle or the choice of a control, and ``{=name}`` a word of `said`.
    guess : str
        What is asked, below the figure.
    answer : callable
        Given the values, what stands there once it is answered.
    mark : Mark, optional
    handles : control → Handle
    combined : live handles with a frame for every combination of their stops, so that several can be turned
    choices : control → option → words
    readings : callable
        Given the values, the numbers that goals and exercises name.
    said : callable
        Given the values, the words of the sentence by name.
    figure : callable
        Given the values, the figure.  Neither its traces nor their points may differ between stops of a live handle.
    traces : callable, optional
        Given the values, the traces of the figure alone: a frame needs no more, and a figure takes plotly longer.
    drags : callable
        Given the values, for each point of the figure's last trace the places to which it can be dragged, see
        ``drag.js``; each holds the texts of `picks`.
    picks : tuple of str
        Controls that a drag sets.
    goals : tuple of Challenge
    data : callable
        Given the values, the words and the view of the same on real data.
    source : str
    notes : tuple of str
        What a teacher can say.
    offline : control → values
        For which a page without a server has figures, beside all choices and stops of handles.
    """

    text: str
    guess: str
    answer: Callable[[Values], str] = lambda values: ""
    mark: Mark | None = None
    handles: Mapping[str, Handle]
    combined: tuple[str, ...] = ()
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    readings: Callable[[Values], Readings]
    said: Callable[[Values], Mapping[str, str]] = lambda values: {}
    figure: Callable[[Values], Drawing]
    traces: Callable[[Values], list[Trace]] | None = None
    drags: Callable[[Values], list[list[dict[str, Any]]]] = lambda values: []
    picks: tuple[str, ...] = ()
    goals: tuple[Challenge, ...]
    data: Callable[[Values], tuple[str, View]]
    source: str
    notes: tuple[str, ...]
    offline: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    lab: ClassVar[bool] = True
    uses: frozenset[str] = frozenset({"average"})
    panel: Any = None  #: made of the others

    def __post_init__(self) -> None:
        object.__setattr__(self, "panel", self._panel)

    def _panel(self, context: Context | None, values: Values) -> Panel:
        """The sentence as text, the moving figure, the goals, and the way to real data."""
        readings = self.readings(values)
        notes = [f"{goal.title} {goal.shown(readings)}".strip() for goal in self.goals]
        return Panel(
            self.sentence(values),
            drawings=({"figure": self.moving_figure(values)},),
            notes=(*notes, f"Source: {self.source}."),
            ways=(self.data(values),),
        )

    def sentence(self, values: Values) -> str:
        """The sentence without its handles."""
        said = {f"={name}": text for name, text in self.said(values).items()}
        return " ".join(_TAG.sub("", self.text.format_map({**self._words(values), **said})).split())

    def _words(self, values: Values) -> dict[str, str]:
        stops = self._stops(values)
        of_handles = {
            name: handle.words(values[name]) if len(stops[name]) > 1 else "" for name, handle in self.handles.items()
        }
        return of_handles | {name: options[values[name]] for name, options in self.choices.items()}

    # -- what the browser needs ----------------------------------------------------------------

    def _stops(self, values: Values) -> dict[str, Sequence[Any]]:
        return {name: handle.stops(values) for name, handle in self.handles.items()}

    def moments(self, values: Values) -> list[Values]:
        """The values at every frame: those of each live handle, then all that are combined."""
        stops = self._stops(values)
        alone = [name for name in stops if self.handles[name].live and name not in self.combined]
        moments = [{**values, name: stop} for name in alone for stop in stops[name]]
        together = product(*(stops[name] for name in self.combined)) if self.combined else ()
        return [*moments, *({**values, **dict(zip(self.combined, each, strict=True))} for each in together)]

    def guessed(self, values: Values) -> bool:
        """True if there is a guess."""
        return bool(values["guess"] != self.control("guess").default)

    def answered(self, values: Values) -> bool:
        """True if there is a guess, or the figure shows what it is about."""
        return self.guessed(values) or (self.mark is not None and bool(self.mark.answers) and self._shows(values))

    def _shows(self, values: Values) -> bool:
        return self.mark is not None and all(values[name] == of for name, of in self.mark.answers.items())

    def drawn(self, values: Values, held: bool = False) -> list[Trace]:
        """The traces of the figure; the mark of the guess, which may be `held`, is the last one if it has one."""
        now = {**values, "guess": self.control("guess").default} if held else values
        own = self.traces(now) if self.traces else list(traces_of(self.figure(now).figure))
        if self.mark is None:
            return own
        axes = dict(zip(("xaxis", "yaxis"), self.mark.axes, strict=True))
        is_seen = held or self._shows(values) or not self.guessed(values)
        x, y = self.mark.place(values) if is_seen else (None, None)
        words = "you" if self.guessed(values) else f"your {self.mark.word}"
        words = f"{self.mark.word} {self.control('guess').format(values['guess'])}" if held else words
        marker = {"symbol": "bowtie", "size": 22, "color": VIOLET, "opacity": 1.0}
        look = {"text": [words], "textposition": "top center", "textfont": {"size": 13, "color": VIOLET}}
        return [*own, silent([x], [y], "markers+text", marker=marker, cliponaxis=False, **look, **axes)]

    def _goals(self, values: Values) -> list[list[list[dict[str, Any]]]]:
        """By trace, from the last of the lab to the mark, the places of its points, with a text or None a pick."""
        own = len(self.picks)
        more = [None] * (len(self.all_picks) - own)
        goals = [[[{**goal, "given": [*goal["given"], *more]} for goal in to] for to in self.drags(values)]]
        if self.mark is None:
            return goals
        is_open = not self.answered(values) and self.mark.place(values)[0] is not None
        texts = [self.control(name).format(value) for name, value in self.mark.answers.items()]
        places = []
        for stop in self.mark.stops if is_open else ():
            x, y = self.mark.place({**values, "guess": stop})
            guess = self.control("guess").format(stop)
            given = [*[None] * own, guess, *texts]
            places.append({"x": x, "y": y, "given": given, "held": [*given[: own + 1], *[None] * len(texts)]})
        return [*goals, [places] if places else []]

    @property
    def all_picks(self) -> tuple[str, ...]:
        return (*self.picks, *(("guess", *self.mark.answers) if self.mark else ()))

    def moving_figure(self, values: Values) -> Drawing:
        """The figure with a frame for every stop of the live handles, and an outcome for every drag.

        Each holds all that any of them changes, so that they can follow each other in any order; but the mark stays
        until there is a guess.
        """
        drawing, first, goals = self.figure(values), self.drawn(values), self._goals(values)
        moved = self.moments(values)
        every = [goal for trace in goals for to in trace for goal in to]
        kinds = ((goal, key) for goal in every for key in ("held", "given") if key in goal)
        texts = list(dict.fromkeys((key == "held", *goal[key]) for goal, key in kinds))
        then = [{**values, **self.parsed(text)} for _, *text in texts]
        held = [is_held for is_held, *_ in texts]
        drawn = [*map(self.drawn, moved), *map(self.drawn, then, held)]
        changed = _changed(first, drawn)
        stays = self.mark is not None and not self.guessed(values)
        frames = [_taken(traces, changed, stays) for traces in drawn[: len(moved)]]
        for goal in every:
            goal["outcome"] = texts.index(("held" in goal, *goal.pop("held", goal["given"])))
            goal["then"] = texts.index((False, *goal["given"]))
        is_new = [self.mark is not None and now["guess"] != values["guess"] for now in then]
        lines = [  # of the guess, "" where there is no new one
            (self.guess if is_held else self.guess_line(now)) if is_guess else ""
            for is_guess, is_held, now in zip(is_new, held, then, strict=True)
        ]
        count = len(changed)
        outcomes = [
            {
                "data": _taken(traces, changed, stays and not line),
                "traces": list(range(count)),
                "said": self.now_said(now) | ({"guess": line} if line else {}),
            }
            for traces, now, line in zip(drawn[len(moved) :], then, lines, strict=True)
        ]
        if stays and not goals[-1]:
            first[-1] |= {"x": [None], "y": [None]}  # the answer has been seen
        fig = moving(unchecked({"data": first, "layout": layout_of(drawing.figure)}), frames, range(count))
        for trace, trace_goals in zip(traces_of(fig)[count - len(goals) :], goals, strict=True):
            if trace_goals:
                trace |= {"meta": {"drag": trace_goals}}
        layout = layout_of(fig)
        layout["meta"] = {
            "screen": [self.now_said(now) for now in moved],
            "outcomes": outcomes,
            "picks": self.all_picks,
            "now": self.now_said(values),
            "state": self.state(values),
            "yours": f"Your {self.mark.word}" if self.mark else "",
            "asks": self.mark is not None and self.mark.place(values)[0] is not None,
        }
        for name in {"xaxis", "yaxis", *(key for key in layout if key[1:5] == "axis")}:
            layout[name] = {**layout.get(name, {}), "fixedrange": True}
        return Drawing(fig, self.title, drawing.alt)

    def state(self, values: Values) -> str:
        """The values as JSON, by which the browser knows whether sentence and figure are about the same."""
        return json.dumps({control.name: control.format(values[control.name]) for control in self.controls})

    def parsed(self, texts: Sequence[str | None]) -> dict[str, Any]:
        """The values that a drag gives, without a guess if it is of a document."""
        by_name = {control.name: control for control in self.controls}
        given = zip(self.all_picks, texts, strict=False)
        return {name: by_name[name].parse(text) for name, text in given if text is not None}

    def now_said(self, values: Values) -> dict[str, str]:
        """Every word that changes, with that of every handle, the line of every goal, and which goals are met.

        The line of the guess is left out after a guess, whose answer stays.
        """
        readings = self.readings(values)
        lines = {f"goal{n}": goal.shown(readings) for n, goal in enumerate(self.goals, start=1)}
        met = "".join(str(int(goal.goal.is_met(readings))) for goal in self.goals)
        guess = {} if self.guessed(values) else {"guess": self.guess_line(values)}
        guess["answer"] = self.answer(values) if self._shows(values) else ""
        return {**self._words(values), **self.said(values), **lines, **guess, "met": met}

    def guess_line(self, values: Values) -> str:
        """The question of the guess, or its answer, also where there is no place for its mark."""
        if self.mark is None:
            return ""
        if self.guessed(values):
            answer = self.answer(values) if self._shows(values) else ""  # a link may be to other settings
            return f"Your {self.mark.word}: {self.control('guess').format(values['guess'])}. {answer}".rstrip()
        is_asked = not self.answered(values) and self.mark.place(values)[0] is not None
        return self.guess if is_asked else self.answer(values)

    def html(
        self, values: Values, locked: frozenset[str] = frozenset(), answer: str | None = None
    ) -> tuple[str, str, str]:
        """HTML of sentence, guess and goals; numbers that are `locked` are plain text, an `answer` stays."""
        parts = {name: f"<b>{escape(text)}</b>" for name, text in self._words(values).items()}
        frames = self._frames(values, locked)
        for name, stops in self._stops(values).items():
            at = list(stops).index(values[name])
            if name not in locked:
                slider = _slider(name, self.handles[name], self.control(name), stops, at, frames[name])
                parts[name] = slider if len(stops) > 1 else ""
        for name in self.choices.keys() - locked:
            parts[name] = _select(name, self.control(name), self.choices[name], values[name])
        said = self.said(values).items()
        parts |= {f"={name}": f'<output data-said="{name}">{escape(text)}</output>' for name, text in said}
        longest = self.text.format_map(self._longest(values))  # has its height, so that the figure never jumps
        above, state = self.text.format_map(parts), escape(self.state(values))
        return (
            f'<p class="irviz-question">{escape(self.question)}</p><div class="irviz-sentence">'
            f'<p class="irviz-screen" data-state="{state}">{above}</p>'
            f'<p class="irviz-screen" aria-hidden="true">{longest}</p></div>',
            '<p class="irviz-screen irviz-guess"><output data-said="guess">'
            f"{escape(self.guess_line(values) if answer is None else answer)}</output></p>",
            self._goals_html(values),
        )

    def _longest(self, values: Values) -> dict[str, str]:
        """The longest words of every part of the sentence at the stops of live handles and at every choice."""
        chosen = [{**values, name: key} for name, options in self.choices.items() for key in options]
        every = [
            self._words(now) | {f"={name}": text for name, text in self.said(now).items()}
            for now in (*self.moments(values), *chosen)
        ]
        longest = {name: escape(max((each.get(name, "") for each in every), key=len)) for name in every[0]}
        wide = '<b class="irviz-wide" style="--wide: {}">{}</b>'
        return {
            name: text if name[0] == "=" or not text else wide.format(len(text), text) for name, text in longest.items()
        }

    def _frames(self, values: Values, locked: frozenset[str]) -> dict[str, dict[str, Any]]:
        """By handle, its first frame, −1 without any; how many frames a stop is; what it is combined with."""
        stops, first, frames = self._stops(values), 0, {}
        for name in stops:
            is_alone = self.handles[name].live and name not in self.combined
            frames[name] = {"first": first if is_alone else -1, "stride": 1, "others": []}
            first += len(stops[name]) if is_alone else 0
        strides = {
            name: prod(len(stops[other]) for other in self.combined[n + 1 :]) for n, name in enumerate(self.combined)
        }
        first += sum(list(stops[name]).index(values[name]) * strides[name] for name in self.combined if name in locked)
        for name in self.combined:
            others = [other for other in self.combined if other != name and other not in locked]
            frames[name] = {"first": first, "stride": strides[name], "others": others}
        return frames

    def _goals_html(self, values: Values) -> str:
        said, first = self.now_said(values), self.readings({control.name: control.default for control in self.controls})
        items = "".join(
            f'<li class="irviz-goal" data-lab="{self.name}" data-step="{n}" data-of="{len(self.goals)}" '
            f'data-met="{said["met"][n - 1]}"><details><summary>{escape(goal.title)} '
            f'<output data-said="goal{n}">{escape(said[f"goal{n}"])}</output><i class="irviz-why"></i>'
            f'<i class="irviz-hint">{escape(goal.hint)}</i></summary></details>'
            f'<span aria-hidden="true">{escape(goal.longest(first))}</span></li>'
            for n, goal in enumerate(self.goals, start=1)
        )
        return f'<ol class="irviz-goals">{items}</ol>'

    def strides(self, values: Values) -> list[tuple[str, list[str], int]]:
        """By combined handle, the texts of its stops, and how many frames a stop is."""
        stops, frames = self._stops(values), self._frames(values, frozenset())
        return [
            (name, [self.control(name).format(stop) for stop in stops[name]], frames[name]["stride"])
            for name in self.combined
        ]

    @property
    def carrier(self) -> str:
        """The number that carries the idea: the first with many live stops, else the first."""
        values = {control.name: control.default for control in self.controls}
        return max(self.handles, key=lambda name: self.handles[name].live and len(self.handles[name].stops(values)) > 2)

    def without_server(self, *names: str) -> Screen:
        """The lab with some of its numbers alone, which the browser moves; with one, its label in place of the text."""
        handles = {name: self.handles[name] for name in names}
        text = self.text if len(names) > 1 else "".join(f"{one.label}: {{{name}}}" for name, one in handles.items())
        bare: dict[str, Any] = {
            "mark": None,
            "combined": tuple(name for name in self.combined if name in names),
            "drags": lambda values: [],
            "picks": (),
        }
        return replace(self, handles=handles, text=text, guess="", **bare)

    def control(self, name: str) -> Control:
        """A control of the lab."""
        return next(control for control in self.controls if control.name == name)


def _changed(first: Sequence[Trace], others: Sequence[Sequence[Trace]]) -> list[list[str]]:
    """By trace, the properties that differ in any of the others."""
    return [
        [name for name in _MOVED if name in trace and any(not _same(trace[name], traces[n][name]) for traces in others)]
        for n, trace in enumerate(first)
    ]


def _taken(traces: Sequence[Trace], changed: Sequence[Sequence[str]], but_last: bool) -> list[Trace]:
    """These properties of the traces; none of the last one, if it is left out."""
    taken = [{name: trace[name] for name in names} for trace, names in zip(traces, changed, strict=True)]
    return [*taken[:-1], {}] if but_last else taken


def _same(a: Any, b: Any) -> bool:
    return bool(a == b if isinstance(a, dict | str) else list(a) == list(b))


def _slider(
    name: str, handle: Handle, control: Control, stops: Sequence[Any], at: int, frames: Mapping[str, Any]
) -> str:
    texts, words = [control.format(stop) for stop in stops], [handle.words(stop) for stop in stops]
    data = {"texts": texts, "words": words, **frames}
    kind = "" if all(word[:1].isdigit() for word in words) else " irviz-word"
    return (
        f'<span role="slider" tabindex="0" class="irviz-number{kind}" style="--wide: {max(map(len, words))}" '
        f'data-name="{name}" data-stops="{escape(json.dumps(data))}" data-last="{int(at + 1 == len(stops))}" '
        f'aria-label="{escape(handle.label)}" aria-valuemin="0" aria-valuemax="{len(stops) - 1}" aria-valuenow="{at}" '
        f'aria-valuetext="{escape(words[at])}">{escape(words[at])}</span>'
    )


def _select(name: str, control: Control, options: Mapping[str, str], now: str) -> str:
    each = "".join(
        f'<option value="{escape(key)}"{" selected" if key == now else ""}>{escape(words)}</option>'
        for key, words in options.items()
    )
    return f'<select data-name="{name}" aria-label="{escape(control.label)}">{each}</select>'
