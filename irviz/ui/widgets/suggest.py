"""Measures worth offering for a collection, and expressions changed one parameter at a time.

Everything is read off the catalogue and the declarations of the parameters; no measure
is known here by name.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures import Measure, measures
from irviz.measures.language.base import Expression
from irviz.measures.language.grammar import parse
from irviz.measures.language.parameters import Numbers, declarations, written

_CUTOFFS = (10, 100)


def suggestions(collection: Collection) -> list[str]:
    """Expressions of the catalogue that make sense on `collection`, in its order."""
    found: list[str] = []
    for cls in measures().values():
        found += [str(one) for one in _variants(cls, collection)]
    return list(dict.fromkeys(found))


def _variants(cls: type[Measure], collection: Collection) -> list[Measure]:
    cutoffs = {"none": (None,), "required": _CUTOFFS, "optional": (None, *_CUTOFFS[:1])}[cls.cut]
    variants = []
    for cutoff in cutoffs:
        try:
            variants.append(cls(cutoff=cutoff, **fitting(cls, collection)))
        except (IrvizError, TypeError):  # it needs something that only a person can choose
            continue
    return variants


def fitting(cls: type[Expression], collection: Collection) -> dict[str, Any]:
    """Values for those parameters whose default cannot fit every number of grades."""
    levels = len(collection.grades[0]) - 1
    return {
        name: even_shares(levels)
        for name, declared in declarations(cls).items()
        if isinstance(declared.kind, Numbers) and declared.kind.simplex and not declared.kind.optional
    }


def completed(text: str, collection: Collection) -> str:
    """A measure written by its name alone, with shares that fit the grades where the default fits two only.

    On three grades above zero, GAP is ``GAP(g=[0.33,0.33,0.34])``; all else stays as it is written.
    """
    name, at, cutoff = text.strip().partition("@")
    cls = measures().get(name.strip())
    shares = fitting(cls, collection) if cls is not None else {}
    given = ",".join(f"{key}={written(share)}" for key, share in shares.items() if share)  # no grade above zero: none
    return f"{name.strip()}({given}){at}{cutoff}" if given else text


def even_shares(count: int) -> tuple[float, ...]:
    """`count` numbers of two digits that sum to 1, as even as they can be.

    >>> even_shares(3)
    (0.33, 0.33, 0.34)
    """
    hundredths = [(100 * (i + 1)) // count - (100 * i) // count for i in range(count)]
    return tuple(part / 100 for part in hundredths)


def moved_share(shares: tuple[float, ...], place: int, value: float) -> tuple[float, ...]:
    """Shares that still sum to 1 after one of them is set: the others give or take in proportion.

    >>> moved_share((0.5, 0.25, 0.25), 0, 0.2)
    (0.2, 0.4, 0.4)
    """
    others = 1.0 - shares[place]
    rest = 1.0 - value
    moved = [
        value if i == place else (share * rest / others if others > 1e-12 else rest / (len(shares) - 1))
        for i, share in enumerate(shares)
    ]
    rounded = [round(share, 4) for share in moved]
    last = max((i for i in range(len(shares)) if i != place), key=lambda i: rounded[i], default=place)
    rounded[last] = round(1.0 - sum(share for i, share in enumerate(rounded) if i != last), 4)
    return tuple(rounded)


def changed(expression: Expression, name: str, value: Any) -> Expression:
    """The expression with one parameter (or its ``cutoff``) set; refused like any other."""
    return replace(expression, **{name: value})


def read_value(expression: Expression, name: str, text: str) -> Any:
    """A parameter's value as the grammar reads it, such as a list of numbers."""
    arguments = ",".join(
        f"{field.name}={written(getattr(expression, field.name)) if field.name != name else text}"
        for field in fields(expression)
        if field.name in declarations(type(expression))
    )
    positional = [key for key, declared in declarations(type(expression)).items() if declared.positional]
    for key in positional:
        arguments = arguments.replace(f"{key}=", "", 1)
    cutoff = "" if expression.cutoff is None else f"@{expression.cutoff}"
    return getattr(parse(f"{expression.symbol}({arguments}){cutoff}", expression.family), name)
