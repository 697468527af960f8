"""The reference of irviz's public names, from their docstrings: ``python -m benchmarks.api`` writes docs/api.md."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from typing import Any

import irviz
import irviz.types

FILE = Path(__file__).resolve().parents[1] / "docs" / "api.md"
GROUPS = {
    "Collections": (
        "load_collection",
        "open_collection",
        "collection_from_frames",
        "from_ir_datasets",
        "load_intents",
        "contributions",
        "counts",
    ),
    "Measures and scores": ("measure", "measures", "score", "load_scores", "scores_from_frames", "residual"),
    "From topics to systems": ("summarise", "standardise", "hardness"),
    "Analyses": ("similarity", "consistency", "significance", "pool_reduction", "sweep", "scale_type", "dominance"),
    "Equal steps": ("attainable", "equal_steps"),
    "Conclusions": ("worlds", "conclusion", "undisputed", "power"),
    "Judges": ("judges", "replaced"),
    "Users": ("load_satisfaction", "satisfaction", "load_preferences", "preferences", "compatibility", "rbo"),
    "Published findings": ("findings",),
    "In a notebook": ("show", "open"),
    "Errors": ("IrvizError",),
}
HEAD = """# Python reference

Made from the docstrings by `python -m benchmarks.api`. Every name below is `irviz.NAME`; measures have
[a reference of their own](measures.md), the command line explains itself (`irviz --help`), and the
[tutorial](tutorial.ipynb) walks through. The classes that functions return are in `irviz.types`, for annotations.

**Versions.** Names on this page follow semantic versioning from 1.0 on; until then a second number that rises may
change them. What is to go works for one such version longer with a `DeprecationWarning` that names its successor. A
change of any computed number has a heading of its own in the CHANGELOG, and links and `.irviz` files of older versions
keep opening.

