"""Options of a command from the function that it calls: names, types and defaults are those of the signature.

Their help is what the docstring says first of the parameter.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from inspect import Parameter, getdoc, signature
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from irviz.cli import data
from irviz.collection.topics import read_groups
from irviz.workspace.control import split_expressions, split_names

_DESCRIBED = re.compile(r"^(\w+(?:, \w+)*)(?: :.*)?\n((?:    .*\n?)+)", re.MULTILINE)
_ROLE = re.compile(r":\w+:`~?(?:[\w.]+\.)?(\w+)`|`+([^`]+)`+")


_ALIKE = {
    "summary": "from topics to one number per system",
    "eps": "ε of the geometric and harmonic means",
    "confidence": "confidence level of the intervals",
    "alpha": "significance level: p-values below it are significant",
    "seed": "the same seed gives the same numbers",
    "groups": "{}; a file with a topic, a tab and its group a line",
    "workers": "number of workers, or the name of a joblib backend",
}  #: parameters that mean the same of every function


_SEVERAL = (Collection, Iterable, Sequence)  #: types of lists


def add_options(
    parser: argparse._ActionsContainer,
    function: Callable[..., Any],
    *names: str,
    flags: Mapping[str, Sequence[str]] | None = None,
    helps: Mapping[str, str] | None = None,
    **own: Any,
) -> None:
    """Add an option for each of these parameters of a function.

    `flags` are options that are not called after their parameter, () for an argument by its place; `helps` help that
    is not the docstring's; `own` defaults that are not the function's.
    """
    hints, declared = get_type_hints(function), signature(function).parameters
    words = _words(function) | dict(helps or {})
    for name in names:
        default, said = own.get(name, declared[name].default), _ALIKE.get(name, "{}").format(words.get(name, ""))
        how = _reading(name, hints[name])
        if default not in (None, Parameter.empty):
            said += f" (default {_text(default)})"
        how["help"] = said.strip().replace("%", "%%")
        option = (flags or {}).get(name, [f"--{name}"])
        if not option:
            parser.add_argument(name, nargs="?" if default is None else None, **how)
            continue
        if "action" not in how:
            how["default"] = default
        parser.add_argument(*option, dest=_place(option[0]), required=default is Parameter.empty, **how)


def _place(option: str) -> str:
    return option.removeprefix("--").replace("-", "_")


def given(
    arguments: argparse.Namespace,
    function: Callable[..., Any],
    *names: str,
    flags: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Arguments of a function by the options of :func:`add_options`, without those that were not given."""
    hints, found = get_type_hints(function), {}
    for name in names:
        option = (flags or {}).get(name, [f"--{name}"])[0]
        value = getattr(arguments, _place(option))
        if value is None:
            continue
        if name == "groups":
            value = read_groups(data.fetch_all([value])[0])
        elif isinstance(value, list):
            hint = next(kind for kind in (hints[name], *get_args(hints[name])) if get_origin(kind) in _SEVERAL)
            value = _LISTS.get(get_args(hint)[0], _texts)(value, option)
            alone = value[0] if len(value) == 1 and int in get_args(hints[name]) else ""
            if alone.isdecimal() if isinstance(alone, str) else alone.is_integer():
                value = int(alone)
        found[name] = value
    return found


def _reading(name: str, hint: Any) -> dict[str, Any]:
    """How argparse reads a value of this type."""
    kinds = {kind for kind in get_args(hint) or (hint,) if kind is not NoneType}
    if name == "workers":
        return {"type": workers}
    if name == "groups":
        return {"metavar": "FILE"}
    if get_origin(hint) is Literal:
        return {"choices": list(get_args(hint))}
    if any(get_origin(kind) in _SEVERAL for kind in (*kinds, hint)):
        return {"metavar": "LIST", "action": "append"}
    if bool in kinds:
        return {"type": {"True": True, "False": False}.get, "choices": [True, False]}
    return {"type": next((kind for kind in (str, int, float) if kind in kinds), str)}


def workers(text: str) -> int | str:
    """A number of workers, or the name of a backend."""
    return int(text) if text.lstrip("-").isdigit() else text


def _texts(texts: list[str], option: str) -> list[str]:
    return data.entries(texts, split_expressions)


def _numbers_or_texts(texts: list[str], option: str) -> list[float | str]:
    """Numbers where they are finite ones, else texts as an expression takes them."""
    found: list[float | str] = []
    for text in data.entries(texts, split_expressions):
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        found.append(number if math.isfinite(number) else text)
    return found


_LISTS: dict[Any, Callable[[list[str], str], Any]] = {
    float: partial(data.asked_numbers, form="numbers with commas between them, such as .9,.5,.1"),
    int: partial(data.asked_numbers, form="whole numbers with commas between them, such as 100,50", kind=int),
    float | str: _numbers_or_texts,
    str | int: lambda texts, option: data.entries(texts, split_names),
}  #: what a list holds → how it is read


def _words(function: Callable[..., Any]) -> dict[str, str]:
    """Parameter → the first sentence that the docstring says of it."""
    text = (getdoc(function) or "").partition("Parameters\n----------\n")[2].partition("\n\n")[0] + "\n"
    words: dict[str, str] = {}
    for names, described in _DESCRIBED.findall(text):
        first = re.split(r"""(?<=[\w`][.;]) (?=[A-Z`"])|\.$""", " ".join(described.split()))[0].rstrip(".;")
        words |= dict.fromkeys(
            names.split(", "), _ROLE.sub(lambda found: found[1] or found[2], first[:1].lower() + first[1:])
        )
    return words


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
