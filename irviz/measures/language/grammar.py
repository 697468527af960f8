"""The grammar of expressions: ``Name(key=value,…)@cutoff``, as in ir_measures.

A value is a number, a quoted string, a list, numbers by number, a word, or another expression.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, replace
from functools import lru_cache
from typing import Any

from irviz.errors import IrvizError, choose, unknown
from irviz.measures.language.aliases import NEAREST, TREC_EVAL_DEFAULTS, known_name, plain_points
from irviz.measures.language.base import Expression, family
from irviz.measures.language.parameters import (
    Parameter,
    Subexpression,
    declarations,
    expression_text,
    value_text,
)

MAX_LENGTH = 2000  # of an expression: links may be hostile
MAX_DEPTH = 8

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<string>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>[()\[\]{},=:@/]))"
)


@dataclass(frozen=True)
class Call:
    """A name with its arguments, not yet resolved."""

    name: str
    positional: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...]
    cutoff: Any

    def __str__(self) -> str:
        """The text as written, for errors."""
        named = (f"{name}={value_text(value)}" for name, value in self.keywords)
        return expression_text(self.name, [*map(value_text, self.positional), *named], self.cutoff)


def parse(text: str, kind: str = "measure") -> Any:
    """The expression of the given family in `text`.

    Refused are text outside the grammar, with the place, an unknown name, with the nearest ones, and a value outside
    its domain.
    """
    if not isinstance(text, str):
        raise IrvizError(f"A {kind} is written as text, like 'nDCG@10'; got {type(text).__name__}.")
    if len(text) > MAX_LENGTH:
        raise IrvizError(f"This {kind} is {len(text)} characters long; at most {MAX_LENGTH} are read.")
    return _parse_text(text, kind)


@lru_cache(maxsize=1024)
def _parse_text(text: str, kind: str) -> Any:
    reader = _Reader(plain_points(text))
    value = reader.value(0)
    reader.end()
    if not isinstance(value, Call):
        raise IrvizError(f"`{text}` is not a {kind}. Write a name, like nDCG@10.")
    return build(value, kind)


def read_value(one: Expression, name: str, text: str) -> Any:
    """The value of a parameter in a text, such as a list of numbers."""
    reader = _Reader(plain_points(text))
    value = _resolve(reader.value(0), declarations(type(one))[name], one.symbol, name)
    reader.end()
    return getattr(one.with_value(name, value), name)


def build(call: Call, kind: str) -> Expression:
    """The registered expression of a parsed call."""
    known = family(kind)
    if kind == "measure" and call.name not in known:
        name, cutoff = known_name(call.name, call.cutoff)
        given = dict(call.keywords)
        theirs = [(key, value) for key, value in TREC_EVAL_DEFAULTS.get(call.name, {}).items() if key not in given]
        if name in known:
            call = replace(call, name=name, cutoff=cutoff, keywords=(*call.keywords, *theirs))
        if call.name in NEAREST:
            raise IrvizError(f"There is no measure `{call.name}`. {NEAREST[call.name]}")
    choose(kind, call.name, known)
    cls = known[call.name]
    declared = declarations(cls)
    arguments: dict[str, Any] = {}
    places = [name for name, parameter in declared.items() if parameter.positional]
    if len(call.positional) > len(places):
        keys = ", ".join(declared) or "none"
        raise IrvizError(
            f"{call.name} takes its parameters by name ({keys}); got `{value_text(call.positional[len(places)])}`."
        )
    for name, value in [*zip(places, call.positional, strict=False), *call.keywords]:
        if name not in declared:
            if not declared:
                raise IrvizError(f"{call.name} takes no parameters; got `{name}`. Leave it out.")
            raise unknown(f"parameter of {call.name}", name, list(declared))
        if name in arguments:
            raise IrvizError(f"{call.name} got `{name}` twice. Give it once.")
        arguments[name] = _resolve(value, declared[name], call.name, name)
    for name in declared:
        if name not in arguments and cls.__dataclass_fields__[name].default is MISSING:
            raise IrvizError(f"{call.name} needs `{name}`: {declared[name].doc}")
    return cls(cutoff=call.cutoff, **arguments)


def _resolve(value: Any, parameter: Parameter, owner: str, name: str) -> Any:
    """Turn parsed calls into expressions, or into words if the domain has words."""
    if isinstance(parameter.kind, Subexpression):
        if not isinstance(value, Call):
            return parameter.kind.check(value, owner, name)
        return build(value, parameter.kind.family)
    return _plain(value, owner, name)


def _plain(value: Any, owner: str, name: str) -> Any:
    if isinstance(value, list):
        return [_plain(x, owner, name) for x in value]
    if isinstance(value, Call):
        if value.positional or value.keywords or value.cutoff is not None:
            raise IrvizError(f"`{name}` of {owner} takes a value, not `{value.name}(…)`.")
        return None if value.name == "None" else value.name
    return value


class _Reader:
    """A recursive-descent reader over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0

    def peek(self) -> tuple[str, str]:
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            rest = self.text[self.position :].strip()
            return ("odd", rest[0]) if rest else ("end", "")
        return match.lastgroup or "", match.group(match.lastgroup or 0)

    def take(self) -> tuple[str, str]:
        token = self.peek()
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            raise self.error("something more" if token[0] == "end" else "a name, a number or a sign")
        self.position = match.end()
        return token

    def skip(self, sign: str) -> bool:
        if self.peek() == ("sign", sign):
            self.take()
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.skip(sign):
            raise self.error(f"`{sign}`")

    def error(self, expected_text: str) -> IrvizError:
        kind, token = self.peek()
        what = "the end" if kind == "end" else f"`{token}`"
        return IrvizError(f"`{self.text}`: expected {expected_text} at character {self.position + 1}, found {what}.")

    def end(self) -> None:
        if self.peek() == ("sign", ","):
            raise IrvizError(f"`{self.text}` is more than one measure. Give a list, such as ['AP', 'nDCG@10'].")
        if self.peek()[0] != "end":
            raise self.error("the end")

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise IrvizError(f"`{self.text}` is nested deeper than {MAX_DEPTH} levels. Simplify it.")
        kind, token = self.peek()
        if kind == "number":
            return self.number()
        if kind == "string":
            return re.sub(r"\\(.)", r"\1", self.take()[1][1:-1])
        if (kind, token) == ("sign", "["):
            return self.items(depth)
        if (kind, token) == ("sign", "{"):
            return self.pairs()
        if kind == "name":
            return self.call(depth)
        raise self.error("a name, a number or a list")

    def number(self) -> int | float:
        """A number; a fraction such as 1/3 is read as its nearest double."""
        first = self.one_number()
        if not self.skip("/"):
            return first
        second = self.one_number()
        if second == 0:
            raise IrvizError(f"`{self.text}` divides by zero.")
        return first / second

    def one_number(self) -> int | float:
        kind, token = self.peek()
        if kind != "number":
            raise self.error("a number")
        self.take()
        return int(token) if re.fullmatch(r"[-+]?\d{1,15}", token) else float(token)

    def items(self, depth: int) -> list[Any]:
        self.expect("[")
        items: list[Any] = []
        while not self.skip("]"):
            if items:
                self.expect(",")
            items.append(self.value(depth + 1))
        return items

    def pairs(self) -> dict[int | float, int | float]:
        """Numbers by number, such as gains by grade."""
        self.expect("{")
        pairs: dict[int | float, int | float] = {}
        while not self.skip("}"):
            if pairs:
                self.expect(",")
            key = self.number()
            if key in pairs:
                raise IrvizError(f"`{self.text}` gives {value_text(float(key))} two numbers. Give it one.")
            self.expect(":")
            pairs[key] = self.number()
        return pairs

    def call(self, depth: int) -> Call:
        name = self.take()[1]
        positional: list[Any] = []
        named: list[tuple[str, Any]] = []
        if self.skip("("):
            while not self.skip(")"):
                if positional or named:
                    self.expect(",")
                self.argument(depth, positional, named)
        cutoff = self.one_number() if self.skip("@") else None
        return Call(name, tuple(positional), tuple(named), cutoff)

    def argument(self, depth: int, positional: list[Any], keywords: list[tuple[str, Any]]) -> None:
        start = self.position
        if self.peek()[0] == "name":
            key = self.take()[1]
            if self.skip("="):
                keywords.append((key, self.value(depth + 1)))
                return
            self.position = start
        if keywords:
            raise self.error("a `name=value` after named parameters")
        positional.append(self.value(depth + 1))
