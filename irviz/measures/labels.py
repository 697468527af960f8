"""Labels of measures: what differs among those at hand, where their expressions are longer."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.cwla import CWLA
from irviz.measures.language.base import CUTOFF, Expression, Measure
from irviz.measures.language.parameters import declarations, expression_text, value_text


def measure_labels(names: Sequence[str]) -> list[str]:
    """Labels of measures by what differs among those of one kind; names of anything else are returned.

    Two measures that would be called alike keep their expressions.

    >>> measure_labels(["CWLA(C=INST(T=2),A=ERG)", "CWLA(C=RBP(p=0.8),A=ERG)", "AP(rel=2)"])
    ['INST(2) · ERG', 'RBP(.8) · ERG', 'AP(rel=2)']
    >>> measure_labels(["TOMA(nDCG,distance='euclidean')", "TOMA(nDCG,distance='chebyshev')"])
    ['euclidean', 'chebyshev']
    """
    labels = labels_of(names)
    return [labels.get(name, name) for name in names]


def labels_of(*groups: Sequence[str]) -> dict[str, str]:
    """Expression → label, of the groups that hold measures only."""
    parsed = {name: one for group in groups for name, one in _parsed(group).items()}
    kinds: dict[str, list[Expression]] = defaultdict(list)
    for one in parsed.values():
        kinds[one.symbol].append(one)
    same = {symbol: _shared(kind) for symbol, kind in kinds.items()}
    parts = {name: _parts(one, same[one.symbol], "") for name, one in parsed.items()}
    if len(kinds) == 1 < len(parsed) and all(len(own) == 1 and own[0].isalpha() for own in parts.values()):
        labels = {name: own[0] for name, own in parts.items()}
    else:
        labels = {name: _label(one, parts[name]) for name, one in parsed.items()}
    often = Counter(labels.values())
    return {name: label if often[label] == 1 else name for name, label in labels.items()}


def _parsed(names: Sequence[str]) -> dict[str, Measure]:
    """The measures of these expressions; nothing if one of the names is no expression as irviz writes it."""
    try:
        parsed = {name: measure(name) for name in dict.fromkeys(names)}
    except IrvizError:
        return {}
    return parsed if all(str(one) == name for name, one in parsed.items()) else {}


def _label(one: Expression, parts: Sequence[str]) -> str:
    if type(one) is not CWLA:
        return expression_text(one.symbol, parts, one.cutoff)
    return " · ".join(parts) + ("" if one.cutoff is None else f"@{one.cutoff}")


def _shared(kind: Sequence[Expression]) -> set[str]:
    """Paths of the values that all of several expressions have in common, the parts of a C/W/L/A measure excepted."""
    first, *others = kind
    kept = {CUTOFF, "C", "A"} if type(first) is CWLA else {CUTOFF}
    return {
        path
        for path in first.paths()
        if others and path not in kept
        if all(path in other.paths() and other.value_at(path) == first.value_at(path) for other in others)
    }


def _parts(one: Expression, same: set[str], above: str) -> list[str]:
    """What is written of an expression: its values, those of more than one letter with their key."""
    found = []
    for name, declared in declarations(type(one)).items():
        value, path = getattr(one, name), f"{above}{name}"
        usual = type(one).__dataclass_fields__[name].default
        if path in same or not (declared.positional or declared.always_written or value != usual):
            continue
        if isinstance(value, Expression):
            found.append(_label(value, _parts(value, same, f"{path}.")))
        elif isinstance(value, str):
            found.append(value)
        else:
            number = re.sub(r"(?<![\d.])0\.(?=\d)", ".", value_text(value))
            found.append(number if len(name) == 1 else f"{name}={number}")
    return found
