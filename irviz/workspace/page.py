"""A page as one value: what it asks, its controls, its panel, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irviz.links.control import Control
from irviz.summary.aggregate import MEANS
from irviz.workspace.context import Context, Opened
from irviz.workspace.panel import Lab, Panel
from irviz.workspace.words.aspects import naming_aspect

Values = Mapping[str, Any]  #: what the controls of a page say, by their names


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How the numbers of a page are computed without it: a few lines of Python, and one command.

    Attributes
    ----------
    table : str
        The table of the page that the code gives, as a frame called ``table``.
    python : callable
        The lines after the data and the scores are there.
    command : callable
        The words of the command line, without the data.
    scored : bool
        Whether the lines start from scores ``s``, or from the collection ``c``.
    """

    table: str
    python: Callable[[Context, Values], list[str]]
    command: Callable[[Context, Values], list[str]]
    scored: bool = True


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the dashboard.

    Attributes
    ----------
    name : str
        Its address.
    title, question : str
        What it is called, and what it answers.
    panel : callable
        ``panel(context, values)``, a pure function; a lab's is given None where no data are open.
    controls : tuple of Control
        What makes the values.
    lab : bool
        Whether it is a lab: its panel returns a :class:`~irviz.workspace.panel.Lab`.
    pinnable : bool
        Whether its views can be a baseline.
    focus : str
        The control that names the one measure a page is about; "" where it is about all of them.
    recipe : Recipe, optional
        How its numbers are computed without it, where one public function computes them.
    measured : bool
        Whether it is about the sidebar's measures; where it is not, they are not shown.
    averaged : bool
        Whether the sidebar's average over topics makes a difference to it.
    highlights : bool
        Whether the systems that the sidebar highlights stand out on its figures.
    few : int
        How many measures a first answer is about, where few draws do not make it quick; 0 for all.
    looks_at : callable, optional
        The aspects that it takes for a measure that names none; the first one where it has no such choice.
    chooses_from : callable, optional
        Whether there is anything to choose from what is open; where there is not, its controls and the sidebar's
        measures and highlighted systems are not shown.
    """

    name: str
    title: str
    question: str
    panel: Callable[[Any, Values], Panel | Lab]
    controls: tuple[Control, ...] = ()
    lab: bool = False
    pinnable: bool = False
    focus: str = ""
    recipe: Recipe | None = None
    measured: bool = True
    averaged: bool = True
    highlights: bool = False
    few: int = 0
    looks_at: Callable[[Context, Values], Sequence[str]] | None = None
    chooses_from: Callable[[Opened], bool] | None = None

    def offers_choices(self, opened: Opened) -> bool:
        """Whether its controls change anything with what is open."""
        return self.chooses_from is None or self.chooses_from(opened)

    def controls_for(self, texts: Mapping[str, str]) -> tuple[Control, ...]:
        """The controls with the defaults they have under these texts of the page."""
        return self.controls

    def shown(self, context: Any, values: Values) -> Panel | Lab:
        """What the panel gives, with the aspect named where there are several and the numbers are of one."""
        drawn = self.panel(context, values)
        if not (isinstance(drawn, Panel) and (self.measured or self.looks_at) and context):
            return drawn
        looked_at = self.looks_at(context, values) if self.looks_at else ()
        return naming_aspect(context, values, drawn, looked_at, self.measured)


def from_lists(opened: Opened) -> bool:
    """Whether there are rankings and judgments to choose from, and not only scores."""
    return opened.collection is not None


# -- what recipes say about the average over topics ------------------------------------------


def eps_argument(context: Context) -> str:
    """The ε of the sidebar as a further argument of a Python call."""
    return "" if context.eps is None else f", eps={context.eps!r}"


def average_words(context: Context) -> list[str]:
    """The sidebar's average over topics as words of the command line."""
    own = context.eps is not None and MEANS[context.summary].eps is not None
    return ["--summary", context.summary, *(["--eps", repr(context.eps)] if own else [])]
