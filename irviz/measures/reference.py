"""The measure reference, from the catalogues: as data for a page, and as ``docs/measures.md``.

``python -m irviz.measures.reference > docs/measures.md`` makes the file again; a test
holds it to the catalogues.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.measures.graded_ap import GradedAP
from irviz.measures.language.base import Expression, Measure, Scale
from irviz.measures.language.parameters import declarations, written

CUTS = {
    "optional": "`@k` looks at the first k ranks only.",
    "required": "`@k` is needed.",
    "none": "",
}


@dataclass(frozen=True)
class ParameterEntry:
    """One parameter: what it means, what it may be, what it is by default."""

    name: str
    doc: str
    domain: str
    default: str


@dataclass(frozen=True)
class MeasureEntry:
    """One measure, browsing model or aggregation, as the reference shows it."""

    family: str
    group: str
    symbol: str
    title: str
    says: str  #: the docstring's prose, in paragraphs
    formula: str  #: LaTeX
    parameters: tuple[ParameterEntry, ...]
    cut: str
    range: tuple[float, float] | None
    range_note: str
    ideal_is_one: bool
    scales: tuple[tuple[int, Scale], ...]  #: (number of grades, scale type), with default parameters, at any depth
    source: str


def reference() -> tuple[MeasureEntry, ...]:
    """Everything in the catalogues, in their order."""
    return tuple(entry(kind) for kind in (*MEASURES, *BROWSING_MODELS, *AGGREGATIONS))


def entry(kind: type[Expression]) -> MeasureEntry:
    """The entry of one class in the reference."""
    return MeasureEntry(
        kind.family,
        kind.group if issubclass(kind, Measure) else kind.family.capitalize() + "s",
        kind.symbol,
        kind.title,
        _prose(kind),
        getattr(kind, "formula", ""),
        tuple(_parameters(kind)),
        CUTS[kind.cut],
        _with_grades(kind, 3).score_range((0.0, 1.0, 2.0)) if issubclass(kind, Measure) else None,
        getattr(kind, "range_note", ""),
        issubclass(kind, Measure) and _with_grades(kind, 3).ideal_is_one,
        tuple(_scales(kind)) if issubclass(kind, Measure) else (),
        getattr(kind, "source", ""),
    )


def _scales(kind: type[Measure]) -> Iterator[tuple[int, Scale]]:
    for grades in (2, 3):
        yield grades, _with_grades(kind, grades).scale(tuple(map(float, range(grades))))


def _with_grades(kind: type[Measure], grades: int) -> Measure:
    """The measure with default parameters; the g of graded AP must know how many grades there are."""
    one = kind()
    return replace(one, g=(1 / (grades - 1),) * (grades - 1)) if isinstance(one, GradedAP) else one


def _prose(kind: type[Expression]) -> str:
    text = inspect.cleandoc(kind.__doc__ or "")
    for heading in ("\nExamples\n---", "\nNotes\n---", "\nReferences\n---", "\nParameters\n---"):
        text = text.partition(heading)[0]
    return text.replace("``", "`").strip()


def _parameters(kind: type[Expression]) -> Iterator[ParameterEntry]:
    for name, declared in declarations(kind).items():
        default = kind.__dataclass_fields__[name].default
        yield ParameterEntry(name, declared.doc, declared.kind.describe().removeprefix("be "), written(default))


def reference_markdown() -> str:
    """The reference as one Markdown document."""
    parts = [
        "# Measures\n\nGenerated from the catalogues by `python -m irviz.measures.reference > docs/measures.md`; "
        "do not edit.\n\n"
        "An expression is written `Name(key=value,…)@cutoff`. The scale type is that of the default parameters "
        "on judged runs of any depth, against the total orders of Ferrante et al. 2019, eq. (1) and (4); other "
        "parameters, grades and small depths may differ, see `irviz.scale_type`. The [bibliography](bibliography.md) "
        "lists all works cited."
    ]
    for group, entries in groupby(reference(), lambda one: one.group):
        parts.append(f"## {group}")
        parts.extend(_section(one) for one in entries)
    return "\n\n".join(parts) + "\n"


def _section(one: MeasureEntry) -> str:
    lines = [f"### `{one.symbol}`: {one.title}", one.says, f"$$\n{one.formula}\n$$"]
    if one.parameters:
        rows = [f"| `{p.name}` | `{p.default}` | {p.domain} | {p.doc} |" for p in one.parameters]
        lines.append("\n".join(["| parameter | default | domain | meaning |", "| --- | --- | --- | --- |", *rows]))
    facts = [one.cut] if one.cut else []
    if one.range is not None:
        facts.append(f"Range: {_number(one.range[0])} to {_number(one.range[1])}. {one.range_note}".rstrip())
    if one.ideal_is_one:
        facts.append("The ideal ranking scores exactly 1, where the cutoff leaves room for all relevant documents.")
    facts += [f"Scale with {n} grades: **{scale.kind}**. {scale.reason} ({scale.source})" for n, scale in one.scales]
    facts.append(f"Source: {one.source}.")
    lines.append("\n".join(f"- {fact}" for fact in facts))
    return "\n\n".join(lines)


def _number(x: float) -> str:
    return "any height" if math.isinf(x) else f"{x:.4g}"


if __name__ == "__main__":
    sys.stdout.write(reference_markdown())
