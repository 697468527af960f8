"""Controls of several pages: how rankings are compared, ε, the significance level, and random draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from irviz.figures import END_ROWS, MOST_ROWS
from irviz.stats.correlation import COEFFICIENTS
from irviz.workspace.control import Choice, Flag, Number

COEFFICIENT = Choice(
    name="coefficient",
    label="Coefficient",
    default="tau",
    options=tuple((name, one.label) for name, one in COEFFICIENTS.items()),
    help="Kendall's τ and Spearman's ρ compare ranks, AP correlation gives more weight to the top ranks, Pearson's r "
    "compares scores. All range from −1 (opposite) through 0 (unrelated) to 1 (the same).",
)
SEED = Number(name="seed", label="Seed", low=0, high=999_999, whole=True, default=0, widget=False)
ALPHA = Number(
    name="alpha",
    label="α",
    help="A difference is significant if its p-value is below α.",
    low=0.001,
    high=0.2,
    step=0.001,
    slider=False,
    default=0.05,
    aside=True,
)


def every_system(shown_if: Callable[[dict[str, Any]], bool] = lambda values: True, **own: Any) -> Flag:
    """A switch for all rows of figures with one row per system, where there are many; `own` are its other fields."""
    return Flag(
        name="every",
        label="All systems in the figure",
        help=f"Of more than {MOST_ROWS} systems, a figure with one row per system has the first {END_ROWS}, the last "
        f"{END_ROWS}, the one in the middle and the highlighted ones.",
        from_context=lambda context: {"shown_if": lambda values: len(context.systems) > MOST_ROWS and shown_if(values)},
        **own,
    )


EVERY = every_system()


def eps_control(name: str, label: str, help: str, default: float | None, **own: Any) -> Number:
    """The ε of an average over topics, in the range of Ravana & Moffat 2009, Figure 1."""
    return Number(
        name=name, label=label, help=help, low=1e-6, high=100.0, step=0.01, slider=False, default=default, **own
    )


def repeats(default: int, **own: Any) -> Number:
    """How often judgments are sampled, independently; `own` are the fields that a page changes."""
    usual = Number(name="repeats", label="Repeats", low=1, high=100, whole=True, default=default, widget=False)
    return replace(usual, **own)


DRAWN = 400_000_000  #: draws × topics × systems that a page makes by default: about ten seconds


def trials(default: int, high: int, **own: Any) -> Number:
    """The number of random draws; less than `default`, but at least 100, if that would take over ten seconds."""

    def fewer(context: Any) -> dict[str, Any]:
        affordable = DRAWN // (len(context.topics) * len(context.systems))
        return {"default": min(default, max(100, affordable))}

    usual = Number(
        name="trials", label="Trials", low=10, high=high, whole=True, default=default, widget=False, from_context=fewer
    )
    return replace(usual, **own)
