"""Short labels of measures: what differs among several."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.cwla import CWLA
from irviz.measures.language.base import CUTOFF, Expression, Measure
from irviz.measures.language.parameters import ByGrade, declarations, expression_text, value_text


def measure_labels(names: Sequence[str]) -> list[str]:
    """Labels of measures by what differs among those of one kind; other names are returned unchanged.

    Measures with equal labels keep their expressions.

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


def changed_values(old: str, new: str, grades: Sequence[float] = ()) -> str:
    """The values that differ between two measures of one kind; "" if something else differs.

    With the `grades` of the judgments, gains are compared grade by grade.

    >>> changed_values("CWLA(C=RBP(p=0.8),A=ERG)", "CWLA(C=RBP(p=0.5),A=ERG)"), changed_values("AP", "RR")
    ('p .8 → .5', '')
    >>> changed_values("nDCG@10", "nDCG(gains=[0,1.15,2])@10", (0.0, 1.0, 2.0))
    'grade 1: gain 1 → 1.15'
    """
    first, second = (_parsed([name]).get(name) for name in (old, new))
    if first is None or second is None or first.paths().keys() != second.paths().keys():
        return ""
    changes = []
    for path in first.paths():
        pair = [one.value_at(path) for one in (first, second)]
        if pair[0] == pair[1] or isinstance(pair[0], Expression):
            continue
        gains = [_gains(value, grades) for value in pair] if path == "gains" else []
        if gains and len(gains[0]) == len(gains[1]) == len(grades):
            moved = [trio for trio in zip(grades, *gains, strict=True) if trio[1] != trio[2]]
            changes += [f"grade {grade:g}: gain {before:g} → {after:g}" for grade, before, after in moved]
        else:
            changes.append(f"{path.rpartition('.')[2]} {_value(pair[0])} → {_value(pair[1])}")
    return ", ".join(changes) if first.symbol == second.symbol else ""


def _gains(value: Any, grades: Sequence[float]) -> Sequence[float]:
    """The gain of every grade."""
    if isinstance(value, tuple | ByGrade):
        return value if isinstance(value, tuple) else ()  # which names the grades itself
    return [2.0**grade - 1 if value == "exp" else max(0.0, grade) for grade in grades]


def _value(value: Any) -> str:
    """A value without quotes and without a zero before the point."""
    if value is None:
        return "default"
    return value if isinstance(value, str) else re.sub(r"(?<![\d.])0\.(?=\d)", ".", value_text(value))


def _parsed(names: Sequence[str]) -> dict[str, Measure]:
    """The measures of these expressions; empty if one is not an expression as irviz writes it."""
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
    """The written values of an expression; with the key, if that has more than one letter."""
    found = []
    for name, declared in declarations(type(one)).items():
        value, path = getattr(one, name), f"{above}{name}"
        usual = type(one).__dataclass_fields__[name].default
        if path in same or not (declared.positional or declared.always_written or value != usual):
            continue
        if isinstance(value, Expression):
            found.append(_label(value, _parts(value, same, f"{path}.")))
        else:
            text = _value(value)
            found.append(text if len(name) == 1 or isinstance(value, str) else f"{name}={text}")
    return found
