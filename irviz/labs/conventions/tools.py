"""Two tools on the lab's run: the number of each, and the conventions between the two, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from irviz.labs.conventions.listing import listed_collection, ordered
from irviz.labs.conventions.model import CHOICES, PRESETS, Conventions, outcome_under

SYSTEM = "run"


def both(values: Mapping[str, Any]) -> tuple[Conventions, Conventions]:
    """The conventions of the first tool, and those of the second with what the toggles override."""
    second = PRESETS[values["second"]].conventions
    changed = {name: values[name] for name in CHOICES if values[name]}
    return PRESETS[values["first"]].conventions, replace(second, **changed)


def measure_name(kind: str, k: int) -> str:
    """The measure with its cutoff in place of k."""
    return kind.replace("@k", f"@{k}")


def mean_score(values: Mapping[str, Any], conventions: Conventions) -> float:
    """The run's mean over the topics that count."""
    groups = values["list"]
    order = ordered(groups, conventions.ties)
    collection = listed_collection(groups, values["missed"], values["lost"], {SYSTEM: order})
    return float(outcome_under(collection, values["kind"], values["k"], conventions).means[0])


def one_at_a_time(values: Mapping[str, Any], first: Conventions, second: Conventions) -> list[tuple[str, float]]:
    """The first number, then one more convention of the second side per step, then the second number."""
    path = [(tool(values, "first"), mean_score(values, first))]
    now = first
    for name in first.differing(second, values["kind"]):
        now = replace(now, **{name: getattr(second, name)})
        path.append((f"{CHOICES[name][0]}: {CHOICES[name][1][getattr(second, name)]}", mean_score(values, now)))
    return [*path, (tool(values, "second"), mean_score(values, second))]


def tool(values: Mapping[str, Any], side: str) -> str:
    """The name of a tool; the second one is “changed” if a toggle overrides what it does."""
    one = PRESETS[values[side]]
    changed = side == "second" and one.conventions.differing(both(values)[1], values["kind"])
    return f"{one.words}, changed" if changed else one.words
