"""The measure reference, from the catalogues: ``docs/measures.md``.

``python -m benchmarks.measures > docs/measures.md`` makes the file again; a test
holds it to the catalogues.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.measures.graded_ap import GradedAP
from irviz.measures.language.base import Expression, Measure
from irviz.measures.language.parameters import declarations, value_text

CUTS = {
    "optional": "`@k` looks at the first k ranks only.",
    "required": "`@k` is needed.",
    "none": "",
}


def with_grades(kind: type[Measure], grades: int) -> Measure:
    """The measure with default parameters; the g of graded AP must know how many grades there are."""
    one = kind()
    return replace(one, g=(1 / (grades - 1),) * (grades - 1)) if isinstance(one, GradedAP) else one


def _prose(kind: type[Expression]) -> str:
    text = inspect.cleandoc(kind.__doc__ or "")
    for heading in ("\nExamples\n---", "\nNotes\n---", "\nReferences\n---", "\nParameters\n---"):
        text = text.partition(heading)[0]
    return text.replace("``", "`").strip()


def reference_markdown() -> str:
    """The reference as one Markdown document."""
    parts = [
        "# Measures\n\nGenerated from the catalogues by `python -m benchmarks.measures > docs/measures.md`; "
        "do not edit.\n\n"
        "An expression is written `Name(key=value,…)@cutoff`. The scale type is that of the default parameters "
        "on judged runs of any depth, against the total orders of Ferrante et al. 2019, eq. (1) and (4); other "
        "parameters, grades and small depths may differ, see `irviz.scale_type`. The [bibliography](bibliography.md) "
        "lists all works cited.\n\n"
        "Scores within 1e-12 of each other, relative to the larger, are equal wherever order matters: in Kendall's τ, "
        "AP correlation, Spearman's ρ, ranks, signs, preferences and splits of topics by hardness "
        "(`irviz.Scores.order`). They differ by rounding only."
    ]
    for group, kinds in groupby((*MEASURES, *BROWSING_MODELS, *AGGREGATIONS), _group):
        parts.append(f"## {group}")
        parts.extend(map(section, kinds))
    return "\n\n".join(parts) + "\n"


def _group(kind: type[Expression]) -> str:
    return kind.group if issubclass(kind, Measure) else kind.family.capitalize() + "s"


def section(kind: type[Expression]) -> str:
    """The section of a measure, browsing model or aggregation: prose, formula, parameters and facts."""
    lines = [f"### `{kind.symbol}`: {kind.title}", _prose(kind), f"$$\n{getattr(kind, 'formula', '')}\n$$"]
    rows = []
    for name, declared in declarations(kind).items():
        default = value_text(kind.__dataclass_fields__[name].default)
        domain = declared.kind.describe().removeprefix("be ")
        rows.append(f"| `{name}` | `{default}` | {domain} | {declared.doc} |")
    if rows:
        lines.append("\n".join(["| parameter | default | domain | meaning |", "| --- | --- | --- | --- |", *rows]))
    facts = [CUTS[kind.cut]] if CUTS[kind.cut] else []
    if issubclass(kind, Measure):
        facts += _measure_facts(kind)
    facts.append(f"Source: {getattr(kind, 'source', '')}.")
    lines.append("\n".join(f"- {fact}" for fact in facts))
    return "\n\n".join(lines)


def _measure_facts(kind: type[Measure]) -> Iterator[str]:
    """Range, the score of the ideal ranking, and the scale type with 2 and 3 grades, with default parameters."""
    one = with_grades(kind, 3)
    low, high = map(_number, one.score_range((0.0, 1.0, 2.0)))
    yield f"Range: {low} to {high}. {getattr(kind, 'range_note', '')}".rstrip()
    if one.ideal_is_one:
        yield "The ideal ranking scores exactly 1, where the cutoff leaves room for all relevant documents."
    for grades in (2, 3):
        scale = with_grades(kind, grades).scale(tuple(map(float, range(grades))))
        yield f"Scale with {grades} grades: **{scale.kind}**. {scale.reason} ({scale.source})"


def _number(x: float) -> str:
    return "any height" if math.isinf(x) else f"{x:.4g}"


if __name__ == "__main__":
    sys.stdout.write(reference_markdown())
