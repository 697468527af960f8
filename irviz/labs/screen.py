"""A lab on one screen: a sentence with numbers one drags, one figure, one guess, goals, a way to real data.

A lab is one function from values to a figure.  Its frames are that figure at every stop of every live handle, and its
outcomes that figure for every place to which a document can be dragged, so that the browser needs no server for them.
``screen.js`` is what moves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import plotly.graph_objects as go

from irviz.figures.motion import HOLDERS, moving
from irviz.figures.theme import Trace
from irviz.figures.unchecked import layout_of, traces_of, unchecked
from irviz.labs.goals import Challenge, Readings
from irviz.workspace.context import Context
from irviz.workspace.control import Control
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel
from irviz.workspace.view import View

_FILES = Path(__file__).parent
SCREEN_STYLE = (_FILES / "screen.css").read_text(encoding="utf-8")
_SCRIPT = (_FILES / "screen.js").read_text(encoding="utf-8")
SCREEN = re.sub("^//.*\n", "", _SCRIPT, flags=re.MULTILINE).replace("HOLDERS", HOLDERS)
_TAG = re.compile("<[^>]+>")
_PAINTED = ("x", "y", "text")  #: what the browser changes in a picture without plotly


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
class Screen(Page):
    """A lab on one screen.

    Attributes
    ----------
    text : str
        HTML in which ``{name}`` is the handle or the choice of a control, and ``{=name}`` a word of `said`.
    guess : str
        The same for the guess, below the figure.
    handles : control → Handle
    choices : control → option → words
    readings : callable
        Given the values, the numbers that goals and exercises name.
    said : callable
        Given the values, the words of the sentence by name.
    figure : callable
        Given the values, the figure.  Neither its traces nor their points may differ between stops of a live handle.
    drags : callable
        Given the values, for each point of the last trace the places to which it can be dragged, see ``drag.js``; each
        holds the texts of `picks`.
    picks : tuple of str
        Controls that a drag sets.
    goals : tuple of Challenge
    data : callable
        Given the values, the words and the view of the same on real data.
    source : str
    notes : tuple of str
        What a teacher can say.
    """

    text: str
    guess: str
    handles: Mapping[str, Handle]
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    readings: Callable[[Values], Readings]
    said: Callable[[Values], Mapping[str, str]]
    figure: Callable[[Values], Drawing]
    drags: Callable[[Values], list[list[dict[str, Any]]]] = lambda values: []
    picks: tuple[str, ...] = ()
    goals: tuple[Challenge, ...]
    data: Callable[[Values], tuple[str, View]]
    source: str
    notes: tuple[str, ...]
    wording: Mapping[str, str] = field(default_factory=dict)
    lab: ClassVar[bool] = True
    uses: frozenset[str] = frozenset({"average"})
    panel: Any = None  #: made of the others

    def __post_init__(self) -> None:
        object.__setattr__(self, "panel", self._panel)

    @property
    def challenges(self) -> tuple[Challenge, ...]:
        """The goals."""
        return self.goals

    def _panel(self, context: Context | None, values: Values) -> Panel:
        """The sentence as text, the moving figure, the goals, and the way to real data."""
        readings = self.readings(values)
        notes = [f"{goal.title} {goal.goal.words(readings, self.wording)}." for goal in self.goals]
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

    def moving_figure(self, values: Values) -> Drawing:
        """The figure with a frame for every stop of the live handles, and an outcome for every drag."""
        drawing = self.figure(values)
        fig, frames, said = drawing.figure, [], []
        for name, stops in self._stops(values).items():
            for stop in stops if self.handles[name].live else ():
                now = {**values, name: stop}
                frames.append(_changes(fig, self.figure(now).figure, _PAINTED))
                said.append(self.now_said(now))
        drags = self.drags(values)
        texts = list(dict.fromkeys(tuple(goal["given"]) for to in drags for goal in to))
        outcomes = []
        for text in texts:
            now = {**values, **self._parsed(text)}
            changes = _changes(fig, self.figure(now).figure, (*_PAINTED, "marker", "textfont"))
            outcomes.append({"data": changes, "traces": list(range(len(changes))), "said": self.now_said(now)})
        goals = [[{**goal, "outcome": texts.index(tuple(goal["given"]))} for goal in to] for to in drags]
        fig = moving(fig, frames, range(len(traces_of(fig))))
        traces = list(traces_of(fig))
        if goals:
            traces[-1] = {**traces[-1], "meta": {"drag": goals}, "customdata": [[None]] * len(goals)}
        layout = {**layout_of(fig), "meta": {"screen": said, "outcomes": outcomes}}
        for name in {"xaxis", "yaxis", *(key for key in layout if key[1:5] == "axis")}:
            layout[name] = {**layout.get(name, {}), "fixedrange": True}
        content = unchecked({"data": traces, "layout": layout})
        content._frame_objs = fig._frame_objs
        return Drawing(content, self.title, drawing.alt, self.picks if goals else ())

    def _parsed(self, texts: Sequence[str | None]) -> dict[str, Any]:
        by_name = {control.name: control for control in self.controls}
        given = zip(self.picks, texts, strict=True)
        return {name: by_name[name].parse(text) for name, text in given if text is not None}

    def now_said(self, values: Values) -> dict[str, str]:
        """Every word that changes, with that of every handle, the line of every goal, and which goals are met."""
        readings = self.readings(values)
        lines = {f"goal{n}": goal.goal.words(readings, self.wording) for n, goal in enumerate(self.goals, start=1)}
        met = "".join(str(int(goal.goal.is_met(readings))) for goal in self.goals)
        return {**self._words(values), **self.said(values), **lines, "met": met}

    def html(self, values: Values, locked: frozenset[str] = frozenset()) -> tuple[str, str]:
        """What stands above the figure and below it; what is `locked` is plain text."""
        parts, first = {name: f"<b>{escape(text)}</b>" for name, text in self._words(values).items()}, 0
        for name, stops in self._stops(values).items():
            handle, at = self.handles[name], list(stops).index(values[name])
            if name not in locked:
                parts[name] = _slider(name, handle, self.control(name), stops, at, first) if len(stops) > 1 else ""
            first += len(stops) if handle.live else 0
        for name in self.choices.keys() - locked:
            parts[name] = _select(name, self.control(name), self.choices[name], values[name])
        said = self.said(values).items()
        parts |= {f"={name}": f'<output data-said="{name}">{escape(text)}</output>' for name, text in said}
        above = self.text.format_map(parts)
        return (
            f'<p class="irviz-screen">{above}</p>',
            f'<p class="irviz-screen">{self.guess.format_map(parts)}</p>{self._goals_html(values)}',
        )

    def _goals_html(self, values: Values) -> str:
        said = self.now_said(values)
        items = "".join(
            f'<li class="irviz-goal" data-lab="{self.name}" data-step="{n}" data-of="{len(self.goals)}" '
            f'data-met="{said["met"][n - 1]}"><details><summary>{escape(goal.title)} '
            f'<output data-said="goal{n}">{escape(said[f"goal{n}"])}</output></summary>'
            f"{escape(goal.hint)}</details></li>"
            for n, goal in enumerate(self.goals, start=1)
        )
        return f'<ol class="irviz-goals">{items}</ol>'

    def control(self, name: str) -> Control:
        """A control of the lab."""
        return next(control for control in self.controls if control.name == name)


def _changes(before: go.Figure, after: go.Figure, names: Sequence[str]) -> list[Trace]:
    """For every trace, the properties that differ."""
    pairs = zip(traces_of(before), traces_of(after), strict=True)
    return [
        {name: new[name] for name in names if name in new and not _same(old.get(name), new[name])} for old, new in pairs
    ]


def _same(a: Any, b: Any) -> bool:
    return a is not None and (a == b if isinstance(a, dict | str) else list(a) == list(b))


def _slider(name: str, handle: Handle, control: Control, stops: Sequence[Any], at: int, first: int) -> str:
    texts, words = [control.format(stop) for stop in stops], [handle.words(stop) for stop in stops]
    data = {"texts": texts, "words": words, "first": first if handle.live else -1}
    return (
        f'<span role="slider" tabindex="0" class="irviz-number" data-name="{name}" '
        f'data-stops="{escape(json.dumps(data))}" '
        f'aria-label="{escape(handle.label)}" aria-valuemin="0" aria-valuemax="{len(stops) - 1}" aria-valuenow="{at}" '
        f'aria-valuetext="{escape(words[at])}">{escape(words[at])}</span>'
    )


def _select(name: str, control: Control, options: Mapping[str, str], now: str) -> str:
    each = "".join(
        f'<option value="{escape(key)}"{" selected" if key == now else ""}>{escape(words)}</option>'
        for key, words in options.items()
    )
    return f'<select data-name="{name}" aria-label="{escape(control.label)}">{each}</select>'