**Words.** `c` is a Collection (or Scores, where both are named), `s` Scores, `matrix` a DataFrame topics × systems or
Scores of one measure; `measures` are expressions or measures, `summary` says how topics are averaged, `seed` gives the
same numbers again, `progress` is called with the share done and a sentence, `workers` changes no bit of a result. What
cannot be done is refused with an `IrvizError` that says what is wrong, where, what was found, and what to do.
"""
_ROLE = re.compile(r":\w+:`~?([^`<]+?)(?:\s*<[^>]*>)?`")
_SHORT = ("Returns", "Raises")  #: a kind and a sentence or two


def markdown() -> str:
    """The whole page."""
    known: set[str] = set()
    lines = [line for group, names in GROUPS.items() for line in _group(group, names, known)]
    lines += ["## Parts of these\n"]
    lines += [line for name in irviz.types.__all__ if name not in known for line in _class(getattr(irviz.types, name))]
    return "\n".join([HEAD, *lines]).rstrip() + "\n"


def _group(group: str, names: tuple[str, ...], known: set[str]) -> Iterator[str]:
    """A group of functions, then the classes that they return and that are not `known` from groups before."""
    yield f"## {group}\n"
    kinds: dict[type, None] = {}
    for name in names:
        one = getattr(irviz, name)
        yield f"### {name}\n"
        if inspect.isfunction(one):
            yield f"```python\nirviz.{name}{_signature(one)}\n```\n"
            kinds |= dict.fromkeys(_returned_classes(one))
        yield from documented(one)
    for kind in kinds:
        if kind.__name__ not in known:
            known.add(kind.__name__)
            yield from _class(kind)


def _class(kind: type) -> Iterator[str]:
    yield f"### {kind.__name__}\n"
    yield from documented(kind)
    yield from _methods(kind)


def _signature(function: Any, bound: bool = False) -> str:
    """Names and defaults; types stand with the parameters."""
    found = inspect.signature(function)
    shown = [one for one in found.parameters.values() if not one.name.startswith("_")][bound:]
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in shown]
    text = str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return re.sub(r"=(Limits)\([^()]*\)", r"=\1()", text)


def _first(text: str) -> str:
    return text.split("\n\n")[0]


def _returned_classes(function: Any) -> list[type]:
    found = typing.get_type_hints(function).get("return")
    kinds = typing.get_args(found) if isinstance(found, types.UnionType) else (found,)
    return [kind for kind in kinds if inspect.isclass(kind) and kind.__module__.startswith("irviz.")]


def _methods(kind: type) -> Iterator[str]:
    """What the class can do, a line each."""
    rows = []
    for name, member in inspect.getmembers(kind):
        said, called = inspect.getdoc(member) or "", inspect.isfunction(member)
        if said and not name.startswith("_") and (called or isinstance(member, property | cached_property)):
            rows.append(f"- `.{name}{_signature(member, bound=True) if called else ''}`: {plain(_first(said))}")
    known = f"{kind.__doc__} {rows}"
    fields = [one.name for one in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
    if further := [f"`{name}`" for name in fields if name[0] != "_" and not re.search(rf"\b{name}\b", known)]:
        rows.append(f"- Further fields: {', '.join(further)}.")
    if rows:
        yield "\n".join(rows) + "\n"


def documented(one: Any) -> Iterator[str]:
    """A docstring as markdown: prose, lists of parameters, examples."""
    text = inspect.getdoc(one) or ""
    if inspect.isclass(one) and dataclasses.is_dataclass(one) and text.startswith(f"{one.__name__}("):
        return
    heading, body = "", []
    for line, below in _lines(text):
        if re.fullmatch(r"-{3,}", below) and len(below) == len(line):
            yield from _section(heading, body)
            heading, body = line, []
        elif not (re.fullmatch(r"-{3,}", line) and not body):
            body.append(line)
    yield from _section(heading, body)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines()
    return zip(lines, [*lines[1:], ""], strict=True)


def _section(heading: str, body: list[str]) -> Iterator[str]:
    text = dedent("\n".join(body)).strip("\n").replace(".. math::\n\n", ".. math::\n")
    if not text:
        return
    if heading in _SHORT:
        said = [entry.partition("\n") for entry in re.split(r"\n(?=\S)", text)]
        yield f"**{heading}.** " + " ".join(f"{plain(a)}: {plain(b)}" if b else plain(a) for a, _, b in said) + "\n"
    elif not heading or heading == "Notes":
        title = f"**{heading}.** " if heading else ""
        yield title + "\n\n".join(_paragraph(part) for part in text.split("\n\n")) + "\n"
    elif heading == "Examples":
        yield f"```python\n{text}\n```\n"
    elif heading == "References":
        yield f"**References.** {plain(re.sub(r'[.]{2} ', '', text))}\n"
    else:
        yield f"**{heading}**\n\n" + "\n".join(_entries(text)) + "\n"


def _entries(text: str) -> Iterator[str]:
    """``name : type`` with its indented words, as items of a list."""
    for entry in re.split(r"\n(?=\S)", text):
        head, _, words = entry.partition("\n")
        name, _, kind = head.partition(" : ")
        said = plain(words)
        yield f"- `{name}`{f' ({plain(kind)})' if kind else ''}{f': {said}' if said else ''}"


def _paragraph(text: str) -> str:
    """Prose in one line; a formula or a listing as it stands."""
    if text.lstrip().startswith(".. math::"):
        formula = " ".join(text.replace(".. math::", "").split())
        return f"$$ {formula} $$"
    if text.startswith(">>>"):
        return f"```python\n{text}\n```"
    indented = all(line.startswith("    ") for line in text.splitlines())
    return f"```\n{dedent(text)}\n```" if indented else plain(text.removesuffix("::"))


def plain(text: str) -> str:
    """Prose of a docstring as markdown, on one line."""
    flat = " ".join(text.split())
    flat = _ROLE.sub(lambda found: f"`{found[1].removeprefix('irviz.').rpartition('.')[2]}`", flat)
    flat = re.sub(r"\[(\d)\]_", r"[\1]", flat)
    return re.sub(r"``([^`]+)``", r"`\1`", flat)


if __name__ == "__main__":
    FILE.write_text(markdown(), encoding="utf-8")
