"""A page as one value: what it asks, its controls, its panel, and what can be done with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irviz.measures import measure
from irviz.stats.aggregate import MEANS
from irviz.workspace.context import Context, Opened
from irviz.workspace.control import Control
from irviz.workspace.panel import Lab, Panel

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


def naming_aspect(
    context: Context, values: Mapping[str, Any], panel: Panel, looked_at: Sequence[str] = (), measured: bool = True
) -> Panel:
    """The panel with the aspect named, where the collection has several and a measure looks at one of them.

    Parameters
    ----------
    looked_at : aspects that the page takes for a measure that names none; the first one where it chooses none.
        A page that takes several says itself where it looks at which.
    measured : whether the page is about the measures that are chosen; otherwise its own name no aspect
    """
    collection = context.opened.collection
    if collection is None or len(collection.aspects) < 2 or len(looked_at) > 1:
        return panel
    names = (values["measure"],) if "measure" in values else context.measures
    of_first = [_is_of_first(name) for name in names] if measured else [True]
    if not any(of_first):
        return panel
    aspect = looked_at[0] if looked_at else collection.aspects[0]
    if not all(of_first):
        return replace(panel, sentence=f"{panel.sentence} Measures that name no aspect look at {aspect}.")
    rows = tuple(
        {key: replace(one, title=_with_aspect(one.title, aspect)) for key, one in row.items()} for row in panel.drawings
    )
    return replace(panel, sentence=f"{panel.sentence} The aspect is {aspect}.", drawings=rows)


def _with_aspect(title: str, aspect: str) -> str:
    """The title with the aspect, before its full stop; as it is where it names the aspect by itself.

    >>> _with_aspect("`x` moves most.", "relevance"), _with_aspect("Documents by relevance grade", "relevance")
    ('`x` moves most (relevance).', 'Documents by relevance grade')
    >>> _with_aspect("Which beats which (α = 0.05)", "relevance")
    'Which beats which (α = 0.05, relevance)'
    """
    if re.search(rf"\b{re.escape(aspect)}\b", title):
        return title
    if re.search(r" \([^()]+\)$", title):
        return f"{title[:-1]}, {aspect})"
    stop = "." if title.endswith(".") else ""
    return f"{title.removesuffix('.')} ({aspect}){stop}"


def _is_of_first(name: str) -> bool:
    """Whether a measure looks at the first aspect alone."""
    one = measure(name)
    return one.aspect is None and not one.several_aspects
