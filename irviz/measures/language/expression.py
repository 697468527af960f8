"""Expressions: values with a symbol, parameters and a cutoff, such as ``RBP(p=0.8)@10``.

Measures, browsing models and aggregations are all expressions.  A subclass with a
``symbol`` registers itself in its family; a second one of the same symbol is refused.
The text of an expression is its label, its cache key and what the grammar parses back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from irviz.errors import IrvizError
from irviz.measures.language.parameters import Whole, check_all, declarations, written

REGISTRY: dict[str, dict[str, type[Expression]]] = {}  # family → symbol → class


@dataclass(frozen=True, kw_only=True)
class Expression:
    """A hashable value whose ``str`` parses back to an equal one."""

    family: ClassVar[str] = ""
    symbol: ClassVar[str] = ""
    title: ClassVar[str] = ""  #: what a person calls it
    cut: ClassVar[str] = "optional"  #: whether it takes ``@k``: "optional", "required" or "none"
    deepest: ClassVar[int] = 1_000_000  #: the largest k
    cutoff: int | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__repr__ = Expression.__str__  # type: ignore[assignment]  # or the decorator writes its own
        if "symbol" not in cls.__dict__:
            return
        known = REGISTRY.setdefault(cls.family, {})
        if cls.symbol in known and known[cls.symbol].__qualname__ != cls.__qualname__:
            raise IrvizError(f"There are two {cls.family}s `{cls.symbol}`: {known[cls.symbol]!r} and {cls!r}.")
        known[cls.symbol] = cls

    def __post_init__(self) -> None:
        check_all(self)
        if self.cut == "none" and self.cutoff is not None:
            raise IrvizError(f"{self.symbol} takes no cutoff; got @{self.cutoff}. Leave it out.")
        if self.cut == "required" and self.cutoff is None:
            raise IrvizError(f"{self.symbol} needs a cutoff here, as in {self.symbol}@10.")
        kind = Whole(high=self.deepest, optional=True, hint=f"Write {self.symbol}@10 for the first ten ranks.")
        object.__setattr__(self, "cutoff", kind.check(self.cutoff, self.symbol, "cutoff"))

    def __str__(self) -> str:
        arguments = []
        for name, declared in declarations(type(self)).items():
            value = getattr(self, name)
            if declared.positional:
                arguments.append(written(value))
            elif declared.shown or value != type(self).__dataclass_fields__[name].default:
                arguments.append(f"{name}={written(value)}")
        inside = f"({','.join(arguments)})" if arguments else ""
        return f"{self.symbol}{inside}" + (f"@{self.cutoff}" if self.cutoff is not None else "")

    __repr__ = __str__


def family(name: str) -> dict[str, type[Expression]]:
    """The registered expressions of one family, by symbol."""
    return REGISTRY[name]
