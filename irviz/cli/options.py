"""Options of a command from the function that it calls: names, types and defaults are those of the signature.

Their help is what the docstring says first of the parameter.
"""

from __future__ import annotations

import argparse
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from irviz.cli import data
from irviz.workspace.control import split_expressions

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


def add_options(
    parser: argparse.ArgumentParser,
    function: Callable[..., Any],
    *names: str,
    flags: Mapping[str, Sequence[str]] | None = None,
    **own: Any,
) -> None:
    """Add an option for each of these parameters of a function; `own` has defaults that are not the function's."""
    hints, words, declared = get_type_hints(function), _words(function), inspect.signature(function).parameters
    for name in names:
        default, said = own.get(name, declared[name].default), _ALIKE.get(name, "{}").format(words.get(name, ""))
        how = _reading(name, hints[name])
        if default not in (None, inspect.Parameter.empty):
            said += f" (default {_text(default)})"
        how["help"] = said.strip().replace("%", "%%")
        if default is inspect.Parameter.empty and "action" not in how:
            parser.add_argument(name, **how)
            continue
        if "action" not in how:
            how["default"] = default
        option = (flags or {}).get(name, [f"--{name.replace('_', '-')}"])
        parser.add_argument(*option, dest=name, required=default is inspect.Parameter.empty, **how)


def given(arguments: argparse.Namespace, function: Callable[..., Any], *names: str) -> dict[str, Any]:
    """Arguments of a function by the options of :func:`add_options`, without those that were not given."""
    hints, found = get_type_hints(function), {}
    for name in names:
        value = getattr(arguments, name)
        if value is None:
            continue
        if name == "groups":
            value = data.groups(arguments)
        elif isinstance(value, list):
            value = _LISTS[_element(hints[name])](value, f"--{name}")
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
    if any(get_origin(kind) in (Iterable, Sequence) for kind in (*kinds, hint)):
        return {"metavar": "LIST", "action": "append"}
    if bool in kinds:
        return {"type": {"True": True, "False": False}.get, "choices": [True, False]}
    return {"type": next((kind for kind in (int, float) if kind in kinds), str)}


def workers(text: str) -> int | str:
    """A number of workers, or the name of a backend."""
    return int(text) if text.lstrip("-").isdigit() else text


def _element(hint: Any) -> Any:
    """The type of a list's elements."""
    return get_args(next(kind for kind in (hint, *get_args(hint)) if get_origin(kind) in (Iterable, Sequence)))[0]


def _numbers(texts: list[str], option: str) -> list[float]:
    return data.asked_numbers(texts, option, "numbers with commas between them, such as .9,.5,.1")


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
    float: _numbers,
    float | str: _numbers_or_texts,
    str: lambda texts, option: data.entries(texts, split_expressions),
}  #: what a list holds → how it is read


def _words(function: Callable[..., Any]) -> dict[str, str]:
    """Parameter → the first sentence that the docstring says of it."""
    text = (inspect.getdoc(function) or "").partition("Parameters\n----------\n")[2].partition("\n\n")[0] + "\n"
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
