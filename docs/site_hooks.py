"""What the documentation site takes from the code: the catalogues of measures, and the commands with their options.

A line ``<!-- NAME -->`` of a page is replaced by what ``TABLES[NAME]`` returns.
"""

from __future__ import annotations

import argparse
import inspect
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import irviz.types
from irviz.cli.main import COMMANDS, parser
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.measures.graded_ap import GradedAP
from irviz.measures.language.base import Expression, Measure
from irviz.measures.language.parameters import declarations, value_text

CUTS = {"optional": "`@k` looks at the first k ranks only.", "required": "`@k` is needed.", "none": ""}


def measure_reference() -> str:
    """A section for every measure, browsing model and aggregation, in the order of the catalogues."""
    parts: list[str] = []
    for group, kinds in groupby((*MEASURES, *BROWSING_MODELS, *AGGREGATIONS), _group):
        parts.append(f"## {group}")
        parts.extend(map(section, kinds))
    return "\n\n".join(parts)


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


def _prose(kind: type[Expression]) -> str:
    text = inspect.cleandoc(kind.__doc__ or "")
    for heading in ("\nExamples\n---", "\nNotes\n---", "\nReferences\n---", "\nParameters\n---"):
        text = text.partition(heading)[0]
    return text.replace("``", "`").strip()


def _measure_facts(kind: type[Measure]) -> Iterator[str]:
    """Range, the score of the ideal ranking, and the scale type with 2 and 3 grades, with default parameters."""
    one = with_grades(kind, 3)
    low, high = ("any height" if math.isinf(end) else f"{end:.4g}" for end in one.score_range((0.0, 1.0, 2.0)))
    yield f"Range: {low} to {high}. {getattr(kind, 'range_note', '')}".rstrip()
    if one.ideal_is_one:
        yield "The ideal ranking scores exactly 1, where the cutoff leaves room for all relevant documents."
    for grades in (2, 3):
        scale = with_grades(kind, grades).scale(tuple(map(float, range(grades))))
        yield f"Scale with {grades} grades: **{scale.kind}**. {scale.reason} ({scale.source})"


def with_grades(kind: type[Measure], grades: int) -> Measure:
    """The measure with default parameters; the g of graded AP must know how many grades there are."""
    one = kind()
    return replace(one, g=(1 / (grades - 1),) * (grades - 1)) if isinstance(one, GradedAP) else one


def command_reference() -> str:
    """Every command with its options, as ``irviz COMMAND --help`` prints them."""
    words = next(one for one in parser("irviz")._actions if isinstance(one, argparse._SubParsersAction))
    return "\n\n".join(f"## `irviz {name}`\n\n```text\n{words.choices[name].format_help()}```" for name in COMMANDS)


def type_reference() -> str:
    """The classes that functions return."""
    return "\n\n".join(f"::: {getattr(irviz.types, name).__module__}.{name}" for name in irviz.types.__all__)


TABLES: dict[str, Callable[[], str]] = {
    "measures": measure_reference,
    "commands": command_reference,
    "types": type_reference,
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the tables of a page, and name files outside of the site instead of linking them; called by mkdocs."""
    markdown = re.sub(r"\[([^\]]+)\]\(\.\./[^)]*\)", r"\1", markdown)
    return re.sub(r"^<!-- (\w+) -->$", lambda found: TABLES[found[1]](), markdown, flags=re.MULTILINE)
